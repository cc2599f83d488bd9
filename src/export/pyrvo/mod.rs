//! A Python script that builds a scenario with the preset in RVO2, by pyrvo, and runs it; crowdtune's own run of the same people lies
//! beside it, so that anybody can see how far the two are apart.
//!
//! The script has two halves: numbers, written here, and `run.py`, which is the same for every export.

use super::place::{self, Says, What, comment};
use super::{Export, ExportInput, MakeExporter, Placed, orca, origin, python};
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Settings};
use crowdtune_sim::crowd::Start;
use crowdtune_sim::models::MakeModel;
use std::fmt::Write as _;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "pyrvo",
    doc: "A Python script for each scenario that runs it with the preset in RVO2 by pyrvo, and crowdtune's run of the same people to \
          compare it with.",
    source: "pyrvo 0.4.3, RVO2 2.0",
    params: &[],
    make: MakeExporter {
        export,
        writes: "run_pyrvo.py and run_pyrvo_crowdtune.txt, one each for each scenario",
        needs_place: true,
        needs_runs: false,
    },
};

const RUN: &str = include_str!("run.py");

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    let model = orca::only(input, "RVO2")?;
    place::each(input, "run_pyrvo", |place, stem| {
        let warnings = lost(input, place, model)?;
        let start = place::start(input, place)?;
        let text = script(input, place, &start, stem, &warnings);
        let ours = place::ours(input, place, start, &[orca::PUSH])?;
        let files =
            vec![(format!("{stem}.py"), text.into_bytes()), (format!("{stem}_crowdtune.txt"), ours.into_bytes())];
        Ok(Export { files, warnings })
    })
}

/// What RVO2 cannot say: an error, unless it may be left out and listed.
fn lost(input: &ExportInput<'_>, place: &Placed<'_>, model: &Entry<MakeModel>) -> Result<Vec<String>, Error> {
    let mut lost = place::left_out(input, place, place::STRAIGHT, |what| match what {
        What::GivingWay => Says::Instead(orca::HALF),
        _ => place::straight(what),
    })?;
    lost.extend(orca::unequal(input, place, model)?);
    lost.extend(place::time_gap(input, place)?);
    let margin = |values: &Vec<f64>| Settings::new(model.params, values).get("margin_m");
    if place.constants.iter().any(|values| margin(values) > 0.0) {
        lost.push(
            "RVO2 has one radius for people and walls: `margin_m` is kept between people (the mean of the two), and half of it to walls."
                .into(),
        );
    }
    lost.push(
        "RVO2 computes positions in single precision, and nothing but its own lines keeps people off walls.".into(),
    );
    Ok(lost)
}

fn script(input: &ExportInput<'_>, place: &Placed<'_>, start: &Start, stem: &str, lost: &[String]) -> String {
    let preset = input.preset;
    let version = env!("CARGO_PKG_VERSION");
    let (name, at) = (comment(&preset.name), comment(place.name));
    let mut text = format!(
        "#!/usr/bin/env python3\n# The preset `{name}` in the scenario `{at}`, exported by crowdtune {version} for pyrvo 0.4.3 (RVO2).\n#\n\
         #     pip install pyrvo\n#     python {stem}.py [--seconds N] [--out FILE.txt]\n\
         #     python {stem}.py --compare {stem}_crowdtune.txt\n#\n"
    );
    origin::lines(input).iter().for_each(|line| text += &format!("# {line}\n"));
    text += "#\n# What RVO2 does differently:\n";
    lost.iter().for_each(|line| text += &format!("# * {}\n", comment(line)));
    text += "\nimport argparse\nimport math\nimport random\nfrom pathlib import Path\n\nimport pyrvo\n\n";
    let _ = writeln!(
        text,
        "OUTPUT = \"{stem}.txt\"\nLIMIT_S = {:?}\nTIME_STEP_S = {:?}\n",
        place.scenario.limit_s, preset.time_step_s
    );
    groups(&mut text, place, input.models[0]);
    python::obstacles(&mut text, place);
    let factor = |group: usize| Settings::new(input.models[0].params, &place.constants[group]).get("max_speed_factor");
    python::place(&mut text, place, start.crowd(), factor);
    text + python::GOALS + RUN
}

fn groups(text: &mut String, place: &Placed<'_>, model: &Entry<MakeModel>) {
    *text += "# Constants of each group: horizons (s), how far and how many neighbors, the gap to others and walls (m), the random change of\n\
              # the preferred velocity (m/s); and where its people go. `stages` are the goals in order, one of each list.\nGROUPS = [\n";
    for (group, values) in place.scenario.groups.iter().zip(&place.constants) {
        let s = Settings::new(model.params, values);
        let _ = writeln!(
            text,
            "    dict(time_horizon={:?}, time_horizon_obst={:?}, neighbor_dist={:?}, max_neighbors={}, margin={:?}, push={:?},\n         {}),",
            s.get("time_horizon_s"),
            s.get("obstacle_time_horizon_s"),
            s.get("neighbor_distance_m"),
            s.whole("max_neighbors"),
            s.get("margin_m"),
            s.get("push_m_per_s"),
            python::wish(place, group),
        );
    }
    *text += "]\n\n";
}

#[cfg(test)]
mod tests;
