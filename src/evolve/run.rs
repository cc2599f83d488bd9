//! The loop: ask, evaluate, log, tell, then a race of the finalists and a report on fresh seeds.
//!
//! Starting and resuming are the same loop. Because ask/tell is deterministic, the rows that a log already has are the
//! answers to the first questions; they are taken instead of simulating again, and no optimizer saves any state.

use super::atlas;
use super::budget::budget;
pub use super::budget::{check_budget, evaluations, stopped};
pub use super::candidates::finalists;
use super::candidates::{candidates, contestants};
use super::evaluate::Evaluate;
use super::experiment::Experiment;
use super::front;
use super::log::{self, Chain, Header, Journal, Log};
use super::optimizer::optimizer;
use super::profile::Check;
use super::race::Race;
use super::reading;
use super::stop::Watch;
pub use super::watch::{Observer, Phase, Silent, Stopped};
use crate::limits;
use crowdtune_core::{Class, Error};
use crowdtune_search::{Genome, Purpose, Question, Trial, better};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

/// A search that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// What ran the simulations, as the header of the log says it.
    pub engine: String,
    /// All rows of the log.
    pub trials: Vec<Trial>,
    /// Why it ended.
    pub stopped: Stopped,
}

impl Finished {
    /// From a log that was read: a search that has ended, or as much of one as there is.
    pub fn of(experiment: &Experiment, log: Log) -> Self {
        let stopped = stopped(experiment, &log.trials);
        Self { engine: log.header.engine, trials: log.trials, stopped }
    }
}

/// Runs an experiment, or continues it where its log ends.
///
/// Each search trial counts as one evaluation. With adaptive replicas the budget counts simulations, and an evaluation is worth
/// as many as it would run with fixed replicas. A batch that would exceed the budget is cut, and its answers are not told
/// to the optimizer: the batch stays open, so that a larger budget later continues with the very same questions. The rows
/// of an extension follow the old selection rows, and new selection rows follow them.
///
/// # Errors
/// If there is nothing to search, the log belongs to another experiment or engine, it cannot be written, no search trial is
/// valid, or `cancel` was set; in each case what is in the log is good.
pub fn evolve(
    experiment: &Experiment,
    evaluator: &dyn Evaluate,
    journal: &mut dyn Journal,
    observer: &mut dyn Observer,
    cancel: &AtomicBool,
) -> Result<Finished, Error> {
    check(experiment)?;
    let (trials, chain) = begin(experiment, evaluator.engine(), journal)?;
    let mut answers = Answers { evaluator, journal, observer, cancel, trials, chain };
    let ended = answers.search(experiment).and_then(|(stopped, proposed)| {
        answers.check_fresh(experiment, &proposed)?;
        Ok(stopped)
    });
    match ended {
        Ok(stopped) => Ok(Finished { engine: evaluator.engine().to_string(), trials: answers.trials, stopped }),
        Err(e) if e.class() == Class::Interrupted => {
            let done = answers.trials.iter().filter(|t| t.question.purpose == Purpose::Search).count();
            Err(Error::interrupted(format!("interrupted after {done} search trials; all of them are kept"))
                .file(answers.journal.name())
                .help("the same command with --resume continues where it stopped"))
        }
        Err(e) => Err(e),
    }
}

/// Checks that there is something to search, and something that is wanted: what an `evolve` refuses without any folder.
///
/// # Errors
/// If every parameter is fixed, too many are searched, or nothing is wanted.
pub fn check(experiment: &Experiment) -> Result<(), Error> {
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
    let searched = experiment.space.genes.len() as u64;
    limits::DIMENSION.check(searched, &format!("{searched} parameters")).map_err(|e| e.key("parameters"))
}

/// Writes the header, or reads the rows that are there; the chain writes the next one.
pub(super) fn begin(
    experiment: &Experiment,
    engine: &str,
    journal: &mut dyn Journal,
) -> Result<(Vec<Trial>, Chain), Error> {
    let header = Header::new(experiment, engine);
    let name = journal.name();
    match log::parse_started(&journal.read()?, &name)? {
        Some(old) => {
            old.header.check(&header, &name)?;
            reading::check_rows(experiment, &old, &name)?;
            if old.torn {
                journal.cut(old.valid_len)?;
            }
            Ok((old.trials, old.chain))
        }
        None => {
            journal.cut(0)?;
            let mut chain = Chain::default();
            journal.append(&chain.line(&header))?;
            journal.batch(0, &[])?;
            Ok((Vec::new(), chain))
        }
    }
}

/// Answers questions: from the rows of the log, then from the evaluator, whose answers go into the journal.
struct Answers<'a> {
    evaluator: &'a dyn Evaluate,
    journal: &'a mut dyn Journal,
    observer: &'a mut dyn Observer,
    cancel: &'a AtomicBool,
    trials: Vec<Trial>,
    chain: Chain,
}

impl Answers<'_> {
    /// The search, and what the optimizer recommends at its end.
    ///
    /// Stop rules are checked where a new batch would begin, and only after the last row of the log: a log that continued
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
        let mut watch = Watch::new(experiment.search.stop, experiment.replicas(), experiment.search.adaptive());
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
            let asked = optimizer.ask();
            if asked.is_empty() {
                if let Some(&row) = old.front() {
                    return Err(self.mismatch(row));
                }
                stopped = Stopped::Exhausted;
                break;
            }
            // The question that reaches the budget is still asked.
            let mut fits = |question: &&Question| {
                let fits = spent < budget;
                spent += experiment.cost(question);
                fits
            };
            let now = &asked[..asked.iter().take_while(|q| fits(q)).count()];
            let rows = self.answer(now, &mut old)?;
            rows.iter().for_each(|&row| watch.see(&self.trials[row]));
            if now.len() < asked.len() {
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

    /// Lets finalists and defaults race on fresh seeds, then runs the winner and the defaults on seeds that nothing else saw.
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
        self.profile(experiment, &best, &mut old)?;
        match old.front() {
            None => Ok(()),
            Some(&row) => Err(self.mismatch(row)),
        }
    }

    /// Asks how far the parameters can go from the recommendation, as long as there are simulations for it.
    fn profile(&mut self, experiment: &Experiment, best: &Genome, old: &mut VecDeque<usize>) -> Result<(), Error> {
        let Some(mut check) = Check::new(experiment, &self.trials, best) else { return Ok(()) };
        let mut left = check.questions(experiment, &self.trials);
        self.observer.phase(Phase::Profile, left);
        while left > 0 {
            let mut asked = check.ask();
            asked.truncate(usize::try_from(left).unwrap_or(usize::MAX));
            if asked.is_empty() {
                break;
            }
            left -= asked.len() as u64;
            let rows = self.answer(&asked, old)?;
            let rows: Vec<&Trial> = rows.iter().map(|&row| &self.trials[row]).collect();
            check.tell(&rows);
        }
        // Rows that a larger share asked for stay.
        while old.front().is_some_and(|&row| self.trials[row].question.purpose == Purpose::Profile) {
            old.pop_front();
        }
        Ok(())
    }

    /// Lets finalists and defaults race on fresh seeds; the winner, if anything was valid there.
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

    /// Runs the elites of the cells and the defaults on fresh seeds, and the next best where an elite left its cell; the best of
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

    /// Runs the front and the defaults on fresh seeds, then what nothing dominates there, and the defaults, on seeds that
    /// nothing else saw.
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

    /// Positions of the rows that answer the questions, in their order.
    fn answer(&mut self, questions: &[Question], old: &mut VecDeque<usize>) -> Result<Vec<usize>, Error> {
        let mut rows = Vec::with_capacity(questions.len());
        for question in questions {
            let Some(row) = old.pop_front() else { break };
            if self.trials[row].question != *question {
                return Err(self.mismatch(row));
            }
            self.observer.trial(&self.trials[row], true);
            rows.push(row);
        }
        let new = &questions[rows.len()..];
        if new.is_empty() {
            return Ok(rows);
        }
        if self.cancel.load(Ordering::Relaxed) {
            return Err(super::evaluate::interrupted());
        }
        let first = self.trials.len();
        let (journal, observer) = (&mut *self.journal, &mut *self.observer);
        let (trials, chain) = (&mut self.trials, &mut self.chain);
        let ended = self.evaluator.evaluate(new, first as u64, &mut |trial| {
            journal.append(&chain.line(&trial))?;
            observer.trial(&trial, false);
            trials.push(trial);
            Ok(())
        });
        let synced = self.journal.batch((self.trials.len() - first) as u64, &self.evaluator.spent());
        ended.and(synced)?;
        rows.extend(first..first + new.len());
        Ok(rows)
    }

    fn mismatch(&self, row: usize) -> Error {
        Error::input("this row of the log does not answer the question that the search asks here: the log was written by another version, or edited")
            .file(self.journal.name())
            .line(row + 2)
            .help("continue with the version that started it, or start again in another folder with --out")
    }

    /// Nothing valid came out; the last failure is named.
    fn nothing(&self, what: &str, from: usize) -> Error {
        let rows = if from < self.trials.len() { &self.trials[from..] } else { &self.trials[..] };
        let reason = rows.iter().rev().find_map(log::failure).unwrap_or("no reason is known");
        Error::nothing(format!("{what}; the last failure: {reason}"))
            .file(self.journal.name())
            .help("everything is kept in the log; look at its reasons, narrow the ranges or take a smaller time_step_s")
    }
}
