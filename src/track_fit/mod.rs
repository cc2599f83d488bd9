//! From recorded tracks to fitted constants: what is known of the people, the experiment that fits a model to them, and what came
//! out for people and times that the search did not see.
//!
//! [`Taken`] is what a recording says, [`experiment`] the text of an experiment, [`sides`] and [`report`] what came out; the command
//! `crowdtune fit` runs the searches.

mod aims;
mod constants;
mod estimate;
mod experiment;
mod lines;
mod macroscopic;
mod parts;
mod place;
pub(crate) mod report;
mod sides;
mod taken;

pub(crate) use aims::AIMS;
pub(crate) use constants::{Range, all_known, searched};
pub(crate) use estimate::estimate;
pub(crate) use experiment::{Search, StraightOn, experiment};
pub(crate) use place::around;
pub(crate) use sides::sides;
pub(crate) use taken::{Asked, Taken};
