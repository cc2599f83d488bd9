//! The loop: ask, evaluate, log, tell, then selection and report on fresh seeds.
//!
//! Starting and resuming are the same loop. Because ask/tell is deterministic, the rows that a log already has are the
//! answers to the first questions; they are taken instead of simulating again, and no optimizer saves any state.

use super::atlas;
use super::evaluate::Evaluate;
use super::experiment::Experiment;
use super::log::{self, Header, Journal, Log};
pub use super::watch::{Observer, Phase, Silent, Stopped};
use crate::error::{Class, Error};
use crate::math::rng::Seed;
use crate::registry::Settings;
use crate::search::{Genome, Optimizer, Purpose, Question, Setup, Trial, better};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

/// A search that came to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// All rows of the log.
    pub trials: Vec<Trial>,
    /// Why it ended.
    pub stopped: Stopped,
}

/// Runs an experiment, or continues it where its log ends.
///
/// Each search trial counts as one evaluation. A batch that would exceed them is cut, and its answers are not told to
/// the optimizer: the batch stays open, so that more evaluations later continue the very same questions. The rows of
/// an extension follow the old selection rows, and new selection rows follow them.
///
/// # Errors
/// If there is nothing to search, the log belongs to another experiment, it cannot be written, no search trial is
/// valid, or `cancel` was set; in each case what is in the log is good.
pub fn evolve(
    experiment: &Experiment,
    evaluator: &dyn Evaluate,
    journal: &mut dyn Journal,
    observer: &mut dyn Observer,
    cancel: &AtomicBool,
) -> Result<Finished, Error> {
    if experiment.space.genes.is_empty() {
        return Err(Error::input("nothing to search: every parameter is fixed")
            .key("parameters")
            .allowed("at least one { range = [low, high] }, { integers = [..] } or { choices = [..] }")
            .help("mark what to search, or use `simulate` or `sweep`"));
    }
    // The cells of an atlas can be filled although nothing is wanted within them.
    if experiment.targets().next().is_none() && experiment.atlas.is_empty() {
        return Err(Error::input("nothing is wanted: the experiment has no target")
            .key("target")
            .help("add a [target.NAME] table, or use `simulate` or `sweep`"));
    }
    let trials = begin(experiment, journal)?;
    let mut answers = Answers { evaluator, journal, observer, cancel, trials };
    let ended = answers.search(experiment).and_then(|stopped| {
        answers.check_fresh(experiment)?;
        Ok(stopped)
    });
    match ended {
        Ok(stopped) => Ok(Finished { trials: answers.trials, stopped }),
        Err(e) if e.class() == Class::Interrupted => {
            let done = answers.trials.iter().filter(|t| t.question.purpose == Purpose::Search).count();
            Err(Error::interrupted(format!("interrupted after {done} search trials; all of them are kept"))
                .file(answers.journal.name())
                .help("the same command with --resume continues where it stopped"))
        }
        Err(e) => Err(e),
    }
}

/// Writes the header, or reads the rows that are there.
fn begin(experiment: &Experiment, journal: &mut dyn Journal) -> Result<Vec<Trial>, Error> {
    let header = Header::new(experiment);
    let name = journal.name();
    match log::parse_started(&journal.read()?, &name)? {
        Some(Log { header: old, trials, torn, valid_len }) => {
            old.check(&header, &name)?;
            if torn {
                journal.cut(valid_len)?;
            }
            Ok(trials)
        }
        None => {
            journal.cut(0)?;
            journal.append(&log::line(&header))?;
            journal.batch(0)?;
            Ok(Vec::new())
        }
    }
}

/// Why the search of a log ended, as far as its rows tell: without a report at the end it was interrupted; with fewer
/// search trials than asked for, the space is used up.
pub fn stopped(experiment: &Experiment, trials: &[Trial]) -> Stopped {
    let searched = trials.iter().filter(|t| t.question.purpose == Purpose::Search).count() as u64;
    match trials.last().map(|t| t.question.purpose) {
        Some(Purpose::Baseline) if searched < experiment.search.evaluations => Stopped::Exhausted,
        Some(Purpose::Baseline) => Stopped::Budget,
        _ => Stopped::Interrupted,
    }
}

/// Whether the search trials of a log are no more than the experiment asks for.
///
/// # Errors
/// If they are more.
pub fn check_budget(experiment: &Experiment, trials: &[Trial], file: &str) -> Result<(), Error> {
    let budget = experiment.search.evaluations;
    let searched = trials.iter().filter(|t| t.question.purpose == Purpose::Search).count() as u64;
    if searched <= budget {
        return Ok(());
    }
    Err(Error::input(format!("the log has {searched} search trials, more than the {budget} asked for"))
        .file(file)
        .key("search.evaluations")
        .allowed(format!("at least {searched}"))
        .help("resume with --evaluations as large as before, or larger"))
}

/// The optimizer of an experiment at its birth.
pub fn optimizer(experiment: &Experiment) -> Box<dyn Optimizer> {
    let search = &experiment.search;
    let mut start = vec![experiment.space.encode(&experiment.defaults)];
    let given = experiment.space.encode(&experiment.start);
    if given != start[0] {
        start.push(given);
    }
    (search.optimizer.make)(&Setup {
        space: &experiment.space,
        seed: Seed(search.seed).child("optimizer", 0),
        parallel: search.parallel,
        replicas: experiment.replicas(),
        start,
        objectives: experiment.objectives.len(),
        measures: experiment.measures(),
        settings: Settings::new(search.optimizer.params, &search.settings),
    })
}

/// The best candidates of the search, best first, at most `count`, no two with the same values.
///
/// Of a candidate that was asked several times the row with the latest replicas stands for it, and candidates that
/// came further in a race go before others: a loss on few replicas may be luck. Failed trials are none.
pub fn finalists<'a>(experiment: &Experiment, trials: &'a [Trial], count: usize) -> Vec<&'a Trial> {
    let mut rows: Vec<&Trial> =
        trials.iter().filter(|t| t.question.purpose == Purpose::Search && t.is_done()).collect();
    rows.sort_by(|a, b| b.question.replicas.end.cmp(&a.question.replicas.end).then_with(|| better(a, b)));
    let mut seen: Vec<Vec<f64>> = Vec::new();
    rows.retain(|t| {
        let genes = experiment.space.decode(&t.question.genome);
        let fresh = seen.len() < count && !seen.contains(&genes);
        if fresh {
            seen.push(genes);
        }
        fresh
    });
    rows
}

/// Gives answers: from the rows that are there, then from the evaluator through the journal.
struct Answers<'a> {
    evaluator: &'a dyn Evaluate,
    journal: &'a mut dyn Journal,
    observer: &'a mut dyn Observer,
    cancel: &'a AtomicBool,
    trials: Vec<Trial>,
}

impl Answers<'_> {
    fn search(&mut self, experiment: &Experiment) -> Result<Stopped, Error> {
        let budget = experiment.search.evaluations;
        self.observer.phase(Phase::Search, budget);
        let searched = self.trials.iter().enumerate().filter(|(_, t)| t.question.purpose == Purpose::Search);
        let mut old: VecDeque<usize> = searched.map(|(row, _)| row).collect();
        check_budget(experiment, &self.trials, &self.journal.name())?;
        let mut optimizer = optimizer(experiment);
        let mut done = 0;
        while done < budget {
            let ask = optimizer.ask();
            if ask.is_empty() {
                return match old.front() {
                    None => Ok(Stopped::Exhausted),
                    Some(&row) => Err(self.mismatch(row)),
                };
            }
            let now = &ask[..ask.len().min((budget - done) as usize)];
            let rows = self.answer(now, &mut old)?;
            if now.len() < ask.len() {
                break;
            }
            // The optimizer counts search trials only, so that rows of a selection in between change nothing.
            let told: Vec<Trial> =
                rows.iter().zip(done..).map(|(&row, id)| Trial { id, ..self.trials[row].clone() }).collect();
            optimizer.tell(&told);
            done += now.len() as u64;
        }
        Ok(Stopped::Budget)
    }

    /// Finalists and defaults on fresh seeds; then the best of them and the defaults on seeds that nothing else saw.
    fn check_fresh(&mut self, experiment: &Experiment) -> Result<(), Error> {
        let last = self.trials.iter().rposition(|t| t.question.purpose == Purpose::Search).map_or(0, |row| row + 1);
        let mut old: VecDeque<usize> = (last..self.trials.len()).collect();
        let elites = atlas::elites(experiment, &self.trials, &[]);
        if !elites.is_empty() {
            return self.check_cells(experiment, elites, old);
        }
        let search = &experiment.search;
        let defaults = experiment.space.encode(&experiment.defaults);
        let best = finalists(experiment, &self.trials, search.finalists);
        if best.is_empty() {
            return Err(self.nothing("no search trial was valid", last));
        }
        let mut genomes: Vec<Genome> = best.iter().map(|t| t.question.genome.clone()).collect();
        let same = |g: &Genome| experiment.space.decode(g) == experiment.space.decode(&defaults);
        if !genomes.iter().any(same) {
            genomes.push(defaults.clone());
        }

        let ask =
            |genome: &Genome, replicas, purpose| Question { genome: genome.clone(), replicas: 0..replicas, purpose };
        self.observer.phase(Phase::Select, genomes.len() as u64);
        let questions: Vec<_> = genomes.iter().map(|g| ask(g, search.select_replicas, Purpose::Select)).collect();
        let rows = self.answer(&questions, &mut old)?;
        let best = rows.iter().map(|&row| &self.trials[row]).min_by(|a, b| better(a, b));
        let best = best.expect("at least one finalist was asked");
        if !best.is_done() {
            return Err(self.nothing("no finalist was valid on fresh seeds", last));
        }
        let questions = [
            ask(&best.question.genome, search.report_replicas, Purpose::Report),
            ask(&defaults, search.report_replicas, Purpose::Baseline),
        ];
        self.observer.phase(Phase::Report, 2);
        self.answer(&questions, &mut old)?;
        match old.front() {
            None => Ok(()),
            Some(&row) => Err(self.mismatch(row)),
        }
    }

    /// As [`Answers::check_fresh`] for an atlas: the elite of each cell, and where it has left the cell the next best one.
    fn check_cells(
        &mut self,
        experiment: &Experiment,
        mut elites: Vec<Genome>,
        mut old: VecDeque<usize>,
    ) -> Result<(), Error> {
        let search = &experiment.search;
        let defaults = experiment.space.encode(&experiment.defaults);
        let same = |g: &Genome| experiment.space.decode(g) == experiment.space.decode(&defaults);
        if !elites.iter().any(same) {
            elites.push(defaults.clone());
        }
        let ask =
            |genome: &Genome, replicas, purpose| Question { genome: genome.clone(), replicas: 0..replicas, purpose };
        let mut rows = Vec::new();
        for _ in 0..atlas::ROUNDS {
            if elites.is_empty() {
                break;
            }
            self.observer.phase(Phase::Select, elites.len() as u64);
            let questions: Vec<_> = elites.iter().map(|g| ask(g, search.select_replicas, Purpose::Select)).collect();
            rows.extend(self.answer(&questions, &mut old)?);
            let checked: Vec<&Trial> = rows.iter().map(|&row| &self.trials[row]).collect();
            elites = atlas::elites(experiment, &self.trials, &checked);
        }
        let best = rows.iter().map(|&row| &self.trials[row]).min_by(|a, b| better(a, b));
        let best = best.filter(|t| t.is_done()).map(|t| t.question.genome.clone());
        let Some(best) = best else {
            return Err(self.nothing("no elite of the atlas was valid on fresh seeds", 0));
        };
        let questions = [
            ask(&best, search.report_replicas, Purpose::Report),
            ask(&defaults, search.report_replicas, Purpose::Baseline),
        ];
        self.observer.phase(Phase::Report, 2);
        self.answer(&questions, &mut old)?;
        match old.front() {
            None => Ok(()),
            Some(&row) => Err(self.mismatch(row)),
        }
    }

    /// Rows that answer the questions, in their order.
    fn answer(&mut self, ask: &[Question], old: &mut VecDeque<usize>) -> Result<Vec<usize>, Error> {
        let mut rows = Vec::with_capacity(ask.len());
        for question in ask {
            let Some(row) = old.pop_front() else { break };
            if self.trials[row].question != *question {
                return Err(self.mismatch(row));
            }
            self.observer.trial(&self.trials[row], true);
            rows.push(row);
        }
        let ask = &ask[rows.len()..];
        if ask.is_empty() {
            return Ok(rows);
        }
        if self.cancel.load(Ordering::Relaxed) {
            return Err(super::evaluate::interrupted());
        }
        let first = self.trials.len();
        let (journal, observer, trials) = (&mut *self.journal, &mut *self.observer, &mut self.trials);
        let ended = self.evaluator.evaluate(ask, first as u64, &mut |trial| {
            journal.append(&log::line(&trial))?;
            observer.trial(&trial, false);
            trials.push(trial);
            Ok(())
        });
        let synced = self.journal.batch((self.trials.len() - first) as u64);
        ended.and(synced)?;
        rows.extend(first..first + ask.len());
        Ok(rows)
    }

    fn mismatch(&self, row: usize) -> Error {
        Error::input("this row of the log does not answer the question that the search asks here: the log was written by another version, or edited")
            .file(self.journal.name())
            .line(row + 2)
            .help("continue with the version that started it, or start again in another folder with --out")
    }

    /// Nothing valid came out; the commonest reason is named.
    fn nothing(&self, what: &str, from: usize) -> Error {
        let rows = if from < self.trials.len() { &self.trials[from..] } else { &self.trials[..] };
        let reason = rows.iter().rev().find_map(log::failure).unwrap_or("no reason is known");
        Error::nothing(format!("{what}; the last failure: {reason}"))
            .file(self.journal.name())
            .help("everything is kept in the log; look at its reasons, narrow the ranges or take a smaller time_step_s")
    }
}
