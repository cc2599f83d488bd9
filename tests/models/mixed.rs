//! Several models in one place.
//!
//! `CROWDTUNE_WORLDS=10000 cargo test --release --test models mixed_world` tries that many random worlds.

use crate::every_model::{WALK_S, between, held, one_of, uneven, world, worlds};
use crowdtune_core::Error;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Entry, Settings, defaults, find};
use crowdtune_sim::crowd::{RunSetup, Sim, Start, Steering, Update, View};
use crowdtune_sim::models::{
    MODELS, MakeModel, ModelSetup, Part, Symmetry, fit_together, max_time_step_s, time_step_s, together,
};
use crowdtune_sim::world::scenario::{FloorPlan, Goal, Group, Pull, Scenario, Spawn, named};
use crowdtune_sim::world::{FieldCache, World};
use crowdtune_testing::walk::load;
use std::sync::Arc;

type Model = &'static Entry<MakeModel>;

fn model(name: &str) -> Model {
    find(MODELS, name).unwrap()
}

/// A run of these models with published constants but for `set`; `steered_by` names one for each group.
fn run(setup: RunSetup, models: &[Model], set: &[(&str, f64)], steered_by: &[usize]) -> Result<Sim, Error> {
    let start = Start::new(setup)?;
    let of = |model: &Model| {
        let mut values = defaults(model.params);
        for (key, value) in set {
            if let Some(at) = model.params.iter().position(|p| p.key == *key) {
                values[at] = *value;
            }
        }
        values
    };
    let values: Vec<Vec<f64>> = models.iter().map(of).collect();
    let groups = start.scenario().groups.len();
    let settings = models.iter().zip(&values).map(|(model, values)| vec![Settings::new(model.params, values); groups]);
    let parts: Vec<Part<'_>> = models.iter().zip(settings).map(|(model, settings)| Part { model, settings }).collect();
    let steering = together(&ModelSetup::new(&start), &parts, steered_by);
    Ok(Sim::new(start, steering))
}

/// A group at these places that walks along a direction.
fn group(name: &str, places: &[Vec2], way: Vec2) -> Group {
    Group {
        name: name.into(),
        count: places.len(),
        spawn: Spawn::Points(places.to_vec()),
        pull: Pull::Heading(way),
        ..Group::default()
    }
}

/// An open field in which each group walks to its goal, a point far away, or along its heading where it has none.
fn field(groups: Vec<Group>, goals: &[Vec2]) -> Scenario {
    let goal = |(k, &at): (usize, &Vec2)| named(format!("goal {k}"), Goal::Point { at, radius: 0.5 });
    let plan = FloorPlan { goals: goals.iter().enumerate().map(goal).collect(), ..FloorPlan::default() };
    let mut groups = groups;
    for (k, group) in groups.iter_mut().enumerate().take(goals.len()) {
        (group.stages, group.pull) = (vec![vec![k]], Pull::Nothing);
    }
    let world = World::new(plan, &mut FieldCache::default()).unwrap();
    Scenario { name: "field".into(), world: Arc::new(world), groups, limit_s: 60.0, give_up_s: None, tracks: None }
}

/// Three by two people, two meters apart, moved a little by the seed.
fn block(seed: u64, x: f64, y: f64) -> Vec<Vec2> {
    let rng = &mut Seed(seed).child("block", (x * 100.0 + y) as i64 as u64).rng();
    let at = |k: u32| vec2(x + 2.0 * f64::from(k % 3), y + 2.0 * f64::from(k / 3));
    (0..6).map(|k| at(k) + vec2(between(rng, -0.2, 0.2), between(rng, -0.2, 0.2))).collect()
}

/// Two blocks of six whose ways cross, the second so much later.
fn crossing(seed: u64, behind_m: f64) -> Scenario {
    let groups = vec![
        group("a", &block(seed, 0.0, 0.0), vec2(1.0, 0.0)),
        group("b", &block(seed, 6.0, -8.0 - behind_m), vec2(0.0, 1.0)),
    ];
    field(groups, &[vec2(40.0, 1.0), vec2(8.0, 40.0)])
}

fn places(sim: &mut Sim, seconds: f64) -> Vec<Vec2> {
    let steps = (seconds / sim.setup().time_step_s).round() as u64;
    (0..steps).for_each(|_| sim.step().unwrap());
    sim.crowd().pos.clone()
}

/// True if people of the two groups may touch within a step.
fn may_touch(sim: &Sim) -> bool {
    let crowd = sim.crowd();
    let fastest = crowd.vel.iter().map(|v| v.length()).fold(1.34, f64::max);
    let near = |a: usize, b: usize| {
        (crowd.pos[a] - crowd.pos[b]).length()
            < crowd.radius[a] + crowd.radius[b] + 2.0 * fastest * sim.setup().time_step_s
    };
    (0..6).any(|a| (6..12).any(|b| near(a, b)))
}

/// Until bodies may touch, whose contact is another law between two models, two runs of a model, one for each group, do what one does.
#[test]
fn one_model_in_two_parts_is_one_model_bit_for_bit() {
    for model in MODELS {
        // People who step one after the other by id do so in each part; the search for free steps is left out.
        let set = [("collision_strategies", 0.0), ("perceives", 1.0)];
        let (mut saw, mut steps) = (0.0_f64, 0);
        for seed in 0..3 {
            let setup = |scene: Scenario| RunSetup { seed: Seed(seed), ..RunSetup::new(scene, model.make.time_step_s) };
            let start = |models: &[Model], by: &[usize]| run(setup(crossing(seed, 0.0)), models, &set, by).unwrap();
            let (mut one, mut two) = (start(&[model], &[0, 0]), start(&[model, model], &[0, 1]));
            let mut blind = run(setup(crossing(seed, 300.0)), &[model], &set, &[0, 0]).unwrap();
            while one.time_s() < 9.0 && !may_touch(&one) {
                for sim in [&mut one, &mut two, &mut blind] {
                    sim.step().unwrap();
                }
                steps += 1;
                for row in 0..12 {
                    let (a, b) = (one.crowd().pos[row], two.crowd().pos[row]);
                    let same = a.x.to_bits() == b.x.to_bits() && a.y.to_bits() == b.y.to_bits();
                    assert!(same, "{}, seed {seed}, person {row} at {} s: {a:?} and {b:?}", model.name, one.time_s());
                }
            }
            let off = |row: usize| (one.crowd().pos[row] - blind.crowd().pos[row]).length();
            saw = (0..6).map(off).fold(saw, f64::max);
        }
        println!("{}: {steps} steps, {saw} m out of the way", model.name);
        assert!(saw > 1e-3, "{}: nobody saw anybody", model.name);
    }
}

/// A group that meets nobody walks as with its model alone, whatever the step of the other.
#[test]
fn each_model_keeps_its_own_step() {
    for name in ["orca", "rvo", "continuum", "group_dynamics", "five_force", "hybrid"] {
        let far = |other: f64| {
            field(
                vec![
                    group("a", &block(1, 0.0, 0.0), vec2(1.0, 0.0)),
                    group("b", &block(2, 0.0, other), vec2(1.0, 0.0)),
                    group("c", &block(3, 8.0, 1.0), vec2(-1.0, 0.0)),
                ],
                &[vec2(40.0, 1.0), vec2(40.0, other), vec2(-30.0, 1.0)],
            )
        };
        let dt = time_step_s([model(name), model("social_force")]);
        assert_eq!((dt, max_time_step_s([model(name), model("social_force")])), (0.01, 0.02));
        let setup = |dt: f64| RunSetup { seed: Seed(1), ..RunSetup::new(far(200.0), dt) };
        let alone = places(&mut run(setup(0.1), &[model(name)], &[], &[0, 0, 0]).unwrap(), 6.0);
        let models = [model(name), model("social_force")];
        let mixed = places(&mut run(setup(dt), &models, &[], &[0, 1, 0]).unwrap(), 6.0);
        for row in (0..6).chain(12..18) {
            // Ten short steps round otherwise than a long one, and what grids see of the others far away is the same.
            let off = (alone[row] - mixed[row]).length();
            assert!(off < 1e-6, "{name}, person {row}: {off} m, {:?} and {:?}", alone[row], mixed[row]);
        }
    }
}

/// Every model beside forces, and two pairs of others.
const PAIRS: [[&str; 2]; 9] = [
    ["social_force", "five_force"],
    ["social_force", "velocity_obstacle"],
    ["social_force", "rvo"],
    ["social_force", "orca"],
    ["social_force", "continuum"],
    ["social_force", "group_dynamics"],
    ["social_force", "hybrid"],
    ["orca", "continuum"],
    ["rvo", "five_force"],
];

/// A pair keeps a symmetry as the weaker of its models does.
#[test]
fn mirroring_and_renumbering_do_what_the_pair_says() {
    for pair in PAIRS {
        let weaker = |of: fn(&MakeModel) -> Symmetry| {
            let said = pair.map(|name| of(&model(name).make));
            said.into_iter().find(|said| matches!(said, Symmetry::Statistically(_))).unwrap_or(said[0])
        };
        held(&pair, weaker(|model| model.mirror), true, false);
        held(&pair, weaker(|model| model.renumber), false, true);
    }
}

/// Glides as it is.
struct Glide;

impl Steering for Glide {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        for row in (0..view.crowd.len()).filter(|&row| view.steers(row)) {
            next.vel[row] = view.crowd.vel[row];
        }
    }

    fn reach_m(&self) -> f64 {
        0.0
    }
}

const fn glide(name: &'static str, alone: Option<&'static str>) -> Entry<MakeModel> {
    Entry {
        name,
        doc: "People glide on.",
        source: "Newton's first law",
        params: &[],
        make: MakeModel {
            make: &|_, _| Box::new(Glide),
            fits: |_, _| Ok(()),
            time_step_s: 0.01,
            max_time_step_s: 0.1,
            person_step_s: 50e-9,
            integrator: "none",
            alone,
            mirror: Symmetry::UpToRounding("nothing has a side"),
            renumber: Symmetry::UpToRounding("nothing depends on numbers"),
        },
    }
}

static ONE: Entry<MakeModel> = glide("one", None);
static OTHER: Entry<MakeModel> = glide("other", None);
static HERMIT: Entry<MakeModel> = glide("hermit", Some("its people are everywhere at once"));

/// Nothing but contact acts on people who glide, so two crowds that run into each other keep their momentum and gain no energy;
/// bodies of two models do not pass through each other.
#[test]
fn contact_of_two_models_keeps_momentum() {
    for (seed, dt) in [(1, 0.01), (2, 0.01), (3, 0.05), (4, 0.1)] {
        let setup = RunSetup { seed: Seed(seed), ..RunSetup::new(crossing(seed, 0.0), dt) };
        let mut sim = run(setup, &[&ONE, &OTHER], &[], &[0, 1]).unwrap();
        let rng = &mut Seed(seed).child("mass", 0).rng();
        let crowd = sim.crowd_mut();
        for row in 0..12 {
            crowd.mass[row] = between(rng, 40.0, 120.0);
            // Towards the middle of all.
            crowd.vel[row] = (vec2(5.0, -3.0) - crowd.pos[row]).unit().unwrap() * between(rng, 1.0, 1.3);
        }
        let momentum = |sim: &Sim| {
            let crowd = sim.crowd();
            crowd.vel.iter().zip(&crowd.mass).fold(Vec2::ZERO, |sum, (&v, &m)| sum + v * m)
        };
        let energy = |sim: &Sim| {
            let crowd = sim.crowd();
            crowd.vel.iter().zip(&crowd.mass).map(|(v, m)| 0.5 * m * v.length2()).sum::<f64>()
        };
        let (before, mut most) = (momentum(&sim), energy(&sim));
        let (first, mut deepest, mut touched) = (most, 0.0_f64, false);
        for _ in 0..(7.0 / dt) as u64 {
            sim.step().unwrap();
            // The solver stops at 1e-8 of a first residual of some 100 kg m/s.
            assert!((momentum(&sim) - before).length() < 1e-3, "seed {seed}: {:?} and {before:?}", momentum(&sim));
            let now = energy(&sim);
            // Bodies that are in each other part at 0.2 m/s, whatever they did before: for each touch a little energy.
            assert!(now < most + 1e-6 * first, "seed {seed}: {now} J and {most} J");
            most = now;
            let crowd = sim.crowd();
            for a in 0..6 {
                for b in 6..12 {
                    let overlap = crowd.radius[a] + crowd.radius[b] - (crowd.pos[a] - crowd.pos[b]).length();
                    deepest = deepest.max(overlap);
                }
            }
            touched |= crowd.pressure.iter().any(|&p| p > 0.0);
        }
        assert!(touched && deepest < 0.02, "seed {seed}: {touched}, {deepest} m");
    }
}

#[test]
fn two_random_models_in_a_mixed_world_never_give_what_is_no_number() {
    let worlds = worlds();
    let (mut ran, mut world_seed, mut failed) = (0, 0, Vec::new());
    while ran < worlds {
        world_seed += 1;
        assert!(world_seed < 8 * worlds, "only {ran} worlds were there");
        let rng = &mut Seed(world_seed).child("mixed", 0).rng();
        let place = uneven(world(rng), rng);
        let Ok(experiment) = load("social_force", &place) else { continue };
        let scenario = experiment.cases[0].scenario.clone();
        let models: Vec<Model> = (0..3).map(|_| one_of(rng, MODELS)).collect();
        let steered_by: Vec<usize> = scenario.groups.iter().map(|_| one_of(rng, &[0, 1, 2])).collect();
        let used = |at: usize| steered_by.contains(&at);
        if fit_together(&models, &steered_by, &scenario).is_err() || (0..3).filter(|&at| used(at)).count() < 2 {
            continue;
        }
        let time_step_s = time_step_s(models.iter().copied());
        let traits = experiment.cases[0].groups.iter().map(|g| g.traits(&experiment.defaults)).collect();
        let giving = (0..scenario.groups.len()).map(|_| (one_of(rng, &[0, 1, 2]), unit(rng)));
        let mut groups = scenario.groups.clone();
        for (at, (group, (other, share))) in groups.iter_mut().zip(giving).enumerate() {
            if other != at && other < scenario.groups.len() {
                group.gives_way = vec![(other, share)];
            }
        }
        let scenario = Scenario { groups, ..(*scenario).clone() };
        let setup = RunSetup { traits, seed: Seed(world_seed), ..RunSetup::new(scenario, time_step_s) };
        let Ok(mut sim) = run(setup, &models, &[], &steered_by) else { continue };
        ran += 1;
        let names: Vec<&str> = steered_by.iter().map(|&at| models[at].name).collect();
        for _ in 0..(WALK_S / time_step_s).ceil() as u64 {
            if let Err(why) = sim.step() {
                failed.push((world_seed, names.clone(), why.what().to_string()));
                break;
            }
            let crowd = sim.crowd();
            let numbers = crowd.pos.iter().chain(&crowd.vel).all(|v| v.is_finite());
            assert!(numbers && crowd.pressure.iter().all(|p| p.is_finite()), "{names:?} {world_seed}\n{place}");
        }
    }
    println!("{ran} worlds, {} unhealthy: {failed:?}", failed.len());
    assert!(failed.iter().all(|(_, _, why)| !why.contains("NaN") && !why.contains("inf")), "{failed:?}");
    assert!(100 * failed.len() < ran as usize, "{failed:?}");
}

/// Whom a share of 0 tells to give way to nobody walks as if the others were not there, and those go round.
#[test]
fn who_gives_way_to_nobody_walks_as_if_alone() {
    let row = |x: f64, y: f64, people: u32| -> Vec<Vec2> {
        (0..people).map(|k| vec2(x + 0.7 * f64::from(k % 4), y + 0.7 * f64::from(k / 4))).collect()
    };
    for name in ["social_force", "rvo", "velocity_obstacle", "orca", "hybrid", "continuum", "group_dynamics"] {
        // What models of densities see is a crowd.
        let people = if ["continuum", "group_dynamics"].contains(&name) { 12 } else { 1 };
        let last = |away_m: f64, first: f64, second: f64| {
            // Head-on, a little to the side.
            let mut groups = vec![
                group("a", &row(0.0, 0.1, people), vec2(1.0, 0.0)),
                group("b", &row(12.0, away_m, people), vec2(-1.0, 0.0)),
                group("edges", &[vec2(-20.0, -12.0), vec2(40.0, 42.0)], Vec2::ZERO),
            ];
            groups[2].pull = Pull::Nothing;
            (groups[0].gives_way, groups[1].gives_way) = (vec![(1, first)], vec![(0, second)]);
            let scenario = field(groups, &[]);
            let dt = model(name).make.time_step_s;
            // Bodies that are pushed apart do not ask who gives way.
            let set = [("minimum_distance", 0.0), ("body_stiffness_kg_per_s2", 0.0)];
            let mut sim = run(RunSetup::new(scenario, dt), &[model(name)], &set, &[0, 0, 0]).unwrap();
            let mut most = vec![0.0_f64; 2 * people as usize];
            let start: Vec<f64> = sim.crowd().pos.iter().map(|p| p.y).collect();
            let pos = places(&mut sim, 4.0);
            for _ in 0..(4.0 / dt) as u64 {
                sim.step().unwrap();
                for (most, (p, y)) in most.iter_mut().zip(sim.crowd().pos.iter().zip(&start)) {
                    *most = most.max((p.y - y).abs());
                }
            }
            (pos, most)
        };
        let n = people as usize;
        let mean = |most: &[f64]| most.iter().sum::<f64>() / most.len() as f64;
        let ((alone, _), (proud, polite), (_, alike)) =
            (last(25.0, 0.0, 1.0), last(0.0, 0.0, 1.0), last(0.0, 0.5, 0.5));
        assert_eq!(alone[..n], proud[..n], "{name}");
        let (polite, alike) = (mean(&polite[n..]), mean(&alike[n..]));
        assert!(polite > 1.1 * alike && polite > 0.1, "{name}: {polite} m aside, {alike} where both give way");
    }
}

#[test]
fn who_cannot_meet_others_says_why() {
    let scenario = crossing(1, 0.0);
    assert!(fit_together(&[&HERMIT], &[0, 0], &scenario).is_ok());
    let why = fit_together(&[&ONE, &HERMIT], &[0, 1], &scenario).unwrap_err();
    let text = why.to_string();
    assert!(text.contains("`hermit` and `one` cannot meet in one place: its people are everywhere at once"), "{text}");
    assert!(text.contains("give all groups one model"), "{text}");
}

/// What a program asks for by names is what [`together`] makes.
#[test]
fn a_program_gives_each_group_its_model() {
    let setup = || RunSetup { seed: Seed(1), ..RunSetup::new(crossing(1, 0.0), 0.01) };
    let start = Start::new(setup()).unwrap();
    let models = ["orca", "social_force"].map(|name| crowdtune_sim::Model::named(name, &[]).unwrap());
    let steering = crowdtune_sim::Model::make_together(&start, &[&models[0], &models[1]]).unwrap();
    let mut named = Sim::new(start, steering);
    let mut by_hand = run(setup(), &[model("orca"), model("social_force")], &[], &[0, 1]).unwrap();
    assert_eq!(places(&mut named, 5.0), places(&mut by_hand, 5.0));
}
