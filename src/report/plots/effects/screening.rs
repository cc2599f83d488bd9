//! The mu*-sigma diagram of a Morris screening.

use crate::evolve::sensitivity::{MorrisEffect, Sensitivity};
use crate::evolve::summary::Figure;
use crate::format;
use crate::report::chart::style::{INK, SOFT, TUNED};
use crate::report::chart::{Anchor, Axis, Canvas, Font, Graph, Labels, Panel, Rect, Sheet, Stroke, Symbol};

/// Room to the right of the panel for what the lines mean, px.
const RIGHT: f64 = 150.0;
const INTERVAL: Stroke = Stroke::new(TUNED, 1.2).alpha(0.5);

/// Ratios sigma / mu* that tell shapes apart: Garcia Sanchez et al., Energy Build. 68, 741 (2014).
const RATIOS: [(f64, &str); 3] =
    [(0.1, "below: almost linear"), (0.5, "below: in one direction"), (1.0, "above: curved, or with others")];

/// A parameter with mu* and sigma.
type Known<'a> = (&'a MorrisEffect, f64, f64);

pub(super) fn draw(s: &Sensitivity, name: &str, all: &[MorrisEffect]) -> String {
    let known: Vec<Known<'_>> = all.iter().filter_map(|e| Some((e, e.mu_star.value?, e.sigma.value?))).collect();
    let axis = |of: fn(&MorrisEffect) -> Figure| {
        let ends = known.iter().flat_map(|(e, ..)| [of(e).value, of(e).high]).flatten();
        let most = ends.fold(0.0, f64::max);
        Axis::linear(0.0, if most > 0.0 { 1.08 * most } else { 1.0 })
    };
    let sheet = Sheet::new(format!("What moves {name}")).below(format::count(s.design.samples.into(), "trajectory"));
    let x = (axis(|e| e.mu_star), "mu*: mean size of the effect over the whole range");
    let graph = Graph::new(sheet, x, (axis(|e| e.sigma), "sigma: spread of the effects"));
    Graph { right: RIGHT, height: 328.0, ..graph }.draw(|c, p| {
        for (ratio, text) in RATIOS {
            // The line ends at the right or at the upper edge, whichever comes first.
            let at = (p.y.high / ratio).min(p.x.high);
            let end = p.at(at, at * ratio);
            c.line(&[p.at(0.0, 0.0), end], Stroke::dashed(SOFT, 0.8));
            let right = at * ratio < p.y.high;
            let place = if right { (end.0 + 6.0, end.1) } else { (end.0 + 4.0, p.top - 8.0) };
            c.text(place, text, Font::SMALL, SOFT, Anchor::Start);
        }
        for (e, size, sigma) in &known {
            if let (Some(low), Some(high)) = (e.mu_star.low, e.mu_star.high) {
                c.line(&[p.at(low, *sigma), p.at(high, *sigma)], INTERVAL);
            }
            if let (Some(low), Some(high)) = (e.sigma.low, e.sigma.high) {
                c.line(&[p.at(*size, low), p.at(*size, high)], INTERVAL);
            }
            c.mark(p.at(*size, *sigma), Symbol::dot(TUNED, 5.0));
        }
        names(c, p, &known);
    })
}

/// Names beside the dots, the largest effects first, each where no other one stands.
fn names(c: &mut Canvas<'_>, p: &Panel, known: &[Known<'_>]) {
    let room = Rect { left: p.left, top: p.top, right: p.right + RIGHT - 10.0, bottom: p.bottom };
    let mut labels = Labels::new(room, known.iter().map(|(_, x, y)| p.at(*x, *y)), 6.0);
    let mut order: Vec<_> = known.iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (e, size, sigma) in order {
        let (x, y) = p.at(*size, *sigma);
        let text = format::parameter(&e.key);
        let width = Font::LABEL.width(&text);
        let places: Vec<Rect> = [-12.0, 12.0, -28.0, 28.0, -44.0, 44.0]
            .iter()
            .flat_map(|dy| [8.0, -8.0 - width].map(|dx| Rect::of_text(x + dx, y + dy, width, Font::LABEL.size)))
            .collect();
        if let Some(at) = labels.must(&places) {
            c.text(at.start(), &text, Font::LABEL, INK, Anchor::Start);
        }
    }
}
