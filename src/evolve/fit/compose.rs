//! The experiment of a fit: scenarios and people of the run, constants and command of the other tool, and as targets what the preset
//! reaches.

use super::{Fit, SEEDS, Wish};
use crate::evolve::config::resolved;
use crate::evolve::config::tree::{self, Entries, Node, Value, put, tables};
use crate::evolve::experiment::Experiment;
use crate::evolve::figures::Resamples;
use crate::evolve::scoring::Rescore;
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_search::Trial;

/// Runs of a candidate in the search, at most. Chosen here: other tools take a second a run, and the race runs all that matter again.
const REPLICAS: i64 = 2;
/// Candidates in the race. Chosen here: each takes up to 20 runs of every scenario.
const FINALISTS: i64 = 4;
/// Least tolerance, as a share of what costs 1 in the run. Chosen here: the preset may have the same value on all seeds.
const LEAST_SHARE: f64 = 0.01;
/// What costs 1, as a share of the value, where the run does not say. Chosen here.
const SHARE: f64 = 0.1;

/// What the file of a fit is asked to be.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// Short name of the tool.
    pub name: &'a str,
    /// What people call it.
    pub title: &'a str,
    /// The experiment file that comes with its engine: its command and its parameters are taken.
    pub engine: &'a str,
    /// What takes the place of the program in the command.
    pub program: Option<&'a str>,
    /// Candidates.
    pub evaluations: u64,
}

impl Fit {
    /// The experiment as TOML, from what the preset does on the seeds of the first question.
    ///
    /// # Errors
    /// If these runs cannot be trusted, or a part does not fit another.
    pub fn experiment(&self, asked: &Asked<'_>, reached: &Trial) -> Result<String, Error> {
        let mut tree = self.tree.clone();
        self.people(&mut tree)?;
        let engine = tree::toml(asked.engine)
            .map_err(|(what, line)| Error::input(what).file(format!("engines/{}", asked.name)).line(line))?;
        let Some(top) = tree.entries_mut() else { return Err(Error::input("the experiment of the run is no table")) };
        for key in ["engine", "parameters"] {
            top.insert(key.into(), engine.get(key).cloned().unwrap_or_else(Node::empty));
        }
        program(top, asked.program);
        top.remove("model");
        let text = |text: String| Node::default(Value::Text(text));
        top.insert("title".into(), text(format!("{}, fitted to the preset `{}`", asked.title, self.own.name)));
        top.insert("name".into(), text(format!("{}_{}", self.own.name, asked.name)));
        tables(top, "scenario").for_each(|(_, scenario)| foreign(scenario));
        let mut targets = Entries::new();
        for wish in &self.wishes {
            let measure = top.get_mut("measure").and_then(Node::entries_mut);
            let Some(measure) = measure.and_then(|all| all.get(&wish.column).cloned()) else { continue };
            targets.insert(wish.name.clone(), self.target(wish, measure, reached)?);
        }
        if let Some(measures) = top.get_mut("measure").and_then(Node::entries_mut) {
            measures.retain(|name, _| !self.wishes.iter().any(|wish| wish.column == *name));
        }
        if top.get("measure").and_then(Node::entries).is_some_and(Entries::is_empty) {
            top.remove("measure");
        }
        top.insert("target".into(), Node::default(Value::Table(targets)));
        self.search(top, asked.evaluations);
        let file = resolved::toml(&tree, &[asked.name]);
        Ok(format!(
            "# {} shall do what the preset `{}` does in crowdtune: each target is what the preset reaches there, a mean\n\
             # over {SEEDS} fresh seeds, within half its 95 % interval. Weights make a miss cost what it cost in the run.\n\
             # Run it again: crowdtune evolve experiment.toml\n\n{file}",
            asked.title, self.own.name
        ))
    }

    /// Puts the people of the preset where they were searched.
    fn people(&self, tree: &mut Node) -> Result<(), Error> {
        let values = self.own.space.decode(&self.genome);
        for (gene, value) in self.own.space.genes.iter().zip(values) {
            let path: Vec<&str> = gene.key.split('.').collect();
            if path.contains(&"people") && !path.contains(&"parameters") {
                tree::set(tree, &gene.key, &format!("{value:?}"))?;
            }
        }
        Ok(())
    }

    /// A wish as a target: the value of the preset, or one for each case of its table.
    fn target(&self, wish: &Wish, mut node: Node, reached: &Trial) -> Result<Node, Error> {
        let column = self.own.columns.iter().position(|column| column.name == wish.column);
        let here = |case: usize| {
            let case = &self.own.cases[case];
            column.filter(|&column| case.table == wish.table && case.columns[column].is_some())
        };
        let (rescore, resamples) =
            (Rescore::new(&self.own), Resamples::new(Seed(self.own.search.seed), SEEDS as usize));
        let (mut points, mut scatter): (Vec<(f64, f64)>, f64) = (Vec::new(), 0.0);
        for case in 0..self.own.cases.len() {
            let Some(column) = here(case) else { continue };
            let figure = resamples.figure(|rows| rescore.case_value(reached, column, case, rows));
            let Some(value) = figure.value else { continue };
            if let (Some(low), Some(high)) = (figure.low, figure.high) {
                scatter = scatter.max((high - low) / 2.0);
            }
            points.push((self.own.cases[case].axes.first().map_or(0.0, |axis| axis.1), rounded(value)));
        }
        let Some(&(_, first)) = points.first() else {
            return Err(Error::input(format!("the preset has no value of `{}` on fresh seeds", wish.column))
                .key(format!("target.{}", wish.column))
                .help("take another candidate with --pick, or tune a file without this target"));
        };
        let unit = wish.unit.unwrap_or(SHARE * first.abs()).max(f64::MIN_POSITIVE);
        let tolerance = rounded(scatter.max(LEAST_SHARE * unit));
        let table = node.entries_mut().ok_or_else(|| Error::input("a target is no table"))?;
        let number = |x: f64| Node::default(Value::Float(x));
        match &wish.over {
            None => _ = table.insert("equals".into(), number(first)),
            Some(key) => {
                let pair = |&(at, value): &(f64, f64)| Node::default(Value::List(vec![number(at), number(value)]));
                table.insert("over".into(), Node::default(Value::Text(key.clone())));
                table.insert("points".into(), Node::default(Value::List(points.iter().map(pair).collect())));
            }
        }
        table.insert("scenario".into(), Node::default(Value::Text(wish.table.clone())));
        table.insert("tolerance".into(), number(tolerance));
        // A loss of 1 is one tolerance beyond the band: the weight makes it one unit of the run.
        table.insert("weight".into(), number(rounded(wish.weight * tolerance / unit)));
        Ok(node)
    }

    fn search(&self, top: &mut Entries, evaluations: u64) {
        let mut search = Entries::new();
        for (key, value) in [
            ("evaluations", evaluations as i64),
            ("finalists", FINALISTS),
            ("report_replicas", i64::from(SEEDS)),
            ("select_replicas", i64::from(SEEDS)),
            ("seed", self.own.search.seed as i64),
        ] {
            put(&mut search, key, Value::Integer(value));
        }
        // Profiles cost a seventh more and say nothing of the residuals.
        put(&mut search, "profile_share", Value::Float(0.0));
        top.insert("search".into(), Node::default(Value::Table(search)));
    }

    /// Checks that an experiment of this fit has the cases of the run.
    ///
    /// # Errors
    /// If an `each` of the run is over a constant of its model, which the other tool does not have.
    pub fn same_cases(&self, made: &Experiment) -> Result<(), Error> {
        let missing = self.own.cases.iter().find(|case| made.cases.iter().all(|other| other.name != case.name));
        missing.map_or(Ok(()), |case| {
            Err(Error::input(format!("`{}` differs from other scenarios in a constant of the model", case.name))
                .key(format!("scenario.{}", case.table))
                .allowed("`each` over the place or its people: another tool has no such constant")
                .help("tune a file without this `each`"))
        })
    }
}

/// Puts another program in front of the command.
fn program(top: &mut Entries, program: Option<&str>) {
    let command = top.get_mut("engine").and_then(Node::entries_mut).and_then(|engine| engine.get_mut("command"));
    if let (Some(program), Some(Value::List(words))) = (program, command.map(|node| &mut node.value))
        && let Some(first) = words.first_mut()
    {
        *first = Node::default(Value::Text(program.to_owned()));
    }
}

/// Leaves of a scenario what does not belong to a model.
fn foreign(scenario: &mut Node) {
    let Some(table) = scenario.entries_mut() else { return };
    table.remove("parameters");
    let replicas = table.get("replicas").and_then(Node::whole).map_or(1, |n| n.min(REPLICAS));
    table.insert("replicas".into(), Node::default(Value::Integer(replicas)));
    let Some(groups) = table.get_mut("group").and_then(Node::entries_mut) else { return };
    groups.retain(|_, group| {
        let Some(group) = group.entries_mut() else { return true };
        group.remove("model");
        group.remove("parameters");
        !group.is_empty()
    });
    if groups.is_empty() {
        table.remove("group");
    }
}

/// Six digits: a file for people, and less than any interval.
fn rounded(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}
