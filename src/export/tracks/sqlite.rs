//! Tracks as JuPedSim writes them: sqlite, version 2.

use super::place;
use crate::preset::Walked;
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::world::scenario::Scenario;
use rusqlite::{Connection, MAIN_DB, params};

const TABLES: &str = "
    CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT NULL,
        ori_x REAL NOT NULL, ori_y REAL NOT NULL);
    CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
    CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
    CREATE INDEX frame_id_idx ON trajectory_data(frame, id);
    CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
";

/// Number of the only geometry.
const GEOMETRY: i64 = 1;

/// The database as a file. Its geometry is what people can walk on, if there is such an area: JuPedSim and PedPy take no bare walls.
pub fn database(walked: &Walked, scenario: &Scenario, about: &[String]) -> Result<Vec<u8>, Error> {
    written(walked, scenario, about).map_err(|e| Error::environment(format!("no sqlite file can be made: {e}")))
}

fn written(walked: &Walked, scenario: &Scenario, about: &[String]) -> rusqlite::Result<Vec<u8>> {
    let track = &walked.track;
    let mut db = Connection::open_in_memory()?;
    let change = db.transaction()?;
    change.execute_batch(TABLES)?;
    {
        let mut row = change.prepare("INSERT INTO trajectory_data VALUES (?, ?, ?, ?, ?, ?)")?;
        let mut facing: Vec<(Vec2, Vec2)> = Vec::new();
        for (number, frame) in track.frames.iter().enumerate() {
            for (&id, &p) in frame.id.iter().zip(&frame.pos) {
                // The way since the last frame; before anybody has moved, east.
                facing.resize(facing.len().max(id as usize + 1), (p, vec2(1.0, 0.0)));
                let (before, way) = facing[id as usize];
                let way = (p - before).unit().unwrap_or(way);
                facing[id as usize] = (p, way);
                row.execute(params![number as i64, id, p.x, p.y, way.x, way.y])?;
            }
        }
        let mut of_frame = change.prepare("INSERT INTO frame_data VALUES (?, ?)")?;
        for number in 0..track.frames.len() {
            of_frame.execute(params![number as i64, GEOMETRY])?;
        }
    }
    let all = || track.frames.iter().flat_map(|frame| &frame.pos);
    let (low, high) = (f64::min as fn(f64, f64) -> f64, f64::max as fn(f64, f64) -> f64);
    let end = |of: fn(&Vec2) -> f64, pick: fn(f64, f64) -> f64| all().map(of).reduce(pick).unwrap_or_default();
    for (key, value) in [
        ("version", "2".to_string()),
        ("fps", (1.0 / track.every_s).to_string()),
        ("xmin", end(|p| p.x, low).to_string()),
        ("xmax", end(|p| p.x, high).to_string()),
        ("ymin", end(|p| p.y, low).to_string()),
        ("ymax", end(|p| p.y, high).to_string()),
        ("source", about.join("\n")),
    ] {
        change.execute("INSERT INTO metadata VALUES (?, ?)", params![key, value])?;
    }
    if let Some(area) = place::area(track, scenario) {
        change.execute("INSERT INTO geometry VALUES (?, ?)", params![GEOMETRY, area])?;
    }
    change.commit()?;
    Ok(db.serialize(MAIN_DB)?.to_vec())
}
