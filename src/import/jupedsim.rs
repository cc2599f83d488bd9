//! Presets of JuPedSim: the numbers of its parameter classes as JSON.

use super::draft::{self, Draft, LEAVING, TO_TUNE};
use super::{ImportInput, Imported, MakeImporter, text};
use crowdtune_core::registry::Entry;
use crowdtune_core::{Error, suggest};
use serde_json::{Map, Value};

/// The importer's entry.
pub static ENTRY: Entry<MakeImporter> = Entry {
    name: "jupedsim",
    doc: "Constants of JuPedSim's social force model, as `dataclasses.asdict` gives them, in the published room.",
    source: "JuPedSim 1.4.2, SocialForceModel and SocialForceModelAgentParameters",
    params: &[],
    make: MakeImporter {
        import,
        reads: "a .json file with the numbers of SocialForceModel and SocialForceModelAgentParameters",
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
/// What belongs to one person in one run.
const OF_ONE: [&str; 5] = ["position", "orientation", "journey_id", "stage_id", "velocity"];
/// Classes whose numbers are read; a file may also hold the numbers alone.
const CLASSES: [&str; 2] = ["SocialForceModel", "SocialForceModelAgentParameters"];
/// Words in the names of JuPedSim's other models.
const OTHERS: [&str; 4] =
    ["CollisionFreeSpeedModel", "GeneralizedCentrifugalForceModel", "AnticipationVelocityModel", "WarpDriverModel"];

/// What is different in crowdtune.
pub const FRICTION: &str = "Friction: JuPedSim 1.4.2 gives that of walls the wrong sign, so people who slide along a wall speed up there, and slow down here.";
/// The same.
pub const CUT_OFF: &str = "JuPedSim feels nobody farther than 2.5 m; here repulsion ends where it is negligible.";

fn import(input: &ImportInput<'_>) -> Result<Imported, Error> {
    let text = text(input)?;
    let read: Map<String, Value> = serde_json::from_str(text).map_err(|e| {
        Error::input(format!("this is no JSON object: {e}"))
            .line(e.line())
            .help("docs/imports.md has the three lines of Python that write one")
    })?;
    let mut numbers = Map::new();
    for (key, value) in read {
        if OTHERS.iter().any(|other| key.starts_with(other)) {
            return Err(Error::input(format!("crowdtune has no law like `{}`", draft::comment(&key)))
                .key(draft::comment(&key))
                .allowed(CLASSES.join(", "))
                .help("tune the constants of `social_force` for what that crowd does instead; `crowdtune measure` measures its trajectory"));
        }
        match value {
            Value::Object(inner) if CLASSES.contains(&key.as_str()) => numbers.extend(inner),
            value => drop(numbers.insert(key, value)),
        }
    }
    let known: Vec<&str> = CONSTANTS.iter().chain(&PEOPLE).map(|(name, ..)| *name).chain(OF_ONE).collect();
    if let Some(key) = numbers.keys().find(|key| !known.contains(&key.as_str())) {
        let error = Error::input(format!("`{}` is no number of JuPedSim's social force model", draft::comment(key)));
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
    let (constants, people) = (read(&CONSTANTS)?, read(&PEOPLE)?);
    let mut notes = vec![FRICTION.to_owned(), CUT_OFF.to_owned()];
    if !missing.is_empty() {
        notes.push(format!("Not in the file, so JuPedSim's own default: {}.", missing.join(", ")));
    }
    let count = input.said.people.unwrap_or(40);
    let draft = Draft {
        file: input.file,
        kind: "a preset of JuPedSim",
        head: vec![TO_TUNE.into(), "The preset has no place: this is the published room with fewer people.".into()],
        notes,
        model: draft::model(input.models, None, "social_force")?,
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
