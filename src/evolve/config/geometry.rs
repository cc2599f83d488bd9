//! Points, lines and areas as a file writes them: lists of [x, y] in meters.

use super::item::Item;
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::world::scenario::{Polygon, Segment};

/// Chosen here: coordinates beyond 1000 km are a mistake in the unit.
const FAR_M: f64 = 1e6;

/// At least `least` points.
pub fn points(item: &Item<'_>, least: usize) -> Result<Vec<Vec2>, Error> {
    let what = format!("a list of at least {least} points [x, y] in m");
    let list = item.list().map_err(|_| item.wrong(what.clone()))?;
    if list.len() < least {
        return Err(item.wrong(what));
    }
    list.iter().map(point).collect()
}

/// One point.
pub fn point(item: &Item<'_>) -> Result<Vec2, Error> {
    let pair = item.numbers(2, "a point [x, y] in m")?;
    if pair.iter().any(|c| c.abs() > FAR_M) {
        return Err(item.wrong("coordinates up to 1000000 m"));
    }
    Ok(vec2(pair[0], pair[1]))
}

/// A line: two different points.
pub fn line(item: &Item<'_>) -> Result<Segment, Error> {
    let what = "a line [[x, y], [x, y]] in m between two different points";
    match points(item, 2)?[..] {
        [a, b] if (b - a).length() > 1e-9 => Ok(Segment { a, b }),
        _ => Err(item.wrong(what)),
    }
}

/// An area: two opposite corners of a rectangle, or the corners of a simple polygon, in either sense.
pub fn area(item: &Item<'_>) -> Result<Polygon, Error> {
    let points = points(item, 2)?;
    let polygon = match points[..] {
        [a, b] => Ok(Polygon::rectangle(a, b)),
        _ => Polygon::checked(points),
    };
    let help = "give two opposite corners, or the corners of a polygon whose edges do not cross";
    let polygon = polygon.map_err(|e| item.located(e).help(help))?;
    if polygon.area() > 0.0 { Ok(polygon) } else { Err(item.wrong("an area above 0 m2").help(help)) }
}
