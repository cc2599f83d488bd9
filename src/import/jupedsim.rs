//! Presets of JuPedSim: the numbers of its parameter classes as JSON.

use super::draft::{self, Draft, LEAVING, TO_TUNE};
use super::{ImportInput, Imported, MakeImporter, text};
use crowdtune_core::registry::Entry;
use crowdtune_core::{Error, suggest};
use serde_json::{Map, Value};

/// The importer's entry.
pub static ENTRY: Entry<MakeImporter> = Entry {
    name: "jupedsim",
    doc: "Constants of JuPedSim's social force and speed models, as `dataclasses.asdict` gives them, in the published room.",
    source: "JuPedSim 1.4.2, SocialForceModel, CollisionFreeSpeedModelV2, AnticipationVelocityModel and their AgentParameters",
    params: &[],
    make: MakeImporter {
        import,
        reads: "a .json file with the numbers of a model and its AgentParameters",
        takes: &["--people"],
    },
};

/// Their constants with their defaults, and ours.
const CONSTANTS: [(&str, f64, &str); 6] = [
    ("agent_scale", 2000.0, "repulsion_strength_n"),
    ("obstacle_scale", 2000.0, "wall_repulsion_strength_n"),
    ("force_distance", 0.08, "repulsion_range_m"),
    ("reaction_time", 0.5, "relaxation_time_s"),
    ("body_force", 120_000.0, "body_stiffness_kg_per_s2"),
    ("friction", 240_000.0, "sliding_friction_kg_per_m_s"),
];
/// The same of people.
const PEOPLE: [(&str, f64, &str); 3] =
    [("mass", 80.0, "mass_kg"), ("desired_speed", 0.8, "desired_speed_m_per_s"), ("radius", 0.3, "radius_m")];
/// The same of people in both speed models, who have no mass.
const WALKERS: [(&str, f64, &str); 2] = [("desired_speed", 1.2, "desired_speed_m_per_s"), ("radius", 0.2, "radius_m")];
/// What belongs to one person in one run, or to one run.
const OF_ONE: [&str; 6] = ["position", "orientation", "journey_id", "stage_id", "velocity", "rng_seed"];

/// A model that both have: its class there, its name here, constants and traits of people.
struct Law {
    class: &'static str,
    ours: &'static str,
    constants: &'static [(&'static str, f64, &'static str)],
    people: &'static [(&'static str, f64, &'static str)],
    notes: &'static [&'static str],
}

/// All of them; a file that names no class has the numbers of the first.
const LAWS: [Law; 3] = [
    Law {
        class: "SocialForceModel",
        ours: "social_force",
        constants: &CONSTANTS,
        people: &PEOPLE,
        notes: &[FRICTION, CUT_OFF],
    },
    Law {
        class: "CollisionFreeSpeedModelV2",
        ours: "collision_free_speed",
        constants: &[
            ("time_gap", 1.0, "time_gap_s"),
            ("strength_neighbor_repulsion", 8.0, "repulsion_strength"),
            ("range_neighbor_repulsion", 0.1, "repulsion_range_m"),
            ("strength_geometry_repulsion", 5.0, "wall_repulsion_strength"),
            ("range_geometry_repulsion", 0.02, "wall_repulsion_range_m"),
        ],
        people: &WALKERS,
        notes: &[WAYS],
    },
    Law {
        class: "AnticipationVelocityModel",
        ours: "anticipation_velocity",
        constants: &[
            ("time_gap", 1.06, "time_gap_s"),
            ("strength_neighbor_repulsion", 8.0, "repulsion_strength"),
            ("range_neighbor_repulsion", 0.1, "repulsion_range_m"),
            ("anticipation_time", 1.0, "anticipation_time_s"),
            ("reaction_time", 0.3, "reaction_time_s"),
            ("wall_buffer_distance", 0.1, "wall_buffer_m"),
            ("pushout_strength", 0.3, "wall_push"),
        ],
        people: &WALKERS,
        notes: &[WAYS],
    },
];

impl Law {
    /// True if a key of the file is the class of the model, or that of its people.
    fn is_named(&self, key: &str) -> bool {
        key.strip_prefix(self.class).is_some_and(|rest| rest.is_empty() || rest == "AgentParameters")
    }
}

/// What is different in crowdtune.
pub const FRICTION: &str = "Friction: JuPedSim 1.4.2 gives that of walls the wrong sign, so people who slide along a wall speed up there, and slow down here.";
/// The same.
const WAYS: &str = "JuPedSim's people walk shortest paths to the middle of an exit; here they go to its nearest point.";
/// The same.
pub const CUT_OFF: &str = "JuPedSim feels nobody farther than 2.5 m; here repulsion ends where it is negligible.";

fn import(input: &ImportInput<'_>) -> Result<Imported, Error> {
    let text = text(input)?;
    let read: Map<String, Value> = serde_json::from_str(text).map_err(|e| {
        Error::input(format!("this is no JSON object: {e}"))
            .line(e.line())
            .help("docs/imports.md has the three lines of Python that write one")
    })?;
    let (mut numbers, mut law) = (Map::new(), None);
    for (key, value) in read {
        let Value::Object(inner) = value else {
            numbers.insert(key, value);
            continue;
        };
        let named = LAWS.iter().find(|law| law.is_named(&key));
        let Some(named) = named.filter(|named| law.is_none_or(|law: &Law| law.class == named.class)) else {
            return Err(Error::input(format!("crowdtune has no law like `{}`, or the file has two", draft::comment(&key)))
                .key(draft::comment(&key))
                .allowed(LAWS.map(|law| law.class).join(", "))
                .help("tune the constants of another model for what that crowd does; `crowdtune measure` measures its trajectory"));
        };
        law = Some(named);
        numbers.extend(inner);
    }
    let law = law.unwrap_or(&LAWS[0]);
    let known: Vec<&str> = law.constants.iter().chain(law.people).map(|(name, ..)| *name).chain(OF_ONE).collect();
    if let Some(key) = numbers.keys().find(|key| !known.contains(&key.as_str())) {
        let error = Error::input(format!("`{}` is no number of JuPedSim's {}", draft::comment(key), law.class));
        return Err(suggest::among(error.key(draft::comment(key)), key, &known));
    }
    let mut missing = Vec::new();
    let mut read = |all: &[(&str, f64, &str)]| {
        let one = |&(theirs, default, ours): &(&str, f64, &str)| {
            let value = match numbers.get(theirs) {
                None => {
                    missing.push(theirs.to_owned());
                    default
                }
                Some(value) => value.as_f64().ok_or_else(|| {
                    Error::input(format!("`{theirs}` is {}, not a number", draft::comment(&value.to_string())))
                        .key(theirs)
                })?,
            };
            Ok((ours.to_owned(), format!("{value:?}    # {theirs}")))
        };
        all.iter().map(one).collect::<Result<Vec<_>, Error>>()
    };
    let (constants, people) = (read(law.constants)?, read(law.people)?);
    let mut notes: Vec<String> = law.notes.iter().map(|&note| note.to_owned()).collect();
    if !missing.is_empty() {
        notes.push(format!("Not in the file, so JuPedSim's own default: {}.", missing.join(", ")));
    }
    let count = input.said.people.unwrap_or(40);
    let draft = Draft {
        file: input.file,
        kind: "a preset of JuPedSim",
        head: vec![TO_TUNE.into(), "The preset has no place: this is the published room with fewer people.".into()],
        notes,
        model: draft::model(input.models, None, law.ours)?,
        constants,
        free: false,
        people,
        place: format!("[scenario.room]\nkind = \"room\"\ncount = {count}\n"),
        targets: LEAVING.into(),
        search: Vec::new(),
    };
    Ok(draft.imported())
}

#[cfg(test)]
#[path = "jupedsim_tests.rs"]
mod tests;
