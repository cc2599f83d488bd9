//! What the charts of a report page draw, as JSON: candidates, targets on every fresh seed, front, atlas, importance, profiles.

use super::run::Run;
use crate::evolve::genes::in_file;
use crate::evolve::summary::{Figure, Standing, TargetSummary};
use crate::evolve::verdict::front::axis_words;
use crate::format;
use crowdtune_search::{Purpose, Trial, better};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Most candidates that a page draws. Chosen here: more are a cloud, and a phone draws them slowly.
const MOST: usize = 2000;
/// Of these so many are the best ones.
const BEST: usize = 500;

/// The data of the charts.
pub fn data(run: &Run<'_>) -> Value {
    let s = run.summary;
    let gene = |g: &crate::evolve::summary::GeneSummary| {
        json!({
            "path": in_file(&g.key), "label": format::key(&g.key), "symbol": g.symbol, "unit": g.unit, "low": short(g.low), "high": short(g.high),
            "log": g.log, "choices": g.choices, "default": g.default, "tuned": g.tuned,
        })
    };
    let objective = |o: &crate::evolve::summary::ObjectiveSummary| json!({ "name": o.name, "default": o.default.value.map(short), "tuned": o.tuned.value.map(short) });
    json!({
        "genes": s.genes.iter().map(gene).collect::<Vec<_>>(),
        "objectives": s.objectives.iter().map(objective).collect::<Vec<_>>(),
        "defaults": s.defaults_called(),
        "recommended": s.recommended,
        "trials": trials(run),
        "targets": s.targets.iter().enumerate().map(|(k, t)| target(run, k, t)).collect::<Vec<_>>(),
        "front": front(run),
        "atlas": atlas(run),
        "importance": s.importance.iter().map(|i| json!({
            "objective": i.objective, "explained": i.explained.map(short),
            "shares": i.shares.iter().map(|s| json!([format::key(&s.key), short(s.first), short(s.total)])).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "valleys": valleys(run),
    })
}

/// Search trials, thinned: improvements, the best, then every so many.
fn trials(run: &Run<'_>) -> Value {
    let rows: Vec<(&Trial, &[f64])> = run.search().collect();
    let kept = keep(run, &rows);
    let row = |&at: &usize| {
        let (trial, genes) = rows[at];
        let failed = match &trial.outcome {
            crowdtune_search::Outcome::Done => Value::Null,
            crowdtune_search::Outcome::Failed(reason) => json!(reason),
        };
        let objectives: Vec<f64> = trial.objectives.iter().map(|&x| short(x)).collect();
        json!([
            trial.id,
            at + 1,
            // In full: a click plays this candidate, and a crowd of rounded values is soon another one.
            genes,
            objectives,
            short(trial.violation),
            failed
        ])
    };
    json!({ "of": rows.len(), "rows": kept.iter().map(row).collect::<Vec<_>>() })
}

/// Positions of the rows that are drawn, in order.
fn keep(run: &Run<'_>, rows: &[(&Trial, &[f64])]) -> BTreeSet<usize> {
    if rows.len() <= MOST {
        return (0..rows.len()).collect();
    }
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    for objective in 0..run.summary.objectives.len().max(1) {
        kept.extend(run.best_so_far(objective).into_iter().flatten());
    }
    let finalist = |t: &Trial| run.summary.finalists.contains(&t.id);
    kept.extend(rows.iter().enumerate().filter(|(_, (t, _))| finalist(t)).map(|(at, _)| at));
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| better(rows[a].0, rows[b].0));
    kept.extend(&order[..BEST.min(order.len())]);
    let room = MOST.saturating_sub(kept.len()).max(1);
    kept.extend((0..rows.len()).step_by(rows.len().div_ceil(room)));
    kept
}

fn target(run: &Run<'_>, column: usize, t: &TargetSummary) -> Value {
    let several = !run.summary.points(&t.name).is_empty();
    let seeds = |purpose: Purpose| {
        let row = run.trials.iter().rev().find(|trial| trial.question.purpose == purpose && trial.is_done());
        if several { Vec::new() } else { row.map_or(Vec::new(), |row| by_seed(run, row, column)) }
    };
    json!({
        "name": t.name, "unit": t.unit, "wanted": t.wanted, "band": [t.band.0.map(short), t.band.1.map(short)], "must": t.must, "met": t.met,
        "default": figure(&t.default), "tuned": figure(&t.tuned),
        "seeds": [seeds(Purpose::Baseline), seeds(Purpose::Report)],
    })
}

/// A column on each replica of a row: the mean over the cases that the search sees.
fn by_seed(run: &Run<'_>, row: &Trial, column: usize) -> Vec<f64> {
    let held_out = |case: usize| run.held_out.get(case).copied().unwrap_or(false);
    let most = row.values.iter().map(Vec::len).max().unwrap_or(0);
    let at = |replica: usize| {
        let of_cases = row.values.iter().enumerate().filter(|(case, _)| !held_out(*case));
        let values: Vec<f64> =
            of_cases.filter_map(|(_, runs)| runs.get(replica)?.get(column).copied().flatten()).collect();
        (!values.is_empty()).then(|| short(values.iter().sum::<f64>() / values.len() as f64))
    };
    (0..most).filter_map(at).collect()
}

fn front(run: &Run<'_>) -> Value {
    let Some(front) = &run.summary.front else { return Value::Null };
    let point = |p: &crate::evolve::summary::FrontPoint| {
        let values = front.axes.iter().enumerate().map(|(at, axis)| match p.fresh.get(at) {
            Some(fresh) => figure(&axis.figure(fresh)),
            None => json!([p.search.get(at).map(|&loss| short(axis.value(loss))), null, null]),
        });
        json!({
            "id": p.id, "genes": p.genes, "values": values.collect::<Vec<_>>(), "recommended": p.recommended, "defaults": p.defaults,
            "standing": match p.standing { Standing::Front => "on the front", Standing::Unchecked => "not checked on fresh seeds", _ => "fell behind on fresh seeds" },
        })
    };
    let axes = front.axes.iter().map(|axis| json!({ "words": axis_words(axis), "more": axis.high_is_good() }));
    json!({ "axes": axes.collect::<Vec<_>>(), "points": front.points.iter().map(point).collect::<Vec<_>>() })
}

fn atlas(run: &Run<'_>) -> Value {
    let Some(atlas) = &run.summary.atlas else { return Value::Null };
    let genes = |id: Option<u64>| {
        let at = run.trials.iter().position(|t| Some(t.id) == id)?;
        Some(run.genes[at].clone())
    };
    let cell = |c: &crate::evolve::summary::AtlasCell| {
        let measures: Vec<Value> = c.measures.iter().map(figure).collect();
        json!({ "at": c.at, "name": c.name, "id": c.trial, "genes": genes(c.trial), "loss": figure(&c.loss), "measures": measures })
    };
    let axis = |a: &crate::evolve::summary::AxisSummary| json!({ "name": a.name, "unit": a.unit, "low": a.low, "high": a.high, "cells": a.cells });
    json!({
        "axes": atlas.axes.iter().map(axis).collect::<Vec<_>>(), "total": atlas.total, "graded": atlas.graded,
        "cells": atlas.cells.iter().map(cell).collect::<Vec<_>>(),
    })
}

fn valleys(run: &Run<'_>) -> Value {
    let Some(found) = &run.summary.identified else { return Value::Null };
    let lines = found.profiles.iter().filter(|p| p.keys.len() == 1 && p.points.len() > 1);
    let line = |p: &crate::evolve::summary::Profile| {
        let gene = run.summary.genes.iter().position(|g| g.key == p.keys[0]);
        let at = |q: &crate::evolve::summary::ProfilePoint| q.at.get(gene?).map(|&x| short(x));
        let points: Vec<Value> = p.points.iter().map(|q| json!([at(q), q.worse.map(short)])).collect();
        json!({ "key": format::key(&p.keys[0]), "gene": gene, "points": points, "within": [p.within.first, p.within.last] })
    };
    json!({ "threshold": found.threshold.map(short), "profiles": lines.map(line).collect::<Vec<_>>() })
}

fn figure(f: &Figure) -> Value {
    json!([f.value.map(short), f.low.map(short), f.high.map(short)])
}

/// To six digits: a page draws no more.
fn short(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn every_seed_of_every_target_is_there() {
        let (summary, trials, replays) = (fixture::summary(), fixture::trials(), [fixture::replay()]);
        let data = data(&fixture::run(&summary, &trials, &replays));
        assert_eq!(data["trials"]["rows"].as_array().unwrap().len() as u64, data["trials"]["of"].as_u64().unwrap());
        assert_eq!(data["genes"].as_array().unwrap().len(), summary.genes.len());
        assert_eq!(data["targets"].as_array().unwrap().len(), summary.targets.len());
        assert!(data.to_string().len() < 60_000);
    }

    #[test]
    fn many_candidates_are_thinned_and_the_ones_that_count_stay() {
        let mut summary = fixture::summary();
        let one = fixture::trials().into_iter().find(|t| t.question.purpose == Purpose::Search && t.is_done()).unwrap();
        let loss = |k: u64| 1.0 + ((k * 7919) % 20_011) as f64 / 20_011.0;
        let mut trials: Vec<Trial> =
            (0..20_000).map(|id| Trial { id, objectives: vec![loss(id)], violation: 0.0, ..one.clone() }).collect();
        trials[12_345].objectives = vec![0.1];
        trials[12_346].objectives = vec![9.0];
        summary.finalists = vec![12_346];
        let run = fixture::run(&summary, &trials, &[]);
        let data = trials_of(&run);
        assert!((500..=MOST + 500).contains(&data.len()), "{}", data.len());
        assert!(data.contains(&12_345) && data.contains(&12_346) && data.contains(&0));
        assert!(super::data(&run).to_string().len() < 700_000);
    }

    fn trials_of(run: &Run<'_>) -> Vec<u64> {
        let data = trials(run);
        data["rows"].as_array().unwrap().iter().map(|row| row[0].as_u64().unwrap()).collect()
    }

    #[test]
    fn an_empty_run_has_empty_charts() {
        let mut summary = fixture::summary();
        summary.genes.clear();
        summary.targets.clear();
        summary.importance.clear();
        summary.identified = None;
        let data = data(&fixture::run(&summary, &[], &[]));
        assert_eq!((data["trials"]["of"].as_u64(), data["front"].is_null()), (Some(0), true));
    }
}
