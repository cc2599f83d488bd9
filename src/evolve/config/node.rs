//! One tree for TOML and JSON: values that remember where they were written.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Keys and values of a table, in key order.
pub type Entries = BTreeMap<String, Node>;

/// Where a value was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In the file, in this line (counted from 1).
    File(usize),
    /// On the command line.
    Set,
    /// In a behavior that the file names.
    Behavior {
        /// The behavior.
        name: &'static str,
        /// The line that names it; `None`: the command line does.
        line: Option<usize>,
    },
    /// Nowhere: it is a default.
    Default,
}

/// A value with its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it was written.
    pub origin: Origin,
}

/// What a file can hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// true or false.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a point or an exponent, or inf or nan.
    Float(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(Entries),
}

impl Node {
    /// A default.
    pub fn default(value: Value) -> Self {
        Self { value, origin: Origin::Default }
    }

    /// An empty table that nobody wrote.
    pub fn empty() -> Self {
        Self::default(Value::Table(Entries::new()))
    }

    /// The entries, if it is a table.
    pub fn entries(&self) -> Option<&Entries> {
        match &self.value {
            Value::Table(entries) => Some(entries),
            _ => None,
        }
    }

    /// The entries to be changed, if it is a table.
    pub fn entries_mut(&mut self) -> Option<&mut Entries> {
        match &mut self.value {
            Value::Table(entries) => Some(entries),
            _ => None,
        }
    }

    /// The entry of that key, if it is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().and_then(|e| e.get(key))
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Integer(n) => Some(n as f64),
            Value::Float(x) => Some(x),
            _ => None,
        }
    }
}

impl Value {
    /// The value as a user would type it, shortened to one readable line.
    pub fn show(&self) -> String {
        let text = inline(self);
        if text.chars().count() <= 60 {
            return text;
        }
        text.chars().take(57).chain("...".chars()).collect()
    }
}

/// True if there is an `each` anywhere inside.
pub fn has_each(node: &Node) -> bool {
    match &node.value {
        Value::Table(table) => table.contains_key("each") || table.values().any(has_each),
        Value::List(list) => list.iter().any(has_each),
        _ => false,
    }
}

/// Puts a default where the key is absent.
pub fn put(entries: &mut Entries, key: &str, value: Value) {
    entries.entry(key.to_owned()).or_insert_with(|| Node::default(value));
}

/// A key as TOML has it.
pub fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { name.to_owned() } else { text(name) }
}

fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => _ = write!(out, "\\u{:04X}", c as u32),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A value on one line.
pub fn inline(value: &Value) -> String {
    match value {
        Value::Bool(on) => on.to_string(),
        Value::Integer(n) => n.to_string(),
        Value::Float(x) if x.is_nan() => "nan".into(),
        Value::Float(x) => format!("{x:?}"),
        Value::Text(t) => text(t),
        Value::List(list) => format!("[{}]", list.iter().map(|n| inline(&n.value)).collect::<Vec<_>>().join(", ")),
        Value::Table(entries) if entries.is_empty() => "{}".into(),
        Value::Table(entries) => {
            let all: Vec<_> = entries.iter().map(|(k, n)| format!("{} = {}", key(k), inline(&n.value))).collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}
