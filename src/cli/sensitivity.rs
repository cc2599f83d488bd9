//! `crowdtune sensitivity`: which parameters matter, by Morris screening or Sobol indices.

use super::options::Threads;
use super::progress::Trials;
use super::{input, output};
use crate::evolve::sensitivity::{Design, Method, Sensitivity};
use crate::folder::{Options, sensitivity_to_folder};
use crate::registry::Registry;
use crate::report::sensitivity::text;
use clap::{Args as ClapArgs, ValueEnum};
use crowdtune_core::Error;
use std::path::{Path, PathBuf};

/// Find out which parameters matter: for every target, measure and objective
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Morris screening ranks parameters with few runs: samples x (parameters + 1). Sobol indices say which share of the
variance each parameter explains, alone, in pairs and in all: samples x (2 x parameters + 2) runs.

  crowdtune sensitivity door.toml
  crowdtune sensitivity door.toml --method sobol --samples 256

More samples with --resume extend what is there.")]
pub struct Args {
    /// The experiment file; searched parameters are varied over their whole ranges
    experiment: PathBuf,
    /// How
    #[arg(long, value_enum, default_value_t = Way::Morris)]
    method: Way,
    /// Trajectories of morris [default: 20], base points of sobol [default: 128; powers of two are best]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    samples: Option<u32>,
    /// Run folder [default: results/NAME-METHOD-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of design and simulations; replaces search.seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    /// Continue a run that was stopped, or extend a finished one with more --samples
    #[arg(long)]
    resume: bool,
    /// Replace a value of the file, for example scenario.room.replicas=5
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

/// The methods by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Way {
    /// Elementary effects: few runs, which parameters matter at all.
    Morris,
    /// Shares of the variance: many runs, alone, in pairs and in all.
    Sobol,
}

/// Runs the command.
///
/// # Errors
/// What the user or the environment has to mend; that most trials failed; that it was interrupted.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let cancel = super::interrupt::flag();
    let mut sets = args.sets.clone();
    sets.extend(args.seed.map(|seed| ("search.seed".to_string(), seed.to_string())));
    let mut experiment = input::experiment_or_draft(registry, &args.experiment, &sets, args.draft)?;
    input::announce(&experiment);
    let method = match args.method {
        Way::Morris => Method::Morris,
        Way::Sobol => Method::Sobol,
    };
    let design = Design { method, samples: args.samples.unwrap_or(method.samples()) };
    design.check(&experiment).map_err(|e| e.file(args.experiment.display().to_string()))?;
    let path = args.out.clone().unwrap_or_else(|| {
        let way = if method == Method::Morris { "morris" } else { "sobol" };
        Path::new("results").join(format!("{}-{way}-{}", experiment.name, experiment.search.seed))
    });
    let options = Options { threads: args.threads.count(), resume: args.resume };
    let mut progress = Trials::new("design", args.quiet);
    let found = sensitivity_to_folder(&mut experiment, design, &path, options, &mut progress, &cancel);
    progress.finish();
    let found = found?;
    if args.json {
        return output::line(serde_json::to_string_pretty(&found).expect("figures have string keys only"));
    }
    say(&found, &path)
}

/// What came out, for stdout.
pub(super) fn say(found: &Sensitivity, folder: &Path) -> Result<(), Error> {
    let report = folder.join("report.html").display().to_string();
    output::colored(&text(found, &report, output::terminal()))
}
