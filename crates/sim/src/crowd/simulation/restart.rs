//! Runs beside recorded tracks: everybody is put where the recording has them.

use super::Simulation;

impl Simulation<'_> {
    /// Puts everybody whom the recording has at this time onto its place and velocity; the others walk on. Nothing without
    /// tracks.
    pub(super) fn restart(&mut self, time_s: f64) {
        let Some(tracks) = &self.setup.scenario.tracks else { return };
        let periodic = &self.setup.scenario.world.plan.periodic;
        for (i, &id) in self.crowd.id.iter().enumerate() {
            if let Some(place) = tracks.place(time_s, id) {
                self.crowd.pos[i] = place;
            }
            if let Some(velocity) = tracks.velocity(time_s, id, |from, to| periodic.apart(from, to)) {
                self.crowd.vel[i] = velocity;
            }
        }
    }
}
