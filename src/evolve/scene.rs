//! The place of a case and the crowds in it, as pages draw them.

use super::evaluate::Recording;
use super::experiment::{Case, Experiment, GroupBinding};
use crate::replay::ReplayFile;
use crowdtune_sim::crowd::Trajectory;
use crowdtune_sim::world::scenario::Group;

/// The replay of some recordings of one case, each with its label.
pub fn replay(experiment: &Experiment, case: &Case, runs: &[(&str, &Recording)]) -> ReplayFile {
    let tracks: Vec<(&str, &Trajectory)> = runs.iter().map(|(label, run)| (*label, &run.track)).collect();
    let counted = |run: &Recording| {
        let counts = |column: usize| experiment.columns[column].metric.make.shows_overlaps;
        run.tables.iter().find(|(column, _)| counts(*column)).map(|(_, table)| began(&table.rows))
    };
    place(experiment, case, &tracks)
        .colliding(&runs.iter().map(|(_, run)| counted(run)).collect::<Vec<_>>())
        .looked_at(&runs.iter().map(|(_, run)| &run.looks[..]).collect::<Vec<_>>())
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
