//! `crowdtune answer`: a worker of `evolve --evaluator`; JSON lines as docs/answer.md shows.

use super::{input, pipe};
use crate::evolve::evaluate::{Asked, Evaluate as _, Serial};
use crate::evolve::experiment::Experiment;
use crate::registry::Registry;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use pipe::Pipe;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

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
    serve(load(None)?, &|seed| load(Some(seed)), &mut std::io::stdin().lock(), &mut std::io::stdout().lock())
}

/// Answers lines until the input ends. Nothing is kept from one to the next but the experiment, which `load` gives for
/// another seed.
///
/// # Errors
/// If a line is not a question about the experiment, or cannot be read or written.
fn serve(
    mut experiment: Experiment,
    load: &dyn Fn(u64) -> Result<Experiment, Error>,
    from: &mut impl BufRead,
    to: &mut impl Write,
) -> Result<(), Error> {
    let never = AtomicBool::new(false);
    let mut pipe = Pipe::new(from, to);
    while let Some(line) = pipe.read(PAGE)? {
        let asked: Asked = serde_json::from_value(line).map_err(|e| {
            pipe.here(Error::input(format!("this line is no question: {e}")).help(format!("{PAGE} shows one")))
        })?;
        if asked.seed != experiment.search.seed {
            experiment = load(asked.seed).map_err(|e| pipe.here(e))?;
        }
        asked.check(&experiment).map_err(|e| pipe.here(e))?;
        Serial::new(&experiment, &never).evaluate(&[asked.question], asked.id, &mut |trial| {
            pipe.say(&serde_json::to_string(&trial).expect("a trial has string keys only"))
        })?;
    }
    Ok(())
}
