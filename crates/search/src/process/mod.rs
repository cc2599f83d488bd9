//! A Gaussian process with a Matern 5/2 kernel: Rasmussen, Williams, Gaussian Processes for Machine Learning (2006), algorithm 2.1 and equation 4.17.

mod fitted;
mod hyper;
mod many;
mod slopes;

use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::exp::exp;
use crowdtune_core::math::lanes::{Kernel, Lanes, WIDTH, run};
use crowdtune_core::math::linear::wide::{self, add_four, add_scaled};
use crowdtune_core::math::linear::{cholesky, dot, solve_transposed, solve_upper};

pub(crate) use fitted::Fitted;
pub(crate) use slopes::Sloped;

const SQRT_5: f64 = 2.236_067_977_499_79;

/// Constants of a process.
#[derive(Clone, Debug, PartialEq)]
struct Constants {
    /// A length for each gene: how far a coordinate has to go to become something else.
    pub lengths: Vec<f64>,
    /// Variance of the function.
    pub signal: f64,
    /// Variance of the noise.
    pub noise: f64,
}

/// The kernel at a squared distance in lengths, over the signal, and what its slopes share: (1 + sqrt5 r) e^(-sqrt5 r).
#[inline(always)]
fn matern(r2: f64) -> (f64, f64) {
    let a = SQRT_5 * r2.sqrt();
    let e = exp(-a);
    ((1.0 + a + (5.0 / 3.0) * r2) * e, (1.0 + a) * e)
}

/// A point, each number of which is multiplied by a scale.
fn in_lengths(point: &[f64], scale: &[f64]) -> Vec<f64> {
    point.iter().zip(scale).map(|(x, s)| x * s).collect()
}

/// Numbers by eight, zeros behind them.
fn eights(numbers: &[f64]) -> Vec<[f64; WIDTH]> {
    let eight = |some: &[f64]| std::array::from_fn(|k| some.get(k).copied().unwrap_or(0.0));
    numbers.chunks(WIDTH).map(eight).collect()
}

/// A process that has seen some points.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    constants: Constants,
    /// One over the length of each number of a point.
    scale: Vec<f64>,
    n: usize,
    /// The points in lengths, coordinate by coordinate, and their values.
    points: Vec<f64>,
    /// The points again, one after the other, each in as many eights as it takes.
    rows: Vec<[f64; WIDTH]>,
    values: Vec<f64>,
    /// Their covariance as its Cholesky factor.
    factor: Vec<f64>,
    mean: f64,
    /// What each point adds to a prediction.
    weights: Vec<f64>,
}

/// What a process says of a point: mean and variance of the function, without noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prediction {
    pub mean: f64,
    pub variance: f64,
}

/// Room for predictions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    point: Vec<f64>,
    kernel: Vec<f64>,
    slopes: Vec<f64>,
    solved: Vec<f64>,
    /// Covariances of eight points with those that were seen.
    eight: Vec<[f64; WIDTH]>,
}

impl Process {
    /// With the gene of each number of a point. `None` if the covariance is singular, which noise prevents.
    fn new(constants: &Constants, genes: &[usize], points: &[Vec<f64>], values: &[f64]) -> Option<Self> {
        let scale: Vec<f64> = genes.iter().map(|&g| 1.0 / constants.lengths[g]).collect();
        let mut process = Self {
            constants: constants.clone(),
            scale,
            n: points.len(),
            points: Vec::new(),
            rows: Vec::new(),
            values: values.to_vec(),
            factor: Vec::new(),
            mean: 0.0,
            weights: Vec::new(),
        };
        let points: Vec<Vec<f64>> = points.iter().map(|point| in_lengths(point, &process.scale)).collect();
        for d in 0..process.scale.len() {
            process.points.extend(points.iter().map(|point| point[d]));
        }
        process.rows = points.iter().flat_map(|point| eights(point)).collect();
        process.factor = process.covariance();
        cholesky(process.n, &mut process.factor).then(|| process.weigh())
    }

    /// The mean that is the likeliest one (generalized least squares), and the weights.
    fn weigh(mut self) -> Self {
        let n = self.n;
        let solve = |b: &mut Vec<f64>, factor: &[f64]| {
            solve_transposed(n, factor, b);
            solve_upper(n, factor, b);
        };
        let mut ones = vec![1.0; n];
        solve(&mut ones, &self.factor);
        let all: f64 = ones.iter().sum();
        self.mean = if all > 0.0 { dot(&ones, &self.values) / all } else { 0.0 };
        self.weights = self.values.iter().map(|y| y - self.mean).collect();
        solve(&mut self.weights, &self.factor);
        self
    }

    /// Upper triangle of the covariance of the points, with noise.
    fn covariance(&self) -> Vec<f64> {
        let n = self.n;
        let mut k = vec![0.0; n * n];
        let mut room = Room::default();
        for i in 0..n {
            room.point.clear();
            room.point.extend((0..self.scale.len()).map(|d| self.points[d * n + i]));
            run(Look { process: self, room: &mut room });
            k[i * n + i] = self.constants.signal + self.constants.noise;
            k[i * n + i + 1..(i + 1) * n].copy_from_slice(&room.kernel[i + 1..]);
        }
        k
    }

    /// With one more point, and the value there.
    pub fn and(&self, point: &[f64], value: f64) -> Option<Self> {
        let mut room = Room::default();
        self.look(point, &mut room);
        self.solve(&mut room);
        let n = self.n;
        let rest = self.constants.signal + self.constants.noise - dot(&room.solved, &room.solved);
        if rest.is_nan() || rest <= 0.0 {
            return None;
        }
        let mut factor = vec![0.0; (n + 1) * (n + 1)];
        for i in 0..n {
            factor[i * (n + 1) + i..i * (n + 1) + n].copy_from_slice(&self.factor[i * n + i..(i + 1) * n]);
            factor[i * (n + 1) + n] = room.solved[i];
        }
        factor[n * (n + 1) + n] = rest.sqrt();
        let mut next =
            Self { n: n + 1, factor, points: Vec::with_capacity(self.scale.len() * (n + 1)), ..self.clone() };
        for (seen, new) in self.points.chunks_exact(n).zip(&room.point) {
            next.points.extend(seen.iter().chain([new]));
        }
        next.rows.extend(eights(&room.point));
        next.values.push(value);
        Some(next.weigh())
    }

    /// Fills the room with what a mean needs: the covariances of a point with those that were seen, and their slopes.
    fn look(&self, point: &[f64], room: &mut Room) {
        room.point = in_lengths(point, &self.scale);
        run(Look { process: self, room });
    }

    /// And what a variance needs: the covariances behind the inverse of the transposed factor, in time that grows with the square of the points.
    fn solve(&self, room: &mut Room) {
        room.solved.clone_from(&room.kernel);
        run(Half::<false> { n: self.n, factor: &self.factor, b: &mut room.solved });
    }

    /// The mean at a point alone.
    pub fn mean(&self, point: &[f64], room: &mut Room) -> f64 {
        self.look(point, room);
        self.mean + dot(&room.kernel, &self.weights)
    }

    /// Mean and variance at a point.
    pub fn predict(&self, point: &[f64], room: &mut Room) -> Prediction {
        let mean = self.mean(point, room);
        self.solve(room);
        Prediction { mean, variance: self.variance(dot(&room.solved, &room.solved)) }
    }

    /// What is left of the signal where so much of it is explained. Rounding may leave less than nothing; a billionth is a deviation that no loss can show.
    fn variance(&self, explained: f64) -> f64 {
        (self.constants.signal - explained).max(1e-9 * self.constants.signal)
    }

    /// What each value would be without it, by how much it is off, and the variance of that, noise included: equations 5.10 to 5.12 of the book.
    pub fn left_out(&self) -> Vec<(f64, f64)> {
        let inverse = run(Inverse { n: self.n, factor: &self.factor });
        self.weights
            .iter()
            .enumerate()
            .map(|(i, weight)| {
                let precision = inverse[i * self.n + i];
                (weight / precision, 1.0 / precision)
            })
            .collect()
    }

    /// Variance of the noise.
    pub fn noise(&self) -> f64 {
        self.constants.noise
    }
}

/// The covariances of the room's point with those that a process has seen, and their slopes.
struct Look<'a> {
    process: &'a Process,
    room: &'a mut Room,
}

impl Kernel for Look<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { process: &Process { n, ref points, ref constants, .. }, room } = self;
        // Squared distances first, where the slopes will be.
        room.slopes.clear();
        room.slopes.resize(n, 0.0);
        for (d, x) in room.point.iter().enumerate() {
            for (square, other) in room.slopes.iter_mut().zip(&points[d * n..(d + 1) * n]) {
                *square += (x - other) * (x - other);
            }
        }
        room.kernel.clear();
        room.kernel.resize(n, 0.0);
        let per = -(5.0 / 3.0) * constants.signal;
        for (kernel, slope) in room.kernel.iter_mut().zip(&mut room.slopes) {
            let (k, along) = matern(*slope);
            *kernel = constants.signal * k;
            *slope = per * along;
        }
    }
}

/// One half of a solution by a Cholesky factor R, on the widest registers: R^T x = b, or the way back, R x = b.
struct Half<'a, const BACK: bool> {
    n: usize,
    factor: &'a [f64],
    b: &'a mut [f64],
}

impl<const BACK: bool> Kernel for Half<'_, BACK> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        if BACK {
            wide::solve_upper::<L::Double>(self.n, self.factor, self.b);
        } else {
            wide::solve_transposed::<L::Double>(self.n, self.factor, self.b);
        }
    }
}

/// Upper triangle of the inverse of R^T R, on the widest registers.
struct Inverse<'a> {
    n: usize,
    factor: &'a [f64],
}

impl Kernel for Inverse<'_> {
    type Out = Vec<f64>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Vec<f64> {
        inverse::<L::Double>(self.n, self.factor)
    }
}

/// Squared differences of all pairs of points, gene by gene: what a likelihood needs of them.
struct Pairs {
    n: usize,
    genes: usize,
    /// Of (0, 1), (0, 2), ..., (1, 2), ... by [`WIDTH`] pairs: those of the first gene, those of the second.
    squares: Vec<[f64; WIDTH]>,
}

impl Pairs {
    pub fn new(genes: &[usize], points: &[Vec<f64>]) -> Self {
        let (n, count) = (points.len(), genes.last().map_or(0, |g| g + 1));
        let mut squares = vec![[0.0; WIDTH]; (n * n.saturating_sub(1) / 2).div_ceil(WIDTH) * count];
        let mut pair = 0;
        for (i, a) in points.iter().enumerate() {
            for b in &points[i + 1..] {
                let eight = &mut squares[pair / WIDTH * count..][..count];
                for (d, &gene) in genes.iter().enumerate() {
                    eight[gene][pair % WIDTH] += (a[d] - b[d]) * (a[d] - b[d]);
                }
                pair += 1;
            }
        }
        Self { n, genes: count, squares }
    }

    /// Logarithm of the likelihood of these values, without its constant, at the likeliest mean, and its slopes along the logarithms of the lengths, the
    /// signal and the noise. `None` where the covariance is singular.
    pub fn likelihood(&self, constants: &Constants, values: &[f64]) -> Option<(f64, Vec<f64>)> {
        run(Likelihood { pairs: self, constants, values })
    }
}

struct Likelihood<'a> {
    pairs: &'a Pairs,
    constants: &'a Constants,
    values: &'a [f64],
}

impl Kernel for Likelihood<'_> {
    type Out = Option<(f64, Vec<f64>)>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Out {
        let Self { pairs: &Pairs { n, genes, ref squares }, constants: c, values } = self;
        let per2: Vec<f64> = c.lengths.iter().map(|l| 1.0 / (l * l)).collect();
        // Kernels and slopes of all pairs, in the order of the pairs.
        let count = n * n.saturating_sub(1) / 2;
        let mut kernels = vec![0.0; count.next_multiple_of(WIDTH)];
        let mut slopes = kernels.clone();
        let eights = kernels.as_chunks_mut::<WIDTH>().0.iter_mut().zip(slopes.as_chunks_mut::<WIDTH>().0);
        for ((kernel, slope), squares) in eights.zip(squares.chunks_exact(genes.max(1))) {
            let r2 = scaled::<L::Double>(squares, &per2);
            for k in 0..WIDTH {
                let (value, along) = matern(r2[k]);
                kernel[k] = c.signal * value;
                slope[k] = (5.0 / 3.0) * c.signal * along;
            }
        }
        let mut k = vec![0.0; n * n];
        let mut at = 0;
        for i in 0..n {
            let others = n - i - 1;
            k[i * n + i] = c.signal + c.noise;
            k[i * n + i + 1..(i + 1) * n].copy_from_slice(&kernels[at..at + others]);
            at += others;
        }
        let mut factor = k.clone();
        if !cholesky(n, &mut factor) {
            return None;
        }
        let inverse = inverse::<L::Double>(n, &factor);
        let of_ones = row_sums(n, &inverse);
        let mean = dot(&of_ones, values) / of_ones.iter().sum::<f64>();
        let off: Vec<f64> = values.iter().map(|y| y - mean).collect();
        let mut weights = off.clone();
        wide::solve_transposed::<L::Double>(n, &factor, &mut weights);
        wide::solve_upper::<L::Double>(n, &factor, &mut weights);
        let log_root: f64 = (0..n).map(|i| libm::log(factor[i * n + i])).sum();
        let value = -0.5 * dot(&off, &weights) - log_root;

        // d/dt = sum over i and j of (w_i w_j - K^-1_ij) / 2 dK_ij/dt: Rasmussen and Williams 2006, equation 5.9. Pairs count twice.
        let mut along = vec![0.0; genes + 2];
        let (mut of_signal, mut of_noise) = (0.0, 0.0);
        let mut pulls = slopes;
        let mut at = 0;
        for i in 0..n {
            let own = 0.5 * (weights[i] * weights[i] - inverse[i * n + i]);
            of_signal += own * c.signal;
            of_noise += own * c.noise;
            for j in i + 1..n {
                let pull = weights[i] * weights[j] - inverse[i * n + j];
                of_signal += pull * kernels[at];
                pulls[at] *= pull;
                at += 1;
            }
        }
        for (pulls, squares) in pulls.as_chunks::<WIDTH>().0.iter().zip(squares.chunks_exact(genes.max(1))) {
            for (along, squares) in along.iter_mut().zip(squares) {
                for k in 0..WIDTH {
                    *along += pulls[k] * squares[k];
                }
            }
        }
        along[..genes].iter_mut().zip(&per2).for_each(|(slope, per2)| *slope *= per2);
        (along[genes], along[genes + 1]) = (of_signal, of_noise);
        value.is_finite().then_some((value, along))
    }
}

/// Sums over the genes of eight pairs, each square times its factor: in the order of [`dot`].
#[inline(always)]
fn scaled<D: Doubles>(squares: &[[f64; WIDTH]], factors: &[f64]) -> [f64; WIDTH] {
    let mut sums = [D::splat(0.0); 8];
    for g in 0..squares.len() {
        sums[g % 8] = sums[g % 8].add(D::of(&squares[g]).mul(D::splat(factors[g])));
    }
    total(sums).store()
}

/// Eight sums added up in the order of [`dot`].
#[inline(always)]
fn total<D: Doubles>([a, b, c, d, e, f, g, h]: [D; 8]) -> D {
    a.add(e).add(c.add(g)).add(b.add(f).add(d.add(h)))
}

/// Sums of the rows of a symmetric matrix, of which the upper triangle is read.
#[inline(always)]
fn row_sums(n: usize, upper: &[f64]) -> Vec<f64> {
    // Column j of the matrix is added at a time: above the diagonal it stands in the rows before, then in row j.
    let mut columns = upper.to_vec();
    for i in 0..n {
        for j in i + 1..n {
            columns[j * n + i] = upper[i * n + j];
        }
    }
    let mut sums = vec![0.0; n];
    for column in columns.chunks_exact(n.max(1)) {
        sums.iter_mut().zip(column).for_each(|(sum, x)| *sum += x);
    }
    sums
}

/// Upper triangle of the inverse of R^T R.
#[inline(always)]
fn inverse<D: Doubles>(n: usize, factor: &[f64]) -> Vec<f64> {
    // R^-T, a lower triangle, row by row; then the products of its columns.
    let mut lower = vec![0.0; n * n];
    for k in 0..n {
        let (above, rest) = lower.split_at_mut(k * n);
        let row = &mut rest[..=k];
        row[k] = 1.0;
        let whole = k - k % 4;
        for j in (0..whole).step_by(4) {
            let above = |m: usize| &above[(j + m) * n..(j + m) * n + j + m + 1];
            let down = |m: usize| -factor[(j + m) * n + k];
            add_stairs::<D>(row, [down(0), down(1), down(2), down(3)], [above(0), above(1), above(2), above(3)]);
        }
        for j in whole..k {
            add_scaled::<D>(&mut row[..=j], -factor[j * n + k], &above[j * n..=j * n + j]);
        }
        let pivot = factor[k * n + k];
        row.iter_mut().for_each(|x| *x /= pivot);
    }
    let mut inverse = vec![0.0; n * n];
    for i in 0..n {
        let out = &mut inverse[i * n + i..(i + 1) * n];
        let row = |k: usize| &lower[k * n + i..=k * n + k];
        let whole = n - (n - i) % 4;
        for k in (i..whole).step_by(4) {
            let rows = [row(k), row(k + 1), row(k + 2), row(k + 3)];
            add_stairs::<D>(out, [rows[0][0], rows[1][0], rows[2][0], rows[3][0]], rows);
        }
        for k in whole..n {
            add_scaled::<D>(&mut out[..=k - i], row(k)[0], row(k));
        }
    }
    inverse
}

/// Adds four rows times their factors, one after the other, each one longer than the one before.
#[inline(always)]
fn add_stairs<D: Doubles>(to: &mut [f64], factors: [f64; 4], rows: [&[f64]; 4]) {
    let common = rows[0].len();
    add_four::<D>(to, factors, rows);
    for m in 1..4 {
        for k in common..rows[m].len() {
            to[k] += factors[m] * rows[m][k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GENES: [usize; 2] = [0, 1];

    fn constants() -> Constants {
        Constants { lengths: vec![0.4, 0.7], signal: 1.3, noise: 0.05 }
    }

    fn scene() -> (Vec<Vec<f64>>, Vec<f64>) {
        let points = [[0.1, 0.2], [0.4, 0.9], [0.8, 0.3], [0.6, 0.6], [0.25, 0.75]];
        (points.map(|p| p.to_vec()).to_vec(), vec![0.5, -1.2, 0.3, 0.9, -0.4])
    }

    #[test]
    fn predictions_are_those_of_scikit_learn() {
        // GaussianProcessRegressor of scikit-learn 1.9.1 with the same kernel, on the values less their generalized least squares mean. It adds 1e-10 to
        // the noise.
        let (points, values) = scene();
        let process = Process::new(&constants(), &GENES, &points, &values).unwrap();
        assert!((process.mean + 0.211_761_581_636_558_34).abs() < 1e-12);
        for (at, mean, variance) in [
            ([0.5, 0.5], 0.685_349_536_577_126_8, 0.139_884_638_456_478_52),
            ([0.05, 0.95], -0.586_246_678_621_249_8, 0.491_241_916_496_976_07),
        ] {
            let it = process.predict(&at, &mut Room::default());
            assert!((it.mean - mean).abs() < 1e-9 && (it.variance - variance).abs() < 1e-9, "{it:?}");
        }
        let likelihood = Pairs::new(&GENES, &points).likelihood(&constants(), &values).unwrap().0;
        assert!((likelihood + 3.189_839_830_418_258).abs() < 1e-8, "{likelihood}");
    }

    #[test]
    fn a_point_more_is_like_all_at_once() {
        let (points, values) = scene();
        let all = Process::new(&constants(), &GENES, &points, &values).unwrap();
        let before = Process::new(&constants(), &GENES, &points[..4], &values[..4]).unwrap();
        let one_by_one = before.and(&points[4], values[4]).unwrap();
        for at in [[0.3, 0.3], [0.9, 0.1]] {
            let (a, b) = (all.predict(&at, &mut Room::default()), one_by_one.predict(&at, &mut Room::default()));
            assert!((a.mean - b.mean).abs() < 1e-12 && (a.variance - b.variance).abs() < 1e-12, "{a:?}, {b:?}");
        }
    }

    #[test]
    fn slopes_are_those_of_the_predictions() {
        let (points, values) = scene();
        let process = Process::new(&constants(), &GENES, &points, &values).unwrap();
        let mut room = Room::default();
        let at = [0.37, 0.52];
        let Sloped { of_mean, of_variance, .. } = process.with_slopes(&at, &mut room);
        for d in 0..2 {
            let mut step = |h: f64| {
                let mut at = at;
                at[d] += h;
                process.predict(&at, &mut room)
            };
            let (up, down) = (step(1e-5), step(-1e-5));
            assert!((of_mean[d] - (up.mean - down.mean) / 2e-5).abs() < 1e-8);
            assert!((of_variance[d] - (up.variance - down.variance) / 2e-5).abs() < 1e-8);
        }
    }
}
