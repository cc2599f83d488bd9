//! A foreign simulator as an experiment describes it, and what it is asked. Who talks to it is at the rim: [`crate::engine`].

use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::{List, Written};
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::crowd::recording::Recording;
use crowdtune_sim::models::MakeModel;
use crowdtune_sim::world::scenario::Scenario;
use std::fmt;
use std::sync::Arc;

/// `[engine]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreign {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How it is talked to.
    pub connection: Connection,
    /// Longest time from a request to its answer, s.
    pub timeout_s: f64,
    /// Longest time from its start to its first answer, s.
    pub start_s: f64,
    /// Names of the numbers that its answers give; columns may ask for them.
    pub values: Vec<String>,
}

/// How an engine is talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// A line for each message, over stdin and stdout.
    Stdio,
    /// The same over a socket of this machine, to which the engine connects.
    Tcp,
    /// A process for each message, with a file for the question and one for the answer.
    Files,
}

/// One run to be done.
#[derive(Debug)]
pub struct Ask<'a> {
    /// Name of the case.
    pub case: &'a str,
    /// Its place and groups.
    pub scenario: &'a Scenario,
    /// Names and values of all constants.
    pub parameters: Vec<(&'static str, Written)>,
    /// Seed of the run.
    pub seed: Seed,
    /// True if a trajectory is needed.
    pub trajectory: bool,
    /// Who is there at the start.
    pub people: &'a Crowd,
}

/// What a run gave.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Numbers by name; `None` where the run has none.
    pub values: Vec<(String, Option<f64>)>,
    /// Where everybody was.
    pub trajectory: Option<Recording>,
    /// When the run ended, s; `None`: with the last frame of the trajectory.
    pub end_s: Option<f64>,
    /// How much work it was, in any unit; 0 if that is not known.
    pub work: u64,
}

/// Whoever can ask a foreign simulator.
pub trait Engine: fmt::Debug + Send + Sync {
    /// What it calls itself, with its version and the digest of its command: the log keeps it.
    fn name(&self) -> &str;

    /// Does a run. May be called from many threads at once.
    ///
    /// # Errors
    /// Why the run cannot be trusted; of the class of the environment if no run can be done.
    fn run(&self, ask: &Ask<'_>) -> Result<Answer, Error>;
}

/// The engine of an experiment, and what was declared of it.
#[derive(Clone, Debug)]
pub struct EngineOf {
    /// What the file says.
    pub declared: Foreign,
    /// The model that stands for it, with its constants.
    pub models: List<MakeModel>,
    /// Who asks it; `None` as long as nobody was given: reading a file starts nothing.
    pub asked: Option<Arc<dyn Engine>>,
}

impl EngineOf {
    /// What the engine calls itself.
    pub fn name(&self) -> &str {
        self.asked.as_ref().map_or("nobody", |engine| engine.name())
    }

    /// Who asks it.
    ///
    /// # Errors
    /// If nobody was given.
    pub fn asked(&self) -> Result<&dyn Engine, Error> {
        self.asked.as_deref().ok_or_else(|| {
            Error::environment("this experiment has a foreign simulator, and nobody was given who asks it")
                .help("in a program: set `Experiment::engine` to one, for example `crowdtune::engine::Workers`")
        })
    }
}

/// The seed of a run as engines get it: 31 bits, which every language and simulator takes.
pub fn seed_of(seed: Seed) -> u32 {
    (seed.0 >> 33) as u32
}
