//! Kernel: everybody's best velocity, eight samples at a time.

use super::constants::Constants;
use super::nearest::Nearest;
use super::obstacles::{Disc, Side};
use super::samples::{Reachable, Samples, Spiral};
use super::walls;
use crate::crowd::{Crowd, Status};
use crate::models::giving::Giving;
use crate::models::parting;
use crate::world::Neighbors;
use crate::world::tile::Tile;
use crowdtune_core::math::lanes::{Kernel, Lanes, WIDTH};
use crowdtune_core::math::{Vec2, vec2};

/// Distance that two people at the same place count as, m. Chosen here: small, so that they are deep inside each other,
/// but enough for a direction.
const SAME_PLACE_M: f64 = 1e-9;

/// A person who chooses a velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Person {
    pub group: u16,
    /// Viewing direction, a unit vector.
    pub heading: Vec2,
    pub reachable: Reachable,
    /// Ends of this person's stretch in the lists of all walls.
    pub sides_end: u32,
    pub ends_end: u32,
}

/// Buffers of [`Choose`], kept from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct ChoiceScratch {
    /// The person in each slot; `None` for people who do not walk.
    pub people: Vec<Option<Person>>,
    pub walls: walls::Seen,
    /// The velocity of each slot, m/s.
    pub chosen: Vec<Vec2>,
    tile: Tile,
    nearest: Nearest,
    discs: Vec<Disc>,
}

/// Fills [`ChoiceScratch::chosen`] with the velocity of least cost w / tc + |v - v_pref|; on ties, the first one.
pub(super) struct Choose<'a> {
    pub near: &'a Neighbors,
    pub crowd: &'a Crowd,
    pub groups: &'a [Constants],
    pub giving: Option<&'a Giving>,
    pub samples: &'a Samples,
    pub dt: f64,
    /// Which way the spiral of samples turns, 1 or -1.
    pub turn: f64,
    pub scratch: &'a mut ChoiceScratch,
}

impl Kernel for Choose<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { near, crowd, groups, giving, samples, dt, turn, scratch } = self;
        let ChoiceScratch { people, walls, chosen, tile, nearest, discs } = scratch;
        chosen.clear();
        // No closures: they would not be compiled for the lanes' instruction set.
        let (mut sides_from, mut ends_from) = (0, 0);
        let mut cells = near.cells();
        while let Some((slots, ranges)) = cells.advance() {
            tile.gather::<L, 2>(&near.lanes, ranges);
            for slot in slots {
                let Some(person) = &people[slot] else {
                    chosen.push(Vec2::ZERO);
                    continue;
                };
                let c = &groups[usize::from(person.group)];
                nearest.find::<L>(near, tile, slot, crowd, (c, person.heading));
                discs.clear();
                for found in nearest.found() {
                    let mut share = c.responsibility;
                    if let Some(giving) = giving {
                        let other = crowd.group[near.row[found.slot as usize] as usize];
                        share = giving.share(person.group, other).unwrap_or(share);
                    }
                    discs.extend(disc(near, crowd, slot, found, (c, share, dt)));
                }
                let sides = &walls.sides[sides_from..person.sides_end as usize];
                let ends = &walls.ends[ends_from..person.ends_end as usize];
                (sides_from, ends_from) = (person.sides_end as usize, person.ends_end as usize);
                let search = Search { reachable: &person.reachable, turn, weight: c.weight, discs, sides, ends };
                chosen.push(search.best::<L>(samples));
            }
        }
    }
}

/// The velocity obstacle of a person found, for the person in a slot; `None` if that person takes on no avoidance.
fn disc(
    near: &Neighbors,
    crowd: &Crowd,
    slot: usize,
    found: &super::nearest::Found,
    (c, share, dt): (&Constants, f64, f64),
) -> Option<Disc> {
    if share <= 0.0 {
        return None;
    }
    let (other, mut q) = (found.slot as usize, found.way);
    let (row, other_row) = (near.row[slot] as usize, near.row[other] as usize);
    if q.length2() < SAME_PLACE_M * SAME_PLACE_M {
        q = -parting(crowd.id[row], crowd.id[other_row]) * SAME_PLACE_M;
    }
    let bodies = near.radius[slot] + near.radius[other];
    // People inside the margin need not leave it at once, but get no closer.
    let radius = (bodies * (1.0 + c.margin)).min(q.length().max(bodies));
    // People who stand avoid nobody, so all avoidance is left to the other. And a person who is too close may be held
    // there by others.
    let shared = crowd.status[other_row] == Status::Walking && q.length() >= bodies * (1.0 + c.margin);
    let alpha = if shared { share } else { 1.0 };
    Some(Disc::new(q, radius, alpha, (near.vel[slot], near.vel[other]), (c.horizon, dt)))
}

/// The choice of one person.
struct Search<'a> {
    reachable: &'a Reachable,
    turn: f64,
    /// w, m.
    weight: f32,
    discs: &'a [Disc],
    sides: &'a [Side],
    ends: &'a [Disc],
}

/// Bounds of the reachable velocities, and the preferred one, in all lanes.
struct Bounds<L> {
    vel: (L, L),
    wish: (L, L),
    speed2: L,
    change2: L,
}

impl Search<'_> {
    /// The best of the preferred velocity, the current one and the samples.
    #[inline(always)]
    fn best<L: Lanes>(&self, samples: &Samples) -> Vec2 {
        let r = self.reachable;
        let (wish, vel) = ((r.wish.x as f32, r.wish.y as f32), (r.vel.x as f32, r.vel.y as f32));
        let bounds = Bounds::<L> {
            vel: (L::splat(vel.0), L::splat(vel.1)),
            wish: (L::splat(wish.0), L::splat(wish.1)),
            // Slightly more than the bound, because the preferred velocity may be right on it.
            speed2: L::splat((r.speed * r.speed * (1.0 + 1e-5)) as f32),
            change2: L::splat((r.change * r.change * (1.0 + 1e-5)) as f32),
        };
        let mut best = (f32::INFINITY, r.wish);
        let mut first = [[wish.0; WIDTH], [wish.1; WIDTH]];
        (first[0][1], first[1][1]) = vel;
        if let Some((cost, lane)) = self.try_block(&bounds, (L::of(&first[0]), L::of(&first[1])), best.0) {
            best = (cost, if lane == 1 { r.vel } else { r.wish });
        }
        let (middle, mut radius) = r.disc();
        best = self.spread(&bounds, &samples.all, (middle, radius), best);
        let mut left = samples.refinements;
        while left > 0 {
            radius *= samples.shrink;
            best = self.spread(&bounds, &samples.fine, (best.1, radius), best);
            left -= 1;
        }
        best.1
    }

    /// Tries the points of a spiral over a disc of velocities.
    #[inline(always)]
    fn spread<L: Lanes>(
        &self,
        bounds: &Bounds<L>,
        spiral: &Spiral,
        (middle, radius): (Vec2, f64),
        mut best: (f32, Vec2),
    ) -> (f32, Vec2) {
        let along = self.reachable.along * radius;
        let (ax, ay) = (L::splat(along.x as f32), L::splat(along.y as f32));
        let aside = along.left() * self.turn;
        let (bx, by) = (L::splat(aside.x as f32), L::splat(aside.y as f32));
        let (mx, my) = (L::splat(middle.x as f32), L::splat(middle.y as f32));
        let points = spiral.points.read();
        let mut at = 0;
        // Nothing beats the preferred velocity if nobody is in the way.
        while at < spiral.count && best.0 > 0.0 {
            let [x, y] = points.load::<L, 2>(at);
            let vx = mx.add(x.mul(ax)).add(y.mul(bx));
            let vy = my.add(x.mul(ay)).add(y.mul(by));
            if let Some((cost, lane)) = self.try_block(bounds, (vx, vy), best.0) {
                best = (cost, vec2(f64::from(vx.store()[lane]), f64::from(vy.store()[lane])));
            }
            at += WIDTH;
        }
        best
    }

    /// The least cost among eight velocities and the first lane that has it, if it is below `best`.
    #[inline(always)]
    fn try_block<L: Lanes>(&self, bounds: &Bounds<L>, (vx, vy): (L, L), best: f32) -> Option<(f32, usize)> {
        let (wx, wy) = (vx.sub(bounds.wish.0), vy.sub(bounds.wish.1));
        let away = wx.mul(wx).add(wy.mul(wy)).sqrt();
        let (cx, cy) = (vx.sub(bounds.vel.0), vy.sub(bounds.vel.1));
        let reached = cx.mul(cx).add(cy.mul(cy)).at_most(bounds.change2);
        let slow = vx.mul(vx).add(vy.mul(vy)).at_most(bounds.speed2);
        let best = L::splat(best);
        let allowed = reached.bits() & slow.bits();
        let mut left = away.below(best).bits() & allowed;
        if left == 0 {
            return None;
        }
        let weight = L::splat(self.weight);
        let mut most = L::splat(0.0);
        let mut cost = away;
        for disc in self.discs {
            most = most.max(disc.rate((vx, vy)));
            cost = away.add(most.mul(weight));
            left = cost.below(best).bits() & allowed;
            if left == 0 {
                return None;
            }
        }
        for side in self.sides {
            most = most.max(side.rate((vx, vy)));
        }
        for end in self.ends {
            most = most.max(end.rate((vx, vy)));
        }
        if !self.sides.is_empty() || !self.ends.is_empty() {
            cost = away.add(most.mul(weight));
            left = cost.below(best).bits() & allowed;
        }
        let costs = cost.store();
        let mut found: Option<(f32, usize)> = None;
        for (lane, &cost) in costs.iter().enumerate() {
            if left >> lane & 1 == 1 && found.is_none_or(|(least, _)| cost < least) {
                found = Some((cost, lane));
            }
        }
        found
    }
}
