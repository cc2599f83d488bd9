use super::*;
use crate::SettingValue;
use crate::crowd::people::{Distribution, Traits, published};
use crate::models::Model;
use crate::world::scenario::{
    Catch, Caught, Flight, FloorPlan, Goal, Group, Polygon, Pull, Scenario, Segment, Spawn, named,
};
use crate::world::{Leave, Torus, Tracks};
use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::{Vec2, vec2};
use std::sync::Arc;

/// Everybody walks at the desired speed in the desired direction, through each other.
struct Straight;

impl Steering for Straight {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        for i in 0..view.crowd.len() {
            next.vel[i] = view.desired[i] * view.crowd.desired_speed[i];
        }
    }

    fn reach_m(&self) -> f64 {
        1.0
    }
}

const RING: Torus = Torus { x: Some((0.0, 10.0)), y: None };

fn scenario(plan: FloorPlan, groups: Vec<Group>, limit_s: f64) -> Scenario {
    Scenario { limit_s, ..Scenario::new("test", plan, groups).unwrap() }
}

/// 1 m/s, radius 0.3 m.
fn traits() -> Traits {
    Traits { desired_speed: Distribution::Fixed(1.0), radius: Distribution::Fixed(0.3), ..published() }
}

fn setup(scenario: &Scenario, traits: Traits) -> RunSetup {
    let traits = vec![traits; scenario.groups.len()];
    RunSetup { traits, max_overlap_share: 10.0, seed: Seed(5), ..RunSetup::new(scenario.clone(), 0.1) }
}

fn straight(scenario: &Scenario, traits: Traits) -> Sim {
    Sim::new(Start::new(setup(scenario, traits)).unwrap(), Box::new(Straight))
}

/// What a run of [`Straight`] shows.
struct Seen {
    /// Time, ids and places of each sample.
    samples: Vec<(f64, Vec<u32>, Vec<Vec2>)>,
    exits: Vec<Exit>,
    health: Health,
    track: Trajectory,
}

fn run(scenario: &Scenario, traits: Traits) -> Seen {
    let mut sim = straight(scenario, traits);
    sim.record(0.1);
    let (mut samples, mut exits) = (Vec::new(), Vec::new());
    let mut watch = |time, crowd: &Crowd, left: &[Exit]| {
        samples.push((time, crowd.id.clone(), crowd.pos.clone()));
        exits.extend_from_slice(left);
    };
    let health = sim.run(&mut watch).unwrap();
    Seen { samples, exits, health, track: sim.take_recording().unwrap() }
}

/// When each person is first seen, s, by id.
fn first_seen(seen: &Seen) -> Vec<f64> {
    let mut first: Vec<f64> = Vec::new();
    for (time, ids, _) in &seen.samples {
        assert!(ids.is_sorted());
        for &id in ids {
            if id as usize == first.len() {
                first.push(*time);
            }
        }
    }
    first
}

fn coming(count: usize, per_s: f64, side: f64, pull: Pull) -> Group {
    let area = Polygon::rectangle(Vec2::ZERO, vec2(side, side));
    let spawn = Spawn::Random(area);
    Group { name: "new".into(), count, spawn, inflow_per_s: Some(per_s), pull, ..Group::default() }
}

fn standing(name: &str, points: &[Vec2], pull: Pull) -> Group {
    Group { name: name.into(), count: points.len(), spawn: Spawn::Points(points.to_vec()), pull, ..Group::default() }
}

#[test]
fn people_come_in_at_their_rate_with_rising_ids() {
    let place = scenario(FloorPlan::default(), vec![coming(5, 2.0, 6.0, Pull::Nothing)], 4.0);
    let seen = run(&place, traits());
    // Person k comes in at k / 2 s and is first seen at the end of that step.
    let first = first_seen(&seen);
    assert_eq!(first.len(), 5);
    for (k, time) in first.iter().enumerate() {
        assert!((time - (0.5 * k as f64 + 0.1)).abs() < 1e-9, "{k}: {time}");
    }
    assert_eq!(seen.track.radius, [0.3; 5]);
    assert_eq!(seen.health.people_left, 5);
    let (_, _, pos) = seen.samples.last().unwrap();
    for i in 0..5 {
        for j in 0..i {
            assert!((pos[i] - pos[j]).length() >= 0.6);
        }
    }
}

#[test]
fn who_finds_no_place_waits_outside_and_the_run_repeats() {
    // All come in within 0.1 x 0.1 m: the next one when the last one is 0.6 m away, at least 0.46 s later.
    let stay = run(&scenario(FloorPlan::default(), vec![coming(9, 10.0, 0.1, Pull::Nothing)], 5.0), traits());
    assert_eq!(first_seen(&stay).len(), 1);
    let place = scenario(FloorPlan::default(), vec![coming(99, 10.0, 0.1, Pull::Heading(vec2(1.0, 0.0)))], 6.0);
    let seen = run(&place, traits());
    let first = first_seen(&seen);
    assert!((7..=13).contains(&first.len()), "{first:?}");
    assert!(first.windows(2).all(|w| w[1] - w[0] > 0.45), "{first:?}");
    assert_eq!(seen.samples, run(&place, traits()).samples);
}

#[test]
fn who_comes_in_early_waits_for_the_own_start_time() {
    let place = scenario(FloorPlan::default(), vec![coming(1, 1.0, 0.001, Pull::Heading(vec2(1.0, 0.0)))], 3.0);
    let seen = run(&place, Traits { start: Distribution::Fixed(2.0), ..traits() });
    let at = |k: usize| seen.samples[k].2[0].x;
    assert_eq!(at(1), at(20));
    // 10 steps of 0.1 m from 2 s to 3 s.
    assert!((at(30) - at(20) - 1.0).abs() < 1e-9);
}

#[test]
fn the_model_is_made_for_those_who_are_yet_to_come() {
    let place = scenario(FloorPlan::default(), vec![coming(3, 1.0, 1.0, Pull::Nothing)], 3.0);
    let traits = Traits { mass: Distribution::Fixed(70.0), ..traits() };
    let start = Start::new(setup(&place, traits)).unwrap();
    assert!(start.crowd().is_empty());
    assert_eq!((start.max_radius_m(), start.min_mass_kg()), (0.3, 70.0));
    let start = start.expecting(0.4, 75.0);
    assert_eq!((start.max_radius_m(), start.min_mass_kg()), (0.4, 70.0));
}

#[test]
fn those_who_leave_a_large_crowd_are_found_wherever_they_stand_in_it() {
    const COUNT: usize = 1300;
    let leaving = [100, 511, 512, 700, COUNT as u32 - 1];
    let line = Segment { a: vec2(0.0, -1.0), b: vec2(0.0, COUNT as f64) };
    let out = Goal::Door { line, outward: vec2(1.0, 0.0) };
    let at = |id: usize| vec2(if leaving.contains(&(id as u32)) { -0.05 } else { -50.0 - id as f64 }, id as f64);
    let spawn = Spawn::Points((0..COUNT).map(at).collect());
    let group = Group { name: "all".into(), count: COUNT, spawn, stages: vec![vec![0]], ..Group::default() };
    let plan = FloorPlan { goals: vec![named("out", out)], ..FloorPlan::default() };
    let mut sim = straight(&scenario(plan, vec![group], 10.0), traits());
    for step in 1..=5 {
        sim.step().unwrap();
        let left: Vec<u32> = sim.exits().iter().map(|exit| exit.id).collect();
        // They are past the line by a radius after 0.35 m.
        assert_eq!(left, if step < 4 { &[][..] } else { &leaving[..] }, "step {step}");
    }
    assert_eq!(sim.crowd().len(), COUNT - leaving.len());
    for (&id, &pos) in sim.crowd().id.iter().zip(&sim.crowd().pos) {
        assert!((pos - at(id as usize) - vec2(0.5, 0.0)).length() < 1e-9, "{id}: {pos:?}");
    }
}

/// Person 555 of 600 has this velocity, and the others rest.
struct One(Vec2);

impl Steering for One {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        for (vel, &id) in next.vel.iter_mut().zip(&view.crowd.id) {
            *vel = if id == 555 { self.0 } else { Vec2::ZERO };
        }
    }

    fn reach_m(&self) -> f64 {
        1.0
    }
}

#[test]
fn a_step_that_nobody_can_make_ends_the_run_and_names_who_made_it() {
    let places: Vec<Vec2> = (0..600).map(|k| vec2(0.0, f64::from(k))).collect();
    let wall = Segment { a: vec2(0.35, -1.0), b: vec2(0.35, 600.0) };
    for (velocity, walls, wrong) in [
        (vec2(1.0, 0.0), vec![], None),
        (vec2(9.0, 0.0), vec![], Some("person 555 reached 9.0 m/s after 0.10 s")),
        (vec2(f64::NAN, 0.0), vec![], Some("person 555 reached NaN m/s after 0.10 s")),
        (vec2(1.0, 0.0), vec![wall], None),
        (vec2(4.0, 0.0), vec![wall], Some("person 555 went through a wall at (0.40, 555.00) after 0.10 s")),
        // Both: the speed is found first.
        (vec2(5.1, 0.0), vec![wall], Some("person 555 reached 5.1 m/s after 0.10 s")),
    ] {
        let plan = FloorPlan { walls: walls.clone(), ..FloorPlan::default() };
        let place = scenario(plan, vec![standing("all", &places, Pull::Nothing)], 10.0);
        let mut sim = Sim::new(Start::new(setup(&place, traits())).unwrap(), Box::new(One(velocity)));
        let error = sim.step().err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), wrong, "{velocity:?} with {} walls", walls.len());
    }
}

#[test]
fn people_pass_the_seam() {
    let plan = FloorPlan { periodic: RING, ..FloorPlan::default() };
    let east = standing("a", &[vec2(9.5, 0.0)], Pull::Heading(vec2(1.0, 0.0)));
    let west = standing("b", &[vec2(0.5, 2.0)], Pull::Heading(vec2(-1.0, 0.0)));
    let seen = run(&scenario(plan, vec![east, west], 1.0), traits());
    let (_, _, pos) = seen.samples.last().unwrap();
    assert!((pos[0] - vec2(0.5, 0.0)).length() < 1e-9, "{:?}", pos[0]);
    assert!((pos[1] - vec2(9.5, 2.0)).length() < 1e-9, "{:?}", pos[1]);
}

/// Velocities after one step of the social force model without a wish.
fn pushed(plan: FloorPlan, people: &[Vec2]) -> Vec<Vec2> {
    let place = scenario(plan, vec![standing("a", people, Pull::Nothing)], 1.0);
    let start = Start::new(RunSetup { time_step_s: 0.001, ..setup(&place, traits()) }).unwrap();
    let model = Model::named("social_force", &[]).unwrap().make(&start).unwrap();
    let mut sim = Sim::new(start, model);
    sim.step().unwrap();
    sim.crowd().vel.clone()
}

#[test]
fn contact_and_walls_act_across_the_seam_as_elsewhere() {
    let ring = |walls: Vec<Segment>| FloorPlan { walls, periodic: RING, ..FloorPlan::default() };
    let across = pushed(ring(Vec::new()), &[vec2(9.8, 0.0), vec2(0.2, 0.1)]);
    let inside = pushed(ring(Vec::new()), &[vec2(4.8, 0.0), vec2(5.2, 0.1)]);
    assert!(across[0].x < -1e-3 && (across[0] + across[1]).length() < 1e-9, "{across:?}");
    for (a, b) in across.iter().zip(&inside) {
        assert!((*a - *b).length() < 1e-9, "{across:?} {inside:?}");
    }
    let wall = |x: f64| vec![Segment { a: vec2(x, -5.0), b: vec2(x, 5.0) }];
    let across = pushed(ring(wall(0.05)), &[vec2(9.8, 0.0)]);
    let inside = pushed(ring(wall(5.05)), &[vec2(4.8, 0.0)]);
    assert!(across[0].x < -1e-3 && (across[0] - inside[0]).length() < 1e-9, "{across:?} {inside:?}");
}

#[test]
fn who_gathers_stays_and_takes_the_way_over_the_seam() {
    let point = Pull::Point { at: vec2(1.0, 0.0), radius_m: 0.5 };
    let plan = FloorPlan { periodic: RING, ..FloorPlan::default() };
    let seen = run(&scenario(plan, vec![standing("a", &[vec2(9.0, 0.0)], point)], 5.0), traits());
    // 1.5 m over the seam, then 3.5 s at rest.
    let (_, _, pos) = seen.samples.last().unwrap();
    assert!(pos[0].x > 0.45 && pos[0].x < 0.65, "{pos:?}");
    assert_eq!(seen.samples[20].2, *pos);
    assert!(seen.exits.is_empty());
}

#[test]
fn followers_go_to_the_middle_of_their_group() {
    let followers = standing("a", &[vec2(8.0, 3.0)], Pull::Group(1));
    // The middle of 9 and 1 on a ring of 10 is 0.
    let followed = standing("b", &[vec2(9.0, 0.0), vec2(1.0, 0.0)], Pull::Nothing);
    let plan = FloorPlan { periodic: RING, ..FloorPlan::default() };
    let seen = run(&scenario(plan, vec![followers, followed], 6.0), traits());
    let (_, _, pos) = seen.samples.last().unwrap();
    assert!(RING.apart(pos[0], Vec2::ZERO).length() < 0.11, "{pos:?}");
}

/// A group at these places that runs away from the group `from`.
fn fleeing(at: &[Vec2], from: usize, within_m: f64) -> Group {
    Group { flees: Some(Flight { from, within_m }), ..standing("a", at, Pull::Nothing) }
}

/// Where the first of the fleeing people wants to go, with chasers at these places.
fn away(at: Vec2, chasers: &[Vec2], within_m: f64, periodic: Torus) -> Vec2 {
    let groups = vec![fleeing(&[at], 1, within_m), standing("b", chasers, Pull::Nothing)];
    let mut sim = straight(&scenario(FloorPlan { periodic, ..FloorPlan::default() }, groups, 1.0), traits());
    sim.step().unwrap();
    sim.crowd().desired[0]
}

#[test]
fn people_run_straight_away_from_those_who_are_near() {
    let open = Torus::default();
    let at = vec2(5.0, 5.0);
    assert_eq!(away(at, &[vec2(8.0, 9.0)], f64::INFINITY, open), vec2(-0.6, -0.8));
    // Two at the same distance, at right angles: between both ways. Three times farther one counts a ninth.
    let way = away(at, &[vec2(6.0, 5.0), vec2(5.0, 6.0)], f64::INFINITY, open);
    assert!((way + vec2(0.5, 0.5).unit().unwrap()).length() < 1e-12, "{way:?}");
    let way = away(at, &[vec2(6.0, 5.0), vec2(5.0, 8.0)], f64::INFINITY, open);
    assert!((way.y / way.x - 1.0 / 9.0).abs() < 1e-12, "{way:?}");
    // Between two, away from the one that comes first.
    assert_eq!(away(at, &[vec2(6.0, 5.0), vec2(4.0, 5.0)], f64::INFINITY, open).y, 0.0);
    // Beyond the range nobody frightens, at its edge only a little.
    assert_eq!(away(at, &[vec2(9.0, 5.0)], 4.0, open), Vec2::ZERO);
    let way = away(at, &[vec2(6.0, 5.0), vec2(5.0, 8.999)], 4.0, open);
    assert!(way.y < 0.0 && way.y > -1e-4, "{way:?}");
    // Over the seam the other one is 2 m away.
    assert_eq!(away(vec2(1.0, 0.0), &[vec2(9.0, 0.0)], 3.0, RING), vec2(1.0, 0.0));
    assert_eq!(away(at, &[], 3.0, open), Vec2::ZERO);
}

#[test]
fn who_has_a_goal_goes_there_while_nobody_frightens() {
    let goal = Pull::Point { at: vec2(20.0, 0.0), radius_m: 0.5 };
    let people = Group { pull: goal, ..fleeing(&[Vec2::ZERO], 1, 5.0) };
    let scenario = scenario(FloorPlan::default(), vec![people, standing("b", &[vec2(10.0, 0.0)], Pull::Nothing)], 30.0);
    let seen = run(&scenario, traits());
    let far: Vec<f64> = seen.samples.iter().map(|(_, _, pos)| (vec2(10.0, 0.0) - pos[0]).length()).collect();
    // Up to 5 m, and then there and back within a step of 0.1 m.
    assert!(far.iter().all(|&d| d > 5.0 - 0.11) && far[60..].iter().all(|&d| d < 5.0 + 0.11), "{far:?}");
    // Running away is not walking backwards.
    assert_eq!(seen.health.backward_samples, 0);
}

/// A hunter at the origin who goes to the prey and catches it within 0.5 m for a second.
fn hunting(prey: &[Vec2], then: Caught) -> Scenario {
    let catches = Some(Catch { group: 0, distance_m: 0.5, time_s: 1.0, then });
    let hunter = Group { catches, ..standing("b", &[Vec2::ZERO], Pull::Group(0)) };
    scenario(FloorPlan::default(), vec![standing("a", prey, Pull::Nothing), hunter], 40.0)
}

#[test]
fn who_is_held_for_long_enough_is_caught_and_gone() {
    let seen = run(&hunting(&[vec2(10.0, 0.0)], Caught::Leave), traits());
    let [exit] = seen.exits[..] else { panic!("{:?}", seen.exits) };
    // The bodies of 0.3 m are within half a meter after 8.9 s, and a second later it is over.
    assert!((exit.time_s - 9.85).abs() < 0.11, "{exit:?}");
    assert!(exit.caught && exit.goal.is_none() && exit.group == 0 && exit.pos == vec2(10.0, 0.0));
    assert_eq!(seen.track.caught, [(0, exit.time_s, None)]);
    assert_eq!(seen.track.left_s, [None, None]);
    assert_eq!(seen.samples.last().unwrap().1, [1]);
}

#[test]
fn who_is_caught_may_join_the_hunt() {
    // Both prey stand on one line; whoever is caught first hunts the second one.
    let seen = run(&hunting(&[vec2(2.0, 0.0), vec2(12.0, 0.0)], Caught::Join), traits());
    assert!(seen.exits.is_empty());
    let [(first, first_s, _), (second, second_s, _)] = seen.track.caught[..] else { panic!("{:?}", seen.track.caught) };
    // The hunter goes to the middle at 7 m, passes the first one in 2.2 s, then both go to the second one, who stays.
    assert_eq!((first, second), (0, 1));
    assert!((first_s - 1.85).abs() < 0.11 && (second_s - 11.85).abs() < 0.2, "{first_s} {second_s}");
    let mut sim = straight(&hunting(&[vec2(2.0, 0.0), vec2(12.0, 0.0)], Caught::Join), traits());
    while sim.time_s() < 5.0 {
        sim.step().unwrap();
    }
    assert_eq!((&sim.crowd().group[..], &sim.crowd().id[..]), (&[1, 0, 1][..], &[0, 1, 2][..]));
}

#[test]
fn a_break_starts_the_time_anew_and_who_waits_catches_nobody() {
    // Somebody who only passes holds the prey for 2.2 s of 3.
    let mut place = hunting(&[vec2(10.0, 0.0)], Caught::Leave);
    place.groups[1].pull = Pull::Heading(vec2(1.0, 0.0));
    place.groups[1].catches.as_mut().unwrap().time_s = 3.0;
    assert!(run(&place, traits()).exits.is_empty());
    place.groups[1].catches.as_mut().unwrap().time_s = 2.0;
    assert_eq!(run(&place, traits()).exits.len(), 1);
    // Beside the prey from the start, but starting after the end of the run.
    let mut place = hunting(&[vec2(0.7, 0.0)], Caught::Leave);
    place.limit_s = 5.0;
    let late = Traits { start: Distribution::Fixed(9.0), ..traits() };
    assert!(run(&place, late).exits.is_empty());
    assert_eq!(run(&place, traits()).exits.len(), 1);
}

fn built(kind: &str, set: &[(&str, &dyn SettingValue)], limit_s: f64) -> Scenario {
    Scenario { limit_s, give_up_s: None, ..Scenario::of_kind(kind, set).unwrap() }
}

#[test]
fn everybody_on_a_circle_leaves_at_the_own_goal() {
    let seen = run(&built("circle", &[("count", &5), ("push_m", &0.0)], 30.0), traits());
    assert_eq!(seen.exits.len(), 5);
    for exit in &seen.exits {
        assert_eq!(exit.goal, Some(exit.id as usize));
        // 20 m less the half meter that is near enough.
        assert!((exit.time_s - 19.5).abs() < 0.11, "{exit:?}");
    }
    assert_eq!(seen.health.people_left, 0);
}

#[test]
fn a_leader_walks_round_after_round() {
    let place = built("leader", &[("count", &2)], 130.0);
    let mut sim = straight(&place, traits());
    let mut stages = vec![0];
    let mut watch = |_: f64, crowd: &Crowd, left: &[Exit]| {
        assert!(left.is_empty());
        let stage = crowd.stage[2];
        if stages.last() != Some(&stage) {
            stages.push(stage);
        }
    };
    sim.run(&mut watch).unwrap();
    // Two rounds of nearly 60 m.
    assert_eq!(stages, [0, 1, 2, 3, 0, 1, 2, 3, 0]);
}

#[test]
fn giving_up_waits_for_who_is_to_come_and_needs_somebody_who_leaves() {
    let line = Segment { a: vec2(50.0, -9.0), b: vec2(50.0, 9.0) };
    let plan = || FloorPlan {
        goals: vec![named("exit", Goal::Door { line, outward: vec2(1.0, 0.0) })],
        ..FloorPlan::default()
    };
    let end = |plan: FloorPlan, group: Group| {
        let mut place = scenario(plan, vec![group], 40.0);
        place.give_up_s = Some(2.0);
        run(&place, Traits { desired_speed: Distribution::Fixed(0.0), ..traits() }).health.end_s
    };
    let leaving = |group: Group| Group { stages: vec![vec![0]], ..group };
    let there = || standing("a", &[Vec2::ZERO], Pull::Nothing);
    assert!((end(plan(), leaving(there())) - 2.0).abs() < 1e-9);
    // The third one comes in at 20 s.
    assert!((end(plan(), leaving(coming(3, 0.1, 9.0, Pull::Nothing))) - 22.0).abs() < 0.11);
    assert!((end(FloorPlan::default(), there()) - 40.0).abs() < 1e-9);
}

/// Two people of [`Straight`] who walk east on a ring.
fn pair() -> Sim {
    let plan = FloorPlan { periodic: RING, ..FloorPlan::default() };
    let heading = Pull::Heading(vec2(1.0, 0.0));
    let place = scenario(plan, vec![standing("a", &[vec2(1.0, 0.0), vec2(3.0, 0.0)], heading)], 100.0);
    straight(&place, traits())
}

#[test]
fn somebody_who_is_added_walks_along_and_ids_are_not_used_again() {
    let mut sim = pair();
    sim.record(0.1);
    sim.step().unwrap();
    assert_eq!(sim.add(Person { desired_speed: 2.0, ..Person::at(vec2(5.0, 1.0)) }), Ok(2));
    assert!(sim.remove(0) && !sim.remove(0));
    sim.step().unwrap();
    assert_eq!(sim.crowd().id, [1, 2]);
    assert!((sim.crowd().pos[1] - vec2(5.2, 1.0)).length() < 1e-12);
    assert_eq!(sim.add(Person::at(vec2(8.0, 1.0))), Ok(3));
    assert!(sim.remove(3));
    sim.step().unwrap();
    let track = sim.recording().unwrap();
    assert_eq!(track.left_s, [Some(0.1), None, None, Some(0.2)]);
    assert_eq!(
        track.frames.iter().map(|f| f.id.clone()).collect::<Vec<_>>(),
        [vec![0, 1], vec![0, 1], vec![1, 2], vec![1, 2]]
    );
}

#[test]
fn every_model_bears_people_who_come_and_go_between_two_steps() {
    for entry in crate::models::MODELS {
        let place = Scenario::of_kind("open_field", &[("count", &6)]).unwrap();
        let start = Start::new(RunSetup::new(place, entry.make.time_step_s)).unwrap().expecting(0.4, 60.0);
        let model = Model::named(entry.name, &[]).unwrap().make(&start).unwrap();
        let mut sim = Sim::new(start, model);
        // Before the first step the model has no rows yet, and after `add` one less than the crowd.
        assert!(sim.remove(0), "{}", entry.name);
        for turn in 0..4 {
            let place = vec2(9.0 + f64::from(turn), 19.0);
            let id = sim.add(Person::at(place)).unwrap();
            assert!(turn % 2 == 0 || sim.remove(id), "{}", entry.name);
            sim.step().unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        }
        assert_eq!(sim.crowd().len(), 7, "{}", entry.name);
    }
}

#[test]
fn people_who_do_not_fit_are_refused() {
    let mut sim = pair();
    let wrong = |sim: &mut Sim, person: Person| sim.add(person).unwrap_err().to_string();
    let there = Person::at(vec2(5.0, 1.0));
    assert!(wrong(&mut sim, Person { group: 1, ..there }).contains("no group 1"));
    assert!(wrong(&mut sim, Person { radius: 0.31, ..there }).contains("at most 0.3 m"));
    assert!(wrong(&mut sim, Person { pos: vec2(f64::NAN, 1.0), ..there }).contains("nobody can stand"));
}

#[test]
fn a_program_may_move_people_but_not_break_the_columns() {
    let mut sim = pair();
    sim.crowd_mut().pos[1].y = 4.0;
    sim.step().unwrap();
    assert!((sim.crowd().pos[1] - vec2(3.1, 4.0)).length() < 1e-12);
    sim.crowd_mut().mass.push(80.0);
    assert!(sim.step().unwrap_err().to_string().contains("common length"));
}

#[test]
fn a_simulation_may_go_to_another_thread() {
    fn sends<T: Send>() {}
    sends::<Sim>();
    sends::<Start>();
}

/// Two people walk east with 1 m/s at 10 frames a second: the first in frames 0 to 10, the second from where the first one then is,
/// in frames 4 to 12.
fn recorded(pull: Pull) -> Scenario {
    let rows = |frames: std::ops::RangeInclusive<u32>, x: f64| {
        frames.clone().map(|f| (f, vec2(x + 0.1 * f64::from(f - frames.start()), 0.0))).collect()
    };
    let mut place = scenario(FloorPlan::default(), vec![standing("a", &[vec2(90.0, 0.0), vec2(95.0, 0.0)], pull)], 9.0);
    let tracks = Tracks::new(0.1, None, vec![rows(0..=10, 0.0), rows(4..=12, 0.4)], &[2]);
    place.tracks = Some(Arc::new(tracks));
    place
}

#[test]
fn recorded_people_are_there_from_their_first_to_their_last_frame() {
    for pull in [Pull::Heading(vec2(1.0, 0.0)), Pull::Track] {
        let seen = run(&recorded(pull), traits());
        let there: Vec<_> = seen.samples.iter().map(|(_, ids, _)| ids.len()).collect();
        assert_eq!(there, [[1; 4].as_slice(), &[2; 7], &[1; 2], &[0]].concat(), "{pull:?}");
        // At the recorded place, not where the group starts; and on from there.
        assert_eq!(seen.samples[4].2[1], vec2(0.4, 0.0));
        assert!((seen.samples[12].2[0] - vec2(1.2, 0.0)).length() < 1e-9);
        let gone: Vec<_> = seen.exits.iter().map(|exit| (exit.id, (10.0 * exit.time_s).round(), exit.goal)).collect();
        assert_eq!(gone, [(0, 11.0, None), (1, 13.0, None)]);
        assert_eq!((seen.track.frames.len(), seen.track.radius.len()), (14, 2));
        // Both at one place when the second comes in: that is the recording's doing.
        assert_eq!((seen.health.people_left, seen.health.max_overlap_share), (0, 0.0));
    }
}

#[test]
fn recorded_people_come_in_with_their_velocity_and_are_nobody_before() {
    let place = recorded(Pull::Nothing);
    let start = Start::new(setup(&place, traits())).unwrap();
    assert_eq!((start.crowd().id.clone(), start.crowd().pos[0]), (vec![0], Vec2::ZERO));
    assert!((start.crowd().vel[0] - vec2(1.0, 0.0)).length() < 1e-9);
    let mut sim = Sim::new(start, Box::new(Straight));
    assert!(sim.add(Person::at(vec2(5.0, 1.0))).unwrap_err().to_string().contains("as recorded"));
    for _ in 0..4 {
        sim.step().unwrap();
    }
    assert!((sim.crowd().vel[1] - vec2(1.0, 0.0)).length() < 1e-9);
}

#[test]
fn a_journey_of_recorded_people_ends_with_their_track() {
    let door = Segment { a: vec2(0.5, 5.0), b: vec2(0.5, -5.0) };
    let goals = vec![named("exit", Goal::Door { line: door, outward: vec2(1.0, 0.0) })];
    let mut place = recorded(Pull::Nothing);
    let plan = FloorPlan { goals, ..FloorPlan::default() };
    let groups = vec![Group { stages: vec![vec![0]], ..place.groups[0].clone() }];
    place = Scenario { tracks: place.tracks, give_up_s: Some(0.2), ..scenario(plan, groups, 9.0) };
    let seen = run(&place, traits());
    let (_, _, pos) = &seen.samples[9];
    assert!(seen.samples.len() == 14 && pos.len() == 2 && (pos[0] - vec2(0.9, 0.0)).length() < 1e-9, "{pos:?}");
}

#[test]
fn recorded_people_may_leave_where_they_want_to_go() {
    let at_goal = |place: &mut Scenario| {
        let tracks = Tracks { leave: Leave::AtGoal, ..(**place.tracks.as_ref().unwrap()).clone() };
        place.tracks = Some(Arc::new(tracks));
    };
    let exits = |place: &Scenario| -> Vec<_> {
        run(place, traits()).exits.iter().map(|exit| (exit.id, (10.0 * exit.time_s).round(), exit.goal)).collect()
    };
    // Through a door half a meter ahead, with all of the body of 0.3 m, before they were seen last.
    let door = Segment { a: vec2(0.5, 5.0), b: vec2(0.5, -5.0) };
    let goals = vec![named("exit", Goal::Door { line: door, outward: vec2(1.0, 0.0) })];
    let mut place = recorded(Pull::Nothing);
    let groups = vec![Group { stages: vec![vec![0]], ..place.groups[0].clone() }];
    place = Scenario { tracks: place.tracks, ..scenario(FloorPlan { goals, ..FloorPlan::default() }, groups, 9.0) };
    at_goal(&mut place);
    let [first, second] = exits(&place)[..] else { panic!("two people leave") };
    assert!((8.0..=9.0).contains(&first.1) && (8.0..=9.0).contains(&second.1), "{first:?} {second:?}");
    assert_eq!((first.0, second.0, first.2, second.2), (0, 1, Some(0), Some(0)));
    // Who walks at half the speed needs twice the time to where the own track ends: 1 m, and 0.8 m from 0.4 s on.
    let mut place = recorded(Pull::Track);
    at_goal(&mut place);
    let slow = Traits { desired_speed: Distribution::Fixed(0.5), ..traits() };
    let left: Vec<_> = run(&place, slow).exits.iter().map(|exit| (exit.id, (10.0 * exit.time_s).round())).collect();
    assert!(left == [(0, 20.0), (1, 20.0)] || left == [(0, 21.0), (1, 21.0)], "{left:?}");
}

#[test]
fn every_model_bears_people_who_come_and_go_as_recorded() {
    for entry in crate::models::MODELS {
        let place = recorded(Pull::Heading(vec2(1.0, 0.0)));
        let start = Start::new(RunSetup::new(place, entry.make.time_step_s)).unwrap();
        let model = Model::named(entry.name, &[]).unwrap().make(&start).unwrap();
        let mut sim = Sim::new(start, model);
        let mut most = 0;
        let health =
            sim.run(&mut |_, crowd, _| most = most.max(crowd.len())).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        assert_eq!((most, health.people_left), (2, 0), "{}", entry.name);
    }
}
