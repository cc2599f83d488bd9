//! A Python script that builds a scenario with the preset in JuPedSim and runs it.
//!
//! The script has two halves: numbers, written here, and `run.py`, which is the same for every export.

mod journeys;
pub mod scenarios;
mod translate;

use super::place::{self, What, comment};
use super::{Export, ExportInput, MakeExporter, Placed, origin};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::Crowd;
use journeys::Journeys;
use std::fmt::Write as _;
use translate::Constants;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "jupedsim",
    doc: "A Python script for each scenario that runs it with the preset in JuPedSim and writes an sqlite trajectory.",
    source: "JuPedSim 1.4.2, SocialForceModel",
    params: &[],
    make: MakeExporter {
        export,
        writes: "run_jupedsim.py, one for each scenario",
        needs_place: true,
        needs_runs: false,
    },
};

const RUN: &str = include_str!("run.py");

/// Frames are written at this interval, s. Chosen here: ten a second, as in the published experiments.
const FRAME_S: f64 = 0.1;

/// Refuses what is no preset of the one model that is the same there.
fn only_social_force(input: &ExportInput<'_>) -> Result<(), Error> {
    let model = &input.preset.model;
    if let [_, other, ..] = input.models[..] {
        return Err(Error::input(format!(
            "a JuPedSim simulation has one operational model for everybody, and the preset has `{model}` and `{}`",
            other.name
        ))
        .key("models")
        .allowed("one model for all groups")
        .help("tune a file whose groups name no `model`, or take the exporters `json` and `csv`, which name that of each group"));
    }
    if model != "social_force" {
        return Err(Error::input(format!("JuPedSim has no model like `{model}`"))
            .key("model")
            .allowed("social_force")
            .help("the exporters `json` and `csv` take every model"));
    }
    Ok(())
}

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    only_social_force(input)?;
    place::each(input, "run_jupedsim", |place, stem| {
        let (text, warnings) = script(input, place, stem)?;
        Ok(Export { files: vec![(format!("{stem}.py"), text.into_bytes())], warnings })
    })
}

fn script(input: &ExportInput<'_>, place: &Placed<'_>, stem: &str) -> Result<(String, Vec<String>), Error> {
    check_wishes(place)?;
    let run = place::start(input, place)?;
    let crowd = run.crowd();
    check_starts(place, crowd)?;
    let constants = Constants::new(place, crowd);
    let journeys = Journeys::new(place.scenario, crowd);
    let mut warnings = constants.warnings.clone();
    warnings.extend(translate::lost(place, crowd));

    let mut text = String::new();
    head(&mut text, input, place, stem, &warnings);
    constants_block(&mut text, input, &constants, place.scenario.limit_s, stem);
    journeys.write(&mut text);
    people(&mut text, crowd, &journeys);
    text.push_str(RUN);
    Ok((text, warnings))
}

/// What JuPedSim has no word for, and without which a run would be another one.
fn check_wishes(place: &Placed<'_>) -> Result<(), Error> {
    let can = |what: What| matches!(what, What::Field | What::Sight | What::GivingWay);
    match place::beyond(place).into_iter().find(|(what, _)| !can(*what)) {
        Some((_, words)) => Err(place::refused(
            place,
            &words,
            "a place with an end in every direction, people who are there at the start and leave or stay",
            place::OTHERS,
        )),
        None => Ok(()),
    }
}

/// JuPedSim refuses a person nearer to another one than a radius, or nearer to a wall than half of it.
fn check_starts(place: &Placed<'_>, crowd: &Crowd) -> Result<(), Error> {
    let refused = |what: String| {
        Err(Error::input(format!("JuPedSim would refuse the start of {what}"))
            .key(format!("scenario.{}", place.scenario.name))
            .allowed("a radius or more from others, half a radius or more from walls")
            .help("move the starting points apart, or let people start at random in an area"))
    };
    for (i, &pos) in crowd.pos.iter().enumerate() {
        if place.scenario.world.walls.distance(pos) < 0.5 * crowd.radius[i] {
            return refused(format!("person {i} at ({:.2}, {:.2}), on a wall", pos.x, pos.y));
        }
        for (j, &other) in crowd.pos.iter().enumerate().take(i) {
            if (pos - other).length() < crowd.radius[i].max(crowd.radius[j]) {
                return refused(format!("persons {j} and {i} at ({:.2}, {:.2}), on top of each other", pos.x, pos.y));
            }
        }
    }
    Ok(())
}

fn head(text: &mut String, input: &ExportInput<'_>, place: &Placed<'_>, stem: &str, warnings: &[String]) {
    let preset = input.preset;
    let version = env!("CARGO_PKG_VERSION");
    *text += "#!/usr/bin/env python3\n";
    *text += &format!("# The preset `{}` in the scenario `{}`, ", comment(&preset.name), comment(place.name));
    *text += &format!("exported by crowdtune {version} for JuPedSim 1.4.2.\n#\n");
    *text +=
        &format!("#     pip install jupedsim shapely\n#     python {stem}.py [--seconds N] [--out FILE.sqlite]\n#\n");
    origin::lines(input).iter().for_each(|line| *text += &format!("# {line}\n"));
    *text += "#\n# What JuPedSim does differently:\n";
    for warning in warnings {
        *text += &format!("# * {}\n", comment(warning));
    }
    *text += "\nimport argparse\nimport sys\nfrom pathlib import Path\n\nimport jupedsim as jps\n\
              from shapely import LineString, MultiPoint, Polygon\nfrom shapely.ops import polygonize, unary_union\n\n";
}

fn constants_block(text: &mut String, input: &ExportInput<'_>, constants: &Constants, limit_s: f64, stem: &str) {
    let step = constants.time_step(input.preset.time_step_s);
    let nth = (FRAME_S / step).round().max(1.0);
    *text += &format!("OUTPUT = \"{stem}.sqlite\"\nLIMIT_S = {limit_s:?}\n");
    *text += "# JuPedSim integrates explicitly: the step resolves the stiffest contact.\n";
    *text += &format!("TIME_STEP_S = {step:?}\nEVERY_NTH_FRAME = {nth}\n\n");
    *text += &format!("BODY_FORCE_KG_PER_S2 = {:?}\n", constants.body_force);
    *text += &format!(
        "# The preset has {:?} kg/(m s). JuPedSim 1.4.2 adds the friction of walls with the wrong sign, so that sliding\n\
         # along a wall accelerates until people are thrown out of the place. Friction between people has the right\n\
         # sign, but both share this one constant: it has to stay 0.\n\
         FRICTION_KG_PER_M_S = 0.0\n\n",
        constants.friction
    );
    *text += "# Constants of each group: A, A of walls (N), B (m), tau (s).\nGROUPS = [\n";
    for g in &constants.groups {
        let _ = writeln!(
            text,
            "    dict(agent_scale={:?}, obstacle_scale={:?}, force_distance={:?}, reaction_time={:?}),",
            g.strength, g.wall_strength, g.range, g.relaxation
        );
    }
    *text += "]\n\n";
}

fn people(text: &mut String, crowd: &Crowd, journeys: &Journeys) {
    *text += "# One row per person: x (m), y (m), radius (m), mass (kg), desired speed (m/s), start (s), group, journey.\n\
              # Everybody starts at least a radius from others and half a radius from walls, as JuPedSim demands.\n\
              PEOPLE = [\n";
    for i in 0..crowd.len() {
        let _ = writeln!(
            text,
            "    ({:.4}, {:.4}, {:.4}, {:.3}, {:.4}, {:.2}, {}, {}),",
            crowd.pos[i].x,
            crowd.pos[i].y,
            crowd.radius[i],
            crowd.mass[i],
            crowd.desired_speed[i],
            crowd.start_s[i],
            crowd.group[i],
            journeys.of[i],
        );
    }
    *text += "]\n";
}

#[cfg(test)]
mod tests;
