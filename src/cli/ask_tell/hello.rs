//! The first line of the partner: the problem.

use super::parts::parts;
use crate::cli::pipe::Object;
use crate::evolve::exchange::short;
use crate::limits;
use crowdtune_core::Error;
use crowdtune_search::{Axis, Gene, Genome, MOST_OBJECTIVES, Measure, Rule, Space};
use serde_json::Value;

/// Most whole numbers of an axis, so that each is exact.
const MOST_CELLS: f64 = (1_u64 << 50) as f64;

/// The range of the number of objectives, in words.
const OBJECTIVES: &str = "a whole number from 1 to 1000";
/// The range of a population, that of `--parallel`, in words.
const POPULATIONS: &str = "a whole number from 1 to 100000";

/// What is to be searched, checked. What the line says beyond it is left alone.
#[derive(Debug)]
pub struct Hello {
    /// The space.
    pub space: Space,
    /// Seed of the optimizer.
    pub seed: u64,
    /// Number of objectives.
    pub objectives: usize,
    /// Axes of a map of behaviors; empty in other searches.
    pub measures: Vec<Measure>,
    /// True if larger is better.
    pub maximize: bool,
    /// Whether other random numbers than the search sees judge the result; `None` if nobody says.
    pub noisy: Option<bool>,
    /// Candidates of a generation, if the partner wants its own number.
    pub population: Option<u32>,
    /// Start points.
    pub start: Vec<Genome>,
    /// What the loss is the sum of, a rule and a weight for each value of an answer; empty if nobody says.
    pub parts: Vec<(Rule, f64)>,
}

impl Hello {
    /// Reads and checks the line.
    ///
    /// # Errors
    /// The first mistake in it, with the key.
    pub fn read(line: Value) -> Result<Self, Error> {
        let mut line = Object::new(line, "the problem")?;
        if !line.has("protocol") && (line.has("tell") || line.has("stop")) {
            return Err(Error::input("the first line has to describe the problem, before any `tell` or `stop`")
                .help("start with {\"protocol\":1,\"dimension\":..,\"lower\":[..],\"upper\":[..]}"));
        }
        let protocol: f64 = line.need("protocol", "1")?;
        if protocol != 1.0 {
            return Err(Error::input(format!("protocol {protocol} is unknown")).key("protocol").allowed("1"));
        }
        let dimension: usize = line.need("dimension", "a whole number, 1 or more")?;
        if dimension == 0 {
            return Err(Error::input("there is nothing to search").key("dimension").allowed("1 or more"));
        }
        limits::DIMENSION.check(dimension as u64, &dimension.to_string()).map_err(|e| e.key("dimension"))?;
        let lower = numbers(&mut line, "lower", dimension, true)?;
        let upper = numbers(&mut line, "upper", dimension, true)?;
        let space = space(&mut line, &lower, &upper)?;
        let seed = line.take("seed", "a whole number from 0 to 2^64 - 1")?.unwrap_or(0);
        let objectives = line.take("objectives", OBJECTIVES)?.unwrap_or(1);
        if !(1..=MOST_OBJECTIVES).contains(&objectives) {
            return Err(Error::input(format!("`objectives` is {objectives}")).key("objectives").allowed(OBJECTIVES));
        }
        let measures = measures(&mut line)?;
        if objectives > 1 && !measures.is_empty() {
            return Err(Error::input(format!("{objectives} objectives together with measures"))
                .key("objectives")
                .allowed("1, because a map of behaviors keeps the best of each cell"));
        }
        let maximise: Option<bool> = line.take("maximise", "true or false")?;
        let maximize = line.take("maximize", "true or false")?.or(maximise).unwrap_or(false);
        let noisy = line.take("noisy", "true or false")?;
        let population: Option<u32> = line.take("population", POPULATIONS)?;
        if population.is_some_and(|n| !(1..=limits::PARALLEL.most).contains(&u64::from(n))) {
            return Err(Error::input("this population is not possible").key("population").allowed(POPULATIONS));
        }
        let start = start(&mut line, &space)?;
        let parts = parts(&mut line)?;
        if !parts.is_empty() && (objectives > 1 || !measures.is_empty() || maximize) {
            let allowed = "only with one objective that is minimized, and without measures";
            return Err(Error::input("the parts of a loss are given, and there is no loss")
                .key("parts")
                .allowed(allowed));
        }
        Ok(Self { space, seed, objectives, measures, maximize, noisy, population, start, parts })
    }
}

/// A list of numbers of a known length; absent is empty unless it is needed.
fn numbers(line: &mut Object, key: &str, count: usize, needed: bool) -> Result<Vec<f64>, Error> {
    let allowed = format!("a list of {count} numbers");
    let list: Vec<f64> = if needed { line.need(key, &allowed)? } else { line.take(key, &allowed)?.unwrap_or_default() };
    if list.len() != count {
        return Err(Error::input(format!("`{key}` has {} numbers", list.len())).key(key).allowed(allowed));
    }
    Ok(list)
}

fn space(line: &mut Object, lower: &[f64], upper: &[f64]) -> Result<Space, Error> {
    let dimension = lower.len();
    let types: Vec<Value> = line.take("types", "a list of \"real\", \"int\" and {\"cat\": count}")?.unwrap_or_default();
    let names: Vec<String> = line.take("names", "a list of names")?.unwrap_or_default();
    for (key, length) in [("types", types.len()), ("names", names.len())] {
        if length != 0 && length != dimension {
            let what = format!("`{key}` has {length} entries");
            return Err(Error::input(what).key(key).allowed(format!("{dimension} entries, or none")));
        }
    }
    let mut genes = Vec::with_capacity(dimension);
    for at in 0..dimension {
        let axis = axis(at, lower[at], upper[at], types.get(at))?;
        genes.push(Gene { key: names.get(at).cloned().unwrap_or_else(|| format!("x{at}")), axis });
    }
    Ok(Space { genes })
}

fn axis(at: usize, low: f64, high: f64, kind: Option<&Value>) -> Result<Axis, Error> {
    if let Some(Value::Object(map)) = kind
        && let (1, Some(count)) = (map.len(), map.get("cat").and_then(Value::as_u64))
        && (1..=100_000).contains(&count)
    {
        return Ok(Axis::Choice((0..count).map(|word| word as f64).collect()));
    }
    if low >= high {
        let what = format!("coordinate {at} goes from {low} to {high}");
        return Err(Error::input(what)
            .key("lower")
            .allowed("below `upper`")
            .help("leave what is fixed out of the search"));
    }
    if !(high - low).is_finite() {
        let what = format!("coordinate {at} goes from {low} to {high}, too far for a number");
        return Err(Error::input(what).key("lower").allowed("ends less than 1.7e308 apart"));
    }
    match kind {
        None => Ok(Axis::Real { low, high, log: false }),
        Some(Value::String(word)) if word == "real" => Ok(Axis::Real { low, high, log: false }),
        Some(Value::String(word)) if word == "int" => {
            let (low, high) = (low.ceil(), high.floor());
            if low > high || low.abs().max(high.abs()) > MOST_CELLS {
                let what = format!("coordinate {at} holds no whole number that can be counted");
                return Err(Error::input(what).key("lower").allowed("-2^50 to 2^50, with a whole number between"));
            }
            Ok(Axis::Integer { low: low as i64, high: high as i64 })
        }
        Some(other) => Err(Error::input(format!("the type of coordinate {at} is {}", short(other)))
            .key("types")
            .allowed("\"real\", \"int\", or {\"cat\": count} with 1 to 100000 words")),
    }
}

fn measures(line: &mut Object) -> Result<Vec<Measure>, Error> {
    let count: usize = line.take("measures", "a whole number")?.unwrap_or(0);
    let low = numbers(line, "measure_lower", count, count > 0)?;
    let high = numbers(line, "measure_upper", count, count > 0)?;
    let allowed = format!("a list of {count} whole numbers, each 1 or more");
    let cells: Vec<u32> = if count > 0 { line.need("cells", &allowed)? } else { Vec::new() };
    if cells.len() != count {
        return Err(Error::input(format!("`cells` is {cells:?}")).key("cells").allowed(allowed));
    }
    let axes: Vec<Measure> = (0..count).map(|at| Measure { low: low[at], high: high[at], cells: cells[at] }).collect();
    let named = |key: String| if key == "low" { "measure_lower".to_owned() } else { key };
    Measure::check_all(&axes).map_err(|e| e.key_as(named))?;
    Ok(axes)
}

/// `x0`: one point or several, moved inside where they lie outside.
fn start(line: &mut Object, space: &Space) -> Result<Vec<Genome>, Error> {
    let allowed = format!("a point, {} numbers, or a list of points", space.len());
    let Some(given) = line.take::<Value>("x0", &allowed)? else { return Ok(Vec::new()) };
    let many = given.as_array().is_some_and(|list| list.iter().all(Value::is_array));
    let points = if many { serde_json::from_value(given) } else { serde_json::from_value(given).map(|one| vec![one]) };
    let points: Vec<Vec<f64>> = points.map_err(|_| Error::input("`x0` is not a point").key("x0").allowed(&allowed))?;
    if let Some(wrong) = points.iter().find(|p| p.len() != space.len()) {
        return Err(Error::input(format!("`x0` has a point of {} numbers", wrong.len())).key("x0").allowed(allowed));
    }
    Ok(points.iter().map(|p| space.encode(p)).collect())
}
