//! W3: reciprocal avoidance with dodgy_2d's `compute_avoiding_velocity`.
//!
//! The crate's own `Simulator::step` looks at every pair and skips the near ones, so the neighbors come from a grid here.

use crate::Done;
use cpu_time::ProcessTime;
use dodgy_2d::{Agent, AvoidanceOptions, Vec2};
use serde_json::json;
use std::borrow::Cow;

const REACH_M: f32 = 15.0;
const CELL_M: f32 = 5.0;
const RINGS: usize = 3;
const MOST: usize = 10;
const RADIUS_M: f32 = 1.5;
const STEP_S: f32 = 0.25;
const GOLDEN_ANGLE: f64 = 2.399963229728653;

/// Runs the ring until all have arrived, or the disc for its number of steps.
pub fn run(ring: bool, count: usize) -> Done {
    let place = |k: usize| {
        let (radius, angle) = match ring {
            true => (200.0 * count as f64 / 250.0, std::f64::consts::TAU * k as f64 / count as f64),
            false => (2.5 * (k as f64 + 0.5).sqrt(), k as f64 * GOLDEN_ANGLE),
        };
        Vec2::new((radius * angle.cos()) as f32, (radius * angle.sin()) as f32)
    };
    let mut agents: Vec<Agent> = (0..count)
        .map(|k| Agent { position: place(k), velocity: Vec2::ZERO, radius: RADIUS_M, avoidance_responsibility: 1.0 })
        .collect();
    let goals: Vec<Vec2> = agents.iter().map(|a| -a.position).collect();
    let last_step = if ring {
        20_000
    } else if count > 1000 {
        100
    } else {
        1000
    };

    let mut grid = Grid::default();
    let mut next = vec![Vec2::ZERO; count];
    let start = ProcessTime::now();
    let mut steps = 0;
    while steps < last_step {
        step(&mut agents, &goals, &mut grid, &mut next);
        steps += 1;
        if ring && agents.iter().zip(&goals).all(|(a, g)| a.position.distance(*g) <= RADIUS_M) {
            break;
        }
    }
    let spent = start.elapsed();
    let far: f64 = agents.iter().zip(&goals).map(|(a, g)| f64::from(a.position.distance(*g))).sum();
    Done {
        workload: if ring { "W3a" } else { "W3b" },
        agents: count,
        steps,
        agent_steps: steps * count as u64,
        spent,
        check: json!({ "mean_distance_to_goal_m": far / count as f64 }),
    }
}

fn step(agents: &mut [Agent], goals: &[Vec2], grid: &mut Grid, next: &mut [Vec2]) {
    let options = AvoidanceOptions { obstacle_margin: RADIUS_M, time_horizon: 10.0, obstacle_time_horizon: 10.0 };
    grid.build(agents);
    let mut nearest = Vec::with_capacity(MOST);
    let mut near = Vec::with_capacity(MOST);
    for (i, agent) in agents.iter().enumerate() {
        grid.nearest(agents, i, &mut nearest);
        near.clear();
        near.extend(nearest.iter().map(|&(_, j)| Cow::Borrowed(&agents[j])));
        let way = goals[i] - agent.position;
        let wanted = if way.length_squared() > 1.0 { way.normalize() } else { way };
        next[i] = agent.compute_avoiding_velocity(&near, &[], wanted, 2.0, STEP_S, &options);
    }
    for (agent, &velocity) in agents.iter_mut().zip(next.iter()) {
        agent.velocity = velocity;
        agent.position += velocity * STEP_S;
    }
}

/// Cells over the box that holds everybody; those within three cells hold all that an agent sees.
#[derive(Default)]
struct Grid {
    low: Vec2,
    columns: usize,
    rows: usize,
    /// Where each cell begins in `members`.
    begins: Vec<usize>,
    members: Vec<usize>,
}

impl Grid {
    fn cell(&self, p: Vec2) -> (usize, usize) {
        let at = (p - self.low) / CELL_M;
        (at.x as usize, at.y as usize)
    }

    fn build(&mut self, agents: &[Agent]) {
        self.low = agents.iter().fold(Vec2::MAX, |a, b| a.min(b.position));
        let high = agents.iter().fold(Vec2::MIN, |a, b| a.max(b.position));
        let (columns, rows) = self.cell(high);
        (self.columns, self.rows) = (columns + 1, rows + 1);
        self.begins.clear();
        self.begins.resize(self.columns * self.rows + 1, 0);
        let index = |(x, y): (usize, usize)| y * (columns + 1) + x;
        for agent in agents {
            let cell = index(self.cell(agent.position));
            self.begins[cell] += 1;
        }
        for k in 1..self.begins.len() {
            self.begins[k] += self.begins[k - 1];
        }
        self.members.resize(agents.len(), 0);
        for (i, agent) in agents.iter().enumerate().rev() {
            let cell = index(self.cell(agent.position));
            // `begins` of a cell is its end until its last member is in.
            self.begins[cell] -= 1;
            self.members[self.begins[cell]] = i;
        }
    }

    /// The nearest others within reach, nearest first, as (squared distance, index).
    fn nearest(&self, agents: &[Agent], i: usize, out: &mut Vec<(f32, usize)>) {
        out.clear();
        let mut reach2 = REACH_M * REACH_M;
        let at = agents[i].position;
        let (x, y) = self.cell(at);
        let inside = (at - self.low) / CELL_M - Vec2::new(x as f32, y as f32);
        let border = inside.min_element().min(1.0 - inside.max_element());
        for ring in 0..=RINGS {
            // Nobody of this ring or a wider one is nearer than its inner edge.
            let edge = (ring as f32 - 1.0 + border).max(0.0) * CELL_M;
            if edge * edge >= reach2 {
                break;
            }
            for row in y.saturating_sub(ring)..=(y + ring).min(self.rows - 1) {
                let left = x.saturating_sub(ring);
                let right = (x + ring).min(self.columns - 1);
                // The first and the last row of a ring are whole, the others only have their two ends.
                let ends = row.abs_diff(y) < ring;
                for column in (left..=right).filter(|c| !ends || c.abs_diff(x) == ring) {
                    let cell = row * self.columns + column;
                    for &j in &self.members[self.begins[cell]..self.begins[cell + 1]] {
                        let apart2 = agents[j].position.distance_squared(at);
                        if j == i || apart2 >= reach2 {
                            continue;
                        }
                        if out.len() == MOST {
                            out.pop();
                        }
                        let place = out.partition_point(|&(d, _)| d <= apart2);
                        out.insert(place, (apart2, j));
                        if out.len() == MOST {
                            reach2 = out[MOST - 1].0;
                        }
                    }
                }
            }
        }
    }
}
