//! What a widened error does to the parameters, taken back by a local regression.

use crowdtune_core::math::linear::{cholesky, solve_transposed, solve_upper};

/// The points moved to where they would be without the shifts of their statistics: each parameter is fitted by a plane in the shifts, with
/// the weights of the points, and the plane is subtracted. A ridge of as many points as there are slopes keeps few points from fitting
/// chance.
pub(super) fn adjusted(points: &[&[f64]], weights: &[f64], shifts: &[Vec<f64>], effective: f64) -> Vec<Vec<f64>> {
    let mut moved: Vec<Vec<f64>> = points.iter().map(|p| p.to_vec()).collect();
    let count = shifts.first().map_or(0, Vec::len);
    // Where nothing was widened there is nothing to take back.
    if shifts.iter().flatten().all(|&shift| shift == 0.0) {
        return moved;
    }
    let dim = points[0].len();
    let mean = |of: &dyn Fn(usize) -> f64| -> f64 { weights.iter().enumerate().map(|(i, w)| w * of(i)).sum() };
    let middle: Vec<f64> = (0..count).map(|k| mean(&|i| shifts[i][k])).collect();
    let scale: Vec<f64> = (0..count)
        .map(|k| {
            let variance = mean(&|i| (shifts[i][k] - middle[k]) * (shifts[i][k] - middle[k]));
            if variance > 0.0 { 1.0 / variance.sqrt() } else { 0.0 }
        })
        .collect();
    let standard = |i: usize, k: usize| (shifts[i][k] - middle[k]) * scale[k];
    let mut root = vec![0.0; count * count];
    for (i, weight) in weights.iter().enumerate() {
        for row in 0..count {
            let x = weight * standard(i, row);
            for column in row..count {
                root[row * count + column] += x * standard(i, column);
            }
        }
    }
    (0..count).for_each(|k| root[k * count + k] += count as f64 / effective);
    if !cholesky(count, &mut root) {
        return moved;
    }
    for d in 0..dim {
        let center = mean(&|i| points[i][d]);
        let mut slopes: Vec<f64> = (0..count).map(|k| mean(&|i| standard(i, k) * (points[i][d] - center))).collect();
        solve_transposed(count, &root, &mut slopes);
        solve_upper(count, &root, &mut slopes);
        for (point, shift) in moved.iter_mut().zip(shifts) {
            point[d] -= (0..count).map(|k| slopes[k] * shift[k] * scale[k]).sum::<f64>();
        }
    }
    moved
}
