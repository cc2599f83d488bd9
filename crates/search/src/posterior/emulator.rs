//! A likelihood where simulations are dear: Gaussian processes of what they give.
//!
//! Each statistic has a process of its mean; runs are spread around all of them by a normal distribution, whose covariance is what the processes miss
//! of runs that they were not shown, of those that agree best (synthetic likelihood: Wood, Nature 466, 1102, 2010; with processes: Meeds, Welling,
//! UAI 2014). A further process learns which share of the runs goes well.

use super::setup::Observed;
use super::weights::{PER_MAD, effective, normalized, tempered};
use crate::process::{Fitted, Prediction, Process, Room};
use crowdtune_core::math::linear::{cholesky, solve_transposed};
use crowdtune_core::math::{normal, stats};
use std::f64::consts::PI;

/// Most runs in a process: the first ones, which know the whole prior, and the latest. Chosen here: a fit costs their cube.
const MOST: usize = 200;
/// The first ones of them.
const FIRST: usize = 50;
/// A statistic is compressed beyond so many deviations of the simulated values from the measured one. Chosen here: up to one deviation it changes by
/// a fiftieth, and a hundred are four.
const LINEAR: f64 = 3.0;
/// Share of the runs by which the spread of runs is judged, and the fewest of them. Chosen here: a spread from 15 is known within a fifth.
const NEAR: f64 = 1.0 / 3.0;
const FEWEST: f64 = 15.0;

/// So many runs more than statistics are needed for correlations. Chosen here: variances grow by less than they would then.
const CORRELATED: f64 = 8.0;

/// The constants of all processes, as they were found last: of the statistics, and of the runs that go well.
#[derive(Clone, Debug, Default)]
pub(super) struct Fits {
    statistics: Vec<Fitted>,
    healthy: Fitted,
}

/// A measured value as the process of its statistic has it: linear near the measured value, a logarithm far away, and with variance 1.
#[derive(Clone, Copy, Debug)]
struct Scale {
    /// Half of the width in which it is linear, and the middle and the deviation of the compressed values.
    linear: f64,
    middle: f64,
    deviation: f64,
}

/// What is known of simulations everywhere.
#[derive(Clone, Debug)]
pub(super) struct Emulator {
    scales: Vec<Scale>,
    /// The logarithm of the product of their units: a density of measured values is smaller by it.
    log_unit: f64,
    processes: Vec<Option<Process>>,
    healthy: Option<Process>,
    /// Variances of the measurements' own errors, by statistic.
    errors: Vec<f64>,
    /// Covariance of runs around the processes, row by row, and what of its diagonal the processes do not know.
    covariance: Vec<f64>,
    unknown: Vec<f64>,
}

/// Points as processes have them, for which most of the range has length 1. As shares of the prior the ends would be steep.
fn scaled(point: &[f64]) -> Vec<f64> {
    point.iter().map(|&z| 0.5 + 0.25 * z).collect()
}

/// The first and the latest of so many.
fn kept(count: usize) -> Vec<usize> {
    if count <= MOST { (0..count).collect() } else { (0..FIRST).chain(count - (MOST - FIRST)..count).collect() }
}

impl Scale {
    fn of(observed: f64, values: &[f64]) -> Self {
        let off: Vec<f64> = values.iter().map(|y| (y - observed).abs()).collect();
        let spread = PER_MAD * stats::median(&off);
        let most = off.iter().copied().fold(0.0, f64::max);
        let linear = LINEAR * if spread > 0.0 { spread } else { most };
        let mut scale = Self { linear: if linear > 0.0 { linear } else { 1.0 }, middle: 0.0, deviation: 1.0 };
        let compressed: Vec<f64> = values.iter().map(|y| scale.value(y - observed)).collect();
        let sd = stats::sd(&compressed);
        (scale.middle, scale.deviation) = (stats::mean(&compressed), if sd > 0.0 { sd } else { 1.0 });
        scale
    }

    /// Of a value that is so far from the measured one.
    fn value(&self, off: f64) -> f64 {
        (libm::asinh(off / self.linear) - self.middle) / self.deviation
    }

    /// One of its units near the measured value.
    fn unit(&self) -> f64 {
        self.linear * self.deviation
    }
}

impl Emulator {
    /// From all runs; `None` as long as too few of them went well.
    pub fn of(
        observed: &[Observed],
        points: &[Vec<f64>],
        answers: &[Option<Vec<f64>>],
        fits: &mut Fits,
    ) -> Option<Self> {
        let count = observed.len();
        let genes: Vec<usize> = (0..points.first()?.len()).collect();
        let done: Vec<usize> = (0..points.len()).filter(|&i| answers[i].is_some()).collect();
        let rows: Vec<usize> = kept(done.len()).into_iter().map(|at| done[at]).collect();
        if rows.len() <= genes.len() {
            return None;
        }
        let runs: Vec<&[f64]> = rows.iter().filter_map(|&i| answers[i].as_deref()).collect();
        let at: Vec<Vec<f64>> = rows.iter().map(|&i| scaled(&points[i])).collect();
        fits.statistics.resize(count, Fitted::default());
        let mut emulator = Self {
            scales: Vec::new(),
            log_unit: 0.0,
            processes: Vec::new(),
            healthy: None,
            errors: Vec::new(),
            covariance: vec![0.0; count * count],
            unknown: vec![0.0; count],
        };
        for (k, (observed, fit)) in observed.iter().zip(&mut fits.statistics).enumerate() {
            let values: Vec<f64> = runs.iter().map(|run| run[k]).collect();
            let scale = Scale::of(observed.value, &values);
            let values: Vec<f64> = values.iter().map(|y| scale.value(y - observed.value)).collect();
            // Where all runs give the same there is nothing to learn.
            let same = values.iter().all(|&value| value == values[0]);
            emulator.processes.push(if same { None } else { Some(fit.process(&genes, &at, &values)?) });
            let error = observed.sd / scale.unit();
            emulator.errors.push(error * error);
            emulator.scales.push(scale);
        }
        emulator.log_unit = emulator.scales.iter().map(|scale| libm::log(scale.unit())).sum();
        emulator.spread(&at);
        let all: Vec<usize> = kept(points.len());
        let labels: Vec<f64> = all.iter().map(|&i| if answers[i].is_some() { 1.0 } else { -1.0 }).collect();
        if labels.iter().any(|&label| label < 0.0) {
            let all: Vec<Vec<f64>> = all.iter().map(|&i| scaled(&points[i])).collect();
            emulator.healthy = fits.healthy.process(&genes, &all, &labels);
        }
        Some(emulator)
    }

    /// Number of statistics.
    pub fn count(&self) -> usize {
        self.scales.len()
    }

    /// Finds how runs are spread around the processes, and how much of that is the processes' own error.
    fn spread(&mut self, at: &[Vec<f64>]) {
        let count = self.scales.len();
        let left_out: Vec<Vec<(f64, f64)>> = self
            .processes
            .iter()
            .map(|process| process.as_ref().map_or_else(|| vec![(0.0, 0.0); at.len()], Process::left_out))
            .collect();
        // First as if statistics had nothing to do with each other.
        for k in 0..count {
            self.covariance[k * count + k] = self.processes[k].as_ref().map_or(0.0, Process::noise);
        }
        let mut room = Room::default();
        let agreement: Vec<f64> = at.iter().map(|at| self.agreement(at, &vec![0.0; count], &mut room)).collect();
        let wanted = (NEAR * at.len() as f64).max(FEWEST).min(at.len() as f64);
        let power = tempered(wanted, |power| effective(&agreement.iter().map(|a| power * a).collect::<Vec<_>>()));
        let Some(found) = normalized(&agreement.iter().map(|a| power * a).collect::<Vec<_>>()) else { return };
        let mean =
            |of: &dyn Fn(usize) -> f64| -> f64 { found.weights.iter().enumerate().map(|(i, w)| w * of(i)).sum() };
        // Of as few runs as there are statistics nothing can be said of correlations; of some more, variances in the direction that looks narrowest are
        // too small (Hartlap, Simon, Schneider, Astron. Astrophys. 464, 399, 2007).
        let more = found.effective - count as f64 - 2.0;
        let (trust, wider) = if more > CORRELATED { (1.0, found.effective / more) } else { (0.0, 1.0) };
        for row in 0..count {
            for column in 0..count {
                let both = mean(&|i| left_out[row][i].0 * left_out[column][i].0);
                self.covariance[row * count + column] = wider * if row == column { both } else { trust * both };
            }
            let noise = self.processes[row].as_ref().map_or(0.0, Process::noise);
            self.unknown[row] = mean(&|i| (left_out[row][i].1 - noise).max(0.0));
        }
    }

    /// What a process does not know of a point beyond what it does not know where runs agree: that is in the covariance already.
    fn beyond(&self, statistic: usize, it: Prediction) -> f64 {
        (it.variance - self.unknown[statistic]).max(0.0)
    }

    /// The logarithm of the density of what was measured at a scaled point, of runs that go well, in units of the processes; `more` widens each error,
    /// as a variance in these units.
    fn agreement(&self, at: &[f64], more: &[f64], room: &mut Room) -> f64 {
        let count = self.scales.len();
        let mut root = self.covariance.clone();
        let mut off = vec![0.0; count];
        for (k, process) in self.processes.iter().enumerate() {
            let it = process.as_ref().map(|process| process.predict(at, room));
            off[k] = self.scales[k].value(0.0) - it.map_or(0.0, |it| it.mean);
            let beyond = it.map_or(0.0, |it| self.beyond(k, it));
            // A billionth keeps what never differs from being impossible to divide by.
            root[k * count + k] += self.errors[k] + more[k] + beyond + 1e-9;
        }
        if !cholesky(count, &mut root) {
            return f64::NEG_INFINITY;
        }
        let log_root: f64 = (0..count).map(|k| libm::log(root[k * count + k])).sum();
        solve_transposed(count, &root, &mut off);
        -0.5 * off.iter().map(|x| x * x).sum::<f64>() - log_root - 0.5 * count as f64 * libm::log(2.0 * PI)
    }

    /// Widenings of the errors, standard deviations in the unit of each value, as [`Emulator::log_likelihood`] takes them.
    pub fn widenings(&self, widening: &[f64]) -> Vec<f64> {
        self.scales.iter().zip(widening).map(|(scale, more)| more / scale.unit()).map(|x| x * x).collect()
    }

    /// The logarithm of the density of what was measured at a point; a run that goes wrong measures nothing. `more` widens each error.
    pub fn log_likelihood(&self, point: &[f64], more: &[f64], room: &mut Room) -> f64 {
        let at = scaled(point);
        // The sign of a label that a process gives with its noise.
        let healthy = self.healthy.as_ref().map_or(1.0, |healthy| {
            let it = healthy.predict(&at, room);
            normal::below(it.mean / (it.variance + healthy.noise()).sqrt()).max(f64::MIN_POSITIVE)
        });
        self.agreement(&at, more, room) - self.log_unit + libm::log(healthy)
    }

    /// How large the processes' own errors are at a point: variances as shares of those that what is measured has there, the largest of all
    /// statistics.
    pub fn doubt(&self, point: &[f64], room: &mut Room) -> f64 {
        let at = scaled(point);
        let count = self.scales.len();
        let of = |(k, process): (usize, &Option<Process>)| {
            let variance = process.as_ref().map_or(0.0, |process| process.predict(&at, room).variance);
            let all = self.covariance[k * count + k] + self.errors[k];
            if variance > 0.0 { variance / all.max(variance) } else { 0.0 }
        };
        self.processes.iter().enumerate().map(of).fold(0.0, f64::max)
    }

    /// How far runs are from what was expected of them, as a root of the mean square of deviations that were expected; `None` where none went well.
    pub fn surprise(&self, observed: &[Observed], points: &[Vec<f64>], answers: &[Option<Vec<f64>>]) -> Option<f64> {
        let count = self.scales.len();
        let mut room = Room::default();
        let mut squares = Vec::new();
        for (point, answer) in points.iter().zip(answers) {
            let Some(run) = answer else { continue };
            let at = scaled(point);
            for (k, process) in self.processes.iter().enumerate() {
                let Some(process) = process else { continue };
                let it = process.predict(&at, &mut room);
                let variance = self.covariance[k * count + k] + self.beyond(k, it);
                let off = self.scales[k].value(run[k] - observed[k].value) - it.mean;
                squares.push(off * off / variance);
            }
        }
        (!squares.is_empty()).then(|| stats::mean(&squares).sqrt())
    }
}
