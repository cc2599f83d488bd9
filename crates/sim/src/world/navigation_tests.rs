use super::*;
use crate::world::scenario::{Polygon, Segment, Spawn};
use crowdtune_core::math::vec2;

fn wall(a: (f64, f64), b: (f64, f64)) -> Segment {
    Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) }
}

fn empty() -> FloorPlan {
    FloorPlan { ..FloorPlan::default() }
}

fn door(a: (f64, f64), b: (f64, f64), outward: Vec2) -> Goal {
    Goal::Door { line: wall(a, b), outward }
}

/// 15 x 15 m with a 1 m door on the right and a 1 m door on the left.
fn room() -> FloorPlan {
    FloorPlan {
        walls: vec![
            wall((0.0, 0.0), (15.0, 0.0)),
            wall((15.0, 0.0), (15.0, 7.0)),
            wall((15.0, 8.0), (15.0, 15.0)),
            wall((15.0, 15.0), (0.0, 15.0)),
            wall((0.0, 15.0), (0.0, 8.0)),
            wall((0.0, 7.0), (0.0, 0.0)),
        ],
        goals: vec![
            named("right", door((15.0, 7.0), (15.0, 8.0), vec2(1.0, 0.0))),
            named("left", door((0.0, 7.0), (0.0, 8.0), vec2(-1.0, 0.0))),
        ],
        ..empty()
    }
}

fn world(plan: FloorPlan) -> World {
    World::new(plan, &mut FieldCache::default()).unwrap()
}

#[test]
fn people_walk_to_the_shrunk_door_and_straight_out_of_it() {
    let w = world(room());
    // 3-4-5 triangle to the lower end of the shrunk interval, (15, 7.25).
    let e = w.toward(0, vec2(11.0, 4.25), 0.25);
    assert!((e - vec2(0.8, 0.6)).length() < 1e-12);
    assert_eq!(w.toward(0, vec2(12.0, 7.5), 0.25), vec2(1.0, 0.0));
    assert_eq!(w.toward(0, vec2(15.0, 7.1), 0.25), vec2(1.0, 0.0));
    assert_eq!(w.toward(0, vec2(15.2, 6.9), 0.25), vec2(1.0, 0.0));
    // Outside, but far beside the door: back to it.
    assert!(w.toward(0, vec2(16.0, 3.0), 0.25).y > 0.0);
}

#[test]
fn who_stands_on_the_outline_of_an_area_goes_in() {
    let goals = vec![named("yard", Goal::Area(Polygon::rectangle(vec2(0.0, 0.0), vec2(4.0, 2.0))))];
    let w = world(FloorPlan { goals, ..empty() });
    // The upper edge is no part of it.
    assert_eq!(w.toward(0, vec2(2.0, 2.0), 0.2), vec2(0.0, -1.0));
    assert!(w.reached(0, vec2(2.0, 2.0), vec2(2.0, 1.99), 0.2));
}

#[test]
fn a_door_is_reached_one_radius_past_its_line() {
    let w = world(room());
    let at = |x, y| vec2(x, y);
    assert!(!w.reached(0, at(15.0, 7.5), at(15.29, 7.5), 0.3));
    assert!(w.reached(0, at(15.29, 7.5), at(15.31, 7.5), 0.3));
    // Crossed earlier, then pushed sideways behind the post.
    assert!(w.reached(0, at(15.29, 6.8), at(15.31, 6.8), 0.3));
    assert!(!w.reached(0, at(15.29, 6.5), at(15.31, 6.5), 0.3));
    // A fast oblique step that ends beside, but was abreast of the door when it came so far.
    assert!(w.reached(0, at(15.2, 7.2), at(16.2, 5.2), 0.3));
    assert!(!w.reached(0, at(14.0, 7.5), at(14.5, 7.5), 0.3));
}

#[test]
fn a_wing_in_front_of_the_door_is_not_past_it() {
    let mut plan = room();
    plan.walls.push(wall((18.0, 0.0), (18.0, 15.0)));
    let w = world(plan);
    assert!(!w.reached(0, vec2(20.0, 7.5), vec2(20.0, 7.5), 0.3));
    assert_eq!(w.toward(0, vec2(20.0, 7.5), 0.3), vec2(-1.0, 0.0));
    assert!(w.reached(0, vec2(17.0, 7.5), vec2(17.0, 7.5), 0.3));
}

#[test]
fn the_nearest_door_is_chosen_and_ties_go_to_the_first() {
    let w = world(room());
    assert_eq!(w.choose(&[0, 1], vec2(7.6, 7.5)), Some(0));
    assert_eq!(w.choose(&[0, 1], vec2(7.4, 7.5)), Some(1));
    assert_eq!(w.choose(&[0, 1], vec2(7.5, 7.5)), Some(0));
    assert_eq!(w.choose(&[1, 0], vec2(7.5, 7.5)), Some(1));
    assert_eq!(w.distance_to(0, vec2(11.0, 4.0)), 5.0);
    assert_eq!(w.distance_to(0, vec2(15.5, 7.5)), 0.0);
}

#[test]
fn sight_ends_at_its_distance() {
    let w = world(FloorPlan { sight_m: Some(2.0), ..room() });
    assert!(w.sees(0, vec2(13.0, 7.5)) && !w.sees(0, vec2(12.99, 7.5)));
    assert!(world(room()).sees(0, vec2(1.0, 1.0)));
    // By the middle of the door: beside its post at x = 15, y = 7 the middle is 2.06 m away.
    assert!(!w.sees(0, vec2(14.0, 5.7)));
    assert_eq!(w.choose(&[0, 1], vec2(7.5, 7.5)), None);
    assert_eq!(w.choose(&[0, 1], vec2(14.0, 7.5)), Some(0));
}

#[test]
fn wanderers_are_mirrored_at_walls_that_they_walk_into() {
    let w = world(room());
    let heading = vec2(0.6, -0.8);
    assert_eq!(w.reflect(vec2(5.0, 0.39), 0.3, heading), vec2(0.6, 0.8));
    assert_eq!(w.reflect(vec2(5.0, 0.41), 0.3, heading), heading);
    assert_eq!(w.reflect(vec2(5.0, 0.39), 0.3, -heading), -heading);
    assert_eq!(w.reflect(vec2(14.8, 0.2), 0.3, heading), vec2(-0.6, 0.8));
}

#[test]
fn points_and_areas_are_reached_and_then_give_no_direction() {
    let area = Goal::Area(Polygon::rectangle(vec2(4.0, 4.0), vec2(6.0, 6.0)));
    let w = world(FloorPlan {
        goals: vec![named("p", Goal::Point { at: vec2(1.0, 1.0), radius: 0.5 }), named("a", area)],
        ..empty()
    });
    assert_eq!(w.toward(0, vec2(1.2, 1.0), 0.3), Vec2::ZERO);
    assert_eq!(w.toward(0, vec2(3.0, 1.0), 0.3), vec2(-1.0, 0.0));
    assert!(w.reached(0, vec2(0.0, 1.4), vec2(2.0, 1.4), 0.3));
    assert!(!w.reached(0, vec2(0.0, 1.6), vec2(2.0, 1.6), 0.3));
    assert!(w.reached(1, vec2(3.9, 5.0), vec2(4.1, 5.0), 0.3));
    assert_eq!(w.toward(1, vec2(5.0, 5.0), 0.3), Vec2::ZERO);
    assert_eq!(w.toward(1, vec2(2.0, 5.0), 0.3), vec2(1.0, 0.0));
}

#[test]
fn waypoints_come_first_and_count_as_point_goals() {
    let navigation = Navigation::Waypoints { points: vec![vec2(3.0, 3.0), vec2(9.0, 3.0)], radius_m: 0.5 };
    let w = world(FloorPlan { navigation, ..room() });
    let group = Group {
        name: "g".into(),
        count: 1,
        spawn: Spawn::Points(vec![Vec2::ZERO]),
        stages: vec![vec![0, 1]],
        ..Group::default()
    };
    assert_eq!(w.journey(&group), [vec![2], vec![3], vec![0, 1]]);
    assert_eq!(w.goals()[2].name, "waypoint 1");
    assert!(w.reached(2, vec2(2.0, 3.0), vec2(2.6, 3.0), 0.3));
    assert!(w.journey(&Group { stages: Vec::new(), ..group }).is_empty());
}

#[test]
fn a_field_leads_around_a_wall_and_straight_where_the_goal_is_in_sight() {
    let mut plan = room();
    plan.walls.push(wall((10.0, 2.0), (10.0, 13.0)));
    plan.navigation = Navigation::Field { cell_m: 0.25, discomfort_weight: 0.0 };
    let w = world(plan);
    // Behind the wall: to one of its tips, away from the straight way.
    assert!(w.toward(0, vec2(9.0, 7.0), 0.3).y < -0.9);
    // Over the tip (10, 2): sqrt(1 + 25) + sqrt(25 + 25) = 12.17 m, to (15, 7).
    let way = w.distance_to(0, vec2(9.0, 7.0));
    // First order: 4 % too long around a tip that is two cells of its shadow away.
    assert!(way > 12.1 && way < 12.7, "{way}");
    assert_eq!(w.toward(0, vec2(12.0, 7.5), 0.25), vec2(1.0, 0.0));
    let e = w.toward(0, vec2(11.0, 4.25), 0.25);
    assert!((e - vec2(0.8, 0.6)).length() < 1e-12);
}

#[test]
fn bad_plans_are_refused() {
    let refused = |plan: FloorPlan| World::new(plan, &mut FieldCache::default()).unwrap_err().to_string();
    let mut plan = room();
    plan.goals[1].name = "right".into();
    assert!(refused(plan).contains("two goals are called `right`"));
    let mut plan = room();
    plan.walls[0].a.x = f64::NAN;
    assert!(refused(plan).contains("cannot be placed"));
    assert!(refused(FloorPlan { sight_m: Some(0.0), ..room() }).contains("sight_m"));
    let navigation = Navigation::Field { cell_m: -1.0, discomfort_weight: 0.0 };
    assert!(refused(FloorPlan { navigation, ..room() }).contains("cell_m"));
}
