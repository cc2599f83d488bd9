//! How large things may be: every limit of the program that is not a matter of a model or an optimizer, in one place.
//!
//! `docs/limits.md` shows the same list, and a test holds the two together.

use crowdtune_core::Error;

/// A largest number, and what it is the number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What is limited, as in "an experiment file".
    pub what: &'static str,
    /// The largest number that is accepted.
    pub most: u64,
    /// Its unit, or "".
    pub unit: &'static str,
    /// Why there, and not higher.
    pub why: &'static str,
}

impl Limit {
    /// Refuses what is larger; `shown` says how large it is.
    ///
    /// # Errors
    /// If `given` is above the limit.
    pub fn check(&self, given: u64, shown: &str) -> Result<(), Error> {
        if given <= self.most {
            return Ok(());
        }
        Err(Error::input(format!("{} is too large: {shown}", self.what))
            .allowed(format!("at most {}", self.words()))
            .help("docs/limits.md lists all limits, and why they are where they are"))
    }

    /// `4 MB`, `1000`.
    pub fn words(&self) -> String {
        let (number, unit) = match (self.unit, self.most) {
            ("bytes", n) if n % MEGABYTE == 0 => (n / MEGABYTE, "MB"),
            (unit, n) => (n, unit),
        };
        format!("{number} {unit}").trim_end().to_string()
    }
}

const MEGABYTE: u64 = 1_000_000;

const fn limit(what: &'static str, most: u64, unit: &'static str, why: &'static str) -> Limit {
    Limit { what, most, unit, why }
}

/// Points of an imported plan.
pub static PLAN: Limit = limit(
    "the number of points of a floor plan",
    100_000,
    "",
    "every outline is checked against itself: a city block, not a typing mistake",
);
/// Text that is parsed into a tree.
pub static DOCUMENT: Limit = limit(
    "an experiment, a preset or a geometry",
    4 * MEGABYTE,
    "bytes",
    "parsing takes up to 90 bytes of memory for each byte; positions of 100,000 people fit",
);
/// Whatever else is read as a whole.
pub static FILE: Limit = limit(
    "a file of recorded tracks, a table or a log",
    500 * MEGABYTE,
    "bytes",
    "it is held in memory, with its rows up to five times its size",
);
/// A line of `ask-tell`, `evaluate` and `answer`, and of the workers of `evolve`.
pub static LINE: Limit =
    limit("a line of a program, or of a worker", 64 * MEGABYTE, "bytes", "answers to the largest batch fit");
/// Coordinates of a search.
pub static DIMENSION: Limit = limit(
    "the dimension of a search",
    1000,
    "",
    "optimizers that learn how coordinates depend on each other keep tables of the square of it",
);
/// Targets, or measures.
pub static COLUMNS: Limit =
    limit("the number of targets or of measures", 1000, "", "every name is compared with every other one");
/// Workers that are threads.
pub static THREADS: Limit =
    limit("--threads", 256, "", "no more than four for each core are started: more only take memory");
/// Workers that are processes.
pub static WORKERS: Limit = limit("--workers", 1000, "", "each is a process here, with three pipes and four threads");
/// Workers that say nothing.
pub static SILENCE: Limit =
    limit("--answer-timeout", 1_000_000, "s", "eleven days: without the option nobody is hurried");
/// Candidates at once.
pub static PARALLEL: Limit = limit("a batch or a population", 100_000, "", "a generation is kept in memory");
/// Runs of one point.
pub static REPLICAS: Limit = limit("a number of replicas", 100_000, "", "more is a typing error");
/// Repeated searches.
pub static REPEATS: Limit = limit("--repeats", 1000, "", "each is a folder of its own, read before the first run");
/// People of a workload.
pub static AGENTS: Limit = limit("bench --agents", 1_000_000, "", "as many people as fit into a gigabyte");
/// Steps of a workload.
pub static STEPS: Limit = limit("bench --steps", 1_000_000_000, "", "more would run for days");
/// Runs of a workload.
pub static ROUNDS: Limit = limit("bench --repeat", 1000, "", "the median of a thousand runs is known well");
/// Simulated time.
pub static SIMULATED: Limit = limit("limit_s", 1_000_000, "s", "eleven days, 100 million steps of 0.01 s");

/// All of them, in the order of docs/limits.md.
#[cfg(test)]
static ALL: [&Limit; 16] = [
    &DOCUMENT, &FILE, &PLAN, &LINE, &DIMENSION, &COLUMNS, &THREADS, &WORKERS, &SILENCE, &PARALLEL, &REPLICAS, &REPEATS,
    &SIMULATED, &AGENTS, &STEPS, &ROUNDS,
];

/// Threads to start where `asked` are wanted (0: one for each core): at most four for each core.
pub fn threads(asked: u32) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if asked == 0 { cores } else { (asked as usize).min(4 * cores) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_lists_every_limit() {
        let page = include_str!("../docs/limits.md");
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
        let known: Vec<String> = ALL.iter().map(|l| format!("| {} | {} | {} |", l.what, l.words(), l.why)).collect();
        assert_eq!(rows[..known.len()], known[..], "write these rows into docs/limits.md:\n{}", known.join("\n"));
    }

    #[test]
    fn one_more_than_the_limit_is_refused_in_words() {
        assert_eq!(DIMENSION.check(1000, "1000"), Ok(()));
        let error = DIMENSION.check(1001, "1001").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().starts_with("the dimension of a search is too large: 1001\n  allowed: at most 1000"));
        assert_eq!((DOCUMENT.words().as_str(), SIMULATED.words().as_str()), ("4 MB", "1000000 s"));
    }

    #[test]
    fn threads_beyond_four_a_core_are_not_started() {
        let cores = threads(0);
        assert!(cores >= 1 && threads(1) == 1);
        assert_eq!(threads(1_000_000), 4 * cores);
    }
}
