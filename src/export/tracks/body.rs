//! What people look like in three dimensions.

/// Height of a body, m. Chosen here: a grown-up; crowdtune's people are circles.
pub const HEIGHT_M: f64 = 1.75;
