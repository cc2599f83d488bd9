//! The room that 200 people leave, in the plainest way: explicit steps of 1 ms, scalar f64, every pair once from a grid.
//!
//! The yardstick of the row `room95`: what the forces of W1 cost without any art (Helbing, Farkas, Vicsek 2000).

use crate::Done;
use cpu_time::ProcessTime;
use serde_json::json;

const ROOM_M: f64 = 15.0;
const DOOR: [f64; 2] = [7.0, 8.0];
const CELL_M: f64 = 2.5;
const CELLS: usize = 6;
const STEP_S: f64 = 0.001;
const PEOPLE: usize = 200;
const STAY: usize = PEOPLE / 20;
const LIMIT_STEPS: u64 = 600_000;
const MASS_KG: f64 = 80.0;
const RELAXATION_S: f64 = 0.5;
const SPEED_M_PER_S: f64 = 1.5;
const STRENGTH_N: f64 = 2000.0;
const RANGE_M: f64 = 0.08;
const STIFFNESS: f64 = 120_000.0;
const FRICTION: f64 = 240_000.0;
const WALLS: [[[f64; 2]; 2]; 5] = [
    [[0.0, 0.0], [ROOM_M, 0.0]],
    [[0.0, ROOM_M], [ROOM_M, ROOM_M]],
    [[0.0, 0.0], [0.0, ROOM_M]],
    [[ROOM_M, 0.0], [ROOM_M, DOOR[0]]],
    [[ROOM_M, DOOR[1]], [ROOM_M, ROOM_M]],
];

#[derive(Clone, Copy)]
struct Person {
    pos: [f64; 2],
    vel: [f64; 2],
    force: [f64; 2],
    radius: f64,
}

/// Runs until 95 % are out; the seed places the people.
pub fn run(seed: u64) -> Done {
    let mut people = start(seed);
    let mut cells = vec![Vec::new(); CELLS * CELLS];
    let clock = ProcessTime::now();
    let (mut steps, mut agent_steps) = (0, 0);
    while people.len() > STAY && steps < LIMIT_STEPS {
        agent_steps += people.len() as u64;
        step(&mut people, &mut cells);
        people.retain(|p| p.pos[0] < ROOM_M);
        steps += 1;
    }
    let spent = clock.elapsed();
    let time = steps as f64 * STEP_S;
    let check = json!({ "time_95_s": time, "people_left": people.len() });
    Done { workload: "room95", agents: PEOPLE, steps, agent_steps, spent, check }
}

/// People at random, none on another.
fn start(seed: u64) -> Vec<Person> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut unit = || {
        // PCG's multiplier and increment; the high bits are good.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for _ in 0..8 {
        unit();
    }
    let mut people: Vec<Person> = Vec::new();
    while people.len() < PEOPLE {
        let radius = 0.25 + 0.1 * unit();
        let mut place = || radius + (ROOM_M - 2.0 * radius) * unit();
        let pos = [place(), place()];
        if people.iter().all(|q| (q.pos[0] - pos[0]).hypot(q.pos[1] - pos[1]) > q.radius + radius) {
            people.push(Person { pos, vel: [0.0; 2], force: [0.0; 2], radius });
        }
    }
    people
}

fn step(people: &mut [Person], cells: &mut [Vec<usize>]) {
    cells.iter_mut().for_each(Vec::clear);
    for (i, p) in people.iter_mut().enumerate() {
        let cell = |x: f64| ((x / CELL_M).max(0.0) as usize).min(CELLS - 1);
        cells[cell(p.pos[1]) * CELLS + cell(p.pos[0])].push(i);
        let aim = [ROOM_M + 0.5, p.pos[1].clamp(DOOR[0] + p.radius, DOOR[1] - p.radius)];
        let way = [aim[0] - p.pos[0], aim[1] - p.pos[1]];
        let length = way[0].hypot(way[1]);
        let drive = |way: f64, vel: f64| MASS_KG * (SPEED_M_PER_S * way / length - vel) / RELAXATION_S;
        p.force = [drive(way[0], p.vel[0]), drive(way[1], p.vel[1])];
        for wall in &WALLS {
            let foot = closest(p.pos, wall);
            let push = contact([p.pos[0] - foot[0], p.pos[1] - foot[1]], p.vel, p.radius);
            p.force[0] += push[0];
            p.force[1] += push[1];
        }
    }
    for row in 0..CELLS {
        for column in 0..CELLS {
            let here = &cells[row * CELLS + column];
            for (k, &i) in here.iter().enumerate() {
                here[k + 1..].iter().for_each(|&j| pair(people, i, j));
            }
            // Half of the neighboring cells, so that every pair comes once.
            for (down, right) in [(0, 1), (1, -1), (1, 0), (1, 1)] {
                let (r, c) = (row + down, column as isize + right);
                if r < CELLS && (0..CELLS as isize).contains(&c) {
                    let there = &cells[r * CELLS + c as usize];
                    here.iter().for_each(|&i| there.iter().for_each(|&j| pair(people, i, j)));
                }
            }
        }
    }
    for p in people {
        for axis in 0..2 {
            p.vel[axis] += STEP_S * p.force[axis] / MASS_KG;
            p.pos[axis] += STEP_S * p.vel[axis];
        }
    }
}

fn pair(people: &mut [Person], i: usize, j: usize) {
    let (a, b) = (people[i], people[j]);
    let apart = [a.pos[0] - b.pos[0], a.pos[1] - b.pos[1]];
    if apart[0] * apart[0] + apart[1] * apart[1] > CELL_M * CELL_M {
        return;
    }
    let push = contact(apart, [a.vel[0] - b.vel[0], a.vel[1] - b.vel[1]], a.radius + b.radius);
    people[i].force[0] += push[0];
    people[i].force[1] += push[1];
    people[j].force[0] -= push[0];
    people[j].force[1] -= push[1];
}

/// Force on who stands `apart` from a body that it moves against at `vel`; `touch` is the distance at which they touch.
fn contact(apart: [f64; 2], vel: [f64; 2], touch: f64) -> [f64; 2] {
    let distance = apart[0].hypot(apart[1]).max(1e-9);
    let normal = [apart[0] / distance, apart[1] / distance];
    let tangent = [-normal[1], normal[0]];
    let overlap = (touch - distance).max(0.0);
    let push = STRENGTH_N * ((touch - distance) / RANGE_M).exp() + STIFFNESS * overlap;
    let drag = FRICTION * overlap * (vel[0] * tangent[0] + vel[1] * tangent[1]);
    [push * normal[0] - drag * tangent[0], push * normal[1] - drag * tangent[1]]
}

fn closest(p: [f64; 2], [a, b]: &[[f64; 2]; 2]) -> [f64; 2] {
    let along = [b[0] - a[0], b[1] - a[1]];
    let square = along[0] * along[0] + along[1] * along[1];
    let t = (((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / square).clamp(0.0, 1.0);
    [a[0] + t * along[0], a[1] + t * along[1]]
}
