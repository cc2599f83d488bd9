//! Who is near whom: people sorted into square cells.

/// The neighbor grid of one step.
#[derive(Clone, Debug, Default)]
pub struct Neighbors {}
