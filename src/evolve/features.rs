//! What a scenario can have beyond walls, doors and people who start at once: what foreign simulators are not told, and what
//! some of them cannot do.

use super::experiment::{Case, TraitBinding};
use crowdtune_sim::crowd::people::Distribution;
use crowdtune_sim::world::scenario::{Group, Pull};

/// True if a case has it.
type Has = fn(&Case) -> bool;

/// One thing that a scenario can have.
#[derive(Debug)]
pub struct Feature {
    /// Its word in `cannot`.
    pub name: &'static str,
    /// What it is, after "has".
    pub doc: &'static str,
    has: Has,
}

/// What an engine is told of; it may answer hello with the words of what it cannot do.
pub static TOLD: &[Feature] = &[
    Feature { name: "walls", doc: "walls", has: |c| !c.scenario.world.plan.walls.is_empty() },
    Feature { name: "goals", doc: "goals", has: |c| any(c, |g| !g.stages.is_empty()) },
    Feature { name: "stages", doc: "several stages one after the other", has: |c| any(c, |g| g.stages.len() > 1) },
    Feature { name: "no_goal", doc: "groups without a goal", has: |c| any(c, |g| g.stages.is_empty()) },
    Feature { name: "heading", doc: "a `heading`", has: |c| any(c, |g| matches!(g.pull, Pull::Heading(_))) },
    Feature {
        name: "inflow",
        doc: "people who enter later (`inflow_per_s`)",
        has: |c| any(c, |g| g.inflow_per_s.is_some()),
    },
    Feature { name: "rounds", doc: "people who walk rounds", has: |c| any(c, |g| g.rounds) },
    Feature { name: "later_starts", doc: "people who start to walk later (`start_time_s`)", has: starts_later },
    Feature {
        name: "periodic",
        doc: "periodic axes",
        has: |c| c.scenario.world.plan.periodic.x.is_some() || c.scenario.world.plan.periodic.y.is_some(),
    },
];

/// What no engine is told of, after "has".
static UNTOLD: &[(&str, Has)] = &[
    ("heights", |c| c.scenario.world.plan.relief.is_some()),
    ("discomfort", |c| c.scenario.has_discomfort()),
    ("a limit of sight", |c| c.scenario.world.plan.sight_m.is_some()),
    ("people who follow a group or stay at a point", |c| {
        any(c, |g| matches!(g.pull, Pull::Group(_) | Pull::Point { .. }))
    }),
    ("people who run away", |c| any(c, |g| g.flees.is_some())),
    ("people who catch others", |c| any(c, |g| g.catches.is_some())),
    ("a goal of their own for each person", |c| any(c, |g| g.own_goals)),
    ("people who give way by a share", |c| any(c, |g| !g.gives_way.is_empty())),
    ("recorded tracks", |c| c.scenario.tracks.is_some()),
];

impl Feature {
    /// True if a case has it.
    pub fn is_in(&self, case: &Case) -> bool {
        (self.has)(case)
    }
}

/// The first thing in a case of which an engine would hear nothing.
pub fn untold(case: &Case) -> Option<&'static str> {
    UNTOLD.iter().find(|(_, has)| has(case)).map(|(what, _)| *what)
}

fn any(case: &Case, what: fn(&Group) -> bool) -> bool {
    case.scenario.groups.iter().any(what)
}

fn starts_later(case: &Case) -> bool {
    let at_once = TraitBinding::Drawn(Distribution::Fixed(0.0));
    case.groups.iter().any(|group| group.people.last() != Some(&at_once))
}
