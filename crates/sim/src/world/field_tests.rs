use super::*;
use crate::world::relief::{Hill, SlopeLaw};
use crate::world::scenario::Segment;
use proptest::prelude::*;

fn wall(a: (f64, f64), b: (f64, f64)) -> Segment {
    Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) }
}

fn walkable(walkable: &[(Polygon, Vec<Polygon>)]) -> Ground<'_> {
    Ground { walkable, ..Ground::default() }
}

/// A 10 x 10 m room with a wall from the floor at x = 5 up to y = 8; the goal is a point at (9, 1).
fn room() -> (Walls, Goal) {
    let outline = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];
    let mut walls: Vec<Segment> = (0..4).map(|i| wall(outline[i], outline[(i + 1) % 4])).collect();
    walls.push(wall((5.0, 0.0), (5.0, 8.0)));
    (Walls::new(&walls), Goal::Point { at: vec2(9.0, 1.0), radius: 0.3 })
}

#[test]
fn the_way_around_a_wall_has_the_length_of_its_two_straight_pieces() {
    let (walls, goal) = room();
    // From (1, 1) over the tip (5, 8) to (9, 1): 2 sqrt(4^2 + 7^2) = 16.125 m.
    let exact = 2.0 * 65.0f64.sqrt();
    let error =
        |cell| Field::solve(&walls, Ground::default(), &goal, cell).unwrap().time(&walls, vec2(1.0, 1.0)) - exact;
    let errors: Vec<f64> = [0.4, 0.2, 0.1].map(error).to_vec();
    assert!(errors[2].abs() < 0.3, "{errors:?}");
    assert!(errors[0] / errors[1] >= 1.7 && errors[1] / errors[2] >= 1.7, "{errors:?}");
    // In sight of the goal the straight distance is exact.
    let field = Field::solve(&walls, Ground::default(), &goal, 0.2).unwrap();
    assert!(field.in_sight(vec2(9.1, 4.1)) && !field.in_sight(vec2(1.0, 1.0)));
    assert!((field.time(&walls, vec2(9.1, 4.1)) - 3.1f64.hypot(0.1)).abs() < 1e-3);
    assert_eq!(field.direction(&walls, vec2(-9.0, 0.0)), None);
}

/// A field of 40 x 20 m towards the east edge, on these hills.
fn over(hills: Vec<Hill>, cell: f64) -> (Walls, Relief, Field) {
    let outline = [(0.0, 0.0), (40.0, 0.0), (40.0, 20.0), (0.0, 20.0)];
    let walls = Walls::new(&(0..4).map(|i| wall(outline[i], outline[(i + 1) % 4])).collect::<Vec<_>>());
    let goal = Goal::Door { line: wall((39.0, 0.0), (39.0, 20.0)), outward: vec2(1.0, 0.0) };
    let relief = Relief { slope: Vec2::ZERO, hills, heights: None, law: SlopeLaw::Tobler };
    let field = Field::solve(&walls, Ground { relief: Some(&relief), ..Ground::default() }, &goal, cell).unwrap();
    (walls, relief, field)
}

#[test]
fn the_time_over_a_ridge_is_the_integral_along_the_way() {
    let ridge = Hill { at: vec2(20.0, 0.0), height_m: 3.0, width_m: vec2(5.0, f64::INFINITY) };
    let (walls, relief, field) = over(vec![ridge], 0.5);
    // Simpson's rule for the time from x = 2 to the door, at 1 m/s on flat ground; the kinks of Tobler's law are two points.
    let slowness = |x: f64| 1.0 / relief.share(vec2(x, 10.0), vec2(1.0, 0.0));
    let (n, from, to) = (20_000, 2.0, 39.0);
    let h = (to - from) / f64::from(n);
    let sum: f64 = (0..=n)
        .map(|k| {
            let weight = if k == 0 || k == n { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
            weight * slowness(from + f64::from(k) * h)
        })
        .sum();
    let exact = sum * h / 3.0;
    assert!(exact > 1.3 * 37.0, "the ridge has to matter: {exact} s");
    for y in [3.0, 10.0, 17.3] {
        let time = field.time(&walls, vec2(2.0, y));
        assert!((time / exact - 1.0).abs() < 0.01, "{time} s, exactly {exact} s");
        assert!((field.direction(&walls, vec2(2.0, y)).unwrap() - vec2(1.0, 0.0)).length() < 1e-6);
    }
}

#[test]
fn the_way_leads_round_a_hill_where_that_is_faster_and_over_a_low_one() {
    let round = |height_m: f64| {
        let hill = Hill { at: vec2(20.0, 10.0), height_m, width_m: vec2(4.0, 4.0) };
        let (walls, relief, field) = over(vec![hill], 0.25);
        let (mut p, mut top, mut seconds) = (vec2(2.0, 9.0), 0.0_f64, 0.0);
        while p.x < 38.9 {
            let way = field.direction(&walls, p).unwrap();
            seconds += 0.05 / relief.share(p, way);
            p += way * 0.05;
            top = top.max(relief.height(p));
            assert!(seconds < 200.0);
        }
        // The way takes as long as the field says.
        let said = field.time(&walls, vec2(2.0, 9.0));
        assert!((seconds / said - 1.0).abs() < 0.03, "{seconds} s, the field says {said} s");
        (top / height_m, seconds)
    };
    let (low, _) = round(0.2);
    assert!(low > 0.7, "over the low hill: {low} of its height");
    let (high, seconds) = round(6.0);
    assert!(high < 0.3, "round the high hill: {high} of its height");
    // Straight over it: the slope reaches 0.9, where Tobler's share is 0.05.
    assert!(seconds < 50.0, "{seconds} s");
}

#[test]
fn heights_that_are_flat_cost_nothing_but_the_accuracy_of_straight_sight() {
    let (walls, goal) = room();
    let flat = Relief { slope: Vec2::ZERO, hills: Vec::new(), heights: None, law: SlopeLaw::Tobler };
    let mesh = |relief| Field::solve(&walls, Ground { relief, ..Ground::default() }, &goal, 0.1).unwrap();
    // Without the shortcut of sight the time is that of the first-order solver, a little longer.
    let (with, without) = (mesh(Some(&flat)).time(&walls, vec2(1.0, 1.0)), mesh(None).time(&walls, vec2(1.0, 1.0)));
    assert!(with >= without && with < 1.03 * without, "{with} s and {without} s");
}

#[test]
fn cells_outside_the_walkable_area_are_not_entered() {
    let (_, goal) = room();
    let shell = Polygon::rectangle(vec2(0.0, 0.0), vec2(10.0, 10.0));
    let hole = Polygon::rectangle(vec2(4.0, -1.0), vec2(6.0, 8.0));
    let field = Field::solve(&Walls::default(), walkable(&[(shell, vec![hole])]), &goal, 0.1).unwrap();
    assert_eq!(field.time(&Walls::default(), vec2(5.0, 3.0)), f64::INFINITY);
    assert!(field.time(&Walls::default(), vec2(3.0, 1.0)).is_finite());
}

#[test]
fn equal_content_is_solved_once() {
    let (walls, goal) = room();
    let plan = FloorPlan { navigation: crate::world::scenario::Navigation::Straight, ..FloorPlan::default() };
    let mut cache = FieldCache::default();
    assert!(cache.is_empty());
    let one = cache.field(&walls, &plan, &goal, 0.5).unwrap();
    let same = cache.field(&walls.clone(), &plan, &goal, 0.5).unwrap();
    assert!(Arc::ptr_eq(&one, &same));
    cache.field(&walls, &plan, &goal, 0.4).unwrap();
    assert_eq!(cache.len(), 2);
}

#[test]
fn hopeless_fields_are_refused_with_a_remedy() {
    let (walls, goal) = room();
    let error = Field::solve(&walls, Ground::default(), &goal, 0.001).unwrap_err();
    assert!(error.to_string().contains("make cell_m at least 0.01"), "{error}");
    let far = [(Polygon::rectangle(vec2(20.0, 20.0), vec2(21.0, 21.0)), Vec::new())];
    assert!(Field::solve(&walls, walkable(&far), &goal, 0.5).unwrap_err().what().contains("cannot be seen"));
}

proptest! {
    #[test]
    fn following_the_field_leads_to_the_goal_and_never_through_a_wall(x in 0.3f64..9.7, y in 0.3f64..9.7) {
        let (walls, goal) = room();
        let field = Field::solve(&walls, Ground::default(), &goal, 0.25).unwrap();
        let mut p = vec2(x, y);
        let mut steps = 0;
        while (p - vec2(9.0, 1.0)).length() > 0.3 {
            let way = field.direction(&walls, p);
            prop_assert!(way.is_some(), "no way from {p:?}");
            let next = p + way.unwrap_or_default() * 0.05;
            prop_assert!(!walls.crosses(p, next), "through a wall at {p:?}");
            p = next;
            steps += 1;
            // 18 m are the longest way; 0.05 m a step.
            prop_assert!(steps < 500, "lost at {p:?}");
        }
    }
}
