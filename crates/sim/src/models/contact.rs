//! Implicit body contact: stiff springs and strong friction at steps of 10 ms and more.
//!
//! One step solves for velocities v' with
//!
//! m_i (1 + dt/tau) v'_i + sum_j G_ij (v'_i - v'_j) = m_i v_i + dt (m_i v0 e / tau + f_i),
//! G_ij = dt kappa g t t^T + dt^2 k n n^T,
//!
//! the backward Euler step of drive, sliding friction and body force, with forces f_i at the old positions. G is
//! symmetric and the same for both people, so momentum is kept and friction cannot add energy, at any step. The
//! matrix is symmetric positive definite: conjugate gradients, preconditioned by its 2x2 diagonal blocks, solve it.

use crowdtune_core::math::{Vec2, vec2};

/// A symmetric 2x2 matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Block {
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Block {
    /// `s` times the unit matrix.
    pub fn scaled_unit(s: f64) -> Self {
        Self { xx: s, xy: 0.0, yy: s }
    }

    /// `along` n n^T + `across` t t^T for a unit vector n and its normal t.
    #[inline(always)]
    pub fn of_normal(n: Vec2, along: f64, across: f64) -> Self {
        let (nxx, nxy, nyy) = (n.x * n.x, n.x * n.y, n.y * n.y);
        Self { xx: along * nxx + across * nyy, xy: (along - across) * nxy, yy: along * nyy + across * nxx }
    }

    /// Adds another one.
    pub fn add(&mut self, o: Self) {
        self.xx += o.xx;
        self.xy += o.xy;
        self.yy += o.yy;
    }

    /// True if all entries are 0.
    #[inline]
    pub fn is_null(&self) -> bool {
        self.xx == 0.0 && self.xy == 0.0 && self.yy == 0.0
    }

    /// Product with a vector.
    #[inline]
    pub fn times(self, v: Vec2) -> Vec2 {
        vec2(self.xx * v.x + self.xy * v.y, self.xy * v.x + self.yy * v.y)
    }

    /// The inverse of a positive definite block.
    fn inverse(self) -> Self {
        let per_det = 1.0 / (self.xx * self.yy - self.xy * self.xy);
        Self { xx: self.yy * per_det, xy: -self.xy * per_det, yy: self.xx * per_det }
    }
}

/// Two people in touch: the place of the other one and the block G.
#[derive(Clone, Copy, Debug)]
struct Link {
    other: u32,
    block: Block,
}

/// A row with links: a person in contact.
#[derive(Clone, Copy, Debug)]
struct Row {
    place: u32,
    /// Where its links end.
    end: u32,
    diagonal: Block,
    /// Inverse of the diagonal block, the preconditioner.
    inverse: Block,
    right: Vec2,
}

/// The linear system of one step. A *place* is an index of the caller's column of velocities, which may have any order; sums run in the order in which
/// rows and links were added. Buffers are reused.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Rows with links; rows without are solved as they are added.
    rows: Vec<Row>,
    /// By place while rows are added, by row while they are solved.
    links: Vec<Link>,
    /// The row of a place; [`NO_ROW`] between two solutions.
    row_of: Vec<u32>,
    /// By row.
    velocity: Vec<Vec2>,
    search: Vec<Vec2>,
    residual: Vec<Vec2>,
    product: Vec<Vec2>,
}

/// Where a place has no row.
const NO_ROW: u32 = u32::MAX;
/// Most iterations; jams of a thousand people take about twenty.
const MOST_ITERATIONS: usize = 100;
/// Relative preconditioned residual at which to stop: velocities are good to 1e-7 m/s.
const ACCURACY: f64 = 1e-8;

impl System {
    /// Starts a new step.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.links.clear();
    }

    /// Adds a link to the current row: the other's place and G.
    pub fn link(&mut self, other: usize, block: Block) {
        self.links.push(Link { other: other as u32, block });
    }

    /// True if the current row has no link yet.
    pub fn is_alone(&self) -> bool {
        self.rows.last().map_or(0, |row| row.end as usize) == self.links.len()
    }

    /// Finishes the row of a place with its diagonal block (without the links) and its right-hand side. Gives the solution of a row without links; that
    /// of a row with links comes with all of them ([`System::solve`]).
    #[inline]
    pub fn row(&mut self, place: usize, diagonal: Block, right: Vec2) -> Option<Vec2> {
        let from = self.rows.last().map_or(0, |row| row.end as usize);
        if from != self.links.len() {
            self.row_in_touch(from, place, diagonal, right);
            return None;
        }
        Some(diagonal.inverse().times(right))
    }

    fn row_in_touch(&mut self, from: usize, place: usize, mut diagonal: Block, right: Vec2) {
        for link in &self.links[from..] {
            diagonal.add(link.block);
        }
        let (place, end) = (place as u32, self.links.len() as u32);
        let inverse = diagonal.inverse();
        self.rows.push(Row { place, end, diagonal, inverse, right });
    }

    /// Solves for the velocities of the rows with links. At their places `velocity` has where the search begins, the old velocities; at the others
    /// what those who are linked to somebody there take as given.
    pub fn solve(&mut self, velocity: &mut [Vec2]) {
        if self.rows.is_empty() {
            return;
        }
        self.couple(velocity);
        let Self { rows, links, velocity: v, search, residual, product, .. } = self;
        let n = rows.len();
        let (rows, v, search) = (&rows[..n], &mut v[..n], &mut search[..n]);
        let (residual, product) = (&mut residual[..n], &mut product[..n]);
        multiply(rows, links, v, product);
        let mut rho = 0.0;
        for k in 0..n {
            residual[k] = rows[k].right - product[k];
            search[k] = rows[k].inverse.times(residual[k]);
            rho += residual[k].dot(search[k]);
        }
        let stop = rho * ACCURACY * ACCURACY;
        for _ in 0..MOST_ITERATIONS {
            if rho <= stop || rho <= f64::MIN_POSITIVE {
                break;
            }
            let curvature = multiply(rows, links, search, product);
            let alpha = rho / curvature;
            let mut next = 0.0;
            for k in 0..n {
                v[k] += search[k] * alpha;
                residual[k] -= product[k] * alpha;
                product[k] = rows[k].inverse.times(residual[k]);
                next += residual[k].dot(product[k]);
            }
            let beta = next / rho;
            rho = next;
            for (way, product) in search.iter_mut().zip(&*product) {
                *way = *product + *way * beta;
            }
        }
        for (row, v) in rows.iter().zip(v) {
            velocity[row.place as usize] = *v;
            self.row_of[row.place as usize] = NO_ROW;
        }
    }

    /// Turns the places of links into rows, and takes the velocities to begin with.
    fn couple(&mut self, velocity: &[Vec2]) {
        let Self { rows, links, row_of, .. } = self;
        row_of.resize(velocity.len().max(row_of.len()), NO_ROW);
        for (k, row) in rows.iter().enumerate() {
            row_of[row.place as usize] = k as u32;
        }
        let mut from = 0;
        for (k, row) in rows.iter_mut().enumerate() {
            for link in &mut links[from..row.end as usize] {
                let other = link.other as usize;
                link.other = row_of[other];
                if link.other == NO_ROW {
                    row.right += link.block.times(velocity[other]);
                    *link = Link { other: k as u32, block: Block::default() };
                }
            }
            from = row.end as usize;
        }
        let n = rows.len();
        self.velocity.clear();
        self.velocity.extend(rows.iter().map(|row| velocity[row.place as usize]));
        for column in [&mut self.search, &mut self.residual, &mut self.product] {
            column.resize(n.max(column.len()), Vec2::ZERO);
        }
    }
}

/// Multiplies the matrix by a vector. Gives the product of the result with the vector.
fn multiply(rows: &[Row], links: &[Link], v: &[Vec2], product: &mut [Vec2]) -> f64 {
    let (mut from, mut curvature) = (0, 0.0);
    for ((row, way), product) in rows.iter().zip(v).zip(product) {
        let mut sum = row.diagonal.times(*way);
        for link in &links[from..row.end as usize] {
            sum -= link.block.times(v[link.other as usize]);
        }
        *product = sum;
        curvature += way.dot(sum);
        from = row.end as usize;
    }
    curvature
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Kinetic energy of unit masses.
    fn energy(v: &[Vec2]) -> f64 {
        v.iter().map(|v| 0.5 * v.length2()).sum()
    }

    #[test]
    fn two_people_slide_to_a_common_speed() {
        // Unit masses, friction block 3 across n = y: u' = u / (1 + 2 * 3), the mean stays.
        let block = Block::of_normal(vec2(0.0, 1.0), 0.0, 3.0);
        let before = [vec2(1.0, 0.2), vec2(0.0, 0.2)];
        let (mut system, mut v) = (System::default(), before);
        for (place, old) in before.into_iter().enumerate() {
            system.link(1 - place, block);
            assert_eq!(system.row(place, Block::scaled_unit(1.0), old), None);
        }
        system.solve(&mut v);
        assert!((v[0].x - v[1].x - 1.0 / 7.0).abs() < 1e-9);
        assert!((v[0].x + v[1].x - 1.0).abs() < 1e-9);
        assert!((v[0].y - 0.2).abs() < 1e-12);
    }

    #[test]
    fn who_has_no_row_keeps_a_velocity_that_acts() {
        // (1 + 3) v = 1 * 1 + 3 * (-1) across n = y.
        let block = Block::of_normal(vec2(0.0, 1.0), 0.0, 3.0);
        let (mut system, mut v) = (System::default(), [vec2(-1.0, 0.5), vec2(1.0, 0.5)]);
        system.link(0, block);
        assert_eq!(system.row(1, Block::scaled_unit(1.0), v[1]), None);
        system.solve(&mut v);
        assert_eq!(v[0], vec2(-1.0, 0.5));
        assert!((v[1] - vec2(-0.5, 0.5)).length() < 1e-9, "{:?}", v[1]);
    }

    proptest! {
        #[test]
        fn friction_keeps_momentum_and_never_adds_energy(
            people in prop::collection::vec((-3.0..3.0_f64, -3.0..3.0_f64), 2..30),
            pairs in prop::collection::vec((0usize..30, 0usize..30, 0.0..std::f64::consts::TAU, 0.0..50.0_f64), 0..90),
        ) {
            let n = people.len();
            let before: Vec<Vec2> = people.iter().map(|&(x, y)| vec2(x, y)).collect();
            let mut links: Vec<Vec<(usize, Block)>> = vec![Vec::new(); n];
            for (i, j, angle, strength) in pairs {
                let (i, j) = (i % n, j % n);
                if i != j {
                    let normal = vec2(libm::cos(angle), libm::sin(angle));
                    let block = Block::of_normal(normal, 0.1 * strength, strength);
                    links[i].push((j, block));
                    links[j].push((i, block));
                }
            }
            let (mut system, mut v) = (System::default(), before.clone());
            for (place, row) in links.iter().enumerate() {
                for &(other, block) in row {
                    system.link(other, block);
                }
                if let Some(alone) = system.row(place, Block::scaled_unit(1.0), before[place]) {
                    prop_assert_eq!(alone, before[place]);
                }
            }
            system.solve(&mut v);
            prop_assert!(energy(&v) <= energy(&before) * (1.0 + 1e-6));
            let sum = |v: &[Vec2]| v.iter().fold(Vec2::ZERO, |a, &b| a + b);
            // The blocks reach 150, so the first residual is some hundred m/s: times 1e-8 and the root of 30 rows.
            prop_assert!((sum(&v) - sum(&before)).length() < 2e-4);
        }
    }
}
