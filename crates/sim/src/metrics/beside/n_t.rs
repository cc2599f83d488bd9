//! N(t) of a run beside that of the tracks.

use super::super::crossings::First;
use super::super::{At, MakeMetric, Metric, Need, Plot, Seen, Spec, Table, Window, line};
use super::{SLACK_S, play};
use crate::world::scenario::Scenario;
use crowdtune_core::registry::Entry;

/// Mean distance in time between two curves N(t).
pub static N_T_ERROR_S: Entry<MakeMetric> = Entry {
    name: "n_t_error_s",
    doc: "How far N(t) at a line is from that of the scenario's `tracks`: the area between the two curves per recorded \
          crossing, which is the mean difference of the times at which the k-th person crosses.",
    source: "N(t) as in JPSreport and PedPy; the area between two such curves over their height is their first \
             Wasserstein distance; used here",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(NTError::new(spec, scenario)), "s")
        .less_is_better()
        .at(At::Line)
        .window(Window::All)
        .of_group()
        .needs(&[Need::Tracks]),
};

struct NTError {
    first: First,
    /// Times of the recorded crossings, rising.
    recorded: Vec<f64>,
    during: (f64, f64),
    /// When the recording ends: who crosses later was not seen, who is missing then is late.
    last_s: f64,
    limit_s: f64,
    /// Time of each sample, and how many have passed by then.
    curve: Vec<(f64, usize)>,
}

impl NTError {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let first = || First::over(line::asked(spec, scenario), spec.group, scenario);
        let mut seen = first();
        play(spec, scenario, |sample| seen.observe(sample));
        Self {
            first: first(),
            recorded: seen.times().to_vec(),
            during: spec.window.seconds(),
            last_s: scenario.tracks.as_ref().map_or(0.0, |tracks| tracks.last_s()),
            limit_s: scenario.limit_s,
            curve: Vec::new(),
        }
    }

    /// Area between the curves from `from` to `to`, people times s; with `late`, only where the run is behind.
    fn area(&self, (from, to): (f64, f64), late: bool) -> f64 {
        let mut times: Vec<f64> = self.first.times().iter().chain(&self.recorded).copied().collect();
        times.extend([from, to]);
        times.retain(|time| (from..=to).contains(time));
        times.sort_by(f64::total_cmp);
        let by = |times: &[f64], time: f64| times.partition_point(|&t| t <= time) as f64;
        let spans = times.windows(2);
        spans
            .map(|span| {
                let behind = by(&self.recorded, span[0]) - by(self.first.times(), span[0]);
                (span[1] - span[0]) * if late { behind.max(0.0) } else { behind.abs() }
            })
            .sum()
    }
}

impl Metric for NTError {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.first.observe(seen);
        self.curve.push((seen.time_s, self.first.times().len()));
    }

    fn value(&self) -> Option<f64> {
        let (from, to) = (self.during.0, self.during.1.min(self.limit_s));
        let crossings = self.recorded.iter().filter(|time| **time >= from - SLACK_S && **time <= to + SLACK_S).count();
        if crossings == 0 || self.curve.is_empty() {
            return None;
        }
        let seen_until = to.min(self.last_s).max(from);
        Some((self.area((from, seen_until), false) + self.area((seen_until, to), true)) / crossings as f64)
    }

    fn table(&self) -> Option<Table> {
        let recorded = |time: f64| match time <= self.last_s + SLACK_S {
            true => self.recorded.partition_point(|&t| t <= time + SLACK_S) as f64,
            false => f64::NAN,
        };
        let within = |time: f64| time >= self.during.0 - SLACK_S && time <= self.during.1 + SLACK_S;
        let samples = self.curve.iter().filter(|(time, _)| within(*time));
        let rows = samples.map(|&(time, n)| vec![time, n as f64, recorded(time)]).collect();
        Some(Table { plot: Plot::Curves, columns: &["time_s", "people", "recorded_people"], rows })
    }

    fn reset(&mut self) {
        self.first.reset();
        self.curve.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Crossing, crossing, tracks};
    use super::*;
    use crate::metrics::testing::{Film, make_with};
    use crowdtune_core::math::vec2;

    #[test]
    fn the_area_is_the_mean_difference_of_the_times() {
        // Recorded crossings are seen at 1, 2 and 3 s. The run has them at 2, 2 and 7 s, and the limit is 10 s.
        let Crossing { film, mut metric } = crossing(&N_T_ERROR_S, &[1.0, 2.0, 3.0], Window::All);
        let run = |metric: &mut dyn Metric, at: &[f64]| (0..=10).for_each(|k| film(metric, f64::from(k), at));
        run(metric.as_mut(), &[2.0, 2.0, 7.0]);
        // 1, 0 and 4 s over three crossings.
        assert!((metric.value().unwrap() - 5.0 / 3.0).abs() < 1e-12, "{:?}", metric.value());
        let table = metric.table().unwrap();
        assert_eq!((&table.rows[2], table.rows[10][1]), (&vec![2.0, 2.0, 2.0], 3.0));
        assert!(table.rows[10][2].is_nan(), "nobody was recorded then");
        // Who never crosses is late until the limit: 0, 0 and 7 s.
        metric.reset();
        run(metric.as_mut(), &[1.0, 2.0, 99.0]);
        assert!((metric.value().unwrap() - 7.0 / 3.0).abs() < 1e-12);
        // Equal curves, whoever crosses first.
        metric.reset();
        run(metric.as_mut(), &[3.0, 1.0, 2.0]);
        assert_eq!(metric.value(), Some(0.0));
    }

    #[test]
    fn the_last_step_counts_of_who_goes_between_two_samples() {
        // Over the line in the last frame, at 2.4 s; samples are a second apart.
        let mut film = Film::new(1, 10.0);
        let rows = (0..=6).map(|frame| (frame, vec2(if frame == 6 { 1.0 } else { -1.0 }, 1.0))).collect();
        film.scenario.tracks = tracks(0.4, vec![rows]);
        let mut metric = make_with(&N_T_ERROR_S, &film, |spec| spec.sample_every_s = 1.0);
        (0..=10).for_each(|k| {
            film.show(metric.as_mut(), f64::from(k), &[(0, (if k >= 3 { 1.0 } else { -1.0 }, 1.0))], &[]);
        });
        assert_eq!(metric.value(), Some(0.0));
    }

    #[test]
    fn a_window_holds_its_part_of_the_area() {
        let Crossing { film, mut metric } = crossing(&N_T_ERROR_S, &[1.0, 2.0, 3.0], Window::TimeS(1.5, 4.0));
        (0..=10).for_each(|k| film(metric.as_mut(), f64::from(k), &[2.0, 2.0, 7.0]));
        // Behind by one person from 1.5 to 2 s and from 3 to 4 s, over the two crossings at 2 and 3 s.
        assert!((metric.value().unwrap() - 0.75).abs() < 1e-12, "{:?}", metric.value());
        let Crossing { film, mut metric } = crossing(&N_T_ERROR_S, &[1.0], Window::TimeS(1.5, 4.0));
        (0..=10).for_each(|k| film(metric.as_mut(), f64::from(k), &[2.0]));
        assert_eq!(metric.value(), None, "nobody crosses in it");
    }
}
