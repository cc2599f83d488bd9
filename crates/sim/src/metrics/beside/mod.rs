//! What a run of a whole crowd is beside the tracks of the scenario: N(t), the map of density, the fundamental diagram.
//!
//! Nobody is compared with the own track; both sides are measured alike, at the same interval and in the same window. The recorded side
//! is measured when the metric is made.

mod density_map;
mod diagram;
mod n_t;

pub(super) use density_map::DENSITY_MAP_ERROR_PER_M2;
pub(super) use diagram::FUNDAMENTAL_DIAGRAM_ERROR_M_PER_S;
pub(super) use n_t::N_T_ERROR_S;

use super::{Sample, Seen, Spec};
use crate::crowd::{Crowd, Exit};
use crate::world::scenario::Scenario;

/// A nanosecond, s: rounding must not move a sample over the end of a window.
const SLACK_S: f64 = 1e-9;

/// Shows the recorded people at the times of samples, from the start until all have gone or to the end of the run. Who goes between two
/// samples leaves at the place of the last frame, as in a run.
fn play(spec: &Spec, scenario: &Scenario, mut each: impl FnMut(&Seen<'_>)) {
    let Some(tracks) = &scenario.tracks else { return };
    let torus = &scenario.world.plan.periodic;
    let samples = |end_s: f64| end_s / spec.sample_every_s;
    let last = (samples(tracks.last_s()) - SLACK_S).ceil().min(samples(scenario.limit_s) + SLACK_S) as u64;
    let (mut crowd, mut exits) = (Crowd::default(), Vec::new());
    let mut before_s = 0.0;
    for sample in 0..=last {
        let time_s = sample as f64 * spec.sample_every_s;
        exits.clear();
        exits.extend((0..).zip(&tracks.people).filter_map(|(id, track)| {
            let (_, last_s) =
                tracks.span_s(id).filter(|_| tracks.has_gone(id, time_s) && !tracks.has_gone(id, before_s))?;
            let (group, pos) = (track.group, torus.wrap(track.last_place()));
            Some(Exit { id, group, goal: None, caught: false, time_s: last_s, pos })
        }));
        before_s = time_s;
        crowd.id.clear();
        crowd.group.clear();
        crowd.pos.clear();
        for (id, place) in tracks.present(time_s, torus) {
            crowd.id.push(id);
            crowd.group.push(tracks.people[id as usize].group);
            crowd.pos.push(place);
        }
        each(&Sample { time_s, crowd: &crowd, exits: &exits, world: &scenario.world }.seen(&[]));
    }
}

#[cfg(test)]
mod tests {
    use super::super::region::tests::Stage;
    use super::super::testing::{Film, make_with};
    use super::super::{MakeMetric, Metric, Window};
    use crate::world::Tracks;
    use crate::world::scenario::{FloorPlan, Polygon};
    use crowdtune_core::math::{Vec2, vec2};
    use crowdtune_core::registry::Entry;
    use std::sync::Arc;

    /// Ids and places.
    type People = Vec<(u32, (f64, f64))>;

    /// A metric at the line x = 0, and how to show it people who cross at these times.
    pub(super) struct Crossing {
        #[expect(clippy::type_complexity, reason = "a closure over the film")]
        pub film: Box<dyn Fn(&mut dyn Metric, f64, &[f64])>,
        pub metric: Box<dyn Metric>,
    }

    pub(super) fn tracks(every_s: f64, rows: Vec<Vec<(u32, Vec2)>>) -> Option<Arc<Tracks>> {
        let people = rows.len();
        Some(Arc::new(Tracks::new(every_s, None, rows, &[people])))
    }

    /// The recorded people cross at these whole seconds, and the recording ends a second after the last of them.
    pub(super) fn crossing(entry: &'static Entry<MakeMetric>, at: &[f64], window: Window) -> Crossing {
        let mut film = Film::new(at.len(), 10.0);
        let end = at.iter().copied().fold(0.0, f64::max) as u32 + 1;
        let side = |crosses: f64, time_s: f64| if time_s >= crosses { 1.0 } else { -1.0 };
        let rows = |&crosses: &f64| {
            (0..=end).map(|frame| (frame, vec2(side(crosses, f64::from(frame)), 1.0))).collect::<Vec<_>>()
        };
        film.scenario.tracks = tracks(1.0, at.iter().map(rows).collect());
        let metric = make_with(entry, &film, |spec| (spec.window, spec.sample_every_s) = (window, 1.0));
        let show = move |metric: &mut dyn Metric, time_s: f64, at: &[f64]| {
            let people: People = (0..).zip(at.iter().map(|&crosses| (side(crosses, time_s), 1.0))).collect();
            film.show(metric, time_s, &people, &[]);
        };
        Crossing { film: Box::new(show), metric }
    }

    /// The recorded people stand at these places for 4 s.
    pub(super) fn standing(
        entry: &'static Entry<MakeMetric>,
        settings: &[f64],
        at: &[(f64, f64)],
    ) -> (Film, Box<dyn Metric>) {
        let mut film = Film::new(at.len(), 10.0);
        let rows = at.iter().map(|p| (0..=4).map(|frame| (frame, vec2(p.0, p.1))).collect()).collect();
        film.scenario.tracks = tracks(1.0, rows);
        let metric = make_with(entry, &film, |spec| {
            (spec.settings, spec.sample_every_s) = (settings.to_vec(), 1.0);
        });
        (film, metric)
    }

    /// A queue in a corridor 1 m wide, measured over 4 m, in parts of so many samples with a distance and a speed each; people of one
    /// part are not those of the next one.
    #[expect(clippy::type_complexity, reason = "a closure over nothing")]
    pub(super) fn queue(
        entry: &'static Entry<MakeMetric>,
        parts: &[(f64, f64, usize)],
    ) -> (Stage, Box<dyn Metric>, impl Fn(&[(f64, f64, usize)]) -> Vec<People>) {
        let walk = |parts: &[(f64, f64, usize)]| {
            let mut samples = Vec::new();
            for (part, &(spacing, speed, count)) in (0_u32..).zip(parts) {
                let place = |id: u32, k: usize| (spacing * (f64::from(id) - 20.0) + 0.1 * speed * k as f64, 0.5);
                samples
                    .extend((0..count).map(|k| (0..40).map(|id| (40 * part + id, place(id, k))).collect::<People>()));
            }
            samples
        };
        let floor = Polygon::rectangle(vec2(-40.0, 0.0), vec2(40.0, 1.0));
        let area = Polygon::rectangle(vec2(-2.0, 0.0), vec2(2.0, 1.0));
        let mut stage = Stage::new(FloorPlan { walkable: vec![(floor, Vec::new())], ..FloorPlan::default() }, area);
        let mut rows = vec![Vec::new(); 40 * parts.len()];
        for (frame, people) in (0..).zip(walk(parts)) {
            for (id, place) in people {
                rows[id as usize].push((frame, vec2(place.0, place.1)));
            }
        }
        stage.scenario.tracks = tracks(0.1, rows);
        let metric = stage.make(entry, &crowdtune_core::registry::defaults(entry.params));
        (stage, metric, walk)
    }
}
