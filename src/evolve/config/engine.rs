//! `[engine]`: a foreign simulator, with the constants and the numbers that only it knows. They become entries of a registry of the
//! file's own, so that all that follows reads them as it reads those of this library's models and metrics.

use super::item::{Item, Table, join};
use super::tree::{Entries, Node, Value, put, tables};
use crate::evolve::engine::{Connection, Foreign};
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Kind, Param};
use crowdtune_sim::crowd::{Looks, Steering, Update, View};
use crowdtune_sim::metrics::{MakeMetric, Metric, Need, Seen};
use crowdtune_sim::models::{MakeModel, Symmetry};
use crowdtune_sim::world::scenario::{FloorPlan, Goal, Group, named};
use crowdtune_sim::world::{Built, MakeScenario};

/// Name of the model of such a file, unless it gives one.
const NAME: &str = "engine";
/// Default of `timeout_s`. Chosen here: a run of some seconds on a busy machine.
const TIMEOUT_S: f64 = 60.0;
/// Default of `start_s`. Chosen here: a Python that loads a scientific stack from a network disk.
const START_S: f64 = 60.0;
/// What stands with a constant that only the engine knows.
const DECLARES: [&str; 4] = ["unit", "doc", "default", "options"];
/// Largest whole number that a constant may be: beyond it a number in double precision skips some.
const LARGEST: i64 = 9_007_199_254_740_992;

/// What a file with an engine declares.
pub struct Declared {
    /// `[engine]`.
    pub foreign: Foreign,
    /// The registry, with the engine as its only model, and its numbers among the metrics.
    pub registry: Registry,
}

/// Takes what a file says of its engine, if it has one; in the tree all of it stands in `[engine]` afterwards.
///
/// # Errors
/// If something is missing or wrong.
pub fn read(root: &mut Node, file: &str, registry: &Registry) -> Result<Option<Declared>, Error> {
    let Some(node) = root.get("engine") else { return Ok(None) };
    let name = {
        let item = Item::part(file, "engine".into(), node);
        let table = item.table()?;
        table.take("name").map_or(Ok(NAME.to_owned()), |item| name(&item))?
    };
    if let Some(model) = root.get("model").filter(|model| model.text() != Some(&name)) {
        return Err(Item::part(file, "model".into(), model)
            .error("a file with an [engine] has no model of this library")
            .help("remove `model`, or [engine] if crowdtune is to simulate"));
    }
    if let Some(top) = root.entries_mut() {
        put(top, "model", Value::Text(name.clone()));
        top.entry("parameters".into()).or_insert_with(Node::empty);
        if let Some(engine) = top.get_mut("engine").and_then(Node::entries_mut) {
            put(engine, "name", Value::Text(name.clone()));
            put(engine, "connection", Value::Text("stdio".into()));
            put(engine, "timeout_s", Value::Float(TIMEOUT_S));
            put(engine, "start_s", Value::Float(START_S));
        }
        move_declarations(top);
        move_values(top);
    }
    let item = Item::part(file, "engine".into(), root.get("engine").unwrap_or_else(|| unreachable!("it was there")));
    let table = item.table()?;
    table.take("name");
    let command = table.need("command", "a list of words such as `command = [\"python3\", \"worker.py\"]`")?;
    let connection = table.need("connection", "")?.word(&[
        ("stdio", Connection::Stdio),
        ("tcp", Connection::Tcp),
        ("files", Connection::Files),
    ])?;
    let seconds = |key: &str| table.need(key, "")?.number(0.001, 86_400.0, "a number from 0.001 to 86400 s");
    let (timeout_s, start_s) = (seconds("timeout_s")?, seconds("start_s")?);
    let params = params(&table, root, file)?;
    let values = values(&table)?;
    table.finish()?;
    let mut registry = registry.clone();
    registry.models = crowdtune_core::registry::List::new("model", &[]);
    registry.models.add(model(&name, params)).map_err(|e| item.locate(e))?;
    registry.scenarios.add(&ELSEWHERE).map_err(|e| item.locate(e))?;
    for (value, unit, doc) in &values {
        let at = table.item.node.get("values").and_then(|values| values.get(value));
        let at = at.map_or_else(|| item.clone(), |node| Item::part(file, join("engine.values", value), node));
        registry.metrics.add(metric(value, unit, doc)).map_err(|e| at.located(e))?;
    }
    let values = values.into_iter().map(|(value, ..)| value).collect();
    Ok(Some(Declared {
        foreign: Foreign { command: words(&command)?, connection, timeout_s, start_s, values },
        registry,
    }))
}

/// A name that files, formulas and every language take.
fn name(item: &Item<'_>) -> Result<String, Error> {
    let name = item.text()?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || name.len() > 40 || !name.chars().all(plain) {
        return Err(item.wrong("a name of at most 40 characters of a-z, 0-9 and _"));
    }
    Ok(name)
}

fn words(item: &Item<'_>) -> Result<Vec<String>, Error> {
    let what = "a list of words such as [\"python3\", \"worker.py\"]";
    let list = item.list().map_err(|_| item.wrong(what))?;
    let words = list.iter().map(|word| word.text().map_err(|_| item.wrong(what))).collect::<Result<Vec<_>, _>>()?;
    match words.first() {
        Some(first) if !first.is_empty() => Ok(words),
        _ => Err(item.wrong(what)),
    }
}

/// Puts what a constant is beside what is searched: from `[parameters]` to `[engine.parameters]`.
fn move_declarations(top: &mut Entries) {
    let mut declared = Entries::new();
    for (key, node) in top.get_mut("parameters").and_then(Node::entries_mut).into_iter().flatten() {
        let origin = node.origin;
        let Some(entries) = node.entries_mut() else { continue };
        let mut own = Entries::new();
        for what in DECLARES {
            own.extend(entries.remove(what).map(|node| (what.to_owned(), node)));
        }
        if entries.is_empty()
            && let Some(default) = own.get("default")
        {
            *node = default.clone();
        }
        if !own.is_empty() {
            declared.insert(key.clone(), Node { value: Value::Table(own), origin });
        }
    }
    into_engine(top, "parameters", declared);
}

/// Turns `value = "NAME", unit = "s"` of a target into a metric of that name.
fn move_values(top: &mut Entries) {
    let mut declared = Entries::new();
    for section in ["target", "measure", "atlas"] {
        for (_, node) in tables(top, section) {
            let origin = node.origin;
            let Some(entries) = node.entries_mut() else { continue };
            let Some(value) = entries.remove("value") else { continue };
            let mut own = Entries::new();
            for what in ["unit", "doc"] {
                own.extend(entries.remove(what).map(|node| (what.to_owned(), node)));
            }
            if let Some(name) = value.text() {
                declared.insert(name.to_owned(), Node { value: Value::Table(own), origin });
            }
            entries.entry("metric".into()).or_insert(value);
        }
    }
    into_engine(top, "values", declared);
}

fn into_engine(top: &mut Entries, key: &str, declared: Entries) {
    let Some(engine) = top.get_mut("engine").and_then(Node::entries_mut) else { return };
    let table = engine.entry(key.to_owned()).or_insert_with(Node::empty);
    for (name, node) in declared {
        let Some(entries) = table.entries_mut() else { return };
        let there = entries.entry(name).or_insert_with(Node::empty);
        if let (Some(there), Value::Table(own)) = (there.entries_mut(), node.value) {
            own.into_iter().for_each(|(key, node)| _ = there.entry(key).or_insert(node));
        }
    }
}

/// The constants of the engine, in the order of their names.
fn params(table: &Table<'_>, root: &Node, file: &str) -> Result<Vec<Param>, Error> {
    let declared = table.take("parameters");
    let declared = declared.as_ref().map(Item::named).transpose()?.unwrap_or_default();
    let given = root.get("parameters").map(|node| Item::part(file, "parameters".into(), node).named());
    let given: Vec<(String, Item<'_>)> = given.transpose()?.unwrap_or_default();
    if let Some((key, item)) = declared.iter().find(|(key, _)| given.iter().all(|(other, _)| other != key)) {
        return Err(item
            .error(format!("[parameters] has no `{key}`"))
            .help(format!("add `{key} = {{ range = [low, high] }}` or a number to [parameters]")));
    }
    given
        .iter()
        .map(|(key, item)| {
            self::name(&Item::part(file, item.path.clone(), &Node::default(Value::Text(key.clone()))))
                .map_err(|_| item.error(format!("`{key}` cannot name a constant")).allowed("a-z, 0-9 and _"))?;
            param(key, item, declared.iter().find(|(other, _)| other == key).map(|(_, item)| item))
        })
        .collect()
}

fn param(key: &str, given: &Item<'_>, declared: Option<&Item<'_>>) -> Result<Param, Error> {
    let table = declared.map(Item::table).transpose()?;
    let text = |key: &str| table.as_ref().and_then(|t| t.take(key)).map(|i| i.text()).transpose();
    let (unit, doc) = (text("unit")?.unwrap_or_default(), text("doc")?.unwrap_or_default());
    let default = table.as_ref().and_then(|t| t.take("default"));
    let options = table.as_ref().and_then(|t| t.take("options"));
    table.as_ref().map_or(Ok(()), Table::finish)?;
    let searched = ["range", "integers", "choices", "each"].into_iter().find_map(|k| Some((k, given.node.get(k)?)));
    let first = match (&default, searched) {
        (Some(default), _) => default.node,
        (None, Some(("each", Node { value: Value::List(list), .. }))) if !list.is_empty() => &list[0],
        (None, Some(_)) => {
            return Err(given
                .error(format!("`{key}` has no `default`"))
                .help("give the value that the engine has today, `default = 1.0`: results are compared with it"));
        }
        (None, None) => given.node,
    };
    let kind = match (&first.value, searched) {
        (Value::Bool(default), _) => Kind::Switch { default: *default },
        (Value::Text(word), _) => {
            let mut all: Vec<String> = vec![word.clone()];
            let listed = options.as_ref().map(|item| item.node).or(searched.map(|(_, node)| node));
            if let Some(Value::List(list)) = listed.map(|node| &node.value) {
                all = list.iter().filter_map(|node| node.text().map(str::to_owned)).collect();
            }
            if !all.contains(word) {
                return Err(given.error(format!("the default `{word}` of `{key}` is not one of its choices")));
            }
            let options: Vec<&'static str> = all.into_iter().map(leak).collect();
            let default = options.iter().find(|option| **option == word.as_str()).copied().unwrap_or_default();
            Kind::Choice { default, options: Box::leak(options.into_boxed_slice()) }
        }
        (Value::Integer(_), Some(("integers", node))) => {
            let ends = node.pair().map_or((0, 0), |(low, high)| (low as i64, high as i64));
            let default = first.whole().unwrap_or(ends.0);
            Kind::Integer { default, hard: (-LARGEST, LARGEST), search: ends }
        }
        _ => {
            let Some(default) = first.number().filter(|x| x.is_finite()) else {
                let at = default.as_ref().unwrap_or(given);
                return Err(at.wrong("a number, true or false, a word, or a table with `range` or `choices`"));
            };
            let log = given.node.get("log").and_then(Node::switch).unwrap_or(false);
            let search = given.node.get("range").and_then(Node::interval).unwrap_or((default, default));
            Kind::Real { default, hard: (f64::MIN, f64::MAX), search, log }
        }
    };
    let doc = if doc.is_empty() { format!("{key} of the engine.") } else { doc };
    Ok(Param {
        key: leak(key.to_owned()),
        unit: leak(unit),
        doc: leak(doc),
        source: "the experiment file",
        kind,
        ..Param::real("", "", 0.0)
    })
}

/// Name, unit and meaning of the numbers that answers give.
fn values(table: &Table<'_>) -> Result<Vec<(String, String, String)>, Error> {
    let Some(item) = table.take("values") else { return Ok(Vec::new()) };
    let one = |(name, item): (String, Item<'_>)| {
        let table = item.table()?;
        let text = |key: &str| table.take(key).map_or(Ok(String::new()), |item| item.text());
        let (unit, doc) = (text("unit")?, text("doc")?);
        table.finish()?;
        let doc = if doc.is_empty() { format!("{name}, as the engine says.") } else { doc };
        Ok((name, unit, doc))
    };
    item.named()?.into_iter().map(one).collect()
}

/// Lives as long as the program, as all entries of a registry do; a program reads few files with an engine.
fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn model(name: &str, params: Vec<Param>) -> &'static Entry<MakeModel> {
    const STATEMENT: Symmetry = Symmetry::Statistically("the engine decides");
    Box::leak(Box::new(Entry {
        name: leak(name.to_owned()),
        doc: "A foreign simulator.",
        source: "the experiment file",
        params: Box::leak(params.into_boxed_slice()),
        make: MakeModel {
            make: &|_, _| Box::new(Elsewhere),
            fits: |_, _| Ok(()),
            time_step_s: 0.01,
            max_time_step_s: 1.0,
            person_step_s: 0.0,
            integrator: "that of the engine",
            alone: None,
            mirror: STATEMENT,
            renumber: STATEMENT,
        },
    }))
}

fn metric(name: &str, unit: &str, doc: &str) -> &'static Entry<MakeMetric> {
    Box::leak(Box::new(Entry {
        name: leak(name.to_owned()),
        doc: leak(doc.to_owned()),
        source: "the engine",
        params: &[],
        make: MakeMetric::new(&|_, _| Box::new(Said), leak(unit.to_owned())),
    }))
}

/// Steers nobody: people walk elsewhere.
struct Elsewhere;

impl Steering for Elsewhere {
    fn steer(&mut self, _: &View<'_>, next: &mut Update<'_>) {
        next.vel.fill(crowdtune_core::math::Vec2::ZERO);
    }

    fn reach_m(&self) -> f64 {
        0.0
    }

    fn looks(&self) -> Looks {
        Looks::Nowhere
    }
}

/// A place that only the engine knows.
pub static ELSEWHERE: Entry<MakeScenario> = Entry {
    name: "engine",
    doc: "A place that only the engine knows, without walls; its people are those of the trajectory.",
    source: "chosen here: what crowdtune needs to measure a trajectory",
    params: &[],
    make: MakeScenario {
        make: |_| {
            let gone = named("gone", Goal::Point { at: crowdtune_core::math::Vec2::ZERO, radius: 1.0 });
            Ok(Built {
                plan: FloorPlan { goals: vec![gone], ..FloorPlan::default() },
                groups: vec![Group { name: "people".into(), stages: vec![vec![0]], ..Group::default() }],
            })
        },
        // As long as those of the places of this library that are largest.
        limit_s: 300.0,
        give_up_s: None,
    },
};

/// Why a metric has no value on what an engine gives; `None` if it has.
pub fn unseen(metric: &Entry<MakeMetric>) -> Option<&'static str> {
    metric.make.needs.iter().find_map(|need| match need {
        Need::Velocity => Some("it has no velocities"),
        Need::Pressure => Some("it has no contact forces"),
        Need::Desired => Some("it does not say where people want to go"),
        Need::Tracks => Some("it compares a run of this library with recorded tracks"),
        Need::Catching => Some("it does not say who catches whom"),
        Need::Radius | Need::Leaving | Need::Goal => None,
        _ => Some("it lacks something that the metric needs"),
    })
}

/// A number that is in the answer of an engine, not in its trajectory.
struct Said;

impl Metric for Said {
    fn observe(&mut self, _: &Seen<'_>) {}

    fn value(&self) -> Option<f64> {
        None
    }

    fn reset(&mut self) {}
}
