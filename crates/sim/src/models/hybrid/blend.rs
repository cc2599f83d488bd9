//! The share of the continuum, by local density.

use super::close::Close;
use crate::crowd::View;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::Settings;

/// Blends two velocities by density.
#[derive(Debug)]
pub(super) struct Blend {
    /// Densities below which nobody, and above which everybody, follows the continuum, 1/m2.
    from: f64,
    to: f64,
    /// Radius within which others count, m.
    radius: f64,
    /// By row.
    shares: Vec<f64>,
}

impl Blend {
    pub(super) fn new(s: &Settings<'_>) -> Self {
        let (from, to) = (s.get("local_density_per_m2"), s.get("continuum_density_per_m2"));
        Self { from, to: to.max(from), radius: s.get("density_radius_m"), shares: Vec::new() }
    }

    pub(super) fn reach_m(&self) -> f64 {
        self.radius
    }

    /// Share of the continuum in the velocity of each row, 0 to 1.
    pub(super) fn shares(&mut self, view: &View<'_>, close: &Close) -> &[f64] {
        let near = view.near;
        self.shares.resize(near.len(), 0.0);
        for slot in 0..near.len() {
            let row = near.row[slot] as usize;
            // Nobody asks for the share of people whom other models steer.
            self.shares[row] =
                if view.steers(row) { self.share(density(view, (slot, close.of(slot)), self.radius)) } else { 0.0 };
        }
        &self.shares
    }

    /// 0 up to the lower density, 1 from the upper one, smooth in between; a step if they are equal.
    fn share(&self, density: f64) -> f64 {
        if density < self.from {
            0.0
        } else if density >= self.to {
            1.0
        } else {
            let t = (density - self.from) / (self.to - self.from);
            t * t * (3.0 - 2.0 * t)
        }
    }
}

/// Persons per square meter around a slot, the person included. Everybody counts with a cone-shaped weight of this
/// radius and volume 1, so that the density does not jump when somebody enters or leaves the circle.
fn density(view: &View<'_>, (slot, close): (usize, &[u32]), radius: f64) -> f64 {
    let near = view.near;
    let mut sum = 0.0;
    for &other in close {
        let d2 = near.apart(near.pos[slot], near.pos[other as usize]).length2();
        if d2 < radius * radius {
            sum += 1.0 - d2.sqrt() / radius;
        }
    }
    sum * 3.0 / (std::f64::consts::PI * radius * radius)
}

/// Blend of `a` and `b`; exactly `a` for a share of 0 and `b` for 1.
pub(super) fn mixed(a: Vec2, b: Vec2, share: f64) -> Vec2 {
    if share <= 0.0 {
        a
    } else if share >= 1.0 {
        b
    } else {
        a * (1.0 - share) + b * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;

    fn blend(from: f64, to: f64) -> Blend {
        Blend { from, to, radius: 1.5, shares: Vec::new() }
    }

    #[test]
    fn the_share_rises_smoothly_between_the_two_densities() {
        let b = blend(0.5, 2.0);
        // Smoothstep: 0, 5/32 at a quarter, 1/2 in the middle, 1.
        let shares = [0.2, 0.5, 0.875, 1.25, 2.0, 7.0].map(|d| b.share(d));
        assert_eq!(shares, [0.0, 0.0, 0.15625, 0.5, 1.0, 1.0]);
        assert_eq!([1.0, 2.0].map(|d| blend(2.0, 2.0).share(d)), [0.0, 1.0]);
    }

    #[test]
    fn at_the_ends_one_of_the_two_is_taken_bit_for_bit() {
        let (a, b) = (vec2(0.1, 0.7), vec2(-0.3, 0.9));
        assert_eq!([mixed(a, b, 0.0), mixed(a, b, 1.0)], [a, b]);
        assert!((mixed(a, b, 0.25) - vec2(0.0, 0.75)).length() < 1e-15);
    }
}
