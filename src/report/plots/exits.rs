//! How many people are out over time.

use super::plot::Plot;
use crate::report::chart::style::{DEFAULT, RGBColor, SOFT, TUNED, series};
use crate::report::chart::{Axis, Graph, Key, Legend, Sheet, Stroke, steps};
use crate::report::replay_file::ReplayFile;
use crate::report::run::Run;

/// A plot of the first replay in which somebody leaves.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let file = run.replays.iter().find(|r| r.crowds.iter().any(|c| !c.left_s.is_empty()));
    let plot = |file| Plot {
        name: "exits".into(),
        caption: "Number of people who have left over time, in one recorded run; all curves use the same seed.".into(),
        svg: draw(file),
    };
    file.map(plot).into_iter().collect()
}

/// Defaults and tuned keep their colors, other crowds take the next of the series.
fn color(file: &ReplayFile, at: usize) -> RGBColor {
    match file.crowds.len() {
        1 => TUNED,
        2 => [DEFAULT, TUNED][at],
        _ => series(at),
    }
}

/// N(t) of every crowd of a replay.
fn draw(file: &ReplayFile) -> String {
    let stroke = |at: usize| Stroke::new(color(file, at), 2.2);
    let total = file.crowds.iter().map(|c| c.people.len()).max().unwrap_or(0) as f64;
    let end =
        file.crowds.iter().flat_map(|c| [c.end_s()].into_iter().chain(c.left_s.last().copied())).fold(0.0, f64::max);
    let legend = file.crowds.iter().enumerate().fold(Legend::new(), |legend, (i, c)| {
        let text = format!("{}: {} of {} out", c.label, c.left_s.len(), c.people.len());
        legend.with(Key::Line(stroke(i)), text)
    });
    let x = Axis::linear(0.0, if end > 0.0 { end } else { 1.0 });
    let y = Axis::linear(0.0, (1.08 * total).max(1.0));
    let sheet = Sheet::new("People out over time").below(&file.title).legend(legend);
    Graph::new(sheet, (x, "time (s)"), (y, "people out")).draw(|c, p| {
        p.level(c, total, Stroke::dashed(SOFT, 1.0));
        for (i, crowd) in file.crowds.iter().enumerate() {
            let left = crowd.left_s.iter().enumerate().map(|(n, t)| (*t, n as f64 + 1.0));
            let all = [(0.0, 0.0)].into_iter().chain(left).chain([(crowd.end_s(), crowd.left_s.len() as f64)]);
            c.line(&steps(all.map(|(t, n)| p.at(t, n))), stroke(i));
        }
    })
}
