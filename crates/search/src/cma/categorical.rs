//! Choices in CMA-ES: a categorical distribution each, which learns from the better half of a generation
//! (population-based incremental learning: Baluja, CMU-CS-94-163, 1994).

use super::coding::Coding;
use crowdtune_core::math::rng::{ChaCha8Rng, unit};

/// The probabilities of the words of each choice, independent of each other and of the numbers.
///
/// After each generation the frequencies among the better half are mixed in. No word falls below a floor, so none is ever
/// lost.
#[derive(Clone, Debug)]
pub struct Categorical {
    shares: Vec<Vec<f64>>,
}

impl Categorical {
    /// Equal probabilities, or half of the probability on the words of a start value.
    pub fn new(coding: &Coding, start: Option<&[usize]>) -> Self {
        let table = |(i, count): (usize, usize)| {
            let even = 1.0 / count as f64;
            match start {
                Some(words) => (0..count).map(|w| 0.5 * even + if w == words[i] { 0.5 } else { 0.0 }).collect(),
                None => vec![even; count],
            }
        };
        Self { shares: coding.choices().enumerate().map(table).collect() }
    }

    /// Draws a word for each choice.
    pub fn sample(&self, rng: &mut ChaCha8Rng, words: &mut Vec<usize>) {
        let draw = |shares: &Vec<f64>| {
            let mut u = unit(rng);
            shares
                .iter()
                .position(|p| {
                    u -= p;
                    u < 0.0
                })
                .unwrap_or(shares.len() - 1)
        };
        words.clear();
        words.extend(self.shares.iter().map(draw));
    }

    /// The likeliest words, the first of equals.
    pub fn likeliest(&self) -> Vec<usize> {
        let best = |shares: &Vec<f64>| (0..shares.len()).fold(0, |b, i| if shares[i] > shares[b] { i } else { b });
        self.shares.iter().map(best).collect()
    }

    /// Learns from the words of a generation, best first.
    pub fn learn(&mut self, ranked: &[&[usize]]) {
        let mu = (ranked.len() / 2).max(1);
        let total = self.shares.len();
        for (i, shares) in self.shares.iter_mut().enumerate() {
            let count = shares.len() as f64;
            // Chosen here: mu winners count as mu observations against a prior of two for each word.
            let rate = mu as f64 / (mu as f64 + 2.0 * count);
            shares.iter_mut().for_each(|p| *p *= 1.0 - rate);
            for words in &ranked[..mu.min(ranked.len())] {
                shares[words[i]] += rate / mu as f64;
            }
            // A floor as the margin of CatCMA (Hamano et al., GECCO 2024), in proportion to 1 / (n (K - 1)) for n choices.
            let floor = (0.25 / (total as f64 * (count - 1.0))).min(0.5 / count);
            shares.iter_mut().for_each(|p| *p = p.max(floor));
            let sum: f64 = shares.iter().sum();
            shares.iter_mut().for_each(|p| *p /= sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Axis, Gene, Space};

    #[test]
    fn words_are_learned_and_never_lost() {
        let coding =
            Coding::new(&Space { genes: vec![Gene { key: String::new(), axis: Axis::Choice(vec![0.0, 1.0, 2.0]) }] });
        let mut words = Categorical::new(&coding, None);
        for _ in 0..50 {
            words.learn(&[&[2], &[2], &[0], &[1]]);
        }
        assert_eq!(words.likeliest(), [2]);
        assert!(words.shares[0][0] > 0.05 && words.shares[0][2] < 0.9, "{:?}", words.shares);
    }
}
