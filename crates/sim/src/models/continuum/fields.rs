//! From people to the velocities that the potentials of their classes give them.

use super::classes::Classes;
use super::discomfort::{self, Moving};
use super::ground::Ground;
use super::splat::Splat;
use super::ways::{Lead, Price, UNKNOWN, Ways, is_known, weights};
use crate::crowd::View;
use crate::models::giving::Giving;
use crate::world::scenario::Scenario;
use crowdtune_core::math::eikonal::{EAST, Eikonal, Lengths, NORTH, SOUTH, WEST};
use crowdtune_core::math::{Vec2, lanes, vec2};

/// How fast people can step into a cell.
pub trait SpeedLaw {
    /// Speed into a cell, m/s, positive. The people in the cell have this density (1/m2) and move at `along` m/s in the
    /// direction of the step; `free` is the speed in an empty cell on flat ground, m/s, and `ground` the share of it that the
    /// slope allows.
    fn speed(&self, density: f64, along: f64, free: f64, ground: f64) -> f64;
}

/// What a path costs: alpha per meter, beta per second, gamma per second of discomfort.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// alpha: per meter, 1/m.
    pub length: f64,
    /// beta: per second, 1/s.
    pub time: f64,
    /// gamma: per second and expected person/m2, m2/s.
    pub discomfort: f64,
}

impl Weights {
    /// Cost of a meter at this speed f and discomfort g: (alpha f + beta + gamma g) / f.
    #[inline(always)]
    pub fn per_meter(&self, speed: f64, discomfort: f64) -> f64 {
        (self.length * speed + self.time + self.discomfort * discomfort) / speed
    }
}

/// Resolution and settings of the fields.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Cell size, m.
    pub cell_m: f64,
    /// lambda: exponent of the splat.
    pub exponent: f64,
    /// How far ahead people are predicted, s; 0 for no prediction.
    pub prediction_s: f64,
}

/// Share of the free speed that the slopes allow, by direction and cell; empty on flat ground.
fn slopes(scenario: &Scenario, ground: &Ground) -> [Vec<f64>; 4] {
    let Some(relief) = &scenario.world.plan.relief else { return Default::default() };
    DIRECTION.map(|way| (0..ground.len()).map(|c| relief.share(ground.center(c), way)).collect())
}

/// Interval of the predicted positions, s. Chosen here: one pace of a walker, less than a cell.
const PREDICT_EVERY_S: f64 = 0.5;
/// Directions that cancel to less than this share, squared, leave no direction.
pub(super) const CANCELS2: f64 = 1e-3 * 1e-3;

/// Density, potentials and velocities at one moment. Buffers are reused.
#[derive(Clone, Debug)]
pub struct Fields {
    /// The cells.
    pub ground: Ground,
    /// Density and mean velocity.
    pub splat: Splat,
    /// Velocity that the field gives, by row, m/s: down the potential, at the person's desired speed times the share of
    /// the free speed that is possible there. Zero for people who want to go nowhere.
    pub velocity: Vec<Vec2>,
    layout: Layout,
    classes: Classes,
    giving: Option<Giving>,
    /// Share of the free speed that the slopes allow, by direction and cell; empty on flat ground.
    slopes: [Vec<f64>; 4],
    /// Discomfort that the place has, persons/m2, by cell; empty if it has none.
    drawn: Vec<f64>,
    /// The same with predicted persons/m2.
    discomfort: Vec<f64>,
    /// What groups bring with them.
    moving: Moving,
    /// Speed into each cell by direction, m/s, and cost of a meter, for the current class.
    speed: [Vec<f64>; 4],
    cost: [Vec<f64>; 4],
    front: Eikonal,
    lengths: Lengths,
    seeds: Vec<(usize, f64)>,
    /// Direction of the current class by cell, as a share of the free speed; no numbers where there is none.
    way: Vec<Vec2>,
    times: Vec<f64>,
    /// The rows of each class.
    rows: Vec<Vec<u32>>,
    /// Those of the current class who need a closer look.
    others: Vec<u32>,
}

impl Fields {
    /// The fields of a scenario.
    pub fn new(scenario: &Scenario, layout: Layout) -> Self {
        let ground = Ground::new(scenario, layout.cell_m);
        let slopes = slopes(scenario, &ground);
        let classes = Classes::new(scenario, &ground, &slopes);
        let mut front = Eikonal::default();
        front.resize(ground.columns * classes.turns.0, ground.rows * classes.turns.1);
        let drawn = discomfort::of_place(scenario, &ground);
        Self {
            splat: Splat::default(),
            velocity: Vec::new(),
            slopes,
            discomfort: if drawn.is_empty() { vec![0.0; ground.len()] } else { drawn.clone() },
            drawn,
            moving: Moving::new(scenario, &ground),
            speed: std::array::from_fn(|_| vec![0.0; ground.len()]),
            cost: std::array::from_fn(|_| vec![0.0; ground.len()]),
            lengths: lengths(&ground, &mut front),
            front,
            seeds: Vec::new(),
            way: vec![UNKNOWN; ground.len()],
            times: Vec::new(),
            rows: vec![Vec::new(); classes.all.len()],
            others: Vec::new(),
            ground,
            classes,
            giving: Giving::of(scenario),
            layout,
        }
    }

    /// Computes the density, one potential for each class with walkers, and everybody's velocity, with one law and one set of weights
    /// per group. Returns the number of eikonal equations it has solved: one for each class with walkers.
    pub fn update<L: SpeedLaw>(&mut self, view: &View<'_>, laws: &[L], weights: &[Weights]) -> usize {
        if self.giving.is_none() {
            self.look(view, |_| 1.0);
        }
        self.classes.follow(view, &self.ground);
        self.moving.look(view, &self.ground);
        self.sort(view);
        let mut solved = 0;
        for class in 0..self.classes.all.len() {
            let rows = &self.rows[class];
            let Some(&row) = rows.first() else { continue };
            let speeds = rows.iter().map(|&row| view.crowd.desired_speed[row as usize]);
            let free = speeds.sum::<f64>() / rows.len() as f64;
            if free <= 0.0 {
                for &row in rows {
                    self.velocity[row as usize] = view.preferred_velocity(row as usize);
                }
                continue;
            }
            let group = view.crowd.group[row as usize] as usize;
            // People count by how much this group gives way to them.
            if let Some(giving) = self.giving.take() {
                self.look(view, |row| giving.weight(group as u16, view.crowd.group[row]));
                self.giving = Some(giving);
            }
            if !self.moving.is_empty() {
                self.moving.feel(group as u16, &self.discomfort);
            }
            self.price(&laws[group], &weights[group], free);
            self.solve(class, &weights[group], free);
            solved += 1;
            self.find_ways(class, free, &view.crowd.pos);
            self.lead(view, class, free);
        }
        solved
    }

    /// Finds density, flow and discomfort; `counts` says by row how many persons somebody counts as.
    fn look(&mut self, view: &View<'_>, counts: impl Fn(usize) -> f64) {
        let Self { splat, ground, layout, drawn, discomfort, .. } = self;
        let crowd = view.crowd;
        splat.find(ground, (&crowd.pos, &crowd.vel), layout.exponent, &counts);
        if layout.prediction_s > 0.0 {
            let times = (layout.prediction_s / PREDICT_EVERY_S).ceil().max(1.0);
            let share = 1.0 / (times * ground.area());
            if drawn.is_empty() {
                discomfort.fill(0.0);
            } else {
                discomfort.copy_from_slice(drawn);
            }
            for (row, (&p, &v)) in crowd.pos.iter().zip(&crowd.vel).enumerate() {
                let share = share * counts(row);
                for k in 1..=times as u32 {
                    let then = view.world.step_to(p, v, layout.prediction_s * f64::from(k) / times);
                    let Some((cells, at)) = ground.around(then) else { continue };
                    for (c, s) in cells.into_iter().zip(super::splat::shares(at, layout.exponent)) {
                        discomfort[c] += s * share;
                    }
                }
            }
        }
    }

    /// Sorts the rows of walkers by class. Walkers without a class or beyond the grid keep their preferred velocity.
    fn sort(&mut self, view: &View<'_>) {
        let Self { velocity, classes, rows, .. } = self;
        let crowd = view.crowd;
        velocity.resize(crowd.len(), Vec2::ZERO);
        rows.iter_mut().for_each(Vec::clear);
        let mut end = 0;
        while end < crowd.len() {
            let alike = crowd.alike(&(end..crowd.len()));
            end = alike.end;
            let (group, stage) = (crowd.group[alike.start], crowd.stage[alike.start]);
            let [calm, afraid] = [false, true].map(|afraid| classes.of(group, stage, afraid));
            let steers = view.steers(alike.start);
            for row in alike {
                let class = if view.is_afraid(row) { afraid } else { calm };
                match class.filter(|_| steers && view.desired[row] != Vec2::ZERO) {
                    Some(class) => rows[class].push(row as u32),
                    None => velocity[row] = view.preferred_velocity(row),
                }
            }
        }
    }

    /// Computes speeds into all cells and the cost of a meter.
    fn price<L: SpeedLaw>(&mut self, law: &L, weights: &Weights, free: f64) {
        let (density, flow) = (&self.splat.density[..], &self.splat.flow[..]);
        let moves = !self.moving.is_empty();
        let there = self.layout.prediction_s > 0.0 || !self.drawn.is_empty() || moves;
        let discomforting = there && weights.discomfort > 0.0;
        let discomfort = if moves { &self.moving.felt } else { &self.discomfort };
        let (speed, cost) = (&mut self.speed, &mut self.cost);
        if self.slopes[EAST].is_empty() && !discomforting {
            lanes::run(Price { law, weights, free, density, flow, speed, cost });
            return;
        }
        for (face, (speed, cost)) in speed.iter_mut().zip(cost).enumerate() {
            let along = DIRECTION[face];
            let slopes = &self.slopes[face];
            let cells = speed.iter_mut().zip(cost).zip(density.iter().zip(flow));
            for (c, ((speed, cost), (&density, flow))) in cells.enumerate() {
                let ground = slopes.get(c).copied().unwrap_or(1.0);
                *speed = law.speed(density, flow.dot(along), free, ground);
                *cost = weights.per_meter(*speed, if discomforting { discomfort[c] } else { 0.0 });
                // A fast stream carries nobody beyond what the slope allows; flat ground has one limit for all cells.
                if let Some(&ground) = slopes.get(c) {
                    *speed = speed.min(free * ground);
                }
            }
        }
    }

    fn solve(&mut self, class: usize, weights: &Weights, free: f64) {
        let Self { ground, cost, front, lengths, seeds, classes, .. } = self;
        front.set_costs_per_meter(lengths, ground.columns, cost.each_ref().map(|cost| &cost[..]));
        let per_meter = weights.per_meter(free, 0.0);
        seeds.clear();
        seeds.extend(classes.all[class].seeds.iter().map(|&(c, way)| (c, way * per_meter)));
        front.solve(seeds);
    }

    /// Finds the way down the potential in every cell in or next to which a walker of the class stands.
    fn find_ways(&mut self, class: usize, free: f64, pos: &[Vec2]) {
        let Self { ground, front, speed, cost, way, classes, times, rows, slopes, .. } = self;
        let first = classes.all[class].first;
        let (columns, lines) = (ground.columns, ground.rows);
        let (mut low, mut high) = (vec2(f64::INFINITY, f64::INFINITY), vec2(f64::NEG_INFINITY, f64::NEG_INFINITY));
        for p in rows[class].iter().map(|&row| pos[row as usize]).filter(|&p| ground.cell(p).is_some()) {
            low = vec2(low.x.min(p.x), low.y.min(p.y));
            high = vec2(high.x.max(p.x), high.y.max(p.y));
        }
        let (Some(low), Some(high)) = (ground.cell(low), ground.cell(high)) else { return };
        let [low, high] = [low, high].map(|c| (c % columns, c / columns));
        // The cell centers around a position are at most one cell away; where no way is known, centers up to two cells
        // away are tried. On a periodic axis all are computed.
        let reach = |ring: bool, low: usize, high: usize, count: usize| {
            if ring { 0..count } else { low.saturating_sub(2)..(high + 3).min(count) }
        };
        let across = reach(ground.ring_x, low.0, high.0, columns);
        let up = reach(ground.ring_y, low.1, high.1, lines);
        // Arrival times of the solver's grid, row by row, framed by unreachable cells.
        let width = front.columns() + 2;
        times.resize(width * (front.rows() + 2), f64::INFINITY);
        let from = (up.start + first.1).saturating_sub(1);
        let end = (up.end + first.1 + 1).min(front.rows());
        for j in from..end {
            front.row(j, &mut times[(j + 1) * width + 1..(j + 2) * width - 1]);
        }
        let most = if slopes[EAST].is_empty() { free } else { f64::INFINITY };
        lanes::run(Ways { ground, free, most, first, across, up, times, width, speed, cost, way });
    }

    /// Finds the velocities of the people of the current class.
    fn lead(&mut self, view: &View<'_>, class: usize, free: f64) {
        let (plain, rows) = (&self.classes.all[class].plain[..], &self.rows[class][..]);
        let Self { ground, splat, way, velocity, others, .. } = self;
        others.clear();
        lanes::run(Lead { view, rows, columns: ground.columns, places: &splat.places, plain, way, velocity, others });
        for k in 0..self.others.len() {
            let row = self.others[k] as usize;
            self.velocity[row] = self.lead_one(view, class, row, free);
        }
    }

    /// Velocity of a person of the current class.
    fn lead_one(&self, view: &View<'_>, class: usize, row: usize, free: f64) -> Vec2 {
        let (ground, world) = (&self.ground, view.world);
        let p = view.crowd.pos[row];
        let own = view.flat_speed(row);
        let Some((cells, at)) = ground.around(p) else { return view.preferred_velocity(row) };
        let cell = ground.cell(p).expect("it lies between cells");
        if self.classes.all[class].near[cell] {
            return self.straight(cell, view.desired[row], free) * own;
        }
        let (mut sum, mut size, mut all) = (Vec2::ZERO, 0.0, 0.0);
        for (c, w) in cells.into_iter().zip(weights(at)) {
            let way = self.way[c];
            if w > 0.0 && is_known(way) && ground.sees(world, p, c) {
                sum += way * w;
                size += way.length2() * w;
                all += w;
            }
        }
        if all == 0.0 {
            let way = self.best_near(view, class, p).unwrap_or(view.desired[row]);
            return self.straight(cell, way, free) * own;
        }
        if sum.length2() <= CANCELS2 * size * all {
            // Who runs away and has no better place than this one is cornered.
            if self.classes.all[class].flight.is_some() {
                return Vec2::ZERO;
            }
            // Two directions are equally good: keep the old one.
            let way = view.crowd.vel[row].unit().unwrap_or(view.desired[row]);
            return self.straight(cell, way, free) * own;
        }
        sum * (own / all)
    }

    /// A direction as a share of the free speed from a cell.
    fn straight(&self, c: usize, way: Vec2, free: f64) -> Vec2 {
        let most = if self.slopes[EAST].is_empty() { 1.0 } else { f64::INFINITY };
        let into = |face: usize| self.ground.beside(c, face).map_or(1.0, |n| (self.speed[face][n] / free).min(most));
        vec2(
            way.x * into(if way.x >= 0.0 { EAST } else { WEST }),
            way.y * into(if way.y >= 0.0 { NORTH } else { SOUTH }),
        )
    }

    /// Direction of the cell center, among the 5 x 5 around `p` and in sight, with the cheapest path; on ties, the
    /// lowest cell.
    fn best_near(&self, view: &View<'_>, class: usize, p: Vec2) -> Option<Vec2> {
        let ground = &self.ground;
        let cell = ground.cell(p)?;
        let first = self.classes.all[class].first;
        let (i, j) = (cell % ground.columns, cell / ground.columns);
        let mut best: Option<(f64, Vec2)> = None;
        for b in j.saturating_sub(2)..=(j + 2).min(ground.rows - 1) {
            for a in i.saturating_sub(2)..=(i + 2).min(ground.columns - 1) {
                let c = b * ground.columns + a;
                let to = view.world.apart(p, ground.center(c));
                let least = self.cost[EAST][c].min(self.cost[NORTH][c]);
                let time = self.front.time(a + first.0, b + first.1) + to.length() * least;
                if is_known(self.way[c])
                    && best.is_none_or(|(t, _)| time < t)
                    && to.length2() > 1e-12
                    && ground.sees(view.world, p, c)
                {
                    best = Some((time, to));
                }
            }
        }
        best.and_then(|(_, to)| to.unit())
    }
}

/// How long steps between cells are; infinite where none leads.
fn lengths(ground: &Ground, front: &mut Eikonal) -> Lengths {
    let (columns, rows) = (front.columns(), front.rows());
    front.lengths(|i, j| {
        let c = j % ground.rows * ground.columns + i % ground.columns;
        let length = |face: usize, inside: bool, length: f64| {
            if inside && ground.joined[c] & (1 << face) != 0 { length } else { f64::INFINITY }
        };
        [
            length(EAST, i + 1 < columns, ground.size.x),
            length(NORTH, j + 1 < rows, ground.size.y),
            length(WEST, i > 0, ground.size.x),
            length(SOUTH, j > 0, ground.size.y),
        ]
    })
}

/// Directions of the faces.
pub(super) const DIRECTION: [Vec2; 4] = [vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0), vec2(0.0, -1.0)];

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
