//! What a group of a written place has to do with the others.

use super::item::{Item, Table};
use crowdtune_core::Error;
use crowdtune_sim::world::custom::{AwayFrom, Catches, Ties};
use crowdtune_sim::world::scenario::{Ahead, Caught};

/// Reads `away_from`, `catches` and `discomfort` of a group.
///
/// # Errors
/// If they are wrong by themselves; whether the other group is there, the place says.
pub fn read(table: &Table<'_>) -> Result<Ties, Error> {
    let away_from = table.take("away_from").map(|item| away_from(&item)).transpose()?;
    let catches = table.take("catches").map(|item| catches(&item)).transpose()?;
    let discomfort = table.take("discomfort").map(|item| ahead(&item)).transpose()?;
    Ok(Ties { away_from, catches, discomfort })
}

/// As [`read`], for a recording, whose people come and go as they were seen.
///
/// # Errors
/// Also if its people catch others.
pub fn read_recorded(table: &Table<'_>) -> Result<Ties, Error> {
    match table.take("catches") {
        Some(item) => Err(item
            .error("the people of a recording go when they are not seen any more, so nobody can catch them")
            .help("leave it out")),
        None => read(table),
    }
}

fn away_from(item: &Item<'_>) -> Result<AwayFrom, Error> {
    let what = "{ group = \"army\", within_m = 15 }";
    let table = item.table().map_err(|_| item.wrong(what))?;
    let group = table.need("group", &format!("say from whom they run, `away_from = {what}`"))?.text()?;
    let within_m = table.take("within_m").map(|m| m.positive("a number above 0 m")).transpose()?;
    table.finish()?;
    Ok(AwayFrom { group, within_m: within_m.unwrap_or(f64::INFINITY) })
}

fn catches(item: &Item<'_>) -> Result<Catches, Error> {
    let what = "{ group = \"rebels\", distance_m = 0.5, time_s = 1, then = \"leave\" }";
    let table = item.table().map_err(|_| item.wrong(what))?;
    let need = |key: &str, why: &str| table.need(key, &format!("{why}, `catches = {what}`"));
    let group = need("group", "say whom they catch")?.text()?;
    let gap = need("distance_m", "say how large the gap between two bodies may be")?;
    let distance_m = gap.number(0.0, f64::MAX, "a number from 0 m")?;
    let time = need("time_s", "say how long somebody has to be held")?;
    let time_s = time.number(0.0, crate::limits::SIMULATED.most as f64, "a number of seconds from 0")?;
    let then = table.take("then").map(|then| then.word(&[("leave", Caught::Leave), ("join", Caught::Join)]));
    table.finish()?;
    Ok(Catches { group, distance_m, time_s, then: then.transpose()?.unwrap_or(Caught::Leave) })
}

/// Most discomfort, 1/m2. Chosen here: a hundred jams.
pub const MOST_DISCOMFORT: f64 = 1000.0;
/// Largest radius, m. Chosen here: larger is a place, not something that moves.
const MOST_RADIUS_M: f64 = 100.0;
/// Longest time that a discomfort reaches ahead, s. Chosen here: longer than anybody looks ahead.
const MOST_AHEAD_S: f64 = 60.0;

fn ahead(item: &Item<'_>) -> Result<Ahead, Error> {
    let what = "{ people_per_m2 = 5, radius_m = 2, ahead_s = 2 }";
    let table = item.table().map_err(|_| item.wrong(what))?;
    let need = |key: &str, why: &str| table.need(key, &format!("{why}, `discomfort = {what}`"));
    let people_per_m2 = need("people_per_m2", "say how much others keep away")?;
    let people_per_m2 = people_per_m2.number(0.0, MOST_DISCOMFORT, "a number from 0 to 1000 1/m2")?;
    let radius_m = need("radius_m", "say how far it reaches from the center")?.number(
        f64::MIN_POSITIVE,
        MOST_RADIUS_M,
        "a number above 0, at most 100 m",
    )?;
    let ahead_s = table.take("ahead_s").map(|s| s.number(0.0, MOST_AHEAD_S, "a number from 0 to 60 s")).transpose()?;
    table.finish()?;
    Ok(Ahead { people_per_m2, ahead_s: ahead_s.unwrap_or(0.0), radius_m })
}
