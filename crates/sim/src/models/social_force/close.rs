//! Kernel: what acts on people from close by, bodies in contact and walls within reach, eight at a time.
//!
//! Each takes a root, two quotients and an exponential, and each of these waits for the one before.

use super::constants::Constants;
use super::pairs::Felt;
use crate::crowd::View;
use crate::models::{contact, parting};
use crowdtune_core::math::exp::exp;
use crowdtune_core::math::lanes::{self, Kernel, Lanes, WIDTH};
use crowdtune_core::math::{Vec2, vec2};

/// Distance below which a direction has no digits, m.
const NOWHERE_M: f64 = 1e-9;

/// A body or a point of a wall that acts on somebody.
#[derive(Clone, Copy, Debug)]
struct Source {
    /// The vector from there to the person, m.
    away: Vec2,
    /// Distance at which the two touch, m.
    touch: f64,
    /// Strength of the repulsion where they touch, N.
    strength: f64,
    /// One over the range of the repulsion, 1/m.
    per_range: f64,
    is_wall: bool,
}

/// How it acts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Act {
    /// Unit vector to the person.
    pub normal: Vec2,
    /// How far the two overlap, m; negative for a wall that does not touch.
    pub overlap: f64,
    /// Repulsion, N.
    pub push: f64,
    /// G of the body force and the friction, and of a wall's repulsion; that of a person's depends on who sees whom.
    pub block: contact::Block,
}

/// What is the same for all: the step, s, stiffness, kg/s2, and friction, kg/(m s).
#[derive(Clone, Copy, Debug)]
pub(super) struct Law {
    pub dt: f64,
    pub stiffness: f64,
    pub friction: f64,
}

/// Eight sources. The kernel puts how they act where it has read them.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Eight {
    /// Away, then the unit vector.
    x: [f64; WIDTH],
    y: [f64; WIDTH],
    /// Distance at which they touch, then the overlap.
    touch: [f64; WIDTH],
    /// Strength, then the repulsion.
    push: [f64; WIDTH],
    per_range: [f64; WIDTH],
    /// 1 for a wall, 0 for a body.
    wall: [f64; WIDTH],
    block: [contact::Block; WIDTH],
}

impl Eight {
    /// Away from everything, so that lanes without a source compute with numbers.
    fn nothing() -> Self {
        let none = [0.0; WIDTH];
        Self {
            x: [1.0; WIDTH],
            y: none,
            touch: none,
            push: none,
            per_range: none,
            wall: none,
            block: Default::default(),
        }
    }
}

/// What acts on the people of some cells, person by person.
#[derive(Clone, Debug, Default)]
pub(super) struct Close {
    eights: Vec<Eight>,
    len: usize,
    /// Sources in the same place as the person, and the way in which the two part.
    parted: Vec<(usize, Vec2)>,
    /// Where each person's sources begin, and the end of all.
    bounds: Vec<usize>,
}

impl Close {
    /// Finds what acts on those whose forces are felt, from a slot on: bodies in contact, then walls.
    #[inline]
    pub fn find(&mut self, view: &View<'_>, groups: &[Constants], law: Law, (first, felt): (usize, &Felt)) {
        self.len = 0;
        self.bounds.clear();
        let (near, crowd, walls) = (view.near, view.crowd, &view.world.walls);
        let walled = !walls.segments().is_empty();
        if !walled && !felt.touches() {
            self.bounds.resize(felt.force.len() + 1, 0);
            return;
        }
        // Of one length, so that one check does for all.
        let n = crowd.len();
        let (pos, radius, group) = (&crowd.pos[..n], &crowd.radius[..n], &crowd.group[..n]);
        for (touching, &row) in felt.touching().zip(&near.row[first..]) {
            let row = row as usize;
            self.bounds.push(self.len);
            if view.steers(row) {
                let (p, r, c) = (pos[row], radius[row], &groups[usize::from(group[row])]);
                for &slot in touching {
                    let other = near.row[slot as usize] as usize;
                    let (away, touch) = (near.apart(pos[other], p), r + radius[other]);
                    let (strength, per_range) = (c.strength, c.per_range);
                    let source = Source { away, touch, strength, per_range, is_wall: false };
                    self.add(source, || parting(crowd.id[row], crowd.id[other]));
                }
                if walled {
                    let (strength, per_range) = (c.wall_strength, c.wall_per_range);
                    walls.feet(p, r + c.wall_feels, &mut |foot| {
                        let source = Source { away: foot.away, touch: r, strength, per_range, is_wall: true };
                        self.add(source, || foot.along.left());
                    });
                }
            }
        }
        self.bounds.push(self.len);
        lanes::run(Find(self, law));
    }

    /// Adds a source of the next person. `part` is the way in which the two part if they are in one place.
    #[inline]
    fn add(&mut self, source: Source, part: impl FnOnce() -> Vec2) {
        let Source { away, touch, strength, per_range, is_wall } = source;
        let (at, k) = (self.len / WIDTH, self.len % WIDTH);
        if at == self.eights.len() {
            self.eights.push(Eight::nothing());
        }
        if away.length2() < NOWHERE_M * NOWHERE_M {
            self.parted.push((self.len, part()));
        }
        let eight = &mut self.eights[at];
        (eight.x[k], eight.y[k], eight.touch[k]) = (away.x, away.y, touch);
        (eight.push[k], eight.per_range[k], eight.wall[k]) = (strength, per_range, f64::from(u8::from(is_wall)));
        self.len += 1;
    }

    /// For each person how the sources act, in the order in which they were added.
    #[inline]
    pub fn acts(&self) -> impl Iterator<Item = impl ExactSizeIterator<Item = Act>> {
        self.bounds.windows(2).map(|bounds| {
            (bounds[0]..bounds[1]).map(|source| {
                let (eight, k) = (&self.eights[source / WIDTH], source % WIDTH);
                let normal = vec2(eight.x[k], eight.y[k]);
                Act { normal, overlap: eight.touch[k], push: eight.push[k], block: eight.block[k] }
            })
        })
    }
}

/// Finds how all sources act.
struct Find<'a>(&'a mut Close, Law);

impl Kernel for Find<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self(Close { eights, len, parted, .. }, Law { dt, stiffness, friction }) = self;
        let eights = &mut eights[..len.div_ceil(WIDTH)];
        // Loops over eight numbers, which become lanes.
        for Eight { x, y, touch, push, per_range, wall, .. } in &mut *eights {
            let mut d = [0.0; WIDTH];
            for k in 0..WIDTH {
                d[k] = vec2(x[k], y[k]).length();
            }
            for k in 0..WIDTH {
                (x[k], y[k]) = (x[k] / d[k], y[k] / d[k]);
                let overlap = touch[k] - d[k];
                // Single precision decided which bodies touch, so theirs can be slightly negative.
                touch[k] = if wall[k] == 0.0 && overlap < 0.0 { 0.0 } else { overlap };
            }
            for k in 0..WIDTH {
                push[k] *= exp(touch[k] * per_range[k]);
            }
        }
        for (at, way) in parted.drain(..) {
            let (eight, k) = (&mut eights[at / WIDTH], at % WIDTH);
            (eight.x[k], eight.y[k]) = (way.x, way.y);
        }
        for Eight { x, y, touch, push, per_range, wall, block } in eights {
            for k in 0..WIDTH {
                let touches = touch[k] > 0.0 || wall[k] == 0.0;
                let soft = dt * dt * push[k] * per_range[k] * wall[k];
                let hard = if touches { dt * dt * stiffness } else { 0.0 };
                let across = if touches { dt * friction * touch[k] } else { 0.0 };
                block[k] = contact::Block::of_normal(vec2(x[k], y[k]), soft + hard, across);
            }
        }
    }
}

#[cfg(test)]
#[path = "close_tests.rs"]
mod tests;
