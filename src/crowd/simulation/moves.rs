//! Everybody moves; who leaves, and what makes a run unhealthy.

use super::{Exit, Simulation};
use crate::crowd::health::{Health, speed_limit};
use crate::world::World;

impl Simulation<'_> {
    /// Moves everybody by `p + v dt + shift` and finds who has left: true if nobody, else `stay` says who stays.
    pub(super) fn go(&mut self, world: &World, step: u64, health: &mut Health) -> Result<bool, String> {
        let dt = self.setup.time_step_s;
        let time_s = (step + 1) as f64 * dt;
        let crowd = &mut self.crowd;
        let mut fastest2 = 0.0_f64;
        let mut all_stay = true;
        for i in 0..crowd.len() {
            let (from, vel) = (crowd.pos[i], self.next_vel[i]);
            let to = from + vel * dt + self.shift[i];
            let most = speed_limit(crowd.desired_speed[i], crowd.max_speed[i]);
            let speed2 = vel.length2();
            // Not `>`: a NaN has to fail too.
            if !(speed2 <= most * most && to.is_finite()) {
                let speed = vel.length();
                return Err(format!("person {} reached {speed:.1} m/s after {time_s:.2} s", crowd.id[i]));
            }
            if world.walls.crosses(from, to) {
                return Err(format!(
                    "person {} went through a wall at ({:.2}, {:.2}) after {time_s:.2} s",
                    crowd.id[i], to.x, to.y
                ));
            }
            fastest2 = fastest2.max(speed2);
            crowd.pos[i] = world.plan.periodic.wrap(to);
            let group = &self.setup.scenario.groups[crowd.group[i] as usize];
            let stages = &self.journeys[crowd.group[i] as usize];
            let mut left = None;
            if let Some(stage) = stages.get(crowd.stage[i] as usize)
                && let Some(&goal) = group
                    .choice(stage, self.rank[i] as usize)
                    .iter()
                    .find(|&&g| world.reached(g, from, to, crowd.radius[i]))
            {
                crowd.stage[i] += 1;
                if crowd.stage[i] as usize == stages.len() {
                    if group.rounds {
                        crowd.stage[i] = 0;
                    } else {
                        left = Some(goal);
                    }
                }
            }
            if let Some(goal) = left {
                self.exits.push(Exit { id: crowd.id[i], group: crowd.group[i], goal, time_s, pos: to });
                if all_stay {
                    all_stay = false;
                    self.stay.old.clear();
                    self.stay.old.extend(0..i);
                }
            } else if !all_stay {
                self.stay.old.push(i);
            }
        }
        health.top_speed_m_per_s = health.top_speed_m_per_s.max(fastest2.sqrt());
        std::mem::swap(&mut crowd.vel, &mut self.next_vel);
        std::mem::swap(&mut crowd.pressure, &mut self.pressure);
        std::mem::swap(&mut crowd.status, &mut self.status);
        Ok(all_stay)
    }

    pub(super) fn look_for_overlap(&mut self, health: &mut Health) -> Result<(), String> {
        let crowd = &self.crowd;
        let largest = crowd.radius.iter().fold(0.0_f64, |a, &r| a.max(r));
        let periodic = self.setup.scenario.world.plan.periodic;
        self.near.build(2.0 * largest, periodic, &crowd.pos, &crowd.vel, &crowd.radius);
        let near = &self.near;
        for slot in 0..near.len() {
            for other in near.around(near.pos[slot]).into_iter().flatten() {
                let touch = near.radius[slot] + near.radius[other];
                let d2 = near.apart(near.pos[slot], near.pos[other]).length2();
                if other > slot && d2 < touch * touch {
                    let share = (touch - d2.sqrt()) / near.radius[slot].min(near.radius[other]);
                    health.max_overlap_share = health.max_overlap_share.max(share);
                }
            }
        }
        if health.max_overlap_share > self.setup.max_overlap_share {
            return Err(format!(
                "two people overlap by {:.0} % of the smaller radius (limit {:.0} %)",
                100.0 * health.max_overlap_share,
                100.0 * self.setup.max_overlap_share
            ));
        }
        Ok(())
    }
}
