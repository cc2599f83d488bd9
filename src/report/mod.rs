//! Everything a person looks at: terminal tables, plots, replays and the report page.
//!
//! Pure functions from what a run folder says to text; whoever calls them writes the files. Only `cli` uses this room. From
//! below: `plain_text` spells out control characters, `table` lays out terminal tables, [`chart`] draws; on these stand the plots, the
//! sentences (`verdict`, `learned`, `front`), and the pages.

mod chart;
pub(crate) mod charts;
pub(crate) mod compare;
mod front;
pub(crate) mod html;
mod learned;
pub(crate) mod page;
pub(crate) mod plain_text;
pub(crate) mod plots;
pub(crate) mod posterior;
pub(crate) mod result;
mod run;
pub(crate) mod run_table;
pub(crate) mod sensitivity;
pub(crate) mod sweep;
pub(crate) mod sweep_page;
pub(crate) mod table;
pub(crate) mod validation;
pub(crate) mod verdict;
pub(crate) mod watch_page;

#[cfg(test)]
pub(crate) mod fixture;

pub(crate) use run::Run;
pub(crate) use run_table::{About, RunTable};
