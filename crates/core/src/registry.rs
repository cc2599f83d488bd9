//! Registered things: models, metrics, scenarios, optimizers and exporters are entries of lists.
//!
//! Help, `crowdtune list`, the reference tables, the report's glossary and the contract tests are all derived from these
//! lists, so adding a thing is one file and one line. A program adds its own to a [`List`].

use crate::{Error, suggest};
use std::fmt;
use std::ops::Deref;

/// One registered thing: its name, its meaning, where it comes from, what can be set, how to make it.
#[derive(Debug)]
pub struct Entry<F: 'static> {
    /// The name that files and commands use.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub doc: &'static str,
    /// Where it comes from: paper with equation, or `chosen here: reason`.
    pub source: &'static str,
    /// What can be set, in the order in which values are stored.
    pub params: &'static [Param],
    /// How to make one.
    pub make: F,
}

/// One constant that a user can set.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key in the experiment file, with its unit as suffix.
    pub key: &'static str,
    /// The paper's symbol, or "".
    pub symbol: &'static str,
    /// The unit, or "" where it has none.
    pub unit: &'static str,
    /// What it means, in one sentence.
    pub doc: &'static str,
    /// Where the default comes from: paper, or `chosen here: reason`.
    pub source: &'static str,
    /// Default and ranges.
    pub kind: Kind,
    /// Another key of the same list; if this one is not given, it takes that value.
    pub same_as: Option<&'static str>,
    /// True if groups may differ in it; an interaction between two people needs one value for both.
    pub per_group: bool,
    /// The trait of people through which it acts: it has no effect if that trait is infinite for everybody.
    pub acts_through: Option<&'static str>,
    /// The list in which its source prints it together with others.
    pub listed: Option<&'static Listed>,
}

/// Constants that a source prints as one list without names. Files may give them like that: `KEY = { order = "NAME",
/// VALUES = [..] }`.
#[derive(Debug)]
pub struct Listed {
    /// The key of the list in the experiment file.
    pub key: &'static str,
    /// The key of its numbers.
    pub values: &'static str,
    /// What the list holds, in one sentence.
    pub doc: &'static str,
    /// The source's symbols, in the order of the list. They cannot serve as keys if orders differ.
    pub symbols: &'static [&'static str],
    /// The orders in which the constants are printed; the usual one first.
    pub orders: &'static [Order],
}

/// An order of the constants of a [`Listed`].
#[derive(Debug)]
pub struct Order {
    /// Its name in the experiment file.
    pub name: &'static str,
    /// Where in the source it is.
    pub place: &'static str,
    /// The keys of the constants, one for each symbol.
    pub keys: &'static [&'static str],
}

/// Default and ranges of a [`Param`]. Every value is stored as an `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A real number.
    Real {
        /// The published default.
        default: f64,
        /// What is accepted, both ends included.
        hard: (f64, f64),
        /// What a search covers unless the file says otherwise, inside `hard`.
        search: (f64, f64),
        /// True if a search should cover orders of magnitude.
        log: bool,
    },
    /// A whole number.
    Integer {
        /// The published default.
        default: i64,
        /// What is accepted, both ends included.
        hard: (i64, i64),
        /// What a search covers unless the file says otherwise.
        search: (i64, i64),
    },
    /// One of some words, stored as its index.
    Choice {
        /// The default, one of `options`.
        default: &'static str,
        /// All words.
        options: &'static [&'static str],
    },
    /// On or off, stored as 1 and 0.
    Switch {
        /// The default.
        default: bool,
    },
}

impl Param {
    const fn new(key: &'static str, unit: &'static str, kind: Kind) -> Self {
        let (symbol, doc, source) = ("", "", "");
        Self { key, symbol, unit, doc, source, kind, same_as: None, per_group: false, acts_through: None, listed: None }
    }

    /// A real number, the same in all groups: any number, until [`Param::range`] and [`Param::search`] say more.
    pub const fn real(key: &'static str, unit: &'static str, default: f64) -> Self {
        let hard = (f64::NEG_INFINITY, f64::INFINITY);
        Self::new(key, unit, Kind::Real { default, hard, search: (default, default), log: false })
    }

    /// A whole number without a unit, the same in all groups; accepted in `hard`, searched in `search`.
    pub const fn integer(key: &'static str, default: i64, hard: (i64, i64), search: (i64, i64)) -> Self {
        Self::new(key, "", Kind::Integer { default, hard, search })
    }

    /// A switch, the same in all groups.
    pub const fn switch(key: &'static str, default: bool) -> Self {
        Self::new(key, "", Kind::Switch { default })
    }

    /// A choice of words, the same in all groups.
    pub const fn choice(key: &'static str, default: &'static str, options: &'static [&'static str]) -> Self {
        Self::new(key, "", Kind::Choice { default, options })
    }

    /// Sets the accepted range of a real number, both ends included.
    ///
    /// # Panics
    /// If it is not a real number: a program error, found by the compiler.
    pub const fn range(self, low: f64, high: f64) -> Self {
        let Kind::Real { default, search, log, .. } = self.kind else { panic!("only a real number has a range") };
        Self { kind: Kind::Real { default, hard: (low, high), search, log }, ..self }
    }

    /// Sets the range that a search covers unless the file says otherwise.
    ///
    /// # Panics
    /// If it is not a real number: a program error, found by the compiler.
    pub const fn search(self, low: f64, high: f64) -> Self {
        let Kind::Real { default, hard, log, .. } = self.kind else { panic!("only a real number has this range") };
        Self { kind: Kind::Real { default, hard, search: (low, high), log }, ..self }
    }

    /// Makes a search cover orders of magnitude.
    ///
    /// # Panics
    /// If it is not a real number: a program error, found by the compiler.
    pub const fn log_scale(self) -> Self {
        let Kind::Real { default, hard, search, .. } = self.kind else { panic!("only a real number has orders") };
        Self { kind: Kind::Real { default, hard, search, log: true }, ..self }
    }

    /// Sets the paper's symbol.
    pub const fn symbol(self, symbol: &'static str) -> Self {
        Self { symbol, ..self }
    }

    /// Sets its meaning, as a phrase.
    pub const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    /// Sets the source of the default: paper, or `chosen here: reason`.
    pub const fn source(self, source: &'static str) -> Self {
        Self { source, ..self }
    }

    /// Lets groups differ in it.
    pub const fn of_group(self) -> Self {
        Self { per_group: true, ..self }
    }

    /// Declares that it has no effect if this trait of people is infinite.
    pub const fn acts_through(self, of_people: &'static str) -> Self {
        Self { acts_through: Some(of_people), ..self }
    }

    /// Lets files also give it in a list.
    pub const fn in_list(self, list: &'static Listed) -> Self {
        Self { listed: Some(list), ..self }
    }

    /// Lets it default to the value of another key.
    pub const fn like(self, other: &'static str) -> Self {
        Self { same_as: Some(other), ..self }
    }

    /// True if the default is an accepted value.
    fn takes_its_default(&self) -> bool {
        match self.kind {
            Kind::Real { default, hard, .. } => default >= hard.0 && default <= hard.1,
            Kind::Integer { default, hard, .. } => default >= hard.0 && default <= hard.1,
            Kind::Choice { default, options } => options.contains(&default),
            Kind::Switch { .. } => true,
        }
    }

    /// The default as it is stored.
    pub fn default_value(&self) -> f64 {
        match self.kind {
            Kind::Real { default, .. } => default,
            Kind::Integer { default, .. } => default as f64,
            Kind::Choice { default, options } => {
                options.iter().position(|&o| o == default).expect("a registered default is one of its options") as f64
            }
            Kind::Switch { default } => f64::from(u8::from(default)),
        }
    }
}

/// A value as files and tables write it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Written {
    /// A number.
    Real(f64),
    /// A whole number.
    Whole(i64),
    /// A word of a choice.
    Word(&'static str),
    /// true or false.
    Switch(bool),
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real(x) => write!(f, "{x}"),
            Self::Whole(n) => write!(f, "{n}"),
            Self::Word(word) => f.write_str(word),
            Self::Switch(on) => write!(f, "{on}"),
        }
    }
}

impl Param {
    /// A stored value as files write it; the number itself if a choice has no such option.
    pub fn written(&self, stored: f64) -> Written {
        match self.kind {
            Kind::Real { .. } => Written::Real(stored),
            Kind::Integer { .. } => Written::Whole(stored.round() as i64),
            Kind::Choice { options, .. } => {
                options.get(stored as usize).map_or(Written::Real(stored), |word| Written::Word(word))
            }
            Kind::Switch { .. } => Written::Switch(stored >= 0.5),
        }
    }

    /// Smallest and largest accepted value, as stored.
    pub fn ends(&self) -> (f64, f64) {
        match self.kind {
            Kind::Real { hard, .. } => hard,
            Kind::Integer { hard: (low, high), .. } => (low as f64, high as f64),
            Kind::Choice { options, .. } => (0.0, options.len() as f64 - 1.0),
            Kind::Switch { .. } => (0.0, 1.0),
        }
    }

    /// What is accepted, in words: "a number from 0.01 to 10 s".
    pub fn allowed(&self) -> String {
        match self.kind {
            Kind::Real { .. } => format!("a number from {}", self.bounds()),
            Kind::Integer { .. } => format!("a whole number from {}", self.bounds()),
            Kind::Choice { options, .. } => options.join(", "),
            Kind::Switch { .. } => "true or false".into(),
        }
    }

    /// The ends in words, with the unit: "0.01 to 10 s"; an infinite upper end is left out.
    pub fn bounds(&self) -> String {
        let ends = match self.kind {
            Kind::Real { hard: (low, high), .. } if high == f64::INFINITY => format!("{low} up"),
            Kind::Real { hard: (low, high), .. } => format!("{low} to {high}"),
            Kind::Integer { hard: (low, high), .. } => format!("{low} to {high}"),
            Kind::Choice { options, .. } => options.join(", "),
            Kind::Switch { .. } => "false, true".into(),
        };
        if self.unit.is_empty() { ends } else { format!("{ends} {}", self.unit) }
    }
}

/// Concatenates lists of params; of equal keys only the first is kept.
///
/// # Panics
/// If `N` is not their number: a program error, found by the compiler.
pub const fn joined<const N: usize>(lists: &[&[Param]]) -> [Param; N] {
    let mut all = [lists[0][0]; N];
    let (mut count, mut list) = (0, 0);
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            let param = lists[list][at];
            let mut before = 0;
            while before < count && !same(all[before].key, param.key) {
                before += 1;
            }
            if before == count {
                all[count] = param;
                count += 1;
            }
            at += 1;
        }
        list += 1;
    }
    assert!(count == N, "the lists have another number of keys");
    all
}

/// The param of a key in a list, for a thing that adopts a constant of another one.
///
/// # Panics
/// If there is none: a program error, found by the compiler.
pub const fn row(list: &[Param], key: &str) -> Param {
    let mut at = 0;
    while at < list.len() && !same(list[at].key, key) {
        at += 1;
    }
    assert!(at < list.len(), "no param of this key");
    list[at]
}

/// True if two texts are equal, for the compiler.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// Values for the params of one entry, in their order.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    params: &'static [Param],
    values: &'a [f64],
}

impl<'a> Settings<'a> {
    /// Pairs params with their values.
    ///
    /// # Panics
    /// If the lengths differ: a program error.
    pub fn new(params: &'static [Param], values: &'a [f64]) -> Self {
        assert_eq!(params.len(), values.len(), "one value for each param");
        Self { params, values }
    }

    /// The value of a param, if there is one of this key.
    pub fn find(&self, key: &str) -> Option<f64> {
        self.params.iter().position(|p| p.key == key).map(|at| self.values[at])
    }

    /// The value of a real or integer param.
    ///
    /// # Panics
    /// If no such key is registered: a program error.
    pub fn get(&self, key: &str) -> f64 {
        self.find(key).unwrap_or_else(|| panic!("no param `{key}` is registered"))
    }

    /// The value of a whole number.
    pub fn whole(&self, key: &str) -> i64 {
        self.get(key).round() as i64
    }

    /// The value of a switch.
    pub fn on(&self, key: &str) -> bool {
        self.get(key) >= 0.5
    }

    /// The word of a choice.
    pub fn word(&self, key: &str) -> &'static str {
        let param = self.params.iter().find(|p| p.key == key);
        match param.map(|p| p.kind) {
            Some(Kind::Choice { options, .. }) => options[self.get(key) as usize],
            _ => panic!("no choice `{key}` is registered"),
        }
    }
}

/// The defaults of a list of params, `same_as` resolved.
pub fn defaults(params: &'static [Param]) -> Vec<f64> {
    params
        .iter()
        .map(|p| match p.same_as {
            Some(other) => {
                Settings::new(params, &params.iter().map(Param::default_value).collect::<Vec<_>>()).get(other)
            }
            None => p.default_value(),
        })
        .collect()
}

/// The entry of that name, if there is one.
pub fn find<F>(list: &[&'static Entry<F>], name: &str) -> Option<&'static Entry<F>> {
    list.iter().copied().find(|e| e.name == name)
}

/// All things of one kind: those that come with crowdtune and those that a program adds. Derefs to a slice of entries.
#[derive(Debug)]
pub struct List<F: 'static> {
    kind: &'static str,
    entries: Vec<&'static Entry<F>>,
}

impl<F> List<F> {
    /// A list of `entries`; `kind` is the word for one of them in messages ("model", "metric").
    pub fn new(kind: &'static str, entries: &[&'static Entry<F>]) -> Self {
        Self { kind, entries: entries.to_vec() }
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// If its name is taken or not valid in an experiment file, or its params contradict each other.
    pub fn add(&mut self, entry: &'static Entry<F>) -> Result<(), Error> {
        let refused = |what: String| Err(Error::input(format!("the {} `{}` {what}", self.kind, entry.name)));
        if entry.name.is_empty()
            || !entry.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        {
            return refused("has a name that no file can write".into()).map_err(|e| e.allowed("a-z, 0-9 and _"));
        }
        if find(self, entry.name).is_some() {
            return refused("is registered already".into()).map_err(|e| e.help("give one of the two another name"));
        }
        for (at, param) in entry.params.iter().enumerate() {
            if entry.params[..at].iter().any(|p| p.key == param.key) {
                return refused(format!("has two params `{}`", param.key));
            }
            if !param.takes_its_default() {
                return refused(format!(
                    "has a param `{}` whose default is not one of the values it accepts",
                    param.key
                ));
            }
            if let Some(other) = param.same_as.filter(|other| entry.params.iter().all(|p| p.key != *other)) {
                return refused(format!("has a param `{}` that follows `{other}`, which is not there", param.key));
            }
        }
        self.entries.push(entry);
        Ok(())
    }

    /// The entry of that name.
    ///
    /// # Errors
    /// If there is none; the message suggests similar names.
    pub fn get(&self, name: &str) -> Result<&'static Entry<F>, Error> {
        find(self, name).ok_or_else(|| {
            let names: Vec<&str> = self.entries.iter().map(|e| e.name).collect();
            suggest::among(Error::input(format!("there is no {} `{name}`", self.kind)), name, &names)
        })
    }
}

impl<F> Clone for List<F> {
    fn clone(&self) -> Self {
        Self { kind: self.kind, entries: self.entries.clone() }
    }
}

impl<F> Deref for List<F> {
    type Target = [&'static Entry<F>];

    fn deref(&self) -> &Self::Target {
        &self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAIN: Param =
        Param::real("gain", "", 1.0).range(0.0, 2.0).search(0.5, 1.5).doc("Strength.").source("chosen here: a test");

    const fn entry(name: &'static str, params: &'static [Param]) -> Entry<()> {
        Entry { name, doc: "A test.", source: "chosen here: a test", params, make: () }
    }

    static PUSH: Entry<()> = entry("push", &[GAIN]);
    static PULL: Entry<()> = entry("pull", &[GAIN, Param { key: "loss", same_as: Some("gain"), ..GAIN }]);

    #[test]
    fn what_a_program_adds_is_found_after_what_was_there() {
        let mut list = List::new("model", &[&PUSH]);
        list.add(&PULL).unwrap();
        assert_eq!(list.iter().map(|e| e.name).collect::<Vec<_>>(), ["push", "pull"]);
        assert_eq!(list.get("pull").unwrap().params.len(), 2);
        let error = list.get("pul").unwrap_err().to_string();
        assert!(error.contains("there is no model `pul`") && error.contains("did you mean `pull`?"), "{error}");
    }

    #[test]
    fn an_entry_that_contradicts_the_list_or_itself_is_refused() {
        static TAKEN: Entry<()> = entry("push", &[]);
        static NAMELESS: Entry<()> = entry("my.push", &[]);
        static TWICE: Entry<()> = entry("twice", &[GAIN, GAIN]);
        static BEYOND: Entry<()> =
            entry("beyond", &[Param { kind: Kind::Integer { default: 3, hard: (0, 2), search: (0, 2) }, ..GAIN }]);
        static ALONE: Entry<()> = entry("alone", &[Param { same_as: Some("other"), ..GAIN }]);
        let mut list = List::new("model", &[&PUSH]);
        for (wrong, what) in [
            (&TAKEN, "registered already"),
            (&NAMELESS, "name"),
            (&TWICE, "two params `gain`"),
            (&BEYOND, "default"),
            (&ALONE, "follows `other`"),
        ] {
            let error = list.add(wrong).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
        assert_eq!(list.len(), 1);
    }
}
