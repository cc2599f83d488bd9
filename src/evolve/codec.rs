//! The one way of a value between its forms: stored number or distribution, tree of a file, TOML, JSON, words, JSON Schema.
//!
//! A value is stored as a number; files hold it as a tree. Experiment files and presets are read by the same functions,
//! so that the same text means the same in both.

use super::config::item::Item;
use super::config::node::inline;
use super::config::node::{Entries, Node, Value};
use crowdtune_core::registry::{Kind, Param, Written};
use crowdtune_core::{Error, suggest};
use crowdtune_sim::crowd::people::{Distribution, Family, TRAITS, published};
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

/// Reads one value as it is stored.
///
/// # Errors
/// If it is of the wrong type or out of range.
pub fn stored(item: &Item<'_>, param: &Param) -> Result<f64, Error> {
    let error = || item.wrong(param.allowed());
    match param.kind {
        Kind::Real { hard, .. } => item.number(hard.0, hard.1, &param.allowed()),
        Kind::Integer { hard, .. } => item.whole(hard.0, hard.1).map(|n| n as f64),
        Kind::Switch { .. } => item.switch().map(|on| f64::from(u8::from(on))).map_err(|_| error()),
        Kind::Choice { options, .. } => {
            let word = item.text().map_err(|_| error())?;
            let at = options.iter().position(|o| *o == word);
            at.map(|at| at as f64).ok_or_else(|| suggest::near(error(), &word, options))
        }
    }
}

/// Reads a trait of people: a number, or a table that [`is_drawn`].
///
/// # Errors
/// If a number, an end or a clip range is out of range, or there are several distributions.
pub fn distribution(item: &Item<'_>, param: &Param) -> Result<Distribution, Error> {
    if !item.is_table() {
        return stored(item, param).map(Distribution::Fixed);
    }
    let table = item.table()?;
    let (uniform, normal, clip) = (table.take("uniform"), table.take("normal"), table.take("clip"));
    let skewed: Vec<_> =
        Family::ALL.into_iter().filter_map(|family| Some((family, table.take(family.key())?))).collect();
    let searched = ["range", "integers", "choices", "each"].into_iter().find_map(|k| table.take(k));
    if let Some(other) = searched {
        return Err(other.error("a trait is drawn or searched, not both").help("keep one of the two"));
    }
    table.finish()?;
    let (low, high) = param.ends();
    let within = |item: &Item<'_>, (a, b): (f64, f64)| {
        if a >= low && b <= high {
            Ok((a, b))
        } else {
            Err(item.wrong(format!("[low, high] within {}", param.bounds())))
        }
    };
    if let Some((family, numbers)) = skewed.first() {
        if skewed.len() > 1 || uniform.is_some() || normal.is_some() {
            return Err(numbers.error("a trait has one distribution").help("keep one of them"));
        }
        let pair = numbers.numbers(2, family.numbers())?;
        let clip = clip.map_or(Ok((low, high)), |clip| within(&clip, clip.interval("[low, high]")?))?;
        if !family.takes((pair[0], pair[1])) {
            return Err(numbers.wrong(format!("{}, above 0", family.numbers())));
        }
        return Ok(Distribution::Skewed { family: *family, numbers: (pair[0], pair[1]), clip });
    }
    match (uniform, normal, clip) {
        (Some(ends), None, None) => {
            let (low, high) = within(&ends, ends.interval("[low, high]")?)?;
            Ok(Distribution::Uniform { low, high })
        }
        (None, Some(normal), clip) => {
            let pair = normal.numbers(2, "[mean, standard deviation]")?;
            let (mean, sd) = (pair[0], pair[1]);
            if sd <= 0.0 {
                return Err(normal
                    .wrong("[mean, standard deviation], the deviation above 0")
                    .help("for no spread give one number"));
            }
            let clip = match clip {
                Some(clip) => {
                    let range = within(&clip, clip.interval("[low, high]")?)?;
                    if range.0 > mean + 4.0 * sd || range.1 < mean - 4.0 * sd {
                        return Err(
                            clip.wrong(format!("a range that people can fall into: mean {mean}, deviation {sd}"))
                        );
                    }
                    range
                }
                None => usual_clip(mean, sd, param).ok_or_else(|| normal.wrong(param.allowed()))?,
            };
            Ok(Distribution::Normal { mean, sd, clip })
        }
        (Some(_), Some(normal), _) => {
            Err(normal.error("a trait has one distribution").help("keep `uniform` or `normal`"))
        }
        (_, _, Some(clip)) => {
            Err(clip.error("`clip` goes with `normal` and the skewed families only").help("remove it"))
        }
        (None, None, None) => Err(item.wrong(param.allowed())),
    }
}

/// True for a table that names a distribution.
pub fn is_drawn(entries: &Entries) -> bool {
    let named = ["uniform", "normal", "clip"].into_iter().chain(Family::ALL.map(Family::key));
    named.into_iter().any(|key| entries.contains_key(key))
}

/// Three deviations to both sides, inside what is accepted; `None` where nothing of it is.
///
/// Chosen here: three deviations keep 99.7 % of a normal distribution and no absurd people.
fn usual_clip(mean: f64, sd: f64, param: &Param) -> Option<(f64, f64)> {
    let (low, high) = param.ends();
    let clip = ((mean - 3.0 * sd).max(low), (mean + 3.0 * sd).min(high));
    (clip.0 < clip.1).then_some(clip)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_sim::models::MODELS;

    #[test]
    fn every_default_comes_back_from_a_tree_and_from_json() {
        for param in MODELS.iter().flat_map(|m| m.params) {
            let stored = param.default_value();
            let node = Node::default(value(param, stored));
            assert_eq!(
                super::stored(&Item::part("x", param.key.into(), &node), param).unwrap(),
                stored,
                "{}",
                param.key
            );
            let again = tree(&json(&node.value).unwrap());
            assert_eq!(
                super::stored(&Item::part("x", param.key.into(), &again), param).unwrap(),
                stored,
                "{}",
                param.key
            );
        }
    }

    #[test]
    fn every_distribution_comes_back_from_a_tree_and_from_json() {
        let clip = (0.5, 2.2);
        let all = [
            Distribution::Fixed(1.3),
            Distribution::Uniform { low: 0.9, high: 1.5 },
            Distribution::Normal { mean: 1.34, sd: 0.26, clip },
            Distribution::Skewed { family: Family::LogNormal, numbers: (0.1, 0.2), clip },
        ];
        for distribution in all {
            let node = Node::default(drawn(distribution));
            for node in [node.clone(), tree(&json(&node.value).unwrap())] {
                let item = Item::part("x", TRAITS[0].key.into(), &node);
                assert_eq!(super::distribution(&item, &TRAITS[0]).unwrap(), distribution);
            }
        }
        assert_eq!(json(&drawn(Distribution::Fixed(f64::INFINITY))), None);
    }
}
