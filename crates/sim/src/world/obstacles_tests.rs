//! Small places, chained by hand.

use super::*;
use crowdtune_core::math::vec2;
use proptest::prelude::*;

fn wall(a: (f64, f64), b: (f64, f64)) -> Segment {
    Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) }
}

fn of(walls: &[Segment]) -> Obstacles {
    Obstacles::new(&Walls::new(walls))
}

/// The one edge seen from a place within a reach.
fn one(obstacles: &Obstacles, p: Vec2, reach: f64) -> u32 {
    let mut seen = Vec::new();
    obstacles.seen(p, reach, &mut |edge, _| seen.push(edge));
    assert_eq!(seen.len(), 1, "{seen:?}");
    seen[0]
}

fn ends(edge: &Edge) -> ((f64, f64), (f64, f64)) {
    ((edge.from.x, edge.from.y), (edge.to.x, edge.to.y))
}

#[test]
fn a_lone_wall_has_two_sides_that_follow_on_each_other() {
    let obstacles = of(&[wall((0.0, 0.0), (2.0, 0.0))]);
    let (below, above) = (one(&obstacles, vec2(1.0, -1.0), 1.5), one(&obstacles, vec2(1.0, 1.0), 1.5));
    assert_eq!(ends(obstacles.edge(below)), ((0.0, 0.0), (2.0, 0.0)));
    assert_eq!(ends(obstacles.edge(above)), ((2.0, 0.0), (0.0, 0.0)));
    for (edge, other) in [(below, above), (above, below)] {
        let edge = obstacles.edge(edge);
        assert_eq!((edge.before, edge.after, edge.convex), (other, other, true));
    }
    // In line with it: the right side, seen end on.
    assert_eq!(one(&obstacles, vec2(3.0, 0.0), 1.5), below);
    let mut none = true;
    obstacles.seen(vec2(3.0, 0.0), 0.9, &mut |_, _| none = false);
    assert!(none);
}

#[test]
fn corners_of_a_room_stick_out_on_the_outside_only() {
    // Drawn in any direction.
    let room = [
        wall((0.0, 0.0), (9.0, 0.0)),
        wall((9.0, 6.0), (9.0, 0.0)),
        wall((0.0, 6.0), (9.0, 6.0)),
        wall((0.0, 0.0), (0.0, 6.0)),
    ];
    let obstacles = of(&room);
    for (at, convex) in [(vec2(4.0, 1.0), false), (vec2(4.0, -1.0), true)] {
        let first = one(&obstacles, at, 1.5);
        let mut edge = first;
        for _ in 0..4 {
            assert_eq!(obstacles.edge(edge).convex, convex);
            assert_eq!(obstacles.edge(obstacles.edge(edge).after).before, edge);
            edge = obstacles.edge(edge).after;
        }
        assert_eq!(edge, first, "four walls go round");
    }
}

#[test]
fn a_wall_drawn_in_two_pieces_goes_straight_on() {
    let obstacles = of(&[wall((0.0, 0.0), (2.0, 0.0)), wall((4.0, 0.0), (2.0, 0.0))]);
    let left = obstacles.edge(one(&obstacles, vec2(0.5, -1.0), 1.2));
    assert_eq!(ends(obstacles.edge(left.after)), ((2.0, 0.0), (4.0, 0.0)));
    assert!(obstacles.edge(left.after).convex);
}

#[test]
fn walls_are_cut_where_another_one_ends_or_crosses() {
    // A T: the end of the second wall lies on the first.
    let tee = of(&[wall((0.0, 0.0), (4.0, 0.0)), wall((2.0, 0.0), (2.0, 3.0))]);
    assert_eq!(tee.edges.len(), 6);
    // From the upper left, an inner corner; from below, straight on.
    let left = tee.edge(one(&tee, vec2(0.5, 0.5), 1.0));
    assert_eq!(ends(left), ((2.0, 0.0), (0.0, 0.0)));
    assert!(!left.convex);
    assert_eq!(ends(tee.edge(left.before)), ((2.0, 3.0), (2.0, 0.0)));
    let below = tee.edge(one(&tee, vec2(0.5, -0.5), 1.0));
    assert_eq!(ends(tee.edge(below.after)), ((2.0, 0.0), (4.0, 0.0)));
    // A cross: four inner corners.
    let cross = of(&[wall((-3.0, 0.0), (3.0, 0.0)), wall((0.0, -3.0), (0.0, 3.0))]);
    assert_eq!(cross.edges.len(), 8);
    assert_eq!(cross.edges.iter().filter(|e| !e.convex).count(), 4);
    // Walls on top of each other: three pieces, each once.
    let twice = of(&[wall((0.0, 0.0), (3.0, 0.0)), wall((1.0, 0.0), (4.0, 0.0))]);
    assert_eq!(twice.edges.len(), 6);
}

#[test]
fn nothing_is_seen_where_nothing_is() {
    let none = of(&[]);
    assert!(none.is_empty());
    none.seen(Vec2::ZERO, 100.0, &mut |_, _| panic!("there is no wall"));
}

proptest! {
    #[test]
    fn edges_form_chains_and_are_found_as_by_looking_at_all(
        walls in prop::collection::vec(((0..8i32, 0..8i32), (0..8i32, 0..8i32)), 0..14),
        (x, y, reach) in (-3.0..11.0f64, -3.0..11.0f64, 0.1..9.0f64),
    ) {
        let corner = |c: (i32, i32)| (f64::from(c.0), f64::from(c.1));
        let walls: Vec<Segment> = walls.iter().map(|&(a, b)| wall(corner(a), corner(b))).collect();
        let obstacles = of(&walls);
        for (k, edge) in (0..).zip(&obstacles.edges) {
            prop_assert!((obstacles.edge(edge.after).from - edge.to).length() < 1e-6);
            prop_assert_eq!(obstacles.edge(edge.after).before, k);
            let back = obstacles.edge(k ^ 1);
            prop_assert_eq!((back.from, back.to), (edge.to, edge.from));
        }
        let p = vec2(x, y);
        let mut seen = Vec::new();
        obstacles.seen(p, reach, &mut |edge, d2| seen.push((edge, d2)));
        let mut wanted = Vec::new();
        for piece in 0..obstacles.edges.len() / 2 {
            let edge = &obstacles.edges[2 * piece];
            let d = Segment { a: edge.from, b: edge.to }.distance(p);
            prop_assume!((d - reach).abs() > 1e-9);
            if d <= reach {
                let side = u32::from(edge.along.cross(p - edge.from) > 0.0);
                wanted.push((2 * piece as u32 + side, d));
            }
        }
        prop_assert_eq!(seen.len(), wanted.len());
        for (seen, wanted) in seen.iter().zip(&wanted) {
            prop_assert_eq!(seen.0, wanted.0);
            prop_assert!((seen.1.sqrt() - wanted.1).abs() < 1e-9);
        }
    }
}
