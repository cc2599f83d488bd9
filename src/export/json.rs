//! One JSON file for scripts and engines: the preset, and a flat table of plain values.

use super::{Export, ExportInput, MakeExporter, distribution, mean};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::people::Distribution;
use serde_json::{Map, Value, json};

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "json",
    doc: "The preset as one JSON file, with a flat object `values` that Unity, Unreal or a script reads without parsing units.",
    source: "chosen here: every engine reads JSON",
    params: &[],
    make: MakeExporter { export, writes: "preset.json", needs_place: false, needs_runs: false },
};

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    Ok(Export { files: vec![("preset.json".into(), preset(input))], warnings: Vec::new() })
}

/// `preset.json`.
pub fn preset(input: &ExportInput<'_>) -> Vec<u8> {
    let mut preset = serde_json::to_value(input.preset).expect("a preset can be written");
    preset["values"] = Value::Object(flat(input));
    let mut bytes = serde_json::to_vec_pretty(&preset).expect("a JSON value can be written");
    bytes.push(b'\n');
    bytes
}

/// Name to plain value in SI units. A trait that is drawn per person gives its mean under its own name, and
/// `NAME_low`, `NAME_high`, `NAME_sd` beside it.
fn flat(input: &ExportInput<'_>) -> Map<String, Value> {
    let mut out = Map::new();
    for (name, quantity) in &input.preset.parameters {
        out.insert(name.clone(), quantity.value.clone());
    }
    for (name, quantity) in &input.preset.people {
        let Some(drawn) = distribution(name, quantity) else { continue };
        let (sd, ends) = match drawn {
            Distribution::Fixed(_) => (None, None),
            Distribution::Uniform { low, high } => (None, Some((low, high))),
            Distribution::Normal { sd, clip, .. } => {
                (Some(sd), (clip.0.is_finite() && clip.1.is_finite()).then_some(clip))
            }
            Distribution::Skewed { clip, .. } => (None, Some(clip)),
        };
        out.insert(name.clone(), json!(mean(drawn)));
        if let Some(sd) = sd {
            out.insert(format!("{name}_sd"), json!(sd));
        }
        if let Some((low, high)) = ends {
            out.insert(format!("{name}_low"), json!(low));
            out.insert(format!("{name}_high"), json!(high));
        }
    }
    out.insert("time_step_s".into(), json!(input.preset.time_step_s));
    out
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn exported() -> Vec<u8> {
        let preset = testing::preset();
        let input = ExportInput {
            models: vec![testing::model()],
            preset: &preset,
            places: Vec::new(),
            history: None,
            runs: Vec::new(),
            force: false,
            seed: 1,
        };
        export(&input).unwrap().files.remove(0).1
    }

    #[test]
    fn values_are_plain_numbers_words_and_switches() {
        let json: Value = serde_json::from_slice(&exported()).unwrap();
        let values = json["values"].as_object().unwrap();
        assert_eq!(values["repulsion_strength_n"], json!(1500.0));
        assert_eq!(values["wall_repulsion"], json!(true));
        assert_eq!(values["injury_forces"], json!("contact"));
        // uniform 0.2 to 0.3; normal 1.3 +- 0.2 clipped to 0.6..2
        assert_eq!(values["radius_m"], json!(0.25));
        assert_eq!(values["radius_m_high"], json!(0.3));
        assert_eq!(values["desired_speed_m_per_s"], json!(1.3));
        assert_eq!(values["desired_speed_m_per_s_sd"], json!(0.2));
        assert!(values.values().all(|v| !v.is_object() && !v.is_array()));
    }

    #[test]
    fn the_file_is_still_a_preset() {
        let back: crate::preset::Preset = serde_json::from_slice(&exported()).unwrap();
        assert_eq!(back, testing::preset());
    }
}
