//! `crowdtune posterior`: which constants agree with what was measured.

use super::options::Threads;
use super::progress::Trials;
use super::workers::Workers;
use super::{input, models, output};
use crate::evolve::experiment::Experiment;
use crate::evolve::posterior::{Design, Likelihood, Posterior};
use crate::folder::{odds_of_folders, posterior_to_folder};
use crate::format;
use crate::registry::Registry;
use crate::report::posterior::{odds, text};
use clap::Args as ClapArgs;
use crowdtune_core::{Class, Error};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Infer which constants agree with what was measured: their whole distribution, not one best set
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The targets are what was measured: `equals` and `points` with their `tolerance` as the standard deviation of the error, `between` with an
error that is alike everywhere in the band; `at_most`, `at_least` and every `must` are limits. `prior` in [parameters] says what is known
before: relaxation_time_s = { range = [0.1, 2.0], prior = { normal = [0.5, 0.1] } }.

  crowdtune posterior measured.toml
  crowdtune posterior measured.toml --evaluations 8000 --resume
  crowdtune posterior measured.toml --likelihood emulated
  crowdtune posterior measured.toml --likelihood emulated --models all
  crowdtune posterior measured.toml --check 200

--check plants constants, infers them again, and says how often intervals hold them: that costs as many evaluations for each.")]
pub struct Args {
    /// The experiment file, whose targets say what was measured
    experiment: PathBuf,
    /// Most evaluations; fewer if more would change little [default: 4000; emulated: 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(20..=10_000_000))]
    evaluations: Option<u64>,
    /// Where the likelihood comes from: `simulated`, runs alone, or `emulated`, Gaussian processes of what runs give, which need far fewer where that
    /// changes smoothly with the parameters
    #[arg(long, value_name = "HOW", default_value = "simulated", value_parser = likelihood)]
    likelihood: Likelihood,
    /// Effective draws of the posterior, and evaluations of a generation
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    effective: u32,
    /// Infer with these models too, each in the place of the file's own with the constants that a crowd can tell, and say how probable each of them is:
    /// NAME,NAME, or `all` that can run there
    #[arg(long = "models", value_name = "NAME", value_delimiter = ',')]
    models: Vec<String>,
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

/// Most evaluations, by where the likelihood comes from. Chosen here: a dozen generations or more of two to six parameters.
const SIMULATED: u64 = 4000;
const EMULATED: u64 = 400;

fn likelihood(word: &str) -> Result<Likelihood, String> {
    let known = [Likelihood::Simulated, Likelihood::Emulated];
    let said = || format!("allowed: {}", known.map(Likelihood::word).join(", "));
    known.into_iter().find(|likelihood| likelihood.word() == word).ok_or_else(said)
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
    let usual = if args.likelihood.is_simulated() { SIMULATED } else { EMULATED };
    let evaluations = args.evaluations.unwrap_or(usual);
    let design = Design { evaluations, effective: args.effective, likelihood: args.likelihood };
    design.check(&experiment).map_err(|e| e.file(args.experiment.display().to_string()))?;
    let path = args.out.clone().unwrap_or_else(|| {
        Path::new("results").join(format!("{}-posterior-{}", experiment.name, experiment.search.seed))
    });
    if !args.models.is_empty() {
        return of_models(args, registry, (&experiment, &sets), design, &path, &cancel);
    }
    let found = one(args, &experiment, design, (&path, args.resume), &cancel)?;
    if args.json {
        return output::line(serde_json::to_string_pretty(&found).expect("figures have string keys only"));
    }
    say(&found, &path)
}

/// The posterior of one model.
fn one(
    args: &Args,
    experiment: &Experiment,
    design: Design,
    (path, resume): (&Path, bool),
    cancel: &AtomicBool,
) -> Result<Posterior, Error> {
    let mut progress = Trials::new("draws", args.quiet);
    let found = args.workers.answer(experiment, args.threads.count(), cancel, |evaluator| {
        posterior_to_folder(experiment, evaluator, (design, args.check), path, resume, &mut progress, cancel)
    });
    progress.finish();
    found
}

/// Posteriors of several models from one measurement, each in a folder of its own, and the odds between them.
fn of_models(
    args: &Args,
    registry: &Registry,
    (own, sets): (&Experiment, &[(String, String)]),
    design: Design,
    path: &Path,
    cancel: &AtomicBool,
) -> Result<(), Error> {
    if args.workers.are_commands() {
        return Err(Error::input("a command of --evaluator answers for the model of the file alone")
            .key("--models")
            .help("leave --evaluator out, give a cluster by its address, or infer one model after the other and compare the folders"));
    }
    let (models, all) = models::named(registry, &args.models)?;
    let mut folders = Vec::new();
    for model in models {
        let mut sets = sets.to_vec();
        sets.extend(models::in_place(own, model)?);
        let ready = input::experiment_or_draft(registry, &args.experiment, &sets, args.draft)
            .and_then(|experiment| design.check(&experiment).map(|_| experiment));
        let experiment = match ready {
            Ok(experiment) => experiment,
            // Of all models those that can run are asked; one that was named has to.
            Err(why) if all => {
                output::say(format_args!("note: {} cannot run there: {}", model.name, why.what()));
                continue;
            }
            Err(why) => return Err(why),
        };
        let folder = path.join(model.name);
        let resume = args.resume && folder.exists();
        match one(args, &experiment, design, (&folder, resume), cancel) {
            Ok(found) if !args.quiet => output::say(said_in_short(model.name, &found)),
            Ok(_) => {}
            Err(why) if why.class() == Class::Nothing => {
                output::say(format_args!("note: {}: {}", model.name, why.what()))
            }
            Err(why) => return Err(why),
        }
        folders.push((model.name.to_string(), folder));
    }
    if folders.is_empty() {
        return Err(Error::nothing("no model can run there").file(args.experiment.display().to_string()));
    }
    let found = odds_of_folders(registry, &folders)?;
    let json = serde_json::to_string_pretty(&found).expect("figures have string keys only");
    input::write(&path.join("odds.json"), format!("{json}\n").as_bytes())?;
    if args.json {
        return output::line(json);
    }
    output::colored(&odds(&found, output::terminal()))
}

/// What came out for one of several models.
fn said_in_short(model: &str, found: &Posterior) -> String {
    let missed = found.missed().count();
    let reached = if missed == 0 {
        "fresh runs give everything that was measured".to_string()
    } else {
        format!("fresh runs miss {missed} of {}", format::count(found.statistics.len() as u64, "measured value"))
    };
    format!("{model}: {}, {reached}", format::count(found.evaluated, "evaluation"))
}

/// What came out, for stdout.
pub(super) fn say(found: &Posterior, folder: &Path) -> Result<(), Error> {
    let report = folder.join("report.html").display().to_string();
    output::colored(&text(found, &report, output::terminal()))
}
