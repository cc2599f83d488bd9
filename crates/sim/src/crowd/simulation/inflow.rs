//! People who come in during the run.

use super::Simulation;
use super::ways::first_heading;
use crate::crowd::trajectory::Trajectory;
use crate::crowd::{Crowd, Status};
use crate::world::scenario::Polygon;
use crate::world::spawn;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::rng::ChaCha8Rng;

/// People in front of the place, in the order in which they come in.
#[derive(Debug)]
pub(super) struct Inflow {
    pub(super) group: u16,
    pub(super) per_s: f64,
    pub(super) area: Polygon,
    pub(super) rng: ChaCha8Rng,
    /// Number of those who are in.
    pub(super) entered: usize,
    pub(super) radius: Vec<f64>,
    pub(super) mass: Vec<f64>,
    pub(super) desired_speed: Vec<f64>,
    pub(super) max_speed: Vec<f64>,
    pub(super) start_s: Vec<f64>,
}

/// Trial places of who comes in, per step. Chosen here: enough to find a gap in a crowd of 2 people/m2, cheap where
/// there is none.
const TRIES_TO_ENTER: usize = 10;

impl Simulation<'_> {
    /// Lets people in who are due and find a free place in their area; who finds none waits outside, and those behind
    /// wait too. Ids are given in the order of coming in.
    pub(super) fn let_in(&mut self, time_s: f64, mut record: Option<&mut Trajectory>) {
        let world = &self.setup.scenario.world;
        for line in &mut self.lines {
            while line.entered < line.radius.len() && line.entered as f64 <= time_s * line.per_s {
                let radius = line.radius[line.entered];
                let crowd = &mut self.crowd;
                let free = |p: Vec2| {
                    spawn::stands_free(world, p, radius)
                        && (0..crowd.len()).all(|i| world.apart(p, crowd.pos[i]).length() >= radius + crowd.radius[i])
                };
                let Some(place) = spawn::free_point(&line.area, TRIES_TO_ENTER, &mut line.rng, free) else { break };
                let k = line.entered;
                line.entered += 1;
                crowd.id.push(self.next_id);
                crowd.pos.push(place);
                crowd.vel.push(Vec2::ZERO);
                crowd.radius.push(radius);
                crowd.mass.push(line.mass[k]);
                crowd.desired_speed.push(line.desired_speed[k]);
                crowd.max_speed.push(line.max_speed[k]);
                crowd.start_s.push(time_s.max(line.start_s[k]));
                crowd.group.push(line.group);
                crowd.stage.push(0);
                crowd.status.push(Status::Waiting);
                crowd.pressure.push(0.0);
                self.rank.push(k as u32);
                self.heading.push(first_heading(world, self.setup.seed, self.next_id));
                self.desired.push(Vec2::ZERO);
                self.sees_goal.push(true);
                self.next_vel.push(Vec2::ZERO);
                self.pressure.push(0.0);
                self.next_id += 1;
                if let Some(track) = &mut record {
                    track.enter(radius, line.group);
                }
            }
        }
    }

    fn all_in(&self) -> bool {
        self.lines.iter().all(|line| line.entered == line.radius.len())
    }

    /// True when nobody is there and nobody is to come.
    pub(super) fn is_over(&self) -> bool {
        self.crowd.is_empty() && self.all_in()
    }

    /// True if the time without anybody leaving counts: everybody is in, and somebody is on the way to leave.
    pub(super) fn may_give_up(&self) -> bool {
        let groups = &self.setup.scenario.groups;
        let crowd = &self.crowd;
        let leaving = |i: usize| crowd.status[i] != Status::Waiting && groups[crowd.group[i] as usize].leaves();
        self.all_in() && (0..crowd.len()).any(leaving)
    }

    /// The largest radius of all, those who are yet to come in included, m.
    pub fn max_radius_m(&self) -> f64 {
        self.everybody(|c| &c.radius, |l| &l.radius).fold(0.0, f64::max)
    }

    /// The smallest mass of all, those who are yet to come in included, kg; infinite without people.
    pub fn min_mass_kg(&self) -> f64 {
        self.everybody(|c| &c.mass, |l| &l.mass).fold(f64::INFINITY, f64::min)
    }

    fn everybody(
        &self,
        here: fn(&Crowd) -> &Vec<f64>,
        coming: fn(&Inflow) -> &Vec<f64>,
    ) -> impl Iterator<Item = f64> + '_ {
        here(&self.crowd).iter().copied().chain(self.lines.iter().flat_map(move |line| coming(line).iter().copied()))
    }
}
