//! Interactions of pairs as a heat map.

use crate::evolve::sensitivity::{PairEffect, Sensitivity, SobolEffect};
use crate::evolve::summary::Figure;
use crate::format;
use crate::report::chart::style::{INK, PAPER, SOFT, TUNED};
use crate::report::chart::{Anchor, Canvas, Fill, Font, Point, Sheet, Stroke};

/// Side of a cell, px: all cells together take 420 px, between a number in small type and a square that is seen from afar.
const SIDE: (f64, f64, f64) = (420.0, 30.0, 74.0);
/// Longer names are cut, px.
const NAME: f64 = 230.0;
/// Room to the right for the color scale, px.
const RIGHT: f64 = 150.0;
/// Room below for names in three lines, px.
const FOOT: f64 = 60.0;
/// From this opacity on a number is white. Chosen here: the contrast is then better.
const DARK: f64 = 0.6;

pub(super) fn draw(s: &Sensitivity, name: &str, genes: &[SobolEffect], pairs: &[PairEffect]) -> String {
    let n = genes.len();
    let side = (SIDE.0 / n as f64).clamp(SIDE.1, SIDE.2);
    let names: Vec<String> = genes.iter().map(|g| Font::LABEL.cut(&format::parameter(&g.key), NAME)).collect();
    let left = 30.0 + names.iter().map(|n| Font::LABEL.width(n)).fold(60.0, f64::max);
    let sheet = Sheet::new(format!("What explains {name}: alone and in pairs"))
        .below(format::count(s.design.samples.into(), "base point"))
        .width((left + side * n as f64 + RIGHT).max(620.0));
    sheet.draw(side * n as f64 + FOOT, |c, top| {
        let at = |row: usize, column: usize| (left + side * column as f64, top + side * row as f64);
        for (i, gene) in genes.iter().enumerate() {
            let (x, y) = at(i, i);
            c.text((left - 10.0, y + side / 2.0), &names[i], Font::LABEL, INK, Anchor::End);
            cell(c, (x, y), side, &gene.first, false);
        }
        // The lower triangle: the row of the later one, the column of the earlier one.
        let places = (0..n).flat_map(|i| (i + 1..n).map(move |j| (j, i)));
        for ((row, column), pair) in places.zip(pairs) {
            cell(c, at(row, column), side, &pair.second, pair.second.low.is_some_and(|low| low > 0.0));
        }
        for (i, name) in names.iter().enumerate() {
            let (x, y) = at(n, i);
            for (k, text) in Font::TICK.wrap(name, side - 4.0, 3).iter().enumerate() {
                c.text((x + side / 2.0, y + 14.0 + 13.0 * k as f64), text, Font::TICK, SOFT, Anchor::Middle);
            }
        }
        scale(c, (left + side * n as f64 + 40.0, top));
    })
}

fn cell(c: &mut Canvas<'_>, (x, y): Point, side: f64, f: &Figure, sure: bool) {
    let share = f.value.unwrap_or(0.0).clamp(0.0, 1.0);
    let corners = ((x + 1.0, y + 1.0), (x + side - 1.0, y + side - 1.0));
    c.rect(corners.0, corners.1, Fill::new(SOFT).alpha(0.08));
    c.rect(corners.0, corners.1, Fill::new(TUNED).alpha(depth(share)));
    if sure {
        c.frame(corners.0, corners.1, Stroke::new(INK, 1.6));
    }
    let text = f.value.map_or_else(|| format::NONE.into(), |v| format::fixed(v, 2));
    let color = if depth(share) > DARK { PAPER } else { INK };
    c.text((x + side / 2.0, y + side / 2.0), &text, Font::TICK, color, Anchor::Middle);
}

/// Opacity of a share: a square root, so that small shares are seen.
fn depth(share: f64) -> f64 {
    share.sqrt()
}

/// The scale of the colors, 1 above.
fn scale(c: &mut Canvas<'_>, (x, top): Point) {
    const STEP: f64 = 4.0;
    for k in 0..40 {
        let share = 1.0 - (f64::from(k) + 0.5) / 40.0;
        let y = top + STEP * f64::from(k);
        c.rect((x, y), (x + 14.0, y + STEP + 0.3), Fill::new(TUNED).alpha(depth(share)));
    }
    for (share, text) in [(1.0, "1"), (0.5, "0.5"), (0.0, "0")] {
        c.text((x + 20.0, top + 40.0 * STEP * (1.0 - share)), text, Font::TICK, SOFT, Anchor::Start);
    }
}
