//! What one part of a model made of others writes.

use crate::crowd::{RowMap, Status, Steering, Update, View};
use crowdtune_core::math::Vec2;

/// What a part of a model wrote, by row.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// m/s.
    pub vel: Vec<Vec2>,
    /// Extra displacement, m; empty if the part gives none.
    pub shift: Vec<Vec2>,
    /// N/m.
    pub pressure: Vec<f64>,
    pub status: Vec<Status>,
}

impl Output {
    /// Runs a part.
    pub fn by(&mut self, part: &mut dyn Steering, view: &View<'_>) {
        let n = view.crowd.len();
        self.vel.resize(n, Vec2::ZERO);
        self.shift.clear();
        self.pressure.clear();
        self.pressure.resize(n, 0.0);
        self.status.clear();
        self.status.extend_from_slice(&view.crowd.status);
        let Self { vel, shift, pressure, status } = self;
        part.steer(view, &mut Update { vel, shift, pressure, status });
    }

    /// Rows have moved because people left.
    pub fn remap(&mut self, rows: &RowMap) {
        rows.apply(&mut self.vel);
        rows.apply(&mut self.shift);
        rows.apply(&mut self.pressure);
        rows.apply(&mut self.status);
    }
}
