//! How many people are out over time.

use super::Plot;
use super::axis::{Axis, Panel, Scale};
use super::canvas::{Hold, cut, svg};
use super::style::{DEFAULT, INK, LABEL, SOFT, TUNED, series};
use crate::report::replay_file::ReplayFile;
use crate::report::run::Run;
use plotters::style::RGBColor;

/// One plot per replay in which somebody leaves.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let some = run.replays.iter().filter(|r| r.crowds.iter().any(|c| !c.left_s.is_empty()));
    some.take(1)
        .map(|file| Plot {
            name: "exits".into(),
            caption: "People out over time in one recorded run, the same seed for both.".into(),
            svg: draw(file),
        })
        .collect()
}

/// The color of a crowd: defaults and tuned keep theirs, others take the next of the series.
pub fn color(file: &ReplayFile, at: usize) -> RGBColor {
    match file.crowds.len() {
        1 => TUNED,
        2 => [DEFAULT, TUNED][at],
        _ => series(at),
    }
}

/// N(t) of every crowd of a replay.
pub fn draw(file: &ReplayFile) -> String {
    let total = file.crowds.iter().map(|c| c.people.len()).max().unwrap_or(0) as f64;
    let ends = file.crowds.iter().map(|c| c.end_s().max(c.left_s.last().copied().unwrap_or(0.0)));
    let end = ends.fold(0.0, f64::max);
    svg(760.0, 360.0, "People out over time", |c| {
        c.title("People out over time", &file.title);
        let x = Axis { low: 0.0, high: if end > 0.0 { end } else { 1.0 }, scale: Scale::Linear };
        let y = Axis { low: 0.0, high: (total * 1.08).max(1.0), scale: Scale::Linear };
        let p = Panel { left: 72.0, top: 78.0, right: 736.0, bottom: 308.0, x, y };
        p.frame(c, "time (s)", "people out");
        let (left, y) = p.place(0.0, total);
        c.dashes((left, y), (p.right, y), SOFT, 1.0);
        let mut x = 72.0;
        for (i, crowd) in file.crowds.iter().enumerate() {
            let mut steps = vec![p.place(0.0, 0.0)];
            for (n, t) in crowd.left_s.iter().enumerate() {
                steps.push(p.place(*t, n as f64));
                steps.push(p.place(*t, n as f64 + 1.0));
            }
            steps.push(p.place(crowd.end_s(), crowd.left_s.len() as f64));
            c.line(&steps, color(file, i), 2.2, 1.0);
            let text = format!("{}: {} of {} out", crowd.label, crowd.left_s.len(), crowd.people.len());
            let text = cut(&text, LABEL, 300.0);
            c.line(&[(x, 60.0), (x + 20.0, 60.0)], color(file, i), 2.2, 1.0);
            c.text(x + 26.0, 60.0, &text, LABEL, INK, Hold::Start);
            x += 50.0 + super::canvas::text_width(&text, LABEL);
        }
    })
}
