//! Following inside a group: who walks behind somebody takes over the speed, a reaction time later (equations 5 and 6).

use crate::crowd::RowMap;
use crate::math::{Vec2, vec2};
use crate::world::Neighbors;
use std::collections::VecDeque;
use std::ops::Range;

/// The law of following.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// W, in units that make an acceleration of (m/s) / m^lambda.
    pub weight: f64,
    /// lambda, how fast the effect falls with the distance.
    pub exponent: f64,
    /// tau, reaction time and time over which the acceleration acts, s.
    pub reaction_s: f64,
    /// Cosine of theta_0: a leader is ahead within this angle of the heading.
    pub ahead_cos: f64,
    /// p_0: nobody farther ahead is followed, m.
    pub within_m: f64,
}

/// Where a possible leader is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ahead {
    /// Way along the heading of the follower, m.
    pub along_m: f64,
    /// Distance, m.
    pub distance_m: f64,
}

impl Law {
    /// Whether somebody at this way, m, can be a leader of who faces along a unit vector: within the angle, not too far
    /// ahead, and beside the line of the heading by less than both bodies, whose radii sum up to `bodies` m.
    #[inline]
    pub fn leads(&self, heading: Vec2, way: Vec2, bodies_m: f64) -> Option<Ahead> {
        let (along_m, aside) = (heading.dot(way), heading.cross(way).abs());
        if !(along_m > 0.0 && along_m < self.within_m && aside < bodies_m) {
            return None;
        }
        let distance_m = way.length();
        (along_m > self.ahead_cos * distance_m).then_some(Ahead { along_m, distance_m })
    }

    /// W dv / dp^lambda, m/s2, for a leader who is faster by `dv` m/s along the heading of the follower, dp m ahead; nearer
    /// than both bodies counts as that.
    pub fn acceleration(&self, dv: f64, ahead_m: f64, bodies_m: f64) -> f64 {
        let way = ahead_m.max(bodies_m);
        // The power of one is exact either way, and much dearer as a call.
        self.weight * dv / if self.exponent == 1.0 { way } else { libm::pow(way, self.exponent) }
    }

    /// Equation 6: v_0 + a tau along the heading, no faster than `most` m/s; braking takes away no more than what v_0 has
    /// along the heading, so that nobody walks back.
    pub fn velocity(&self, v0: Vec2, heading: Vec2, acceleration: f64, most: f64) -> Vec2 {
        let forward = v0.dot(heading);
        let gain = (acceleration * self.reaction_s).max(-forward.max(0.0));
        let vel = v0 + heading * gain;
        let speed = vel.length();
        if speed > most { vel * (most / speed) } else { vel }
    }
}

/// The nearest leader of somebody.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leader {
    /// Row of the leader.
    pub row: usize,
    /// Where the leader is.
    pub ahead: Ahead,
    /// Sum of both radii, m.
    pub bodies_m: f64,
}

impl Law {
    /// The nearest of those with the same label who lead the person of a slot, the lower row of equals; looks up ring after
    /// ring of cells, only where a leader can be and no farther than one can still be nearer.
    pub fn leader(
        &self,
        near: &Neighbors,
        label: &[u32],
        slot: usize,
        heading: Vec2,
        max_radius_m: f64,
    ) -> Option<Leader> {
        let p = near.pos[slot];
        let (column, row) = near.cell(p);
        let (size, cells) = (near.cell_size(), near.shape());
        let middle = size * 0.5 - near.in_cell(p);
        let half = 0.5 * size.length();
        let aside = near.radius[slot] + max_radius_m;
        let mut most = (self.within_m * self.within_m + aside * aside).sqrt();
        let rings = ((most / size.x.min(size.y)) as i64 + 1).min(cells.0.max(cells.1) as i64);
        let mut best: Option<Leader> = None;
        for ring in 0..=rings {
            // Between somebody and a cell of this ring lie at least the cells of the rings within.
            if (ring - 1) as f64 * size.x.min(size.y) > most {
                break;
            }
            for dy in -ring..=ring {
                let step = if dy.abs() == ring { 1 } else { 2 * ring };
                let mut dx = -ring;
                while dx <= ring {
                    let way = middle + vec2(dx as f64 * size.x, dy as f64 * size.y);
                    let may = heading.dot(way) > -half && heading.cross(way).abs() < aside + half;
                    if may && way.length2() <= (most + half) * (most + half) {
                        let slots = near.of_cell((column + dx, row + dy));
                        if let Some(found) = self.nearest(near, label, (slot, slots), heading, best) {
                            most = found.ahead.distance_m;
                            best = Some(found);
                        }
                    }
                    dx += step.max(1);
                }
            }
        }
        best
    }

    /// The nearest of the leader found before and of those in some slots.
    #[inline]
    fn nearest(
        &self,
        near: &Neighbors,
        label: &[u32],
        (slot, others): (usize, Range<usize>),
        heading: Vec2,
        before: Option<Leader>,
    ) -> Option<Leader> {
        let (p, own, radius) = (near.pos[slot], label[slot], near.radius[slot]);
        let mut best = before;
        for other in others {
            let bodies_m = radius + near.radius[other];
            let Some(ahead) = self.leads(heading, near.apart(p, near.pos[other]), bodies_m) else { continue };
            if label[other] != own || other == slot {
                continue;
            }
            let row = near.row[other] as usize;
            let nearer = |b: Leader| {
                ahead.distance_m < b.ahead.distance_m || (ahead.distance_m == b.ahead.distance_m && row < b.row)
            };
            if best.is_none_or(nearer) {
                best = Some(Leader { row, ahead, bodies_m });
            }
        }
        best
    }
}

/// Velocities of the last reaction time, a column for each step.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The oldest first; each by row.
    steps: VecDeque<Vec<Vec2>>,
}

impl History {
    /// Adds the velocities of a step, m/s, and forgets those older than `reaction_s`, in steps of `dt`. Who has just come in
    /// counts as having walked like that for ever.
    pub fn record(&mut self, vel: &[Vec2], reaction_s: f64, dt: f64) {
        let most = (reaction_s / dt).round() as usize + 1;
        for step in &mut self.steps {
            let known = step.len().min(vel.len());
            step.extend_from_slice(&vel[known..]);
        }
        let mut newest = if self.steps.len() >= most { self.steps.pop_front() } else { None }.unwrap_or_default();
        newest.clear();
        newest.extend_from_slice(vel);
        self.steps.push_back(newest);
    }

    /// The velocity of a row one reaction time ago, m/s; the oldest known one as long as the run is younger.
    ///
    /// # Panics
    /// If nothing was recorded, or there is no such row.
    pub fn delayed(&self, row: usize) -> Vec2 {
        self.steps[0][row]
    }

    /// Rows have moved because people left.
    pub fn remap(&mut self, rows: &RowMap) {
        self.steps.iter_mut().for_each(|step| rows.apply(step));
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.steps.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Torus;
    use proptest::prelude::*;

    const LAW: Law =
        Law { weight: 1.0, exponent: 1.0, reaction_s: 0.5, ahead_cos: std::f64::consts::FRAC_1_SQRT_2, within_m: 3.0 };
    const EAST: Vec2 = vec2(1.0, 0.0);

    #[test]
    fn a_leader_is_ahead_near_and_in_line() {
        let leads = |x: f64, y: f64| LAW.leads(EAST, vec2(x, y), 0.5).is_some();
        assert!(leads(1.0, 0.0) && leads(2.9, 0.49) && leads(2.9, -0.49));
        assert!(!leads(3.0, 0.0) && !leads(0.0, 0.1) && !leads(-1.0, 0.0));
        // Beside the line by both bodies, and more than 45 degrees off.
        assert!(!leads(1.0, 0.5) && !leads(0.4, 0.45));
        let found = LAW.leads(EAST, vec2(0.4, 0.3), 0.5).unwrap();
        assert!((found.along_m - 0.4).abs() < 1e-12 && (found.distance_m - 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_heading_of_the_follower_is_the_axis() {
        // Northwards, 2 m ahead and 0.3 m aside.
        let ahead = LAW.leads(vec2(0.0, 1.0), vec2(0.3, 2.0), 0.5).unwrap();
        assert_eq!(ahead.along_m, 2.0);
        assert!(LAW.leads(EAST, vec2(0.3, 2.0), 0.5).is_none());
    }

    #[test]
    fn a_slower_leader_brakes_and_a_near_one_more() {
        assert_eq!(LAW.acceleration(-0.5, 2.0, 0.5), -0.25);
        assert_eq!(LAW.acceleration(-0.5, 0.5, 0.5), -1.0);
        // Nearer than both bodies counts as touching.
        assert_eq!(LAW.acceleration(-0.5, 0.1, 0.5), -1.0);
        let square = Law { exponent: 2.0, weight: 3.0, ..LAW };
        assert!((square.acceleration(0.4, 2.0, 0.5) - 0.3).abs() < 1e-12);
    }

    #[test]
    fn followers_neither_go_back_nor_exceed_the_speed() {
        // 1 m/s and -1 m/s2 over 0.5 s.
        assert_eq!(LAW.velocity(EAST, EAST, -1.0, 1.4), vec2(0.5, 0.0));
        assert_eq!(LAW.velocity(EAST, EAST, -8.0, 1.4), Vec2::ZERO);
        assert_eq!(LAW.velocity(EAST, EAST, 8.0, 1.4), vec2(1.4, 0.0));
        // What the global field wants against the heading is not braked away.
        assert_eq!(LAW.velocity(-EAST, EAST, -1.0, 1.4), -EAST);
        assert_eq!(LAW.velocity(vec2(0.0, 1.0), EAST, -1.0, 1.4), vec2(0.0, 1.0));
    }

    #[test]
    fn velocities_are_remembered_for_the_reaction_time() {
        let mut history = History::default();
        for step in 0..9 {
            history.record(&[vec2(f64::from(step), 0.0)], 0.5, 0.1);
            assert_eq!(history.delayed(0).x, f64::from(step - 5).max(0.0));
        }
    }

    #[test]
    fn who_comes_in_has_walked_like_that_and_who_leaves_takes_the_past_along() {
        let mut history = History::default();
        history.record(&[vec2(1.0, 0.0), vec2(2.0, 0.0)], 0.2, 0.1);
        history.record(&[vec2(1.1, 0.0), vec2(2.1, 0.0)], 0.2, 0.1);
        history.remap(&RowMap { old: vec![1] });
        history.record(&[vec2(2.2, 0.0), vec2(7.0, 0.0)], 0.2, 0.1);
        assert_eq!((history.delayed(0).x, history.delayed(1).x), (2.0, 7.0));
    }

    proptest! {
        #[test]
        fn rings_of_cells_find_the_nearest_leader(
            people in prop::collection::vec((0.0..12.0_f64, 0.0..7.0_f64, 0..2_u32), 1..60),
            angle in 0.0..6.3_f64,
            cell in 0.3..4.0_f64,
            ring in any::<bool>(),
        ) {
            let torus = Torus { x: ring.then_some((0.0, 12.0)), y: None };
            let pos: Vec<Vec2> = people.iter().map(|p| vec2(p.0, p.1)).collect();
            let mut near = Neighbors::default();
            near.build(cell, torus, &pos, &vec![Vec2::ZERO; pos.len()], &vec![0.25; pos.len()]);
            let label: Vec<u32> = near.row.iter().map(|&row| people[row as usize].2).collect();
            let heading = vec2(libm::cos(angle), libm::sin(angle));
            for slot in 0..near.len() {
                let all = (0..near.len()).filter(|&other| other != slot && label[other] == label[slot]);
                let brute = all
                    .filter_map(|other| LAW.leads(heading, near.apart(near.pos[slot], near.pos[other]), 0.5))
                    .map(|ahead| ahead.distance_m)
                    .fold(f64::INFINITY, f64::min);
                let found = LAW.leader(&near, &label, slot, heading, 0.25);
                prop_assert_eq!(found.map_or(f64::INFINITY, |leader| leader.ahead.distance_m), brute);
            }
        }
    }
}
