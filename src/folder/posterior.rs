//! A posterior run to all the files it leaves.

use super::asked::inference_of;
use super::load::read_run;
use super::run_folder::{RunFolder, pretty};
use crate::evolve::evaluate::{Evaluate, Pool};
use crate::evolve::experiment::Experiment;
use crate::evolve::genes::in_file;
use crate::evolve::log::{self, Log, MemoryLog};
use crate::evolve::posterior::{
    Advice, Answered, Calibration, Design, Draws, FILE, Margin, Odds, Planted, Posterior, advise, calibrate,
    calibration, genome, odds, resampled, run, summarize,
};
use crate::evolve::preset::{Interval, Preset, Provenance, Said, preset_with};
use crate::evolve::run::{Observer, Phase, Silent};
use crate::files;
use crate::registry::Registry;
use crate::report::plots::posterior::plots;
use crate::report::posterior::page;
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_search::{Genome, Question, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Planted truths, one a line.
const PLANTED: &str = "planted.jsonl";
/// Presets of draws that count alike. Chosen here: enough to see how crowds of the posterior differ.
const PRESETS: usize = 12;

/// Runs a posterior, or continues it where its log ends, and leaves a folder with its rows, draws, figures, plots, presets and
/// `report.html`; `planted` truths are inferred beside it.
///
/// # Errors
/// If the experiment cannot be asked so; if the folder exists and `resume` is not set, holds something else or cannot be written; if nothing
/// agrees with what was measured, or `cancel` was set.
pub fn posterior_to_folder(
    experiment: &Experiment,
    evaluator: &dyn Evaluate,
    (design, planted): (Design, u64),
    folder: &Path,
    resume: bool,
    observer: &mut dyn Observer,
    cancel: &AtomicBool,
) -> Result<Posterior, Error> {
    design.check(experiment)?;
    if resume {
        check_resumed(folder, design)?;
    }
    let mut files = RunFolder::open(folder, experiment, evaluator.engine(), resume)?;
    // Truths that were planted for a posterior of another size are no truths of this one.
    if inference_of(folder)?.is_some_and(|old| old != design) && folder.join(PLANTED).is_file() {
        files.write(PLANTED, &[])?;
    }
    files.write(FILE, &pretty(&design))?;
    let answered = run(experiment, design, evaluator, &mut files, observer, cancel)?;
    let mut found = summarize(experiment, design, &answered)?;
    if planted > 0 {
        found.calibration = Some(check(experiment, design, evaluator, &files, planted, observer, cancel)?);
    }
    write(experiment, &found, &answered, folder)?;
    files.is_there()?;
    Ok(found)
}

/// Before the design is written over: a folder of another run, or with other generations, stays what it is.
fn check_resumed(folder: &Path, design: Design) -> Result<(), Error> {
    let refused = |what: String, help: &str| Err(Error::input(what).file(folder.display().to_string()).help(help));
    match inference_of(folder)? {
        None if fs::metadata(folder.join(log::FILE)).is_ok_and(|log| log.len() > 0) => {
            refused("the run folder holds no posterior".into(), "choose another folder with --out")
        }
        Some(old) if old.likelihood != design.likelihood => refused(
            format!("the run folder holds a posterior whose likelihood is {}", old.likelihood.word()),
            "resume it with that --likelihood, or choose another folder with --out",
        ),
        Some(old) if old.effective != design.effective => refused(
            format!("the run folder holds a posterior with --effective {}", old.effective),
            "resume it with that, or choose another folder with --out",
        ),
        Some(old) if old.evaluations > design.evaluations => refused(
            format!(
                "the run folder holds {} evaluations, more than the {} asked for",
                old.evaluations, design.evaluations
            ),
            "resume with --evaluations as large as before, or larger",
        ),
        _ => Ok(()),
    }
}

/// Makes draws, figures, plots, presets and report of a posterior again, from its experiment and its log.
///
/// # Errors
/// If rows are missing, or something cannot be written.
pub fn remake_posterior(experiment: &Experiment, design: Design, log: &Log, folder: &Path) -> Result<Posterior, Error> {
    let answered = reopened(experiment, design, log, folder)?;
    let mut found = summarize(experiment, design, &answered)?;
    let planted = planted(folder)?;
    found.calibration = (!planted.is_empty()).then(|| calibration(experiment, &planted));
    write(experiment, &found, &answered, folder)?;
    Ok(found)
}

/// What the log of a posterior holds.
fn reopened(experiment: &Experiment, design: Design, log: &Log, folder: &Path) -> Result<Answered, Error> {
    let mut copy = MemoryLog(files::read(&folder.join(log::FILE))?);
    let missing = Missing(log.header.engine.clone());
    run(experiment, design, &missing, &mut copy, &mut Silent, &AtomicBool::new(false))
}

/// How advice is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Another experiment with the same unknown parameters, which has more scenarios and measures.
    pub with: Option<&'a Experiment>,
    /// Draws of the posterior that are run.
    pub draws: usize,
    /// Relative error of what the file gives no tolerance for.
    pub error: f64,
    /// Threads.
    pub threads: usize,
}

/// Says what to measure next, of the posterior of a folder. Leaves `advice.json`.
///
/// # Errors
/// If rows are missing, the parameters differ, nothing can be measured, or `cancel` was set.
pub fn advise_from_folder(
    experiment: &Experiment,
    (design, log): (Design, &Log),
    folder: &Path,
    asked: Asked<'_>,
    observer: &mut dyn Observer,
    cancel: &AtomicBool,
) -> Result<Advice, Error> {
    let Some(sample) = reopened(experiment, design, log, folder)?.sample else {
        return Err(Error::nothing("nothing agreed with what was measured, so there is no posterior"));
    };
    if asked.with.is_some_and(|with| (&with.space, &with.priors) != (&experiment.space, &experiment.priors)) {
        return Err(Error::input("it has other unknown parameters, ranges or priors than the posterior")
            .key("parameters")
            .help("take the file of the posterior, and add scenarios and measures only"));
    }
    let of = asked.with.unwrap_or(experiment);
    let pool = Pool::new(of, asked.threads, cancel)?;
    observer.phase(Phase::Report, asked.draws as u64);
    let advice = advise(of, &sample, &pool, (asked.draws, asked.error), &mut |trial| observer.trial(trial, false))?;
    files::write(&folder.join("advice.json"), &pretty(&advice))?;
    Ok(advice)
}

/// The odds between the models of several posteriors, by their folders.
///
/// # Errors
/// If one holds no posterior or misses rows, or they rest on different measurements.
pub fn odds_of_folders(registry: &Registry, folders: &[(String, PathBuf)]) -> Result<Odds, Error> {
    let mut runs = Vec::new();
    for (name, folder) in folders {
        let (experiment, log) = read_run(registry, folder)?;
        let Some(design) = inference_of(folder)? else {
            return Err(Error::input("the run folder holds no posterior")
                .file(folder.display().to_string())
                .help("compare posteriors with posteriors, and searches with searches"));
        };
        let answered = reopened(&experiment, design, &log, folder)?;
        runs.push((name.clone(), experiment, answered.inference));
    }
    odds(&runs.iter().map(|(name, experiment, inference)| (name.clone(), experiment, inference)).collect::<Vec<_>>())
}

/// Stands where nothing should be asked any more.
struct Missing(String);

impl Evaluate for Missing {
    fn engine(&self) -> &str {
        &self.0
    }

    fn evaluate(&self, asked: &[Question], _: u64, _: &mut dyn FnMut(Trial) -> Result<(), Error>) -> Result<(), Error> {
        Err(Error::input(format!("the log of this posterior has no answer to {} of its questions", asked.len()))
            .file(log::FILE)
            .help("finish it with `crowdtune posterior EXPERIMENT --resume` and its --evaluations and --effective"))
    }
}

/// The planted truths of a folder; a line that was cut short is planted again.
fn planted(folder: &Path) -> Result<Vec<Planted>, Error> {
    let path = folder.join(PLANTED);
    let lines = if path.is_file() { files::read(&path)? } else { Vec::new() };
    Ok(String::from_utf8_lossy(&lines).lines().map_while(|line| serde_json::from_str(line).ok()).collect())
}

/// Plants truths, as far as the folder does not hold them already.
fn check(
    experiment: &Experiment,
    design: Design,
    evaluator: &dyn Evaluate,
    files: &RunFolder,
    planted: u64,
    observer: &mut dyn Observer,
    cancel: &AtomicBool,
) -> Result<Calibration, Error> {
    let mut all = self::planted(files.path())?;
    let mut lines: String = all.iter().map(line).collect();
    let old = all.len() as u64;
    observer.phase(Phase::Planted, planted.saturating_sub(old));
    calibrate(experiment, design, evaluator, old..planted, cancel, &mut |truth, run| {
        lines += &line(&truth);
        files.write(PLANTED, lines.as_bytes())?;
        observer.trial(run, false);
        all.push(truth);
        Ok(())
    })?;
    Ok(calibration(experiment, &all))
}

fn line(truth: &Planted) -> String {
    serde_json::to_string(truth).expect("numbers") + "\n"
}

fn write(experiment: &Experiment, found: &Posterior, answered: &Answered, folder: &Path) -> Result<(), Error> {
    files::write(&folder.join("posterior.json"), &pretty(found))?;
    let Some(sample) = &answered.sample else { return Ok(()) };
    let ids: Vec<u64> = answered.searched.iter().map(|t| t.id).collect();
    let draws = Draws::of(experiment, sample, &ids);
    let keys: Vec<String> = experiment.space.genes.iter().map(|gene| in_file(&gene.key)).collect();
    files::write(&folder.join("samples.csv"), draws.csv(&keys).as_bytes())?;
    files::write(&folder.join("samples.jsonl"), draws.json_lines(&keys).as_bytes())?;
    let write_preset = |name: &str, genome: &Genome| {
        files::write(&folder.join(format!("{name}.json")), &pretty(&preset(experiment, found, name, genome)))
    };
    write_preset("best", &genome(experiment, sample.center()))?;
    let seed = Seed(experiment.search.seed).child("presets", 0);
    for (number, point) in (1..).zip(resampled(sample, PRESETS, seed)) {
        write_preset(&format!("draws/{number:02}"), &genome(experiment, &point))?;
    }
    let plots = plots(found, &draws);
    // An earlier posterior may have left others.
    let _ = fs::remove_dir_all(folder.join("plots"));
    for plot in &plots {
        files::write(&folder.join("plots").join(format!("{}.svg", plot.name)), plot.svg.as_bytes())?;
    }
    files::write(&folder.join("report.html"), page(found, &plots, &experiment.resolved).as_bytes())
}

fn preset(experiment: &Experiment, found: &Posterior, name: &str, genome: &Genome) -> Preset {
    let interval = |margin: &Margin| {
        margin.shares.is_empty().then(|| Interval {
            low: margin.quantiles[0],
            high: margin.quantiles[4],
            low_open: false,
            high_open: false,
            level: Some(0.9),
            method: "posterior".into(),
        })
    };
    let said = Said {
        intervals: found.genes.iter().map(interval).collect(),
        targets: Vec::new(),
        provenance: Provenance {
            digest: found.digest.clone(),
            seed: found.seed,
            evaluations: found.evaluated,
            optimizer: "posterior".into(),
            engine: experiment.engine.as_ref().map(|engine| engine.name().to_string()),
        },
    };
    let mut preset = preset_with(experiment, genome, said);
    if name != "best" {
        preset.name = format!("{}-{}", preset.name, name.replace('/', "-"));
    }
    preset
}
