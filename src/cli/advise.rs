//! `crowdtune advise`: what to measure next.

use super::options::Threads;
use super::progress::Trials;
use super::{input, output};
use crate::folder::{Asked, advise_from_folder, inference_of};
use crate::registry::Registry;
use crate::report::posterior::advice;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use std::path::PathBuf;

/// Say what to measure next: which value, in which scenario, would tell most of what a posterior leaves open
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Draws of the posterior run on every scenario, held-out ones too, and on each of its targets and measures. Give what could be measured as
[measure.NAME] and scenarios with held_out = true, in the file of the posterior or in a copy of it:

  crowdtune posterior measured.toml
  crowdtune advise results/measured-posterior-1 --with more.toml --error 3%")]
pub struct Args {
    /// The run folder of a posterior
    folder: PathBuf,
    /// An experiment file with the same searched parameters, and more scenarios and measures
    #[arg(long, value_name = "FILE")]
    with: Option<PathBuf>,
    /// Draws of the posterior that are run
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    draws: u32,
    /// Error of what the file gives no tolerance for, as a standard deviation in percent of the value
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = percent)]
    error: f64,
    #[command(flatten)]
    threads: Threads,
    /// No progress
    #[arg(long)]
    quiet: bool,
    /// Print the advice as one JSON document
    #[arg(long)]
    json: bool,
}

fn percent(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim_end_matches('%').trim().parse().ok();
    let share = number.filter(|x| (0.0..=1000.0).contains(x)).map(|x| x / 100.0);
    share.ok_or_else(|| "a number of percent such as 5%".into())
}

/// Runs the command.
///
/// # Errors
/// What the user or the environment has to mend; that nothing can be measured; that it was interrupted.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let cancel = super::interrupt::flag();
    let (experiment, log) = input::run(registry, &args.folder)?;
    let Some(design) = inference_of(&args.folder)? else {
        return Err(Error::input("the run folder holds no posterior")
            .file(args.folder.display().to_string())
            .help("`crowdtune posterior EXPERIMENT` makes one"));
    };
    let with = args.with.as_ref().map(|file| input::experiment(registry, file, &[])).transpose()?;
    let mut progress = Trials::new("draws", args.quiet);
    let asked =
        Asked { with: with.as_ref(), draws: args.draws as usize, error: args.error, threads: args.threads.count() };
    let found = advise_from_folder(&experiment, (design, &log), &args.folder, asked, &mut progress, &cancel);
    progress.finish();
    let found = found?;
    if args.json {
        return output::line(serde_json::to_string_pretty(&found).expect("figures have string keys only"));
    }
    output::colored(&advice(&found, output::terminal()))
}
