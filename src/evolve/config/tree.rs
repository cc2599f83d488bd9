//! The tree of an experiment file: values that remember where they were written, from TOML text and from `--set`.

use crowdtune_core::Error;
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

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

    /// The whole number, if it is one, with or without a point.
    pub fn whole(&self) -> Option<i64> {
        match self.value {
            Value::Integer(n) => Some(n),
            Value::Float(x) if x == x.trunc() && x.abs() < 9e15 => Some(x as i64),
            _ => None,
        }
    }

    /// Both numbers, if it is a list of two.
    pub fn pair(&self) -> Option<(f64, f64)> {
        match &self.value {
            Value::List(list) => <&[Node; 2]>::try_from(&list[..]).ok().and_then(|[a, b]| a.number().zip(b.number())),
            _ => None,
        }
    }

    /// Both ends, if it is a list of two numbers, the first below the second; an end may be infinite.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.pair().filter(|(low, high)| low < high)
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// true or false, if it is one of them.
    pub fn switch(&self) -> Option<bool> {
        match self.value {
            Value::Bool(on) => Some(on),
            _ => None,
        }
    }

    /// This node, and all inside it, with that origin.
    pub fn written(mut self, origin: Origin) -> Self {
        self.mark(origin);
        self
    }

    fn mark(&mut self, origin: Origin) {
        self.origin = origin;
        match &mut self.value {
            Value::List(list) => list.iter_mut().for_each(|node| node.mark(origin)),
            Value::Table(entries) => entries.values_mut().for_each(|node| node.mark(origin)),
            _ => {}
        }
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

/// The named things inside a table of tables, in name order; nothing where it is absent or no table.
pub fn tables<'t>(entries: &'t mut Entries, key: &str) -> impl Iterator<Item = (&'t String, &'t mut Node)> {
    entries.get_mut(key).and_then(Node::entries_mut).into_iter().flatten()
}

/// Where the lines of a text start.
pub struct Lines(Vec<usize>);

impl Lines {
    /// Counts the lines of a text.
    pub fn new(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(at, _)| at + 1).collect())
    }

    /// The line of a byte, counted from 1.
    pub fn of(&self, byte: usize) -> usize {
        1 + self.0.partition_point(|&start| start <= byte)
    }
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
    Ok(Node { value: Value::Table(entries_of(table.get_ref(), &lines)?), origin: Origin::File(1) })
}

fn entries_of(table: &DeTable<'_>, lines: &Lines) -> Result<Entries, (String, usize)> {
    let mut out = Entries::new();
    for (key, value) in table {
        let line = lines.of(key.span().start);
        out.insert(key.get_ref().to_string(), node_of(value.get_ref(), line, lines)?);
    }
    Ok(out)
}

fn node_of(value: &DeValue<'_>, line: usize, lines: &Lines) -> Result<Node, (String, usize)> {
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
            list.iter().map(|v| node_of(v.get_ref(), lines.of(v.span().start), lines)).collect::<Result<_, _>>()?,
        ),
        DeValue::Table(table) => Value::Table(entries_of(table, lines)?),
    };
    Ok(Node { value, origin: Origin::File(line) })
}

/// `--set KEY=VALUE`: replaces the value of a dotted key. The right side is a TOML value, else a text.
///
/// # Errors
/// If the key is no dotted key, or leads through something that is not a table.
pub fn set(root: &mut Node, key: &str, text: &str) -> Result<(), Error> {
    let path = path(key).ok_or_else(|| {
        Error::input(format!("`{key}` is not a key"))
            .key(format!("--set {key}"))
            .help("give dotted keys as the file has them, such as `target.flow.weight=3` or `search.seed=2`")
    })?;
    let value = value(text).written(Origin::Set);
    let mut at = root;
    for (depth, part) in path.iter().enumerate() {
        let Some(entries) = at.entries_mut() else {
            let table = path[..depth].join(".");
            return Err(Error::input(format!("`{table}` is not a table, so it has no `{part}`"))
                .key(format!("--set {key}"))
                .help(format!("set `{table}` itself, for instance to {{ {part} = {text} }}")));
        };
        if depth + 1 == path.len() {
            entries.insert(part.clone(), value);
            return Ok(());
        }
        at = entries
            .entry(part.clone())
            .or_insert_with(|| Node { value: Value::Table(Default::default()), origin: Origin::Set });
    }
    Ok(())
}

/// The parts of a dotted key, or `None` if it is none.
fn path(key: &str) -> Option<Vec<String>> {
    let mut node = toml(&format!("{key} = 0")).ok()?;
    let mut path = Vec::new();
    loop {
        match node.value {
            Value::Table(mut entries) if entries.len() == 1 => {
                let (key, next) = entries.pop_first()?;
                path.push(key);
                node = next;
            }
            Value::Integer(0) => return Some(path),
            _ => return None,
        }
    }
}

fn value(text: &str) -> Node {
    let as_text = || Node { value: Value::Text(text.to_owned()), origin: Origin::Set };
    match toml(&format!("v = {text}")).map(|n| n.value) {
        Ok(Value::Table(mut entries)) if entries.len() == 1 => entries.remove("v").unwrap_or_else(as_text),
        _ => as_text(),
    }
}
