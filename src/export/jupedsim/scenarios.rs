//! Archives for `jupedsim-scenarios`, which runs them with many seeds: `config.json` and `geometry.wkt`.
//!
//! It draws starting points, radii and speeds itself, and steers people to a random point of their exit.

use super::super::floor::{Floor, behind};
use super::super::place::{self, Says, What};
use super::super::{Export, ExportInput, MakeExporter, Placed, mean, origin};
use super::journeys::circle;
use super::translate::{Constants, lost};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::people::Distribution;
use crowdtune_sim::world::scenario::{Goal, Group};
use serde_json::{Map, Value, json};
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "jupedsim_scenarios",
    doc: "An archive for each scenario that jupedsim-scenarios, and the editor of JuPedSim in the browser, run with the preset and many seeds.",
    source: "jupedsim-scenarios 0.7.4, JuPedSim 1.4.2, SocialForceModel",
    params: &[],
    make: MakeExporter { export, writes: "scenario.zip, one for each scenario", needs_place: true, needs_runs: false },
};

/// What is allowed instead of what can never be said, and of what can be left out.
const ALLOWED: (&str, &str) = (
    "one area of flat ground, people who start in areas at once and leave through one exit each or the nearest of all",
    "the same constants for all groups",
);

/// Part of an area that jupedsim-scenarios fills with bodies at most (`_estimate_max_capacity` of 0.7.4).
const MOST_FILLED: f64 = 0.5;

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    super::only(&["social_force"], input)?;
    place::each(input, "scenario", |placed, stem| {
        let (config, wkt, warnings) = scenario(input, placed)?;
        let zip = archive(&[("config.json", &config), ("geometry.wkt", &wkt)])?;
        Ok(Export { files: vec![(format!("{stem}.zip"), zip)], warnings })
    })
}

/// A zip of files as they are, with the same bytes every time.
fn archive(files: &[(&str, &str)]) -> Result<Vec<u8>, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::input(format!("the archive: {error}"));
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, text) in files {
        zip.start_file(*name, stored).map_err(|e| failed(&e))?;
        zip.write_all(text.as_bytes()).map_err(|e| failed(&e))?;
    }
    Ok(zip.finish().map_err(|e| failed(&e))?.into_inner())
}

fn scenario(input: &ExportInput<'_>, placed: &Placed<'_>) -> Result<(String, String, Vec<String>), Error> {
    let mut warnings = place::left_out(input, placed, ALLOWED, |what| match what {
        What::Field | What::Sight => Says::Kept,
        What::GivingWay => Says::Instead("everybody counts alike"),
        _ => Says::Never,
    })?;
    let start = place::start(input, placed)?;
    let crowd = start.crowd();
    if crowd.start_s.iter().any(|&start| start > 0.0) {
        return Err(refused(placed, "people start to walk later"));
    }
    let constants = Constants::new(placed, crowd);
    warnings.extend(constants.warnings.iter().cloned());
    warnings.extend(lost(placed, crowd));
    warnings.push("Starting points, radii and speeds are drawn by jupedsim-scenarios, radii and speeds from normal distributions.".into());
    warnings.push("People go to a point of their exit that is drawn for each, not to the nearest.".into());
    let first = constants.groups[0];
    if constants.groups.iter().any(|group| *group != first) {
        let words = "groups have constants of their own";
        warnings.push(place::lose(input, placed, words, "all have those of the first", ALLOWED.1)?);
    }

    let largest = crowd.radius.iter().copied().fold(0.0, f64::max);
    let goals = placed.scenario.world.goals();
    let mut floor = Floor::new(placed.scenario, &crowd.pos).map_err(|words| refused(placed, words))?;
    let mut exits = Map::new();
    let used: Vec<usize> =
        placed.scenario.groups.iter().flat_map(|group| group.stages.iter().flatten().copied()).collect();
    for (number, goal) in goals.iter().enumerate().filter(|(number, _)| used.contains(number)) {
        let area = match &goal.what {
            Goal::Door { line, outward } => {
                // As wide as the door: people who are drawn to a point beside it would get stuck at its posts.
                let (pad, exit) = behind(*line, *outward, largest, 0.0);
                floor.add(&pad).map_err(|words| refused(placed, words))?;
                exit
            }
            Goal::Area(polygon) => polygon.points.clone(),
            Goal::Point { at, radius } => circle(*at, *radius),
        };
        exits.insert(exit_id(number), json!({ "type": "polygon", "coordinates": ring(&area), "max_throughput": 0 }));
    }

    let (mut distributions, mut journeys) = (Map::new(), Vec::new());
    for (number, group) in placed.scenario.groups.iter().enumerate() {
        let mut people = distribution(placed, number, group)?;
        if let Some(exit) = own_exit(placed, group, exits.len())? {
            let id = format!("{} to {}", group.name, goals[exit].name);
            people["journey_weights"] = json!([{ "journey_id": id, "weight": 100 }]);
            journeys.push(json!({ "id": id, "name": id, "sequence": [exit_id(exit)] }));
        }
        distributions.insert(format!("jps-distributions_{number}"), people);
    }
    let masses = crowd.mass.iter().sum::<f64>() / crowd.len().max(1) as f64;
    let config = json!({
        "crowdtune": origin::json(input),
        "different": warnings,
        "exits": exits,
        "distributions": distributions,
        "checkpoints": {},
        "zones": {},
        "journeys_v2": journeys,
        "seed": input.seed,
        "config": { "simulation_settings": { "baseSeed": input.seed, "simulationParams": {
            "model_type": "SocialForceModel",
            "max_simulation_time": placed.scenario.limit_s,
            "dt": constants.time_step(input.preset.time_step_s),
            "relaxation_time": first.relaxation,
            "agent_strength": first.strength,
            "agent_range": first.range,
            "sfm_obstacle_scale": first.wall_strength,
            "sfm_body_force": constants.body_force,
            "sfm_friction": 0.0,
            "mass": masses,
        } } },
    });
    Ok((format!("{config:#}\n"), floor.wkt(), warnings))
}

fn refused(placed: &Placed<'_>, words: &str) -> Error {
    place::refused(placed, words, ALLOWED.0, "the exporter `jupedsim` writes a script, which can say more")
}

fn exit_id(goal: usize) -> String {
    format!("jps-exits_{goal}")
}

/// The only exit of a group; `None` if its people take the nearest of all.
fn own_exit(placed: &Placed<'_>, group: &Group, exits: usize) -> Result<Option<usize>, Error> {
    match &group.stages[..] {
        [stage] if stage.len() == 1 => Ok(Some(stage[0])),
        [stage] if stage.len() == exits && !group.own_goals => Ok(None),
        [] => Err(refused(placed, &format!("the people of `{}` stay", group.name))),
        [_] => Err(refused(placed, &format!("the people of `{}` choose among some of the exits", group.name))),
        _ => Err(refused(placed, &format!("the people of `{}` have several stages", group.name))),
    }
}

/// Where the people of a group start, how many they are, and what they are like.
fn distribution(placed: &Placed<'_>, number: usize, group: &Group) -> Result<Value, Error> {
    let traits = &placed.traits[number];
    let Some(area) = group.spawn.area() else {
        return Err(refused(placed, &format!("the people of `{}` start at points", group.name)));
    };
    let radius = mean(traits.radius);
    let most = MOST_FILLED * area.area() / (std::f64::consts::PI * radius * radius);
    if group.count as f64 > most {
        return Err(Error::input(format!(
            "jupedsim-scenarios would refuse the {} people of `{}` in {:.1} m2",
            group.count,
            group.name,
            area.area()
        ))
        .key(format!("scenario.{}", placed.scenario.name))
        .allowed(format!("at most {most:.0} bodies of {radius} m there"))
        .help("fewer people, or a larger area; the exporter `jupedsim` puts people where crowdtune does"));
    }
    let mut parameters = json!({
        "number": group.count,
        "distribution_mode": "by_number",
        "radius": radius,
        "desired_speed": mean(traits.desired_speed),
    });
    for (name, drawn) in [("radius", traits.radius), ("desired_speed", traits.desired_speed)] {
        if let Some(sd) = spread(drawn) {
            parameters[format!("{name}_distribution")] = json!("gaussian");
            parameters[format!("{name}_std")] = json!(sd);
        }
    }
    Ok(json!({ "type": "polygon", "coordinates": ring(&area.points), "parameters": parameters, "journey_weights": [] }))
}

/// The standard deviation of a trait; `None` if all have the same, or a long-tailed one that no normal distribution is like.
fn spread(drawn: Distribution) -> Option<f64> {
    match drawn {
        Distribution::Uniform { low, high } => Some((high - low) / 12.0_f64.sqrt()),
        Distribution::Normal { sd, .. } => Some(sd),
        Distribution::Fixed(_) | Distribution::Skewed { .. } => None,
    }
}

/// A closed outline.
fn ring(points: &[Vec2]) -> Value {
    points.iter().chain(points.first()).map(|p| json!([p.x, p.y])).collect()
}

#[cfg(test)]
#[path = "scenarios_tests.rs"]
mod tests;
