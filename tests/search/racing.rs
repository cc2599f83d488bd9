//! The log carries a racing optimizer: candidates that are asked again on more replicas, different numbers for each.

use crowdtune::evolve::log::MemoryLog;
use crowdtune::evolve::run::finalists;
use crowdtune_core::registry::Entry;
use crowdtune_search::{Genome, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial, better};
use crowdtune_testing::fake::{bytes, cut_everywhere, experiment, go, search_rows};

static RACING: Entry<MakeOptimizer> = Entry {
    name: "racing",
    doc: "a fake race",
    source: "chosen here: a test",
    params: &[],
    make: MakeOptimizer::new(make),
};

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    Box::new(Racing { seed: setup.seed, round: 0, heat: 0, riders: Vec::new(), sums: Vec::new() })
}

/// Six new candidates on replicas 0..2, the best three on 2..6, the best one on 6..12, then six new ones near it.
struct Racing {
    seed: crowdtune_core::math::rng::Seed,
    round: u64,
    heat: usize,
    riders: Vec<Genome>,
    sums: Vec<(f64, f64)>,
}

const HEATS: [(usize, std::ops::Range<u32>); 3] = [(6, 0..2), (3, 2..6), (1, 6..12)];

impl Optimizer for Racing {
    fn ask(&mut self) -> Vec<Question> {
        if self.heat == 0 {
            let mut rng = self.seed.child("round", self.round).rng();
            let best = self.riders.first().cloned();
            let mut draw = |i: usize| match &best {
                Some(best) => (0.7 * best[i] + 0.3 * crowdtune_core::math::rng::unit(&mut rng)).clamp(0.0, 1.0),
                None => crowdtune_core::math::rng::unit(&mut rng),
            };
            self.riders = (0..6).map(|_| vec![draw(0), draw(1)]).collect();
            self.sums = vec![(0.0, 0.0); 6];
        }
        let replicas = HEATS[self.heat].1.clone();
        let question =
            |g: &Genome| Question { genome: g.clone(), replicas: replicas.clone(), purpose: Purpose::Search };
        self.riders.iter().map(question).collect()
    }

    fn tell(&mut self, trials: &[Trial]) {
        for (trial, sum) in trials.iter().zip(&mut self.sums) {
            let weight = trial.question.replicas.len() as f64;
            sum.0 += weight * trial.objectives.first().copied().unwrap_or(1e6);
            sum.1 += weight;
        }
        let mut order: Vec<usize> = (0..self.riders.len()).collect();
        order.sort_by(|&a, &b| (self.sums[a].0 / self.sums[a].1).total_cmp(&(self.sums[b].0 / self.sums[b].1)));
        self.heat = (self.heat + 1) % HEATS.len();
        order.truncate(if self.heat == 0 { 1 } else { HEATS[self.heat].0 });
        self.riders = order.iter().map(|&i| self.riders[i].clone()).collect();
        self.sums = order.iter().map(|&i| self.sums[i]).collect();
        self.round += u64::from(self.heat == 0);
    }

    fn stop(&self) -> Option<StopReason> {
        None
    }
}

#[test]
fn a_race_survives_any_cut() {
    let experiment = experiment(&RACING, 37);
    let full = bytes(&experiment);
    let rows = search_rows(&full);
    for (heat, replicas) in [(0, 0..2), (6, 2..6), (9, 6..12), (10, 0..2)] {
        assert_eq!(rows[heat].question.replicas, replicas);
        let ran = rows[heat].values[0].len();
        assert!(!rows[heat].is_done() || ran == replicas.len());
    }
    let again = rows.iter().filter(|t| t.question.genome == rows[9].question.genome).count();
    assert_eq!(again, 3, "the winner of the first round was asked three times");
    cut_everywhere(&experiment, 0, &full, 97);
}

#[test]
fn a_race_can_be_extended_in_the_middle_of_a_heat() {
    let (short, long) = (experiment(&RACING, 7), experiment(&RACING, 25));
    let mut journal = MemoryLog(bytes(&short));
    go(&long, &mut journal).unwrap();
    assert_eq!(search_rows(&journal.0), search_rows(&bytes(&long)));
}

#[test]
fn finalists_of_a_race_are_its_winners_once_each() {
    let experiment = experiment(&RACING, 30);
    let rows = search_rows(&bytes(&experiment));
    let best = finalists(&experiment, &rows, 5);
    let winners: Vec<_> = rows.iter().filter(|t| t.question.replicas == (6..12) && t.is_done()).collect();
    assert_eq!(winners.len(), 3);
    assert!(best[..3].iter().all(|t| t.question.replicas == (6..12)));
    assert!(better(best[0], best[1]).is_lt() && better(best[1], best[2]).is_lt());
    let genomes: Vec<_> = best.iter().map(|t| &t.question.genome).collect();
    assert!((1..5).all(|i| !genomes[..i].contains(&genomes[i])));
}
