//! Heights of a place as areas above levels, as a map draws them.

use super::regions::{Level, Region};
use super::units::point;
use contour::ContourBuilder;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::world::Relief;

/// Heights are looked up at so many places along the longer side. Chosen here: contours of a hill look round.
const LOOKS: f64 = 96.0;
/// About so many levels. Chosen here: as many as one can tell apart.
const LEVELS: f64 = 8.0;

/// The areas above rising levels, each a round number of meters, in the box from `low` to `high`.
pub(super) fn levels(relief: &Relief, low: Vec2, high: Vec2) -> Vec<Level> {
    let size = high - low;
    let step = size.x.max(size.y) / LOOKS;
    let count = |length: f64| (length / step).ceil().max(1.0) as usize + 1;
    let (columns, rows) = (count(size.x), count(size.y));
    let place = |i: usize, j: usize| low + vec2(i as f64, j as f64) * step;
    let heights: Vec<f64> = (0..columns * rows).map(|c| relief.height(place(c % columns, c / columns))).collect();
    let (least, most) = heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &h| (a.min(h), b.max(h)));
    let every = round_step((most - least) / LEVELS);
    if !(every > 0.0 && every.is_finite() && step > 0.0) {
        return Vec::new();
    }
    let first = (least / every).floor() + 1.0;
    let thresholds: Vec<f64> =
        (0..64).map(|k| (first + f64::from(k)) * every).take_while(|&height| height < most).collect();
    let builder = ContourBuilder::new(columns, rows, true);
    // Only lattices without a size are refused.
    let Ok(contours) = builder.contours(&heights, &thresholds) else { return Vec::new() };
    // The library has the value of a place in the middle of a square of side 1.
    let ring = |corners: &mut dyn Iterator<Item = (f64, f64)>| {
        let places = corners.map(|(x, y)| low + vec2(x - 0.5, y - 0.5) * step);
        places.map(|p| point(vec2(p.x.clamp(low.x, high.x), p.y.clamp(low.y, high.y)))).collect::<Vec<_>>()
    };
    let level = |contour: contour::Contour| Level {
        height_m: contour.threshold(),
        areas: contour
            .geometry()
            .0
            .iter()
            .map(|area| Region {
                shell: ring(&mut area.exterior().0.iter().map(|c| c.x_y())),
                holes: area.interiors().iter().map(|hole| ring(&mut hole.0.iter().map(|c| c.x_y()))).collect(),
            })
            .collect(),
    };
    contours.into_iter().map(level).collect()
}

/// 1, 2 or 5 times a power of ten, at least as large.
fn round_step(least: f64) -> f64 {
    let power = 10.0_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|k| k * power).find(|&step| step >= least).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_sim::world::{Hill, SlopeLaw};

    #[test]
    fn a_hill_has_rings_around_its_top() {
        let hill = Hill { at: vec2(10.0, 5.0), height_m: 4.0, width_m: vec2(2.0, 2.0) };
        let relief = Relief { slope: Vec2::ZERO, hills: vec![hill], heights: None, law: SlopeLaw::Tobler };
        let levels = levels(&relief, Vec2::ZERO, vec2(20.0, 10.0));
        let heights: Vec<f64> = levels.iter().map(|level| level.height_m).collect();
        assert_eq!(heights, [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]);
        // h exp(-r^2 / 2 w^2) = 2 at r = 2 sqrt(2 ln 2) = 2.355 m.
        let [x, _] = levels[3].areas[0].shell.iter().copied().max().unwrap();
        assert!((x as f64 / 100.0 - 12.355).abs() < 0.05, "{x}");
        assert!(levels.iter().all(|level| level.areas.len() == 1 && level.areas[0].holes.is_empty()));
    }

    #[test]
    fn level_ground_has_no_contours() {
        let relief = Relief { slope: Vec2::ZERO, hills: Vec::new(), heights: None, law: SlopeLaw::Tobler };
        assert_eq!(levels(&relief, Vec2::ZERO, vec2(20.0, 10.0)), []);
    }

    #[test]
    fn steps_are_round() {
        assert_eq!([round_step(0.3), round_step(1.0), round_step(60.0)], [0.5, 1.0, 100.0]);
    }
}
