//! What the optimizers themselves cost: processor time for each evaluation, asking and telling, at 20 parameters.
//!
//! `cargo bench --bench optimizers`, with `-- --rounds 15` for more rounds and `-- cma` for the rows whose name has `cma` in it.
//! The loss is a sphere, which costs next to nothing, its least value off the middle. Every round runs each row once, a whole search
//! from its birth; the table shows the median and the least of the rounds. Pin it to one processor where other work is going on
//! (`taskset -c 1`).

use cpu_time::ProcessTime;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::{Entry, Settings, defaults, find};
use crowdtune_search::{Axis, Gene, Goal, MakeOptimizer, Measure, OPTIMIZERS, Outcome, Question, Setup, Space, Trial};

/// Number of parameters.
const PARAMETERS: usize = 20;
/// Rounds without `--rounds`.
const ROUNDS: usize = 9;

/// One row of the table: an optimizer with some settings.
struct Case {
    name: String,
    entry: &'static Entry<MakeOptimizer>,
    settings: Vec<f64>,
    objectives: usize,
    /// Axes of a map, for an optimizer that fills one.
    measures: usize,
    /// Candidates that are asked for at a time.
    parallel: usize,
    evaluations: usize,
    /// The most it should cost in microseconds, if something was set.
    bar: Option<f64>,
}

impl Case {
    /// The optimizer `name` with its defaults but for `settings`.
    fn new(name: &str, settings: &[(&str, f64)]) -> Self {
        let entry = find(OPTIMIZERS, name).expect("a registered optimizer");
        let mut values = defaults(entry.params);
        for (key, value) in settings {
            let at = entry.params.iter().position(|p| p.key == *key).expect("a setting of the optimizer");
            values[at] = *value;
        }
        let with: String = settings.iter().map(|(key, value)| format!(", {key} {value}")).collect();
        Self {
            name: format!("{name}{with}"),
            entry,
            settings: values,
            objectives: *entry.make.objectives.start(),
            measures: if entry.make.goal == Goal::Atlas { 2 } else { 0 },
            parallel: 1,
            evaluations: 100 * PARAMETERS,
            bar: None,
        }
    }

    fn bar(self, bar: f64) -> Self {
        Self { bar: Some(bar), ..self }
    }

    /// Microseconds for each evaluation of one search.
    fn run(&self, space: &Space, seed: u64) -> f64 {
        let begin = ProcessTime::now();
        let mut optimizer = (self.entry.make.make)(&Setup {
            seed: Seed(seed),
            parallel: self.parallel,
            objectives: self.objectives,
            measures: vec![Measure { low: 0.0, high: 1.0, cells: 20 }; self.measures],
            ..Setup::new(space, Settings::new(self.entry.params, &self.settings))
        });
        let mut done = 0;
        while done < self.evaluations {
            let questions = optimizer.ask();
            let trials: Vec<Trial> =
                questions.into_iter().zip(done as u64..).map(|(q, id)| self.answer(q, id)).collect();
            done += trials.len();
            optimizer.tell(&trials);
        }
        begin.elapsed().as_secs_f64() * 1e6 / done as f64
    }

    /// The sphere around 0.3; with a second objective that around 0.6 too. A candidate's place on a map is its first coordinates.
    fn answer(&self, question: Question, id: u64) -> Trial {
        let from = |center: f64| question.genome.iter().map(|x| (x - center) * (x - center)).sum();
        let objectives = [0.3, 0.6].into_iter().take(self.objectives).map(from).collect();
        let measures = question.genome[..self.measures].to_vec();
        Trial { id, question, outcome: Outcome::Done, objectives, violation: 0.0, measures, values: Vec::new() }
    }
}

/// All rows.
fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = OPTIMIZERS.iter().map(|entry| Case::new(entry.name, &[])).collect();
    for case in &mut cases {
        case.bar = match case.entry.name {
            "ga" => Some(1.0),
            "cma_es" => Some(30.0),
            _ => None,
        };
    }
    cases.push(Case::new("cma_es", &[("surrogate", 0.0)]).bar(3.0));
    let wide = |parallel: usize| {
        let case = Case { parallel, evaluations: 20_000, ..Case::new("pareto", &[("population", 1000.0)]) };
        Case { name: format!("{}, two objectives, batches of {parallel}", case.name), ..case }
    };
    cases.extend([wide(16).bar(5.0), wide(1000).bar(5.0)]);
    cases
}

fn main() {
    let mut rounds = ROUNDS;
    let mut wanted: Vec<String> = Vec::new();
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        if word == "--rounds" {
            let Some(count) = words.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0) else {
                eprintln!("error: --rounds needs a whole number above 0");
                std::process::exit(2);
            };
            rounds = count;
        } else {
            wanted.push(word);
        }
    }
    let mut cases = cases();
    cases.retain(|case| wanted.is_empty() || wanted.iter().any(|word| case.name.contains(word.as_str())));
    let axis = Axis::Real { low: 0.0, high: 1.0, log: false };
    let gene = |i: usize| Gene { key: format!("x{i}"), axis: axis.clone() };
    let space = Space { genes: (0..PARAMETERS).map(gene).collect() };
    let mut times = vec![Vec::with_capacity(rounds); cases.len()];
    for round in 0..rounds {
        for (case, times) in cases.iter().zip(&mut times) {
            times.push(case.run(&space, round as u64 + 1));
        }
    }
    println!("microseconds of processor time for each evaluation, {PARAMETERS} parameters, {rounds} rounds");
    println!("{:<52} {:>11} {:>9} {:>9} {:>6}", "optimizer", "evaluations", "median", "least", "bar");
    for (case, times) in cases.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let bar = case.bar.map_or_else(String::new, |bar| bar.to_string());
        let (median, least) = (times[times.len() / 2], times[0]);
        println!("{:<52} {:>11} {median:>9.2} {least:>9.2} {bar:>6}", case.name, case.evaluations);
    }
}
