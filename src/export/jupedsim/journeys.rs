//! Where people go: goals become JuPedSim's waypoints and exits.

use super::super::floor::behind;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::world::scenario::{Goal, Scenario, Segment};
use std::fmt::Write as _;

/// Width added to each side of the place behind a door, m, as if nothing but the door were there.
const WIDER_M: f64 = 1.0;

/// One step of a journey.
#[derive(Clone, Debug, PartialEq)]
enum Stop {
    /// Index into the exits.
    Exit(usize),
    /// A point and how near counts as reached, m.
    Waypoint(Vec2, f64),
}

/// Walls, doors, exits and journeys of a script.
#[derive(Clone, Debug)]
pub struct Journeys {
    walls: Vec<Segment>,
    doors: Vec<Segment>,
    /// Areas added behind doors.
    pads: Vec<Vec<Vec2>>,
    exits: Vec<Vec<Vec2>>,
    journeys: Vec<Vec<Stop>>,
    /// Journey of each person.
    pub of: Vec<usize>,
}

impl Journeys {
    /// The journeys of people who stand at their start.
    pub fn new(scenario: &Scenario, crowd: &Crowd) -> Self {
        let world = &*scenario.world;
        let largest = crowd.radius.iter().copied().fold(0.0, f64::max);
        let mut out = Self {
            walls: world.plan.walls.clone(),
            doors: Vec::new(),
            pads: Vec::new(),
            exits: Vec::new(),
            journeys: Vec::new(),
            of: Vec::new(),
        };
        out.doors.extend(world.goals().iter().filter_map(|g| match g.what {
            Goal::Door { line, .. } => Some(line),
            Goal::Point { .. } | Goal::Area(_) => None,
        }));
        // Exit of each goal that somebody leaves through.
        let mut exit_of: Vec<Option<usize>> = vec![None; world.goals().len()];
        let mut ranks = vec![0; scenario.groups.len()];
        for i in 0..crowd.len() {
            let start = crowd.pos[i];
            let group = &scenario.groups[crowd.group[i] as usize];
            let rank = ranks[crowd.group[i] as usize];
            ranks[crowd.group[i] as usize] += 1;
            let stages = world.journey(group);
            let mut stops = Vec::new();
            for (number, stage) in stages.iter().enumerate() {
                let near = |a: &&usize, b: &&usize| {
                    world.distance_to(**a, start).total_cmp(&world.distance_to(**b, start)).then(a.cmp(b))
                };
                let Some(&goal) = group.choice(stage, rank).iter().min_by(near) else { continue };
                let what = &world.goals()[goal].what;
                if number + 1 < stages.len() {
                    stops.push(waypoint(what, largest));
                    continue;
                }
                let exit = *exit_of[goal].get_or_insert_with(|| {
                    out.add_exit(what, largest);
                    out.exits.len() - 1
                });
                stops.push(Stop::Exit(exit));
            }
            if stops.is_empty() {
                // Anyone without a goal stays: a waypoint at the start.
                stops.push(Stop::Waypoint(start, 0.1));
            }
            let known = out.journeys.iter().position(|j| *j == stops);
            out.of.push(known.unwrap_or_else(|| {
                out.journeys.push(stops);
                out.journeys.len() - 1
            }));
        }
        out
    }

    fn add_exit(&mut self, goal: &Goal, largest: f64) {
        match goal {
            Goal::Door { line, outward } => {
                let (pad, exit) = behind(*line, *outward, largest, WIDER_M);
                self.pads.push(pad);
                self.exits.push(exit);
            }
            Goal::Area(polygon) => self.exits.push(polygon.points.clone()),
            Goal::Point { at, radius } => self.exits.push(circle(*at, *radius)),
        }
    }

    /// Writes `WALLS`, `DOORS`, `PADS`, `EXITS` and `JOURNEYS`.
    pub fn write(&self, text: &mut String) {
        let lines = |text: &mut String, name: &str, doc: &str, all: &[Segment]| {
            let _ = writeln!(text, "# {doc}\n{name} = [");
            for s in all {
                let _ = writeln!(text, "    [{}, {}],", point(s.a), point(s.b));
            }
            *text += "]\n";
        };
        let areas = |text: &mut String, name: &str, doc: &str, all: &[Vec<Vec2>]| {
            let _ = writeln!(text, "# {doc}\n{name} = [");
            for polygon in all {
                let corners: Vec<String> = polygon.iter().map(|&p| point(p)).collect();
                let _ = writeln!(text, "    [{}],", corners.join(", "));
            }
            *text += "]\n";
        };
        lines(text, "WALLS", "Walls from point to point, m.", &self.walls);
        lines(text, "DOORS", "Doors: openings between walls.", &self.doors);
        areas(text, "PADS", "The place behind each exit.", &self.pads);
        areas(text, "EXITS", "Who is in one of these areas has left.", &self.exits);
        *text += "# Stops in order: (\"exit\", which, 0) or (\"waypoint\", (x, y), how near counts as reached in m).\nJOURNEYS = [\n";
        for journey in &self.journeys {
            let stops: Vec<String> = journey
                .iter()
                .map(|stop| match stop {
                    Stop::Exit(which) => format!("(\"exit\", {which}, 0)"),
                    Stop::Waypoint(at, near) => format!("(\"waypoint\", {}, {near:?})", point(*at)),
                })
                .collect();
            let _ = writeln!(text, "    [{}],", stops.join(", "));
        }
        *text += "]\n\n";
    }
}

/// A circle in 16 corners.
pub fn circle(at: Vec2, radius: f64) -> Vec<Vec2> {
    let corner = |k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k) / 16.0;
        at + vec2(libm::cos(angle), libm::sin(angle)) * radius
    };
    (0..16).map(corner).collect()
}

/// A goal on the way. A door is passed behind its middle, an area near its center.
fn waypoint(goal: &Goal, largest: f64) -> Stop {
    match goal {
        Goal::Point { at, radius } => Stop::Waypoint(*at, *radius),
        Goal::Door { line, outward } => {
            Stop::Waypoint(line.middle() + *outward * largest, (0.5 * line.length()).max(largest))
        }
        Goal::Area(polygon) => Stop::Waypoint(polygon.centroid(), (polygon.area() / std::f64::consts::PI).sqrt()),
    }
}

/// A point as Python writes it.
fn point(p: Vec2) -> String {
    format!("({:?}, {:?})", round(p.x), round(p.y))
}

/// To a micrometre; no minus before 0.
fn round(x: f64) -> f64 {
    (x * 1e6).round() / 1e6 + 0.0
}
