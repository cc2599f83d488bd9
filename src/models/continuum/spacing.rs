//! Minimum distance: who would come too near is pushed apart.

use crate::crowd::{Crowd, View};
use crate::math::Vec2;
use crate::models::keep_off::keep_off;
use crate::models::parting;
use crate::world::World;

/// Pairs who could come too near in a step; memory is used again.
#[derive(Clone, Debug, Default)]
pub struct Spacing {
    pairs: Vec<(u32, u32)>,
}

impl Spacing {
    /// Moves the places `to` that people are on their way to, by row: pairs nearer than `share` of the sum of their radii
    /// are pushed apart by half of what is missing each, one pair after the other by the rows, in `passes` rounds with the
    /// walls after each.
    pub fn part(&mut self, view: &View<'_>, to: &mut [Vec2], share: f64, passes: usize) {
        self.find(view, to, share);
        for _ in 0..passes {
            let mut apart = true;
            for &(a, b) in &self.pairs {
                apart &= !part(view.world, view.crowd, (a as usize, b as usize), to, share);
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

    fn find(&mut self, view: &View<'_>, to: &[Vec2], share: f64) {
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
                let reach = share * (radius + near.radius[slot]) + stride + near.vel[slot].length() * view.dt + SLACK_M;
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
pub const SLACK_M: f64 = 0.2;

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
