//! The map of density of a run beside that of the tracks.

use super::super::squares::{SQUARE_M, Squares};
use super::super::{At, MakeMetric, Metric, Need, Place, Plot, Seen, Spec, Table, Window};
use super::{SLACK_S, play};
use crate::world::geometry::Bounds;
use crate::world::scenario::Scenario;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param};

/// Root mean square difference of two density maps.
pub static DENSITY_MAP_ERROR_PER_M2: Entry<MakeMetric> = Entry {
    name: "density_map_error_per_m2",
    doc: "Root mean square difference between the map of density averaged over time and that of the scenario's `tracks`, \
          over all squares in which somebody was.",
    source: "density maps are compared by Wolinski and others, Comput. Graph. Forum 33, 303 (2014); the size of the \
             squares and the mean over those that are entered are chosen here",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| Box::new(DensityMap::new(spec, scenario)), "1/m2")
        .less_is_better()
        .at(At::Area)
        .window(Window::All)
        .of_group()
        .needs(&[Need::Tracks]),
};

const PARAMS: &[Param] = &[SQUARE_M];

/// People in the squares, summed over samples.
#[derive(Debug)]
struct Counts {
    during: (f64, f64),
    group: Option<u16>,
    people: Vec<u64>,
    samples: u64,
}

impl Counts {
    fn observe(&mut self, squares: &Squares, seen: &Seen<'_>) {
        if seen.time_s < self.during.0 - SLACK_S || seen.time_s > self.during.1 + SLACK_S {
            return;
        }
        self.samples += 1;
        for (row, &place) in seen.positions().iter().enumerate() {
            if self.group.is_none_or(|group| seen.groups().get(row) == Some(&group))
                && let Some(square) = squares.at(place)
            {
                self.people[square] += 1;
            }
        }
    }
}

struct DensityMap {
    squares: Option<Squares>,
    run: Counts,
    recorded: Counts,
}

impl DensityMap {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let tracks = scenario.tracks.clone().unwrap_or_default();
        let (side, torus) = (spec.settings[0], &scenario.world.plan.periodic);
        let bounds = match &spec.at {
            Some(Place::Area(area)) => Some(area.bounds()),
            // A square around all places: in the run people are beside them too.
            _ => Bounds::of(tracks.people.iter().flat_map(|track| track.rows.iter().map(|row| torus.wrap(row.1))))
                .map(|all| Bounds { min: all.min - vec2(side, side), max: all.max + vec2(side, side) }),
        };
        let squares = bounds.map(|bounds| Squares::over(bounds, side));
        // Later there is nothing to compare with.
        let (from, to) = spec.window.seconds();
        let none = || Counts {
            during: (from, to.min(tracks.last_s())),
            group: spec.group,
            people: vec![0; squares.map_or(0, |squares| squares.count())],
            samples: 0,
        };
        let mut recorded = none();
        if let Some(squares) = &squares {
            play(spec, scenario, |seen| recorded.observe(squares, seen));
        }
        Self { squares, run: none(), recorded }
    }

    /// Densities in a square, of the run and of the tracks, 1/m2. A run that ends early is empty from then on.
    fn densities(&self, squares: &Squares, square: usize) -> [f64; 2] {
        let samples = self.recorded.samples as f64;
        [&self.run, &self.recorded].map(|of| of.people[square] as f64 / (samples * squares.side * squares.side))
    }
}

impl Metric for DensityMap {
    fn observe(&mut self, seen: &Seen<'_>) {
        if let Some(squares) = &self.squares {
            self.run.observe(squares, seen);
        }
    }

    fn value(&self) -> Option<f64> {
        let squares = self.squares.filter(|_| self.recorded.samples > 0 && self.run.samples > 0)?;
        let (mut sum, mut entered) = (0.0, 0_u64);
        for [run, recorded] in (0..squares.count()).map(|square| self.densities(&squares, square)) {
            if run > 0.0 || recorded > 0.0 {
                sum += (run - recorded) * (run - recorded);
                entered += 1;
            }
        }
        (entered > 0).then(|| (sum / entered as f64).sqrt())
    }

    fn table(&self) -> Option<Table> {
        let squares = self.squares.filter(|_| self.recorded.samples > 0)?;
        let row = |square: usize| {
            let center = squares.center(square);
            let [run, recorded] = self.densities(&squares, square);
            vec![center.x, center.y, run, recorded, run - recorded]
        };
        let columns = &["x_m", "y_m", "density_per_m2", "recorded_density_per_m2", "difference_per_m2"];
        Some(Table { plot: Plot::Maps, columns, rows: (0..squares.count()).map(row).collect() })
    }

    fn reset(&mut self) {
        self.run.samples = 0;
        self.run.people.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::standing;
    use super::*;

    #[test]
    fn squares_that_nobody_enters_do_not_count() {
        // Two people stand in different squares of 1 m for 4 s; in the run one of them stands two squares further on.
        let (film, mut metric) = standing(&DENSITY_MAP_ERROR_PER_M2, &[1.0], &[(0.5, 0.5), (5.5, 3.5)]);
        (0..=4).for_each(|k| film.show(metric.as_mut(), f64::from(k), &[(0, (0.5, 0.5)), (1, (3.5, 3.5))], &[]));
        // One person per m2 is missing in one square and too many in another, and the third is right.
        assert!((metric.value().unwrap() - (2.0_f64 / 3.0).sqrt()).abs() < 1e-12, "{:?}", metric.value());
        let wrong = metric.table().unwrap().rows.iter().filter(|row| row[4] != 0.0).count();
        assert_eq!(wrong, 2);
        // A run that ends after two of five samples has two fifths of the density.
        metric.reset();
        (0..2).for_each(|k| film.show(metric.as_mut(), f64::from(k), &[(0, (0.5, 0.5)), (1, (5.5, 3.5))], &[]));
        assert!((metric.value().unwrap() - 0.6).abs() < 1e-12);
        // Samples after the recording do not count.
        metric.reset();
        (0..9).for_each(|k| film.show(metric.as_mut(), f64::from(k), &[(0, (0.5, 0.5)), (1, (5.5, 3.5))], &[]));
        assert_eq!(metric.value(), Some(0.0));
    }
}
