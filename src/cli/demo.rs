//! `crowdtune demo`: pages for lessons, made of runs that are done now.

use super::options::Threads;
use super::progress::Counter;
use super::{input, output};
use crate::demo::{Curve, DEMOS, Found, Line, MakeDemo, Shown};
use crate::evolve::Results;
use crate::evolve::evaluate::Pool;
use crate::evolve::experiment::{Experiment, no_files};
use crate::evolve::grid::run_cases;
use crate::evolve::log::MemoryLog;
use crate::evolve::run::{Finished, evolve};
use crate::evolve::summary::{Figure, Summary};
use crate::format;
use crate::registry::Registry;
use crate::report::page::{self, Crowds, Dial, Lab, Side, Wish};
use crate::report::{Run, charts};
use crate::simulator::simulator;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_core::suggest::among;
use crowdtune_search::Trial;
use maud::{Markup, html};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Write a page for a lesson: a question, two crowds with a slider, a curve that is computed now; without a name list them
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Which one
    name: Option<String>,
    /// The page [default: NAME.html]
    #[arg(long, value_name = "FILE.html", requires = "name")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// No progress
    #[arg(long)]
    quiet: bool,
}

/// Runs the command.
///
/// # Errors
/// If there is no such demonstration, its page cannot be written, or no run of it can be trusted.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let Some(name) = &args.name else { return list() };
    let entry = DEMOS.iter().find(|demo| demo.name == name.as_str()).ok_or_else(|| {
        let names: Vec<&str> = DEMOS.iter().map(|demo| demo.name).collect();
        among(Error::input(format!("there is no demonstration `{name}`")).allowed(names.join(", ")), name, &names)
    })?;
    let path = args.out.clone().unwrap_or_else(|| format!("{name}.html").into());
    super::options::ending("--out", &path, "html", "a page")?;
    input::writable(&path)?;
    let simulator = simulator()?;
    let page = match &entry.make.shown {
        Shown::Curve(curve) => of_curve(args, registry, (entry, curve), simulator.as_deref())?,
        Shown::Atlas(text) => of_atlas(args, registry, (entry, text), simulator.as_deref())?,
    };
    input::write(&path, page.as_bytes())?;
    output::say(format_args!("page: {}", path.display()));
    if simulator.is_none() {
        output::say(
            "note: this crowdtune has no simulator for pages, so the page has the curve and recorded crowds; docs/pages.md says how to get it",
        );
    }
    Ok(())
}

fn list() -> Result<(), Error> {
    let width = DEMOS.iter().map(|demo| demo.name.len()).max().unwrap_or(0);
    for demo in DEMOS {
        output::line(format_args!("{:width$}  {}", demo.name, demo.make.question))?;
        output::line(format_args!("{:width$}  {}", "", demo.doc))?;
    }
    output::line("\nWrite one as a page: crowdtune demo NAME")
}

fn load(registry: &Registry, text: &str, name: &str, sets: &[(String, String)]) -> Result<Experiment, Error> {
    Experiment::load(registry, text, &format!("{name}.toml"), sets, &mut no_files)
}

fn pairs(line: &Line) -> Vec<(String, String)> {
    line.sets.iter().map(|&(key, value)| (key.to_string(), value.to_string())).collect()
}

fn of_curve(
    args: &Args,
    registry: &Registry,
    (entry, curve): (&Entry<MakeDemo>, &Curve),
    simulator: Option<&[u8]>,
) -> Result<String, Error> {
    let each = (curve.slider.key.to_string(), format!("{{ each = {:?} }}", curve.at));
    let with = |line: &Line| load(registry, curve.text, entry.name, &[pairs(line), vec![each.clone()]].concat());
    let experiments: Vec<Experiment> = curve.lines.iter().map(with).collect::<Result<_, _>>()?;
    let runs = curve.lines.len() * curve.at.len() * curve.seeds as usize;
    let progress = Counter::new(entry.name, runs as u64, args.quiet);
    let (mut found, mut refused) = (Vec::new(), 0);
    for (line, experiment) in curve.lines.iter().zip(&experiments) {
        let values = run_cases(experiment, curve.seeds, args.threads.count(), &|| progress.step())?;
        refused += values.iter().flatten().filter(|run| run.is_err()).count();
        let column = experiment.columns.iter().position(|c| c.name == curve.column);
        let column = column.expect("a demonstration draws one of its columns");
        let at = |case: usize| experiment.cases[case].axes.first().map_or(f64::NAN, |axis| axis.1);
        let mean = |runs: &Vec<Result<_, Error>>| {
            let healthy = runs.iter().flatten().filter_map(|ran: &crate::evolve::evaluate::Ran| ran.values[column]);
            Figure::mean(&healthy.collect::<Vec<f64>>())
        };
        let points = values.iter().enumerate().map(|(case, runs)| (at(case), mean(runs))).collect();
        found.push(Found { label: line.label.into(), points });
    }
    progress.finish();

    let base = load(registry, curve.text, entry.name, &[])?;
    let slider = &curve.slider;
    let name = |at: f64| {
        format!(
            "{}{}",
            format::plain(at),
            if slider.unit.is_empty() { String::new() } else { format!(" {}", slider.unit) }
        )
    };
    let side = |start: &crate::demo::Start| {
        let line = &curve.lines[start.line];
        let words: Vec<String> =
            [line.label.to_string(), name(start.at)].into_iter().filter(|w| !w.is_empty()).collect();
        let sets = [pairs(line), vec![(slider.key.to_string(), format::plain(start.at))]].concat();
        Side { label: words.join(", "), values: Vec::new(), sets, line: line.label.into() }
    };
    let (low, high, step) = slider.range;
    let dial = Dial { key: slider.key.into(), label: slider.label.into(), unit: slider.unit.into(), low, high, step };
    let sides: Vec<Side> = curve.start.iter().map(side).collect();
    let files = if simulator.is_some() { Vec::new() } else { recorded(registry, (entry, curve), &sides)? };
    let crowds = Crowds {
        replays: files.iter().collect(),
        columns: Wish::all(&base),
        lab: Lab::new(&base, 0, 0, sides).map(|lab| lab.dialled(dial).written(curve.text, &[])),
        curve: Some(drawn(curve, &found)),
        ..Crowds::default()
    };
    let untrusted =
        (refused > 0).then(|| format!("{refused} of {runs} runs could not be trusted and are left out of the curve."));
    let draft = base.draft_step_s().map(|step| {
        format!(
            "So that this page is made in seconds, a step is {} s, longer than the model's own: a draft.",
            format::plain(step)
        )
    });
    let doubts: Vec<String> = untrusted.into_iter().chain(draft).collect();
    let sentences = [(curve.seen)(&found), curve.why.to_string(), (curve.beside)(&found)];
    Ok(page::play(&base.title, &crowds, simulator, (&question(entry), &told(entry, &sentences, &doubts))))
}

/// The two crowds at the start, recorded: each has a place of its own, so that each is a recording.
fn recorded(
    registry: &Registry,
    (entry, curve): (&Entry<MakeDemo>, &Curve),
    sides: &[Side],
) -> Result<Vec<crate::replay::ReplayFile>, Error> {
    let one = |side: &Side| {
        let experiment = load(registry, curve.text, entry.name, &side.sets)?;
        let mut file = super::play::recorded(&experiment, 0, &[(side.label.clone(), experiment.start.clone())])?;
        file.case.clone_from(&side.label);
        Ok(file)
    };
    sides.iter().map(one).collect()
}

fn drawn(curve: &Curve, found: &[Found]) -> Value {
    let figure = |f: &Figure| json!([f.value, f.low, f.high]);
    let line = |f: &Found| json!({ "label": f.label, "points": f.points.iter().map(|(x, y)| json!([x, figure(y)])).collect::<Vec<_>>() });
    let (low, high, step) = curve.slider.range;
    json!({
        "lines": found.iter().map(line).collect::<Vec<_>>(),
        "known": { "label": curve.known.0, "points": curve.known.1 },
        "axis": curve.axis,
        "seeds": curve.seeds,
        "slider": { "label": curve.slider.label, "unit": curve.slider.unit, "low": low, "high": high, "step": step },
    })
}

fn question(entry: &Entry<MakeDemo>) -> Markup {
    html! { p.question { (entry.make.question) } }
}

fn told(entry: &Entry<MakeDemo>, sentences: &[String], doubts: &[String]) -> Markup {
    html! {
        div #curve-place data-place="atlas" { }
        section.demo {
            h2 { "What is seen, and why" }
            @for sentence in sentences { p { (sentence) } }
            @for doubt in doubts { p { (doubt) } }
            p.source { "Source: " (entry.source) ". The curve was computed by crowdtune " (env!("CARGO_PKG_VERSION")) " when this page was made." }
        }
    }
}

fn of_atlas(
    args: &Args,
    registry: &Registry,
    (entry, text): (&Entry<MakeDemo>, &str),
    simulator: Option<&[u8]>,
) -> Result<String, Error> {
    let experiment = load(registry, text, entry.name, &[])?;
    let never = AtomicBool::new(false);
    let progress = Counter::new(entry.name, experiment.search.evaluations, args.quiet);
    let mut see = |_: &Trial, _: bool| progress.step();
    let pool = Pool::new(&experiment, args.threads.count(), &never)?;
    let finished: Finished = evolve(&experiment, &pool, &mut MemoryLog::default(), &mut see, &never)?;
    progress.finish();
    let results = Results::new(&experiment, &finished);
    let summary: Summary = results.summary();
    let run = Run::new(&summary, &finished.trials, &experiment.space, &[]).of(&experiment);
    let mut data = charts::data(&run);
    // Of this search the map is the point.
    for (part, nothing) in [("targets", json!([])), ("importance", json!([])), ("valleys", Value::Null)] {
        data[part] = nothing;
    }
    data["trials"]["rows"] = json!([]);
    let best = experiment.space.decode(results.recommended());
    let sides =
        vec![Side::new("defaults", &experiment, &experiment.defaults), Side::new("recommended", &experiment, &best)];
    let lab = Lab::new(&experiment, 0, 0, sides);
    let start = [("defaults".to_string(), experiment.defaults.clone()), ("recommended".to_string(), best)];
    let file = if simulator.is_some() { None } else { Some(super::play::recorded(&experiment, 0, &start)?) };
    let crowds = Crowds {
        replays: file.iter().collect(),
        columns: Wish::all(&experiment),
        lab,
        charts: Some(data),
        ..Crowds::default()
    };
    let sentences = crate::demo::of_map(&summary);
    Ok(page::play(&experiment.title, &crowds, simulator, (&question(entry), &told(entry, &sentences, &[]))))
}
