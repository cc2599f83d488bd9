//! Settings of Godot 4's navigation agents: a scene with one agent for each group, and a script that sets agents of one's own.
//!
//! The script keeps to what Godot 3 and 4 both read, so that a test can run it in Godot 3. Nothing here was run in Godot 4.

use super::place::{TIME_GAP, slug};
use super::{Export, ExportInput, MakeExporter, distribution, mean, orca, origin};
use crate::preset::{OfGroup, Quantities, Quantity};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::people::Distribution;
use std::fmt::Write as _;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "godot_navigation",
    doc: "The settings of Godot 4's navigation agents for each group: a scene to take nodes from, and a script that sets agents in 2D or 3D.",
    source: "class reference of Godot 4: NavigationAgent2D, NavigationAgent3D; not run there",
    params: &[],
    make: MakeExporter {
        export,
        writes: "navigation_agents.tscn and navigation_agents.gd",
        needs_place: false,
        needs_runs: false,
    },
};

const APPLY: &str = include_str!("apply.gd");

/// What is different in Godot 4 in every preset.
const DIFFERS: [&str; 6] = [
    "Not run in Godot 4: the names and meanings of its settings are those of its class reference.",
    "NavigationAgent2D counts in pixels: `apply` multiplies lengths and speeds by the pixels that make a meter in your game.",
    "Godot has no desired speed: give every agent a velocity of that length towards `get_next_path_position()`, as `desired_speed` says.",
    "Godot avoids with the step of its physics (1/60 s unless you change it), and answers in `velocity_computed` one step later.",
    "Walls are avoided only where there are obstacles for it (NavigationObstacle2D, NavigationObstacle3D), not at the border of a mesh.",
    "Everybody takes half of the avoidance, and nothing changes velocities at random.",
];

/// The settings of one agent, in meters and seconds.
struct Agent {
    group: String,
    /// Name and value of what is a length or a speed.
    lengths: Vec<(&'static str, f64)>,
    /// Of what is not.
    others: Vec<(&'static str, f64)>,
    max_neighbors: i64,
    desired_speed: f64,
}

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    orca::only(input, "Godot's navigation")?;
    let mut warnings = Vec::new();
    let groups = input.preset.groups.iter().map(|(name, own)| (name.as_str(), own.clone()));
    let mut agents = Vec::new();
    for (name, own) in [("everybody", OfGroup::default())].into_iter().chain(groups) {
        agents.push(agent(input, name, &own, &mut warnings)?);
    }
    warnings.extend(DIFFERS.map(String::from));
    let files = vec![
        ("navigation_agents.tscn".into(), scene(input, &agents, &warnings).into_bytes()),
        ("navigation_agents.gd".into(), script(input, &agents, &warnings).into_bytes()),
    ];
    Ok(Export { files, warnings })
}

fn agent(input: &ExportInput<'_>, name: &str, own: &OfGroup, warnings: &mut Vec<String>) -> Result<Agent, Error> {
    let find = |own: &Quantities, all: &Quantities, key: &str| own.get(key).or_else(|| all.get(key)).cloned();
    let constant = |key: &str| {
        let given = find(&own.parameters, &input.preset.parameters, key);
        given.and_then(|quantity| quantity.value.as_f64()).ok_or_else(|| {
            Error::input(format!("the preset has no number `{key}` for `{name}`"))
                .key(format!("parameters.{key}"))
                .help("export another preset: groups or scenarios differ in it")
        })
    };
    let mut of_people = |key: &str| {
        let quantity: Quantity = find(&own.people, &input.preset.people, key)?;
        let drawn = distribution(key, &quantity)?;
        if !matches!(drawn, Distribution::Fixed(_)) {
            let said =
                format!("`{key}` is drawn for each person, and an agent has its mean: draw it for each of yours.");
            if !warnings.contains(&said) {
                warnings.push(said);
            }
        }
        Some(mean(drawn))
    };
    let missing = |key: &str| {
        Error::input(format!("the preset has no `{key}` for `{name}`"))
            .key(format!("people.{key}"))
            .help("export another preset: groups or scenarios differ in it")
    };
    let radius = of_people("radius_m").ok_or_else(|| missing("radius_m"))?;
    let desired_speed = of_people("desired_speed_m_per_s").ok_or_else(|| missing("desired_speed_m_per_s"))?;
    let max_speed = match of_people("max_speed_m_per_s") {
        Some(speed) => speed,
        None => constant("max_speed_factor")? * desired_speed,
    };
    // A preset of before the key has none.
    if constant(TIME_GAP).is_ok_and(|gap| gap > 0.0) {
        let said = "`time_gap_s` is left out: agents do not slow down for the gap ahead.";
        if !warnings.iter().any(|warning| warning == said) {
            warnings.push(said.into());
        }
    }
    let margin = constant("margin_m")?;
    if margin > 0.0 {
        let said = "`margin_m` is kept between people, half of it in the radius of each, and half of it to obstacles.";
        if !warnings.iter().any(|warning| warning == said) {
            warnings.push(said.into());
        }
    }
    Ok(Agent {
        group: name.into(),
        lengths: vec![
            ("radius", radius + 0.5 * margin),
            ("neighbor_distance", constant("neighbor_distance_m")?),
            ("max_speed", max_speed),
        ],
        others: vec![
            ("time_horizon_agents", constant("time_horizon_s")?),
            ("time_horizon_obstacles", constant("obstacle_time_horizon_s")?),
        ],
        max_neighbors: constant("max_neighbors")? as i64,
        desired_speed,
    })
}

/// A scene in meters with an agent for each group. Not every reader of scenes takes comments, so the root says where it comes from.
fn scene(input: &ExportInput<'_>, agents: &[Agent], warnings: &[String]) -> String {
    let mut text = format!(
        "[gd_scene format=3]\n\n[node name=\"NavigationAgents\" type=\"Node3D\"]\nmetadata/origin = {:?}\nmetadata/different = {warnings:?}\n",
        origin::lines(input)
    );
    for agent in agents {
        let name = slug(&agent.group);
        let _ = write!(
            text,
            "\n[node name=\"{name}\" type=\"NavigationAgent3D\" parent=\".\"]\navoidance_enabled = true\n"
        );
        for (key, value) in agent.lengths.iter().chain(&agent.others) {
            let _ = writeln!(text, "{key} = {value:?}");
        }
        let _ = writeln!(text, "max_neighbors = {}", agent.max_neighbors);
        let _ = writeln!(text, "metadata/desired_speed = {:?}", agent.desired_speed);
    }
    text
}

fn script(input: &ExportInput<'_>, agents: &[Agent], warnings: &[String]) -> String {
    let mut text = format!("# Exported by crowdtune {} for Godot 4.\n", env!("CARGO_PKG_VERSION"));
    origin::lines(input).iter().for_each(|line| text += &format!("# {line}\n"));
    text += "# What is different there:\n";
    warnings.iter().for_each(|line| text += &format!("# * {line}\n"));
    text += "extends Node\n\n# Meters and seconds.\nconst GROUPS = {\n";
    let pairs = |pairs: &[(&str, f64)]| {
        pairs.iter().map(|(key, value)| format!("\"{key}\": {value:?}")).collect::<Vec<_>>().join(", ")
    };
    for agent in agents {
        let _ = writeln!(
            text,
            "\t{:?}: {{\n\t\t\"lengths\": {{{}}},\n\t\t\"others\": {{{}, \"max_neighbors\": {}}},\n\t\t\"desired_speed\": {:?},\n\t}},",
            slug(&agent.group),
            pairs(&agent.lengths),
            pairs(&agent.others),
            agent.max_neighbors,
            agent.desired_speed,
        );
    }
    text + "}\n" + APPLY
}

#[cfg(test)]
mod tests;
