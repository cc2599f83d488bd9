//! What the readers of an experiment share: the registry, and the files that the experiment names.

use super::item::Item;
use crate::evolve::engine::Foreign;
use crate::registry::Registry;
use crowdtune_core::Error;
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a file that the experiment names: the name as written there, relative to the experiment file.
pub type Read<'a> = dyn FnMut(&str) -> Result<Vec<u8>, Error> + 'a;

/// What a file can name: registered things, and files, each read once and kept with its contents.
pub struct Context<'a> {
    pub registry: &'a Registry,
    /// The engine of the file, if it has one.
    pub foreign: Option<&'a Foreign>,
    pub read: &'a mut Read<'a>,
    pub seen: BTreeMap<String, Vec<u8>>,
    /// What the user should know about these files, each sentence once.
    pub warnings: Vec<String>,
}

impl Context<'_> {
    /// Keeps the files that the command of the engine names, such as its script: another script is another experiment.
    pub fn see_command(&mut self) {
        let words = self.foreign.into_iter().flat_map(|foreign| &foreign.command);
        for word in words.filter(|word| word.contains('.') && !Path::new(word).is_absolute()) {
            // Any other word is no file.
            if let Ok(bytes) = (self.read)(word) {
                self.seen.insert(word.clone(), bytes);
            }
        }
    }

    /// Adds warnings that are not there yet: scenarios of an `each` read the same file.
    pub fn warn(&mut self, warnings: impl IntoIterator<Item = String>) {
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    /// The text of the file that `item` names.
    pub fn text(&mut self, item: &Item<'_>) -> Result<String, Error> {
        let name = item.text()?;
        if !self.seen.contains_key(&name) {
            let bytes = (self.read)(&name).map_err(|e| {
                item.error(format!("`{name}` cannot be read: {}", e.what()))
                    .help("paths are relative to the experiment file")
            })?;
            self.seen.insert(name.clone(), bytes);
        }
        if self.seen[&name].starts_with(b"SQLite format 3\0") {
            return Err(item.error(format!("`{name}` is an sqlite file, not text")));
        }
        String::from_utf8(self.seen[&name].clone())
            .map_err(|_| item.error(format!("`{name}` is not text (UTF-8)")).help("name a text file"))
    }
}
