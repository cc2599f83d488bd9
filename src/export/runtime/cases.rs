//! The cases that every runtime must pass: a place with people and constants, and where they are after 1, 10 and 300 steps.

use super::super::{ExportInput, Placed, json, testing};
use super::{place, places};
use crowdtune_core::registry::Settings;
use crowdtune_core::registry::{Entry, find};
use crowdtune_sim::crowd::people::Distribution;
use crowdtune_sim::crowd::{Sim, Start};
use crowdtune_sim::models::{MODELS, MakeModel, ModelSetup};
use crowdtune_sim::world::scenario::Scenario;
use serde_json::Value;

/// Steps after which positions are kept.
pub const AFTER: [usize; 3] = [1, 10, 300];

/// Positions of all who are there, by id, m.
pub type Positions = Vec<(usize, [f64; 2])>;

/// One case.
#[derive(Debug)]
pub struct Case {
    /// Name of its file.
    pub name: &'static str,
    /// The files that a runtime reads.
    pub preset: Value,
    /// The same.
    pub place: Value,
    /// What crowdtune's simulator does with it.
    pub simulated: Vec<Positions>,
}

/// What makes a case.
struct Plan {
    name: &'static str,
    model: &'static str,
    kind: &'static str,
    set: &'static [(&'static str, f64)],
    constants: &'static [(&'static str, f64)],
    /// Constants of the second group, where they differ.
    second: &'static [(&'static str, f64)],
    /// Latest start, s; everybody starts at once if it is 0.
    starts_s: f64,
}

const ONE: Plan = Plan { name: "", model: "", kind: "", set: &[], constants: &[], second: &[], starts_s: 0.0 };
const OPEN: (&str, f64) = ("ends", 1.0);

static PLANS: &[Plan] = &[
    Plan {
        name: "social_force_streams",
        model: "social_force",
        kind: "corridor",
        set: &[("count", 40.0), ("width_m", 8.0), ("length_m", 20.0), OPEN],
        constants: &[("anisotropy", 0.3), ("repulsion_range_m", 0.3)],
        starts_s: 1.0,
        ..ONE
    },
    Plan {
        name: "social_force_jam",
        model: "social_force",
        kind: "room",
        set: &[("count", 60.0), ("width_m", 6.0), ("depth_m", 6.0)],
        ..ONE
    },
    Plan {
        name: "five_force_crossing",
        model: "five_force",
        kind: "crossing",
        set: &[("count", 40.0), ("width_m", 8.0)],
        constants: &[("perceives", 1.0), ("separation_weight", 0.4)],
        starts_s: 3.0,
        ..ONE
    },
    Plan {
        name: "five_force_room",
        model: "five_force",
        kind: "room",
        set: &[("count", 30.0), ("width_m", 10.0), ("depth_m", 10.0), ("door_width_m", 1.5)],
        constants: &[("pedestrian_directions", 2.0), ("field_of_view_deg", 200.0)],
        ..ONE
    },
    Plan {
        name: "five_force_gather",
        model: "five_force",
        kind: "open_field",
        set: &[("count", 25.0), ("wish", 1.0), ("goal_radius_m", 0.05)],
        constants: &[("cohesion_weight", 0.3)],
        ..ONE
    },
    Plan {
        name: "orca_streams",
        model: "orca",
        kind: "corridor",
        set: &[("count", 50.0), ("width_m", 24.0), ("length_m", 60.0), OPEN],
        second: &[("responsibility", 0.8), ("margin_m", 0.1), ("time_horizon_s", 4.0)],
        starts_s: 2.0,
        ..ONE
    },
    Plan {
        name: "orca_room",
        model: "orca",
        kind: "room",
        set: &[("count", 40.0), ("width_m", 60.0), ("depth_m", 20.0), ("door_width_m", 3.0)],
        ..ONE
    },
    Plan {
        name: "orca_circle",
        model: "orca",
        kind: "circle",
        set: &[("count", 16.0), ("circle_m", 25.0), ("push_m", 0.05)],
        ..ONE
    },
    Plan {
        name: "orca_two_exits",
        model: "orca",
        kind: "two_exits",
        set: &[("count", 40.0), ("width_m", 90.0), ("door_width_m", 3.0)],
        constants: &[("max_neighbors", 5.0)],
        ..ONE
    },
    Plan { name: "social_force_ring", model: "social_force", kind: "corridor", set: &[("count", 36.0)], ..ONE },
    Plan {
        name: "five_force_ring",
        model: "five_force",
        kind: "open_field",
        set: &[("count", 25.0), ("periodic", 1.0), ("box", 0.0), ("wish", 2.0), ("size_m", 12.0)],
        constants: &[("cohesion_weight", 0.3)],
        ..ONE
    },
    Plan {
        name: "orca_ring",
        model: "orca",
        kind: "corridor",
        set: &[("count", 20.0), ("length_m", 40.0), ("width_m", 16.0)],
        ..ONE
    },
];

/// All cases.
pub fn all() -> Vec<Case> {
    PLANS.iter().map(Plan::case).collect()
}

impl Plan {
    fn case(&self) -> Case {
        let model = find(MODELS, self.model).unwrap();
        let scenario = testing::scenario(self.kind, self.set);
        let mut placed = self.placed(model, &scenario);
        placed.traits.iter_mut().for_each(|traits| {
            traits.desired_speed = Distribution::Uniform { low: 1.0, high: 1.6 };
            if self.starts_s > 0.0 {
                traits.start = Distribution::Uniform { low: 0.0, high: self.starts_s };
            }
        });
        let preset = testing::preset_of(model);
        let (models, places, runs) = (vec![model], Vec::new(), Vec::new());
        let input = ExportInput { models, preset: &preset, places, runs, history: None, force: false, seed: 1 };
        let start = places::start(&input, &placed).unwrap();
        Case {
            name: self.name,
            preset: serde_json::from_slice(&json::preset(&input)).unwrap(),
            place: place::place(&input, &placed, &start),
            simulated: simulated(model, &placed, start),
        }
    }

    fn placed<'a>(&self, model: &Entry<MakeModel>, scenario: &'a Scenario) -> Placed<'a> {
        let mut placed = testing::placed_of(model, self.name, scenario, self.constants);
        let set = |all: &mut Vec<f64>, key: &str, value: f64| {
            all[model.params.iter().position(|param| param.key == key).unwrap()] = value;
        };
        if self.model == "orca" {
            placed.constants.iter_mut().for_each(|all| set(all, "push_m_per_s", 0.0));
        }
        for (key, value) in self.second {
            set(&mut placed.constants[1], key, *value);
        }
        placed
    }
}

fn simulated(model: &'static Entry<MakeModel>, placed: &Placed<'_>, start: Start) -> Vec<Positions> {
    let settings: Vec<Settings<'_>> =
        placed.constants.iter().map(|values| Settings::new(model.params, values)).collect();
    let steering = (model.make.make)(&ModelSetup::new(&start), &settings);
    let mut sim = Sim::new(start, steering);
    let mut after = Vec::new();
    for step in 1..=AFTER[AFTER.len() - 1] {
        sim.step().unwrap();
        if AFTER.contains(&step) {
            let crowd = sim.crowd();
            after.push(crowd.id.iter().zip(&crowd.pos).map(|(&id, p)| (id as usize, [p.x, p.y])).collect());
        }
    }
    after
}
