//! CMA-ES with a quadratic surrogate, restarts and a test for noise: the default of the field for real numbers.
//!
//! One run is [`run`]: a [`gaussian`] distribution is sampled and moved by the ranks of its samples, [`rates`] has its constants, a
//! [`surrogate`] spares evaluations. Around it here: start values, restarts ([`restarts`], [`stops`]), whole numbers and choices
//! ([`coding`], [`categorical`]), and what is known already is never asked again.

mod categorical;
mod coding;
mod gaussian;
mod generation;
mod rates;
mod restarts;
mod run;
mod stops;
mod surrogate;
mod takeover;
mod trust_region;

use crate::cost::{Cost, compare, cost};
use crate::gp::Known;
use crate::noise::{EVERY, NoiseTest};
use crate::space::bits;
use crate::unseen::Unseen;
use crate::{Genome, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use coding::{Coding, Point};
use crowdtune_core::math::rng::{Seed, below, unit};
use crowdtune_core::registry::{Entry, Param};
use rates::population;
use restarts::Restarts;
use run::{CmaRun, Lookup, Start};
use std::collections::BTreeMap;
pub(crate) use takeover::{Place, Takeover};

/// The optimizer's entry.
pub static ENTRY: Entry<MakeOptimizer> = Entry {
    name: "cma_es",
    doc: "CMA-ES: a normal distribution learns the shape of the loss, helped by a quadratic model; restarts.",
    source: "Hansen, arXiv:1604.00772; GECCO 2009 companion (BIPOP); GECCO 2019 (surrogate)",
    params: PARAMS,
    make: MakeOptimizer::new(make),
};

const TUTORIAL: &str = "Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772";

/// Usual first size of steps, a share of every range.
const SIGMA: f64 = 0.25;

/// The settings of `cma_es`.
static PARAMS: &[Param] = &[
    Param::integer("population", 0, (0, 10_000), (0, 100))
        .symbol("lambda")
        .doc("candidates of a generation of the first run, 0 for 4 + 3 ln n of n parameters; restarts may take more")
        .source(TUTORIAL),
    Param::real("sigma", "", SIGMA)
        .symbol("sigma")
        .range(1e-4, 1.0)
        .search(0.05, 0.5)
        .doc("first size of steps, a share of every range")
        .source("Hansen, arXiv:1604.00772, section B.3: a quarter or so of the range in which the best is expected"),
    Param::switch("surrogate", true)
        .doc("a model of the loss spares evaluations")
        .source("Hansen, A Global Surrogate Assisted CMA-ES, GECCO 2019, doi 10.1145/3321707.3321842"),
];

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    let settings = setup.settings;
    let coding = Coding::new(setup.space);
    let lambda = match settings.whole("population") {
        0 => population(coding.numbers() + coding.choices().count()),
        given => given.max(2) as usize,
    };
    let sigma = settings.get("sigma");
    Box::new(Cma {
        unseen: Unseen::new(setup.space),
        known: BTreeMap::new(),
        seed: setup.seed,
        parallel: setup.parallel.max(1),
        replicas: setup.replicas,
        surrogate: settings.get("surrogate") > 0.0,
        lambda,
        sigma,
        restarts: Restarts::new(lambda, sigma, setup.seed),
        start: setup.start_inside(),
        center: None,
        noise: NoiseTest::new(setup.space, EVERY),
        noisy: setup.noise.luck(),
        answers: Known::new(setup.space, &setup.parts),
        kept: None,
        coding,
        run: None,
        asked: Vec::new(),
        batch: 0,
    })
}

/// Who asked a question.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    /// A start value, or anything unseen when a run found nothing new.
    Nobody,
    CmaRun,
    /// A twin of the best, to see noise.
    Twin,
}

struct Cma {
    unseen: Unseen,
    /// Costs of all answered candidates by the bits of their canonical genomes; `None` if they failed.
    known: BTreeMap<Vec<u64>, Option<Cost>>,
    seed: Seed,
    parallel: usize,
    replicas: u32,
    surrogate: bool,
    lambda: usize,
    sigma: f64,
    restarts: Restarts,
    /// Start values, last one first.
    start: Vec<Genome>,
    /// The best start value; before any is answered, the first.
    center: Option<(Genome, Option<Cost>)>,
    coding: Coding,
    run: Option<CmaRun>,
    noise: NoiseTest,
    /// As [`crate::Noise::luck`].
    noisy: Option<bool>,
    answers: Known,
    /// Best cost and recommendation of the best run that is over.
    kept: Option<(Cost, Vec<Genome>)>,
    asked: Vec<Origin>,
    batch: u64,
}

impl Optimizer for Cma {
    fn ask(&mut self) -> Vec<Question> {
        let chance = self.seed.child("cma_es", self.batch);
        self.batch += 1;
        self.asked.clear();
        let mut questions = Vec::with_capacity(self.parallel);
        while questions.len() < self.parallel {
            let Some((genome, origin)) = self.next(chance) else { break };
            self.asked.push(origin);
            questions.push(Question { genome, replicas: 0..self.replicas, purpose: Purpose::Search });
        }
        questions
    }

    fn tell(&mut self, trials: &[Trial]) {
        let origins = std::mem::take(&mut self.asked);
        if self.noisy != Some(false) {
            self.answers.add(trials);
        }
        for (trial, origin) in trials.iter().zip(origins) {
            let (genome, cost) = (&trial.question.genome, cost(trial));
            self.known.insert(bits(genome), cost);
            if let Some((center, before)) = &mut self.center
                && origin == Origin::Nobody
                && self.run.is_none()
                && let Some(cost) = cost
                && before.is_none_or(|before| compare(cost, before).is_lt())
            {
                (*center, *before) = (genome.clone(), Some(cost));
            }
            self.noise.see(origin == Origin::Twin, genome, cost);
            if let Some(run) = self.run.as_mut().filter(|_| self.noise.seen()) {
                run.hear_noise();
            }
            match (&mut self.run, origin, cost) {
                (Some(run), Origin::CmaRun, _) => run.tell(cost),
                (Some(run), _, Some(cost)) => run.note(genome, cost),
                _ => {}
            }
        }
    }

    fn stop(&self) -> Option<StopReason> {
        self.unseen.exhausted().then_some(StopReason::Exhausted)
    }

    fn recommend(&self) -> Vec<Genome> {
        if !self.noisy() {
            return Vec::new();
        }
        let current = self.run.as_ref().and_then(advice);
        let best = match (current, &self.kept) {
            (Some(current), Some(kept)) if compare(kept.0, current.0).is_lt() => Some(kept.clone()),
            (None, kept) => kept.clone(),
            (current, _) => current,
        };
        // What was asked and has the least mean comes first; then the two models take turns.
        let mut own = best.map_or_else(Vec::new, |best| best.1).into_iter();
        let advice = self.answers.recommend(self.seed.child("advice", 0)).into_iter();
        let mut turns: Vec<Genome> = advice.flat_map(|advised| [Some(advised), own.next()]).flatten().collect();
        turns.extend(own);
        turns
    }

    fn expected(&self, candidate: &[f64]) -> Option<f64> {
        if self.noisy() { self.answers.expected(candidate) } else { None }
    }
}

/// The best cost of a run, and what it would recommend where losses are noisy: its mean, and the minimum of its model.
fn advice(run: &CmaRun) -> Option<(Cost, Vec<Genome>)> {
    let (_, cost) = run.best()?;
    let minimum = run.clone().minimum();
    Some((cost, [run.mean()].into_iter().chain(minimum).collect()))
}

impl Cma {
    /// Whether losses are noisy, as somebody said or twins told.
    fn noisy(&self) -> bool {
        self.noisy.unwrap_or(self.noise.seen())
    }

    /// The next candidate and who asks for it; `chance` draws one where nobody has an opinion.
    fn next(&mut self, chance: Seed) -> Option<(Genome, Origin)> {
        while let Some(genome) = self.start.pop() {
            if let Some(genome) = self.unseen.take(&genome) {
                self.center.get_or_insert_with(|| (genome.clone(), None));
                return Some((genome, Origin::Nobody));
            }
        }
        if let Some(genome) = self.noise.twin()
            && let Some(genome) = self.unseen.take(&genome)
        {
            return Some((genome, Origin::Twin));
        }
        // A run that has ended is closed here. Chosen here: after four runs that found nothing new, anything unseen is asked.
        for _ in 0..4 {
            if self.unseen.exhausted() {
                return None;
            }
            let waiting = self.asked.contains(&Origin::CmaRun);
            if let Some(run) = &self.run
                && !waiting
                && (run.ended().is_some() || self.restarts.revisits(run))
            {
                self.restarts.close(run);
                let advice = advice(run);
                if self.noise.seen()
                    && let Some(new) = advice
                    && self.kept.as_ref().is_none_or(|old| compare(new.0, old.0).is_lt())
                {
                    self.kept = Some(new);
                }
                self.run = None;
            }
            if self.run.is_none() {
                self.run = Some(self.begin());
            }
            let Some(run) = &mut self.run else { break };
            let (known, unseen) = (&self.known, &mut self.unseen);
            let mut seen = |genome: &[f64]| match unseen.take(genome) {
                Some(_) => Lookup::New,
                None => known.get(&bits(genome)).map_or(Lookup::Pending, |cost| Lookup::Known(*cost)),
            };
            if let Some(genome) = run.ask(&mut seen) {
                return Some((genome, Origin::CmaRun));
            }
            if run.ended().is_none() {
                break;
            }
        }
        let number = self.asked.len() as u64;
        self.unseen.take_any(&mut chance.child("any", number).rng()).map(|genome| (genome, Origin::Nobody))
    }

    /// A new run: the first from the best start value or the middle of the space, the others from anywhere.
    fn begin(&mut self) -> CmaRun {
        let number = self.restarts.runs();
        let seed = self.seed.child("run", number);
        let start = if number == 0 {
            let center = self.center.as_ref().map(|c| self.coding.point(&c.0));
            let given = center.is_some();
            let mean = center.unwrap_or_else(|| self.coding.point(&vec![0.5; self.unseen.space().len()]));
            Start { mean, given, shape: None, sigma: self.sigma, lambda: self.lambda, seed }
        } else {
            let mut rng = seed.child("mean", 0).rng();
            let x = (0..self.coding.numbers()).map(|_| unit(&mut rng)).collect();
            let words = self.coding.choices().map(|count| below(&mut rng, count)).collect();
            let size = self.restarts.next_size();
            Start { mean: Point { x, words }, given: false, shape: None, sigma: size.sigma, lambda: size.lambda, seed }
        };
        CmaRun::new(&self.coding, &start, self.surrogate)
    }
}
