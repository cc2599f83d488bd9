//! Progress of a search on stderr: a bar on a terminal, plain lines elsewhere.

use super::output;
use crate::evolve::run::{Observer, Phase};
use crate::format;
use crowdtune_search::{Purpose, Trial, better};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Shortest time between two plain lines.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Watches the loop for the user.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Plain lines instead of the bar.
    plain: bool,
    /// True to count the replicas of a search trial, not the trials.
    replicas: bool,
    phase: Phase,
    total: u64,
    done: u64,
    replayed: u64,
    failed: u64,
    best: Option<Trial>,
    /// The lowest loss of each objective among the feasible candidates.
    lowest: Vec<f64>,
    since: Instant,
    last_line: Instant,
}

impl Progress {
    /// A watcher; `quiet` shows nothing.
    pub fn new(quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let now = Instant::now();
        Self {
            bar: bar(!quiet && terminal),
            plain: !quiet && !terminal,
            replicas: false,
            phase: Phase::Search,
            total: 0,
            done: 0,
            replayed: 0,
            failed: 0,
            best: None,
            lowest: Vec::new(),
            since: now,
            last_line: now,
        }
    }

    /// As it is, but the search counts replicas, because trials have unequal numbers of them.
    #[must_use]
    pub fn counting_replicas(self, replicas: bool) -> Self {
        Self { replicas, ..self }
    }

    /// Removes the bar; plain lines stay.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn message(&self) -> String {
        let loss = self.best.as_ref().and_then(|t| t.objectives.first()).copied();
        let mut text = format!("best loss {}", format::option(loss));
        if self.lowest.len() > 1 {
            let each: Vec<String> = self.lowest.iter().map(|l| format::number(*l)).collect();
            text = format!("lowest losses {}", each.join(", "));
        }
        if self.best.as_ref().is_some_and(|t| t.violation > 0.0) {
            text += " (a must is missed)";
        }
        if self.failed > 0 {
            text += &format!(", {} failed", self.failed);
        }
        text
    }

    fn line(&mut self) {
        let new = self.done - self.replayed;
        let left = self.since.elapsed().as_secs_f64() / new.max(1) as f64 * self.total.saturating_sub(self.done) as f64;
        let name = name(self.phase);
        output::say(format_args!(
            "{name} {}/{}  {}  about {} left",
            self.done,
            self.total,
            self.message(),
            seconds(left)
        ));
        self.last_line = Instant::now();
    }
}

/// Progress of equal runs, counted from any thread: a bar on a terminal, plain lines elsewhere.
#[derive(Debug)]
pub struct Counter {
    bar: ProgressBar,
    name: &'static str,
    total: u64,
    done: AtomicU64,
    since: Instant,
    /// When the last plain line was written; `None` where there are none.
    last_line: Option<Mutex<Instant>>,
}

impl Counter {
    /// Of `total` runs none is done; `quiet` shows nothing.
    pub fn new(name: &'static str, total: u64, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = bar(!quiet && terminal);
        bar.set_prefix(name);
        bar.set_length(total);
        bar.set_message("runs");
        let since = Instant::now();
        let last_line = (!quiet && !terminal).then(|| Mutex::new(since));
        Self { bar, name, total, done: AtomicU64::new(0), since, last_line }
    }

    /// One more is done.
    pub fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.bar.inc(1);
        let Some(mut last) = self.last_line.as_ref().and_then(|last| last.try_lock().ok()) else { return };
        if last.elapsed() >= LINE_EVERY || done == self.total {
            let left = self.since.elapsed().as_secs_f64() / done as f64 * (self.total - done.min(self.total)) as f64;
            output::say(format_args!("{} {done}/{} runs  about {} left", self.name, self.total, seconds(left)));
            *last = Instant::now();
        }
    }

    /// Removes the bar; plain lines stay.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Counts trials of which none is better than another: a bar on a terminal, nothing elsewhere.
#[derive(Debug)]
pub struct Trials {
    bar: ProgressBar,
    /// What the search is called.
    search: &'static str,
}

impl Trials {
    /// A watcher; `quiet` shows nothing.
    pub fn new(search: &'static str, quiet: bool) -> Self {
        Self { bar: bar(!quiet), search }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Trials {
    fn phase(&mut self, phase: Phase, trials: u64) {
        self.bar.reset();
        self.bar.set_prefix(if phase == Phase::Search { self.search } else { name(phase) });
        self.bar.set_length(trials);
    }

    fn trial(&mut self, _: &Trial, _: bool) {
        self.bar.inc(1);
    }
}

/// A bar on stderr, or a hidden one.
pub fn bar(shown: bool) -> ProgressBar {
    let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{prefix:>9} {bar:32} {pos}/{len}  {msg}  {eta} left")
        .expect("the template is well-formed");
    ProgressBar::with_draw_target(None, target).with_style(style.progress_chars("━━╌"))
}

fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Search => "search",
        Phase::Select => "selection",
        Phase::Report => "report",
        Phase::Profile => "profiles",
        Phase::Planted => "planted",
    }
}

fn seconds(s: f64) -> String {
    if s < 90.0 { format!("{s:.0} s") } else { format!("{:.0} min", s / 60.0) }
}

impl Observer for Progress {
    fn phase(&mut self, phase: Phase, trials: u64) {
        (self.phase, self.total, self.done, self.replayed) = (phase, trials, 0, 0);
        self.since = Instant::now();
        self.bar.reset();
        self.bar.set_prefix(name(phase));
        self.bar.set_length(trials);
        self.bar.set_message(self.message());
    }

    fn trial(&mut self, trial: &Trial, replayed: bool) {
        let searched = trial.question.purpose == Purpose::Search;
        let count = if self.replicas && searched { trial.question.replicas.len() as u64 } else { 1 };
        self.done += count;
        self.replayed += if replayed { count } else { 0 };
        if searched {
            self.failed += u64::from(!trial.is_done());
            if trial.is_done() && trial.violation <= 0.0 {
                self.lowest.resize(trial.objectives.len(), f64::INFINITY);
                self.lowest.iter_mut().zip(&trial.objectives).for_each(|(low, new)| *low = low.min(*new));
            }
            if trial.is_done() && self.best.as_ref().is_none_or(|b| better(trial, b).is_lt()) {
                self.best = Some(trial.clone());
            }
        }
        self.bar.set_message(self.message());
        self.bar.set_position(self.done);
        if self.plain && (self.last_line.elapsed() >= LINE_EVERY || self.done == self.total) {
            self.line();
        }
    }
}
