//! What a scenario can have beyond an open place with people who start at once: what foreign simulators are told of, what they are
//! not, and what scripts for other tools may be unable to say.

use super::experiment::{Case, TraitBinding};
use crowdtune_sim::crowd::people::Distribution;
use crowdtune_sim::world::scenario::{Group, Navigation, Pull, Scenario};

/// How to see whether a scenario has it.
#[derive(Clone, Copy, Debug)]
enum Has {
    Place(fn(&Scenario) -> bool),
    Group(fn(&Group) -> bool),
    /// Somebody starts to walk later.
    LaterStarts,
}

/// What an engine learns of it.
#[derive(Clone, Copy, Debug)]
enum Engines {
    /// It is told, and may answer hello with this word in `cannot`.
    Told(&'static str),
    /// It hears nothing, so the scenario is refused.
    Untold,
    /// It finds its own ways.
    Left,
}

/// One thing that a scenario can have.
#[derive(Debug)]
pub struct Feature {
    /// Which one it is.
    pub what: What,
    /// What it is, after "has".
    pub doc: &'static str,
    /// What the place or its people do, as the end of "that"; `None` where every script can say it.
    said: Option<&'static str>,
    engines: Engines,
    has: Has,
}

/// The things that a scenario can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "FEATURES says what each one is")]
pub enum What {
    Walls,
    Goals,
    Stages,
    NoGoal,
    Heading,
    Inflow,
    Rounds,
    LaterStarts,
    Ring,
    Heights,
    Discomfort,
    Sight,
    Following,
    Gathering,
    Flight,
    Catching,
    OwnGoals,
    GivingWay,
    Tracks,
    Field,
}

/// All of them; engines' words come first, in the order of docs/engines.md.
pub static FEATURES: &[Feature] = &[
    Feature {
        what: What::Walls,
        doc: "walls",
        said: None,
        engines: Engines::Told("walls"),
        has: Has::Place(|s| !s.world.plan.walls.is_empty()),
    },
    Feature {
        what: What::Goals,
        doc: "goals",
        said: None,
        engines: Engines::Told("goals"),
        has: Has::Group(|g| !g.stages.is_empty()),
    },
    Feature {
        what: What::Stages,
        doc: "several stages one after the other",
        said: None,
        engines: Engines::Told("stages"),
        has: Has::Group(|g| g.stages.len() > 1),
    },
    Feature {
        what: What::NoGoal,
        doc: "groups without a goal",
        said: None,
        engines: Engines::Told("no_goal"),
        has: Has::Group(|g| g.stages.is_empty()),
    },
    Feature {
        what: What::Heading,
        doc: "a `heading`",
        said: Some("walk in one direction for ever"),
        engines: Engines::Told("heading"),
        has: Has::Group(|g| matches!(g.pull, Pull::Heading(_))),
    },
    Feature {
        what: What::Inflow,
        doc: "people who enter later (`inflow_per_s`)",
        said: Some("come in during the run"),
        engines: Engines::Told("inflow"),
        has: Has::Group(|g| g.inflow_per_s.is_some()),
    },
    Feature {
        what: What::Rounds,
        doc: "people who walk rounds",
        said: Some("walk round after round"),
        engines: Engines::Told("rounds"),
        has: Has::Group(|g| g.rounds),
    },
    Feature {
        what: What::LaterStarts,
        doc: "people who start to walk later (`start_time_s`)",
        said: None,
        engines: Engines::Told("later_starts"),
        has: Has::LaterStarts,
    },
    Feature {
        what: What::Ring,
        doc: "periodic axes",
        said: Some("a place is closed to a ring"),
        engines: Engines::Told("periodic"),
        has: Has::Place(|s| !s.world.plan.periodic.is_open()),
    },
    Feature {
        what: What::Heights,
        doc: "heights",
        said: Some("the ground has heights"),
        engines: Engines::Untold,
        has: Has::Place(|s| s.world.plan.relief.is_some()),
    },
    Feature {
        what: What::Discomfort,
        doc: "discomfort",
        said: Some("people avoid where it is uncomfortable"),
        engines: Engines::Untold,
        has: Has::Place(Scenario::has_discomfort),
    },
    Feature {
        what: What::Sight,
        doc: "a limit of sight",
        said: Some("people see no farther than `sight_m`"),
        engines: Engines::Untold,
        has: Has::Place(|s| s.world.plan.sight_m.is_some()),
    },
    Feature {
        what: What::Following,
        doc: "people who follow a group",
        said: Some("go to another group"),
        engines: Engines::Untold,
        has: Has::Group(|g| matches!(g.pull, Pull::Group(_))),
    },
    Feature {
        what: What::Gathering,
        doc: "people who stay at a point",
        said: Some("gather at a place"),
        engines: Engines::Untold,
        has: Has::Group(|g| matches!(g.pull, Pull::Point { .. })),
    },
    Feature {
        what: What::Flight,
        doc: "people who run away",
        said: Some("run away from another group"),
        engines: Engines::Untold,
        has: Has::Group(|g| g.flees.is_some()),
    },
    Feature {
        what: What::Catching,
        doc: "people who catch others",
        said: Some("catch others"),
        engines: Engines::Untold,
        has: Has::Group(|g| g.catches.is_some()),
    },
    Feature {
        what: What::OwnGoals,
        doc: "a goal of their own for each person",
        said: None,
        engines: Engines::Untold,
        has: Has::Group(|g| g.own_goals),
    },
    Feature {
        what: What::GivingWay,
        doc: "people who give way by a share",
        said: Some("give way by a share of their own"),
        engines: Engines::Untold,
        has: Has::Group(|g| !g.gives_way.is_empty()),
    },
    Feature {
        what: What::Tracks,
        doc: "recorded tracks",
        said: Some("people come in as recorded"),
        engines: Engines::Untold,
        has: Has::Place(|s| s.tracks.is_some()),
    },
    Feature {
        what: What::Field,
        doc: "ways around walls",
        said: Some("people find their way around walls"),
        engines: Engines::Left,
        has: Has::Place(|s| matches!(s.world.plan.navigation, Navigation::Field { .. })),
    },
];

impl Feature {
    /// The word by which an engine says that it cannot do it; `None` if engines are not asked.
    pub fn word(&self) -> Option<&'static str> {
        match self.engines {
            Engines::Told(word) => Some(word),
            Engines::Untold | Engines::Left => None,
        }
    }

    /// True if a case has it.
    pub fn is_in(&self, case: &Case) -> bool {
        match self.has {
            Has::Place(has) => has(&case.scenario),
            Has::Group(has) => case.scenario.groups.iter().any(has),
            Has::LaterStarts => starts_later(case),
        }
    }

    /// True if places have it, not groups.
    pub fn is_of_place(&self) -> bool {
        matches!(self.has, Has::Place(_))
    }

    /// What a script would have to say of it, as the end of "that": once for a place, or once for each group that has it.
    pub fn to_say(&self, scenario: &Scenario) -> Vec<String> {
        let Some(said) = self.said else { return Vec::new() };
        match self.has {
            Has::Place(has) => {
                if has(scenario) {
                    vec![said.to_owned()]
                } else {
                    Vec::new()
                }
            }
            Has::Group(has) => {
                let who = scenario.groups.iter().filter(|group| has(group));
                who.map(|group| format!("the people of `{}` {said}", group.name)).collect()
            }
            Has::LaterStarts => Vec::new(),
        }
    }
}

/// The first thing in a case of which an engine would hear nothing, after "has".
pub fn untold(case: &Case) -> Option<&'static str> {
    let mut untold = FEATURES.iter().filter(|feature| matches!(feature.engines, Engines::Untold));
    untold.find(|feature| feature.is_in(case)).map(|feature| feature.doc)
}

fn starts_later(case: &Case) -> bool {
    let at_once = TraitBinding::Drawn(Distribution::Fixed(0.0));
    case.groups.iter().any(|group| group.people.last() != Some(&at_once))
}
