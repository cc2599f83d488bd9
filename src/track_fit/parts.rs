//! The tables of a fit.

use super::aims::MACROSCOPIC;
use super::taken::Taken;

/// What is held out of the whole crowd.
pub(crate) const TIME_ALONE: &str =
    "What the whole crowd does is tuned with everybody in it, held-out people too: only the time is held out there.";

/// A table of what came out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// Head of the column with who walks.
    pub head: String,
    /// Name of a measure in the experiment, and the head of its column.
    pub columns: Vec<(String, String)>,
    /// True for people who walk from where they came in to their goal, beside whom nobody stands who has no model.
    pub whole: bool,
}

/// The tables of a fit.
pub(crate) fn parts(taken: &Taken) -> Vec<Part> {
    let part = |whole: bool, columns: &[(&str, &str)]| Part {
        head: "walks by".into(),
        columns: columns.iter().map(|(key, head)| ((*key).to_string(), (*head).to_string())).collect(),
        whole,
    };
    let mut parts = vec![
        part(
            false,
            &[
                ("tuned", if taken.asked.tunes("tracks") { "tuned people, m2" } else { "other people, m2" }),
                ("held_out_people", "held-out people, m2"),
                ("held_out_time", "held-out time, m2"),
            ],
        ),
        part(
            false,
            &[("held_out_people_ade", "held-out people, ADE m"), ("held_out_people_fde", "held-out people, FDE m")],
        ),
    ];
    if taken.asked.tunes("entropy") {
        parts.push(part(
            false,
            &[("entropy", "tuned people, entropy bits"), ("held_out_people_entropy", "held-out people, entropy bits")],
        ));
    }
    if let Some(macroscopic) = &taken.macroscopic {
        let there = |held_out: bool| -> Vec<(String, String)> {
            let prefix = if held_out { "held_out_" } else { "" };
            let aims = MACROSCOPIC.iter().filter(|aim| macroscopic.has(aim, held_out));
            aims.map(|aim| (format!("{prefix}{}", aim.name), aim.title.to_string())).collect()
        };
        let until = format!("the whole crowd until {:.1} s", taken.held_out_from_s);
        for (held_out, head) in [(false, until), (true, "the same in the held-out time".to_string())] {
            parts.push(Part { head, columns: there(held_out), whole: true });
        }
    }
    parts
}
