//! A checked experiment: everything resolved, nothing left to be asked.

use super::engine::EngineOf;
use super::stop::StopRules;
use crate::target::Target;
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::{Entry, List, Settings};
use crowdtune_search::{MakeOptimizer, Measure, Prior, Question, Space, Values};
use crowdtune_sim::crowd::people::{Distribution, Traits};
use crowdtune_sim::crowd::{RunSetup, Sim, Start, Steering};
use crowdtune_sim::metrics::{Place, Window};
use crowdtune_sim::models::{self, MakeModel, ModelSetup, Part};
use crowdtune_sim::world::scenario::Scenario;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where a number comes from when a candidate is evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Binding {
    /// The same for all candidates.
    Fixed(f64),
    /// The value of this gene.
    Gene(usize),
}

impl Binding {
    /// The number for a candidate's decoded genes.
    pub fn resolve(self, genes: &[f64]) -> f64 {
        match self {
            Self::Fixed(value) => value,
            Self::Gene(at) => genes[at],
        }
    }
}

/// Where a trait of people comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TraitBinding {
    /// Drawn per person, the same distribution for all candidates.
    Drawn(Distribution),
    /// The same for everybody: the value of this gene.
    Gene(usize),
}

impl TraitBinding {
    /// The distribution for a candidate's decoded genes.
    pub fn resolve(self, genes: &[f64]) -> Distribution {
        match self {
            Self::Drawn(distribution) => distribution,
            Self::Gene(at) => Distribution::Fixed(genes[at]),
        }
    }
}

/// Constants and traits of one group of a scenario.
#[derive(Clone, Debug)]
pub struct GroupBinding {
    /// The model that steers it.
    pub steered_by: &'static Entry<MakeModel>,
    /// One per param of that model, in their order; `same_as` is resolved.
    pub model: Vec<Binding>,
    /// The other models of the scenario, with the constants by which they see its people.
    pub seen_by: Vec<(&'static Entry<MakeModel>, Vec<Binding>)>,
    /// One per trait, in the order of [`crowdtune_sim::crowd::people::TRAITS`].
    pub people: [TraitBinding; 5],
}

impl GroupBinding {
    /// The constants of its model for a candidate's decoded genes, one per param.
    pub fn constants(&self, genes: &[f64]) -> Vec<f64> {
        self.model.iter().map(|binding| binding.resolve(genes)).collect()
    }

    /// As [`Self::constants`], those by which one of the models of its scenario sees it.
    fn seen(&self, by: &Entry<MakeModel>, genes: &[f64]) -> Vec<f64> {
        match self.seen_by.iter().find(|(model, _)| model.name == by.name) {
            Some((_, bindings)) => bindings.iter().map(|binding| binding.resolve(genes)).collect(),
            None => self.constants(genes),
        }
    }

    /// The traits for a candidate's decoded genes.
    pub fn traits(&self, genes: &[f64]) -> Traits {
        let [desired_speed, max_speed, radius, mass, start] = self.people.map(|t| t.resolve(genes));
        Traits { desired_speed, max_speed, radius, mass, start }
    }
}

/// One scenario as it is simulated: a table of the file with one value for each of its `each` keys.
#[derive(Clone, Debug)]
pub struct Case {
    /// Table name, followed by the `each` values where there are any: `neck[width_m=0.8]`.
    pub name: String,
    /// Name of the table; seeds are named by it, so the values of one `each` share them.
    pub table: String,
    /// The `each` keys (without the table, e.g. `width_m` or `people.desired_speed_m_per_s`) and their values.
    pub axes: Vec<(String, f64)>,
    /// Never used by the search, only reported.
    pub held_out: bool,
    /// The place and the people.
    pub scenario: Arc<Scenario>,
    /// Replicas per candidate in the search.
    pub replicas: u32,
    /// One per group of the scenario, in its order.
    pub groups: Vec<GroupBinding>,
    /// `engine`: what the file tells a foreign simulator of this scenario.
    pub settings: serde_json::Value,
    /// One per column: where it is measured here, or `None` if this scenario cannot give it.
    pub columns: Vec<Option<CaseColumn>>,
}

impl Case {
    /// The models that steer its groups, each once, in the order of the groups.
    pub fn models(&self) -> Vec<&'static Entry<MakeModel>> {
        once(self.groups.iter().map(|group| group.steered_by))
    }

    /// What steers its people, for a candidate's decoded genes.
    pub fn steering(&self, start: &Start, genes: &[f64]) -> Box<dyn Steering> {
        let models = self.models();
        let values: Vec<Vec<Vec<f64>>> =
            models.iter().map(|model| self.groups.iter().map(|group| group.seen(model, genes)).collect()).collect();
        let parts: Vec<Part<'_>> = models
            .iter()
            .zip(&values)
            .map(|(&model, values)| Part {
                model,
                settings: values.iter().map(|values| Settings::new(model.params, values)).collect(),
            })
            .collect();
        models::together(&ModelSetup::new(start), &parts, &self.steered_by(&models))
    }

    /// Roughly how long one core needs for a run with steps of this length, s.
    fn work_s(&self, time_step_s: f64) -> f64 {
        let groups = self.scenario.person_seconds().zip(&self.groups);
        groups.map(|(seconds, group)| seconds / time_step_s * group.steered_by.make.person_step_s).sum()
    }

    /// Checks that the models can steer their groups, and that they can meet.
    ///
    /// # Errors
    /// As [`models::fit_together`].
    pub fn fits(&self) -> Result<(), Error> {
        let models = self.models();
        models::fit_together(&models, &self.steered_by(&models), &self.scenario)
    }

    /// For each group the index of its model among these.
    fn steered_by(&self, models: &[&'static Entry<MakeModel>]) -> Vec<usize> {
        let at = |group: &GroupBinding| models.iter().position(|model| model.name == group.steered_by.name);
        self.groups.iter().filter_map(at).collect()
    }
}

/// Each model once, where it comes first.
fn once(all: impl Iterator<Item = &'static Entry<MakeModel>>) -> Vec<&'static Entry<MakeModel>> {
    let mut models: Vec<&'static Entry<MakeModel>> = Vec::new();
    for model in all {
        if !models.iter().any(|m| m.name == model.name) {
            models.push(model);
        }
    }
    models
}

/// How a column is measured in one case.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseColumn {
    /// Where.
    pub at: Option<Place>,
    /// When.
    pub window: Window,
    /// Only this group counts.
    pub group: Option<u16>,
    /// Measured from this group.
    pub center: Option<u16>,
}

/// `[atlas.NAME]`: an axis along which behaviors are spread.
#[derive(Clone, Debug, PartialEq)]
pub struct AtlasAxis {
    /// Name of the axis and of its column.
    pub name: String,
    /// Index of the column whose mean over replicas and cases places a candidate.
    pub column: usize,
    /// Lower end, in the unit of the column.
    pub low: f64,
    /// Upper end, above `low`.
    pub high: f64,
    /// Number of cells, 1 or more.
    pub cells: u32,
    /// A value that tells candidates apart, in the unit of the column: what constants those at or above it have is reported.
    pub split: Option<f64>,
}

/// `[simulation]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Step, s.
    pub time_step_s: f64,
    /// Interval of metric samples, s.
    pub sample_every_s: f64,
    /// Interval of recorded frames, s.
    pub record_every_s: f64,
    /// A run with an overlap deeper than this share of the smaller radius is unhealthy.
    pub max_overlap_share: f64,
    /// A run in which people walk backwards for more than this share of their time is unhealthy.
    pub max_backward_share: f64,
}

/// `[search]`.
#[derive(Clone, Debug)]
pub struct Search {
    /// The optimizer.
    pub optimizer: &'static Entry<MakeOptimizer>,
    /// Values of its params.
    pub settings: Vec<f64>,
    /// Number of search trials.
    pub evaluations: u64,
    /// Logical width of a batch.
    pub parallel: usize,
    /// Seed of everything.
    pub seed: u64,
    /// Number of finalists of the selection.
    pub finalists: usize,
    /// Fresh replicas that pick the recommendation, a finalist on average.
    pub select_replicas: u32,
    /// Fresh replicas that give its figures.
    pub report_replicas: u32,
    /// Share of the search's simulations that the profiles may take, 0 to 1; 0 asks for none.
    pub profile_share: f64,
    /// Whether the number of replicas adapts to how much ranks change on other seeds.
    pub replication: Replication,
    /// Most replicas of a question where it does.
    pub max_replicas: u32,
    /// When the search ends earlier.
    pub stop: StopRules,
    /// Searches that `evolve` makes, each with its own seed.
    pub repeats: u32,
}

impl Search {
    /// True if the number of replicas adapts.
    pub fn adaptive(&self) -> bool {
        self.replication == Replication::Adaptive
    }
}

/// How many replicas a candidate gets in the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replication {
    /// As many as the file says, the same for all.
    #[default]
    Fixed,
    /// Few, and more where ranks change on other seeds.
    Adaptive,
}

/// A checked experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Stem of the file name.
    pub name: String,
    /// `title`.
    pub title: String,
    /// The model of the groups that name none.
    pub model: &'static Entry<MakeModel>,
    /// The foreign simulator; `None`: this library simulates.
    pub engine: Option<EngineOf>,
    /// What is searched; empty for a file that fixes everything.
    pub space: Space,
    /// For each gene its published default, moved into its axis, as a decoded value.
    pub defaults: Vec<f64>,
    /// Decoded start values: the file's `start`s over the defaults; equal to `defaults` where the file gives none.
    pub start: Vec<f64>,
    /// For each gene what is known of it before anything was measured.
    pub priors: Vec<Prior>,
    /// All cases: tables in name order, `each` values in file order, held-out ones last within their table.
    pub cases: Vec<Case>,
    /// Targets and measures in name order, one column each.
    pub columns: Vec<Target>,
    /// Axes of the atlas of behaviors, in name order; empty where none is wanted.
    pub atlas: Vec<AtlasAxis>,
    /// Names of the objectives, in name order; one, called `loss`, unless the file names some.
    pub objectives: Vec<String>,
    /// Weight of each objective in the choice among compromises; empty: the knee of the front is recommended.
    pub preference: Vec<f64>,
    /// `[simulation]`.
    pub timing: Timing,
    /// `[search]`.
    pub search: Search,
    /// The file with every default written out, as TOML.
    pub resolved: String,
    /// SHA-256 of what the results depend on, hexadecimal.
    pub digest: String,
    /// What the user should know, although nothing has to change.
    pub warnings: Vec<String>,
    /// Files that the experiment names, with their contents, for `inputs/`.
    pub inputs: Vec<(String, Vec<u8>)>,
}

impl Experiment {
    /// Replicas of a question in the search: those of the searched case with most, 1 at least.
    pub fn replicas(&self) -> u32 {
        self.cases.iter().filter(|c| !c.held_out).map(|c| c.replicas).fold(1, u32::max)
    }

    /// Simulations of one evaluation: each searched case on its replicas.
    pub fn simulations(&self) -> u64 {
        self.cases.iter().filter(|c| !c.held_out).map(|c| u64::from(c.replicas)).sum::<u64>().max(1)
    }

    /// Roughly how long one core needs for an evaluation, s: the people of all its simulations, as if nobody was out early. It does not
    /// depend on the machine. `None` where a foreign simulator runs them.
    pub fn work_s(&self) -> Option<f64> {
        let searched = self.cases.iter().filter(|case| !case.held_out);
        let runs_s: f64 = searched.map(|case| f64::from(case.replicas) * case.work_s(self.timing.time_step_s)).sum();
        self.engine.is_none().then_some(runs_s)
    }

    /// Simulations that a question of the search counts for: where replicas are fixed those of an evaluation, whatever it asks; where they
    /// adapt, those that it asks.
    pub fn cost(&self, question: &Question) -> u64 {
        if !self.search.adaptive() {
            return self.simulations();
        }
        let cases = self.cases.iter().filter(|c| !c.held_out).count().max(1);
        question.replicas.len() as u64 * cases as u64
    }

    /// The same with another seed, or with so many replicas in each of its cases; `None` if that is what it has.
    pub fn with_runs(&self, seed: Option<u64>, replicas: Option<u32>) -> Option<Self> {
        let seed = seed.unwrap_or(self.search.seed);
        let same = replicas.is_none_or(|n| self.cases.iter().all(|case| case.replicas == n));
        if seed == self.search.seed && same {
            return None;
        }
        let mut other = self.clone();
        other.search.seed = seed;
        for case in &mut other.cases {
            case.replicas = replicas.unwrap_or(case.replicas);
        }
        Some(other)
    }

    /// A simulation of a case for a candidate's decoded genes, before its first step.
    ///
    /// # Errors
    /// If people do not fit.
    pub fn sim(&self, case: usize, genes: &[f64], seed: Seed) -> Result<Sim, Error> {
        let start = self.start(case, genes, seed)?;
        let steering = self.cases[case].steering(&start, genes);
        Ok(Sim::new(start, steering))
    }

    /// The people of a case at the start, for a candidate's decoded genes.
    ///
    /// # Errors
    /// If they do not fit.
    pub fn start(&self, case: usize, genes: &[f64], seed: Seed) -> Result<Start, Error> {
        let Case { scenario, groups, .. } = &self.cases[case];
        Start::new(RunSetup {
            scenario: scenario.clone(),
            traits: groups.iter().map(|g| g.traits(genes)).collect(),
            time_step_s: self.timing.time_step_s,
            sample_every_s: self.timing.sample_every_s,
            max_overlap_share: self.timing.max_overlap_share,
            max_backward_share: self.timing.max_backward_share,
            seed,
        })
    }

    /// True if whoever answered a search can be asked again: this library (`None`), or the engine of this experiment.
    pub fn simulates(&self, engine: Option<&str>) -> bool {
        engine.is_none_or(|name| self.engine.as_ref().is_some_and(|own| own.name() == name))
    }

    /// The models that presets of it can name: that of its engine, or else these.
    pub fn models_or<'l>(&'l self, all: &'l List<MakeModel>) -> &'l List<MakeModel> {
        self.engine.as_ref().map_or(all, |engine| &engine.models)
    }

    /// The models that steer somebody, each once, that of the file first.
    pub fn models(&self) -> Vec<&'static Entry<MakeModel>> {
        let all = once(self.cases.iter().flat_map(|case| &case.groups).map(|group| group.steered_by));
        let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|model| model.name == self.model.name);
        own.into_iter().chain(others).collect()
    }

    /// The models as a sentence has them: "the model `social_force`".
    pub fn named_models(&self) -> String {
        let names: Vec<String> = self.models().iter().map(|model| format!("`{}`", model.name)).collect();
        format!("the {} {}", if names.len() > 1 { "models" } else { "model" }, names.join(" and "))
    }

    /// What walks, for titles and tables: the name of the model; of several each with its groups, `social_force (people), rvo (cars)`.
    pub fn walkers(&self) -> String {
        let models = self.models();
        if let [model] = models[..] {
            return model.name.to_string();
        }
        let named = |case: &Case| {
            let names = case.scenario.groups.iter().map(|group| group.name.clone());
            let of = case.groups.iter().map(|group| group.steered_by.name);
            names.zip(of).map(|(name, of)| (case.table.clone(), name, of)).collect::<Vec<_>>()
        };
        let all: BTreeSet<_> = self.cases.iter().flat_map(named).collect();
        let label = |(table, name, of): &(String, String, &str)| {
            let elsewhere = all.iter().any(|(_, other, by)| other == name && by != of);
            if elsewhere { format!("{table}.{name}") } else { name.clone() }
        };
        let words = |model: &&Entry<MakeModel>| {
            let groups: BTreeSet<String> = all.iter().filter(|(_, _, of)| *of == model.name).map(label).collect();
            format!("{} ({})", model.name, groups.into_iter().collect::<Vec<_>>().join(", "))
        };
        models.iter().map(words).collect::<Vec<_>>().join(", ")
    }

    /// The axes as the optimizer knows them.
    pub fn measures(&self) -> Vec<Measure> {
        self.atlas.iter().map(|a| Measure { low: a.low, high: a.high, cells: a.cells }).collect()
    }

    /// Targets proper: columns that something is wanted of, with their index.
    pub fn targets(&self) -> impl Iterator<Item = (usize, &Target)> {
        self.columns.iter().enumerate().filter(|(_, t)| t.wanted.is_some())
    }

    /// The step, s, where it is longer than that of its models: the results are a draft. `None` otherwise.
    pub fn draft_step_s(&self) -> Option<f64> {
        let step = self.timing.time_step_s;
        (step > models::time_step_s(self.models())).then_some(step)
    }

    /// Values of one run of a case, a column each.
    pub fn empty_values(&self) -> Values {
        self.cases.iter().map(|_| Vec::new()).collect()
    }
}

/// For an experiment that names no files.
///
/// # Errors
/// Always: there is no such file.
pub fn no_files(name: &str) -> Result<Vec<u8>, Error> {
    Err(Error::input(format!("there is no file `{name}`: the experiment was read without any")))
}
