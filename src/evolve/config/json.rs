//! JSON text (with comments and trailing commas, if somebody likes them) to a tree.

use super::tree::Lines;
use super::tree::{Entries, Node, Origin, Value};
use crowdtune_core::Error;
use jsonc_parser::ast::{self, ObjectPropName};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// The tree of a JSON text.
///
/// # Errors
/// If the text is no JSON object, has a key twice, or holds null; with the line.
pub fn parse(text: &str, file: &str) -> Result<Node, Error> {
    let lines = Lines::new(text);
    let wrong = |what: String, line: usize| {
        Error::input(format!("this is not valid JSON: {what}"))
            .file(file)
            .line(line)
            .help("the keys are the same as in TOML, tables become { }")
    };
    if let Some(line) = too_deep(text) {
        return Err(wrong(format!("it is nested deeper than {DEPTH} levels"), line));
    }
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default())
        .map_err(|e| wrong(e.kind().to_string(), lines.of(e.range().start)))?;
    match parsed.value {
        Some(ast::Value::Object(object)) => {
            let entries = entries(&object, &lines).map_err(|(what, line)| wrong(what, line))?;
            Ok(Node { value: Value::Table(entries), origin: Origin::File(1) })
        }
        _ => Err(wrong("an experiment is one object { ... }".into(), 1)),
    }
}

/// Levels of nesting; chosen here: far beyond any experiment, far below what a stack holds.
const DEPTH: usize = 64;

/// The line where brackets are nested deeper than [`DEPTH`], if any. Brackets in texts count too: harmless at this
/// depth, unless a text holds 64 open ones.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH {
            return Some(Lines::new(text).of(at));
        }
    }
    None
}

fn entries(object: &ast::Object<'_>, lines: &Lines) -> Result<Entries, (String, usize)> {
    let mut out = Entries::new();
    for prop in &object.properties {
        let line = lines.of(prop.range().start);
        let key = match &prop.name {
            ObjectPropName::String(s) => s.value.to_string(),
            ObjectPropName::Word(w) => w.value.to_string(),
        };
        let node = node(&prop.value, line, lines)?;
        if out.insert(key.clone(), node).is_some() {
            return Err((format!("`{key}` is there twice"), line));
        }
    }
    Ok(out)
}

fn node(value: &ast::Value<'_>, line: usize, lines: &Lines) -> Result<Node, (String, usize)> {
    let value = match value {
        ast::Value::StringLit(s) => Value::Text(s.value.to_string()),
        ast::Value::NumberLit(n) => number(n.value).ok_or_else(|| (format!("{} is not a number", n.value), line))?,
        ast::Value::BooleanLit(b) => Value::Bool(b.value),
        ast::Value::NullKeyword(_) => return Err(("null is not a value; leave the key out".into(), line)),
        ast::Value::Array(list) => Value::List(
            list.elements.iter().map(|v| node(v, lines.of(v.range().start), lines)).collect::<Result<_, _>>()?,
        ),
        ast::Value::Object(object) => Value::Table(entries(object, lines)?),
    };
    Ok(Node { value, origin: Origin::File(line) })
}

fn number(text: &str) -> Option<Value> {
    let text = text.strip_prefix('+').unwrap_or(text);
    if let Ok(n) = text.parse::<i64>() {
        return Some(Value::Integer(n));
    }
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return i64::from_str_radix(hex, 16).ok().map(Value::Integer);
    }
    text.parse::<f64>().ok().map(Value::Float)
}
