//! Helbing, Farkas, Vicsek, Nature 407, 487 (2000): drive, repulsion, body contact and sliding friction.

use super::crowd::{Cells, Person, parting};
use super::place::{Place, Vec2};

/// Constants of a group, with the keys of the preset.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    pub repulsion_strength_n: f64,
    pub repulsion_range_m: f64,
    pub wall_repulsion: bool,
    pub wall_repulsion_strength_n: f64,
    pub wall_repulsion_range_m: f64,
    pub body_stiffness_kg_per_s2: f64,
    pub sliding_friction_kg_per_m_s: f64,
    pub relaxation_time_s: f64,
    pub anisotropy: f64,
    pub negligible_m_per_s2: f64,
}

/// A symmetric matrix of two rows.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Block {
    /// `along` n n^T + `across` t t^T, t the normal of n.
    fn of(n: Vec2, along: f64, across: f64) -> Self {
        let (nxx, nxy, nyy) = (n.x * n.x, n.x * n.y, n.y * n.y);
        Self { xx: along * nxx + across * nyy, xy: (along - across) * nxy, yy: along * nyy + across * nxx }
    }

    fn add(&mut self, o: Self) {
        self.xx += o.xx;
        self.xy += o.xy;
        self.yy += o.yy;
    }

    fn times(self, v: Vec2) -> Vec2 {
        Vec2 { x: self.xx * v.x + self.xy * v.y, y: self.xy * v.x + self.yy * v.y }
    }

    fn inverse(self) -> Self {
        let per = 1.0 / (self.xx * self.yy - self.xy * self.xy);
        Self { xx: self.yy * per, xy: -self.xy * per, yy: self.xx * per }
    }
}

/// Two people in contact.
#[derive(Clone, Copy, Debug)]
struct Link {
    row: usize,
    other: usize,
    block: Block,
}

/// The model.
pub struct SocialForce {
    groups: Vec<Constants>,
    /// Mass of the lightest person, kg; says which repulsion is negligible.
    min_mass: f64,
    links: Vec<Link>,
    /// By row: matrix, right side, and what solving needs.
    diagonal: Vec<Block>,
    inverse: Vec<Block>,
    right: Vec<Vec2>,
    residual: Vec<Vec2>,
    product: Vec<Vec2>,
    search: Vec<Vec2>,
}

/// Gap between bodies beyond which a repulsion is negligible, m.
fn felt(strength: f64, range: f64, min_mass: f64, negligible: f64) -> f64 {
    if strength <= 0.0 { 0.0 } else { (range * (strength / min_mass / negligible).ln()).max(0.0) }
}

impl SocialForce {
    /// Constants by group, for people of at least this mass.
    pub fn new(groups: Vec<Constants>, min_mass: f64) -> Self {
        let (links, diagonal, inverse) = (Vec::new(), Vec::new(), Vec::new());
        let (right, residual, product, search) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { groups, min_mass, links, diagonal, inverse, right, residual, product, search }
    }

    /// How far people feel each other, m.
    pub fn reach(&self, people: &[Person]) -> f64 {
        let widest = people.iter().fold(0.0, |r: f64, person| r.max(person.radius));
        let gap =
            |c: &Constants| felt(c.repulsion_strength_n, c.repulsion_range_m, self.min_mass, c.negligible_m_per_s2);
        2.0 * widest + self.groups.iter().map(gap).fold(0.0, f64::max)
    }

    /// Velocities of the next step: drive, friction, body force and walls are implicit.
    pub fn steer(&mut self, place: &Place, people: &[Person], cells: &Cells, dt: f64, next: &mut [Vec2]) {
        self.links.clear();
        self.diagonal.clear();
        self.right.clear();
        for i in 0..people.len() {
            self.row(place, people, cells, dt, i);
            next[i] = people[i].vel;
        }
        self.solve(next);
    }

    /// The equation of one person.
    fn row(&mut self, place: &Place, people: &[Person], cells: &Cells, dt: f64, i: usize) {
        let me = &people[i];
        let c = self.groups[me.group];
        let (stiffness, friction) =
            (self.groups[0].body_stiffness_kg_per_s2, self.groups[0].sliding_friction_kg_per_m_s);
        let feels = felt(c.repulsion_strength_n, c.repulsion_range_m, self.min_mass, c.negligible_m_per_s2);
        let (mut force, mut carried, mut block) = (Vec2::ZERO, Vec2::ZERO, Block::default());
        let links = &mut self.links;
        cells.around(me.pos, &mut |j| {
            let other = &people[j];
            let (apart, touch) = (place.apart(other.pos, me.pos), me.radius + other.radius);
            let d = apart.length();
            if j == i || d > touch + feels {
                return;
            }
            let n = if d > 1e-9 { apart * (1.0 / d) } else { parting(me.id, other.id) };
            let seen = c.anisotropy + (1.0 - c.anisotropy) * 0.5 * (1.0 - n.dot(me.way));
            let push = c.repulsion_strength_n * ((touch - d) / c.repulsion_range_m).exp() * seen;
            if d >= touch {
                force += n * push;
                return;
            }
            let overlap = touch - d;
            let soft = Block::of(n, dt * dt * push / c.repulsion_range_m, 0.0);
            block.add(soft);
            carried += soft.times(other.vel);
            force += n * (push + stiffness * overlap);
            links.push(Link { row: i, other: j, block: Block::of(n, dt * dt * stiffness, dt * friction * overlap) });
        });
        let strength = if c.wall_repulsion { c.wall_repulsion_strength_n } else { 0.0 };
        let range = c.wall_repulsion_range_m;
        let reach = me.radius + felt(strength, range, self.min_mass, c.negligible_m_per_s2);
        place.contacts(me.pos, reach, &mut |wall| {
            let overlap = me.radius - wall.distance;
            let push = strength * (overlap / range).exp();
            let (mut along, mut across) = (dt * dt * push / range, 0.0);
            force += wall.normal * push;
            if overlap > 0.0 {
                force += wall.normal * (stiffness * overlap);
                along += dt * dt * stiffness;
                across = dt * friction * overlap;
            }
            block.add(Block::of(wall.normal, along, across));
        });
        let speed = if me.walks { me.speed } else { 0.0 };
        let moved = me.vel + me.way * (speed / c.relaxation_time_s * dt);
        let inertia = me.mass * (1.0 + dt / c.relaxation_time_s);
        block.add(Block { xx: inertia, xy: 0.0, yy: inertia });
        self.diagonal.push(block);
        self.right.push(moved * me.mass + force * dt + carried);
    }

    /// Solves for the velocities by conjugate gradients, from the old ones.
    fn solve(&mut self, v: &mut [Vec2]) {
        let n = v.len();
        for link in &self.links {
            self.diagonal[link.row].add(link.block);
        }
        self.inverse.clear();
        self.inverse.extend(self.diagonal.iter().map(|block| block.inverse()));
        self.residual.resize(n, Vec2::ZERO);
        self.product.resize(n, Vec2::ZERO);
        self.search.resize(n, Vec2::ZERO);
        multiply(&self.diagonal, &self.links, v, &mut self.product);
        let mut rho = 0.0;
        for i in 0..n {
            self.residual[i] = self.right[i] - self.product[i];
            self.search[i] = self.inverse[i].times(self.residual[i]);
            rho += self.residual[i].dot(self.search[i]);
        }
        let stop = rho * 1e-26;
        for _ in 0..200 {
            if rho <= stop || rho <= 1e-300 {
                break;
            }
            multiply(&self.diagonal, &self.links, &self.search, &mut self.product);
            let mut curvature = 0.0;
            for i in 0..n {
                curvature += self.search[i].dot(self.product[i]);
            }
            let alpha = rho / curvature;
            let mut next = 0.0;
            for i in 0..n {
                v[i] += self.search[i] * alpha;
                self.residual[i] -= self.product[i] * alpha;
                self.product[i] = self.inverse[i].times(self.residual[i]);
                next += self.residual[i].dot(self.product[i]);
            }
            let beta = next / rho;
            rho = next;
            for i in 0..n {
                self.search[i] = self.product[i] + self.search[i] * beta;
            }
        }
    }
}

fn multiply(diagonal: &[Block], links: &[Link], v: &[Vec2], product: &mut [Vec2]) {
    for i in 0..v.len() {
        product[i] = diagonal[i].times(v[i]);
    }
    for link in links {
        product[link.row] -= link.block.times(v[link.other]);
    }
}
