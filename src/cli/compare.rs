//! `crowdtune compare`: searches side by side, paired by their seeds.

use super::{input, output};
use crate::evolve::compare::{Comparison, Searched, compare};
use crate::evolve::experiment::Experiment;
use crate::evolve::run::Finished;
use crate::evolve::{Results, log};
use crate::folder::{inference_of, odds_of_folders};
use crate::registry::Registry;
use crate::report::posterior::odds;
use crate::report::{compare as words, plots};
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Compare searches on fresh seeds: means with intervals, win counts, tests, convergence; or posteriors: the odds between their models
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Run folders, or folders of repeats (r1, r2, ...); each is a group, and searches of equal seeds are pairs
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Write the best so far over evaluations, median and quartiles of each group, as SVG
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// Print the comparison as one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// If a folder holds no run, or the runs want different things.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    if let Some(picture) = &args.picture {
        input::writable(picture)?;
        super::options::ending("--picture", picture, "svg", "a picture as SVG")?;
    }
    if let Some(first) = args.folders.first()
        && inference_of(first)?.is_some()
    {
        return posteriors(args, registry);
    }
    let mut first: Option<(PathBuf, Vec<String>)> = None;
    let mut groups = Vec::new();
    for (at, folder) in args.folders.iter().enumerate() {
        let mut searches = Vec::new();
        for path in run_folders(folder)? {
            let (experiment, search) = read(registry, &path)?;
            if experiment.objectives.len() > 1 {
                let names = experiment.objectives.join(", ");
                return Err(Error::input(format!("the run has several objectives ({names}), and one is compared"))
                    .file(path.display().to_string())
                    .help("look at the fronts side by side: plots/front.svg and `front` in summary.json of each run"));
            }
            let wanted = wanted(&experiment);
            let (known, same) = first.get_or_insert_with(|| (path.clone(), wanted.clone()));
            if *same != wanted {
                return Err(Error::input(format!("{} wants other things, or in other scenarios", known.display()))
                    .file(path.display().to_string())
                    .help("compare searches of one experiment; they may differ in [search]"));
            }
            searches.push(search);
        }
        groups.push((name(&args.folders, at), searches));
    }
    let objective = first.map_or_else(String::new, |(_, wanted)| wanted.first().cloned().unwrap_or_default());
    let comparison = compare(&objective, groups);
    if let Some(picture) = &args.picture {
        draw(&comparison, picture)?;
    }
    if args.json {
        output::line(pretty(&comparison))
    } else {
        output::colored(&words::text(&comparison, output::terminal()))
    }
}

/// The odds between the models of posteriors.
fn posteriors(args: &Args, registry: &Registry) -> Result<(), Error> {
    let folders: Vec<(String, PathBuf)> =
        args.folders.iter().enumerate().map(|(at, folder)| (name(&args.folders, at), folder.clone())).collect();
    let found = odds_of_folders(registry, &folders)?;
    if args.json {
        return output::line(serde_json::to_string_pretty(&found).expect("figures have string keys only"));
    }
    output::colored(&odds(&found, output::terminal()))
}

/// Writes the picture of a comparison, if it has one.
///
/// # Errors
/// If it cannot be written.
pub fn draw(comparison: &Comparison, picture: &Path) -> Result<(), Error> {
    match plots::bands::plots(comparison).first() {
        Some(plot) => input::write(picture, plot.svg.as_bytes()),
        None => Ok(()),
    }
}

/// A comparison as JSON.
pub fn pretty(comparison: &Comparison) -> String {
    serde_json::to_string_pretty(comparison).expect("comparisons have string keys only")
}

/// The objective, then everything that decides what a loss means: scenarios and columns with what is wanted of them.
fn wanted(experiment: &Experiment) -> Vec<String> {
    let cases = experiment.cases.iter().map(|c| c.name.clone());
    let column = |t: &crate::target::Target| {
        let wanted = t.wanted.as_ref().map_or_else(String::new, |w| w.words(t.metric.make.unit));
        format!("{} {} {wanted} {}", t.name, t.metric.name, t.weight)
    };
    let objectives = experiment.objectives.iter().cloned();
    objectives.chain(cases).chain(experiment.columns.iter().map(column)).collect()
}

fn read(registry: &Registry, path: &Path) -> Result<(Experiment, Searched), Error> {
    let (experiment, log) = input::run(registry, path)?;
    let run = Finished::of(&experiment, log);
    let search = Searched::new(path.display().to_string(), &Results::new(&experiment, &run));
    Ok((experiment, search))
}

/// The run folders that a folder stands for: itself, or those in it, by name, with numbers in their order.
fn run_folders(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    if folder.join(log::FILE).is_file() {
        return Ok(vec![folder.to_path_buf()]);
    }
    let inside = fs::read_dir(folder).into_iter().flatten().flatten().map(|f| f.path());
    let mut runs: Vec<PathBuf> = inside.filter(|p| p.join(log::FILE).is_file()).collect();
    runs.sort_by_key(|p| {
        let name = p.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        (name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u64>().unwrap_or(u64::MAX), name)
    });
    if runs.is_empty() {
        return Err(Error::input(format!("no run folder: neither it nor a folder in it has {}", log::FILE))
            .file(folder.display().to_string())
            .help("name a folder that `evolve` wrote, or one with r1, r2, ... of `evolve --repeats`"));
    }
    Ok(runs)
}

/// The name of a group: the last part of its folder's path, or all of it if another has the same.
fn name(folders: &[PathBuf], at: usize) -> String {
    let last = |p: &Path| p.file_name().map(|n| n.to_string_lossy().into_owned());
    let own = last(&folders[at]);
    let unique = folders.iter().filter(|f| last(f) == own).count() == 1;
    own.filter(|_| unique).unwrap_or_else(|| folders[at].display().to_string())
}
