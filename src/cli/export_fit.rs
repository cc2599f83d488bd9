//! `crowdtune export --fit`: the search that makes another tool do what a preset does, and its files.

use super::options::Threads;
use super::progress::Progress;
use super::{input, interrupt, output};
use crate::evolve::evaluate::{Evaluate as _, Pool};
use crate::evolve::experiment::Experiment;
use crate::evolve::fit::{Asked, Fit, residuals};
use crate::evolve::log::{self, failure};
use crate::export::fitted::page::{self, Told};
use crate::export::fitted::{ELSEWHERE, Fitted, MakeFitted};
use crate::export::origin;
use crate::folder::{Options, RunOutput, run_to_folder};
use crate::format;
use crate::preset::Preset;
use crate::registry::Registry;
use crate::report::table;
use clap::Args as ClapArgs;
use crowdtune_core::registry::Entry;
use crowdtune_core::{Class, Error};
use crowdtune_search::Trial;
use std::path::{Path, absolute};
use std::sync::atomic::AtomicBool;

/// Candidates unless the user says. Chosen here: with a tool that takes a second a run, some minutes on two cores.
const EVALUATIONS: u64 = 100;
/// Run folder of the search, in that of the export.
const SEARCH: &str = "fit";

/// What is asked of a fit.
#[derive(Debug, ClapArgs)]
pub(super) struct Fitting {
    /// Search the tool's own parameters until it does what the preset does (see `crowdtune list fitted`)
    #[arg(long)]
    pub fit: bool,
    /// Candidates of the fit [default: 100]
    #[arg(long, value_name = "N", requires = "fit", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    evaluations: Option<u64>,
    /// The program that runs the worker of the tool, such as the python of an environment that has it
    #[arg(long, value_name = "PROGRAM", requires = "fit")]
    engine_command: Option<String>,
    #[command(flatten)]
    threads: Threads,
    /// No progress of the fit
    #[arg(long, requires = "fit")]
    quiet: bool,
}

/// The tool of that name.
///
/// # Errors
/// If it cannot be fitted, or there is none.
pub(super) fn tool(registry: &Registry, name: &str) -> Result<&'static Entry<MakeFitted>, Error> {
    if let Some((_, why)) = ELSEWHERE.iter().find(|(known, _)| *known == name) {
        return Err(Error::input(format!("`{name}` cannot be fitted: {why}")).key("--to").allowed(names(registry)));
    }
    if registry.exporters.get(name).is_ok() && registry.fitted.get(name).is_err() {
        return Err(Error::input(format!("`{name}` takes the constants as they are: there is nothing to fit"))
            .key("--fit")
            .allowed(names(registry))
            .help(format!("leave --fit out: crowdtune export RUN --to {name}")));
    }
    registry.fitted.get(name).map_err(|e| e.key("--to").help("`crowdtune list fitted` shows them"))
}

/// The error of a name that is no exporter; that of a fitted tool says what to add.
pub(super) fn hint(registry: &Registry, name: &str, error: Error) -> Error {
    match registry.fitted.get(name) {
        Ok(tool) => Error::input(format!("no parameter of {} equals one of crowdtune's", tool.make.title))
            .key("--to")
            .help("add --fit: a search makes it do what the preset does"),
        Err(_) if ELSEWHERE.iter().any(|(known, _)| *known == name) => tool(registry, name).err().unwrap_or(error),
        Err(_) => {
            error.key("--to").help("`crowdtune list exporters` shows them, `crowdtune list fitted` those of --fit")
        }
    }
}

fn names(registry: &Registry) -> String {
    registry.fitted.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ")
}

/// Fits a tool to a candidate of an experiment, and writes what is needed to use it and to do it again.
///
/// # Errors
/// If the experiment cannot be fitted, the tool cannot be asked or cannot do it, nothing valid is found, or the files cannot be written.
pub(super) fn run(
    args: &Fitting,
    registry: &Registry,
    tool: &'static Entry<MakeFitted>,
    (experiment, genome, preset): (&Experiment, &[f64], &Preset),
    out: &Path,
) -> Result<(), Error> {
    let cancel = interrupt::flag();
    let fit = Fit::new(registry, experiment, genome)?;
    let [reached, fresh] = runs_of_preset(&fit, args.threads.count(), &cancel)?;
    let evaluations = args.evaluations.unwrap_or(EVALUATIONS);
    let program = args.engine_command.as_deref().map(program);
    let asked = Asked {
        name: tool.name,
        title: tool.make.title,
        engine: tool.make.experiment(),
        program: program.as_deref(),
        evaluations,
    };
    let text = fit.experiment(&asked, &reached)?;
    // What cannot run is not written.
    let mut read = |name: &str| {
        let known = tool.make.exported().find(|(known, _)| *known == name);
        known.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| Error::input(format!("there is no `{name}`")))
    };
    let made = Experiment::load(registry, &text, "the experiment of the fit", &[], &mut read)?;
    fit.same_cases(&made)?;
    same_fit(&made, out)?;
    let origin = origin::of_preset(preset);
    let file = out.join("experiment.toml");
    for (name, text) in tool.make.exported() {
        input::write(&out.join(name), text.as_bytes())?;
    }
    input::write(&file, page::signed("experiment.toml", &text, &origin).as_bytes())?;
    let made = input::experiment(registry, &file, &[]).map_err(|e| missing(tool, out, e))?;

    let ran = search(args, &made, &out.join(SEARCH), &cancel)?;
    let (rows, failed) = residuals(&fit, &fresh, &made, &ran.trials);
    let remarks: Vec<String> = fit.left_out.iter().cloned().chain(failed).collect();
    let told = Told {
        tool,
        preset: &preset.name,
        origin: &origin,
        own: &(tool.make.own)(&values(&ran)),
        residuals: &rows,
        remarks: &remarks,
        evaluations: ran.summary.evaluations,
    };
    let best = input::bytes(&out.join(SEARCH).join("best.json"))?;
    written(&told, best, out)?;
    output::colored(&(table::plain(&page::head(&tool.make), &page::rows(&rows), output::terminal()) + "\n"))?;
    output::line(page::verdict(&tool.make, &rows))?;
    remarks.iter().for_each(|remark| output::say(format_args!("note: {remark}")));
    Ok(())
}

/// Refuses a folder that holds the fit of another preset, before a file of it is replaced.
fn same_fit(made: &Experiment, out: &Path) -> Result<(), Error> {
    let path = out.join(SEARCH).join(log::FILE);
    if !path.is_file() {
        return Ok(());
    }
    let file = path.display().to_string();
    let other = log::parse_started(&input::bytes(&path)?, &file)?.filter(|log| log.header.digest != made.digest);
    other.map_or(Ok(()), |_| {
        Err(Error::input("the folder holds another fit: of another preset, or by another version of the worker")
            .file(file)
            .help(format!("remove {}, or choose another folder with --out", out.display())))
    })
}

/// Writes what came out, and says where.
fn written(told: &Told<'_>, best: Vec<u8>, out: &Path) -> Result<(), Error> {
    let own = told.own.iter().map(|(name, text)| (*name, page::signed(name, text, told.origin).into_bytes()));
    let (table, readme) = (page::csv(told.residuals).into_bytes(), page::readme(told).into_bytes());
    for (name, bytes) in own.chain([("best.json", best), ("residuals.csv", table), ("README.md", readme)]) {
        let path = out.join(name);
        input::write(&path, &bytes)?;
        output::line(path.display())?;
    }
    Ok(())
}

/// The preset in crowdtune, on the seeds that the fit aims at and on those of the residuals.
fn runs_of_preset(fit: &Fit, threads: usize, cancel: &AtomicBool) -> Result<[Trial; 2], Error> {
    let mut answers = Vec::new();
    let mut take = |trial: Trial| {
        answers.push(trial);
        Ok(())
    };
    Pool::new(&fit.own, threads, cancel)?.evaluate(&fit.questions(), 0, &mut take)?;
    if let Some(why) = answers.iter().find_map(failure) {
        return Err(Error::nothing(format!("a run of the preset on fresh seeds cannot be trusted: {why}"))
            .help("take another candidate with --pick"));
    }
    <[Trial; 2]>::try_from(answers).map_err(|_| Error::interrupted("interrupted before the fit began"))
}

fn search(args: &Fitting, made: &Experiment, folder: &Path, cancel: &AtomicBool) -> Result<RunOutput, Error> {
    let mut progress = Progress::new(args.quiet);
    let options = Options { threads: args.threads.count(), resume: true };
    let ran = run_to_folder(made, folder, options, &mut progress, cancel);
    progress.finish();
    ran.map_err(|e| match e.class() {
        Class::Interrupted => Error::interrupted(e.what())
            .file(folder.display().to_string())
            .help("the same command continues where it stopped"),
        _ => e,
    })
}

/// The fitted parameters by name.
fn values(ran: &RunOutput) -> Fitted {
    ran.summary.genes.iter().map(|gene| (format::key(&gene.key).to_owned(), gene.tuned)).collect()
}

/// A program as the engine's folder sees it.
fn program(given: &str) -> String {
    let path = Path::new(given);
    if path.components().count() < 2 {
        return given.to_owned();
    }
    absolute(path).map_or_else(|_| given.to_owned(), |path| path.display().to_string())
}

/// The error of a tool that does not start, with how to install it.
fn missing(tool: &Entry<MakeFitted>, out: &Path, error: Error) -> Error {
    if error.class() != Class::Environment {
        return error;
    }
    let install = tool.make.install.replace("{folder}", &out.display().to_string());
    Error::environment(error.what())
        .file(out.join("experiment.toml").display().to_string())
        .key("engine.command")
        .help(format!("install {}: {install}; then give this command again", tool.source))
}
