//! Recorded runs: positions in `replays/`, the numbers behind the metrics in `tables/`, an atlas' crowds in `atlas/`.

use super::run_folder::RunFolder;
use crate::evolve::evaluate::{Evaluate, Job, Recording, run_recorded, run_seed};
use crate::evolve::experiment::Experiment;
use crate::evolve::scene::replay;
use crate::evolve::summary::ShownSeed;
use crate::files;
use crate::format;
use crate::replay::{Leaving, ReplayFile};
use crate::report::{About, RunTable, page};
use crowdtune_core::Error;
use crowdtune_search::Purpose;
use crowdtune_sim::metrics::Plot;
use rayon::ThreadPool;
use rayon::prelude::*;
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
    /// Records defaults and recommendation (a genome) in the first cases, on the seed of the report that stands for the result: replays
    /// and tables of the first searched ones, tables with a wanted band of all that have them, and when people left on every seed of
    /// the report in the first case where somebody leaves.
    ///
    /// A run that fails is left out: the report says that trials failed.
    ///
    /// # Errors
    /// If the machine refuses the threads.
    pub fn simulate(
        experiment: &Experiment,
        evaluator: &dyn Evaluate,
        shown: Option<ShownSeed>,
        recommended: &[f64],
        threads: usize,
    ) -> Result<Self, Error> {
        let both = Both { experiment, genes: [experiment.defaults.clone(), experiment.space.decode(recommended)] };
        let replica = shown.map_or(0, ShownSeed::replica);
        let pool = pool(threads)?;
        let record = |cases: &[usize]| pool.install(|| both.runs(cases, replica));
        let mut recorded = Self::default();
        let of_search = (0..experiment.cases.len()).filter(|&at| !experiment.cases[at].held_out);
        let played: Vec<usize> = of_search.take(MOST_REPLAYS).collect();
        let mut banded: Vec<usize> = Vec::new();
        let mut leaving = None;
        for (at, runs) in played.iter().copied().zip(record(&played)) {
            let case = &experiment.cases[at];
            for (column, table) in recorded.keep(experiment, at, &runs, |_| true) {
                if matches!(table.plot, Some(Plot::Dots { band: Some(_), .. })) && !banded.contains(&column) {
                    banded.push(column);
                }
            }
            if leaving.is_none() && runs.iter().any(|run| run.1.track.left_s.iter().any(Option::is_some)) {
                leaving = Some((at, format::file_stem(&case.name)));
            }
            if runs.is_empty() {
                continue; // A foreign simulator that writes no trajectory: there is nothing to play.
            }
            let mut file = replay(experiment, case, &runs.iter().map(|(l, r)| (*l, r)).collect::<Vec<_>>());
            file.note = shown.map_or_else(String::new, |shown| format!("This is {}.", shown.words()));
            file.case.clone_from(&case.name);
            recorded.replays.insert(format!("replays/{}.json", format::file_stem(&case.name)), file);
        }
        let has = |at: &usize| banded.iter().any(|&column| experiment.cases[*at].columns[column].is_some());
        let rest: Vec<usize> = (0..experiment.cases.len()).filter(|at| !played.contains(at)).filter(has).collect();
        for (at, runs) in rest.iter().copied().zip(record(&rest)) {
            recorded.keep(experiment, at, &runs, |column| banded.contains(&column));
        }
        if let (Some((at, stem)), Some(ShownSeed { of, .. })) = (leaving, shown.filter(|s| s.of > 1)) {
            let all = both.leaving(at, of, evaluator, &pool);
            let crowds =
                recorded.replays.get_mut(&format!("replays/{stem}.json")).into_iter().flat_map(|f| &mut f.crowds);
            for crowd in crowds {
                crowd.seeds = all.iter().find(|(label, _)| *label == crowd.label).map(|(_, leaving)| leaving.clone());
            }
        }
        Ok(recorded)
    }

    /// Keeps the tables of the columns that are wanted, and returns them with their columns.
    fn keep(
        &mut self,
        experiment: &Experiment,
        case: usize,
        runs: &[(&'static str, Recording)],
        wanted: impl Fn(usize) -> bool,
    ) -> Vec<(usize, RunTable)> {
        let mut kept = Vec::new();
        for (label, run) in runs {
            for (column, table) in run.tables.iter().filter(|(column, _)| wanted(*column)) {
                let target = &experiment.columns[*column];
                let (name, metric) = (target.name.clone(), target.metric.name.to_string());
                let case = experiment.cases[case].name.clone();
                let table = RunTable::new(About { column: name, metric, case, label: (*label).into() }, table);
                self.tables.insert(table.file(), table.clone());
                kept.push((*column, table));
            }
        }
        kept
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
            folder.write(&page_of(name), page::replay(file).as_bytes())?;
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

    /// The replays with the names of their files, in the order of their cases.
    fn in_order(&self) -> Vec<(&String, &ReplayFile)> {
        let mut all: Vec<_> = self.replays.iter().collect();
        all.sort_by(|a, b| format::natural(&a.1.case, &b.1.case));
        all
    }

    /// The replays in the order of their cases.
    pub fn replays(&self) -> Vec<ReplayFile> {
        self.in_order().into_iter().map(|(_, file)| file.clone()).collect()
    }

    /// What the replays show, and the addresses of their pages relative to the run folder.
    pub fn pages(&self) -> Vec<(String, String)> {
        let stem = |name: &str| name.trim_start_matches("replays/").trim_end_matches(".json").to_string();
        let shows = |name: &str, file: &ReplayFile| if file.case.is_empty() { stem(name) } else { file.case.clone() };
        self.in_order().into_iter().map(|(name, file)| (shows(name, file), page_of(name))).collect()
    }

    /// The tables in the order of their cases.
    pub fn tables(&self) -> Vec<RunTable> {
        let mut all: Vec<RunTable> = self.tables.values().cloned().collect();
        all.sort_by(|a, b| format::natural(&a.about.case, &b.about.case));
        all
    }
}

/// The page that plays a replay, beside its file.
fn page_of(replay: &str) -> String {
    format!("{}.html", replay.trim_end_matches(".json"))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What the two sides of a report are called.
const LABELS: [&str; 2] = ["defaults", "tuned"];

/// Defaults and recommendation, and the experiment they belong to.
struct Both<'a> {
    experiment: &'a Experiment,
    genes: [Vec<f64>; 2],
}

impl Both<'_> {
    /// A run of one side in a case, on a replica of the report.
    fn job<'b>(&'b self, case: usize, genes: &'b [f64], replica: u32) -> Job<'b> {
        let (experiment, table) = (self.experiment, &self.experiment.cases[case].table);
        Job { experiment, case, genes, seed: run_seed(experiment.search.seed, Purpose::Report, table, replica) }
    }

    /// Runs both in each of these cases on a replica of the report; per case what did not fail.
    fn runs(&self, cases: &[usize], replica: u32) -> Vec<Vec<(&'static str, Recording)>> {
        let of_case = |&case: &usize| {
            let one = |(label, genes): (&'static str, &Vec<f64>)| {
                recording(&self.job(case, genes, replica)).map(|run| (label, run))
            };
            LABELS.par_iter().copied().zip(&self.genes).filter_map(one).collect()
        };
        cases.par_iter().map(of_case).collect()
    }

    /// When people left in a case on every replica of the report, both sides: what the evaluator has seen, and runs of our own for the rest.
    fn leaving(
        &self,
        case: usize,
        replicas: u32,
        evaluator: &dyn Evaluate,
        pool: &ThreadPool,
    ) -> Vec<(&'static str, Leaving)> {
        let of_side = |(label, genes): (&'static str, &Vec<f64>)| {
            let jobs = (0..replicas).map(|replica| self.job(case, genes, replica));
            let seen: Vec<_> = jobs.map(|job| (job, evaluator.left_s(&job))).collect();
            let again = |job: Job<'_>| Some(recording(&job)?.track.left_s.iter().flatten().copied().collect());
            let all: Vec<Vec<f64>> = pool
                .install(|| seen.into_par_iter().filter_map(|(job, left_s)| left_s.or_else(|| again(job))).collect());
            (label, Leaving::of(&all))
        };
        LABELS.into_iter().zip(&self.genes).map(of_side).collect()
    }
}

/// The run, if it does not fail and there is something to see.
fn recording(job: &Job<'_>) -> Option<Recording> {
    let run = run_recorded(job.experiment, job.case, job.genes, job.seed).ok()?;
    (!run.track.frames.is_empty()).then_some(run)
}

/// As many threads as asked for.
///
/// # Errors
/// If the machine refuses them.
pub(super) fn pool(threads: usize) -> Result<ThreadPool, Error> {
    let refused = |e| Error::environment(format!("cannot start threads: {e}")).help("take fewer with --threads");
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(refused)
}

fn parse(path: &Path, what: &str, help: &str) -> Result<ReplayFile, Error> {
    serde_json::from_slice(&files::read(path)?)
        .map_err(|e| Error::input(format!("not {what}: {e}")).file(path.display().to_string()).help(help))
}

fn json(file: &ReplayFile) -> Vec<u8> {
    serde_json::to_vec(file).expect("replays have string keys only")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::evaluate::{Serial, twelve_leave};
    use crowdtune_search::Question;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn nobody_sees_whether_the_evaluator_knew_when_people_left() {
        let (experiment, never, genome) = (twelve_leave(), AtomicBool::new(false), vec![0.3]);
        let (fresh, knows) = (Serial::new(&experiment, &never), Serial::new(&experiment, &never));
        let report = Question { purpose: Purpose::Report, genome: genome.clone(), replicas: 0..3 };
        knows.evaluate(&[report], 0, &mut |_| Ok(())).unwrap();
        let shown = Some(ShownSeed { seed: 1, of: 4, loss: 0.5 });
        let [a, b] = [&fresh, &knows].map(|by| Recorded::simulate(&experiment, by, shown, &genome, 1).unwrap());
        assert!(a.replays["replays/out.json"].crowds.iter().all(|c| c.seeds.as_ref().unwrap().runs == 4));
        assert_eq!(json(&a.replays["replays/out.json"]), json(&b.replays["replays/out.json"]));
    }
}
