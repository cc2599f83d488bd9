//! The scenarios of people who meet, turn, gather and follow.

use super::*;
use crate::world::scenario::{Goal, Pull};

fn start(built: &Built, group: usize) -> (Vec2, Vec2) {
    let bounds = built.groups[group].spawn.area().unwrap().bounds();
    (bounds.min, bounds.max)
}

#[test]
fn the_corridor_is_a_ring_or_has_doors() {
    let ring = build("corridor", &[]).unwrap();
    assert_eq!(ring.plan.periodic.x, Some((0.0, 10.0)));
    assert!(ring.plan.walls.iter().all(|w| (w.a.x, w.b.x) == (0.0, 10.0)));
    assert_eq!(ring.groups.iter().map(|g| g.count).collect::<Vec<_>>(), [18, 18]);
    assert_eq!(ring.groups[1].pull, Pull::Heading(vec2(-1.0, 0.0)));
    assert!(ring.groups.iter().all(|g| !g.leaves()));
    assert_eq!(ring.plan.areas[0].what.area(), 8.0);
    assert_eq!(ring.plan.lines[0].what.a, vec2(5.0, 0.0));

    let open = build("corridor", &[("ends", 1.0), ("inflow_per_s", 4.0), ("share_west", 0.25)]).unwrap();
    assert_eq!((open.groups[0].inflow_per_s, open.groups[1].inflow_per_s), (Some(3.0), Some(1.0)));
    assert_eq!((open.groups[0].count, open.groups[1].count), (27, 9));
    assert_eq!(start(&open, 1), (vec2(8.0, 0.0), vec2(10.0, 4.0)));
    // One radius of 0.2 m past the line.
    assert!((walk_of(&open, 0, vec2(1.0, 1.0)) - 9.2).abs() < 0.02);
    assert!((walk_of(&open, 1, vec2(9.0, 3.0)) - 9.2).abs() < 0.02);
    let one = build("corridor", &[("ends", 1.0), ("directions", 1.0)]).unwrap();
    assert_eq!(one.groups.len(), 1);
    assert_eq!(start(&one, 0), (vec2(0.0, 0.0), vec2(5.0, 4.0)));
}

#[test]
fn the_crossing_has_four_corners_and_straight_ways() {
    let four = build("crossing", &[("ways", 1.0), ("count", 62.0)]).unwrap();
    let names: Vec<_> = four.groups.iter().map(|g| (g.name.as_str(), g.count)).collect();
    assert_eq!(names, [("east", 16), ("north", 16), ("south", 15), ("west", 15)]);
    assert_eq!(four.plan.walls.iter().map(|w| w.length()).sum::<f64>(), 64.0);
    // Each starts in the arm behind: south comes from larger y.
    assert_eq!(start(&four, 0), (vec2(-10.0, -2.0), vec2(-2.0, 2.0)));
    assert_eq!(start(&four, 2), (vec2(-2.0, 2.0), vec2(2.0, 10.0)));
    for (group, from) in [(-9.0, 1.0), (1.0, -9.0), (-1.0, 9.0), (9.0, 0.5)].into_iter().enumerate() {
        // 9 m to the middle, 10 m to the end, one radius of 0.2 m past it.
        assert!((walk_of(&four, group, vec2(from.0, from.1)) - 19.2).abs() < 0.03);
    }
    let two = build("crossing", &[("inflow_per_s", 3.0)]).unwrap();
    assert_eq!(two.groups.len(), 2);
    assert_eq!(two.groups[1].inflow_per_s, Some(1.5));
    assert_eq!(start(&two, 1), (vec2(-2.0, -10.0), vec2(2.0, -8.0)));
    // Pushed 1 m into the south arm, first back to the post at (2, -1.8): sqrt(2^2 + 1.2^2) = 2.332 m, then 8 m on.
    assert!((walk_of(&two, 0, vec2(0.0, -3.0)) - 10.532).abs() < 0.05);
}

#[test]
fn the_circle_sends_everybody_to_the_opposite_point() {
    let built = build("circle", &[("count", 4.0)]).unwrap();
    let group = &built.groups[0];
    assert!(group.leaves() && group.own_goals);
    let Spawn::Near { points, within_m } = &group.spawn else { panic!("starts are near points") };
    assert_eq!(*within_m, 0.01);
    let opposite = [(-10.0, 0.0), (0.0, -10.0), (10.0, 0.0), (0.0, 10.0)];
    for (k, (x, y)) in opposite.into_iter().enumerate() {
        let Goal::Point { at, .. } = built.plan.goals[group.stages[0][k]].what else { panic!("goals are points") };
        assert!((at - vec2(x, y)).length() < 1e-9);
        assert_eq!(at, -points[k]);
    }
    assert!((walk(&built, vec2(10.0, 0.0)) - 19.5).abs() < 0.02);
}

#[test]
fn the_open_field_draws_to_a_point_or_one_way() {
    let point = build("open_field", &[("wish", 1.0), ("goal_x", 0.25)]).unwrap();
    assert_eq!(point.groups[0].pull, Pull::Point { at: vec2(5.0, 10.0), radius_m: 2.0 });
    assert!(!point.groups[0].leaves());
    assert_eq!(point.plan.walls.iter().map(|w| w.length()).sum::<f64>(), 80.0);
    let goal = &point.plan.areas[1].what;
    assert!(goal.contains(vec2(5.0, 11.999)) && !goal.contains(vec2(5.0, 12.02)));

    let heading = build("open_field", &[("wish", 2.0), ("heading_deg", 90.0), ("periodic", 1.0)]).unwrap();
    let Pull::Heading(way) = heading.groups[0].pull else { panic!("a heading") };
    assert!((way - vec2(0.0, 1.0)).length() < 1e-12);
    assert!(heading.plan.walls.is_empty() && heading.plan.periodic.y == Some((0.0, 20.0)));
    let small = build("open_field", &[("start_size_m", 6.0)]).unwrap();
    assert_eq!(start(&small, 0), (vec2(7.0, 7.0), vec2(13.0, 13.0)));
}

#[test]
fn the_corner_is_that_of_rimea() {
    let built = build("corner", &[]).unwrap();
    assert_eq!(start(&built, 0), (vec2(0.0, 0.0), vec2(6.0, 2.0)));
    // 12 + 12 + 10 + 10 + 2 m; the end at y = 12 is open.
    assert_eq!(built.plan.walls.iter().map(|w| w.length()).sum::<f64>(), 46.0);
    assert_eq!(built.plan.lines[0].what.middle(), vec2(11.0, 12.0));
    // To 0.2 m from the inner post, (10.141, 1.859), 5.213 m; 0.2 m across the diagonal to (10.283, 2); 10.2 m up.
    assert!((walk(&built, vec2(5.0, 1.0)) - 15.61).abs() < 0.04);
}

#[test]
fn the_widening_is_that_of_the_paper() {
    let built = build("widening", &[]).unwrap();
    // The corridor's 6 x 3 m and a triangle of 6 x 3 m on each side.
    assert!((built.plan.areas[0].what.area() - 36.0).abs() < 1e-9);
    assert_eq!(built.groups[0].inflow_per_s, Some(16.5));
    assert!((walk(&built, vec2(1.0, 0.5)) - 14.2).abs() < 0.03);
    // From the side of the diamond to the shrunk end of the widening: 3 across and 3 along to (10.5, 1.3), then on.
    assert!((walk(&built, vec2(7.5, 4.2)) - (2.0 * 2.9_f64 * 2.9 + 0.2 * 0.2).sqrt() - 4.7).abs() < 0.1);
    let straight = build("widening", &[("angle_deg", 0.0)]).unwrap();
    assert!(straight.plan.walls.iter().all(|w| w.a.y.abs() == 1.5 && w.b.y.abs() == 1.5));
}

#[test]
fn the_wide_bottleneck_is_that_of_the_study() {
    let built = build("wide_bottleneck", &[]).unwrap();
    let gap = built.plan.lines[0].what;
    assert!((gap.a - vec2(-0.6, 0.0)).length() < 1e-12 && (gap.b - vec2(2.4, 0.0)).length() < 1e-12);
    assert!((built.plan.areas[0].what.area() - 5.6).abs() < 1e-12);
    // 390 m2 of corridor less 17 m of boards.
    assert!((built.plan.walkable[0].0.area() - 373.0).abs() < 1e-9);
    // Towards 0.2 m off the corner at (2.4, 0.5), (2.259, 0.641), until the middle of the exit, (0, -7.5), is in sight past the corner: where
    // x = 2.4 (y + 7.5) / 8, at (2.525, 0.916), 4.992 m. From there 7.916 / 8.416 of 8.787 m.
    let corners = 4.992 + 7.916 / 8.416 * 8.787;
    assert!((walk(&built, vec2(6.0, 4.5)) - corners).abs() < 0.03);
    // Straight at the exit where the gap does not hide it: 11.5 / 12 of sqrt(3^2 + 12^2).
    assert!((walk(&built, vec2(3.0, 4.5)) - 11.5 / 12.0 * 153.0_f64.sqrt()).abs() < 0.03);
    // To (2.1, 0.5), 0.1 m and a radius of 0.2 m off the corner, then straight out.
    let nearest = build("wide_bottleneck", &[("way", 1.0)]).unwrap();
    assert!((walk(&nearest, vec2(6.0, 4.5)) - (3.9_f64 * 3.9 + 16.0).sqrt() - 7.5).abs() < 0.03);
    // 350 people within 8.618 m, as far as the half disc of the experiment reaches.
    let world = World::new(built.plan.clone(), &mut FieldCache::default()).unwrap();
    let starts = spawn::place(&built.groups[0].spawn, &[0.2; 350], &world, &[], &mut Seed(1).rng()).unwrap();
    let far = starts.iter().map(|p| (*p - vec2(0.9, 0.85)).length()).fold(0.0, f64::max);
    assert!((8.3..8.618).contains(&far), "{far}");
    let again = spawn::place(&built.groups[0].spawn, &[0.2; 350], &world, &[], &mut Seed(2).rng()).unwrap();
    assert!(starts != again);
}

#[test]
fn the_narrow_gate_starts_where_people_stood() {
    let built = build("narrow_gate", &[]).unwrap();
    let world = World::new(built.plan.clone(), &mut FieldCache::default()).unwrap();
    let Spawn::Apart { points, .. } = &built.groups[0].spawn else { panic!("people are pushed apart") };
    assert!((built.plan.areas[0].what.area() - 11.0).abs() < 1e-12);
    // Only who would touch somebody or a wall stands elsewhere, and nobody far away.
    let starts = spawn::place(&built.groups[0].spawn, &[0.15; 75], &world, &[], &mut Seed(1).rng()).unwrap();
    let moved: Vec<f64> = starts.iter().zip(points).map(|(a, b)| (*a - *b).length()).collect();
    assert!(moved.iter().all(|m| *m < 0.15), "{moved:?}");
    assert!(moved.iter().filter(|m| **m < 0.0142).count() > 60, "{moved:?}");
    // The two nearest to the gate, in the order of their numbers.
    let two = build("narrow_gate", &[("count", 2.0)]).unwrap();
    let Spawn::Apart { points: two, .. } = &two.groups[0].spawn else { panic!("people are pushed apart") };
    let far = |p: &Vec2| points.iter().filter(|q| q.length2() < p.length2()).count();
    assert!(two.len() == 2 && two.iter().all(|p| far(p) < 2));
    let nearest = build("narrow_gate", &[("way", 1.0)]).unwrap();
    // A gate narrower than the body and 0.1 m to each side is aimed at in its middle: 3-4-5, then 3 m down.
    assert!((walk(&nearest, vec2(2.0, 1.5)) - 2.5 - 3.0).abs() < 0.03);
}

#[test]
fn guards_and_followers_go_to_the_one_they_are_named_for() {
    let guard = build("guard", &[("start", 1.0)]).unwrap();
    assert_eq!((guard.groups[0].name.as_str(), guard.groups[0].count), ("guarded", 1));
    assert_eq!(guard.groups[1].pull, Pull::Group(0));
    assert_eq!(guard.groups[0].pull, Pull::Nothing);
    assert_eq!(start(&guard, 1), (vec2(0.0, 5.0), vec2(10.0, 15.0)));
    let walks = build("guard", &[("guarded_walks", 1.0)]).unwrap();
    assert_eq!(walks.groups[0].pull, Pull::Heading(vec2(1.0, 0.0)));
    assert_eq!(walks.plan.periodic.x, Some((0.0, 20.0)));
    assert_eq!(start(&walks, 1), (vec2(5.0, 5.0), vec2(15.0, 15.0)));

    let leader = build("leader", &[]).unwrap();
    assert_eq!((leader.groups[1].name.as_str(), leader.groups[1].count), ("leader", 1));
    assert_eq!(leader.groups[0].pull, Pull::Group(1));
    assert!(leader.groups.iter().all(|g| !g.leaves()) && leader.groups[1].rounds);
    assert_eq!(start(&leader, 0), (vec2(-6.0, -2.5), vec2(-1.0, 2.5)));
    // 19.5 m, then sqrt(10^2 + 0.5^2) less half a meter, and so on: less than the 60 m along the corners.
    let round = walk_of(&leader, 1, vec2(0.0, 0.0));
    assert!((56.0..59.5).contains(&round), "{round}");
}
