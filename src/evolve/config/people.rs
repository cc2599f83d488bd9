//! What a file says of a trait of people: a number, a distribution, or that it is searched.

use super::item::Item;
use super::node::has_each;
use super::params;
use crate::evolve::codec;
use crowdtune_core::Error;
use crowdtune_core::registry::Param;
use crowdtune_search::Axis;
use crowdtune_sim::crowd::people::Distribution;

/// What a file says of a trait.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// Drawn per person, or the same for everybody.
    Drawn(Distribution),
    /// Searched, from a start value.
    Searched(Axis, f64),
    /// One scenario for each of some values; not yet expanded.
    Each,
}

/// Reads the value of a trait.
///
/// # Errors
/// If a number, an end or a clip range is out of range.
pub fn read(item: &Item<'_>, param: &'static Param) -> Result<Said, Error> {
    if let Some(entries) = item.node.entries().filter(|entries| codec::is_drawn(entries)) {
        // Numbers inside a distribution may have an `each` too; the expanded copies are read again.
        if entries.iter().any(|(key, node)| key != "each" && has_each(node)) {
            return Ok(Said::Each);
        }
        return codec::distribution(item, param).map(Said::Drawn);
    }
    Ok(match params::read(item, param)? {
        params::Said::Fixed(value) => Said::Drawn(Distribution::Fixed(value)),
        params::Said::Searched(axis, start) => Said::Searched(axis, start),
        params::Said::Each => Said::Each,
        params::Said::Same(_) => unreachable!("no trait follows another"),
    })
}
