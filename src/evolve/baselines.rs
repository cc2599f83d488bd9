//! What a track error is without any model: everybody walks straight on, or stands still.

use super::evaluate::metrics;
use super::experiment::{Case, Experiment};
use super::summary::Baseline;
use crowdtune_core::math::Vec2;
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::metrics::{Need, Sample};
use crowdtune_sim::world::Tracks;

/// The baselines of every column that compares with tracks, for each case that has it.
pub(super) fn baselines(experiment: &Experiment) -> Vec<Baseline> {
    let of_case = |case| {
        let walking = errors(experiment, case, 1.0);
        let standing = errors(experiment, case, 0.0);
        walking.into_iter().zip(standing).filter_map(|((column, walking), (_, standing))| {
            Some(Baseline {
                case: case.name.clone(),
                target: experiment.columns[column].name.clone(),
                constant_velocity: walking?,
                standing_still: standing?,
            })
        })
    };
    experiment.cases.iter().flat_map(of_case).collect()
}

/// The value of each column that compares with tracks, for people who keep this share of the velocity that they had when they
/// came in or were last put onto the tracks. As in a run, a sample at that time is still of the way before.
fn errors(experiment: &Experiment, case: &Case, share: f64) -> Vec<(usize, Option<f64>)> {
    let Some(tracks) = &case.scenario.tracks else { return Vec::new() };
    let needs = |column: usize| experiment.columns[column].metric.make.needs;
    let mut metrics = metrics(experiment, case);
    metrics.retain(|(column, _)| needs(*column).contains(&Need::Tracks));
    let world = &*case.scenario.world;
    let every_s = experiment.timing.sample_every_s;
    let ends = (0..tracks.people.len() as u32).filter_map(|person| tracks.span_s(person)).map(|(_, last_s)| last_s);
    let end_s = case.scenario.limit_s.min(ends.fold(0.0, f64::max));
    for k in 1..=(end_s / every_s).round() as u64 {
        let time_s = k as f64 * every_s;
        // A nanosecond: rounding must not move a sample over a restart.
        let start_s = tracks.restart_every_s.map_or(0.0, |s| (((time_s - 1e-9) / s).floor() * s).max(0.0));
        let crowd = crowd(case, tracks, start_s, time_s, share);
        for (column, metric) in &mut metrics {
            metric.observe(&Sample { time_s, crowd: &crowd, exits: &[], world }.seen(needs(*column)));
        }
    }
    metrics.into_iter().map(|(column, metric)| (column, metric.value())).collect()
}

/// Those who are there at a time, this share of their velocity further from where they came in or were at the last start.
fn crowd(case: &Case, tracks: &Tracks, start_s: f64, time_s: f64, share: f64) -> Crowd {
    let torus = &case.scenario.world.plan.periodic;
    let mut crowd = Crowd::default();
    for (id, track) in (0..).zip(&tracks.people) {
        let Some((first_s, last_s)) = tracks.span_s(id).filter(|_| !tracks.has_gone(id, time_s)) else { continue };
        let since_s = start_s.max(first_s).min(last_s);
        let Some(place) = tracks.place(since_s, id, torus) else { continue };
        let velocity = tracks.velocity(since_s, id, torus).unwrap_or(Vec2::ZERO);
        crowd.id.push(id);
        crowd.group.push(track.group);
        crowd.pos.push(torus.wrap(place + velocity * share * (time_s - since_s)));
    }
    crowd
}
