//! Who of two models is near enough to touch soon: a list that is made anew when people have moved far enough.

use crate::crowd::View;
use crate::world::Neighbors;
use crowdtune_core::math::Vec2;

/// How much farther than a touch the list looks, m: a walker takes a quarter of a second. Chosen here: with less the list is made more
/// often, with more it is longer.
const SKIN_M: f64 = 0.6;

/// Pairs of people whom different models steer.
#[derive(Clone, Debug, Default)]
pub(super) struct Strangers {
    near: Neighbors,
    /// By slot: who steers.
    by: Vec<u32>,
    /// Rows of both, each pair twice, in order.
    pairs: Vec<(u32, u32)>,
    /// When the list was made: everybody's place, by row, and how far apart bodies may be, m. Empty without a list.
    pos: Vec<Vec2>,
    gap: f64,
}

impl Strangers {
    /// All pairs whose bodies are no more than `gap` apart, and others; `steered_by` gives the model of each group.
    pub fn find(&mut self, view: &View<'_>, gap: f64, max_radius: f64, steered_by: &[usize]) -> &[(u32, u32)] {
        let spare = self.gap - gap;
        if spare < 0.0 || self.pos.len() != view.crowd.len() || 2.0 * self.moved(view) > spare {
            self.list(view, gap + SKIN_M, max_radius, steered_by);
        }
        &self.pairs
    }

    /// How far somebody has moved since the list was made, at most, m.
    fn moved(&self, view: &View<'_>) -> f64 {
        let places = || self.pos.iter().zip(&view.crowd.pos);
        let far2 = if view.world.plan.periodic.is_open() {
            places().fold(0.0_f64, |most, (&then, &now)| most.max((now - then).length2()))
        } else {
            places().fold(0.0_f64, |most, (&then, &now)| most.max(view.world.apart(then, now).length2()))
        };
        far2.sqrt()
    }

    fn list(&mut self, view: &View<'_>, gap: f64, max_radius: f64, steered_by: &[usize]) {
        let Self { near, by, pairs, pos, .. } = self;
        let crowd = view.crowd;
        self.gap = gap;
        pos.clone_from(&crowd.pos);
        near.build(2.0 * max_radius + gap, view.world.plan.periodic, &crowd.pos, &crowd.vel, &crowd.radius);
        by.clear();
        by.extend(near.row.iter().map(|&row| steered_by[usize::from(crowd.group[row as usize])] as u32));
        pairs.clear();
        let mut cells = near.cells();
        while let Some((slots, ranges)) = cells.advance() {
            for slot in slots {
                let (p, reach) = (near.pos[slot], near.radius[slot] + gap);
                // The others find those before them.
                for other in ranges.iter().flat_map(|range| range.start.max(slot + 1)..range.end) {
                    let reach = reach + near.radius[other];
                    if by[other] != by[slot] && near.apart(p, near.pos[other]).length2() < reach * reach {
                        let (one, two) = (near.row[slot], near.row[other]);
                        pairs.extend([(one, two), (two, one)]);
                    }
                }
            }
        }
        pairs.sort_unstable();
    }

    /// People have left, come or changed their group: the list holds no more.
    pub fn forget(&mut self) {
        self.pos.clear();
    }
}
