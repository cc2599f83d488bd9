//! A regularised quadratic model of the loss around a place, and its minimum where one combination of coordinates is held.

use crate::sensitivity::valley::terms;
use crowdtune_core::math::least_squares::LeastSquares;

/// Up to this many coordinates the model has every product of two, beyond it squares only. Chosen here: 91 terms, which a log of a
/// few hundred rows still determines.
const FULL: usize = 12;
/// Rows per term that count fully, where there are as many. Chosen here.
const LEAST: usize = 3;
/// How much is known of a term before the first row: it is 0, says this share of a row. Chosen here: it decides only where rows
/// say nothing.
const PRIOR: f64 = 0.01;
/// Sweeps over the coordinates in search of the minimum. Chosen here: a few microseconds.
const SWEEPS: usize = 400;
/// How far the minimum may lie from where rows are, in their standard deviations. Chosen here: beyond it the model guesses.
const TRUST: f64 = 2.0;

/// A point with its loss. Losses of the two sets ran on different seeds and differ by a constant.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub x: Vec<f64>,
    pub loss: f64,
    /// True for a row of the profiles, false for one of the search.
    pub fresh: bool,
}

/// Where on a line of the cube: `way` times the distance from `from` is `at`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held<'a> {
    pub from: &'a [f64],
    /// Of length 1.
    pub way: &'a [f64],
    pub at: f64,
}

impl Held<'_> {
    /// How far along a point lies.
    pub fn along(&self, x: &[f64]) -> f64 {
        along(self.way, self.from, x)
    }

    /// The nearest point of the cube that is held here; `None` if there is none.
    pub fn project(&self, x: &[f64]) -> Option<Vec<f64>> {
        let mut x = x.to_vec();
        for _ in 0..100 {
            let off = self.at - self.along(&x);
            if off.abs() <= 1e-12 {
                return Some(x);
            }
            // Coordinates at an end of their range cannot follow.
            let free = |x: f64, w: f64| !(x <= 0.0 && off * w < 0.0 || x >= 1.0 && off * w > 0.0);
            let room: f64 = x.iter().zip(self.way).filter(|(x, w)| free(**x, **w)).map(|(_, w)| w * w).sum();
            if room <= 0.0 {
                return None;
            }
            for (x, w) in x.iter_mut().zip(self.way) {
                if free(*x, *w) {
                    *x = (*x + off * w / room).clamp(0.0, 1.0);
                }
            }
        }
        None
    }
}

/// How far a point lies along a way.
pub(super) fn along(way: &[f64], from: &[f64], x: &[f64]) -> f64 {
    way.iter().zip(x).zip(from).map(|((w, x), f)| w * (x - f)).sum()
}

/// The model, in coordinates of the cube about `at`.
#[derive(Clone, Debug)]
pub(super) struct Quadratic {
    at: Vec<f64>,
    slope: Vec<f64>,
    /// Second derivatives, row-major.
    pub bend: Vec<f64>,
    /// Spread of the rows.
    pub reach: Vec<f64>,
}

impl Quadratic {
    /// Fits the rows around `at`; those near the held place count more, and those whose losses are within `height` of the best of
    /// their set. `None` with too few rows.
    pub fn fit(rows: &[Row], at: &[f64], held: Option<Held<'_>>, height: f64) -> Option<Self> {
        let n = at.len();
        let full = n <= FULL;
        let count = if full { terms(n) } else { 2 * n + 1 };
        let weight = weights(rows, held, height, LEAST * count);
        let whole: f64 = weight.iter().sum();
        if rows.len() < n + 2 || whole <= 0.0 {
            return None;
        }
        let reach: Vec<f64> = (0..n)
            .map(|j| {
                let square = |(row, w): (&Row, &f64)| w * (row.x[j] - at[j]) * (row.x[j] - at[j]);
                (rows.iter().zip(&weight).map(square).sum::<f64>() / whole).sqrt().max(1e-6)
            })
            .collect();
        let base = rows.iter().map(|row| row.loss).fold(f64::INFINITY, f64::min);
        let size = rows.iter().zip(&weight).map(|(row, w)| w * (row.loss - base) * (row.loss - base)).sum::<f64>();
        let size = (size / whole).sqrt().max(f64::MIN_POSITIVE);
        let columns = |row: &Row| {
            let z: Vec<f64> = (0..n).map(|j| (row.x[j] - at[j]) / reach[j]).collect();
            let mut out = vec![1.0, f64::from(u8::from(row.fresh))];
            out.extend(&z);
            for i in 0..n {
                let to = if full { n } else { i + 1 };
                out.extend((i..to).map(|j| z[i] * z[j] * if i == j { 0.5 } else { 1.0 }));
            }
            out
        };
        let mut fit = LeastSquares::default();
        fit.start(count + 1);
        for (row, w) in rows.iter().zip(&weight) {
            let root = w.sqrt();
            fit.push(columns(row).into_iter().map(|x| x * root), (row.loss - base) / size * root);
        }
        let root = PRIOR.sqrt();
        for term in 1..=count {
            fit.push((0..=count).map(|k| if k == term { root } else { 0.0 }), 0.0);
        }
        let mut model = Vec::new();
        if !fit.solve(1e-9, &mut model) {
            return None;
        }
        let mut bend = vec![0.0; n * n];
        let mut term = 2 + n;
        for i in 0..n {
            for j in i..if full { n } else { i + 1 } {
                bend[i * n + j] = size * model[term] / (reach[i] * reach[j]);
                bend[j * n + i] = bend[i * n + j];
                term += 1;
            }
        }
        let slope = (0..n).map(|i| size * model[2 + i] / reach[i]).collect();
        Some(Self { at: at.to_vec(), slope, bend, reach })
    }

    /// By how much the model rises from one point to another.
    pub fn rise(&self, from: &[f64], to: &[f64]) -> f64 {
        self.value(to) - self.value(from)
    }

    fn value(&self, x: &[f64]) -> f64 {
        let n = x.len();
        let d: Vec<f64> = x.iter().zip(&self.at).map(|(x, a)| x - a).collect();
        (0..n).map(|i| d[i] * (self.slope[i] + 0.5 * (0..n).map(|j| self.bend[i * n + j] * d[j]).sum::<f64>())).sum()
    }

    /// The minimum of the model among the points that are held there, near `start`, which is one of them: by descent along one
    /// coordinate after the other while the one that takes most part in the way makes up for it.
    pub fn lowest(&self, held: Held<'_>, start: &[f64]) -> Vec<f64> {
        let n = start.len();
        let mut x = start.to_vec();
        let low: Vec<f64> = (0..n).map(|i| (start[i] - TRUST * self.reach[i]).max(0.0)).collect();
        let high: Vec<f64> = (0..n).map(|i| (start[i] + TRUST * self.reach[i]).min(1.0)).collect();
        let pivot = (0..n).fold(0, |m, i| if held.way[i].abs() > held.way[m].abs() { i } else { m });
        let mut slope: Vec<f64> = (0..n)
            .map(|i| self.slope[i] + (0..n).map(|j| self.bend[i * n + j] * (x[j] - self.at[j])).sum::<f64>())
            .collect();
        for _ in 0..SWEEPS {
            let mut moved = 0.0_f64;
            for i in (0..n).filter(|&i| i != pivot) {
                let ratio = held.way[i] / held.way[pivot];
                let down = slope[i] - ratio * slope[pivot];
                let bend = self.bend[i * n + i] - 2.0 * ratio * self.bend[i * n + pivot]
                    + ratio * ratio * self.bend[pivot * n + pivot];
                let (mut least, mut most) = (low[i] - x[i], high[i] - x[i]);
                if ratio != 0.0 {
                    let ends = [(x[pivot] - low[pivot]) / ratio, (x[pivot] - high[pivot]) / ratio];
                    least = least.max(ends[0].min(ends[1]));
                    most = most.min(ends[0].max(ends[1]));
                }
                if most <= least {
                    continue;
                }
                let step = if bend > 0.0 {
                    (-down / bend).clamp(least, most)
                } else if down * least + 0.5 * bend * least * least < down * most + 0.5 * bend * most * most {
                    least
                } else {
                    most
                };
                x[i] += step;
                x[pivot] -= ratio * step;
                for (j, slope) in slope.iter_mut().enumerate() {
                    *slope += step * (self.bend[j * n + i] - ratio * self.bend[j * n + pivot]);
                }
                moved = moved.max(step.abs());
            }
            if moved < 1e-9 {
                break;
            }
        }
        x.iter_mut().for_each(|x| *x = x.clamp(0.0, 1.0));
        x
    }
}

/// How much each row counts: half of it where its loss is `height` above the best of its set, and half where it lies as far from
/// the held place as the `enough` nearest ones; `height` is raised until that many rows are within it.
fn weights(rows: &[Row], held: Option<Held<'_>>, height: f64, enough: usize) -> Vec<f64> {
    let best =
        |fresh: bool| rows.iter().filter(|row| row.fresh == fresh).map(|row| row.loss).fold(f64::INFINITY, f64::min);
    let best = [best(false), best(true)];
    let above: Vec<f64> = rows.iter().map(|row| row.loss - best[usize::from(row.fresh)]).collect();
    let height = height.max(ranked(&above, enough)).max(f64::MIN_POSITIVE);
    let far: Vec<f64> = match held {
        Some(held) => rows.iter().map(|row| (held.along(&row.x) - held.at).abs()).collect(),
        None => vec![0.0; rows.len()],
    };
    let near = ranked(&far, enough).max(held.map_or(0.0, |held| held.at.abs())).max(1e-9);
    let share = |x: f64| 1.0 / (1.0 + x * x);
    above.iter().zip(&far).map(|(above, far)| share(above / height) * share(far / near)).collect()
}

/// The value that `count` of them do not exceed, or the largest.
fn ranked(values: &[f64], count: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(count.min(sorted.len()).saturating_sub(1)).copied().unwrap_or(0.0)
}
