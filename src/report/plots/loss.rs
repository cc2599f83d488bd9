//! Loss over evaluations: every candidate, the best so far, the defaults.

use super::Plot;
use super::axis::{Axis, Panel, Scale};
use super::canvas::{Canvas, Hold, svg, text_width};
use super::style::{DEFAULT, INK, LABEL, POINT, SOFT, TUNED};
use crate::report::format;
use crate::report::run::Run;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;

/// One plot, with a panel per objective; none before the first evaluation.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    if run.search().next().is_none() {
        return Vec::new();
    }
    let panels = run.summary.objectives.len().max(1);
    let picture = svg(WIDTH, HEIGHT * panels as f64, "Loss over evaluations", |c| {
        for at in 0..panels {
            panel(c, run, at, HEIGHT * at as f64);
        }
    });
    let caption = "Loss of every candidate as the search saw it, the best so far, and the published defaults on the \
                   report's fresh seeds. Rings miss a must; crosses at the top failed."
        .into();
    vec![Plot { name: "loss".into(), caption, svg: picture }]
}

fn panel(c: &mut Canvas<'_>, run: &Run<'_>, objective: usize, top: f64) {
    let loss: Vec<Option<f64>> = run.search().map(|(t, _)| t.objectives.get(objective).copied()).collect();
    let feasible: Vec<bool> = run.search().map(|(t, _)| t.violation <= 0.0).collect();
    let named = run.summary.objectives.get(objective);
    let default = named.and_then(|o| o.default.value).filter(|v| v.is_finite());
    let values = || loss.iter().flatten().copied().chain(default);
    let scale = scale_for(values());
    let mut y = Axis::around(values(), scale);
    // Room above the points for the crosses of failed candidates.
    let failed = loss.iter().any(Option::is_none);
    if failed && scale == Scale::Linear {
        y.high += 0.08 * (y.high - y.low);
    } else if failed {
        y.high *= 1.5;
    }
    let x = Axis { low: 0.0, high: loss.len() as f64 + 1.0, scale: Scale::Linear };
    let p = Panel { left: 72.0, top: top + 62.0, right: WIDTH - 24.0, bottom: top + HEIGHT - 52.0, x, y };
    let name = named.map_or("loss", |o| o.name.as_str());
    let title = if name == "loss" { "Loss over evaluations".into() } else { format!("Loss over evaluations: {name}") };
    c.bold(16.0, top + 20.0, &title, super::style::TITLE, INK, Hold::Start);
    let spacing = match scale {
        Scale::Linear => "",
        Scale::Log => " (logarithmic)",
        Scale::SymLog(_) => " (logarithmic above the first step)",
    };
    p.frame(c, "evaluation", &format!("{name}{spacing}"));
    for (i, value) in loss.iter().enumerate() {
        let at = i as f64 + 1.0;
        match value {
            None => {
                let (x, y) = p.place(at, p.y.high);
                c.cross(x, y + 7.0, 3.0, SOFT);
            }
            Some(v) => {
                let (x, y) = p.place(at, *v);
                if feasible[i] { c.dot(x, y, 2.6, POINT, 0.75) } else { c.ring(x, y, 2.4, POINT) }
            }
        }
    }
    let mut steps: Vec<(f64, f64)> = Vec::new();
    for (i, best) in run.best_so_far(objective).into_iter().enumerate() {
        let Some(v) = best.and_then(|b| loss[b]) else { continue };
        let now = p.place(i as f64 + 1.0, v);
        if let Some(last) = steps.last().copied() {
            steps.push((now.0, last.1));
        }
        steps.push(now);
    }
    c.line(&steps, TUNED, 2.4, 1.0);
    if let Some(v) = default {
        let (left, y) = p.place(p.x.low, v);
        c.dashes((left, y), (p.right, y), DEFAULT, 1.8);
    }
    legend(c, top + 42.0, default, failed, feasible.iter().any(|f| !f));
}

fn legend(c: &mut Canvas<'_>, y: f64, default: Option<f64>, failed: bool, infeasible: bool) {
    let mut x = 72.0;
    let mut entry = |c: &mut Canvas<'_>, text: &str, mark: &dyn Fn(&mut Canvas<'_>, f64)| {
        mark(c, x);
        c.text(x + 26.0, y, text, LABEL, INK, Hold::Start);
        x += 46.0 + text_width(text, LABEL);
    };
    entry(c, "best so far", &|c, x| c.line(&[(x, y), (x + 20.0, y)], TUNED, 2.4, 1.0));
    entry(c, "candidate", &|c, x| c.dot(x + 10.0, y, 2.6, POINT, 0.75));
    if infeasible {
        entry(c, "misses a must", &|c, x| c.ring(x + 10.0, y, 2.4, POINT));
    }
    if failed {
        entry(c, "failed", &|c, x| c.cross(x + 10.0, y, 3.0, SOFT));
    }
    if let Some(v) = default {
        let text = format!("defaults {}", format::number(v));
        entry(c, &text, &|c, x| c.dashes((x, y), (x + 20.0, y), DEFAULT, 1.8));
    }
}

/// Logarithmic where the largest value is more than 30 times the smallest; through 0 where some are 0.
pub(super) fn scale_for(values: impl Iterator<Item = f64>) -> Scale {
    let mut sorted: Vec<f64> = values.filter(|v| v.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let positive = &sorted[sorted.partition_point(|v| *v <= 0.0)..];
    let (Some(&first), Some(&last)) = (positive.first(), positive.last()) else { return Scale::Linear };
    let whole = positive.len() == sorted.len();
    if whole && last / first > 30.0 {
        return Scale::Log;
    }
    let middle = positive[positive.len() / 4];
    if !whole && last / middle > 30.0 { Scale::SymLog(middle) } else { Scale::Linear }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_follows_the_spread() {
        assert_eq!(scale_for([1.0, 20.0].into_iter()), Scale::Linear);
        assert_eq!(scale_for([1.0, 40.0].into_iter()), Scale::Log);
        assert_eq!(scale_for([0.0, 0.0, 1.0, 400.0, f64::NAN].into_iter()), Scale::SymLog(1.0));
        assert_eq!(scale_for([-1.0, 0.0].into_iter()), Scale::Linear);
    }
}
