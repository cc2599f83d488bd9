//! Geometry as well-known text (OGC 06-103r4): polygons, wall lines, points.

use ::wkt::Wkt;
use ::wkt::types::{Coord, LineString};
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::world::scenario::{Polygon, Segment};
use crowdtune_sim::world::{check_holes, check_point};
use std::fmt::Write as _;

/// Upper bound for the points of one text. Chosen here: a city block, not a typing mistake; checking it takes a second.
const MAX_POINTS: usize = 100_000;
/// Upper bound for nested parentheses. Chosen here: a collection of collections of multi-polygons has 5.
const MAX_DEPTH: usize = 16;

/// What a text describes. Z and M coordinates are dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shapes {
    /// Shells with their holes, each counter-clockwise.
    pub polygons: Vec<(Polygon, Vec<Polygon>)>,
    /// The pieces of all lines, in order.
    pub segments: Vec<Segment>,
    /// Points.
    pub points: Vec<Vec2>,
}

/// Reads one geometry of any kind.
///
/// # Errors
/// Text that is not WKT (with line and column), an empty geometry, more than 100 000 points, coordinates that are not
/// finite or too large, an outline that crosses itself, a hole that is not inside its shell.
pub fn parse(text: &str) -> Result<Shapes, Error> {
    scan(text)?;
    let geometry: Wkt<f64> = text.parse().map_err(|why: &str| {
        Error::input(format!("this is not well-known text: {}", why.to_lowercase())).help(EXAMPLE)
    })?;
    let mut shapes = Shapes::default();
    shapes.take(geometry)?;
    if shapes == Shapes::default() {
        return Err(Error::input("this geometry is empty").help(EXAMPLE));
    }
    Ok(shapes)
}

/// Reads polygons: POLYGON, MULTIPOLYGON or a GEOMETRYCOLLECTION of them.
///
/// # Errors
/// As [`parse`], and anything but polygons.
pub fn polygons(text: &str) -> Result<Vec<(Polygon, Vec<Polygon>)>, Error> {
    let shapes = parse(text)?;
    if shapes.segments.is_empty() && shapes.points.is_empty() {
        return Ok(shapes.polygons);
    }
    Err(other_kind("polygons", "POLYGON or MULTIPOLYGON"))
}

/// Reads the pieces of lines: LINESTRING, MULTILINESTRING or a GEOMETRYCOLLECTION of them.
///
/// # Errors
/// As [`parse`], and anything but lines.
pub fn segments(text: &str) -> Result<Vec<Segment>, Error> {
    let shapes = parse(text)?;
    if shapes.polygons.is_empty() && shapes.points.is_empty() {
        return Ok(shapes.segments);
    }
    Err(other_kind("lines", "LINESTRING or MULTILINESTRING"))
}

const EXAMPLE: &str = "for example POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))";

fn other_kind(wanted: &str, kinds: &str) -> Error {
    Error::input(format!("this geometry has something other than {wanted}")).allowed(kinds)
}

/// Finds what the parser would refuse without a position, or should never see: deep nesting overflows its stack, and
/// it stops silently at the end of the first geometry.
fn scan(text: &str) -> Result<(), Error> {
    const WORDS: [&str; 11] = [
        "POINT",
        "LINESTRING",
        "POLYGON",
        "MULTIPOINT",
        "MULTILINESTRING",
        "MULTIPOLYGON",
        "GEOMETRYCOLLECTION",
        "EMPTY",
        "Z",
        "M",
        "ZM",
    ];
    let (mut depth, mut commas, mut finished) = (0usize, 0usize, false);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let at = text.len() - rest.len();
        let mut length = c.len_utf8();
        let blank = matches!(c, ' ' | '\t' | '\r' | '\n');
        if finished && !blank {
            return Err(not_wkt(text, at, "something follows the end of the geometry"));
        }
        match c {
            _ if blank => {}
            '(' => depth += 1,
            ')' if depth == 0 => return Err(not_wkt(text, at, "a parenthesis is closed that was never opened")),
            ')' => {
                depth -= 1;
                finished = depth == 0;
            }
            ',' => commas += 1,
            _ => {
                length = rest.find([' ', '\t', '\r', '\n', '(', ')', ',']).unwrap_or(rest.len());
                let word = &rest[..length];
                let number = word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
                if number && !word.parse::<f64>().is_ok_and(f64::is_finite) {
                    return Err(not_wkt(text, at, &format!("`{}` is not a finite number", short(word))));
                }
                if !number && !WORDS.iter().any(|w| w.eq_ignore_ascii_case(word)) {
                    return Err(not_wkt(text, at, &format!("`{}` is not a kind of geometry", short(word))));
                }
            }
        }
        if depth > MAX_DEPTH {
            return Err(not_wkt(text, at, &format!("parentheses are nested more than {MAX_DEPTH} deep")));
        }
        if commas >= MAX_POINTS {
            return Err(Error::input(format!("this geometry has more than {MAX_POINTS} points"))
                .help("simplify it, or split it over several keys"));
        }
        rest = &rest[length..];
    }
    if depth > 0 {
        return Err(not_wkt(text, text.len(), "a parenthesis is not closed"));
    }
    Ok(())
}

fn short(word: &str) -> String {
    word.chars().take(30).map(|c| if c.is_control() { '?' } else { c }).collect()
}

fn not_wkt(text: &str, at: usize, why: &str) -> Error {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
    Error::input(format!("this is not well-known text: {why} (line {line}, column {column} of it)")).help(EXAMPLE)
}

impl Shapes {
    fn take(&mut self, geometry: Wkt<f64>) -> Result<(), Error> {
        match geometry {
            Wkt::Point(point) => point.coord().into_iter().try_for_each(|c| self.point(c)),
            Wkt::MultiPoint(many) => many.points().iter().filter_map(|p| p.coord()).try_for_each(|c| self.point(c)),
            Wkt::LineString(line) => self.line(&line),
            Wkt::MultiLineString(many) => many.line_strings().iter().try_for_each(|line| self.line(line)),
            Wkt::Polygon(polygon) => self.polygon(polygon.rings()),
            Wkt::MultiPolygon(many) => many.polygons().iter().try_for_each(|p| self.polygon(p.rings())),
            Wkt::GeometryCollection(many) => many.into_inner().0.into_iter().try_for_each(|g| self.take(g)),
        }
    }

    fn point(&mut self, c: &Coord<f64>) -> Result<(), Error> {
        self.points.push(checked(c)?);
        Ok(())
    }

    fn line(&mut self, line: &LineString<f64>) -> Result<(), Error> {
        let points = line.coords().iter().map(checked).collect::<Result<Vec<_>, _>>()?;
        if points.len() == 1 {
            return Err(Error::input("a line has 1 point").allowed("at least 2 points"));
        }
        self.segments.extend(points.windows(2).map(|w| Segment { a: w[0], b: w[1] }));
        Ok(())
    }

    fn polygon(&mut self, rings: &[LineString<f64>]) -> Result<(), Error> {
        let rings = rings.iter().map(|r| r.coords().iter().map(checked).collect()).collect::<Result<Vec<_>, _>>()?;
        let mut rings = rings.into_iter().map(Polygon::checked);
        let Some(shell) = rings.next().transpose()? else { return Ok(()) };
        let holes = rings.collect::<Result<Vec<_>, _>>()?;
        check_holes(&shell, &holes).map_err(|e| e.help("list what touches the outline under `obstacles`"))?;
        self.polygons.push((shell, holes));
        Ok(())
    }
}

fn checked(c: &Coord<f64>) -> Result<Vec2, Error> {
    let p = vec2(c.x, c.y);
    check_point(p).map(|()| p)
}

/// All walls.
pub fn lines(walls: &[Segment]) -> String {
    if walls.is_empty() {
        return "MULTILINESTRING EMPTY".into();
    }
    let mut text = String::from("MULTILINESTRING (");
    for (at, wall) in walls.iter().enumerate() {
        let _ = write!(text, "{}({}, {})", if at > 0 { ", " } else { "" }, point(wall.a), point(wall.b));
    }
    text + ")"
}

/// Areas: shells with holes.
pub fn areas(walkable: &[(Polygon, Vec<Polygon>)]) -> String {
    let area = |(shell, holes): &(Polygon, Vec<Polygon>)| {
        let rings: Vec<String> = [shell].into_iter().chain(holes).map(ring).collect();
        format!("({})", rings.join(", "))
    };
    format!("MULTIPOLYGON ({})", walkable.iter().map(area).collect::<Vec<_>>().join(", "))
}

/// A closed ring: the first corner comes again at the end.
pub fn ring(polygon: &Polygon) -> String {
    let corners = polygon.points.iter().chain(polygon.points.first()).map(|&p| point(p));
    format!("({})", corners.collect::<Vec<_>>().join(", "))
}

/// The two coordinates of a point.
pub fn point(p: Vec2) -> String {
    format!("{} {}", p.x, p.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn says(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn reads_shells_with_holes_lines_and_points() {
        let all = parse(
            "GEOMETRYCOLLECTION (POLYGON ((0 0, 0 4, 4 4, 4 0, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1)), \
             multilinestring((0 0, 1e1 0, 10 -.5), (7 7, 8 8)), POINT Z (1 2 3), MULTIPOINT (1 1, 2 2))",
        )
        .unwrap();
        let (shell, holes) = &all.polygons[0];
        assert_eq!((shell.signed_area(), holes[0].signed_area()), (16.0, 1.0));
        assert_eq!(all.segments.len(), 3);
        assert_eq!(all.segments[1], Segment { a: vec2(10.0, 0.0), b: vec2(10.0, -0.5) });
        assert_eq!(all.points, [vec2(1.0, 2.0), vec2(1.0, 1.0), vec2(2.0, 2.0)]);
        assert_eq!(polygons("MULTIPOLYGON (((0 0,1 0,0 1,0 0)),((5 5,6 5,5 6,5 5)))").unwrap().len(), 2);
        assert_eq!(segments("LINESTRING (0 0, 1 1)").unwrap().len(), 1);
    }

    #[test]
    fn every_mistake_is_named() {
        assert!(says("POLYGON ((0 0, 1 0,\n 0 x1, 0 0))").contains("`x1` is not a kind of geometry (line 2, column 4"));
        assert!(says("POLYGON ((0 0, 1 0, 0 1, 0 0)").contains("not closed"));
        assert!(says("POINT (1 2)) ").contains("follows the end"));
        assert!(says("POINT (1 2) POINT (1 2)").contains("follows the end"));
        assert!(says(")").contains("never opened"));
        assert!(says("POINT (1 1e999)").contains("not a finite number"));
        assert!(says("POINT (1 1e9)").contains("cannot be placed"));
        assert!(says("POINT (1)").contains("not well-known text"));
        assert!(says("POLYGON EMPTY").contains("empty"));
        assert!(says("").contains("not well-known text"));
        assert!(says("POLYGON ((0 0, 2 2, 2 0, 0 3, 0 0))").contains("crosses"));
        assert!(says("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (5 5, 6 5, 6 6, 5 5))").contains("a hole"));
        assert!(says("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 6 1, 6 2, 1 1))").contains("a hole"));
        assert!(says("LINESTRING (1 1)").contains("line"));
        assert!(says(&"GEOMETRYCOLLECTION (".repeat(100_000)).contains("nested"));
        assert!(says(&format!("MULTIPOINT (1 1{})", ", 1 1".repeat(100_000))).contains("100000 points"));
        assert!(polygons("POINT (1 1)").unwrap_err().what().contains("other than polygons"));
        assert!(segments("POINT (1 1)").is_err());
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(text in any::<String>()) {
            let _ = parse(&text);
        }

        #[test]
        fn nearly_right_text_never_panics(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just("POLYGON"), Just("MULTIPOLYGON"), Just("LINESTRING"), Just("POINT"), Just("MULTIPOINT"),
                    Just("GEOMETRYCOLLECTION"), Just("EMPTY"), Just("Z"), Just("("), Just("("), Just(")"), Just(")"),
                    Just(","), Just("1 1"), Just("0 0"), Just("2 0"), Just("0 2"), Just("-1.5e300 7"), Just("NaN"),
                ],
                0..24,
            )
        ) {
            let _ = parse(&parts.join(" "));
        }

        #[test]
        fn any_ring_is_a_polygon_or_an_error(
            ring in proptest::collection::vec((-3i32..4, -3i32..4), 0..9),
            hole in proptest::collection::vec((-3i32..4, -3i32..4), 0..5),
        ) {
            let list = |r: &[(i32, i32)]| r.iter().map(|(x, y)| format!("{x} {y}")).collect::<Vec<_>>().join(", ");
            if let Ok(shapes) = parse(&format!("POLYGON (({}), ({}))", list(&ring), list(&hole))) {
                for (shell, holes) in shapes.polygons {
                    prop_assert!(shell.signed_area() > holes.iter().map(Polygon::signed_area).sum());
                }
            }
        }
    }
}
