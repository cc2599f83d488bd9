//! Following inside a group: followers adopt their leader's speed, a reaction time later (equations 5 and 6).

use crate::crowd::RowMap;
use crowdtune_core::math::Vec2;
use std::collections::VecDeque;

/// How people follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// W, in units that make an acceleration of (m/s) / m^lambda.
    pub weight: f64,
    /// lambda: how fast the effect falls with distance.
    pub exponent: f64,
    /// tau: reaction time, and time over which the acceleration acts, s.
    pub reaction_s: f64,
    /// Cosine of theta_0: a leader is ahead within this angle of the heading.
    pub ahead_cos: f64,
    /// p_0: how far ahead a leader can be, m.
    pub within_m: f64,
}

/// Where a possible leader is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ahead {
    /// Distance along the follower's heading, m.
    pub along_m: f64,
    /// Distance, m.
    pub distance_m: f64,
}

impl Law {
    /// Whether a person at `way`, m, can lead a person who faces `heading` (a unit vector): within the angle, not too
    /// far ahead, and offset sideways by less than `bodies_m`, the sum of both radii.
    #[inline(always)]
    pub fn leads(&self, heading: Vec2, way: Vec2, bodies_m: f64) -> Option<Ahead> {
        let (along_m, aside) = (heading.dot(way), heading.cross(way).abs());
        if !(along_m > 0.0 && along_m < self.within_m && aside < bodies_m) {
            return None;
        }
        let distance_m = way.length();
        (along_m > self.ahead_cos * distance_m).then_some(Ahead { along_m, distance_m })
    }

    /// W dv / dp^lambda, m/s2, for a leader dp m ahead who is faster by `dv` m/s along the follower's heading.
    /// Distances below the sum of the radii count as that sum.
    pub fn acceleration(&self, dv: f64, ahead_m: f64, bodies_m: f64) -> f64 {
        let way = ahead_m.max(bodies_m);
        // The power of one is exact either way, and a call costs much more.
        self.weight * dv / if self.exponent == 1.0 { way } else { libm::pow(way, self.exponent) }
    }

    /// Equation 6: v_0 + a tau along the heading, capped at `most` m/s. Braking removes at most the component of v_0
    /// along the heading, so that nobody walks backwards.
    pub fn velocity(&self, v0: Vec2, heading: Vec2, acceleration: f64, most: f64) -> Vec2 {
        let forward = v0.dot(heading);
        let gain = (acceleration * self.reaction_s).max(-forward.max(0.0));
        let vel = v0 + heading * gain;
        let speed = vel.length();
        if speed > most { vel * (most / speed) } else { vel }
    }
}

/// Velocities of the last reaction time, a column for each step.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Oldest first; each by row.
    steps: VecDeque<Vec<Vec2>>,
}

impl History {
    /// Adds the velocities of a step, m/s, and drops those older than `reaction_s`, in steps of `dt`. Newcomers count
    /// as having always walked like that.
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

    /// A row's velocity one reaction time ago, m/s; the oldest known one early in the run.
    ///
    /// # Panics
    /// If nothing was recorded or the row does not exist.
    pub fn delayed(&self, row: usize) -> Vec2 {
        self.steps[0][row]
    }

    /// Rows have moved because people left.
    pub fn remap(&mut self, rows: &RowMap) {
        self.steps.iter_mut().for_each(|step| rows.apply(step));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;

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
        // Closer than contact counts as contact.
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
        // Braking does not remove what the global field wants against the heading.
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
}
