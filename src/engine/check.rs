//! Tries an engine out, message by message, and says in words what is wrong with it.

use super::fault::Fault;
use super::messages::{self, PROTOCOL, Reply, Welcome};
use super::talk::Talk;
use super::{answer, fits, shown};
use crate::evolve::engine::{Answer, Foreign};
use crate::evolve::evaluate::{ask_for, run_seed};
use crate::evolve::experiment::Experiment;
use answer::Folder;
use crowdtune_core::Error;
use crowdtune_search::Purpose;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a line that nobody asked for may still be on its way.
const SILENCE: Duration = Duration::from_millis(100);
/// How long an engine may take to end.
const GOODBYE: Duration = Duration::from_secs(2);
/// A time limit that no engine keeps.
const TOO_SHORT: Duration = Duration::from_micros(1);

/// What one of the trials showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was tried.
    pub what: &'static str,
    /// True if it is as it should be.
    pub good: bool,
    /// What was seen.
    pub seen: String,
    /// What to do about it, where something is wrong.
    pub help: &'static str,
}

/// The trials of an engine so far.
struct Trials<'a> {
    experiment: &'a Experiment,
    declared: &'a Foreign,
    directory: &'a Path,
    folder: tempfile::TempDir,
    findings: Vec<Finding>,
    workers: usize,
    people: bool,
    next_id: u64,
}

/// An engine that has answered hello.
struct Running {
    talk: Talk,
    folder: Folder,
}

/// Tries out the engine of an experiment in this directory. Trials that need what an earlier one missed are left out.
///
/// # Errors
/// If the experiment has no engine, or the machine has no folder for its files.
pub fn check(experiment: &Experiment, directory: &Path) -> Result<Vec<Finding>, Error> {
    let engine = experiment.engine.as_ref().ok_or_else(|| {
        Error::input("the experiment has no [engine], crowdtune itself simulates")
            .help("docs/engines.md shows how to add one")
    })?;
    let folder = tempfile::tempdir().map_err(|e| Error::environment(format!("no folder for the engine: {e}")))?;
    let mut trials = Trials {
        experiment,
        declared: &engine.declared,
        directory: if directory.as_os_str().is_empty() { Path::new(".") } else { directory },
        folder,
        findings: Vec::new(),
        workers: 0,
        people: false,
        next_id: 1,
    };
    trials.all();
    Ok(trials.findings)
}

impl Trials<'_> {
    fn note(&mut self, what: &'static str, good: bool, seen: impl Into<String>, help: &'static str) {
        self.findings.push(Finding { what, good, seen: seen.into(), help });
    }

    fn all(&mut self) {
        let Some(mut first) = self.hello() else { return };
        let Some((answer, took)) = self.one_run(&mut first) else { return };
        if !self.silent(&mut first) {
            return;
        }
        self.again(&mut first, &answer);
        self.failure(&mut first);
        first.talk.end();
        self.fresh(&answer);
        self.too_late();
        let limit_s = self.declared.timeout_s;
        let enough = took.as_secs_f64() * 3.0 < limit_s;
        self.note(
            "time limit",
            enough,
            format!("a run took {}, `timeout_s` is {limit_s} s", seconds(took)),
            "raise `timeout_s` in [engine]: runs of other candidates and on a busy machine take longer",
        );
        self.goodbye();
    }

    fn start(&mut self) -> Result<(Running, String), String> {
        let folder = Folder::new(self.folder.path(), self.workers).map_err(|e| e.what().to_owned())?;
        self.workers += 1;
        let within = Duration::from_secs_f64(self.declared.start_s);
        let mut talk =
            Talk::start(self.declared, self.directory, folder.path(), within).map_err(|e| e.what().to_owned())?;
        let hello = messages::hello(&messages::opening(self.experiment), self.workers - 1, folder.path());
        let line =
            talk.say(&hello).and_then(|()| talk.hear(within)).map_err(|fault| said(&mut talk, &fault, within))?;
        Ok((Running { talk, folder }, line))
    }

    /// Starts the engine and reads what it says of itself.
    fn hello(&mut self) -> Option<Running> {
        const WHAT: &str = "hello";
        const HELP: &str =
            "answer the first line with {\"protocol\": 1, \"engine\": \"NAME\", \"version\": \"1.0\"} and flush";
        let before = Instant::now();
        let (running, line) = match self.start() {
            Ok(started) => started,
            Err(why) => {
                self.note(WHAT, false, why, HELP);
                return None;
            }
        };
        let took = before.elapsed();
        let welcome: Welcome = match serde_json::from_str(&line) {
            Ok(welcome) => welcome,
            Err(e) => {
                self.note(WHAT, false, format!("the first line is {}: {e}", shown(&line)), HELP);
                return None;
            }
        };
        if welcome.protocol != PROTOCOL || welcome.engine.trim().is_empty() {
            let what = if welcome.protocol == PROTOCOL {
                "the name is empty".into()
            } else {
                format!("protocol {}", welcome.protocol)
            };
            self.note(WHAT, false, what, HELP);
            return None;
        }
        self.people = welcome.people;
        if let Err(e) = fits(&welcome, self.experiment) {
            self.note(
                WHAT,
                false,
                e.what(),
                "name all constants in `parameters` of the answer, and in `cannot` only what it cannot do; or change the experiment",
            );
            return None;
        }
        let seen = format!("{} {} after {}", welcome.engine, welcome.version, seconds(took));
        self.note(WHAT, true, seen, "");
        Some(running)
    }

    /// Asks for a run of the first case with the defaults.
    fn ask(&mut self, running: &mut Running, within: Duration) -> Result<Answer, Fault> {
        let experiment = self.experiment;
        let seed = run_seed(experiment.search.seed, Purpose::Search, &experiment.cases[0].table, 0);
        let start = experiment.start(0, &experiment.defaults, seed).map_err(|e| Fault::Wrong(e.what().to_owned()))?;
        let ask = ask_for(experiment, 0, &experiment.defaults, seed, start.crowd());
        let id = self.next_id;
        self.next_id += 1;
        let line = messages::request(id, &ask, self.people);
        let reply = Self::exchange(running, id, &line, within)?;
        let why = reply.failed.clone();
        answer::read(reply, &running.folder).map_err(|e| match why {
            Some(_) => Fault::Wrong(format!("says that the run with the defaults failed: {}", e.what())),
            None => Fault::Wrong(e.what().to_owned()),
        })
    }

    fn exchange(running: &mut Running, id: u64, line: &str, within: Duration) -> Result<Reply, Fault> {
        running.talk.say(line)?;
        let said = running.talk.hear(within)?;
        let reply: Reply = serde_json::from_str(&said)
            .map_err(|e| Fault::Wrong(format!("wrote {}, which is no answer ({e})", shown(&said))))?;
        if reply.id == id {
            Ok(reply)
        } else {
            Err(Fault::Wrong(format!("answered request {} in place of {id}", reply.id)))
        }
    }

    fn one_run(&mut self, running: &mut Running) -> Option<(Answer, Duration)> {
        const WHAT: &str = "a run with the defaults";
        let within = Duration::from_secs_f64(self.declared.timeout_s);
        let before = Instant::now();
        let asked = self.ask(running, within);
        let took = before.elapsed();
        match asked {
            Ok(answer) => {
                let names: Vec<&str> = answer.values.iter().map(|(name, _)| name.as_str()).collect();
                let missing = self.declared.values.iter().find(|value| !names.contains(&value.as_str()));
                if let Some(missing) = missing {
                    let given = if names.is_empty() { "none".into() } else { names.join(", ") };
                    self.note(
                        WHAT,
                        false,
                        format!("`values` has no `{missing}`, but: {given}"),
                        "put it there, or ask for another name in the file",
                    );
                    return None;
                }
                if self.needs_trajectory() && answer.trajectory.is_none() {
                    self.note(
                        WHAT,
                        false,
                        "the answer names no `trajectory`, and a target is measured on it",
                        "write the tracks into `folder` of hello and name the file in the answer",
                    );
                    return None;
                }
                let track = answer.trajectory.as_ref();
                let track = track.map_or(String::new(), |track| format!(", a trajectory of {} people", track.people()));
                self.note(WHAT, true, format!("{} numbers{track}, {}", answer.values.len(), seconds(took)), "");
                Some((answer, took))
            }
            Err(fault) => {
                let why = said(&mut running.talk, &fault, within);
                self.note(
                    WHAT,
                    false,
                    why,
                    "answer each request with one line: {\"id\": 1, \"values\": {...}}, and flush",
                );
                None
            }
        }
    }

    /// True if a column of the first case is measured on tracks.
    fn needs_trajectory(&self) -> bool {
        let nobody = crowdtune_sim::crowd::Crowd::default();
        let seed = crowdtune_core::math::rng::Seed(0);
        ask_for(self.experiment, 0, &self.experiment.defaults, seed, &nobody).trajectory
    }

    /// Nothing may come that was not asked for.
    fn silent(&mut self, running: &mut Running) -> bool {
        if matches!(running.talk, Talk::Files(_)) {
            return true;
        }
        const WHAT: &str = "one line for each request";
        match running.talk.hear(SILENCE) {
            Err(Fault::TimedOut) => {
                self.note(WHAT, true, "nothing more came", "");
                true
            }
            Ok(line) => {
                self.note(
                    WHAT,
                    false,
                    format!("after its answer it wrote {}", shown(&line)),
                    "print everything else to stderr",
                );
                false
            }
            Err(fault) => {
                let why = said(&mut running.talk, &fault, SILENCE);
                self.note(WHAT, false, why, "keep running: read the next line in a loop until the input ends");
                false
            }
        }
    }

    fn again(&mut self, running: &mut Running, first: &Answer) {
        const WHAT: &str = "the same request again";
        let within = Duration::from_secs_f64(self.declared.timeout_s);
        match self.ask(running, within) {
            Ok(again) => self.compared(WHAT, first, &again),
            Err(fault) => {
                let why = said(&mut running.talk, &fault, within);
                self.note(WHAT, false, why, "start every run from a clean state");
            }
        }
    }

    fn fresh(&mut self, first: &Answer) {
        const WHAT: &str = "the same request to a new process";
        let within = Duration::from_secs_f64(self.declared.timeout_s);
        match self.start() {
            Ok((mut running, _)) => match self.ask(&mut running, within) {
                Ok(again) => self.compared(WHAT, first, &again),
                Err(fault) => {
                    let why = said(&mut running.talk, &fault, within);
                    self.note(WHAT, false, why, "two workers may run at once: share no file, port or lock");
                }
            },
            Err(why) => self.note(WHAT, false, why, "it must start more than once"),
        }
    }

    fn compared(&mut self, what: &'static str, first: &Answer, again: &Answer) {
        let same = bits(first) == bits(again);
        let differs = || {
            let other =
                first.values.iter().zip(&again.values).find(|(a, b)| a.1.map(f64::to_bits) != b.1.map(f64::to_bits));
            other.map_or("another trajectory".to_owned(), |((name, a), (_, b))| {
                let shown = |x: &Option<f64>| x.map_or("null".to_owned(), |x| x.to_string());
                format!("`{name}` was {} and is {}", shown(a), shown(b))
            })
        };
        let seen = if same { "the same answer".to_owned() } else { differs() };
        self.note(what, same, seen, "take all randomness from `seed`, and keep nothing from one run to the next; a search with such an engine runs, but nobody can repeat it");
    }

    /// A scenario that is not there: the engine should say so, and go on.
    fn failure(&mut self, running: &mut Running) {
        const WHAT: &str = "a request that cannot be done";
        const HELP: &str = "catch exceptions and answer {\"id\": ID, \"failed\": \"why\"}";
        let within = Duration::from_secs_f64(self.declared.timeout_s);
        let id = self.next_id;
        self.next_id += 1;
        let line = serde_json::json!({
            "id": id, "scenario": "no such scenario", "seed": 1, "parameters": {}, "trajectory": false, "people": [],
        });
        match Self::exchange(running, id, &line.to_string(), within) {
            Ok(reply) => match reply.failed {
                Some(why) => self.note(WHAT, true, format!("failed: {why}"), ""),
                None => self.note(WHAT, false, "it answered numbers for a scenario that is not there", HELP),
            },
            Err(fault) => {
                let why = said(&mut running.talk, &fault, within);
                self.note(
                    WHAT,
                    false,
                    format!("the engine {why}; a search replaces it and goes on, but each start costs time"),
                    HELP,
                );
            }
        }
    }

    /// A worker that gives no answer in time is ended.
    fn too_late(&mut self) {
        const WHAT: &str = "no answer in time";
        let Ok((mut running, _)) = self.start() else { return };
        match self.ask(&mut running, TOO_SHORT) {
            Err(Fault::TimedOut) => {
                drop(running);
                self.note(WHAT, true, "its process is ended, the run fails, the search goes on with a new one", "");
            }
            Ok(_) => self.note(WHAT, true, "it answered at once", ""),
            Err(fault) => {
                let why = said(&mut running.talk, &fault, TOO_SHORT);
                self.note(WHAT, false, why, "keep running until the input ends");
            }
        }
    }

    fn goodbye(&mut self) {
        const WHAT: &str = "goodbye";
        let Ok((running, _)) = self.start() else { return };
        if matches!(running.talk, Talk::Files(_)) {
            return;
        }
        let ended = running.talk.ends_by_itself(GOODBYE);
        let seen = if ended { "it ends when its input does" } else { "it went on for 2 s after its input had ended" };
        self.note(
            WHAT,
            ended,
            seen,
            "end the program when reading gives no line any more; until then it is ended by force",
        );
    }
}

/// What an answer says, to the last bit.
fn bits(answer: &Answer) -> (Vec<(String, Option<u64>)>, String) {
    let values = answer.values.iter().map(|(name, value)| (name.clone(), value.map(f64::to_bits))).collect();
    (values, format!("{:?}", answer.trajectory))
}

fn said(talk: &mut Talk, fault: &Fault, within: Duration) -> String {
    let last = talk.last_words();
    format!("{}{last}", fault.words(within))
}

fn seconds(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    if ms < 1000.0 { format!("{ms:.1} ms") } else { format!("{:.1} s", ms / 1e3) }
}
