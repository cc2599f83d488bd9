//! Discomfort: drawn in a place, and brought along by groups, around them and ahead of them.

use super::ground::Ground;
use crate::crowd::View;
use crate::world::scenario::{Ahead, Scenario};
use crowdtune_core::math::{Vec2, vec2};

/// Places per side of a cell at which drawn discomfort is looked up. Chosen here: an area of a quarter of a cell's width acts.
const LOOKS: usize = 4;
const LOOKS_IN_ALL: usize = LOOKS * LOOKS;

/// Discomfort of the place by cell: the mean over the cell; empty if it has none.
pub(super) fn of_place(scenario: &Scenario, ground: &Ground) -> Vec<f64> {
    let areas = &scenario.world.plan.discomfort;
    if areas.is_empty() {
        return Vec::new();
    }
    let of = |c: usize| {
        let found = areas.iter().map(|d| {
            let inside = looks_inside(ground, c, |p| d.area.contains(p));
            d.people_per_m2 * inside as f64 / LOOKS_IN_ALL as f64
        });
        found.sum()
    };
    (0..ground.len()).map(of).collect()
}

/// How many of the looks into a cell find something.
fn looks_inside(ground: &Ground, c: usize, finds: impl Fn(Vec2) -> bool) -> usize {
    let share = |k: usize| (k as f64 + 0.5) / LOOKS as f64 - 0.5;
    let at = |k: usize| ground.center(c) + vec2(share(k % LOOKS) * ground.size.x, share(k / LOOKS) * ground.size.y);
    (0..LOOKS_IN_ALL).filter(|&k| finds(at(k))).count()
}

/// The same as a share.
fn share_inside(ground: &Ground, c: usize, finds: impl Fn(Vec2) -> bool) -> f64 {
    looks_inside(ground, c, finds) as f64 / LOOKS_IN_ALL as f64
}

/// What the groups that move bring with them, persons/m2, by cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Moving {
    of: Vec<Brought>,
    /// That and the discomfort of the place, for the current class.
    pub felt: Vec<f64>,
}

/// What one group brings.
#[derive(Clone, Debug)]
struct Brought {
    group: u16,
    ahead: Ahead,
    there: Vec<f64>,
}

impl Moving {
    /// Of the groups of a scenario.
    pub fn new(scenario: &Scenario, ground: &Ground) -> Self {
        let brings = |(group, ahead): (u16, Option<Ahead>)| {
            ahead.map(|ahead| Brought { group, ahead, there: vec![0.0; ground.len()] })
        };
        let of: Vec<_> = (0..).zip(scenario.groups.iter().map(|g| g.discomfort)).filter_map(brings).collect();
        Self { felt: if of.is_empty() { Vec::new() } else { vec![0.0; ground.len()] }, of }
    }

    /// True if no group brings any.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Finds where it is now: for each person the mean over each cell, as for areas that are drawn.
    pub fn look(&mut self, view: &View<'_>, ground: &Ground) {
        let (crowd, world) = (view.crowd, view.world);
        for Brought { group, ahead, there } in &mut self.of {
            there.fill(0.0);
            for row in (0..crowd.len()).filter(|&row| crowd.group[row] == *group) {
                let (p, v) = (crowd.pos[row], crowd.vel[row]);
                let end = p + v * ahead.ahead_s;
                let by = vec2(ahead.radius_m, ahead.radius_m);
                let (low, high) =
                    (vec2(p.x.min(end.x), p.y.min(end.y)) - by, vec2(p.x.max(end.x), p.y.max(end.y)) + by);
                ground.block(low, high, |c| {
                    let inside = share_inside(ground, c, |q: Vec2| ahead.covers(world.apart(p, q), v));
                    there[c] += ahead.people_per_m2 * inside;
                });
            }
        }
    }

    /// Adds up what people of a group feel: that of the place, and that of all groups but their own.
    pub fn feel(&mut self, group: u16, place: &[f64]) {
        self.felt.copy_from_slice(place);
        for Brought { there, .. } in self.of.iter().filter(|brought| brought.group != group) {
            for (felt, there) in self.felt.iter_mut().zip(there) {
                *felt += there;
            }
        }
    }
}
