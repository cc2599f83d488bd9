//! `crowdtune measure`: the metrics of simulations on recorded tracks.

mod interval;
mod show;

use super::recorded::{Reading, above_zero};
use super::{input, options, output, unmeasured};
use crate::evolve::config::asked;
use crate::format;
use crate::registry::Registry;
use crate::report::{page, table};
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::recording::Recording;
use crowdtune_sim::metrics::recorded::{Request, Staging, measure};
use crowdtune_sim::metrics::{At, MakeMetric, Metric, Place, Table, Window};
use crowdtune_sim::world::scenario::FloorPlan;
use std::path::PathBuf;

/// Measure recorded tracks with the metrics of simulations
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Rows of text are `id frame x y`, one person a row; comments start with # and may say `framerate: 25 fps` and
`x/y in m`. Options override what the file says.

  crowdtune simulate door.toml --trajectory door.txt
  crowdtune measure door.txt --metric flow_per_s --metric crossings --at \"[[5, 2], [5, 3]]\" --out results/door

People who are missing in the last frame have left, in the last frame that has them: metrics of evacuation use that. Speeds that no crowd has and rows that are missing inside a track are said on stderr; tracks of
which more than half is faster than a sprint are refused.")]
pub struct Args {
    /// Tracks as text, a sqlite file of JuPedSim, or HDF5 of the Juelich archive
    trajectory: PathBuf,
    /// What to measure (see `crowdtune list metrics`); several as NAME,NAME or with several --metric
    #[arg(long, value_name = "NAME", required = true, value_delimiter = ',')]
    metric: Vec<String>,
    /// Where: "[[x, y], [x, y]]" is a line, more points an area; or LINESTRING or POLYGON as well-known text. Given
    /// several times, every metric is measured at every place of its kind
    #[arg(long, value_name = "PLACE")]
    at: Vec<String>,
    #[command(flatten)]
    reading: Reading,
    /// Measure frames this far apart, s [default: every frame]
    #[arg(long, value_name = "SECONDS")]
    every: Option<f64>,
    /// When: all, steady, "time_s=[10, 40]", "ranks=[0.1, 0.9]" or "crossings=[0.1, 0.9]", of the line that is measured
    /// at, else the first one given with --at [default: the metric's]
    #[arg(long, value_name = "WINDOW")]
    window: Option<String>,
    /// A setting of a metric; `METRIC.KEY=VALUE` is for that metric only
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = input::pair)]
    sets: Vec<(String, String)>,
    /// Body radius of everybody, m; metrics of contact need it
    #[arg(long, value_name = "M")]
    radius: Option<f64>,
    /// Folder for the tables behind the metrics (N(t), maps, ...), as CSV
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Draw the tables behind the metrics; the second picture gets `-2` before the ending
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// Write a page that plays the recording
    #[arg(long, value_name = "FILE.html")]
    replay: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// What the user has to change.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let requests = requests(args, registry)?;
    check(args)?;
    let files: Vec<Option<PathBuf>> =
        (0..requests.len()).map(|k| args.out.as_ref().map(|d| d.join(stem(&requests, k)))).collect();
    for (option, path, written, what) in [
        ("--picture", &args.picture, "svg", "a picture as SVG"),
        ("--replay", &args.replay, "html", "a page that a browser plays"),
    ] {
        path.as_ref().map_or(Ok(()), |path| options::ending(option, path, written, what))?;
    }
    let shown = args.picture.iter().chain(&args.replay);
    files.iter().flatten().chain(shown).try_for_each(|path| input::writable(path))?;
    let (recording, shapes) = args.reading.read(&args.trajectory)?;
    let (plan, odd) = args.reading.place(&args.trajectory, &recording, shapes.unwrap_or_default())?;
    let staging = Staging { plan: plan.clone(), radius_m: args.radius, every_s: args.every };
    let metrics = measure(&recording, staging, &requests, &mut |_, _| ())
        .map_err(|e| e.file(args.trajectory.display().to_string()))?;
    let mut any_table = false;
    for (metric, path) in metrics.iter().zip(&files) {
        if let (Some(path), Some(table)) = (path, metric.table()) {
            any_table = true;
            input::write(path, csv(&table).as_bytes())?;
            output::say(format_args!("table: {}", path.display()));
        }
    }
    if let (Some(folder), false) = (&args.out, any_table) {
        output::say(format_args!(
            "note: none of these metrics has a table, nothing was written to {}",
            folder.display()
        ));
    }
    write_shown(args, &recording, &plan, &requests, &metrics)?;
    let why = requests
        .iter()
        .zip(&metrics)
        .map(|(request, metric)| match metric.value().filter(|x| x.is_finite()) {
            None => unmeasured::reason(&recording, &plan, request, registry).map(Some),
            Some(0.0) => unmeasured::nothing_there(&recording, &plan, request, registry),
            Some(_) => Ok(None),
        })
        .collect::<Result<Vec<_>, _>>()?;
    if args.json {
        return output::line(json(args, &recording, &requests, &metrics, &why, &odd));
    }
    output::colored(&text(&requests, &metrics))?;
    for (request, metric) in requests.iter().zip(&metrics) {
        if let Some(curve) = metric.table().and_then(|table| show::curve(&table, output::terminal())) {
            output::line(format_args!("\n{}", named(request)))?;
            output::colored(&curve)?;
        }
    }
    if requests.iter().zip(&metrics).any(|(request, metric)| interval(request, metric.as_ref()).is_some()) {
        output::say(format_args!("note: intervals are {}", interval::METHOD));
    }
    let bare = requests.iter().enumerate().filter(|(_, request)| request.entry.make.unit.is_empty());
    for (k, Request { entry, .. }) in bare {
        if requests[..k].iter().all(|before| before.entry.name != entry.name) {
            output::say(format_args!("note: `{}` has no unit: {}", entry.name, entry.doc));
        }
    }
    for ((request, metric), why) in requests.iter().zip(&metrics).zip(why) {
        if let Some(why) = why {
            let what = if metric.value() == Some(0.0) { "is 0" } else { "has no value" };
            output::say(format_args!("note: {} {what}: {why}", named(request)));
        }
    }
    Ok(())
}

/// Every metric at every place of its kind.
fn requests(args: &Args, registry: &Registry) -> Result<Vec<Request>, Error> {
    let places = args.at.iter().map(|text| asked::place(text)).collect::<Result<Vec<_>, _>>()?;
    let mut entries: Vec<&'static Entry<MakeMetric>> = Vec::new();
    for name in &args.metric {
        entries.push(
            registry.metrics.get(name).map_err(|e| e.key("--metric").help("`crowdtune list metrics` shows them"))?,
        );
    }
    asked::all_known(&args.sets, &entries)?;
    let mut used = vec![false; places.len()];
    let mut requests = Vec::new();
    for entry in entries {
        let fits = |place: &Place| match entry.make.at {
            At::Nowhere => false,
            At::Line => matches!(place, Place::Line(_)),
            At::Area | At::Region => matches!(place, Place::Area(_)),
        };
        let window = match &args.window {
            Some(text) if entry.make.takes_window || args.metric.len() == 1 => asked::window(text, entry)?,
            _ => entry.make.window,
        };
        let settings = asked::settings(&args.sets, entry)?;
        let mut here: Vec<Option<Place>> = Vec::new();
        for (place, used) in places.iter().zip(&mut used).filter(|(place, _)| fits(place)) {
            *used = true;
            here.push(Some(place.clone()));
        }
        if here.is_empty() {
            here.push(None);
        }
        let window = match (window, places.iter().find(|place| matches!(place, Place::Line(_)))) {
            // The one line of a command times what is measured elsewhere.
            (Window::Crossings { of: None, .. }, Some(line)) if entry.make.at != At::Line => {
                used.iter_mut().zip(&places).filter(|(_, place)| *place == line).for_each(|(used, _)| *used = true);
                asked::timed(window, line)
            }
            (window, _) => window,
        };
        requests.extend(here.into_iter().map(|at| Request { entry, at, window, settings: settings.clone() }));
    }
    if let Some(k) = used.iter().position(|used| !used) {
        let kind = if matches!(places[k], Place::Line(_)) { "a line" } else { "an area" };
        return Err(Error::input(format!("none of these metrics is measured at {kind}"))
            .key(format!("--at \"{}\"", args.at[k]))
            .help("two points are a line, three or more an area; `crowdtune list metrics` says what looks where"));
    }
    Ok(requests)
}

fn check(args: &Args) -> Result<(), Error> {
    above_zero("--radius", args.radius)?;
    above_zero("--every", args.every)?;
    args.reading.check()
}

/// `crossings.csv`; the second place of a metric gets `crossings-2.csv`.
fn stem(requests: &[Request], k: usize) -> String {
    let before = requests[..k].iter().filter(|a| a.entry.name == requests[k].entry.name).count();
    let number = if before == 0 { String::new() } else { format!("-{}", before + 1) };
    format!("{}{number}.csv", requests[k].entry.name)
}

fn csv(table: &Table) -> String {
    let mut out = table.columns.join(",") + "\n";
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|x| if x.is_nan() { String::new() } else { x.to_string() }).collect();
        out += &(cells.join(",") + "\n");
    }
    out
}

/// Writes the pictures and the replay that are asked for.
fn write_shown(
    args: &Args,
    recording: &Recording,
    plan: &FloorPlan,
    requests: &[Request],
    metrics: &[Box<dyn Metric>],
) -> Result<(), Error> {
    if let Some(path) = &args.picture {
        let tables = requests.iter().zip(metrics).filter_map(|(request, metric)| Some((request, metric.table()?)));
        let drawn: Vec<String> = tables.filter_map(|(r, table)| show::picture(r, &table, &place(r))).collect();
        for (number, svg) in drawn.iter().enumerate() {
            let path = show::numbered(path, number);
            input::write(&path, svg.as_bytes())?;
            output::say(format_args!("picture: {}", path.display()));
        }
        if drawn.is_empty() {
            output::say("note: none of these metrics has a table, so there is no picture");
        }
    }
    if let Some(path) = &args.replay {
        let title = args.trajectory.file_name().unwrap_or_default().to_string_lossy();
        let file = show::replay(recording, plan, args.radius, &title, requests);
        input::write(path, page::replay(&file).as_bytes())?;
        output::say(format_args!("replay: {}", path.display()));
    }
    Ok(())
}

/// How sure a value is, where that is known.
fn interval(request: &Request, metric: &dyn Metric) -> Option<(f64, f64)> {
    let width_m = match &request.at {
        Some(Place::Line(line)) => Some((line.b - line.a).length()),
        _ => None,
    };
    interval::interval(metric, width_m)
}

/// The metric, and where.
fn named(request: &Request) -> String {
    let at = if request.at.is_some() { format!(" at {}", place(request)) } else { String::new() };
    format!("`{}`{at}", request.entry.name)
}

fn place(request: &Request) -> String {
    request.at.as_ref().map_or_else(String::new, asked::show)
}

fn text(requests: &[Request], metrics: &[Box<dyn Metric>]) -> String {
    let head = ["measured", "unit", "value", "at"].map(String::from);
    let rows: Vec<Vec<String>> = requests
        .iter()
        .zip(metrics)
        .map(|(request, metric)| {
            let value = metric.value().filter(|x| x.is_finite());
            let (low, high) = interval(request, metric.as_ref()).unzip();
            let value = format::interval(value, low, high);
            vec![request.entry.name.into(), request.entry.make.unit.into(), value, place(request)]
        })
        .collect();
    table::plain(&head, &rows, output::terminal()) + "\n"
}

fn json(
    args: &Args,
    recording: &Recording,
    requests: &[Request],
    metrics: &[Box<dyn Metric>],
    why: &[Option<String>],
    odd: &[String],
) -> String {
    let measured: Vec<_> = requests
        .iter()
        .zip(metrics)
        .zip(why)
        .map(|((request, metric), why)| {
            let settings: serde_json::Map<String, serde_json::Value> = request
                .entry
                .params
                .iter()
                .zip(&request.settings)
                .map(|(param, value)| (param.key.to_string(), serde_json::json!(value)))
                .collect();
            serde_json::json!({
                "metric": request.entry.name,
                "unit": request.entry.make.unit,
                "at": request.at.as_ref().map(asked::show),
                "window": request.window,
                "settings": settings,
                "value": metric.value().filter(|x| x.is_finite()),
                "interval": interval(request, metric.as_ref()).map(|(low, high)| [low, high]),
                "why": why,
                "samples": metric.samples(),
            })
        })
        .collect();
    let ends = [recording.moments.first(), recording.moments.last()].map(|m| m.map_or(0, |m| m.frame));
    let document = serde_json::json!({
        "trajectory": args.trajectory.display().to_string(),
        "frames_per_s": recording.fps,
        "frames": ends,
        "time_s": ends.map(|frame| recording.time_s(frame)),
        "people": recording.people(),
        "intervals": interval::METHOD,
        "warnings": odd,
        "measured": measured,
    });
    serde_json::to_string_pretty(&document).expect("a document of numbers and words")
}
