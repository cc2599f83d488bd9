//! Points and vectors of the plane. All is `#[inline]`: kernels of other crates are made of it.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A point or vector of the plane, in whatever unit its owner says: m, m/s, N.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec2 {
    /// First coordinate.
    pub x: f64,
    /// Second coordinate.
    pub y: f64,
}

/// The [`Vec2`] of two coordinates.
#[inline]
pub const fn vec2(x: f64, y: f64) -> Vec2 {
    Vec2 { x, y }
}

impl Vec2 {
    /// The zero vector.
    pub const ZERO: Self = vec2(0.0, 0.0);

    /// Scalar product.
    #[inline]
    pub fn dot(self, o: Self) -> f64 {
        self.x * o.x + self.y * o.y
    }

    /// The third component of the cross product: positive if `o` lies to the left of `self`.
    #[inline]
    pub fn cross(self, o: Self) -> f64 {
        self.x * o.y - self.y * o.x
    }

    /// Length.
    #[inline]
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Squared length.
    #[inline]
    pub fn length2(self) -> f64 {
        self.dot(self)
    }

    /// This vector rotated by 90 degrees to the left.
    #[inline]
    pub fn left(self) -> Self {
        vec2(-self.y, self.x)
    }

    /// The unit vector of the same direction, or `None` for a vector shorter than 1e-12.
    #[inline]
    pub fn unit(self) -> Option<Self> {
        let l = self.length();
        (l > 1e-12).then(|| self / l)
    }

    /// True if both coordinates are finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl Add for Vec2 {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        vec2(self.x + o.x, self.y + o.y)
    }
}
impl Sub for Vec2 {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        vec2(self.x - o.x, self.y - o.y)
    }
}
impl Neg for Vec2 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        vec2(-self.x, -self.y)
    }
}
impl Mul<f64> for Vec2 {
    type Output = Self;
    #[inline]
    fn mul(self, s: f64) -> Self {
        vec2(self.x * s, self.y * s)
    }
}
impl Div<f64> for Vec2 {
    type Output = Self;
    #[inline]
    fn div(self, s: f64) -> Self {
        vec2(self.x / s, self.y / s)
    }
}
impl AddAssign for Vec2 {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl SubAssign for Vec2 {
    #[inline]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
