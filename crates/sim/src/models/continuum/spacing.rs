//! Minimum distance: people who would come too close are pushed apart.

use crate::crowd::{Update, View};
use crate::models::keep_off::keep_off;
use crate::models::parting;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::Settings;

/// Keeps a minimum distance.
#[derive(Clone, Debug, Default)]
pub struct Spacing {
    /// Minimum distance between centers, as a share of the sum of the radii.
    share: f64,
    /// Passes over the pairs.
    passes: usize,
    pairs: Vec<(u32, u32)>,
    /// Where everybody's step ends, by row.
    to: Vec<Vec2>,
}

impl Spacing {
    /// From the settings; `None` without a minimum distance.
    pub fn of(set: &Settings<'_>) -> Option<Self> {
        let (share, passes) = (set.get("distance_share"), set.whole("distance_passes").max(1) as usize);
        (set.on("minimum_distance") && share > 0.0).then(|| Self { share, passes, ..Self::default() })
    }

    /// Distance up to which two people may be pushed apart, m.
    pub fn reach_m(&self, max_radius_m: f64) -> f64 {
        2.0 * (self.share * max_radius_m + SLACK_M)
    }

    /// Writes the displacements that keep people apart. Pairs closer than the minimum distance at the end of the step
    /// are each pushed apart by half of the missing distance, pair by pair in row order; somebody whom another model steers is an
    /// obstacle, and the other takes it all. After each pass people pushed
    /// into walls are put back. Two people left standing face to face step aside.
    pub fn spread(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        let (pos, dt) = (&view.crowd.pos, view.dt);
        let mut to = std::mem::take(&mut self.to);
        to.clear();
        // People of other models go on as they do.
        let vel = |row: usize| if view.steers(row) { next.vel[row] } else { view.crowd.vel[row] };
        to.extend(pos.iter().enumerate().map(|(row, &p)| p + vel(row) * dt));
        self.find(view, &to);
        // If nobody was pushed, nobody is blocked.
        if self.push(view, &mut to) && self.step_aside(view, next.vel, &mut to) {
            self.push(view, &mut to);
        }
        next.shift.clear();
        next.shift.extend(to.iter().zip(pos).zip(next.vel.iter()).map(|((&to, &p), &v)| to - p - v * dt));
        self.to = to;
        for (row, &p) in pos.iter().enumerate() {
            // If a step would still cross a wall, by a rounding error, the person stands.
            if view.world.walls.crosses(p, p + next.vel[row] * dt + next.shift[row]) {
                (next.vel[row], next.shift[row]) = (Vec2::ZERO, Vec2::ZERO);
            }
        }
    }

    /// Pushes people apart who are too close; true if anybody was.
    fn push(&self, view: &View<'_>, to: &mut [Vec2]) -> bool {
        for round in 0..self.passes {
            let mut apart = true;
            for &(a, b) in &self.pairs {
                apart &= !part(view, (a as usize, b as usize), to, self.share);
            }
            if apart {
                return round > 0;
            }
            // People pushed into a wall are put back at once, so that the next pass pushes the others.
            for (row, to) in to.iter_mut().enumerate() {
                stay_inside(view, row, to);
            }
        }
        true
    }

    /// Rotates pairs that block each other around their middle. If both want to move on and neither can, a push along
    /// the line between them is undone by their next step, and next to a wall they would stand forever. True if there
    /// are such pairs.
    fn step_aside(&self, view: &View<'_>, vel: &[Vec2], to: &mut [Vec2]) -> bool {
        let (crowd, dt) = (view.crowd, view.dt);
        let stands = |row: usize, to: &[Vec2]| (to[row] - crowd.pos[row]).length() < STANDS * vel[row].length() * dt;
        let mut any = false;
        for &(a, b) in &self.pairs {
            let (a, b) = (a as usize, b as usize);
            if !(stands(a, to) && stands(b, to) && view.steers(a) && view.steers(b)) {
                continue;
            }
            let away = view.world.apart(to[b], to[a]);
            let touch = self.share * (crowd.radius[a] + crowd.radius[b]) + TOUCH_M;
            let Some(n) = away.unit().filter(|_| away.length2() < touch * touch) else { continue };
            let lost = -(vel[a] - vel[b]).dot(n) * dt;
            if lost <= 0.0 {
                continue;
            }
            // To the side that their ways lead to, else each to the right.
            let side = if n.cross(view.desired[a] - view.desired[b]) < 0.0 { -1.0 } else { 1.0 };
            let aside = n.left() * (side * 0.5 * lost);
            to[a] += aside;
            to[b] -= aside;
            stay_inside(view, a, &mut to[a]);
            stay_inside(view, b, &mut to[b]);
            any = true;
        }
        any
    }

    fn find(&mut self, view: &View<'_>, to: &[Vec2]) {
        let near = view.near;
        self.pairs.clear();
        for (row, &aim) in to.iter().enumerate() {
            let from = self.pairs.len();
            let (p, radius) = (view.crowd.pos[row], view.crowd.radius[row]);
            let stride = view.world.apart(p, aim).length();
            for slot in near.around(p).into_iter().flatten() {
                let other = near.row[slot] as usize;
                if other <= row || !(view.steers(row) || view.steers(other)) {
                    continue;
                }
                // Nobody farther away than this can come too close in this step.
                let reach =
                    self.share * (radius + near.radius[slot]) + stride + near.vel[slot].length() * view.dt + SLACK_M;
                if near.apart(p, near.pos[slot]).length2() < reach * reach {
                    self.pairs.push((row as u32, other as u32));
                }
            }
            self.pairs[from..].sort_unstable();
        }
    }
}

/// Pairs are found at the start of the step and pushed at its end; pushes by others may add this much, m. Chosen here:
/// a third of a body.
const SLACK_M: f64 = 0.2;
/// People who advance by less than this share of the wanted step count as standing. Chosen here: so that people in a
/// slow jam do not count.
const STANDS: f64 = 0.1;
/// A pair this close to the minimum distance touches, m. Chosen here: more than rounding errors and what the last pass
/// missed.
const TOUCH_M: f64 = 0.01;

/// Takes back the part of a step that leads into a wall.
fn stay_inside(view: &View<'_>, row: usize, to: &mut Vec2) {
    let p = view.crowd.pos[row];
    *to = p + keep_off(&view.world.walls, (p, view.crowd.radius[row]), *to - p, 1.0);
}

/// Pushes a pair apart; true if it was too close.
fn part(view: &View<'_>, (a, b): (usize, usize), to: &mut [Vec2], share: f64) -> bool {
    let crowd = view.crowd;
    let least = share * (crowd.radius[a] + crowd.radius[b]);
    let away = view.world.apart(to[b], to[a]);
    let d2 = away.length2();
    if d2 >= least * least {
        return false;
    }
    let d = d2.sqrt();
    let n = if d > 1e-9 { away / d } else { parting(crowd.id[a], crowd.id[b]) };
    let push = n * (0.5 * (least - d));
    match (view.steers(a), view.steers(b)) {
        (true, true) => {
            to[a] += push;
            to[b] -= push;
        }
        (true, false) => to[a] += push * 2.0,
        _ => to[b] -= push * 2.0,
    }
    true
}
