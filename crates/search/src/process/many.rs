//! Predictions of many points, eight side by side: a factor is then read once for eight. The same bits as one by one.

use super::{Prediction, Process, Room, total};
use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::lanes::{Kernel, Lanes, WIDTH, run};

impl Process {
    /// The mean at each of these points.
    pub fn means(&self, points: &[Vec<f64>], room: &mut Room) -> Vec<f64> {
        points.iter().map(|point| self.mean(point, room)).collect()
    }

    /// Mean and variance at each of these points.
    pub fn predict_all(&self, points: &[Vec<f64>], room: &mut Room) -> Vec<Prediction> {
        let mut all = Vec::with_capacity(points.len());
        for eight in points.chunks(WIDTH) {
            let means = eight.iter().enumerate().map(|(lane, point)| {
                let mean = self.mean(point, room);
                room.eight.resize(self.n, [0.0; WIDTH]);
                room.eight.iter_mut().zip(&room.kernel).for_each(|(eight, kernel)| eight[lane] = *kernel);
                mean
            });
            let means: Vec<f64> = means.collect();
            let explained = run(Explained { n: self.n, factor: &self.factor, b: &mut room.eight });
            let predictions = means.into_iter().zip(explained);
            all.extend(predictions.map(|(mean, explained)| Prediction { mean, variance: self.variance(explained) }));
        }
        all
    }
}

/// How much of the signal is explained at eight points: their covariances b with those that were seen are solved by a Cholesky factor R, R^T x = b, and the
/// squares of each x added up.
struct Explained<'a> {
    n: usize,
    factor: &'a [f64],
    b: &'a mut [[f64; WIDTH]],
}

impl Kernel for Explained<'_> {
    type Out = [f64; WIDTH];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [f64; WIDTH] {
        explained::<L::Double>(self.n, self.factor, self.b)
    }
}

#[inline(always)]
fn explained<D: Doubles>(n: usize, r: &[f64], b: &mut [[f64; WIDTH]]) -> [f64; WIDTH] {
    let whole = n - n % 4;
    for k in (0..whole).step_by(4) {
        let rows: [&[f64]; 4] = std::array::from_fn(|m| &r[(k + m) * n..(k + m + 1) * n]);
        let mut x = [D::splat(0.0); 4];
        for m in 0..4 {
            let mut rest = D::of(&b[k + m]);
            for j in 0..m {
                rest = rest.sub(x[j].mul(D::splat(rows[j][k + m])));
            }
            x[m] = rest.div(D::splat(rows[m][k + m]));
            x[m].put(&mut b[k + m]);
        }
        let [a, c, e, f] = rows.map(|row| &row[k + 4..]);
        for ((((b, a), c), e), f) in b[k + 4..n].iter_mut().zip(a).zip(c).zip(e).zip(f) {
            let rest = D::of(b).sub(x[0].mul(D::splat(*a))).sub(x[1].mul(D::splat(*c)));
            rest.sub(x[2].mul(D::splat(*e))).sub(x[3].mul(D::splat(*f))).put(b);
        }
    }
    for k in whole..n {
        let x = D::of(&b[k]).div(D::splat(r[k * n + k]));
        x.put(&mut b[k]);
        for j in k + 1..n {
            D::of(&b[j]).sub(x.mul(D::splat(r[k * n + j]))).put(&mut b[j]);
        }
    }
    // In the order of `dot`.
    let mut sums = [D::splat(0.0); 8];
    for (k, x) in b[..n].iter().enumerate() {
        let x = D::of(x);
        sums[k % 8] = sums[k % 8].add(x.mul(x));
    }
    total(sums).store()
}

#[cfg(test)]
mod tests {
    use super::super::Constants;
    use super::*;
    use crowdtune_core::math::rng::{Seed, unit};

    #[test]
    fn many_are_the_bits_of_one_by_one() {
        let mut rng = Seed(1).rng();
        let mut points =
            |n: usize| -> Vec<Vec<f64>> { (0..n).map(|_| (0..3).map(|_| unit(&mut rng)).collect()).collect() };
        let constants = Constants { lengths: vec![0.4, 0.7, 2.0], signal: 1.3, noise: 0.05 };
        for n in [1, 2, 5, 8, 31, 64] {
            let seen = points(n);
            let values: Vec<f64> = seen.iter().map(|p| libm::sin(5.0 * p[0]) + p[1] * p[2]).collect();
            let process = Process::new(&constants, &[0, 1, 2], &seen, &values).unwrap();
            let (asked, mut room) = (points(19), Room::default());
            let one_by_one: Vec<Prediction> = asked.iter().map(|at| process.predict(at, &mut room)).collect();
            assert_eq!(process.predict_all(&asked, &mut room), one_by_one, "{n}");
            let means: Vec<f64> = one_by_one.iter().map(|it| it.mean).collect();
            assert_eq!(process.means(&asked, &mut room), means);
        }
    }
}
