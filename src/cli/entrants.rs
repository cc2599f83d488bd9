//! Several crowds from one file: other values of one key, or other models, each with what it takes of the file.

use super::input;
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::models::MakeModel;
use std::path::Path;
use toml::{Table, Value};

/// `--set` pairs.
pub(super) type Sets = Vec<(String, String)>;

/// The values of `A,B,C`; commas inside brackets, braces and quotes do not split.
pub(super) fn values(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut start, mut parts) = (0, false, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' | '(' if !quoted => depth += 1,
            ']' | '}' | ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// The pairs that make `name` the model of a file: the name, the file's constants without those that only other models have,
/// a step that is not too long for it, and the `sets` of the user without such constants.
///
/// # Errors
/// If there is no such model, or the file cannot be read.
pub(super) fn with_model(registry: &Registry, path: &Path, sets: &Sets, name: &str) -> Result<Sets, Error> {
    let model = registry.models.get(name.trim_matches('"'))?;
    // What is no table fails where the file is read as an experiment, with its line.
    let text = String::from_utf8(input::document(path)?).unwrap_or_default();
    let file: Table = toml::from_str(&text).or_else(|_| serde_json::from_str(&text)).unwrap_or_default();
    let mut own: Sets = vec![("model".into(), format!("{:?}", model.name))];
    let mut path = Vec::new();
    constants(&file, &mut path, &mut |at, given| {
        let kept: Table =
            given.iter().filter(|(key, _)| fits(registry, model, key)).map(|(k, v)| (k.clone(), v.clone())).collect();
        if kept.len() < given.len() {
            own.push((at.to_string(), Value::Table(kept).to_string()));
        }
    });
    let step = file.get("simulation").and_then(|s| s.get("time_step_s"));
    let step = step.and_then(|s| s.as_float().or_else(|| s.as_integer().map(|n| n as f64)));
    if step.is_some_and(|step| step > model.make.max_time_step_s) {
        own.push(("simulation.time_step_s".into(), format!("{:?}", model.make.time_step_s)));
    }
    let of_it =
        |key: &str| !key.contains("parameters.") || fits(registry, model, key.rsplit('.').next().unwrap_or(key));
    own.extend(sets.iter().filter(|(key, _)| of_it(key)).cloned());
    Ok(own)
}

/// False for a constant that another model has and this one has not; what nobody knows stays, and is refused with its line.
fn fits(registry: &Registry, model: &Entry<MakeModel>, key: &str) -> bool {
    let has = |m: &Entry<MakeModel>| {
        m.params.iter().any(|p| p.key == key) || (key == "weights" && m.params.iter().any(|p| p.symbol == "S1"))
    };
    has(model) || !registry.models.iter().any(|m| has(m))
}

/// Calls `found` for each table `parameters` of a file, with its dotted key.
fn constants(table: &Table, path: &mut Vec<String>, found: &mut dyn FnMut(&str, &Table)) {
    for (key, value) in table {
        let Value::Table(inside) = value else { continue };
        path.push(format!("{key:?}"));
        if key == "parameters" {
            found(&path.join("."), inside);
        } else {
            constants(inside, path, found);
        }
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_split_at_top_level_only() {
        assert_eq!(values("1,2.5, 3"), ["1", "2.5", "3"]);
        assert_eq!(values("0.5"), ["0.5"]);
        assert_eq!(values("{ uniform = [0.5, 2] },\"a,b\""), ["{ uniform = [0.5, 2] }", "\"a,b\""]);
    }

    #[test]
    fn a_model_takes_the_constants_that_it_has() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.toml");
        let text = "model = \"rvo\"\nparameters.safety_factor_m = 2.0\nsimulation.time_step_s = 0.1\n\
                    [scenario.pair]\nkind = \"room\"\nparameters = { margin_share = 0.1, typo = 1 }\n";
        std::fs::write(&path, text).unwrap();
        let registry = Registry::builtin();
        let sets = vec![("parameters.samples".to_string(), "9".to_string()), ("search.seed".into(), "3".into())];
        let named = |name: &str| with_model(&registry, &path, &sets, name).unwrap();
        let same = named("velocity_obstacle");
        assert_eq!(
            same.iter().map(|s| s.0.as_str()).collect::<Vec<_>>(),
            ["model", "parameters.samples", "search.seed"]
        );
        let other = named("social_force");
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        assert!(other.contains(&pair("\"parameters\"", "{}")), "{other:?}");
        assert!(other.contains(&pair("\"scenario\".\"pair\".\"parameters\"", "{ typo = 1 }")), "{other:?}");
        assert!(other.contains(&pair("simulation.time_step_s", "0.01")), "{other:?}");
        assert!(!other.iter().any(|(key, _)| key == "parameters.samples"), "{other:?}");
        assert_eq!(with_model(&registry, &path, &sets, "none").unwrap_err().exit_code(), 2);
    }
}
