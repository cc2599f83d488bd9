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
/// were last put onto the tracks. As in a run, a sample at that time is still of the way before.
fn errors(experiment: &Experiment, case: &Case, share: f64) -> Vec<(usize, Option<f64>)> {
    let Some(tracks) = &case.scenario.tracks else { return Vec::new() };
    let needs = |column: usize| experiment.columns[column].metric.make.needs;
    let mut metrics = metrics(experiment, case);
    metrics.retain(|(column, _)| needs(*column).contains(&Need::Tracks));
    let world = &*case.scenario.world;
    let every_s = experiment.timing.sample_every_s;
    let end_s = case.scenario.limit_s.min(tracks.every_s * tracks.places.len() as f64);
    for k in 1..=(end_s / every_s).round() as u64 {
        let time_s = k as f64 * every_s;
        // A nanosecond: rounding must not move a sample over a restart.
        let start_s = tracks.restart_every_s.map_or(0.0, |s| (((time_s - 1e-9) / s).floor() * s).max(0.0));
        let crowd = crowd(case, tracks, start_s, share * (time_s - start_s));
        for (column, metric) in &mut metrics {
            metric.observe(&Sample { time_s, crowd: &crowd, exits: &[], world }.seen(needs(*column)));
        }
    }
    metrics.into_iter().map(|(column, metric)| (column, metric.value())).collect()
}

/// Those who are on the tracks at a time, so many seconds further along their velocity.
fn crowd(case: &Case, tracks: &Tracks, start_s: f64, ahead_s: f64) -> Crowd {
    let periodic = &case.scenario.world.plan.periodic;
    let groups = case.scenario.groups.iter().zip(0..).flat_map(|(group, at)| std::iter::repeat_n(at, group.count));
    let mut crowd = Crowd::default();
    for (id, group) in (0..tracks.people() as u32).zip(groups) {
        let Some(place) = tracks.place(start_s, id) else { continue };
        let velocity = tracks.velocity(start_s, id, |from, to| periodic.apart(from, to)).unwrap_or(Vec2::ZERO);
        crowd.id.push(id);
        crowd.group.push(group);
        crowd.pos.push(periodic.wrap(place + velocity * ahead_s));
    }
    crowd
}
