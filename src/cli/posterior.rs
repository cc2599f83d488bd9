//! `crowdtune posterior`: which constants agree with what was measured.

use super::options::Threads;
use super::progress::Trials;
use super::workers::Workers;
use super::{input, output};
use crate::evolve::posterior::{Design, Posterior};
use crate::folder::posterior_to_folder;
use crate::registry::Registry;
use crate::report::posterior::text;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use std::path::{Path, PathBuf};

/// Infer which constants agree with what was measured: their whole distribution, not one best set
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The targets are what was measured: `equals` and `points` with their `tolerance` as the standard deviation of the error, `between` with an
error that is alike everywhere in the band; `at_most`, `at_least` and every `must` are limits. `prior` in [parameters] says what is known
before: relaxation_time_s = { range = [0.1, 2.0], prior = { normal = [0.5, 0.1] } }.

  crowdtune posterior measured.toml
  crowdtune posterior measured.toml --evaluations 8000 --resume
  crowdtune posterior measured.toml --check 200

--check plants constants, infers them again, and says how often intervals hold them: that costs as many evaluations for each.")]
pub struct Args {
    /// The experiment file, whose targets say what was measured
    experiment: PathBuf,
    /// Most evaluations; fewer if the errors of the measurement need no widening any more
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u64).range(20..=10_000_000))]
    evaluations: u64,
    /// Effective draws of the posterior, and evaluations of a generation
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    effective: u32,
    /// Infer so many planted truths too, and say how often intervals hold them
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=100_000))]
    check: u64,
    /// Run folder [default: results/NAME-posterior-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of draws and simulations; replaces search.seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    workers: Workers,
    /// Continue a run that was stopped, or extend a finished one with more --evaluations or --check
    #[arg(long)]
    resume: bool,
    /// Replace a value of the file, for example target.flow.equals=1.9
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = input::pair)]
    sets: Vec<(String, String)>,
    /// Twice the time step: half the work; the results are marked as a draft
    #[arg(long)]
    draft: bool,
    /// No progress
    #[arg(long)]
    quiet: bool,
    /// Print the figures as one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// What the user or the environment has to mend; that nothing agrees with what was measured; that it was interrupted.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let cancel = super::interrupt::flag();
    let mut sets = args.sets.clone();
    sets.extend(args.seed.map(|seed| ("search.seed".to_string(), seed.to_string())));
    let experiment = input::experiment_or_draft(registry, &args.experiment, &sets, args.draft)?;
    input::announce(&experiment);
    let design = Design { evaluations: args.evaluations, effective: args.effective };
    design.check(&experiment).map_err(|e| e.file(args.experiment.display().to_string()))?;
    let path = args.out.clone().unwrap_or_else(|| {
        Path::new("results").join(format!("{}-posterior-{}", experiment.name, experiment.search.seed))
    });
    let mut progress = Trials::new("draws", args.quiet);
    let found = args.workers.answer(&experiment, args.threads.count(), &cancel, |evaluator| {
        let asked = (design, args.check);
        posterior_to_folder(&experiment, evaluator, asked, &path, args.resume, &mut progress, &cancel)
    });
    progress.finish();
    let found = found?;
    if args.json {
        return output::line(serde_json::to_string_pretty(&found).expect("figures have string keys only"));
    }
    say(&found, &path)
}

/// What came out, for stdout.
pub(super) fn say(found: &Posterior, folder: &Path) -> Result<(), Error> {
    let report = folder.join("report.html").display().to_string();
    output::colored(&text(found, &report, output::terminal()))
}
