//! The mu*-sigma diagram of a Morris screening.

use super::label;
use crate::evolve::sensitivity::{MorrisEffect, Sensitivity};
use crate::report::plots::axis::{Axis, Panel, Scale};
use crate::report::plots::canvas::{Canvas, Hold, svg, text_width};
use crate::report::plots::style::{INK, LABEL, SOFT, TICK, TUNED};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;

/// Ratios sigma / mu* that tell shapes apart: Garcia Sanchez et al., Energy Build. 68, 741 (2014).
const RATIOS: [(f64, &str); 3] =
    [(0.1, "below: almost linear"), (0.5, "below: in one direction"), (1.0, "above: curved, or with others")];

pub(super) fn draw(s: &Sensitivity, name: &str, all: &[MorrisEffect]) -> String {
    let known: Vec<(&MorrisEffect, f64, f64)> =
        all.iter().filter_map(|e| Some((e, e.mu_star.value?, e.sigma.value?))).collect();
    let ends = |f: fn(&MorrisEffect) -> crate::evolve::summary::Figure| {
        known.iter().flat_map(move |(e, ..)| [f(e).value, f(e).high]).flatten().fold(0.0, f64::max)
    };
    let axis = |most: f64| Axis { low: 0.0, high: if most > 0.0 { 1.08 * most } else { 1.0 }, scale: Scale::Linear };
    let (x, y) = (axis(ends(|e| e.mu_star)), axis(ends(|e| e.sigma)));
    svg(WIDTH, HEIGHT, "Elementary effects of the parameters", |c| {
        c.title(&format!("What moves {name}"), &format!("{} trajectories", s.design.samples));
        let p = Panel { left: 84.0, top: 60.0, right: WIDTH - 150.0, bottom: HEIGHT - 52.0, x, y };
        p.frame(c, "mu*: mean size of the effect over the whole range", "sigma: spread of the effects");
        for (ratio, text) in RATIOS {
            // The line ends at the right or at the upper edge, whichever comes first.
            let at = (p.y.high / ratio).min(p.x.high);
            let end = p.place(at, at * ratio);
            c.dashes(p.place(0.0, 0.0), end, SOFT, 0.8);
            let right = at * ratio < p.y.high;
            let (tx, ty) = if right { (end.0 + 6.0, end.1) } else { (end.0 + 4.0, p.top - 8.0) };
            c.text(tx, ty, text, TICK - 1.0, SOFT, Hold::Start);
        }
        for (e, size, sigma) in &known {
            let (px, py) = p.place(*size, *sigma);
            if let (Some(low), Some(high)) = (e.mu_star.low, e.mu_star.high) {
                c.line(&[p.place(low, *sigma), p.place(high, *sigma)], TUNED, 1.2, 0.5);
            }
            if let (Some(low), Some(high)) = (e.sigma.low, e.sigma.high) {
                c.line(&[p.place(*size, low), p.place(*size, high)], TUNED, 1.2, 0.5);
            }
            c.dot(px, py, 5.0, TUNED, 1.0);
        }
        names(c, &p, &known);
    })
}

/// Names beside the dots, the largest effects first, each where no other one stands.
fn names(c: &mut Canvas<'_>, p: &Panel, known: &[(&MorrisEffect, f64, f64)]) {
    let mut taken: Vec<[f64; 4]> = known
        .iter()
        .map(|(_, x, y)| {
            let (x, y) = p.place(*x, *y);
            [x - 6.0, y - 6.0, x + 6.0, y + 6.0]
        })
        .collect();
    let mut order: Vec<_> = known.iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (e, size, sigma) in order {
        let (x, y) = p.place(*size, *sigma);
        let text = label(&e.key);
        let width = text_width(&text, LABEL);
        let places = [-12.0, 12.0, -28.0, 28.0, -44.0, 44.0]
            .iter()
            .flat_map(|dy| [(8.0, *dy), (-8.0 - width, *dy)])
            .map(|(dx, dy)| [x + dx, y + dy - 7.0, x + dx + width, y + dy + 7.0]);
        let free = |r: &[f64; 4]| {
            let inside = r[0] > p.left && r[2] < p.right + 140.0 && r[1] > p.top && r[3] < p.bottom;
            inside && taken.iter().all(|t| r[2] < t[0] || r[0] > t[2] || r[3] < t[1] || r[1] > t[3])
        };
        let all: Vec<[f64; 4]> = places.collect();
        let at = all.iter().copied().find(|r| free(r)).unwrap_or(all[0]);
        c.text(at[0], f64::midpoint(at[1], at[3]), &text, LABEL, INK, Hold::Start);
        taken.push(at);
    }
}
