//! The text of an imported experiment: constants, people, a place, and targets, so that it runs as it is.

use super::Imported;
use crate::evolve::codec;
use crate::format::one_line;
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Kind, List};
use crowdtune_sim::models::MakeModel;
use std::fmt::Write as _;

/// Constants that are searched where the file says none. Chosen here: two, as in the files of `crowdtune new`.
const SEARCHED: usize = 2;

/// An experiment in pieces.
#[derive(Debug)]
pub struct Draft<'a> {
    /// The file that it comes from, which is its title too.
    pub file: &'a str,
    /// What kind of file that is.
    pub kind: &'a str,
    /// Lines for its head.
    pub head: Vec<String>,
    /// What the user should know; these stand in the head too.
    pub notes: Vec<String>,
    /// Who walks.
    pub model: &'a Entry<MakeModel>,
    /// Constants and what they are set to, as TOML.
    pub constants: Vec<(String, String)>,
    /// True if the first constants are searched.
    pub free: bool,
    /// Traits of people and what they are set to, as TOML.
    pub people: Vec<(String, String)>,
    /// The tables of scenarios.
    pub place: String,
    /// The tables of targets, or "".
    pub targets: String,
    /// Keys of `[search]` and what they are set to, as TOML.
    pub search: Vec<(String, String)>,
}

/// The model that the user named, or `usual`.
///
/// # Errors
/// If there is no such model.
pub fn model<'a>(models: &'a List<MakeModel>, named: Option<&str>, usual: &str) -> Result<&'a Entry<MakeModel>, Error> {
    models.get(named.unwrap_or(usual)).map_err(|e| e.key("--model").help("`crowdtune list models` shows them"))
}

/// Text in quotes.
pub fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Words of a file as they stand in a sentence: one line, not longer than one.
pub fn comment(text: &str) -> String {
    one_line(text).chars().take(200).collect::<String>().trim().to_owned()
}

/// How to search what is fixed.
pub const TO_TUNE: &str = "To tune a constant, write a range in place of its number: { range = [low, high] }.";

/// A target for people who leave: 95 % of them are out soon.
pub const LEAVING: &str = "# `crowdtune list targets` shows how to ask for something, `crowdtune list metrics` what can be measured.\n\
[target.time]\nmetric   = \"evacuation_time_95_s\"\nminimize = { good = 20.0, bad = 60.0 }    # s\n\n";

impl Draft<'_> {
    /// The experiment file.
    pub fn imported(self) -> Imported {
        Imported { text: self.text(), notes: self.notes }
    }

    fn text(&self) -> String {
        let (file, kind, version) = (self.file, self.kind, env!("CARGO_PKG_VERSION"));
        let mut out = format!("# {}\n", one_line(&format!("From {file}, {kind}, by crowdtune {version}.")));
        for line in self.head.iter().chain(&self.notes) {
            let _ = writeln!(out, "# {}", one_line(line));
        }
        let _ = write!(
            out,
            "\nformat = 1\ntitle  = {}\nmodel  = \"{}\"\n\n[parameters]\n",
            quoted(self.file),
            self.model.name
        );
        let free = self.model.params.iter().filter(|p| matches!(p.kind, Kind::Real { .. }) && p.same_as.is_none());
        for p in free.take(if self.free { SEARCHED } else { 0 }) {
            let _ = writeln!(out, "{} = {}    # {}", p.key, codec::search_toml(p), comment(p.doc));
        }
        for (key, value) in &self.constants {
            let _ = writeln!(out, "{key} = {value}");
        }
        if !self.people.is_empty() {
            out += "\n[people]\n";
            for (key, value) in &self.people {
                let _ = writeln!(out, "{key} = {value}");
            }
        }
        let _ = write!(out, "\n{}\n{}", self.place, self.targets);
        if !self.search.is_empty() {
            out += "[search]\n";
            for (key, value) in &self.search {
                let _ = writeln!(out, "{key} = {value}");
            }
        }
        out
    }
}
