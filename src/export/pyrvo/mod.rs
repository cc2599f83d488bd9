//! A Python script that builds a scenario with the preset in RVO2, by pyrvo, and runs it; crowdtune's own run of the same people lies
//! beside it, so that anybody can see how far the two are apart.
//!
//! The script has two halves: numbers, written here, and `run.py`, which is the same for every export.

use super::place::{self, What, comment};
use super::{Export, ExportInput, MakeExporter, Placed, origin};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Settings};
use crowdtune_sim::crowd::{Crowd, Sim, Start};
use crowdtune_sim::models::{MakeModel, ModelSetup};
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

/// The only model that RVO2 has.
const MODEL: &str = "orca";

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    let Some(model) = input.models.first().filter(|_| input.models.len() == 1 && input.preset.model == MODEL) else {
        return Err(Error::input(format!(
            "RVO2 has no model like `{}`",
            input.models.iter().map(|m| m.name).collect::<Vec<_>>().join("` with `")
        ))
        .key("model")
        .allowed(MODEL)
        .help("the exporters `json` and `csv` take every model"));
    };
    place::each(input, "run_pyrvo", |place, stem| {
        let warnings = lost(input, place, model)?;
        let start = place::start(input, place)?;
        let text = script(input, place, &start, stem, &warnings);
        let ours = ours(place, start, model)?;
        let files =
            vec![(format!("{stem}.py"), text.into_bytes()), (format!("{stem}_crowdtune.txt"), ours.into_bytes())];
        Ok(Export { files, warnings })
    })
}

/// What RVO2 cannot say: an error, unless it may be left out and listed.
fn lost(input: &ExportInput<'_>, place: &Placed<'_>, model: &Entry<MakeModel>) -> Result<Vec<String>, Error> {
    let mut lost = Vec::new();
    for (what, words) in place::beyond(place) {
        let instead = match what {
            What::Rounds | What::Heading | What::Gathering => continue,
            What::Field => "they walk straight to their goals, and crowdtune's run beside the script around the walls",
            What::Sight => "they see all goals",
            What::GivingWay => "everybody takes half of the avoidance",
            _ => {
                return Err(place::refused(
                    place,
                    &words,
                    "an open place on flat ground, people who are there at the start",
                    place::OTHERS,
                ));
            }
        };
        if !input.force {
            return Err(place::refused(
                place,
                &words,
                "straight ways to goals that are seen from everywhere",
                &format!("add --force: {instead}"),
            ));
        }
        lost.push(format!("Left out: {words}; {instead}."));
    }
    let settings = |values: &Vec<f64>| Settings::new(model.params, values).get("responsibility");
    let shares: Vec<f64> = place.constants.iter().map(settings).collect();
    // A pair shares by the ratio of the two responsibilities.
    if let Some(other) = shares.iter().find(|share| **share != shares[0] || **share == 0.0) {
        let words = format!("groups share the avoidance as {} to {other}", shares[0]);
        if !input.force {
            return Err(place::refused(
                place,
                &words,
                "the same `responsibility` above 0 for all groups",
                "add --force: everybody takes half of the avoidance",
            ));
        }
        lost.push(format!("Left out: {words}; everybody takes half of the avoidance."));
    }
    lost.push(
        "RVO2 computes positions in single precision, and nothing but its own lines keeps people off walls.".into(),
    );
    Ok(lost)
}

/// crowdtune's run of the people of the script, without the random push, as PedPy reads it.
fn ours(place: &Placed<'_>, start: Start, model: &'static Entry<MakeModel>) -> Result<String, Error> {
    let push = model.params.iter().position(|param| param.key == "push_m_per_s");
    let mut constants = place.constants.clone();
    constants.iter_mut().for_each(|values| push.into_iter().for_each(|at| values[at] = 0.0));
    let settings: Vec<Settings<'_>> = constants.iter().map(|values| Settings::new(model.params, values)).collect();
    let steering = (model.make.make)(&ModelSetup::new(&start), &settings);
    let every_s = start.setup().time_step_s;
    let mut sim = Sim::new(start, steering);
    sim.record(every_s);
    sim.run(&mut |_, _, _| {})?;
    Ok(sim.take_recording().map_or_else(String::new, |track| track.pedpy()))
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
