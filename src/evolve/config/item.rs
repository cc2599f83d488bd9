//! Reading the tree: every item knows its file, its dotted key and its line, so every mistake can name them.

use super::resolved::show;
use super::tree::{Entries, Node, Origin, Value};
use crowdtune_core::registry::{Entry, List};
use crowdtune_core::{Error, suggest};
use std::cell::RefCell;

/// A value with its dotted key.
#[derive(Clone, Debug)]
pub struct Item<'a> {
    file: &'a str,
    /// The dotted key; "" for the whole file.
    pub path: String,
    /// The value.
    pub node: &'a Node,
}

impl<'a> Item<'a> {
    /// The whole file.
    pub fn root(file: &'a str, node: &'a Node) -> Self {
        Self { file, path: String::new(), node }
    }

    /// A part of a file.
    pub fn part(file: &'a str, path: String, node: &'a Node) -> Self {
        Self { file, path, node }
    }

    /// An error about this value.
    pub fn error(&self, what: impl Into<String>) -> Error {
        place(Error::input(what), self.file, &self.path, self.node.origin)
    }

    /// Adds this place to an error from another room.
    pub fn located(&self, error: Error) -> Error {
        place(error, self.file, &self.path, self.node.origin)
    }

    /// Adds the place of the key inside this table that an error from another room names, `from.points[2]`, as far as
    /// the file has it; this place where it names none.
    pub fn locate(&self, error: Error) -> Error {
        let (mut node, mut path) = (self.node, self.path.clone());
        for part in error.named_key().unwrap_or_default().split('.') {
            let mut steps = part.split(['[', ']']).filter(|step| !step.is_empty());
            let Some(next) = steps.next().and_then(|key| node.get(key)) else { break };
            (node, path) = (next, join(&path, part));
            for step in steps {
                if let (Value::List(list), Ok(at)) = (&node.value, step.parse::<usize>()) {
                    node = list.get(at).unwrap_or(node);
                }
            }
        }
        // A default has no line, its table has.
        match node.origin {
            Origin::Default => place(error.under(&self.path), self.file, &path, self.node.origin),
            origin => place(error.under(&self.path), self.file, &path, origin),
        }
    }

    /// An error that shows the value: "`key` is VALUE, not ..." with what is allowed.
    pub fn wrong(&self, allowed: impl Into<String>) -> Error {
        self.error(format!("`{}` is {}", self.key(), show(&self.node.value))).allowed(allowed)
    }

    /// The last part of the dotted key.
    fn key(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default()
    }

    /// The file's name.
    pub fn file(&self) -> &'a str {
        self.file
    }

    /// True if it is a table.
    pub fn is_table(&self) -> bool {
        self.node.entries().is_some()
    }

    /// A text.
    pub fn text(&self) -> Result<String, Error> {
        self.node.text().map(str::to_owned).ok_or_else(|| self.wrong("a text in quotes"))
    }

    /// true or false.
    pub fn switch(&self) -> Result<bool, Error> {
        self.node.switch().ok_or_else(|| self.wrong("true or false"))
    }

    /// A number from `low` to `high`, both included; `what` says so in words, with the unit.
    pub fn number(&self, low: f64, high: f64, what: &str) -> Result<f64, Error> {
        match self.node.number() {
            Some(x) if x >= low && x <= high => Ok(x),
            _ => Err(self.no_number(what)),
        }
    }

    /// A number above 0, not infinite.
    pub fn positive(&self, what: &str) -> Result<f64, Error> {
        self.number(f64::MIN_POSITIVE, f64::MAX, what)
    }

    /// Any finite number.
    pub fn finite(&self) -> Result<f64, Error> {
        self.number(f64::MIN, f64::MAX, "a finite number")
    }

    /// A whole number from `low` to `high`, both included.
    pub fn whole(&self, low: i64, high: i64) -> Result<i64, Error> {
        let high_text = if high == i64::MAX { "2^63 - 1".to_owned() } else { high.to_string() };
        match self.node.whole() {
            Some(n) if n >= low && n <= high => Ok(n),
            _ => Err(self.no_number(&format!("a whole number from {low} to {high_text}"))),
        }
    }

    /// The error of a value that is no number, or none of those allowed.
    pub fn no_number(&self, allowed: &str) -> Error {
        let error = self.wrong(allowed);
        match self.node.entries() {
            Some(entries) if entries.contains_key("range") || entries.contains_key("choices") => error.help(
                "only constants of the model ([parameters]) and traits of people ([people]) can be searched; \
                 use `each` for one scenario per value",
            ),
            Some(entries) if entries.contains_key("each") => {
                error.help("`each` goes with numbers in [parameters], [people] and scenario tables")
            }
            _ => error,
        }
    }

    /// The items of a list.
    pub fn list(&self) -> Result<Vec<Item<'a>>, Error> {
        match &self.node.value {
            Value::List(list) => Ok(list
                .iter()
                .enumerate()
                .map(|(i, node)| Self { file: self.file, path: format!("{}[{i}]", self.path), node })
                .collect()),
            _ => Err(self.wrong("a list in [ ]")),
        }
    }

    /// Finite numbers, exactly `n`; `what` names them.
    pub fn numbers(&self, n: usize, what: &str) -> Result<Vec<f64>, Error> {
        let wrong = || self.wrong(what.to_owned());
        let list = self.list().map_err(|_| wrong())?;
        if list.len() != n {
            return Err(wrong());
        }
        list.iter().map(Item::finite).collect()
    }

    /// Two finite numbers, the first below the second.
    pub fn interval(&self, what: &str) -> Result<(f64, f64), Error> {
        let finite = self.node.interval().filter(|(low, high)| low.is_finite() && high.is_finite());
        finite.ok_or_else(|| self.no_interval(what))
    }

    /// The error of a value that is no interval, or none of those allowed.
    pub fn no_interval(&self, what: &str) -> Error {
        let reversed = self.node.pair().is_some_and(|(low, high)| low >= high);
        let inside = self.list().ok().and_then(|list| list.iter().find_map(|item| item.finite().err()));
        match inside {
            _ if reversed => self.wrong(what).help("the first number must be below the second"),
            Some(error) if self.list().is_ok_and(|list| list.len() == 2) => error,
            _ => self.wrong(what),
        }
    }

    /// One of some words.
    pub fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, Error> {
        let names: Vec<_> = words.iter().map(|w| w.0).collect();
        let text = self.text().map_err(|_| self.wrong(names.join(", ")))?;
        match words.iter().find(|w| w.0 == text) {
            Some(&(_, value)) => Ok(value),
            None => Err(suggest::among(
                self.error(format!("`{}` is {}", self.key(), show(&self.node.value))),
                &text,
                &names,
            )),
        }
    }

    /// An entry of a list of registered things.
    pub fn entry<F>(&self, list: &List<F>) -> Result<&'static Entry<F>, Error> {
        list.get(&self.text()?).map_err(|e| self.located(e))
    }

    /// The entries of a table, to be taken one by one.
    pub fn table(&self) -> Result<Table<'a>, Error> {
        match self.node.entries() {
            Some(entries) => Ok(Table { item: self.clone(), entries, known: RefCell::default() }),
            None => Err(self.wrong("a table")),
        }
    }

    /// The items of a table of named things, in name order.
    ///
    /// # Errors
    /// If a name has other characters than letters, digits, `_` and `-`.
    pub fn named(&self) -> Result<Vec<(String, Item<'a>)>, Error> {
        let table = self.table()?;
        let mut out = Vec::new();
        for key in table.entries.keys() {
            let item = table.take(key).expect("the key is one of the table's");
            if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
                return Err(item.error(format!("`{key}` is not a name")).allowed("letters, digits, _ and -"));
            }
            out.push((key.clone(), item));
        }
        Ok(out)
    }
}

/// A table that is being read: what nobody takes is unknown.
#[derive(Debug)]
pub struct Table<'a> {
    /// The table itself.
    pub item: Item<'a>,
    entries: &'a Entries,
    known: RefCell<Vec<String>>,
}

impl<'a> Table<'a> {
    /// The value of a key, if it is there.
    pub fn take(&self, key: &str) -> Option<Item<'a>> {
        let mut known = self.known.borrow_mut();
        if !known.iter().any(|k| k == key) {
            known.push(key.to_owned());
        }
        self.entries.get(key).map(|node| Item { file: self.item.file, path: join(&self.item.path, key), node })
    }

    /// The value of a key that must be there.
    pub fn need(&self, key: &str, help: &str) -> Result<Item<'a>, Error> {
        self.take(key).ok_or_else(|| {
            let of = if self.item.path.is_empty() { "the experiment".into() } else { format!("`{}`", self.item.path) };
            let error = self.item.error(format!("{of} has no `{key}`"));
            if help.is_empty() { error } else { error.help(help) }
        })
    }

    /// The keys that are there.
    pub fn keys(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.entries.keys().map(String::as_str)
    }

    /// The first key that nobody took.
    pub fn leftover(&self) -> Option<Item<'a>> {
        let known = self.known.borrow();
        let key = self.entries.keys().find(|k| !known.contains(k))?;
        Some(Item { file: self.item.file, path: join(&self.item.path, key), node: &self.entries[key] })
    }

    /// The error for a key that nobody took.
    pub fn unknown(&self, item: &Item<'_>) -> Error {
        let known = self.known.borrow();
        let names: Vec<_> = known.iter().map(String::as_str).collect();
        let key = key_of(&item.path, &self.item.path);
        let table = if self.item.path.is_empty() { "an experiment".into() } else { format!("`{}`", self.item.path) };
        suggest::among(item.error(format!("`{key}` is not a key of {table}")), key, &names)
    }

    /// Says that everything was read.
    ///
    /// # Errors
    /// If there is a key that nobody took, with the nearest known one.
    pub fn finish(&self) -> Result<(), Error> {
        self.leftover().map_or(Ok(()), |item| Err(self.unknown(&item)))
    }
}

/// The key of a path inside its table.
pub fn key_of<'p>(path: &'p str, table: &str) -> &'p str {
    if table.is_empty() { path } else { path.get(table.len() + 1..).unwrap_or(path) }
}

/// A dotted key.
pub fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn place(error: Error, file: &str, path: &str, origin: Origin) -> Error {
    match origin {
        Origin::File(line) if path.is_empty() => error.file(file).line(line),
        Origin::File(line) => error.file(file).line(line).key(path),
        Origin::Set => error.key(format!("--set {path}")),
        Origin::Behavior { line: Some(line), .. } => error.file(file).line(line).key(path),
        // A value that did not come from a file has no name of one.
        Origin::Behavior { .. } | Origin::Default if file.is_empty() => error.key(path),
        Origin::Behavior { .. } | Origin::Default => error.file(file).key(path),
    }
}
