//! Runs a place of an exported preset. `steer.rs` is what talks to the library; the rest is crowdtune's people and goals.

mod goals;
mod place;
mod steer;

use goals::{Walker, distance};
use place::{PLACES, Place, Point};
use std::error::Error;
use std::fmt::Write as _;
use std::time::Instant;

const USAGE: &str = "cargo run --release -- [PLACE] [--seconds N] [--out FILE.txt] [--compare FILE.txt]";

/// Where everybody is, by step.
type Frames = Vec<Vec<(usize, Point)>>;

struct Args {
    place: &'static Place,
    seconds: f64,
    out: String,
    compare: Option<String>,
}

fn args() -> Result<Args, Box<dyn Error>> {
    let names: Vec<&str> = PLACES.iter().map(|place| place.name).collect();
    let mut all = std::env::args().skip(1).peekable();
    let mut place = &PLACES[0];
    if let Some(name) = all.next_if(|word| !word.starts_with("--")) {
        let found = PLACES.iter().find(|place| place.name == name);
        place = found.ok_or_else(|| format!("no place {name}; there are {}", names.join(", ")))?;
    }
    let mut args = Args { place, seconds: place.limit_s, out: format!("{}.txt", place.name), compare: None };
    while let Some(word) = all.next() {
        let value = all.next().ok_or(USAGE)?;
        match word.as_str() {
            "--seconds" => args.seconds = value.parse()?,
            "--out" => args.out = value,
            "--compare" => args.compare = Some(value),
            _ => return Err(format!("{word} is not known: {USAGE}; places: {}", names.join(", ")).into()),
        }
    }
    Ok(args)
}

fn main() -> Result<(), Box<dyn Error>> {
    let Args { place, seconds, out, compare } = args()?;
    let (mut walkers, mut steer) = (Walker::all(place), steer::Steer::new(place, compare.is_none()));
    let (mut frames, mut left) = (Frames::new(), Vec::new());
    let (begin, mut agent_steps) = (Instant::now(), 0);
    for step in 0..=(seconds / place.time_step_s).round() as usize {
        let here = |(number, walker): (usize, &Walker)| walker.present.then_some((number, walker.at));
        let frame: Vec<_> = walkers.iter().enumerate().filter_map(here).collect();
        let done = frame.is_empty();
        agent_steps += frame.len();
        frames.push(frame);
        if done {
            break;
        }
        let wishes: Vec<_> = walkers.iter().map(|walker| walker.wish(place, step as f64 * place.time_step_s)).collect();
        let velocities = steer.step(&walkers, &wishes);
        for (walker, velocity) in walkers.iter_mut().zip(velocities).filter(|(walker, _)| walker.present) {
            walker.step(place, velocity);
            if !walker.present {
                left.push((step + 1) as f64 * place.time_step_s);
            }
        }
    }
    let spent = begin.elapsed().as_secs_f64();

    let mut text = format!("# framerate: {} fps\n# x/y/z in m\n# id frame x y z\n", 1.0 / place.time_step_s);
    for (number, frame) in frames.iter().enumerate() {
        for (id, [x, y]) in frame {
            writeln!(text, "{id} {number} {x:.4} {y:.4} 0.0")?;
        }
    }
    std::fs::write(&out, text)?;
    let last = left.last().map_or_else(String::new, |last| format!(", the last after {last:.1} s"));
    println!("{} of {} people left{last}; trajectories in {out}", left.len(), walkers.len());
    println!("{:.0} agent-steps a second", agent_steps as f64 / spent);
    compare.map_or(Ok(()), |file| apart(&frames, &file))
}

/// Prints how far people are from where crowdtune has them.
fn apart(frames: &Frames, file: &str) -> Result<(), Box<dyn Error>> {
    let mut theirs: Vec<Vec<(usize, Point)>> = vec![Vec::new(); frames.len()];
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let mut word = || words.next().ok_or("a line has id, frame, x and y");
        let (id, frame): (usize, usize) = (word()?.parse()?, word()?.parse()?);
        let at = [word()?.parse()?, word()?.parse()?];
        if let Some(frame) = theirs.get_mut(frame) {
            frame.push((id, at));
        }
    }
    for last in [1, 10, 100, 300] {
        let (mut most, mut positions) = (0.0, 0);
        for (here, theirs) in frames.iter().zip(&theirs).take(last + 1) {
            for (id, at) in here {
                if let Some((_, other)) = theirs.iter().find(|(other, _)| other == id) {
                    (most, positions) = (f64::max(most, distance(*at, *other)), positions + 1);
                }
            }
        }
        println!("largest distance to crowdtune in {last} steps: {most:.6} m ({positions} positions)");
    }
    Ok(())
}
