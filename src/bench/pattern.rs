//! Starts that any program can compute: places by closed formulas instead of a random stream.

use crowdtune_core::math::Vec2;
use crowdtune_sim::crowd::{Crowd, Status};

/// The golden ratio without its 1. The fractional parts of its multiples fill the unit interval evenly and never repeat,
/// so that they vary people as random numbers would.
pub(super) const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The square root of 2 without its 1: a second such sequence, unrelated to the first, for the other coordinate.
pub(super) const ROOT_TWO: f64 = 0.414_213_562_373_095_15;

/// The golden angle, rad: points at its multiples, with radii like square roots, fill a disc evenly (Vogel 1979).
pub(super) const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// Everybody's mass, kg: that of Helbing, Farkas and Vicsek (2000).
pub(super) const MASS_KG: f64 = 80.0;

/// The `k`-th number in [0, 1) of the sequence of an irrational `step`.
pub(super) fn spread(k: usize, step: f64) -> f64 {
    let x = k as f64 * step;
    x - x.floor()
}

/// Adds a person who walks from the first step on.
pub(super) fn add_person(crowd: &mut Crowd, pos: Vec2, vel: Vec2, radius: f64, desired_speed: f64) {
    crowd.id.push(crowd.id.len() as u32);
    crowd.pos.push(pos);
    crowd.vel.push(vel);
    crowd.radius.push(radius);
    crowd.mass.push(MASS_KG);
    crowd.desired_speed.push(desired_speed);
    crowd.max_speed.push(f64::INFINITY);
    crowd.start_s.push(0.0);
    crowd.group.push(0);
    crowd.stage.push(0);
    crowd.status.push(Status::Walking);
    crowd.pressure.push(0.0);
    crowd.desired.push(Vec2::ZERO);
}
