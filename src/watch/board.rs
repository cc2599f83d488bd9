//! What a page shows of a run: counts, the best so far, a cloud of candidates that stays small.

use super::tail::{News, Tail};
use crate::evolve::exchange;
use crate::evolve::experiment::Experiment;
use crate::evolve::log::{self, Header};
use crate::folder::not_started;
use crate::registry::Registry;
use crate::report::page::{self, Crowds, Lab, Side, Wish};
use crowdtune_search::{Outcome, Purpose, Trial, better};
use maud::html;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Most points of a cloud; when there are more, every other one is dropped. Improvements stay.
const MOST: usize = 2000;
/// Most reasons of failures that are told, the most frequent ones: a foreign engine may give another one each time.
const MOST_REASONS: usize = 8;

/// A candidate in the cloud: its place among the search trials, its loss, and how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    place: u64,
    loss: Option<f64>,
    missed: bool,
    best: bool,
}

/// A run that is followed.
#[derive(Debug)]
pub struct Board {
    /// Relative to the folder that is watched.
    pub name: String,
    folder: PathBuf,
    tail: Tail,
    experiment: Option<Experiment>,
    header: Option<Header>,
    searched: u64,
    checked: u64,
    failures: BTreeMap<String, u64>,
    best: Option<Trial>,
    points: Vec<Point>,
    /// Every so many candidates are in the cloud.
    every: u64,
    /// Points that pages have not seen.
    fresh: Vec<Point>,
    state: &'static str,
    /// Bytes of the timing log that were read, and the seconds in them.
    timing: (usize, f64),
    /// True if pages have to forget what they have.
    again: bool,
}

impl Board {
    /// A run folder.
    pub fn new(name: String, folder: &Path) -> Self {
        Self {
            name,
            folder: folder.to_owned(),
            tail: Tail::new(folder),
            experiment: None,
            header: None,
            searched: 0,
            checked: 0,
            failures: BTreeMap::new(),
            best: None,
            points: Vec::new(),
            every: 1,
            fresh: Vec::new(),
            state: "waiting",
            timing: (0, 0.0),
            again: true,
        }
    }

    /// The page that plays its best candidate beside the defaults; nothing without a simulator, an experiment that it can run, or a best.
    pub fn crowd(&self, simulator: Option<&[u8]>) -> Option<String> {
        let (experiment, best) = (self.experiment.as_ref()?, self.best.as_ref()?);
        let case = experiment.cases.iter().position(|case| !case.held_out)?;
        let genes = experiment.space.decode(&best.question.genome);
        let sides =
            vec![Side::new("defaults", experiment, &experiment.defaults), Side::new("best so far", experiment, &genes)];
        let lab = Lab::new(experiment, case, 0, sides)?;
        let crowds = Crowds {
            columns: Wish::all(experiment),
            lab: Some(lab),
            follow: Some(self.name.clone()),
            ..Crowds::default()
        };
        let back = html! { p { a href="/" { "All runs" } } };
        Some(page::play(&format!("Best crowd of {}", self.name), &crowds, Some(simulator?), (&back, &html! {})))
    }

    /// Looks for news; true if there are any.
    pub fn poll(&mut self, registry: &Registry) -> bool {
        let news = self.tail.poll();
        let changed = !news.is_empty();
        for one in news {
            match one {
                News::Begun(header) => {
                    let (name, folder) = (std::mem::take(&mut self.name), self.folder.clone());
                    let tail = std::mem::replace(&mut self.tail, Tail::new(&folder));
                    *self = Self { tail, ..Self::new(name, &folder) };
                    self.experiment = not_started(registry, &folder.join("experiment.toml"), &[]).ok();
                    self.header = Some(*header);
                    self.state = "searching";
                }
                News::Rows(rows) => {
                    self.state = "searching";
                    rows.into_iter().for_each(|trial| self.take(trial));
                }
                News::Gone => self.state = "removed",
                News::Damaged(_) => self.state = "the log has a line that is no row",
            }
        }
        // A search that goes on has an older report.
        let (report, log) = (written(&self.folder.join("report.html")), written(&self.folder.join(log::FILE)));
        let turned = log.is_some() && report >= log && self.state == "searching";
        if turned {
            self.state = "finished";
        }
        if changed {
            self.read_timing();
        }
        changed || turned
    }

    fn take(&mut self, trial: Trial) {
        if trial.question.purpose != Purpose::Search {
            self.checked += 1;
            return;
        }
        self.searched += 1;
        if let Outcome::Failed(reason) = &trial.outcome {
            *self.failures.entry(reason.clone()).or_default() += 1;
        }
        let best = trial.is_done() && self.best.as_ref().is_none_or(|best| better(&trial, best).is_lt());
        let loss = trial.objectives.first().copied().filter(|_| trial.is_done());
        let point = Point { place: self.searched, loss, missed: trial.violation > 0.0, best };
        if best {
            self.best = Some(trial);
        }
        if best || self.searched.is_multiple_of(self.every) {
            self.points.push(point);
            self.fresh.push(point);
        }
        if self.points.len() > MOST {
            self.every *= 2;
            let every = self.every;
            self.points.retain(|p| p.best || p.place.is_multiple_of(every));
        }
    }

    /// Adds up the seconds of new lines of the timing log.
    fn read_timing(&mut self) {
        let Ok(bytes) = std::fs::read(self.folder.join("timing.jsonl")) else { return };
        if bytes.len() < self.timing.0 {
            self.timing = (0, 0.0);
        }
        let new = &bytes[self.timing.0..];
        let whole = new.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let second = |line: &[u8]| serde_json::from_slice::<Value>(line).ok()?["seconds"].as_f64();
        self.timing.1 += new[..whole].split(|&b| b == b'\n').filter_map(second).sum::<f64>();
        self.timing.0 += whole;
    }

    /// Everything, for a page that was just opened; `at` is its place among the runs, if its crowd can be shown.
    pub fn whole(&self, at: Option<usize>) -> Value {
        let mut said = self.status();
        said["crowd"] = json!(at.filter(|_| self.experiment.is_some()).map(|at| format!("/crowd/{at}")));
        said["points"] = self.points.iter().map(point).collect();
        said["again"] = json!(true);
        if let Some(experiment) = &self.experiment {
            let known = exchange::describe(experiment);
            for key in ["title", "model", "genes", "objectives"] {
                said[key] = known[key].clone();
            }
            said["optimizer"] = json!(experiment.search.optimizer.name);
        }
        said
    }

    /// What pages have not seen.
    pub fn news(&mut self, at: Option<usize>) -> Value {
        let fresh = std::mem::take(&mut self.fresh);
        if std::mem::take(&mut self.again) {
            return self.whole(at);
        }
        let mut said = self.status();
        said["points"] = fresh.iter().map(point).collect();
        said
    }

    fn status(&self) -> Value {
        let mut failures: Vec<_> = self.failures.iter().map(|(reason, count)| (*count, reason)).collect();
        failures.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        failures.truncate(MOST_REASONS);
        let asked = self.experiment.as_ref().map(|e| e.search.evaluations);
        let rate = (self.timing.1 > 0.0).then(|| (self.searched + self.checked) as f64 / self.timing.1);
        let left = asked.zip(rate).map(|(asked, rate)| asked.saturating_sub(self.searched) as f64 / rate);
        let best = self.best.as_ref().map(|trial| match &self.experiment {
            Some(experiment) => exchange::answer(experiment, trial),
            None => json!({ "id": trial.id, "objectives": trial.objectives, "violation": trial.violation }),
        });
        json!({
            "run": self.name, "state": self.state, "seed": self.header.as_ref().map(|h| h.seed), "searched": self.searched,
            "checked": self.checked, "asked": asked, "seconds": self.timing.1, "rate": rate, "left_s": left,
            "failed": self.failures.values().sum::<u64>(), "reasons": self.failures.len(), "failures": failures, "best": best,
            "every": self.every, "written": written(&self.folder.join(log::FILE)).and_then(seconds),
        })
    }
}

/// When a file was written last.
fn written(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// Seconds since 1970, as a page counts them.
fn seconds(at: SystemTime) -> Option<u64> {
    Some(at.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs())
}

fn point(p: &Point) -> Value {
    json!([p.place, p.loss, p.missed as u8, p.best as u8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_search::Question;

    fn trial(id: u64, loss: f64) -> Trial {
        Trial {
            id,
            question: Question { genome: vec![0.5], replicas: 0..1, purpose: Purpose::Search },
            outcome: Outcome::Done,
            objectives: vec![loss],
            violation: 0.0,
            measures: Vec::new(),
            values: Vec::new(),
        }
    }

    #[test]
    fn the_most_frequent_reasons_are_told_and_all_are_counted() {
        let mut board = Board::new("a".into(), Path::new("."));
        for id in 0..60 {
            let reason = if id % 3 == 0 { "no answer".to_owned() } else { format!("line {id} of the engine") };
            board.take(Trial { outcome: Outcome::Failed(reason), ..trial(id, 0.0) });
        }
        let said = board.status();
        assert_eq!((said["failed"].as_u64(), said["reasons"].as_u64()), (Some(60), Some(41)));
        assert_eq!((said["failures"].as_array().unwrap().len(), &said["failures"][0]), (8, &json!([20, "no answer"])));
    }

    #[test]
    fn a_cloud_stays_small_and_keeps_every_improvement() {
        let mut board = Board::new("a".into(), Path::new("."));
        for id in 0..20_000 {
            // An improvement at every thousandth.
            board.take(trial(id, if id % 1000 == 7 { 10.0 / (id + 1) as f64 } else { 50.0 }));
        }
        assert!(board.points.len() <= MOST, "{}", board.points.len());
        let improved: Vec<u64> = board.points.iter().filter(|p| p.best).map(|p| p.place).collect();
        assert_eq!(improved[1..4], [8, 1008, 2008]);
        assert_eq!((board.searched, board.whole(None)["best"]["id"].as_u64()), (20_000, Some(19_007)));
        assert_eq!(board.news(None)["again"], true);
        board.take(trial(20_000, 0.0));
        let news = board.news(None);
        assert_eq!((news["points"].as_array().unwrap().len(), news["again"].is_null()), (1, true));
    }
}
