//! Somebody who looks around, and how far that reaches.

use crowdtune_core::math::Vec2;
use crowdtune_core::math::lanes::WIDTH;

/// Distance between centers up to which people see each other, m: as in JuPedSim 1.4.2.
pub(in crate::models) const SIGHT_M: f64 = 3.0;
/// Where somebody is put who is not seen, m: so far away that nothing is felt, and the square is no overflow in single precision.
pub(super) const NOT_SEEN_M: f64 = 1e12;

/// One number for each of eight others.
pub(in crate::models) type Block = [f64; WIDTH];

/// Somebody who chooses a direction.
#[derive(Clone, Copy, Debug)]
pub(in crate::models) struct Me {
    pub slot: usize,
    pub row: usize,
    pub group: u16,
    pub pos: Vec2,
    pub radius: f64,
    /// Where the person wants to go, and where the person went in the last step; zero before the first.
    pub desired: Vec2,
    pub heading: Vec2,
}
