//! `crowdtune new`: a commented experiment, made from the lists.

mod engine;
mod grounds;

use super::{input, output};
use crate::evolve::codec;
use crate::evolve::experiment::{Experiment, no_files};
use crate::registry::Registry;
use crate::target::behaviors::{Ground, MakeBehavior};
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Kind, List, Param, Settings, defaults, find};
use crowdtune_search::{Goal, usual};
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::models::MakeModel;
use crowdtune_sim::world::MakeScenario;
use crowdtune_sim::world::scenario::Group;
use std::path::{Path, PathBuf};

/// Write a commented experiment that runs as it is
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Name of the experiment; NAME.toml is written
    name: String,
    /// What the crowd should do, one or several (see `crowdtune list behaviors`)
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    behavior: Vec<String>,
    /// The model (see `crowdtune list models`) [default: social_force, with behaviors five_force or what suits them]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// The scenario (see `crowdtune list scenarios`) [default: room, or what suits the behaviors]
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// A foreign simulator in place of crowdtune's models: a worker that answers is written beside the experiment
    #[arg(long, value_name = "KIND", conflicts_with_all = ["behavior", "model", "scenario"])]
    engine: Option<engine::Kind>,
}

/// Behaviors that the five forces do not do together, and a model that does: in crowds that meet they meet six of the seven wishes of `lanes`
/// and `polite` after 200 candidates, ORCA all of them.
const TOGETHER: (&[&str], &str) = (&["lanes", "polite"], "orca");
/// Number of constants that are searched. Chosen here: two are found in a minute and can be drawn as a plane.
const SEARCHED: usize = 2;
/// Number of constants that are searched for behaviors. Chosen here: the five weights and the gain of `five_force`.
const SEARCHED_FOR_BEHAVIORS: usize = 6;
/// Candidates to try. Chosen here: a first result in less than a minute.
const EVALUATIONS: (u32, u32) = (100, 200);
/// People in the scenario. Chosen here: enough to jam at a door, few enough for a first result in about a minute.
const PEOPLE: f64 = 40.0;
/// Simulated time at most, s. Chosen here: four times what 40 people need at a door of 1 m.
const LIMIT_S: f64 = 120.0;

/// Runs the command.
///
/// # Errors
/// If a behavior, the model or the scenario is not registered, or the file exists or cannot be written.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    if matches!(args.name.rsplit(['/', '\\']).next(), None | Some("" | ".toml")) {
        return Err(Error::input("the experiment has no name").key("NAME").help("for example `crowdtune new room`"));
    }
    if args.name.contains(char::is_control) {
        return Err(Error::input("the name has a control character in it").key("NAME").help("take letters and digits"));
    }
    let path =
        PathBuf::from(if args.name.ends_with(".toml") { args.name.clone() } else { format!("{}.toml", args.name) });
    let file = path.display().to_string();
    if let Some(kind) = args.engine {
        return with_engine(kind, &path);
    }
    let (text, rivals) = experiment(args, registry, &file)?;
    // What cannot run is not written.
    Experiment::load(registry, &text, &file, &[], &mut no_files).map_err(|e| {
        Error::input(format!("this experiment cannot run, so it is not written: {}", e.what()))
            .help("leave --scenario or --model out, or choose another one; without them `new` takes what suits")
    })?;
    input::write_new(&path, text.as_bytes())?;
    for (one, other, target) in rivals {
        output::say(format_args!(
            "note: `{one}` and `{other}` want different values of `{target}`; the file has both wishes"
        ));
    }
    output::line(format_args!("{file} is written; run it with\n\n    crowdtune evolve {file}"))
}

/// Writes an experiment with a foreign simulator, and its worker.
fn with_engine(kind: engine::Kind, path: &Path) -> Result<(), Error> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let (experiment, worker, text) = engine::files(kind, &stem);
    let worker = path.with_file_name(worker);
    let (file, worker_file) = (path.display(), worker.display());
    if worker.exists() {
        return Err(Error::input("the file exists already and is left as it is")
            .file(worker_file.to_string())
            .help("choose another name, or delete it first"));
    }
    input::write_new(path, experiment.as_bytes())?;
    input::write_new(&worker, text.as_bytes())?;
    output::line(format_args!(
        "{file} and {worker_file} are written; try the worker and tune it with\n\n    crowdtune engine check {file}\n    \
         crowdtune evolve {file}"
    ))
}

/// The entry that an argument names; `list` is what `crowdtune list` calls all of them.
fn known<F>(all: &List<F>, name: &str, list: &str) -> Result<&'static Entry<F>, Error> {
    all.get(name).map_err(|e| e.help(format!("`crowdtune list {list}` shows them")))
}

/// Two behaviors, and the target of which they want different values.
type Rivals = (&'static str, &'static str, &'static str);

/// The text that the arguments ask for, and the behaviors in it that pull in different directions.
fn experiment(args: &Args, registry: &Registry, file: &str) -> Result<(String, Vec<Rivals>), Error> {
    let scenario = args.scenario.as_ref().map(|name| known(&registry.scenarios, name, "scenarios")).transpose()?;
    let mut behaviors = Vec::new();
    for name in &args.behavior {
        let behavior = known(&registry.behaviors, name, "behaviors")?;
        if behaviors.iter().any(|b: &&Entry<MakeBehavior>| b.name == behavior.name) {
            return Err(Error::input(format!("the behavior `{name}` is there twice")).help("name it once"));
        }
        behaviors.push(behavior);
    }
    if let (true, Some(kind)) = (behaviors.is_empty(), scenario) {
        behaviors = shown_in(registry, kind);
    }
    let together = |b: &[&Entry<MakeBehavior>]| b.len() > 1 && b.iter().all(|b| TOGETHER.0.contains(&b.name));
    let usual = match &behaviors[..] {
        [] => "social_force",
        several if together(several) => TOGETHER.1,
        _ => "five_force",
    };
    let model = known(&registry.models, args.model.as_deref().unwrap_or(usual), "models")?;
    let kind = scenario.map_or("room", |s| s.name);
    if behaviors.is_empty() {
        return Ok((text(registry, file, model, known(&registry.scenarios, kind, "scenarios")?), Vec::new()));
    }
    let mut places = grounds::places(&behaviors);
    if let Some(kind) = scenario {
        let suiting = behaviors.iter().flat_map(|b| b.make.scenarios).find(|ground| ground.kind == kind.name);
        let ground = suiting.copied().unwrap_or(Ground { kind: kind.name, count: 24, lines: "" });
        places = vec![grounds::Place { name: kind.name.into(), ground, behaviors: behaviors.clone() }];
    }
    Ok((behaving(registry, file, model, &behaviors, &places), grounds::rivals(&places)))
}

/// What can be asked for in a scenario that nobody leaves: the first behavior that it shows, or one for any place.
fn shown_in(registry: &Registry, kind: &Entry<MakeScenario>) -> Vec<&'static Entry<MakeBehavior>> {
    let values = defaults(kind.params);
    let built = (kind.make.make)(&Settings::new(kind.params, &values));
    if built.is_ok_and(|built| built.groups.iter().any(Group::leaves)) {
        return Vec::new();
    }
    let shows = |b: &&Entry<MakeBehavior>| b.make.scenarios.iter().any(|ground| ground.kind == kind.name);
    let first =
        registry.behaviors.iter().find(|b| shows(b)).or_else(|| registry.behaviors.iter().find(|b| b.make.anywhere));
    first.copied().into_iter().collect()
}

/// An experiment whose targets are those of behaviors.
fn behaving(
    registry: &Registry,
    file: &str,
    model: &Entry<MakeModel>,
    behaviors: &[&'static Entry<MakeBehavior>],
    places: &[grounds::Place],
) -> String {
    let names: Vec<_> = behaviors.iter().map(|b| b.name).collect();
    let title = format!("{}: {}", model.name, names.join(", "));
    let mut out = head(file, model, &title);
    out += &format!("behaviors = {names:?}    # bundles of targets: `crowdtune list behaviors`\n\n");
    let more: Vec<_> = behaviors.iter().flat_map(|b| b.make.searched).copied().collect();
    out += &constants(model, SEARCHED_FOR_BEHAVIORS, &more);
    for place in places {
        let kind = find(&registry.scenarios, place.ground.kind).expect("a behavior names a registered scenario");
        let given = format!("count = {}\n{}", place.ground.count, place.ground.lines);
        out += &self::scenario(&place.name, kind, &given);
    }
    out +=
        "# What the behaviors want. Remove a `#` to change a target; `overlap.at_most = 0.1` changes one key of it.\n";
    out += &grounds::targets(behaviors, places);
    out += "\n";
    out += &search(registry, EVALUATIONS.1);
    out
}

/// The experiment without behaviors; `file` is only named in its comments.
fn text(registry: &Registry, file: &str, model: &Entry<MakeModel>, kind: &Entry<MakeScenario>) -> String {
    let mut out = head(file, model, &format!("{} in the scenario {}", model.name, kind.name)) + "\n";
    out += &constants(model, SEARCHED, &[]);
    let count = kind.params.iter().find(|p| p.key == "count");
    let given = count.map_or_else(String::new, |p| {
        let (low, high) = p.ends();
        format!("count = {}\n", p.written(PEOPLE.min(p.default_value()).clamp(low, high)))
    });
    out += &scenario(kind.name, kind, &given);
    out += TARGETS;
    out += &search(registry, EVALUATIONS.0);
    out
}

/// What the file is, and how it begins.
fn head(file: &str, model: &Entry<MakeModel>, title: &str) -> String {
    format!(
        "# {doc}\n# Run it:       crowdtune evolve {file}\n# Look at it:   crowdtune simulate {file} --replay replay.html\n\
         # A line behind `#` shows a default: remove the `#` and change it.\n\n\
         format = 1\ntitle  = {title:?}\nmodel  = \"{model}\"\n",
        doc = model.doc,
        model = model.name,
    )
}

/// `[parameters]`, the first `searched` of which are searched and those of `more`, and `[people]`.
fn constants(model: &Entry<MakeModel>, searched: usize, more: &[&str]) -> String {
    let mut out = "# Constants of the model. A number is fixed, `{ range = [low, high] }` is searched.\n\
                   # A group of a scenario can name a `model` of its own, whose constants are in [parameters.NAME].\n[parameters]\n"
        .to_owned();
    let keys: Vec<&str> = model.params.iter().filter(|p| can_be_searched(p)).map(|p| p.key).take(searched).collect();
    for p in model.params {
        if keys.contains(&p.key) || more.contains(&p.key) {
            out += &format!("{} = {}    {}\n", p.key, codec::search_toml(p), about(p));
        } else {
            out += &fixed(p);
        }
    }
    out += "\n# Traits of people: a number, `{ uniform = [low, high] }`, or `{ normal = [mean, sd], clip = [low, high] }`.\n[people]\n";
    for p in TRAITS {
        out += &fixed(p);
    }
    out + "\n"
}

/// A scenario's table; `given` has the lines of the keys that are not left at their defaults.
fn scenario(name: &str, kind: &Entry<MakeScenario>, given: &str) -> String {
    let mut out = format!("# {}\n[scenario.{name}]\nkind = \"{}\"\n", kind.doc, kind.name);
    for p in kind.params {
        match given.lines().find(|line| line.split(' ').next() == Some(p.key)) {
            Some(line) => out += &format!("{line}    {}\n", about(p)),
            None => out += &fixed(p),
        }
    }
    for line in given.lines().filter(|line| line.starts_with("group.")) {
        out += &format!("{line}\n");
    }
    out += &format!("limit_s = {:?}    # s: simulated time\n", kind.make.limit_s.min(LIMIT_S));
    out + "replicas = 3    # runs of each candidate, with different people\n\n"
}

/// What is wanted in a scenario whose people leave.
const TARGETS: &str = r#"# What is wanted: `crowdtune list metrics` shows what can be measured, `crowdtune list targets` how to ask for it.
[target.time]
metric   = "evacuation_time_95_s"
minimize = { good = 20.0, bad = 60.0 }    # s

[target.overlap]
metric  = "overlap_max_m"
at_most = 0.1    # m
must    = true    # a candidate that misses it is not a solution

# Measured and drawn, but not a target.
[measure.speed]
metric = "speed_mean_m_per_s"

"#;

/// How long to search.
fn search(registry: &Registry, evaluations: u32) -> String {
    let usual = usual(Goal::Best).name;
    let others: Vec<&str> = registry.optimizers.iter().map(|e| e.name).filter(|name| *name != usual).collect();
    format!(
        "[search]\noptimizer   = \"{usual}\"    # or {}: `crowdtune list optimizers`\n\
         evaluations = {evaluations}     # candidates; more find better ones\nseed        = 1\n",
        others.join(", ")
    )
}

fn can_be_searched(p: &Param) -> bool {
    matches!(p.kind, Kind::Real { .. } | Kind::Integer { .. }) && p.same_as.is_none()
}

/// A commented line with the default.
fn fixed(p: &Param) -> String {
    format!("# {} = {}    {}\n", p.key, codec::default_toml(p), about(p))
}

fn about(p: &Param) -> String {
    let [default, accepted, _] = codec::numbers(p);
    let symbol = if p.symbol.is_empty() { String::new() } else { format!("{}: ", p.symbol) };
    let unit = if p.unit.is_empty() { String::new() } else { format!(" {}", p.unit) };
    format!("# {symbol}{}; {accepted}{unit}, default {default}", p.doc)
}

#[cfg(test)]
mod tests;
