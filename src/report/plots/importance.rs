//! Which parameters mattered in a search.

use super::effects::shares::{Bar, bars};
use super::plot::Plot;
use crate::evolve::summary::{Figure, Importance};
use crate::format::{self, file_stem};
use crate::report::run::Run;

const CAPTION: &str = "Share of the variance in the rank of a candidate that each parameter explains when it is drawn from its \
                       whole range, in a random forest fitted to the log: alone (S1), and in total with its interactions (ST). A rough \
                       picture; crowdtune sensitivity measures it.";

/// A plot per objective; none where nothing can be said.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let all = &run.summary.importance;
    let several = all.len() > 1;
    all.iter().filter(|i| !i.shares.is_empty()).map(|i| plot(i, several)).collect()
}

fn plot(i: &Importance, several: bool) -> Plot {
    let known = |x: f64| Figure { value: Some(x), low: None, high: None };
    let bar =
        |s: &crate::evolve::summary::Share| Bar { key: s.key.clone(), first: known(s.first), total: known(s.total) };
    let below = format!(
        "A model of {} that explains {:.0} % of the ranks of trials it has not seen",
        format::count(i.trials, "trial"),
        100.0 * i.explained.unwrap_or(0.0)
    );
    let (name, of) = if several {
        (format!("importance_{}", file_stem(&i.objective)), format!(" for {}", i.objective))
    } else {
        ("importance".into(), String::new())
    };
    let rows: Vec<Bar> = i.shares.iter().map(bar).collect();
    Plot { name, caption: CAPTION.into(), svg: bars(&format!("What mattered{of}"), &below, &rows) }
}
