//! The minimum of a quadratic function within a ball (More, Sorensen, SIAM J. Sci. Stat. Comput. 4, 553, 1983), then within
//! the cube (active set).

use super::quadratic::Quadratic;
use crowdtune_core::math::linear::{cholesky, dot, solve_transposed, solve_upper};

/// The step may be longer than the radius by this factor. Chosen here: nobody needs the radius more exactly.
const OVER: f64 = 1.01;
/// With a shifted Hessian it may be shorter by this factor. Chosen here, with it.
const UNDER: f64 = 0.75;
/// Factorizations after which the best step so far is taken. Chosen here: Newton's method needs three or four, bisection of a range of
/// 10^16 in its logarithm six more.
const TRIES: usize = 30;

impl Quadratic {
    /// The minimum no farther than `most` from u = `from`, both in whitened coordinates, then within the cube: coordinates that
    /// would leave it are fixed at its faces, round after round. `None` without a slope, or if nothing could be solved.
    pub fn least(&self, from: &[f64], most: f64) -> Option<Vec<f64>> {
        let n = from.len();
        let h = self.hessian();
        let mut g = self.terms[1..=n].to_vec();
        for (g, row) in g.iter_mut().zip(h.chunks_exact(n.max(1))) {
            *g += dot(row, from);
        }
        let slope = dot(&g, &g).sqrt();
        if n == 0 || !(most > 0.0 && slope > 0.0) {
            return None;
        }
        let (step, shift) = within(&h, &g, most, slope)?;
        let u: Vec<f64> = step.iter().zip(from).map(|(s, f)| s + f).collect();
        let x = self.whitening.global(&u);
        if x.iter().all(|x| (0.0..=1.0).contains(x)) { Some(x) } else { self.boxed(h, shift, from) }
    }

    /// The minimum of the shifted model in the cube.
    fn boxed(&self, mut m: Vec<f64>, shift: f64, from: &[f64]) -> Option<Vec<f64>> {
        let n = from.len();
        let whitening = &self.whitening;
        let mut g: Vec<f64> = self.terms[1..=n].iter().zip(from).map(|(g, f)| g - shift * f).collect();
        (0..n).for_each(|i| m[i * n + i] += shift);
        whitening.unturned(&mut g, &mut m);
        let bound = |i: usize, x: f64| (x - whitening.center[i]) / whitening.scale[i];
        let mut s = vec![0.0; n];
        let mut fixed = vec![false; n];
        for _ in 0..=n {
            let free: Vec<usize> = (0..n).filter(|i| !fixed[*i]).collect();
            let k = free.len();
            let mut r: Vec<f64> = Vec::with_capacity(k * k);
            free.iter().for_each(|i| r.extend(free.iter().map(|j| m[i * n + j])));
            let held = |i: usize| (0..n).filter(|j| fixed[*j]).map(|j| m[i * n + j] * s[j]).sum::<f64>();
            let mut b: Vec<f64> = free.iter().map(|&i| -g[i] - held(i)).collect();
            if !cholesky(k, &mut r) {
                return None;
            }
            solve_transposed(k, &r, &mut b);
            solve_upper(k, &r, &mut b);
            let mut left = false;
            for (i, value) in free.iter().zip(&b) {
                let (low, high) = (bound(*i, 0.0), bound(*i, 1.0));
                s[*i] = value.clamp(low, high);
                if *value < low || *value > high {
                    fixed[*i] = true;
                    left = true;
                }
            }
            if !left {
                break;
            }
        }
        let x = |(i, s): (usize, &f64)| (whitening.center[i] + whitening.scale[i] * s).clamp(0.0, 1.0);
        Some(s.iter().enumerate().map(x).collect())
    }
}

/// The best step of length `most` or less for gradient g of length `slope` and Hessian h, and the shift that shortened it.
fn within(h: &[f64], g: &[f64], most: f64, slope: f64) -> Option<(Vec<f64>, f64)> {
    let n = g.len();
    let norm = dot(h, h).sqrt();
    // The shift is no larger than this, More and Sorensen 1983, section 5.
    let (mut low, mut high) = (0.0, slope / most + norm);
    let mut shift = 0.0;
    let mut best = None;
    let mut r = Vec::with_capacity(n * n);
    for _ in 0..TRIES {
        r.clear();
        r.extend_from_slice(h);
        (0..n).for_each(|i| r[i * n + i] += shift);
        let mut next = f64::NAN;
        if cholesky(n, &mut r) {
            let mut d: Vec<f64> = g.iter().map(|g| -g).collect();
            solve_transposed(n, &r, &mut d);
            solve_upper(n, &r, &mut d);
            let square = dot(&d, &d);
            let length = square.sqrt();
            let mut q = d.clone();
            if length <= OVER * most {
                best = Some((d, shift));
                if shift == 0.0 || length >= UNDER * most {
                    break;
                }
                high = shift;
            } else {
                low = shift;
            }
            // Newton's step for 1 / most = 1 / length.
            solve_transposed(n, &r, &mut q);
            next = shift + square / dot(&q, &q) * (length / most - 1.0);
        } else {
            low = shift;
        }
        // Where Newton's step leaves the range: bisection, on the logarithm where that halves more.
        let inside = next > low && next < high;
        shift = if inside { next } else { (low * high).sqrt().max(low + 1e-3 * (high - low)) };
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cma::surrogate::quadratic::Degree;
    use crate::cma::surrogate::whitening::Whitening;

    /// a u0 + b u1 + c u0^2 + d u1^2 + e u0 u1 in the middle of the cube, u being 20 (x - 1/2).
    fn model(terms: [f64; 5]) -> Quadratic {
        let whitening = Whitening::straight(vec![0.5; 2], vec![0.05; 2]);
        let terms = [0.0].into_iter().chain(terms).collect();
        Quadratic { degree: Degree::Full, whitening, words: Vec::new(), terms }
    }

    fn near(found: &[f64], truth: [f64; 2]) {
        assert!(found.iter().zip(truth).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn a_bowl_within_reach_and_out_of_it() {
        // Least at u = (3, -2).
        let bowl = model([-6.0, 4.0, 1.0, 1.0, 0.0]);
        near(&bowl.least(&[0.0, 0.0], 4.0).unwrap(), [0.65, 0.4]);
        let short = bowl.least(&[0.0, 0.0], 1.0).unwrap();
        let (u, v) = ((short[0] - 0.5) * 20.0, (short[1] - 0.5) * 20.0);
        let length = (u * u + v * v).sqrt();
        assert!((UNDER..=OVER).contains(&length) && (v + u * 2.0 / 3.0).abs() < 1e-9, "{u} {v}");
    }

    #[test]
    fn a_saddle_is_left_along_its_falling_axis() {
        // u0^2 - 9 u1^2 from (0, 1): the gradient is (0, -18), downhill is up along u1 as far as it goes.
        let saddle = model([0.0, 0.0, 1.0, -9.0, 0.0]);
        let far = saddle.least(&[0.0, 1.0], 3.0).unwrap();
        let v = (far[1] - 0.5) * 20.0 - 1.0;
        assert!((far[0] - 0.5).abs() < 1e-12 && (3.0 * UNDER..=3.0 * OVER).contains(&v), "{far:?}");
    }

    #[test]
    fn a_minimum_outside_is_sought_on_the_face() {
        // Least at u = (18, 0); on the face u0 = 10 the mixed term moves u1 to (18 - 10) / 2.
        let bowl = model([-36.0, -18.0, 1.0, 1.0, 1.0]);
        near(&bowl.least(&[0.0, 0.0], 100.0).unwrap(), [1.0, 0.7]);
    }
}
