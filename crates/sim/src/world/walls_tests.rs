use super::*;
use crowdtune_core::math::vec2;
use proptest::prelude::*;

fn wall(a: (f64, f64), b: (f64, f64)) -> Segment {
    Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) }
}

fn contacts(walls: &Walls, p: Vec2, reach: f64) -> Vec<Contact> {
    let mut all = Vec::new();
    walls.contacts(p, reach, &mut |c| all.push(c));
    all
}

fn count(segments: &[Segment], p: (f64, f64)) -> usize {
    contacts(&Walls::new(segments), vec2(p.0, p.1), 2.0).len()
}

#[test]
fn a_straight_wall_acts_at_its_nearest_point() {
    let walls = Walls::new(&[wall((0.0, 0.0), (10.0, 0.0))]);
    let found = contacts(&walls, vec2(3.0, 0.5), 2.0);
    assert_eq!(found, [Contact { point: vec2(3.0, 0.0), distance: 0.5, normal: vec2(0.0, 1.0) }]);
    assert!(contacts(&walls, vec2(3.0, 2.1), 2.0).is_empty());
    assert_eq!(contacts(&walls, vec2(3.0, 5.0), 6.0).len(), 1);
    assert_eq!(contacts(&walls, vec2(3.0, 0.0), 1.0)[0].normal, vec2(0.0, 1.0));
}

#[test]
fn a_split_wall_acts_once() {
    let split = [wall((0.0, 0.0), (5.0, 0.0)), wall((10.0, 0.0), (5.0, 0.0))];
    for x in [4.999, 5.0, 5.001] {
        assert_eq!(count(&split, (x, 0.3)), 1, "at {x}");
    }
}

#[test]
fn a_door_post_acts_once() {
    let post = [wall((0.0, 0.0), (0.0, 7.0)), wall((0.0, 8.0), (0.0, 15.0))];
    let found = contacts(&Walls::new(&post), vec2(0.3, 7.4), 1.0);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].point, vec2(0.0, 7.0));
    assert!((found[0].distance - 0.5).abs() < 1e-15);
    assert_eq!(found[1].point, vec2(0.0, 8.0));
}

#[test]
fn an_inner_corner_acts_twice_and_an_outer_corner_once() {
    let corner = [wall((0.0, 0.0), (5.0, 0.0)), wall((0.0, 5.0), (0.0, 0.0))];
    assert_eq!(count(&corner, (0.5, 0.4)), 2);
    assert_eq!(count(&corner, (-0.5, -0.4)), 1);
    // Beside the outer corner only the straight wall acts.
    let beside = contacts(&Walls::new(&corner), vec2(0.5, -0.4), 2.0);
    assert_eq!(beside.len(), 1);
    assert_eq!(beside[0].point, vec2(0.5, 0.0));
}

#[test]
fn an_end_on_the_inside_of_another_wall_does_not_act() {
    let tee = [wall((-5.0, 0.0), (5.0, 0.0)), wall((0.0, 0.0), (0.0, 5.0))];
    assert_eq!(count(&tee, (0.5, -0.4)), 1);
    assert_eq!(count(&tee, (0.0, -0.4)), 1);
    assert_eq!(count(&tee, (0.5, 0.4)), 2);
}

#[test]
fn repeated_and_vanishing_walls_do_not_act() {
    let one = wall((0.0, 0.0), (5.0, 0.0));
    let walls = Walls::new(&[one, wall((5.0, 0.0), (0.0, 0.0)), one, wall((1.0, 1.0), (1.0, 1.0))]);
    assert_eq!(walls.segments(), [one]);
}

#[test]
fn distance_is_that_of_the_nearest_wall_near_and_far() {
    let walls = Walls::new(&[wall((0.0, 0.0), (5.0, 0.0))]);
    assert_eq!(walls.distance(vec2(1.0, 1.0)), 1.0);
    assert_eq!(walls.distance(vec2(8.0, 4.0)), 5.0);
    assert_eq!(Walls::default().distance(vec2(1.0, 1.0)), f64::INFINITY);
    assert!(!Walls::default().crosses(vec2(1.0, 1.0), vec2(9.0, 1.0)));
}

#[test]
fn a_step_crosses_once_over_a_point_on_the_wall() {
    let walls = Walls::new(&[wall((0.0, 0.0), (5.0, 0.0))]);
    let (below, on, above) = (vec2(2.0, -0.1), vec2(2.0, 0.0), vec2(2.0, 0.1));
    assert!(walls.crosses(below, above) && walls.crosses(above, below));
    assert!(walls.crosses(below, on) && !walls.crosses(on, above));
    assert!(walls.crosses(on, below) && !walls.crosses(above, on));
    assert!(!walls.crosses(vec2(5.1, -1.0), vec2(5.1, 1.0)));
    assert!(walls.crosses(vec2(2.0, -30.0), vec2(2.0, 30.0)));
}

#[test]
fn a_place_of_a_thousand_kilometers_keeps_its_lists_small() {
    let walls = Walls::new(&[wall((-1e6, -1e6), (1e6, 1e6)), wall((0.0, 1.0), (3.0, 1.0))]);
    assert!(walls.lists.cells() < 1_100_000);
    assert_eq!(contacts(&walls, vec2(2.0, 1.5), 0.6).len(), 2);
}

proptest! {
    #[test]
    fn a_split_wall_acts_like_a_whole_one(
        x in -1.0f64..6.0, y in -1.5f64..1.5, cut in 0.1f64..0.9, angle in 0.0f64..6.3, exact in any::<bool>()
    ) {
        let (u, o) = (vec2(libm::cos(angle), libm::sin(angle)), vec2(3.0, -7.0));
        let (a, b, m) = (o, o + u * 5.0, o + u * (5.0 * cut));
        // Half of the cases stand exactly abreast of the cut, where rounding decides.
        let p = if exact { m + u.left() * y } else { o + u * x + u.left() * y };
        let whole = contacts(&Walls::new(&[Segment { a, b }]), p, 1.0);
        let split = contacts(&Walls::new(&[Segment { a, b: m }, Segment { a: b, b: m }]), p, 1.0);
        prop_assert_eq!(whole.len(), split.len());
        for (w, s) in whole.iter().zip(&split) {
            prop_assert!((w.point - s.point).length() < 1e-12);
            prop_assert!((w.distance - s.distance).abs() < 1e-12);
            if w.distance > 0.01 {
                prop_assert!((w.normal - s.normal).length() < 1e-12);
            }
        }
    }

    #[test]
    fn cell_lists_give_what_a_look_at_all_walls_gives(
        ends in proptest::collection::vec((-20.0f64..20.0, -20.0f64..20.0), 2..24),
        x in -25.0f64..25.0, y in -25.0f64..25.0, dx in -6.0f64..6.0, dy in -6.0f64..6.0, reach in 0.0f64..2.0
    ) {
        let segments: Vec<Segment> = ends.windows(2).map(|e| wall(e[0], e[1])).collect();
        let listed = Walls::new(&segments);
        let mut all = listed.clone();
        all.lists = Lists::default();
        let (p, q) = (vec2(x, y), vec2(x + dx, y + dy));
        prop_assert_eq!(contacts(&listed, p, reach), contacts(&all, p, reach));
        prop_assert_eq!(listed.distance(p), all.distance(p));
        let brute = all.walls.iter().any(|w| w.is_crossed(p, q));
        prop_assert_eq!(listed.crosses(p, q), brute);
    }

    #[test]
    fn a_walk_with_a_clearing_crosses_where_steps_alone_do(
        ends in proptest::collection::vec((-4.0f64..4.0, -4.0f64..4.0), 2..6),
        (x, y) in (-5.0f64..5.0, -5.0f64..5.0),
        steps in proptest::collection::vec((-0.3f64..0.3, -0.3f64..0.3), 1..60),
    ) {
        let walls = Walls::new(&ends.windows(2).map(|e| wall(e[0], e[1])).collect::<Vec<_>>());
        let (mut clearing, mut from) = (Clearing::default(), vec2(x, y));
        for (dx, dy) in steps {
            let to = from + vec2(dx, dy);
            prop_assert_eq!(walls.crosses_outside(&mut clearing, from, to), walls.crosses(from, to));
            from = to;
        }
    }

    #[test]
    fn a_vertex_hands_over_without_a_jump(x in 0.05f64..1.0, turn in 0.0f64..3.0) {
        // Around an outer corner the nearest acting distance is continuous.
        let along = vec2(libm::cos(-turn), libm::sin(-turn));
        let walls = Walls::new(&[wall((-5.0, 0.0), (0.0, 0.0)), Segment { a: Vec2::ZERO, b: along * 5.0 }]);
        let nearest = |p| contacts(&walls, p, 3.0).iter().fold(9.0, |d: f64, c| d.min(c.distance));
        let (before, after) = (nearest(vec2(-1e-7, x)), nearest(vec2(1e-7, x)));
        prop_assert!((before - after).abs() < 1e-6);
    }
}
