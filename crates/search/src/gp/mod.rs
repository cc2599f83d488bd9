//! A Gaussian process of the loss, and the candidate that promises most: for few, costly, noisy evaluations.
//!
//! Efficient global optimization (Jones, Schonlau, Welch, J. Glob. Optim. 13, 455, 1998) with a Matern kernel ([`process`]), constants as likely as
//! they are usual ([`hyper`]), two views of the losses, in both of which a bad tail counts little ([`transform`]), and the logarithm of the expected improvement
//! ([`improvement`]), times the chances of being feasible and of not failing ([`model`]). Noise is learned, so that the best candidate is the one
//! with the least mean and not the luckiest.

mod climb;
mod coding;
mod hyper;
mod improvement;
mod model;
mod process;
mod transform;

use crate::cost::{Cost, compare, cost};
use crate::random::inside;
use crate::unseen::Unseen;
use crate::variation::latin;
use crate::{Genome, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use coding::Coding;
use crowdtune_core::math::rng::{ChaCha8Rng, Seed};
use crowdtune_core::registry::{Entry, Param};
use model::{Fits, Low, MOST, Model, Promise, Row};
use process::Room;
use transform::View;

/// The optimizer's entry.
pub static ENTRY: Entry<MakeOptimizer> = Entry {
    name: "gp",
    doc: "Gaussian process: a model of the loss with its noise, and the candidate that promises most; for few or costly evaluations.",
    source: "Jones, Schonlau, Welch, J. Glob. Optim. 13, 455 (1998); Ament and others, NeurIPS 2023; Hvarfner and others, ICML 2024",
    params: PARAMS,
    make: MakeOptimizer::new(make),
};

/// The settings of `gp`.
static PARAMS: &[Param] = &[Param::integer("design", 0, (0, 10_000), (4, 50))
    .doc("number of spread-out candidates, start values among them, before the first model; 0 for 4 and one for each gene")
    .source("chosen here (docs/decisions.md)")];

/// Candidates before the first model, beside one for each gene. Chosen here.
const DESIGN: usize = 4;
/// Candidates that are recommended. Chosen here: more than a race of finalists takes.
const RECOMMENDED: usize = 5;

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    let design = match setup.settings.get("design") as usize {
        0 => DESIGN + setup.space.len(),
        design => design,
    };
    let mut first = latin(setup.space, design, &mut setup.seed.child("design", 0).rng());
    first.extend(inside(setup.space, &setup.start));
    Box::new(GaussianProcess {
        unseen: Unseen::new(setup.space),
        coding: Coding::new(setup.space),
        seed: setup.seed,
        together: setup.parallel.max(1),
        replicas: setup.replicas,
        first,
        design,
        rows: Vec::new(),
        fits: Default::default(),
        batch: 0,
    })
}

struct GaussianProcess {
    unseen: Unseen,
    coding: Coding,
    seed: Seed,
    together: usize,
    replicas: u32,
    /// Spread-out candidates, and start values, which are taken first: the last one first.
    first: Vec<Genome>,
    design: usize,
    rows: Vec<Row>,
    /// For each view.
    fits: [Fits; 2],
    batch: u64,
}

impl Optimizer for GaussianProcess {
    fn ask(&mut self) -> Vec<Question> {
        let mut rng = self.seed.child("gp", self.batch).rng();
        let mut models = [None, None];
        let mut genomes: Vec<Genome> = Vec::with_capacity(self.together);
        while genomes.len() < self.together {
            let genome = if self.rows.len() + genomes.len() < self.design { self.spread() } else { None };
            let genome = genome
                .or_else(|| self.promising(&mut models, &genomes, &mut rng))
                .or_else(|| self.unseen.take_any(&mut rng));
            let Some(genome) = genome else { break };
            genomes.push(genome);
        }
        self.batch += 1;
        let question = |genome| Question { genome, replicas: 0..self.replicas, purpose: Purpose::Search };
        genomes.into_iter().map(question).collect()
    }

    fn tell(&mut self, trials: &[Trial]) {
        // Somebody else may have asked them.
        trials.iter().for_each(|trial| drop(self.unseen.take(&trial.question.genome)));
        let space = self.unseen.space();
        self.rows.extend(trials.iter().map(|trial| {
            let genome = trial.question.genome.clone();
            Row { point: self.coding.point(space, &genome), genome, cost: cost(trial) }
        }));
    }

    fn stop(&self) -> Option<StopReason> {
        self.unseen.exhausted().then_some(StopReason::Exhausted)
    }

    /// The one with the least mean of all that were asked and are feasible; where the mean is least anywhere; others that were asked.
    fn recommend(&self) -> Vec<Genome> {
        let Some(model) = self.wide() else { return Vec::new() };
        let good = self.good(&model);
        let mut rng = self.seed.child("recommend", self.batch).rng();
        let lowest = climb::climb(self.unseen.space(), &self.coding, &Low(&model), &good, &mut rng);
        let (best, others) = good.split_at(good.len().min(1));
        best.iter().chain(lowest.first()).chain(others).take(RECOMMENDED).cloned().collect()
    }

    fn expected(&self, candidate: &[f64]) -> Option<f64> {
        self.wide()?.expected(&self.coding.point(self.unseen.space(), candidate))
    }
}

impl GaussianProcess {
    /// What the wide view knows, without changing the search.
    fn wide(&self) -> Option<Model> {
        Model::of(&self.rows, View::Wide, &self.coding, &mut self.fits[View::Wide as usize].clone())
    }

    /// A candidate of the design that was not asked.
    fn spread(&mut self) -> Option<Genome> {
        std::iter::from_fn(|| self.first.pop()).find_map(|genome| self.unseen.take(&genome))
    }

    /// The most promising candidate that was not asked, after others of this batch; `models` are those of the batch, with how many of the others each
    /// knows.
    fn promising(
        &mut self,
        models: &mut [Option<(Model, usize)>; 2],
        asked: &[Genome],
        rng: &mut ChaCha8Rng,
    ) -> Option<Genome> {
        // The views take turns, in a batch and from one to the next.
        let turn = (self.batch as usize + asked.len()) % View::ALL.len();
        let (model, known) = match models[turn].take() {
            Some(known) => known,
            None => (Model::of(&self.rows, View::ALL[turn], &self.coding, &mut self.fits[turn])?, 0),
        };
        // As if the others had been answered, and its mean had been true.
        let points = asked[known..].iter().map(|genome| self.coding.point(self.unseen.space(), genome));
        let model = points.fold(model, |model, point| model.believing(&point));
        let good = self.good(&model);
        let found = climb::climb(self.unseen.space(), &self.coding, &Promise(&model), &good, rng);
        models[turn] = Some((model, asked.len()));
        found.iter().find_map(|genome| self.unseen.take(genome))
    }

    /// Candidates that were asked, feasible ones by their means, or those of the least violation where none is. Of more than a process takes those
    /// with the best answers, which it knows: of others it would only guess.
    fn good(&self, model: &Model) -> Vec<Genome> {
        let mut known: Vec<(Cost, &Row)> = self.rows.iter().filter_map(|row| Some((row.cost?, row))).collect();
        if known.len() > MOST {
            known.sort_by(|a, b| compare(a.0, b.0));
            known.truncate(MOST / 2);
        }
        let mut room = Room::default();
        let mean = |(cost, row): (Cost, &Row)| ((cost.0, model.mean(&row.point, &mut room)), row.genome.clone());
        let mut by_mean: Vec<(Cost, Genome)> = known.into_iter().map(mean).collect();
        by_mean.sort_by(|a, b| compare(a.0, b.0));
        by_mean.into_iter().map(|(_, genome)| genome).collect()
    }
}

#[cfg(test)]
mod tests;
