//! Least squares: a model of every residual instead of one of their sum.
//!
//! Where the loss is a sum of squares, each measured value says more than the loss does: near a candidate it is nearly a linear function
//! of the genes, while the loss is a narrow valley. So the values of the candidates around the best one give a model of each residual by
//! regression, which takes noise out as it has more candidates than coefficients, and the next candidate is the minimum of the sum of the
//! squared models within a trust region ([`model`]). Its center is the best candidate: where replicas differ the one that the models like best,
//! not the luckiest one.

mod model;

use crate::cost::{compare, cost};
use crate::residual::Residual;
use crate::unseen::Unseen;
use crate::{Genome, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use crowdtune_core::math::normals::normals;
use crowdtune_core::math::rng::{ChaCha8Rng, Seed, unit};
use crowdtune_core::registry::{Entry, Param};
use model::{Model, Point};

/// The optimizer's entry.
pub static ENTRY: Entry<MakeOptimizer> = Entry {
    name: "least_squares",
    doc: "Least squares: models of all residuals around the best candidate, a trust region, restarts; for targets that count squares.",
    source: "Cartis, Roberts, Math. Prog. Comp. 11, 631 (2019), doi 10.1007/s12532-019-00161-7; Wild, POUNDERS (2017), for the idea",
    params: PARAMS,
    make: MakeOptimizer { squares: true, ..MakeOptimizer::new(make) },
};

/// The settings of `least_squares`.
static PARAMS: &[Param] = &[Param::real("radius", "", 0.1)
    .symbol("Delta")
    .range(1e-3, 0.5)
    .search(0.02, 0.3)
    .doc("first half width of the trust region, a share of every range")
    .source("the default of Cartis, Roberts 2019: a tenth of the scale of the variables")];

/// The trust region is never wider or narrower than this, a share of every range. Chosen here: where replicas differ, noise hides what a
/// narrower one could tell (docs/decisions.md).
const WIDEST: f64 = 0.5;
const NARROWEST: f64 = 0.01;
const NARROWEST_NOISY: f64 = 0.03;
/// Factors of the trust region after a step that gained and one that did not. Chosen here.
const WIDER: f64 = 1.5;
const NARROWER: f64 = 0.6;
/// How often a region becomes wide again around the same candidate. Chosen here: where runs are noisy a step seldom gains, and each round
/// makes the models better.
const ROUNDS: u32 = 4;
/// Share of the predicted gain from which a step has gained (Cartis, Roberts 2019, eta_1).
const GAINED: f64 = 0.1;

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    let radius = setup.settings.get("radius");
    Box::new(LeastSquares {
        unseen: Unseen::new(setup.space),
        seed: setup.seed,
        together: setup.parallel.max(1),
        replicas: setup.replicas,
        residuals: Residual::all(&setup.parts).unwrap_or_default(),
        start: setup.start_inside(),
        points: Vec::new(),
        ends: Vec::new(),
        noisy: false,
        first: radius,
        run: Run::from_anywhere(radius),
        batch: 0,
    })
}

/// A descent from one candidate.
#[derive(Clone, Debug)]
struct Run {
    /// The best candidate: the one with the least loss, or where replicas differ the one that the models like best.
    center: Option<usize>,
    radius: f64,
    /// Candidates along the axes that are still to be asked, so that there is a model.
    frame: Vec<Genome>,
    /// What the model promises the loss to be.
    promised: Option<f64>,
    /// How often the region was as narrow as it gets.
    rounds: u32,
}

impl Run {
    fn from_anywhere(radius: f64) -> Self {
        Self { center: None, radius, frame: Vec::new(), promised: None, rounds: 0 }
    }
}

struct LeastSquares {
    unseen: Unseen,
    seed: Seed,
    together: usize,
    replicas: u32,
    /// Parts of the loss; without any its root is the only one.
    residuals: Vec<Residual>,
    /// Start values, last one first.
    start: Vec<Genome>,
    points: Vec<Point>,
    /// Where descents have ended.
    ends: Vec<usize>,
    /// True once replicas of a candidate differed.
    noisy: bool,
    /// First radius.
    first: f64,
    run: Run,
    batch: u64,
}

impl Optimizer for LeastSquares {
    fn ask(&mut self) -> Vec<Question> {
        let mut rng = self.seed.child("least_squares", self.batch).rng();
        self.batch += 1;
        let minimum = if self.has_given() { None } else { self.model().map(|model| model.minimum()) };
        self.run.promised = None;
        let mut questions = Vec::with_capacity(self.together);
        while questions.len() < self.together {
            let given = self.start.pop().or_else(|| self.run.frame.pop());
            let is_given = given.is_some();
            let wanted = given.or_else(|| self.aim(questions.len(), minimum.as_ref(), &mut rng));
            let taken = wanted.and_then(|genome| self.unseen.take(&genome));
            if taken.is_none() && is_given {
                // The same values were asked before; there may be others in the list.
                continue;
            }
            let Some(genome) = taken.or_else(|| self.unseen.take_any(&mut rng)) else { break };
            questions.push(Question { genome, replicas: 0..self.replicas, purpose: Purpose::Search });
        }
        questions
    }

    fn tell(&mut self, trials: &[Trial]) {
        let before = self.run.center;
        for trial in trials {
            let Some((cost, residuals)) = cost(trial).zip(self.residuals(trial)) else { continue };
            self.noisy |= trial.is_noisy();
            let better = self.run.center.is_none_or(|best| compare(cost, self.points[best].cost).is_lt());
            let (at, error) = (trial.question.genome.clone(), self.error(trial));
            self.points.push(Point { at, residuals, error, cost });
            if better {
                self.run.center = Some(self.points.len() - 1);
            }
        }
        if let (Some(promised), Some(before)) = (self.run.promised.take(), before) {
            let gained = if self.noisy { self.recenter(before) } else { self.gained(before, promised) };
            self.resize(gained);
        }
        if !self.has_given() {
            self.frame();
        }
    }

    fn stop(&self) -> Option<StopReason> {
        self.unseen.exhausted().then_some(StopReason::Exhausted)
    }

    /// The minimum of the models around the best candidate, that candidate, and the luckiest one if it is another.
    fn recommend(&self) -> Vec<Genome> {
        let luckiest = (0..self.points.len()).min_by(|&a, &b| compare(self.points[a].cost, self.points[b].cost));
        let Some(luckiest) = luckiest else { return Vec::new() };
        let best = if self.noisy { self.liked(luckiest) } else { luckiest };
        let minimum = self.model_to_recommend(best).map(|model| model.minimum().0);
        let lucky = (best != luckiest).then_some(luckiest);
        let points = [best].into_iter().chain(lucky).map(|point| self.points[point].at.clone());
        minimum.into_iter().chain(points).collect()
    }
}

impl LeastSquares {
    /// The residuals of an answer; `None` if it lacks one.
    fn residuals(&self, trial: &Trial) -> Option<Vec<f64>> {
        if self.residuals.is_empty() {
            return Some(vec![trial.objectives.first()?.max(0.0).sqrt()]);
        }
        self.residuals.iter().map(|residual| residual.of(&trial.values)).collect()
    }

    /// The standard error of all residuals of an answer together.
    fn error(&self, trial: &Trial) -> f64 {
        let squares = self.residuals.iter().filter_map(|residual| residual.squared_error(&trial.values));
        squares.sum::<f64>().sqrt()
    }

    /// True while start values or steps along the axes are to be asked.
    fn has_given(&self) -> bool {
        !self.start.is_empty() || !self.run.frame.is_empty()
    }

    /// The `k`-th candidate of a batch, from the minimum of the models and what they promise there; `None` for any.
    fn aim(&mut self, k: usize, minimum: Option<&(Genome, f64)>, rng: &mut ChaCha8Rng) -> Option<Genome> {
        let (minimum, loss) = minimum?;
        if k == 0 {
            self.run.promised = Some(*loss);
            return Some(minimum.clone());
        }
        // Others around it, so that the models of the next region have enough candidates to stand on.
        let mut steps = vec![0.0; minimum.len()];
        normals(rng, &mut steps);
        let step = 0.5 * self.run.radius;
        Some(minimum.iter().zip(&steps).map(|(u, z)| (u + step * z).clamp(0.0, 1.0)).collect())
    }

    /// Of the centers of all descents and the luckiest candidate the one that the models around it like best, the first of equals.
    fn liked(&self, luckiest: usize) -> usize {
        let centers = self.ends.iter().copied().chain(self.run.center).chain([luckiest]);
        let costs = centers.map(|center| {
            let Point { at, cost: (violation, loss), .. } = &self.points[center];
            let liked = self.model_to_recommend(center).map_or(*loss, |model| model.loss(at));
            ((*violation, liked), center)
        });
        costs.min_by(|(a, _), (b, _)| compare(*a, *b)).map_or(luckiest, |(_, center)| center)
    }

    /// The models around a candidate that may be recommended, in a region that is not narrower than the first.
    fn model_to_recommend(&self, center: usize) -> Option<Model> {
        self.model_around(center, self.run.radius.max(self.first))
    }

    /// Whether the best candidate is so much better than the one `before` as the models promised.
    fn gained(&self, before: usize, promised: f64) -> bool {
        let before = self.points[before].cost;
        self.run.center.is_some_and(|center| {
            let now = self.points[center].cost;
            now.0 < before.0 || before.1 - now.1 > GAINED * (before.1 - promised).max(0.0)
        })
    }

    /// Moves the center, which was `before`, to the candidate of the region that the models like best; true if that is so much better as they
    /// promise.
    ///
    /// The models rest on everybody around a candidate, its own loss on its luck: with noise the least loss so far is soon one that
    /// nobody can beat, and the search would stay there.
    fn recenter(&mut self, before: usize) -> bool {
        let lucky = self.run.center.unwrap_or(before);
        let violation = self.points[lucky].cost.0;
        let from = if violation == self.points[before].cost.0 { before } else { lucky };
        let Some(model) = self.model_around(from, self.run.radius) else { return lucky != before };
        let liked = |point: usize| model.loss(&self.points[point].at);
        let (mut center, mut least) = (from, liked(from));
        for (point, other) in self.points.iter().enumerate() {
            if other.cost.0 == violation && model.holds(&other.at) {
                let loss = liked(point);
                if loss < least {
                    (center, least) = (point, loss);
                }
            }
        }
        self.run.center = Some(center);
        let (gain, hoped) = (liked(before) - least, liked(before) - model.minimum().1);
        from != before || center != before && gain > GAINED * hoped.max(0.0)
    }

    /// A wider or a narrower region; where it cannot be narrower, a wide one again, and after [`ROUNDS`] a new descent from anywhere.
    fn resize(&mut self, gained: bool) {
        let narrowest = if self.noisy { NARROWEST_NOISY } else { NARROWEST };
        let run = &mut self.run;
        if gained {
            run.radius = (WIDER * run.radius).min(WIDEST);
        } else if run.radius * NARROWER >= narrowest {
            run.radius *= NARROWER;
        } else if run.rounds < ROUNDS {
            (run.radius, run.rounds) = (self.first, run.rounds + 1);
        } else {
            self.ends.extend(run.center);
            *run = Run::from_anywhere(self.first);
        }
    }

    /// Asks for steps along the axes where there are too few candidates around the center for a model.
    fn frame(&mut self) {
        let Some(center) = self.run.center else { return };
        let genes = self.points[center].at.len();
        if model::near(&self.points, &self.points[center].at, self.run.radius).count() > genes {
            return;
        }
        let mut rng = self.seed.child("frame", self.batch).rng();
        for gene in (0..genes).rev() {
            let mut step = self.points[center].at.clone();
            let up =
                step[gene] + self.run.radius <= 1.0 && (step[gene] - self.run.radius < 0.0 || unit(&mut rng) < 0.5);
            step[gene] = (step[gene] + if up { self.run.radius } else { -self.run.radius }).clamp(0.0, 1.0);
            self.run.frame.push(step);
        }
    }

    fn model(&self) -> Option<Model> {
        self.model_around(self.run.center?, self.run.radius)
    }

    fn model_around(&self, center: usize, radius: f64) -> Option<Model> {
        Model::of(&self.points, &self.points[center].at, radius)
    }
}

#[cfg(test)]
mod tests;
