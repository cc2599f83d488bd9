//! The colors of all plots: told apart by color-blind readers, and their dark variant.

pub use plotters::style::RGBColor;

/// Page behind a plot.
pub const PAPER: RGBColor = RGBColor(0xFF, 0xFF, 0xFF);
/// Text and walls.
pub const INK: RGBColor = RGBColor(0x1F, 0x29, 0x37);
/// Secondary text, axes.
pub const SOFT: RGBColor = RGBColor(0x5B, 0x67, 0x78);
/// Grid lines.
pub const GRID: RGBColor = RGBColor(0xE3, 0xE7, 0xED);
/// Single evaluations.
pub const POINT: RGBColor = RGBColor(0x8A, 0x97, 0xA8);
/// The published defaults (Okabe-Ito vermillion).
pub const DEFAULT: RGBColor = RGBColor(0xD5, 0x5E, 0x00);
/// The tuned set (Okabe-Ito blue).
pub const TUNED: RGBColor = RGBColor(0x00, 0x72, 0xB2);
/// What is wanted (Okabe-Ito bluish green).
pub const WANTED: RGBColor = RGBColor(0x00, 0x9E, 0x73);
/// Where something is measured.
pub const MEASURE: RGBColor = RGBColor(0x8A, 0x4B, 0x9E);
/// Contours of the ground, and what lies higher; seen on white and on black.
pub const GROUND: RGBColor = RGBColor(0xA0, 0x7C, 0x48);
/// Further series, after Okabe and Ito.
pub const SERIES: [RGBColor; 7] = [
    TUNED,
    DEFAULT,
    WANTED,
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x56, 0xB4, 0xE9),
    RGBColor(0x8C, 0x6B, 0xB1),
];

/// Groups of people, as the replay page colors them.
pub const GROUPS: [RGBColor; 8] = [
    RGBColor(0x1C, 0x84, 0xCC),
    RGBColor(0xE6, 0x9F, 0x00),
    WANTED,
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0x56, 0xB4, 0xE9),
    DEFAULT,
    RGBColor(0xB3, 0xA1, 0x00),
    RGBColor(0x8C, 0x6B, 0xB1),
];

/// Stops of the color scale for losses, best first; between them colors are mixed (after the map cividis, with the
/// yellow end darkened to be seen on white).
const RAMP: [RGBColor; 4] =
    [RGBColor(0x2B, 0x5F, 0xB8), RGBColor(0x6E, 0x7F, 0xA0), RGBColor(0xA8, 0x98, 0x6A), RGBColor(0xE2, 0xBC, 0x2E)];

/// The dark variant: a plot inside a page or on its own follows the reader's preference. Only the neutral colors and
/// the two that are too dark on black change. Paper stays white on paper.
pub const DARK: &str = "@media screen and (prefers-color-scheme:dark){\
.ctplot [fill=\"#FFFFFF\"]{fill:#1A2029}.ctplot [stroke=\"#FFFFFF\"]{stroke:#1A2029}\
.ctplot [fill=\"#1F2937\"]{fill:#E8ECF2}.ctplot [stroke=\"#1F2937\"]{stroke:#E8ECF2}\
.ctplot [fill=\"#5B6778\"]{fill:#A3AEBD}.ctplot [stroke=\"#5B6778\"]{stroke:#A3AEBD}\
.ctplot [stroke=\"#E3E7ED\"]{stroke:#303A47}.ctplot [fill=\"#E3E7ED\"]{fill:#303A47}\
.ctplot [fill=\"#0072B2\"]{fill:#4DA8EC}.ctplot [stroke=\"#0072B2\"]{stroke:#4DA8EC}\
.ctplot [fill=\"#D55E00\"]{fill:#FF8A3D}.ctplot [stroke=\"#D55E00\"]{stroke:#FF8A3D}\
.ctplot [fill=\"#8A4B9E\"]{fill:#C79BDB}.ctplot [stroke=\"#8A4B9E\"]{stroke:#C79BDB}\
.ctplot [fill=\"#009E73\"]{fill:#2FC397}.ctplot [stroke=\"#009E73\"]{stroke:#2FC397}}";

/// The color of a loss that lies at `share` between the best (0) and the worst (1) shown; undefined counts as best.
pub fn ramp(share: f64) -> RGBColor {
    let at = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) } * (RAMP.len() - 1) as f64;
    let i = (at as usize).min(RAMP.len() - 2);
    let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * (at - i as f64)).round() as u8;
    let (a, b) = (RAMP[i], RAMP[i + 1]);
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// The color of group `i`, repeating after the last.
pub fn group(i: usize) -> RGBColor {
    GROUPS[i % GROUPS.len()]
}

/// The color of series `i`, repeating after the last.
pub fn series(i: usize) -> RGBColor {
    SERIES[i % SERIES.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_starts_and_ends_at_its_stops() {
        assert_eq!(ramp(-1.0), RAMP[0]);
        assert_eq!(ramp(1.0), RAMP[3]);
        assert_eq!(ramp(1.0 / 3.0), RAMP[1]);
        assert_eq!(ramp(f64::NAN), RAMP[0]);
    }
}
