//! The log of a run, `trials.jsonl`: a header line, then one trial a line in id order, each with its checksum. It is also the
//! checkpoint.

pub use super::chain::Chain;
use super::engine::EngineOf;
use super::experiment::Experiment;
pub use super::journal::{Journal, MemoryLog};
use crate::limits;
use crowdtune_core::Error;
use crowdtune_search::{Outcome, Purpose, Trial, better};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Format of the log that this version writes.
pub const FORMAT: u32 = 2;

/// Version of the results: raised when a change makes the same experiment give other bytes, so that an older log is not
/// continued.
pub const RESULTS: u32 = 6;

/// Name of the file in the run folder.
pub const FILE: &str = "trials.jsonl";

/// Name of this library's own simulator in [`Header::engine`].
pub const NATIVE: &str = "native";

/// What simulates an experiment, as [`Header::engine`] names it.
pub fn simulated_by(experiment: &Experiment) -> &str {
    experiment.engine.as_ref().map_or(NATIVE, EngineOf::name)
}

/// The first line of a log: what the rows mean, and which experiment they belong to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// Version of the program that started the log.
    pub crowdtune: String,
    /// [`RESULTS`] of that version.
    pub results: u32,
    /// Digest of the experiment.
    pub digest: String,
    /// What runs the simulations: [`NATIVE`], or what a foreign evaluator calls itself.
    pub engine: String,
    /// Seed of the experiment.
    pub seed: u64,
    /// True if the steps were longer than the model's own: a draft. Left out if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draft: bool,
    /// Keys of the genes: the meaning of a genome.
    pub genes: Vec<String>,
    /// Names of the objectives.
    pub objectives: Vec<String>,
    /// Names of the cases: the first index of `values`.
    pub scenarios: Vec<String>,
    /// Names of the targets and measures: the last index of `values` (the middle one is the replica).
    pub columns: Vec<String>,
}

impl Header {
    /// The header of an experiment's log, answered by this engine.
    pub fn new(experiment: &Experiment, engine: &str) -> Self {
        Self {
            format: FORMAT,
            crowdtune: env!("CARGO_PKG_VERSION").to_string(),
            results: RESULTS,
            digest: experiment.digest.clone(),
            engine: engine.to_string(),
            seed: experiment.search.seed,
            draft: experiment.draft_step_s().is_some(),
            genes: experiment.space.genes.iter().map(|g| g.key.clone()).collect(),
            objectives: experiment.objectives.clone(),
            scenarios: experiment.cases.iter().map(|c| c.name.clone()).collect(),
            columns: experiment.columns.iter().map(|c| c.name.clone()).collect(),
        }
    }

    /// Checks that a log with this header can be continued by an experiment with the header `wanted`.
    ///
    /// # Errors
    /// If it belongs to another experiment or another engine, or its results would not continue in the same bytes.
    pub fn check(&self, wanted: &Self, file: &str) -> Result<(), Error> {
        if self.digest != wanted.digest {
            return Err(Error::input(format!(
                "the log belongs to another experiment: its digest is {}, that of the experiment file is {}",
                self.digest, wanted.digest
            ))
            .file(file)
            .line(1)
            .help(
                "resume with the file, seed, --set values and --draft of the first start, or choose another folder with --out",
            ));
        }
        if self.results != wanted.results {
            return Err(Error::input(format!(
                "the log was written by crowdtune {} with results version {}; this is crowdtune {} with results version {}",
                self.crowdtune, self.results, wanted.crowdtune, wanted.results
            ))
            .file(file)
            .line(1)
            .help("continue with that version, or start again in another folder with --out"));
        }
        if self.engine != wanted.engine {
            let named = |engine: &str| match engine {
                NATIVE => "crowdtune's own simulator".to_string(),
                foreign => format!("the engine `{foreign}`"),
            };
            return Err(Error::input(format!(
                "the log has the answers of {}, this run those of {}",
                named(&self.engine),
                named(&wanted.engine)
            ))
            .file(file)
            .line(1)
            .key("engine")
            .help("continue with the engine and version of the first start, or choose another folder"));
        }
        if self.differences(wanted).is_empty() {
            return Ok(());
        }
        Err(edited(file).help("start again in another folder with --out"))
    }

    /// Checks that this is the log of the experiment with the header `wanted`, so that its rows mean what that says; engine
    /// and version may be others. Of a log with other [`RESULTS`] only names and seed are compared: an experiment that
    /// this version reads may have keys that were not there.
    ///
    /// # Errors
    /// Says in what they differ.
    pub fn describes(&self, wanted: &Self, file: &str) -> Result<(), Error> {
        let other = self.differences(wanted);
        if self.digest == wanted.digest || (self.results != wanted.results && other.is_empty()) {
            return if other.is_empty() { Ok(()) } else { Err(edited(file).help(DAMAGED)) };
        }
        let what = match &other[..] {
            [] => "it gives another range, scenario, target or setting".to_string(),
            _ => other.join("; "),
        };
        let version = match self.crowdtune == wanted.crowdtune && self.results == wanted.results {
            true => String::new(),
            false => format!("; the log was written by crowdtune {}, which reads its own files", self.crowdtune),
        };
        Err(Error::input(format!(
            "experiment.toml is not the experiment that was run: {what} (its digest is {}, the log says {})",
            short(&wanted.digest),
            short(&self.digest)
        ))
        .file(file)
        .line(1)
        .help(format!(
            "put the experiment.toml of the run back: `evolve` with the file, seed, --set values and --draft of the first start, \
             --resume and --out writes it again{version}"
        )))
    }

    /// What the names and the seed of two headers differ in, in words.
    fn differences(&self, wanted: &Self) -> Vec<String> {
        let seed = |header: &Self| vec![header.seed.to_string()];
        let all = [
            ("its seed is", seed(wanted), seed(self)),
            ("it searches", wanted.genes.clone(), self.genes.clone()),
            ("its objectives are", wanted.objectives.clone(), self.objectives.clone()),
            ("its scenarios are", wanted.scenarios.clone(), self.scenarios.clone()),
            ("its targets and measures are", wanted.columns.clone(), self.columns.clone()),
        ];
        let differ = all.into_iter().filter(|(_, now, then)| now != then);
        differ.map(|(what, now, then)| format!("{what} {}, in the log {}", list(&now), list(&then))).collect()
    }
}

fn edited(file: &str) -> Error {
    Error::input("the header of the log does not fit its own digest: it has been edited").file(file).line(1)
}

/// Names for a sentence.
fn list(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// The first digits of a digest: enough to tell two of them apart.
fn short(digest: &str) -> String {
    digest.chars().take(12).collect()
}

/// A log as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// The first line.
    pub header: Header,
    /// The rows, ids 0, 1, 2, ...
    pub trials: Vec<Trial>,
    /// True if the last line was incomplete and dropped.
    pub torn: bool,
    /// Number of bytes of the complete lines.
    pub valid_len: u64,
    /// Writes the next line.
    pub chain: Chain,
}

/// Reads a log; `file` is only named in errors. A last line without its line end is dropped: the writer was stopped
/// in the middle of it.
///
/// # Errors
/// If the header is not complete, a line does not fit its checksum or the format, or ids are not consecutive.
pub fn parse(bytes: &[u8], file: &str) -> Result<Log, Error> {
    parse_started(bytes, file)?.ok_or_else(|| {
        Error::input("the log holds no complete line: the run was stopped before it began")
            .file(file)
            .help("start the run again with `evolve --resume`")
    })
}

/// As [`parse`], but `None` if not even the header is complete.
///
/// # Errors
/// As [`parse`].
pub fn parse_started(bytes: &[u8], file: &str) -> Result<Option<Log>, Error> {
    let valid = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    if valid == 0 {
        return Ok(None);
    }
    let mut lines = bytes[..valid - 1].split(|&b| b == b'\n');
    let first = lines.next().expect("split gives at least one piece");
    let mut chain = Chain::default();
    let header = parse_header(first, &mut chain).map_err(|e| e.file(file).line(1))?;
    let mut trials: Vec<Trial> = Vec::new();
    let mut asked = 0;
    for (at, line) in lines.enumerate() {
        let row = chain.check(line).and_then(|json| parse_row(&json, &header, at as u64));
        let checked = row.and_then(|trial| check_replicas(&trial, asked).map(|()| trial));
        let trial = checked.map_err(|e| e.file(file).line(at + 2).help(DAMAGED_ROW))?;
        asked += trial.question.replicas.len() as u64;
        trials.push(trial);
    }
    Ok(Some(Log { header, trials, torn: valid < bytes.len(), valid_len: valid as u64, chain }))
}

/// What to do about a row that cannot be right.
pub(super) const DAMAGED_ROW: &str =
    "the file has been edited or damaged: restore it, or delete this line and those after it and resume";
const DAMAGED: &str = "the file has been edited or damaged: restore it, or start again in another folder";

fn parse_header(line: &[u8], chain: &mut Chain) -> Result<Header, Error> {
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    let version: Version = serde_json::from_slice(line)
        .map_err(|e| Error::input(format!("not the header of a crowdtune log: {}", reason(&e))).help(DAMAGED))?;
    if version.format != FORMAT {
        return Err(Error::input(format!("the log has format {}", version.format))
            .key("format")
            .allowed(FORMAT.to_string())
            .help("read it with the version of crowdtune that wrote it"));
    }
    let json = chain.check(line).map_err(|e| e.help(DAMAGED))?;
    serde_json::from_slice(&json)
        .map_err(|e| Error::input(format!("incomplete header of a crowdtune log: {}", reason(&e))).help(DAMAGED))
}

fn parse_row(line: &[u8], header: &Header, id: u64) -> Result<Trial, Error> {
    let trial: Trial =
        serde_json::from_slice(line).map_err(|e| Error::input(format!("not a row of the log: {}", reason(&e))))?;
    let wrong = |what: String| Err(Error::input(what));
    if trial.id != id {
        return wrong(format!("the row has id {}, but {id} is next", trial.id));
    }
    let replicas = &trial.question.replicas;
    if replicas.is_empty() {
        return wrong(format!("the row is for no replica: [{}, {}]", replicas.start, replicas.end));
    }
    for (what, has, wants) in [
        ("coordinates of the genome", trial.question.genome.len(), header.genes.len()),
        ("scenarios in `values`", trial.values.len(), header.scenarios.len()),
        ("objectives", trial.objectives.len(), if trial.is_done() { header.objectives.len() } else { 0 }),
    ] {
        if has != wants {
            return wrong(format!("the row has {has} {what}; the header says {wants}"));
        }
    }
    for (case, runs) in header.scenarios.iter().zip(&trial.values) {
        if runs.len() > replicas.len() {
            return wrong(format!("the row has {} replicas of {case} but is for {}", runs.len(), replicas.len()));
        }
        let cut = |r: &[_]| r.is_empty() && !trial.is_done();
        let bad = runs.iter().find(|r| r.len() != header.columns.len() && !cut(r));
        if let Some(run) = bad {
            return wrong(format!("a run of {case} has {} values for {} columns", run.len(), header.columns.len()));
        }
    }
    Ok(trial)
}

/// Checks the replicas of a row: readers of a log count from 0 to the end of that range, and make room for as many.
///
/// `asked` is the number of replicas that the rows before it are for: a candidate's replicas follow each other.
fn check_replicas(trial: &Trial, asked: u64) -> Result<(), Error> {
    let replicas = &trial.question.replicas;
    let (count, shown) = (replicas.len(), format!("`replicas` is [{}, {}]", replicas.start, replicas.end));
    limits::REPLICAS.check(count as u64, &shown)?;
    if u64::from(replicas.start) > asked.max(limits::REPLICAS.most) {
        return Err(Error::input(format!("{shown}, and the rows before it are for {asked} replicas")));
    }
    // The case that has the most replicas runs all of them; after a failure, and without any values, nobody knows.
    let ran = trial.values.iter().map(Vec::len).max().unwrap_or(0);
    if trial.is_done() && ran > 0 && ran != count {
        return Err(Error::input(format!("{shown}, but `values` has {ran} replicas")));
    }
    Ok(())
}

/// serde's message without its place: lines are read one by one, so the line is always 1.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.find(" at line ") {
        Some(at) => format!("{} (column {})", &text[..at], error.column()),
        None => text,
    }
}

/// The last complete check on fresh seeds in a log.
#[derive(Clone, Debug, Default)]
pub(super) struct Check<'a> {
    /// Rows of the selection, in the order of the log.
    pub selection: &'a [Trial],
    /// What was reported: the recommendation, or with several objectives the front; empty before it was run.
    pub reports: Vec<&'a Trial>,
    /// The defaults on the same seeds.
    pub baseline: Option<&'a Trial>,
}

impl<'a> Check<'a> {
    /// Rows of the selection, best first.
    pub fn ranked(&self) -> Vec<&'a Trial> {
        let mut rows: Vec<_> = self.selection.iter().collect();
        rows.sort_by(|a, b| better(a, b));
        rows
    }
}

/// Finds the last report in a log with the selection before it and the baseline after it.
pub(super) fn last_check(trials: &[Trial]) -> Check<'_> {
    let is = |purpose| move |t: &&Trial| t.question.purpose == purpose;
    let Some(at) = trials.iter().rposition(|t| t.question.purpose == Purpose::Report) else { return Check::default() };
    let mut reports: Vec<_> = trials[..=at].iter().rev().take_while(is(Purpose::Report)).collect();
    reports.reverse();
    let first = at + 1 - reports.len();
    let count = trials[..first].iter().rev().take_while(is(Purpose::Select)).count();
    Check {
        selection: &trials[first - count..first],
        reports,
        baseline: trials.get(at + 1).filter(is(Purpose::Baseline)),
    }
}

/// The reason of a failed trial.
pub fn failure(trial: &Trial) -> Option<&str> {
    match &trial.outcome {
        Outcome::Done => None,
        Outcome::Failed(reason) => Some(reason),
    }
}

/// Number of failed trials by cause. Causes that differ in their numbers only are counted together, under the first of them.
pub(super) fn failures<'a>(trials: impl Iterator<Item = &'a Trial>) -> BTreeMap<String, u64> {
    let mut kinds: BTreeMap<String, (&str, u64)> = BTreeMap::new();
    for reason in trials.filter_map(failure) {
        let cause = cause(reason);
        kinds.entry(without_numbers(cause)).or_insert((cause, 0)).1 += 1;
    }
    kinds.into_values().map(|(first, count)| (first.to_string(), count)).collect()
}

/// A reason without scenario and replica.
fn cause(reason: &str) -> &str {
    reason.split_once(", replica ").and_then(|(_, rest)| rest.split_once(": ")).map_or(reason, |(_, cause)| cause)
}

/// A cause with each of its numbers left out.
fn without_numbers(cause: &str) -> String {
    let mut number = false;
    let mut kind = String::new();
    for c in cause.chars() {
        number = c.is_ascii_digit() || (number && c == '.');
        if !number {
            kind.push(c);
        }
    }
    kind
}
