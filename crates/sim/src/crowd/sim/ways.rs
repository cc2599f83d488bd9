//! Where everybody wants to go, and how far.

use super::recorded;
use super::setup::RunSetup;
use super::state::{State, TOGETHER};
use super::straight::Straight;
use crate::crowd::Status;
use crate::world::scenario::Pull;
use crowdtune_core::math::Vec2;
use std::ops::Range;

impl State {
    /// Finds desired directions: towards the nearest goal in sight, else the heading kept so far. And how far everybody has to go, if the model asks for it.
    pub(super) fn find_ways(&mut self, setup: &RunSetup, time_s: f64, measures: bool) {
        self.distance.clear();
        self.crowd.set_off(time_s);
        let (mut end, all) = (0, self.crowd.len());
        while end < all {
            let rows = self.crowd.alike(&(end..all.min(end + TOGETHER)));
            end = rows.end;
            if !self.go_straight(setup, rows.clone()) {
                self.find_ways_of(setup, rows.clone());
            }
            if measures {
                self.find_distances(setup, rows);
            } else {
                self.distance.clear();
            }
        }
    }

    /// Finds the directions of people of one group at one stage who all go straight to one door, or each to a point of their own, as most people do. False,
    /// and nothing that counts is done, for others.
    fn go_straight(&mut self, setup: &RunSetup, rows: Range<usize>) -> bool {
        let (world, crowd) = (&*setup.scenario.world, &mut self.crowd);
        let of = crowd.group[rows.start] as usize;
        let group = &setup.scenario.groups[of];
        let Some(stage) = self.journeys[of].get(crowd.stage[rows.start] as usize) else { return false };
        if !world.is_straight() || !self.chase.lets_all_go(of) {
            return false;
        }
        if let [goal] = stage[..]
            && let Some(door) = world.door(goal)
        {
            self.straight.go(world, door, (crowd, &rows));
        } else if !Straight::go_to_points(world, (group, stage), (crowd, &rows, &self.rank), &mut self.distance) {
            return false;
        }
        self.sees_goal[rows].fill(true);
        true
    }

    /// Finds the directions of people of one group at one stage, one by one.
    fn find_ways_of(&mut self, setup: &RunSetup, rows: Range<usize>) {
        let (world, crowd) = (&*setup.scenario.world, &mut self.crowd);
        // With unlimited sight nobody needs to keep a heading.
        let hides = world.plan.sight_m.is_some();
        let of = crowd.group[rows.start] as usize;
        let group = &setup.scenario.groups[of];
        let stage = self.journeys[of].get(crowd.stage[rows.start] as usize);
        for i in rows {
            let (pos, radius) = (crowd.pos[i], crowd.radius[i]);
            let (mut way, mut sees) = (Vec2::ZERO, true);
            match (stage, group.pull) {
                _ if self.chase.is_afraid(i) => way = self.chase.away[i],
                (Some(stage), _) => match world.choose(group.choice(stage, self.rank[i] as usize), pos) {
                    Some(goal) => {
                        way = world.toward_by(self.chase.field(of, goal), goal, pos, radius);
                        if hides {
                            self.heading[i] = way;
                        }
                    }
                    None => {
                        way = world.reflect(pos, radius, self.heading[i]);
                        self.heading[i] = way;
                        sees = false;
                    }
                },
                (None, Pull::Nothing) => {}
                (None, Pull::Heading(heading)) => way = heading,
                (None, Pull::Track) => {
                    way = recorded::along(setup, crowd.id[i], pos, self.heading[i]);
                    self.heading[i] = way;
                }
                (None, Pull::Group(group)) => {
                    // Straight to the middle, as the published models of guards and leaders do it: the nearest would change
                    // from step to step.
                    let middle = || self.middles[group].and_then(|m| world.apart(pos, m).unit());
                    way = self.chase.toward(of, world, pos).or_else(middle).unwrap_or(Vec2::ZERO);
                }
                (None, Pull::Point { at, radius_m }) => {
                    let away = Some(world.apart(pos, at)).filter(|away| away.length() > radius_m);
                    way = away.and_then(Vec2::unit).unwrap_or(Vec2::ZERO);
                }
            }
            crowd.desired[i] = if crowd.status[i] == Status::Walking { way } else { Vec2::ZERO };
            self.sees_goal[i] = sees;
        }
    }

    /// Finds how fast the ground lets people walk along their ways.
    pub(super) fn find_paces(&mut self, setup: &RunSetup) {
        self.pace.clear();
        if let Some(relief) = &setup.scenario.world.plan.relief {
            let people = self.crowd.pos.iter().zip(&self.crowd.desired);
            self.pace.extend(people.map(|(&pos, &way)| relief.share(pos, way)));
        }
    }

    /// Finds the centers of groups that others follow: the mean position, in a periodic place unwrapped around the
    /// first member.
    pub(super) fn find_middles(&mut self, setup: &RunSetup) {
        let world = &*setup.scenario.world;
        let groups = &setup.scenario.groups;
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

    /// Finds how far people of one group at one stage have to go.
    fn find_distances(&mut self, setup: &RunSetup, rows: Range<usize>) {
        let (world, crowd) = (&*setup.scenario.world, &self.crowd);
        let of = usize::from(crowd.group[rows.start]);
        let (group, stages) = (&setup.scenario.groups[of], &self.journeys[of]);
        let at = crowd.stage[rows.start] as usize;
        // People only stop at a point at the end of their journey; elsewhere they walk on.
        let last = stages.get(at).filter(|_| at + 1 == stages.len());
        // Where all of them go to points, that was found with the ways.
        if last.is_some() && self.distance.len() == rows.end {
            return;
        }
        self.distance.truncate(rows.start);
        for i in rows {
            let pos = crowd.pos[i];
            self.distance.push(match (last, group.pull) {
                _ if self.chase.is_afraid(i) => f64::INFINITY,
                (Some(stage), _) => match world.choose(group.choice(stage, self.rank[i] as usize), pos) {
                    Some(goal) if world.spot(goal).is_some() => world.distance_to(goal, pos),
                    _ => f64::INFINITY,
                },
                _ if at < stages.len() => f64::INFINITY,
                (None, Pull::Nothing) => 0.0,
                (None, Pull::Heading(_) | Pull::Track) => f64::INFINITY,
                // Who wants to catch somebody does not slow down before them.
                (None, Pull::Group(other)) if group.catches.is_some_and(|catch| catch.group == other) => f64::INFINITY,
                (None, Pull::Group(group)) => {
                    let middle = || self.middles[group].map_or(0.0, |middle| world.apart(pos, middle).length());
                    self.chase.distance(of, world, pos).unwrap_or_else(middle)
                }
                (None, Pull::Point { at, .. }) => world.apart(pos, at).length(),
            });
        }
    }
}
