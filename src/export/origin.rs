//! Where exported numbers come from: the same lines in the head of every file that has comments, and in `ORIGIN.md` beside all.

use super::place::comment;
use super::{Export, ExportInput};
use crate::format;
use crate::preset::{Preset, PresetTarget, Quantity};
use serde_json::{Value, json};

/// The file that lies beside every export.
pub const FILE: &str = "ORIGIN.md";

const NUMBERS: &str = "The numbers are the result of your run, and crowdtune claims no right to them; code in these files is MIT or Apache-2.0.";

/// Preset, experiment, targets met and missed, intervals of what was searched, license: one line each, without line breaks.
pub fn lines(input: &ExportInput<'_>) -> Vec<String> {
    of_preset(input.preset)
}

/// The same of a preset by itself.
pub fn of_preset(preset: &Preset) -> Vec<String> {
    let from = &preset.provenance;
    let mut lines =
        vec![format!("Preset `{}`, model `{}`, crowdtune {}.", comment(&preset.name), preset.model, preset.crowdtune)];
    if from.digest.is_empty() {
        lines.push("No run is known: the preset has no provenance.".into());
    } else {
        lines.push(format!(
            "Experiment {}, seed {}, {} evaluations by `{}`{}.",
            from.digest,
            from.seed,
            from.evaluations,
            from.optimizer,
            from.engine.as_ref().map_or_else(String::new, |engine| format!(", simulated by {}", comment(engine))),
        ));
    }
    lines.extend(preset.targets.iter().map(target));
    if preset.targets.is_empty() {
        lines.push("No target was measured with these constants.".into());
    }
    lines.extend(preset.parameters.iter().chain(&preset.people).filter_map(|(key, quantity)| interval(key, quantity)));
    lines.push(NUMBERS.into());
    lines
}

/// `Target flow: wanted 1.9 within 1 %; tuned 1.89 [1.86, 1.92], defaults 1.54; met.`
fn target(target: &PresetTarget) -> String {
    let met = match target.met {
        Some(true) => "met",
        Some(false) => "missed",
        None => "no band to meet",
    };
    let PresetTarget { name, wanted, value, baseline, .. } = target;
    comment(&format!("Target `{name}`: wanted {wanted}; tuned {value}, defaults {baseline}; {met}."))
}

/// Of a searched constant, the values that may be as good.
fn interval(key: &str, quantity: &Quantity) -> Option<String> {
    let known = quantity.interval.as_ref()?;
    let reaches = format::interval(quantity.value.as_f64(), Some(known.low), Some(known.high));
    let unit = if quantity.unit.is_empty() { String::new() } else { format!(" {}", quantity.unit) };
    let open = match (known.low_open, known.high_open) {
        (false, false) => "",
        (true, false) => ", or lower",
        (false, true) => ", or higher",
        (true, true) => ", or beyond on both sides",
    };
    let level = known.level.map_or_else(String::new, |level| format!(", with probability {level}"));
    Some(format!("Constant `{key}`: {reaches}{unit}{open}{level}."))
}

/// The same for a file of JSON.
pub fn json(input: &ExportInput<'_>) -> Value {
    json!({ "made_by": format!("crowdtune {}", env!("CARGO_PKG_VERSION")), "origin": lines(input) })
}

/// `ORIGIN.md`: the lines, and what the other tool does differently.
pub fn page(input: &ExportInput<'_>, tool: &str, source: &str, export: &Export) -> String {
    let mut text = format!(
        "# Where these files come from\n\nWritten by `crowdtune export {source} --to {tool}`, crowdtune {}.\n\n",
        env!("CARGO_PKG_VERSION")
    );
    lines(input).iter().for_each(|line| text += &format!("* {line}\n"));
    if !export.warnings.is_empty() {
        text += "\n## What is different there\n\n";
        export.warnings.iter().for_each(|line| text += &format!("* {}\n", comment(line)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::figure::Figure;
    use crate::preset::{Interval, Provenance};

    #[test]
    fn targets_intervals_and_the_run_are_told() {
        let mut preset = testing::preset();
        preset.provenance =
            Provenance { digest: "abc".into(), seed: 7, evaluations: 40, optimizer: "ga".into(), engine: None };
        let figure = |value: f64| Figure { value: Some(value), low: Some(value - 0.5), high: Some(value + 0.5) };
        preset.targets = vec![PresetTarget {
            name: "out".into(),
            metric: "evacuation_time".into(),
            wanted: "20 s to 25 s".into(),
            value: figure(22.0),
            baseline: figure(31.0),
            met: Some(true),
        }];
        let strength = preset.parameters.get_mut("repulsion_strength_n").unwrap();
        strength.interval = Some(Interval {
            low: 1000.0,
            high: 2000.0,
            low_open: false,
            high_open: true,
            level: None,
            method: "profile".into(),
        });
        let text = of_preset(&preset).join("\n");
        for line in [
            "Preset `test`, model `social_force`, crowdtune 0.1.0.",
            "Experiment abc, seed 7, 40 evaluations by `ga`.",
            "Target `out`: wanted 20 s to 25 s; tuned 22.0 [21.5, 22.5], defaults 31.0 [30.5, 31.5]; met.",
            "Constant `repulsion_strength_n`: 1500 [1000, 2000] N, or higher.",
        ] {
            assert!(text.lines().any(|l| l == line), "no `{line}` in\n{text}");
        }
    }

    #[test]
    fn a_preset_by_hand_says_that_nothing_was_measured() {
        let text = of_preset(&testing::preset()).join("\n");
        assert!(text.contains("No run is known") && text.contains("No target was measured"), "{text}");
    }
}
