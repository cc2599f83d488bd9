//! What is known of the loss everywhere: a process of it, and of how likely candidates are feasible and do not fail.

use super::climb::Hill;
use super::coding::Coding;
use super::improvement::{log_improvement, log_normal_probability};
use super::parts::Parts;
use super::transform::{Transform, View};
use crate::cost::Cost;
use crate::process::{Fitted, Prediction, Process, Room, Sloped};
use crate::{Genome, Part};

/// Most candidates in a process: the best of all and the latest. Chosen here: a step costs their square, a fit their cube.
pub(super) const MOST: usize = 300;
/// A candidate with its answer.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub genome: Genome,
    pub point: Vec<f64>,
    /// `None` if it failed.
    pub cost: Option<Cost>,
    /// Of each part of the loss; `None` if one has none.
    pub values: Option<Vec<f64>>,
}

/// The constants of all processes, as they were found last.
#[derive(Clone, Debug, Default)]
pub(super) struct Fits {
    of: [Fitted; 4],
    /// Those of the values.
    parts: Vec<Fitted>,
}

/// What is modelled.
#[derive(Clone, Copy, Debug)]
enum What {
    /// The loss, or without any feasible candidate the violation.
    Loss,
    Violation,
    Feasible,
    Healthy,
}

impl Fits {
    /// The process of these values.
    fn process(&mut self, what: What, coding: &Coding, points: &[Vec<f64>], values: &[f64]) -> Option<Process> {
        self.of[what as usize].process(coding.genes(), points, values)
    }
}

/// What predicts the loss, or without any feasible candidate the violation.
#[derive(Clone, Debug)]
enum Predictor {
    /// A process of it. How losses became its values; `None` where it is of violations.
    Whole(Box<Process>, Option<Transform>),
    /// A process of each value.
    Parts(Parts),
}

impl Predictor {
    fn means(&self, points: &[Vec<f64>], room: &mut Room) -> Vec<f64> {
        match self {
            Self::Whole(process, _) => process.means(points, room),
            Self::Parts(parts) => parts.predict_all(points, room).iter().map(|it| it.mean).collect(),
        }
    }

    fn predict_all(&self, points: &[Vec<f64>], room: &mut Room) -> Vec<Prediction> {
        match self {
            Self::Whole(process, _) => process.predict_all(points, room),
            Self::Parts(parts) => parts.predict_all(points, room),
        }
    }

    fn with_slopes(&self, point: &[f64], room: &mut Room) -> Sloped {
        match self {
            Self::Whole(process, _) => process.with_slopes(point, room),
            Self::Parts(parts) => parts.with_slopes(point, room),
        }
    }

    /// The loss that an answer at a point has in the mean; `None` of violations.
    fn expected(&self, point: &[f64], room: &mut Room) -> Option<f64> {
        match self {
            Self::Whole(process, transform) => Some(transform.as_ref()?.loss(process.mean(point, room))),
            Self::Parts(parts) => Some(parts.expected(point, room)),
        }
    }

    /// As if a point had been asked, and what the mean says had been true.
    fn believing(&self, point: &[f64], mean: f64) -> Option<Self> {
        match self {
            Self::Whole(process, transform) => {
                Some(Self::Whole(Box::new(process.and(point, mean)?), transform.clone()))
            }
            Self::Parts(parts) => parts.believing(point).map(Self::Parts),
        }
    }
}

/// What a search knows.
#[derive(Clone, Debug)]
pub(super) struct Model {
    loss: Predictor,
    /// What is to be improved: the least loss, or from close by the least mean, which is higher under noise and keeps a search near what is good.
    best: f64,
    /// Of being infeasible, of failing: 1 if so, -1 if not.
    wrong: Vec<Process>,
}

impl Model {
    /// From all rows, as one looks at them; `None` as long as none of them has an answer. Where rows know the values of all parts, each of these
    /// gets a process.
    pub fn of(rows: &[Row], parts: &[Part], view: View, coding: &Coding, fits: &mut Fits) -> Option<Self> {
        let done: Vec<(&Row, Cost)> = rows.iter().filter_map(|row| Some((row, row.cost?))).collect();
        let feasible = done.iter().any(|(_, cost)| cost.0 <= 0.0);
        let (what, of): (What, fn(Cost) -> f64) =
            if feasible { (What::Loss, |c| c.1) } else { (What::Violation, |c| c.0) };
        let done = kept(done, of);
        if done.is_empty() {
            return None;
        }
        let points: Vec<Vec<f64>> = done.iter().map(|(row, _)| row.point.clone()).collect();
        let told: Option<Vec<&[f64]>> = done.iter().map(|(row, _)| row.values.as_deref()).collect();
        let told = told.filter(|_| feasible);
        let by_parts = told.and_then(|told| Parts::of(parts, &told, &points, view, coding, &mut fits.parts));
        let (loss, values) = if let Some((parts, values)) = by_parts {
            (Predictor::Parts(parts), values)
        } else {
            let losses: Vec<f64> = done.iter().map(|(_, cost)| of(*cost)).collect();
            let transform = Transform::of(&losses, view);
            let values: Vec<f64> = losses.iter().map(|&loss| transform.value(loss)).collect();
            let process = fits.process(what, coding, &points, &values)?;
            (Predictor::Whole(Box::new(process), feasible.then_some(transform)), values)
        };
        let known = match view {
            View::Wide => values,
            View::Close => loss.means(&points, &mut Room::default()),
        };
        let valid = done.iter().zip(&known).filter(|((_, cost), _)| !feasible || cost.0 <= 0.0);
        let best = valid.map(|(_, &value)| value).fold(f64::INFINITY, f64::min);
        let mut wrong = Vec::new();
        if feasible {
            let labels = done.iter().map(|(row, cost)| (row.point.clone(), cost.0 > 0.0));
            wrong.extend(chance(What::Feasible, labels.collect(), coding, fits));
        }
        let last = &rows[rows.len().saturating_sub(MOST)..];
        let labels = last.iter().map(|row| (row.point.clone(), row.cost.is_none())).collect();
        wrong.extend(chance(What::Healthy, labels, coding, fits));
        Some(Self { loss, best, wrong })
    }

    /// The mean of the loss at each of these points, in deviations of all losses.
    pub fn means(&self, points: &[Vec<f64>], room: &mut Room) -> Vec<f64> {
        self.loss.means(points, room)
    }

    /// The loss that is expected at a point; `None` without any feasible candidate.
    pub fn expected(&self, point: &[f64]) -> Option<f64> {
        self.loss.expected(point, &mut Room::default())
    }

    /// As if a point had been asked, and what the mean says had been true: for the next question of a batch.
    pub fn believing(mut self, point: &[f64]) -> Self {
        let mean = self.means(&[point.to_vec()], &mut Room::default())[0];
        if let Some(loss) = self.loss.believing(point, mean) {
            self.loss = loss;
            self.best = self.best.min(mean);
        }
        self
    }

    /// Logarithm of the chance of being feasible and healthy at each of these points.
    fn chances(&self, points: &[Vec<f64>], room: &mut Room) -> Vec<f64> {
        let mut sums = vec![0.0; points.len()];
        for wrong in &self.wrong {
            for (sum, it) in sums.iter_mut().zip(wrong.predict_all(points, room)) {
                *sum += log_normal_probability(-it.mean / (it.variance + wrong.noise()).sqrt()).0;
            }
        }
        sums
    }

    /// The same at one point, adding its slope along each number of the point.
    fn chances_with_slope(&self, point: &[f64], room: &mut Room, slope: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for wrong in &self.wrong {
            let Sloped { it, of_mean, of_variance } = wrong.with_slopes(point, room);
            let variance = it.variance + wrong.noise();
            let deviation = variance.sqrt();
            let z = -it.mean / deviation;
            let (value, along) = log_normal_probability(z);
            sum += value;
            for d in 0..slope.len() {
                slope[d] -= along * (of_mean[d] / deviation + z * of_variance[d] / (2.0 * variance));
            }
        }
        sum
    }
}

/// Logarithm of the improvement that a point promises, in deviations of all losses, times its chances.
pub(super) struct Promise<'a>(pub &'a Model);

impl Hill for Promise<'_> {
    fn heights(&self, points: &[Vec<f64>], room: &mut Room) -> Vec<f64> {
        let predictions = self.0.loss.predict_all(points, room);
        let height = |(it, chances): (Prediction, f64)| {
            let deviation = it.variance.sqrt();
            log_improvement((self.0.best - it.mean) / deviation).0 + libm::log(deviation) + chances
        };
        predictions.into_iter().zip(self.0.chances(points, room)).map(height).collect()
    }

    fn slope(&self, point: &[f64], room: &mut Room, slope: &mut [f64]) -> f64 {
        let Sloped { it, of_mean, of_variance } = self.0.loss.with_slopes(point, room);
        let deviation = it.variance.sqrt();
        let z = (self.0.best - it.mean) / deviation;
        let (value, along) = log_improvement(z);
        for d in 0..slope.len() {
            // Of ln deviation.
            let grows = of_variance[d] / (2.0 * it.variance);
            slope[d] = grows - along * (of_mean[d] / deviation + z * grows);
        }
        value + libm::log(deviation) + self.0.chances_with_slope(point, room, slope)
    }
}

/// How low the mean of the loss is, in deviations of all losses, less what chances a point lacks.
pub(super) struct Low<'a>(pub &'a Model);

impl Hill for Low<'_> {
    fn heights(&self, points: &[Vec<f64>], room: &mut Room) -> Vec<f64> {
        let means = self.0.means(points, room);
        self.0.chances(points, room).iter().zip(&means).map(|(chances, mean)| chances - mean).collect()
    }

    fn slope(&self, point: &[f64], room: &mut Room, slope: &mut [f64]) -> f64 {
        let Sloped { it, of_mean, .. } = self.0.loss.with_slopes(point, room);
        slope.iter_mut().zip(&of_mean).for_each(|(slope, of_mean)| *slope = -of_mean);
        self.0.chances_with_slope(point, room, slope) - it.mean
    }
}

/// The best half of what a process can take, and the latest of the others.
fn kept(mut done: Vec<(&Row, Cost)>, of: fn(Cost) -> f64) -> Vec<(&Row, Cost)> {
    if done.len() > MOST {
        let mut losses: Vec<f64> = done.iter().map(|(_, cost)| of(*cost)).collect();
        losses.sort_by(f64::total_cmp);
        let good = losses[MOST / 2 - 1];
        let mut too_many = done.len() - MOST;
        done.retain(|(_, cost)| {
            let drop = too_many > 0 && of(*cost) > good;
            too_many -= usize::from(drop);
            !drop
        });
    }
    done
}

/// The process of a label, unless all are alike.
fn chance(what: What, labels: Vec<(Vec<f64>, bool)>, coding: &Coding, fits: &mut Fits) -> Option<Process> {
    let wrong = labels.iter().filter(|label| label.1).count();
    if wrong == 0 || wrong == labels.len() {
        return None;
    }
    let (points, labels): (Vec<Vec<f64>>, Vec<bool>) = labels.into_iter().unzip();
    let values: Vec<f64> = labels.iter().map(|&wrong| if wrong { 1.0 } else { -1.0 }).collect();
    fits.process(what, coding, &points, &values)
}
