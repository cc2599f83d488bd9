//! The loop: ask, evaluate, log, tell, then a race of the finalists and a report on fresh seeds.
//!
//! Starting and resuming are the same loop. Because ask/tell is deterministic, the rows that a log already has are the
//! answers to the first questions; they are taken instead of simulating again, and no optimizer saves any state.

use super::atlas;
use super::candidates::contestants;
pub use super::candidates::{candidates, finalists};
use super::evaluate::Evaluate;
use super::experiment::Experiment;
use super::front;
use super::log::{self, Header, Journal, Log};
use super::race::Race;
use super::scoring;
use super::stop::Watch;
pub use super::watch::{Observer, Phase, Silent, Stopped};
use crowdtune_core::error::{Class, Error};
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::Settings;
use crowdtune_search::replication::Adaptive;
use crowdtune_search::{Genome, Optimizer, Purpose, Question, Setup, Trial, better};
use std::collections::{BTreeSet, VecDeque};
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
/// Each search trial counts as one evaluation; where replicas adapt, simulations count, and an evaluation is as many as it would
/// have with fixed replicas. A batch that would exceed them is cut, and its answers are not told to
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
    let ended = answers.search(experiment).and_then(|(stopped, proposed)| {
        answers.check_fresh(experiment, &proposed)?;
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
pub(super) fn begin(experiment: &Experiment, journal: &mut dyn Journal) -> Result<Vec<Trial>, Error> {
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
/// search trials than asked for a rule to stop holds, the space is used up, or the time was over.
pub fn stopped(experiment: &Experiment, trials: &[Trial]) -> Stopped {
    let mut watch = Watch::new(experiment);
    trials.iter().for_each(|t| watch.see(t));
    let searched = || trials.iter().filter(|t| t.question.purpose == Purpose::Search);
    let enough = spent(experiment, trials) >= budget(experiment);
    let used_up = || {
        experiment.space.finite_size().is_some_and(|size| {
            let tried: BTreeSet<_> = searched().map(|t| experiment.space.key(&t.question.genome)).collect();
            tried.len() as u64 >= size
        })
    };
    match (trials.last().map(|t| t.question.purpose), watch.over()) {
        (Some(Purpose::Baseline), Some(Stopped::Loss)) => Stopped::Loss,
        (Some(Purpose::Baseline), _) if enough => Stopped::Budget,
        (Some(Purpose::Baseline), Some(rule)) => rule,
        (Some(Purpose::Baseline), None) if experiment.search.stop.time_s.is_some() && !used_up() => Stopped::Time,
        (Some(Purpose::Baseline), None) => Stopped::Exhausted,
        _ => Stopped::Interrupted,
    }
}

/// Simulations that the search may take: those of its evaluations.
fn budget(experiment: &Experiment) -> u64 {
    experiment.search.evaluations.saturating_mul(experiment.simulations())
}

/// Simulations that the search rows count for.
fn spent(experiment: &Experiment, trials: &[Trial]) -> u64 {
    let searched = trials.iter().filter(|t| t.question.purpose == Purpose::Search);
    searched.map(|t| experiment.cost(&t.question)).sum()
}

/// Evaluations that the search rows of a log count for, rounded down: where replicas are fixed their number.
pub fn evaluations(experiment: &Experiment, trials: &[Trial]) -> u64 {
    spent(experiment, trials) / experiment.simulations()
}

/// Whether the search trials of a log are no more than the experiment asks for. The last one may reach beyond.
///
/// # Errors
/// If they are more.
pub fn check_budget(experiment: &Experiment, trials: &[Trial], file: &str) -> Result<(), Error> {
    let last =
        trials.iter().rfind(|t| t.question.purpose == Purpose::Search).map_or(0, |t| experiment.cost(&t.question));
    let spent = spent(experiment, trials);
    if spent - last < budget(experiment) {
        return Ok(());
    }
    let done = spent.div_ceil(experiment.simulations());
    Err(Error::input(format!(
        "the log has {done} evaluations, more than the {} asked for",
        experiment.search.evaluations
    ))
    .file(file)
    .key("search.evaluations")
    .allowed(format!("at least {done}"))
    .help("resume with --evaluations as large as before, or larger"))
}

/// The optimizer of an experiment at its birth.
pub fn optimizer(experiment: &Experiment) -> Box<dyn Optimizer + '_> {
    let search = &experiment.search;
    let mut start = vec![experiment.space.encode(&experiment.defaults)];
    let given = experiment.space.encode(&experiment.start);
    if given != start[0] {
        start.push(given);
    }
    let inner = (search.optimizer.make.make)(&Setup {
        space: &experiment.space,
        seed: Seed(search.seed).child("optimizer", 0),
        parallel: search.parallel,
        replicas: experiment.replicas(),
        start,
        objectives: experiment.objectives.len(),
        measures: experiment.measures(),
        settings: Settings::new(search.optimizer.params, &search.settings),
    });
    if !search.adaptive() {
        return inner;
    }
    let join = Box::new(|rows: &[Trial], n: u32| scoring::join(experiment, rows, n));
    Box::new(Adaptive::new(inner, join, search.parallel, search.max_replicas))
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
    /// The search, and what the optimizer recommends at its end.
    ///
    /// Rules to stop are looked at where a new batch would begin, and only after the last row that is there: a log that went on
    /// under other rules stays as it is.
    fn search(&mut self, experiment: &Experiment) -> Result<(Stopped, Vec<Genome>), Error> {
        let budget = budget(experiment);
        let rules = experiment.search.stop;
        let each = if experiment.search.adaptive() { u64::from(experiment.replicas()) } else { 1 };
        self.observer.phase(Phase::Search, experiment.search.evaluations.saturating_mul(each));
        let searched = self.trials.iter().enumerate().filter(|(_, t)| t.question.purpose == Purpose::Search);
        let mut old: VecDeque<usize> = searched.map(|(row, _)| row).collect();
        check_budget(experiment, &self.trials, &self.journal.name())?;
        let mut optimizer = optimizer(experiment);
        let mut watch = Watch::new(experiment);
        let (mut done, mut spent) = (0, 0);
        let mut stopped = Stopped::Budget;
        while spent < budget {
            if old.is_empty() {
                let late =
                    || rules.time_s.is_some_and(|most| self.journal.elapsed_s() >= most).then_some(Stopped::Time);
                // Without any candidate there is nothing to select from.
                if let Some(why) = watch.over().or_else(late).filter(|_| done > 0) {
                    stopped = why;
                    break;
                }
            }
            let ask = optimizer.ask();
            if ask.is_empty() {
                if let Some(&row) = old.front() {
                    return Err(self.mismatch(row));
                }
                stopped = Stopped::Exhausted;
                break;
            }
            // The question that reaches the budget is the last one.
            let mut fits = |question: &&Question| {
                let fits = spent < budget;
                spent += experiment.cost(question);
                fits
            };
            let now = &ask[..ask.iter().take_while(|q| fits(q)).count()];
            let rows = self.answer(now, &mut old)?;
            rows.iter().for_each(|&row| watch.see(&self.trials[row]));
            if now.len() < ask.len() {
                break;
            }
            // The optimizer counts search trials only, so that rows of a selection in between change nothing.
            let told: Vec<Trial> =
                rows.iter().zip(done..).map(|(&row, id)| Trial { id, ..self.trials[row].clone() }).collect();
            optimizer.tell(&told);
            done += now.len() as u64;
        }
        if watch.over() == Some(Stopped::Loss) {
            stopped = Stopped::Loss;
        }
        Ok((stopped, optimizer.recommend()))
    }

    /// Finalists and defaults race on fresh seeds; then the best of them and the defaults on seeds that nothing else saw.
    fn check_fresh(&mut self, experiment: &Experiment, proposed: &[Genome]) -> Result<(), Error> {
        let last = self.trials.iter().rposition(|t| t.question.purpose == Purpose::Search).map_or(0, |row| row + 1);
        let mut old: VecDeque<usize> = (last..self.trials.len()).collect();
        if experiment.objectives.len() > 1 {
            return self.check_front(experiment, last, &mut old);
        }
        let best = match &atlas::elites(experiment, &self.trials, &[])[..] {
            [] => self.race(experiment, proposed, last, &mut old)?,
            elites => self.check_atlas(experiment, elites, &mut old)?,
        };
        let defaults = experiment.space.encode(&experiment.defaults);
        let Some(best) = best else {
            return Err(self.nothing("no finalist was valid on fresh seeds", last));
        };
        let replicas = 0..experiment.search.report_replicas;
        let ask = |genome: &Genome, purpose| Question { genome: genome.clone(), replicas: replicas.clone(), purpose };
        let questions = [ask(&best, Purpose::Report), ask(&defaults, Purpose::Baseline)];
        self.observer.phase(Phase::Report, 2);
        self.answer(&questions, &mut old)?;
        match old.front() {
            None => Ok(()),
            Some(&row) => Err(self.mismatch(row)),
        }
    }

    /// Finalists and defaults race on fresh seeds; the winner, if anything was valid there.
    fn race(
        &mut self,
        experiment: &Experiment,
        proposed: &[Genome],
        last: usize,
        old: &mut VecDeque<usize>,
    ) -> Result<Option<Genome>, Error> {
        let candidates = candidates(experiment, &self.trials);
        let defaults = experiment.space.encode(&experiment.defaults);
        let contestants = contestants(experiment, &candidates, proposed, &defaults);
        if contestants.is_empty() {
            return Err(self.nothing("no search trial was valid", last));
        }
        let mut race = Race::new(experiment, contestants);
        loop {
            let questions = race.ask();
            if questions.is_empty() {
                break;
            }
            self.observer.phase(Phase::Select, questions.len() as u64);
            let rows = self.answer(&questions, old)?;
            race.tell(rows.iter().map(|&row| self.trials[row].clone()).collect());
        }
        Ok(race.winner().map(|best| best.genome.clone()))
    }

    /// The elites of the cells and the defaults on fresh seeds, and those who come next where an elite left its cell; the best of
    /// all, if anything was valid.
    fn check_atlas(
        &mut self,
        experiment: &Experiment,
        elites: &[Genome],
        old: &mut VecDeque<usize>,
    ) -> Result<Option<Genome>, Error> {
        let space = &experiment.space;
        let defaults = space.encode(&experiment.defaults);
        let mut genomes = elites.to_vec();
        if !genomes.iter().any(|g| space.key(g) == space.key(&defaults)) {
            genomes.push(defaults);
        }
        let replicas = 0..experiment.search.select_replicas;
        let ask = |genome: Genome| Question { genome, replicas: replicas.clone(), purpose: Purpose::Select };
        let mut rows = Vec::new();
        for _ in 0..atlas::ROUNDS {
            let questions: Vec<_> = genomes.into_iter().map(ask).collect();
            if !questions.is_empty() {
                self.observer.phase(Phase::Select, questions.len() as u64);
                rows.extend(self.answer(&questions, old)?);
            }
            let checked: Vec<&Trial> = rows.iter().map(|&row| &self.trials[row]).collect();
            genomes = atlas::elites(experiment, &self.trials, &checked);
        }
        let best = rows.iter().map(|&row| &self.trials[row]).min_by(|a, b| better(a, b));
        Ok(best.filter(|t| t.is_done()).map(|t| t.question.genome.clone()))
    }

    /// The front and the defaults on fresh seeds; then what nothing dominates there and the defaults on seeds that nothing
    /// else saw.
    fn check_front(&mut self, experiment: &Experiment, last: usize, old: &mut VecDeque<usize>) -> Result<(), Error> {
        let questions = front::to_select(experiment, &self.trials);
        if questions.is_empty() {
            return Err(self.nothing("no search trial was valid", last));
        }
        self.observer.phase(Phase::Select, questions.len() as u64);
        let rows = self.answer(&questions, old)?;
        let selected: Vec<&Trial> = rows.iter().map(|&row| &self.trials[row]).collect();
        let questions = front::to_report(experiment, &selected);
        if questions.is_empty() {
            return Err(self.nothing("no finalist was valid on fresh seeds", last));
        }
        self.observer.phase(Phase::Report, questions.len() as u64);
        self.answer(&questions, old)?;
        old.front().map_or(Ok(()), |&row| Err(self.mismatch(row)))
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
