//! TOML text to a tree.

use super::lines::Lines;
use super::node::{Entries, Node, Origin, Value};
use crowdtune_core::Error;
use toml::de::{DeTable, DeValue};

/// The tree of a file's text.
///
/// # Errors
/// If the text is neither TOML nor JSON, with the line.
pub fn parse(text: &str, file: &str) -> Result<Node, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if file.to_ascii_lowercase().ends_with(".json") || text.trim_start().starts_with('{') {
        return super::json::parse(text, file);
    }
    toml(text).map_err(|(what, line)| {
        Error::input(format!("this is not valid TOML: {what}"))
            .file(file)
            .line(line)
            .help("put texts in quotes, lists in [ ], tables in { } on one line or under a [header]")
    })
}

/// The tree of a TOML text, or what is wrong in which line.
pub fn toml(text: &str) -> Result<Node, (String, usize)> {
    let lines = Lines::new(text);
    let table = DeTable::parse(text).map_err(|e| {
        let span = e.span().unwrap_or(0..0);
        let found = text.get(span.clone()).and_then(|t| t.lines().next()).filter(|t| !t.is_empty() && t.len() < 40);
        let found = found.map_or_else(String::new, |t| format!(" at `{t}`"));
        (e.message().replace('\n', ", ") + &found, lines.of(span.start))
    })?;
    Ok(Node { value: Value::Table(entries(table.get_ref(), &lines)?), origin: Origin::File(1) })
}

fn entries(table: &DeTable<'_>, lines: &Lines) -> Result<Entries, (String, usize)> {
    let mut out = Entries::new();
    for (key, value) in table {
        let line = lines.of(key.span().start);
        out.insert(key.get_ref().to_string(), node(value.get_ref(), line, lines)?);
    }
    Ok(out)
}

fn node(value: &DeValue<'_>, line: usize, lines: &Lines) -> Result<Node, (String, usize)> {
    let value = match value {
        DeValue::String(s) => Value::Text(s.to_string()),
        DeValue::Integer(i) => Value::Integer(
            i64::from_str_radix(i.as_str(), i.radix())
                .map_err(|_| (format!("{i} is beyond the whole numbers from -2^63 to 2^63 - 1"), line))?,
        ),
        DeValue::Float(x) => {
            Value::Float(x.as_str().parse().map_err(|_| (format!("{} is not a number", x.as_str()), line))?)
        }
        DeValue::Boolean(b) => Value::Bool(*b),
        DeValue::Datetime(d) => return Err((format!("{d} is a date; no key takes one"), line)),
        DeValue::Array(list) => Value::List(
            list.iter().map(|v| node(v.get_ref(), lines.of(v.span().start), lines)).collect::<Result<_, _>>()?,
        ),
        DeValue::Table(table) => Value::Table(entries(table, lines)?),
    };
    Ok(Node { value, origin: Origin::File(line) })
}
