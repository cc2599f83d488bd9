//! What an optimizer asks: a candidate, on which replicas, what for.

use crate::space::Genome;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What a question is asked for; each purpose but `Baseline` draws its own seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// Asked by the optimizer.
    Search,
    /// Picks the recommendation among the finalists, on fresh seeds.
    Select,
    /// Gives the figures of the recommendation, on seeds that nothing else saw.
    Report,
    /// The published defaults, on the seeds of `Report`.
    Baseline,
    /// Shows how far parameters can go from the recommendation, on seeds of its own.
    Profile,
}

/// One question to an evaluator: this candidate, on these replicas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// What it is asked for.
    pub purpose: Purpose,
    /// The candidate: one coordinate in [0, 1] per gene.
    pub genome: Genome,
    /// Numbers of the replicas. Equal numbers of one purpose mean equal seeds (common random numbers). In JSON
    /// `[first, end]`, the end not included.
    #[serde(with = "replica_range")]
    pub replicas: Range<u32>,
}

/// A range of replicas as `[first, end]`.
mod replica_range {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
    use std::ops::Range;

    pub fn serialize<S: Serializer>(range: &Range<u32>, to: S) -> Result<S::Ok, S::Error> {
        [range.start, range.end].serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Range<u32>, D::Error> {
        <[u32; 2]>::deserialize(from).map(|[start, end]| start..end)
    }
}
