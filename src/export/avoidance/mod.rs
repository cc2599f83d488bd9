//! Parameter files for the avoidance that Unreal and Unity have inside: only what has the same meaning and a unit, in theirs. Neither runs
//! here, so the files say that nobody has tried them.

mod unity;
mod unreal;

pub use unity::ENTRY as UNITY;
pub use unreal::ENTRY as UNREAL;

use super::{Export, ExportInput, distribution, mean, origin};
use crate::preset::Preset;
use crowdtune_core::Error;

/// What a preset says in words that other avoidances have too, in SI units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Shared {
    /// Radius of a body, m.
    radius_m: Option<f64>,
    /// Speed that people want, m/s.
    speed_m_per_s: Option<f64>,
    /// Highest acceleration, or desired speed over relaxation time, m/s2.
    acceleration_m_per_s2: Option<f64>,
    /// How far others are seen, m.
    distance_m: Option<f64>,
    /// How far ahead collisions are seen, s.
    horizon_s: Option<f64>,
}

/// Keys of models that [`Shared`] takes.
const TAKEN: [&str; 5] =
    ["max_acceleration_m_per_s2", "gain_m_per_s2", "relaxation_time_s", "neighbor_distance_m", "time_horizon_s"];

impl Shared {
    /// From what all groups of a preset share.
    fn of(preset: &Preset) -> Self {
        let constant = |key: &str| preset.parameters.get(key).and_then(|quantity| quantity.value.as_f64());
        let mean = |key: &str| Some(mean(distribution(key, preset.people.get(key)?)?));
        let speed = mean("desired_speed_m_per_s");
        let started = constant("relaxation_time_s").zip(speed).map(|(tau, speed)| speed / tau);
        Self {
            radius_m: mean("radius_m"),
            speed_m_per_s: speed,
            acceleration_m_per_s2: constant("max_acceleration_m_per_s2").or(constant("gain_m_per_s2")).or(started),
            distance_m: constant("neighbor_distance_m"),
            horizon_s: constant("time_horizon_s"),
        }
    }
}

/// A line of a file: the name there, the value in its unit, the unit, and where it comes from.
struct Line {
    name: &'static str,
    value: Option<f64>,
    unit: &'static str,
    from: &'static str,
}

/// A file of parameters with a comment above each.
fn export(input: &ExportInput<'_>, tool: &str, file: &str, section: &str, lines: &[Line]) -> Result<Export, Error> {
    if lines.iter().all(|line| line.value.is_none()) {
        return Err(Error::input(format!("the preset has nothing that the avoidance of {tool} has too"))
            .allowed("radius_m, desired_speed_m_per_s, relaxation_time_s, neighbor_distance_m, time_horizon_s")
            .help("the exporters `json` and `csv` take everything"));
    }
    let mut text = format!(
        "; Parameters of the avoidance of {tool}, from a preset of crowdtune {}.\n; UNPROVEN: nobody has run them in {tool}; the names are those \
         of its documentation. Its avoidance is another law:\n; equal radius, speed and range do not make it do what the preset does.\n;\n",
        env!("CARGO_PKG_VERSION")
    );
    origin::lines(input).iter().for_each(|line| text += &format!("; {line}\n"));
    text += &format!("\n[{section}]\n");
    for line in lines.iter() {
        match line.value {
            Some(value) => text += &format!("; {}, {}\n{}={}\n", line.unit, line.from, line.name, rounded(value)),
            None => text += &format!("; {} stays as it is: the preset has no {}\n", line.name, line.from),
        }
    }
    let warnings = lost(input.preset, tool);
    text += "\n; Not carried over:\n";
    warnings.iter().for_each(|warning| text += &format!("; * {warning}\n"));
    Ok(Export { files: vec![(file.to_owned(), text.into_bytes())], warnings })
}

/// What the other avoidance has no word for.
fn lost(preset: &Preset, tool: &str) -> Vec<String> {
    let mut lost = vec![format!("Nobody has run this file in {tool}.")];
    let constants: Vec<&str> =
        preset.parameters.keys().map(String::as_str).filter(|key| !TAKEN.contains(key)).collect();
    if !constants.is_empty() {
        lost.push(format!("Constants of `{}` that {tool} does not have: {}.", preset.model, constants.join(", ")));
    }
    let drawn: Vec<&str> =
        preset.people.iter().filter(|(_, quantity)| quantity.value.is_object()).map(|(key, _)| key.as_str()).collect();
    if !drawn.is_empty() {
        lost.push(format!("Differences between people: {} have their mean for everybody.", drawn.join(" and ")));
    }
    let others = preset.models.keys().chain(preset.groups.keys()).map(|name| format!("`{name}`"));
    let others: Vec<String> = others.collect();
    if !others.is_empty() {
        lost.push(format!("What {} have of their own.", others.join(" and ")));
    }
    lost
}

/// Six digits without the tail of binary fractions.
fn rounded(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests;
