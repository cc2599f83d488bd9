//! Several crowds from one file: other values of one key, or other models, each with what it takes of the file.

use super::input;
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::models::{MakeModel, max_time_step_s, time_step_s};
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
/// a step that is not too long for it, and the `sets` of the user without such constants. Groups that name a model keep it.
///
/// # Errors
/// If there is no such model, or the file cannot be read.
pub(super) fn with_model(registry: &Registry, path: &Path, sets: &Sets, name: &str) -> Result<Sets, Error> {
    let model = registry.models.get(name.trim_matches('"'))?;
    // What is no table fails where the file is read as an experiment, with its line.
    let text = String::from_utf8(input::document(path)?).unwrap_or_default();
    let file: Table = toml::from_str(&text).or_else(|_| serde_json::from_str(&text)).unwrap_or_default();
    let change = Change { registry, model, before: text_of(&file, "model"), named: named(&file) };
    let mut own: Sets = vec![("model".into(), format!("{:?}", model.name))];
    let mut path = Vec::new();
    constants(&file, &mut path, &mut |at, given| {
        // A group has constants of its own model only.
        let kept = if at.len() == IN_GROUP { change.kept(given) } else { change.table(given) };
        if kept != *given {
            let path: Vec<String> = at.iter().map(|key| format!("{key:?}")).collect();
            own.push((path.join("."), Value::Table(kept).to_string()));
        }
    });
    let step = file.get("simulation").and_then(|s| s.get("time_step_s"));
    let step = step.and_then(|s| s.as_float().or_else(|| s.as_integer().map(|n| n as f64)));
    let models = || change.named.iter().filter_map(|name| registry.models.get(name).ok()).chain([model]);
    if step.is_some_and(|step| step > max_time_step_s(models())) {
        own.push(("simulation.time_step_s".into(), format!("{:?}", time_step_s(models()))));
    }
    own.extend(sets.iter().filter_map(|(key, value)| Some((change.key(&file, key)?, value.clone()))));
    Ok(own)
}

/// Number of the keys that lead to the constants of a group: `scenario.NAME.group.NAME.parameters`.
const IN_GROUP: usize = 5;

/// Another model for the groups of a file that name none.
struct Change<'c> {
    registry: &'c Registry,
    model: &'static Entry<MakeModel>,
    /// The file's model so far.
    before: Option<&'c str>,
    /// The models that groups name.
    named: Vec<&'c str>,
}

impl Change<'_> {
    /// What the other model takes of a table of constants.
    fn kept(&self, given: &Table) -> Table {
        given.iter().filter(|(key, _)| self.fits(key)).map(|(k, v)| (k.clone(), v.clone())).collect()
    }

    /// A table of constants of the file or a scenario under the other model: its own ones come out of their table, those of the model
    /// before go into one if a group names that.
    fn table(&self, given: &Table) -> Table {
        if self.before == Some(self.model.name) {
            return given.clone();
        }
        let of_model = |key: &str| self.registry.models.iter().any(|m| m.name == key);
        let mut kept: Table = self.kept(given).into_iter().filter(|(key, _)| !of_model(key)).collect();
        for (name, constants) in given.iter().filter(|(key, _)| of_model(key)) {
            match constants {
                Value::Table(own) if name == self.model.name => kept.extend(own.clone()),
                _ => _ = kept.insert(name.clone(), constants.clone()),
            }
        }
        if let Some(before) = self.before.filter(|before| self.named.contains(before))
            && let Ok(entry) = self.registry.models.get(before)
        {
            let own = given.iter().filter(|(key, _)| has(entry, key)).map(|(k, v)| (k.clone(), v.clone()));
            let own: Table = own.collect();
            if !own.is_empty() {
                kept.insert(before.into(), Value::Table(own));
            }
        }
        kept
    }

    /// A key of the command line under the other model; `None` if only other models have it.
    fn key(&self, file: &Table, key: &str) -> Option<String> {
        let path: Vec<&str> = key.split('.').collect();
        match path[..] {
            ["scenario", scenario, "group", group, "parameters", ..] if names_model(file, scenario, group) => {}
            [.., "parameters", name, _] if name == self.model.name => {
                return Some(key.replace(&format!("parameters.{name}."), "parameters."));
            }
            [.., "parameters", name, _] if self.registry.models.iter().any(|m| m.name == name) => {}
            [.., "parameters", last] if !self.fits(last) => return None,
            _ => {}
        }
        Some(key.to_string())
    }

    /// False for a constant that another model has and this one has not; what nobody knows stays, and is refused with its line.
    fn fits(&self, key: &str) -> bool {
        has(self.model, key) || !self.registry.models.iter().any(|m| has(m, key))
    }
}

fn has(model: &Entry<MakeModel>, key: &str) -> bool {
    model.params.iter().any(|p| p.key == key) || (key == "weights" && model.params.iter().any(|p| p.symbol == "S1"))
}

fn text_of<'t>(table: &'t Table, key: &str) -> Option<&'t str> {
    table.get(key).and_then(Value::as_str)
}

/// The models that groups of a file name.
fn named(file: &Table) -> Vec<&str> {
    let scenarios = tables(file, "scenario");
    let groups = scenarios.flat_map(|scenario| tables(scenario, "group"));
    groups.filter_map(|group| text_of(group, "model")).collect()
}

/// The tables inside a table of a table.
fn tables<'t>(table: &'t Table, key: &str) -> impl Iterator<Item = &'t Table> {
    let inside = table.get(key).and_then(Value::as_table).into_iter().flatten();
    inside.filter_map(|(_, value)| value.as_table())
}

/// True if a group of a file names a model.
fn names_model(file: &Table, scenario: &str, group: &str) -> bool {
    let path = ["scenario", scenario, "group", group];
    let mut tables = path.iter().try_fold(file, |table, key| table.get(*key)?.as_table()).into_iter();
    tables.any(|group| group.contains_key("model"))
}

/// Calls `found` for each table `parameters` of a file, with the keys that lead to it, but those of groups that name a model.
fn constants(table: &Table, path: &mut Vec<String>, found: &mut dyn FnMut(&[String], &Table)) {
    for (key, value) in table {
        let Value::Table(inside) = value else { continue };
        path.push(key.clone());
        if key == "parameters" {
            found(path, inside);
        } else if !(path.len() + 1 == IN_GROUP && inside.contains_key("model")) {
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

    #[test]
    fn groups_that_name_a_model_keep_it_and_its_constants() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.toml");
        let text = "model = \"social_force\"\nparameters = { panic = 0.5, rvo = { margin_share = 0.2 } }\n\
                    simulation.time_step_s = 0.02\n[scenario.street.group.cars]\nmodel = \"rvo\"\nparameters.samples = 9\n\
                    [scenario.street.group.old]\nmodel = \"social_force\"\nparameters.panic = 0.1\n\
                    [scenario.street.group.people]\nparameters.panic = 0.2\n";
        std::fs::write(&path, text).unwrap();
        let set = |key: &str| (key.to_string(), "1".to_string());
        let sets = ["parameters.rvo.samples", "scenario.street.group.cars.parameters.samples", "parameters.panic"];
        let sets: Sets = sets.map(set).into();
        let named = |name: &str| with_model(&Registry::builtin(), &path, &sets, name).unwrap();
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        // Everybody by rvo but those of the old model.
        assert_eq!(
            named("rvo"),
            [
                pair("model", "\"rvo\""),
                pair("\"parameters\"", "{ margin_share = 0.2, social_force = { panic = 0.5 } }"),
                pair("\"scenario\".\"street\".\"group\".\"people\".\"parameters\"", "{}"),
                set("parameters.samples"),
                set("scenario.street.group.cars.parameters.samples"),
            ]
        );
        let orca = named("orca");
        let of_file = "{ rvo = { margin_share = 0.2 }, social_force = { panic = 0.5 } }";
        assert_eq!(orca[1], pair("\"parameters\"", of_file));
        assert!(orca.contains(&set("parameters.rvo.samples")), "{orca:?}");
        assert!(!orca.iter().any(|(key, _)| key == "simulation.time_step_s"), "the forces are there still");
    }
}
