//! People of recorded tracks who walk among the recorded others (Johansson, Helbing, Shukla 2007).
//!
//! There are several copies of the crowd, and each person walks in one of them only: there the others are where the recording has
//! them. A model sees an ordinary crowd, and the run an ordinary model.

use super::output::Output;
use crate::crowd::{Crowd, RowMap, Steering, Update, View};
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
            if model.looks_around() {
                near.build(model.reach_m(), periodic, &crowd.pos, &crowd.vel, &crowd.radius);
            } else {
                near.build(1.0, periodic, &[], &[], &[]);
            }
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
    fn looks_around(&self) -> bool {
        false
    }

    fn needs_distance(&self) -> bool {
        self.copies[0].needs_distance()
    }

    fn remap(&mut self, rows: &RowMap) {
        self.copies.iter_mut().for_each(|model| model.remap(rows));
    }
}
