//! Heights, slopes and speeds with known values.

use super::*;

const FLAT: Relief = Relief { slope: Vec2::ZERO, hills: Vec::new(), heights: None, law: SlopeLaw::Tobler };

/// Three columns and two rows of 2 m: the south row rises by 1 m per cell, the north row lies 1 m higher.
const GRID: &str = "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\nNODATA_value -9999\n1 2 3\n0 1 2\n";

fn place(low: f64, high: f64) -> Bounds {
    Bounds { min: vec2(low, low), max: vec2(high, high) }
}

fn refused(relief: &Relief, place: &Bounds) -> String {
    relief.check(place).unwrap_err().to_string()
}

#[test]
fn tobler_at_the_slopes_of_the_paper() {
    // 6 km/h at a slope of -0.05, 5.037 km/h on flat ground, equal at -0.1; 6 exp(-3.5 * 0.25) at 0.2.
    let share = |slope: f64| SlopeLaw::Tobler.share(slope);
    assert_eq!(share(0.0), 1.0);
    assert!((share(-0.1) - 1.0).abs() < 1e-15);
    let flat = 6.0 * libm::exp(-0.175);
    assert!((share(-0.05) * flat - 6.0).abs() < 1e-14);
    assert!((share(0.2) * flat - 6.0 * libm::exp(-0.875)).abs() < 1e-14);
}

#[test]
fn the_linear_law_ends_at_both_slopes() {
    let law = SlopeLaw::Linear { easy: 0.0, steep: 0.5, least: 0.2 };
    assert_eq!([law.share(-1.0), law.share(0.0)], [1.0, 1.0]);
    assert!((law.share(0.25) - 0.6).abs() < 1e-15);
    assert!((law.share(0.5) - 0.2).abs() < 1e-15 && (law.share(2.0) - 0.2).abs() < 1e-15);
}

#[test]
fn a_hill_rises_towards_its_top() {
    let hill = Hill { at: vec2(1.0, 2.0), height_m: 2.0, width_m: vec2(3.0, f64::INFINITY) };
    let relief = Relief { hills: vec![hill], ..FLAT };
    // h r / w^2 exp(-1/2) at r = w, and nothing along the ridge.
    let gradient = relief.gradient(vec2(-2.0, 50.0));
    assert!((gradient.x - 2.0 / 3.0 * libm::exp(-0.5)).abs() < 1e-15);
    assert_eq!(gradient.y, 0.0);
    assert_eq!((relief.height(vec2(1.0, -7.0)), relief.gradient(vec2(1.0, 2.0))), (2.0, Vec2::ZERO));
}

#[test]
fn a_grid_is_linear_between_its_centers() {
    let grid = HeightGrid::parse(GRID, 1.0, None).unwrap();
    assert_eq!((grid.columns, grid.rows(), grid.first), (3, 2, vec2(11.0, 21.0)));
    let relief = Relief { heights: Some(grid), ..FLAT };
    assert_eq!([relief.height(vec2(11.0, 21.0)), relief.height(vec2(15.0, 23.0))], [0.0, 3.0]);
    assert_eq!(relief.height(vec2(12.0, 22.0)), 1.0);
    assert_eq!(relief.gradient(vec2(12.5, 22.5)), vec2(0.5, 0.5));
    // Beyond the outermost centers the ground goes on as at the edge.
    assert_eq!(relief.height(vec2(10.0, 20.0)), 0.0);
}

#[test]
fn units_and_origins_of_a_grid() {
    let grid = HeightGrid::parse(GRID, 100.0, Some(vec2(0.0, 0.0))).unwrap();
    assert_eq!((grid.cell_m, grid.first, grid.heights[5]), (0.02, vec2(0.01, 0.01), Some(0.03)));
    // The center of the first cell instead of its corner.
    let centered = HeightGrid::parse(&GRID.replace("llcorner", "LLCENTER"), 1.0, None).unwrap();
    assert_eq!(centered.first, vec2(10.0, 20.0));
}

#[test]
fn what_is_no_grid_is_refused() {
    for (from, to, part) in [
        ("ncols 3\n", "", "no `ncols`"),
        ("ncols 3", "ncols 2.5", "`ncols` is 2.5"),
        ("ncols 3", "ncols 1e9", "`ncols` is 1000000000"),
        ("cellsize 2", "cellsize -2", "`cellsize` is -2"),
        ("cellsize 2", "cellsize two", "line 5: `cellsize` has no number"),
        ("nrows", "rows", "line 2: `rows` is no key"),
        ("1 2 3", "1 2", "6 heights, the file has 5"),
        ("1 2 3", "1 2 3 4", "6 heights, the file has more than that"),
        ("1 2 3", "1 x 3", "line 7: `x` is no height"),
    ] {
        let text = GRID.replace(from, to);
        let why = HeightGrid::parse(&text, 1.0, None).unwrap_err().to_string();
        assert!(why.contains(part), "{why}");
    }
}

#[test]
fn heights_that_a_place_cannot_have() {
    let grid = |text: &str| Some(HeightGrid::parse(text, 1.0, Some(Vec2::ZERO)).unwrap());
    let whole = Relief { heights: grid(GRID), ..FLAT };
    assert!(whole.check(&place(0.0, 4.0)).is_ok());
    assert!(refused(&whole, &place(0.0, 40.0)).contains("the heights reach from (0.00, 0.00) to (6.00, 4.00)"));
    let hole = Relief { heights: grid(&GRID.replace("0 1 2\n", "0 -9999 2\n")), ..FLAT };
    assert!(refused(&hole, &place(0.0, 4.0)).contains("a hole at (3.00, 1.00)"));
    // A hole outside the place does not matter.
    let corner = Relief { heights: grid(&GRID.replace("0 1 2\n", "0 1 nan\n")), ..FLAT };
    assert!(corner.check(&place(0.0, 2.0)).is_ok());
    // Heights in cm taken for m.
    let cliff = Relief { heights: grid(&GRID.replace("1 2 3", "100 200 300")), ..FLAT };
    let why = refused(&cliff, &place(0.0, 4.0));
    assert!(why.contains("where nobody walks") && why.contains("unit"), "{why}");
    let spike = Hill { at: vec2(2.0, 2.0), height_m: 3.0, width_m: vec2(0.01, 0.01) };
    assert!(refused(&Relief { hills: vec![spike], ..FLAT }, &place(0.0, 40.0)).contains("nobody walks"));
}
