//! No knots: files that name each other in a circle are read, tested and moved only together, so a circle has at most two.
//!
//! File A depends on file B if it names an item that B defines, by `use` or by a path in its code. Re-exporting a name is
//! no dependency, and neither is a static list that names its entries (`MODELS`, `METRICS`): that is how things are
//! registered here. Code that only tests compile is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The sources of each crate and the longest circle allowed in them. Two is the end below the program, where a type and its one
/// helper may know each other; the program has none.
const CRATES: [(&str, usize); 4] =
    [("crates/core/src", 2), ("crates/sim/src", 2), ("crates/search/src", 2), ("src", 1)];

#[test]
fn no_circle_of_files_is_longer_than_two() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut knots = String::new();
    for (folder, longest) in CRATES {
        let uses = Crate::read(&root.join(folder)).uses();
        assert!(uses.len() > 5, "{folder} has only {} files", uses.len());
        for circle in circles(&uses).into_iter().filter(|circle| circle.len() > longest) {
            writeln!(knots, "{folder}: {} files in a circle", circle.len()).unwrap();
            for (from, to) in circle.iter().flat_map(|from| uses[*from].iter().map(move |to| (from, to))) {
                if circle.contains(to) {
                    writeln!(knots, "    {} -> {}", from.join("::"), to.join("::")).unwrap();
                }
            }
        }
    }
    assert!(knots.is_empty(), "move what they share into a file of its own, below them:\n{knots}");
}

/// Folders of a crate are rooms, one above the other.
#[test]
fn no_rooms_are_in_a_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (folder, _) in CRATES {
        let mut rooms = Uses::new();
        for (from, used) in Crate::read(&root.join(folder)).uses() {
            let room = |module: &Module| module[..module.len().min(1)].to_vec();
            rooms.entry(room(&from)).or_default().extend(used.iter().map(room).filter(|to| *to != room(&from)));
        }
        let circles = circles(&rooms);
        assert!(circles.is_empty(), "{folder}: {circles:?}");
    }
}

/// Path of a module inside its crate; empty for the root.
type Module = Vec<String>;

/// A path as it is written, `["super", "a", "B"]`.
type Words = Vec<String>;

/// What each module uses of its own crate.
type Uses = BTreeMap<Module, BTreeSet<Module>>;

/// The source of one module.
#[derive(Debug, Default)]
struct Source {
    tokens: Vec<String>,
    children: BTreeSet<String>,
    /// Names of items that are defined here, those of methods too.
    defined: BTreeSet<String>,
    /// Names that are passed on by `pub use`, and where they come from.
    passed_on: BTreeMap<String, Words>,
    /// `pub use path::*`.
    all_of: Vec<Words>,
}

#[derive(Debug, Default)]
struct Crate(BTreeMap<Module, Source>);

impl Crate {
    fn read(folder: &Path) -> Self {
        let mut all = Self::default();
        all.add(Vec::new(), &folder.join("lib.rs"), folder);
        all
    }

    /// Reads a file and those of its child modules, which are in `folder`.
    fn add(&mut self, module: Module, file: &Path, folder: &Path) {
        let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let tokens = without_tests(&tokens(&text));
        let mut source = Source::default();
        for words in tokens.windows(3) {
            if words[0] == "mod" && words[2] == ";" {
                source.children.insert(words[1].clone());
            }
            if ["fn", "struct", "enum", "trait", "type", "static", "const"].contains(&words[0].as_str()) {
                source.defined.insert(words[1].clone());
            }
        }
        for used in imports(&tokens).into_iter().filter(|used| used.passed_on) {
            if used.name == "*" {
                source.all_of.push(used.path[..used.path.len() - 1].to_vec());
            } else {
                source.passed_on.insert(used.name, used.path);
            }
        }
        let files = |child: &str| [folder.join(format!("{child}.rs")), folder.join(child).join("mod.rs")];
        // A module that is made by a macro or has its own `#[path]` is part of the file that declares it.
        source.children.retain(|child| files(child).iter().any(|file| file.exists()));
        for child in &source.children {
            let file = files(child).into_iter().find(|file| file.exists()).unwrap();
            self.add([module.as_slice(), std::slice::from_ref(child)].concat(), &file, &folder.join(child));
        }
        source.tokens = without_lists(&tokens);
        self.0.insert(module, source);
    }

    /// Where a path that is written in `module` leads: the module that defines the item, and true if the path names that
    /// module itself; `None` if it leaves the crate.
    fn resolve(&self, module: &Module, path: &[String], depth: usize) -> Option<(Module, bool)> {
        let first = path.first()?;
        if depth > 12 {
            return None;
        }
        let (mut at, mut next) = (module.clone(), 0);
        match first.as_str() {
            "crate" => (at, next) = (Vec::new(), 1),
            "self" => next = 1,
            "super" => {
                while path.get(next).is_some_and(|word| word == "super") {
                    at.pop();
                    next += 1;
                }
            }
            child if self.0[module].children.contains(child) => {}
            _ => return None,
        }
        while path.get(next).is_some_and(|word| self.0[&at].children.contains(word)) {
            at.push(path[next].clone());
            next += 1;
        }
        let Some(name) = path.get(next) else { return Some((at, true)) };
        let source = &self.0[&at];
        if source.defined.contains(name) {
            return Some((at, false));
        }
        if let Some(origin) = source.passed_on.get(name) {
            let (origin, is_module) = self.resolve(&at, origin, depth + 1)?;
            if is_module && next + 1 < path.len() {
                return self.resolve(&Vec::new(), &absolute(&origin, &path[next + 1..]), depth + 1);
            }
            return Some((origin, is_module));
        }
        for all in &source.all_of {
            let origin = self.resolve(&at, &[all.as_slice(), std::slice::from_ref(name)].concat(), depth + 1);
            if let Some((origin, _)) = origin.filter(|(origin, _)| self.0[origin].defined.contains(name)) {
                return Some((origin, false));
            }
        }
        Some((at, false))
    }

    fn uses(&self) -> Uses {
        self.0.iter().map(|(module, source)| (module.clone(), self.used_by(module, source))).collect()
    }

    fn used_by(&self, module: &Module, source: &Source) -> BTreeSet<Module> {
        let mut used = BTreeSet::new();
        let mut modules = BTreeMap::new();
        for import in imports(&source.tokens) {
            match self.resolve(module, &import.path, 0) {
                Some((origin, true)) => _ = modules.insert(import.name, origin),
                Some((origin, false)) if !import.passed_on => _ = used.insert(origin),
                _ => {}
            }
        }
        for path in paths(&source.tokens) {
            let found = match modules.get(&path[0]) {
                Some(origin) => self.resolve(&Vec::new(), &absolute(origin, &path[1..]), 0),
                None => self.resolve(module, &path, 0),
            };
            if let Some((origin, false)) = found {
                used.insert(origin);
            }
        }
        used.remove(module);
        used
    }
}

fn absolute(module: &Module, rest: &[String]) -> Words {
    [&["crate".to_string()], module.as_slice(), rest].concat()
}

/// Modules that can reach each other, two or more, largest first.
fn circles(uses: &Uses) -> Vec<BTreeSet<&Module>> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = uses.keys().map(|from| (from, reach(uses, from))).collect();
    let of = |a| reached[a].iter().copied().filter(|b| reached[b].contains(a)).collect::<BTreeSet<_>>();
    let all: BTreeSet<BTreeSet<&Module>> = uses.keys().map(of).filter(|circle| circle.len() > 1).collect();
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    all
}

/// All that a module depends on, by however many steps.
fn reach<'a>(uses: &'a Uses, from: &'a Module) -> BTreeSet<&'a Module> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        open.extend(uses[module].iter().filter(|next| reached.insert(*next)));
    }
    reached
}

/// Words, `::` and single signs; comments and the text of strings and characters are left out.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let starts = |at: usize, with: &str| with.chars().enumerate().all(|(k, c)| chars.get(at + k) == Some(&c));
    let find = |from: usize, end: &str| {
        (from..chars.len()).find(|&at| starts(at, end)).map_or(chars.len(), |at| at + end.len())
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut found, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        let c = chars[at];
        if c.is_whitespace() {
            at += 1;
        } else if starts(at, "//") {
            at = find(at, "\n");
        } else if starts(at, "/*") {
            at = find(at, "*/");
        } else if starts(at, "r\"") {
            at = find(at + 2, "\"");
        } else if starts(at, "r#") && chars[at + 1..].iter().find(|c| **c != '#') == Some(&'"') {
            let signs = chars[at + 1..].iter().take_while(|c| **c == '#').count();
            at = find(at + signs + 2, &format!("\"{}", "#".repeat(signs)));
        } else if c == '"' {
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
        } else if starts(at, "'\\") {
            at = find(at + 3, "'");
        } else if c == '\'' && chars.get(at + 2) == Some(&'\'') {
            at += 3;
        } else if is_word(c) {
            let end = (at..chars.len()).find(|&k| !is_word(chars[k])).unwrap_or(chars.len());
            found.push(chars[at..end].iter().collect());
            at = end;
        } else if starts(at, "::") {
            found.push("::".to_string());
            at += 2;
        } else {
            found.push(c.to_string());
            at += 1;
        }
    }
    found
}

/// The place after the bracket that closes the one at `open`.
fn closed(tokens: &[String], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

fn is(tokens: &[String], at: usize, words: &[&str]) -> bool {
    tokens.len() >= at + words.len() && words.iter().zip(&tokens[at..]).all(|(word, token)| word == token)
}

/// The code without items under `#[cfg(test)]`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        if !is(tokens, at, &["#", "[", "cfg", "(", "test", ")", "]"]) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        while is(tokens, at, &["#", "["]) {
            at = closed(tokens, at + 1);
        }
        // The item ends with its block, or with a semicolon outside brackets.
        while at < tokens.len() && !["{", ";"].contains(&tokens[at].as_str()) {
            at = if ["(", "["].contains(&tokens[at].as_str()) { closed(tokens, at) } else { at + 1 };
        }
        at = if is(tokens, at, &["{"]) { closed(tokens, at) } else { at + 1 };
    }
    kept
}

/// The code without `static NAME: ... = &[ ... ];`.
fn without_lists(tokens: &[String]) -> Vec<String> {
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        if tokens[at] == "static" && is(tokens, at + 2, &[":"]) {
            let value = (at..tokens.len()).find(|&k| tokens[k] == "=").map_or(tokens.len(), |k| k + 1);
            let value = value + usize::from(is(tokens, value, &["&"]));
            if is(tokens, value, &["["]) {
                at = closed(tokens, value);
                continue;
            }
        }
        kept.push(tokens[at].clone());
        at += 1;
    }
    kept
}

/// A name that `use` brings.
#[derive(Debug, PartialEq)]
struct Import {
    path: Words,
    name: String,
    /// True for `pub use`.
    passed_on: bool,
}

fn imports(tokens: &[String]) -> Vec<Import> {
    let mut all = Vec::new();
    for at in (0..tokens.len()).filter(|&at| tokens[at] == "use") {
        let end = (at..tokens.len()).find(|&k| tokens[k] == ";").unwrap_or(tokens.len());
        let before = tokens[..at].last().map_or("", String::as_str);
        // `pub use` and `pub(crate) use`.
        let passed_on = before == "pub" || before == ")";
        let mut found = Vec::new();
        branches(&tokens[at + 1..end], &[], &mut found);
        all.extend(found.into_iter().map(|(path, name)| Import { path, name, passed_on }));
    }
    all
}

/// The paths of a tree of `use`, and the names that they bring.
fn branches(tree: &[String], head: &[String], found: &mut Vec<(Words, String)>) {
    let mut path = head.to_vec();
    let mut at = 0;
    while at < tree.len() {
        match tree[at].as_str() {
            "::" => at += 1,
            "{" => {
                let inside = &tree[at + 1..closed(tree, at) - 1];
                let mut start = 0;
                let mut k = 0;
                while k <= inside.len() {
                    if k == inside.len() || inside[k] == "," {
                        branches(&inside[start..k], &path, found);
                        start = k + 1;
                    }
                    k = if k < inside.len() && inside[k] == "{" { closed(inside, k) } else { k + 1 };
                }
                return;
            }
            "as" => {
                found.push((path, tree[at + 1].clone()));
                return;
            }
            // `a::{self}` brings `a`.
            "self" if !path.is_empty() => at += 1,
            word => {
                path.push(word.to_string());
                at += 1;
            }
        }
    }
    if let (false, Some(name)) = (tree.is_empty(), path.last()) {
        found.push((path.clone(), name.clone()));
    }
}

/// Paths of two words or more in the code, outside `use`, that start with a module.
fn paths(tokens: &[String]) -> Vec<Words> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" {
            at = (at..tokens.len()).find(|&k| tokens[k] == ";").unwrap_or(tokens.len());
            continue;
        }
        let is_word = |k: usize| tokens.get(k).is_some_and(|t| t.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        if !is_word(at) || (at > 0 && tokens[at - 1] == "::") {
            at += 1;
            continue;
        }
        let mut path = vec![tokens[at].clone()];
        while is(tokens, at + 1, &["::"]) && is_word(at + 2) {
            path.push(tokens[at + 2].clone());
            at += 2;
        }
        at += 1;
        if path.len() > 1 && path[0].starts_with(|c: char| c.is_lowercase() || c == '_') {
            all.push(path);
        }
    }
    all
}

#[test]
fn a_circle_is_seen_through_passed_on_names_and_not_through_lists_tests_and_comments() {
    let place = tempfile::tempdir().unwrap();
    for (file, text) in [
        ("lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\npub use a::A;\npub static ALL: &[&u8] = &[&d::D];"),
        ("a.rs", "use crate::b::{self, B as Other};\npub struct A(Other);\nfn f() { b::go() }"),
        ("b.rs", "pub struct B;\npub fn go() { super::c::go() }\nconst S: &str = \"crate::d::D\";"),
        ("c.rs", "use super::A;\npub fn go() {}\n// crate::d::D\n#[cfg(test)]\nmod tests { use crate::d::D; }"),
        ("d.rs", "use crate::{ALL, c};\npub static D: u8 = 0;\nfn f(x: &'static str) -> char { c::go(); '\"' }"),
    ] {
        fs::write(place.path().join(file), text).unwrap();
    }
    let uses = Crate::read(place.path()).uses();
    let of = |module: &str| uses[&vec![module.to_string()]].iter().map(|m| m.join("::")).collect::<Vec<_>>();
    assert_eq!([of("a"), of("b"), of("c"), of("d")], [vec!["b"], vec!["c"], vec!["a"], vec!["", "c"]]);
    let names = circles(&uses).into_iter().map(|circle| circle.into_iter().map(|m| m.join("::")).collect::<Vec<_>>());
    assert_eq!(names.collect::<Vec<_>>(), [["a", "b", "c"]]);
}
