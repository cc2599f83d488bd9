//! A Gaussian process of the loss, and the candidate that promises most: for few, costly, noisy evaluations.
//!
//! Efficient global optimization (Jones, Schonlau, Welch, J. Glob. Optim. 13, 455, 1998) with a Matern kernel and constants as likely as
//! they are usual ([`crate::process`]), two views of the losses, in both of which a bad tail counts little ([`transform`]), and the logarithm of the expected improvement
//! ([`improvement`]), times the chances of being feasible and of not failing ([`model`]). Noise is learned, so that the best candidate is the one
//! with the least mean and not the luckiest. Where somebody says what the loss is the sum of, each value has a process of its own ([`parts`]).

mod climb;
mod coding;
mod improvement;
mod known;
mod model;
mod parts;
mod transform;
mod worth;

use crate::unseen::Unseen;
use crate::variation::latin;
use crate::{Genome, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use crowdtune_core::math::rng::{ChaCha8Rng, Seed};
use crowdtune_core::registry::{Entry, Param};
pub(crate) use known::Known;
use model::{Model, Promise};
pub(crate) use parts::processes;
use transform::View;

/// The optimizer's entry.
pub static ENTRY: Entry<MakeOptimizer> = Entry {
    name: "gp",
    doc: "Gaussian process: a model of the loss with its noise, or of each value that makes it, and the candidate that promises most; for few or costly evaluations.",
    source: "Jones, Schonlau, Welch, J. Glob. Optim. 13, 455 (1998); Ament and others, NeurIPS 2023; Hvarfner and others, ICML 2024; Astudillo, Frazier, ICML 2019",
    params: PARAMS,
    make: MakeOptimizer::new(make),
};

/// The settings of `gp`.
static PARAMS: &[Param] = &[Param::integer("design", 0, (0, 10_000), (4, 50))
    .doc("number of spread-out candidates, start values among them, before the first model; 0 for 4 and one for each gene")
    .source("chosen here (docs/decisions.md)")];

/// Candidates before the first model, beside one for each gene. Chosen here.
const DESIGN: usize = 4;

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    let design = match setup.settings.get("design") as usize {
        0 => DESIGN + setup.space.len(),
        design => design,
    };
    let mut first = latin(setup.space.len(), design, &mut setup.seed.child("design", 0).rng());
    first.extend(setup.start_inside());
    Box::new(GaussianProcess {
        unseen: Unseen::new(setup.space),
        known: Known::new(setup.space, &setup.parts),
        seed: setup.seed,
        together: setup.parallel.max(1),
        replicas: setup.replicas,
        noisy: setup.noise.luck(),
        first,
        design,
        batch: 0,
    })
}

struct GaussianProcess {
    unseen: Unseen,
    known: Known,
    seed: Seed,
    together: usize,
    replicas: u32,
    /// As [`crate::Noise::luck`].
    noisy: Option<bool>,
    /// Spread-out candidates, and start values, which are taken first: the last one first.
    first: Vec<Genome>,
    design: usize,
    batch: u64,
}

impl Optimizer for GaussianProcess {
    fn ask(&mut self) -> Vec<Question> {
        let mut rng = self.seed.child("gp", self.batch).rng();
        let mut models = [None, None];
        let mut genomes: Vec<Genome> = Vec::with_capacity(self.together);
        while genomes.len() < self.together {
            let genome = if self.known.len() + genomes.len() < self.design { self.spread() } else { None };
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
        self.known.add(trials);
    }

    fn stop(&self) -> Option<StopReason> {
        self.unseen.exhausted().then_some(StopReason::Exhausted)
    }

    fn recommend(&self) -> Vec<Genome> {
        let exact = self.known.best().filter(|_| self.noisy == Some(false));
        exact.into_iter().chain(self.known.recommend(self.seed.child("recommend", self.batch))).collect()
    }

    fn expected(&self, candidate: &[f64]) -> Option<f64> {
        if self.noisy == Some(false) { None } else { self.known.expected(candidate) }
    }
}

impl GaussianProcess {
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
        let (model, believed) = match models[turn].take() {
            Some(model) => model,
            None => (self.known.model(View::ALL[turn])?, 0),
        };
        // As if the others had been answered, and its mean had been true.
        let points = asked[believed..].iter().map(|genome| self.known.point(genome));
        let model = points.fold(model, |model, point| model.believing(&point));
        let good = self.known.good(&model);
        let found = climb::climb(self.unseen.space(), &self.known.coding, &Promise(&model), &good, rng);
        models[turn] = Some((model, asked.len()));
        found.iter().find_map(|genome| self.unseen.take(genome))
    }
}
