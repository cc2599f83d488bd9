//! Which parameters mattered in a search.

use super::effects::{Bar, bars};
use super::{Plot, file_stem};
use crate::evolve::summary::Figure;
use crate::report::format;
use crate::report::run::Run;

/// A plot per objective; none where nothing can be told.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let all = &run.summary.importance;
    let one = |i: &crate::evolve::summary::Importance| {
        let known = |x: f64| Figure { value: Some(x), low: None, high: None };
        let rows: Vec<Bar> =
            i.shares.iter().map(|s| Bar { key: s.key.clone(), first: known(s.first), total: known(s.total) }).collect();
        let of = if all.len() > 1 { format!(" for {}", i.objective) } else { String::new() };
        let below = format!(
            "Model of {}; explains {:.0} % of the ranks of trials it has not seen",
            format::count(i.trials, "trial"),
            100.0 * i.explained.unwrap_or(0.0)
        );
        let caption = "Share of the variance of the rank of a candidate, if each parameter is drawn from its whole range, in a \
                       random forest fitted to the log: alone (S1) and together with others (ST). A rough picture; \
                       crowdtune sensitivity measures it.";
        let name = if all.len() > 1 { format!("importance_{}", file_stem(&i.objective)) } else { "importance".into() };
        Plot { name, caption: caption.into(), svg: bars(&format!("What mattered{of}"), &below, &rows) }
    };
    all.iter().filter(|i| !i.shares.is_empty()).map(one).collect()
}
