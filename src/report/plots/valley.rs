//! The two most confounded parameters: trials, the region that the noise leaves open, the way along the valley.

use super::Plot;
use super::axis::{Axis, Panel, Scale};
use super::canvas::{Canvas, Hold, svg, text_width};
use super::style::{DEFAULT, INK, LABEL, POINT, TUNED, WANTED, ramp};
use crate::evolve::summary::{Confounded, GeneSummary};
use crate::report::format;
use crate::report::run::Run;
use crowdtune_search::{Trial, better};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 480.0;
/// The picture shows so many times the width of the region. Chosen here: its surroundings, and it is not a dot.
const ZOOM: f64 = 6.0;
/// Share of the trials, the best, that give the color scale its ends.
const COLORED: f64 = 0.5;

/// One plot; none with fewer than two numbers or where nothing can be told.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let s = run.summary;
    let Some(pair) = s.identified.as_ref().and_then(|i| i.pairs.first()) else { return Vec::new() };
    let at = |key: &str| s.genes.iter().position(|g| g.key == key);
    let (Some(a), Some(b)) = (at(&pair.keys.0), at(&pair.keys.1)) else { return Vec::new() };
    let title = format!("{} against {}", format::words(&pair.keys.1), format::words(&pair.keys.0));
    let below = if pair.confounded {
        "These two make up for each other: inside the outline a model puts the loss within its noise"
    } else {
        "The pair that is told apart worst: inside the outline a model puts the loss within its noise"
    };
    let picture = svg(WIDTH, HEIGHT, &title, |c| {
        c.title(&title, below);
        draw(c, run, pair, (a, b));
    });
    let caption = "Trials of the search by two of its parameters, around the best; blue is a small loss. The outline holds what cannot be \
                   told apart from the minimum of a quadratic model of the best trials while all other parameters follow; it \
                   is cut at the ends of the ranges. A trial inside it may be worse all the same: its other parameters lie elsewhere. Where no good \
                   trials lie, the model only guesses."
        .into();
    vec![Plot { name: "valley".into(), caption, svg: picture }]
}

fn draw(c: &mut Canvas<'_>, run: &Run<'_>, pair: &Confounded, (a, b): (usize, usize)) {
    let genes = &run.summary.genes;
    let (xs, ys): (Vec<f64>, Vec<f64>) = pair.outline.iter().copied().unzip();
    let p = Panel {
        left: 84.0,
        top: 84.0,
        right: WIDTH - 40.0,
        bottom: HEIGHT - 52.0,
        x: axis(&genes[a], &xs),
        y: axis(&genes[b], &ys),
    };
    p.frame(c, &format::words(&genes[a].key), &format::words(&genes[b].key));
    let mut done: Vec<(&Trial, &[f64])> = run.search().filter(|(t, _)| t.is_done() && t.violation <= 0.0).collect();
    done.sort_by(|a, b| better(a.0, b.0));
    let colored = ((done.len() as f64 * COLORED) as usize).max(1).min(done.len());
    for (rank, (_, row)) in done.iter().enumerate().rev() {
        if !inside(&p, row[a], row[b]) {
            continue;
        }
        let (x, y) = p.place(row[a], row[b]);
        if rank < colored {
            c.dot(x, y, 3.2, ramp(rank as f64 / colored as f64), 0.85);
        } else {
            c.dot(x, y, 2.2, POINT, 0.45);
        }
    }
    let mut outline: Vec<(f64, f64)> = pair.outline.iter().map(|&(x, y)| p.place(x, y)).collect();
    outline.extend(outline.first().copied());
    c.polygon(&outline, WANTED, 0.14);
    c.line(&outline, WANTED, 2.0, 1.0);
    if inside(&p, genes[a].default, genes[b].default) {
        let (x, y) = p.place(genes[a].default, genes[b].default);
        c.cross(x, y, 6.0, DEFAULT);
    }
    let (x, y) = p.place(genes[a].tuned, genes[b].tuned);
    c.dot(x, y, 5.5, TUNED, 1.0);
    let (x, y) = p.place(pair.from.0, pair.from.1);
    c.ring(x, y, 4.5, INK);
    legend(c);
}

/// The part of a range around an outline, `ZOOM` times as wide.
fn axis(g: &GeneSummary, outline: &[f64]) -> Axis {
    let whole = Axis { low: g.low, high: g.high, scale: if g.log { Scale::Log } else { Scale::Linear } };
    let places = || outline.iter().map(|v| whole.at(*v));
    let (low, high) = (places().fold(1.0, f64::min), places().fold(0.0, f64::max));
    let (middle, half) = (f64::midpoint(low, high), ZOOM * (high - low).max(0.01) / 2.0);
    let value = |share: f64| match whole.scale {
        Scale::Log => g.low * libm::pow(g.high / g.low, share),
        _ => g.low + share * (g.high - g.low),
    };
    Axis { low: value((middle - half).max(0.0)), high: value((middle + half).min(1.0)), ..whole }
}

fn inside(p: &Panel, x: f64, y: f64) -> bool {
    (0.0..=1.0).contains(&p.x.at(x)) && (0.0..=1.0).contains(&p.y.at(y))
}

fn legend(c: &mut Canvas<'_>) {
    let y = 62.0;
    let mut x = 10.0;
    let mut entry = |c: &mut Canvas<'_>, text: &str, mark: &dyn Fn(&mut Canvas<'_>, f64)| {
        mark(c, x + 8.0);
        c.text(x + 22.0, y, text, LABEL, INK, Hold::Start);
        x += 34.0 + text_width(text, LABEL);
    };
    entry(c, "within the noise", &|c, x| c.rect(x - 8.0, y - 5.0, x + 8.0, y + 5.0, WANTED, 0.35));
    entry(c, "model's minimum", &|c, x| c.ring(x, y, 4.5, INK));
    entry(c, "tuned", &|c, x| c.dot(x, y, 5.0, TUNED, 1.0));
    entry(c, "defaults", &|c, x| c.cross(x, y, 5.0, DEFAULT));
    entry(c, "best trials", &|c, x| c.dot(x, y, 3.2, ramp(0.0), 0.9));
    entry(c, "middling", &|c, x| c.dot(x, y, 3.2, ramp(1.0), 0.9));
    entry(c, "worse half", &|c, x| c.dot(x, y, 2.2, POINT, 0.6));
}
