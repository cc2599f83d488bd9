//! `crowdtune new`: a commented experiment, made from the lists.

use super::{list, output};
use crate::Error;
use crate::crowd::people::{Distribution, TRAITS};
use crate::models::{MODELS, MakeModel};
use crate::registry::{Entry, Kind, Param, Settings, defaults, find};
use crate::world::scenarios::{MakeScenario, SCENARIOS};
use clap::Args as ClapArgs;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

/// Write a commented experiment that runs as it is
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Name of the experiment; NAME.toml is written
    name: String,
    /// The model (see `crowdtune list models`)
    #[arg(long, value_name = "NAME", default_value = "social_force")]
    model: String,
    /// The scenario (see `crowdtune list scenarios`)
    #[arg(long, value_name = "NAME", default_value = "room")]
    scenario: String,
}

/// So many constants are searched. Chosen here: two are found in a minute and can be drawn as a plane.
const SEARCHED: usize = 2;
/// People in the scenario. Chosen here: enough to jam at a door, few enough for a first result in about a minute.
const PEOPLE: i64 = 40;
/// Simulated time at most, s. Chosen here: four times what 40 people need at a door of 1 m.
const LIMIT_S: f64 = 120.0;

/// Runs the command.
///
/// # Errors
/// If the model or scenario is not registered, or the file exists or cannot be written.
pub fn run(args: &Args) -> Result<(), Error> {
    if matches!(args.name.rsplit(['/', '\\']).next(), None | Some("" | ".toml")) {
        return Err(Error::input("the experiment has no name").key("NAME").help("for example `crowdtune new room`"));
    }
    let path =
        PathBuf::from(if args.name.ends_with(".toml") { args.name.clone() } else { format!("{}.toml", args.name) });
    let file = path.display().to_string();
    let model = known(MODELS, &args.model, "model")?;
    let scenario = known(SCENARIOS, &args.scenario, "scenario")?;
    let text = text(&file, model, scenario);
    let written =
        OpenOptions::new().write(true).create_new(true).open(&path).and_then(|mut f| f.write_all(text.as_bytes()));
    written.map_err(|e| match e.kind() {
        std::io::ErrorKind::AlreadyExists => Error::input("the file exists already, and is left as it is")
            .file(&file)
            .help("choose another name, or delete it first"),
        _ => Error::environment(format!("cannot write the file: {e}"))
            .file(&file)
            .help("choose a folder that is there and can be written"),
    })?;
    output::line(format_args!("{file} is written; run it with\n\n    crowdtune evolve {file}"))
}

fn known<F>(all: &[&'static Entry<F>], name: &str, what: &str) -> Result<&'static Entry<F>, Error> {
    find(all, name).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|e| e.name).collect();
        Error::input(format!("no {what} is called `{name}`"))
            .allowed(names.join(", "))
            .help(format!("`crowdtune list {what}s` shows them"))
    })
}

/// The experiment; `file` is only named in its comments.
fn text(file: &str, model: &Entry<MakeModel>, scenario: &Entry<MakeScenario>) -> String {
    let mut out = format!(
        "# {doc}\n# Run it:       crowdtune evolve {file}\n# Look at it:   crowdtune simulate {file} --replay replay.html\n\
         # A line behind `#` shows a default: remove the `#` and change it.\n\n\
         format = 1\ntitle  = \"{model} in the scenario {scenario}\"\nmodel  = \"{model}\"\n\n",
        doc = model.doc,
        model = model.name,
        scenario = scenario.name,
    );
    out += "# Constants of the model. A number is fixed, `{ range = [low, high] }` is searched.\n[parameters]\n";
    let searched: Vec<&str> =
        model.params.iter().filter(|p| can_be_searched(p)).map(|p| p.key).take(SEARCHED).collect();
    for p in model.params {
        if searched.contains(&p.key) {
            out += &format!("{}    {}\n", search(p), about(p));
        } else {
            out += &fixed(p);
        }
    }
    out += "\n# Traits of people: a number, `{ uniform = [low, high] }`, or `{ normal = [mean, sd], clip = [low, high] }`.\n[people]\n";
    for p in TRAITS {
        out += &fixed(p);
    }
    out += &format!("\n# {}\n[scenario.{name}]\nkind = \"{name}\"\n", scenario.doc, name = scenario.name);
    for p in scenario.params {
        match p.kind {
            Kind::Integer { default, hard, .. } if p.key == "count" => {
                out += &format!("count = {}    {}\n", PEOPLE.min(default).clamp(hard.0, hard.1), about(p));
            }
            _ => out += &fixed(p),
        }
    }
    out += &format!("limit_s = {:?}    # s: simulated time\n", scenario.make.limit_s.min(LIMIT_S));
    out += "replicas = 3    # runs of each candidate, with different people\n\n";
    out += &TARGETS.replacen("TIME\n", if leaves(scenario) { TIME } else { COLLISIONS }, 1);
    out
}

/// True if people leave the scenario at its defaults.
fn leaves(scenario: &Entry<MakeScenario>) -> bool {
    let values = defaults(scenario.params);
    (scenario.make.make)(&Settings::new(scenario.params, &values)).is_ok_and(|b| b.groups.iter().any(|g| g.leaves()))
}

/// What is wanted where people leave.
const TIME: &str = r#"[target.time]
metric   = "evacuation_time_95_s"
minimize = { good = 20.0, bad = 60.0 }    # s
"#;

/// What is wanted where nobody leaves.
const COLLISIONS: &str = r#"[target.collisions]
metric   = "collisions"
minimize = { good = 0.0, bad = 20.0 }
"#;

/// What is wanted and how long is searched: the same for every model and scenario, but for the first target.
const TARGETS: &str = r#"# What is wanted: `crowdtune list metrics` shows what can be measured, `crowdtune list targets` how to ask for it.
TIME

[target.overlap]
metric  = "overlap_max_m"
at_most = 0.1    # m
must    = true    # a candidate that misses it is no solution

# Measured and drawn, but not a target.
[measure.speed]
metric = "speed_mean_m_per_s"

[search]
optimizer   = "ga"    # `crowdtune list optimizers`
evaluations = 100     # candidates; more find better ones
seed        = 1
"#;

fn can_be_searched(p: &Param) -> bool {
    matches!(p.kind, Kind::Real { .. } | Kind::Integer { .. }) && p.same_as.is_none()
}

fn search(p: &Param) -> String {
    match p.kind {
        Kind::Real { search, log, .. } => {
            let log = if log { ", log = true" } else { "" };
            format!("{} = {{ range = [{:?}, {:?}]{log} }}", p.key, search.0, search.1)
        }
        Kind::Integer { search, .. } => format!("{} = {{ integers = [{}, {}] }}", p.key, search.0, search.1),
        Kind::Choice { options, .. } => format!("{} = {{ choices = {options:?} }}", p.key),
        Kind::Switch { .. } => format!("{} = {{ choices = [true, false] }}", p.key),
    }
}

/// A commented line with the default.
fn fixed(p: &Param) -> String {
    let value = match p.kind {
        _ if p.same_as.is_some() => format!("{{ same_as = {:?} }}", p.same_as.unwrap_or_default()),
        Kind::Real { default, .. } => match list::drawn(p) {
            Some(Distribution::Uniform { low, high }) => format!("{{ uniform = [{low:?}, {high:?}] }}"),
            Some(Distribution::Normal { mean, sd, clip }) => {
                format!("{{ normal = [{mean:?}, {sd:?}], clip = [{:?}, {:?}] }}", clip.0, clip.1)
            }
            Some(Distribution::Fixed(_)) | None => format!("{default:?}"),
        },
        Kind::Integer { default, .. } => default.to_string(),
        Kind::Choice { default, .. } => format!("{default:?}"),
        Kind::Switch { default } => default.to_string(),
    };
    format!("# {} = {value}    {}\n", p.key, about(p))
}

fn about(p: &Param) -> String {
    let [default, accepted, _] = list::numbers(p);
    let symbol = if p.symbol.is_empty() { String::new() } else { format!("{}: ", p.symbol) };
    let unit = if p.unit.is_empty() { String::new() } else { format!(" {}", p.unit) };
    format!("# {symbol}{}; {accepted}{unit}, default {default}", p.doc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::config;

    #[test]
    fn every_model_in_every_scenario_gives_a_file_that_is_read() {
        for model in MODELS {
            for scenario in SCENARIOS {
                let text = text("x.toml", model, scenario);
                let experiment = config::load(&text, "x.toml", &[], &mut |_| unreachable!("it names no file")).unwrap();
                assert_eq!(experiment.space.genes.len(), SEARCHED);
                assert_eq!(experiment.cases.len(), 1);
                assert_eq!(experiment.columns.len(), 3);
                assert!(experiment.warnings.is_empty(), "{:?}", experiment.warnings);
            }
        }
    }

    #[test]
    fn the_lines_behind_a_hash_are_defaults_that_are_accepted() {
        let given = text("x.toml", MODELS[0], find(SCENARIOS, "room").unwrap());
        let is_default = |l: &str| l.strip_prefix("# ").is_some_and(|l| l.split(' ').nth(1) == Some("="));
        let opened: String =
            given.lines().map(|l| if is_default(l) { format!("{}\n", &l[2..]) } else { format!("{l}\n") }).collect();
        assert!(opened.contains("\nrelaxation_time_s = 0.5 "));
        let load = |text: &str| config::load(text, "x.toml", &[], &mut |_| unreachable!("it names no file")).unwrap();
        assert_eq!(load(&opened).digest, load(&given).digest);
    }
}
