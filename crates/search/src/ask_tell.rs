//! A search on a function of one's own: ask for points, tell what they are worth.

use crate::optimizer::{Goal, MakeOptimizer, Measure, Optimizer, Setup};
use crate::part::{Part, Rule};
use crate::question::Question;
use crate::space::Space;
use crate::trial::{Outcome, Trial, better};
use crate::{OPTIMIZERS, usual};
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::{Entry, Kind, List, Settings, defaults};
use crowdtune_core::suggest;

/// Most objectives. Chosen here: each gets a direction of its own among those that spread the front.
pub const MOST_OBJECTIVES: usize = 1000;

/// By how much an objective may differ from the sum of its parts, beyond 1 a share of it. Chosen here: numbers may have been written with seven digits.
const PARTS_APART: f64 = 1e-6;

/// What to search with. `Options::default()` is the usual optimizer for one objective, one point at a time.
#[derive(Clone, Debug)]
pub struct Options {
    /// Name of an entry of [`OPTIMIZERS`]; `None` for the usual one.
    pub optimizer: Option<String>,
    /// Equal seeds and equal answers give equal points.
    pub seed: u64,
    /// Most points of one [`AskTell::ask`], 1 or more.
    pub parallel: usize,
    /// Points that are asked first, as values in the units of the space; moved inside if they are outside.
    pub start: Vec<Vec<f64>>,
    /// True if other random numbers than the search sees judge what is recommended, so that nobody needs many digits of a loss; false if losses are
    /// exact; `None` lets the search find out.
    pub noisy: Option<bool>,
    /// Number of objectives, 1 or more.
    pub objectives: usize,
    /// Axes of an atlas; empty if none is wanted.
    pub measures: Vec<Measure>,
    /// What the one objective of a feasible point is the sum of: a rule for each value that answers have, and what it counts, above 0. Empty if nobody
    /// says.
    pub parts: Vec<(Rule, f64)>,
    /// Keys and values of the optimizer's own params; the others keep their defaults.
    pub settings: Vec<(String, f64)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            optimizer: None,
            seed: 0,
            parallel: 1,
            start: Vec::new(),
            noisy: None,
            objectives: 1,
            measures: Vec::new(),
            parts: Vec::new(),
            settings: Vec::new(),
        }
    }
}

/// What a point is worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Losses to be minimized, one per objective.
    pub objectives: Vec<f64>,
    /// By how much constraints are violated, 0 if feasible; every feasible point beats every other.
    pub violation: f64,
    /// Where the point lies on the axes of the atlas, one per [`Options::measures`].
    pub measures: Vec<f64>,
    /// What was measured, one per [`Options::parts`]; empty if nobody says.
    pub values: Vec<f64>,
}

impl From<f64> for Answer {
    /// One objective without constraints.
    fn from(loss: f64) -> Self {
        Self { objectives: vec![loss], ..Self::default() }
    }
}

/// An optimizer at work on a function of one's own; points are values in the units of the space.
///
/// It keeps questions and answers together, so that they cannot be mixed up, and remembers the best answer.
pub struct AskTell {
    space: Space,
    optimizer: Box<dyn Optimizer>,
    parts: Vec<(Rule, f64)>,
    asked: Vec<Question>,
    told: u64,
    best: Option<Trial>,
}

impl AskTell {
    /// Sets up a search over a space.
    ///
    /// # Errors
    /// If [`Space::check`] or [`Measure::check_all`] finds a mistake, if nothing is searched, if there are no objectives, too many, or
    /// several together with measures, if a start point has another length than the space, if there is no such optimizer or setting,
    /// if a setting is out of range, or if the optimizer does not fit the objectives and measures.
    pub fn new(space: Space, options: &Options) -> Result<Self, Error> {
        space.check()?;
        check(&space, options)?;
        let entry = entry(options)?;
        let mut values = defaults(entry.params);
        for (key, value) in &options.settings {
            let at = entry.params.iter().position(|p| p.key == *key).ok_or_else(|| {
                let keys: Vec<&str> = entry.params.iter().map(|p| p.key).collect();
                suggest::among(Error::input(format!("`{}` has no setting `{key}`", entry.name)), key, &keys)
            })?;
            let param = &entry.params[at];
            let (low, high) = param.ends();
            let whole = !matches!(param.kind, Kind::Real { .. });
            if !(low..=high).contains(value) || (whole && value.fract() != 0.0) {
                let what = format!("the setting `{key}` of `{}` is {value}", entry.name);
                return Err(Error::input(what).key(key.as_str()).allowed(param.allowed()));
            }
            values[at] = *value;
        }
        let start = options.start.iter().map(|point| space.encode(point)).collect();
        let optimizer = (entry.make.make)(&Setup {
            seed: Seed(options.seed),
            parallel: options.parallel,
            start,
            noise: options.noisy.into(),
            objectives: options.objectives,
            measures: options.measures.clone(),
            parts: Part::of_columns(&options.parts),
            ..Setup::new(&space, Settings::new(entry.params, &values))
        });
        Ok(Self::with(space, optimizer).summing(options.parts.clone()))
    }

    /// A search with an optimizer that was set up for this space already, such as one of your own.
    pub fn with(space: Space, optimizer: Box<dyn Optimizer>) -> Self {
        Self { space, optimizer, parts: Vec::new(), asked: Vec::new(), told: 0, best: None }
    }

    /// With answers that say what their objective is the sum of, as [`Options::parts`].
    #[must_use]
    pub fn summing(self, parts: Vec<(Rule, f64)>) -> Self {
        Self { parts, ..self }
    }

    /// The next points, one value per gene each, at most [`Options::parallel`]. Asking again before telling gives the same
    /// points. Empty when every point of a finite space was asked.
    pub fn ask(&mut self) -> Vec<Vec<f64>> {
        if self.asked.is_empty() {
            self.asked = self.optimizer.ask();
        }
        self.asked.iter().map(|question| self.space.decode(&question.genome)).collect()
    }

    /// The questions behind the points that were asked last.
    pub fn asked(&self) -> &[Question] {
        &self.asked
    }

    /// Tells the losses of the points that were asked last, in their order. One that is not finite counts as failed.
    ///
    /// # Errors
    /// If there is not one loss per point; then nothing was told.
    pub fn tell(&mut self, losses: &[f64]) -> Result<(), Error> {
        self.tell_answers(losses.iter().map(|&loss| Some(loss.into())).collect())
    }

    /// Tells what the points that were asked last are worth, in their order; `None` for one that failed. An answer with a
    /// number that is not finite counts as failed.
    ///
    /// # Errors
    /// If there is not one answer per point, or if the values of one are not as many as [`Options::parts`], or the parts of a feasible one do not
    /// add up to its objective; then nothing was told.
    pub fn tell_answers(&mut self, answers: Vec<Option<Answer>>) -> Result<(), Error> {
        if answers.len() != self.asked.len() {
            let what = format!("{} answers to {} points", answers.len(), self.asked.len());
            return Err(Error::input(what).help("tell one answer for each point of the last `ask`, in its order"));
        }
        answers.iter().flatten().try_for_each(|answer| self.check_values(answer))?;
        let questions = std::mem::take(&mut self.asked).into_iter().zip(answers);
        let trials: Vec<Trial> = (self.told..).zip(questions).map(|(id, (q, answer))| trial(id, q, answer)).collect();
        for trial in trials.iter().filter(|t| t.is_done()) {
            if self.best.as_ref().is_none_or(|best| better(trial, best).is_lt()) {
                self.best = Some(trial.clone());
            }
        }
        self.told += trials.len() as u64;
        self.optimizer.tell(&trials);
        Ok(())
    }

    fn check_values(&self, answer: &Answer) -> Result<(), Error> {
        let Answer { objectives, violation, values, .. } = answer;
        if values.is_empty() {
            return Ok(());
        }
        if values.len() != self.parts.len() {
            let allowed = format!("none, or one for each of the {} parts", self.parts.len());
            return Err(Error::input(format!("{} values", values.len())).key("values").allowed(allowed));
        }
        let sum: f64 = self.parts.iter().zip(values).map(|((rule, weight), &value)| weight * rule.loss(value)).sum();
        match objectives.first() {
            Some(told) if *violation <= 0.0 && (told - sum).abs() > PARTS_APART * told.abs().max(1.0) => {
                Err(Error::input(format!("the objective is {told}, and the parts of its values add up to {sum}"))
                    .key("values")
                    .allowed("parts that are the objective: each the weight times the loss of its value"))
            }
            _ => Ok(()),
        }
    }

    /// Number of points that were told.
    pub fn told(&self) -> u64 {
        self.told
    }

    /// The best point that was told, and its first loss; of equal ones the earlier. `None` if all have failed so far.
    pub fn best(&self) -> Option<(Vec<f64>, f64)> {
        let best = self.best.as_ref()?;
        Some((self.space.decode(&best.question.genome), *best.objectives.first()?))
    }

    /// The points that the optimizer recommends, best first: under noise not always the best one that was told; with several
    /// objectives a spread over the front, with measures over the atlas. Empty before the first answer.
    pub fn recommended(&self) -> Vec<Vec<f64>> {
        if self.told == 0 {
            return Vec::new();
        }
        let points: Vec<Vec<f64>> = self.optimizer.recommend().iter().map(|g| self.space.decode(g)).collect();
        if points.is_empty() { self.best().into_iter().map(|best| best.0).collect() } else { points }
    }

    /// The loss that the optimizer expects of a point under other random numbers; `None` if it has no model that tells noise from the loss.
    ///
    /// # Errors
    /// If the point has not one number for each gene.
    pub fn expected(&self, point: &[f64]) -> Result<Option<f64>, Error> {
        check_length("a point", "point", point, &self.space)?;
        Ok(self.optimizer.expected(&self.space.encode(point)))
    }
}

/// Looks for mistakes in all options but the optimizer and its settings.
fn check(space: &Space, options: &Options) -> Result<(), Error> {
    let Options { start, objectives, measures, parts, .. } = options;
    if space.is_empty() {
        return Err(Error::input("there is nothing to search: the space has no genes"));
    }
    if !(1..=MOST_OBJECTIVES).contains(objectives) {
        return Err(Error::input(format!("`objectives` is {objectives}"))
            .key("objectives")
            .allowed(format!("a whole number from 1 to {MOST_OBJECTIVES}")));
    }
    if *objectives > 1 && !measures.is_empty() {
        return Err(Error::input(format!("{objectives} objectives together with measures"))
            .key("objectives")
            .allowed("1, because a map of behaviors keeps the best of each cell"));
    }
    if !parts.is_empty() && (*objectives > 1 || !measures.is_empty()) {
        return Err(Error::input("`parts` with several objectives or with measures")
            .key("parts")
            .allowed("only with one objective and without measures"));
    }
    if let Some((_, weight)) = parts.iter().find(|(_, weight)| !(weight.is_finite() && *weight > 0.0)) {
        return Err(Error::input(format!("a part has the weight {weight}")).key("parts").allowed("a number above 0"));
    }
    start.iter().try_for_each(|point| check_length("a start point", "start", point, space))?;
    Measure::check_all(measures)
}

/// Looks for a number for each gene.
fn check_length(what: &str, key: &str, point: &[f64], space: &Space) -> Result<(), Error> {
    if point.len() == space.len() {
        return Ok(());
    }
    Err(Error::input(format!("{what} of {} numbers", point.len()))
        .key(key)
        .allowed(format!("{} numbers, one for each gene", space.len())))
}

/// The optimizer of these options, if it fits them.
fn entry(options: &Options) -> Result<&'static Entry<MakeOptimizer>, Error> {
    let goal = match (options.measures.len(), options.objectives) {
        (0, 1) => Goal::Best,
        (0, _) => Goal::Front,
        _ => Goal::Atlas,
    };
    let Some(name) = &options.optimizer else { return Ok(usual(goal)) };
    let entry = List::new("optimizer", OPTIMIZERS).get(name)?;
    if entry.make.goal != goal {
        let what = match goal {
            Goal::Best => format!("`{name}` is not for one objective without measures"),
            Goal::Front => format!("`{name}` minimizes one objective, not {}", options.objectives),
            Goal::Atlas => format!("`{name}` keeps no atlas of {} measures", options.measures.len()),
        };
        let fitting: Vec<&str> = OPTIMIZERS.iter().filter(|e| e.make.goal == goal).map(|e| e.name).collect();
        return Err(Error::input(what).allowed(fitting.join(", ")));
    }
    Ok(entry)
}

fn trial(id: u64, question: Question, answer: Option<Answer>) -> Trial {
    let finite = |a: &Answer| {
        a.objectives.iter().chain(&a.measures).chain(&a.values).chain([&a.violation]).all(|x| x.is_finite())
    };
    let sound = answer.filter(|a| !a.objectives.is_empty() && finite(a));
    let outcome = if sound.is_some() { Outcome::Done } else { Outcome::Failed("no finite answer".into()) };
    let Answer { objectives, violation, measures, values } = sound.unwrap_or_default();
    // One case with one run.
    let values = if values.is_empty() { Vec::new() } else { vec![vec![values.into_iter().map(Some).collect()]] };
    Trial { id, question, outcome, objectives, violation, measures, values }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bowl(x: &[f64]) -> f64 {
        (x[0] - 0.3).powi(2) + (x[1] - 0.6).powi(2)
    }

    #[test]
    fn every_optimizer_of_one_objective_is_found_by_name() {
        for entry in OPTIMIZERS.iter().filter(|e| e.make.goal == Goal::Best) {
            let options = Options { optimizer: Some(entry.name.into()), parallel: 4, ..Options::default() };
            let mut search = AskTell::new(Space::unit(2), &options).unwrap();
            while search.told() < 80 {
                let losses: Vec<f64> = search.ask().iter().map(|x| bowl(x)).collect();
                search.tell(&losses).unwrap();
            }
            let (point, loss) = search.best().unwrap();
            assert!(loss == bowl(&point) && loss < 0.1, "{}: {loss}", entry.name);
            assert_eq!(search.recommended()[0].len(), 2);
        }
    }

    #[test]
    fn a_wrong_number_of_answers_changes_nothing() {
        let options = Options { parallel: 3, ..Options::default() };
        let mut search = AskTell::new(Space::unit(1), &options).unwrap();
        let points = search.ask();
        assert!(search.tell(&[1.0]).unwrap_err().what().contains("1 answers to 3 points"));
        assert_eq!((search.ask(), search.told()), (points, 0));
        search.tell(&[f64::NAN, 2.0, f64::INFINITY]).unwrap();
        assert_eq!(search.best().map(|best| best.1), Some(2.0));
    }

    #[test]
    fn start_points_come_first_and_a_finite_space_is_used_up() {
        let space = Space::new([crate::Gene::integer("n", 1, 5)]).unwrap();
        let options = Options { start: vec![vec![4.0]], optimizer: Some("random".into()), ..Options::default() };
        let mut search = AskTell::new(space, &options).unwrap();
        let mut seen = Vec::new();
        loop {
            let points = search.ask();
            let Some(point) = points.first() else { break };
            seen.push(point[0]);
            search.tell(&[point[0]]).unwrap();
        }
        assert_eq!(seen[0], 4.0);
        seen.sort_by(f64::total_cmp);
        assert_eq!(seen, [1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(search.best(), Some((vec![1.0], 1.0)));
    }

    #[test]
    fn values_have_to_make_the_objective() {
        let parts =
            vec![(Rule::Squares { value: 0.3, unit: 1.0 }, 1.0), (Rule::Squares { value: 0.6, unit: 1.0 }, 1.0)];
        let options = Options { parts, parallel: 2, ..Options::default() };
        let mut search = AskTell::new(Space::unit(2), &options).unwrap();
        let points = search.ask();
        let answer =
            |x: &[f64], off: f64, violation| Answer { violation, values: x.to_vec(), ..Answer::from(bowl(x) + off) };
        let tell = |off, violation| points.iter().map(|x| Some(answer(x, off, violation))).collect::<Vec<_>>();
        assert!(search.tell_answers(tell(0.1, 0.0)).unwrap_err().what().contains("add up to"));
        let short = vec![Some(Answer { values: vec![1.0], ..Answer::from(1.0) }), None];
        assert!(search.tell_answers(short).unwrap_err().to_string().contains("2 parts"));
        search.tell_answers(tell(0.0, 0.0)).unwrap();
        search.ask();
        search.tell_answers(tell(0.1, 1.0)).unwrap();
        assert_eq!(search.told(), 4);
    }

    #[test]
    fn misuse_is_named() {
        let with = |optimizer: &str, objectives, settings: &[(&str, f64)]| {
            let settings = settings.iter().map(|(key, value)| ((*key).into(), *value)).collect();
            let options = Options { optimizer: Some(optimizer.into()), objectives, settings, ..Options::default() };
            AskTell::new(Space::unit(1), &options).err().map(|e| e.to_string()).unwrap_or_default()
        };
        assert!(with("simplex", 1, &[]).contains("no optimizer `simplex`"));
        assert!(with("ga", 2, &[]).contains("pareto"));
        assert!(with("ga", 1, &[("sigma", 1.0)]).contains("no setting `sigma`"));
        assert!(with("cma_es", 1, &[("sigma", 7.0)]).contains("0.0001 to 1"));
        assert!(with("atlas", 1, &[]).contains("one objective without measures"));
        assert_eq!(with("pareto", 2, &[("population", 10.0)]), "");
        let refused = |space: Space, options: Options| AskTell::new(space, &options).err().unwrap().to_string();
        assert!(refused(Space::unit(0), Options::default()).contains("nothing to search"));
        assert!(refused(Space::unit(1), Options { objectives: 0, ..Options::default() }).contains("1 to 1000"));
        assert!(
            refused(Space::unit(2), Options { start: vec![vec![0.5]], ..Options::default() }).contains("2 numbers")
        );
        let axis = |low, high, cells| Options { measures: vec![Measure { low, high, cells }], ..Options::default() };
        assert!(refused(Space::unit(1), axis(1.0, 1.0, 4)).contains("measure 0 goes from 1 to 1"));
        assert!(refused(Space::unit(1), axis(0.0, 1.0, 0)).contains("`cells` is [0]"));
        assert!(
            refused(Space::unit(1), Options { objectives: 2, ..axis(0.0, 1.0, 4) }).contains("together with measures")
        );
        let parts =
            |weight| Options { parts: vec![(Rule::Slope { good: 0.0, bad: 1.0 }, weight)], ..Options::default() };
        assert!(refused(Space::unit(1), parts(0.0)).contains("weight 0"));
        let fronts = Options { objectives: 2, ..parts(1.0) };
        assert!(refused(Space::unit(1), fronts).contains("several objectives"));
        let twice = Space { genes: vec![crate::Gene::real("x", 2.0, 1.0)] };
        assert!(AskTell::new(twice, &Options::default()).err().unwrap().what().contains("`x`"));
    }
}
