//! People who follow a group, and people who run away from one.

use super::setup::RunSetup;
use crate::crowd::Crowd;
use crate::world::scenario::{Flight, Navigation, Pull};
use crate::world::{Carrier, Field, LEAST_SPEED_M_PER_S, Neighbors, Potential, Speeds, World};
use crowdtune_core::math::Vec2;

/// Width of the search for chasers where they are feared at any distance, m. Chosen here: wider than any place.
const ANYWHERE_M: f64 = 1e9;
/// Chasers at the same place give no direction, m.
const SAME_PLACE_M: f64 = 1e-6;

/// Travel times by group and the buffers to make them.
#[derive(Debug, Default)]
pub(super) struct Chase {
    /// By group, the way to those whom it follows; only with travel-time fields.
    follow: Vec<Option<Potential>>,
    /// By group, the way out of reach of those from whom it flees; only with travel-time fields.
    flee: Vec<Option<Potential>>,
    /// By group and goal, the way there; for a group only with travel-time fields where others bring discomfort.
    lead: Vec<Vec<Option<Potential>>>,
    /// By group, the speeds where others bring discomfort.
    speeds: Vec<Option<Speeds>>,
    /// The chasers of one group.
    near: Neighbors,
    pos: Vec<Vec2>,
    vel: Vec<Vec2>,
    radius: Vec<f64>,
    /// Whether somebody may flee, or travel times change with where people are: otherwise there is nothing to find.
    is_needed: bool,
    /// By group, whether its speeds are new in this step.
    renewed: Vec<bool>,
    /// By row, who runs away now; empty where nobody ever does.
    pub afraid: Vec<bool>,
    /// Where to, a unit vector; zero for people who are cornered, and for the others.
    pub away: Vec<Vec2>,
}

impl Chase {
    /// For the groups of a scenario.
    pub fn new(setup: &RunSetup) -> Self {
        let (world, groups) = (&setup.scenario.world, &setup.scenario.groups);
        let follows = |g: usize| groups[g].stages.is_empty() && matches!(groups[g].pull, Pull::Group(_));
        let potential = |wanted: bool, make: fn(&_) -> Potential| {
            if wanted { world.terrain().map(make) } else { None }
        };
        let weighs =
            matches!(world.plan.navigation, Navigation::Field { discomfort_weight, .. } if discomfort_weight > 0.0);
        let avoids = |g: usize| {
            let others = groups.iter().enumerate().filter(|(other, _)| *other != g);
            if weighs && others.into_iter().any(|(_, other)| other.discomfort.is_some()) {
                world.terrain()
            } else {
                None
            }
        };
        let lead = |g: usize| {
            let visits = |goal: usize| world.journey(&groups[g]).iter().any(|stage| stage.contains(&goal));
            let to = |t, goal: usize| visits(goal).then(|| Potential::to_goal(t, world, goal));
            avoids(g).map_or(Vec::new(), |t| (0..world.goals().len()).map(|goal| to(t, goal)).collect())
        };
        let mut this = Self {
            lead: (0..groups.len()).map(lead).collect(),
            speeds: (0..groups.len()).map(|g| avoids(g).map(Speeds::new)).collect(),
            follow: (0..groups.len()).map(|g| potential(follows(g), Potential::to)).collect(),
            flee: groups.iter().map(|g| potential(g.flees.is_some(), Potential::away)).collect(),
            ..Self::default()
        };
        let has_fields = this.follow.iter().any(Option::is_some)
            || this.speeds.iter().any(Option::is_some)
            || this.lead.iter().any(|lead| !lead.is_empty());
        this.is_needed = has_fields || groups.iter().any(|g| g.flees.is_some());
        this
    }

    /// True for somebody who runs away now.
    pub fn is_afraid(&self, row: usize) -> bool {
        self.afraid.get(row) == Some(&true)
    }

    /// True if nobody runs away, and people of a group have no fields of their own to goals.
    pub fn lets_all_go(&self, group: usize) -> bool {
        self.afraid.is_empty() && self.lead[group].is_empty()
    }

    /// The field to a goal for people of a group, where others bring discomfort; `None` elsewhere.
    pub fn field(&self, group: usize, goal: usize) -> Option<&Field> {
        self.lead[group].get(goal)?.as_ref().map(Potential::field)
    }

    /// The way to the nearest of those whom a group follows; `None` where there is no travel-time field.
    pub fn toward(&self, group: usize, world: &World, pos: Vec2) -> Option<Vec2> {
        self.follow[group].as_ref()?.direction(world, pos)
    }

    /// How far that is, m; `None` where there is no travel-time field.
    pub fn distance(&self, group: usize, world: &World, pos: Vec2) -> Option<f64> {
        self.follow[group].as_ref()?.time(world, pos)
    }

    /// Straight away from the chasers in `near`: the sum of the directions away from them, weighted by `1/d^2 - 1/R^2` at the distance
    /// d, which is continuous where another one becomes the nearest and where one comes into the range R.
    fn straight(&self, pos: Vec2, within_m: f64) -> Vec2 {
        let (mut sum, mut nearest) = (Vec2::ZERO, (f64::INFINITY, Vec2::ZERO));
        for slot in self.near.around(pos).into_iter().flatten() {
            let apart = self.near.apart(self.near.pos[slot], pos);
            let d = apart.length();
            if d < within_m && d > SAME_PLACE_M {
                let away = apart / d;
                sum += away * (1.0 / (d * d) - 1.0 / (within_m * within_m));
                if d < nearest.0 {
                    nearest = (d, away);
                }
            }
        }
        // Between two chasers the sum may vanish.
        sum.unit().unwrap_or(nearest.1)
    }

    /// Finds who runs away and where to, and makes the travel times anew to and from people who have moved by a cell.
    pub fn find(&mut self, setup: &RunSetup, crowd: &Crowd) {
        if !self.is_needed {
            return;
        }
        let (world, groups) = (&*setup.scenario.world, &setup.scenario.groups);
        let of = |group: usize| (0..crowd.len()).filter(move |&i| usize::from(crowd.group[i]) == group);
        self.renewed.clear();
        for (g, group) in groups.iter().enumerate() {
            let mut is_new = false;
            if let Some(speeds) = &mut self.speeds[g] {
                let carrier = |i: usize| {
                    let of = usize::from(crowd.group[i]);
                    let ahead = groups[of].discomfort.filter(|_| of != g)?;
                    Some(Carrier { id: crowd.id[i], pos: crowd.pos[i], vel: crowd.vel[i], ahead })
                };
                is_new = speeds.look(world, (0..crowd.len()).filter_map(carrier));
            }
            let speeds = self.speeds[g].as_ref().map(|speeds| (speeds, is_new));
            if let (Pull::Group(followed), Some(potential)) = (group.pull, &mut self.follow[g]) {
                potential.look(world, of(followed).map(|i| (crowd.id[i], crowd.pos[i])), 1.0, speeds);
            }
            for potential in self.lead[g].iter_mut().flatten() {
                potential.look(world, std::iter::empty(), 1.0, speeds);
            }
            self.renewed.push(is_new);
        }
        self.afraid.clear();
        if groups.iter().all(|g| g.flees.is_none()) {
            return;
        }
        self.afraid.resize(crowd.len(), false);
        self.away.clear();
        self.away.resize(crowd.len(), Vec2::ZERO);
        for (g, group) in groups.iter().enumerate() {
            let Some(Flight { from, within_m }) = group.flees else { continue };
            self.pos.clear();
            self.pos.extend(of(from).map(|i| crowd.pos[i]));
            if self.pos.is_empty() || of(g).next().is_none() {
                continue;
            }
            let count = self.pos.len();
            self.vel.resize(count, Vec2::ZERO);
            self.radius.resize(count, 0.0);
            let Self { near, pos, vel, radius, .. } = self;
            near.build(within_m.min(ANYWHERE_M), world.plan.periodic, pos, &vel[..count], &radius[..count]);
            if let Some(potential) = &mut self.flee[g] {
                let mean = |group: usize| crowd.mean_desired_speed(group as u16);
                let head_start = mean(g) / mean(from).max(LEAST_SPEED_M_PER_S);
                let speeds = self.speeds[g].as_ref().map(|speeds| (speeds, self.renewed[g]));
                potential.look(world, of(from).map(|i| (crowd.id[i], crowd.pos[i])), head_start, speeds);
            }
            for i in of(g) {
                let at = crowd.pos[i];
                let feared = |slot: usize| self.near.apart(self.near.pos[slot], at).length2() < within_m * within_m;
                self.afraid[i] = within_m == f64::INFINITY || self.near.around(at).into_iter().flatten().any(feared);
                if self.afraid[i] {
                    let guided = self.flee[g].as_ref().and_then(|potential| potential.direction(world, at));
                    self.away[i] = guided.unwrap_or_else(|| self.straight(at, within_m));
                }
            }
        }
    }
}
