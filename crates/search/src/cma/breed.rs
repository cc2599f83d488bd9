//! How a run draws a generation, and what the model says of it.

use super::bounds::{Point, REDRAWS, inside, reflected};
use super::kernels::BESIDE;
use super::run::Run;
use super::surrogate::Surrogate;

/// Share of a generation that is always evaluated. As in cma 4.5.0.
const ALWAYS: f64 = 0.02;

impl Run {
    /// Draws a generation: what was injected, the model's minimum, and the rest by chance.
    pub(super) fn breed(&mut self) {
        let number = self.strategy.generation();
        self.rng = self.seed.child("generation", number).rng();
        self.drawn = 0;
        let mut injected = std::mem::take(&mut self.injected);
        injected.truncate(self.lambda / 2);
        let least = self.surrogate.as_mut().filter(|_| self.probe.free());
        if let Some(least) = least.and_then(|model| model.minimum(self.probe.trust())) {
            if let Some((_, best)) = &self.best {
                self.probe.send((number, injected.len()), *best);
            }
            injected.push(least);
        }
        injected.into_iter().for_each(|point| self.place(point));
        while self.generation.all().len() < self.lambda {
            self.draw();
        }
        let held = self.surrogate.as_ref().map_or(0, Surrogate::len);
        // As in cma 4.5.0: the first model wants 4 evaluations.
        let first = 1.0 + (ALWAYS * self.lambda as f64).max(4.0 - held as f64);
        let first = first as usize + usize::from(self.probe.missed());
        self.generation.goal = if self.surrogate.is_some() { first.min(self.lambda) } else { self.lambda };
        self.guess();
        let all = self.generation.all();
        self.probe.predict(|(generation, index)| (generation == number).then(|| all[index].predicted));
    }

    /// A candidate at a given place; its step is shortened, the place is not.
    fn place(&mut self, point: Point) {
        let candidate = self.generation.open();
        self.strategy.step_to(&point.x, &mut candidate.step);
        self.strategy.clip(&mut candidate.step);
        candidate.point = point;
        self.generation.close(&self.coding);
    }

    /// Draws one more candidate.
    pub(super) fn draw(&mut self) {
        // All that the generation lacks are drawn beside each other, so far as they fit.
        let wanted = self.lambda.saturating_sub(self.generation.all().len()).clamp(1, BESIDE);
        let candidate = self.generation.open();
        let (step, point) = (&mut candidate.step, &mut candidate.point);
        for _ in 0..=REDRAWS {
            if self.drawn == 0 {
                self.strategy.sample(&mut self.rng, &mut self.draws[..wanted]);
                self.drawn = wanted;
            }
            self.drawn -= 1;
            std::mem::swap(step, &mut self.draws[self.drawn]);
            self.strategy.place(step, &mut point.x);
            if inside(&point.x) {
                break;
            }
        }
        if !inside(&point.x) {
            reflected(&mut point.x);
            self.strategy.step_to(&point.x, step);
        }
        self.words.sample(&mut self.rng, &mut point.words);
        self.generation.close(&self.coding);
    }

    /// The model's opinion of all candidates, and the open ones in that order.
    pub(super) fn guess(&mut self) {
        self.predict();
        self.generation.line_up();
    }

    /// The model's opinion of all candidates.
    pub(super) fn predict(&mut self) {
        if let Some(model) = &mut self.surrogate {
            let mut values = Vec::with_capacity(self.generation.all().len());
            let points: Vec<&Point> = self.generation.all().iter().map(|c| &c.point).collect();
            if !model.values(&points, &mut values) {
                values.resize(points.len(), f64::NAN);
            }
            self.generation.all_mut().iter_mut().zip(values).for_each(|(c, value)| c.predicted = value);
        }
    }
}
