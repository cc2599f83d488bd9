//! How many people are out over time.

use super::plot::Plot;
use crate::evolve::summary::ShownSeed;
use crate::replay::{Crowd, Leaving, RECORDED, ReplayFile};
use crate::report::chart::style::{DEFAULT, INK, RGBColor, SOFT, TUNED, series};
use crate::report::chart::{Axis, Fill, Graph, Key, Legend, Sheet, Stroke, steps};
use crate::report::run::Run;

/// A plot of the replay that has the runs of all fresh seeds, else of the first one in which somebody leaves.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let first = |has: fn(&Crowd) -> bool| run.replays.iter().find(|r| r.crowds.iter().any(has));
    let file = first(|c| c.seeds.is_some()).or_else(|| first(|c| !c.left_s.is_empty()));
    let shown = run.summary.shown.map_or_else(|| "one recorded run".to_string(), ShownSeed::words);
    let bands = "; bands hold the runs on all fresh seeds, from the first one to reach a number to the last";
    let plot = |file: &ReplayFile| Plot {
        name: "exits".into(),
        caption: format!(
            "Number of people who have left over time. Lines are {shown}{}.",
            if file.crowds.iter().any(|c| c.seeds.is_some()) { bands } else { "" }
        ),
        svg: draw(file),
    };
    file.map(plot).into_iter().collect()
}

/// Defaults and tuned keep their colors, beside a recording too; other crowds take the next of the series.
fn color(file: &ReplayFile, at: usize) -> RGBColor {
    let recorded = |crowd: &Crowd| crowd.label == RECORDED;
    match file.crowds.iter().filter(|crowd| !recorded(crowd)).count() {
        _ if recorded(&file.crowds[at]) => INK,
        1 => TUNED,
        2 => [DEFAULT, TUNED][at],
        _ => series(at),
    }
}

/// Between the run that had let most people out at a time and the one that had let out fewest: (time, fewest, most), two rows where
/// a number changes.
fn band(seeds: &Leaving, end_s: f64) -> Vec<(f64, f64, f64)> {
    let mut times: Vec<f64> = seeds.first_s.iter().chain(&seeds.last_s).copied().collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let out = |of: &[f64], t: f64| of.partition_point(|at| *at <= t) as f64;
    let (mut rows, mut now) = (vec![(0.0, 0.0, 0.0)], (0.0, 0.0));
    for t in times {
        rows.push((t, now.0, now.1));
        now = (out(&seeds.last_s, t), out(&seeds.first_s, t));
        rows.push((t, now.0, now.1));
    }
    rows.push((end_s, now.0, now.1));
    rows
}

/// N(t) of every crowd of a replay.
fn draw(file: &ReplayFile) -> String {
    let stroke = |at: usize| Stroke::new(color(file, at), 2.2);
    let fill = |at: usize| Fill::new(color(file, at)).alpha(0.18);
    let total = file.crowds.iter().map(Crowd::count).max().unwrap_or(0) as f64;
    let last = |c: &Crowd| c.seeds.iter().flat_map(|s| s.first_s.iter().chain(&s.last_s)).copied().fold(0.0, f64::max);
    let end = file.crowds.iter().flat_map(|c| [c.end_s(), last(c)]).fold(0.0, f64::max);
    let legend = file.crowds.iter().enumerate().fold(Legend::new(), |legend, (i, c)| {
        let text = format!("{}: {} of {} out", c.label, c.left_s.len(), c.count());
        match &c.seeds {
            Some(seeds) => legend.with(Key::Band(fill(i), stroke(i)), format!("{text}, {} seeds", seeds.runs)),
            None => legend.with(Key::Line(stroke(i)), text),
        }
    });
    let x = Axis::linear(0.0, if end > 0.0 { end } else { 1.0 });
    let y = Axis::linear(0.0, (1.08 * total).max(1.0));
    let sheet = Sheet::new("People out over time").below(&file.title).legend(legend);
    Graph::new(sheet, (x, "time (s)"), (y, "people out")).draw(|c, p| {
        p.level(c, total, Stroke::dashed(SOFT, 1.0));
        for (i, crowd) in file.crowds.iter().enumerate() {
            crowd.seeds.iter().for_each(|seeds| p.band(c, &band(seeds, end), fill(i)));
        }
        for (i, crowd) in file.crowds.iter().enumerate() {
            let left = crowd.left_s.iter().enumerate().map(|(n, t)| (*t, n as f64 + 1.0));
            let all = [(0.0, 0.0)].into_iter().chain(left).chain([(crowd.end_s(), crowd.left_s.len() as f64)]);
            c.line(&steps(all.map(|(t, n)| p.at(t, n))), stroke(i));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_holds_every_run_and_stays_open_where_somebody_stays() {
        let runs = [vec![1.0, 2.0, 3.0], vec![2.0, 2.5]];
        let rows = band(&Leaving::of(&runs), 4.0);
        let at = |t: f64| rows.iter().rev().find(|r| r.0 <= t).map(|r| (r.1, r.2)).unwrap();
        assert_eq!([0.5, 1.5, 2.2, 2.7, 3.5].map(at), [(0.0, 0.0), (0.0, 1.0), (1.0, 2.0), (2.0, 2.0), (2.0, 3.0)]);
        assert_eq!(rows.last(), Some(&(4.0, 2.0, 3.0)));
    }
}
