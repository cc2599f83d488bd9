//! The two speed models walk as those of JuPedSim 1.4.2 do, step by step.
//!
//! `tests/golden/steps_jupedsim.py` wrote where its people are; `.ci/exports` writes it anew and compares.

use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::crowd::people::{Distribution, Traits, published};
use crowdtune_sim::world::scenario::{FloorPlan, Goal, Group, Scenario, Segment, Spawn, named};
use crowdtune_sim::{Model, RunSetup, SettingValue, Sim, Start};
use std::collections::BTreeMap;

const FILE: &str = include_str!("../golden/steps_jupedsim.txt");
/// After so many steps the file says where people are.
const SHOWN: [u64; 3] = [20, 100, 200];
/// No center is farther from that of JuPedSim, m. Both round the same sums in another order, and take another exponential.
const SAME_M: f64 = 1e-9;

/// The constants of the second group, as in the script; the first has those of JuPedSim, which are the defaults.
const OTHER: [(&str, &[(&str, f64)]); 2] = [
    (
        "collision_free_speed",
        &[
            ("time_gap_s", 0.6),
            ("repulsion_strength", 4.0),
            ("repulsion_range_m", 0.19),
            ("wall_repulsion_strength", 2.6),
            ("wall_repulsion_range_m", 0.045),
        ],
    ),
    (
        "anticipation_velocity",
        &[
            ("time_gap_s", 0.7),
            ("repulsion_strength", 5.0),
            ("repulsion_range_m", 0.15),
            ("anticipation_time_s", 0.6),
            ("reaction_time_s", 0.2),
            ("wall_buffer_m", 0.05),
        ],
    ),
];

/// Walls and goals of a place.
#[derive(Clone, Default)]
struct Place {
    walls: Vec<Segment>,
    goals: Vec<Vec2>,
}

/// A line of a scene: group, start, desired speed, and where the person is after [`SHOWN`] steps.
struct Person {
    group: usize,
    start: Vec2,
    speed: f64,
    then: [Vec2; 3],
}

struct Scene {
    model: String,
    place: String,
    people: Vec<Person>,
}

fn read() -> (BTreeMap<String, Place>, Vec<Scene>) {
    let (mut places, mut scenes, mut here) = (BTreeMap::<String, Place>::new(), Vec::<Scene>::new(), String::new());
    for line in FILE.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<f64>().unwrap();
        let point = |at: usize| vec2(number(at), number(at + 1));
        match words[0] {
            "place" => here = words[1].into(),
            "wall" => places.entry(here.clone()).or_default().walls.push(Segment { a: point(1), b: point(3) }),
            "goal" => places.entry(here.clone()).or_default().goals.push(point(1)),
            "scene" => {
                scenes.push(Scene { model: words[1].into(), place: words[2].into(), people: Vec::new() });
            }
            _ => scenes.last_mut().unwrap().people.push(Person {
                group: number(0) as usize,
                start: point(1),
                speed: number(3),
                then: [4, 6, 8].map(point),
            }),
        }
    }
    (places, scenes)
}

/// The scene with the models of the two groups, ready to walk.
fn start(scene: &Scene, place: &Place) -> Sim {
    let goal = |(k, &at): (usize, &Vec2)| named(format!("goal {k}"), Goal::Point { at, radius: 0.5 });
    let goals = place.goals.iter().enumerate().map(goal).collect();
    let plan = FloorPlan { walls: place.walls.clone(), goals, ..FloorPlan::default() };
    let group = |number: usize| {
        let starts: Vec<Vec2> = scene.people.iter().filter(|p| p.group == number).map(|p| p.start).collect();
        let (count, spawn) = (starts.len(), Spawn::Points(starts));
        Group { name: format!("{number}"), count, spawn, stages: vec![vec![number]], ..Group::default() }
    };
    let scenario = Scenario::new("test", plan, vec![group(0), group(1)]).unwrap();
    let traits = Traits { radius: Distribution::Fixed(0.2), ..published() };
    let setup = RunSetup { traits: vec![traits; 2], ..RunSetup::new(Scenario { limit_s: 10.0, ..scenario }, 0.01) };
    let (_, other) = OTHER.iter().find(|(model, _)| *model == scene.model).unwrap();
    let set: Vec<(&str, &dyn SettingValue)> =
        other.iter().map(|(key, value)| (*key, value as &dyn SettingValue)).collect();
    let models = [Model::named(&scene.model, &[]).unwrap(), Model::named(&scene.model, &set).unwrap()];
    let start = Start::new(setup).unwrap();
    let steering = Model::make_together(&start, &[&models[0], &models[1]]).unwrap();
    let mut sim = Sim::new(start, steering);
    for (speed, person) in sim.crowd_mut().desired_speed.iter_mut().zip(&scene.people) {
        *speed = person.speed;
    }
    sim
}

#[test]
fn every_step_is_that_of_jupedsim() {
    let (places, scenes) = read();
    assert_eq!(scenes.len(), 24);
    let mut wrong = Vec::new();
    for scene in &scenes {
        let mut sim = start(scene, &places[&scene.place]);
        let mut off = [0.0_f64; 3];
        let mut done = 0;
        for (shown, (until, off)) in SHOWN.into_iter().zip(&mut off).enumerate() {
            while done < until {
                sim.step().unwrap();
                done += 1;
            }
            for (pos, person) in sim.crowd().pos.iter().zip(&scene.people) {
                *off = off.max((*pos - person.then[shown]).length());
            }
        }
        let name = format!("{}, {}, {} people", scene.model, scene.place, scene.people.len());
        println!("{name}: {off:?} m off after {SHOWN:?} steps");
        if off.iter().any(|&off| off >= SAME_M || off.is_nan()) {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
