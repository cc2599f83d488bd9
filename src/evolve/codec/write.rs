//! From a stored value or a param to the forms that people and programs read.

use crate::evolve::config::resolved::inline;
use crate::evolve::config::tree::{Node, Value};
use crowdtune_core::registry::{Kind, Param, Written};
use crowdtune_sim::crowd::people::{Distribution, TRAITS, published};
use serde_json::{Value as Json, json};

/// A stored value in the tree of a file.
pub fn value(param: &Param, stored: f64) -> Value {
    match param.written(stored) {
        Written::Real(x) => Value::Float(x),
        Written::Whole(n) => Value::Integer(n),
        Written::Word(word) => Value::Text(word.to_owned()),
        Written::Switch(on) => Value::Bool(on),
    }
}

/// A distribution in the tree of a file.
pub fn drawn(distribution: Distribution) -> Value {
    let pair = |(a, b): (f64, f64)| Value::List([a, b].map(|x| Node::default(Value::Float(x))).into());
    match distribution {
        Distribution::Fixed(x) => Value::Float(x),
        Distribution::Uniform { low, high } => table([("uniform", pair((low, high)))]),
        Distribution::Normal { mean, sd, clip } => table([("normal", pair((mean, sd))), ("clip", pair(clip))]),
        Distribution::Skewed { family, numbers, clip } => table([(family.key(), pair(numbers)), ("clip", pair(clip))]),
    }
}

fn table<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Table(entries.map(|(key, value)| (key.to_owned(), Node::default(value))).into_iter().collect())
}

/// What stands in a file that leaves the param out: the constant it follows, a trait's distribution, or the default.
pub fn default(param: &Param) -> Value {
    match (param.same_as, published_trait(param)) {
        (Some(other), _) => table([("same_as", Value::Text(other.into()))]),
        (None, Some(distribution)) => drawn(distribution),
        (None, None) => value(param, param.default_value()),
    }
}

/// The published distribution of a trait of people; `None` for a constant.
pub fn published_trait(param: &Param) -> Option<Distribution> {
    let p = published();
    let all = [p.desired_speed, p.max_speed, p.radius, p.mass, p.start];
    TRAITS.iter().position(|t| std::ptr::eq(t, param)).map(|at| all[at])
}

/// A tree as JSON; `None` if a number in it is infinite, which JSON cannot say.
pub fn json(value: &Value) -> Option<Json> {
    Some(match value {
        Value::Bool(on) => json!(on),
        Value::Integer(n) => json!(n),
        Value::Float(x) => json!(x.is_finite().then_some(*x)?),
        Value::Text(text) => json!(text),
        Value::List(list) => list.iter().map(|n| json(&n.value)).collect::<Option<_>>()?,
        Value::Table(entries) => {
            let entries = entries.iter().map(|(key, n)| Some((key.clone(), json(&n.value)?)));
            Json::Object(entries.collect::<Option<_>>()?)
        }
    })
}

/// JSON as a tree without places. `null`, which no value is, becomes the text "null".
pub fn tree(json: &Json) -> Node {
    Node::default(match json {
        Json::Null => Value::Text("null".into()),
        Json::Bool(on) => Value::Bool(*on),
        Json::Number(n) => n.as_i64().map_or(Value::Float(n.as_f64().unwrap_or(f64::NAN)), Value::Integer),
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(list) => Value::List(list.iter().map(tree).collect()),
        Json::Object(entries) => Value::Table(entries.iter().map(|(k, v)| (k.clone(), tree(v))).collect()),
    })
}

/// The default as a line of TOML, as a person would write it: the clip range of a distribution last.
pub fn default_toml(param: &Param) -> String {
    let value = default(param);
    let Value::Table(mut entries) = value else { return inline(&value) };
    let clip = entries.remove_entry("clip");
    let parts = entries.iter().chain(clip.iter().map(|(key, node)| (key, node)));
    let parts: Vec<String> = parts.map(|(key, node)| format!("{key} = {}", inline(&node.value))).collect();
    format!("{{ {} }}", parts.join(", "))
}

/// A search over the usual range as a line of TOML.
pub fn search_toml(param: &Param) -> String {
    match param.kind {
        Kind::Real { search, log, .. } => {
            let log = if log { ", log = true" } else { "" };
            format!("{{ range = [{:?}, {:?}]{log} }}", search.0, search.1)
        }
        Kind::Integer { search, .. } => format!("{{ integers = [{}, {}] }}", search.0, search.1),
        Kind::Choice { options, .. } => format!("{{ choices = {options:?} }}"),
        Kind::Switch { .. } => "{ choices = [true, false] }".into(),
    }
}

/// A distribution in words, without its clip range: "uniform 0.2 to 0.3", "normal 1.34 sd 0.26".
pub fn words(distribution: Distribution) -> String {
    match distribution {
        Distribution::Fixed(x) => x.to_string(),
        Distribution::Uniform { low, high } => format!("uniform {low} to {high}"),
        Distribution::Normal { mean, sd, .. } => format!("normal {mean} sd {sd}"),
        Distribution::Skewed { family, numbers: (a, b), .. } => format!("{} {a} and {b}", family.key()),
    }
}

/// A distribution in words, with its clip range where it has one.
pub fn words_clipped(distribution: Distribution) -> String {
    match distribution {
        Distribution::Normal { clip: (low, high), .. } | Distribution::Skewed { clip: (low, high), .. } => {
            format!("{} within {low} to {high}", words(distribution))
        }
        Distribution::Fixed(_) | Distribution::Uniform { .. } => words(distribution),
    }
}

/// Default, accepted range and search range of a param in words.
pub fn numbers(param: &Param) -> [String; 3] {
    let range = |low: &dyn ToString, high: &dyn ToString| format!("{} to {}", low.to_string(), high.to_string());
    let default = match (param.same_as, published_trait(param)) {
        (Some(key), _) => format!("as {key}"),
        (None, Some(distribution)) => words(distribution),
        (None, None) => param.written(param.default_value()).to_string(),
    };
    let [accepted, searched] = match param.kind {
        Kind::Real { hard, search, log, .. } => {
            [range(&hard.0, &hard.1), range(&search.0, &search.1) + if log { ", log" } else { "" }]
        }
        Kind::Integer { hard, search, .. } => [range(&hard.0, &hard.1), range(&search.0, &search.1)],
        Kind::Choice { options, .. } => [options.join(", "), options.join(", ")],
        Kind::Switch { .. } => ["true, false".into(), "true, false".into()],
    };
    [default, accepted, searched]
}

/// Kind, default and ranges of a param as JSON. An infinite number has no JSON; null stands for no limit.
pub fn described(param: &Param) -> Json {
    match param.kind {
        Kind::Real { default, hard, search, log } => {
            json!({ "kind": "real", "default": default, "hard": hard, "search": search, "log": log })
        }
        Kind::Integer { default, hard, search } => {
            json!({ "kind": "integer", "default": default, "hard": hard, "search": search })
        }
        Kind::Choice { default, options } => json!({ "kind": "choice", "default": default, "options": options }),
        Kind::Switch { default } => json!({ "kind": "switch", "default": default }),
    }
}

/// JSON Schema of one value, and the key that searches a range of it, if it has a range.
pub fn schema(param: &Param) -> (Json, Option<&'static str>) {
    let number = |kind: &str| {
        let mut out = json!({ "type": kind });
        let (low, high) = param.ends();
        // JSON has no infinity: no limit.
        for (key, end) in [("minimum", low), ("maximum", high)] {
            if end.is_finite() {
                out[key] = json!(end);
            }
        }
        out
    };
    match param.kind {
        Kind::Real { .. } => (number("number"), Some("range")),
        Kind::Integer { .. } => (number("integer"), Some("integers")),
        Kind::Choice { options, .. } => (json!({ "enum": options }), None),
        Kind::Switch { .. } => (json!({ "type": "boolean" }), None),
    }
}
