//! Demonstrations: a question, a crowd with one slider, the curve over it with what others measured or printed, and what is seen.
//!
//! Nothing here runs anything: a demonstration is an experiment as text, the values to run it with, and the sentences that follow from
//! the curve. `crowdtune demo` runs it and writes the page.

mod atlas;
mod bottleneck;
mod curve;
mod faster_is_slower;
mod flock;
mod groups;
mod herding;
mod lanes;
mod vo_and_rvo;

pub use atlas::of_map;
pub use curve::{Curve, Found, Line, Slider, Start};

use crowdtune_core::registry::Entry;

/// What a demonstration shows.
#[derive(Debug)]
pub enum Shown {
    /// A slider, and a curve over it.
    Curve(&'static Curve),
    /// A search for crowds of all kinds: the experiment.
    Atlas(&'static str),
}

/// How a demonstration is made.
#[derive(Debug)]
pub struct MakeDemo {
    /// What a teacher asks.
    pub question: &'static str,
    /// What is shown.
    pub shown: Shown,
}

/// All demonstrations.
pub static DEMOS: &[&Entry<MakeDemo>] = &[
    &faster_is_slower::ENTRY,
    &vo_and_rvo::ENTRY,
    &lanes::ENTRY,
    &herding::ENTRY,
    &flock::ENTRY,
    &bottleneck::ENTRY,
    &groups::ENTRY,
    &atlas::ENTRY,
];
