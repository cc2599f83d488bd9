//! Heights: a uniform slope and a round hill, and the share of the free speed they allow.

use super::ground::Ground;
use crowdtune_core::math::{Vec2, vec2};

/// Ground that is not flat.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terrain {
    /// Uniform rise per meter towards +x and +y.
    pub slope: Vec2,
    /// Top of the hill, m.
    pub top: Vec2,
    /// Height of the hill, m: h exp(-r^2 / 2 w^2); negative for a hollow.
    pub height: f64,
    /// Width w of the hill, m.
    pub width: f64,
    /// Slope up to which people walk at their free speed.
    pub easy: f64,
    /// Slope from which people walk slowest.
    pub steep: f64,
    /// Share of the free speed there.
    pub least: f64,
}

impl Terrain {
    /// Rise per meter towards +x and +y.
    pub fn gradient(&self, p: Vec2) -> Vec2 {
        let from = p - self.top;
        let per_w2 = 1.0 / (self.width * self.width);
        self.slope - from * (self.height * per_w2 * libm::exp(-0.5 * from.length2() * per_w2))
    }

    /// Share of the free speed on a slope: 1 up to the easy slope, falling linearly to the least at the steep slope.
    pub fn share(&self, slope: f64) -> f64 {
        1.0 + ((slope - self.easy) / (self.steep - self.easy)).clamp(0.0, 1.0) * (self.least - 1.0)
    }

    /// Shares by direction and cell; empty for flat ground.
    pub fn shares(&self, ground: &Ground) -> [Vec<f64>; 4] {
        if self.slope == Vec2::ZERO && self.height == 0.0 {
            return Default::default();
        }
        [vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0), vec2(0.0, -1.0)]
            .map(|way| (0..ground.len()).map(|c| self.share(self.gradient(ground.center(c)).dot(way))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hill_rises_towards_its_top() {
        let hill = Terrain { height: 2.0, width: 3.0, least: 0.2, steep: 0.5, ..Terrain::default() };
        // h r / w^2 exp(-1/2) at r = w.
        assert!((hill.gradient(vec2(-3.0, 0.0)).x - 2.0 / 3.0 * libm::exp(-0.5)).abs() < 1e-15);
        assert_eq!(hill.gradient(Vec2::ZERO), Vec2::ZERO);
        assert_eq!([hill.share(-1.0), hill.share(0.0)], [1.0, 1.0]);
        assert!((hill.share(0.5) - 0.2).abs() < 1e-15 && (hill.share(2.0) - 0.2).abs() < 1e-15);
        assert!((hill.share(0.25) - 0.6).abs() < 1e-15);
    }
}
