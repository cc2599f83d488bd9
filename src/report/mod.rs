//! Everything a person looks at: terminal tables, plots, replays and the report page.
//!
//! Pure functions from what a run folder says to text; whoever calls them writes the files.

pub mod compare;
pub mod format;
pub mod front;
pub mod html;
pub mod learned;
pub mod plots;
pub mod replay;
pub mod replay_file;
pub mod run;
pub mod run_table;
pub mod sensitivity;
pub mod sweep;
pub mod table;
pub mod validation;
pub mod verdict;

#[cfg(test)]
mod fixture;

pub use replay_file::ReplayFile;
pub use run::Run;
pub use run_table::RunTable;
pub use sweep::SweepTable;
