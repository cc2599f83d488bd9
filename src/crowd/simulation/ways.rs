//! Where everybody wants to go, and how far.

use super::Simulation;
use crate::crowd::Status;
use crate::math::rng::{self, Seed};
use crate::math::{Vec2, vec2};
use crate::world::World;
use crate::world::scenario::{Goal, Pull};

impl Simulation<'_> {
    /// Desired directions: towards the nearest goal in sight, else the kept heading.
    pub(super) fn find_ways(&mut self, world: &World, time_s: f64) {
        let crowd = &mut self.crowd;
        for i in 0..crowd.len() {
            if crowd.status[i] == Status::Waiting && crowd.start_s[i] <= time_s {
                crowd.status[i] = Status::Walking;
            }
            let (pos, radius) = (crowd.pos[i], crowd.radius[i]);
            let group = &self.setup.scenario.groups[crowd.group[i] as usize];
            let stages = &self.journeys[crowd.group[i] as usize];
            let stage = stages.get(crowd.stage[i] as usize);
            let chosen = stage.map(|stage| world.choose(group.choice(stage, self.rank[i] as usize), pos));
            (self.desired[i], self.sees_goal[i]) = match (chosen, group.pull) {
                (Some(Some(goal)), _) => {
                    let way = world.toward(goal, pos, radius);
                    self.heading[i] = way;
                    (way, true)
                }
                (Some(None), _) => {
                    self.heading[i] = world.reflect(pos, radius, self.heading[i]);
                    (self.heading[i], false)
                }
                (None, Pull::Nothing) => (Vec2::ZERO, true),
                (None, Pull::Heading(way)) => (way, true),
                (None, Pull::Group(group)) => {
                    let middle = self.middles[group];
                    (middle.and_then(|m| world.apart(pos, m).unit()).unwrap_or(Vec2::ZERO), true)
                }
                (None, Pull::Point { at, radius_m }) => {
                    let way = world.apart(pos, at);
                    let away = Some(way).filter(|way| way.length() > radius_m);
                    (away.and_then(Vec2::unit).unwrap_or(Vec2::ZERO), true)
                }
            };
            if crowd.status[i] != Status::Walking {
                self.desired[i] = Vec2::ZERO;
            }
        }
    }

    /// Middles of the groups that others follow: the mean place, in a periodic place around the first member.
    pub(super) fn find_middles(&mut self, world: &World) {
        let groups = &self.setup.scenario.groups;
        if !groups.iter().any(|g| matches!(g.pull, Pull::Group(_))) {
            return;
        }
        self.middles.clear();
        self.middles.resize(groups.len(), None);
        for group in groups {
            let Pull::Group(followed) = group.pull else { continue };
            let crowd = &self.crowd;
            let members = || (0..crowd.len()).filter(|&i| crowd.group[i] as usize == followed);
            let Some(first) = members().next() else { continue };
            let first = crowd.pos[first];
            let sum = members().fold(Vec2::ZERO, |sum, i| sum + world.apart(first, crowd.pos[i]));
            self.middles[followed] = Some(world.plan.periodic.wrap(first + sum / members().count() as f64));
        }
    }

    /// How far everybody has to go, for a model that asks.
    pub(super) fn find_distances(&mut self, world: &World, needed: bool) {
        self.distance.clear();
        if !needed {
            return;
        }
        let crowd = &self.crowd;
        for i in 0..crowd.len() {
            let group = &self.setup.scenario.groups[crowd.group[i] as usize];
            let stages = &self.journeys[crowd.group[i] as usize];
            let at = crowd.stage[i] as usize;
            self.distance.push(match (stages.get(at), group.pull) {
                // Only a point at the end of the way is arrived at; everywhere else people pass on.
                (Some(stage), _) if at + 1 == stages.len() => {
                    match world.choose(group.choice(stage, self.rank[i] as usize), crowd.pos[i]) {
                        Some(goal) if matches!(world.goals()[goal].what, Goal::Point { .. }) => {
                            world.distance_to(goal, crowd.pos[i])
                        }
                        _ => f64::INFINITY,
                    }
                }
                (Some(_), _) => f64::INFINITY,
                (None, Pull::Nothing) => 0.0,
                (None, Pull::Heading(_)) => f64::INFINITY,
                (None, Pull::Group(group)) => {
                    self.middles[group].map_or(0.0, |middle| world.apart(crowd.pos[i], middle).length())
                }
                (None, Pull::Point { at, .. }) => world.apart(crowd.pos[i], at).length(),
            });
        }
    }
}

/// Direction that somebody without a goal in sight keeps at first; null in a place where every goal is in sight.
pub(super) fn first_heading(world: &World, seed: Seed, id: u32) -> Vec2 {
    // A stream for each person costs as much as many steps.
    if world.plan.sight_m.is_none() {
        return Vec2::ZERO;
    }
    let angle = std::f64::consts::TAU * rng::unit(&mut seed.child("heading", u64::from(id)).rng());
    vec2(libm::cos(angle), libm::sin(angle))
}
