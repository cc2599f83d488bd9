//! Manners and moods: polite, nervous.

use super::{CORRIDOR, MakeBehavior, OVERLAP, PACE, Want};
use crowdtune_core::registry::Entry;

/// Calm, with distance.
pub static POLITE: Entry<MakeBehavior> = Entry {
    name: "polite",
    doc: "People walk calmly: they touch nobody, keep some distance, turn gently and walk on.",
    source: "chosen here: what the word asks for, see its targets",
    params: &[],
    make: MakeBehavior {
        targets: &[
            Want {
                name: "collisions",
                text: r#"metric = "collisions", at_most = 0.0, scale = 5.0"#,
                source: "chosen here: nobody touches; five touches are too many by one unit",
            },
            Want {
                name: "spacing",
                text: r#"metric = "nearest_neighbor_m", at_least = 0.8"#,
                source: "chosen here: an arm's length between centers less half a body; pairs who know each other walk \
                         0.88 m apart (zara01, median)",
            },
            Want {
                name: "turning",
                text: r#"metric = "turn_rate_p95_deg_per_s", at_most = 60.0"#,
                source: "chosen here: a right angle takes a second and a half",
            },
            PACE,
            OVERLAP,
        ],
        scenarios: &[CORRIDOR],
        anywhere: true,
        searched: &[],
    },
};

/// Restless.
pub static NERVOUS: Entry<MakeBehavior> = Entry {
    name: "nervous",
    doc: "People are restless: they turn often and sharply, take detours, and never stand.",
    source: "chosen here: polite turned around, see its targets",
    params: &[],
    make: MakeBehavior {
        targets: &[
            Want {
                name: "turning",
                text: r#"metric = "turn_rate_p95_deg_per_s", at_least = 100.0, weight = 2.0"#,
                source: "chosen here: a right angle in less than a second, well above polite people",
            },
            Want {
                name: "straightness",
                text: r#"metric = "path_efficiency", at_most = 0.9"#,
                source: "chosen here: a tenth of the way is detour",
            },
            PACE,
            OVERLAP,
        ],
        scenarios: &[CORRIDOR],
        anywhere: true,
        searched: &[],
    },
};
