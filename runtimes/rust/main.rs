//! Walks the crowd of a place and writes its tracks as PedPy reads them: `cargo run --release [PLACE.json [SECONDS]]`.

mod crowdtune;

use std::fmt::Write as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let place = words.next().unwrap_or_else(|| "place.json".into());
    let seconds: f64 = words.next().map_or(Ok(60.0), |word| word.parse())?;
    let read = |name: &str| -> Result<serde_json::Value, Box<dyn std::error::Error>> {
        let text = std::fs::read_to_string(name).map_err(|e| format!("{name}: {e}"))?;
        Ok(serde_json::from_str(&text).map_err(|e| format!("{name}: {e}"))?)
    };
    let mut crowd = crowdtune::load(&read("preset.json")?, &read(&place)?)?;
    let all = crowd.people.len();
    let mut tracks = format!("# framerate: {} fps\n# x/y/z in m\n# id frame x y z\n", 1.0 / crowd.dt);
    let mut frame = 0;
    while crowd.time_s < seconds && !crowd.people.is_empty() {
        for person in &crowd.people {
            writeln!(tracks, "{} {frame} {:.4} {:.4} 0.0", person.id, person.pos.x, person.pos.y)?;
        }
        crowd.step();
        frame += 1;
    }
    std::fs::write("tracks.txt", tracks)?;
    println!("{} of {all} people left within {:.1} s; tracks.txt has everybody's way", all - crowd.people.len(), crowd.time_s);
    Ok(())
}
