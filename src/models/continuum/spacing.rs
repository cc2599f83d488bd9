//! Minimum distance: who would come too near is pushed apart.

use crate::crowd::{Crowd, Next, View};
use crate::math::Vec2;
use crate::models::keep_off::keep_off;
use crate::models::parting;
use crate::registry::Settings;
use crate::world::World;

/// Keeps a minimum distance; memory is used again.
#[derive(Clone, Debug, Default)]
pub struct Spacing {
    /// Share of the sum of two radii that is kept between centres.
    share: f64,
    /// Rounds over the pairs.
    passes: usize,
    pairs: Vec<(u32, u32)>,
    /// Where everybody is on the way to, by row.
    to: Vec<Vec2>,
}

impl Spacing {
    /// As the constants of `params` say; `None` without a minimum distance.
    pub fn of(set: &Settings<'_>) -> Option<Self> {
        let (share, passes) = (set.get("distance_share"), set.whole("distance_passes").max(1) as usize);
        (set.on("minimum_distance") && share > 0.0).then(|| Self { share, passes, ..Self::default() })
    }

    /// Takes over memory, and nothing that it holds.
    pub fn inherit(&mut self, old: Self) {
        (self.pairs, self.to) = (old.pairs, old.to);
    }

    /// How far those who may be pushed apart are from each other, m.
    pub fn reach_m(&self, max_radius_m: f64) -> f64 {
        2.0 * (self.share * max_radius_m + SLACK_M)
    }

    /// Writes the displacements that keep people apart: pairs nearer than the minimum distance at the end of the step are
    /// pushed apart by half of what is missing each, one pair after the other by the rows, in rounds with the walls after
    /// each.
    pub fn spread(&mut self, view: &View<'_>, next: &mut Next<'_>) {
        let (pos, dt) = (&view.crowd.pos, view.dt);
        let mut to = std::mem::take(&mut self.to);
        to.clear();
        to.extend(pos.iter().zip(next.vel.iter()).map(|(&p, &v)| p + v * dt));
        self.part(view, &mut to);
        next.shift.clear();
        next.shift.extend(to.iter().zip(pos).zip(next.vel.iter()).map(|((&to, &p), &v)| to - p - v * dt));
        self.to = to;
        for (row, &p) in pos.iter().enumerate() {
            // Whose step would still cross a wall, by a rounding error, stands.
            if view.world.walls.crosses(p, p + next.vel[row] * dt + next.shift[row]) {
                (next.vel[row], next.shift[row]) = (Vec2::ZERO, Vec2::ZERO);
            }
        }
    }

    fn part(&mut self, view: &View<'_>, to: &mut [Vec2]) {
        self.find(view, to);
        for _ in 0..self.passes {
            let mut apart = true;
            for &(a, b) in &self.pairs {
                apart &= !part(view.world, view.crowd, (a as usize, b as usize), to, self.share);
            }
            if apart {
                return;
            }
            // Who was pushed into a wall is put back at once, so that the next round pushes the others.
            for (row, to) in to.iter_mut().enumerate() {
                let p = view.crowd.pos[row];
                *to = p + keep_off(&view.world.walls, (p, view.crowd.radius[row]), *to - p, 1.0);
            }
        }
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
                if other <= row {
                    continue;
                }
                // Nobody nearer than this can come too near in this step.
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

/// Pairs are found by where people are and pushed where they will be; pushes of others add to that, m. Chosen here: a
/// third of a body.
const SLACK_M: f64 = 0.2;

/// Pushes a pair apart: true if it was too near.
fn part(world: &World, crowd: &Crowd, (a, b): (usize, usize), to: &mut [Vec2], share: f64) -> bool {
    let least = share * (crowd.radius[a] + crowd.radius[b]);
    let away = world.apart(to[b], to[a]);
    let d2 = away.length2();
    if d2 >= least * least {
        return false;
    }
    let d = d2.sqrt();
    let n = if d > 1e-9 { away / d } else { parting(crowd.id[a], crowd.id[b]) };
    let push = n * (0.5 * (least - d));
    to[a] += push;
    to[b] -= push;
    true
}
