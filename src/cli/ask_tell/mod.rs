//! `crowdtune ask-tell`: any program drives an optimizer through JSON lines; protocol 1 of docs/ask-tell.md.

mod answer;
mod hello;
mod parts;

use super::pipe::{self, Object, Pipe};
use crate::limits;
use crate::registry::Registry;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::{Entry, Kind, Settings, defaults};
use crowdtune_core::suggest;
use crowdtune_search::{AskTell, Goal, MakeOptimizer, Part, Setup, usual};
use hello::Hello;
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// The page that says what lines look like.
const PAGE: &str = "docs/ask-tell.md";

/// Let another program use an optimizer: JSON lines on stdin and stdout
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Optimizer; without it the one for the number of objectives and measures
    #[arg(long, value_name = "NAME")]
    optimizer: Option<String>,
    /// Most points of one ask; equal widths give equal searches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = super::options::whole::<u32>(&limits::PARALLEL))]
    parallel: u32,
    /// Sets a constant of the optimizer; `crowdtune list optimizers --json` names them
    #[arg(long, value_name = "KEY=NUMBER")]
    set: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// If the partner breaks the protocol or ends in the middle of a line.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    pipe::greet(PAGE);
    serve(args, registry, &mut std::io::stdin().lock(), &mut std::io::stdout().lock())
}

/// Plays the protocol to its end: a `stop` or the end of the input.
///
/// # Errors
/// If a line is not what the protocol asks for, or cannot be read or written.
pub fn serve(args: &Args, registry: &Registry, from: &mut impl BufRead, to: &mut impl Write) -> Result<(), Error> {
    let mut pipe = Pipe::new(from, to);
    let Some(line) = pipe.read(PAGE)? else { return Ok(()) };
    let hello = Hello::read(line).map_err(|e| pipe.here(e))?;
    let entry = entry(registry, args.optimizer.as_deref(), &hello)?;
    let values = settings(entry, args, hello.population).map_err(|e| match e.named_key() {
        Some("population") => pipe.here(e),
        _ => e,
    })?;
    let setup = Setup {
        seed: Seed(hello.seed),
        parallel: args.parallel.max(hello.population.unwrap_or(1)) as usize,
        start: hello.start.clone(),
        noise: hello.noisy.into(),
        objectives: hello.objectives,
        measures: hello.measures.clone(),
        parts: Part::of_columns(&hello.parts),
        ..Setup::new(&hello.space, Settings::new(entry.params, &values))
    };
    let mut search = AskTell::with(hello.space.clone(), (entry.make.make)(&setup)).summing(hello.parts.clone());
    loop {
        let points = search.ask();
        if points.is_empty() {
            return pipe.say(&result(&search, &hello)?);
        }
        pipe.say(&json!({ "ask": points }))?;
        // The end of the input is a stop.
        let Some(line) = pipe.read(PAGE)? else { return pipe.farewell(&result(&search, &hello)?) };
        let (tell, left) = match message(line, points.len()).map_err(|e| pipe.here(e))? {
            Message::Stop => return pipe.say(&result(&search, &hello)?),
            Message::Tell(tell, left) => (tell, left),
        };
        let answers = tell.iter().map(|told| answer::answer(told, &hello)).collect::<Result<_, _>>();
        answers.and_then(|answers| search.tell_answers(answers)).map_err(|e| pipe.here(e))?;
        // With nothing left the partner says `stop` next, and asks for no more points.
        if left == Some(0) {
            pipe.read(PAGE)?;
            return pipe.farewell(&result(&search, &hello)?);
        }
    }
}

/// Any line of the partner but the first.
enum Message {
    /// Answers to the points asked last, and how many evaluations are left.
    Tell(Vec<Value>, Option<u64>),
    /// The end.
    Stop,
}

fn message(line: Value, asked: usize) -> Result<Message, Error> {
    let mut line = Object::new(line, "`tell` or `stop`")?;
    if line.has("stop") {
        return Ok(Message::Stop);
    }
    let form = format!("a list of {asked}, one entry for each point in the order asked");
    if !line.has("tell") {
        return Err(Error::input("neither `tell` nor `stop` in this line").key("tell").allowed(form));
    }
    let tell: Vec<Value> = line.need("tell", &form)?;
    if tell.len() != asked {
        let what = format!("{} answers to {asked} points", tell.len());
        return Err(Error::input(what).key("tell").allowed(form).help("null for a point that failed or was left out"));
    }
    Ok(Message::Tell(tell, line.take("left", "the number of evaluations left, 0 or more")?))
}

/// The recommendation: one point, or with several objectives or measures a list of them. Without any answer null or an
/// empty list.
fn result(search: &AskTell, hello: &Hello) -> Result<Value, Error> {
    let points = search.recommended();
    if hello.objectives > 1 || !hello.measures.is_empty() {
        return Ok(json!({ "result": { "X": points } }));
    }
    let x = points.into_iter().next();
    let mut said = json!({ "x": x });
    if let Some(expected) = x.map_or(Ok(None), |x| search.expected(&x))? {
        said["expected"] = json!(expected);
    }
    Ok(json!({ "result": said }))
}

/// The optimizer that was named, or the one for this kind of problem.
fn entry(registry: &Registry, name: Option<&str>, hello: &Hello) -> Result<&'static Entry<MakeOptimizer>, Error> {
    let wanted = usual(match (hello.measures.len(), hello.objectives) {
        (0, 1) => Goal::Best,
        (0, _) => Goal::Front,
        _ => Goal::Atlas,
    });
    let name = name.unwrap_or(wanted.name);
    let refused = |what: String| Error::input(what).key("--optimizer");
    let entry = registry.optimizers.get(name).map_err(|e| e.key("--optimizer"))?;
    let (measures, objectives) = (hello.measures.len(), hello.objectives);
    let goal = entry.make.goal;
    let allowed: Vec<&str> =
        registry.optimizers.iter().filter(|e| e.make.goal == wanted.make.goal).map(|e| e.name).collect();
    if measures > 0 && goal != Goal::Atlas {
        return Err(refused(format!("`{name}` keeps no map of {measures} measures")).allowed(allowed.join(", ")));
    }
    if measures == 0 && goal == Goal::Atlas {
        let help = "give `measures`, `measure_lower`, `measure_upper` and `cells` in the first line";
        return Err(refused(format!("`{name}` keeps a map of behaviors, and there is no measure")).help(help));
    }
    if objectives > 1 && goal != Goal::Front {
        let what = format!("`{name}` minimizes one objective, not {objectives}");
        return Err(refused(what).allowed(allowed.join(", ")));
    }
    Ok(entry)
}

/// Values of the optimizer's constants: its defaults, the partner's population, what `--set` says.
fn settings(entry: &Entry<MakeOptimizer>, args: &Args, population: Option<u32>) -> Result<Vec<f64>, Error> {
    let mut values = defaults(entry.params);
    let at = |key: &str| entry.params.iter().position(|p| p.key == key);
    if let (Some(at), Some(population)) = (at("population"), population) {
        values[at] = f64::from(population);
        let (low, high) = entry.params[at].ends();
        if !(low..=high).contains(&values[at]) {
            return Err(Error::input(format!("`population` is {population}"))
                .key("population")
                .allowed(format!("{low} to {high}")));
        }
    }
    for pair in &args.set {
        let wrong = |what: &str| Error::input(format!("`{pair}`: {what}")).key("--set").allowed("KEY=NUMBER");
        let (key, value) = pair.split_once('=').ok_or_else(|| wrong("no `=` in it"))?;
        let Some(at) = at(key.trim()) else {
            let keys: Vec<&str> = entry.params.iter().map(|p| p.key).collect();
            let error = Error::input(format!("`{pair}`: `{}` has no such constant", entry.name)).key("--set");
            return Err(match keys.is_empty() {
                true => error.help(format!("leave --set out: `{}` has none at all", entry.name)),
                false => suggest::among(error, key.trim(), &keys),
            });
        };
        let value: f64 = value.trim().parse().map_err(|_| wrong("not a number"))?;
        let param = &entry.params[at];
        let (low, high) = param.ends();
        let whole = !matches!(param.kind, Kind::Real { .. });
        if !(low..=high).contains(&value) || (whole && value.fract() != 0.0) {
            let kind = if whole { "a whole number from " } else { "" };
            return Err(Error::input(format!("`{pair}` is out of range"))
                .key("--set")
                .allowed(format!("{kind}{low} to {high}")));
        }
        values[at] = value;
    }
    Ok(values)
}
