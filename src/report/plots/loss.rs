//! Loss over evaluations: every candidate, the best so far, the defaults.

use super::plot::Plot;
use crate::format;
use crate::report::chart::style::{DEFAULT, POINT, SOFT, TUNED};
use crate::report::chart::{Axis, Graph, Key, Legend, Scale, Sheet, Stroke, Symbol, scale_for, steps};
use crate::report::run::Run;

const CAPTION: &str = "Loss of every candidate as the search saw it, the best so far, and the defaults on the \
                       report's fresh seeds. Rings miss a must; crosses at the top failed.";
const BEST: Stroke = Stroke::new(TUNED, 2.4);
const DEFAULTS: Stroke = Stroke::dashed(DEFAULT, 1.8);
const CANDIDATE: Symbol = Symbol::dot(POINT, 2.6).alpha(0.75);
const INFEASIBLE: Symbol = Symbol::ring(POINT, 2.4);
const FAILED: Symbol = Symbol::cross(SOFT, 3.0);

/// A plot per objective; none before the first evaluation.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    if run.search().next().is_none() {
        return Vec::new();
    }
    let several = run.summary.objectives.len() > 1;
    let plot = |at: usize| {
        let named = run.summary.objectives.get(at).map_or("loss", |o| o.name.as_str());
        let name = if several { format!("loss_{}", format::file_stem(named)) } else { "loss".into() };
        Plot { name, caption: CAPTION.into(), svg: draw(run, at, named) }
    };
    (0..run.summary.objectives.len().max(1)).map(plot).collect()
}

fn draw(run: &Run<'_>, objective: usize, name: &str) -> String {
    let loss: Vec<Option<f64>> = run.search().map(|(t, _)| t.objectives.get(objective).copied()).collect();
    let feasible: Vec<bool> = run.search().map(|(t, _)| t.violation <= 0.0).collect();
    let default = run.summary.objectives.get(objective).and_then(|o| o.default.value).filter(|v| v.is_finite());
    let failed = loss.iter().any(Option::is_none);
    let values = || loss.iter().flatten().copied().chain(default);
    let scale = scale_for(values());
    let mut y = Axis::around(values(), scale);
    // Room above the points for the crosses of failed candidates.
    match scale {
        _ if !failed => {}
        Scale::Linear => y.high += 0.08 * (y.high - y.low),
        _ => y.high *= 1.5,
    }
    let legend = Legend::new()
        .with(Key::Line(BEST), "best so far")
        .with(Key::Mark(CANDIDATE), "candidate")
        .with_if(feasible.iter().any(|f| !f), Key::Mark(INFEASIBLE), "misses a must")
        .with_if(failed, Key::Mark(FAILED), "failed");
    let legend = default.map_or(legend.clone(), |v| {
        legend.with(Key::Line(DEFAULTS), format!("{} {}", run.summary.defaults_called(), format::number(v)))
    });
    let title = if name == "loss" { "Loss over evaluations".into() } else { format!("Loss over evaluations: {name}") };
    let x = Axis::linear(0.0, loss.len() as f64 + 1.0);
    let sheet = Sheet::new(title).legend(legend);
    Graph::new(sheet, (x, "evaluation"), (y, format!("{name}{}", scale.note()))).draw(|c, p| {
        for (i, value) in loss.iter().enumerate() {
            let x = i as f64 + 1.0;
            match value {
                None => c.mark((p.at(x, p.y.high).0, p.top + 7.0), FAILED),
                Some(v) => c.mark(p.at(x, *v), if feasible[i] { CANDIDATE } else { INFEASIBLE }),
            }
        }
        let best = run.best_so_far(objective).into_iter().enumerate();
        let values = best.filter_map(|(i, best)| Some(p.at(i as f64 + 1.0, loss[best?]?)));
        c.line(&steps(values), BEST);
        if let Some(v) = default {
            p.level(c, v, DEFAULTS);
        }
    })
}
