//! Contact solved implicitly: stiff springs and strong friction at steps of 10 ms and more.
//!
//! One step asks for velocities v' with
//!
//! m_i (1 + dt/tau) v'_i + sum_j G_ij (v'_i - v'_j) = m_i v_i + dt (m_i v0 e / tau + f_i),
//! G_ij = dt kappa g t t^T + dt^2 k n n^T,
//!
//! the backward Euler step of drive, sliding friction and body force, with forces f_i at the old positions. G is
//! symmetric and the same for both people, so momentum is kept and friction cannot add energy, at any step. The
//! matrix is symmetric positive definite: conjugate gradients, preconditioned by its 2x2 diagonal blocks, solve it.

use crate::math::{Vec2, vec2};

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

    /// Product with a vector.
    pub fn times(self, v: Vec2) -> Vec2 {
        vec2(self.xx * v.x + self.xy * v.y, self.xy * v.x + self.yy * v.y)
    }

    /// The inverse of a positive definite block.
    fn inverse(self) -> Self {
        let det = self.xx * self.yy - self.xy * self.xy;
        Self { xx: self.yy / det, xy: -self.xy / det, yy: self.xx / det }
    }
}

/// Two people in touch: the slot of the other one and the block G.
#[derive(Clone, Copy, Debug)]
struct Link {
    other: u32,
    block: Block,
}

/// The linear system of one step, row by row in slot order; its memory is used again.
#[derive(Clone, Debug, Default)]
pub struct System {
    diagonal: Vec<Block>,
    right: Vec<Vec2>,
    end: Vec<u32>,
    links: Vec<Link>,
    touching: Vec<u32>,
    residual: Vec<Vec2>,
    search: Vec<Vec2>,
    product: Vec<Vec2>,
    inverse: Vec<Block>,
}

/// Iterations stop here; jams of a thousand people take about twenty.
const MOST_ITERATIONS: usize = 100;
/// Relative size of the preconditioned residual at which the solution is taken: velocities to 1e-7 m/s.
const ACCURACY: f64 = 1e-8;

impl System {
    /// Starts a new step.
    pub fn clear(&mut self) {
        self.diagonal.clear();
        self.right.clear();
        self.end.clear();
        self.links.clear();
    }

    /// Adds a link of the row that is being made: the other's slot and G.
    pub fn link(&mut self, other: usize, block: Block) {
        self.links.push(Link { other: other as u32, block });
    }

    /// Ends the row: its diagonal block without the links, and its right-hand side.
    pub fn row(&mut self, mut diagonal: Block, right: Vec2) {
        let from = self.end.last().map_or(0, |&e| e as usize);
        for link in &self.links[from..] {
            diagonal.add(link.block);
        }
        self.diagonal.push(diagonal);
        self.right.push(right);
        self.end.push(self.links.len() as u32);
    }

    fn links_of(&self, slot: usize) -> &[Link] {
        let from = if slot == 0 { 0 } else { self.end[slot - 1] as usize };
        &self.links[from..self.end[slot] as usize]
    }

    /// A v for the rows in touch, written to `out`; for the others nothing.
    fn multiply(&self, v: &[Vec2], out: &mut [Vec2]) {
        for &slot in &self.touching {
            let slot = slot as usize;
            let mut sum = self.diagonal[slot].times(v[slot]);
            for link in self.links_of(slot) {
                sum -= link.block.times(v[link.other as usize]);
            }
            out[slot] = sum;
        }
    }

    fn dot(&self, a: &[Vec2], b: &[Vec2]) -> f64 {
        self.touching.iter().map(|&s| a[s as usize].dot(b[s as usize])).sum()
    }

    /// Solves for the velocities; `velocity` holds the old ones and is overwritten.
    pub fn solve(&mut self, velocity: &mut [Vec2]) {
        let n = self.diagonal.len();
        self.touching.clear();
        for (slot, v) in velocity.iter_mut().enumerate().take(n) {
            if self.links_of(slot).is_empty() {
                *v = self.diagonal[slot].inverse().times(self.right[slot]);
            } else {
                self.touching.push(slot as u32);
            }
        }
        if self.touching.is_empty() {
            return;
        }
        let mut residual = std::mem::take(&mut self.residual);
        let mut search = std::mem::take(&mut self.search);
        let mut product = std::mem::take(&mut self.product);
        residual.resize(n, Vec2::ZERO);
        search.resize(n, Vec2::ZERO);
        product.resize(n, Vec2::ZERO);
        self.inverse.clear();
        self.inverse.extend(self.diagonal.iter().map(|d| d.inverse()));

        self.multiply(velocity, &mut residual);
        for &s in &self.touching {
            let s = s as usize;
            residual[s] = self.right[s] - residual[s];
            search[s] = self.inverse[s].times(residual[s]);
        }
        let mut rho = self.dot(&residual, &search);
        let stop = rho * ACCURACY * ACCURACY;
        for _ in 0..MOST_ITERATIONS {
            if rho <= stop || rho <= f64::MIN_POSITIVE {
                break;
            }
            self.multiply(&search, &mut product);
            let alpha = rho / self.dot(&search, &product);
            let mut next = 0.0;
            for &s in &self.touching {
                let s = s as usize;
                velocity[s] += search[s] * alpha;
                residual[s] -= product[s] * alpha;
                product[s] = self.inverse[s].times(residual[s]);
                next += residual[s].dot(product[s]);
            }
            let beta = next / rho;
            rho = next;
            for &s in &self.touching {
                let s = s as usize;
                search[s] = product[s] + search[s] * beta;
            }
        }
        (self.residual, self.search, self.product) = (residual, search, product);
    }
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
        let mut system = System::default();
        let mut v = vec![vec2(1.0, 0.2), vec2(0.0, 0.2)];
        for (slot, other) in [(0, 1), (1, 0)] {
            system.link(other, block);
            system.row(Block::scaled_unit(1.0), v[slot]);
        }
        system.solve(&mut v);
        assert!((v[0].x - v[1].x - 1.0 / 7.0).abs() < 1e-9);
        assert!((v[0].x + v[1].x - 1.0).abs() < 1e-9);
        assert!((v[0].y - 0.2).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn friction_keeps_momentum_and_never_adds_energy(
            people in prop::collection::vec((-3.0..3.0_f64, -3.0..3.0_f64), 2..30),
            pairs in prop::collection::vec((0usize..30, 0usize..30, 0.0..std::f64::consts::TAU, 0.0..50.0_f64), 0..90),
        ) {
            let n = people.len();
            let mut v: Vec<Vec2> = people.iter().map(|&(x, y)| vec2(x, y)).collect();
            let before = v.clone();
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
            let mut system = System::default();
            for (slot, row) in links.iter().enumerate() {
                for &(other, block) in row {
                    system.link(other, block);
                }
                system.row(Block::scaled_unit(1.0), v[slot]);
            }
            system.solve(&mut v);
            prop_assert!(energy(&v) <= energy(&before) * (1.0 + 1e-6));
            let sum = |v: &[Vec2]| v.iter().fold(Vec2::ZERO, |a, &b| a + b);
            // The blocks reach 150, so the first residual is some hundred m/s: times 1e-8 and the root of 30 rows.
            prop_assert!((sum(&v) - sum(&before)).length() < 2e-4);
        }
    }
}
