//! Recorded runs: positions in `replays/`, the numbers behind the metrics in `tables/`, an atlas' crowds in `atlas/`.

use super::files;
use super::run_folder::RunFolder;
use crate::evolve::evaluate::{run_recorded, run_seed};
use crate::evolve::experiment::{Case, Experiment};

use crate::format;
use crate::report::{About, ReplayFile, RunTable, replay as player};
use crowdtune_core::Error;
use crowdtune_search::Purpose;
use crowdtune_sim::crowd::Trajectory;
use std::collections::BTreeMap;
use std::path::Path;

/// The crowds of an atlas, inside a run folder.
const CROWDS: &str = "atlas/crowds.json";
/// Most cases that replays are kept of. Chosen here: a report with more of them is slow to open.
const MOST_REPLAYS: usize = 4;

/// What was recorded for the report, by the names of the files in the run folder.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    replays: BTreeMap<String, ReplayFile>,
    tables: BTreeMap<String, RunTable>,
    /// A crowd for each filled cell of an atlas.
    pub crowds: Option<ReplayFile>,
}

impl Recorded {
    /// Records defaults and recommendation (a genome) in the first cases, on the first seed of the report.
    ///
    /// A run that fails is left out: the report says that trials failed.
    pub fn simulate(experiment: &Experiment, recommended: &[f64]) -> Self {
        let tuned = experiment.space.decode(recommended);
        let mut recorded = Self::default();
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
                    recorded.tables.insert(table.file(), table);
                }
            }
            let file = replay(experiment, case, &runs.iter().map(|(l, t)| (*l, t)).collect::<Vec<_>>());
            recorded.replays.insert(format!("replays/{}.json", format::file_stem(&case.name)), file);
        }
        recorded
    }

    /// Writes all of it; tables that an earlier recommendation left are taken away.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &RunFolder) -> Result<(), Error> {
        folder.keep("tables", |name| !name.ends_with(".csv") || self.tables.contains_key(&format!("tables/{name}")))?;
        for (name, table) in &self.tables {
            folder.write(name, table.csv().as_bytes())?;
        }
        for (name, file) in &self.replays {
            folder.write(name, &json(file))?;
            folder.write(&page_of(name), player::page(file).as_bytes())?;
        }
        self.crowds.as_ref().map_or(Ok(()), |crowds| folder.write(CROWDS, &json(crowds)))
    }

    /// Reads what a run folder holds; `atlas` says whether to look for crowds.
    ///
    /// # Errors
    /// If a file cannot be read, or is not what its name says.
    pub fn read(folder: &Path, atlas: bool) -> Result<Self, Error> {
        let mut recorded = Self::default();
        for path in files::with_extension(&folder.join("replays"), "json") {
            let file = parse(&path, "a replay", "delete it and make the report again")?;
            recorded.replays.insert(format!("replays/{}", name(&path)), file);
        }
        for path in files::with_extension(&folder.join("tables"), "csv") {
            let table = RunTable::parse(&String::from_utf8_lossy(&files::read(&path)?)).map_err(|e| {
                Error::input(format!("not a table of this run: {e}"))
                    .file(path.display().to_string())
                    .help("delete it and make the report again")
            })?;
            recorded.tables.insert(format!("tables/{}", name(&path)), table);
        }
        let crowds = folder.join(CROWDS);
        if atlas && crowds.is_file() {
            recorded.crowds =
                Some(parse(&crowds, "the crowds of an atlas", "delete it: the map is then drawn without pictures")?);
        }
        Ok(recorded)
    }

    /// The replays in the order of their files.
    pub fn replays(&self) -> Vec<ReplayFile> {
        self.replays.values().cloned().collect()
    }

    /// What the replays show, and the addresses of their pages relative to the run folder.
    pub fn pages(&self) -> Vec<(String, String)> {
        let stem = |name: &str| name.trim_start_matches("replays/").trim_end_matches(".json").to_string();
        self.replays.keys().map(|name| (stem(name), page_of(name))).collect()
    }

    /// The tables in the order of their files.
    pub fn tables(&self) -> Vec<RunTable> {
        self.tables.values().cloned().collect()
    }
}

/// The page that plays a replay, beside its file.
fn page_of(replay: &str) -> String {
    format!("{}.html", replay.trim_end_matches(".json"))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The replay of some recordings of one case, each with its label.
pub fn replay(experiment: &Experiment, case: &Case, runs: &[(&str, &Trajectory)]) -> ReplayFile {
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

fn parse(path: &Path, what: &str, help: &str) -> Result<ReplayFile, Error> {
    serde_json::from_slice(&files::read(path)?)
        .map_err(|e| Error::input(format!("not {what}: {e}")).file(path.display().to_string()).help(help))
}

fn json(file: &ReplayFile) -> Vec<u8> {
    serde_json::to_vec(file).expect("replays have string keys only")
}
