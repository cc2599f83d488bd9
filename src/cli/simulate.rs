//! `crowdtune simulate`: one run, or several side by side on the same seed.

use super::{input, output, picture};
use crate::evolve::evaluate::{run_one, run_seed};
use crate::evolve::experiment::Experiment;
use crate::evolve::preset::apply;
use crate::folder;
use crate::format;
use crate::registry::Registry;
use crate::report::{replay, table};
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_search::Purpose;
use crowdtune_sim::crowd::Health;
use crowdtune_sim::crowd::Trajectory;
use std::path::PathBuf;

/// Simulate an experiment once; several presets or models run side by side on the same seed
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The experiment file; searched parameters take their start value
    experiment: PathBuf,
    /// A preset (best.json) to run with; twice: side by side
    #[arg(long, value_name = "FILE")]
    preset: Vec<PathBuf>,
    /// A model with its published constants; twice: side by side
    #[arg(long, value_name = "NAME")]
    model: Vec<String>,
    /// The scenario (table name or name[key=value]) [default: the first]
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// Seed; replaces search.seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Replace a value of the file, for example scenario.room.count=50
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = input::pair)]
    sets: Vec<(String, String)>,
    /// Twice the time step: half the work; the results are marked as a draft (a preset has its own step)
    #[arg(long, conflicts_with = "preset")]
    draft: bool,
    /// Write a page that plays the run
    #[arg(long, value_name = "FILE.html")]
    replay: Option<PathBuf>,
    /// Write a still picture of the last positions: a panel for each preset or model and each scenario
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// Write the trajectories as text that PedPy reads; the second run gets `-2` before the ending
    #[arg(long, value_name = "FILE.txt")]
    trajectory: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// One crowd that is to be simulated.
struct Entrant {
    label: String,
    experiment: Experiment,
}

/// What came out of it.
struct Ran {
    label: String,
    columns: Vec<(String, &'static str)>,
    values: Vec<Option<f64>>,
    health: Health,
    track: Trajectory,
}

/// Runs the command.
///
/// # Errors
/// What the user has to mend, or that the run is unhealthy.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let entrants = entrants(args, registry)?;
    for entrant in &entrants {
        case(&entrant.experiment, args.scenario.as_deref())?;
    }
    // Before the work, so that a mistake in a name costs none.
    let files = args.replay.iter().chain(&args.trajectory).chain(&args.picture);
    files.into_iter().try_for_each(|path| input::writable(path))?;
    let crowds: Vec<(&str, &Experiment)> = entrants.iter().map(|e| (e.label.as_str(), &e.experiment)).collect();
    if args.picture.is_some() {
        picture::check(&crowds, args.scenario.as_deref())?;
    }
    let mut ran = Vec::new();
    let mut at = 0;
    for entrant in &entrants {
        let experiment = &entrant.experiment;
        at = case(experiment, args.scenario.as_deref())?;
        let case = &experiment.cases[at];
        let seed = run_seed(experiment.search.seed, Purpose::Report, &case.table, 0);
        let mut track = Trajectory::every(experiment.timing.record_every_s);
        let (values, health) = run_one(experiment, at, &experiment.start, seed, Some(&mut track)).map_err(|e| {
            Error::nothing(format!("the run of `{}` cannot be trusted: {}", entrant.label, e.what()))
                .help("take a smaller simulation.time_step_s, or constants nearer to the published ones")
        })?;
        let columns = experiment.columns.iter().map(|c| (c.name.clone(), c.unit())).collect();
        ran.push(Ran { label: entrant.label.clone(), columns, values, health, track });
    }
    let experiment = &entrants[0].experiment;
    if let Some(path) = &args.replay {
        let runs: Vec<(&str, &Trajectory)> = ran.iter().map(|r| (r.label.as_str(), &r.track)).collect();
        let file = folder::replay(experiment, &experiment.cases[at], &runs);
        input::write(path, replay::page(&file).as_bytes())?;
        output::say(format_args!("replay: {}", path.display()));
    }
    if let Some(path) = &args.picture {
        picture::write(path, &crowds, args.scenario.as_deref())?;
        output::say(format_args!("picture: {}", path.display()));
    }
    if let Some(path) = &args.trajectory {
        for (k, r) in ran.iter().enumerate() {
            let path = if k == 0 {
                path.clone()
            } else {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let end = path.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
                path.with_file_name(format!("{stem}-{}{end}", k + 1))
            };
            input::write(&path, r.track.pedpy().as_bytes())?;
            output::say(format_args!("trajectory: {}", path.display()));
        }
    }
    if args.json { output::line(json(&ran, &experiment.cases[at].name)) } else { output::line(text(&ran)) }
}

/// The crowds that the arguments name; without a preset or model the file's own.
fn entrants(args: &Args, registry: &Registry) -> Result<Vec<Entrant>, Error> {
    let mut sets = args.sets.clone();
    sets.extend(args.seed.map(|s| ("search.seed".to_string(), s.to_string())));
    let mut entrants = Vec::new();
    for path in &args.preset {
        let mut experiment = input::experiment(registry, &args.experiment, &sets)?;
        apply(&input::preset(registry, path)?, &registry.models, &mut experiment)?;
        entrants.push(Entrant { label: path.display().to_string(), experiment });
    }
    for name in &args.model {
        registry.models.get(name).map_err(|e| e.key("--model").help("`crowdtune list models` shows them"))?;
        let mut sets = sets.clone();
        sets.push(("model".into(), name.clone()));
        entrants.push(Entrant {
            label: name.clone(),
            experiment: input::experiment_or_draft(registry, &args.experiment, &sets, args.draft)?,
        });
    }
    if entrants.is_empty() {
        let experiment = input::experiment_or_draft(registry, &args.experiment, &sets, args.draft)?;
        entrants.push(Entrant { label: experiment.model.name.to_string(), experiment });
    }
    for entrant in &mut entrants {
        if entrant.experiment.draft_step_s().is_some() {
            input::remark(&entrant.experiment);
            entrant.label += " (draft)";
        }
    }
    for at in 1..entrants.len() {
        // Equal names would head equal columns.
        let same = (0..at).filter(|&k| entrants[k].label == entrants[at].label).count();
        if same > 0 {
            entrants[at].label += &format!(" ({})", at + 1);
        }
    }
    if entrants.len() > 2 && args.replay.is_some() {
        return Err(Error::input(format!("a replay shows two crowds at most, not {}", entrants.len()))
            .help("name two presets or models, or leave --replay out"));
    }
    Ok(entrants)
}

/// The case of that name; a table name means its first case.
fn case(experiment: &Experiment, name: Option<&str>) -> Result<usize, Error> {
    let Some(name) = name else { return Ok(0) };
    let exact = experiment.cases.iter().position(|c| c.name == name);
    exact.or_else(|| experiment.cases.iter().position(|c| c.table == name)).ok_or_else(|| {
        let names: Vec<&str> = experiment.cases.iter().map(|c| c.name.as_str()).collect();
        Error::input(format!("there is no scenario `{name}`")).allowed(names.join(", "))
    })
}

fn text(ran: &[Ran]) -> String {
    let mut head = vec!["measured".to_string(), "unit".to_string()];
    head.extend(ran.iter().map(|r| r.label.clone()));
    let row = |name: &str, unit: &str, of: &dyn Fn(&Ran) -> Option<f64>| {
        let mut cells = vec![name.to_string(), unit.to_string()];
        cells.extend(ran.iter().map(|r| format::option(of(r))));
        cells
    };
    let mut rows: Vec<Vec<String>> = (0..ran[0].columns.len())
        .map(|k| row(&ran[0].columns[k].0, ran[0].columns[k].1, &|r| r.values.get(k).copied().flatten()))
        .collect();
    rows.push(row("simulated time", "s", &|r| Some(r.health.end_s)));
    let mut left = vec!["people left".to_string(), "people".to_string()];
    left.extend(ran.iter().map(|r| r.health.people_left.to_string()));
    rows.push(left);
    rows.push(row("top speed", "m/s", &|r| Some(r.health.top_speed_m_per_s)));
    table::plain(&head, &rows, output::terminal())
}

fn json(ran: &[Ran], case: &str) -> String {
    let runs: Vec<_> = ran
        .iter()
        .map(|r| {
            let values: serde_json::Map<String, serde_json::Value> =
                r.columns.iter().zip(&r.values).map(|((name, _), v)| (name.clone(), serde_json::json!(v))).collect();
            serde_json::json!({
                "label": r.label,
                "values": values,
                "end_s": r.health.end_s,
                "people_left": r.health.people_left,
                "top_speed_m_per_s": r.health.top_speed_m_per_s,
                "max_overlap_share": r.health.max_overlap_share,
                "agent_steps": r.health.agent_steps,
            })
        })
        .collect();
    let document = serde_json::json!({ "scenario": case, "runs": runs });
    serde_json::to_string_pretty(&document).expect("a document of numbers and words")
}
