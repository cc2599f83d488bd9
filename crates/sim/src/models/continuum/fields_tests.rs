//! Fields of small crowds with known values.

use super::*;
use crate::crowd::{Crowd, Status};
use crate::world::scenario::{FloorPlan, Goal, Group, Polygon, Segment, named};
use crate::world::{FieldCache, Neighbors, Relief, SlopeLaw, World};
use std::sync::Arc;

/// Half of the free speed everywhere.
struct Half;

impl SpeedLaw for Half {
    fn speed(&self, _: f64, _: f64, free: f64, ground: f64) -> f64 {
        0.5 * free * ground
    }
}

const LAYOUT: Layout = Layout { cell_m: 0.5, exponent: 2.0, prediction_s: 0.0 };
const WEIGHTS: Weights = Weights { length: 1.0, time: 1.0, discomfort: 1.0 };

/// A box of 10 x 6 m; one group goes to the east end, one to the west end; a wall at x = 5 up to y = 4.
fn place() -> Scenario {
    place_on(None)
}

fn place_on(relief: Option<Relief>) -> Scenario {
    let wall = |a: (f64, f64), b: (f64, f64)| Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) };
    let walls = vec![wall((0.0, 0.0), (10.0, 0.0)), wall((0.0, 6.0), (10.0, 6.0)), wall((5.0, 0.0), (5.0, 4.0))];
    let door = |x: f64, way: f64| Goal::Door { line: wall((x, 0.0), (x, 6.0)), outward: vec2(way, 0.0) };
    let goals = vec![named("east", door(10.0, 1.0)), named("west", door(0.0, -1.0))];
    let world =
        World::new(FloorPlan { walls, goals, relief, ..FloorPlan::default() }, &mut FieldCache::default()).unwrap();
    let group = |name: &str, goal: usize| Group { name: name.into(), stages: vec![vec![goal]], ..Group::default() };
    let groups = vec![group("east", 0), group("west", 1)];
    Scenario { name: "box".into(), world: Arc::new(world), groups, limit_s: 1.0, give_up_s: None, tracks: None }
}

/// Updates the fields for a crowd whose people want straight ahead.
fn updated<L: SpeedLaw>(fields: &mut Fields, scenario: &Scenario, crowd: &Crowd, law: impl Fn() -> L) -> usize {
    let desired: Vec<Vec2> = crowd.group.iter().map(|&g| vec2(if g == 0 { 1.0 } else { -1.0 }, 0.0)).collect();
    let mut near = Neighbors::default();
    near.build(1.0, Default::default(), &crowd.pos, &crowd.vel, &crowd.radius);
    let (sees_goal, distance) = (vec![true; crowd.len()], vec![f64::INFINITY; crowd.len()]);
    let world = &scenario.world;
    let view = View {
        crowd,
        near: &near,
        world,
        desired: &desired,
        sees_goal: &sees_goal,
        distance: &distance,
        afraid: &[],
        preferred: &[],
        pace: &[],
        steered: &[],
        pressed: &[],
        dt: 0.1,
        step: 0,
    };
    fields.update(&view, &[law(), law()], &[WEIGHTS; 2])
}

fn two() -> Crowd {
    let mut crowd = Crowd::at(vec![vec2(4.0, 1.0), vec2(2.0, 5.0), vec2(8.0, 3.0)]);
    crowd.group = vec![0, 0, 1];
    crowd.status = vec![Status::Walking; 3];
    crowd
}

#[test]
fn one_solve_for_each_class_with_walkers_and_step() {
    let scenario = place();
    let mut fields = Fields::new(&scenario, LAYOUT);
    assert_eq!(updated(&mut fields, &scenario, &two(), || Half), 2);
    let mut alone = two();
    alone.group = vec![1; 3];
    assert_eq!(updated(&mut fields, &scenario, &alone, || Half), 1);
}

#[test]
fn the_way_leads_around_the_wall_at_the_share_of_the_law() {
    let scenario = place();
    let mut fields = Fields::new(&scenario, LAYOUT);
    let mut crowd = two();
    crowd.desired_speed = vec![1.0, 1.5, 1.0];
    updated(&mut fields, &scenario, &crowd, || Half);
    // Behind the wall up, past it straight on; half of the own speed each.
    assert!(fields.velocity[0].y > 0.4 && (fields.velocity[0].length() - 0.5).abs() < 0.05, "{:?}", fields.velocity[0]);
    assert!(
        fields.velocity[1].x > 0.7 && (fields.velocity[1].length() - 0.75).abs() < 0.02,
        "{:?}",
        fields.velocity[1]
    );
    assert!(fields.velocity[2].x < -0.3 && fields.velocity[2].y > 0.0, "{:?}", fields.velocity[2]);
}

#[test]
fn mass_is_kept_wherever_people_stand() {
    let scenario = place();
    let mut fields = Fields::new(&scenario, LAYOUT);
    let mut crowd = two();
    for shift in [vec2(0.0, 0.0), vec2(0.13, 0.21), vec2(0.25, 0.25)] {
        crowd.pos.iter_mut().for_each(|p| *p += shift);
        updated(&mut fields, &scenario, &crowd, || Half);
        let added: f64 = crowd
            .pos
            .iter()
            .map(|&p| super::super::splat::shares(fields.ground.around(p).unwrap().1, 2.0).iter().sum::<f64>())
            .sum();
        let mass: f64 = fields.splat.density.iter().map(|d| d * fields.ground.area()).sum();
        assert!((mass - added).abs() < 1e-12, "{mass} for {added}");
        let own = fields.ground.cell(crowd.pos[0]).unwrap();
        assert!(fields.splat.density[own] * fields.ground.area() >= 0.25 - 1e-12);
    }
}

#[test]
fn a_slope_slows_who_climbs() {
    let law = SlopeLaw::Linear { easy: 0.0, steep: 1.0, least: 0.1 };
    let scenario = place_on(Some(Relief { slope: vec2(0.5, 0.0), hills: Vec::new(), heights: None, law }));
    let mut fields = Fields::new(&scenario, LAYOUT);
    let mut crowd = two();
    crowd.pos = vec![vec2(2.0, 5.0), vec2(8.0, 5.5), vec2(8.0, 5.5)];
    crowd.desired_speed = vec![1.0; 3];
    updated(&mut fields, &scenario, &crowd, || Half);
    // Half way to the steep slope: 1 - 0.5 (1 - 0.1) = 0.55, and half of it; downhill half.
    assert!((fields.velocity[1].length() - 0.275).abs() < 0.01, "{:?}", fields.velocity);
    assert!((fields.velocity[2].length() - 0.5).abs() < 0.02, "{:?}", fields.velocity);
}

#[test]
fn who_is_through_a_door_goes_on_and_not_along_the_wall() {
    let corner = |x: f64, y: f64| vec2(x, y);
    let room = Polygon { points: vec![corner(0.0, 0.0), corner(6.0, 0.0), corner(6.0, 6.0), corner(0.0, 6.0)] };
    let wall = |a: (f64, f64), b: (f64, f64)| Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) };
    let walls = vec![
        wall((0.0, 0.0), (2.0, 0.0)),
        wall((3.0, 0.0), (6.0, 0.0)),
        wall((6.0, 0.0), (6.0, 6.0)),
        wall((6.0, 6.0), (0.0, 6.0)),
        wall((0.0, 6.0), (0.0, 0.0)),
    ];
    let door = Goal::Door { line: wall((2.0, 0.0), (3.0, 0.0)), outward: vec2(0.0, -1.0) };
    let plan = FloorPlan {
        walls,
        walkable: vec![(room, Vec::new())],
        goals: vec![named("door", door)],
        ..FloorPlan::default()
    };
    let world = World::new(plan, &mut FieldCache::default()).unwrap();
    let groups = vec![Group { name: "all".into(), stages: vec![vec![0]], ..Group::default() }];
    let scenario =
        Scenario { name: "room".into(), world: Arc::new(world), groups, limit_s: 1.0, give_up_s: None, tracks: None };
    // A tenth of a meter behind the line, walking aside: the cell there is not walkable.
    let mut crowd = Crowd::at(vec![vec2(2.25, -0.1)]);
    crowd.vel[0] = vec2(0.3, 0.0);
    let mut fields = Fields::new(&scenario, LAYOUT);
    let mut near = Neighbors::default();
    near.build(1.0, Default::default(), &crowd.pos, &crowd.vel, &crowd.radius);
    let view = View {
        crowd: &crowd,
        near: &near,
        world: &scenario.world,
        desired: &[vec2(0.0, -1.0)],
        sees_goal: &[true],
        distance: &[f64::INFINITY],
        afraid: &[],
        preferred: &[],
        pace: &[],
        steered: &[],
        pressed: &[],
        dt: 0.1,
        step: 0,
    };
    fields.update(&view, &[Half], &[WEIGHTS]);
    assert!(fields.velocity[0].y < -0.1 && fields.velocity[0].x == 0.0, "{:?}", fields.velocity[0]);
}
