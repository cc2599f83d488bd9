//! How lines, areas and points look. A plot names its marks once and uses them in the picture and in the legend.

use plotters::style::RGBColor;

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Color.
    pub color: RGBColor,
    /// Width, px.
    pub width: f64,
    /// Opacity, 0 to 1.
    pub alpha: f64,
    /// True for dashes.
    pub dashed: bool,
}

impl Stroke {
    /// A solid line.
    pub const fn new(color: RGBColor, width: f64) -> Self {
        Self { color, width, alpha: 1.0, dashed: false }
    }

    /// A dashed line.
    pub const fn dashed(color: RGBColor, width: f64) -> Self {
        Self { color, width, alpha: 1.0, dashed: true }
    }

    /// The same line, with an opacity.
    pub const fn alpha(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }
}

/// How an area is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    /// Color.
    pub color: RGBColor,
    /// Opacity, 0 to 1.
    pub alpha: f64,
}

impl Fill {
    /// An opaque area.
    pub const fn new(color: RGBColor) -> Self {
        Self { color, alpha: 1.0 }
    }

    /// The same area, with an opacity.
    pub const fn alpha(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }
}

/// The shapes of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A disc.
    Dot,
    /// A circle with paper inside.
    Ring,
    /// A diagonal cross.
    Cross,
    /// A square on its corner.
    Diamond,
    /// A disc in a dark ring.
    Ringed,
}

/// How a point is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Symbol {
    /// Shape.
    pub shape: Shape,
    /// Color.
    pub color: RGBColor,
    /// Radius, px; half the width of a cross or diamond.
    pub size: f64,
    /// Opacity of a disc, 0 to 1; other shapes are opaque.
    pub alpha: f64,
}

impl Symbol {
    const fn new(shape: Shape, color: RGBColor, size: f64) -> Self {
        Self { shape, color, size, alpha: 1.0 }
    }

    /// A disc.
    pub const fn dot(color: RGBColor, size: f64) -> Self {
        Self::new(Shape::Dot, color, size)
    }

    /// A circle with paper inside.
    pub const fn ring(color: RGBColor, size: f64) -> Self {
        Self::new(Shape::Ring, color, size)
    }

    /// A diagonal cross.
    pub const fn cross(color: RGBColor, size: f64) -> Self {
        Self::new(Shape::Cross, color, size)
    }

    /// A square on its corner.
    pub const fn diamond(color: RGBColor, size: f64) -> Self {
        Self::new(Shape::Diamond, color, size)
    }

    /// A disc in a dark ring.
    pub const fn ringed(color: RGBColor, size: f64) -> Self {
        Self::new(Shape::Ringed, color, size)
    }

    /// The same point, with an opacity.
    pub const fn alpha(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }
}
