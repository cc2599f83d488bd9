//! Plans with known areas, what crowdtune itself writes, and degrees.

use super::super::testing::{import, layers, loaded};
use super::super::{Role, Said, Unit};
use super::ENTRY;
use crowdtune_core::math::vec2;

const ROOM: &[u8] = include_bytes!("../../fuzz/corpus/geojson/meters.geojson");

fn said(unit: Unit) -> Said {
    Said { unit: Some(unit), ..Said::default() }
}

#[test]
fn a_room_with_a_pillar_has_its_area_door_and_people() {
    let plan = loaded(&ENTRY, ROOM, &said(Unit::M));
    let place = &plan.cases[0].scenario;
    let area: f64 = place
        .world
        .plan
        .walkable
        .iter()
        .map(|(shell, holes)| shell.area() - holes.iter().map(|h| h.area()).sum::<f64>())
        .sum();
    assert!((area - 47.0).abs() < 1e-9, "{area}");
    // 8 m2 at 2 people per m2.
    assert_eq!((place.groups[0].count, place.world.goals().len()), (16, 1));
    let notes = import(&ENTRY, ROOM, &said(Unit::M)).unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("`FURNITURE` (2)")), "{notes:?}");
}

/// A degree of latitude is 111.195 km on a sphere with the earth's mean radius, one of longitude at 60 degrees half of it.
#[test]
fn degrees_become_meters_around_the_middle() {
    let text = r#"{ "type": "FeatureCollection", "features": [
        { "type": "Feature", "properties": { "kind": "walkable" }, "geometry": { "type": "Polygon",
          "coordinates": [[[10, 59.9999], [10.0002, 59.9999], [10.0002, 60.0001], [10, 60.0001], [10, 59.9999]]] } },
        { "type": "Feature", "properties": { "kind": "door" }, "geometry": { "type": "LineString",
          "coordinates": [[10.0002, 59.9999], [10.0002, 60.0001]] } } ] }"#;
    let plan = loaded(&ENTRY, text.as_bytes(), &said(Unit::Deg));
    let (shell, _) = &plan.cases[0].scenario.world.plan.walkable[0];
    let wanted = [vec2(-5.5597, -11.1195), vec2(5.5597, -11.1195), vec2(5.5597, 11.1195), vec2(-5.5597, 11.1195)];
    for (p, wanted) in shell.points.iter().zip(wanted) {
        assert!((*p - wanted).length() < 1e-3, "{p:?}");
    }
    let error = import(&ENTRY, ROOM.to_vec().as_slice(), &said(Unit::Deg));
    assert!(error.is_ok(), "a few meters are degrees too");
    let far = text.replace("10.0002", "2000");
    assert!(import(&ENTRY, far.as_bytes(), &said(Unit::Deg)).unwrap_err().to_string().contains("no longitude"));
}

#[test]
fn layers_of_other_programs_are_named() {
    let said = Said { layers: layers(&[("FURNITURE", Role::Wall)]), ..said(Unit::M) };
    let plan = loaded(&ENTRY, ROOM, &said);
    assert!(plan.cases[0].scenario.world.walls.distance(vec2(2.5, 2.0)) < 1e-9, "a table is a wall");
}

#[test]
fn every_mistake_says_where_it_is() {
    let says = |text: &str| import(&ENTRY, text.as_bytes(), &said(Unit::M)).unwrap_err().to_string();
    assert!(says("{\n\"type\": \"FeatureCollection\",\n]").contains("line 3"));
    assert!(says(r#"{ "type": "Teapot" }"#).contains("this is no GeoJSON"));
    let open = r#"{ "type": "FeatureCollection", "features": [ { "type": "Feature", "properties": { "kind": "start" },
        "geometry": { "type": "LineString", "coordinates": [[0, 0], [1, 1]] } } ] }"#;
    assert!(says(open).contains("layer start") && says(open).contains("is open"), "{}", says(open));
}
