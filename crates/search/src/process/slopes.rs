//! Slopes of a prediction: eight numbers of a point side by side, the points that were seen one after the other.

use super::{Half, Prediction, Process, Room, eights};
use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::lanes::{Kernel, Lanes, WIDTH, run};

/// A prediction, and the slopes of its mean and its variance along each number of the point.
#[derive(Clone, Debug)]
pub(crate) struct Sloped {
    pub it: Prediction,
    pub of_mean: Vec<f64>,
    pub of_variance: Vec<f64>,
}

impl Process {
    /// As [`Process::predict`], with slopes.
    pub fn with_slopes(&self, point: &[f64], room: &mut Room) -> Sloped {
        let it = self.predict(point, room);
        run(Half::<true> { n: self.n, factor: &self.factor, b: &mut room.solved });
        let [of_mean, of_variance] = run(Slopes { process: self, room });
        Sloped { it, of_mean, of_variance }
    }
}

/// Slopes of mean and variance at the room's point, which holds the solution of its covariances.
struct Slopes<'a> {
    process: &'a Process,
    room: &'a Room,
}

impl Kernel for Slopes<'_> {
    type Out = [Vec<f64>; 2];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [Vec<f64>; 2] {
        let Self { process: Process { n, rows, scale, weights, .. }, room } = self;
        let (points, scales) = (eights(&room.point), eights(scale));
        let (slopes, solved, weights) = (&room.slopes[..*n], &room.solved[..*n], &weights[..*n]);
        let mut sums = [const { Vec::new() }; 2];
        for (eight, (point, scale)) in points.iter().zip(&scales).enumerate() {
            let (point, scale) = (L::Double::of(point), L::Double::of(scale));
            let [mut of_mean, mut of_variance] = [L::Double::splat(0.0); 2];
            for (i, row) in rows[eight..].iter().step_by(points.len()).enumerate() {
                let along = L::Double::splat(slopes[i]).mul(point.sub(L::Double::of(row))).mul(scale);
                of_mean = of_mean.add(L::Double::splat(weights[i]).mul(along));
                of_variance = of_variance.add(L::Double::splat(-2.0 * solved[i]).mul(along));
            }
            let width = WIDTH.min(room.point.len() - eight * WIDTH);
            sums[0].extend_from_slice(&of_mean.store()[..width]);
            sums[1].extend_from_slice(&of_variance.store()[..width]);
        }
        sums
    }
}
