//! `crowdtune evolve`: search, check on fresh seeds, report.

use super::{input, interrupt, options::Threads, output, progress::Progress, workers::Workers};
use crate::evolve::compare::compare;
use crate::evolve::experiment::Experiment;
use crate::evolve::run::check;
use crate::evolve::summary::Summary;
use crate::folder::{Options, RunOutput, run_to_folder_with};
use crate::limits;
use crate::registry::Registry;
use crate::report::{compare as words, result};
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Search the parameters of an experiment, check the best on fresh seeds, and write a report
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The experiment file (TOML or JSON)
    experiment: PathBuf,
    /// Run folder [default: results/NAME-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of everything; replaces search.seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    /// Number of search trials; replaces search.evaluations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    evaluations: Option<u64>,
    /// End the search after so many seconds, then select and report; replaces search.stop.time_s
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    time: Option<f64>,
    /// Repeat the whole run with N seeds, into DIR/r1, DIR/r2, ...; replaces search.repeats
    #[arg(long, value_name = "N", value_parser = super::options::whole::<u32>(&limits::REPEATS))]
    repeats: Option<u32>,
    /// Continue a run that was stopped, or extend a finished one with a larger --evaluations
    #[arg(long)]
    resume: bool,
    /// Replace a value of the file, for example target.flow.weight=3
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = input::pair)]
    sets: Vec<(String, String)>,
    /// Twice the time step: half the work; the results are marked as a draft
    #[arg(long)]
    draft: bool,
    #[command(flatten)]
    workers: Workers,
    /// No progress
    #[arg(long)]
    quiet: bool,
    /// Print the summary as one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// What the user or the environment has to mend; that nothing valid was found; that it was interrupted.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let cancel = interrupt::flag();
    let mut sets = args.sets.clone();
    if let Some(n) = args.evaluations {
        sets.push(("search.evaluations".into(), n.to_string()));
    }
    if let Some(time) = args.time {
        sets.push(("search.stop.time_s".into(), format!("{time:?}")));
    }
    let first = load(registry, args, &sets, args.seed)?;
    let repeats = args.repeats.unwrap_or(first.search.repeats);
    input::announce(&first);
    let base =
        args.out.clone().unwrap_or_else(|| Path::new("results").join(format!("{}-{}", first.name, first.search.seed)));
    if repeats == 1 {
        let ran = one(args, &first, &base, &cancel)?;
        return if args.json { output::line(pretty(&ran.summary)) } else { Ok(()) };
    }
    // All of them before the first run, so that a mistake costs no work.
    let load_one = |k: u32| {
        let seed = first.search.seed.checked_add(u64::from(k)).ok_or_else(|| {
            Error::input(format!("{repeats} repeats need seeds above the largest there is"))
                .key("search.seed")
                .help("take a smaller seed")
        })?;
        load(registry, args, &sets, Some(seed)).map(|experiment| (experiment, base.join(format!("r{}", k + 1))))
    };
    let runs: Vec<(Experiment, PathBuf)> = (0..repeats).map(load_one).collect::<Result<_, _>>()?;
    let mut summaries = Vec::new();
    let mut searches = Vec::new();
    for (experiment, path) in &runs {
        let ran = one(args, experiment, path, &cancel)?;
        searches.push(ran.searched);
        summaries.push(ran.summary);
    }
    if first.objectives.len() > 1 {
        output::say("note: fronts are not compared in a table; plots/front.svg of each run shows one");
        return if args.json { output::line(pretty(&summaries)) } else { Ok(()) };
    }
    let objective = first.objectives.first().cloned().unwrap_or_default();
    let comparison = compare(&objective, vec![(first.search.optimizer.name.to_string(), searches)]);
    input::write(&base.join("compare.json"), format!("{}\n", super::compare::pretty(&comparison)).as_bytes())?;
    super::compare::draw(&comparison, &base.join("compare.svg"))?;
    if args.json {
        return output::line(pretty(&summaries));
    }
    output::colored(&format!("\n{}", words::text(&comparison, output::terminal())))
}

fn load(registry: &Registry, args: &Args, sets: &[(String, String)], seed: Option<u64>) -> Result<Experiment, Error> {
    let mut sets = sets.to_vec();
    sets.extend(seed.map(|s| ("search.seed".to_string(), s.to_string())));
    let experiment = input::experiment_or_draft(registry, &args.experiment, &sets, args.draft)?;
    // Before a folder is made: what is refused leaves nothing behind.
    check(&experiment).map_err(|e| e.file(args.experiment.display().to_string()))?;
    Ok(experiment)
}

/// Makes one run with all its files, and says what came out.
fn one(args: &Args, experiment: &Experiment, path: &Path, cancel: &AtomicBool) -> Result<RunOutput, Error> {
    let options = Options { threads: args.threads.count(), resume: args.resume };
    let mut progress = Progress::new(args.quiet).counting_replicas(experiment.search.adaptive());
    let ran = args.workers.answer(experiment, options.threads, cancel, |evaluator| {
        run_to_folder_with(experiment, evaluator, path, options, &mut progress, cancel)
    });
    progress.finish();
    let ran = ran?;
    let unknown = ran.best.unknown();
    if !unknown.is_empty() {
        output::say(format_args!(
            "warning: best.json leaves out {}: scenarios differ in it, and a preset has one value for a group",
            unknown.join(", ")
        ));
    }
    if !args.json {
        output::colored(&table(&ran.summary, path))?;
    }
    Ok(ran)
}

/// The result table for stdout.
pub(super) fn table(summary: &Summary, folder: &Path) -> String {
    result::text(summary, &folder.join("report.html").display().to_string(), output::terminal())
}

fn pretty<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string_pretty(value).expect("summaries have string keys only")
}
