//! `crowdtune fit`: from recorded tracks to fitted models.

use super::options::Threads;
use super::progress::Progress;
use super::recorded::{Reading, above_zero};
use super::{input, interrupt, models, output};
use crate::evolve::baselines::{Without, errors};
use crate::evolve::config::asked;
use crate::evolve::experiment::Experiment;
use crate::evolve::run::check;
use crate::folder::{Options, read_preset, run_to_folder};
use crate::format;
use crate::registry::Registry;
use crate::report::table;
use crate::track_fit::report::{Fit, Fitted, Refused, verdict};
use crate::track_fit::{
    AIMS, Asked, Range, Search, StraightOn, Taken, all_known, around, estimate, experiment, searched, sides,
};
use clap::Args as ClapArgs;
use crowdtune_core::registry::Entry;
use crowdtune_core::{Class, Error};
use crowdtune_sim::metrics::Place;
use crowdtune_sim::models::MakeModel;
use crowdtune_sim::world::scenario::{Polygon, Segment};
use crowdtune_sim::world::{FieldCache, World};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A loss of 1 where walking straight on has no error, m2. Chosen here: a mean distance of a decimeter.
const LEAST_SCALE_M2: f64 = 0.01;

/// Fit models to recorded tracks, and check them on people and times that the search did not see
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
  crowdtune fit walks.txt
  crowdtune fit obsmat.txt --columns frame,id,x,_,y --fps 25 --unit m --models all --evaluations 60

DIR gets the tracks as text, an experiment and a run folder (best.json, report.html) for each model, fit.json and fit.md. The
experiments run again with `crowdtune evolve`. Every 4th person and the last quarter of the time are held out: they are
reported and never searched on. Who is held out still walks among the others.")]
pub struct Args {
    /// Tracks as text, a sqlite file of JuPedSim, or HDF5 of the Juelich archive
    tracks: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// Models to fit; several as NAME,NAME or with several --models, `all`: every one that can run there [default: social_force]
    #[arg(long = "models", visible_alias = "model", value_name = "NAME", value_delimiter = ',')]
    models: Vec<String>,
    /// Search a constant within this range, in place of the range of the list; of constants that are not searched otherwise too
    #[arg(long = "search", value_name = "KEY=LOW..HIGH", value_parser = Range::parse)]
    ranges: Vec<Range>,
    /// Where everybody wants to go, round walls: "[[x, y], [x, y]]" is a line, more points an area; of several --to that which is
    /// nearest to where the own track ends [default: straight to where the own track ends]
    #[arg(long, value_name = "PLACE")]
    to: Vec<String>,
    /// What is tuned: distances from the tracks, the entropy of the errors, or what the whole crowd does that walks from where it came in;
    /// `macroscopic` is flow, n_t, density_map and fundamental_diagram; several as NAME,NAME
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "tracks", value_parser = AIMS)]
    tune: Vec<String>,
    /// Where flows are measured: "[[x, y], [x, y]]" [default: proposed, as in a door]
    #[arg(long, value_name = "LINE")]
    line: Option<String>,
    /// Where densities and speeds are measured: "[[x, y], [x, y], [x, y], ...]" [default: 0.5 to 2.5 m before the line]
    #[arg(long, value_name = "AREA")]
    area: Option<String>,
    /// Everybody is put back onto the tracks this often: how far ahead is predicted
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    restart_every: f64,
    /// Who somebody walks among: the others as they walk in the run, or each person among the others as they were recorded
    #[arg(long, value_name = "HOW", default_value = "together", value_parser = ["together", "one"])]
    walk: String,
    /// Body radius of everybody, m; where people come closer, it is lowered to half of the distance that 1 % fall below
    #[arg(long, value_name = "M", default_value_t = 0.2)]
    radius: f64,
    /// Of so many people, by id, one is held out
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=1000))]
    held_out_one_in: u32,
    /// Share of the time at the end that is held out
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    held_out_time: f64,
    /// Candidates of each model
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    evaluations: u64,
    /// Estimate the constants with 90 % intervals too: everybody's desired speed and state at each restart together with them
    #[arg(long)]
    estimate: bool,
    /// Seed of the searches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Folder for everything that is written [default: results/fit-NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Continue a fit that was stopped, or extend it with more --evaluations or models
    #[arg(long)]
    resume: bool,
    /// No progress
    #[arg(long)]
    quiet: bool,
    /// Print fit.json
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// What the user has to mend; that no model found anything valid; that it was interrupted.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let cancel = interrupt::flag();
    checked(args)?;
    let usual = ["social_force".to_string()];
    let asked = if args.models.is_empty() { &usual[..] } else { &args.models[..] };
    let (models, all) = models::named(registry, asked)?;
    all_known(&args.ranges, &models)?;
    let name = format::file_stem(&args.tracks.file_stem().unwrap_or_default().to_string_lossy());
    let folder = args.out.clone().unwrap_or_else(|| Path::new("results").join(format!("fit-{name}")));
    empty(&folder, args.resume)?;
    let (taken, odd) = take(args)?;
    for said in taken.estimated() {
        output::say(said);
    }
    let mut fit = Fit::new(args.tracks.display().to_string(), &taken, odd);
    let mut plans = Vec::new();
    for &model in &models {
        match plan(args, registry, &taken, model, &name) {
            Ok(plan) => plans.push(plan),
            // Of all models those that can run are fitted; one that was asked for has to.
            Err(why) if all => refuse(&mut fit, model, &why),
            Err(why) => return Err(why.file(args.tracks.display().to_string())),
        }
    }
    if plans.is_empty() {
        return Err(Error::nothing("no model can run there").file(args.tracks.display().to_string()));
    }
    plans.iter().try_for_each(|plan| plan.unchanged(&folder))?;
    input::write(&folder.join(tracks_file(&name)), taken.text().as_bytes())?;
    for plan in &plans {
        input::write(&folder.join(&plan.file), plan.text.as_bytes())?;
    }
    let mut failed = None;
    for plan in &plans {
        match one(args, registry, (&taken, plan), &folder, &cancel) {
            Ok(fitted) => fit.models.push(fitted),
            Err(why) if why.class() == Class::Nothing && models.len() > 1 => {
                refuse(&mut fit, plan.model, &why);
                failed = Some(why);
            }
            Err(why) => return Err(why),
        }
        write(&fit, &folder)?;
    }
    match failed {
        Some(why) if fit.models.is_empty() => Err(why),
        _ => show(args, &fit, &folder),
    }
}

fn checked(args: &Args) -> Result<(), Error> {
    args.reading.check()?;
    above_zero("--restart-every", Some(args.restart_every))?;
    if !(0.05..=5.0).contains(&args.radius) {
        return Err(Error::input(format!("a radius of {} m", args.radius)).key("--radius").allowed("0.05 to 5 m"));
    }
    if !(args.held_out_time > 0.0 && args.held_out_time < 1.0) {
        return Err(Error::input(format!("a share of {} is held out", args.held_out_time))
            .key("--held-out-time")
            .allowed("above 0 and below 1")
            .help("0.25 is the last quarter of the time"));
    }
    Ok(())
}

/// Refuses a folder that holds files, unless a fit goes on there.
fn empty(folder: &Path, resume: bool) -> Result<(), Error> {
    let taken = std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some());
    if taken && !resume {
        return Err(Error::input("the folder holds files already, and they are left as they are")
            .file(folder.display().to_string())
            .help("continue with --resume, or choose another folder with --out"));
    }
    Ok(())
}

/// Reads the recording and estimates its people.
fn take(args: &Args) -> Result<(Taken, Vec<String>), Error> {
    let (mut recording, shapes) = args.reading.read(&args.tracks)?;
    recording.forget_absent();
    if shapes.is_none() && args.reading.periodic.is_some() {
        return Err(Error::input("a ring is closed over the extent of its geometry, and there is none")
            .key("--periodic")
            .help("give --geometry \"POLYGON ((x y, ...))\""));
    }
    let given = shapes.unwrap_or_default();
    let (plan, odd) = args.reading.place(&args.tracks, &recording, given.clone())?;
    let no_place = given.polygons.is_empty() && given.segments.is_empty();
    let shapes = if no_place { around(&recording, args.radius) } else { given };
    let wish = Asked {
        restart_every_s: args.restart_every,
        among_recorded: args.walk == "one",
        radius_m: args.radius,
        held_out_one_in: args.held_out_one_in,
        held_out_time: args.held_out_time,
        to: args.to.iter().map(|to| asked::place(to)).collect::<Result<_, _>>().map_err(|e| e.key("--to"))?,
        periodic: args.reading.periodic.clone(),
        tune: args.tune.clone(),
        line: args.line.as_deref().map(line).transpose()?,
        area: args.area.as_deref().map(area).transpose()?,
    };
    let world = World::new(plan, &mut FieldCache::default())?;
    let taken = Taken::new(recording, (shapes, no_place), &world, wish);
    taken.map(|taken| (taken, odd)).map_err(|e| e.file(args.tracks.display().to_string()))
}

fn line(text: &str) -> Result<Segment, Error> {
    match asked::place(text).map_err(|e| e.key("--line"))? {
        Place::Line(line) => Ok(line),
        Place::Area(_) => {
            Err(Error::input("this is an area").key("--line").allowed("two points: \"[[x, y], [x, y]]\""))
        }
    }
}

fn area(text: &str) -> Result<Polygon, Error> {
    match asked::place(text).map_err(|e| e.key("--area"))? {
        Place::Area(area) => Ok(area),
        Place::Line(_) => Err(Error::input("this is a line")
            .key("--area")
            .allowed("three points or more: \"[[x, y], [x, y], [x, y]]\"")),
    }
}

/// What one model runs.
struct Plan {
    model: &'static Entry<MakeModel>,
    /// Name of the experiment file in the folder.
    file: String,
    text: String,
}

impl Plan {
    /// Name of the preset with the estimated constants in the folder.
    fn preset(&self) -> String {
        self.file.replace(".toml", "-estimate.json")
    }

    /// Refuses to write over an experiment that says something else, but for the number of evaluations, which `--resume` extends.
    fn unchanged(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(&self.file);
        let Ok(before) = std::fs::read_to_string(&path) else { return Ok(()) };
        let kept = |line: &&str| !line.starts_with("evaluations = ");
        if before.lines().filter(kept).eq(self.text.lines().filter(kept)) {
            return Ok(());
        }
        Err(Error::input(
            "the experiment is not what this command would write: it was edited, or made with other options",
        )
        .file(path.display().to_string())
        .help("run it with `crowdtune evolve`, give the same options, or choose another folder with --out"))
    }
}

fn tracks_file(name: &str) -> String {
    format!("{name}.txt")
}

/// The experiment of one model, if it can run there.
fn plan(
    args: &Args,
    registry: &Registry,
    taken: &Taken,
    model: &'static Entry<MakeModel>,
    name: &str,
) -> Result<Plan, Error> {
    if searched(model, &args.ranges).is_empty() {
        return Err(Error::input(format!("{} has no constant that tracks could tell", model.name))
            .help("name some with --search KEY=LOW..HIGH"));
    }
    let file = format!("{name}-{}.toml", model.name);
    let search = Search { evaluations: args.evaluations, seed: args.seed, ranges: &args.ranges };
    let text = |straight_on: &StraightOn| experiment(taken, model, (name, &tracks_file(name)), &search, straight_on);
    let load = |text: &str| {
        Experiment::load(registry, text, &file, &[], &mut |_| Ok(taken.text().into_bytes())).and_then(|loaded| {
            check(&loaded)?;
            Ok(loaded)
        })
    };
    let first = load(&text(&StraightOn { track_error_m2: 1.0, entropy_bits: 0.0 }))?;
    let straight_on = errors(&first, &first.cases[0], Without::Straight);
    let value = |name: &str| {
        let at = first.columns.iter().position(|column| column.name == name)?;
        // Three digits: it only sets the scale of the loss.
        straight_on.values[at].map(|value| format::number(value).parse().unwrap_or(value))
    };
    if taken.asked.tunes("entropy") && value("entropy").is_none() {
        return Err(Error::input("all errors of people who walk straight on lie on one line, so they have no entropy")
            .key("--tune")
            .help("leave `entropy` out"));
    }
    let text = text(&StraightOn {
        track_error_m2: value("tuned").filter(|error| *error > 0.0).unwrap_or(LEAST_SCALE_M2),
        entropy_bits: value("entropy").unwrap_or(0.0),
    });
    load(&text)?;
    Ok(Plan { model, file, text })
}

/// Searches, reports, and compares with people without a model.
fn one(
    args: &Args,
    registry: &Registry,
    (taken, plan): (&Taken, &Plan),
    folder: &Path,
    cancel: &AtomicBool,
) -> Result<Fitted, Error> {
    let since = Instant::now();
    let path = folder.join(&plan.file);
    let loaded = input::experiment(registry, &path, &[])?;
    let run_folder = folder.join(plan.model.name);
    let options = Options { threads: args.threads.count(), resume: args.resume };
    if !args.quiet {
        output::say(format_args!("{}:", plan.model.name));
    }
    let mut progress = Progress::new(args.quiet);
    let ran = run_to_folder(&loaded, &run_folder, options, &mut progress, cancel);
    progress.finish();
    let summary = ran?.summary;
    let tuned: Vec<f64> = summary.genes.iter().map(|gene| gene.tuned).collect();
    let sides = sides(&loaded, &tuned)?;
    let (estimate, not_estimated) = if args.estimate {
        match estimate(&loaded, &tuned, taken, cancel) {
            Ok(estimate) => (Some(estimate), None),
            Err(why) if why.class() == Class::Interrupted => return Err(why),
            Err(why) => (None, Some(why.what().to_string())),
        }
    } else {
        (None, None)
    };
    if let Some(estimate) = &estimate {
        let (best, _) = read_preset(registry, &run_folder.join("best.json"))?;
        let preset = estimate.preset(best, plan.model);
        let text = serde_json::to_string_pretty(&preset).expect("a document of numbers and words");
        input::write(&folder.join(plan.preset()), format!("{text}\n").as_bytes())?;
    }
    Ok(Fitted {
        model: plan.model.name.to_string(),
        experiment: path.display().to_string(),
        folder: run_folder.display().to_string(),
        evaluations: summary.evaluations,
        failures: summary.failures,
        published_kept: summary.recommended.is_none() && !summary.proposed,
        seconds: since.elapsed().as_secs_f64(),
        verdict: verdict(plan.model.name, &sides),
        constants: summary.genes,
        estimate,
        not_estimated,
        sides,
    })
}

fn refuse(fit: &mut Fit, model: &Entry<MakeModel>, why: &Error) {
    output::say(format_args!("note: {} is not fitted: {}", model.name, why.what()));
    fit.refused.push(Refused { model: model.name.to_string(), why: why.what().to_string() });
}

fn json(fit: &Fit) -> String {
    serde_json::to_string_pretty(fit).expect("a document of numbers and words")
}

fn write(fit: &Fit, folder: &Path) -> Result<(), Error> {
    input::write(&folder.join("fit.json"), format!("{}\n", json(fit)).as_bytes())?;
    input::write(&folder.join("fit.md"), fit.markdown().as_bytes())
}

/// What came out, on stdout.
fn show(args: &Args, fit: &Fit, folder: &Path) -> Result<(), Error> {
    if args.json {
        return output::line(json(fit));
    }
    for at in 0..fit.parts.len() {
        let (head, rows) = fit.table(at);
        output::colored(&(table::plain(&head, &rows, output::terminal()) + "\n"))?;
    }
    for fitted in &fit.models {
        if let Some(estimate) = &fitted.estimate {
            let (head, rows) = estimate.table(&fitted.model);
            output::colored(&(table::plain(&head, &rows, output::terminal()) + "\n"))?;
        }
    }
    for said in fit.said() {
        output::colored(&table::wrapped(&said, "", output::terminal()))?;
    }
    output::line(format_args!("Written: {}", folder.join("fit.md").display()))
}
