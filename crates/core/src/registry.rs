//! Registered things: models, metrics, scenarios, optimizers and exporters are entries of static lists.
//!
//! Help, `crowdtune list`, the tables of the README, the report's glossary and the contract tests are all derived
//! from these lists, so adding a thing is one file and one line.

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
    /// Another key whose value is taken where this one is not given ("as for people").
    pub same_as: Option<&'static str>,
    /// True if groups may differ in it; a law between two people needs one value for both.
    pub per_group: bool,
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
    /// A real number, the same in all groups.
    #[allow(clippy::too_many_arguments, reason = "a table of rows reads better than blocks of fields")]
    pub const fn real(
        key: &'static str,
        symbol: &'static str,
        unit: &'static str,
        doc: &'static str,
        source: &'static str,
        default: f64,
        hard: (f64, f64),
        search: (f64, f64),
        log: bool,
    ) -> Self {
        let kind = Kind::Real { default, hard, search, log };
        Self { key, symbol, unit, doc, source, kind, same_as: None, per_group: false }
    }

    /// A whole number without a unit, the same in all groups.
    pub const fn integer(
        key: &'static str,
        symbol: &'static str,
        doc: &'static str,
        source: &'static str,
        default: i64,
        hard: (i64, i64),
        search: (i64, i64),
    ) -> Self {
        let kind = Kind::Integer { default, hard, search };
        Self { key, symbol, unit: "", doc, source, kind, same_as: None, per_group: false }
    }

    /// A switch, the same in all groups.
    pub const fn switch(key: &'static str, doc: &'static str, source: &'static str, default: bool) -> Self {
        let kind = Kind::Switch { default };
        Self { key, symbol: "", unit: "", doc, source, kind, same_as: None, per_group: false }
    }

    /// A choice of words, the same in all groups.
    pub const fn choice(
        key: &'static str,
        doc: &'static str,
        source: &'static str,
        default: &'static str,
        options: &'static [&'static str],
    ) -> Self {
        let kind = Kind::Choice { default, options };
        Self { key, symbol: "", unit: "", doc, source, kind, same_as: None, per_group: false }
    }

    /// The same, but groups may differ in it.
    pub const fn of_group(self) -> Self {
        Self { per_group: true, ..self }
    }

    /// The same, but where it is not given it takes the value of another key.
    pub const fn like(self, other: &'static str) -> Self {
        Self { same_as: Some(other), ..self }
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

/// The params of several lists one after the other, each key once: the first one counts.
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

/// The param of a key in a list, for a thing that takes the constant of another one over.
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
