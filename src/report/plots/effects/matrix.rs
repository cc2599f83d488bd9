//! Interactions of pairs as a heat map.

use super::label;
use crate::evolve::sensitivity::{PairEffect, Sensitivity, SobolEffect};
use crate::evolve::summary::Figure;
use crate::report::format;
use crate::report::plots::canvas::{Canvas, Hold, cut, svg, text_width, wrap};
use crate::report::plots::style::{INK, LABEL, PAPER, SOFT, TICK, TUNED};

const TOP: f64 = 64.0;

pub(super) fn draw(s: &Sensitivity, name: &str, genes: &[SobolEffect], pairs: &[PairEffect]) -> String {
    let n = genes.len();
    let side = (420.0 / n as f64).clamp(30.0, 74.0);
    let names: Vec<String> = genes.iter().map(|g| cut(&label(&g.key), LABEL, 230.0)).collect();
    let left = 30.0 + names.iter().map(|n| text_width(n, LABEL)).fold(60.0, f64::max);
    let (width, height) = ((left + side * n as f64 + 150.0).max(620.0), TOP + side * n as f64 + 60.0);
    svg(width, height, "Interactions of the parameters", |c| {
        c.title(&format!("What explains {name}: alone and in pairs"), &format!("{} base points", s.design.samples));
        let at = |row: usize, column: usize| (left + side * column as f64, TOP + side * row as f64);
        for (i, gene) in genes.iter().enumerate() {
            let (x, y) = at(i, i);
            c.text(left - 10.0, y + side / 2.0, &names[i], LABEL, INK, Hold::End);
            cell(c, (x, y), side, &gene.first, false);
        }
        let mut pairs = pairs.iter();
        for i in 0..n {
            for j in i + 1..n {
                let Some(pair) = pairs.next() else { break };
                // The lower triangle: the row of the later one, the column of the earlier one.
                cell(c, at(j, i), side, &pair.second, pair.second.low.is_some_and(|low| low > 0.0));
            }
        }
        for (i, name) in names.iter().enumerate() {
            let (x, y) = at(n, i);
            for (k, text) in wrap(name, TICK, side - 4.0, 3).iter().enumerate() {
                c.text(x + side / 2.0, y + 14.0 + 13.0 * k as f64, text, TICK, SOFT, Hold::Middle);
            }
        }
        scale(c, left + side * n as f64 + 40.0);
    })
}

fn cell(c: &mut Canvas<'_>, (x, y): (f64, f64), side: f64, f: &Figure, sure: bool) {
    let share = f.value.unwrap_or(0.0).clamp(0.0, 1.0);
    c.rect(x + 1.0, y + 1.0, x + side - 1.0, y + side - 1.0, SOFT, 0.08);
    c.rect(x + 1.0, y + 1.0, x + side - 1.0, y + side - 1.0, TUNED, depth(share));
    if sure {
        let (a, b) = (1.5, side - 1.5);
        c.line(&[(x + a, y + a), (x + b, y + a), (x + b, y + b), (x + a, y + b), (x + a, y + a)], INK, 1.6, 1.0);
    }
    let text = f.value.map_or_else(|| format::NONE.into(), |v| format::fixed(v, 2));
    c.text(x + side / 2.0, y + side / 2.0, &text, TICK, if depth(share) > 0.6 { PAPER } else { INK }, Hold::Middle);
}

/// Opacity of a share: a square root, so that small shares are seen.
fn depth(share: f64) -> f64 {
    share.sqrt()
}

fn scale(c: &mut Canvas<'_>, x: f64) {
    for k in 0..40 {
        let share = 1.0 - (f64::from(k) + 0.5) / 40.0;
        let y = TOP + 4.0 * f64::from(k);
        c.rect(x, y, x + 14.0, y + 4.3, TUNED, depth(share));
    }
    for (share, text) in [(1.0, "1"), (0.5, "0.5"), (0.0, "0")] {
        c.text(x + 20.0, TOP + 160.0 * (1.0 - share), text, TICK, SOFT, Hold::Start);
    }
}
