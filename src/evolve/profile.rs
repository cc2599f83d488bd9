//! Profiles around the recommendation, as questions of the log: how far each parameter can go while the others follow.

use super::budget::spent;
use super::experiment::Experiment;
use super::log;
use super::neighborhood::{Units, comparable, coordinates, draws, noise, numbers, refused};
use super::scoring::Rescore;
use crowdtune_search::sensitivity::profile::{self, Answer, Asked, Found, Profiles, Setup};
use crowdtune_search::sensitivity::valley;
use crowdtune_search::{Genome, Purpose, Question, Trial};

/// Fewest replicas of a point. Chosen here: the noise of a difference is measured on them, and of fewer than four Student's t knows
/// next to nothing.
const REPLICAS: u32 = 4;

/// The profiles of a log.
#[derive(Debug)]
pub(super) struct Check<'a> {
    experiment: &'a Experiment,
    rescore: Rescore<'a>,
    /// Genes that are numbers.
    pub numbers: Vec<usize>,
    best: Genome,
    replicas: u32,
    profiles: Profiles,
    units: Option<Units>,
    /// How far the recommendation itself misses its musts on the first replicas, and on the fresh ones.
    violation: [Option<f64>; 2],
}

impl<'a> Check<'a> {
    /// Before the first question about this candidate, with the search and the selection before it. `None` where nothing can be asked:
    /// several objectives, an atlas, no numbers, too few comparable trials, or no noise that a difference could be measured by.
    pub fn new(experiment: &'a Experiment, trials: &[Trial], best: &Genome) -> Option<Self> {
        let numbers = numbers(experiment);
        if numbers.is_empty() || experiment.objectives.len() != 1 || !experiment.atlas.is_empty() {
            return None;
        }
        let rows = comparable(experiment, trials, Some(best));
        let search: Vec<(Vec<f64>, f64)> =
            rows.iter().map(|t| (coordinates(experiment, &numbers, &t.question.genome), t.objectives[0])).collect();
        if search.len() < numbers.len() + 2 {
            return None;
        }
        let refused = refused(experiment, trials, best);
        let refused = refused.iter().map(|t| coordinates(experiment, &numbers, &t.question.genome)).collect();
        let drawn = log::last_check(trials).selection.iter().any(draws);
        let replicas = if drawn { experiment.replicas().max(REPLICAS) } else { 1 };
        let noise = guess(experiment, &rows, &search, replicas)?;
        let at = coordinates(experiment, &numbers, best);
        let ways = profile::ways(&at, &search, noise);
        let cells = numbers.iter().map(|&g| experiment.space.genes[g].axis.cells()).collect();
        Some(Self {
            experiment,
            rescore: Rescore::new(experiment),
            profiles: Profiles::new(Setup { best: at, cells, search, refused, noise, drawn, ways }),
            numbers,
            best: best.clone(),
            replicas,
            units: None,
            violation: [None; 2],
        })
    }

    /// Number of questions that the share of the search's simulations is worth; 0 if that is not one for each side of each profile.
    pub fn questions(&self, experiment: &Experiment, trials: &[Trial]) -> u64 {
        let cases = experiment.cases.iter().filter(|c| !c.held_out).count().max(1) as u64;
        let worth = (experiment.search.profile_share * spent(experiment, trials) as f64) as u64;
        let count = worth / (cases * u64::from(self.replicas));
        if count > self.profiles.sides() as u64 { count } else { 0 }
    }

    /// The next questions; empty when nothing is left to ask.
    pub fn ask(&mut self) -> Vec<Question> {
        let asked = self.profiles.ask();
        let question = |asked: Asked| {
            let mut genome = self.best.clone();
            self.numbers.iter().zip(asked.x).for_each(|(&g, x)| genome[g] = x);
            let first = if asked.again { self.replicas } else { 0 };
            Question { genome, replicas: first..first + self.replicas, purpose: Purpose::Profile }
        };
        asked.into_iter().map(question).collect()
    }

    /// The answers to the first of them, in their order.
    pub fn tell(&mut self, rows: &[&Trial]) {
        // The recommendation comes first on either set of replicas.
        for row in rows {
            if self.violation == [None; 2] {
                self.units = Units::of(row);
            }
            self.violation[set(row)].get_or_insert(row.violation);
        }
        let answers = rows.iter().map(|row| self.answer(row)).collect();
        self.profiles.tell(answers);
    }

    fn answer(&self, row: &Trial) -> Option<Answer> {
        if !row.is_done() || self.violation[set(row)].is_some_and(|best| row.violation > best) {
            return None;
        }
        let parts = self.units.as_ref().map(|units| units.parts(self.experiment, &self.rescore, row));
        Some(Answer { loss: *row.objectives.first()?, parts: parts.map_or(Some(Vec::new()), |parts| parts)? })
    }

    /// What the rows of a log show, with what the noise was measured from; `None` if there are none, or they answer other questions.
    pub fn again(experiment: &'a Experiment, trials: &[Trial]) -> Option<(Self, Found)> {
        let at = trials.iter().rposition(|t| t.question.purpose == Purpose::Report)?;
        let rows: Vec<&Trial> = trials[at..].iter().filter(|t| t.question.purpose == Purpose::Profile).collect();
        let mut check = Self::new(experiment, &trials[..=at], &trials[at].question.genome)?;
        let mut rest = &rows[..];
        while !rest.is_empty() {
            let asked = check.ask();
            let (now, later) = rest.split_at(asked.len().min(rest.len()));
            if now.is_empty() || now.iter().zip(&asked).any(|(row, question)| row.question != *question) {
                return None;
            }
            check.tell(now);
            rest = later;
        }
        let found = check.profiles.found();
        (found.points > 1).then_some((check, found))
    }

    /// What the noise was measured from; `fit` if it was guessed.
    pub fn noise_from(&self) -> &'static str {
        self.units.as_ref().map_or("fit", Units::word)
    }

    /// Replicas of a point.
    pub fn replicas(&self) -> u32 {
        self.replicas
    }
}

/// Which replicas a question ran on: 0 for the first ones, 1 for the fresh ones.
fn set(row: &Trial) -> usize {
    usize::from(row.question.replicas.start > 0)
}

/// Standard error of a loss on so many replicas: measured on those of the search, or what a quadratic model leaves open.
fn guess(experiment: &Experiment, rows: &[&Trial], search: &[(Vec<f64>, f64)], replicas: u32) -> Option<f64> {
    // Of a mean it falls with the root of their number.
    let ran = rows.first().map_or(replicas, |row| row.question.replicas.end - row.question.replicas.start);
    let fewer = (f64::from(ran) / f64::from(replicas)).sqrt().min(1.0);
    match noise(experiment, rows).filter(|(noise, _)| *noise > 0.0) {
        Some((noise, Units::Replicas(_))) => Some(noise * fewer),
        Some((noise, Units::Cases(_))) => Some(noise),
        None => {
            let (points, losses): (Vec<_>, Vec<_>) = search.iter().cloned().unzip();
            valley::fit(&points, &losses, None).ok().map(|found| found.noise * fewer).filter(|noise| *noise > 0.0)
        }
    }
}
