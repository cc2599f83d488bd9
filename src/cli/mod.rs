//! The command line: one file per subcommand; results on stdout, progress and messages on stderr.

mod ask_tell;
mod atlas;
pub mod bench;
mod compare;
pub mod completions;
mod evaluate;
mod evolve;
pub mod export;
mod fields_bench;
pub mod input;
pub mod list;
pub mod man;
pub mod measure;
pub mod new;
pub mod output;
mod picture;
mod pipe;
mod progress;
mod report;
pub mod schema;
mod sensitivity;
mod simulate;
mod sweep;
mod tracks;
pub mod validate;
pub mod workload;

use crate::registry::Registry;
use clap::{Parser, Subcommand};
use crowdtune_core::Error;
use crowdtune_core::math::lanes::{self, Path};
use std::process::ExitCode;

/// Tune crowd models: evolve their constants until the crowd does what an experiment file asks.
#[derive(Debug, Parser)]
#[command(name = "crowdtune", version, max_term_width = 100, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(visible_aliases = ["tune", "calibrate"])]
    Evolve(evolve::Args),
    Simulate(simulate::Args),
    Sweep(sweep::Args),
    Sensitivity(sensitivity::Args),
    Measure(measure::Args),
    Report(report::Args),
    Compare(compare::Args),
    Export(export::Args),
    Atlas(atlas::Args),
    Validate(validate::Args),
    Evaluate(evaluate::Args),
    #[command(name = "ask-tell")]
    AskTell(ask_tell::Args),
    Bench(bench::Args),
    List(list::Args),
    New(new::Args),
    /// Print the JSON Schema of the experiment file
    Schema,
    Completions(completions::Args),
    /// Print the manual
    Man,
}

/// The whole program: runs the command line, prints the error if there is one, and gives the exit code.
///
/// A program of one's own with a model or a metric of its own is this `main` with another registry.
pub fn main(registry: &Registry) -> ExitCode {
    match run(registry) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::say(format_args!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}

/// Parses the command line and runs the command on what `registry` holds.
///
/// # Errors
/// What the user or the environment has to mend.
pub fn run(registry: &Registry) -> Result<(), Error> {
    choose_instructions()?;
    match Cli::parse().command {
        Command::Evolve(args) => evolve::run(&args, registry),
        Command::Simulate(args) => simulate::run(&args, registry),
        Command::Sweep(args) => sweep::run(&args, registry),
        Command::Sensitivity(args) => sensitivity::run(&args, registry),
        Command::Measure(args) => measure::run(&args, registry),
        Command::Report(args) => report::run(&args, registry),
        Command::Compare(args) => compare::run(&args, registry),
        Command::Export(args) => export::run(&args, registry),
        Command::Atlas(args) => atlas::run(&args, registry),
        Command::Validate(args) => validate::run(&args),
        Command::Evaluate(args) => evaluate::run(&args, registry),
        Command::AskTell(args) => ask_tell::run(&args, registry),
        Command::Bench(args) => bench::run(&args),
        Command::List(args) => list::run(&args, registry),
        Command::New(args) => new::run(&args, registry),
        Command::Schema => schema::run(registry),
        Command::Completions(args) => completions::run(&args),
        Command::Man => man::run(),
    }
}

/// `CROWDTUNE_SIMD` takes a path other than the widest one, so that tests can compare their bits.
fn choose_instructions() -> Result<(), Error> {
    let Some(name) = std::env::var_os("CROWDTUNE_SIMD") else { return Ok(()) };
    let chosen = name.to_str().and_then(Path::named).is_some_and(lanes::choose);
    let refused = || Error::input(format!("CROWDTUNE_SIMD is {}", name.display())).allowed("baseline, avx2, avx512");
    chosen.then_some(()).ok_or_else(|| refused().help("choose one that this processor has, or unset it"))
}
