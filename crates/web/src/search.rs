//! A search whose runs are done by other instances: this one asks and keeps the log.
//!
//! Starting and resuming are the same loop, so the search is started again with the log that it has so far whenever answers come in:
//! it goes through its rows and stops where it would ask what nobody has answered. Its log is that of the command line.

use crate::page::pretty;
use crowdtune::core::Class;
use crowdtune::evolve::evaluate::{Answer, Answerers, Elsewhere, Parts, Unanswered};
use crowdtune::evolve::log::MemoryLog;
use crowdtune::evolve::preset::preset;
use crowdtune::evolve::run::{Finished, evolve};
use crowdtune::evolve::{Results, exchange};
use crowdtune::search::Trial;
use crowdtune::{Error, Experiment};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

/// Parts of a batch are made for so many workers. Chosen here: more cores than that few people's machines have.
const WORKERS: usize = 8;

/// A search so far.
#[derive(Debug, Default)]
pub struct Search {
    log: MemoryLog,
    /// Bytes of the log that were handed over.
    told: usize,
}

impl Search {
    /// Takes the answers to all lines of the last call and goes on. Says which lines to answer next, what the log has more, and the
    /// new trials; at the end the verdict and the preset.
    pub fn next(&mut self, experiment: &Experiment, answers: &[String]) -> Result<Value, Error> {
        let desk = Desk { answers: RefCell::new(answers), lines: RefCell::default() };
        let never = AtomicBool::new(false);
        let mut trials: Vec<Value> = Vec::new();
        let mut see = |trial: &Trial, replayed: bool| {
            if !replayed {
                let mut said = exchange::answer(experiment, trial);
                said["purpose"] = json!(trial.question.purpose);
                trials.push(said);
            }
        };
        let ended = evolve(experiment, &Elsewhere::new(experiment, &desk), &mut self.log, &mut see, &never);
        let more = String::from_utf8_lossy(&self.log.0[self.told..]).into_owned();
        self.told = self.log.0.len();
        let lines = desk.lines.into_inner();
        match ended {
            Ok(finished) => Ok(json!({ "log": more, "trials": trials, "done": done(experiment, &finished) })),
            Err(e) if e.class() == Class::Interrupted && !lines.is_empty() => {
                Ok(json!({ "log": more, "trials": trials, "ask": lines }))
            }
            Err(e) => Err(e),
        }
    }
}

/// What came out.
fn done(experiment: &Experiment, finished: &Finished) -> Value {
    let results = Results::new(experiment, finished);
    let summary = results.summary();
    let best = results.recommended();
    let candidate = experiment.space.genes.iter().zip(experiment.space.decode(best));
    json!({
        "preset": pretty(&preset(experiment, &summary, best)),
        "candidate": candidate.map(|(gene, x)| exchange::value(experiment, gene, x)).collect::<Vec<_>>(),
        "summary": summary,
    })
}

/// Where answers lie, and the lines that nobody has answered.
struct Desk<'a> {
    answers: RefCell<&'a [String]>,
    lines: RefCell<Vec<String>>,
}

impl Answerers for &Desk<'_> {
    fn count(&self) -> usize {
        WORKERS
    }

    fn each(&self, parts: &Parts<'_>, done: &mut dyn FnMut(Answer) -> Result<(), Error>) -> Result<(), Error> {
        let answers = self.answers.take();
        if answers.is_empty() {
            *self.lines.borrow_mut() = (0..parts.count()).map(|index| parts.line(index)).collect();
            return Err(Error::interrupted("the questions wait for answers"));
        }
        let mut open = Unanswered::new(parts);
        for line in answers {
            match open.take(line.as_bytes()) {
                Ok(Some(answer)) => done(answer)?,
                Ok(None) => {}
                Err(why) => return Err(Error::input(why)),
            }
        }
        if open.left() > 0 {
            return Err(Error::input(format!("{} questions of the search have no answer", open.left())));
        }
        Ok(())
    }
}
