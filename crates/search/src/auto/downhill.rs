//! One way downhill: a descent along slopes, and CMA-ES from where they lead no further.
//!
//! Slopes see what is next to a point. Where the loss ripples on the way down, has a ridge or a very flat floor, a quadratic model of many
//! points at some distance sees more, and the descent has found out the shape from which that model begins.

use super::bfgs::Descent;
use super::queue::Answers;
use crate::cma::{Place, Takeover};
use crate::cost::{cost, loss};
use crate::{Genome, Trial};
use crowdtune_core::math::rng::Seed;

/// Evaluations for each gene after which slopes have had their time. Chosen here: 10 to 40 were compared (docs/decisions.md).
const SLOPES: usize = 15;
/// A descent whose next step promises no more than this share of its gain is nearly there, and may go on. Chosen here: 1e-4 was worse.
const NEARLY: f64 = 1e-6;
/// One that has ended with no more than this has arrived. Chosen here: at minima of BBOB's functions it is 1e-14 and less, at floors that slopes do
/// not see 1e-7 and more.
const ARRIVED: f64 = 1e-10;

/// The way.
pub(super) struct Downhill {
    descent: Descent,
    /// Evaluations of the descent.
    slopes: usize,
    takeover: Option<Takeover>,
    best: f64,
    seed: Seed,
}

impl Downhill {
    /// From a point, with its loss if that is known.
    pub(super) fn from(x: Genome, loss: Option<f64>, seed: Seed) -> Self {
        let best = loss.unwrap_or(f64::INFINITY);
        Self { descent: Descent::from(x, loss), slopes: 0, takeover: None, best, seed }
    }

    /// True if there is nothing more to gain.
    pub(super) fn ended(&self) -> bool {
        self.takeover.as_ref().map_or(self.descent.ended() && !self.left_off(), Takeover::ended)
    }

    /// True if the loss jumps between near points.
    pub(super) fn rough(&self) -> bool {
        self.descent.rough()
    }

    /// The least loss so far.
    pub(super) fn best(&self) -> f64 {
        self.best
    }

    /// The next candidates: those of the descent, or at most so many of the run that took over.
    pub(super) fn ask(&mut self, many: usize, answers: &Answers) -> Vec<Genome> {
        if self.takeover.is_none() && self.left_off() {
            let x = self.descent.at().to_vec();
            let place = Place { cost: answers.get(&x).and_then(cost), x, shape: self.descent.shape() };
            self.takeover = Some(Takeover::new(answers.space(), place, self.seed));
        }
        match &mut self.takeover {
            Some(takeover) => takeover.ask(many, |genome| answers.get(genome)),
            None => self.descent.ask(),
        }
    }

    /// The answers of all of them, in their order.
    pub(super) fn tell(&mut self, trials: &[Trial]) {
        let losses: Vec<f64> = trials.iter().map(loss).collect();
        self.best = losses.iter().copied().fold(self.best, f64::min);
        if let Some(takeover) = &mut self.takeover {
            takeover.tell(trials);
        } else {
            self.slopes += losses.len();
            self.descent.tell(&losses);
        }
    }

    /// True if the descent leads no further, or not fast enough, and is not at a minimum.
    fn left_off(&self) -> bool {
        let promises = self.descent.promises();
        if self.descent.ended() {
            return !self.rough() && promises > ARRIVED;
        }
        self.slopes > SLOPES * self.descent.at().len() && promises > NEARLY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Space;

    /// Goes down to the end or to so many evaluations; the least loss, how many there were, and whether CMA-ES took over.
    fn down(from: &[f64], most: usize, f: impl Fn(&[f64]) -> f64) -> (f64, usize, bool) {
        let mut answers = Answers::new(&Space::unit(from.len()));
        let (mut downhill, mut count) = (Downhill::from(from.to_vec(), None, Seed(1)), 0);
        while !downhill.ended() && count < most {
            let asked = downhill.ask(1, &answers);
            let trials: Vec<Trial> = asked.iter().map(|x| Trial::of_search(0, x.clone(), f(x))).collect();
            trials.iter().for_each(|trial| answers.insert(trial));
            count += trials.len();
            downhill.tell(&trials);
        }
        (downhill.best(), count, downhill.takeover.is_some())
    }

    #[test]
    fn a_bowl_needs_slopes_only() {
        let (best, count, taken) =
            down(&[0.9, 0.1, 0.7], 1000, |x| 1.0 + x.iter().map(|x| (x - 0.4).powi(2)).sum::<f64>());
        assert!(best - 1.0 < 1e-12 && count < 60 && !taken, "{best} {count}");
    }

    #[test]
    fn a_sharp_ridge_is_left_to_cma_es() {
        // Smooth along the ridge, sharp across it.
        let ridge = |x: &[f64]| {
            let (along, beside) = (x[0] + x[1] + x[2] - 1.2, (x[0] - x[1]).hypot(x[1] - x[2]));
            along * along + beside
        };
        let (best, count, taken) = down(&[0.9, 0.1, 0.7], 600, ridge);
        let (slopes_only, _) = descent_only(&[0.9, 0.1, 0.7], 600, ridge);
        assert!(taken && best < 1e-6 && best < 1e-2 * slopes_only, "{best} {count} {slopes_only}");
    }

    fn descent_only(from: &[f64], most: usize, f: impl Fn(&[f64]) -> f64) -> (f64, usize) {
        let (mut descent, mut count, mut best) = (Descent::from(from.to_vec(), None), 0, f64::INFINITY);
        while !descent.ended() && count < most {
            let losses: Vec<f64> = descent.ask().iter().map(|x| f(x)).collect();
            count += losses.len();
            best = losses.iter().copied().fold(best, f64::min);
            descent.tell(&losses);
        }
        (best, count)
    }
}
