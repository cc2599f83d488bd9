//! Several objectives: the optimizer `pareto`, and what a front is.
//!
//! A small steady-state population, and an archive of everything that nothing dominates. Children come from crossover with
//! mutation, differential variation and mutation of single genes; the source whose children survive more often gets a larger share.
//! Survival is by non-dominated layers, then by hypervolume (up to three objectives) or reference directions (four and more), which
//! change all the time and bring members of the archive back. The answer is a spread over the archive.
//!
//! For anyone with losses in hand: [`dominates`], [`hypervolume`], [`subset`], [`knee`], [`preferred`]; for the trials of a search:
//! [`front`] and [`candidates`].

mod archive;
mod children;
mod directions;
mod dominance;
mod front;
mod hypervolume;
mod subset;
mod survival;

pub use dominance::dominates;
pub use front::{Candidate, candidates, front, knee, preferred};
pub use hypervolume::hypervolume;
pub use subset::subset;

use crate::unseen::Unseen;
use crate::variation::{MUTATION_ETA, SBX_ETA, latin};
use crate::{Genome, Goal, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use archive::{Archive, Point};
use children::{Breeder, Source};
use crowdtune_core::math::rng::{ChaCha8Rng, Seed};
use crowdtune_core::registry::{Entry, Param};
use survival::{Rival, survivors};

/// The optimizer's entry.
pub static ENTRY: Entry<MakeOptimizer> = Entry {
    name: "pareto",
    doc: "Many objectives: a small population, every undominated candidate kept, a spread over the front as the answer.",
    source: "Beume, Naujoks, Emmerich, Eur. J. Oper. Res. 181, 1653 (2007); Deb, Jain, IEEE Trans. Evol. Comput. 18, 577 (2014)",
    params: PARAMS,
    make: MakeOptimizer {
        goal: Goal::Front,
        objectives: 2..=usize::MAX,
        repeats: true,
        usual: true,
        squares: false,
        make,
    },
};

static PARAMS: &[Param] = &[
    Param::integer("population", 24, (4, 10_000), (10, 100))
        .symbol("N")
        .doc("number of candidates that live at a time")
        .source("chosen here: fewer lose on rugged problems, more are slower (docs/decisions.md)"),
    SBX_ETA,
    MUTATION_ETA,
    Param::integer("rounds", 3, (1, 1000), (1, 10))
        .doc("where replicas differ: how often a candidate is asked, on new ones each time, before it counts")
        .source(
            "chosen here: three tell luck from merit in most cases and cost little, because only members of the \
             archive are asked again",
        ),
];

/// Tries for a child that was not asked before, until any unseen candidate is taken. Chosen here: as in `ga`.
const TRIES: usize = 20;
/// Most points of a recommendation. Chosen here: more than anyone looks at, and what comparisons score.
const SHOWN: usize = 100;
/// Largest share of questions about known candidates. Chosen here: half, so that the search goes on.
const AGAIN: f64 = 0.5;
/// Questions between two sets of directions, in populations. Chosen here: 1 is worse, 0.25 hardly better (docs/decisions.md).
const TURN: f64 = 0.5;

/// How a question came about.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// A start point, the design, or chance.
    Plain,
    Child(Source),
    /// A known point on new replicas.
    Again(u32),
}

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    let settings = setup.settings;
    let size = settings.whole("population").max(4) as usize;
    Box::new(Pareto {
        unseen: Unseen::new(setup.space),
        seed: setup.seed,
        parallel: setup.parallel.max(1),
        replicas: setup.replicas,
        objectives: setup.objectives,
        size,
        directions: Vec::new(),
        turn: 0,
        rounds: settings.whole("rounds").max(1) as u32,
        waiting: None,
        start: setup.start_inside(),
        asked: Vec::new(),
        points: Vec::new(),
        population: Vec::new(),
        limits: false,
        archive: Archive::new(),
        breeder: Breeder::new(settings.get("sbx_eta"), settings.get("mutation_eta")),
        batch: 0,
        questions: 0,
        repeats: 0,
    })
}

struct Pareto {
    unseen: Unseen,
    seed: Seed,
    parallel: usize,
    replicas: u32,
    objectives: usize,
    size: usize,
    /// Reference directions, with four objectives or more.
    directions: Vec<Vec<f64>>,
    /// Number of questions after which there are other directions.
    turn: u64,
    /// Rounds where replicas differ, at most as many as the evaluator has replicas for.
    rounds: u32,
    /// Candidates of the initial design, last one first; `None` before they were laid out.
    waiting: Option<Vec<Genome>>,
    start: Vec<Genome>,
    asked: Vec<Origin>,
    /// Everything that gave objectives, older first.
    points: Vec<Point>,
    /// Indices of the population, older first, with their layers.
    population: Vec<(u32, usize)>,
    /// True once a candidate violated a constraint.
    limits: bool,
    archive: Archive,
    breeder: Breeder,
    batch: u64,
    questions: u64,
    repeats: u64,
}

impl Optimizer for Pareto {
    fn ask(&mut self) -> Vec<Question> {
        let mut rng = self.seed.child("pareto", self.batch).rng();
        self.batch += 1;
        if self.waiting.is_none() {
            let mut design = latin(self.unseen.space().len(), self.size.saturating_sub(self.start.len()), &mut rng);
            design.append(&mut self.start);
            self.waiting = Some(design);
        }
        self.asked.clear();
        let mut questions = Vec::with_capacity(self.parallel);
        let mut again = self.unproved().into_iter();
        while questions.len() < self.parallel {
            let (genome, origin, round) = if let Some(index) = again.next() {
                let point = &self.points[index as usize];
                (point.genome.clone(), Origin::Again(index), point.rounds)
            } else if let Some((genome, origin)) = self.next(&mut rng) {
                (genome, origin, 0)
            } else {
                break;
            };
            self.asked.push(origin);
            let replicas = round * self.replicas..(round + 1) * self.replicas;
            questions.push(Question { genome, replicas, purpose: Purpose::Search });
        }
        self.questions += questions.len() as u64;
        questions
    }

    fn tell(&mut self, trials: &[Trial]) {
        let mut rivals: Vec<u32> = self.population.iter().map(|&(i, _)| i).collect();
        let asked = std::mem::take(&mut self.asked);
        let mut children = Vec::new();
        for (trial, &origin) in trials.iter().zip(&asked) {
            if self.archive.needed() == 1 && self.rounds > 1 && trial.is_noisy() {
                self.archive.need(&self.points, self.rounds);
            }
            let healthy = trial.is_done()
                && trial.violation.is_finite()
                && trial.objectives.len() == self.objectives
                && trial.objectives.iter().all(|x| x.is_finite());
            if let Origin::Again(index) = origin {
                self.archive.remove(index);
                if healthy {
                    self.points[index as usize].add(&trial.objectives, trial.violation);
                } else if trial.values.iter().all(Vec::is_empty) {
                    // There are no more replicas: a point that was asked as often as this one is known as well as possible.
                    self.rounds = self.rounds.min(self.points[index as usize].rounds);
                    self.archive.need(&self.points, self.rounds);
                } else {
                    rivals.retain(|&i| i != index);
                    continue;
                }
                self.archive.offer(&self.points, index);
                continue;
            }
            if healthy {
                let index = self.points.len() as u32;
                self.limits |= trial.violation > 0.0;
                let (genome, losses) = (trial.question.genome.clone(), trial.objectives.clone());
                self.points.push(Point { genome, losses, violation: trial.violation, rounds: 1 });
                rivals.push(index);
                self.archive.offer(&self.points, index);
                children.push((Some(index), origin));
            } else {
                children.push((None, origin));
            }
        }
        if self.objectives > 3 && self.questions >= self.turn {
            rivals.extend(self.turn());
            rivals.sort_unstable();
            rivals.dedup();
        }
        self.survive(&rivals);
        let fates = children.into_iter().filter_map(|(index, origin)| match origin {
            Origin::Child(source) => Some((source, index.is_some_and(|i| self.lives(i)))),
            _ => None,
        });
        let fates: Vec<(Source, bool)> = fates.collect();
        self.breeder.learn(&fates);
    }

    fn stop(&self) -> Option<StopReason> {
        self.unseen.exhausted().then_some(StopReason::Exhausted)
    }

    fn recommend(&self) -> Vec<Genome> {
        let rounds = |i: &u32| self.points[*i as usize].rounds;
        let most = self.archive.members().iter().map(rounds).max().unwrap_or(0);
        let needed = most.min(self.archive.needed());
        let proved: Vec<u32> = self.archive.members().iter().copied().filter(|i| rounds(i) >= needed).collect();
        let losses: Vec<Vec<f64>> = proved.iter().map(|&i| self.points[i as usize].losses.clone()).collect();
        let shown: Vec<u32> = if proved.is_empty() {
            // Nothing is feasible: the smallest violation comes closest.
            let violation = |i: u32| self.points[i as usize].violation;
            let least = self.population.iter().map(|&(i, _)| i).min_by(|&a, &b| violation(a).total_cmp(&violation(b)));
            least.into_iter().collect()
        } else {
            subset(&losses, SHOWN).into_iter().map(|i| proved[i]).collect()
        };
        shown.into_iter().map(|i| self.points[i as usize].genome.clone()).collect()
    }
}

impl Pareto {
    /// Members of the archive that are to be asked again in this batch: those in the population first, then those with most
    /// rounds, then older ones.
    fn unproved(&mut self) -> Vec<u32> {
        if self.archive.needed() == 1 {
            return Vec::new();
        }
        let total = (self.questions + self.parallel as u64) as f64;
        let room = ((AGAIN * total) as u64).saturating_sub(self.repeats).min(self.parallel as u64) as usize;
        let rounds = |i: &u32| self.points[*i as usize].rounds;
        let mut todo: Vec<u32> =
            self.archive.members().iter().copied().filter(|i| rounds(i) < self.archive.needed()).collect();
        todo.sort_by_key(|i| (!self.lives(*i), std::cmp::Reverse(rounds(i)), *i));
        todo.truncate(room);
        self.repeats += todo.len() as u64;
        todo
    }

    /// The next new question: what waits, else a child, else anything unseen.
    fn next(&mut self, rng: &mut ChaCha8Rng) -> Option<(Genome, Origin)> {
        while let Some(genome) = self.waiting.as_mut().and_then(Vec::pop) {
            if let Some(genome) = self.unseen.claim(genome) {
                return Some((genome, Origin::Plain));
            }
        }
        // Differential variation needs three different members.
        if self.population.len() >= 3 {
            for attempt in 0..TRIES {
                let family = children::Family {
                    space: self.unseen.space(),
                    points: &self.points,
                    members: &self.population,
                    limits: self.limits,
                    anew: self.limits || self.objectives > 2,
                };
                let (genome, source) = self.breeder.child(&family, attempt > 0, rng);
                if let Some(genome) = self.unseen.claim(genome) {
                    return Some((genome, Origin::Child(source)));
                }
            }
        }
        self.unseen.take_any(rng).map(|genome| (genome, Origin::Plain))
    }

    /// Draws other directions, and gives the members of the archive that suit them best: the population wanders, and all of the
    /// front goes on, not only what lies at a few rays.
    fn turn(&mut self) -> Vec<u32> {
        let mut rng = self.seed.child("pareto directions", self.turn).rng();
        self.directions = directions::chance(self.objectives, self.size, &mut rng);
        self.turn = self.questions + (TURN * self.size as f64).ceil() as u64;
        let members = self.archive.members();
        let losses: Vec<&[f64]> = members.iter().map(|&i| &self.points[i as usize].losses[..]).collect();
        let best = directions::along(&front::scaled(&losses), &self.directions, directions::chebyshev);
        best.into_iter().map(|i| members[i]).collect()
    }

    /// True if a point is in the population.
    fn lives(&self, index: u32) -> bool {
        self.population.binary_search_by_key(&index, |&(i, _)| i).is_ok()
    }

    /// Picks the next population; rivals are given older first.
    fn survive(&mut self, rivals: &[u32]) {
        let points = &self.points;
        let seen: Vec<Rival<'_>> = rivals
            .iter()
            .map(|&i| Rival { losses: &points[i as usize].losses, violation: points[i as usize].violation })
            .collect();
        let mut layers = vec![None; rivals.len()];
        if self.limits {
            // Half as many again live that would be the best without constraints: they lead across what is infeasible, and
            // keep the others apart as long as the least violation is all that counts (Tian, Zhang, Xiao, Zhang, Jin, IEEE Trans. Evol.
            // Comput. 25, 102, 2021; differs: one family, and half the size).
            let free: Vec<Rival<'_>> = seen.iter().map(|rival| Rival { violation: 0.0, ..*rival }).collect();
            for (at, layer) in survivors(&free, self.size / 2, &self.directions) {
                layers[at] = Some(layer);
            }
        }
        for (at, layer) in survivors(&seen, self.size, &self.directions) {
            layers[at] = Some(layer);
        }
        let lives = |(&i, layer): (&u32, Option<usize>)| layer.map(|layer| (i, layer));
        self.population = rivals.iter().zip(layers).filter_map(lives).collect();
    }
}

#[cfg(test)]
mod tests;
