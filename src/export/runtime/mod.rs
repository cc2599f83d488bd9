//! Runtimes: small sources in the language of an engine that step the tuned crowd, with the preset, the place and a scene to start from.

pub mod godot;
pub mod js;
mod place;
pub mod rust;
pub mod unity;
pub mod unreal;

use super::place::{self as places, Says, TIME_GAP, What, comment};
use super::{Export, ExportInput, Placed, json, orca};
use crowdtune_core::Error;
use crowdtune_core::registry::Settings;

/// Models that every runtime has.
const MODELS: [&str; 3] = ["social_force", "five_force", "orca"];

/// What the export for an engine holds besides the preset and the places.
struct Package {
    /// Folders that get the preset and the places.
    data: &'static [&'static str],
    /// Files that are the same for every export: path and text.
    sources: &'static [(&'static str, &'static str)],
    /// Ten lines for whoever opens the folder.
    readme: &'static str,
}

/// The preset and the places.
struct Files {
    preset: Vec<u8>,
    places: Vec<(String, Vec<u8>)>,
    /// crowdtune's own run of each place.
    runs: Vec<(String, Vec<u8>)>,
    warnings: Vec<String>,
}

fn export(input: &ExportInput<'_>, package: &Package) -> Result<Export, Error> {
    files(input).map(|files| files.packed(input, package))
}

fn files(input: &ExportInput<'_>) -> Result<Files, Error> {
    let known = input.models.len() == 1 && MODELS.contains(&input.models[0].name);
    if !known {
        let models: Vec<&str> = input.models.iter().map(|m| m.name).collect();
        return Err(Error::input(format!("the runtimes do not have `{}`", models.join("` with `")))
            .key("model")
            .allowed(MODELS.join(", "))
            .help("the exporters `json`, `csv` and `tracks` take every model"));
    }
    let preset = json::preset(input);
    let off: Vec<&str> = LEFT_OUT.iter().map(|(key, ..)| *key).chain([orca::PUSH]).collect();
    let all = places::each(input, "place", |placed, stem| {
        let warnings = lost(input, placed)?;
        let start = places::start(input, placed)?;
        let mut text =
            serde_json::to_vec_pretty(&place::place(input, placed, &start)).expect("a JSON value can be written");
        text.push(b'\n');
        let run = places::ours(input, placed, start, &off)?;
        let files = vec![(format!("{stem}{PLACE}"), text), (format!("{stem}_crowdtune.txt"), run.into_bytes())];
        Ok(Export { files, warnings })
    })?;
    let (places, runs) = all.files.into_iter().partition(|(name, _)| name.ends_with(PLACE));
    Ok(Files { preset, places, runs, warnings: all.warnings })
}

impl Files {
    fn packed(self, input: &ExportInput<'_>, package: &Package) -> Export {
        let mut files = Vec::new();
        for folder in package.data {
            files.push((format!("{folder}preset.json"), self.preset.clone()));
            files.extend(self.places.iter().map(|(name, text)| (format!("{folder}{name}"), text.clone())));
        }
        files.extend(self.runs);
        files.extend(package.sources.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
        let readme = package.readme.replace("PRESET", &comment(&input.preset.name));
        files.push(("README.md".into(), readme.into_bytes()));
        Export { files, warnings: self.warnings }
    }
}

/// What the runtimes say of a place.
fn says(what: What) -> Says {
    match what {
        What::Field => Says::Instead(
            "they walk straight to their goals until you set `find_way`, and in crowdtune's run beside it around the walls",
        ),
        What::Sight => Says::Instead("they see all goals"),
        What::GivingWay => Says::Instead("groups share by their `responsibility`"),
        What::Discomfort => Says::Instead("all ground is alike"),
        What::Ring | What::Rounds | What::Heading | What::Gathering => Says::Kept,
        _ => Says::Never,
    }
}

const ALLOWED: (&str, &str) = (
    "flat ground, goals in open places only, people who are there at the start",
    "what docs/exports.md lists under runtimes",
);

/// Constants that no runtime has: what they do, and what happens without them.
const LEFT_OUT: [(&str, &str, &str); 4] = [
    ("impatience", "people who are held up hurry (`impatience`)", "they keep their speed"),
    ("injuries", "people under pressure are injured (`injuries`)", "nobody is"),
    ("noise_m_per_s2", "people are pushed at random (`noise_m_per_s2`)", "they are not"),
    (TIME_GAP, "nobody wishes to be faster than the gap ahead over `time_gap_s`", "they are, however near the others"),
];

/// The end of the name of a place.
const PLACE: &str = ".json";

/// What the runtimes cannot say: an error, unless it may be left out and listed.
fn lost(input: &ExportInput<'_>, placed: &Placed<'_>) -> Result<Vec<String>, Error> {
    let mut lost = places::left_out(input, placed, ALLOWED, says)?;
    let world = &placed.scenario.world;
    if !world.plan.periodic.is_open() && !world.goals().is_empty() {
        return Err(places::refused(placed, "people walk to goals in a ring", ALLOWED.0, places::OTHERS));
    }
    let mut pushed = false;
    for constants in &placed.constants {
        let s = Settings::new(input.models[0].params, constants);
        let is_on = |key: &str| input.models[0].params.iter().any(|p| p.key == key) && s.get(key) > 0.0;
        for (key, words, instead) in LEFT_OUT {
            if is_on(key) {
                lost.push(places::lose(input, placed, words, instead, ALLOWED.1)?);
            }
        }
        pushed |= is_on(orca::PUSH);
    }
    lost.dedup();
    lost.extend(pushed.then(|| PUSH.into()));
    Ok(lost)
}

const PUSH: &str = "The runtime has no random push: two people who meet exactly face to face can stop each other; turn `find_way` by a hair if \
                    that happens.";

#[cfg(test)]
mod cases;
#[cfg(test)]
mod tests;
