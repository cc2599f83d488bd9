//! What a run folder holds, read back and joined.

use super::page::Wish;
use super::run_table::RunTable;
use crate::evolve::experiment::Experiment;
use crate::evolve::genes::param;
use crate::evolve::summary::Summary;
use crate::replay::ReplayFile;
use crowdtune_core::registry::{Entry, Param};
use crowdtune_search::{Axis, Gene, Purpose, Space, Trial};
use crowdtune_sim::metrics::MakeMetric;

/// What plots and the report are made from.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// `summary.json`.
    pub summary: &'a Summary,
    /// The trials of `trials.jsonl`, in id order.
    pub trials: &'a [Trial],
    /// Decoded values of the genes, one row per trial, one column per gene of the summary; of a choice its place in the list.
    pub genes: Vec<Vec<f64>>,
    /// `replays/*.json`; the first one is plotted.
    pub replays: &'a [ReplayFile],
    /// `tables/*.csv`; of each column the first case is plotted.
    pub tables: &'a [RunTable],
    /// `atlas/crowds.json`: a crowd for each filled cell, labelled with its name.
    pub crowds: Option<&'a ReplayFile>,
    /// For each gene of the summary the constant or trait that it stands for, where the experiment is at hand.
    pub params: Vec<Option<&'static Param>>,
    /// The metrics of the columns, for the glossary.
    pub metrics: Vec<&'static Entry<MakeMetric>>,
    /// For each case whether the search never saw it, where the experiment is at hand.
    pub held_out: Vec<bool>,
    /// What is wanted of each column, where the experiment is at hand.
    pub wishes: Vec<Wish>,
}

impl<'a> Run<'a> {
    /// Puts the parts together; the genomes of the trials are decoded in `space`.
    pub fn new(summary: &'a Summary, trials: &'a [Trial], space: &Space, replays: &'a [ReplayFile]) -> Self {
        // A summary knows choices by their place in the list.
        let listed = |(gene, x): (&Gene, f64)| match &gene.axis {
            Axis::Choice(values) => values.iter().position(|v| *v == x).map_or(x, |at| at as f64),
            _ => x,
        };
        let decoded = |t: &Trial| space.genes.iter().zip(space.decode(&t.question.genome)).map(listed).collect();
        let genes = trials.iter().map(decoded).collect();
        let (params, metrics, held_out, wishes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { summary, trials, genes, replays, tables: &[], crowds: None, params, metrics, held_out, wishes }
    }

    /// With the tables behind the metrics.
    #[must_use]
    pub fn with_tables(self, tables: &'a [RunTable]) -> Self {
        Self { tables, ..self }
    }

    /// With the crowds of an atlas.
    #[must_use]
    pub fn with_crowds(self, crowds: Option<&'a ReplayFile>) -> Self {
        Self { crowds, ..self }
    }

    /// With the meaning of what the experiment names.
    #[must_use]
    pub fn of(self, experiment: &Experiment) -> Self {
        let metrics = experiment.columns.iter().map(|c| c.metric).collect();
        let params = experiment.space.genes.iter().map(|gene| param(experiment, gene)).collect();
        let held_out = experiment.cases.iter().map(|case| case.held_out).collect();
        Self { params, metrics, held_out, wishes: Wish::all(experiment), ..self }
    }

    /// Search trials with their genes, in the order in which they were evaluated.
    pub fn search(&self) -> impl Iterator<Item = (&'a Trial, &[f64])> {
        let rows = self.trials.iter().zip(self.genes.iter().map(Vec::as_slice));
        rows.filter(|(t, _)| t.question.purpose == Purpose::Search)
    }

    /// For each search trial, the index among the search trials of the best one so far in an objective; `None` until one is
    /// done.
    pub fn best_so_far(&self, objective: usize) -> Vec<Option<usize>> {
        let trials: Vec<&Trial> = self.search().map(|(t, _)| t).collect();
        let key = |t: &Trial| (t.violation, t.objectives.get(objective).copied().unwrap_or(f64::INFINITY));
        let mut best: Option<usize> = None;
        let step = |(i, t): (usize, &&Trial)| {
            if t.is_done() && best.is_none_or(|b| key(t) < key(trials[b])) {
                best = Some(i);
            }
            best
        };
        trials.iter().enumerate().map(step).collect()
    }
}
