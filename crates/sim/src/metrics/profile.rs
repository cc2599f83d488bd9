//! Maps of density and speed, on a grid of squares.

use super::averaged::real;
use super::cells::Cells;
use super::convex::Blade;
use super::ground::Piece;
use super::pace::{HALF_WINDOW_FRAMES, Pace};
use super::region::CUT_OFF_M;
use super::{At, MakeMetric, Metric, Place, Plot, Seen, Spec, Table};
use crate::world::geometry::Bounds;
use crate::world::scenario::Scenario;
use crowdtune_core::math::{Vec2, vec2};
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
    real(
        "square_m",
        "m",
        "side of a square of the map",
        "chosen here: about the space of one person",
        0.5,
        (0.05, 100.0),
    ),
    real("from_s", "s", "first time that counts", "chosen here: the whole run", 0.0, (0.0, 1e9)),
    real("to_s", "s", "last time that counts", "chosen here: the whole run", 1e9, (0.0, 1e9)),
];

/// Most squares of a map. Chosen here: a kilometer square at 1 m.
const MOST_SQUARES: f64 = 1e6;

/// Smallest overlap of cell and square that counts, m2. Chosen here: a cell that ends on the edge of a square is outside
/// whatever the rounding, and a corner that reaches in by a micrometer is inside.
const LEAST_SHARE_M2: f64 = 1e-14;

/// Squares from the left and, as PedPy has it, from the top.
#[derive(Clone, Copy, Debug)]
struct Grid {
    left: f64,
    top: f64,
    side: f64,
    columns: usize,
    rows: usize,
}

impl Grid {
    /// Covers a box; the squares of the last column and row may reach beyond it. Squares grow where there would be too
    /// many.
    fn over(Bounds { min, max }: Bounds, side: f64) -> Self {
        let size = max - min;
        let side = side.max((size.x * size.y / MOST_SQUARES).sqrt());
        // 1e-9: chosen here, 1.2 m are six squares of 0.2 m whatever the rounding.
        let count = |length: f64| (length / side - 1e-9).ceil().max(1.0) as usize;
        Self { left: min.x, top: max.y, side, columns: count(size.x), rows: count(size.y) }
    }

    /// Calls `each` with the index of every square that a cell meets and the area in common, m2.
    fn spread(&self, cell: &Piece, by: Vec2, scratch: &mut [Blade; 2], mut each: impl FnMut(usize, f64)) {
        let Some(bounds) = cell.bounds() else { return };
        let clamp = |at: f64, count: usize| at.clamp(0.0, count as f64) as usize;
        let column = |x: f64| clamp(((x - self.left) / self.side).floor(), self.columns);
        let row = |y: f64| clamp(((self.top - y) / self.side).floor(), self.rows);
        let (min, max) = (bounds.min + by, bounds.max + by);
        let columns = column(min.x)..(column(max.x) + 1).min(self.columns);
        for row in row(max.y)..(row(min.y) + 1).min(self.rows) {
            let (top, bottom) = (self.top - row as f64 * self.side, self.top - (row + 1) as f64 * self.side);
            for column in columns.clone() {
                let (left, right) =
                    (self.left + column as f64 * self.side, self.left + (column + 1) as f64 * self.side);
                let mut inside = |ring: &[Vec2]| {
                    let blade = &mut scratch[0];
                    blade.set(ring.iter().map(|&q| q + by));
                    blade.cut(vec2(0.0, 1.0), top);
                    blade.cut(vec2(0.0, -1.0), -bottom);
                    blade.cut(vec2(1.0, 0.0), right);
                    blade.cut(vec2(-1.0, 0.0), -left);
                    blade.area()
                };
                let area = inside(&cell.outline) - cell.holes.iter().map(|hole| inside(hole)).sum::<f64>();
                if area > LEAST_SHARE_M2 {
                    each(row * self.columns + column, area);
                }
            }
        }
    }
}

/// The part of a square in the cell of a person, m2.
#[derive(Clone, Copy, Debug)]
struct Share {
    id: u32,
    square: usize,
    area: f64,
}

struct Profile {
    grid: Option<Grid>,
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
        let grid = bounds.map(|b| Grid::over(b, settings.get("square_m")));
        let squares = grid.map_or(0, |g| g.columns * g.rows);
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
            let (column, row) = (square % grid.columns, square / grid.columns);
            let x = grid.left + (column as f64 + 0.5) * grid.side;
            let y = grid.top - (row as f64 + 0.5) * grid.side;
            let Speeds { voronoi, mean } = speeds[square];
            vec![x, y, self.density[square] / over, voronoi / over, mean / samples]
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

    #[test]
    fn squares_start_at_the_top_left_corner() {
        let grid = Grid::over(Bounds { min: vec2(-1.0, 0.0), max: vec2(0.2, 0.9) }, 0.2);
        assert_eq!((grid.columns, grid.rows, grid.left, grid.top), (6, 5, -1.0, 0.9));
        // A cell 0.3 m wide and 0.1 m high in the first row: 0.2 m of it in the first column.
        let outline = [(-1.0, 0.75), (-0.7, 0.75), (-0.7, 0.85), (-1.0, 0.85)].map(|c| vec2(c.0, c.1));
        let cell = Piece { outline: outline.to_vec(), holes: Vec::new(), convex: true };
        let mut found = Vec::new();
        grid.spread(&cell, Vec2::ZERO, &mut Default::default(), |square, area| found.push((square, area)));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].0 == 0 && (found[0].1 - 0.02).abs() < 1e-12);
        assert!(found[1].0 == 1 && (found[1].1 - 0.01).abs() < 1e-12);
    }
}
