//! `crowdtune evaluate`: simulations for an optimizer that somebody else wrote; JSON lines as docs/evaluate.md shows.

pub(super) mod request;

use super::options::Threads;
use super::{input, pipe};
use crate::evolve::evaluate::{Evaluate as _, Pool};
use crate::evolve::exchange;
use crate::evolve::experiment::Experiment;
use crate::registry::Registry;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_search::{Purpose, Question};
use pipe::Pipe;
use request::Request;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// The page that says what lines look like.
const PAGE: &str = "docs/evaluate.md";

/// Simulate candidates of another optimizer: JSON lines on stdin and stdout
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The experiment file; its `[search]` gives replicas and seed, its optimizer is not used
    experiment: PathBuf,
    /// Seed of the simulations [default: `search.seed` of the file]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    /// Replace a value of the file, for example target.flow.weight=3
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = input::pair)]
    sets: Vec<(String, String)>,
}

/// Runs the command.
///
/// # Errors
/// If the experiment is wrong, or a line is not a candidate of it.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let mut sets = args.sets.clone();
    sets.extend(args.seed.map(|s| ("search.seed".to_string(), s.to_string())));
    let experiment = input::experiment(registry, &args.experiment, &sets)?;
    if experiment.space.is_empty() {
        return Err(Error::input("nothing can be varied: every parameter is fixed")
            .file(args.experiment.display().to_string())
            .key("parameters")
            .allowed("at least one { range = [low, high] }, { integers = [..] } or { choices = [..] }"));
    }
    input::announce(&experiment);
    pipe::greet(PAGE);
    serve(&experiment, args.threads.count(), &mut std::io::stdin().lock(), &mut std::io::stdout().lock())
}

/// Describes the space, then answers lines until the input ends.
///
/// # Errors
/// If a line is not a candidate, or cannot be read or written.
pub fn serve(
    experiment: &Experiment,
    threads: usize,
    from: &mut impl BufRead,
    to: &mut impl Write,
) -> Result<(), Error> {
    let mut pipe = Pipe::new(from, to);
    pipe.say(&exchange::describe(experiment))?;
    let never = AtomicBool::new(false);
    let pool = Pool::new(experiment, threads, &never)?;
    let mut id = 0;
    while let Some(line) = pipe.read(PAGE)? {
        let request = Request::read(line, experiment).map_err(|e| pipe.here(e))?;
        match experiment.with_runs(request.seed, request.replicas) {
            None => answer_all(&mut pipe, experiment, &pool, &request, id)?,
            // Another seed is another experiment: what workers remember of the first one stays with its pool.
            Some(other) => answer_all(&mut pipe, &other, &Pool::new(&other, threads, &never)?, &request, id)?,
        }
        id += request.candidates.len() as u64;
    }
    Ok(())
}

fn answer_all<R: BufRead, W: Write>(
    pipe: &mut Pipe<'_, R, W>,
    experiment: &Experiment,
    pool: &Pool<'_>,
    request: &Request,
    first_id: u64,
) -> Result<(), Error> {
    let (purpose, most) = match request.fresh {
        false => (Purpose::Search, experiment.replicas()),
        true => (Purpose::Report, request.replicas.unwrap_or(experiment.search.report_replicas)),
    };
    let ask = |genome: &Vec<f64>| Question { purpose, genome: genome.clone(), replicas: 0..most };
    let questions: Vec<Question> = request.candidates.iter().map(ask).collect();
    pool.evaluate(&questions, first_id, &mut |trial| pipe.say(&exchange::answer(experiment, &trial)))
}
