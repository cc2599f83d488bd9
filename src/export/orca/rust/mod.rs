//! A cargo project that runs places with a preset in a crate with ORCA.
//!
//! `project` has its sources, the same for every export, with one file for each crate that steers; the places are written here as Rust.

use super::super::place::{self, comment};
use super::super::{Export, ExportInput, Placed, origin};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Settings};
use crowdtune_sim::crowd::{Crowd, Start};
use crowdtune_sim::models::MakeModel;
use crowdtune_sim::world::scenario::{Goal, Group, Pull, Segment};
use std::fmt::Write as _;

/// A crate that steers people.
pub struct Tool {
    /// Its name, also that of the exporter.
    pub name: &'static str,
    /// Lines of `[dependencies]`.
    pub dependencies: &'static str,
    /// The file that talks to it.
    pub steer: &'static str,
    /// What it cannot say of a place, and what it does differently: an error, unless it may be left out and listed.
    pub lost: Lost,
}

/// Gives sentences, each once for a place.
type Lost = fn(&ExportInput<'_>, &Placed<'_>, &Entry<MakeModel>) -> Result<Vec<String>, Error>;

const MAIN: &str = include_str!("project/main.rs");
const PLACE: &str = include_str!("project/place.rs");
const GOALS: &str = include_str!("project/goals.rs");

/// The project of a preset.
///
/// # Errors
/// If the tool cannot take the model or a place.
pub fn export(input: &ExportInput<'_>, tool: &Tool) -> Result<Export, Error> {
    let model = super::only(input, tool.name)?;
    let mut made = place::each(input, "place", |at, stem| {
        let warnings = (tool.lost)(input, at, model)?;
        let start = place::start(input, at)?;
        let text = literal(input, at, &start, stem, model);
        let ours = place::ours(input, at, start, &[super::PUSH])?;
        let files = vec![
            (format!("src/places/{stem}.rs"), text.into_bytes()),
            (format!("{stem}_crowdtune.txt"), ours.into_bytes()),
        ];
        Ok(Export { files, warnings })
    })?;
    let stems = made.files.iter().filter_map(|(name, _)| name.strip_prefix("src/places/")?.strip_suffix(".rs"));
    let stems: Vec<String> = stems.map(str::to_string).collect();
    let places: Vec<String> = stems.iter().map(|stem| format!("include!(\"{stem}.rs\")")).collect();
    for (name, text) in [
        ("src/places/all.rs", format!("[{}]\n", places.join(", "))),
        ("src/main.rs", MAIN.into()),
        ("src/place.rs", PLACE.into()),
        ("src/goals.rs", GOALS.into()),
        ("src/steer.rs", tool.steer.into()),
        ("Cargo.toml", manifest(tool)),
        ("README.md", readme(input, tool, &stems[0], &made.warnings)),
    ] {
        made.files.push((name.into(), text.into_bytes()));
    }
    Ok(made)
}

fn manifest(tool: &Tool) -> String {
    format!(
        "[package]\nname = \"crowd\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n{}\n\n[workspace]\n",
        tool.dependencies
    )
}

fn readme(input: &ExportInput<'_>, tool: &Tool, stem: &str, warnings: &[String]) -> String {
    let (name, lost) = (comment(&input.preset.name), warnings.join("\n* "));
    format!(
        "# The preset `{name}` in {}\n\n\
         `src/steer.rs` is what talks to the crate; take it and `src/places` to your program. `ORIGIN.md` says where the numbers come from.\n\n\
         ```\ncargo run --release -- {stem} --out tracks.txt\ncargo run --release -- {stem} --compare {stem}_crowdtune.txt\n```\n\n\
         The second line runs without the random push and prints how far people are from crowdtune's own run of them. Tracks are text\n\
         for PedPy.\n\nWhat {} does differently:\n\n* {lost}\n",
        tool.name, tool.name
    )
}

/// A place as an expression of Rust.
fn literal(input: &ExportInput<'_>, place: &Placed<'_>, start: &Start, stem: &str, model: &Entry<MakeModel>) -> String {
    let mut text = format!("// Exported by crowdtune {}.\n", env!("CARGO_PKG_VERSION"));
    origin::lines(input).iter().for_each(|line| text += &format!("// {line}\n"));
    text += &format!(
        "Place {{\n    name: \"{stem}\", // {}\n    time_step_s: {:?},\n    limit_s: {:?},\n",
        comment(place.name),
        input.preset.time_step_s,
        place.scenario.limit_s,
    );
    let groups = (0..place.scenario.groups.len()).map(|at| group(place, at, model));
    list(&mut text, "groups", groups);
    let world = &place.scenario.world;
    list(&mut text, "obstacles", world.obstacles().chains().iter().map(|chain| format!("&{}", points(chain))));
    list(&mut text, "walls", world.plan.walls.iter().map(|Segment { a, b }| format!("[{}, {}]", point(*a), point(*b))));
    list(&mut text, "goals", world.goals().iter().map(|named| goal(&named.what)));
    let crowd = start.crowd();
    list(&mut text, "people", (0..crowd.len()).map(|row| person(place, crowd, row, model)));
    text + "}\n"
}

fn list(text: &mut String, name: &str, lines: impl Iterator<Item = String>) {
    let _ = writeln!(text, "    {name}: &[");
    for line in lines {
        let _ = writeln!(text, "        {line},");
    }
    *text += "    ],\n";
}

fn group(place: &Placed<'_>, at: usize, model: &Entry<MakeModel>) -> String {
    let group = &place.scenario.groups[at];
    let s = Settings::new(model.params, &place.constants[at]);
    let shares: Vec<f64> = (0..place.constants.len()).map(|other| share(place, at, other, model)).collect();
    let (heading, stay) = wish(group);
    let stages: Vec<String> = place.scenario.world.journey(group).iter().map(|goals| format!("&{goals:?}")).collect();
    format!(
        "Group {{ time_horizon_s: {:?}, obstacle_time_horizon_s: {:?}, neighbor_distance_m: {:?}, max_neighbors: {}, margin_m: {:?}, \
         push_m_per_s: {:?}, shares: &{shares:?}, stages: &[{}], own_goals: {}, rounds: {}, heading: {heading}, stay: {stay} }}",
        s.get("time_horizon_s"),
        s.get("obstacle_time_horizon_s"),
        s.get("neighbor_distance_m"),
        s.whole("max_neighbors"),
        s.get("margin_m"),
        s.get("push_m_per_s"),
        stages.join(", "),
        group.own_goals,
        group.rounds,
    )
}

/// The share of the avoidance that the people of a group take towards those of another.
fn share(place: &Placed<'_>, at: usize, other: usize, model: &Entry<MakeModel>) -> f64 {
    if let Some((_, share)) = place.scenario.groups[at].gives_way.iter().find(|(named, _)| *named == other) {
        return *share;
    }
    let of = |at: usize| Settings::new(model.params, &place.constants[at]).get("responsibility");
    let both = of(at) + of(other);
    if both > 0.0 { of(at) / both } else { 0.5 }
}

/// Where the people of a group without goals go.
fn wish(group: &Group) -> (String, String) {
    let none = || "None".to_string();
    match group.pull {
        Pull::Heading(way) => (format!("Some({})", point(way)), none()),
        Pull::Point { at, radius_m } => (none(), format!("Some(({}, {radius_m:?}))", point(at))),
        Pull::Nothing | Pull::Group(_) | Pull::Track => (none(), none()),
    }
}

fn goal(goal: &Goal) -> String {
    match goal {
        Goal::Door { line, outward } => {
            format!("Goal::Door([{}, {}], {})", point(line.a), point(line.b), point(*outward))
        }
        Goal::Area(polygon) => format!("Goal::Area(&{})", points(&polygon.points)),
        Goal::Point { at, radius } => format!("Goal::Point({}, {radius:?})", point(*at)),
    }
}

fn person(place: &Placed<'_>, crowd: &Crowd, row: usize, model: &Entry<MakeModel>) -> String {
    let group = usize::from(crowd.group[row]);
    let factor = Settings::new(model.params, &place.constants[group]).get("max_speed_factor");
    format!(
        "Person {{ at: {}, radius_m: {:?}, desired_speed: {:?}, top_speed: {:?}, start_s: {:?}, group: {group} }}",
        point(crowd.pos[row]),
        crowd.radius[row],
        crowd.desired_speed[row],
        crowd.top_speed(row, factor),
        crowd.start_s[row],
    )
}

fn point(p: Vec2) -> String {
    format!("[{:?}, {:?}]", p.x, p.y)
}

fn points(all: &[Vec2]) -> String {
    format!("[{}]", all.iter().map(|&p| point(p)).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests;
