//! How well a log determines the parameters: [`crowdtune_search::sensitivity::valley`] with the noise of the runs.

use super::experiment::Experiment;
use super::scoring::{self, Rescore};
use super::summary::{Confounded, Identified, Width};
use crowdtune_core::math::stats;
use crowdtune_search::sensitivity::valley::{self, Unknown, Valley};
use crowdtune_search::{Purpose, Trial};

/// Rows near the best that the noise is measured on. Chosen here: enough for a mean square.
const NOISE_ROWS: usize = 20;
/// From this correlation in the region two parameters count as confounded: alone each has less than half the width. Chosen
/// here.
const CONFOUNDED: f64 = 0.9;
/// Points of an outline.
const OUTLINE: usize = 72;

/// What the search trials of a log say about the neighborhood of the best one; `None` if no number is searched or there are
/// several objectives. Choices stay as in the best trial.
pub fn identify(experiment: &Experiment, trials: &[Trial]) -> Option<Identified> {
    let space = &experiment.space;
    let genes: Vec<usize> = (0..space.len())
        .filter(|&g| !space.genes[g].axis.is_choice() && space.genes[g].axis.cells() != Some(1))
        .collect();
    if genes.is_empty() || experiment.objectives.len() != 1 {
        return None;
    }
    let rows = comparable(experiment, trials);
    let points: Vec<Vec<f64>> = rows
        .iter()
        .map(|t| genes.iter().map(|&g| space.genes[g].axis.canonical(t.question.genome[g])).collect())
        .collect();
    let losses: Vec<f64> = rows.iter().map(|t| t.objectives[0]).collect();
    // The rounding differences of equal runs are not noise.
    let most = losses.iter().fold(0.0_f64, |most, loss| most.max(loss.abs()));
    let (noise, from) = match noise(experiment, &rows) {
        Some((noise, from)) if noise > 1e-12 * most => (Some(noise), from),
        _ => (None, "fit"),
    };
    let mut out = Identified { rows: rows.len() as u64, ..Identified::default() };
    match valley::fit(&points, &losses, noise) {
        Ok(found) => {
            out.noise = Some(found.noise);
            out.noise_from = from.to_string();
            fill(&mut out, experiment, &genes, &found);
        }
        Err(Unknown::Rows(needed)) => out.needed = Some(needed as u64),
        Err(Unknown::Denied(all, against)) => out.denied = Some((all as u64, against as u64)),
        Err(Unknown::Model(explained)) => out.explained = Some(explained).filter(|x| x.is_finite()),
    }
    Some(out)
}

/// Feasible search trials with the choices of the best one, on the replicas that most trials ran on.
fn comparable<'a>(experiment: &Experiment, trials: &'a [Trial]) -> Vec<&'a Trial> {
    let fit = |t: &&Trial| t.question.purpose == Purpose::Search && t.is_done() && t.violation <= 0.0;
    let all: Vec<&Trial> = trials.iter().filter(fit).collect();
    let mut ranges: Vec<(u32, u32)> =
        all.iter().map(|t| (t.question.replicas.start, t.question.replicas.end)).collect();
    ranges.sort_unstable();
    let most = ranges.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0]);
    let mut rows: Vec<&Trial> =
        all.into_iter().filter(|t| Some((t.question.replicas.start, t.question.replicas.end)) == most).collect();
    rows.sort_by(|a, b| crowdtune_search::better(a, b));
    let words = |t: &Trial| -> Vec<u64> {
        let genes = experiment.space.genes.iter().zip(&t.question.genome);
        genes.filter(|(gene, _)| gene.axis.is_choice()).map(|(gene, &u)| gene.axis.cell(u)).collect()
    };
    if let Some(best) = rows.first().map(|t| words(t)) {
        rows.retain(|t| words(t) == best);
    }
    rows
}

/// Standard error of the loss of the best rows: jackknife over replicas, or over cases if there is only one replica or all are
/// the same; `None` if there is neither. Rows share their seeds, so the difference of two is less noisy than this says, and
/// the region comes out rather too wide.
fn noise(experiment: &Experiment, rows: &[&Trial]) -> Option<(f64, &'static str)> {
    let best = rows.first()?;
    // Without randomness all replicas are the same and say nothing.
    let differ = best.values.iter().any(|runs| runs.iter().any(|run| *run != runs[0]));
    let replicas = if differ { best.values.iter().map(Vec::len).max().unwrap_or(0) } else { 1 };
    let counting: Vec<usize> = (0..best.values.len()).filter(|&case| !best.values[case].is_empty()).collect();
    let (count, from) = if replicas > 1 { (replicas, "replicas") } else { (counting.len(), "scenarios") };
    if count < 2 || (from == "scenarios" && count < 3) {
        return None;
    }
    let rescore = Rescore::new(experiment);
    let without = |t: &Trial, unit: usize| {
        if from == "replicas" {
            let rest: Vec<usize> = (0..replicas).filter(|&r| r != unit).collect();
            return rescore.objectives(Some(t), &rest).first().copied().flatten();
        }
        let mut values = t.values.clone();
        values[counting[unit]].clear();
        scoring::score(experiment, &values).objectives.first().copied()
    };
    let n = count as f64;
    let variances = rows.iter().take(NOISE_ROWS).filter_map(|row| {
        let losses: Vec<f64> = (0..count).map(|unit| without(row, unit)).collect::<Option<_>>()?;
        let mean = stats::mean(&losses);
        Some((n - 1.0) / n * losses.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>())
    });
    let variances: Vec<f64> = variances.collect();
    (!variances.is_empty()).then(|| (stats::mean(&variances).sqrt(), from))
}

fn fill(out: &mut Identified, experiment: &Experiment, genes: &[usize], found: &Valley) {
    let axis = |k: usize| &experiment.space.genes[genes[k]].axis;
    let key = |k: usize| experiment.space.genes[genes[k]].key.clone();
    out.rows = found.rows as u64;
    out.explained = Some(found.explained);
    out.threshold = Some(found.threshold);
    out.curvature.clone_from(&found.curvature);
    out.directions.clone_from(&found.directions);
    out.widths = (0..genes.len())
        .map(|k| {
            let at = |half: f64| axis(k).decode(found.center[k] + half);
            let (low, high) = (found.center[k] - found.free[k], found.center[k] + found.free[k]);
            Width {
                key: key(k),
                center: at(0.0),
                free: (at(-found.free[k]), at(found.free[k])),
                alone: (at(-found.alone[k]), at(found.alone[k])),
                share: high.min(1.0) - low.max(0.0),
                open: (low <= 0.0, high >= 1.0),
            }
        })
        .collect();
    let mut pairs: Vec<(usize, usize)> =
        (0..genes.len()).flat_map(|i| (i + 1..genes.len()).map(move |j| (i, j))).collect();
    pairs.sort_by(|a, b| found.tied(b.0, b.1).abs().total_cmp(&found.tied(a.0, a.1).abs()).then(a.cmp(b)));
    out.pairs = pairs
        .into_iter()
        .enumerate()
        .filter(|(place, (i, j))| *place == 0 || found.tied(*i, *j).abs() >= CONFOUNDED)
        .map(|(_, (i, j))| {
            let outline = found.outline(i, j, OUTLINE);
            // As far along the valley as both stay in their ranges.
            let (du, dv) = (outline[0].0 - found.center[i], outline[0].1 - found.center[j]);
            let room = |from: f64, step: f64| {
                let left = if step > 0.0 { 1.0 - from } else { from };
                if step == 0.0 { 1.0 } else { (left / step.abs()).min(1.0) }
            };
            let share = |sign: f64| sign * room(found.center[i], sign * du).min(room(found.center[j], sign * dv));
            // At an end of a range there is room to one side only.
            let share = if share(1.0) < -0.5 * share(-1.0) { share(-1.0) } else { share(1.0) };
            let end = |k: usize, step: f64| axis(k).decode(found.center[k] + share * step);
            Confounded {
                keys: (key(i), key(j)),
                tied: found.tied(i, j),
                confounded: found.tied(i, j).abs() >= CONFOUNDED,
                from: (axis(i).decode(found.center[i]), axis(j).decode(found.center[j])),
                to: (end(i, du), end(j, dv)),
                outline: outline.into_iter().map(|(u, v)| (axis(i).decode(u), axis(j).decode(v))).collect(),
            }
        })
        .collect();
}

#[cfg(test)]
#[path = "identify_tests.rs"]
mod tests;
