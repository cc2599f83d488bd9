//! Drawings with known lengths, written by ezdxf 1.4.3, and drawings with mistakes.

use super::super::testing::{import, layers, loaded};
use super::super::{Role, Said, Unit};
use super::ENTRY;
use crowdtune_sim::world::scenario::Segment;

const MM: &[u8] = include_bytes!("../../fuzz/corpus/dxf/mm.dxf");
const R12: &[u8] = include_bytes!("../../fuzz/corpus/dxf/r12.dxf");

fn said(unit: Unit) -> Said {
    let layers = layers(&[("a-wall", Role::Wall), ("A-DOOR", Role::Door), ("A-FLOR", Role::Start)]);
    Said { unit: Some(unit), layers, people: Some(20), ..Said::default() }
}

fn length(walls: &[Segment]) -> f64 {
    walls.iter().map(|wall| (wall.b - wall.a).length()).sum()
}

/// 8 x 6 m, a corner rounded by 1 m, a door of 1 m and a pillar of 0.5 m: chords are shorter than their arcs by less than a percent.
#[test]
fn a_room_in_millimeters_with_light_polylines_is_the_room_in_meters_with_old_ones() {
    let around = 28.0 - 1.0 - 2.0 + std::f64::consts::FRAC_PI_2 + std::f64::consts::PI;
    for (bytes, unit) in [(MM, Unit::Mm), (R12, Unit::M)] {
        let plan = loaded(&ENTRY, bytes, &said(unit));
        let place = &plan.cases[0].scenario;
        let walls = length(&place.world.plan.walls);
        assert!((around - 0.05..=around).contains(&walls), "{walls} m of walls, {around} m drawn");
        assert_eq!((place.groups.len(), place.groups[0].count), (1, 20));
        assert_eq!(place.world.goals().len(), 1);
        let nearest = |x: f64, y: f64| place.world.walls.distance(crowdtune_core::math::vec2(x, y));
        // The middle of the round corner, and of the pillar.
        let corner = 1.0 - std::f64::consts::FRAC_1_SQRT_2;
        assert!(nearest(corner, 6.0 - corner) < 0.006 && (nearest(4.0, 3.0) - 0.5).abs() < 0.006);
    }
}

#[test]
fn the_unit_is_asked_for_and_a_drawing_that_says_another_one_is_named() {
    let error = import(&ENTRY, MM, &Said { unit: None, ..said(Unit::M) }).unwrap_err().to_string();
    assert!(error.contains("--unit") && error.contains("m, dm, cm, mm, ft, in"), "{error}");
    let notes = import(&ENTRY, MM, &said(Unit::Cm)).unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("its unit is mm, and --unit says cm")), "{notes:?}");
}

#[test]
fn layers_are_asked_for_with_what_is_on_them() {
    let error = import(&ENTRY, MM, &Said { layers: Vec::new(), ..said(Unit::Mm) }).unwrap_err().to_string();
    assert!(error.contains("`A-DOOR` (1 line), `A-FLOR` (1 outline), `A-WALL` (2 lines, 1 outline)"), "{error}");
    let other = Said { layers: layers(&[("WALLS", Role::Wall)]), ..said(Unit::Mm) };
    assert!(import(&ENTRY, MM, &other).unwrap_err().to_string().contains("there is no layer `WALLS`"));
    let nowhere = Said { layers: layers(&[("A-WALL", Role::Wall), ("A-FLOR", Role::Start)]), ..said(Unit::Mm) };
    assert!(import(&ENTRY, MM, &nowhere).unwrap_err().to_string().contains("nobody could leave"));
}

fn entities(of: &str) -> Vec<u8> {
    format!("0\nSECTION\n2\nENTITIES\n{of}0\nENDSEC\n0\nEOF\n").into_bytes()
}

/// Some programs leave the SEQEND out: what follows is drawn all the same.
#[test]
fn a_polyline_without_its_end_hides_nothing() {
    let corner = |x: i32, y: i32| format!("0\nVERTEX\n10\n{x}\n20\n{y}\n");
    let text = format!(
        "0\nPOLYLINE\n8\nA-WALL\n{}{}0\nLINE\n8\nA-DOOR\n10\n9\n20\n0\n11\n9\n21\n1\n",
        corner(0, 0),
        corner(9, 0)
    );
    let layers = layers(&[("A-WALL", Role::Wall), ("A-DOOR", Role::Door)]);
    let said = Said { layers, starts: vec![[1.0, 1.0, 3.0, 3.0]], ..said(Unit::M) };
    let text = import(&ENTRY, &entities(&text), &said).unwrap().text;
    assert!(text.contains("{ line = [[9, 0], [9, 1]] }"), "{text}");
}

#[test]
fn every_mistake_names_its_line_and_what_to_do() {
    for (text, what, line) in [
        ("0\nINSERT\n8\nA-WALL\n2\nCHAIR\n", "explode the block", 6),
        ("0\nSPLINE\n8\nA-WALL\n", "polyline", 6),
        ("0\nLINE\n8\nA-WALL\n10\nx\n", "`x` is no number", 10),
        ("0\nLINE\n8\nA-WALL\n10\n1\n", "has no y (group code 20)", 6),
        ("0\nLINE\nA\n", "`A` is no group code", 7),
        ("0\nLINE\n8\nA-FLOR\n10\n0\n20\n0\n11\n5\n21\n5\n", "the role `start` takes outlines", 6),
        ("0\nLINE\n8\nA-WALL\n10\n0\n20\n0\n11\n5e7\n21\n5\n", "--origin", 6),
    ] {
        let error =
            import(&ENTRY, &entities(text), &Said { layers: said(Unit::M).layers[..1].to_vec(), ..said(Unit::M) });
        let error = match error {
            Err(error) if !error.to_string().contains("no layer") => error,
            _ => import(&ENTRY, &entities(text), &Said { layers: said(Unit::M).layers[2..].to_vec(), ..said(Unit::M) })
                .unwrap_err(),
        };
        let error = error.to_string();
        assert!(
            error.contains(what) && error.contains(&format!("line {line}\n")) && error.contains("help:"),
            "{error}"
        );
    }
    let cut = import(&ENTRY, &MM[..MM.len() / 2], &said(Unit::Mm)).unwrap_err().to_string();
    assert!(cut.contains("help:"), "{cut}");
    assert!(import(&ENTRY, b"AutoCAD Binary DXF\r\n\x1a\0", &said(Unit::M)).unwrap_err().to_string().contains("ASCII"));
}
