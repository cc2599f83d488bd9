//! Foreign simulators: processes that are kept running and asked for one run after another, `docs/engines.md`.
//!
//! [`Workers`] keeps as many of them as there are threads that ask. What an engine does wrong is the failure of the run that it was
//! asked for, and its process is replaced; only an engine that has never answered anything ends a search.

mod answer;
mod check;
mod fault;
mod messages;
mod once;
mod talk;

pub use check::{Finding, check};

use crate::evolve::engine::{Answer, Ask, Engine, Foreign};
use crate::evolve::experiment::Experiment;
use crate::evolve::features::{FEATURES, Feature};
use answer::Folder;
use crowdtune_core::{Error, suggest};
use fault::Fault;
use messages::{PROTOCOL, Reply, Welcome};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use talk::Talk;

/// Faults of runs in a row, without any answer before, after which no more is tried. Chosen here: two processes at once may both
/// have been asked for a candidate that no engine survives.
const MOST_FAULTS: usize = 6;

/// The workers of an engine.
#[derive(Debug)]
pub struct Workers {
    declared: Foreign,
    /// Where the command runs.
    directory: PathBuf,
    /// Of all workers; removed at the end.
    folder: tempfile::TempDir,
    /// What hello says to all of them.
    opening: Map<String, Value>,
    /// With version and digest of the command.
    name: String,
    people: bool,
    idle: Mutex<Vec<Worker>>,
    started: AtomicUsize,
    next_id: AtomicU64,
    answered: AtomicBool,
    faults: AtomicUsize,
}

/// A running engine that has said hello.
#[derive(Debug)]
struct Worker {
    talk: Talk,
    folder: Folder,
}

impl Workers {
    /// Starts the first worker of an experiment's engine in this directory, and checks that the two fit.
    ///
    /// # Errors
    /// If the experiment has no engine, it cannot be started, does not answer hello, or knows other constants.
    pub fn start(experiment: &Experiment, directory: &Path) -> Result<Arc<dyn Engine>, Error> {
        let declared = experiment
            .engine
            .as_ref()
            .map(|engine| engine.declared.clone())
            .ok_or_else(|| Error::input("the experiment has no [engine]"))?;
        let folder = tempfile::Builder::new()
            .prefix("crowdtune-engine-")
            .tempdir()
            .map_err(|e| Error::environment(format!("no folder for the files of the engine can be made: {e}")))?;
        let mut workers = Self {
            declared,
            directory: if directory.as_os_str().is_empty() { PathBuf::from(".") } else { directory.to_owned() },
            folder,
            opening: messages::opening(experiment),
            name: String::new(),
            people: false,
            idle: Mutex::default(),
            started: AtomicUsize::new(0),
            next_id: AtomicU64::new(1),
            answered: AtomicBool::new(false),
            faults: AtomicUsize::new(0),
        };
        let (worker, welcome) = workers.begin()?;
        fits(&welcome, experiment)?;
        let version = if welcome.version.is_empty() { String::new() } else { format!(" {}", welcome.version) };
        workers.name = format!("{}{version} (command {})", welcome.engine, digest(&workers.declared.command));
        workers.people = welcome.people;
        workers.rest(worker);
        Ok(Arc::new(workers))
    }

    /// Starts a worker and says hello.
    fn begin(&self) -> Result<(Worker, Welcome), Error> {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let folder = Folder::new(self.folder.path(), number)?;
        let start_s = Duration::from_secs_f64(self.declared.start_s);
        let mut talk = Talk::start(&self.declared, &self.directory, folder.path(), start_s)?;
        let hello = messages::hello(&self.opening, number, folder.path());
        let line = talk.say(&hello).and_then(|()| talk.hear(start_s));
        let line = line
            .map_err(|fault| self.refused(&mut talk, &format!("it did not answer hello: {}", fault.words(start_s))))?;
        let welcome: Welcome = serde_json::from_str(&line)
            .map_err(|e| self.refused(&mut talk, &format!("its answer to hello is {}: {e}", shown(&line))))?;
        if welcome.protocol != PROTOCOL {
            let spoken = welcome.protocol;
            return Err(self.refused(&mut talk, &format!("it speaks protocol {spoken}, this crowdtune {PROTOCOL}")));
        }
        if welcome.engine.trim().is_empty() {
            return Err(self.refused(&mut talk, "it gives no name: \"engine\" is empty"));
        }
        Ok((Worker { talk, folder }, welcome))
    }

    /// The error of an engine that cannot be asked at all.
    fn refused(&self, talk: &mut Talk, why: &str) -> Error {
        let last = talk.last_words();
        Error::environment(format!("the engine `{}` cannot be used: {why}{last}", self.declared.command.join(" ")))
            .key("engine.command")
            .help("`crowdtune engine check FILE` tries every message by itself; docs/engines.md shows them")
    }

    fn rest(&self, worker: Worker) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
    }

    /// Asks a worker; one that died for another reason than this run is replaced once.
    fn ask(&self, ask: &Ask<'_>) -> Result<Answer, Error> {
        let mut second = false;
        loop {
            let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut worker = match if second { None } else { idle() } {
                Some(worker) => worker,
                None => self.begin()?.0,
            };
            let id = self.next_id.fetch_add(1, Ordering::Relaxed);
            let line = messages::request(id, ask, self.people);
            match self.once(&mut worker, id, &line) {
                Ok(reply) => {
                    self.answered.store(true, Ordering::Relaxed);
                    self.faults.store(0, Ordering::Relaxed);
                    let answer = answer::read(reply, &worker.folder);
                    self.rest(worker);
                    return answer;
                }
                // It may have died, or spoken twice, after its last run: this one is asked again of a new one.
                Err(Fault::Ended(_) | Fault::Late) if !second => second = true,
                Err(fault) => return Err(self.failed(&mut worker, &fault)),
            }
        }
    }

    fn once(&self, worker: &mut Worker, id: u64, line: &str) -> Result<Reply, Fault> {
        let most = Duration::from_secs_f64(self.declared.timeout_s);
        worker.talk.say(line)?;
        let said = worker.talk.hear(most)?;
        let reply: Reply = serde_json::from_str(&said)
            .map_err(|e| Fault::Wrong(format!("wrote {}, which is no answer ({e})", shown(&said))))?;
        if reply.id < id {
            return Err(Fault::Late);
        }
        if reply.id != id {
            return Err(Fault::Wrong(format!("answered request {} in place of {id}", reply.id)));
        }
        Ok(reply)
    }

    /// What becomes of a run whose worker did something wrong; the worker is gone.
    fn failed(&self, worker: &mut Worker, fault: &Fault) -> Error {
        let most = Duration::from_secs_f64(self.declared.timeout_s);
        let faults = self.faults.fetch_add(1, Ordering::Relaxed) + 1;
        if faults >= MOST_FAULTS && !self.answered.load(Ordering::Relaxed) {
            let what = format!("it has answered none of {faults} requests; the last time it {}", fault.words(most));
            return self.refused(&mut worker.talk, &what);
        }
        let last = worker.talk.last_words();
        Error::nothing(format!("the engine {}{last}", fault.words(most)))
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        idle.into_iter().for_each(|worker| worker.talk.end());
    }
}

impl Engine for Workers {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, ask: &Ask<'_>) -> Result<Answer, Error> {
        self.ask(ask)
    }
}

/// Refuses an experiment that has something which the engine cannot do.
fn fits(welcome: &Welcome, experiment: &Experiment) -> Result<(), Error> {
    if let Some(why) = &welcome.refuses {
        return Err(Error::input(format!("the engine `{}` refuses the experiment: {why}", welcome.engine))
            .key("engine")
            .help("change what it names, or take another engine"));
    }
    known(welcome, experiment)?;
    for word in &welcome.cannot {
        let Some(feature) = FEATURES.iter().find(|feature| feature.word() == Some(word)) else {
            let words: Vec<&str> = FEATURES.iter().filter_map(Feature::word).collect();
            let what =
                format!("the engine `{}` says that it cannot do `{word}`, which is no word for that", welcome.engine);
            return Err(suggest::among(Error::environment(what).key("engine.command"), word, &words));
        };
        if let Some(case) = experiment.cases.iter().find(|case| feature.is_in(case)) {
            let what = format!(
                "`scenario.{}` has {}, which the engine `{}` cannot do",
                case.table, feature.doc, welcome.engine
            );
            return Err(Error::input(what).key(format!("scenario.{}", case.table)));
        }
    }
    Ok(())
}

/// Refuses an experiment that gives a constant of which the engine has not heard.
fn known(welcome: &Welcome, experiment: &Experiment) -> Result<(), Error> {
    let Some(names) = &welcome.parameters else { return Ok(()) };
    let Some(param) = experiment.model.params.iter().find(|param| !names.iter().any(|name| name == param.key)) else {
        return Ok(());
    };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let error = Error::input(format!("the engine `{}` has no constant `{}`", welcome.engine, param.key));
    Err(suggest::among(error.key(format!("parameters.{}", param.key)), param.key, &names))
}

/// The first digits of the digest of a command.
fn digest(words: &[String]) -> String {
    let mut hash = Sha256::new();
    for word in words {
        hash.update((word.len() as u64).to_le_bytes());
        hash.update(word.as_bytes());
    }
    hash.finalize().iter().take(4).fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// The beginning of a line, as a message can show it.
fn shown(line: &str) -> String {
    let short: String = line.chars().take(60).collect();
    let more = if short.len() < line.len() { "..." } else { "" };
    format!("`{}{more}`", short.escape_debug())
}
