//! Settings of a registered place, metric or optimizer: constants that no search and no `each` touches.

use super::item::Table;
use super::tree::{Entries, put};
use crate::evolve::codec::{self, Said};
use crowdtune_core::Error;
use crowdtune_core::registry::Param;

/// Writes the defaults of a list of params into a table.
pub fn fill(table: &mut Entries, list: &'static [Param]) {
    for param in list {
        put(table, param.key, codec::default(param));
    }
}

/// Values for the params of one entry, in their order, from a table that has them all filled in; nothing of them can
/// be searched.
///
/// # Errors
/// If a value is wrong.
pub fn settings(table: &Table<'_>, list: &'static [Param]) -> Result<Vec<f64>, Error> {
    let mut said = Vec::with_capacity(list.len());
    for param in list {
        let item = table.need(param.key, "")?;
        said.push(match codec::said(&item, param)? {
            Said::Fixed(value) => Ok(value),
            Said::Same(other) => Err(other),
            Said::Each => return Err(item.wrong(param.allowed()).help("`each` goes with numbers in scenarios")),
            Said::Searched(..) | Said::Drawn(_) => {
                return Err(item
                    .error(format!("`{}` cannot be searched", param.key))
                    .allowed(param.allowed())
                    .help("only [parameters] and [people] can; use `each` for one scenario per value"));
            }
        });
    }
    let follow = |other: &str| {
        let at = list.iter().position(|p| p.key == other).expect("a registered key is followed");
        said[at].unwrap_or(list[at].default_value())
    };
    Ok(said.iter().map(|s| s.unwrap_or_else(follow)).collect())
}
