//! The social force model once more: plain f64, every pair, no cells, no lanes, nothing from the library.
//!
//! m dv/dt = m (v0 e - v) / tau + sum over people + sum over walls, with
//! push A exp(g / B) n, body k g n and friction kappa g (dv . t) t where bodies overlap by g > 0.
//! One step solves the backward Euler equations for v', with forces at the old places:
//!
//! * drive: m dt / tau (v0 e - v'),
//! * push of people at a distance: explicit,
//! * push of people in touch: dt A exp(g / B) n - dt^2 A exp(g / B) / B (n . (v'_i - v_j)) n, the other at the old velocity,
//! * push of walls: the same with a wall at rest, at any distance,
//! * body and friction: dt k g n - [dt^2 k n n^T + dt kappa g t t^T] (v'_i - v'_j), both at the new velocity.
//!
//! A pair farther apart than a push of 1e-4 m/s2 is left out.

pub type Pair = (f64, f64);

const MASS: f64 = 80.0;
const TAU: f64 = 0.5;
const A: f64 = 2000.0;
const B: f64 = 0.08;
const BODY: f64 = 1.2e5;
const FRICTION: f64 = 2.4e5;
const NEGLIGIBLE: f64 = 1e-4;

#[derive(Clone, Copy, Debug)]
pub struct Person {
    pub at: Pair,
    pub vel: Pair,
    pub radius: f64,
    pub desired_speed: f64,
}

/// Walls, and a door that opens to +x: its x and its range of y. Without one everybody walks along +x.
#[derive(Clone, Debug, Default)]
pub struct Place {
    pub walls: Vec<(Pair, Pair)>,
    pub door: Option<(f64, f64, f64)>,
}

/// xx, xy, yy of a symmetric matrix.
type Matrix = (f64, f64, f64);

/// What two people in touch share: the other one and the coupling.
type Touch = (usize, Matrix);

/// One equation of two rows: (own + couplings) v' - sum coupling v'_other = right.
#[derive(Clone, Debug)]
struct Row {
    own: Matrix,
    right: Pair,
    touches: Vec<Touch>,
}

fn minus(a: Pair, b: Pair) -> Pair {
    (a.0 - b.0, a.1 - b.1)
}

fn length(a: Pair) -> f64 {
    (a.0 * a.0 + a.1 * a.1).sqrt()
}

fn times(m: Matrix, v: Pair) -> Pair {
    (m.0 * v.0 + m.1 * v.1, m.1 * v.0 + m.2 * v.1)
}

/// along n n^T + across t t^T
fn of_normal(n: Pair, along: f64, across: f64) -> Matrix {
    let t = (-n.1, n.0);
    (
        along * n.0 * n.0 + across * t.0 * t.0,
        along * n.0 * n.1 + across * t.0 * t.1,
        along * n.1 * n.1 + across * t.1 * t.1,
    )
}

fn plus(a: Matrix, b: Matrix) -> Matrix {
    (a.0 + b.0, a.1 + b.1, a.2 + b.2)
}

fn nearest((a, b): (Pair, Pair), p: Pair) -> Pair {
    let way = minus(b, a);
    let t = (way.0 * (p.0 - a.0) + way.1 * (p.1 - a.1)) / (way.0 * way.0 + way.1 * way.1);
    let t = t.clamp(0.0, 1.0);
    (a.0 + way.0 * t, a.1 + way.1 * t)
}

impl Row {
    fn push(&mut self, n: Pair, force_times_dt: f64) {
        self.right.0 += n.0 * force_times_dt;
        self.right.1 += n.1 * force_times_dt;
    }
}

impl Place {
    /// Where somebody wants to go: to the part of the door that the body fits through, straight on once in the door.
    fn way(&self, who: &Person) -> Pair {
        let Some((x, low, high)) = self.door else { return (1.0, 0.0) };
        let ((px, py), r) = (who.at, who.radius);
        if px >= x - 1e-6 && py >= low - r && py <= high + r {
            return (1.0, 0.0);
        }
        let to = minus((x, py.clamp(low + r, high - r)), who.at);
        (to.0 / length(to), to.1 / length(to))
    }

    /// Out is who is one radius past the door, abreast of it now or when so far.
    fn is_out(&self, before: Pair, after: Pair, r: f64) -> bool {
        let Some((x, low, high)) = self.door else { return false };
        if after.0 < x + r {
            return false;
        }
        let share = (x + r - before.0) / (after.0 - before.0);
        let y = before.1 + share * (after.1 - before.1);
        (after.1 >= low - r && after.1 <= high + r) || (before.0 < x + r && y >= low && y <= high)
    }
}

/// One step of `dt`: velocities, then places, then who is out.
pub fn step(people: &mut Vec<Person>, place: &Place, dt: f64) {
    let feels = B * (A / MASS / NEGLIGIBLE).ln();
    let mut rows: Vec<Row> = people
        .iter()
        .map(|who| {
            let (e, m) = (place.way(who), MASS * dt / TAU * who.desired_speed);
            let right = (MASS * who.vel.0 + m * e.0, MASS * who.vel.1 + m * e.1);
            let diagonal = MASS * (1.0 + dt / TAU);
            Row { own: (diagonal, 0.0, diagonal), right, touches: Vec::new() }
        })
        .collect();
    for i in 0..people.len() {
        for j in 0..i {
            let (one, other) = (people[i], people[j]);
            let apart = minus(one.at, other.at);
            let (d, touch) = (length(apart), one.radius + other.radius);
            if d > touch + feels {
                continue;
            }
            let (n, overlap) = ((apart.0 / d, apart.1 / d), touch - d);
            let push = A * (overlap / B).exp();
            let mut force = push;
            if overlap > 0.0 {
                force += BODY * overlap;
                let soft = of_normal(n, dt * dt * push / B, 0.0);
                let hard = of_normal(n, dt * dt * BODY, dt * FRICTION * overlap);
                for (me, you, vel) in [(i, j, other.vel), (j, i, one.vel)] {
                    rows[me].own = plus(rows[me].own, soft);
                    let carried = times(soft, vel);
                    rows[me].right.0 += carried.0;
                    rows[me].right.1 += carried.1;
                    rows[me].touches.push((you, hard));
                }
            }
            rows[i].push(n, dt * force);
            rows[j].push(n, -dt * force);
        }
        let who = people[i];
        for &wall in &place.walls {
            let away = minus(who.at, nearest(wall, who.at));
            let d = length(away);
            if d > who.radius + feels {
                continue;
            }
            let (n, overlap) = ((away.0 / d, away.1 / d), who.radius - d);
            let push = A * (overlap / B).exp();
            let (touch, body) = if overlap > 0.0 { (overlap, BODY) } else { (0.0, 0.0) };
            rows[i].push(n, dt * (push + body * touch));
            rows[i].own = plus(rows[i].own, of_normal(n, dt * dt * (push / B + body), dt * FRICTION * touch));
        }
    }
    let velocity = solve(&rows, people.iter().map(|who| who.vel).collect());
    let mut next = Vec::with_capacity(people.len());
    for (who, vel) in people.iter().zip(velocity) {
        let at = (who.at.0 + vel.0 * dt, who.at.1 + vel.1 * dt);
        if !place.is_out(who.at, at, who.radius) {
            next.push(Person { at, vel, ..*who });
        }
    }
    *people = next;
}

/// Gauss-Seidel, person by person, until nobody changes by more than 1e-13 m/s.
fn solve(rows: &[Row], mut v: Vec<Pair>) -> Vec<Pair> {
    for _ in 0..10_000 {
        let mut change = 0.0_f64;
        for (i, row) in rows.iter().enumerate() {
            let (mut matrix, mut right) = (row.own, row.right);
            for &(other, coupling) in &row.touches {
                matrix = plus(matrix, coupling);
                let pull = times(coupling, v[other]);
                right = (right.0 + pull.0, right.1 + pull.1);
            }
            let (xx, xy, yy) = matrix;
            let det = xx * yy - xy * xy;
            let new = ((yy * right.0 - xy * right.1) / det, (xx * right.1 - xy * right.0) / det);
            change = change.max(length(minus(new, v[i])));
            v[i] = new;
        }
        if change < 1e-13 {
            return v;
        }
    }
    panic!("the contacts of a step were not solved");
}
