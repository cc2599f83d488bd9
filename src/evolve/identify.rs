//! How well a log determines the parameters: what its profiles show, and before them what a quadratic model of it makes of it.

use super::experiment::Experiment;
use super::neighborhood::{comparable, coordinates, noise, numbers};
use super::profile::Check;
use super::summary::{Identified, Interval, Profile, ProfilePoint, Tied, Within};
use crowdtune_search::Trial;
use crowdtune_search::sensitivity::profile::{self, Found, LEVEL, TAKES_PART};
use crowdtune_search::sensitivity::valley::{self, Unknown, Valley};

/// From this correlation in the region of the model two parameters count as confounded: alone each has less than half the width.
/// Chosen here.
const CONFOUNDED: f64 = 0.9;
/// How intervals are made.
const METHOD: &str = "profile";

/// What a log says about the neighborhood of the best; `None` if no number is searched or there are several objectives. Choices stay
/// as in the best.
pub fn identify(experiment: &Experiment, trials: &[Trial]) -> Option<Identified> {
    let genes = numbers(experiment);
    if genes.is_empty() || experiment.objectives.len() != 1 {
        return None;
    }
    let rows = comparable(experiment, trials, None);
    let points: Vec<Vec<f64>> = rows.iter().map(|t| coordinates(experiment, &genes, &t.question.genome)).collect();
    let losses: Vec<f64> = rows.iter().map(|t| t.objectives[0]).collect();
    // The rounding differences of equal runs are not noise.
    let most = losses.iter().fold(0.0_f64, |most, loss| most.max(loss.abs()));
    let (noise, from) = match noise(experiment, &rows) {
        Some((noise, units)) if noise > 1e-12 * most => (Some(noise), units.word()),
        _ => (None, "fit"),
    };
    let mut out = Identified { rows: rows.len() as u64, ..Identified::default() };
    out.numbers = genes.iter().map(|&g| experiment.space.genes[g].key.clone()).collect();
    match valley::fit(&points, &losses, noise) {
        Ok(found) => {
            out.noise = Some(found.noise);
            out.noise_from = from.to_string();
            out.rows = found.rows as u64;
            out.explained = Some(found.explained);
            out.threshold = Some(found.threshold);
            out.pairs = pairs(&out.numbers, &found);
        }
        Err(Unknown::Rows(needed)) => out.needed = Some(needed as u64),
        Err(Unknown::Denied(all, against)) => out.denied = Some((all as u64, against as u64)),
        Err(Unknown::Model(explained)) => out.explained = Some(explained).filter(|x| x.is_finite()),
    }
    if let Some((check, found)) = Check::again(experiment, trials) {
        (out.noise, out.threshold) = (found.noise, Some(found.threshold));
        out.noise_from = check.noise_from().to_string();
        (out.points, out.again, out.replicas) = (found.points as u64, found.again as u64, check.replicas());
        out.profiles = profiles(experiment, &genes, &found);
    }
    Some(out)
}

/// The most tied pair, then all others that are confounded.
fn pairs(keys: &[String], found: &Valley) -> Vec<Tied> {
    let n = keys.len();
    let mut pairs: Vec<(usize, usize)> = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).collect();
    pairs.sort_by(|a, b| found.tied(b.0, b.1).abs().total_cmp(&found.tied(a.0, a.1).abs()).then(a.cmp(b)));
    let tied = |(i, j): (usize, usize)| {
        let tied = found.tied(i, j);
        Tied { keys: (keys[i].clone(), keys[j].clone()), tied, confounded: tied.abs() >= CONFOUNDED }
    };
    let all = pairs.into_iter().map(tied).enumerate();
    all.filter(|(place, pair)| *place == 0 || pair.confounded).map(|(_, pair)| pair).collect()
}

/// The lines of the profiles that were simulated, in values.
fn profiles(experiment: &Experiment, genes: &[usize], found: &Found) -> Vec<Profile> {
    let axis = |k: usize| &experiment.space.genes[genes[k]].axis;
    let lines = found.lines.iter().filter(|line| line.values.len() > 1);
    let profile = |line: &profile::Line| {
        let longest = line.way.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let taking: Vec<usize> = (0..genes.len()).filter(|&k| line.way[k].abs() > TAKES_PART * longest).collect();
        let point = |(_, x, worse): &(f64, Vec<f64>, f64)| ProfilePoint {
            at: x.iter().enumerate().map(|(k, x)| axis(k).decode(*x)).collect(),
            worse: Some(*worse).filter(|worse| worse.is_finite()),
        };
        let reached = |end: profile::End| end.reached && end.confirmed == end.inside;
        let place = |at: f64| line.values.iter().position(|v| v.0 == at).unwrap_or(0);
        let alone = (line.way.iter().filter(|x| **x != 0.0).count() == 1).then(|| taking[0]);
        let interval = |k: usize| {
            let best = line.values[place(0.0)].1[k];
            let value = |distance: f64| axis(k).decode(best + distance);
            Interval {
                low: value(line.interval.ends.0),
                high: value(line.interval.ends.1),
                low_open: line.interval.open.0,
                high_open: line.interval.open.1,
                level: line.interval.calibrated.then_some(LEVEL),
                method: METHOD.to_string(),
            }
        };
        Profile {
            keys: taking.iter().map(|&k| experiment.space.genes[genes[k]].key.clone()).collect(),
            points: line.values.iter().map(point).collect(),
            within: Within {
                first: place(line.low.confirmed),
                last: place(line.high.confirmed),
                reached: (reached(line.low), reached(line.high)),
            },
            interval: alone.map(interval),
        }
    };
    lines.map(profile).collect()
}

#[cfg(test)]
#[path = "identify_tests.rs"]
mod tests;
