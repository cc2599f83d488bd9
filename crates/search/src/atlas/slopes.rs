//! Slopes: how loss and measures change with the genes around a candidate, learned by Broyden's update.
//!
//! Every elite carries a linear model, learned from the difference between each child and its parent (Broyden, Math. Comp. 19,
//! 577, 1965), which its children inherit. So steps can be aimed at a cell, and be improved along the directions that leave the
//! measures as they are: the gradient arborescence of Fontaine and Nikolaidis (NeurIPS 2021) without gradients.

/// What is added to the squared length of a step before dividing by it. Chosen here: steps below a millionth of a range
/// teach nothing but rounding.
const SHORT: f64 = 1e-12;
/// Damping of the inverse, as a share of the mean squared slope of a measure. Chosen here: keeps steps along measures that
/// hardly move from exploding.
const DAMPING: f64 = 1e-3;

/// Sum of products.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Corrects the slopes so that they explain a `share` of what they mispredicted. `bend` is the mean
/// second derivative of the loss, whose share slopes cannot explain; `blind` is the squared length below which steps teach little.
/// Returns the unexplained change of the loss per half squared length: one observation of that second derivative.
pub(super) fn learn(
    slopes: &mut [f64],
    step: &[f64],
    change: &[f64],
    bend: f64,
    (share, blind): (f64, f64),
) -> Option<f64> {
    let squared = dot(step, step);
    if squared < SHORT {
        return None;
    }
    let mut seen = None;
    for (row, (slope, &change)) in slopes.chunks_exact_mut(step.len()).zip(change).enumerate() {
        let missed = change - dot(slope, step);
        let missed = if row == 0 {
            seen = Some(2.0 * missed / squared).filter(|s| s.is_finite());
            missed - 0.5 * bend * squared
        } else {
            missed
        };
        let rate = share * missed / (squared + blind);
        for (slope, step) in slope.iter_mut().zip(step) {
            *slope += rate * step;
        }
    }
    // Losses of any size may come: what is not finite any more is forgotten.
    if slopes.iter().any(|s| !s.is_finite()) {
        slopes.fill(0.0);
        return None;
    }
    seen
}

/// Solves the symmetric positive definite system of the measures' slopes, J J' + damping; in place by Cholesky's method.
struct Inverse {
    size: usize,
    factor: Vec<f64>,
}

impl Inverse {
    /// `None` if there are no slopes.
    fn of(rows: &[f64], genes: usize) -> Option<Self> {
        let size = rows.len() / genes.max(1);
        let row = |i: usize| &rows[i * genes..(i + 1) * genes];
        let mut a = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..=i {
                a[i * size + j] = dot(row(i), row(j));
            }
        }
        let mean = (0..size).map(|i| a[i * size + i]).sum::<f64>() / size.max(1) as f64;
        if !(mean > 0.0 && mean.is_finite()) {
            return None;
        }
        for i in 0..size {
            a[i * size + i] += DAMPING * mean;
        }
        for j in 0..size {
            for i in j..size {
                let sum: f64 = (0..j).map(|k| a[i * size + k] * a[j * size + k]).sum();
                let rest = a[i * size + j] - sum;
                a[i * size + j] = if i == j { rest.max(0.5 * DAMPING * mean).sqrt() } else { rest / a[j * size + j] };
            }
        }
        Some(Self { size, factor: a })
    }

    fn solve(&self, mut b: Vec<f64>) -> Vec<f64> {
        let n = self.size;
        for i in 0..n {
            let sum: f64 = (0..i).map(|k| self.factor[i * n + k] * b[k]).sum();
            b[i] = (b[i] - sum) / self.factor[i * n + i];
        }
        for i in (0..n).rev() {
            let sum: f64 = (i + 1..n).map(|k| self.factor[k * n + i] * b[k]).sum();
            b[i] = (b[i] - sum) / self.factor[i * n + i];
        }
        b
    }
}

/// Steps from a candidate: the shortest ones to other measures, and the downhill one that keeps them.
pub(super) struct Compass<'a> {
    genes: usize,
    slopes: &'a [f64],
    inverse: Option<Inverse>,
    /// Downhill, with the part that changes the measures removed.
    downhill: Vec<f64>,
}

impl<'a> Compass<'a> {
    /// The compass of these slopes: a row of `genes` numbers for the loss, then one for each measure.
    pub(super) fn of(slopes: &'a [f64], genes: usize) -> Self {
        let (loss, measures) = slopes.split_at(genes);
        let inverse = Inverse::of(measures, genes);
        let mut compass = Self { genes, slopes, inverse, downhill: loss.iter().map(|s| -s).collect() };
        let moved: Vec<f64> = measures.chunks_exact(genes.max(1)).map(|row| -dot(row, loss)).collect();
        let back = compass.towards(moved);
        compass.downhill.iter_mut().zip(back).for_each(|(d, b)| *d -= b);
        compass
    }

    /// The shortest step that changes the measures by these numbers of cells.
    pub(super) fn towards(&self, cells: Vec<f64>) -> Vec<f64> {
        let mut step = vec![0.0; self.genes];
        if let Some(inverse) = &self.inverse {
            let weights = inverse.solve(cells);
            for (row, weight) in self.slopes[self.genes..].chunks_exact(self.genes.max(1)).zip(weights) {
                step.iter_mut().zip(row).for_each(|(s, r)| *s += weight * r);
            }
        }
        step
    }

    /// Downhill along the genes that leave the measures alone.
    pub(super) fn downhill(&self) -> &[f64] {
        &self.downhill
    }

    /// The predicted change of the loss by a step, with this second derivative.
    pub(super) fn predict(&self, step: &[f64], bend: f64) -> f64 {
        dot(&self.slopes[..step.len()], step) + 0.5 * bend * dot(step, step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learning_by_hand() {
        // Two genes, the loss and one measure. A step (1, 2) changes them by 10 and 5: 10 and 5 are spread over it by 1 : 2 / 5.
        let mut slopes = vec![0.0; 4];
        assert_eq!(learn(&mut slopes, &[1.0, 2.0], &[10.0, 5.0], 0.0, (1.0, 0.0)), Some(4.0));
        assert_eq!(slopes, [2.0, 4.0, 1.0, 2.0]);
        // What is explained already teaches nothing.
        assert_eq!(learn(&mut slopes, &[1.0, 2.0], &[10.0, 5.0], 0.0, (1.0, 0.0)), Some(0.0));
        // A bend of 4 explains all of the change but the slope's 0.
        let mut slopes = vec![0.0; 4];
        learn(&mut slopes, &[1.0, 2.0], &[10.0, 0.0], 4.0, (1.0, 0.0));
        assert_eq!(slopes, [0.0; 4]);
        assert_eq!(learn(&mut slopes, &[0.0, 0.0], &[1.0, 1.0], 0.0, (1.0, 0.0)), None);
    }

    #[test]
    fn what_overflows_is_forgotten() {
        let mut slopes = vec![1.0; 4];
        assert_eq!(learn(&mut slopes, &[1e-3, 0.0], &[f64::MAX, 1.0], 0.0, (1.0, 0.0)), None);
        assert_eq!(slopes, [0.0; 4]);
    }

    #[test]
    fn steps_by_hand() {
        // Loss 3 x + y + 2 z, measures x + y and 2 z.
        let slopes = [3.0, 1.0, 2.0, 1.0, 1.0, 0.0, 0.0, 0.0, 2.0];
        let compass = Compass::of(&slopes, 3);
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.01);
        assert!(near(&compass.towards(vec![2.0, 4.0]), &[1.0, 1.0, 2.0]));
        // Downhill (-3, -1, -2) without what moves the measures is along (-1, 1, 0).
        assert!(near(compass.downhill(), &[-1.0, 1.0, 0.0]), "{:?}", compass.downhill());
        assert_eq!(compass.predict(&[1.0, 0.0, 1.0], 2.0), 7.0);
        // Without slopes there is no way.
        assert_eq!(Compass::of(&[0.0; 9], 3).towards(vec![1.0, 1.0]), [0.0; 3]);
    }
}
