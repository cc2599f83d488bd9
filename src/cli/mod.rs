//! The command line: one file per subcommand; results on stdout, progress and messages on stderr.

mod advise;
mod answer;
mod ask_tell;
mod atlas;
mod bench;
mod compare;
mod completions;
mod demo;
mod engine;
mod entrants;
mod evaluate;
mod evolve;
mod export;
mod export_fit;
mod fit;
mod import;
mod input;
mod interrupt;
pub mod list;
mod man;
mod measure;
mod models;
mod new;
mod options;
mod output;
mod picture;
mod pipe;
mod play;
mod posterior;
mod progress;
pub mod readers;
mod recorded;
mod report;
pub mod schema;
mod sensitivity;
mod simulate;
mod sweep;
mod unmeasured;
mod validate;
mod watch;
mod workers;

use crate::registry::Registry;
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command};
use crowdtune_core::Error;
use crowdtune_core::math::lanes::{self, Path};
use std::process::ExitCode;

/// What runs a subcommand.
type Run = dyn Fn(&ArgMatches, &Given<'_>) -> Result<(), Error>;

/// One subcommand: what clap knows of it, and what runs it.
struct Subcommand {
    command: Command,
    run: Box<Run>,
}

/// What a subcommand may read besides its own arguments.
struct Given<'a> {
    registry: &'a Registry,
    /// The program as clap knows it, with all subcommands.
    program: &'a Command,
}

impl Subcommand {
    fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.command = self.command.visible_aliases(aliases);
        self
    }
}

/// A subcommand with the arguments and the text of its `Args`.
fn subcommand<A: Args + 'static>(name: &'static str, run: fn(&A, &Registry) -> Result<(), Error>) -> Subcommand {
    with(name, move |args: &A, given| run(args, given.registry))
}

/// The same for a subcommand that tells of the program itself.
fn of_program<A: Args + 'static>(name: &'static str, run: fn(&A, &Command) -> Result<(), Error>) -> Subcommand {
    with(name, move |args: &A, given| run(args, given.program))
}

fn with<A: Args + 'static>(
    name: &'static str,
    run: impl Fn(&A, &Given<'_>) -> Result<(), Error> + 'static,
) -> Subcommand {
    let run = move |matches: &ArgMatches, given: &Given<'_>| {
        run(&A::from_arg_matches(matches).unwrap_or_else(|e| refuse(&e)), given)
    };
    Subcommand { command: A::augment_args(Command::new(name)), run: Box::new(run) }
}

/// All subcommands, in the order of the help.
fn subcommands() -> Vec<Subcommand> {
    vec![
        subcommand("evolve", evolve::run).aliases(&["tune", "calibrate"]),
        subcommand("simulate", simulate::run),
        subcommand("play", play::run),
        subcommand("demo", demo::run),
        subcommand("sweep", sweep::run),
        subcommand("sensitivity", sensitivity::run),
        subcommand("posterior", posterior::run),
        subcommand("advise", advise::run),
        subcommand("measure", measure::run),
        subcommand("fit", fit::run),
        subcommand("report", report::run),
        subcommand("watch", watch::run),
        subcommand("compare", compare::run),
        subcommand("export", export::run),
        subcommand("import", import::run),
        subcommand("atlas", atlas::run),
        subcommand("validate", validate::run),
        subcommand("engine", engine::run),
        subcommand("evaluate", evaluate::run),
        subcommand("ask-tell", ask_tell::run),
        subcommand("answer", answer::run),
        subcommand("bench", bench::run),
        subcommand("list", list::run),
        subcommand("new", new::run),
        subcommand("schema", schema::run),
        of_program("completions", completions::run),
        of_program("man", man::run),
    ]
}

/// The program as clap knows it, with these subcommands.
fn program(subcommands: &[Subcommand]) -> Command {
    Command::new("crowdtune")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Tune crowd models: evolve their constants until the crowd does what an experiment file asks")
        .max_term_width(100)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(subcommands.iter().map(|s| s.command.clone()))
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
    interrupt::listen()?;
    let all = subcommands();
    let program = program(&all);
    let matches = program.clone().try_get_matches().unwrap_or_else(|e| refuse(&e));
    let (name, arguments) = matches.subcommand().expect("clap asks for a subcommand");
    let chosen = all.iter().find(|s| s.command.get_name() == name).expect("clap knows only these");
    (chosen.run)(arguments, &Given { registry, program: &program })
}

/// Prints help, the version, or what is wrong with the command line, and ends the program.
fn refuse(error: &clap::Error) -> ! {
    // Help and usage are our own words; a wrong token is the user's, so it is printed like all text that is not ours.
    if error.exit_code() == 0 || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        error.exit();
    }
    output::say(error.render().to_string().trim_end());
    std::process::exit(error.exit_code())
}

/// `CROWDTUNE_SIMD` takes a path other than the widest one, so that tests can compare their bits.
fn choose_instructions() -> Result<(), Error> {
    let Some(name) = std::env::var_os("CROWDTUNE_SIMD") else { return Ok(()) };
    let chosen = name.to_str().and_then(Path::named).is_some_and(lanes::choose);
    let refused = || Error::input(format!("CROWDTUNE_SIMD is {}", name.display())).allowed("baseline, avx2, avx512");
    chosen.then_some(()).ok_or_else(|| refused().help("choose one that this processor has, or unset it"))
}
