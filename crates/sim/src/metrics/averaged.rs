//! Metrics of a state: one number at each sample, averaged over the samples of the window.

use super::span::Span;
use super::window::pick;
use super::{Metric, Plot, Seen, Spec, Table, Window};
use crate::world::scenario::Scenario;
use crowdtune_core::registry::Param;

/// Chosen here: by the second half of a run a group has reached its state; the time before does not count.
pub(super) const SECOND_HALF: Window = Window::Ranks(0.5, 1.0);

/// Something that can be measured at one moment.
pub(super) trait State: Send {
    /// Value times weight, and weight, at a sample; `None` where nothing can be measured. Most weigh 1.
    fn measure(&mut self, seen: &Seen<'_>) -> Option<(f64, f64)>;
    /// Forgets everybody, keeping its memory.
    fn reset(&mut self) {}
}

/// The weighted mean of a [`State`] over the samples of a window.
struct Averaged<M> {
    what: M,
    span: Span,
    times: Vec<f64>,
    /// As measured; a sample without a value weighs nothing.
    parts: Vec<(f64, f64)>,
}

/// A metric that takes a number of each sample and averages them over its window; samples without a number do not count.
/// [`Metric::samples`] are the numbers of the window, the table has all of them over time.
///
/// ```
/// use crowdtune_core::registry::Entry;
/// use crowdtune_sim::metrics::{MakeMetric, Window, averaged};
///
/// static EASTERNMOST_M: Entry<MakeMetric> = Entry {
///     name: "easternmost_m",
///     doc: "How far east the first person of the crowd is.",
///     source: "chosen here: an example",
///     params: &[],
///     make: MakeMetric::new(
///         &|spec, scenario| averaged(|seen| seen.positions().iter().map(|p| p.x).reduce(f64::max), spec, scenario),
///         "m",
///     )
///     .window(Window::Steady),
/// };
/// ```
pub fn averaged(
    number: impl FnMut(&Seen<'_>) -> Option<f64> + Send + 'static,
    spec: &Spec,
    scenario: &Scenario,
) -> Box<dyn Metric> {
    average(Number(number), spec, scenario)
}

/// A state that a closure measures.
struct Number<F>(F);

impl<F: FnMut(&Seen<'_>) -> Option<f64> + Send> State for Number<F> {
    fn measure(&mut self, seen: &Seen<'_>) -> Option<(f64, f64)> {
        (self.0)(seen).map(|value| (value, 1.0))
    }
}

/// A metric that averages `what` over the window of the spec.
pub(super) fn average<M: State + 'static>(what: M, spec: &Spec, scenario: &Scenario) -> Box<dyn Metric> {
    let samples = (scenario.limit_s / spec.sample_every_s).clamp(0.0, 1e6) as usize + 2;
    let (times, parts) = (Vec::with_capacity(samples), Vec::with_capacity(samples));
    Box::new(Averaged { what, span: Span::new(spec, scenario), times, parts })
}

impl<M> Averaged<M> {
    /// What was measured in the window.
    fn counting(&self) -> &[(f64, f64)] {
        let Some(&end) = self.times.last() else { return &[] };
        &self.parts[pick(self.span.window(), &self.times, 0, end).events]
    }
}

impl<M: State> Metric for Averaged<M> {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.span.observe(seen);
        let part = self.what.measure(seen).filter(|p| p.0.is_finite() && p.1.is_finite());
        self.times.push(seen.time_s);
        self.parts.push(part.unwrap_or((0.0, 0.0)));
    }

    fn value(&self) -> Option<f64> {
        let (sum, weight) = self.counting().iter().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
        (weight > 0.0).then(|| sum / weight)
    }

    fn samples(&self) -> Vec<f64> {
        self.counting().iter().filter(|part| part.1 > 0.0).map(|part| part.0 / part.1).collect()
    }

    fn table(&self) -> Option<Table> {
        let there = self.times.iter().zip(&self.parts).filter(|(_, part)| part.1 > 0.0);
        let rows: Vec<_> = there.map(|(&time, part)| vec![time, part.0 / part.1]).collect();
        (!rows.is_empty()).then_some(Table { plot: Plot::Curves, columns: &["time_s", "value"], rows })
    }

    fn reset(&mut self) {
        self.what.reset();
        self.span.reset();
        self.times.clear();
        self.parts.clear();
    }
}

/// A real setting of a metric.
pub(super) const fn real(
    key: &'static str,
    unit: &'static str,
    doc: &'static str,
    source: &'static str,
    default: f64,
    range: (f64, f64),
) -> Param {
    Param::real(key, unit, default).range(range.0, range.1).search(range.0, range.1).doc(doc).source(source)
}

#[cfg(test)]
mod tests {
    use super::super::testing::Film;
    use super::*;

    /// x of the first person, where there is one.
    struct FirstX;

    impl State for FirstX {
        fn measure(&mut self, seen: &Seen<'_>) -> Option<(f64, f64)> {
            seen.positions().first().map(|p| (2.0 * p.x, 2.0))
        }
    }

    fn seen(window: Window) -> Box<dyn Metric> {
        let film = Film::new(1, 1.0);
        let spec = Spec { at: None, window, sample_every_s: 0.1, group: None, center: None, settings: Vec::new() };
        let mut metric = average(FirstX, &spec, &film.scenario);
        for second in 0..=10 {
            let x = f64::from(second * second);
            let people = [(0, (x, 0.0))];
            let there = usize::from(second != 4);
            film.show(metric.as_mut(), f64::from(second), &people[..there], &[]);
        }
        assert_eq!(metric.table().unwrap().rows.len(), 10);
        metric
    }

    fn mean(window: Window) -> Option<f64> {
        seen(window).value()
    }

    #[test]
    fn single_measurements_are_those_of_the_window() {
        assert_eq!(seen(Window::TimeS(3.5, 6.0)).samples(), [25.0, 36.0]);
    }

    #[test]
    fn a_window_holds_samples_by_time_or_by_rank() {
        // Squares of 0..=10 without that of 4.
        assert_eq!(mean(Window::All), Some((385.0 - 16.0) / 10.0));
        assert_eq!(mean(Window::TimeS(3.5, 6.0)), Some((25.0 + 36.0) / 2.0));
        assert_eq!(mean(Window::TimeS(3.5, 4.5)), None);
        assert_eq!(mean(SECOND_HALF), Some((25.0 + 36.0 + 49.0 + 64.0 + 81.0 + 100.0) / 6.0));
        assert_eq!(mean(Window::Steady), Some((4.0 + 9.0 + 25.0 + 36.0 + 49.0 + 64.0) / 6.0));
    }
}
