//! Margins on the diagonal, pairs below it.

use crate::evolve::posterior::{Draws, Margin, Posterior};
use crate::format;
use crate::report::chart::style::{DEFAULT, INK, POINT, SOFT, TUNED};
use crate::report::chart::{Anchor, Axis, Canvas, Fill, Font, Key, Legend, Panel, Scale, Sheet, Stroke, Symbol};
use crate::report::posterior::value;

pub(super) const CAPTION: &str = "On the diagonal how probable values are after the measurement (blue) and before (gray), with the median; below \
                                  it draws of the posterior in pairs: a narrow slope means that two parameters are known together better than \
                                  alone. The cross is the published default.";

/// Most parameters of a picture: those of which most was learned. Chosen here: a panel is then wide enough for its ticks.
const MOST: usize = 6;
/// Bins of a margin. Chosen here: each holds some ten effective draws.
const BINS: usize = 24;
/// Dots of a pair at most.
const DOTS: usize = 600;
/// Width of a picture of few, px, and of a panel more for each further parameter.
const WIDTH: (f64, f64) = (760.0, 190.0);
/// Between panels, px.
const GAP: f64 = 14.0;
const BEFORE: Stroke = Stroke::new(POINT, 1.6);
const DEFAULTS: Symbol = Symbol::cross(DEFAULT, 5.0);

pub(super) fn draw(p: &Posterior, draws: &Draws) -> String {
    let mut shown: Vec<usize> = (0..p.genes.len()).collect();
    shown.sort_by(|&a, &b| known(&p.genes[a]).total_cmp(&known(&p.genes[b])));
    shown.truncate(MOST);
    shown.sort_unstable();
    let n = shown.len();
    let width = WIDTH.0.max(Panel::LEFT + 24.0 + WIDTH.1 * n as f64);
    let side = (width - Panel::LEFT - 24.0 - GAP * (n as f64 - 1.0)) / n as f64;
    let height = if n == 1 { 260.0 } else { (side * 0.86).min(240.0) };
    let legend = Legend::new()
        .with(Key::Area(Fill::new(TUNED).alpha(0.35)), "after the measurement")
        .with(Key::Line(BEFORE), "before")
        .with(Key::Mark(DEFAULTS), "published default");
    let mut below = format!("{} effective draws", format::number(p.draws.round()));
    if n < p.genes.len() {
        below += &format!("; the {n} of {} parameters of which most was learned", p.genes.len());
    }
    let sheet = Sheet::new("What is known of the parameters").below(below).legend(legend).width(width);
    sheet.draw((height + GAP) * n as f64 + Panel::FOOT, |c, top| {
        for (row, &a) in shown.iter().enumerate() {
            for (column, &b) in shown.iter().enumerate().take(row + 1) {
                let left = Panel::LEFT + (side + GAP) * column as f64;
                let top = top + (height + GAP) * row as f64;
                let panel = Panel {
                    left,
                    top,
                    right: left + side,
                    bottom: top + height,
                    x: axis(&p.genes[b]),
                    y: axis(&p.genes[a]),
                };
                let title = |gene: &Margin, on: bool| if on { short(gene, side) } else { String::new() };
                let last = row + 1 == n;
                if row == column {
                    margin(c, &panel, p, draws, (a, last));
                } else {
                    let (x, y) = (title(&p.genes[b], last), title(&p.genes[a], column == 0));
                    pair(c, &panel, p, draws, ((b, a), (&x, &y), (last, column == 0)));
                }
            }
        }
    })
}

/// The share of the prior that is left; of a choice all.
fn known(m: &Margin) -> f64 {
    m.left().unwrap_or(1.0)
}

fn short(m: &Margin, room: f64) -> String {
    Font::LABEL.cut(&format::parameter(&m.gene.key), room)
}

fn axis(m: &Margin) -> Axis {
    let g = &m.gene;
    if !g.choices.is_empty() {
        return Axis::words(g.choices.len());
    }
    Axis { low: g.low, high: g.high, scale: if g.log { Scale::Log } else { Scale::Linear } }
}

fn ticks(m: &Margin, numbers: Vec<(f64, String)>, on: bool) -> Vec<(f64, String)> {
    match (on, m.gene.choices.is_empty()) {
        (false, _) => Vec::new(),
        (true, true) => numbers,
        (true, false) => {
            m.gene.choices.iter().enumerate().map(|(i, word)| (i as f64, Font::TICK.cut(word, 80.0))).collect()
        }
    }
}

fn margin(c: &mut Canvas<'_>, panel: &Panel, p: &Posterior, draws: &Draws, (gene, last): (usize, bool)) {
    let m = &p.genes[gene];
    let bins = if m.gene.choices.is_empty() { BINS } else { m.gene.choices.len() };
    let mut shares = vec![0.0; bins];
    for (values, weight) in draws.values.iter().zip(&draws.weights) {
        let at = (panel.x.at(values[gene]) * bins as f64) as usize;
        shares[at.min(bins - 1)] += weight;
    }
    let before = prior(m, panel, bins);
    let most = shares.iter().chain(&before).copied().fold(0.0, f64::max).max(1e-12);
    let panel = Panel { y: Axis::linear(0.0, 1.25 * most), ..*panel };
    let name = if last { short(m, panel.width()) } else { String::new() };
    panel.frame_with(c, (&name, &ticks(m, panel.x_ticks(), last)), ("", &Vec::new()));
    let width = panel.width() / bins as f64;
    for (bin, &share) in shares.iter().enumerate() {
        let (left, top) = (panel.left + width * bin as f64, panel.at(panel.x.low, share).1);
        c.rect((left + 0.5, top), (left + width - 0.5, panel.bottom), Fill::new(TUNED).alpha(0.35));
    }
    let steps: Vec<(f64, f64)> = before
        .iter()
        .enumerate()
        .flat_map(|(bin, &share)| {
            let (left, y) = (panel.left + width * bin as f64, panel.at(panel.x.low, share).1);
            [(left, y), (left + width, y)]
        })
        .collect();
    c.line(&steps, BEFORE);
    if m.shares.is_empty() {
        let x = panel.at(m.quantiles[2], 0.0).0;
        c.line(&[(x, panel.top), (x, panel.bottom)], Stroke::new(TUNED, 1.6));
    }
    c.mark(panel.at(m.gene.default, 0.0), DEFAULTS);
    // The name stands below and beside, where there is no room for both.
    let whole = format!("{}: {}", format::parameter(&m.gene.key), value(m));
    let text = if Font::TICK.width(&whole) < panel.width() - 12.0 { whole } else { value(m) };
    c.text(
        (panel.left + 6.0, panel.top + 10.0),
        &Font::TICK.cut(&text, panel.width() - 12.0),
        Font::TICK,
        INK,
        Anchor::Start,
    );
}

/// Shares of the prior by bin, from its quantiles: even between neighbors.
fn prior(m: &Margin, panel: &Panel, bins: usize) -> Vec<f64> {
    let places: Vec<f64> = m.prior_quantiles.iter().map(|&x| panel.x.at(x).clamp(0.0, 1.0)).collect();
    let mut shares = vec![0.0; bins];
    for place in &places {
        shares[((place * bins as f64) as usize).min(bins - 1)] += 1.0 / places.len() as f64;
    }
    shares
}

type Titles<'a> = ((usize, usize), (&'a str, &'a str), (bool, bool));

fn pair(c: &mut Canvas<'_>, panel: &Panel, p: &Posterior, draws: &Draws, ((x, y), titles, on): Titles<'_>) {
    let x_ticks = ticks(&p.genes[x], panel.x_ticks(), on.0);
    let y_ticks = ticks(&p.genes[y], panel.y_ticks(), on.1);
    panel.frame_with(c, (titles.0, &x_ticks), (titles.1, &y_ticks));
    // Dots of one size for all: as many of a draw as its weight is worth.
    let mut sum = 0.0;
    let mut drawn = 0;
    for (values, weight) in draws.values.iter().zip(&draws.weights) {
        sum += weight * DOTS as f64;
        if (sum as usize) > drawn {
            drawn = sum as usize;
            c.mark(panel.at(values[x], values[y]), Symbol::dot(TUNED, 2.0).alpha(0.35));
        }
    }
    c.mark(panel.at(p.genes[x].gene.default, p.genes[y].gene.default), DEFAULTS);
    let r = p.correlations[x][y];
    if r.abs() >= 0.3 {
        let text = format!("r {}", format::fixed(r, 2));
        c.text((panel.right - 6.0, panel.top + 10.0), &text, Font::TICK, SOFT, Anchor::End);
    }
}
