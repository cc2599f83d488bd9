//! `tracks` of a scenario: recorded people whom the run is put beside.

use super::context::Context;
use super::item::Item;
use crowdtune_core::Error;
use crowdtune_sim::crowd::recording::{Known, Recording};
use crowdtune_sim::world::Built;
use crowdtune_sim::world::Tracks;

/// Reads `{ file = "...", restart_every_s = ... }`.
///
/// # Errors
/// If the file is no recording, has more people than the scenario, or no frame falls on the restarts.
pub(super) fn read(item: &Item<'_>, context: &mut Context<'_>, built: &Built) -> Result<Tracks, Error> {
    let what =
        "{ file = \"tracks.txt\" }, with `restart_every_s` where a run is put back onto the tracks again and again";
    let table = item.table().map_err(|_| item.wrong(what))?;
    let named = table.need("file", what)?;
    let restart = table.take("restart_every_s");
    table.finish()?;
    let recording = Recording::parse(&context.text(&named)?, &named.text()?, &Known::default())?;
    let every_s = 1.0 / recording.fps;
    if let Some(group) = built.groups.iter().find(|g| g.inflow_per_s.is_some()) {
        return Err(item
            .error(format!("`{}` comes in during the run, so nobody of it is one of the tracks", group.name))
            .help("give groups a `count`, as many people as the recording has"));
    }
    let people: usize = built.groups.iter().map(|g| g.count).sum();
    if recording.people() > people {
        return Err(named
            .error(format!("the recording has {} people, the scenario {people}", recording.people()))
            .help("person k of the recording, by rising id, is person k of the run: groups in name order, `count` people each"));
    }
    let restart_every_s = restart.map(|r| r.positive("a number above 0 s").map(|s| (r, s))).transpose()?;
    if let Some((restart, s)) = &restart_every_s
        && ((s / every_s).round() * every_s - s).abs() > 1e-6
    {
        return Err(restart.wrong(format!("a multiple of {every_s} s, the interval of the frames")));
    }
    let first = recording.moments.first().map_or(0, |m| m.frame);
    let last = recording.moments.last().map_or(0, |m| m.frame);
    let frames = usize::try_from(last - first).unwrap_or(0) + 1;
    // A file that numbers frames by the millisecond would fill the memory.
    if frames > 1_000_000 {
        return Err(named.error(format!("the recording has {frames} frames")).allowed("at most 1000000"));
    }
    let mut places = vec![vec![None; recording.people()]; frames];
    for moment in &recording.moments {
        for (&id, &pos) in moment.ids.iter().zip(&moment.positions) {
            places[(moment.frame - first) as usize][id as usize] = Some(pos);
        }
    }
    Ok(Tracks { every_s, places, restart_every_s: restart_every_s.map(|(_, s)| s) })
}
