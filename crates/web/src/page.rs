//! The questions of a page, and who answers them.

use crate::live::{Live, Place};
use crate::search::Search;
use crowdtune::evolve::evaluate::Replier;
use crowdtune::evolve::experiment::Case;
use crowdtune::evolve::log::NATIVE;
use crowdtune::evolve::preset::{Preset, preset};
use crowdtune::evolve::run::{Finished, Stopped};
use crowdtune::evolve::{Results, exchange, scene};
use crowdtune::sim::world::scenario::Group;
use crowdtune::{Error, Experiment, Registry};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A question. The names are those of the JSON: `{"open": {"file": "room.toml", "text": "..."}}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Reads an experiment: its space, scenarios and columns.
    Open(Open),
    /// Puts people into a scenario: the place, and how many they are.
    Start(Place),
    /// Steps so often: the time, who is out, whether it is over.
    Step(u64),
    /// What is measured so far, the losses if it ended now, a digest of the crowd so far.
    Measure,
    /// The constants of a candidate as a preset.
    Preset(Value),
    /// A line of a search that some worker is to answer, as `crowdtune answer` does.
    Answer(Value),
    /// Begins a search, or hands over answers: what to ask next, what the log has more.
    Search(Vec<String>),
}

/// An experiment as text.
#[derive(Clone, Debug, Deserialize)]
pub struct Open {
    /// Its name, for errors.
    pub file: String,
    /// TOML or JSON.
    pub text: String,
    /// Values instead of those of the file, `[["scenario.room.count", "80"]]`.
    #[serde(default)]
    pub sets: Vec<(String, String)>,
    /// The files that it names.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

impl Open {
    fn experiment(&self, more: &[(String, String)]) -> Result<Experiment, Error> {
        let sets = [&self.sets[..], more].concat();
        let mut read = |name: &str| match self.files.get(name) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => Err(Error::input(format!("the page has no file `{name}`"))),
        };
        Experiment::load(&Registry::builtin(), &self.text, &self.file, &sets, &mut read)
    }
}

/// What an instance knows.
#[derive(Default)]
pub struct Page {
    open: Option<(Experiment, Replier<'static>)>,
    live: Option<Live>,
    search: Search,
    /// The last answer.
    said: String,
}

impl Page {
    /// Answers a question.
    pub fn call(&mut self, question: &[u8]) -> &str {
        let asked = serde_json::from_slice::<Ask>(question).map_err(|e| Error::input(format!("not a question: {e}")));
        let said =
            asked.and_then(|ask| self.answer(ask)).unwrap_or_else(|e| json!({ "error": e.to_string() }).to_string());
        self.said = said;
        &self.said
    }

    /// The people who are present, eight numbers each: id, x and y (m), velocity x and y (m/s), body radius (m), group, body pressure (N/m).
    pub fn people(&self) -> &[f32] {
        self.live.as_ref().map_or(&[], Live::people)
    }

    fn answer(&mut self, ask: Ask) -> Result<String, Error> {
        match ask {
            Ask::Open(open) => {
                let experiment = open.experiment(&[])?;
                let said = describe(&experiment, &open).to_string();
                let again = experiment.clone();
                let load = move |seed: u64| open.experiment(&[("search.seed".into(), seed.to_string())]);
                *self = Self { open: Some((experiment, Replier::new(again, load))), ..Self::default() };
                Ok(said)
            }
            Ask::Start(place) => {
                let (experiment, _) = self.opened()?;
                let (live, said) = Live::start(experiment, &place)?;
                self.live = Some(live);
                Ok(said.to_string())
            }
            Ask::Step(steps) => {
                let Some((experiment, _)) = &self.open else { return Err(not_open()) };
                let live = self.live.as_mut().ok_or_else(nobody)?;
                Ok(live.step(experiment, steps).to_string())
            }
            Ask::Measure => {
                let (experiment, _) = self.opened()?;
                let live = self.live.as_ref().ok_or_else(nobody)?;
                Ok(live.measure(experiment).to_string())
            }
            Ask::Preset(candidate) => {
                let (experiment, _) = self.opened()?;
                let genome = exchange::genome(candidate, experiment, false)?;
                Ok(json!(pretty(&preset_of(experiment, &genome))).to_string())
            }
            Ask::Answer(line) => self.opened()?.1.answer(line),
            Ask::Search(answers) => {
                let Some((experiment, _)) = &self.open else { return Err(not_open()) };
                Ok(self.search.next(experiment, &answers)?.to_string())
            }
        }
    }

    fn opened(&self) -> Result<&(Experiment, Replier<'static>), Error> {
        self.open.as_ref().ok_or_else(not_open)
    }
}

fn not_open() -> Error {
    Error::input("no experiment is open: `open` comes first")
}

/// A candidate as a preset; what a search says of it is left open.
fn preset_of(experiment: &Experiment, genome: &[f64]) -> Preset {
    let nothing = Finished { engine: NATIVE.into(), trials: Vec::new(), stopped: Stopped::Interrupted };
    preset(experiment, &Results::new(experiment, &nothing).summary(), genome)
}

/// As `best.json` is written.
pub(crate) fn pretty(preset: &Preset) -> String {
    serde_json::to_string_pretty(preset).expect("a preset has string keys only") + "\n"
}

fn nobody() -> Error {
    Error::input("nobody is there: `start` comes first")
}

/// The experiment as a page shows it: genes, columns and scenarios, each scenario with its place and its groups.
fn describe(experiment: &Experiment, open: &Open) -> Value {
    let mut said = exchange::describe(experiment);
    let scenarios = said["scenarios"].as_array_mut().into_iter().flatten();
    for (said, case) in scenarios.zip(&experiment.cases) {
        let groups = case.scenario.groups.iter();
        said["groups"] = groups
            .map(|group| json!({ "name": group.name, "count": group.count, "key": count_key(experiment, open, case, group) }))
            .collect();
        said["place"] = json!(scene::place(experiment, case, &[]));
        said["limit_s"] = json!(case.scenario.limit_s);
        said["columns"] = json!(case.columns.iter().map(Option::is_some).collect::<Vec<_>>());
    }
    said["time_step_s"] = json!(experiment.timing.time_step_s);
    said["evaluations"] = json!(experiment.search.evaluations);
    said["optimizer"] = json!(experiment.search.optimizer.name);
    said
}

/// The key that sets how many people a group has; `None` where the file draws it from elsewhere. A key is the right one if the number
/// that is there already changes nothing.
fn count_key(experiment: &Experiment, open: &Open, case: &Case, group: &Group) -> Option<String> {
    let keys =
        [format!("scenario.{}.count", case.table), format!("scenario.{}.group.{}.count", case.table, group.name)];
    let right = |key: &String| {
        let same = open.experiment(&[(key.clone(), group.count.to_string())]);
        let other = open.experiment(&[(key.clone(), (group.count + 1).to_string())]);
        same.is_ok_and(|same| same.digest == experiment.digest)
            && other.is_ok_and(|other| other.digest != experiment.digest)
    };
    keys.into_iter().find(right)
}
