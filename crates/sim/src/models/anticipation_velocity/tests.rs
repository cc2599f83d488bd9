use crate::models::ahead::tests::{EAST, WEST, first, scene};
use crowdtune_core::math::{Vec2, vec2};

const MODEL: &str = "anticipation_velocity";

#[test]
fn people_turn_away_from_the_side_on_which_the_other_will_be() {
    // At (1, 0.2), everybody still stands: gap 1.0198039 - 0.4, no heading yet, so a (1 + 1/2) exp(-6.198039) = 0.0244007 to the right.
    // The gap over 1.06 s is 0.5847207 m/s.
    let vel = first(MODEL, &[], &[(Vec2::ZERO, EAST), (vec2(1.0, 0.2), WEST)]);
    assert!((vel - vec2(0.584_546_9, -0.014_263_4)).length() < 1e-6, "{vel:?}");
}

/// Velocity of the first person after the others, in view from the second step on, have been put there with these velocities.
fn second(others: &[(Vec2, Vec2)]) -> Vec2 {
    let far = (1..=others.len()).map(|k| (vec2(100.0 * k as f64, 50.0), EAST));
    let people: Vec<(Vec2, Vec2)> = [(Vec2::ZERO, EAST)].into_iter().chain(far).collect();
    let mut sim = scene(MODEL, &[], &[], &people);
    sim.step().unwrap();
    let crowd = sim.crowd_mut();
    crowd.pos[0] = Vec2::ZERO;
    for (row, &(pos, vel)) in (1..).zip(others) {
        (crowd.pos[row], crowd.vel[row]) = (pos, vel);
    }
    sim.step().unwrap();
    sim.crowd().vel[0]
}

#[test]
fn the_direction_follows_in_the_reaction_time() {
    // Somebody comes from the left ahead, at (1.5, 1) with (0, -1.2): 1.8027756 m away, nearer by 1.2 (1.5 + 1) / 1.8027756 = 1.6640
    // within a second, so the gap is 0 and the strength 8 (1 + 1/2). They will be at (1.5, -0.2), on the right: turn left.
    // (1, 12) is the unit vector (0.0830455, 0.9965458); a thirtieth of the way there from (1, 0).
    let vel = second(&[(vec2(1.5, 1.0), vec2(0.0, -1.2))]);
    let way = vec2(1.0 + (0.083_045_5 - 1.0) / 30.0, 0.996_545_8 / 30.0);
    assert!((vel - way / way.length() * 1.2).length() < 1e-6, "{vel:?}");
}

#[test]
fn who_is_behind_is_not_seen_and_who_walks_the_same_way_turns_less() {
    assert_eq!(second(&[(vec2(-0.5, 0.1), EAST * 1.2)]), EAST * 1.2);
    // At (0.3, 1) the gap foreseen is 0.299 m: 8 exp(-2.99) = 0.40 to the side, twice as much for who comes the other way.
    let side = |vel: Vec2| -second(&[(vec2(0.3, 1.0), vel)]).y;
    let (with, against) = (side(EAST * 1e-9), side(WEST * 1e-9));
    assert!(with > 0.0 && against > 1.2 * with, "{with} and {against}");
}

#[test]
fn whom_somebody_meets_exactly_is_passed_on_either_side() {
    let (mut left, mut right) = (0, 0);
    for k in 0..40 {
        // The coin is that of the pair and the step.
        let mut people: Vec<_> = (0..k).map(|k| (vec2(100.0, 10.0 * k as f64), EAST)).collect();
        people.extend([(Vec2::ZERO, EAST), (vec2(0.8, 0.0), WEST)]);
        let mut sim = scene(MODEL, &[], &[], &people);
        sim.step().unwrap();
        let aside = sim.crowd().vel[k].y;
        assert!(aside != 0.0);
        if aside > 0.0 { left += 1 } else { right += 1 }
    }
    assert!(left > 8 && right > 8, "{left} and {right}");
}
