//! What every model has to do, whatever the place and its constants.
//!
//! `CROWDTUNE_WORLDS=10000 cargo test --release --test models random_world` tries that many random worlds for each model.

use crowdtune::evolve::evaluate::{Evaluate, Pool, Serial};
use crowdtune::evolve::log::MemoryLog;
use crowdtune::evolve::run::{Silent, evolve};
use crowdtune_core::math::rng::{ChaCha8Rng, Seed, unit};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Entry, Kind};
use crowdtune_sim::models::{MODELS, MakeModel, Symmetry};
use crowdtune_sim::world::SCENARIOS;
use crowdtune_sim::{Model, RunSetup, Scenario, Sim, Start};
use crowdtune_testing::walk::{load, walk};
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

/// Random worlds for each model, unless the environment names a number, as `.ci/run` does.
const WORLDS: u64 = 60;
/// People walk for so long in a random world, s: they have met, and the fastest have arrived.
pub const WALK_S: f64 = 4.0;

pub fn worlds() -> u64 {
    std::env::var("CROWDTUNE_WORLDS").map_or(WORLDS, |n| n.parse().unwrap())
}

pub fn between(rng: &mut ChaCha8Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * unit(rng)
}

pub fn one_of<T: Copy>(rng: &mut ChaCha8Rng, list: &[T]) -> T {
    list[(unit(rng) * list.len() as f64) as usize]
}

/// Constants from the ranges that a search covers, each with a chance of a third.
pub fn constants(rng: &mut ChaCha8Rng, model: &Entry<MakeModel>) -> String {
    let mut text = String::from("[parameters]\n");
    for p in model.params {
        if unit(rng) > 0.33 {
            continue;
        }
        let value = match p.kind {
            Kind::Real { search: (low, high), log: true, .. } => {
                libm::exp(between(rng, libm::log(low), libm::log(high))).clamp(low, high).to_string()
            }
            Kind::Real { search: (low, high), .. } => between(rng, low, high).to_string(),
            Kind::Integer { search: (low, high), .. } => {
                (low + (unit(rng) * (high - low + 1) as f64) as i64).to_string()
            }
            Kind::Choice { options, .. } => format!("{:?}", one_of(rng, options)),
            Kind::Switch { .. } => (unit(rng) < 0.5).to_string(),
        };
        writeln!(text, "{} = {value}", p.key).unwrap();
    }
    text
}

/// A hall with obstacles, rings, one to three groups and goals of all kinds.
pub fn world(rng: &mut ChaCha8Rng) -> String {
    let (w, h) = (between(rng, 6.0, 18.0), between(rng, 6.0, 18.0));
    let mut text = String::from("[people]\n");
    writeln!(text, "desired_speed_m_per_s = {{ uniform = [0.5, {:.3}] }}", between(rng, 0.6, 3.0)).unwrap();
    writeln!(text, "radius_m = {{ uniform = [0.15, {:.3}] }}", between(rng, 0.16, 0.35)).unwrap();
    if unit(rng) < 0.3 {
        text.push_str("start_time_s = { uniform = [0.0, 2.0] }\n");
    }
    if unit(rng) < 0.3 {
        text.push_str("max_speed_m_per_s = 2.5\n");
    }
    text.push_str("[scenario.hall]\nlimit_s = 60.0\n");
    writeln!(text, "walkable = \"POLYGON ((0 0, {w} 0, {w} {h}, 0 {h}, 0 0))\"").unwrap();
    writeln!(text, "periodic = {:?}", one_of(rng, &["none", "none", "none", "x", "y", "xy"])).unwrap();
    let mut blocks = Vec::new();
    for _ in 0..one_of(rng, &[0, 1, 2, 3]) {
        let (x, y) = (between(rng, 0.3 * w, 0.6 * w), between(rng, 0.1 * h, 0.8 * h));
        let side = vec2(between(rng, 0.2, 2.0), between(rng, -0.5, 0.5));
        let (a, b) = (vec2(x, y), vec2(x, y) + side);
        let (c, d) = (b + side.left() * 0.7, a + side.left() * 0.7);
        let ring = [a, b, c, d, a].map(|p| format!("{} {}", p.x, p.y)).join(", ");
        blocks.push(format!("(({ring}))"));
    }
    if !blocks.is_empty() {
        writeln!(text, "obstacles = \"MULTIPOLYGON ({})\"", blocks.join(", ")).unwrap();
    }
    if unit(rng) < 0.4 {
        text.push_str("navigation = { kind = \"field\", cell_m = 0.4 }\n");
    }
    for group in 0..one_of(rng, &[1, 2, 3]) {
        let (x, y) = (between(rng, 0.0, w - 3.0), between(rng, 0.0, h - 3.0));
        let (gx, gy) = (between(rng, 0.1 * w, 0.9 * w), between(rng, 0.1 * h, 0.9 * h));
        let door = between(rng, 0.6, 3.0);
        let to = match (unit(rng) * 9.0) as u32 {
            0 | 1 => format!("{{ line = [[{w}, {}], [{w}, {}]] }}", 0.5 * (h - door), 0.5 * (h + door)),
            2 => format!("{{ line = [[0, {}], [0, {}]] }}", 0.5 * h, 0.5 * h + door),
            3 => format!("{{ point = [{gx}, {gy}], radius_m = 0.5 }}"),
            4 => format!("{{ area = [[{}, {}], [{}, {}]] }}", gx - 0.5, gy - 0.5, gx + 0.5, gy + 0.5),
            5 => format!("{{ heading = [{}, {}] }}", between(rng, -1.0, 1.0), between(rng, 0.01, 1.0)),
            6 if group > 0 => "{ group = \"g0\" }".into(),
            7 => format!("[{{ point = [{gx}, {gy}], radius_m = 1.0 }}, {{ line = [[0, 1], [0, 3]] }}]"),
            _ => format!("{{ gather = [{gx}, {gy}], radius_m = 0.6 }}"),
        };
        let count = 1 + (unit(rng) * 12.0) as u32;
        writeln!(text, "[scenario.hall.group.g{group}]\ncount = {count}\nto = {to}").unwrap();
        writeln!(text, "from = {{ area = [[{x}, {y}], [{}, {}]] }}", x + 3.0, y + 3.0).unwrap();
        if unit(rng) < 0.15 {
            text.push_str("inflow_per_s = 3.0\n");
        }
    }
    text.push_str("[measure.left]\nmetric = \"people_left\"\n");
    text
}

/// The same world on uneven ground, in one of three; only an even slope goes round a ring.
pub fn uneven(place: String, rng: &mut ChaCha8Rng) -> String {
    if unit(rng) > 0.33 {
        return place;
    }
    let mut ground = format!("slope = [{}, {}]", between(rng, -0.3, 0.3), between(rng, -0.3, 0.3));
    if place.contains("periodic = \"none\"") {
        let (x, y, height) = (between(rng, 0.0, 12.0), between(rng, 0.0, 12.0), between(rng, -1.5, 1.5));
        let (wide, deep) = (between(rng, 2.0, 5.0), between(rng, 2.0, 5.0));
        write!(ground, ", hills = [{{ at = [{x}, {y}], height_m = {height}, width_m = [{wide}, {deep}] }}]").unwrap();
    }
    if unit(rng) < 0.4 {
        ground.push_str(", speed = { easy_slope = -0.1, steep_slope = 0.3, steep_speed_share = 0.05 }");
    }
    place.replacen("[scenario.hall]\n", &format!("[scenario.hall]\nground = {{ {ground} }}\n"), 1)
}

#[test]
fn random_worlds_never_give_what_is_no_number() {
    let worlds = worlds();
    for model in MODELS {
        let (mut ran, mut world_seed, mut failed) = (0, 0, Vec::new());
        while ran < worlds {
            world_seed += 1;
            assert!(world_seed < 4 * worlds, "{}: only {ran} worlds were there", model.name);
            let rng = &mut Seed(world_seed).child("world", 0).rng();
            let place = uneven(world(rng), &mut Seed(world_seed).child("ground", 0).rng());
            let published = unit(rng) < 0.5;
            let text = if published { place } else { constants(rng, model) + &place };
            // Places in which people find no room, and that a model refuses, are no worlds.
            let Ok(experiment) = load(model.name, &text) else { continue };
            ran += 1;
            let steps = (WALK_S / experiment.timing.time_step_s).ceil() as u64;
            let watched = walk(&experiment, world_seed, steps, &mut |crowd| {
                let numbers = crowd.pos.iter().chain(&crowd.vel).all(|v| v.is_finite());
                assert!(numbers && crowd.pressure.iter().all(|p| p.is_finite()), "{} {world_seed}\n{text}", model.name);
            });
            if let Err(why) = watched {
                assert!(
                    !why.contains("NaN") && !why.contains("inf"),
                    "{}, world {world_seed}: {why}\n{text}",
                    model.name
                );
                assert!(!published, "{}, world {world_seed} with the published constants: {why}\n{text}", model.name);
                failed.push((world_seed, why));
            }
        }
        println!("{}: {ran} worlds, {} unhealthy with random constants: {failed:?}", model.name, failed.len());
        assert!(20 * failed.len() < ran as usize, "{}: {failed:?}", model.name);
    }
}

/// Where two groups of six stand who cross each other's way, moved a little by the seed.
fn starts(seed: u64) -> [Vec<Vec2>; 2] {
    let rng = &mut Seed(seed).child("starts", 0).rng();
    let mut block = |x: f64, y: f64| {
        let place = |k: u32| vec2(x + 0.9 * f64::from(k % 3), y + 0.9 * f64::from(k / 3));
        (0..6).map(|k| place(k) + vec2(between(rng, -0.1, 0.1), between(rng, -0.1, 0.1))).collect()
    };
    [block(1.0, 2.0), block(5.5, -3.5)]
}

/// The scene of [`starts`] beside a pillar, mirrored at the x axis, or with everybody numbered backwards; the second group can have
/// another model.
fn crossing(seed: u64, mirrored: bool, backwards: bool, second: Option<&str>) -> String {
    let flip = |p: Vec2| if mirrored { vec2(p.x, -p.y) } else { p };
    let list = |points: &[Vec2]| {
        let text: Vec<String> = points.iter().map(|&p| flip(p)).map(|p| format!("[{}, {}]", p.x, p.y)).collect();
        text.join(", ")
    };
    let mut text = String::from(
        "[people]\nradius_m = 0.25\ndesired_speed_m_per_s = 1.3\n[scenario.square]\nlimit_s = 60.0\n\
         walkable = \"POLYGON ((-2 -8, 14 -8, 14 8, -2 8, -2 -8))\"\n",
    );
    let pillar = [vec2(6.6, 1.2), vec2(7.4, 1.2), vec2(7.4, 2.0), vec2(6.6, 2.0), vec2(6.6, 1.2)].map(flip);
    let ring = pillar.map(|p| format!("{} {}", p.x, p.y)).join(", ");
    writeln!(text, "obstacles = \"POLYGON (({ring}))\"").unwrap();
    let goals = [[vec2(14.0, 0.0), vec2(14.0, 5.0)], [vec2(4.0, 8.0), vec2(9.0, 8.0)]];
    for ((name, mut points), goal) in ["a", "b"].into_iter().zip(starts(seed)).zip(goals) {
        if backwards {
            points.reverse();
        }
        writeln!(text, "[scenario.square.group.{name}]\ncount = 6").unwrap();
        writeln!(text, "from = {{ points = [{}] }}\nto = {{ line = [{}] }}", list(&points), list(&goal)).unwrap();
        if let (Some(second), "b") = (second, name) {
            writeln!(text, "model = {second:?}").unwrap();
        }
    }
    text.push_str("[measure.left]\nmetric = \"people_left\"\n");
    text
}

/// Places after `seconds`, by the number in the original scene and not mirrored; those who have left are missing.
fn places(models: &[&str], seed: u64, seconds: f64, mirrored: bool, backwards: bool) -> Vec<Option<Vec2>> {
    let second = models.get(1).copied();
    let experiment = load(models[0], &crossing(seed, mirrored, backwards, second)).unwrap();
    let mut places = Vec::new();
    let steps = (seconds / experiment.timing.time_step_s).round() as u64;
    walk(&experiment, seed, steps, &mut |crowd| {
        places = vec![None; 12];
        for (i, p) in crowd.pos.iter().enumerate() {
            let id = crowd.id[i] as usize;
            let original = if backwards { id / 6 * 6 + 5 - id % 6 } else { id };
            places[original] = Some(if mirrored { vec2(p.x, -p.y) } else { *p });
        }
    })
    .unwrap_or_else(|why| panic!("{models:?}, seed {seed}: {why}"));
    places
}

/// Mean and its standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// Holds a model, or two, to what is said of a symmetry.
pub fn held(models: &[&str], symmetry: Symmetry, mirrored: bool, backwards: bool) {
    match symmetry {
        Symmetry::UpToRounding(_) => {
            for seed in 0..5 {
                let one = places(models, seed, 2.0, false, false);
                let other = places(models, seed, 2.0, mirrored, backwards);
                for (a, b) in one.iter().zip(&other) {
                    let (a, b) = (a.unwrap(), b.unwrap());
                    assert!((a - b).length() < 1e-5, "{models:?}, seed {seed}: {a:?} and {b:?}");
                }
            }
        }
        Symmetry::Statistically(_) => {
            // How far the mean person has come, and how far apart the groups are, after they have met.
            let figures = |mirrored: bool, backwards: bool| -> [Vec<f64>; 2] {
                let one = |seed: u64| {
                    let places = places(models, seed, 5.0, mirrored, backwards);
                    let sum = |rows: &[Option<Vec2>]| rows.iter().flatten().fold(Vec2::ZERO, |s, &p| s + p) / 6.0;
                    let (a, b) = (sum(&places[..6]), sum(&places[6..]));
                    [a.x + b.y, a.y]
                };
                let all: Vec<[f64; 2]> = (0..40).map(one).collect();
                [all.iter().map(|f| f[0]).collect(), all.iter().map(|f| f[1]).collect()]
            };
            for (one, other) in figures(false, false).iter().zip(&figures(mirrored, backwards)) {
                let ((a, se), (b, other_se)) = (mean(one), mean(other));
                // Four standard errors: one test in ten thousand fails by chance, and these seeds are fixed. A step of
                // a centimetre that all share is not what the symmetry is about.
                let most = 4.0 * (se * se + other_se * other_se).sqrt() + 0.01;
                assert!((a - b).abs() < most, "{models:?}: {a} +- {se} and {b} +- {other_se}");
            }
        }
    }
}

#[test]
fn mirroring_does_what_each_model_says() {
    MODELS.iter().for_each(|model| held(&[model.name], model.make.mirror, true, false));
}

#[test]
fn renumbering_does_what_each_model_says() {
    MODELS.iter().for_each(|model| held(&[model.name], model.make.renumber, false, true));
}

/// A small search whose runs differ in length, so that threads use the memory of others' runs.
const SEARCH: &str = r#"
[people]
desired_speed_m_per_s = { range = [0.8, 2.0] }
radius_m = { uniform = [0.2, 0.25] }
[scenario.room]
kind = "room"
count = { each = [3, 8] }
width_m = 5.0
depth_m = 5.0
limit_s = 8.0
replicas = 2
[target.time]
metric = "evacuation_time_95_s"
minimize = { good = 3.0, bad = 8.0 }
[measure.nearest]
metric = "nearest_neighbor_m"
[simulation]
max_overlap_share = 2.0
[search]
optimizer = "random"
evaluations = 6
parallel = 6
report_replicas = 20
seed = 2
"#;

#[test]
fn one_two_and_eight_threads_write_the_same_bytes_for_every_model() {
    for model in MODELS {
        let experiment = load(model.name, SEARCH).unwrap();
        let cancel = AtomicBool::new(false);
        let run = |evaluator: &dyn Evaluate| {
            let mut journal = MemoryLog::default();
            evolve(&experiment, evaluator, &mut journal, &mut Silent, &cancel).unwrap();
            journal.0
        };
        let serial = run(&Serial::new(&experiment, &cancel));
        for threads in [1, 2, 8] {
            let pool = Pool::new(&experiment, threads, &cancel).unwrap();
            assert!(run(&pool) == serial, "{}: another log with {threads} threads", model.name);
        }
    }
}

#[test]
fn people_of_the_social_force_model_walk_in_every_scenario() {
    let model = Model::named("social_force", &[]).unwrap();
    for entry in SCENARIOS {
        let scenario = Scenario::of_kind(entry.name, &[]).unwrap();
        // Chosen here: the people of every scenario have met by then.
        let scenario = Scenario { limit_s: scenario.limit_s.min(15.0), ..scenario };
        let setup = RunSetup { max_overlap_share: 0.9, seed: Seed(7), ..RunSetup::new(scenario, 0.01) };
        let start = Start::new(setup).unwrap();
        let steering = model.make(&start).unwrap();
        let health = Sim::new(start, steering).run(&mut |_, _, _| {}).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        assert!(health.agent_steps > 0 && health.end_s > 5.0, "{}: {health:?}", entry.name);
    }
}
