//! What a plot is.

/// One plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// File name without its ending.
    pub name: String,
    /// What it shows, for the report.
    pub caption: String,
    /// The picture.
    pub svg: String,
}

/// The section of the report page in which a plot appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The map of an atlas.
    Atlas,
    /// The front of several objectives.
    Front,
    /// What the recommendation does, next to the targets.
    Results,
    /// How the finalists did on fresh seeds.
    Finalists,
    /// Which parameters mattered.
    Importance,
    /// Which parameters cannot be told apart.
    Identified,
    /// How the search went.
    Search,
}
