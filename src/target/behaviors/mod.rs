//! Named bundles of targets: what a crowd is asked to look like, in words that users know.
//!
//! A bundle is written in the words of the experiment file, so that what a run folder holds, what `crowdtune list
//! behaviors` shows and what a file may override are one text.

mod alone;
mod moods;
mod together;
mod ways;

use crowdtune_core::registry::Entry;

/// One target of a behavior.
#[derive(Debug)]
pub struct Want {
    /// Its name under `[target]`; behaviors that want something of the same quantity share the name.
    pub name: &'static str,
    /// The keys of its table, between commas as on one line of TOML.
    pub text: &'static str,
    /// Where its numbers come from.
    pub source: &'static str,
}

/// What a behavior stands for, and what `crowdtune new` makes of it.
#[derive(Debug)]
pub struct MakeBehavior {
    /// Its targets.
    pub targets: &'static [Want],
    /// Scenarios that can give all its targets, the one that shows it best first.
    pub scenarios: &'static [Ground],
    /// True if every scenario can.
    pub anywhere: bool,
    /// Constants worth searching besides weights and gain, where the model has them.
    pub searched: &'static [&'static str],
}

/// A scenario that suits a behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground {
    /// Its kind.
    pub kind: &'static str,
    /// Number of people, for which the numbers of the targets are chosen.
    pub count: u32,
    /// Further keys, a line of TOML each.
    pub lines: &'static str,
}

const fn ground(kind: &'static str, count: u32, lines: &'static str) -> Ground {
    Ground { kind, count, lines }
}

/// Two directions that meet, at 0.5 people per square meter: at 0.9 the five forces block each other for good.
const CORRIDOR: Ground = ground("corridor", 32, "length_m = 16.0\n");

impl MakeBehavior {
    /// The kinds of scenarios that suit it, in words, each between `mark`s.
    pub fn suits(&self, mark: &str) -> String {
        let kinds: Vec<_> = self.scenarios.iter().map(|s| format!("{mark}{}{mark}", s.kind)).collect();
        if self.anywhere { format!("any, such as {}", kinds.join(", ")) } else { kinds.join(", ") }
    }
}

/// All behaviors.
pub static BEHAVIORS: &[&Entry<MakeBehavior>] = &[
    &ways::EVACUATE,
    &ways::FLOW,
    &together::GATHER,
    &together::FOLLOW,
    &together::GUARD,
    &alone::DISPERSE,
    &together::FLOCK,
    &ways::LANES,
    &ways::QUEUE,
    &moods::POLITE,
    &moods::NERVOUS,
    &together::MILL,
];

/// Bodies stay bodies, whatever else is wanted: without it a heap of people would gather best.
const OVERLAP: Want = Want {
    name: "overlap",
    text: r#"metric = "overlap_max_m", at_most = 0.05, must = true"#,
    source: "chosen here: a tenth of a body of 0.5 m, what clothes give",
};

/// Nobody stays behind.
const LEFT: Want = Want {
    name: "inside",
    text: r#"metric = "people_left", at_most = 0.0, scale = 5.0"#,
    source: "chosen here: everybody leaves; five people are too many by one unit",
};

/// Standing still is not a solution.
const PACE: Want = Want {
    name: "pace",
    text: r#"metric = "speed_mean_m_per_s", at_least = 0.6"#,
    source: "Helbing, Farkas, Vicsek, Nature 407, 487 (2000): relaxed people walk at 0.6 m/s",
};
