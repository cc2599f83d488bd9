//! Keys that cure a limit of a published model. An experiment runs the published law and the cured one; what the published
//! law misses is a limit of it only where the line of the cured one, otherwise the same, holds.

use super::lab::{Plan, Ran, exact, run, run_with};
use super::{Lab, Line, Tolerance, Verdict};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;

/// A key that cures a limit, off unless a file sets it.
#[derive(Debug)]
pub struct Cure {
    models: &'static [&'static str],
    set: &'static [(&'static str, &'static str)],
    /// What the lines of the cured law add to their labels.
    words: &'static str,
    /// What the published law lacks.
    reason: &'static str,
}

/// Speed falls with the density ahead, with the constants of `group_dynamics` (Yang, He, Rao 2017).
pub const CROWDING: Cure = Cure {
    models: &["continuum", "hybrid"],
    set: &[("parameters.crowding_m3_per_s", "0.25"), ("parameters.splat_exponent", "1.375")],
    words: "with crowding_m3_per_s = 0.25",
    reason: "in the published law only the flow of the others slows people down: where all walk one way they hardly slow down",
};

/// Nobody can walk into others (Maury, Venel 2011).
pub const HARD_BODIES: Cure = Cure {
    models: &["rvo"],
    set: &[("parameters.hard_bodies", "true")],
    words: "with hard_bodies",
    reason: "in the published law a collision costs a penalty and is not forbidden",
};

/// Nobody comes nearer than both bodies: off in the experiments of group dynamics, whose source does not name it.
pub const MINIMUM_DISTANCE: Cure = Cure {
    models: &["group_dynamics"],
    set: &[("parameters.minimum_distance", "true")],
    words: "with minimum_distance",
    reason: "without the minimum distance only density keeps bodies apart",
};

/// Least depth that is too deep, as a share of the smaller radius. Chosen here: people turn and lean by that much.
const SHALLOW: f64 = 0.1;

/// The runs of one model, published and cured, and what they show.
#[derive(Debug)]
pub struct Compared {
    /// As published.
    pub ran: Ran,
    /// With the words of each cure of this model.
    pub cured: Vec<(&'static str, Ran)>,
    /// The lines of the published law, then those of the cured ones.
    pub lines: Vec<Line>,
}

/// Keys to set, with what they add to labels.
pub type Variant = (&'static str, &'static [(&'static str, &'static str)]);

impl Cure {
    /// As published, and, for its models, with the key.
    pub fn variants(&'static self, model: &str) -> Vec<Variant> {
        let cured = self.is_for(model).then_some((self.words, self.set));
        std::iter::once(("", &[][..])).chain(cured).collect()
    }

    /// True if this is a cure of a model.
    pub fn is_for(&self, model: &str) -> bool {
        self.models.contains(&model)
    }
}

/// Runs a text as published and with each cure of the model; `compare` turns runs into lines, in an order of its own that does not
/// depend on the runs.
///
/// # Errors
/// If the lab fails.
pub fn compared(
    lab: &dyn Lab,
    text: &str,
    plan: Plan<'_>,
    cures: &[&'static Cure],
    compare: &dyn Fn(&Ran) -> Vec<Line>,
) -> Result<Compared, Error> {
    let judged = |ran: &Ran| {
        let mut lines = compare(ran);
        ran.judge(&mut lines);
        lines
    };
    let ran = run(lab, text, plan)?;
    let mut published = judged(&ran);
    let (mut cured, mut lines) = (Vec::new(), Vec::new());
    for cure in cures.iter().filter(|cure| cure.is_for(plan.model)) {
        let with = run_with(lab, text, plan, cure.set)?;
        let mut shown = judged(&with);
        for line in &mut shown {
            line.label = format!("cause: {}, {}", line.label, cure.words);
        }
        let excused = |(line, by): (Line, &Line)| match line.verdict() {
            Verdict::FallsShort => line.deviates(plan.model, cure.reason, by),
            _ => line,
        };
        published = published.into_iter().zip(&shown).map(excused).collect();
        lines.extend(shown);
        cured.push((cure.words, with));
    }
    published.extend(lines);
    Ok(Compared { ran, cured, lines: published })
}

/// How deep bodies overlap at most, in any run. The number is itself what makes runs unhealthy, so however deep it is, it can be
/// trusted; not where runs failed or people walked backwards.
pub fn depth(ran: &Ran) -> Line {
    let shares: Option<Vec<f64>> =
        ran.runs.iter().flatten().map(|run| Some(run.as_ref().ok()?.health.max_overlap_share)).collect();
    let deepest = shares.map_or_else(Figure::default, |all| exact(all.into_iter().fold(0.0, f64::max)));
    Line::new("deepest overlap over the smaller radius", &ran.model, "", deepest, Tolerance::AtMost(SHALLOW))
        .runs(ran.trouble_beside_overlap())
        .note("a tenth is chosen here")
}
