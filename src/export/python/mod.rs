//! What Python scripts for other simulators share: the place, people and goals as literals, and crowdtune's ways to goals.

use super::Placed;
use super::place::comment;
use crowdtune_core::math::Vec2;
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::world::scenario::{Goal, Group, Pull, Segment};
use std::fmt::Write as _;

/// Ways to goals, people who go there, and tracks for PedPy; needs `GROUPS` with the words of [`wish`], and what [`place`] writes.
pub const GOALS: &str = include_str!("goals.py");

/// Where the people of a group go, as the last arguments of a `dict`.
pub fn wish(placed: &Placed<'_>, group: &Group) -> String {
    let (heading, stay) = match group.pull {
        Pull::Heading(way) => (point(way), "None".into()),
        Pull::Point { at, radius_m } => ("None".into(), format!("({}, {radius_m:?})", point(at))),
        Pull::Nothing | Pull::Group(_) | Pull::Track => ("None".into(), "None".to_string()),
    };
    let switch = |on: bool| if on { "True" } else { "False" };
    format!(
        "stages={:?}, own_goals={}, rounds={}, heading={heading}, stay={stay}",
        placed.scenario.world.journey(group),
        switch(group.own_goals),
        switch(group.rounds),
    )
}

/// `OBSTACLES`.
pub fn obstacles(text: &mut String, placed: &Placed<'_>) {
    *text += "# Walls as closed chains of corners, counterclockwise around what is solid; a thin wall is walked there and back.\nOBSTACLES = [\n";
    for chain in placed.scenario.world.obstacles().chains() {
        let _ = writeln!(text, "    [{}],", points(&chain));
    }
    *text += "]\n";
}

/// `WALLS`, `GOALS` and `PEOPLE`; `factor` gives the ratio of highest to desired speed of each group.
pub fn place(text: &mut String, placed: &Placed<'_>, crowd: &Crowd, factor: impl Fn(usize) -> f64) {
    *text += "# Walls from point to point.\nWALLS = [\n";
    for Segment { a, b } in &placed.scenario.world.plan.walls {
        let _ = writeln!(text, "    ({}, {}),", point(*a), point(*b));
    }
    *text += "]\n";
    goals(text, placed);
    people(text, crowd, factor);
}

fn goals(text: &mut String, placed: &Placed<'_>) {
    *text += "# Doors with the direction out of them, areas by their corners, points with the radius within which they are reached.\nGOALS = [\n";
    for goal in placed.scenario.world.goals() {
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

fn people(text: &mut String, crowd: &Crowd, factor: impl Fn(usize) -> f64) {
    *text += "# One row per person: x (m), y (m), radius (m), desired speed (m/s), highest speed (m/s), start (s), group.\nPEOPLE = [\n";
    for row in 0..crowd.len() {
        let group = usize::from(crowd.group[row]);
        let _ = writeln!(
            text,
            "    ({:?}, {:?}, {:?}, {:?}, {:?}, {:?}, {group}),",
            crowd.pos[row].x,
            crowd.pos[row].y,
            crowd.radius[row],
            crowd.desired_speed[row],
            crowd.top_speed(row, factor(group)),
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
