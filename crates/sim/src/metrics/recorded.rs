//! Metrics on recorded tracks instead of a simulation.

use super::{At, MakeMetric, Metric, Place, Seen, Spec, Window};
use crate::crowd::Crowd;
use crate::crowd::Exit;
use crate::crowd::recording::{Moment, Recording};
use crate::world::scenario::{Goal, Group, Plan, Scenario, named};
use crate::world::{FieldCache, World};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, defaults};
use std::sync::Arc;

/// One metric to be measured on a recording.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Which.
    pub entry: &'static Entry<MakeMetric>,
    /// Where; needed by metrics of a line or a region.
    pub at: Option<Place>,
    /// When, in seconds of the recording.
    pub window: Window,
    /// Values of the entry's params.
    pub settings: Vec<f64>,
}

impl Ask {
    /// With the window and the params that the metric has unless told otherwise.
    pub fn plain(entry: &'static Entry<MakeMetric>, at: Option<Place>) -> Self {
        Self { entry, at, window: entry.make.window, settings: defaults(entry.params) }
    }
}

/// What a recording does not say of its people and its place.
#[derive(Clone, Debug)]
pub struct Staging {
    /// The place; without walls and outline if nothing is known.
    pub plan: Plan,
    /// Body radius of everybody, m.
    pub radius_m: Option<f64>,
    /// Frames nearer to each other than this are skipped, s; `None`: all are looked at. The last one always is.
    pub every_s: Option<f64>,
}

impl Staging {
    /// People without radius in this place.
    pub fn plain(plan: Plan) -> Self {
        Self { plan, radius_m: None, every_s: None }
    }
}

/// Sees every frame that was looked at, and the metrics after it.
pub type Watch<'a> = dyn FnMut(&Moment, &[Box<dyn Metric>]) + 'a;

/// Metrics that tell exits apart: tracks do not say through which exit a person left.
const BY_EXIT: [&str; 2] = ["exit_share", "exit_imbalance"];

/// Measures a recording; `each` sees the metrics after every frame. The metrics come back in the order of `asks`.
///
/// A frame is at `frame / fps` seconds. Who is not in the last frame has left, in the last frame that has the person
/// and where the person was then; who is in the last frame has not. Only metrics that need exits see people with a
/// journey; for all others everybody may be anywhere, so a line that few people pass is no jam.
///
/// # Errors
/// A recording without frames, a metric that needs what tracks do not have, a place that cannot be built.
pub fn measure(
    recording: &Recording,
    staging: Staging,
    asks: &[Ask],
    each: &mut Watch<'_>,
) -> Result<Vec<Box<dyn Metric>>, Error> {
    let (Some(first), Some(last)) = (recording.moments.first(), recording.moments.last()) else {
        return Err(Error::input("no frame of the recording is left to measure").key("--frames"));
    };
    for ask in asks {
        possible(ask, staging.radius_m)?;
    }
    let exits = Exits::of(recording, &staging.plan);
    let step_s = recording.stride() as f64 / recording.fps;
    let radius_m = staging.radius_m;
    let every_s = staging.every_s.map_or(step_s, |every| every.max(step_s));
    // Two worlds, so that the goal of those who leave is no place for metrics of people who stroll.
    let limit_s = recording.time_s(last.frame);
    let strolling = scenario(recording, staging.plan.clone(), limit_s, false)?;
    let leaving = scenario(recording, staging.plan, limit_s, true)?;
    let of = |ask: &Ask| if ask.entry.make.needs.exits { &leaving } else { &strolling };
    let mut metrics: Vec<Box<dyn Metric>> = asks
        .iter()
        .map(|ask| {
            let spec = Spec {
                at: ask.at.clone(),
                window: ask.window,
                sample_every_s: every_s,
                group: None,
                center: None,
                settings: ask.settings.clone(),
            };
            (ask.entry.make.make)(&spec, of(ask))
        })
        .collect();

    let mut next_s = recording.time_s(first.frame);
    let mut since = first.frame;
    for moment in &recording.moments {
        let time_s = recording.time_s(moment.frame);
        // Half a frame of slack: intervals need not be multiples of the frames.
        if time_s < next_s - 0.5 * step_s && moment.frame != last.frame {
            continue;
        }
        next_s = time_s + every_s;
        let out = exits.between(since, moment.frame);
        since = moment.frame;
        let crowd = crowd(moment, &strolling.world.plan, radius_m);
        for (metric, ask) in metrics.iter_mut().zip(asks) {
            metric.observe(&Seen { time_s, crowd: &crowd, exits: out, world: &of(ask).world });
        }
        each(moment, &metrics);
    }
    Ok(metrics)
}

/// Who left when; a person in the last frame has not.
struct Exits {
    /// Last frame of each one, rising.
    frames: Vec<i64>,
    exits: Vec<Exit>,
}

impl Exits {
    fn of(recording: &Recording, plan: &Plan) -> Self {
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
        let exits =
            gone.iter().map(|&(frame, id, pos)| Exit { id, group: 0, goal: 0, time_s: recording.time_s(frame), pos });
        Self { exits: exits.collect(), frames: gone.iter().map(|g| g.0).collect() }
    }

    /// Those whose last frame is `from` or later, but before `to`.
    fn between(&self, from: i64, to: i64) -> &[Exit] {
        let at = |frame: i64| self.frames.partition_point(|&f| f < frame);
        &self.exits[at(from)..at(to).max(at(from))]
    }
}

/// The recorded people in a place: with a journey, if they are to leave.
fn scenario(recording: &Recording, mut plan: Plan, limit_s: f64, leave: bool) -> Result<Scenario, Error> {
    let mut stages = Vec::new();
    if leave {
        stages.push(vec![0]);
        plan.goals = vec![named("gone", Goal::Point { at: Vec2::ZERO, radius: 1.0 })];
    }
    let group = Group { name: "all".into(), count: recording.people(), stages, ..Group::default() };
    let world = Arc::new(World::new(plan, &mut FieldCache::default())?);
    Ok(Scenario { name: "recording".into(), world, groups: vec![group], limit_s, give_up_s: None, tracks: None })
}

fn crowd(moment: &Moment, plan: &Plan, radius_m: Option<f64>) -> Crowd {
    let people = moment.ids.len();
    Crowd {
        id: moment.ids.clone(),
        pos: moment.positions.iter().map(|&p| plan.periodic.wrap(p)).collect(),
        radius: radius_m.map_or(Vec::new(), |radius| vec![radius; people]),
        group: vec![0; people],
        ..Crowd::default()
    }
}

/// Refuses what tracks cannot give.
fn possible(ask: &Ask, radius_m: Option<f64>) -> Result<(), Error> {
    let MakeMetric { needs, at, takes_center, .. } = ask.entry.make;
    let name = ask.entry.name;
    let cannot = |why: &str| Error::input(format!("`{name}` cannot be measured on recorded tracks: {why}"));
    if needs.contact {
        return Err(cannot("they have no contact forces").help("measure it in a simulation, with [measure] in a file"));
    }
    if BY_EXIT.contains(&name) {
        return Err(cannot("they do not say through which exit a person left")
            .help("count each exit by itself: `flow_per_s` with `--at` on its line"));
    }
    if takes_center {
        return Err(cannot("they do not say whom people follow").help("measure it in a simulation"));
    }
    if needs.radius && radius_m.is_none() {
        return Err(Error::input(format!("`{name}` needs the radius of people"))
            .key("--radius")
            .help("give --radius 0.2"));
    }
    fits(ask, at)
}

/// Refuses a place of another kind than the metric looks at.
fn fits(ask: &Ask, at: At) -> Result<(), Error> {
    let name = ask.entry.name;
    match (at, &ask.at) {
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
