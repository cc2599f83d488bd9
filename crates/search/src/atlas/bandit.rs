//! Which emitter gives the next candidate: shares by what each earned lately.

use crowdtune_core::math::rng::{ChaCha8Rng, unit};

/// Share of all questions that is divided equally among the emitters. Chosen here: a few in a hundred notice when an emitter
/// becomes useful again.
const FLOOR: f64 = 0.08;
/// Weight that older rewards keep with each later question of the same emitter. Chosen here: about the last 200 count.
const FADE: f64 = 0.995;
/// Exponent of the mean rewards in the shares. Chosen here: 3 was worse on the smooth problems, 10 on the rugged one.
const KEEN: f64 = 6.0;

/// Shares by what each emitter earned lately. Cully (GECCO 2021) takes upper confidence bounds; shares in proportion to a power
/// of the means suit rewards that drift, and let emitters feed each other.
#[derive(Clone, Debug)]
pub(super) struct Bandit {
    arms: Vec<Arm>,
}

#[derive(Clone, Copy, Debug)]
struct Arm {
    earned: f64,
    asked: f64,
}

impl Bandit {
    /// Emitters of which none was tried; each starts with one reward of 1, the largest there is.
    pub(super) fn new(arms: usize) -> Self {
        Self { arms: vec![Arm { earned: 1.0, asked: 1.0 }; arms] }
    }

    /// Draws the index of an emitter.
    pub(super) fn draw(&self, rng: &mut ChaCha8Rng) -> usize {
        let shares = self.shares();
        let mut left = unit(rng);
        for (arm, share) in shares.iter().enumerate() {
            left -= share;
            if left < 0.0 {
                return arm;
            }
        }
        shares.len() - 1
    }

    /// The share of each emitter; they sum up to 1.
    pub(super) fn shares(&self) -> Vec<f64> {
        let best = self.arms.iter().map(Arm::mean).fold(0.0, f64::max);
        let keen = |arm: &Arm| if best > 0.0 { libm::pow(arm.mean() / best, KEEN) } else { 1.0 };
        let sum: f64 = self.arms.iter().map(keen).sum();
        let even = FLOOR / self.arms.len() as f64;
        self.arms.iter().map(|arm| even + (1.0 - FLOOR) * keen(arm) / sum).collect()
    }

    /// Credits an emitter with what its candidate was worth, 0 or more.
    pub(super) fn reward(&mut self, arm: usize, worth: f64) {
        let arm = &mut self.arms[arm];
        arm.earned = arm.earned * FADE + worth;
        arm.asked = arm.asked * FADE + 1.0;
    }
}

impl Arm {
    fn mean(&self) -> f64 {
        self.earned / self.asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::rng::Seed;

    #[test]
    fn shares_follow_the_rewards() {
        let mut bandit = Bandit::new(3);
        assert!(bandit.shares().iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-12));
        for _ in 0..2000 {
            bandit.reward(0, 0.0);
            bandit.reward(1, 1.0);
            bandit.reward(2, 0.5);
        }
        // Means 0, 1, 0.5 to the power 6: 0, 64 and 1 of 65.
        for (share, parts) in bandit.shares().iter().zip([0.0, 64.0, 1.0]) {
            assert!((share - FLOOR / 3.0 - (1.0 - FLOOR) * parts / 65.0).abs() < 1e-3, "{share}");
        }
        let mut rng = Seed(1).rng();
        let drawn = (0..10_000).filter(|_| bandit.draw(&mut rng) == 1).count();
        assert!((9100..9500).contains(&drawn), "{drawn}");
    }
}
