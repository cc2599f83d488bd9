//! A Python script that builds a scenario with the preset in RVO2, by pyrvo, and runs it; crowdtune's own run of the same people lies
//! beside it, so that anybody can see how far the two are apart.
//!
//! The script has two halves: numbers, written here, and `run.py`, which is the same for every export.

use super::orca;
use super::place::{self, Says, What, comment};
use super::{Export, ExportInput, MakeExporter, Placed, origin};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Settings};
use crowdtune_sim::crowd::{Crowd, Start};
use crowdtune_sim::models::MakeModel;
use crowdtune_sim::world::scenario::{Goal, Group, Pull, Segment};
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
        let ours = orca::ours(place, start, model)?;
        let files =
            vec![(format!("{stem}.py"), text.into_bytes()), (format!("{stem}_crowdtune.txt"), ours.into_bytes())];
        Ok(Export { files, warnings })
    })
}

/// What RVO2 cannot say: an error, unless it may be left out and listed.
fn lost(input: &ExportInput<'_>, place: &Placed<'_>, model: &Entry<MakeModel>) -> Result<Vec<String>, Error> {
    let mut lost = place::left_out(input, place, orca::ALLOWED, |what| match what {
        What::GivingWay => Says::Instead(orca::HALF),
        _ => orca::says(what),
    })?;
    lost.extend(orca::unequal(input, place, model)?);
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
    walls(&mut text, place);
    goals(&mut text, place);
    people(&mut text, place, start.crowd(), input.models[0]);
    text + RUN
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
            wish(place, group),
        );
    }
    *text += "]\n\n";
}

/// Where the people of a group go.
fn wish(place: &Placed<'_>, group: &Group) -> String {
    let (heading, stay) = match group.pull {
        Pull::Heading(way) => (point(way), "None".into()),
        Pull::Point { at, radius_m } => ("None".into(), format!("({}, {radius_m:?})", point(at))),
        Pull::Nothing | Pull::Group(_) | Pull::Track => ("None".into(), "None".to_string()),
    };
    let switch = |on: bool| if on { "True" } else { "False" };
    format!(
        "stages={:?}, own_goals={}, rounds={}, heading={heading}, stay={stay}",
        place.scenario.world.journey(group),
        switch(group.own_goals),
        switch(group.rounds),
    )
}

fn walls(text: &mut String, place: &Placed<'_>) {
    let world = &place.scenario.world;
    *text += "# Walls as closed chains of corners, counterclockwise around what is solid; a thin wall is walked there and back.\nOBSTACLES = [\n";
    for chain in world.obstacles().chains() {
        let _ = writeln!(text, "    [{}],", points(&chain));
    }
    *text += "]\n# The same as lines, for who sees which door.\nWALLS = [\n";
    for Segment { a, b } in &world.plan.walls {
        let _ = writeln!(text, "    ({}, {}),", point(*a), point(*b));
    }
    *text += "]\n";
}

fn goals(text: &mut String, place: &Placed<'_>) {
    *text += "# Doors with the direction out of them, areas by their corners, points with the radius within which they are reached.\nGOALS = [\n";
    for goal in place.scenario.world.goals() {
        let written = match &goal.what {
            Goal::Door { line, outward } => {
                format!("(\"door\", ({}, {}), {})", point(line.a), point(line.b), point(*outward))
            }
            Goal::Area(polygon) => format!("(\"area\", ({}), None)", points(&polygon.points)),
            Goal::Point { at, radius } => format!("(\"point\", ({},), {radius:?})", point(*at)),
        };
        let _ = writeln!(text, "    {written},  # {}", comment(&goal.name));
    }
    *text += "]\n";
}

fn people(text: &mut String, place: &Placed<'_>, crowd: &Crowd, model: &Entry<MakeModel>) {
    *text += "# One row per person: x (m), y (m), radius (m), desired speed (m/s), highest speed (m/s), start (s), group.\nPEOPLE = [\n";
    for row in 0..crowd.len() {
        let group = usize::from(crowd.group[row]);
        let factor = Settings::new(model.params, &place.constants[group]).get("max_speed_factor");
        let _ = writeln!(
            text,
            "    ({:?}, {:?}, {:?}, {:?}, {:?}, {:?}, {group}),",
            crowd.pos[row].x,
            crowd.pos[row].y,
            crowd.radius[row],
            crowd.desired_speed[row],
            crowd.top_speed(row, factor),
            crowd.start_s[row],
        );
    }
    *text += "]\n";
}

/// A point as Python writes it.
fn point(p: Vec2) -> String {
    format!("({:?}, {:?})", p.x, p.y)
}

fn points(all: &[Vec2]) -> String {
    all.iter().map(|&p| point(p)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
