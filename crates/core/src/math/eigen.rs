//! Eigenvectors of symmetric matrices.
//!
//! Matrices are row-major slices of `n * n` numbers. Everything is + - * / and square roots in one fixed order, so the bits
//! are the same on every CPU.

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
    }
}
