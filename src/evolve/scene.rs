//! The place of a case and the crowds in it, as pages draw them.

use super::evaluate::Recording;
use super::experiment::{Case, Experiment, GroupBinding};
use crate::replay::{RECORDED, ReplayFile};
use crowdtune_sim::crowd::{Frame, Trajectory};
use crowdtune_sim::world::scenario::Group;

/// The replay of some recordings of one case, each with its label.
pub fn replay(experiment: &Experiment, case: &Case, runs: &[(&str, &Recording)]) -> ReplayFile {
    let mut tracks: Vec<(&str, &Trajectory)> = runs.iter().map(|(label, run)| (*label, &run.track)).collect();
    let recorded = runs.first().and_then(|(_, run)| recorded(case, &run.track));
    tracks.extend(recorded.iter().map(|recorded| (RECORDED, recorded)));
    let counted = |run: &Recording| {
        let counts = |column: usize| experiment.columns[column].metric.make.shows_overlaps;
        run.tables.iter().find(|(column, _)| counts(*column)).map(|(_, table)| began(&table.rows))
    };
    place(experiment, case, &tracks)
        .colliding(&runs.iter().map(|(_, run)| counted(run)).collect::<Vec<_>>())
        .looked_at(&runs.iter().map(|(_, run)| &run.looks[..]).collect::<Vec<_>>())
}

/// The people of the scenario's tracks, with the frames and the bodies of a run.
fn recorded(case: &Case, run: &Trajectory) -> Option<Trajectory> {
    let tracks = case.scenario.tracks.as_ref()?;
    let torus = &case.scenario.world.plan.periodic;
    let frame = |k: u64| {
        let time_s = k as f64 * run.every_s;
        let (id, pos) = tracks.present(time_s, torus).unzip();
        Frame { time_s, id, pos }
    };
    let left = |id: u32| tracks.span_s(id).map(|(_, last_s)| last_s);
    Some(Trajectory {
        // 1e-9: 1.2 s are twelve steps of 0.1 s whatever the rounding.
        frames: (0..=(tracks.last_s() / run.every_s + 1e-9) as u64).map(frame).collect(),
        group: tracks.people.iter().map(|track| track.group).collect(),
        left_s: (0..tracks.people.len() as u32).map(left).collect(),
        radius: run.radius.clone(),
        ..Trajectory::every(run.every_s)
    })
}

/// The times at which a number rose, once for each unit, from rows of time and number.
fn began(rows: &[Vec<f64>]) -> Vec<f64> {
    let mut before = 0.0;
    let mut times = Vec::new();
    for row in rows {
        times.extend(std::iter::repeat_n(row[0], (row[1] - before) as usize));
        before = row[1];
    }
    times
}

/// The place of a case with these crowds in it.
pub fn place(experiment: &Experiment, case: &Case, runs: &[(&str, &Trajectory)]) -> ReplayFile {
    let several = case.models().len() > 1;
    let group = |(group, of): (&Group, &GroupBinding)| {
        if several { format!("{} ({})", group.name, of.steered_by.name) } else { group.name.clone() }
    };
    let groups: Vec<String> = case.scenario.groups.iter().zip(&case.groups).map(group).collect();
    let named = !experiment.title.is_empty();
    let title = if named { format!("{}: {}", experiment.title, case.name) } else { case.name.clone() };
    let columns = || experiment.columns.iter().zip(&case.columns);
    let places = columns().filter_map(|(column, here)| Some((column.name.as_str(), here.as_ref()?.at.as_ref()?)));
    ReplayFile::new(&title, &case.scenario.world.plan, &groups, runs)
        .measured(&places.collect::<Vec<_>>())
        .marking(&case.scenario.groups)
}
