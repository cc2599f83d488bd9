//! `crowdtune play`: a page in which the crowds of an experiment walk, and change with its sliders.

use super::{input, output};
use crate::evolve::evaluate::{Recording, run_recorded, run_seed};
use crate::evolve::experiment::Experiment;
use crate::evolve::preset::genes_of;
use crate::evolve::scene;
use crate::registry::Registry;
use crate::report::page::{self, Crowds, Lab, Side, Wish};
use crate::simulator::simulator;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_core::suggest::among;
use crowdtune_search::Purpose;
use maud::html;
use std::path::PathBuf;

/// Write a page in which the crowds of an experiment walk and can be changed
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The experiment file
    experiment: PathBuf,
    /// A preset, a file (best.json) or a built-in one such as `walkers`, beside the published defaults; twice: two presets side by side
    #[arg(long, value_name = "FILE")]
    preset: Vec<PathBuf>,
    /// The scenario to begin with (table name or name[key=value]) [default: the first]
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// Seed; replaces search.seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Replace a value of the file, for example scenario.room.count=50
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = input::pair)]
    sets: Vec<(String, String)>,
    /// The page [default: NAME.html]
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// What the user has to mend; that the run of a page without simulator is unhealthy.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let mut sets = args.sets.clone();
    sets.extend(args.seed.map(|s| ("search.seed".to_string(), s.to_string())));
    let experiment = input::experiment(registry, &args.experiment, &sets)?;
    input::announce(&experiment);
    let case = case(&experiment, args.scenario.as_deref())?;
    let sides = sides(args, registry, &experiment)?;
    let path = args.out.clone().unwrap_or_else(|| format!("{}.html", experiment.name).into());
    super::options::ending("--out", &path, "html", "a page")?;
    input::writable(&path)?;

    let of = |(label, genes): &(String, Vec<f64>)| Side::new(label, &experiment, genes);
    let text = String::from_utf8(input::document(&args.experiment)?).unwrap_or_default();
    let lab = Lab::new(&experiment, case, 0, sides.iter().map(of).collect()).map(|lab| lab.written(&text, &sets));
    let simulator = lab.as_ref().map_or(Ok(None), |_| simulator())?;
    let file = match simulator {
        Some(_) => None,
        None => Some(recorded(&experiment, case, &sides)?),
    };
    let crowds = Crowds { replays: file.iter().collect(), columns: Wish::all(&experiment), lab, ..Crowds::default() };
    let title = if experiment.title.is_empty() { &experiment.name } else { &experiment.title };
    let page = page::play(title, &crowds, simulator.as_deref(), (&html! {}, &html! {}));
    input::write(&path, page.as_bytes())?;
    output::say(format_args!("page: {}", path.display()));
    if simulator.is_none() {
        output::say(
            "note: this crowdtune has no simulator for pages, so the crowds are recorded and nothing can be changed; docs/pages.md says how to get it",
        );
    }
    Ok(())
}

/// The case of that name; a table name means its first case.
fn case(experiment: &Experiment, name: Option<&str>) -> Result<usize, Error> {
    let Some(name) = name else { return Ok(0) };
    let cases = &experiment.cases;
    let found = cases.iter().position(|c| c.name == name).or_else(|| cases.iter().position(|c| c.table == name));
    found.ok_or_else(|| {
        let names: Vec<&str> = cases.iter().map(|c| c.name.as_str()).collect();
        among(Error::input(format!("there is no scenario `{name}`")), name, &names)
    })
}

/// One or two crowds: the published defaults, and what the file or the presets have.
fn sides(args: &Args, registry: &Registry, experiment: &Experiment) -> Result<Vec<(String, Vec<f64>)>, Error> {
    if args.preset.len() > 2 {
        return Err(Error::input(format!("a page shows two crowds, not {}", args.preset.len())).key("--preset"));
    }
    let mut sides = Vec::new();
    for path in &args.preset {
        let (preset, models) = input::preset(registry, path, experiment)?;
        let (genes, other) = genes_of(&preset, &models, experiment).map_err(|e| e.file(path.display().to_string()))?;
        if !other.is_empty() {
            let keys: Vec<String> = other.into_iter().collect();
            output::say(format_args!(
                "note: {} has other values than the file for {}, which are not searched; the page keeps those of the file",
                path.display(),
                keys.join(", ")
            ));
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        sides.push((if stem == "best" { "tuned".into() } else { stem }, genes));
    }
    if sides.len() < 2 {
        let defaults = ("defaults".to_string(), experiment.defaults.clone());
        if sides.is_empty() {
            sides.push(("start values".into(), experiment.start.clone()));
        }
        if sides[0].1 == defaults.1 {
            // Two of the same, so that one can be changed beside the other.
            sides[0].0 = "defaults".into();
        }
        sides.insert(0, defaults);
    }
    Ok(sides)
}

/// The crowds as they are recorded here.
pub(super) fn recorded(
    experiment: &Experiment,
    at: usize,
    sides: &[(String, Vec<f64>)],
) -> Result<crate::replay::ReplayFile, Error> {
    let case = &experiment.cases[at];
    let seed = run_seed(experiment.search.seed, Purpose::Report, &case.table, 0);
    let record = |(label, genes): &(String, Vec<f64>)| -> Result<(String, Recording), Error> {
        let run = run_recorded(experiment, at, genes, seed)
            .map_err(|e| Error::nothing(format!("the run of `{label}` cannot be trusted: {}", e.what())))?;
        Ok((label.clone(), run))
    };
    let runs: Vec<(String, Recording)> = sides.iter().map(record).collect::<Result<_, _>>()?;
    let named: Vec<(&str, &Recording)> = runs.iter().map(|(label, run)| (label.as_str(), run)).collect();
    Ok(scene::replay(experiment, case, &named))
}
