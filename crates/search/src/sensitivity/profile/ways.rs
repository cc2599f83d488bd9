//! Along which directions profiles go.

use super::quadratic::{Quadratic, Row};
use super::{GAP, HEIGHT, ROWS};
use crowdtune_core::math::eigen::eigen;

/// Number of directions of several parameters. Chosen here: each takes as many simulations as a parameter.
const FLAT: usize = 2;
/// A parameter takes part in a direction if its component is at least this share of the largest. Chosen here: a quarter is
/// seen in a plot.
pub const TAKES_PART: f64 = 0.25;

/// The directions to go along: those of several parameters in which a quadratic model of the search is flattest (the second only if
/// the model lets it go far), then every parameter by itself.
pub fn ways(best: &[f64], search: &[(Vec<f64>, f64)], threshold: f64) -> Vec<Vec<f64>> {
    let n = best.len();
    let mut rows: Vec<Row> = search.iter().map(|(x, loss)| Row { x: x.clone(), loss: *loss, fresh: false }).collect();
    rows.sort_by(|a, b| a.loss.total_cmp(&b.loss));
    rows.truncate(ROWS);
    let mut out: Vec<Vec<f64>> = Vec::new();
    if let Some(model) = Quadratic::fit(&rows, best, None, HEIGHT * threshold) {
        let (mut ways, mut values) = (model.bend, vec![0.0; n]);
        eigen(n, &mut ways, &mut values);
        for (way, value) in ways.chunks_exact(n).zip(values) {
            let longest = way.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let several = way.iter().filter(|x| x.abs() > TAKES_PART * longest).count() > 1;
            let flat = 0.5 * value * (GAP / longest) * (GAP / longest) <= threshold;
            if several && (out.is_empty() || flat) && out.len() < FLAT {
                // The first that takes part rises.
                let first = way.iter().find(|x| x.abs() > TAKES_PART * longest).copied().unwrap_or(1.0);
                out.push(way.iter().map(|x| x * first.signum()).collect());
            }
        }
    }
    out.extend((0..n).map(|j| (0..n).map(|i| f64::from(u8::from(i == j))).collect()));
    out
}
