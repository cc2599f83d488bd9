//! Random search: the honest baseline (Bergstra, Bengio, J. Mach. Learn. Res. 13, 281, 2012).

use crate::advised::Advised;
use crate::unseen::Unseen;
use crate::{Genome, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::Entry;

/// The optimizer's entry.
pub static ENTRY: Entry<MakeOptimizer> = Entry {
    name: "random",
    doc: "Candidates drawn uniformly from the whole space, none twice: the baseline that others have to beat.",
    source: "Bergstra, Bengio, J. Mach. Learn. Res. 13, 281 (2012)",
    params: &[],
    make: MakeOptimizer { objectives: 1..=usize::MAX, ..MakeOptimizer::new(make) },
};

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    let random = Random {
        unseen: Unseen::new(setup.space),
        seed: setup.seed,
        parallel: setup.parallel.max(1),
        replicas: setup.replicas,
        start: setup.start_inside(),
        batch: 0,
    };
    if setup.objectives == 1 { Box::new(Advised::new(random, setup)) } else { Box::new(random) }
}

struct Random {
    unseen: Unseen,
    seed: Seed,
    parallel: usize,
    replicas: u32,
    start: Vec<Genome>,
    batch: u64,
}

impl Optimizer for Random {
    fn ask(&mut self) -> Vec<Question> {
        let mut rng = self.seed.child("random", self.batch).rng();
        self.batch += 1;
        let mut questions = Vec::with_capacity(self.parallel);
        while questions.len() < self.parallel {
            let genome = match self.start.pop() {
                Some(start) => match self.unseen.take(&start) {
                    Some(genome) => genome,
                    None => continue,
                },
                None => match self.unseen.take_any(&mut rng) {
                    Some(genome) => genome,
                    None => break,
                },
            };
            questions.push(Question { genome, replicas: 0..self.replicas, purpose: Purpose::Search });
        }
        questions
    }

    fn tell(&mut self, _trials: &[Trial]) {}

    fn stop(&self) -> Option<StopReason> {
        self.unseen.exhausted().then_some(StopReason::Exhausted)
    }
}
