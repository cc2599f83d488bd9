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

use clap::{Parser, Subcommand};
use crowdtune_core::Error;
use crowdtune_core::math::lanes::{self, Path};

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

/// Parses the command line and runs the command.
///
/// # Errors
/// What the user or the environment has to mend.
pub fn run() -> Result<(), Error> {
    choose_instructions()?;
    match Cli::parse().command {
        Command::Evolve(args) => evolve::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Sensitivity(args) => sensitivity::run(&args),
        Command::Measure(args) => measure::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Atlas(args) => atlas::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Evaluate(args) => evaluate::run(&args),
        Command::AskTell(args) => ask_tell::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::List(args) => list::run(&args),
        Command::New(args) => new::run(&args),
        Command::Schema => schema::run(),
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
