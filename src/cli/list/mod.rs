//! `crowdtune list`: what is registered.

mod show;

use super::output;
use crate::evolve::codec;
use crate::presets::PRESETS;
use crate::registry::Registry;
use crate::target::TARGETS;
use crate::target::behaviors::Want;
use crate::validation::EXPERIMENTS;
use clap::{Args as ClapArgs, ValueEnum};
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Param};
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::metrics::{At, Better};
use serde_json::{Map, Value, json};
use show::{Item, show};

/// List what is registered: models with their parameters, metrics, scenarios, ...
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// What to list
    what: What,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Crowd models, their parameters, and the traits of people.
    Models,
    /// What can be measured.
    Metrics,
    /// Built-in scenarios and their parameters.
    Scenarios,
    /// Ways to say what is wanted.
    Targets,
    /// Named bundles of targets.
    Behaviors,
    /// Search algorithms and their parameters.
    Optimizers,
    /// Tools that a preset can be written for.
    Exporters,
    /// Tools that are fitted to a preset.
    Fitted,
    /// Files of other tools that become an experiment.
    Importers,
    /// Tuned presets that come with crowdtune, for `--preset`.
    Presets,
    /// Published experiments to validate against.
    Experiments,
}

/// Runs the command.
///
/// # Errors
/// If stdout cannot be written.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let width = output::terminal().width.unwrap_or(140);
    output::line(text(registry, args.what, args.json, Some(width)))
}

/// One of the lists: as JSON, or as tables at most `width` characters wide (`None`: as wide as the terminal).
pub fn text(registry: &Registry, what: What, as_json: bool, width: Option<u16>) -> String {
    let items = items(registry, what);
    if as_json {
        return serde_json::to_string_pretty(&json(&items)).expect("a JSON value can be written");
    }
    show(&items, width)
}

fn items(registry: &Registry, what: What) -> Vec<Item> {
    match what {
        What::Models => {
            let mut items = of(&registry.models, |m| {
                vec![
                    ("step", format!("{} s, at most {} s", m.time_step_s, m.max_time_step_s)),
                    ("integrator", m.integrator.into()),
                    ("meets other models", m.alone.map_or_else(|| "yes".into(), |reason| format!("no: {reason}"))),
                ]
            });
            items.push(Item {
                name: "people",
                doc: "Traits of people in every model, in the table [people]: a number, or drawn per person by `uniform`, `normal`, `gamma`, `log_normal` or `weibull`.",
                source: "each trait names its own",
                facts: Vec::new(),
                params: TRAITS,
                wants: &[],
            });
            items
        }
        What::Metrics => of(&registry.metrics, |m| {
            let at = match m.at {
                At::Nowhere => "",
                At::Line => "a line",
                At::Area => "an area",
                At::Region => "an area, by default the first",
            };
            let better = match m.better {
                Better::Less => "less",
                Better::More => "more",
                Better::Neither => "",
            };
            let window = if m.takes_window { "yes" } else { "" };
            vec![("unit", m.unit.into()), ("better", better.into()), ("at", at.into()), ("window", window.into())]
        }),
        What::Scenarios => of(&registry.scenarios, |m| {
            let give_up = m.give_up_s.map_or_else(|| "never".into(), |s| format!("{s} s"));
            vec![("limit", format!("{} s", m.limit_s)), ("gives up", give_up)]
        }),
        What::Targets => TARGETS
            .iter()
            .map(|k| Item {
                name: k.name,
                doc: k.doc,
                source: "",
                facts: vec![("example", k.example.into())],
                params: &[],
                wants: &[],
            })
            .collect(),
        What::Optimizers => {
            let mut items = of(&registry.optimizers, |_| Vec::new());
            for (item, optimizer) in items.iter_mut().zip(registry.optimizers.iter()) {
                let takes = &optimizer.make.objectives;
                let words = match (*takes.start(), *takes.end()) {
                    (1, 1) => "one",
                    (1, _) => "one or more",
                    _ => "two or more",
                };
                item.facts.push(("objectives", words.into()));
            }
            items
        }
        What::Exporters => of(&registry.exporters, |m| vec![("writes", m.writes.into())]),
        What::Fitted => of(&registry.fitted, |m| vec![("install", m.install.replace("{folder}", "FOLDER"))]),
        What::Importers => of(&registry.importers, |m| vec![("reads", m.reads.into()), ("takes", m.takes.join(" "))]),
        What::Behaviors => {
            let mut items = of(&registry.behaviors, |m| vec![("scenarios", m.suits(""))]);
            items.iter_mut().zip(registry.behaviors.iter()).for_each(|(item, b)| item.wants = b.make.targets);
            items
        }
        What::Presets => of(PRESETS, |m| vec![("model", m.model.into())]),
        What::Experiments => of(EXPERIMENTS, |m| {
            vec![("models", m.models.join(", ")), ("quick", if m.quick { "yes" } else { "no" }.into())]
        }),
    }
}

fn of<F>(list: &[&'static Entry<F>], facts: fn(&F) -> Vec<(&'static str, String)>) -> Vec<Item> {
    let item = |e: &&'static Entry<F>| Item {
        name: e.name,
        doc: e.doc,
        source: e.source,
        facts: facts(&e.make),
        params: e.params,
        wants: &[],
    };
    list.iter().map(item).collect()
}

fn json(items: &[Item]) -> Value {
    items
        .iter()
        .map(|item| {
            let mut out = Map::new();
            out.insert("name".into(), json!(item.name));
            out.insert("doc".into(), json!(item.doc));
            if !item.source.is_empty() {
                out.insert("source".into(), json!(item.source));
            }
            out.extend(item.facts.iter().map(|(name, fact)| (name.replace(' ', "_"), json!(fact))));
            if !item.params.is_empty() {
                out.insert("params".into(), item.params.iter().map(param).collect());
            }
            if !item.wants.is_empty() {
                let want = |w: &Want| json!({ "name": w.name, "wanted": w.text, "source": w.source });
                out.insert("targets".into(), item.wants.iter().map(want).collect());
            }
            Value::Object(out)
        })
        .collect()
}

fn param(p: &Param) -> Value {
    let mut out = json!({
        "key": p.key, "symbol": p.symbol, "unit": p.unit, "doc": p.doc, "source": p.source, "per_group": p.per_group,
    });
    if let (Value::Object(out), Value::Object(more)) = (&mut out, codec::described(p)) {
        out.extend(more);
        if let Some(other) = p.same_as {
            out.insert("same_as".into(), json!(other));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_shows_every_param_with_symbol_range_and_source() {
        let text = show(&items(&Registry::builtin(), What::Models), Some(400));
        let row = text.lines().find(|l| l.contains(" repulsion_strength_n ")).unwrap();
        for word in ["A", "N", "2000", "0 to 100000", "50 to 5000, log", "psychological"] {
            assert!(row.contains(word), "{word} in {row}");
        }
        assert!(text.contains("source: Helbing, Farkas, Vicsek, Nature 407, 487 (2000)"));
        assert!(text.contains("as repulsion_range_m") && text.contains("uniform 0.25 to 0.35"));
    }

    #[test]
    fn keys_stay_whole_where_there_is_little_room() {
        for what in What::value_variants() {
            let items = items(&Registry::builtin(), *what);
            if items.is_empty() {
                continue;
            }
            let text = show(&items, Some(140));
            for key in items.iter().flat_map(|i| i.params.iter().map(|p| p.key).chain([i.name])) {
                assert!(text.contains(key), "{key}");
            }
            assert!(!text.contains("as repulsion_") || text.contains("as repulsion_strength_n "), "{text}");
        }
    }

    #[test]
    fn every_list_names_all_its_things_in_text_and_json() {
        for what in What::value_variants() {
            let items = items(&Registry::builtin(), *what);
            assert!(!items.is_empty(), "{what:?}");
            let (text, json) = (show(&items, Some(300)), json(&items));
            for (item, json) in items.iter().zip(json.as_array().unwrap()) {
                assert!(text.contains(item.name), "{}", item.name);
                assert_eq!(json["name"], item.name);
                assert_eq!(json["params"].as_array().map_or(0, Vec::len), item.params.len());
                assert_eq!(json["targets"].as_array().map_or(0, Vec::len), item.wants.len());
                // A cell may be broken at any of its spaces.
                for word in item.wants.iter().flat_map(|w| w.source.split(' ').chain([w.name])) {
                    assert!(text.contains(word), "{}: {word}", item.name);
                }
            }
        }
    }
}
