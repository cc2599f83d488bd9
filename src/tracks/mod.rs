//! Reading recorded tracks from disk: text as PedPy has it, the sqlite file that JuPedSim writes, or HDF5 of the Juelich archive.

mod hdf5;

pub use hdf5::archive;

use crate::files;
use crate::wkt::{self, Shapes};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_sim::crowd::recording::{Known, Recording, Row};
use crowdtune_sim::world::custom::{CustomGroup, CustomPlace, Rings, Ties, Wish};
use crowdtune_sim::world::scenario::{FloorPlan, Navigation, Spawn};
use rusqlite::{Connection, OpenFlags, OptionalExtension as _};
use std::path::Path;

/// The first bytes of every sqlite file.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Reads a recording, with the geometry that is in the file, if any.
///
/// # Errors
/// If the file cannot be read, or the first mistake in it.
pub fn read(path: &Path, known: &Known) -> Result<(Recording, Option<Shapes>), Error> {
    let bytes = files::read(path)?;
    let name = path.display().to_string();
    if bytes.starts_with(SQLITE) {
        return jupedsim(path, known).map_err(|e| located(e, path));
    }
    if bytes.starts_with(hdf5::HDF5) {
        return archive(bytes, known).map_err(|e| located(e, path));
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        Error::input("neither a text file (UTF-8), nor sqlite, nor HDF5")
            .file(name)
            .help("give rows of `id frame x y`, the sqlite file of JuPedSim, or an HDF5 file of the Juelich archive")
    })?;
    self::text(&text, path, known).map(|recording| (recording, None))
}

/// Reads a recording as PedPy writes it; the path is only named in errors.
///
/// # Errors
/// The first mistake in it.
pub fn text(text: &str, path: &Path, known: &Known) -> Result<Recording, Error> {
    Recording::parse(text, &path.display().to_string(), known).map_err(|e| located(e, path))
}

/// Adds the file to an error about a recording, and calls its key as the option that sets it.
pub fn located(error: Error, path: &Path) -> Error {
    let option = |key: String| match key.as_str() {
        "fps" | "unit" | "columns" => format!("--{key}"),
        _ => key,
    };
    error.key_as(option).file(path.display().to_string())
}

/// Reads the tables `trajectory_data`, `metadata` and `geometry`; meters. Of several geometries the first one counts.
fn jupedsim(path: &Path, known: &Known) -> Result<(Recording, Option<Shapes>), Error> {
    let not_ours = |e: rusqlite::Error| {
        Error::input(format!("this is not an sqlite file of JuPedSim: {e}"))
            .help("it needs the tables trajectory_data (frame, id, pos_x, pos_y) and metadata (key, value)")
    };
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(not_ours)?;
    let fps = match known.fps {
        Some(fps) => fps,
        None => {
            let text: String = db
                .query_row("SELECT CAST(value AS TEXT) FROM metadata WHERE key = 'fps'", [], |row| row.get(0))
                .map_err(|e| not_ours(e).key("fps"))?;
            text.trim().parse().map_err(|_| Error::input(format!("`{text}` is not a frame rate")).key("fps"))?
        }
    };
    let scale = known.unit.map_or(1.0, crowdtune_sim::crowd::recording::Unit::meters);
    let rows = db
        .prepare("SELECT id, frame, pos_x, pos_y FROM trajectory_data")
        .and_then(|mut query| {
            let rows = query.query_map([], |row| {
                let pos = vec2(row.get(2)?, row.get(3)?) * scale;
                Ok(Row { id: row.get(0)?, frame: row.get(1)?, pos, line: 0 })
            })?;
            rows.enumerate().map(|(k, row)| row.map(|row| Row { line: k + 1, ..row })).collect::<Result<Vec<_>, _>>()
        })
        .map_err(not_ours)?;
    let tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'geometry'";
    let has_geometry: i64 = db.query_row(tables, [], |row| row.get(0)).map_err(not_ours)?;
    let geometry: Option<String> = if has_geometry > 0 {
        let query = "SELECT wkt FROM geometry ORDER BY rowid LIMIT 1";
        db.query_row(query, [], |row| row.get(0)).optional().map_err(not_ours)?
    } else {
        None
    };
    let shapes = geometry.map(|text| wkt::parse(&text).map_err(|e| e.key("geometry"))).transpose()?;
    Ok((Recording::of(fps, rows)?, shapes))
}

/// Reads a geometry: well-known text, or the name of a file that holds some.
///
/// # Errors
/// If it is neither.
pub fn geometry(given: &str) -> Result<Shapes, Error> {
    let path = Path::new(given);
    let is_text = given.contains('(');
    if is_text && !path.exists() {
        return wkt::parse(given).map_err(|e| e.key("--geometry"));
    }
    let text = String::from_utf8_lossy(&files::read_document(path)?).into_owned();
    wkt::parse(&text).map_err(|e| e.file(given.to_owned()))
}

/// The place of a recording: polygons are walkable, lines are walls; `periodic` names the axes that are closed to a ring.
///
/// # Errors
/// If nobody is there, or the shapes make no place.
pub fn plan(recording: &Recording, shapes: Shapes, periodic: Option<&str>) -> Result<FloorPlan, Error> {
    let axes = periodic.unwrap_or_default();
    let start = recording.moments.first().map(|m| m.positions.clone()).unwrap_or_default();
    if start.is_empty() {
        return Err(Error::input("no frame of the recording is left to measure").key("--frames"));
    }
    let group = CustomGroup {
        name: "all".into(),
        count: recording.people(),
        from: Spawn::Points(start),
        inflow_per_s: None,
        to: Wish::Visits(Vec::new()),
        ties: Ties::default(),
    };
    let place = CustomPlace {
        walkable: shapes.polygons,
        obstacles: Vec::new(),
        walls: shapes.segments,
        groups: vec![group],
        lines: Vec::new(),
        areas: Vec::new(),
        navigation: Navigation::Straight,
        sight_m: None,
        periodic: Rings { x: axes.contains('x'), y: axes.contains('y') },
    };
    place.build().map(|built| built.plan).map_err(|e| e.help("give --geometry \"POLYGON ((x y, ...))\""))
}
