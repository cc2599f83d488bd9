//! Searches of BehaviorSearch, the tool that tunes NetLogo models: what it varies, how long, and how.

use super::draft::{self, Draft};
use super::{ImportInput, Imported, MakeImporter, text};
use crate::evolve::codec;
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Kind, Param};
use crowdtune_sim::models::MakeModel;
use roxmltree::{Document, Node, ParsingOptions};

/// The importer's entry.
pub static ENTRY: Entry<MakeImporter> = Entry {
    name: "behaviorsearch",
    doc: "A search of BehaviorSearch: ranges, budget and replications, for a model that `--map` ties its parameters to.",
    source: "Stonedahl and Wilensky, BehaviorSearch 1.10",
    params: &[],
    make: MakeImporter { import, reads: "a .bsearch file (XML)", takes: &["--model", "--map", "--people"] },
};

/// Elements and attributes at most, against files that unfold.
const NODES: u32 = 100_000;

/// A value in NetLogo's notation.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Number(f64),
    Text(String),
    Switch(bool),
    List(Vec<Item>),
}

/// What a parameter may be.
#[derive(Clone, Debug, PartialEq)]
enum Varied {
    /// From, to, and the step, if it has one.
    Range(f64, f64, Option<f64>),
    /// One of these.
    Choice(Vec<Item>),
    /// Always this.
    Fixed(Item),
}

/// A parameter of the file.
#[derive(Debug)]
struct Spec {
    name: String,
    varied: Varied,
    line: usize,
}

fn import(input: &ImportInput<'_>) -> Result<Imported, Error> {
    let text = text(input)?;
    let options = ParsingOptions { allow_dtd: true, nodes_limit: NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|e| {
        Error::input(format!("this is no XML: {e}"))
            .line(e.pos().row as usize)
            .help("save the search in BehaviorSearch again")
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "search" {
        return Err(Error::input(format!("the root is <{}>, not <search>", draft::comment(root.tag_name().name())))
            .line(line(root))
            .help("name the .bsearch file, not the NetLogo model"));
    }
    let specs = root.descendants().filter(|node| node.has_tag_name("paramSpec"));
    let specs = specs.map(spec).collect::<Result<Vec<_>, _>>()?;
    let model = input.said.model.as_deref().ok_or_else(|| {
        Error::input("the parameters of this file are those of a NetLogo model")
            .key("--model")
            .allowed(input.models.iter().map(|m| m.name).collect::<Vec<_>>().join(", "))
            .help("say which model takes them, for example `--model five_force`, and which constant each one is with `--map THEIRS=OURS`")
    })?;
    let model = draft::model(input.models, Some(model), "five_force")?;
    let mut notes = Vec::new();
    let constants = constants(input, &specs, model, &mut notes)?;
    let search = search(root, &mut notes)?;
    let said = |name: &str| text_of(root, name).filter(|text| !text.is_empty());
    let mut head = Vec::new();
    if let Some(file) = said("modelFile") {
        head.push(format!("It tuned {file}; here the people follow `{}`, another model.", model.name));
    }
    let reporters = [said("fitnessMetricReporter"), said("modelMetricReporter"), said("metricReporter")];
    for reporter in reporters.iter().flatten() {
        let minimized = said("fitnessMinimized").is_some_and(|word| word == "true");
        let wish = if minimized { "as small as possible" } else { "as large as possible" };
        notes.push(format!("What it wanted is a reporter of NetLogo, {wish}: {reporter}. Say it with a metric of crowdtune under [target]."));
    }
    let draft = Draft {
        file: input.file,
        kind: "a search of BehaviorSearch",
        head,
        notes,
        model,
        constants,
        free: false,
        people: Vec::new(),
        place: format!("[scenario.field]\nkind = \"open_field\"\ncount = {}\n", input.said.people.unwrap_or(40)),
        targets:
            "# What is wanted, for example (`crowdtune list metrics` shows what can be measured):\n# [target.spacing]\n\
                  # metric  = \"nearest_neighbor_m\"\n# between = [1.0, 2.0]\n\n"
                .into(),
        search,
    };
    Ok(draft.imported())
}

fn line(node: Node<'_, '_>) -> usize {
    node.document().text_pos_at(node.range().start).row as usize
}

fn text_of(root: Node<'_, '_>, name: &str) -> Option<String> {
    let node = root.descendants().find(|node| node.has_tag_name(name))?;
    Some(draft::comment(node.text().unwrap_or_default()))
}

fn spec(node: Node<'_, '_>) -> Result<Spec, Error> {
    let text = node.text().unwrap_or_default();
    let wrong = || {
        Error::input(format!("`{}` is no parameter of a search", draft::comment(text)))
            .line(line(node))
            .allowed("[\"name\" [low step high]], [\"name\" [low \"C\" high]], or [\"name\" value value ...]")
    };
    let list = items(text).ok_or_else(wrong)?;
    let [Item::List(all)] = &list[..] else { return Err(wrong()) };
    let Some((Item::Text(name), values)) = all.split_first() else { return Err(wrong()) };
    let varied = match values {
        [Item::List(range)] => match &range[..] {
            [Item::Number(low), Item::Number(step), Item::Number(high)] if low <= high => {
                Varied::Range(*low, *high, Some(*step))
            }
            [Item::Number(low), Item::Text(c), Item::Number(high)] if c == "C" && low <= high => {
                Varied::Range(*low, *high, None)
            }
            _ => return Err(wrong()),
        },
        [] => return Err(wrong()),
        [one] => Varied::Fixed(one.clone()),
        several if several.iter().any(|item| matches!(item, Item::List(_))) => return Err(wrong()),
        several => Varied::Choice(several.to_vec()),
    };
    // A range of one value is no search.
    let varied = match varied {
        Varied::Range(low, high, _) if low == high => Varied::Fixed(Item::Number(low)),
        Varied::Choice(all) if all.iter().all(|item| *item == all[0]) => Varied::Fixed(all[0].clone()),
        other => other,
    };
    Ok(Spec { name: name.clone(), varied, line: line(node) })
}

/// Values in NetLogo's notation: numbers, true, false, "text", and [lists] of them, two deep.
fn items(text: &str) -> Option<Vec<Item>> {
    let mut stack: Vec<Vec<Item>> = vec![Vec::new()];
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        match first {
            '[' if stack.len() < 3 => {
                stack.push(Vec::new());
                rest = &rest[1..];
            }
            ']' if stack.len() > 1 => {
                let list = stack.pop()?;
                stack.last_mut()?.push(Item::List(list));
                rest = &rest[1..];
            }
            '"' => {
                let (inside, after) = rest[1..].split_once('"')?;
                stack.last_mut()?.push(Item::Text(inside.to_owned()));
                rest = after;
            }
            '[' | ']' => return None,
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "[]\"".contains(c)).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                stack.last_mut()?.push(match word {
                    "true" => Item::Switch(true),
                    "false" => Item::Switch(false),
                    word => Item::Number(word.parse().ok().filter(|x: &f64| x.is_finite())?),
                });
                rest = after;
            }
        }
        rest = rest.trim_start();
    }
    if stack.len() == 1 { stack.pop() } else { None }
}

/// The constants that the user tied to parameters, as TOML.
fn constants(
    input: &ImportInput<'_>,
    specs: &[Spec],
    model: &Entry<MakeModel>,
    notes: &mut Vec<String>,
) -> Result<Vec<(String, String)>, Error> {
    let named = |name: &str| specs.iter().find(|spec| spec.name == name);
    let all = || specs.iter().map(|spec| draft::comment(&spec.name)).collect::<Vec<_>>().join(", ");
    for (theirs, _) in &input.said.map {
        if named(theirs).is_none() {
            return Err(Error::input(format!("the file has no parameter `{theirs}`")).key("--map").allowed(all()));
        }
    }
    let mut constants: Vec<(String, String)> = Vec::new();
    for spec in specs {
        let shown = draft::comment(&spec.name);
        let ours = input.said.map.iter().find(|(theirs, _)| *theirs == spec.name).map(|(_, ours)| ours.as_str());
        match (ours, &spec.varied) {
            (Some("-"), _) => notes.push(format!("Left out: `{shown}`.")),
            (Some(ours), varied) => {
                let keys: Vec<&str> = model.params.iter().map(|p| p.key).collect();
                let param = model.params.iter().find(|p| p.key == ours).ok_or_else(|| {
                    let error = Error::input(format!("`{}` has no constant `{ours}`", model.name)).key("--map");
                    crowdtune_core::suggest::among(error, ours, &keys)
                })?;
                if constants.iter().any(|(key, _)| key == ours) {
                    return Err(Error::input(format!("two parameters are `{ours}`"))
                        .key("--map")
                        .help("leave one out: `--map NAME=-`"));
                }
                let value = value(param, varied, &shown, notes)
                    .map_err(|e| e.line(spec.line).key(format!("--map {shown}={ours}")))?;
                constants.push((ours.to_owned(), format!("{value}    # {shown}")));
            }
            (None, Varied::Fixed(_)) => {
                notes.push(format!("Left out, as no --map names it and it does not vary: `{shown}`."))
            }
            (None, _) => {
                return Err(Error::input(format!(
                    "nobody said which constant of `{}` the parameter `{shown}` is",
                    model.name
                ))
                .line(spec.line)
                .key("--map")
                .allowed(format!(
                    "{shown}=- to leave it out, or {shown}=one of {}",
                    model.params.iter().map(|p| p.key).collect::<Vec<_>>().join(", ")
                ))
                .help(format!("the parameters of the file are {}", all())));
            }
        }
    }
    if !constants.iter().any(|(_, value)| value.starts_with('{')) {
        return Err(Error::input("nothing that varies is left")
            .key("--map")
            .help("tie one parameter that varies to a constant of the model"));
    }
    Ok(constants)
}

/// What a constant is set to, as TOML.
fn value(param: &Param, varied: &Varied, shown: &str, notes: &mut Vec<String>) -> Result<String, Error> {
    let toml = |item: &Item| match (item, &param.kind) {
        (Item::Number(x), Kind::Integer { .. }) if x.fract() == 0.0 && x.abs() < 1e15 => Some(format!("{x}")),
        (Item::Number(x), Kind::Real { .. }) => Some(format!("{x:?}")),
        (Item::Switch(on), Kind::Switch { .. }) => Some(on.to_string()),
        (Item::Text(word), Kind::Choice { .. }) => Some(draft::quoted(word)),
        _ => None,
    };
    let wrong = || Error::input("the constant takes other values").allowed(codec::search_toml(param));
    match (varied, &param.kind) {
        (Varied::Fixed(item), _) => toml(item).ok_or_else(wrong),
        (Varied::Range(low, high, step), Kind::Real { .. }) => {
            if let Some(step) = step {
                notes.push(format!("`{shown}` has steps of {step} there, and any value between its ends here."));
            }
            Ok(format!("{{ range = [{low:?}, {high:?}] }}"))
        }
        (Varied::Range(low, high, step), Kind::Integer { .. })
            if low.fract() == 0.0 && high.fract() == 0.0 && high.abs() < 1e15 && low.abs() < 1e15 =>
        {
            if *step != Some(1.0) {
                notes.push(format!("`{shown}` takes every whole number between its ends here."));
            }
            Ok(format!("{{ integers = [{low}, {high}] }}"))
        }
        (Varied::Choice(all), Kind::Choice { .. } | Kind::Switch { .. }) => {
            let all = all.iter().map(toml).collect::<Option<Vec<_>>>().ok_or_else(wrong)?;
            Ok(format!("{{ choices = [{}] }}", all.join(", ")))
        }
        (Varied::Choice(all), Kind::Real { .. }) => {
            let numbers = all.iter().map(|item| if let Item::Number(x) = item { Some(*x) } else { None });
            let numbers = numbers.collect::<Option<Vec<_>>>().ok_or_else(wrong)?;
            let ends =
                numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
            notes.push(format!(
                "`{shown}` takes {} values there, and any between the smallest and the largest here.",
                numbers.len()
            ));
            Ok(format!("{{ range = [{:?}, {:?}] }}", ends.0, ends.1))
        }
        _ => Err(wrong()),
    }
}

/// The budget and the method, as TOML.
fn search(root: Node<'_, '_>, notes: &mut Vec<String>) -> Result<Vec<(String, String)>, Error> {
    let whole = |name: &str| -> Result<Option<u64>, Error> {
        let Some(node) = root.descendants().find(|node| node.has_tag_name(name)) else { return Ok(None) };
        let text = node.text().unwrap_or_default().trim();
        text.parse().map(Some).map_err(|_| {
            Error::input(format!("<{name}> is `{}`, not a whole number", draft::comment(text)))
                .line(line(node))
                .help("save the search in BehaviorSearch again")
        })
    };
    let mut search = Vec::new();
    let settings = root.descendants().filter(|node| node.has_tag_name("searchMethodParameter"));
    let settings: Vec<String> = settings.filter_map(|node| node.attribute("name").map(draft::comment)).collect();
    if !settings.is_empty() {
        notes.push(format!("Settings of the method are left out: {}.", settings.join(", ")));
    }
    let left = ["modelStepLimit", "modelStopCondition", "fitnessCollecting", "fitnessCombineReplications"];
    let left = left.into_iter().filter_map(|name| Some((name, text_of(root, name).filter(|text| !text.is_empty())?)));
    let left: Vec<String> = left.map(|(name, text)| format!("{name} ({text})")).collect();
    if !left.is_empty() {
        notes.push(format!("Left out, as scenario and targets say it here: {}.", left.join(", ")));
    }
    let method =
        root.descendants().find(|node| node.has_tag_name("searchMethod")).and_then(|node| node.attribute("type"));
    let optimizer = match method {
        Some("StandardGA") => Some("ga"),
        Some("RandomSearch") => Some("random"),
        Some(other) => {
            notes.push(format!(
                "The method {} is not here: crowdtune takes what suits the number of constants.",
                draft::comment(other)
            ));
            None
        }
        None => None,
    };
    if let Some(optimizer) = optimizer {
        search.push(("optimizer".to_owned(), draft::quoted(optimizer)));
    }
    let replicas = whole("fitnessSamplingReplications")?.unwrap_or(1).max(1);
    if let Some(runs) = whole("evaluationLimit")? {
        // BehaviorSearch counts runs of the model, crowdtune candidates.
        search.push((
            "evaluations".to_owned(),
            format!("{}    # {runs} runs, {replicas} for each candidate", (runs / replicas).max(1)),
        ));
    }
    search.push(("replicas".to_owned(), replicas.to_string()));
    Ok(search)
}

#[cfg(test)]
#[path = "behaviorsearch_tests.rs"]
mod tests;
