//! Small dense linear algebra: eigenvectors of symmetric matrices, Cholesky, least squares.
//!
//! Matrices are row-major slices of `n * n` numbers. Everything is + - * / and square roots in one fixed order, so the
//! bits are the same on every CPU. Inner loops run along rows, where element-wise sums may be vectorized without changing
//! their order.

/// Sweeps of the QL iteration for one eigenvalue before it is taken as it is. EISPACK `tql2` gives up after 30.
const SWEEPS: usize = 50;

/// Eigenvalues, ascending, and eigenvectors of a symmetric matrix of which only the lower triangle is read.
///
/// On return row k of `a` is the unit eigenvector of `values[k]`: A = sum over k of `values[k]` v v^T. Householder
/// reduction to tridiagonal form, then QL with implicit shifts (Martin, Reinsch, Wilkinson, Numer. Math. 11, 181, 1968;
/// Dubrulle, Martin, Wilkinson, Numer. Math. 12, 377, 1968). Entries that are not finite give values that are not.
pub fn eigen(n: usize, a: &mut [f64], values: &mut [f64]) {
    debug_assert!(a.len() == n * n && values.len() == n, "sizes agree");
    let mut off = vec![0.0; n];
    tridiagonal(n, a, values, &mut off);
    ql(n, a, values, &mut off);
    // Selection sort: few swaps, and equal values keep a defined order.
    for i in 0..n {
        let least = (i + 1..n).fold(i, |least, j| if values[j] < values[least] { j } else { least });
        if least != i {
            values.swap(i, least);
            for j in 0..n {
                a.swap(i * n + j, least * n + j);
            }
        }
    }
}

/// Turns `a` into T = Q A Q^T and leaves Q in `a`, the diagonal in `diagonal` and what is left of it in `off[1..]`.
fn tridiagonal(n: usize, a: &mut [f64], diagonal: &mut [f64], off: &mut [f64]) {
    let mut reflectors: Vec<(usize, f64)> = Vec::with_capacity(n);
    let mut p = vec![0.0; n];
    for i in 0..n {
        for j in i + 1..n {
            a[i * n + j] = a[j * n + i];
        }
    }
    for k in (1..n).rev() {
        // Row k left of the diagonal becomes one number; v = x - alpha e, stored in its place.
        let (upper, row) = a.split_at_mut(k * n);
        let v = &mut row[..k];
        let scale = v[..k - 1].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if scale == 0.0 {
            off[k] = v[k - 1];
            reflectors.push((k, 0.0));
            continue;
        }
        let scale = scale.max(v[k - 1].abs());
        let norm = v.iter().map(|x| (x / scale) * (x / scale)).sum::<f64>().sqrt() * scale;
        let alpha = if v[k - 1] > 0.0 { -norm } else { norm };
        v[k - 1] -= alpha;
        off[k] = alpha;
        let half = v.iter().map(|x| (x / scale) * (x / scale)).sum::<f64>() / 2.0;
        v.iter_mut().for_each(|x| *x /= scale);
        reflectors.push((k, half));
        // The leading block becomes A - v q^T - q v^T with p = A v / half and q = p - v (v.p) / (2 half).
        p[..k].fill(0.0);
        for i in 0..k {
            for (pj, aij) in p[..k].iter_mut().zip(&upper[i * n..i * n + k]) {
                *pj += aij * v[i];
            }
        }
        p[..k].iter_mut().for_each(|x| *x /= half);
        let dot = p[..k].iter().zip(v.iter()).map(|(p, v)| p * v).sum::<f64>() / (2.0 * half);
        for (p, v) in p[..k].iter_mut().zip(v.iter()) {
            *p -= dot * v;
        }
        for i in 0..k {
            for ((aij, vj), pj) in upper[i * n..i * n + k].iter_mut().zip(v.iter()).zip(&p[..k]) {
                *aij -= v[i] * pj + p[i] * vj;
            }
        }
    }
    for i in 0..n {
        diagonal[i] = a[i * n + i];
    }
    // Q is the product of the reflections, smallest block first.
    for k in 0..n {
        let half = if k == 0 { 0.0 } else { reflectors[n - 1 - k].1 };
        let (upper, row) = a.split_at_mut(k * n);
        if half != 0.0 {
            for i in 0..k {
                let line = &mut upper[i * n..i * n + k];
                let dot = line.iter().zip(&row[..k]).map(|(a, v)| a * v).sum::<f64>() / half;
                for (a, v) in line.iter_mut().zip(&row[..k]) {
                    *a -= dot * v;
                }
            }
        }
        row[..n].fill(0.0);
        row[k] = 1.0;
        for i in 0..k {
            upper[i * n + k] = 0.0;
        }
    }
}

/// Diagonalizes a tridiagonal matrix and applies the same rotations to the rows of `q`.
fn ql(n: usize, q: &mut [f64], d: &mut [f64], e: &mut [f64]) {
    if n == 0 {
        return;
    }
    // e[i] couples i and i + 1 from here on.
    e.rotate_left(1);
    e[n - 1] = 0.0;
    for l in 0..n {
        for _ in 0..SWEEPS {
            let small = |i: usize, d: &[f64], e: &[f64]| {
                let sum = d[i].abs() + d[i + 1].abs();
                e[i].abs() <= f64::EPSILON * sum
            };
            let m = (l..n - 1).find(|&i| small(i, d, e)).unwrap_or(n - 1);
            if m == l {
                break;
            }
            let g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            let r = length(g, 1.0);
            let mut g = d[m] - d[l] + e[l] / (g + if g >= 0.0 { r } else { -r });
            let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
            let mut split = false;
            for i in (l..m).rev() {
                let f = s * e[i];
                let b = c * e[i];
                let r = length(f, g);
                e[i + 1] = r;
                if r == 0.0 {
                    d[i + 1] -= p;
                    e[m] = 0.0;
                    split = true;
                    break;
                }
                s = f / r;
                c = g / r;
                g = d[i + 1] - p;
                let r = (d[i] - g) * s + 2.0 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
                let (low, high) = q.split_at_mut((i + 1) * n);
                for (x, y) in low[i * n..].iter_mut().zip(&mut high[..n]) {
                    let f = *y;
                    *y = s * *x + c * f;
                    *x = c * *x - s * f;
                }
            }
            if !split {
                d[l] -= p;
                e[l] = g;
                e[m] = 0.0;
            }
        }
    }
}

/// Length of a vector of two, without overflow.
fn length(x: f64, y: f64) -> f64 {
    let (x, y) = (x.abs(), y.abs());
    let (small, large) = if x < y { (x, y) } else { (y, x) };
    if large == 0.0 {
        return 0.0;
    }
    let ratio = small / large;
    large * (1.0 + ratio * ratio).sqrt()
}

/// Replaces a symmetric matrix, of which the upper triangle is read, by R with A = R^T R in the upper triangle. False,
/// with `a` spoiled, if it is not positive definite.
pub fn cholesky(n: usize, a: &mut [f64]) -> bool {
    debug_assert_eq!(a.len(), n * n, "sizes agree");
    for k in 0..n {
        let (above, below) = a.split_at_mut((k + 1) * n);
        let row = &mut above[k * n + k..];
        let pivot = row[0];
        // Written so that NaN fails too.
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        let root = pivot.sqrt();
        row.iter_mut().for_each(|x| *x /= root);
        for i in k + 1..n {
            let factor = row[i - k];
            if factor != 0.0 {
                let line = &mut below[(i - k - 1) * n + i..(i - k) * n];
                for (x, r) in line.iter_mut().zip(&row[i - k..]) {
                    *x -= factor * r;
                }
            }
        }
    }
    true
}

/// Solves R^T x = b in place, R as [`cholesky`] leaves it.
pub fn solve_transposed(n: usize, r: &[f64], b: &mut [f64]) {
    for k in 0..n {
        b[k] /= r[k * n + k];
        let x = b[k];
        for (b, r) in b[k + 1..n].iter_mut().zip(&r[k * n + k + 1..(k + 1) * n]) {
            *b -= x * r;
        }
    }
}

/// Solves R x = b in place, R as [`cholesky`] leaves it.
pub fn solve_upper(n: usize, r: &[f64], b: &mut [f64]) {
    for k in (0..n).rev() {
        let dot: f64 = r[k * n + k + 1..(k + 1) * n].iter().zip(&b[k + 1..n]).map(|(r, x)| r * x).sum();
        b[k] = (b[k] - dot) / r[k * n + k];
    }
}

/// Weighted least squares by normal equations: rows are taken in one at a time, kept until the solution.
///
/// The normal equations square the condition number, so columns should be of order one and not nearly dependent; one step
/// of refinement takes back most of what is lost.
#[derive(Clone, Debug, Default)]
pub struct LeastSquares {
    columns: usize,
    rows: Vec<f64>,
    right: Vec<f64>,
    normal: Vec<f64>,
}

impl LeastSquares {
    /// No rows yet; memory is kept from the last problem.
    pub fn start(&mut self, columns: usize) {
        self.columns = columns;
        self.rows.clear();
        self.right.clear();
    }

    /// A row already multiplied by its weight (the square root of how much its squared error counts), and its right side.
    pub fn push(&mut self, row: impl IntoIterator<Item = f64>, right: f64) {
        self.rows.extend(row);
        self.right.push(right);
        debug_assert_eq!(self.rows.len(), self.right.len() * self.columns, "a full row");
    }

    /// The solution, with `ridge` times its own diagonal added to the normal equations; `None` if they are singular all
    /// the same or a number is not finite.
    pub fn solve(&mut self, ridge: f64) -> Option<Vec<f64>> {
        let n = self.columns;
        self.accumulate();
        for i in 0..n {
            let own = self.normal[i * n + i];
            self.normal[i * n + i] = own + ridge * own + f64::MIN_POSITIVE;
        }
        if !cholesky(n, &mut self.normal) {
            return None;
        }
        let mut solution = vec![0.0; n];
        for _ in 0..2 {
            let mut step = vec![0.0; n];
            for (row, right) in self.rows.chunks_exact(n).zip(&self.right) {
                let rest = right - row.iter().zip(&solution).map(|(a, x)| a * x).sum::<f64>();
                step.iter_mut().zip(row).for_each(|(s, a)| *s += rest * a);
            }
            solve_transposed(n, &self.normal, &mut step);
            solve_upper(n, &self.normal, &mut step);
            solution.iter_mut().zip(&step).for_each(|(x, s)| *x += s);
        }
        solution.iter().all(|x| x.is_finite()).then_some(solution)
    }

    /// Takes one more row into the last problem solved and gives its new solution, in O(columns^2): rotations bring the row
    /// into R (Golub, Van Loan, Matrix Computations, section 6.5.3). The row is overwritten.
    pub fn append(&mut self, row: &mut [f64], right: f64, solution: &mut [f64]) {
        let n = self.columns;
        let mut right = right;
        for k in 0..n {
            let line = &mut self.normal[k * n + k..(k + 1) * n];
            // What R x was on the right side, row k.
            let dot: f64 = line.iter().zip(&solution[k..]).map(|(r, x)| r * x).sum();
            solution[k] = dot;
            if row[k] == 0.0 {
                continue;
            }
            let length = length(line[0], row[k]);
            let (c, s) = (line[0] / length, row[k] / length);
            for (r, a) in line.iter_mut().zip(&mut row[k..]) {
                let old = *r;
                *r = c * old + s * *a;
                *a = c * *a - s * old;
            }
            solution[k] = c * dot + s * right;
            right = c * right - s * dot;
        }
        solve_upper(n, &self.normal, solution);
    }

    /// A^T A, upper triangle; four rows at a time, because the matrix is larger than the nearest cache.
    fn accumulate(&mut self) {
        let n = self.columns;
        self.normal.clear();
        self.normal.resize(n * n, 0.0);
        let mut fours = self.rows.chunks_exact(4 * n);
        for four in &mut fours {
            let (a, rest) = four.split_at(n);
            let (b, rest) = rest.split_at(n);
            let (c, d) = rest.split_at(n);
            for i in 0..n {
                let line = &mut self.normal[i * n + i..(i + 1) * n];
                let tails = a[i..].iter().zip(&b[i..]).zip(c[i..].iter().zip(&d[i..]));
                for (x, ((aj, bj), (cj, dj))) in line.iter_mut().zip(tails) {
                    *x += (a[i] * aj + b[i] * bj) + (c[i] * cj + d[i] * dj);
                }
            }
        }
        for row in fours.remainder().chunks_exact(n.max(1)) {
            for i in 0..n {
                let line = &mut self.normal[i * n + i..(i + 1) * n];
                line.iter_mut().zip(&row[i..]).for_each(|(x, r)| *x += row[i] * r);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn eigenvalues_by_hand() {
        // (2 1; 1 2) has 1 along (1, -1) and 3 along (1, 1).
        let mut a = [2.0, 0.0, 1.0, 2.0];
        let mut values = [0.0; 2];
        eigen(2, &mut a, &mut values);
        assert!((values[0] - 1.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15);
        assert!((a[0] + a[1]).abs() < 1e-15 && (a[2] - a[3]).abs() < 1e-15);
        // The path of four nodes: 2 - 2 cos(k pi / 4) for k = 0..4.
        let mut a = [1., 0., 0., 0., -1., 2., 0., 0., 0., -1., 2., 0., 0., 0., -1., 1.];
        let mut values = [0.0; 4];
        eigen(4, &mut a, &mut values);
        let root = 2.0_f64.sqrt();
        for (value, truth) in values.iter().zip([0.0, 2.0 - root, 2.0, 2.0 + root]) {
            assert!((value - truth).abs() < 1e-14, "{value} {truth}");
        }
        eigen(0, &mut [], &mut []);
    }

    #[test]
    fn cholesky_by_hand() {
        let mut a = [4.0, 2.0, 0.0, 5.0];
        assert!(cholesky(2, &mut a));
        assert_eq!((a[0], a[1], a[3]), (2.0, 1.0, 2.0));
        let mut b = [8.0, 14.0];
        solve_transposed(2, &a, &mut b);
        solve_upper(2, &a, &mut b);
        assert_eq!(b, [0.75, 2.5]);
        assert!(!cholesky(2, &mut [1.0, 2.0, 2.0, 1.0]));
        assert!(!cholesky(1, &mut [f64::NAN]));
    }

    #[test]
    fn a_line_through_points() {
        // y = 1 + 2 x with the point (2, 6) counted thrice as much as the others by weight sqrt(3).
        let mut fit = LeastSquares::default();
        fit.start(2);
        for (x, y, w) in [(0.0, 1.0, 1.0), (1.0, 3.0, 1.0), (2.0, 6.0, 3.0_f64.sqrt())] {
            fit.push([w, w * x], w * y);
        }
        // Normal equations (5 7; 7 13) c = (22, 39).
        let c = fit.solve(0.0).unwrap();
        assert!((c[0] - 13.0 / 16.0).abs() < 1e-14 && (c[1] - 41.0 / 16.0).abs() < 1e-14, "{c:?}");
    }

    #[test]
    fn an_appended_row_counts_like_the_others() {
        let rows = [[1.0, 0.5, 2.0], [1.0, -1.0, 0.3], [1.0, 0.2, -0.7], [1.0, 3.0, 1.0], [1.0, 0.1, 0.9]];
        let right = [1.0, -2.0, 0.5, 4.0, 3.0];
        let mut fit = LeastSquares::default();
        let mut solve = |count: usize| {
            fit.start(3);
            rows[..count].iter().zip(&right).for_each(|(row, right)| fit.push(*row, *right));
            let mut solution = fit.solve(0.0).unwrap();
            for (row, right) in rows[count..].iter().zip(&right[count..]) {
                fit.append(&mut row.clone(), *right, &mut solution);
            }
            solution
        };
        for (a, b) in solve(5).iter().zip(solve(3)) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
    }

    fn symmetric(n: usize) -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(prop_oneof![1 => Just(0.0), 4 => -10.0..10.0_f64], n * n).prop_map(move |mut a| {
            for i in 0..n {
                for j in 0..i {
                    a[j * n + i] = a[i * n + j];
                }
            }
            a
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn eigenvectors_rebuild_the_matrix((n, a) in (1_usize..13).prop_flat_map(|n| (Just(n), symmetric(n)))) {
            let (mut v, mut values) = (a.clone(), vec![0.0; n]);
            eigen(n, &mut v, &mut values);
            prop_assert!(values.is_sorted());
            for i in 0..n {
                for j in 0..n {
                    let rebuilt: f64 = (0..n).map(|k| values[k] * v[k * n + i] * v[k * n + j]).sum();
                    prop_assert!((rebuilt - a[i * n + j]).abs() < 1e-12 * 10.0 * n as f64);
                    let dot: f64 = (0..n).map(|k| v[i * n + k] * v[j * n + k]).sum();
                    prop_assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-13 * n as f64);
                }
            }
        }

        #[test]
        fn cholesky_rebuilds_the_matrix((n, a) in (1_usize..13).prop_flat_map(|n| (Just(n), symmetric(n)))) {
            // A A^T + 1 is positive definite.
            let mut b = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    b[i * n + j] = (0..n).map(|k| a[i * n + k] * a[j * n + k]).sum::<f64>() + f64::from(u8::from(i == j));
                }
            }
            let mut r = b.clone();
            prop_assert!(cholesky(n, &mut r));
            for i in 0..n {
                for j in i..n {
                    let rebuilt: f64 = (0..=i).map(|k| r[k * n + i] * r[k * n + j]).sum();
                    prop_assert!((rebuilt - b[i * n + j]).abs() < 1e-11 * n as f64);
                }
            }
        }
    }
}
