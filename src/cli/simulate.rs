//! `crowdtune simulate`: one run, or several side by side on the same seed.

use super::entrants::{Sets, values, with_model};
use super::{input, output, picture};
use crate::evolve::evaluate::{Recording, run_recorded, run_seed};
use crate::evolve::experiment::{Case, Experiment};
use crate::evolve::preset::apply;
use crate::evolve::scene::replay as replayed;
use crate::evolve::unfinished::{unfinished, words};
use crate::format;
use crate::registry::Registry;
use crate::report::{page, table};
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_core::suggest::among;
use crowdtune_search::Purpose;
use std::path::PathBuf;

/// Simulate an experiment once; several presets, models or values run side by side on the same seed
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The experiment file; searched parameters take their start value
    experiment: PathBuf,
    /// A preset to run with: a file (best.json), or a built-in one such as `walkers`; twice: side by side
    #[arg(long, value_name = "FILE")]
    preset: Vec<PathBuf>,
    /// Another model, with those constants of the file that it has; twice: side by side
    #[arg(long, value_name = "NAME")]
    model: Vec<String>,
    /// Values of one key side by side, for example people.desired_speed_m_per_s=1,3 or model=orca,rvo
    #[arg(long, value_name = "KEY=A,B", value_parser = input::pair, conflicts_with_all = ["preset", "model"])]
    compare: Option<(String, String)>,
    /// The scenario (table name or name[key=value]) [default: the first]
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// Seed; replaces search.seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Which of the fresh seeds, as reports number them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    fresh_seed: u32,
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
    /// A key with several values in the file, and the one to run.
    axis: Option<(String, f64)>,
}

/// What came out of it.
struct Ran {
    label: String,
    columns: Vec<(String, &'static str)>,
    /// Columns whose value is a penalty.
    unfinished: Vec<String>,
    recording: Recording,
    /// True if a foreign simulator did it.
    engine: bool,
}

/// Runs the command.
///
/// # Errors
/// What the user has to mend, or that the run is unhealthy.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let entrants = entrants(args, registry)?;
    for entrant in &entrants {
        case(entrant, args.scenario.as_deref())?;
    }
    // Before the work, so that a mistake in a name costs none.
    let files = args.replay.iter().chain(&args.trajectory).chain(&args.picture);
    files.into_iter().try_for_each(|path| input::writable(path))?;
    for (option, path, written, what) in [
        ("--replay", &args.replay, "html", "a page that a browser plays"),
        ("--picture", &args.picture, "svg", "a picture as SVG"),
        ("--trajectory", &args.trajectory, "txt", "text as PedPy reads it"),
    ] {
        path.as_ref().map_or(Ok(()), |path| super::options::ending(option, path, written, what))?;
    }
    let crowds: Vec<(&str, &Experiment)> = entrants.iter().map(|e| (e.label.as_str(), &e.experiment)).collect();
    if args.picture.is_some() {
        picture::check(&crowds, args.scenario.as_deref())?;
    }
    let mut ran = Vec::new();
    for entrant in &entrants {
        let experiment = &entrant.experiment;
        let at = case(entrant, args.scenario.as_deref())?;
        let case = &experiment.cases[at];
        let seed = run_seed(experiment.search.seed, Purpose::Report, &case.table, args.fresh_seed - 1);
        let recording = run_recorded(experiment, at, &experiment.start, seed).map_err(|e| {
            Error::nothing(format!("the run of `{}` cannot be trusted: {}", entrant.label, e.what())).help(
                match experiment.engine {
                    None => "take a smaller simulation.time_step_s, or constants nearer to the published ones",
                    Some(_) => "`crowdtune engine check FILE` tries the engine; other constants may run",
                },
            )
        })?;
        let columns = experiment.columns.iter().map(|c| (c.name.clone(), c.unit())).collect();
        let open = |(k, value): (usize, &Option<f64>)| {
            let open = value.is_some_and(|value| unfinished(experiment, k, at, value));
            open.then(|| experiment.columns[k].name.clone())
        };
        let unfinished = recording.values.iter().enumerate().filter_map(open).collect();
        let engine = experiment.engine.is_some();
        ran.push(Ran { label: entrant.label.clone(), columns, unfinished, recording, engine });
    }
    let experiment = &entrants[0].experiment;
    let at = case(&entrants[0], args.scenario.as_deref())?;
    if let Some(path) = &args.replay {
        let runs: Vec<(&str, &Recording)> = ran.iter().map(|r| (r.label.as_str(), &r.recording)).collect();
        let mut file = replayed(experiment, &experiment.cases[at], &runs);
        if entrants.iter().any(|e| e.experiment.walkers() != experiment.walkers()) {
            // A group is steered by different models in the two crowds.
            file.groups = experiment.cases[at].scenario.groups.iter().map(|group| group.name.clone()).collect();
        }
        input::write(path, page::replay(&file).as_bytes())?;
        output::say(format_args!("replay: {}", path.display()));
    }
    if let Some(path) = &args.picture {
        picture::write(path, &crowds, args.scenario.as_deref(), args.fresh_seed - 1)?;
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
            input::write(&path, r.recording.track.pedpy().as_bytes())?;
            output::say(format_args!("trajectory: {}", path.display()));
        }
    }
    if args.json { output::line(json(&ran, &experiment.cases[at].name)) } else { output::colored(&text(&ran)) }
}

/// The crowds that the arguments name; without a preset or model the file's own.
fn entrants(args: &Args, registry: &Registry) -> Result<Vec<Entrant>, Error> {
    let mut sets = args.sets.clone();
    sets.extend(args.seed.map(|s| ("search.seed".to_string(), s.to_string())));
    let mut entrants = Vec::new();
    for path in &args.preset {
        let mut experiment = input::experiment(registry, &args.experiment, &sets)?;
        let (preset, known) = input::preset(registry, path, &experiment)?;
        apply(&preset, &known, &mut experiment)?;
        entrants.push(Entrant { label: path.display().to_string(), experiment, axis: None });
    }
    for name in &args.model {
        entrants.push(of_model(args, registry, &sets, name).map_err(|e| e.key("--model"))?);
    }
    if let Some((key, list)) = &args.compare {
        for value in values(list) {
            if key == "model" {
                entrants.push(of_model(args, registry, &sets, value).map_err(|e| e.key("--compare"))?);
                continue;
            }
            let mut sets = sets.clone();
            sets.push((key.clone(), value.into()));
            let label = format!("{} = {value}", key.rsplit('.').next().unwrap_or(key));
            entrants.push(load(args, registry, &sets, label)?);
        }
    }
    if entrants.is_empty() {
        let mut only = load(args, registry, &sets, String::new())?;
        only.label = only.experiment.walkers();
        entrants.push(only);
    }
    let mut said: Vec<String> = Vec::new();
    for entrant in &mut entrants {
        for warning in &entrant.experiment.warnings {
            if !said.contains(warning) {
                output::say(format_args!("warning: {warning}"));
                said.push(warning.clone());
            }
        }
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
            .help("name two presets, models or values, or leave --replay out"));
    }
    Ok(entrants)
}

fn of_model(args: &Args, registry: &Registry, sets: &Sets, name: &str) -> Result<Entrant, Error> {
    let known = |e: Error| e.help("`crowdtune list models` shows them");
    let sets = with_model(registry, &args.experiment, sets, name).map_err(known)?;
    let entrant = load(args, registry, &sets, String::new())?;
    Ok(Entrant { label: entrant.experiment.walkers(), ..entrant })
}

/// The experiment with these pairs. A value may take the place of an `each` that targets are drawn over: the others stay, and it
/// says which case to run.
fn load(args: &Args, registry: &Registry, sets: &Sets, label: String) -> Result<Entrant, Error> {
    let read = |sets: &Sets| input::experiment_or_draft(registry, &args.experiment, sets, args.draft);
    let one_of_each = |at: usize| {
        let (key, value) = (sets[at].0.clone(), sets[at].1.parse().ok()?);
        let mut others = sets.clone();
        others.remove(at);
        let axes = read(&others).ok()?.cases.into_iter().flat_map(|case| case.axes);
        let mut each: Vec<f64> = axes.filter(|(name, _)| *name == key).map(|(_, value)| value).collect();
        if each.is_empty() {
            return None;
        }
        each.push(value);
        each.sort_by(f64::total_cmp);
        each.dedup();
        others.push((key.clone(), format!("{{ each = {each:?} }}")));
        Some(Entrant { label: label.clone(), experiment: read(&others).ok()?, axis: Some((key, value)) })
    };
    match read(sets) {
        Ok(experiment) => Ok(Entrant { label, experiment, axis: None }),
        Err(refused) => (0..sets.len()).find_map(one_of_each).ok_or(refused),
    }
}

/// The case of that name; a table name means its first case, of those with the value to run.
fn case(entrant: &Entrant, name: Option<&str>) -> Result<usize, Error> {
    let cases = &entrant.experiment.cases;
    let find = |named: &dyn Fn(&Case) -> bool| {
        let wanted = |c: &Case| entrant.axis.as_ref().is_none_or(|axis| c.axes.contains(axis));
        cases.iter().position(|c| wanted(c) && named(c))
    };
    let Some(name) = name else { return Ok(find(&|_| true).unwrap_or(0)) };
    find(&|c| c.name == name).or_else(|| find(&|c| c.table == name)).ok_or_else(|| {
        let names: Vec<&str> = cases.iter().map(|c| c.name.as_str()).collect();
        among(Error::input(format!("there is no scenario `{name}`")), name, &names)
    })
}

/// A row of the table: a name, a unit, and what each run has.
type Row<'a> = dyn Fn(&str, &str, &dyn Fn(&Ran) -> Option<f64>) -> Vec<String> + 'a;

/// What is known of the runs besides what the file measures: of a foreign simulator what its trajectory shows, if it wrote one.
fn health(ran: &[Ran], row: &Row<'_>) -> Vec<Vec<String>> {
    let of_engine = |r: &Ran| r.engine;
    if ran.iter().all(|r| of_engine(r) && r.recording.track.frames.is_empty()) {
        return Vec::new();
    }
    let mut inside = vec!["still inside".to_string(), "people".to_string()];
    inside.extend(ran.iter().map(|r| r.recording.health.people_left.to_string()));
    let mut rows = vec![row("simulated time", "s", &|r| Some(r.recording.health.end_s)), inside];
    if !ran.iter().all(of_engine) {
        rows.push(row("top speed", "m/s", &|r| Some(r.recording.health.top_speed_m_per_s).filter(|_| !r.engine)));
        let backwards = |r: &Ran| r.recording.health.backward_share().map(|share| 100.0 * share);
        rows.push(row("time walked backwards", "%", &backwards));
    }
    rows
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
        .map(|k| row(&ran[0].columns[k].0, ran[0].columns[k].1, &|r| r.recording.values.get(k).copied().flatten()))
        .collect();
    rows.extend(health(ran, &row));
    let table = table::plain(&head, &rows, output::terminal()) + "\n";
    let remark = |r: &Ran, name: &String| words(&format!("{} ({})", name, r.label), (1, 1)) + ".\n";
    ran.iter().flat_map(|r| r.unfinished.iter().map(move |name| remark(r, name))).fold(table, |text, line| text + &line)
}

fn json(ran: &[Ran], case: &str) -> String {
    let runs: Vec<_> = ran
        .iter()
        .map(|r| {
            let values: serde_json::Map<String, serde_json::Value> = r
                .columns
                .iter()
                .zip(&r.recording.values)
                .map(|((name, _), v)| (name.clone(), serde_json::json!(v)))
                .collect();
            serde_json::json!({
                "label": r.label,
                "values": values,
                "end_s": r.recording.health.end_s,
                "people_left": r.recording.health.people_left,
                "top_speed_m_per_s": r.recording.health.top_speed_m_per_s,
                "max_overlap_share": r.recording.health.max_overlap_share,
                "backward_share": r.recording.health.backward_share(),
                "agent_steps": r.recording.health.agent_steps,
            })
        })
        .collect();
    let document = serde_json::json!({ "scenario": case, "runs": runs });
    serde_json::to_string_pretty(&document).expect("a document of numbers and words")
}
