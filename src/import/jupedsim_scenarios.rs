//! Archives of `jupedsim-scenarios` and of JuPedSim's editor in the browser: a place, people, ways, constants.

use super::draft::{self, Draft, LEAVING, TO_TUNE};
use super::jupedsim::{CUT_OFF, FRICTION};
use super::{ImportInput, Imported, MakeImporter, text};
use crate::{limits, wkt};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{Cursor, Read as _};
use zip::ZipArchive;

/// The importer's entry.
pub static ENTRY: Entry<MakeImporter> = Entry {
    name: "jupedsim_scenarios",
    doc: "A scenario of jupedsim-scenarios: area, exits, checkpoints, where people start and how many, and the constants of its social force model.",
    source: "jupedsim-scenarios 0.7.4",
    params: &[],
    make: MakeImporter {
        import,
        reads: "a .zip with one .json and one .wkt, or a .json that holds `walkable_area_wkt`",
        takes: &["--model", "--force"],
    },
};

/// Their constants with their defaults, and ours.
const CONSTANTS: [(&str, f64, &str); 6] = [
    ("agent_strength", 2000.0, "repulsion_strength_n"),
    ("sfm_obstacle_scale", 2000.0, "wall_repulsion_strength_n"),
    ("agent_range", 0.08, "repulsion_range_m"),
    ("relaxation_time", 0.5, "relaxation_time_s"),
    ("sfm_body_force", 120_000.0, "body_stiffness_kg_per_s2"),
    ("sfm_friction", 240_000.0, "sliding_friction_kg_per_m_s"),
];
/// Groups at most. Chosen here: a building with a group for each room.
const GROUPS: usize = 1000;

fn import(input: &ImportInput<'_>) -> Result<Imported, Error> {
    let (config, area) = files(input)?;
    let mut scenario = Scenario { config, input, lost: Vec::new() };
    scenario.imported(&area)
}

/// The configuration, and the walkable area as WKT.
fn files(input: &ImportInput<'_>) -> Result<(Value, String), Error> {
    if !input.bytes.starts_with(b"PK") {
        let config = json(text(input)?)?;
        let area = config["walkable_area_wkt"].as_str().map(str::to_owned).ok_or_else(|| {
            Error::input("this file has no `walkable_area_wkt`")
                .key("walkable_area_wkt")
                .help("give the zip, which has the area in a file of its own")
        })?;
        return Ok((config, area));
    }
    let broken = |e: zip::result::ZipError| {
        Error::input(format!("this is no zip archive: {e}")).help("export the scenario again")
    };
    let mut archive = ZipArchive::new(Cursor::new(input.bytes)).map_err(broken)?;
    let names = archive.file_names().map(|name| name.map(|name| name.into_owned())).collect::<Result<Vec<String>, _>>();
    let names = names.map_err(broken)?;
    let mut only = |ending: &str| {
        let mut found = names.iter().filter(|name| name.ends_with(ending));
        let (Some(name), None) = (found.next(), found.next()) else {
            return Err(Error::input(format!("the archive has not exactly one {ending} file"))
                .help("jupedsim-scenarios takes one config.json and one geometry.wkt"));
        };
        let file = archive.by_name(name).map_err(broken)?;
        let mut bytes = Vec::new();
        // What it says of its size may be wrong.
        let read = file.take(limits::DOCUMENT.most + 1).read_to_end(&mut bytes);
        read.map_err(|e| {
            Error::input(format!("{} cannot be unpacked: {e}", draft::comment(name))).help("export the scenario again")
        })?;
        limits::DOCUMENT.check(bytes.len() as u64, &format!("{} bytes unpacked", bytes.len()))?;
        String::from_utf8(bytes).map_err(|_| Error::input(format!("{} is not text in UTF-8", draft::comment(name))))
    };
    let (config, area) = (only(".json")?, only(".wkt")?);
    Ok((json(&config)?, area))
}

fn json(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|e| {
        Error::input(format!("the configuration is no JSON: {e}")).line(e.line()).help("export the scenario again")
    })
}

struct Scenario<'a> {
    config: Value,
    input: &'a ImportInput<'a>,
    lost: Vec<String>,
}

/// People who start together and go the same way.
struct Group {
    count: u64,
    inflow: Option<f64>,
    from: String,
    to: String,
    people: String,
}

impl Scenario<'_> {
    fn imported(&mut self, area: &str) -> Result<Imported, Error> {
        let walkable = wkt::polygons(area).map_err(|e| e.key("geometry.wkt"))?;
        let settings = self.config["config"]["simulation_settings"]["simulationParams"].clone();
        let named =
            settings["model_type"].as_str().or(self.config["model_type"].as_str()).unwrap_or("CollisionFreeSpeedModel");
        let named = draft::comment(named);
        let same =
            named == "SocialForceModel" && self.input.said.model.as_deref().is_none_or(|model| model == "social_force");
        let (mut constants, mut people) = (Vec::new(), Vec::new());
        let mut notes = Vec::new();
        if same {
            for (theirs, default, ours) in CONSTANTS {
                let value = number(&settings, theirs, default)?;
                constants.push((ours.to_owned(), format!("{value:?}    # {theirs}")));
            }
            people.push(("mass_kg".to_owned(), format!("{:?}", number(&settings, "mass", 80.0)?)));
            notes.extend([FRICTION.to_owned(), CUT_OFF.to_owned()]);
        } else if let Some(model) = &self.input.said.model {
            notes.push(format!("People follow `{model}` with its published constants, not {named}."));
        } else {
            return Err(Error::input(format!("the scenario walks by {named}, and crowdtune has no law like it"))
                .key("--model")
                .allowed("SocialForceModel, or any model of `crowdtune list models` in its place")
                .help("say which model walks there instead, for example `--model social_force`: it takes its published constants"));
        }
        notes.push("People go to the nearest point of their exit, and leave there; in jupedsim-scenarios to a point that is drawn for each.".into());
        if self.config["zones"].as_object().is_some_and(|all| !all.is_empty()) {
            self.lose("zones", "zones in which people are slower", "all ground is alike")?;
        }
        let groups = self.groups()?;
        let mut place = format!("[scenario.place]\nwalkable = \"{}\"\n", wkt::areas(&walkable));
        let limit = number(&settings, "max_simulation_time", 300.0)?;
        let _ = writeln!(place, "limit_s = {limit:?}");
        for (k, group) in groups.iter().enumerate() {
            let _ = write!(place, "\n[scenario.place.group.people_{}]\ncount = {}\n", k + 1, group.count);
            if let Some(inflow) = group.inflow {
                let _ = writeln!(place, "inflow_per_s = {inflow:?}");
            }
            let _ = writeln!(place, "from = {{ area = {} }}\nto = {}\npeople = {}", group.from, group.to, group.people);
        }
        notes.append(&mut self.lost);
        let free = constants.is_empty();
        let draft = Draft {
            file: self.input.file,
            kind: "a scenario of jupedsim-scenarios",
            head: vec![TO_TUNE.into()],
            notes,
            model: draft::model(self.input.models, self.input.said.model.as_deref(), "social_force")?,
            constants,
            free,
            people,
            place,
            targets: LEAVING.into(),
            search: Vec::new(),
        };
        Ok(draft.imported())
    }

    /// Something that cannot be said here: an error, unless it may be left out.
    fn lose(&mut self, key: &str, what: &str, instead: &str) -> Result<(), Error> {
        if self.input.said.force {
            self.lost.push(format!("Left out: {what}; here {instead}."));
            return Ok(());
        }
        Err(Error::input(format!("crowdtune cannot say this: {what}"))
            .key(draft::comment(key))
            .help("--force leaves it out, and lists it in the file"))
    }

    fn groups(&mut self) -> Result<Vec<Group>, Error> {
        let all = self.config["distributions"].as_object().cloned().unwrap_or_default();
        if all.is_empty() {
            return Err(Error::input("nobody starts in this scenario")
                .key("distributions")
                .help("draw an area where people start in the editor"));
        }
        let mut groups = Vec::new();
        for (id, one) in &all {
            let key = format!("distributions.{id}");
            let settings = &one["parameters"];
            let from = ring(&one["coordinates"]).ok_or_else(|| no_outline(&key))?;
            if !matches!(settings["distribution_mode"].as_str(), None | Some("by_number")) {
                return Err(Error::input("how many people start is a share of the area")
                    .key(key)
                    .help("choose a number of people in the editor"));
            }
            let count = settings["number"].as_u64().filter(|&n| n > 0).ok_or_else(|| {
                Error::input("the number of people is missing")
                    .key(format!("{key}.parameters.number"))
                    .allowed("a whole number of 1 or more")
            })?;
            if settings["use_premovement"] == true {
                self.lose(&key, "a time that people wait before they walk (premovement)", "they walk at once")?;
            }
            let mut inflow = None;
            if settings["use_flow_spawning"] == true {
                let (from, to) = (number(settings, "flow_start_time", 0.0)?, number(settings, "flow_end_time", 10.0)?);
                if from > 0.0 {
                    self.lose(&key, "people who come in only later", "they come in from the start")?;
                }
                inflow = Some(count as f64 / (to - from).max(1e-3));
            }
            let people = format!(
                "{{ radius_m = {}, desired_speed_m_per_s = {} }}",
                drawn(settings, "radius", 0.2)?,
                drawn(settings, if settings["desired_speed"].is_null() { "v0" } else { "desired_speed" }, 0.8)?
            );
            for (to, count) in self.ways(one, count)? {
                let inflow = inflow.map(|all| all * count as f64 / settings["number"].as_f64().unwrap_or(1.0));
                groups.push(Group { count, inflow, from: from.clone(), to, people: people.clone() });
            }
            if groups.len() > GROUPS {
                return Err(Error::input("these are too many groups")
                    .key("distributions")
                    .allowed(format!("at most {GROUPS}")));
            }
        }
        Ok(groups)
    }

    /// Where the people of an area go, and how many of them each way.
    fn ways(&mut self, distribution: &Value, count: u64) -> Result<Vec<(String, u64)>, Error> {
        let weights: Vec<(&str, f64)> = distribution["journey_weights"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|way| {
                Some((way["journey_id"].as_str()?, way["weight"].as_f64().filter(|w| *w > 0.0 && w.is_finite())?))
            })
            .collect();
        if weights.is_empty() {
            let exits = self.config["exits"].as_object().cloned().unwrap_or_default();
            let exits: Vec<String> =
                exits.iter().map(|(id, exit)| area(exit, &format!("exits.{id}"))).collect::<Result<_, _>>()?;
            if exits.is_empty() {
                return Err(Error::input("the scenario has no exit").key("exits").help("draw one in the editor"));
            }
            return Ok(vec![(format!("{{ any = [{}] }}", exits.join(", ")), count)]);
        }
        let all: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let (mut ways, mut given, mut sum) = (Vec::new(), 0, 0.0);
        for (id, weight) in weights {
            sum += weight;
            // Rounded sums give everybody a way, and nobody two.
            let upto = (count as f64 * (sum / all)).round() as u64;
            if upto > given {
                ways.push((self.journey(id)?, upto - given));
                given = upto;
            }
        }
        Ok(ways)
    }

    fn journey(&mut self, id: &str) -> Result<String, Error> {
        let shown = draft::comment(id);
        let journeys = self.config["journeys_v2"].as_array().cloned().unwrap_or_default();
        let journey = journeys.iter().find(|journey| journey["id"] == id);
        let sequence = journey.and_then(|journey| journey["sequence"].as_array()).filter(|all| !all.is_empty());
        let sequence = sequence.ok_or_else(|| {
            Error::input(format!("there is no journey `{shown}` with a sequence"))
                .key("journeys_v2")
                .help("draw it again in the editor")
        })?;
        let mut stops = Vec::new();
        for stop in sequence {
            let name = stop.as_str().unwrap_or_default();
            let found = ["exits", "checkpoints"]
                .into_iter()
                .find_map(|kind| Some((kind, self.config[kind].get(name)?.clone())));
            let Some((kind, stage)) = found else {
                return Err(Error::input(format!(
                    "the journey `{shown}` goes to `{}`, which is no exit and no checkpoint",
                    draft::comment(name)
                ))
                .key("journeys_v2")
                .allowed("exits, checkpoints"));
            };
            if stage["waiting_time"].as_f64().is_some_and(|time| time > 0.0) {
                self.lose(name, "a checkpoint where people wait", "they go on at once")?;
            }
            if stage["enable_throughput_throttling"] == true
                && stage["max_throughput"].as_f64().is_some_and(|most| most > 0.0)
            {
                self.lose(name, "an exit that lets only so many people out in a second", "it lets everybody out")?;
            }
            stops.push(area(&stage, &format!("{kind}.{}", draft::comment(name)))?);
        }
        Ok(format!("[{}]", stops.join(", ")))
    }
}

fn no_outline(key: &str) -> Error {
    Error::input("this has no outline")
        .key(draft::comment(key))
        .allowed("`coordinates`, a list of three points [x, y] or more")
}

fn area(stage: &Value, key: &str) -> Result<String, Error> {
    ring(&stage["coordinates"]).map(|ring| format!("{{ area = {ring} }}")).ok_or_else(|| no_outline(key))
}

/// An outline without its first point at the end, as TOML.
fn ring(coordinates: &Value) -> Option<String> {
    let mut points = Vec::new();
    for point in coordinates.as_array()? {
        let at = |axis: usize| point[axis].as_f64().filter(|x| x.is_finite());
        points.push((at(0)?, at(1)?));
    }
    if points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let points: Vec<String> = points.iter().map(|(x, y)| format!("[{x:?}, {y:?}]")).collect();
    (points.len() > 2).then(|| format!("[{}]", points.join(", ")))
}

fn number(from: &Value, key: &str, default: f64) -> Result<f64, Error> {
    match &from[key] {
        Value::Null => Ok(default),
        value => value.as_f64().filter(|x| x.is_finite()).ok_or_else(|| {
            Error::input(format!("`{key}` is {}, not a number", draft::comment(&value.to_string()))).key(key)
        }),
    }
}

/// A trait of people: one number, or normally distributed within three standard deviations.
fn drawn(from: &Value, key: &str, default: f64) -> Result<String, Error> {
    let mean = number(from, key, default)?;
    let sd = number(from, &format!("{key}_std"), 0.0)?;
    if from[format!("{key}_distribution")] != "gaussian" || sd <= 0.0 {
        return Ok(format!("{mean:?}"));
    }
    Ok(format!("{{ normal = [{mean:?}, {sd:?}], clip = [{:?}, {:?}] }}", (mean - 3.0 * sd).max(0.05), mean + 3.0 * sd))
}

#[cfg(test)]
#[path = "jupedsim_scenarios_tests.rs"]
mod tests;
