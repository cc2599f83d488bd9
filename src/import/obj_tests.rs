//! Models with known sizes, cut and seen from above.

use super::super::testing::{import, layers, loaded};
use super::super::{Role, Said, Unit, Up};
use super::ENTRY;
use crowdtune_core::math::vec2;

const Z_UP: &[u8] = include_bytes!("../../fuzz/corpus/obj/z_up.obj");
const LINES: &[u8] = include_bytes!("../../fuzz/corpus/obj/lines.obj");

fn said(up: Up) -> Said {
    let walls = ["Wall_S", "Wall_N", "Wall_W", "Wall_E1", "Wall_E2"].map(|name| (name, Role::Wall));
    let layers = layers(&[&walls[..], &[("Floor", Role::Walkable), ("Door", Role::Door)]].concat());
    Said { unit: Some(Unit::M), up: Some(up), layers, ..Said::default() }
}

#[test]
fn a_model_is_cut_at_a_height_and_its_floor_is_seen_from_above() {
    let plan = loaded(&ENTRY, Z_UP, &said(Up::Z));
    let place = &plan.cases[0].scenario;
    let (shell, holes) = &place.world.plan.walkable[0];
    // The slab and the walls stand on it.
    assert!((shell.area() - 8.4 * 6.4).abs() < 1e-9 && holes.is_empty(), "{}", shell.area());
    for (x, y) in [(4.0, 0.0), (4.0, 6.0), (0.0, 3.0), (8.0, 1.0), (8.2, 5.0)] {
        assert!(place.world.walls.distance(vec2(x, y)) < 1e-9, "a wall at ({x}, {y})");
    }
    assert!(place.world.walls.distance(vec2(8.0, 3.0)) > 0.19, "the door is open");
    let high = Said { height_m: Some(5.0), ..said(Up::Z) };
    assert!(import(&ENTRY, Z_UP, &high).unwrap_err().to_string().contains("door"), "above the walls");
}

#[test]
fn with_y_up_the_plan_is_seen_from_above_and_not_from_below() {
    let layers = layers(&[("walls", Role::Wall), ("exit", Role::Door), ("start", Role::Start)]);
    let plan = loaded(&ENTRY, LINES, &Said { layers, ..said(Up::Y) });
    let place = &plan.cases[0].scenario;
    assert_eq!(place.groups[0].count, 16);
    assert!(place.world.walls.distance(vec2(8.0, 6.0)) < 1e-9, "z = -6 is up in the plan");
}

#[test]
fn every_mistake_names_its_line_and_what_to_do() {
    let says = |text: &str| import(&ENTRY, text.as_bytes(), &said(Up::Z)).unwrap_err().to_string();
    for (text, what, line) in [
        ("o a\nv 1 2\n", "three numbers", 2),
        ("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "`3` is none of the 2 corners", 3),
        ("v 0 0 0\nv 1 0 0\nf 1 -2\n", "three corners", 3),
        ("v 0 0 0\nf 0 1 1\n", "`0` is none", 2),
        ("v 0 0 0\nf x\n", "`x` is none", 2),
    ] {
        let error = says(text);
        assert!(
            error.contains(what) && error.contains(&format!("line {line}\n")) && error.contains("help:"),
            "{error}"
        );
    }
    let said = Said { up: None, ..said(Up::Z) };
    assert!(import(&ENTRY, Z_UP, &said).unwrap_err().to_string().contains("--up"));
}
