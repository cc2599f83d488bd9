//! Maps of density and speed, on a grid of squares.

use super::averaged::real;
use super::cells::Cells;
use super::convex::Blade;
use super::pace::{HALF_WINDOW_FRAMES, Pace};
use super::region::CUT_OFF_M;
use super::squares::{SQUARE_M, Squares};
use super::{At, MakeMetric, Metric, Place, Plot, Seen, Spec, Table};
use crate::world::geometry::Bounds;
use crate::world::scenario::Scenario;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Param, Settings};
use std::collections::BTreeMap;

/// The densest square of the density map.
pub static DENSITY_PEAK_PER_M2: Entry<MakeMetric> = Entry {
    name: "density_peak_per_m2",
    doc: "Density of the fullest square in a map of Voronoi density averaged over time; the table has the maps of \
          density and speed.",
    source: "grid and Voronoi method of PedPy compute_profiles; the size of the squares is chosen here",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| Box::new(Profile::new(spec, scenario)), "1/m2")
        .less_is_better()
        .at(At::Area),
};

const PARAMS: &[Param] = &[
    CUT_OFF_M,
    HALF_WINDOW_FRAMES,
    SQUARE_M,
    real("from_s", "s", "first time that counts", "chosen here: the whole run", 0.0, (0.0, 1e9)),
    real("to_s", "s", "last time that counts", "chosen here: the whole run", 1e9, (0.0, 1e9)),
];

/// The part of a square in the cell of a person, m2.
#[derive(Clone, Copy, Debug)]
struct Share {
    id: u32,
    square: usize,
    area: f64,
}

struct Profile {
    grid: Option<Squares>,
    cells: Cells,
    scratch: [Blade; 2],
    pace: Pace<Vec<Share>>,
    during: (f64, f64),
    samples: usize,
    /// Sums over samples, by square.
    density: Vec<f64>,
    speed: Vec<Speeds>,
}

/// Sums over samples of the two speeds of a square, m/s.
#[derive(Clone, Copy, Debug, Default)]
struct Speeds {
    /// Of the Voronoi speed times the area of the square, m3/s.
    voronoi: f64,
    /// Of the mean speed of the people whose cells meet the square.
    mean: f64,
}

impl Profile {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let settings = Settings::new(PARAMS, &spec.settings);
        let world = &scenario.world.plan;
        let bounds = match &spec.at {
            Some(Place::Area(area)) => Some(area.bounds()),
            _ => Bounds::of(world.walkable.iter().flat_map(|(shell, _)| shell.points.iter().copied()))
                .or_else(|| world.bounds(&scenario.groups)),
        };
        let grid = bounds.map(|b| Squares::over(b, settings.get("square_m")));
        let squares = grid.map_or(0, |g| g.count());
        Self {
            grid,
            cells: Cells::new(scenario, settings.get("cut_off_m")),
            scratch: Default::default(),
            pace: Pace::new(settings.whole("half_window_frames")),
            during: (settings.get("from_s"), settings.get("to_s")),
            samples: 0,
            density: vec![0.0; squares],
            speed: vec![Speeds::default(); squares],
        }
    }

    /// Sums of the speeds, those of the last samples one-sided.
    fn speeds(&self) -> Vec<Speeds> {
        let mut speed = self.speed.clone();
        for (sample, shares) in self.pace.waiting() {
            add(&mut speed, &self.pace, sample, shares);
        }
        speed
    }
}

fn add<T>(speed: &mut [Speeds], pace: &Pace<T>, sample: usize, shares: &[Share]) {
    let mut people = BTreeMap::<usize, (f64, f64)>::new();
    for share in shares {
        if let Some(v) = pace.velocity(sample, share.id) {
            speed[share.square].voronoi += v.length() * share.area;
            let (sum, count) = people.entry(share.square).or_default();
            *sum += v.length();
            *count += 1.0;
        }
    }
    for (square, (sum, count)) in people {
        speed[square].mean += sum / count;
    }
}

impl Metric for Profile {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Self { grid: Some(grid), cells, scratch, density, .. } = self else { return };
        let mut shares = Vec::new();
        if seen.time_s >= self.during.0 && seen.time_s <= self.during.1 {
            self.samples += 1;
            let mut images = vec![Vec2::ZERO];
            seen.world.plan.periodic.images(|by| images.push(by));
            cells.each(seen.world, seen.positions(), |row, cell| {
                let whole = cell.area();
                for &by in &images {
                    grid.spread(cell, by, scratch, |square, area| {
                        density[square] += area / whole;
                        shares.push(Share { id: seen.ids()[row], square, area });
                    });
                }
            });
        }
        if let Some((sample, shares)) = self.pace.take(seen, shares) {
            add(&mut self.speed, &self.pace, sample, &shares);
        }
    }

    fn value(&self) -> Option<f64> {
        let square = self.grid?.side * self.grid?.side;
        let most = self.density.iter().copied().fold(0.0, f64::max);
        (self.samples > 0).then(|| most / square / self.samples as f64)
    }

    fn table(&self) -> Option<Table> {
        let grid = self.grid?;
        let speeds = self.speeds();
        let samples = self.samples.max(1) as f64;
        let over = grid.side * grid.side * samples;
        let row = |square: usize| {
            let center = grid.center(square);
            let Speeds { voronoi, mean } = speeds[square];
            vec![center.x, center.y, self.density[square] / over, voronoi / over, mean / samples]
        };
        let columns = &["x_m", "y_m", "density_per_m2", "speed_m_per_s", "speed_mean_m_per_s"];
        Some(Table { plot: Plot::Maps, columns, rows: (0..self.density.len()).map(row).collect() })
    }

    fn reset(&mut self) {
        self.pace.reset();
        self.samples = 0;
        self.density.fill(0.0);
        self.speed.fill(Speeds::default());
    }
}

#[cfg(test)]
mod tests {
    use super::super::region::tests::{Strip, strip};
    use super::*;

    #[test]
    fn a_queue_is_a_flat_map() {
        // 2 people a meter in a corridor 0.5 m wide: 4 /m2 in every square of 0.5 m; all walk 0.3 m/s.
        let Strip { film, people } = strip(0.5, 0.5);
        let mut metric = film.make(&DENSITY_PEAK_PER_M2, &[0.0, 1.0, 0.5, 0.0, 1e9]);
        for k in 0..5 {
            film.show(metric.as_mut(), 0.1 * f64::from(k), &people(0.03 * f64::from(k)));
        }
        let table = metric.table().unwrap();
        // The strip's first area is 8 m of the corridor: 16 squares.
        assert_eq!(table.rows.len(), 16);
        assert_eq!((table.rows[0][0], table.rows[0][1]), (-3.75, 0.25));
        for row in &table.rows {
            assert!(
                (row[2] - 4.0).abs() < 1e-9 && (row[3] - 0.3).abs() < 1e-9 && (row[4] - 0.3).abs() < 1e-9,
                "{row:?}"
            );
        }
        assert!((metric.value().unwrap() - 4.0).abs() < 1e-9);
    }
}
