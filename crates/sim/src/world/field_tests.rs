use super::*;
use crate::world::scenario::Segment;
use proptest::prelude::*;

fn wall(a: (f64, f64), b: (f64, f64)) -> Segment {
    Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) }
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
    let error = |cell| Field::solve(&walls, &[], &goal, cell).unwrap().time(&walls, vec2(1.0, 1.0)) - exact;
    let errors: Vec<f64> = [0.4, 0.2, 0.1].map(error).to_vec();
    assert!(errors[2].abs() < 0.3, "{errors:?}");
    assert!(errors[0] / errors[1] >= 1.7 && errors[1] / errors[2] >= 1.7, "{errors:?}");
    // In sight of the goal the straight distance is exact.
    let field = Field::solve(&walls, &[], &goal, 0.2).unwrap();
    assert!(field.in_sight(vec2(9.1, 4.1)) && !field.in_sight(vec2(1.0, 1.0)));
    assert!((field.time(&walls, vec2(9.1, 4.1)) - 3.1f64.hypot(0.1)).abs() < 1e-3);
    assert_eq!(field.direction(&walls, vec2(-9.0, 0.0)), None);
}

#[test]
fn cells_outside_the_walkable_area_are_not_entered() {
    let (_, goal) = room();
    let shell = Polygon::rectangle(vec2(0.0, 0.0), vec2(10.0, 10.0));
    let hole = Polygon::rectangle(vec2(4.0, -1.0), vec2(6.0, 8.0));
    let field = Field::solve(&Walls::default(), &[(shell, vec![hole])], &goal, 0.1).unwrap();
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
    let error = Field::solve(&walls, &[], &goal, 0.001).unwrap_err();
    assert!(error.to_string().contains("make cell_m at least 0.01"), "{error}");
    let far = [(Polygon::rectangle(vec2(20.0, 20.0), vec2(21.0, 21.0)), Vec::new())];
    assert!(Field::solve(&walls, &far, &goal, 0.5).unwrap_err().what().contains("cannot be seen"));
}

proptest! {
    #[test]
    fn following_the_field_leads_to_the_goal_and_never_through_a_wall(x in 0.3f64..9.7, y in 0.3f64..9.7) {
        let (walls, goal) = room();
        let field = Field::solve(&walls, &[], &goal, 0.25).unwrap();
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
