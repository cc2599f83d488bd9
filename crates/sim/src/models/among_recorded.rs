//! People of recorded tracks who walk among the recorded others (Johansson, Helbing, Shukla 2007).
//!
//! There are several copies of the crowd, and each person walks in one of them only: there the others are where the recording has
//! them. A model sees an ordinary crowd, and the run an ordinary model.

use super::output::Output;
use crate::crowd::{Crowd, Looks, RowMap, Steering, Update, View};
use crate::world::{Neighbors, Tracks};
use crowdtune_core::math::Vec2;
use std::sync::Arc;

/// One model for each copy of the crowd.
pub(super) struct AmongRecorded {
    copies: Vec<Box<dyn Steering>>,
    tracks: Arc<Tracks>,
    /// Where the recording has everybody, and how fast, by row.
    recorded: Vec<(Vec2, Vec2)>,
    crowd: Crowd,
    near: Neighbors,
    out: Output,
}

impl AmongRecorded {
    /// A model for each of the copies: person k walks in copy k modulo their number.
    pub(super) fn new(tracks: Arc<Tracks>, copies: Vec<Box<dyn Steering>>) -> Self {
        let (crowd, near, out) = (Crowd::default(), Neighbors::default(), Output::default());
        Self { copies, tracks, recorded: Vec::new(), crowd, near, out }
    }
}

impl Steering for AmongRecorded {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        let Self { copies, tracks, recorded, crowd, near, out } = self;
        let (walking, periodic) = (view.crowd, view.world.plan.periodic);
        let time_s = view.step as f64 * view.dt;
        recorded.clear();
        recorded.extend(walking.id.iter().enumerate().map(|(row, &id)| {
            // Of whom there is no track, the run says where they are.
            tracks.seen(time_s, id, &periodic).unwrap_or((walking.pos[row], walking.vel[row]))
        }));
        crowd.copy_from(walking);
        let count = copies.len();
        for (turn, model) in copies.iter_mut().enumerate() {
            let walks = |row: usize| walking.id[row] as usize % count == turn;
            for (row, &(pos, vel)) in recorded.iter().enumerate() {
                let own = walks(row);
                crowd.pos[row] = if own { walking.pos[row] } else { pos };
                crowd.vel[row] = if own { walking.vel[row] } else { vel };
            }
            model.find_neighbors(near, crowd, periodic);
            out.by(model.as_mut(), &View { crowd: &*crowd, near: &*near, ..*view });
            if !out.shift.is_empty() {
                next.shift.resize(walking.len(), Vec2::ZERO);
            }
            for row in (0..walking.len()).filter(|&row| walks(row)) {
                next.vel[row] = out.vel[row];
                next.pressure[row] = out.pressure[row];
                next.status[row] = out.status[row];
                if let Some(&shift) = out.shift.get(row) {
                    next.shift[row] = shift;
                }
            }
        }
    }

    fn reach_m(&self) -> f64 {
        self.copies[0].reach_m()
    }

    /// Each copy has neighbors of its own.
    fn looks(&self) -> Looks {
        Looks::Nowhere
    }

    fn needs_distance(&self) -> bool {
        self.copies[0].needs_distance()
    }

    fn remap(&mut self, rows: &RowMap) {
        self.copies.iter_mut().for_each(|model| model.remap(rows));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::{RunSetup, Sim, Start};
    use crate::world::scenario::{FloorPlan, Group, Pull, Scenario, Spawn};
    use crowdtune_core::math::vec2;

    /// Everybody walks with the sum of the places of the others, in m/s.
    struct Sees;

    impl Steering for Sees {
        fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
            let sum = view.crowd.pos.iter().fold(Vec2::ZERO, |sum, &pos| sum + pos);
            for row in 0..view.crowd.len() {
                next.vel[row] = sum - view.crowd.pos[row];
            }
        }

        fn reach_m(&self) -> f64 {
            1.0
        }
    }

    /// Where three people are after five steps of 0.1 s who were recorded standing at 1, 2 and 0 m.
    fn after(one_in: Option<u32>) -> Vec<f64> {
        let stands = |x: f64| (0..10).map(|frame| (frame, vec2(x, 0.0))).collect();
        let tracks = Tracks { one_in, ..Tracks::new(0.1, None, vec![stands(1.0), stands(2.0), stands(0.0)], &[3]) };
        let tracks = Arc::new(tracks);
        let spawn = Spawn::Points(vec![Vec2::ZERO; 3]);
        let group = Group { count: 3, spawn, pull: Pull::Nothing, ..Group::default() };
        let mut place = Scenario::new("test", FloorPlan::default(), vec![group]).unwrap();
        place.tracks = Some(tracks.clone());
        let start = Start::new(RunSetup::new(place, 0.1)).unwrap();
        let copies = (0..one_in.unwrap_or(0)).map(|_| Box::new(Sees) as Box<dyn Steering>).collect();
        let model: Box<dyn Steering> =
            if one_in.is_some() { Box::new(AmongRecorded::new(tracks, copies)) } else { Box::new(Sees) };
        let mut sim = Sim::new(start, model);
        (0..5).for_each(|_| sim.step().unwrap());
        sim.crowd().pos.iter().map(|pos| pos.x).collect()
    }

    fn near(found: &[f64], by_hand: [f64; 3]) {
        assert!(found.iter().zip(by_hand).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?} {by_hand:?}");
    }

    #[test]
    fn the_others_are_where_they_were_recorded() {
        // Alone: the others stand, so that everybody keeps one speed: 2, 1 and 3 m/s for 0.5 s.
        near(&after(Some(3)), [2.0, 2.5, 1.5]);
        // In two copies the first and the third walk together, and see each other walk.
        let (mut first, mut third) = (1.0, 0.0);
        for _ in 0..5 {
            (first, third) = (first + 0.1 * (2.0 + third), third + 0.1 * (first + 2.0));
        }
        near(&after(Some(2)), [first, 2.5, third]);
        // All together: their sum grows by a fifth a step, and differences shrink by a tenth.
        let (sum, shrunk) = (3.0 * 1.2_f64.powi(5), 0.9_f64.powi(5));
        near(&after(None), [sum / 3.0, sum / 3.0 + shrunk, sum / 3.0 - shrunk]);
    }
}
