use super::*;
use proptest::prelude::*;

const FIELD: Field = Field { reach_m: 1.0, scale_m_per_s: 0.5, least_m: 0.05 };

/// For somebody of a group of three.
fn push(shapes: &Shapes, field: &Field, (p, radius, own): (Vec2, f64, u32), parting: Vec2) -> Vec2 {
    let mut felt = Felt::default();
    felt.add(shapes, field, (p, radius, (own, 3)), |_| parting, |_| 1.0);
    assert_eq!(felt.by.is_some(), felt.push != Vec2::ZERO);
    felt.push
}

fn member(label: u32, id: u32, x: f64, y: f64) -> Member {
    Member { label, id, group: 0, pos: vec2(x, y), vel: vec2(1.0, 0.0), radius_m: 0.25 }
}

/// A triangle of the group 3 that walks east with 1 m/s, and somebody alone.
fn triangle(look_ahead_s: f64) -> Shapes {
    let mut shapes = Shapes::default();
    let members = [member(3, 4, 0.0, 0.0), member(3, 5, 2.0, 0.0), member(3, 9, 0.0, 2.0), member(ALONE, 1, 5.0, 5.0)];
    shapes.make(&members, look_ahead_s, FIELD.reach_m + 0.25);
    shapes
}

#[test]
fn the_field_grows_towards_the_hull_and_ends_at_its_reach() {
    let push = |distance: f64| FIELD.push(Away { normal: vec2(0.0, 1.0), distance });
    // 0.5 (1 - 0.5) / 0.5 and 0.5 (1 - 0.25) / 0.25.
    assert_eq!((push(0.5), push(0.25)), (vec2(0.0, 0.5), vec2(0.0, 1.5)));
    assert_eq!((push(1.0), push(3.0)), (Vec2::ZERO, Vec2::ZERO));
    // 0.5 * 0.95 / 0.05 from 5 cm on, and inside.
    assert!((push(0.01).y - 9.5).abs() < 1e-9);
    assert_eq!(push(0.01), push(-4.0));
}

#[test]
fn who_stands_before_a_group_is_pushed_off_its_bodies() {
    // 1 m below the lower edge: 0.5 m are left between the bodies.
    let shapes = triangle(0.0);
    let pushed = |p: Vec2, own: u32| push(&shapes, &FIELD, (p, 0.25, own), vec2(1.0, 0.0));
    assert_eq!(pushed(vec2(1.0, -1.0), ALONE), vec2(0.0, -0.5));
    assert_eq!(pushed(vec2(1.0, -1.0), 7), vec2(0.0, -0.5));
    // Its own group does not push a member.
    assert_eq!(pushed(vec2(1.0, -1.0), 3), Vec2::ZERO);
    assert_eq!(pushed(vec2(1.0, -1.6), ALONE), Vec2::ZERO);
    assert_eq!(pushed(vec2(50.0, -90.0), ALONE), Vec2::ZERO);
}

#[test]
fn a_small_group_gives_way_to_a_large_one() {
    // Of the one and the three the one gives way by 3/4, twice; three of nine by 1/2.
    let felt = |members: usize| {
        let mut felt = Felt::default();
        felt.add(&triangle(0.0), &FIELD, (vec2(1.0, -1.0), 0.25, (ALONE, members)), |_| Vec2::ZERO, |_| 1.0);
        felt.push
    };
    assert_eq!([1, 3, 9].map(felt), [vec2(0.0, -0.75), vec2(0.0, -0.5), vec2(0.0, -0.25)]);
}

#[test]
fn a_moving_group_pushes_where_it_will_be() {
    // The group comes 1 m far in a second: its corner at (2, 0) to (3, 0).
    let p = vec2(3.9, 0.0);
    assert_eq!(push(&triangle(0.0), &FIELD, (p, 0.25, ALONE), Vec2::ZERO), Vec2::ZERO);
    let pushed = push(&triangle(1.0), &FIELD, (p, 0.25, ALONE), Vec2::ZERO);
    // 0.9 m from the corner, 0.4 m between the bodies: 0.5 * 0.6 / 0.4.
    assert!((pushed - vec2(0.75, 0.0)).length() < 1e-12, "{pushed:?}");
}

#[test]
fn a_shape_knows_its_group() {
    let shapes = triangle(1.0);
    let [shape] = shapes.all() else { panic!("{}", shapes.all().len()) };
    assert_eq!((shape.label, shape.first_id, shape.members, shape.vel), (3, 4, 3, vec2(1.0, 0.0)));
    assert_eq!(shape.hull.corners(), [vec2(0.0, 0.0), vec2(3.0, 0.0), vec2(1.0, 2.0), vec2(0.0, 2.0)]);
}

#[test]
fn without_groups_nobody_is_pushed() {
    let mut shapes = triangle(1.0);
    shapes.make(&[member(ALONE, 0, 0.0, 0.0)], 1.0, 1.0);
    assert!(shapes.all().is_empty());
    assert_eq!(push(&shapes, &FIELD, (Vec2::ZERO, 0.25, ALONE), vec2(1.0, 0.0)), Vec2::ZERO);
}

proptest! {
    #[test]
    fn the_cells_find_every_group_whose_field_is_felt(
        groups in prop::collection::vec(prop::collection::vec((0.0..40.0_f64, 0.0..25.0_f64), 1..6), 1..12),
        (x, y) in (-5.0..45.0_f64, -5.0..30.0_f64),
    ) {
        let members: Vec<Member> = groups
            .iter()
            .enumerate()
            .flat_map(|(label, group)| group.iter().map(move |&(x, y)| member(label as u32, 0, x, y)))
            .collect();
        let mut shapes = Shapes::default();
        shapes.make(&members, 1.0, FIELD.reach_m + 0.25);
        let p = vec2(x, y);
        let mut all = Vec2::ZERO;
        for shape in shapes.all() {
            let away = shape.hull.away(p, f64::INFINITY).unwrap();
            let share = shape.members as f64 / (shape.members + 3) as f64;
            all += FIELD.push(Away { distance: away.distance - 0.5, ..away }) * (2.0 * share);
        }
        prop_assert_eq!(push(&shapes, &FIELD, (p, 0.25, ALONE), Vec2::ZERO), all);
    }
}
