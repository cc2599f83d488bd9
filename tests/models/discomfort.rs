//! Drawn discomfort bends the way as a slower medium bends a ray.

use crowdtune_core::math::{Vec2, vec2};
use crowdtune_testing::walk::{load, walk};

const FROM: Vec2 = vec2(2.0, 4.0);
const TO: Vec2 = vec2(18.0, 16.0);
/// Cost of a meter without and within the discomfort: (alpha f + beta + gamma g) / f at f = 1.3 m/s, weights of 1.
const COST: (f64, f64) = ((1.3 + 1.0) / 1.3, (1.3 + 1.0 + 2.0) / 1.3);

/// The way of one person across a strip from x = 8 to 12 with as much discomfort as two people per m2.
fn way(weight: f64, strip: bool) -> Vec<Vec2> {
    let drawn = if strip { "discomfort = [{ area = [[8, 0], [12, 20]], people_per_m2 = 2.0 }]" } else { "" };
    let text = format!(
        "parameters = {{ discomfort_weight = {weight:?}, cell_m = 0.25 }}\npeople.desired_speed_m_per_s = 1.3\n\
         [scenario.hall]\nlimit_s = 60.0\nwalkable = \"POLYGON ((0 0, 20 0, 20 20, 0 20, 0 0))\"\n{drawn}\n\
         group.one = {{ count = 1, from = {{ points = [[{}, {}]] }}, to = {{ point = [{}, {}], radius_m = 0.3 }} }}\n",
        FROM.x, FROM.y, TO.x, TO.y
    );
    let experiment = load("continuum", &text).unwrap();
    let mut way = Vec::new();
    walk(&experiment, 1, (30.0 / experiment.timing.time_step_s) as u64, &mut |crowd| way.extend(crowd.pos.first()))
        .unwrap();
    way
}

/// Where a way crosses x.
fn crosses(way: &[Vec2], x: f64) -> f64 {
    let step = way.windows(2).find(|w| w[0].x <= x && w[1].x > x).unwrap();
    step[0].y + (step[1].y - step[0].y) * (x - step[0].x) / (step[1].x - step[0].x)
}

/// Heights at which the cheapest broken line from start to end enters and leaves the strip: Fermat's principle, by
/// halving steps of a search along both.
fn cheapest() -> (f64, f64) {
    let cost = |(a, b): (f64, f64)| {
        let (into, out) = (vec2(8.0, a), vec2(12.0, b));
        COST.0 * ((into - FROM).length() + (TO - out).length()) + COST.1 * (out - into).length()
    };
    let (mut best, mut step) = ((8.0, 12.0), 2.0);
    while step > 1e-9 {
        let tries = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)].map(|d| (best.0 + d.0, best.1 + d.1));
        match tries.into_iter().min_by(|a, b| cost(*a).total_cmp(&cost(*b))) {
            Some(better) if cost(better) < cost(best) => best = better,
            _ => step *= 0.5,
        }
    }
    best
}

#[test]
fn a_way_through_discomfort_is_refracted() {
    let (into, out) = cheapest();
    // Snell's law at the entry, as a check of the search.
    let sine = |a: Vec2, b: Vec2| (b - a).y / (b - a).length();
    let (before, within) = (sine(FROM, vec2(8.0, into)), sine(vec2(8.0, into), vec2(12.0, out)));
    assert!((COST.0 * before - COST.1 * within).abs() < 1e-6, "{before} and {within}");
    // Straight on the strip is entered at 8.5; the refracted way climbs first.
    assert!(into > 8.9, "{into}");
    let walked = way(1.0, true);
    let (a, b) = (crosses(&walked, 8.0), crosses(&walked, 12.0));
    // Within a cell.
    assert!((a - into).abs() < 0.25 && (b - out).abs() < 0.25, "{a} and {b}, exactly {into} and {out}");
}

#[test]
fn a_travel_time_field_refracts_the_way_of_other_models_too() {
    // A second in the strip is worth 1 + 2 x 0.435 times as much: the same ratio of costs.
    let weight = (COST.1 / COST.0 - 1.0) / 2.0;
    let hall = |navigation: &str, discomfort: &str| {
        format!(
            "people = {{ desired_speed_m_per_s = 1.3, radius_m = 0.2 }}\n[scenario.hall]\nlimit_s = 60.0\n{navigation}\n{discomfort}\n\
             walkable = \"POLYGON ((0 0, 20 0, 20 20, 0 20, 0 0))\"\n\
             group.one = {{ count = 1, from = {{ points = [[{}, {}]] }}, to = {{ point = [{}, {}], radius_m = 0.3 }} }}\n",
            FROM.x, FROM.y, TO.x, TO.y
        )
    };
    let strip = "discomfort = [{ area = [[8, 0], [12, 20]], people_per_m2 = 2.0 }]";
    let weighed = format!("navigation = {{ kind = \"field\", cell_m = 0.1, discomfort_weight = {weight} }}");
    let (into, out) = cheapest();
    for model in ["social_force", "orca", "rvo"] {
        let experiment = load(model, &hall(&weighed, strip)).unwrap();
        let mut walked = Vec::new();
        let steps = (25.0 / experiment.timing.time_step_s) as u64;
        walk(&experiment, 1, steps, &mut |crowd| walked.extend(crowd.pos.first())).unwrap();
        let (a, b) = (crosses(&walked, 8.0), crosses(&walked, 12.0));
        // Inertia rounds the bends by less than a body; five_force, which gathers speed slowly, takes them wider.
        assert!((a - into).abs() < 0.25 && (b - out).abs() < 0.25, "{model}: {a} and {b}, exactly {into} and {out}");
    }
    let refused = load("orca", &hall("", strip)).unwrap_err().to_string();
    assert!(refused.contains("puts no price on paths") && refused.contains("discomfort_weight = 1"), "{refused}");
    let idle = load("orca", &hall(&weighed, "")).unwrap_err().to_string();
    assert!(idle.contains("has no effect"), "{idle}");
}

#[test]
fn a_weight_of_zero_gives_the_bits_of_no_discomfort() {
    assert_eq!(way(0.0, true), way(0.0, false));
    assert_ne!(way(1.0, true), way(1.0, false));
}
