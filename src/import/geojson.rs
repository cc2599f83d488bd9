//! Floor plans as GeoJSON (RFC 7946), in degrees or in a unit of length.

use super::plan::{self, Plan, Shape};
use super::{ImportInput, Imported, MakeImporter, Role, text};
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::Entry;
use geojson::{Feature, GeoJson, GeometryValue, Position};

/// The importer's entry.
pub static ENTRY: Entry<MakeImporter> = Entry {
    name: "geojson",
    doc: "A floor plan of a GIS: outlines and lines whose property `kind` or `layer` says what they are.",
    source: "RFC 7946, The GeoJSON Format (2016)",
    params: &[],
    make: MakeImporter {
        import,
        reads: "a .geojson file, in degrees (`--unit deg`) or in a unit of length",
        takes: &["--unit", "--layer", "--door", "--start", "--origin", "--people", "--model"],
    },
};

/// Properties that name a layer, the first one that is there.
const LAYER: [&str; 4] = ["kind", "layer", "Layer", "name"];

fn import(input: &ImportInput<'_>) -> Result<Imported, Error> {
    let unit = plan::unit(input, true)?;
    let text = text(input)?;
    let read: GeoJson = text.parse().map_err(|e: geojson::Error| {
        let help = "RFC 7946 has the format; QGIS and GDAL write it";
        // The library names the place only of what is no JSON at all.
        match serde_json::from_str::<serde::de::IgnoredAny>(text) {
            Err(e) => Error::input(format!("this is no JSON: {e}")).line(e.line()).help(help),
            Ok(_) => Error::input(format!("this is no GeoJSON: {e}")).help(help),
        }
    })?;
    let features = match read {
        GeoJson::FeatureCollection(all) => all.features,
        GeoJson::Feature(one) => vec![one],
        GeoJson::Geometry(geometry) => {
            vec![Feature { bbox: None, geometry: Some(geometry), id: None, properties: None, foreign_members: None }]
        }
    };
    let (mut shapes, mut points) = (Vec::new(), 0);
    for (number, feature) in features.into_iter().enumerate() {
        let layer = layer(&feature);
        let Some(geometry) = feature.geometry else { continue };
        take(&geometry.value, &layer, &mut shapes, &mut points)
            .map_err(|e| e.key(format!("features[{number}]")).help("draw it again, or leave it out"))?;
    }
    let mut notes = Vec::new();
    if points > 0 {
        notes.push(format!("Left out, as they are no lines: points ({points})."));
    }
    Plan { shapes, role, notes, unit, input, tool: "GeoJSON" }.imported()
}

/// The roles, and what crowdtune itself calls a goal that is an area.
fn role(layer: &str) -> Option<Role> {
    if layer == "area" { Some(Role::Door) } else { Role::named(layer) }
}

fn layer(feature: &Feature) -> String {
    let named = LAYER.iter().find_map(|key| feature.property(key)?.as_str().filter(|name| !name.is_empty()));
    named.unwrap_or("0").to_owned()
}

fn take(value: &GeometryValue, layer: &str, shapes: &mut Vec<Shape>, points: &mut usize) -> Result<(), Error> {
    let mut push = |points, closed, holes| {
        shapes.push(Shape { layer: layer.to_owned(), line: None, points, closed, holes });
    };
    match value {
        GeometryValue::Point { .. } => *points += 1,
        GeometryValue::MultiPoint { coordinates } => *points += coordinates.len(),
        GeometryValue::LineString { coordinates } => push(line(coordinates)?, false, Vec::new()),
        GeometryValue::MultiLineString { coordinates } => {
            for one in coordinates {
                push(line(one)?, false, Vec::new());
            }
        }
        GeometryValue::Polygon { coordinates } => push_area(coordinates, &mut push)?,
        GeometryValue::MultiPolygon { coordinates } => {
            for one in coordinates {
                push_area(one, &mut push)?;
            }
        }
        GeometryValue::GeometryCollection { geometries } => {
            for one in geometries {
                take(&one.value, layer, shapes, points)?;
            }
        }
    }
    Ok(())
}

fn push_area(rings: &[Vec<Position>], push: &mut impl FnMut(Vec<Vec2>, bool, Vec<Vec<Vec2>>)) -> Result<(), Error> {
    let mut rings = rings.iter().map(|ring| line(ring));
    let Some(shell) = rings.next().transpose()? else { return Ok(()) };
    push(shell, true, rings.collect::<Result<_, _>>()?);
    Ok(())
}

fn line(positions: &[Position]) -> Result<Vec<Vec2>, Error> {
    let point = |p: &Position| match p.as_slice() {
        [x, y, ..] if x.is_finite() && y.is_finite() => Ok(vec2(*x, *y)),
        _ => Err(Error::input("a position of this feature has no x and y")),
    };
    positions.iter().map(point).collect()
}

#[cfg(test)]
#[path = "geojson_tests.rs"]
mod tests;
