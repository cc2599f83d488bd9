//! What an atlas leaves in the run folder: a preset and the last moments of a crowd for each filled cell, and a table.

use super::record::pool;
use super::run_folder::RunFolder;
use crate::evolve::Results;
use crate::evolve::evaluate::{run_one, run_seed};
use crate::evolve::experiment::Experiment;
use crate::evolve::preset::{Preset, preset};
use crate::evolve::scene::place;
use crate::evolve::summary::{Summary, TargetSummary};
use crate::replay::ReplayFile;
use crowdtune_core::Error;
use crowdtune_search::{Purpose, Trial};
use crowdtune_sim::crowd::Trajectory;
use rayon::prelude::*;

/// The filled cells as a table, inside a run folder.
const CELLS: &str = "atlas/cells.csv";
/// Length of the way drawn behind a person, s. Chosen here: longer ways fill a small picture.
const TRAIL_S: f64 = 4.0;
/// Frames along that way. Chosen here: a turn still shows.
const TRAIL_FRAMES: usize = 8;

/// Writes presets and table of the atlas of a finished run, and records its crowds; nothing for a run without one, no crowds of
/// an engine that cannot be asked again.
///
/// # Errors
/// If a file cannot be written, or the machine refuses the threads.
pub(super) fn write(
    experiment: &Experiment,
    results: &Results<'_>,
    summary: &Summary,
    folder: &RunFolder,
    threads: usize,
) -> Result<Option<ReplayFile>, Error> {
    let (Some(atlas), Some(filled)) = (&summary.atlas, results.filled_cells()) else { return Ok(None) };
    folder.write(CELLS, atlas.csv().as_bytes())?;
    let names = atlas.cells.iter().map(|c| c.name.as_str());
    let rows: Vec<(&str, &Trial)> = names.clone().zip(filled.iter().map(|(row, _)| *row)).collect();
    let of_cell = |(name, (row, targets)): (&str, (&Trial, Vec<TargetSummary>))| {
        let of_cell = Summary { targets, atlas: None, ..summary.clone() };
        let preset = preset(experiment, &of_cell, &row.question.genome);
        (name.to_string(), Preset { name: format!("{}-{name}", summary.name), ..preset })
    };
    folder.write_presets(&names.zip(filled).map(of_cell).collect::<Vec<_>>())?;
    if experiment.simulates(summary.engine.as_deref()) {
        crowds(experiment, &rows, threads).map(Some)
    } else {
        Ok(None)
    }
}

/// The crowds of the cells in the first case that the search sees, each on the first of its fresh seeds; one whose run
/// fails there has none.
fn crowds(experiment: &Experiment, rows: &[(&str, &Trial)], threads: usize) -> Result<ReplayFile, Error> {
    let pool = pool(threads)?;
    let seen = experiment.cases.iter().position(|c| !c.held_out);
    let at = seen.expect("an axis is given by a case that the search sees");
    let case = &experiment.cases[at];
    let seed = run_seed(experiment.search.seed, Purpose::Select, &case.table, 0);
    let one = |row: &(&str, &Trial)| -> Option<Trajectory> {
        let mut track = Trajectory::every(experiment.timing.record_every_s);
        let genes = experiment.space.decode(&row.1.question.genome);
        run_one(experiment, at, &genes, seed, Some(&mut track)).ok()?;
        Some(last_moments(track))
    };
    let tracks: Vec<Option<Trajectory>> = pool.install(|| rows.par_iter().map(one).collect());
    let runs: Vec<(&str, &Trajectory)> =
        rows.iter().zip(&tracks).filter_map(|((name, _), track)| Some((*name, track.as_ref()?))).collect();
    Ok(place(experiment, case, &runs))
}

/// The moment to show, and some frames before it: the last moment, or if nobody is left then, the last one that still
/// has half of the people.
fn last_moments(mut track: Trajectory) -> Trajectory {
    let people = track.frames.iter().map(|f| f.id.len()).max().unwrap_or(0);
    let there = |frame: &crowdtune_sim::crowd::Frame| frame.id.len();
    let Some(last) = track.frames.last() else { return track };
    let shown = match there(last) {
        0 => track.frames.iter().rposition(|frame| 2 * there(frame) >= people),
        _ => None,
    };
    let shown = shown.unwrap_or(track.frames.len() - 1);
    let step = ((TRAIL_S / track.every_s / TRAIL_FRAMES as f64).round() as usize).max(1);
    let first = shown % step + (shown / step).saturating_sub(TRAIL_FRAMES) * step;
    let kept = track.frames.drain(first..shown + 1).step_by(step).collect();
    track.frames = kept;
    track.every_s *= step as f64;
    track
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_sim::crowd::Frame;

    /// Frames every 0.1 s with so many people each.
    fn track(people: &[usize]) -> Trajectory {
        let frame = |(k, &n): (usize, &usize)| Frame {
            time_s: k as f64 * 0.1,
            id: (0..n as u32).collect(),
            pos: vec![crowdtune_core::math::Vec2::ZERO; n],
        };
        Trajectory { frames: people.iter().enumerate().map(frame).collect(), ..Trajectory::every(0.1) }
    }

    #[test]
    fn the_last_moment_is_kept_with_four_seconds_before_it() {
        let kept = last_moments(track(&[3; 101]));
        let times: Vec<f64> = kept.frames.iter().map(|f| f.time_s).collect();
        assert_eq!(times.len(), 9);
        assert!((times[0] - 6.0).abs() < 1e-9 && (times[8] - 10.0).abs() < 1e-9 && (kept.every_s - 0.5).abs() < 1e-9);
        assert_eq!(last_moments(track(&[3; 2])).frames.len(), 1);
    }

    #[test]
    fn an_emptied_place_is_shown_while_half_of_the_people_are_there() {
        let mut people = vec![4; 50];
        people.extend([2; 10]);
        people.extend([1; 10]);
        people.extend([0; 10]);
        let kept = last_moments(track(&people));
        assert_eq!(kept.frames.last().unwrap().id.len(), 2);
        assert!((kept.frames.last().unwrap().time_s - 5.9).abs() < 1e-9);
        assert!(last_moments(track(&[])).frames.is_empty());
    }
}
