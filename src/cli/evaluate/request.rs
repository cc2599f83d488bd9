//! One line of the partner: candidates, and on which runs.

use crate::cli::pipe::Object;
use crate::evolve::exchange;
use crate::evolve::experiment::Experiment;
use crate::limits;
use crowdtune_core::Error;
use crowdtune_search::Genome;
use serde_json::Value;

/// What one line asks for.
#[derive(Debug)]
pub struct Request {
    /// The candidates, in the order of the line.
    pub candidates: Vec<Genome>,
    /// Seed of the simulations, if not that of the experiment.
    pub seed: Option<u64>,
    /// Replicas of every scenario, if not those of the experiment.
    pub replicas: Option<u32>,
    /// Runs of the final report, which no search sees.
    pub fresh: bool,
}

impl Request {
    /// Reads a line: a candidate, a list of candidates, or an object with `ask` and options.
    ///
    /// # Errors
    /// If a candidate is not of this space, or a key is unknown.
    pub fn read(line: Value, experiment: &Experiment) -> Result<Self, Error> {
        let plain = Self { candidates: Vec::new(), seed: None, replicas: None, fresh: false };
        if line.get("ask").is_none() {
            return Ok(Self { candidates: candidates(line, experiment, false)?, ..plain });
        }
        let mut object = Object::new(line, "a line")?;
        let asked: Value = object.need("ask", "a candidate or a list of candidates")?;
        let seed: Option<u64> = object.take("seed", "a whole number from 0 to 2^63 - 1")?;
        let replicas: Option<u32> = object.take("replicas", "a whole number, 1 or more")?;
        let fresh = object.take("fresh", "true or false")?.unwrap_or(false);
        let cube = object.take("cube", "true or false")?.unwrap_or(false);
        if let Some((key, _)) = object.rest().into_iter().next() {
            return Err(Error::input(format!("`{key}` is not a key of a line"))
                .key(key)
                .allowed("ask, seed, replicas, fresh, cube"));
        }
        if let Some(seed) = seed.filter(|s| *s > i64::MAX as u64) {
            return Err(Error::input(format!("`seed` is {seed}")).key("seed").allowed("0 to 2^63 - 1"));
        }
        if let Some(replicas) = replicas.filter(|n| !(1..=limits::REPLICAS.most).contains(&u64::from(*n))) {
            let what = format!("`replicas` is {replicas}");
            return Err(Error::input(what).key("replicas").allowed(format!("1 to {}", limits::REPLICAS.most)));
        }
        Ok(Self { candidates: candidates(asked, experiment, cube)?, seed, replicas, fresh })
    }
}

/// One candidate, or each of a list.
fn candidates(asked: Value, experiment: &Experiment, cube: bool) -> Result<Vec<Genome>, Error> {
    let is_batch = |list: &[Value]| list.iter().all(|entry| entry.is_array() || entry.is_object());
    match asked {
        Value::Array(list) if is_batch(&list) => {
            let numbered = list.into_iter().enumerate();
            numbered
                .map(|(at, one)| {
                    exchange::genome(one, experiment, cube).map_err(|e| match e.named_key() {
                        Some(_) => e,
                        None => e.key(format!("candidate {at}")),
                    })
                })
                .collect()
        }
        one => Ok(vec![exchange::genome(one, experiment, cube)?]),
    }
}
