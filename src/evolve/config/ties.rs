//! What a group of a written place has to do with the others.

use super::item::Table;
use crowdtune_core::Error;
use crowdtune_sim::world::custom::{AwayFrom, Ties};

/// Reads `away_from` of a group.
///
/// # Errors
/// If it is wrong by itself; whether the other group is there, the place says.
pub fn read(table: &Table<'_>) -> Result<Ties, Error> {
    let away_from = table.take("away_from").map(|item| {
        let what = "{ group = \"army\", within_m = 15 }";
        let table = item.table().map_err(|_| item.wrong(what))?;
        let group = table.need("group", &format!("say from whom they run, `away_from = {what}`"))?.text()?;
        let within_m = table.take("within_m").map(|m| m.positive("a number above 0 m")).transpose()?;
        table.finish()?;
        Ok(AwayFrom { group, within_m: within_m.unwrap_or(f64::INFINITY) })
    });
    Ok(Ties { away_from: away_from.transpose()? })
}
