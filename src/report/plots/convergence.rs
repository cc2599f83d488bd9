//! Where the search looked in each parameter, and what the best candidate had.

use super::Plot;
use super::axis::{Axis, Panel, Scale};
use super::canvas::{Canvas, Hold, cut, svg, text_width};
use super::style::{DEFAULT, INK, LABEL, POINT, SOFT, TICK, TUNED};
use crate::evolve::summary::GeneSummary;
use crate::report::format;
use crate::report::run::Run;
use crate::report::verdict::gene_value;

const CELL: (f64, f64) = (380.0, 230.0);
const HEAD: f64 = 56.0;

/// One plot with a panel per parameter; none without parameters or evaluations.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let genes = &run.summary.genes;
    if genes.is_empty() || run.search().next().is_none() {
        return Vec::new();
    }
    let columns = genes.len().min(2);
    let rows = genes.len().div_ceil(columns);
    let size = (CELL.0 * columns.max(2) as f64, HEAD + CELL.1 * rows as f64);
    // With several objectives there is no single best.
    let one = run.summary.front.is_none();
    let best = if one { run.best_so_far(0) } else { vec![None; run.search().count()] };
    let picture = svg(size.0, size.1, "Parameters over evaluations", |c| {
        c.title("Parameters over evaluations", "");
        legend(c, one, run.search().any(|(t, _)| !t.is_done()));
        let width = size.0 / columns as f64;
        for (i, gene) in genes.iter().enumerate() {
            let corner = ((i % columns) as f64 * width, HEAD + (i / columns) as f64 * CELL.1);
            panel(c, run, &best, i, gene, corner, width);
        }
    });
    let line = if one { "the line is the best candidate so far, " } else { "" };
    let caption =
        format!("Value of each searched parameter in every candidate; {line}the dashes are the published default.");
    vec![Plot { name: "convergence".into(), caption, svg: picture }]
}

fn legend(c: &mut Canvas<'_>, one: bool, failed: bool) {
    let y = 42.0;
    if one {
        c.line(&[(16.0, y), (36.0, y)], TUNED, 2.2, 1.0);
        c.text(42.0, y, "best so far", LABEL, INK, Hold::Start);
    }
    c.dot(136.0, y, 2.4, POINT, 0.7);
    c.text(146.0, y, "candidate", LABEL, INK, Hold::Start);
    c.dashes((230.0, y), (250.0, y), DEFAULT, 1.8);
    c.text(256.0, y, "published default", LABEL, INK, Hold::Start);
    if failed {
        c.cross(390.0, y, 2.2, SOFT);
        c.text(400.0, y, "failed", LABEL, INK, Hold::Start);
    }
}

fn panel(
    c: &mut Canvas<'_>,
    run: &Run<'_>,
    best: &[Option<usize>],
    at: usize,
    gene: &GeneSummary,
    corner: (f64, f64),
    width: f64,
) {
    let scale = if gene.log && gene.low > 0.0 { Scale::Log } else { Scale::Linear };
    let mut y = Axis { low: gene.low, high: gene.high, scale };
    if !gene.choices.is_empty() || y.low == y.high {
        (y.low, y.high) = (gene.low - 0.5, gene.high + 0.5);
    }
    let x = Axis { low: 0.0, high: best.len() as f64 + 1.0, scale: Scale::Linear };
    let (left, top) = corner;
    let p = Panel { left: left + 76.0, top: top + 30.0, right: left + width - 20.0, bottom: top + CELL.1 - 48.0, x, y };
    let words = gene.choices.iter().enumerate().map(|(i, w)| (i as f64, cut(w, TICK, 64.0)));
    let y_ticks = if gene.choices.is_empty() { p.y_ticks() } else { words.collect() };
    p.frame_with(c, "evaluation", "", &p.x.ticks(5), &y_ticks);
    let symbol = if gene.symbol.is_empty() { String::new() } else { format!("{}: ", gene.symbol) };
    let end = format!("tuned {}", gene_value(gene, gene.tuned));
    let room = p.right - p.left - text_width(&end, TICK) - 8.0;
    let name =
        cut(&format!("{symbol}{}", format::name_in_words(format::key(&gene.key), &gene.unit)), LABEL * 1.06, room);
    c.bold(p.left, top + 16.0, &name, LABEL, INK, Hold::Start);
    c.text(p.right, top + 16.0, &end, TICK, TUNED, Hold::End);

    let value = |row: &[f64]| row.get(at).copied().unwrap_or(f64::NAN);
    let rows: Vec<(bool, f64)> = run.search().map(|(t, row)| (t.is_done(), value(row))).collect();
    for (i, &(done, v)) in rows.iter().enumerate().filter(|(_, r)| r.1.is_finite()) {
        let (x, y) = p.place(i as f64 + 1.0, v);
        if done { c.dot(x, y, 2.2, POINT, 0.65) } else { c.cross(x, y, 2.2, SOFT) }
    }
    let y = p.place(0.0, gene.default).1;
    c.dashes((p.left, y), (p.right, y), DEFAULT, 1.8);
    let mut steps: Vec<(f64, f64)> = Vec::new();
    for (i, b) in best.iter().enumerate() {
        let Some(v) = b.map(|b| rows[b].1).filter(|v| v.is_finite()) else { continue };
        let now = p.place(i as f64 + 1.0, v);
        if let Some(last) = steps.last().copied() {
            steps.push((now.0, last.1));
        }
        steps.push(now);
    }
    c.line(&steps, TUNED, 2.2, 1.0);
}
