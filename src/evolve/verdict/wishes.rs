//! What is wanted, and whether the recommendation gives it.

use super::said::Said;
use crate::evolve::summary::{CaseSummary, Summary, TargetSummary};
use crate::format;

/// The targets of a summary, by what became of them.
pub(super) struct Wishes<'a> {
    of: &'a Summary,
    /// Met: inside the band, or better than the published values where only less or more is wanted.
    met: Vec<&'a TargetSummary>,
    missed: Vec<&'a TargetSummary>,
    /// Targets that only held-out cases give, or that no case could judge.
    open: Vec<&'a TargetSummary>,
}

impl<'a> Wishes<'a> {
    pub fn of(s: &'a Summary) -> Self {
        let mut wishes = Self { of: s, met: Vec::new(), missed: Vec::new(), open: Vec::new() };
        for t in s.targets.iter().filter(|t| !t.wanted.is_empty()) {
            match met(t) {
                Some(true) => wishes.met.push(t),
                Some(false) => wishes.missed.push(t),
                None => wishes.open.push(t),
            }
        }
        wishes
    }

    /// Each `must` that is missed.
    pub fn musts(&self, said: &mut Said) {
        self.missed.iter().filter(|t| t.must).for_each(|t| said.worst(format!("A must is missed: {}.", self.what(t))));
    }

    /// How many wishes are met.
    pub fn headline(&self, said: &mut Said) {
        let (met, open) = (self.met.len(), self.open.len());
        let all = met + self.missed.len() + open;
        let text = match (met, all) {
            (_, 0) => return,
            (_, 1) if open == 1 => "The one wish cannot be judged.".to_string(),
            (1, 1) => "The one wish is met.".to_string(),
            (0, 1) => "The one wish is missed.".to_string(),
            (_, all) if open == all => format!("None of the {all} wishes can be judged."),
            (met, all) if met == all => format!("All {all} wishes are met."),
            (met, all) => {
                let met = match met {
                    0 => format!("None of the {all} wishes is met"),
                    1 => format!("1 of {all} wishes is met"),
                    _ => format!("{met} of {all} wishes are met"),
                };
                if open == 0 { format!("{met}.") } else { format!("{met}, {open} cannot be judged.") }
            }
        };
        if met == all { said.note(text) } else { said.caution(text) }
    }

    /// What is met by being better only, each wish that is missed but no `must`, and those that cannot be judged.
    pub fn missed(&self, said: &mut Said) {
        let nearer = |t: &&&TargetSummary| t.met.is_none() && t.loss.1 > Some(0.0);
        let nearer: Vec<&str> = self.met.iter().filter(nearer).map(|t| t.name.as_str()).collect();
        if !nearer.is_empty() {
            let beside = self.of.compared_with();
            said.note(format!("Better than with {beside}, but not yet at `good`: {}.", nearer.join(", ")));
        }
        // Where the published values are recommended, a wish for less or more is as good as before, not missed.
        let unchanged = |t: &TargetSummary| t.met.is_none() && t.loss.0 == t.loss.1;
        for t in self.missed.iter().filter(|t| !t.must && !unchanged(t)) {
            said.caution(format!("Missed: {}.", self.what(t)));
        }
        // A run that failed has taken the losses of all.
        for t in self.open.iter().filter(|_| self.of.fresh_failure.is_none()) {
            said.caution(match t.tuned.value {
                Some(_) => format!(
                    "Not judged: {} has no {} beside it.",
                    t.name,
                    if self.of.engine.is_some() { "value of the engine's defaults" } else { "published value" }
                ),
                None => format!("Not judged: {} has no value on the fresh seeds.", t.name),
            });
        }
    }

    /// `leave is 136 s [131, 141], wanted: at most 120 s`; of a curve the points that are missed.
    fn what(&self, t: &TargetSummary) -> String {
        let unit = if t.unit.is_empty() { String::new() } else { format!(" {}", format::unit(&t.unit)) };
        let mut points = self.of.points(&t.name);
        if points.iter().any(|c| !c.held_out) {
            points.retain(|c| !c.held_out);
        }
        let off: Vec<_> = points.iter().filter(|c| c.met() != Some(true)).collect();
        if let [_, _, ..] = points[..] {
            let one = |c: &&&CaseSummary| {
                let [is, wanted] = [c.tuned.value, c.wanted].map(format::option);
                format!("{}: {is}{unit}, wanted {wanted}", c.place())
            };
            let named: Vec<String> = off.iter().take(3).map(one).collect();
            let more = if off.len() > 3 { "; ..." } else { "" };
            return format!("{} at {} of {} points ({}{more})", t.name, off.len(), points.len(), named.join("; "));
        }
        let beside =
            if t.met.is_none() { format!(", with {} {}", self.of.compared_with(), t.default) } else { String::new() };
        format!("{} is {}{unit}{beside}, wanted: {}", t.name, t.tuned, t.wanted)
    }
}

/// Whether a wish is met; `None` where there is no value.
///
/// Where only less or more is wanted there is no band: a loss of 0 is met, and so is one lower than the published values'.
pub fn met(t: &TargetSummary) -> Option<bool> {
    t.met.or(match t.loss {
        (_, Some(tuned)) if tuned <= 0.0 => Some(true),
        (Some(default), Some(tuned)) => Some(tuned < default),
        _ => None,
    })
}
