//! What an inference is asked, and what it says of a whole measurement.

use crowdtune_core::math::rng::Seed;

/// A measured value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// The value.
    pub value: f64,
    /// Standard deviation of its error, 0 or more.
    pub sd: f64,
}

/// How probable what was measured is with some parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Likelihood {
    /// By simulations alone: with each of them it is the density of the measured values around the simulated ones. Asks nothing of the simulator.
    #[default]
    Simulated,
    /// By Gaussian processes of what simulations give: far fewer of them, where what they give changes smoothly with the parameters and is spread
    /// normally.
    Emulated,
}

/// How an inference is set up.
#[derive(Clone, Debug)]
pub struct PosteriorSetup {
    /// Number of parameters, 1 or more.
    pub parameters: usize,
    /// What was measured, one or more.
    pub observed: Vec<Observed>,
    /// Effective number of simulations that the posterior is made of: the measured values are widened until so many agree. By processes nothing is.
    pub effective: usize,
    /// Where the likelihood comes from.
    pub likelihood: Likelihood,
    /// Seed of all draws.
    pub seed: Seed,
}

/// How probable a measurement is under a prior, from draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// The natural logarithm of the density.
    pub log: f64,
    /// Its standard error.
    pub error: f64,
    /// Effective number of draws.
    pub effective: f64,
}
