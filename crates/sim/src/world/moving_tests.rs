use super::*;
use crate::world::scenario::{Ahead, Discomfort, FloorPlan, Goal, Polygon, named};
use crate::world::{Carrier, Speeds};
use crate::world::{FieldCache, Relief, SlopeLaw};
use crowdtune_core::math::vec2;

/// A place with travel-time fields of these cells.
fn world(corners: &[(f64, f64)], cell_m: f64) -> World {
    let outline = Polygon::checked(corners.iter().map(|&(x, y)| vec2(x, y)).collect()).unwrap();
    let plan = FloorPlan {
        walls: outline.edges().collect(),
        walkable: vec![(outline, Vec::new())],
        navigation: Navigation::Field { cell_m, discomfort_weight: 0.0 },
        ..FloorPlan::default()
    };
    World::new(plan, &mut FieldCache::default()).unwrap()
}

/// 20 m by 12 m with a wall from below at x = 8 to 8.5, up to y = 8.
fn yard(cell_m: f64) -> World {
    let corners = [(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (8.5, 8.0), (8.5, 0.0), (20.0, 0.0), (20.0, 12.0), (0.0, 12.0)];
    world(&corners, cell_m)
}

/// A corridor, 2 m wide, with a dead end of 4 m going up from x = 10 to 12.
fn corridor(length_m: f64) -> World {
    let corners =
        [(0.0, 0.0), (length_m, 0.0), (length_m, 2.0), (12.0, 2.0), (12.0, 6.0), (10.0, 6.0), (10.0, 2.0), (0.0, 2.0)];
    world(&corners, 0.25)
}

fn look(potential: &mut Potential, world: &World, others: &[Vec2]) {
    potential.look(world, (0..).zip(others.iter().copied()), 1.0, None);
}

#[test]
fn the_way_leads_round_a_wall_to_the_nearest() {
    let world = yard(0.25);
    let mut to = Potential::to(world.terrain().unwrap());
    assert_eq!(to.direction(&world, vec2(5.0, 3.0)), None, "nobody is there yet");
    look(&mut to, &world, &[vec2(12.0, 3.0)]);
    let p = vec2(5.0, 3.0);
    // Over the two corners of the wall's end.
    let shortest = 34.0_f64.sqrt() + 0.5 + (3.5_f64 * 3.5 + 25.0).sqrt();
    // First order: an error of a cell's size for each corner, which shrinks with the cells.
    let error = to.time(&world, p).unwrap() - shortest;
    assert!(error > 0.0 && error < 4.0 * 0.25, "{error}");
    let fine = yard(0.125);
    let mut finer = Potential::to(fine.terrain().unwrap());
    look(&mut finer, &fine, &[vec2(12.0, 3.0)]);
    let less = finer.time(&fine, p).unwrap() - shortest;
    assert!(less > 0.0 && less < 0.7 * error, "{less} after {error}");
    let way = to.direction(&world, p).unwrap();
    let ahead = (vec2(8.0, 8.0) - p).unit().unwrap();
    assert!(way.dot(ahead) > 0.98, "{way:?}");
    // Somebody on this side is nearer.
    look(&mut to, &world, &[vec2(12.0, 3.0), vec2(2.0, 3.0)]);
    assert!(to.direction(&world, p).unwrap().dot(vec2(-1.0, 0.0)) > 0.99);
    // Near them, straight.
    assert_eq!(to.direction(&world, vec2(2.25, 3.0)), Some(vec2(-1.0, 0.0)));
    assert_eq!(to.time(&world, vec2(2.25, 3.0)), Some(0.25));
}

#[test]
fn a_field_is_made_anew_once_somebody_has_moved_by_a_cell() {
    let world = yard(0.25);
    let mut to = Potential::to(world.terrain().unwrap());
    let p = vec2(2.0, 2.0);
    look(&mut to, &world, &[vec2(6.0, 2.0)]);
    let first = to.time(&world, p).unwrap();
    look(&mut to, &world, &[vec2(6.2, 2.0)]);
    assert_eq!(to.time(&world, p), Some(first));
    look(&mut to, &world, &[vec2(6.25, 2.0)]);
    assert!((to.time(&world, p).unwrap() - first - 0.25).abs() < 0.05);
    look(&mut to, &world, &[]);
    assert_eq!(to.direction(&world, p), None);
}

#[test]
fn nobody_flees_into_a_dead_end_while_a_larger_lead_is_to_be_had() {
    let world = corridor(60.0);
    let mut away = Potential::away(world.terrain().unwrap());
    look(&mut away, &world, &[vec2(2.0, 1.0)]);
    // A meter into the dead end: its bottom gives 2.9 - 1.2 x 12.2 s, the end of the corridor 49.4 - 1.2 x 57.8 s.
    assert!(away.direction(&world, vec2(11.0, 3.0)).unwrap().y < -0.5);
    assert!(away.direction(&world, vec2(20.0, 1.0)).unwrap().dot(vec2(1.0, 0.0)) > 0.99);
    assert_eq!(away.direction(&world, vec2(59.9, 0.1)), Some(Vec2::ZERO), "cornered");
    // With the chaser in the opening the bottom gives 0.9 - 1.2 x 4.9 s and a short corridor 13 - 1.2 x 9 s; past the chaser to the
    // end of a long one, 53 - 1.2 x 49 s, is worth the try.
    let short = corridor(20.0);
    let mut away = Potential::away(short.terrain().unwrap());
    look(&mut away, &short, &[vec2(11.0, 1.0)]);
    assert!(away.direction(&short, vec2(11.0, 5.0)).unwrap().y > 0.7);
    assert_eq!(away.direction(&short, vec2(10.1, 5.9)), Some(Vec2::ZERO));
    let mut away = Potential::away(world.terrain().unwrap());
    look(&mut away, &world, &[vec2(11.0, 1.0)]);
    assert!(away.direction(&world, vec2(11.0, 5.0)).unwrap().y < -0.7);
}

#[test]
fn the_lead_counts_as_much_as_the_own_speed_over_theirs() {
    let world = corridor(60.0);
    let lead = |head_start: f64| {
        let mut away = Potential::away(world.terrain().unwrap());
        away.look(&world, (0..).zip([vec2(2.0, 1.0)]), head_start, None);
        away.direction(&world, vec2(11.0, 3.0)).unwrap().y
    };
    // 2.9 - 12.2 k against 49.4 - 57.8 k seconds: the corridor from k = 1.02 on, and k is 1.2 times the ratio of speeds.
    assert!(lead(0.9) < -0.5 && lead(0.8) > 0.5);
}

#[test]
fn uphill_chasers_are_late() {
    // An even slope along x: at the same distance from the chaser it is safer above than below it, and both times are exact along
    // the axis.
    let mut plan = world(&[(0.0, 0.0), (40.0, 0.0), (40.0, 2.0), (0.0, 2.0)], 0.25).plan;
    plan.relief = Some(Relief { slope: vec2(0.2, 0.0), hills: Vec::new(), heights: None, law: SlopeLaw::Tobler });
    let world = World::new(plan, &mut FieldCache::default()).unwrap();
    let relief = world.plan.relief.as_ref().unwrap();
    let mut to = Potential::to(world.terrain().unwrap());
    look(&mut to, &world, &[vec2(20.0, 1.0)]);
    for (from, way) in [(vec2(5.0, 1.0), vec2(1.0, 0.0)), (vec2(35.0, 1.0), vec2(-1.0, 0.0))] {
        let exact = 15.0 / relief.share(from, way);
        assert!((to.time(&world, from).unwrap() / exact - 1.0).abs() < 0.01, "{exact}");
    }
    let mut away = Potential::away(world.terrain().unwrap());
    look(&mut away, &world, &[vec2(20.0, 1.0)]);
    // Whoever stands a little below the chaser still runs down, and above up: nobody passes one.
    assert!(away.direction(&world, vec2(18.0, 1.0)).unwrap().x < -0.9);
    assert!(away.direction(&world, vec2(22.0, 1.0)).unwrap().x > 0.9);
}

#[test]
fn a_standing_carrier_is_a_drawn_disc_and_a_moving_one_lies_ahead() {
    let outline = Polygon::rectangle(vec2(0.0, 0.0), vec2(20.0, 10.0));
    let plan = |discomfort: Vec<Discomfort>| FloorPlan {
        walls: outline.edges().collect(),
        walkable: vec![(outline.clone(), Vec::new())],
        navigation: Navigation::Field { cell_m: 0.25, discomfort_weight: 1.0 },
        goals: vec![named("goal", Goal::Point { at: vec2(18.0, 5.0), radius: 0.5 })],
        discomfort,
        ..FloorPlan::default()
    };
    let made = |discomfort| World::new(plan(discomfort), &mut FieldCache::default()).unwrap();
    let corner = |k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k) / 64.0;
        vec2(10.0 + 2.0 * libm::cos(angle), 5.0 + 2.0 * libm::sin(angle))
    };
    let area = Polygon::checked((0..64).map(corner).collect()).unwrap();
    let drawn = made(vec![Discomfort { area, people_per_m2: 3.0 }]);
    let world = made(Vec::new());
    let terrain = world.terrain().unwrap();
    let ahead = Ahead { people_per_m2: 3.0, ahead_s: 2.0, radius_m: 2.0 };
    let mut speeds = Speeds::new(terrain);
    let mut to = Potential::to_goal(terrain, &world, 0);
    let times = |speeds: &mut Speeds, to: &mut Potential, vel: Vec2| {
        let carrier = Carrier { id: 0, pos: vec2(10.0, 5.0), vel, ahead };
        let is_new = speeds.look(&world, std::iter::once(carrier));
        to.look(&world, std::iter::empty(), 1.0, Some((speeds, is_new)));
        [vec2(2.0, 5.0), vec2(10.0, 5.0), vec2(15.0, 5.0)].map(|p| to.field().time(&world.walls, p))
    };
    let standing = times(&mut speeds, &mut to, Vec2::ZERO);
    for (p, time) in [vec2(2.0, 5.0), vec2(10.0, 5.0), vec2(15.0, 5.0)].into_iter().zip(standing) {
        assert!((time / drawn.distance_to(0, p) - 1.0).abs() < 0.02, "{p:?}: {time} and {}", drawn.distance_to(0, p));
    }
    // From the middle of the disc: 2 m at a fourth of the speed and 6 m; a face of 0.25 m more or less is 0.75 s.
    assert!((standing[1] - (8.0 + 6.0)).abs() < 0.75, "{standing:?}");
    // Moving towards the goal at 1 m/s it covers 4 m ahead, so its lane is left sideways: 2 m at a fourth of the speed, then 8.2 m.
    // Beyond and behind it nothing changes, but for the longer way round.
    let moving = times(&mut speeds, &mut to, vec2(1.0, 0.0));
    assert!((moving[1] - 16.2).abs() < 0.75, "{moving:?}");
    assert!((moving[2] - standing[2]).abs() < 1e-9 && moving[0] > standing[0], "{moving:?} {standing:?}");
    // Nobody any more: the times of the place.
    let is_new = speeds.look(&world, std::iter::empty());
    to.look(&world, std::iter::empty(), 1.0, Some((&speeds, is_new)));
    assert!((to.field().time(&world.walls, vec2(10.0, 5.0)) - 8.0).abs() < 0.1);
}
