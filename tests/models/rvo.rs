//! What velocity obstacles and reciprocal velocity obstacles have to do, with margins and numbers of samples.

use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Settings, defaults, find};
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::crowd::{RunSetup, Sim, Start};
use crowdtune_sim::models::{MODELS, ModelSetup};
use crowdtune_sim::world::scenario::{FloorPlan, Goal, Group, Scenario, Segment, named};
use crowdtune_testing::place;

/// Somebody with a start, a goal, and constants that differ from the defaults.
#[derive(Clone)]
struct Walker {
    from: Vec2,
    to: Vec2,
    radius: f64,
    set: Vec<(&'static str, f64)>,
}

/// Where and how fast somebody was after each step.
type Track = Vec<(Vec2, Vec2)>;

/// Tracks of people who each walk at 1 m/s, at most 1.5 m/s, to their own goals.
fn walk(model: &str, walls: &[Segment], walkers: &[Walker], steps: u64) -> Vec<Track> {
    let goals = walkers.iter().enumerate();
    let plan = FloorPlan {
        walls: walls.to_vec(),
        goals: goals.map(|(k, w)| named(format!("goal {k}"), Goal::Point { at: w.to, radius: 0.3 })).collect(),
        ..FloorPlan::default()
    };
    let mut scenario: Scenario = place::scenario(plan, Group::default(), 1e6);
    scenario.groups = (0..walkers.len())
        .map(|k| Group { name: format!("walker {k}"), count: 1, stages: vec![vec![k]], ..Group::default() })
        .collect();
    let entry = find(MODELS, model).unwrap();
    let values: Vec<Vec<f64>> = walkers
        .iter()
        .map(|w| {
            let mut values = defaults(entry.params);
            for (key, value) in &w.set {
                values[entry.params.iter().position(|p| p.key == *key).expect(key)] = *value;
            }
            values
        })
        .collect();
    let n = walkers.len();
    let groups: Vec<_> = values.iter().map(|v| Settings::new(entry.params, v)).collect();
    let setup = ModelSetup {
        scenario: &scenario,
        max_radius_m: walkers.iter().fold(0.0, |m, w| w.radius.max(m)),
        min_mass_kg: 80.0,
        seed: Seed(1),
    };
    let model = (entry.make.make)(&setup, &groups);
    let crowd = Crowd {
        radius: walkers.iter().map(|w| w.radius).collect(),
        desired_speed: vec![1.0; n],
        max_speed: vec![1.5; n],
        group: (0..n as u16).collect(),
        ..Crowd::at(walkers.iter().map(|w| w.from).collect())
    };
    let mut run = Sim::new(Start::of(RunSetup::new(scenario.clone(), 0.1), crowd), model);
    let mut tracks = vec![Vec::new(); n];
    for _ in 0..steps {
        run.step().unwrap();
        let crowd = run.crowd();
        for row in 0..crowd.len() {
            tracks[crowd.id[row] as usize].push((crowd.pos[row], crowd.vel[row]));
        }
    }
    tracks
}

/// Sum of |dv| over the track, m/s, from the first second on and until somebody slows down a meter before the goal:
/// setting out and arriving is no jitter.
fn jitter(track: &Track, goal: Vec2) -> f64 {
    let on_the_way = track.windows(2).skip(10).take_while(|w| (w[1].0 - goal).length() > 1.1);
    on_the_way.map(|w| (w[1].1 - w[0].1).length()).sum()
}

/// How often the velocity across the x axis changes its sign from the first second on; below 1 cm/s it has none.
fn flips(track: &Track) -> usize {
    let signs: Vec<bool> = track.iter().skip(10).filter(|at| at.1.y.abs() > 1e-2).map(|at| at.1.y > 0.0).collect();
    signs.windows(2).filter(|w| w[0] != w[1]).count()
}

/// Smallest distance of the centers of two people, m.
fn nearest(a: &Track, b: &Track) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a.0 - b.0).length()).fold(f64::INFINITY, f64::min)
}

/// Two of radius 0.5 m who come towards each other along the x axis, this far beside it in sum.
fn head_on(model: &str, beside: f64, sets: [Vec<(&'static str, f64)>; 2]) -> [Track; 2] {
    let [left, right] = sets;
    let (a, b) = (vec2(-10.0, 0.5 * beside), vec2(10.0, -0.5 * beside));
    let walkers = [
        Walker { from: a, to: vec2(10.0, a.y), radius: 0.5, set: left },
        Walker { from: b, to: vec2(-10.0, b.y), radius: 0.5, set: right },
    ];
    walk(model, &[], &walkers, 300).try_into().unwrap()
}

/// Radii enlarged by a tenth, and these numbers of samples and refinements.
fn wide(samples: f64, refinements: f64) -> Vec<(&'static str, f64)> {
    let see = ("neighbor_distance_m", 30.0);
    vec![("margin_share", 0.1), ("samples", samples), ("refinements", refinements), see]
}

#[test]
fn two_who_meet_sway_with_velocity_obstacles_and_pass_calmly_with_reciprocal_ones() {
    for (samples, refinements) in [(2000.0, 0.0), (2000.0, 1.0), (3000.0, 1.0), (4000.0, 1.0)] {
        let pass = |model: &str| {
            let [a, b] = head_on(model, 0.05, [wide(samples, refinements), wide(samples, refinements)]);
            assert!(nearest(&a, &b) >= 1.0, "{model}, {samples}: {}", nearest(&a, &b));
            let jitter = jitter(&a, vec2(10.0, 0.025)).max(jitter(&b, vec2(-10.0, -0.025)));
            (flips(&a).max(flips(&b)), jitter)
        };
        let (vo, rvo) = (pass("velocity_obstacle"), pass("rvo"));
        assert!(vo.0 >= 11 && vo.1 > 10.0, "{samples}: {vo:?}");
        assert!(rvo.0 <= 1 && rvo.1 <= 0.6, "{samples}: {rvo:?}");
    }
}

#[test]
fn the_sidesteps_share_as_the_responsibilities() {
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let set = |alpha: f64| {
            let mut set = wide(8000.0, 1.0);
            set.extend([("responsibility", alpha), ("time_horizon_s", 3.0)]);
            set
        };
        let [a, b] = head_on("rvo", 0.4, [set(share), set(1.0 - share)]);
        let aside = |track: &Track, from: f64| track.iter().map(|at| (at.0.y - from).abs()).fold(0.0, f64::max);
        let (a, b) = (aside(&a, 0.2), aside(&b, -0.2));
        assert!((a / (a + b) - share).abs() <= 0.1 * share, "alpha {share}: {a:.3} and {b:.3} m");
    }
}

/// Collisions, mean jitter, and steps until all have arrived, on a circle of 8 m with discs of 0.5 m and 5 % of margin.
fn circle(model: &str, people: usize) -> (usize, f64, usize) {
    let starts: Vec<Vec2> = (0..people)
        .map(|k| {
            let angle = std::f64::consts::TAU * k as f64 / people as f64;
            // A centimetre against exact symmetry.
            let push = if k % 2 == 0 { 0.005 } else { -0.005 };
            vec2(8.0 * libm::cos(angle) + push, 8.0 * libm::sin(angle) - push)
        })
        .collect();
    let set = vec![("margin_share", 0.05), ("safety_factor_m", 2.0), ("samples", 250.0)];
    let walkers: Vec<_> =
        starts.iter().map(|&from| Walker { from, to: -from, radius: 0.5, set: set.clone() }).collect();
    let tracks = walk(model, &[], &walkers, 1200);
    let mut collisions = 0;
    for (i, a) in tracks.iter().enumerate() {
        for b in &tracks[..i] {
            let near: Vec<bool> = a.iter().zip(b).map(|(a, b)| (a.0 - b.0).length() < 1.0 - 1e-3).collect();
            collisions += usize::from(near[0]) + near.windows(2).filter(|w| !w[0] && w[1]).count();
        }
    }
    let jitter: f64 = tracks.iter().zip(&walkers).map(|(t, w)| jitter(t, w.to)).sum();
    (collisions, jitter / people as f64, tracks.iter().map(Vec::len).max().unwrap())
}

#[test]
fn circles_collide_with_velocity_obstacles_and_not_with_reciprocal_ones() {
    for people in [12, 24] {
        let (vo, rvo) = (circle("velocity_obstacle", people), circle("rvo", people));
        assert!(rvo.0 == 0 && rvo.2 < 1200, "{people}: {rvo:?}");
        assert!(vo.0 > 0 && vo.1 > 2.0 * rvo.1, "{people}: {vo:?} {rvo:?}");
    }
}

#[test]
#[ignore = "prints the table of docs/models.md"]
fn figures() {
    for refinements in [0.0, 1.0] {
        for model in ["velocity_obstacle", "rvo"] {
            let [a, b] = head_on(model, 0.05, [wide(2000.0, refinements), wide(2000.0, refinements)]);
            println!("pair {refinements} {model}: {} {:.2}", flips(&a).max(flips(&b)), jitter(&a, vec2(10.0, 0.025)));
        }
    }
    for people in [12, 24] {
        println!("{people}: {:?} {:?}", circle("velocity_obstacle", people), circle("rvo", people));
    }
}
