//! Building blocks: tables, words, and what a registered key may hold.

use crate::evolve::codec;
use crowdtune_core::registry::{Entry, Param};
use crowdtune_sim::crowd::people::Family;
use serde_json::{Map, Value, json};

/// What a key may hold besides its own value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Searched, or one scenario per value.
    Constant,
    /// As a constant, or drawn per person.
    Trait,
    /// One scenario per value.
    Place,
    /// Its own value only.
    Setting,
}

pub(super) fn map<const N: usize>(entries: [(&str, Value); N]) -> Map<String, Value> {
    entries.into_iter().map(|(k, v)| (k.to_string(), v)).collect()
}

pub(super) fn object(properties: Map<String, Value>) -> Value {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// A table of tables that the user names.
pub(super) fn named(inner: Value) -> Value {
    json!({ "type": "object", "additionalProperties": inner })
}

pub(super) fn words<F>(all: &[&'static Entry<F>]) -> Value {
    let each = all.iter().map(|e| json!({ "const": e.name, "description": e.doc }));
    json!({ "oneOf": each.collect::<Vec<_>>() })
}

pub(super) fn each(of: &Value) -> Value {
    let list = json!({ "type": "array", "items": of, "minItems": 1 });
    let mut table = object(map([("each", list.clone()), ("held_out", list)]));
    table["required"] = json!(["each"]);
    table
}

/// Keys of several entries; a key that two of them have may be what either wants.
pub(super) fn params(all: impl IntoIterator<Item = &'static Param>, usage: Use) -> Map<String, Value> {
    let mut out = Map::new();
    for p in all {
        let value = param(p, usage);
        match out.get_mut(p.key) {
            None => {
                out.insert(p.key.into(), value);
            }
            Some(other) if *other != value => *other = json!({ "anyOf": [other.clone(), value] }),
            Some(_) => {}
        }
    }
    out
}

fn pair(of: &Value) -> Value {
    json!({ "type": "array", "items": of, "minItems": 2, "maxItems": 2 })
}

/// What is known of a constant before anything was measured.
fn prior() -> Value {
    let numbers = pair(&json!({ "type": "number" }));
    let ways = ["normal", "log_normal", "beta"].map(|way| with(object(map([(way, numbers.clone())])), way));
    let ways: Vec<Value> = [json!({ "const": "uniform" })].into_iter().chain(ways).collect();
    json!({ "anyOf": ways })
}

fn param(p: &Param, usage: Use) -> Value {
    let (own, way) = codec::schema(p);
    let mut ways = vec![own.clone()];
    if matches!(usage, Use::Constant | Use::Trait) {
        let start = ("start", own.clone());
        if let Some(way) = way {
            let range =
                map([(way, pair(&own)), ("log", json!({ "type": "boolean" })), start.clone(), ("prior", prior())]);
            ways.push(with(object(range), way));
        }
        let choices = json!({ "type": "array", "items": own, "minItems": 1 });
        ways.push(with(object(map([("choices", choices), start])), "choices"));
        if p.same_as.is_some() {
            ways.push(with(object(map([("same_as", json!({ "const": p.same_as }))])), "same_as"));
        }
    }
    if usage == Use::Trait {
        ways.push(with(object(map([("uniform", pair(&own))])), "uniform"));
        ways.push(with(object(map([("normal", pair(&json!({ "type": "number" }))), ("clip", pair(&own))])), "normal"));
        for family in Family::ALL.map(Family::key) {
            let keys = map([(family, pair(&json!({ "type": "number" }))), ("clip", pair(&own))]);
            ways.push(with(object(keys), family));
        }
    }
    if usage != Use::Setting && way.is_some() {
        ways.push(each(&own));
    }
    let [default, accepted, searched] = codec::numbers(p);
    let symbol = if p.symbol.is_empty() { String::new() } else { format!("{}: ", p.symbol) };
    let unit = if p.unit.is_empty() { String::new() } else { format!(" {}", p.unit) };
    json!({
        "anyOf": ways,
        "description": format!("{symbol}{}; {accepted}{unit}, default {default}, searched {searched}. {}", p.doc, p.source),
    })
}

fn with(mut table: Value, required: &str) -> Value {
    table["required"] = json!([required]);
    table
}

pub(super) fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}
