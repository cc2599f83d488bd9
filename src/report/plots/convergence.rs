//! Where the search looked in each parameter, and what the best candidate had.

use super::plot::Plot;
use crate::evolve::summary::GeneSummary;
use crate::evolve::verdict::gene_value;
use crate::format;
use crate::report::chart::style::{DEFAULT, INK, POINT, SOFT, TUNED};
use crate::report::chart::{
    Anchor, Axis, Canvas, Font, Key, Legend, Panel, Point, Scale, Sheet, Stroke, Symbol, WIDTH, steps,
};
use crate::report::run::Run;

/// Height of the panel of a parameter with its title and axis, px.
const CELL: f64 = 230.0;
const BEST: Stroke = Stroke::new(TUNED, 2.2);
const DEFAULTS: Stroke = Stroke::dashed(DEFAULT, 1.8);
const CANDIDATE: Symbol = Symbol::dot(POINT, 2.2).alpha(0.65);
const FAILED: Symbol = Symbol::cross(SOFT, 2.2);

/// One plot with a panel per parameter; none without parameters or evaluations.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let genes = &run.summary.genes;
    if genes.is_empty() || run.search().next().is_none() {
        return Vec::new();
    }
    let columns = genes.len().min(2);
    // With several objectives there is no single best.
    let one = run.summary.front.is_none();
    let best = if one { run.best_so_far(0) } else { vec![None; run.search().count()] };
    let legend = Legend::new()
        .with_if(one, Key::Line(BEST), "best so far")
        .with(Key::Mark(CANDIDATE), "candidate")
        .with(Key::Line(DEFAULTS), run.summary.defaults_called())
        .with_if(run.search().any(|(t, _)| !t.is_done()), Key::Mark(FAILED), "failed");
    let sheet = Sheet::new("Parameters over evaluations").legend(legend);
    let svg = sheet.draw(CELL * genes.len().div_ceil(columns) as f64, |c, top| {
        let width = WIDTH / columns as f64;
        for (i, gene) in genes.iter().enumerate() {
            let corner = ((i % columns) as f64 * width, top + (i / columns) as f64 * CELL);
            panel(c, run, &best, (i, gene), corner, width);
        }
    });
    let line = if one { "the line is the best candidate so far, " } else { "" };
    let caption = format!(
        "Value of each searched parameter in every candidate; {line}the dashes are the {}.",
        run.summary.defaults_called()
    );
    vec![Plot { name: "convergence".into(), caption, svg }]
}

fn panel(
    c: &mut Canvas<'_>,
    run: &Run<'_>,
    best: &[Option<usize>],
    (at, gene): (usize, &GeneSummary),
    (left, top): Point,
    width: f64,
) {
    let scale = if gene.log && gene.low > 0.0 { Scale::Log } else { Scale::Linear };
    let y = match gene.choices.len() {
        0 if gene.low < gene.high => Axis { low: gene.low, high: gene.high, scale },
        0 => Axis::around([gene.low], Scale::Linear),
        n => Axis::words(n),
    };
    let x = Axis::linear(0.0, best.len() as f64 + 1.0);
    let (right, bottom) = (left + width - 20.0, top + CELL - Panel::FOOT);
    let p = Panel { left: left + 76.0, top: top + 22.0, right, bottom, x, y };
    let words = || gene.choices.iter().enumerate().map(|(i, w)| (i as f64, Font::TICK.cut(w, 64.0))).collect();
    let y_ticks = if gene.choices.is_empty() { p.y_ticks() } else { words() };
    p.frame_with(c, ("evaluation", &p.x_ticks()), ("", &y_ticks));
    let symbol = if gene.symbol.is_empty() { String::new() } else { format!("{}: ", gene.symbol) };
    let name = format!("{symbol}{}", format::name_in_words(format::key(&gene.key), &gene.unit));
    let end = format!("tuned {}", gene_value(gene, gene.tuned));
    let room = p.width() - Font::TICK.width(&end) - 8.0;
    c.text((p.left, top + 8.0), &Font::HEADING.cut(&name, room), Font::HEADING, INK, Anchor::Start);
    c.text((p.right, top + 8.0), &end, Font::TICK, TUNED, Anchor::End);

    let value = |row: &[f64]| row.get(at).copied().unwrap_or(f64::NAN);
    let rows: Vec<(bool, f64)> = run.search().map(|(t, row)| (t.is_done(), value(row))).collect();
    for (i, &(done, v)) in rows.iter().enumerate().filter(|(_, r)| r.1.is_finite()) {
        c.mark(p.at(i as f64 + 1.0, v), if done { CANDIDATE } else { FAILED });
    }
    p.level(c, gene.default, DEFAULTS);
    let values = best.iter().enumerate().filter_map(|(i, b)| Some((i, rows[(*b)?].1)));
    let values = values.filter(|(_, v)| v.is_finite()).map(|(i, v)| p.at(i as f64 + 1.0, v));
    c.line(&steps(values), BEST);
}
