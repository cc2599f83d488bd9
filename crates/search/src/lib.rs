//! Optimizers behind ask and tell, and sensitivity analysis: for crowds, and for any other function.
//!
//! Give a [`Space`], ask for points, tell what they are worth; smaller is better. The same seed and the same answers give the
//! same points, bit for bit, on every machine. Nothing here starts a thread, opens a file or looks at a clock.
//!
//! ```
//! use crowdtune_search::{AskTell, Gene, Options, Space};
//!
//! # fn main() -> Result<(), crowdtune_core::Error> {
//! let space = Space::new([Gene::real("x", -5.0, 5.0), Gene::integer("n", 1, 9)])?;
//! let mut search = AskTell::new(space, &Options { seed: 1, parallel: 4, ..Options::default() })?;
//! while search.told() < 200 {
//!     let points = search.ask();
//!     let losses: Vec<f64> = points.iter().map(|p| (p[0] - 1.5).powi(2) + (p[1] - 7.0).abs()).collect();
//!     search.tell(&losses)?;
//! }
//! let (point, loss) = search.best().expect("200 answers");
//! assert!(loss < 0.01 && point[1] == 7.0);
//! # Ok(())
//! # }
//! ```
//!
//! # What is here
//!
//! * The space: [`Space`], [`Gene`], [`Axis`] (real numbers, also logarithmic; whole numbers; choices) and the [`Genome`], a point of
//!   the unit cube on which every optimizer works.
//! * A search on a function of one's own: [`AskTell`] with [`Options`]; an [`Answer`] may have several objectives, constraints
//!   or measures, or be missing.
//! * The optimizers: [`OPTIMIZERS`] is the list, each an [`Entry`] with its source and its settings;
//!   [`MakeOptimizer`] says what it can do. The trait [`Optimizer`] with [`Setup`], [`Question`] and [`Trial`] is for evaluators
//!   that replicate, race or log, and for optimizers of one's own.
//! * [`AdaptiveReplicas`] stands around an optimizer whose answers are noisy and asks for replicas as needed.
//! * What comes after a search: the front of several objectives ([`pareto`]), the archive of an atlas ([`Grid`]), which
//!   parameters matter ([`sensitivity`]).
//!
//! Which optimizer for what, measured: `docs/optimizers.md` of the project.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod advised;
mod ask_tell;
mod atlas;
mod auto;
mod cma;
mod cost;
mod ga;
mod gp;
mod least_squares;
mod noise;
mod optimizer;
pub mod pareto;
mod part;
mod posterior;
mod process;
mod question;
mod random;
mod replication;
mod residual;
pub mod sensitivity;
mod space;
mod success_history;
mod trial;
mod unseen;
mod variation;

pub use ask_tell::{Answer, AskTell, MOST_OBJECTIVES, Options};
pub use atlas::{Elite, Grid, Offer};
pub use noise::Noise;
pub use optimizer::{Goal, MakeOptimizer, Measure, Optimizer, Setup, StopReason};
pub use part::{Part, Rule, are_squares};
pub use posterior::{DOUBT, Evidence, Inference, Likelihood, Observed, PosteriorSetup, Prior, SURPRISE, Sample};
pub use question::{Purpose, Question};
pub use replication::{AdaptiveReplicas, Join};
pub use space::{Axis, Gene, Genome, Space, bits};
pub use trial::{Outcome, Trial, Values, better};

use crowdtune_core::registry::Entry;

/// All optimizers, in the order of their names.
pub static OPTIMIZERS: &[&Entry<MakeOptimizer>] = &[
    &atlas::ENTRY,
    &auto::ENTRY,
    &cma::ENTRY,
    &ga::ENTRY,
    &gp::ENTRY,
    &least_squares::ENTRY,
    &pareto::ENTRY,
    &random::ENTRY,
];

/// The optimizer that is taken for a goal where none is named.
///
/// # Panics
/// If the list has none: a program error, found by a test.
pub fn usual(goal: Goal) -> &'static Entry<MakeOptimizer> {
    let fits = |entry: &&&Entry<MakeOptimizer>| entry.make.usual && entry.make.goal == goal;
    OPTIMIZERS.iter().find(fits).expect("one optimizer of each goal is the usual one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_goal_has_one_usual_optimizer() {
        for goal in [Goal::Best, Goal::Front, Goal::Atlas] {
            assert_eq!(OPTIMIZERS.iter().filter(|e| e.make.usual && e.make.goal == goal).count(), 1, "{goal:?}");
            assert_eq!(usual(goal).make.objectives.contains(&2), goal == Goal::Front);
        }
    }
}
