//! Runs in which everybody walks among the recorded others, from states that are estimated too, and how far they are from the rows.

use super::eliminate::Block;
use crate::evolve::evaluate::run_seed;
use crate::evolve::experiment::Experiment;
use crate::track_fit::Taken;
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_search::Purpose;
use crowdtune_sim::world::scenario::Scenario;
use crowdtune_sim::world::{Leave, Torus, Track, Tracks};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Copies of the crowd: of so many people near to somebody all but one are where they were seen. Chosen here: runs cost as many
/// times more.
const COPIES: u32 = 4;
/// A person who is seen for fewer samples between two restarts says nothing. Chosen here: twice as many numbers as the state that
/// is estimated from them has.
const LEAST_SAMPLES: usize = 4;

/// Nearer than this besides the two radii, m, people count as touching. Chosen here: twice the error of a distance between rows that
/// are wrong by a centimeter.
const TOUCH_M: f64 = 0.03;
/// A state is that of a parabola through the rows within this time, s. Chosen here: it is where the estimate starts from.
const AROUND_S: f64 = 0.35;

/// Where somebody is and how fast, m and m/s.
pub(super) type State = [f64; 4];

/// A person between two restarts.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// Id in the run.
    pub person: usize,
    /// False for somebody who is held out: walks there, and says nothing.
    pub tuned: bool,
    /// True where somebody else was seen as near as bodies touch: the stiff contact multiplies the error of the rows.
    pub touches: bool,
    /// First step, and the first that is not part of it any more.
    start: u64,
    end: u64,
    /// Where the rows around the start have the person then.
    recorded: State,
    /// Steps at which the person was seen, and where.
    seen: Vec<(u64, Vec2)>,
}

impl Stretch {
    /// How many numbers were measured, less those of the state.
    pub(super) fn freedom(&self) -> f64 {
        (2 * self.seen.len()) as f64 - 4.0
    }
}

/// What is unknown of a run besides the constants.
#[derive(Clone, Debug)]
pub(super) struct Unknown {
    /// Desired speed of everybody, by id, m/s.
    pub speeds: Vec<f64>,
    /// State at the start of each stretch.
    pub states: Vec<State>,
}

/// What came out, by stretch.
pub(super) struct Walked {
    /// How far the person is from the rows, x and y of each sample, m.
    pub residuals: Vec<Vec<f64>>,
    /// Where the person is at each step.
    paths: Vec<Vec<Vec2>>,
}

/// The experiment of a fit as it is run for an estimate.
pub(super) struct Walks {
    experiment: Experiment,
    pub stretches: Vec<Stretch>,
    /// The tracks as they were recorded; a frame is a step.
    recorded: Tracks,
}

impl Walks {
    /// The stretches of the time that the search sees; of those who are held out too, because they walk among the others.
    pub(super) fn new(experiment: &Experiment, taken: &Taken) -> Option<Self> {
        let experiment = experiment.clone();
        let scenario = &experiment.cases[0].scenario;
        let (tracks, torus) = (scenario.tracks.as_deref()?, scenario.world.plan.periodic);
        let steps = |time_s: f64| (time_s / experiment.timing.time_step_s).round() as u64;
        let (every, sample) = (steps(tracks.restart_every_s?), steps(experiment.timing.sample_every_s));
        let time_s = |step: u64| step as f64 * experiment.timing.time_step_s;
        let mut stretches = Vec::new();
        let mut people = Vec::new();
        for (person, track) in (0..).zip(&tracks.people) {
            let (first_s, last_s) = tracks.span_s(person)?;
            // The steps at which the person is there.
            let (mut first, mut last) = (steps(first_s), steps(last_s));
            first += u64::from(!tracks.has_come(person, time_s(first)));
            last -= u64::from(last > first && tracks.has_gone(person, time_s(last)));
            let at = |step: u64| step.is_multiple_of(sample) || step == first;
            let seen = (first..last).filter(|step| at(*step)).chain([last.max(first)]);
            let rows = seen.filter_map(|step| Some((step as u32, tracks.seen(time_s(step), person, &torus)?.0)));
            people.push(Track { rows: rows.collect(), ..track.clone() });
            let mut start = first;
            while start < last.min(steps(taken.held_out_from_s)) {
                let end = ((start / every + 1) * every).min(last + 1);
                let seen = (start..end).filter(|step| at(*step));
                let seen: Vec<_> =
                    seen.filter_map(|step| Some((step, tracks.place(time_s(step), person, &torus)?))).collect();
                if seen.len() >= LEAST_SAMPLES
                    && let Some(recorded) = around(tracks, track, time_s(start), &torus)
                {
                    let tuned = !track.is_held_out(taken.asked.held_out_one_in);
                    stretches.push(Stretch {
                        person: person as usize,
                        tuned,
                        touches: false,
                        start,
                        end,
                        recorded,
                        seen,
                    });
                }
                start = end;
            }
        }
        touch(&mut stretches, &people, 2.0 * taken.radius_m + TOUCH_M, &torus);
        // In the order of time, for one run to go through them.
        stretches.sort_by_key(|stretch| stretch.start);
        let recorded = Tracks {
            every_s: experiment.timing.time_step_s,
            stride: 1,
            people,
            restart_every_s: None,
            one_in: Some(COPIES),
            leave: Leave::AsRecorded,
        };
        let mut walks = Self { experiment, stretches, recorded };
        walks.follow(walks.recorded.clone());
        Some(walks)
    }

    /// Everything as the recording has it; `None` if it does not say how fast somebody wants to walk.
    pub(super) fn recorded(&self) -> Option<Unknown> {
        Some(Unknown {
            speeds: self.recorded.people.iter().map(|track| track.desired_speed).collect::<Option<_>>()?,
            states: self.stretches.iter().map(|stretch| stretch.recorded).collect(),
        })
    }

    /// From now on the others are where they were found to walk, which is nearer to where they were than the rows; where that is not
    /// `trusted`, as recorded.
    pub(super) fn refine(&mut self, walked: &Walked, trusted: impl Fn(usize) -> bool) {
        let mut tracks = self.recorded.clone();
        let mut found: Vec<Vec<(u32, Vec2)>> = vec![Vec::new(); tracks.people.len()];
        for (at, (stretch, path)) in self.stretches.iter().zip(&walked.paths).enumerate() {
            if !trusted(at) {
                continue;
            }
            found[stretch.person].extend((stretch.start as u32..).zip(path.iter().copied()));
        }
        for (track, found) in tracks.people.iter_mut().zip(found) {
            let is_found = |step: u32| found.binary_search_by_key(&step, |row| row.0).is_ok();
            // The end of the track is where the person may want to go: it stays.
            let last = track.rows[track.rows.len() - 1];
            let mut rows: Vec<_> = track.rows.iter().copied().filter(|row| !is_found(row.0)).collect();
            rows.extend(found.iter().copied().filter(|row| row.0 < last.0));
            rows.push(last);
            rows.sort_by_key(|row| row.0);
            rows.dedup_by_key(|row| row.0);
            track.rows = rows;
        }
        self.follow(tracks);
    }

    fn follow(&mut self, tracks: Tracks) {
        let case = &mut self.experiment.cases[0];
        case.scenario = Arc::new(Scenario { tracks: Some(Arc::new(tracks)), ..(*case.scenario).clone() });
    }

    /// One run.
    ///
    /// # Errors
    /// Why it cannot be trusted.
    pub(super) fn walk(&self, genes: &[f64], unknown: &Unknown) -> Result<Walked, Error> {
        let case = &self.experiment.cases[0];
        let torus = &case.scenario.world.plan.periodic;
        let seed = run_seed(self.experiment.search.seed, Purpose::Report, &case.table, 0);
        let mut sim = self.experiment.sim(0, genes, seed)?;
        let mut residuals: Vec<Vec<f64>> =
            self.stretches.iter().map(|s| Vec::with_capacity(2 * s.seen.len())).collect();
        let mut paths: Vec<Vec<Vec2>> =
            self.stretches.iter().map(|s| Vec::with_capacity((s.end - s.start) as usize)).collect();
        let (mut step, mut next) = (0, 0);
        // Stretches that have begun and are not over.
        let mut walking: Vec<usize> = Vec::new();
        loop {
            let crowd = sim.crowd_mut();
            while let Some(stretch) = self.stretches.get(next).filter(|stretch| stretch.start == step) {
                if let Ok(row) = crowd.id.binary_search(&(stretch.person as u32)) {
                    let [x, y, u, v] = unknown.states[next];
                    crowd.pos[row] = torus.wrap(Vec2 { x, y });
                    crowd.vel[row] = Vec2 { x: u, y: v };
                    crowd.desired_speed[row] = unknown.speeds[stretch.person];
                }
                walking.push(next);
                next += 1;
            }
            walking.retain(|&at| self.stretches[at].end > step);
            for &at in &walking {
                let (stretch, found) = (&self.stretches[at], &mut residuals[at]);
                let Ok(row) = crowd.id.binary_search(&(stretch.person as u32)) else { continue };
                paths[at].push(crowd.pos[row]);
                if let Some((_, place)) = stretch.seen.get(found.len() / 2).filter(|seen| seen.0 == step) {
                    let apart = torus.apart(*place, crowd.pos[row]);
                    found.extend([apart.x, apart.y]);
                }
            }
            if walking.is_empty() && next == self.stretches.len() {
                return Ok(Walked { residuals, paths });
            }
            sim.step()?;
            step += 1;
        }
    }
}

/// Finds who is nearer to somebody than this in one of the rows.
fn touch(stretches: &mut [Stretch], people: &[Track], within_m: f64, torus: &Torus) {
    let mut frames: BTreeMap<u64, Vec<(usize, Vec2)>> = BTreeMap::new();
    for (person, track) in people.iter().enumerate() {
        for &(step, place) in &track.rows {
            frames.entry(step.into()).or_default().push((person, place));
        }
    }
    for stretch in stretches {
        let near = |(step, place): &(u64, Vec2)| {
            let others = frames.get(step).into_iter().flatten().filter(|(person, _)| *person != stretch.person);
            others.into_iter().any(|(_, other)| torus.apart(*place, *other).length() < within_m)
        };
        stretch.touches = stretch.seen.iter().any(near);
    }
}

/// Where and how fast somebody is at a time: a parabola through the rows around it. `None` if there are too few.
fn around(tracks: &Tracks, track: &Track, time_s: f64, torus: &Torus) -> Option<State> {
    let near = track.rows.iter().map(|row| (f64::from(row.0) * tracks.every_s - time_s, row.1));
    let near: Vec<(f64, Vec2)> = near.filter(|(t, _)| t.abs() <= AROUND_S.max(3.0 * tracks.every_s)).collect();
    let origin = near.first().filter(|_| near.len() >= 4)?.1;
    let column = |of: &dyn Fn(f64) -> f64| near.iter().map(|(t, _)| of(*t)).collect::<Vec<f64>>();
    let coordinate = |of: fn(Vec2) -> f64| {
        let right = near.iter().map(|(_, place)| -of(torus.apart(origin, *place))).collect();
        Block::new(vec![column(&|_| 1.0), column(&|t| t), column(&|t| t * t), right], 3).own(&[])
    };
    let (x, y) = (coordinate(|p| p.x), coordinate(|p| p.y));
    Some([origin.x + x[0], origin.y + y[0], x[1], y[1]])
}
