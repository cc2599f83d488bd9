//! What a track error is without any model: everybody walks straight on, or stands still.

use super::evaluate::{Ran, metrics};
use super::experiment::{Case, Experiment};
use super::people::ByPerson;
use super::summary::{Baseline, Figure};
use crowdtune_core::math::Vec2;
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::metrics::{Need, Sample};
use crowdtune_sim::world::Tracks;

/// How people walk without a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// Everybody keeps the velocity that they had when they came in or were last put onto the tracks.
    Straight,
    /// Everybody stays where they were then.
    Standing,
}

impl Without {
    /// Both, straight on first.
    pub const ALL: [Self; 2] = [Self::Straight, Self::Standing];

    /// As a row of a table is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Straight => "walking straight on",
            Self::Standing => "standing still",
        }
    }

    /// Share of the velocity that people keep.
    fn share(self) -> f64 {
        match self {
            Self::Straight => 1.0,
            Self::Standing => 0.0,
        }
    }
}

/// The baselines of every column that compares with tracks, for each case that has it.
pub(super) fn baselines(experiment: &Experiment) -> Vec<Baseline> {
    let of_case = |case| {
        let [walking, standing] = Without::ALL.map(|way| errors(experiment, case, way));
        let columns = 0..experiment.columns.len();
        columns.zip(walking.values.into_iter().zip(standing.values)).filter_map(|(column, (walking, standing))| {
            Some(Baseline {
                case: case.name.clone(),
                target: experiment.columns[column].name.clone(),
                constant_velocity: walking?,
                standing_still: standing?,
                difference: Figure::default(),
            })
        })
    };
    // Over a whole way, round walls, nobody walks straight on.
    let restarts = |case: &&Case| case.scenario.leaves_as_recorded();
    experiment.cases.iter().filter(restarts).flat_map(of_case).collect()
}

/// True if a column compares with tracks.
pub(crate) fn compares(experiment: &Experiment, column: usize) -> bool {
    experiment.columns[column].metric.make.needs.contains(&Need::Tracks)
}

/// True if a column is a mean over people, so that its interval is over them.
pub(crate) fn over_people(experiment: &Experiment, column: usize) -> bool {
    experiment.columns[column].metric.make.over_people
}

/// What the columns that compare with tracks are without a model; the others have no value. As in a run, a sample at the time of a
/// restart is still of the way before.
pub(crate) fn errors(experiment: &Experiment, case: &Case, way: Without) -> Ran {
    let count = experiment.columns.len();
    let mut ran = Ran { values: vec![None; count], people: vec![ByPerson::new(); count] };
    let Some(tracks) = &case.scenario.tracks else { return ran };
    let needs = |column: usize| experiment.columns[column].metric.make.needs;
    let mut metrics = metrics(experiment, case);
    metrics.retain(|(column, _)| compares(experiment, *column));
    let world = &*case.scenario.world;
    let every_s = experiment.timing.sample_every_s;
    let last_s = if case.scenario.leaves_as_recorded() { tracks.last_s() } else { f64::INFINITY };
    let end_s = case.scenario.limit_s.min(last_s);
    for k in 1..=(end_s / every_s).round() as u64 {
        let time_s = k as f64 * every_s;
        // A nanosecond: rounding must not move a sample over a restart.
        let start_s = tracks.restart_every_s.map_or(0.0, |s| (((time_s - 1e-9) / s).floor() * s).max(0.0));
        let crowd = crowd(case, tracks, start_s, time_s, way.share());
        for (column, metric) in &mut metrics {
            metric.observe(&Sample { time_s, crowd: &crowd, exits: &[], world }.seen(needs(*column)));
        }
    }
    for (column, metric) in metrics {
        (ran.values[column], ran.people[column]) = (metric.value(), metric.by_person());
    }
    ran
}

/// Those who are there at a time, this share of their velocity further from where they came in or were at the last start.
fn crowd(case: &Case, tracks: &Tracks, start_s: f64, time_s: f64, share: f64) -> Crowd {
    let (torus, as_recorded) = (&case.scenario.world.plan.periodic, case.scenario.leaves_as_recorded());
    let mut crowd = Crowd::default();
    for (id, track) in (0..).zip(&tracks.people) {
        if !tracks.has_come(id, time_s) || as_recorded && tracks.has_gone(id, time_s) {
            continue;
        }
        let Some((first_s, last_s)) = tracks.span_s(id) else { continue };
        let since_s = start_s.max(first_s).min(last_s);
        let Some(place) = tracks.place(since_s, id, torus) else { continue };
        let velocity = tracks.velocity(since_s, id, torus).unwrap_or(Vec2::ZERO);
        crowd.id.push(id);
        crowd.group.push(track.group);
        crowd.pos.push(torus.wrap(place + velocity * share * (time_s - since_s)));
    }
    crowd
}
