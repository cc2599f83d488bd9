//! Searches side by side: how good they are on fresh seeds, how often one beat the other, and how sure that is.

use super::budget::evaluations;
use super::results::Results;
use super::stop::Watch;
use super::summary::Figure;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::{paired, stats};
use crowdtune_search::{Purpose, Trial};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Violation and first objective; `None` if it failed or was not run.
type Cost = Option<(f64, f64)>;

/// One search, as far as a comparison needs it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Searched {
    /// Where it is.
    pub folder: String,
    /// Optimizer.
    pub optimizer: String,
    /// Its seed; searches of equal seeds are pairs.
    pub seed: u64,
    /// Evaluations done.
    pub evaluations: u64,
    /// Why it ended, the word of `summary.json`.
    pub stopped: String,
    /// First objective of the recommendation as the search saw it.
    pub search: Option<f64>,
    /// Violation and first objective of the recommendation on the fresh seeds of the report.
    pub fresh: Cost,
    /// The same of the published defaults on the same seeds.
    pub default: Cost,
    /// True if the defaults are recommended.
    pub defaults_won: bool,
    /// Evaluations, and the first objective of the best feasible candidate until then as the search saw it.
    #[serde(skip)]
    pub curve: Vec<(f64, f64)>,
}

impl Searched {
    /// From the results of a run.
    pub fn new(folder: String, results: &Results<'_>) -> Self {
        let (experiment, run, subject) = (results.experiment, results.run, &results.subject);
        let cost =
            |t: Option<&Trial>| t.filter(|t| t.is_done()).and_then(|t| Some((t.violation, *t.objectives.first()?)));
        let mut watch = Watch::new(experiment.search.stop, experiment.replicas(), experiment.search.adaptive());
        let mut curve: Vec<(f64, f64)> = Vec::new();
        for trial in run.trials.iter().filter(|t| t.question.purpose == Purpose::Search) {
            watch.see(trial);
            if let Some((_, loss)) = watch.best().filter(|b| b.0 <= 0.0) {
                curve.push((watch.evaluations(), loss));
            }
        }
        let space = &experiment.space;
        Self {
            folder,
            optimizer: experiment.search.optimizer.name.to_string(),
            seed: experiment.search.seed,
            evaluations: evaluations(experiment, &run.trials),
            stopped: run.stopped.word().to_string(),
            search: subject.searched.as_ref().and_then(|t| t.objectives.first().copied()),
            fresh: cost(subject.report),
            default: cost(subject.baseline),
            defaults_won: space.key(&subject.genome) == space.key(&space.encode(&experiment.defaults)),
            curve,
        }
    }
}

/// How often one side won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Pairs in which it had the lower violation, or at equal ones the lower loss.
    pub pairs: u64,
    /// Those of them in which its loss is not lower: the other side misses a `must`, or by more.
    pub by_must: u64,
}

impl Count {
    fn win(&mut self, by_must: bool) {
        self.pairs += 1;
        self.by_must += u64::from(by_must);
    }
}

/// How often one was better than, equal to and worse than the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wins {
    /// The first side won.
    pub better: Count,
    /// Both the same.
    pub equal: u64,
    /// The other side won.
    pub worse: Count,
}

/// Two sides of pairs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Against {
    /// The first side.
    pub one: String,
    /// The second side.
    pub other: String,
    /// Seeds that both have.
    pub seeds: Vec<u64>,
    /// Counts over the pairs.
    pub wins: Wins,
    /// Mean of the paired differences one - other of the first objective, over pairs in which both have one; below 0 the first is better.
    pub difference: Figure,
    /// Two-sided probability of such signs by chance.
    pub sign_p: f64,
    /// Two-sided probability of such signed ranks by chance (Wilcoxon).
    pub wilcoxon_p: f64,
}

/// Searches of one kind, each with its own seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// What they are called.
    pub name: String,
    /// The searches, in the order of their seeds.
    pub searches: Vec<Searched>,
    /// Mean over searches of the first objective on fresh seeds, with its bootstrap 95 % interval.
    pub fresh: Figure,
    /// The same of the published defaults.
    pub default: Figure,
    /// The recommendations against the defaults.
    pub against_defaults: Against,
}

/// What came out of a comparison; `compare.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Format of this file, 1.
    pub format: u32,
    /// The objective that is compared.
    pub objective: String,
    /// The groups.
    pub groups: Vec<Group>,
    /// Every group against every later one.
    pub pairs: Vec<Against>,
}

/// Compares groups of searches.
pub fn compare(objective: &str, groups: Vec<(String, Vec<Searched>)>) -> Comparison {
    let groups: Vec<Group> = groups.into_iter().map(|(name, searches)| group(name, searches)).collect();
    let mut pairs = Vec::new();
    for (at, one) in groups.iter().enumerate() {
        for other in &groups[at + 1..] {
            let both = |s: &Searched| {
                let same = other.searches.iter().find(|o| o.seed == s.seed)?;
                Some((s.seed, s.fresh, same.fresh))
            };
            let costs: Vec<_> = one.searches.iter().filter_map(both).collect();
            pairs.push(against(&one.name, &other.name, &costs));
        }
    }
    Comparison { format: 1, objective: objective.into(), groups, pairs }
}

fn group(name: String, mut searches: Vec<Searched>) -> Group {
    searches.sort_by_key(|s| s.seed);
    let mean = |cost: fn(&Searched) -> Cost| {
        let values: Vec<f64> = searches.iter().filter_map(|s| cost(s).map(|c| c.1)).collect();
        // One search says nothing of the scatter between searches.
        let ends = stats::bootstrap(&values, stats::mean, Seed(1)).filter(|_| values.len() > 1).unzip();
        Figure { value: (!values.is_empty()).then(|| stats::mean(&values)), low: ends.0, high: ends.1 }
    };
    let costs: Vec<_> = searches.iter().map(|s| (s.seed, s.fresh, s.default)).collect();
    Group {
        fresh: mean(|s| s.fresh),
        default: mean(|s| s.default),
        against_defaults: against(&name, "defaults", &costs),
        name,
        searches,
    }
}

fn against(one: &str, other: &str, costs: &[(u64, Cost, Cost)]) -> Against {
    let mut wins = Wins::default();
    let (mut a, mut b, mut signs) = (Vec::new(), Vec::new(), Vec::new());
    for (_, first, second) in costs {
        let order = order(*first, *second);
        let by_loss = first.zip(*second).map(|(a, b)| a.1.total_cmp(&b.1));
        let by_must = by_loss.is_some_and(|by_loss| by_loss != order);
        match order {
            Ordering::Less => wins.better.win(by_must),
            Ordering::Equal => wins.equal += 1,
            Ordering::Greater => wins.worse.win(by_must),
        }
        signs.push(f64::from(order as i8));
        if let (Some(first), Some(second)) = (first, second) {
            a.push(first.1);
            b.push(second.1);
        }
    }
    let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    let (value, ends) = match stats::paired_difference(&a, &b, Seed(1)) {
        Some((value, low, high)) => (Some(value), Some((low, high)).filter(|_| differences.len() > 1)),
        None => (None, None),
    };
    Against {
        one: one.into(),
        other: other.into(),
        seeds: costs.iter().map(|c| c.0).collect(),
        wins,
        difference: Figure { value, low: ends.map(|e| e.0), high: ends.map(|e| e.1) },
        sign_p: paired::sign_test(&signs),
        wilcoxon_p: paired::wilcoxon(&differences),
    }
}

/// Better first: run before failed, violation, loss.
fn order(a: Cost, b: Cost) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)),
        _ => b.is_some().cmp(&a.is_some()),
    }
}

/// Number of points of a curve along the evaluations. Chosen here: finer than a pixel column.
const GRID: usize = 240;

/// Median and quartiles over searches of the best loss so far: `(evaluations, lower quartile, median, upper quartile)`, where at least half of
/// the searches have a feasible candidate. A search that ended keeps its last value.
pub fn band(searches: &[Searched]) -> Vec<(f64, f64, f64, f64)> {
    let last = searches.iter().filter_map(|s| s.curve.last()).map(|p| p.0).fold(0.0, f64::max);
    let at = |k: usize| {
        let x = (last * (k + 1) as f64 / GRID as f64).max(1.0);
        let value = |s: &Searched| s.curve[..s.curve.partition_point(|p| p.0 <= x)].last().map(|p| p.1);
        let values: Vec<f64> = searches.iter().filter_map(value).collect();
        (2 * values.len() >= searches.len().max(1)).then(|| {
            let q = |p| stats::quantile(&values, p);
            (x, q(0.25), q(0.5), q(0.75))
        })
    };
    let mut band: Vec<_> = (0..GRID).filter_map(at).collect();
    band.dedup_by(|a, b| a.0 == b.0);
    band
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(seed: u64, fresh: Cost, default: Cost) -> Searched {
        Searched { seed, fresh, default, ..Searched::default() }
    }

    fn wins(better: u64, worse: u64) -> Wins {
        let [better, worse] = [better, worse].map(|pairs| Count { pairs, by_must: 0 });
        Wins { better, equal: 0, worse }
    }

    #[test]
    fn pairs_share_their_seed() {
        let one = vec![
            searched(3, Some((0.0, 1.0)), Some((0.0, 4.0))),
            searched(1, Some((0.0, 2.0)), Some((0.0, 4.0))),
            searched(2, None, Some((0.0, 4.0))),
        ];
        let other = vec![
            searched(1, Some((0.0, 3.0)), Some((0.0, 4.0))),
            searched(3, Some((0.5, 0.0)), Some((0.0, 4.0))),
            searched(9, Some((0.0, 0.0)), Some((0.0, 4.0))),
        ];
        let c = compare("loss", vec![("a".into(), one), ("b".into(), other)]);
        let pair = &c.pairs[0];
        assert_eq!((pair.one.as_str(), pair.other.as_str(), pair.seeds.as_slice()), ("a", "b", &[1, 3][..]));
        // Feasible beats infeasible although its loss is higher.
        assert_eq!(pair.wins, Wins { better: Count { pairs: 2, by_must: 1 }, ..Wins::default() });
        // Differences -1 and 1.
        assert_eq!(pair.difference.value, Some(0.0));
        assert_eq!((pair.difference.low, pair.difference.high), (Some(-1.0), Some(1.0)));
        assert_eq!((pair.sign_p, pair.wilcoxon_p), (0.5, 1.0));

        let a = &c.groups[0];
        assert_eq!(a.fresh.value, Some(1.5), "a search without a report counts as lost, not as a value");
        assert_eq!(a.default.value, Some(4.0));
        assert_eq!(a.against_defaults.wins, wins(2, 1));
        assert_eq!(a.against_defaults.difference.value, Some(-2.5));
        assert_eq!(a.searches.iter().map(|s| s.seed).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn a_band_is_the_quartiles_of_the_best_so_far() {
        let curve = |points: &[(f64, f64)]| Searched { curve: points.to_vec(), ..Searched::default() };
        let searches = [
            curve(&[(1.0, 8.0), (100.0, 4.0), (240.0, 4.0)]),
            curve(&[(1.0, 6.0), (240.0, 6.0)]),
            curve(&[(120.0, 5.0), (240.0, 1.0)]),
        ];
        let band = band(&searches);
        assert_eq!(band[0], (1.0, 6.5, 7.0, 7.5));
        assert_eq!(band[149], (150.0, 4.5, 5.0, 5.5));
        assert_eq!(band[239], (240.0, 2.5, 4.0, 5.0));
        assert!(super::band(&[]).is_empty());
    }
}
