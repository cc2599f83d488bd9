//! What was asked and answered, and what a process makes of it: for `gp` itself, and for what any search recommends.

use super::climb;
use super::coding::Coding;
use super::model::{Fits, Low, MOST, Model, Row};
use super::transform::View;
use crate::cost::{Cost, compare, cost};
use crate::process::Room;
use crate::space::Space;
use crate::{Genome, Part, Trial};
use crowdtune_core::math::rng::Seed;

/// Candidates that are recommended. Chosen here: more than a race of finalists takes.
const RECOMMENDED: usize = 5;

/// Candidates with their answers.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    space: Space,
    pub(super) coding: Coding,
    /// What the loss is the sum of, if somebody said so.
    parts: Vec<Part>,
    rows: Vec<Row>,
    /// For each view.
    fits: [Fits; 2],
}

impl Known {
    /// Nothing is known yet but what the loss is the sum of; without parts only the loss itself counts.
    pub fn new(space: &Space, parts: &[Part]) -> Self {
        let parts = parts.to_vec();
        Self { space: space.clone(), coding: Coding::new(space), parts, rows: Vec::new(), fits: Default::default() }
    }

    /// Number of answers.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Takes answers.
    pub fn add(&mut self, trials: &[Trial]) {
        self.rows.extend(trials.iter().map(|trial| {
            let genome = trial.question.genome.clone();
            let values = self.parts.iter().map(|part| part.value(&trial.values)).collect();
            Row { point: self.coding.point(&self.space, &genome), genome, cost: cost(trial), values }
        }));
    }

    /// The best answer, of equal ones the earlier.
    pub fn best(&self) -> Option<Genome> {
        let answered = self.rows.iter().filter_map(|row| Some((row.cost?, &row.genome)));
        answered.min_by(|a, b| compare(a.0, b.0)).map(|best| best.1.clone())
    }

    /// Candidates to recommend: the one with the least mean of all that were asked and are feasible; where the mean is least anywhere; others
    /// that were asked.
    pub fn recommend(&self, seed: Seed) -> Vec<Genome> {
        let Some(model) = self.wide() else { return Vec::new() };
        let good = self.good(&model);
        let lowest = climb::climb(&self.space, &self.coding, &Low(&model), &good, &mut seed.rng());
        let (best, others) = good.split_at(good.len().min(1));
        best.iter().chain(lowest.first()).chain(others).take(RECOMMENDED).cloned().collect()
    }

    /// The loss that is expected of a candidate under other random numbers.
    pub fn expected(&self, candidate: &[f64]) -> Option<f64> {
        self.wide()?.expected(&self.point(candidate))
    }

    /// A candidate as numbers of the process.
    pub(super) fn point(&self, candidate: &[f64]) -> Vec<f64> {
        self.coding.point(&self.space, candidate)
    }

    /// What a view knows, with constants that a search keeps.
    pub(super) fn model(&mut self, view: View) -> Option<Model> {
        Model::of(&self.rows, &self.parts, view, &self.coding, &mut self.fits[view as usize])
    }

    /// What the wide view knows, without changing the search.
    fn wide(&self) -> Option<Model> {
        Model::of(&self.rows, &self.parts, View::Wide, &self.coding, &mut self.fits[View::Wide as usize].clone())
    }

    /// Candidates that were asked, feasible ones by their means, or those of the least violation where none is. Of more than a process takes those
    /// with the best answers, which it knows: of others it would only guess.
    pub(super) fn good(&self, model: &Model) -> Vec<Genome> {
        let mut known: Vec<(Cost, &Row)> = self.rows.iter().filter_map(|row| Some((row.cost?, row))).collect();
        if known.len() > MOST {
            known.sort_by(|a, b| compare(a.0, b.0));
            known.truncate(MOST / 2);
        }
        let points: Vec<Vec<f64>> = known.iter().map(|(_, row)| row.point.clone()).collect();
        let means = model.means(&points, &mut Room::default());
        let with_mean = |((cost, row), mean): ((Cost, &Row), f64)| ((cost.0, mean), row.genome.clone());
        let mut by_mean: Vec<(Cost, Genome)> = known.into_iter().zip(means).map(with_mean).collect();
        by_mean.sort_by(|a, b| compare(a.0, b.0));
        by_mean.into_iter().map(|(_, genome)| genome).collect()
    }
}
