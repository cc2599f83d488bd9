//! The space that is searched: one dimension per gene.

use super::Genome;

/// What one gene can be.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// A real number from `low` to `high`, both reached; `log` spaces it by orders of magnitude.
    Real {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
        /// True for equal steps in the logarithm.
        log: bool,
    },
    /// A whole number, both ends included.
    Integer {
        /// Lower end.
        low: i64,
        /// Upper end.
        high: i64,
    },
    /// One of these stored values (the index of a word, or a number), in the order of the file.
    Choice(Vec<f64>),
}

/// One gene: its dotted key and what it can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Gene {
    /// Dotted key of the experiment file.
    pub key: String,
    /// What it can be.
    pub axis: Axis,
}

/// All genes, in key order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    /// The genes.
    pub genes: Vec<Gene>,
}

impl Space {
    /// Values of a genome, one per gene.
    pub fn decode(&self, genome: &[f64]) -> Vec<f64> {
        let _ = genome;
        unimplemented!("search helper")
    }

    /// The genome of these values, each moved into its axis.
    pub fn encode(&self, values: &[f64]) -> Genome {
        let _ = values;
        unimplemented!("search helper")
    }
}
