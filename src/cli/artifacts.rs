//! What a finished run leaves for people: replays, plots, the report, the table on stdout.

use super::atlas::files::CROWDS;
use super::input;
use crate::evolve::evaluate::{run_recorded, run_seed};
use crate::evolve::experiment::{Case, Experiment};
use crate::evolve::folder::RunFolder;
use crate::evolve::front::Standing;
use crate::evolve::preset::{Preset, preset};
use crate::evolve::run::Stopped;
use crate::evolve::summarize::{of_point, of_points};
use crate::evolve::summary::Summary;
use crate::report::html::{self, Extras};
use crate::report::table::Terminal;
use crate::report::{About, ReplayFile, Run, RunTable, format, plots, replay, result};
use crowdtune_core::Error;
use crowdtune_search::{Genome, Purpose, Trial};
use crowdtune_sim::crowd::trajectory::Trajectory;
use std::fs;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

/// Replays are kept of so many cases. Chosen here: a report with more of them is slow to open.
const MOST_REPLAYS: usize = 4;

/// Records defaults and recommendation of the first cases on the first seed of the report: positions into `replays/`,
/// what stands behind the metrics into `tables/`.
///
/// A run that fails is left out: the report says that trials failed.
///
/// # Errors
/// If a file cannot be written.
pub fn record(experiment: &Experiment, genome: &[f64], folder: &RunFolder) -> Result<(), Error> {
    let tuned = experiment.space.decode(genome);
    let cases = experiment.cases.iter().enumerate().filter(|(_, c)| !c.held_out).take(MOST_REPLAYS);
    for (at, case) in cases {
        let seed = run_seed(experiment.search.seed, Purpose::Report, &case.table, 0);
        let mut runs: Vec<(&str, Trajectory)> = Vec::new();
        for (label, genes) in [("defaults", &experiment.defaults), ("tuned", &tuned)] {
            let mut track = Trajectory::every(experiment.timing.record_every_s);
            let Ok(tables) = run_recorded(experiment, at, genes, seed, &mut track) else { continue };
            runs.push((label, track));
            for (column, table) in tables {
                let target = &experiment.columns[column];
                let (column, metric) = (target.name.clone(), target.metric.name.to_string());
                let about = About { column, metric, case: case.name.clone(), label: label.into() };
                let table = RunTable::new(about, &table);
                folder.write(&table.file(), table.csv().as_bytes())?;
            }
        }
        let file = replay_file(experiment, case, &runs.iter().map(|(l, t)| (*l, t)).collect::<Vec<_>>());
        let stem = format::file_stem(&case.name);
        folder.write(&format!("replays/{stem}.json"), &json(&file))?;
        folder.write(&format!("replays/{stem}.html"), replay::page(&file).as_bytes())?;
    }
    Ok(())
}

/// A preset for each point of the front that fresh seeds left there, with the name of its file.
pub fn presets(experiment: &Experiment, trials: &[Trial], stopped: Stopped) -> Vec<(String, Preset)> {
    let points = of_points(experiment, trials, stopped, |point| point.standing == Standing::Front);
    let called = |(id, summary, genome): (u64, Summary, Genome)| {
        (format!("front-{id}"), numbered(preset(experiment, &summary, &genome), id))
    };
    points.into_iter().map(called).collect()
}

/// The preset of a point of the front; `None` if no point has the id.
pub fn point(experiment: &Experiment, trials: &[Trial], stopped: Stopped, id: u64) -> Option<Preset> {
    of_point(experiment, trials, stopped, id).map(|(summary, genome)| preset(experiment, &summary, &genome))
}

/// A preset that is called by its evaluation too.
pub fn numbered(preset: Preset, id: u64) -> Preset {
    Preset { name: format!("{}-{id}", preset.name), ..preset }
}

/// The replay of some recordings of one case.
pub fn replay_file(experiment: &Experiment, case: &Case, runs: &[(&str, &Trajectory)]) -> ReplayFile {
    let groups: Vec<String> = case.scenario.groups.iter().map(|g| g.name.clone()).collect();
    let title = format!("{}: {}", experiment.title, case.name);
    let columns = || experiment.columns.iter().zip(&case.columns);
    let places = columns().filter_map(|(column, here)| Some((column.name.as_str(), here.as_ref()?.at.as_ref()?)));
    let mut file = ReplayFile::new(&title, &case.scenario.world.plan, &groups, runs)
        .measured(&places.collect::<Vec<_>>())
        .marking(&case.scenario.groups);
    file.overlaps = columns().any(|(column, here)| here.is_some() && column.metric.make.shows_overlaps);
    file
}

/// Makes plots and report from what the run folder holds.
///
/// # Errors
/// If a file cannot be read or written.
pub fn report(experiment: &Experiment, summary: &Summary, trials: &[Trial], folder: &Path) -> Result<(), Error> {
    let names = files(&folder.join("replays"), "json");
    let mut replays = Vec::new();
    for name in &names {
        let file: ReplayFile = serde_json::from_slice(&input::bytes(name)?).map_err(|e| {
            Error::input(format!("not a replay: {e}"))
                .file(name.display().to_string())
                .help("delete it and make the report again")
        })?;
        replays.push(file);
    }
    let mut tables = Vec::new();
    for name in &files(&folder.join("tables"), "csv") {
        tables.push(RunTable::parse(&String::from_utf8_lossy(&input::bytes(name)?)).map_err(|e| {
            Error::input(format!("not a table of this run: {e}"))
                .file(name.display().to_string())
                .help("delete it and make the report again")
        })?);
    }
    let crowds = crowds(summary, &folder.join(CROWDS))?;
    let run = Run::new(summary, trials, &experiment.space, &replays)
        .with_tables(&tables)
        .with_crowds(crowds.as_ref())
        .of(experiment);
    let drawn = plots::all(&run);
    for (_, plot) in &drawn {
        input::write(&folder.join("plots").join(format!("{}.svg", plot.name)), plot.svg.as_bytes())?;
    }
    let pages = names.iter().filter_map(|p| {
        let stem = p.file_stem()?.to_str()?;
        Some((stem.to_string(), format!("replays/{stem}.html")))
    });
    let extras = Extras { replays: pages.collect(), experiment: experiment.resolved.clone() };
    input::write(&folder.join("report.html"), html::page(&run, &drawn, &extras).as_bytes())
}

/// The crowds of the atlas, where there are any.
fn crowds(summary: &Summary, path: &Path) -> Result<Option<ReplayFile>, Error> {
    if summary.atlas.is_none() || !path.is_file() {
        return Ok(None);
    }
    serde_json::from_slice(&input::bytes(path)?).map(Some).map_err(|e| {
        Error::input(format!("not the crowds of an atlas: {e}"))
            .file(path.display().to_string())
            .help("delete it: the map is then drawn without pictures")
    })
}

/// The files of a folder with this ending, by name; none where there is no folder.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|f| f.path()).collect();
    names.retain(|p| p.extension().is_some_and(|e| e == ending));
    names.sort();
    names
}

/// The result table for stdout.
pub fn table(summary: &Summary, folder: &Path) -> String {
    result::text(summary, &folder.join("report.html").display().to_string(), terminal())
}

/// What stdout can show: as many columns as `COLUMNS` says, or the terminal itself.
pub fn terminal() -> Terminal {
    let color = std::io::stdout().is_terminal();
    let said = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    Terminal { width: said.or_else(|| color.then(|| comfy_table::Table::new().width()).flatten()), color }
}

fn json<T: serde::Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).expect("replays have string keys only")
}
