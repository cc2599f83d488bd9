//! Metrics on recorded tracks instead of a simulation.

use super::{At, MakeMetric, Metric, Need, Place, Sample, Spec, Window};
use crate::crowd::Crowd;
use crate::crowd::Exit;
use crate::crowd::recording::{Moment, Recording};
use crate::world::scenario::{FloorPlan, Goal, Group, Scenario, named};
use crate::world::{FieldCache, World};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, defaults};
use std::sync::Arc;

/// One metric to be measured on a recording.
#[derive(Clone, Debug)]
pub struct Request {
    /// The metric.
    pub entry: &'static Entry<MakeMetric>,
    /// Where; metrics at a line or in a region need it.
    pub at: Option<Place>,
    /// When, in seconds of the recording.
    pub window: Window,
    /// Values of the entry's params.
    pub settings: Vec<f64>,
}

impl Request {
    /// With the default window and params of the metric.
    pub fn plain(entry: &'static Entry<MakeMetric>, at: Option<Place>) -> Self {
        Self { entry, at, window: entry.make.window, settings: defaults(entry.params) }
    }
}

/// What a recording does not say about its people and its place.
#[derive(Clone, Debug)]
pub struct Staging {
    /// The place; without walls and outline if nothing is known.
    pub plan: FloorPlan,
    /// Body radius of everybody, m.
    pub radius_m: Option<f64>,
    /// Frames closer together than this are skipped, s; `None`: none is. The last frame always counts.
    pub every_s: Option<f64>,
}

impl Staging {
    /// People without radius in this place.
    pub fn plain(plan: FloorPlan) -> Self {
        Self { plan, radius_m: None, every_s: None }
    }
}

/// Called after every frame used, with the metrics so far.
pub type EachFrame<'a> = dyn FnMut(&Moment, &[Box<dyn Metric>]) + 'a;

/// Measures a recording; `each` sees the metrics after every frame. The metrics come back in the order of `requests`.
///
/// Frame `f` is at `f / fps` seconds. People who are missing in the last frame have left: in the last frame that has them,
/// at the place they had there. Only metrics with [`Need::Leaving`] see people with a journey; for all others nobody
/// wants anything, so a line that few people cross is no jam.
///
/// # Errors
/// A recording without frames, a metric that needs what tracks do not have, a place that cannot be built.
pub fn measure(
    recording: &Recording,
    staging: Staging,
    requests: &[Request],
    each: &mut EachFrame<'_>,
) -> Result<Vec<Box<dyn Metric>>, Error> {
    let (Some(first), Some(last)) = (recording.moments.first(), recording.moments.last()) else {
        return Err(Error::input("no frame of the recording is left to measure").key("--frames"));
    };
    for request in requests {
        possible(request, &staging)?;
    }
    let exits = Exits::of(recording, &staging.plan);
    let step_s = recording.stride() as f64 / recording.fps;
    let radius_m = staging.radius_m;
    let every_s = staging.every_s.map_or(step_s, |every| every.max(step_s));
    // Two worlds, so that metrics of people who stroll do not see the goal of those who leave.
    let limit_s = recording.time_s(last.frame);
    let strolling = scenario(recording, staging.plan.clone(), limit_s, false)?;
    let leaving = scenario(recording, staging.plan, limit_s, true)?;
    let of = |request: &Request| if request.entry.make.needs.contains(&Need::Leaving) { &leaving } else { &strolling };
    let mut metrics: Vec<Box<dyn Metric>> = requests
        .iter()
        .map(|request| {
            let spec = Spec {
                at: request.at.clone(),
                window: request.window,
                sample_every_s: every_s,
                group: None,
                center: None,
                settings: request.settings.clone(),
            };
            (request.entry.make.make)(&spec, of(request))
        })
        .collect();

    let mut next_s = recording.time_s(first.frame);
    let mut since = first.frame;
    for moment in &recording.moments {
        let time_s = recording.time_s(moment.frame);
        // Half a frame of slack: the interval need not be a multiple of the frames.
        if time_s < next_s - 0.5 * step_s && moment.frame != last.frame {
            continue;
        }
        next_s = time_s + every_s;
        let out = exits.between(since, moment.frame);
        since = moment.frame;
        let crowd = crowd(moment, &strolling.world.plan, radius_m);
        for (metric, request) in metrics.iter_mut().zip(requests) {
            let sample = Sample { time_s, crowd: &crowd, exits: out, world: &of(request).world };
            metric.observe(&sample.seen(request.entry.make.needs));
        }
        each(moment, &metrics);
    }
    Ok(metrics)
}

/// Who left when; people in the last frame have not.
struct Exits {
    /// Last frame of each exit, ascending.
    frames: Vec<i64>,
    exits: Vec<Exit>,
}

impl Exits {
    fn of(recording: &Recording, plan: &FloorPlan) -> Self {
        let mut seen: Vec<Option<(i64, Vec2)>> = vec![None; recording.people()];
        for moment in &recording.moments {
            for (&id, &p) in moment.ids.iter().zip(&moment.positions) {
                seen[id as usize] = Some((moment.frame, plan.periodic.wrap(p)));
            }
        }
        let last = recording.moments.last().map(|m| m.frame);
        let mut gone: Vec<(i64, u32, Vec2)> =
            seen.iter().zip(0..).filter_map(|(s, id)| s.map(|(frame, p)| (frame, id, p))).collect();
        gone.retain(|g| Some(g.0) != last);
        gone.sort_by_key(|g| (g.0, g.1));
        let exits = gone.iter().map(|&(frame, id, pos)| Exit {
            id,
            group: 0,
            goal: None,
            caught: false,
            time_s: recording.time_s(frame),
            pos,
        });
        Self { exits: exits.collect(), frames: gone.iter().map(|g| g.0).collect() }
    }

    /// Those whose last frame is `from` or later and before `to`.
    fn between(&self, from: i64, to: i64) -> &[Exit] {
        let at = |frame: i64| self.frames.partition_point(|&f| f < frame);
        &self.exits[at(from)..at(to).max(at(from))]
    }
}

/// The recorded people in a place, with a journey if `leave`.
fn scenario(recording: &Recording, mut plan: FloorPlan, limit_s: f64, leave: bool) -> Result<Scenario, Error> {
    let mut stages = Vec::new();
    if leave {
        stages.push(vec![0]);
        plan.goals = vec![named("gone", Goal::Point { at: Vec2::ZERO, radius: 1.0 })];
    }
    let group = Group { name: "all".into(), count: recording.people(), stages, ..Group::default() };
    let world = Arc::new(World::new(plan, &mut FieldCache::default())?);
    Ok(Scenario { name: "recording".into(), world, groups: vec![group], limit_s, give_up_s: None, tracks: None })
}

fn crowd(moment: &Moment, plan: &FloorPlan, radius_m: Option<f64>) -> Crowd {
    let people = moment.ids.len();
    Crowd {
        id: moment.ids.clone(),
        pos: moment.positions.iter().map(|&p| plan.periodic.wrap(p)).collect(),
        radius: radius_m.map_or(Vec::new(), |radius| vec![radius; people]),
        group: vec![0; people],
        ..Crowd::default()
    }
}

/// Refuses metrics that need more than tracks have.
fn possible(request: &Request, staging: &Staging) -> Result<(), Error> {
    let MakeMetric { needs, at, takes_center, .. } = request.entry.make;
    let name = request.entry.name;
    let cannot = |why: &str| Error::input(format!("`{name}` cannot be measured on recorded tracks: {why}"));
    for need in needs {
        match need {
            Need::Radius if staging.radius_m.is_none() => {
                return Err(Error::input(format!("`{name}` needs the radius of people"))
                    .key("--radius")
                    .help("give --radius 0.2"));
            }
            Need::Velocity => {
                return Err(
                    cannot("they have no velocities").help("measure it in a simulation, with [measure] in a file")
                );
            }
            Need::Pressure => {
                return Err(
                    cannot("they have no contact forces").help("measure it in a simulation, with [measure] in a file")
                );
            }
            Need::Desired => {
                return Err(cannot("they do not say where people want to go")
                    .help("measure it in a simulation, with [measure] in a file"));
            }
            Need::Goal => {
                return Err(cannot("they do not say through which exit a person left")
                    .help("count each exit by itself: `flow_per_s` with `--at` on its line"));
            }
            Need::Tracks => {
                return Err(cannot("it compares a simulation with them")
                    .help("give a scenario `tracks = { file = \"...\" }` and measure there"));
            }
            Need::Catching => {
                return Err(cannot("they do not say who catches whom")
                    .help("measure it in a simulation where a group has `catches`"));
            }
            Need::Radius | Need::Leaving => {}
        }
    }
    if takes_center {
        return Err(cannot("they do not say whom people follow").help("measure it in a simulation"));
    }
    if let (Window::Crossings { of: None, .. }, true) =
        (request.window, at != At::Line && staging.plan.lines.is_empty())
    {
        return Err(Error::input(format!("the window of `{name}` goes by the crossings of a line, and there is none"))
            .key("--window")
            .help("name it: \"crossings=[0.1, 0.9], of = { line = [[x, y], [x, y]] }\", or measure at a line too"));
    }
    fits(request, at)
}

/// Refuses a place of another kind than the metric looks at.
fn fits(request: &Request, at: At) -> Result<(), Error> {
    let name = request.entry.name;
    match (at, &request.at) {
        (At::Line, Some(Place::Line(_)))
        | (At::Area | At::Region, Some(Place::Area(_)))
        | (At::Area | At::Nowhere, None) => Ok(()),
        (At::Line, _) => Err(Error::input(format!("`{name}` is measured at a line"))
            .key("--at")
            .help("give --at \"[[x, y], [x, y]]\" or --at \"LINESTRING (x y, x y)\"")),
        (At::Area | At::Region, _) => Err(Error::input(format!("`{name}` is measured in an area"))
            .key("--at")
            .help("give --at \"[[x, y], [x, y], [x, y], ...]\" or --at \"POLYGON ((x y, ...))\"")),
        (At::Nowhere, Some(_)) => Err(Error::input(format!("`{name}` is measured in the whole place"))
            .key("--at")
            .help("leave --at out, or measure it by itself")),
    }
}
