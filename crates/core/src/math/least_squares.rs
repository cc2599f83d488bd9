//! Weighted linear least squares to which further rows can be appended.

use super::lanes::{Kernel, Lanes, run};
use super::linear::{add_scaled, cholesky, dot, solve_transposed, solve_upper};

/// Weighted least squares by normal equations: rows are taken in one at a time, kept until the solution, and may be
/// appended to it afterwards.
///
/// The normal equations square the condition number, so columns should be of order one and not nearly dependent; one step
/// of refinement takes back most of what is lost.
#[derive(Clone, Debug, Default)]
pub struct LeastSquares {
    /// Columns, and with those of zeros.
    columns: usize,
    wide: usize,
    rows: Vec<f64>,
    right: Vec<f64>,
    /// The normal equations; after a solution U with A^T A = U^T D U, the diagonal of U being 1.
    normal: Vec<f64>,
    /// D, and U times the solution.
    diagonal: Vec<f64>,
    reduced: Vec<f64>,
}

impl LeastSquares {
    /// No rows yet; memory is kept from the last problem.
    pub fn start(&mut self, columns: usize) {
        (self.columns, self.wide) = (columns, columns.next_multiple_of(LANE));
        self.rows.clear();
        self.right.clear();
    }

    /// A row already multiplied by its weight (the square root of how much its squared error counts), and its right side.
    pub fn push(&mut self, row: impl IntoIterator<Item = f64>, right: f64) {
        self.rows.extend(row);
        self.right.push(right);
        debug_assert_eq!(self.rows.len(), (self.right.len() - 1) * self.wide + self.columns, "a full row");
        self.rows.resize(self.right.len() * self.wide, 0.0);
    }

    /// The solution, with `ridge` times its own diagonal added to the normal equations; false if they are singular all
    /// the same or a number is not finite.
    pub fn solve(&mut self, ridge: f64, solution: &mut Vec<f64>) -> bool {
        let n = self.wide;
        self.normal.clear();
        self.normal.resize(n * n, 0.0);
        run(Normal { n, rows: &self.rows, normal: &mut self.normal });
        for i in 0..n {
            let own = self.normal[i * n + i];
            self.normal[i * n + i] = own + ridge * own + f64::MIN_POSITIVE;
        }
        if !cholesky(n, &mut self.normal) {
            return false;
        }
        solution.clear();
        solution.resize(n, 0.0);
        for _ in 0..2 {
            self.reduced.clear();
            self.reduced.resize(n, 0.0);
            let Self { rows, right, normal, reduced, .. } = self;
            run(Refine { n, rows, right, normal, step: reduced, solution });
        }
        self.diagonal.clear();
        self.reduced.clear();
        for (i, row) in self.normal.chunks_exact_mut(n.max(1)).enumerate() {
            let own = row[i];
            self.diagonal.push(own * own);
            row[i..].iter_mut().for_each(|x| *x /= own);
            self.reduced.push(dot(&row[i..], &solution[i..]));
        }
        solution.truncate(self.columns);
        solution.iter().all(|x| x.is_finite())
    }

    /// Takes one more row into the last problem solved, in O(columns^2): rotations without square roots (Gentleman, J. Inst.
    /// Math. Appl. 12, 329, 1973; Applied Statistics algorithm AS 75). The row is overwritten.
    pub fn append(&mut self, row: &mut Vec<f64>, right: f64) {
        row.resize(self.wide, 0.0);
        run(Include {
            n: self.wide,
            upper: &mut self.normal,
            diagonal: &mut self.diagonal,
            reduced: &mut self.reduced,
            row,
            right,
        });
    }

    /// The solution with the rows that were appended.
    pub fn solution(&self, solution: &mut Vec<f64>) {
        solution.clear();
        solution.extend_from_slice(&self.reduced);
        run(Back { n: self.wide, upper: &self.normal, solution });
        solution.truncate(self.columns);
    }
}

/// A^T A, upper triangle and a little of the lower one.
struct Normal<'a> {
    n: usize,
    rows: &'a [f64],
    normal: &'a mut [f64],
}

impl Kernel for Normal<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let n = self.n;
        for rows in self.rows.chunks(n.max(1) * (CACHED / n.max(1)).max(LANE)) {
            for i in (0..n).step_by(LINES) {
                for j in (i / LANE * LANE..n).step_by(LANE) {
                    let mut sums = [[0.0; LANE]; LINES];
                    for row in rows.chunks_exact(n) {
                        let (lines, columns): (&[f64], &[f64]) = (&row[i..i + LINES], &row[j..j + LANE]);
                        for (sums, line) in sums.iter_mut().zip(lines) {
                            sums.iter_mut().zip(columns).for_each(|(sum, column)| *sum += line * column);
                        }
                    }
                    for (k, sums) in sums.iter().enumerate() {
                        let at = (i + k) * n + j;
                        self.normal[at..at + LANE].iter_mut().zip(sums).for_each(|(x, sum)| *x += sum);
                    }
                }
            }
        }
    }
}

/// Columns are filled up with zeros to a multiple of this, what one wide register holds.
const LANE: usize = 8;
/// Lines of the normal equations that are summed together, so that no sum waits for the one before.
const LINES: usize = 4;
/// Numbers of rows that are read again and again: what the nearest cache holds.
const CACHED: usize = 4096;

/// Adds to the solution what is missing: the normal equations solved for the residuals.
struct Refine<'a> {
    n: usize,
    rows: &'a [f64],
    right: &'a [f64],
    normal: &'a [f64],
    step: &'a mut [f64],
    solution: &'a mut [f64],
}

impl Kernel for Refine<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let n = self.n;
        for (row, right) in self.rows.chunks_exact(n.max(1)).zip(self.right) {
            add_scaled(self.step, right - dot(row, self.solution), row);
        }
        solve_transposed(n, self.normal, self.step);
        solve_upper(n, self.normal, self.step);
        add_scaled(self.solution, 1.0, self.step);
    }
}

/// One row more in U^T D U.
struct Include<'a> {
    n: usize,
    upper: &'a mut [f64],
    diagonal: &'a mut [f64],
    reduced: &'a mut [f64],
    row: &'a mut [f64],
    right: f64,
}

impl Kernel for Include<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let n = self.n;
        let (mut weight, mut right) = (1.0, self.right);
        for k in 0..n {
            let first = self.row[k];
            if first == 0.0 {
                continue;
            }
            let before = self.diagonal[k];
            let after = before + weight * first * first;
            let (kept, share) = (before / after, weight * first / after);
            self.diagonal[k] = after;
            weight *= kept;
            let line = &mut self.upper[k * n + k + 1..(k + 1) * n];
            for (u, a) in line.iter_mut().zip(&mut self.row[k + 1..n]) {
                *a -= first * *u;
                *u += share * *a;
            }
            right -= first * self.reduced[k];
            self.reduced[k] += share * right;
        }
    }
}

/// Solves U x = b, the diagonal of U being 1.
struct Back<'a> {
    n: usize,
    upper: &'a [f64],
    solution: &'a mut [f64],
}

impl Kernel for Back<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let n = self.n;
        for k in (0..n).rev() {
            self.solution[k] -= dot(&self.upper[k * n + k + 1..(k + 1) * n], &self.solution[k + 1..n]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_points() {
        // y = 1 + 2 x with the point (2, 6) counted thrice as much as the others by weight sqrt(3).
        let mut fit = LeastSquares::default();
        fit.start(2);
        for (x, y, w) in [(0.0, 1.0, 1.0), (1.0, 3.0, 1.0), (2.0, 6.0, 3.0_f64.sqrt())] {
            fit.push([w, w * x], w * y);
        }
        // Normal equations (5 7; 7 13) c = (22, 39).
        let mut c = Vec::new();
        assert!(fit.solve(0.0, &mut c));
        assert!((c[0] - 13.0 / 16.0).abs() < 1e-14 && (c[1] - 41.0 / 16.0).abs() < 1e-14, "{c:?}");
    }

    #[test]
    fn an_appended_row_counts_like_the_others() {
        let rows = [[1.0, 0.5, 2.0], [1.0, -1.0, 0.3], [1.0, 0.2, -0.7], [1.0, 3.0, 1.0], [0.0, 0.1, 0.9]];
        let right = [1.0, -2.0, 0.5, 4.0, 3.0];
        let mut fit = LeastSquares::default();
        let mut solve = |count: usize| {
            fit.start(3);
            rows[..count].iter().zip(&right).for_each(|(row, right)| fit.push(*row, *right));
            let mut solution = Vec::new();
            assert!(fit.solve(0.0, &mut solution));
            for (row, right) in rows[count..].iter().zip(&right[count..]) {
                fit.append(&mut row.to_vec(), *right);
            }
            fit.solution(&mut solution);
            solution
        };
        for (a, b) in solve(5).iter().zip(solve(3)) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
    }

    #[test]
    fn rows_that_depend_on_each_other_have_no_solution() {
        let mut fit = LeastSquares::default();
        fit.start(2);
        fit.push([1.0, f64::NAN], 1.0);
        fit.push([1.0, 1.0], 1.0);
        assert!(!fit.solve(1e-10, &mut Vec::new()));
    }
}
