//! Whatever reads bytes from outside, one function each: what the tests of hostile files and the fuzz targets feed.

use super::ask_tell;
use super::evaluate::request;
use super::import;
use super::pipe::Pipe;
use crate::evolve::log::{self, Chain};
use crate::evolve::sensitivity::Design;
use crate::preset::Preset;
use crate::registry::Registry;
use crate::replay::ReplayFile;
use crate::report::{RunTable, page};
use crate::tracks;
use crate::wkt;
use crate::{Experiment, no_files};
use clap::{Args as _, Command, FromArgMatches as _};
use crowdtune_core::Error;
use crowdtune_sim::crowd::recording::Known;
use crowdtune_sim::world::HeightGrid;
use serde::Serialize;
use std::path::Path;

/// A reader of the program.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// What it reads; also the folder of its examples, `fuzz/corpus/NAME`, and its fuzz target.
    pub name: &'static str,
    /// Reads bytes, and gives what it understood, written again.
    pub read: fn(&[u8]) -> Result<Vec<u8>, Error>,
    /// True if what is written again is read as the same: nothing was understood that the bytes do not say.
    pub round: bool,
}

/// All of them.
pub static READERS: [Reader; 20] = [
    Reader { name: "experiment", read: experiment, round: true },
    Reader { name: "log", read: log, round: true },
    Reader { name: "preset", read: preset, round: true },
    Reader { name: "tracks", read: tracks_text, round: false },
    Reader { name: "sqlite", read: tracks_sqlite, round: false },
    Reader { name: "archive", read: tracks_archive, round: false },
    Reader { name: "sample", read: sample, round: false },
    Reader { name: "wkt", read: geometry, round: false },
    Reader { name: "heights", read: heights, round: false },
    Reader { name: "ask_tell", read: ask_tell_lines, round: false },
    Reader { name: "evaluate", read: evaluate_lines, round: false },
    Reader { name: "design", read: design, round: true },
    Reader { name: "replay", read: replay_file, round: true },
    Reader { name: "run_table", read: run_table, round: true },
    Reader { name: "dxf", read: dxf, round: false },
    Reader { name: "geojson", read: geojson, round: false },
    Reader { name: "obj", read: obj, round: false },
    Reader { name: "jupedsim", read: jupedsim, round: false },
    Reader { name: "jupedsim_scenarios", read: jupedsim_scenarios, round: false },
    Reader { name: "behaviorsearch", read: behaviorsearch, round: false },
];

/// What is varied where a line or a file belongs to an experiment.
const TINY: &str = r#"
model = "social_force"
parameters.relaxation_time_s = { range = [0.1, 2.0] }
parameters.injury_forces = { choices = ["contact", "all"] }
scenario.room = { kind = "room", count = 1, width_m = 5.0, depth_m = 5.0, limit_s = 1.0 }
"#;

fn text(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|e| Error::input(e.to_string()))
}

fn debug(value: &impl std::fmt::Debug) -> Vec<u8> {
    format!("{value:?}").into_bytes()
}

fn json<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value).map_err(|e| Error::input(e.to_string()))
}

fn experiment(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let experiment = Experiment::load(&Registry::builtin(), text(bytes)?, "experiment", &[], &mut no_files)?;
    Ok(experiment.resolved.into_bytes())
}

fn log(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let log = log::parse(bytes, "log")?;
    let mut chain = Chain::default();
    let header = chain.line(&log.header);
    Ok(log.trials.iter().fold(header, |lines, trial| [lines, chain.line(trial)].concat()))
}

fn preset(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    json(&Preset::parse(bytes, "preset", &Registry::builtin().models)?)
}

fn tracks_text(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    tracks::text(text(bytes)?, Path::new("tracks"), &Known::default()).map(|recording| debug(&recording))
}

/// SQLite reads files only.
fn tracks_sqlite(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let file =
        std::env::temp_dir().join(format!("crowdtune-{}-{:?}.sqlite", std::process::id(), std::thread::current().id()));
    std::fs::write(&file, bytes).map_err(|e| Error::environment(e.to_string()))?;
    let read = tracks::read(&file, &Known::default());
    // The next bytes overwrite what cannot be removed.
    let _ = std::fs::remove_file(&file);
    read.map(|recording| debug(&recording))
}

fn tracks_archive(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    tracks::archive(bytes.to_vec(), &Known::default()).map(|recording| debug(&recording))
}

fn sample(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let target =
        |like: &str| format!("{TINY}target.gap = {{ metric = \"time_gap_mean_s\", like = {like}, tolerance = 0.1 }}\n");
    let load =
        |like: &str| Experiment::load(&Registry::builtin(), &target(like), "sample", &[], &mut |_| Ok(bytes.to_vec()));
    let read = load("\"file\"").or_else(|_| load("{ file = \"file\", column = 2 }"))?;
    Ok(debug(&read.targets().collect::<Vec<_>>()))
}

fn geometry(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    wkt::parse(text(bytes)?).map(|shapes| debug(&shapes))
}

fn heights(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    HeightGrid::parse(text(bytes)?, 1.0, None).map(|grid| debug(&grid))
}

fn ask_tell_lines(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let matches = ask_tell::Args::augment_args(Command::new("ask-tell")).get_matches_from(["ask-tell"]);
    let args = ask_tell::Args::from_arg_matches(&matches).map_err(|e| Error::input(e.to_string()))?;
    let mut said = Vec::new();
    ask_tell::serve(&args, &Registry::builtin(), &mut &*bytes, &mut said)?;
    Ok(said)
}

fn evaluate_lines(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let experiment = Experiment::load(&Registry::builtin(), TINY, "tiny", &[], &mut no_files)?;
    let (mut from, mut said, mut read) = (bytes, Vec::new(), Vec::new());
    let mut pipe = Pipe::new(&mut from, &mut said);
    while let Some(line) = pipe.read("docs/evaluate.md")? {
        read.push(request::Request::read(line, &experiment).map_err(|e| pipe.here(e))?);
    }
    Ok(debug(&read))
}

fn design(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    json(&serde_json::from_slice::<Design>(bytes).map_err(|e| Error::input(e.to_string()))?)
}

fn replay_file(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let file: ReplayFile = serde_json::from_slice(bytes).map_err(|e| Error::input(e.to_string()))?;
    page::replay(&file);
    json(&file)
}

fn run_table(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    RunTable::parse(text(bytes)?).map(|table| table.csv().into_bytes()).map_err(Error::input)
}

fn dxf(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let layers = ["--layer", "A-WALL=wall", "--layer", "A-DOOR=door", "--layer", "A-FLOR=start"];
    import::read("dxf", &[&["--unit", "m"], &layers[..]].concat(), bytes)
}

fn geojson(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    import::read("geojson", &["--unit", "m"], bytes)
}

/// A model with y up that has walls, else one with z up that has a floor.
fn obj(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let walls = ["--up", "y", "--layer", "walls=wall", "--layer", "exit=door", "--layer", "start=start"];
    let floor = ["--up", "z", "--layer", "Floor=walkable", "--layer", "Wall_E1=wall", "--layer", "Door=door"];
    let read = |options: &[&str]| import::read("obj", &[&["--unit", "m"], options].concat(), bytes);
    read(&walls).or_else(|_| read(&floor))
}

fn jupedsim(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    import::read("jupedsim", &[], bytes)
}

fn jupedsim_scenarios(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    import::read("jupedsim_scenarios", &["--force"], bytes)
}

fn behaviorsearch(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let map = [
        "vision=range_diameters",
        "turn=turn_limit_deg",
        "strategies?=collision_strategies",
        "seen=perceives",
        "weight=separation_weight",
    ];
    let map: Vec<&str> = map.iter().flat_map(|map| ["--map", map]).collect();
    import::read("behaviorsearch", &[&["--model", "five_force"], &map[..]].concat(), bytes)
}
