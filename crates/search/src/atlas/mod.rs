//! Quality-diversity: the best candidate for every cell on the axes of an atlas (MAP-Elites: Mouret, Clune, arXiv:1504.04909).
//!
//! The archive is a [`grid`] of cells. A [`bandit`] shares the questions among [`emitters`]: anywhere, normal steps, lines between
//! elites, an evolution strategy ([`improvement`]), and steps aimed at a cell ([`aimed_step`]) by the [`slopes`] that elites carry and
//! what the [`landscape`] is like. Where answers are noisy, elites are evaluated again ([`reevaluation`]).

mod aimed_step;
mod bandit;
mod emitters;
mod grid;
mod improvement;
mod landscape;
mod reevaluation;
mod slopes;
#[cfg(test)]
mod tests;

use crate::unseen::Unseen;
use crate::variation::latin;
use crate::{Genome, Goal, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use bandit::Bandit;
use crowdtune_core::math::rng::{ChaCha8Rng, Seed};
use crowdtune_core::registry::{Entry, Param};
use emitters::{Child, EMITTERS, Emitter, emit};
pub use grid::{Elite, Grid, Offer};
use improvement::ImprovementEmitter;
use landscape::Landscape;
use reevaluation::{DEPTH, Reevaluation};
use std::ops::Range;

/// The optimizer's entry.
pub static ENTRY: Entry<MakeOptimizer> = Entry {
    name: "atlas",
    doc: "Quality-diversity: the best candidate in every cell of an atlas of measures, by several emitters at once.",
    source: "Mouret, Clune, arXiv:1504.04909 (2015); Cully, GECCO 2021; docs/decisions.md",
    params: PARAMS,
    make: MakeOptimizer { goal: Goal::Atlas, repeats: true, usual: true, ..MakeOptimizer::new(make) },
};

static PARAMS: &[Param] = &[Param::integer("design", 80, (1, 10_000), (5, 200))
    .doc("number of spread-out candidates before the first children")
    .source(
        "chosen here: emitters need elites to start from; 10 filled fewer of 100 cells in 1000 evaluations, 150 \
         fewer in 300",
    )];

/// Most elites of [`Optimizer::recommend`]. Chosen here: what a page or a table can show.
const RECOMMENDED: usize = 1000;
/// Tries for a child that was not asked before, until any unseen candidate is taken. Chosen here: enough that it happens
/// only in nearly exhausted neighborhoods.
const TRIES: usize = 20;

/// How a question came about.
enum Origin {
    /// A start point, the design, or anything unseen.
    Plain,
    /// The elite of this id in this cell, on further replicas.
    Again { cell: u64, id: u64 },
    /// From the emitter of this number, with its parent and the cell it was aimed at, if any.
    Emitted { arm: usize, parent: Option<Box<Elite>>, target: Option<u64> },
}

struct Atlas {
    unseen: Unseen,
    seed: Seed,
    parallel: usize,
    replicas: u32,
    /// Start points and design, last one first.
    waiting: Vec<Genome>,
    asked: Vec<Origin>,
    grid: Grid,
    bandit: Bandit,
    improvement: ImprovementEmitter,
    landscape: Landscape,
    reevaluation: Reevaluation,
    told: u64,
    batch: u64,
}

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    let mut rng = setup.seed.child("atlas design", 0).rng();
    let mut waiting = latin(setup.space.len(), setup.settings.whole("design").max(1) as usize, &mut rng);
    waiting.push(vec![0.5; setup.space.len()]);
    waiting.append(&mut setup.start_inside());
    Box::new(Atlas {
        unseen: Unseen::new(setup.space),
        seed: setup.seed,
        parallel: setup.parallel.max(1),
        replicas: setup.replicas,
        waiting,
        asked: Vec::new(),
        grid: Grid::new(&setup.measures, 1),
        bandit: Bandit::new(EMITTERS.len()),
        improvement: ImprovementEmitter::default(),
        landscape: Landscape::new(),
        reevaluation: Reevaluation::new(setup.replicas),
        told: 0,
        batch: 0,
    })
}

impl Optimizer for Atlas {
    fn ask(&mut self) -> Vec<Question> {
        let mut rng = self.seed.child("atlas", self.batch).rng();
        self.batch += 1;
        self.asked.clear();
        let mut questions = Vec::with_capacity(self.parallel);
        while questions.len() < self.parallel {
            let Some((genome, replicas, origin)) = self.next(&mut rng) else { break };
            self.asked.push(origin);
            questions.push(Question { genome, replicas, purpose: Purpose::Search });
        }
        questions
    }

    fn tell(&mut self, trials: &[Trial]) {
        let mut rng = self.seed.child("atlas learning", self.batch).rng();
        for (trial, origin) in trials.iter().zip(std::mem::take(&mut self.asked)) {
            self.told += 1;
            let elite = Elite::of(trial, self.grid.measures().len());
            match origin {
                Origin::Again { cell, id } => self.repeated(cell, id, elite),
                Origin::Plain => {
                    if let Some(elite) = elite {
                        self.place(elite, None, false, &mut rng);
                    }
                }
                Origin::Emitted { arm, parent, target } => {
                    if let Some(target) = target {
                        *self.landscape.misses.entry(target).or_insert(0) += 1;
                    }
                    let loss = elite.as_ref().map_or(0.0, |elite| elite.loss);
                    let found = elite.map(|elite| self.place(elite, parent.as_deref(), target.is_some(), &mut rng));
                    if EMITTERS[arm] == Emitter::Improve {
                        self.improvement.tell(&trial.question.genome, found.as_ref().map(|(offer, _)| offer), loss);
                    }
                    self.bandit.reward(arm, found.map_or(0.0, |(_, worth)| worth));
                }
            }
        }
    }

    fn stop(&self) -> Option<StopReason> {
        self.unseen.exhausted().then_some(StopReason::Exhausted)
    }

    fn recommend(&self) -> Vec<Genome> {
        let mut elites: Vec<(bool, &Elite)> = Vec::with_capacity(self.grid.len());
        for ranks in self.grid.ranks() {
            let settled = ranks.iter().find(|elite| self.reevaluation.settled(elite));
            elites.push((settled.is_none(), settled.unwrap_or(&ranks[0])));
        }
        elites.sort_by(|(a, one), (b, two)| a.cmp(b).then_with(|| one.compare(two)));
        elites.iter().take(RECOMMENDED).map(|(_, elite)| elite.genome.clone()).collect()
    }
}

impl Atlas {
    /// The next question: what waits, else an elite again, else the candidate of an emitter, else anything unseen.
    fn next(&mut self, rng: &mut ChaCha8Rng) -> Option<(Genome, Range<u32>, Origin)> {
        while let Some(genome) = self.waiting.pop() {
            if let Some(genome) = self.unseen.take(&genome) {
                return Some((genome, 0..self.replicas, Origin::Plain));
            }
        }
        // An archive without axes is an ordinary search, where nothing is asked twice.
        if !self.grid.measures().is_empty()
            && !self.unseen.exhausted()
            && let Some((cell, elite)) = self.reevaluation.next(&self.grid, self.told)
        {
            let replicas = elite.replicas..elite.replicas.saturating_add(self.replicas);
            return Some((elite.genome.clone(), replicas, Origin::Again { cell, id: elite.id }));
        }
        self.reevaluation.other();
        for _ in 0..if self.grid.is_empty() { 0 } else { TRIES } {
            let arm = self.bandit.draw(rng);
            let Child { genome, parent, target } = {
                let (space, landscape) = (self.unseen.space(), &self.landscape);
                emit(EMITTERS[arm], space, &self.grid, landscape, &mut self.improvement, rng)
            };
            if let Some(genome) = self.unseen.take(&genome) {
                let origin = Origin::Emitted { arm, parent: parent.map(Box::new), target };
                return Some((genome, 0..self.replicas, origin));
            }
        }
        self.unseen.take_any(rng).map(|genome| (genome, 0..self.replicas, Origin::Plain))
    }

    /// Learns from a new candidate and offers it to the archive; what became of it, and what that is worth, 0 to 1.
    fn place(&mut self, mut elite: Elite, parent: Option<&Elite>, aimed: bool, rng: &mut ChaCha8Rng) -> (Offer, f64) {
        self.landscape.learn(&mut elite, parent, aimed, &mut self.grid, rng);
        let cell = self.grid.index(&elite.measures);
        let (violation, loss) = (elite.violation, elite.loss);
        let offer = self.grid.offer(elite);
        let worth = self.landscape.worth(&offer, violation, loss);
        if offer == Offer::Filled {
            self.reevaluation.filled();
        }
        if offer != Offer::Behind {
            self.landscape.misses.remove(&cell);
            self.reevaluation.look(&self.grid, cell);
        }
        (offer, worth)
    }

    /// Takes the answer of an elite on further replicas: its means move, perhaps to another cell. One that failed is dropped.
    fn repeated(&mut self, cell: u64, id: u64, found: Option<Elite>) {
        let Some(mut elite) = self.grid.take(cell, id) else { return };
        let same = found.as_ref().is_some_and(|f| f.loss == elite.loss && f.measures == elite.measures);
        let mut places = vec![cell];
        if let Some(found) = found {
            elite.merge(&found);
            places.push(self.grid.index(&elite.measures));
            self.grid.offer(elite);
        }
        if !same && !self.reevaluation.noisy {
            self.grid.deepen(DEPTH);
            self.reevaluation.differs(&self.grid);
            self.landscape.noisy = true;
        }
        for cell in places {
            self.reevaluation.look(&self.grid, cell);
        }
    }
}
