//! A Python script that builds a scenario with the preset in JuPedSim and runs it.
//!
//! The script has two halves: numbers, written here, and `run.py`, which is the same for every export.

mod journeys;
pub mod scenarios;
mod speed;
mod starts;
mod translate;

use super::place::{self, What, comment};
use super::{Export, ExportInput, MakeExporter, Placed, origin};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::models::SOCIAL_FORCE;
use journeys::Journeys;
use std::fmt::Write as _;
use translate::Constants;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "jupedsim",
    doc: "A Python script for each scenario that runs it with the preset in JuPedSim and writes an sqlite trajectory.",
    source: "JuPedSim 1.4.2, SocialForceModel, CollisionFreeSpeedModelV2, AnticipationVelocityModel",
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

/// Refuses what is no preset of one of these models.
fn only(models: &[&str], input: &ExportInput<'_>) -> Result<(), Error> {
    let model = input.preset.model.as_str();
    if let [_, other, ..] = input.models[..] {
        return Err(Error::input(format!(
            "a JuPedSim simulation has one operational model for everybody, and the preset has `{model}` and `{}`",
            other.name
        ))
        .key("models")
        .allowed("one model for all groups")
        .help("tune a file whose groups name no `model`, or take the exporters `json` and `csv`, which name that of each group"));
    }
    if !models.contains(&model) {
        return Err(Error::input(format!("the exporter has no words for `{model}` in JuPedSim"))
            .key("model")
            .allowed(models.join(", "))
            .help("the exporters `json` and `csv` take every model"));
    }
    Ok(())
}

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    let speed = speed::LAWS.iter().map(|law| law.ours);
    only(&[SOCIAL_FORCE.name].into_iter().chain(speed).collect::<Vec<_>>(), input)?;
    place::each(input, "run_jupedsim", |place, stem| {
        let (text, warnings) = script(input, place, stem)?;
        Ok(Export { files: vec![(format!("{stem}.py"), text.into_bytes())], warnings })
    })
}

fn script(input: &ExportInput<'_>, place: &Placed<'_>, stem: &str) -> Result<(String, Vec<String>), Error> {
    check_wishes(place)?;
    let run = place::start(input, place)?;
    let crowd = run.crowd();
    let law = speed::LAWS.iter().find(|law| law.ours == input.preset.model);
    starts::check(place, crowd, if law.is_some() { &starts::SPEED } else { &starts::SOCIAL_FORCE })?;
    let journeys = Journeys::new(place.scenario, crowd);
    let (warnings, step_s, constants) = match law {
        Some(law) => (law.lost(input, place), input.preset.time_step_s, law.text(input, place)),
        None => {
            let constants = Constants::new(place, crowd);
            let mut warnings = constants.warnings.clone();
            warnings.extend(translate::lost(place, crowd));
            (warnings, constants.time_step(input.preset.time_step_s), constants.text())
        }
    };

    let mut text = String::new();
    head(&mut text, input, place, stem, &warnings);
    let nth = (FRAME_S / step_s).round().max(1.0);
    let limit_s = place.scenario.limit_s;
    text += &format!(
        "OUTPUT = \"{stem}.sqlite\"\nLIMIT_S = {limit_s:?}\nTIME_STEP_S = {step_s:?}\nEVERY_NTH_FRAME = {nth}\n\n"
    );
    text += &constants;
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

fn people(text: &mut String, crowd: &Crowd, journeys: &Journeys) {
    *text += "# One row per person: x (m), y (m), radius (m), mass (kg), desired speed (m/s), start (s), group, journey.\n\
              # Everybody starts as far from others and from walls as JuPedSim demands.\n\
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
