use super::*;
use crate::world::{FieldCache, World};
use crowdtune_core::math::vec2;

fn line(a: (f64, f64), b: (f64, f64)) -> Segment {
    Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) }
}

fn rectangle(a: (f64, f64), b: (f64, f64)) -> Polygon {
    Polygon::rectangle(vec2(a.0, a.1), vec2(b.0, b.1))
}

fn group(name: &str, from: Polygon, to: Vec<Spot>) -> CustomGroup {
    let to = to.into_iter().map(|what| Visit { name: None, what: vec![what] }).collect();
    CustomGroup {
        name: name.into(),
        count: 5,
        from: Spawn::Random(from),
        inflow_per_s: None,
        to: Wish::Visits(to),
        ties: Ties::default(),
    }
}

fn place(walkable: &[&[(f64, f64)]], groups: Vec<CustomGroup>) -> CustomPlace {
    let outline = |points: &[(f64, f64)]| Polygon::checked(points.iter().map(|&(x, y)| vec2(x, y)).collect()).unwrap();
    CustomPlace {
        walkable: walkable.iter().map(|points| (outline(points), Vec::new())).collect(),
        obstacles: Vec::new(),
        walls: Vec::new(),
        groups,
        lines: Vec::new(),
        areas: Vec::new(),
        navigation: Navigation::Straight,
        sight_m: None,
        periodic: Rings::default(),
    }
}

const STREET: &[&[(f64, f64)]] = &[&[(0.0, 0.0), (30.0, 0.0), (30.0, 6.0), (0.0, 6.0)]];

#[test]
fn any_of_several_doors_is_one_stage_with_a_name_for_each() {
    let mut people = group("people", rectangle((0.0, 0.0), (8.0, 6.0)), Vec::new());
    let doors = [30.0, 0.0].map(|x| Spot::Line(line((x, 2.0), (x, 4.0)))).to_vec();
    people.to = Wish::Visits(vec![Visit { name: Some("door".into()), what: doors }]);
    let built = place(STREET, vec![people]).build().unwrap();
    assert_eq!(built.groups[0].stages, [vec![0, 1]]);
    assert_eq!(built.plan.goals.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["door.1", "door.2"]);
}

#[test]
fn the_street_of_the_contract_is_open_at_both_ends() {
    let east = group("east", rectangle((0.0, 0.0), (8.0, 6.0)), vec![Spot::Line(line((30.0, 0.0), (30.0, 6.0)))]);
    let west = group("west", rectangle((28.0, 0.0), (30.0, 6.0)), vec![Spot::Line(line((0.0, 0.0), (0.0, 6.0)))]);
    let built = place(STREET, vec![west, east]).build().unwrap();
    assert_eq!(built.plan.walls, [line((0.0, 0.0), (30.0, 0.0)), line((30.0, 6.0), (0.0, 6.0))]);
    assert_eq!(built.groups.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["east", "west"]);
    assert_eq!(built.groups[1].stages, [vec![1]]);
    let outward = |i: usize| match &built.plan.goals[i].what {
        Goal::Door { outward, .. } => *outward,
        other => panic!("{other:?}"),
    };
    assert_eq!((outward(0), outward(1)), (vec2(1.0, 0.0), vec2(-1.0, 0.0)));
    assert_eq!(built.plan.lines[0].name, "east");
    assert_eq!(built.plan.bounds(&built.groups).unwrap().max, vec2(30.0, 6.0));
    World::new(built.plan, &mut FieldCache::default()).unwrap();
}

#[test]
fn a_door_in_a_wall_leaves_two_posts() {
    // Half a millimeter beside the wall still lies on it; two millimeters do not.
    for (x, pieces) in [(30.0005, 5), (30.002, 4)] {
        let to = Spot::Line(line((x, 2.0), (x, 3.0)));
        let built = place(STREET, vec![group("g", rectangle((0.0, 0.0), (8.0, 6.0)), vec![to])]).build();
        if pieces == 4 {
            assert_eq!(built.unwrap().plan.walls.len(), 4);
            continue;
        }
        let walls = built.unwrap().plan.walls;
        assert_eq!(walls.len(), pieces);
        assert_eq!(walls[1], line((30.0, 0.0), (30.0, 2.0)));
        assert_eq!(walls[2], line((30.0, 3.0), (30.0, 6.0)));
    }
}

#[test]
fn a_door_over_several_walls_opens_all_of_them() {
    let outline: &[&[(f64, f64)]] = &[&[(0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (4.0, 2.0), (4.0, 4.0), (0.0, 4.0)]];
    let to = Spot::Line(line((4.0, 0.5), (4.0, 3.0)));
    let built = place(outline, vec![group("g", rectangle((0.0, 0.0), (2.0, 2.0)), vec![to])]).build().unwrap();
    assert_eq!(built.plan.walls[1], line((4.0, 0.0), (4.0, 0.5)));
    assert_eq!(built.plan.walls[2], line((4.0, 3.0), (4.0, 4.0)));
    assert_eq!(built.plan.walls.len(), 5);
}

#[test]
fn an_inner_line_points_away_from_the_place_before_it() {
    let to = vec![
        Spot::Line(line((15.0, 0.0), (15.0, 6.0))),
        Spot::Point { at: vec2(25.0, 3.0), radius_m: 0.5 },
        Spot::Line(line((15.0, 0.0), (15.0, 6.0))),
    ];
    let built = place(STREET, vec![group("g", rectangle((0.0, 0.0), (8.0, 6.0)), to)]).build().unwrap();
    // There and back through the same line: two goals, outward to the right and to the left.
    assert_eq!(built.groups[0].stages, [vec![0], vec![1], vec![2]]);
    let names: Vec<_> = built.plan.goals.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(names, ["g.1", "g.2", "g.3"]);
    assert!(matches!(built.plan.goals[0].what, Goal::Door { outward, .. } if outward == vec2(1.0, 0.0)));
    assert!(matches!(built.plan.goals[2].what, Goal::Door { outward, .. } if outward == vec2(-1.0, 0.0)));
    assert_eq!(built.plan.walls.len(), 4);
}

#[test]
fn equal_goals_are_one() {
    let to = || vec![Spot::Area(rectangle((28.0, 0.0), (30.0, 6.0)))];
    let groups =
        vec![group("a", rectangle((0.0, 0.0), (8.0, 3.0)), to()), group("b", rectangle((0.0, 3.0), (8.0, 6.0)), to())];
    let built = place(STREET, groups).build().unwrap();
    assert_eq!(built.plan.goals.len(), 1);
    assert_eq!((built.plan.goals[0].name.as_str(), built.plan.areas.len()), ("a", 1));
}

#[test]
fn overlapping_rooms_are_united_and_obstacles_are_not_walkable() {
    let rooms: &[&[(f64, f64)]] =
        &[&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)], &[(3.0, 1.0), (8.0, 1.0), (8.0, 2.0), (3.0, 2.0)]];
    let mut place = place(rooms, vec![group("g", rectangle((0.0, 0.0), (2.0, 2.0)), Vec::new())]);
    place.obstacles = vec![rectangle((1.0, 1.0), (2.0, 2.0))];
    place.walls = vec![line((0.0, 3.0), (1.0, 3.0))];
    let built = place.build().unwrap();
    // The outline of the union, 4 + 1 + 4 + 1 + 4 + 2 + 4 + 4 = 24 m, the obstacle's 4 m and the wall's 1 m.
    let total: f64 = built.plan.walls.iter().map(Segment::length).sum();
    assert!((total - 29.0).abs() < 1e-6, "{total}");
    let world = World::new(built.plan, &mut FieldCache::default()).unwrap();
    assert!(world.contains(vec2(3.5, 1.5)) && !world.contains(vec2(1.5, 1.5)) && !world.contains(vec2(6.0, 3.0)));
    assert!(!world.walls.crosses(vec2(3.5, 1.5), vec2(6.0, 1.5)));
}

#[test]
fn a_field_leads_through_an_l_shaped_place_and_out_of_its_door() {
    let to = Spot::Line(line((10.0, 2.0), (10.0, 3.0)));
    let outline: &[&[(f64, f64)]] =
        &[&[(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (10.0, 2.0), (10.0, 3.0), (4.0, 3.0), (4.0, 9.0), (0.0, 9.0)]];
    let mut place = place(outline, vec![group("g", rectangle((0.0, 5.0), (4.0, 9.0)), vec![to])]);
    place.navigation = Navigation::Field { cell_m: 0.2, discomfort_weight: 0.0 };
    place.obstacles = vec![rectangle((1.0, 4.0), (3.5, 4.5))];
    let built = place.build().unwrap();
    let world = World::new(built.plan, &mut FieldCache::default()).unwrap();
    for x in [0.3, 2.0, 3.7] {
        let mut p = vec2(x, 8.5);
        let mut steps = 0;
        loop {
            let next = p + world.toward(0, p, 0.2) * 0.02;
            assert!(!world.walls.crosses(p, next), "through a wall at {p:?}");
            let there = world.reached(0, p, next, 0.2);
            p = next;
            if there {
                break;
            }
            steps += 1;
            // 15 m at most.
            assert!(steps < 800, "lost at {p:?}");
        }
        assert!((p.x - 10.2).abs() < 0.021 && p.y > 2.0 && p.y < 3.0, "{p:?}");
    }
}

#[test]
fn mistakes_are_named() {
    let start = || rectangle((0.0, 0.0), (8.0, 6.0));
    let refused = |place: CustomPlace| place.build().unwrap_err().to_string();
    assert!(refused(place(STREET, Vec::new())).contains("no people"));
    let far = Spot::Line(line((40.0, 0.0), (40.0, 6.0)));
    assert!(refused(place(STREET, vec![group("g", start(), vec![far])])).contains("outside the walkable area"));
    let far = Spot::Point { at: vec2(40.0, 0.0), radius_m: 1.0 };
    assert!(refused(place(STREET, vec![group("g", start(), vec![far])])).contains("not walkable"));
    let short = Spot::Line(line((4.0, 3.0), (4.0, 3.0)));
    assert!(refused(place(STREET, vec![group("g", start(), vec![short])])).contains("0 m long"));
    let mut bare = place(STREET, vec![group("g", start(), Vec::new())]);
    bare.walkable.clear();
    bare.obstacles.push(start());
    assert!(refused(bare).contains("there are obstacles, but no walkable area"));
    let mut nobody = group("g", start(), Vec::new());
    nobody.from = Spawn::Points(Vec::new());
    assert!(refused(place(STREET, vec![nobody])).contains("starts at no point"));
}
