//! `crowdtune sensitivity`: which parameters matter, by Morris screening or Sobol indices.

use super::progress::bar;
use super::{artifacts, input, output};
use crate::evolve::evaluate::Pool;
use crate::evolve::experiment::Experiment;
use crate::evolve::folder::RunFolder;
use crate::evolve::log;
use crate::evolve::run::{Observer, Phase};
use crate::evolve::sensitivity::{self, FILE, Method, Plan, Sensitivity, prepare};
use crate::registry::Registry;
use crate::report::plots::effects;
use crate::report::sensitivity::{csv, page, text};
use clap::{Args as ClapArgs, ValueEnum};
use crowdtune_core::Error;
use crowdtune_search::Trial;
use indicatif::ProgressBar;
use std::fs;
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
    /// Threads; results do not depend on them [default: one per core]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
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
    let cancel = super::evolve::stop_on_ctrl_c()?;
    let mut sets = args.sets.clone();
    sets.extend(args.seed.map(|seed| ("search.seed".to_string(), seed.to_string())));
    let mut experiment = input::experiment_or_draft(registry, &args.experiment, &sets, args.draft)?;
    input::announce(&experiment);
    let method = match args.method {
        Way::Morris => Method::Morris,
        Way::Sobol => Method::Sobol,
    };
    let plan = Plan { method, samples: args.samples.unwrap_or(method.samples()) };
    plan.check(&experiment).map_err(|e| e.file(args.experiment.display().to_string()))?;
    prepare(&mut experiment, plan);
    let path = args.out.clone().unwrap_or_else(|| {
        let way = if method == Method::Morris { "morris" } else { "sobol" };
        Path::new("results").join(format!("{}-{way}-{}", experiment.name, experiment.search.seed))
    });
    if args.resume {
        check_resumed(&path, plan)?;
    }
    let mut folder = RunFolder::open(&path, &experiment, args.resume)?;
    let design = serde_json::to_vec_pretty(&plan).expect("a word and a number");
    folder.write(FILE, &design)?;
    let pool = Pool::new(&experiment, args.threads as usize, &cancel)?;
    let mut progress = Progress::new(args.quiet);
    let ran = sensitivity::run(&experiment, plan, &pool, &mut folder, &mut progress, &cancel);
    progress.0.finish_and_clear();
    let found = sensitivity::summarize(&experiment, plan, &ran?)?;
    write(&experiment, &found, &path)?;
    if args.json {
        return output::line(serde_json::to_string_pretty(&found).expect("figures have string keys only"));
    }
    said(&found, &path)
}

/// Before the plan is written over: a folder of another method, or of a search, stays what it is.
fn check_resumed(folder: &Path, plan: Plan) -> Result<(), Error> {
    let refused = |what: String, help: &str| Err(Error::input(what).file(folder.display().to_string()).help(help));
    match self::plan(folder)? {
        Some(old) if old.method != plan.method => refused(
            format!("the run folder holds a design of the other method, with {} samples", old.samples),
            "resume it with its --method, or choose another folder with --out",
        ),
        None if fs::metadata(folder.join(log::FILE)).is_ok_and(|log| log.len() > 0) => {
            refused("the run folder holds a search, and no design".into(), "choose another folder with --out")
        }
        Some(old) if old.samples > plan.samples => refused(
            format!("the run folder holds {} samples, more than the {} asked for", old.samples, plan.samples),
            "resume with --samples as large as before, or larger",
        ),
        _ => Ok(()),
    }
}

/// The plan of a run folder, `None` if it holds no design.
///
/// # Errors
/// If the file cannot be read.
pub fn plan(folder: &Path) -> Result<Option<Plan>, Error> {
    let path = folder.join(FILE);
    if !path.is_file() {
        return Ok(None);
    }
    let plan = serde_json::from_slice(&input::bytes(&path)?).map_err(|e| {
        Error::input(format!("not a design: {e}"))
            .file(path.display().to_string())
            .help("it holds {\"method\": \"morris\" or \"sobol\", \"samples\": N}; resume the run to write it again")
    })?;
    Ok(Some(plan))
}

/// Makes figures, plots and page again from a run folder with this plan.
///
/// # Errors
/// If rows are missing, most trials failed, or something cannot be written.
pub fn again(mut experiment: Experiment, plan: Plan, trials: &[Trial], folder: &Path) -> Result<(), Error> {
    prepare(&mut experiment, plan);
    let rows = plan.rows(experiment.space.len());
    if (trials.len() as u64) < rows {
        return Err(Error::input(format!("the design has {rows} rows, the log {} of them", trials.len()))
            .file(folder.display().to_string())
            .help("finish it with `crowdtune sensitivity EXPERIMENT --resume` and its --method and --samples"));
    }
    let found = sensitivity::summarize(&experiment, plan, trials)?;
    write(&experiment, &found, folder)?;
    said(&found, folder)
}

fn said(found: &Sensitivity, folder: &Path) -> Result<(), Error> {
    let report = folder.join("report.html").display().to_string();
    output::bytes(text(found, &report, artifacts::terminal()).as_bytes())
}

fn write(experiment: &Experiment, found: &Sensitivity, folder: &Path) -> Result<(), Error> {
    let mut json = serde_json::to_vec_pretty(found).expect("figures have string keys only");
    json.push(b'\n');
    input::write(&folder.join("sensitivity.json"), &json)?;
    input::write(&folder.join("sensitivity.csv"), csv(found).as_bytes())?;
    let plots = effects::plots(found);
    // Of an earlier design there may be others.
    let _ = fs::remove_dir_all(folder.join("plots"));
    for plot in plots.iter().flatten() {
        input::write(&folder.join("plots").join(format!("{}.svg", plot.name)), plot.svg.as_bytes())?;
    }
    input::write(&folder.join("report.html"), page(found, &plots, &experiment.resolved).as_bytes())
}

/// A bar on a terminal, nothing elsewhere.
struct Progress(ProgressBar);

impl Progress {
    fn new(quiet: bool) -> Self {
        let bar = bar(!quiet);
        bar.set_prefix("design");
        Self(bar)
    }
}

impl Observer for Progress {
    fn phase(&mut self, _: Phase, trials: u64) {
        self.0.set_length(trials);
    }

    fn trial(&mut self, _: &Trial, _: bool) {
        self.0.inc(1);
    }
}
