//! `crowdtune answer`: a worker of `evolve --evaluator`; JSON lines as docs/answer.md shows.

use super::{input, pipe};
use crate::evolve::evaluate::Replier;
use crate::registry::Registry;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use pipe::Pipe;
use std::io::{BufRead, Write};
use std::path::PathBuf;

/// The page that says what lines look like.
const PAGE: &str = "docs/answer.md";

/// Answer the questions of `evolve --evaluator`: JSON lines on stdin and stdout
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The experiment file, the same that `evolve` was given; the seed comes with the questions
    experiment: PathBuf,
    /// Replace a value of the file, for example target.flow.weight=3
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = input::pair)]
    sets: Vec<(String, String)>,
    /// Twice the time step, as `evolve --draft`
    #[arg(long)]
    draft: bool,
}

/// Runs the command.
///
/// # Errors
/// If the experiment is wrong, or a line is not a question about it.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let load = |seed: Option<u64>| {
        let mut sets = args.sets.clone();
        sets.extend(seed.map(|seed| ("search.seed".to_string(), seed.to_string())));
        input::experiment_or_draft(registry, &args.experiment, &sets, args.draft)
    };
    pipe::greet(PAGE);
    let replier = Replier::new(load(None)?, |seed| load(Some(seed)));
    serve(replier, &mut std::io::stdin().lock(), &mut std::io::stdout().lock())
}

/// Answers lines until the input ends.
///
/// # Errors
/// If a line is not a question about the experiment, or cannot be read or written.
fn serve(replier: Replier<'_>, from: &mut impl BufRead, to: &mut impl Write) -> Result<(), Error> {
    let mut pipe = Pipe::new(from, to);
    while let Some(line) = pipe.read(PAGE)? {
        let said = replier.answer(line).map_err(|e| pipe.here(e))?;
        pipe.say(&said)?;
    }
    Ok(())
}
