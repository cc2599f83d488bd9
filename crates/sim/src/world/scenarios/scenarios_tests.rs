use super::*;
use crate::world::scenario::Spawn;
use crate::world::{FieldCache, World, spawn};
use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{defaults, find};

fn build(name: &str, set: &[(&str, f64)]) -> Result<Built, Error> {
    let entry = find(SCENARIOS, name).unwrap();
    let mut values = defaults(entry.params);
    for (key, value) in set {
        values[entry.params.iter().position(|p| p.key == *key).unwrap()] = *value;
    }
    (entry.make.make)(&Settings::new(entry.params, &values))
}

/// Walks the first person of the first group; as [`walk_of`].
fn walk(built: &Built, p: Vec2) -> f64 {
    walk_of(built, 0, p)
}

/// Walks the first person of a group as a point along `toward` through all stages; the seconds it takes at 1 m/s.
fn walk_of(built: &Built, group: usize, mut p: Vec2) -> f64 {
    let group = &built.groups[group];
    let world = World::new(built.plan.clone(), &mut FieldCache::default()).unwrap();
    let mut time = 0.0;
    for stage in world.journey(group) {
        loop {
            let goal = world.choose(group.choice(&stage, 0), p).expect("sight is unlimited here");
            let next = p + world.toward(goal, p, 0.2) * 0.01;
            assert!(!world.walls.crosses(p, next), "through a wall at {p:?}");
            time += 0.01;
            let there = world.reached(goal, p, next, 0.2);
            p = next;
            if there {
                break;
            }
            assert!(time < 100.0, "lost at {p:?}");
        }
    }
    time
}

#[test]
fn every_scenario_holds_its_people_at_its_defaults_and_lets_them_out() {
    for entry in SCENARIOS {
        let built = build(entry.name, &[]).unwrap();
        let world = World::new(built.plan.clone(), &mut FieldCache::default()).unwrap();
        let mut taken = Vec::new();
        for (g, group) in built.groups.iter().enumerate() {
            let count = if group.inflow_per_s.is_some() { 1 } else { group.count };
            let placed = spawn::place(&group.spawn, &vec![0.3; count], &world, &taken, &mut Seed(1).rng()).unwrap();
            assert_eq!(placed.len(), count);
            taken.extend(placed.iter().map(|&p| (p, 0.3)));
            walk_of(&built, g, placed[0]);
        }
        assert!(built.groups.is_sorted_by_key(|g| g.name.clone()));
    }
}

#[test]
fn the_room_is_that_of_the_paper() {
    let built = build("room", &[]).unwrap();
    assert_eq!(built.groups[0].count, 200);
    let exit = built.plan.lines[0].what;
    assert_eq!((exit.a, exit.b), (vec2(15.0, 7.0), vec2(15.0, 8.0)));
    let outline: f64 = built.plan.walls.iter().map(|w| w.length()).sum();
    assert_eq!(outline, 59.0);
    // From (5, 7.5): 10 m to the door and one radius on, in steps of 0.01 m.
    assert!((walk(&built, vec2(5.0, 7.5)) - 10.2).abs() < 0.02);
}

#[test]
fn the_bottleneck_is_that_of_jpscore_and_the_start_has_its_density() {
    let set = [("beyond_m", 3.0), ("start_gap_m", 3.0), ("start_density_per_m2", 3.3), ("start_width_m", 4.0)];
    let built = build("bottleneck", &set).unwrap();
    let Spawn::Random(area) = &built.groups[0].spawn else { panic!("people start at random") };
    assert!((area.area() - 60.0 / 3.3).abs() < 1e-12);
    assert_eq!((area.bounds().max.x, area.bounds().size().y), (-3.0, 4.0));
    // 0.2 m behind the line of the exit at x = 5, from x = -5 on the axis.
    assert!((walk(&built, vec2(-5.0, 0.0)) - 10.2).abs() < 0.02);
    // From the side first to the shrunk entrance at (0, 0.3), by the 4-3-5 triangle; then straight on to x = 2.2.
    let narrow = build("bottleneck", &[]).unwrap();
    assert!((walk(&narrow, vec2(-4.0, 3.3)) - 7.2).abs() < 0.02);
}

#[test]
fn the_two_exits_share_one_stage_and_hide_in_smoke() {
    let built = build("two_exits", &[("sight_m", 2.0)]).unwrap();
    assert_eq!(built.groups[0].stages, [vec![0, 1]]);
    assert_eq!(built.plan.goals.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["left", "right"]);
    assert_eq!(built.plan.sight_m, Some(2.0));
    let clear = build("two_exits", &[]).unwrap();
    assert_eq!(clear.plan.sight_m, None);
    assert!((walk(&clear, vec2(5.0, 7.5)) - 5.2).abs() < 0.02);
}

#[path = "walks_tests.rs"]
mod walks;

#[test]
fn what_does_not_fit_names_its_key() {
    for (name, set, key) in [
        ("room", vec![("door_width_m", 16.0)], "door_width_m"),
        ("room", vec![("start_margin_m", 7.5)], "start_margin_m"),
        ("two_exits", vec![("door_width_m", 16.0)], "door_width_m"),
        ("bottleneck", vec![("width_m", 9.0)], "width_m"),
        ("bottleneck", vec![("start_width_m", 9.0)], "start_width_m"),
        ("bottleneck", vec![("start_density_per_m2", 0.5)], "start_gap_m"),
        ("bottleneck", vec![("start_gap_m", 10.0)], "start_gap_m"),
        ("corridor", vec![("length_m", 6.0)], "length_m"),
        ("corridor", vec![("inflow_per_s", 1.0)], "inflow_per_s"),
        ("circle", vec![("goal_radius_m", 10.0)], "goal_radius_m"),
        ("open_field", vec![("periodic", 1.0), ("size_m", 5.0)], "size_m"),
        ("open_field", vec![("start_size_m", 21.0)], "start_size_m"),
        ("corner", vec![("start_length_m", 11.0)], "start_length_m"),
        ("widening", vec![("widening_m", 15.0)], "widening_m"),
        ("wide_bottleneck", vec![("width_m", 18.0), ("corridor_middle_m", -0.9)], "width_m"),
        ("guard", vec![("start_size_m", 21.0)], "start_size_m"),
        ("guard", vec![("start", 1.0), ("start_size_m", 11.0)], "start_size_m"),
    ] {
        let error = build(name, &set).unwrap_err().to_string();
        assert!(error.contains(&format!("key:     {key}")), "{error}");
    }
}
