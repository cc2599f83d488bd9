//! Who of two models is near enough to touch soon: a list that is made anew when people have moved far enough.

use crate::crowd::View;
use crate::world::Neighbors;
use crowdtune_core::math::Vec2;

/// How much farther than a touch the list looks, m. Chosen here: a walker takes a tenth of a second, a step of most models.
const SKIN_M: f64 = 0.3;

/// Pairs of people whom different models steer.
#[derive(Clone, Debug, Default)]
pub(super) struct Strangers {
    near: Neighbors,
    /// Rows of both, each pair twice, in order.
    pairs: Vec<(u32, u32)>,
    /// When the list was made: everybody's place and group, by row, and how far apart bodies may be, m.
    pos: Vec<Vec2>,
    group: Vec<u16>,
    gap: f64,
}

impl Strangers {
    /// All pairs whose bodies are no more than `gap` apart, and others; `model` gives the model of each group.
    pub fn find(&mut self, view: &View<'_>, gap: f64, max_radius: f64, model: &[usize]) -> &[(u32, u32)] {
        let crowd = view.crowd;
        let spare = self.gap - gap;
        if spare < 0.0 || self.group != crowd.group || 2.0 * self.moved(view) > spare {
            self.list(view, gap + SKIN_M, max_radius, model);
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

    fn list(&mut self, view: &View<'_>, gap: f64, max_radius: f64, model: &[usize]) {
        let (crowd, near) = (view.crowd, &mut self.near);
        self.gap = gap;
        self.pos.clone_from(&crowd.pos);
        self.group.clone_from(&crowd.group);
        near.build(2.0 * max_radius + gap, view.world.plan.periodic, &crowd.pos, &crowd.vel, &crowd.radius);
        self.pairs.clear();
        for (row, (&p, &r)) in crowd.pos.iter().zip(&crowd.radius).enumerate() {
            let (from, own) = (self.pairs.len(), model[usize::from(crowd.group[row])]);
            for slot in near.around(p).into_iter().flatten() {
                let reach = r + near.radius[slot] + gap;
                if near.apart(p, near.pos[slot]).length2() >= reach * reach {
                    continue;
                }
                let other = near.row[slot];
                if model[usize::from(crowd.group[other as usize])] != own {
                    self.pairs.push((row as u32, other));
                }
            }
            self.pairs[from..].sort_unstable();
        }
    }

    /// People have left: the rows are not the same any more.
    pub fn forget(&mut self) {
        self.group.clear();
    }
}
