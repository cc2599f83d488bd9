//! `crowdtune ask-tell`: any program drives an optimizer through JSON lines; protocol 1 of docs/optimizers.md.

use crate::Error;
use crate::math::rng::Seed;
use crate::registry::{Entry, Kind, Settings, defaults, find};
use crate::search::space::{Axis, Gene, Space};
use crate::search::{Genome, MakeOptimizer, Measure, OPTIMIZERS, Optimizer, Outcome, Question, Setup, Trial, better};
use clap::Args as ClapArgs;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// Let another program use an optimizer: JSON lines on stdin and stdout
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Optimizer; without it the one for the number of objectives and measures
    #[arg(long, value_name = "NAME")]
    optimizer: Option<String>,
    /// Most points of one ask; equal widths give equal searches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    parallel: u32,
    /// Sets a constant of the optimizer; `crowdtune list optimizers --json` names them
    #[arg(long, value_name = "KEY=NUMBER")]
    set: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// If the partner breaks the protocol or ends in the middle of a line.
pub fn run(args: &Args) -> Result<(), Error> {
    serve(args, &mut std::io::stdin().lock(), &mut std::io::stdout().lock())
}

/// The first line of the partner; what is unknown is left alone.
#[derive(Debug, Deserialize)]
struct Hello {
    protocol: u32,
    dimension: usize,
    lower: Vec<f64>,
    upper: Vec<f64>,
    #[serde(default)]
    seed: u64,
    #[serde(default = "one")]
    objectives: usize,
    #[serde(default)]
    measures: usize,
    #[serde(default)]
    measure_lower: Vec<f64>,
    #[serde(default)]
    measure_upper: Vec<f64>,
    #[serde(default)]
    cells: Vec<u32>,
    #[serde(default, alias = "maximize")]
    maximise: bool,
    population: Option<u32>,
    #[serde(default)]
    types: Vec<Type>,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    x0: Start,
}

fn one() -> usize {
    1
}

/// What a coordinate can be.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Type {
    Real,
    Int,
    Cat(u32),
}

/// One start point or several.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Start {
    #[default]
    None,
    One(Vec<f64>),
    Many(Vec<Vec<f64>>),
}

/// Any later line of the partner.
#[derive(Debug, Deserialize)]
struct Message {
    tell: Option<Vec<Answer>>,
    left: Option<u64>,
    stop: Option<String>,
}

/// What a point gave.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Answer {
    One(f64),
    Many(Vec<f64>),
    Measured {
        f: f64,
        #[serde(default)]
        m: Vec<f64>,
        #[serde(default)]
        violation: f64,
    },
    Failed(()),
}

/// Plays the protocol to its end: a `stop` or the end of the input.
///
/// # Errors
/// If a line is not what the protocol asks for, or cannot be read or written.
pub fn serve(args: &Args, from: &mut impl BufRead, to: &mut impl Write) -> Result<(), Error> {
    let mut partner = Partner { from, to, line: 0 };
    let Some(hello) = partner.read::<Hello>()? else { return Ok(()) };
    hello.check().map_err(|e| partner.here(e))?;
    let entry = optimizer(args.optimizer.as_deref(), &hello)?;
    let space = hello.space();
    let values = settings(entry, args, hello.population)?;
    let setup = Setup {
        space: &space,
        seed: Seed(hello.seed),
        parallel: args.parallel.max(hello.population.unwrap_or(1)) as usize,
        replicas: 1,
        start: hello.start(&space),
        objectives: hello.objectives,
        measures: hello.measures(),
        settings: Settings::new(entry.params, &values),
    };
    let mut optimizer = (entry.make)(&setup);
    let mut trials: Vec<Trial> = Vec::new();
    let mut best: Option<Trial> = None;
    loop {
        let questions = optimizer.ask();
        if questions.is_empty() {
            return partner.say(&result(&*optimizer, best.as_ref(), &hello, &space));
        }
        let points: Vec<Vec<f64>> = questions.iter().map(|q| space.decode(&q.genome)).collect();
        partner.say(&json!({ "ask": points }))?;
        let Some(message) = partner.read::<Message>()? else { return Ok(()) };
        if message.stop.is_some() {
            return partner.say(&result(&*optimizer, best.as_ref(), &hello, &space));
        }
        let Some(answers) = message.tell else {
            return Err(partner.here(Error::input("neither `tell` nor `stop` in this line")));
        };
        if answers.len() != questions.len() {
            let what = format!("{} answers to {} points", answers.len(), questions.len());
            return Err(
                partner.here(Error::input(what).key("tell").help("one entry for each point, null where it failed"))
            );
        }
        let first = trials.last().map_or(0, |t| t.id + 1);
        trials.clear();
        for (id, (question, answer)) in (first..).zip(questions.into_iter().zip(answers)) {
            trials.push(trial(id, question, answer, &hello).map_err(|e| partner.here(e))?);
        }
        for trial in trials.iter().filter(|t| t.is_done()) {
            if best.as_ref().is_none_or(|b| better(trial, b).is_lt()) {
                best = Some(trial.clone());
            }
        }
        optimizer.tell(&trials);
        // With nothing left the partner says `stop` next, and asks for no more points.
        if message.left == Some(0) {
            return match partner.read::<Message>()? {
                None => Ok(()),
                Some(_) => partner.say(&result(&*optimizer, best.as_ref(), &hello, &space)),
            };
        }
    }
}

impl Hello {
    fn check(&self) -> Result<(), Error> {
        if self.protocol != 1 {
            return Err(Error::input(format!("protocol {} is unknown", self.protocol)).key("protocol").allowed("1"));
        }
        if self.dimension == 0 {
            return Err(Error::input("there is nothing to search").key("dimension").allowed("1 or more"));
        }
        for (key, list, wanted) in [
            ("lower", self.lower.len(), self.dimension),
            ("upper", self.upper.len(), self.dimension),
            ("measure_lower", self.measure_lower.len(), self.measures),
            ("measure_upper", self.measure_upper.len(), self.measures),
            ("cells", self.cells.len(), self.measures),
        ] {
            if list != wanted {
                return Err(Error::input(format!("{list} numbers")).key(key).allowed(format!("{wanted} numbers")));
            }
        }
        for (key, list) in [("types", self.types.len()), ("names", self.names.len())] {
            if list != 0 && list != self.dimension {
                return Err(Error::input(format!("{list} entries"))
                    .key(key)
                    .allowed(format!("{} or none", self.dimension)));
            }
        }
        for (i, (low, high)) in self.lower.iter().zip(&self.upper).enumerate() {
            if !(low.is_finite() && high.is_finite() && low <= high) {
                let what = format!("coordinate {i} goes from {low} to {high}");
                return Err(Error::input(what).key("lower").allowed("finite, not above `upper`"));
            }
        }
        for (low, high) in self.measure_lower.iter().zip(&self.measure_upper) {
            if !(low.is_finite() && high.is_finite() && low < high) {
                let what = format!("a measure goes from {low} to {high}");
                return Err(Error::input(what).key("measure_lower").allowed("finite, below `measure_upper`"));
            }
        }
        if self.cells.contains(&0) {
            return Err(Error::input("an axis without cells").key("cells").allowed("1 or more"));
        }
        if self.objectives == 0 {
            return Err(Error::input("nothing is wanted").key("objectives").allowed("1 or more"));
        }
        Ok(())
    }

    fn space(&self) -> Space {
        let axis = |i: usize| {
            let (low, high) = (self.lower[i], self.upper[i]);
            match self.types.get(i) {
                None | Some(Type::Real) => Axis::Real { low, high, log: false },
                Some(Type::Int) => Axis::Integer { low: low.ceil() as i64, high: high.floor().max(low.ceil()) as i64 },
                Some(Type::Cat(count)) => Axis::Choice((0..(*count).max(1)).map(f64::from).collect()),
            }
        };
        let key = |i: usize| self.names.get(i).cloned().unwrap_or_else(|| format!("x{i}"));
        Space { genes: (0..self.dimension).map(|i| Gene { key: key(i), axis: axis(i) }).collect() }
    }

    fn start(&self, space: &Space) -> Vec<Genome> {
        let points = match &self.x0 {
            Start::None => &[][..],
            Start::One(point) => std::slice::from_ref(point),
            Start::Many(points) => points,
        };
        points.iter().filter(|p| p.len() == space.len()).map(|p| space.encode(p)).collect()
    }

    fn measures(&self) -> Vec<Measure> {
        (0..self.measures)
            .map(|i| Measure { low: self.measure_lower[i], high: self.measure_upper[i], cells: self.cells[i] })
            .collect()
    }
}

/// The optimizer that was named, or the one for this kind of problem.
fn optimizer(name: Option<&str>, hello: &Hello) -> Result<&'static Entry<MakeOptimizer>, Error> {
    let name = name.unwrap_or(match (hello.measures, hello.objectives) {
        (0, 1) => "auto",
        (0, _) => "pareto",
        _ => "atlas",
    });
    find(OPTIMIZERS, name).ok_or_else(|| {
        let all: Vec<&str> = OPTIMIZERS.iter().map(|e| e.name).collect();
        Error::input(format!("there is no optimizer `{name}`")).key("--optimizer").allowed(all.join(", "))
    })
}

/// Values of the optimizer's constants: its defaults, the partner's population, what `--set` says.
fn settings(entry: &Entry<MakeOptimizer>, args: &Args, population: Option<u32>) -> Result<Vec<f64>, Error> {
    let mut values = defaults(entry.params);
    let at = |key: &str| entry.params.iter().position(|p| p.key == key);
    if let (Some(at), Some(population)) = (at("population"), population) {
        values[at] = f64::from(population);
    }
    for pair in &args.set {
        let wrong = |what: &str| Error::input(format!("`{pair}`: {what}")).key("--set").allowed("KEY=NUMBER");
        let (key, value) = pair.split_once('=').ok_or_else(|| wrong("no `=` in it"))?;
        let Some(at) = at(key.trim()) else {
            let keys: Vec<&str> = entry.params.iter().map(|p| p.key).collect();
            return Err(wrong("no such constant").help(format!("{} has: {}", entry.name, keys.join(", "))));
        };
        let value: f64 = value.trim().parse().map_err(|_| wrong("not a number"))?;
        let (low, high) = match entry.params[at].kind {
            Kind::Real { hard, .. } => hard,
            Kind::Integer { hard, .. } => (hard.0 as f64, hard.1 as f64),
            Kind::Choice { options, .. } => (0.0, options.len() as f64 - 1.0),
            Kind::Switch { .. } => (0.0, 1.0),
        };
        if !(low..=high).contains(&value) {
            return Err(Error::input(format!("`{pair}` is out of range"))
                .key("--set")
                .allowed(format!("{low} to {high}")));
        }
        values[at] = value;
    }
    Ok(values)
}

/// An answer as a trial.
fn trial(id: u64, question: Question, answer: Answer, hello: &Hello) -> Result<Trial, Error> {
    let (mut objectives, measures, violation) = match answer {
        Answer::Failed(()) => (Vec::new(), Vec::new(), 0.0),
        Answer::One(f) => (vec![f], Vec::new(), 0.0),
        Answer::Many(list) => (list, Vec::new(), 0.0),
        Answer::Measured { f, m, violation } => (vec![f], m, violation),
    };
    let failed = objectives.is_empty();
    if !failed && (objectives.len() != hello.objectives || measures.len() != hello.measures) {
        let what = format!("{} objectives and {} measures", objectives.len(), measures.len());
        let allowed = format!("{} objectives and {} measures, or null", hello.objectives, hello.measures);
        return Err(Error::input(what).key("tell").allowed(allowed));
    }
    if hello.maximise {
        objectives.iter_mut().for_each(|f| *f = -*f);
    }
    let outcome = if failed { Outcome::Failed("the partner says null".into()) } else { Outcome::Done };
    Ok(Trial { id, question, outcome, objectives, violation, measures, values: Vec::new() })
}

/// The recommendation.
fn result(optimizer: &dyn Optimizer, best: Option<&Trial>, hello: &Hello, space: &Space) -> Value {
    let recommended: Vec<Vec<f64>> = optimizer.recommend().iter().map(|g| space.decode(g)).collect();
    if hello.objectives > 1 || hello.measures > 0 {
        return json!({ "result": { "X": recommended } });
    }
    let seen = || best.map(|t| space.decode(&t.question.genome));
    let x = recommended.into_iter().next().or_else(seen);
    json!({ "result": { "x": x } })
}

/// The two pipes, and where we are.
struct Partner<'a, R, W> {
    from: &'a mut R,
    to: &'a mut W,
    line: usize,
}

impl<R: BufRead, W: Write> Partner<'_, R, W> {
    /// The next line that is not empty; `None` at the end.
    fn read<T: for<'de> Deserialize<'de>>(&mut self) -> Result<Option<T>, Error> {
        let mut text = String::new();
        loop {
            text.clear();
            self.line += 1;
            let got = self
                .from
                .read_line(&mut text)
                .map_err(|e| self.here(Error::environment(format!("cannot read: {e}"))))?;
            if got == 0 {
                return Ok(None);
            }
            if !text.trim().is_empty() {
                break;
            }
        }
        serde_json::from_str(&text).map(Some).map_err(|e| {
            let help = if ["NaN", "Infinity"].iter().any(|word| text.contains(word)) {
                "NaN and Infinity are no JSON: say null for a point that failed"
            } else {
                "one JSON object a line, as docs/optimizers.md shows"
            };
            self.here(Error::input(format!("not a line of the protocol: {e}")).help(help))
        })
    }

    fn say(&mut self, value: &Value) -> Result<(), Error> {
        writeln!(self.to, "{value}")
            .and_then(|()| self.to.flush())
            .map_err(|e| Error::environment(format!("the partner does not listen any more: {e}")).file("stdout"))
    }

    fn here(&self, error: Error) -> Error {
        error.file("stdin").line(self.line)
    }
}
