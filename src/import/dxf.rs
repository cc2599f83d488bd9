//! Floor plans as DXF, the drawing exchange format of AutoCAD, in its text form: pairs of lines, a group code and its value.

use super::plan::{self, Plan, Shape};
use super::{ImportInput, Imported, MakeImporter, Unit, text};
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::Entry;
use std::collections::BTreeMap;

/// The importer's entry.
pub static ENTRY: Entry<MakeImporter> = Entry {
    name: "dxf",
    doc: "A floor plan drawn in CAD: lines, polylines, arcs and circles of the layers that are named.",
    source: "Autodesk, DXF Reference (2012): the ENTITIES section, in text form",
    params: &[],
    make: MakeImporter {
        import,
        reads: "a .dxf file in text form (ASCII), of any version",
        takes: &["--unit", "--layer", "--door", "--start", "--origin", "--people", "--model"],
    },
};

/// How far a chord may lie from its arc, m. Chosen here: a hundredth of a body.
const CHORD_M: f64 = 0.005;
/// Chords of a whole circle at most.
const CHORDS: f64 = 720.0;

/// Drawn things that are no lines: left out on any layer, and counted.
const WORDS: [&str; 11] =
    ["TEXT", "MTEXT", "ATTDEF", "ATTRIB", "DIMENSION", "LEADER", "MULTILEADER", "POINT", "HATCH", "VIEWPORT", "IMAGE"];

/// A group code with its value.
#[derive(Clone, Copy, Debug)]
struct Pair<'a> {
    code: i32,
    value: &'a str,
    /// Line of the value.
    line: usize,
}

impl Pair<'_> {
    fn number(&self) -> Result<f64, Error> {
        let number = self.value.parse::<f64>().ok().filter(|x| x.is_finite());
        number.ok_or_else(|| {
            Error::input(format!("`{}` is no number", super::draft::comment(self.value)))
                .line(self.line)
                .help("save the drawing again as DXF")
        })
    }
}

/// Something drawn.
#[derive(Debug)]
struct Entity<'a> {
    kind: &'a str,
    line: usize,
    pairs: Vec<Pair<'a>>,
}

impl Entity<'_> {
    fn of(&self, code: i32) -> Option<&Pair<'_>> {
        self.pairs.iter().find(|pair| pair.code == code)
    }

    fn number(&self, code: i32, what: &str) -> Result<f64, Error> {
        let pair = self.of(code).ok_or_else(|| {
            Error::input(format!("this {} has no {what} (group code {code})", self.kind))
                .line(self.line)
                .help("save the drawing again as DXF")
        })?;
        pair.number()
    }

    fn flag(&self, code: i32) -> Result<i64, Error> {
        self.of(code).map_or(Ok(0.0), Pair::number).map(|x| x as i64)
    }

    fn layer(&self) -> String {
        self.of(8).map_or("0", |pair| pair.value).to_owned()
    }

    fn point(&self, (x, y): (i32, i32)) -> Result<Vec2, Error> {
        Ok(vec2(self.number(x, "x")?, self.number(y, "y")?))
    }
}

fn import(input: &ImportInput<'_>) -> Result<Imported, Error> {
    if input.bytes.starts_with(b"AutoCAD Binary DXF") {
        return Err(Error::input("this is a binary DXF file").help("save it as DXF in text form (ASCII)"));
    }
    let unit = plan::unit(input, false)?;
    let latin;
    // Before version 2007 text was in a code page; only layers' names are concerned.
    let text = match text(input) {
        Ok(text) => text,
        Err(_) => {
            latin = input.bytes.iter().map(|&b| b as char).collect::<String>();
            &latin
        }
    };
    let pairs = pairs(text)?;
    let mut notes = Vec::new();
    if let Some(other) = header_unit(&pairs).filter(|&other| other != unit) {
        notes.push(format!("The drawing says that its unit is {}, and --unit says {}.", other.name(), unit.name()));
    }
    let mut left = BTreeMap::new();
    let chord = CHORD_M / unit.meters().unwrap_or(1.0);
    let said = |layer: &str| input.said.role(layer).is_some();
    let shapes = shapes(&entities(&pairs)?, &said, chord, &mut left)?;
    if !left.is_empty() {
        let words: Vec<String> = left.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
        notes.push(format!("Left out, as only lines, polylines, arcs and circles are read: {}.", words.join(", ")));
    }
    Plan { shapes, role: |_| None, notes, unit, input, tool: "DXF" }.imported()
}

fn pairs(text: &str) -> Result<Vec<Pair<'_>>, Error> {
    let mut pairs = Vec::new();
    let mut lines = text.lines().map(str::trim).enumerate();
    while let Some((at, code)) = lines.next() {
        let Some((line, value)) = lines.next() else {
            // A blank line at the end is no half of a pair.
            if code.is_empty() {
                break;
            }
            return Err(Error::input("the file ends in the middle of a pair")
                .line(at + 1)
                .help("copy or save it again: it was cut off"));
        };
        let code = code.parse().map_err(|_| {
            Error::input(format!("`{}` is no group code", super::draft::comment(code)))
                .line(at + 1)
                .help("DXF is pairs of lines, a whole number and its value; save the drawing again as DXF in text form")
        })?;
        pairs.push(Pair { code, value, line: line + 1 });
        if code == 0 && value == "EOF" {
            break;
        }
    }
    Ok(pairs)
}

/// The unit in the head of the drawing, if it is one of ours.
fn header_unit(pairs: &[Pair<'_>]) -> Option<Unit> {
    let at = pairs.iter().position(|pair| pair.code == 9 && pair.value == "$INSUNITS")?;
    match pairs.get(at + 1)?.value {
        "1" => Some(Unit::In),
        "2" => Some(Unit::Ft),
        "4" => Some(Unit::Mm),
        "5" => Some(Unit::Cm),
        "6" => Some(Unit::M),
        "14" => Some(Unit::Dm),
        _ => None,
    }
}

/// What is drawn in the ENTITIES section.
fn entities<'a>(pairs: &[Pair<'a>]) -> Result<Vec<Entity<'a>>, Error> {
    let begin = pairs
        .windows(2)
        .position(|w| (w[0].code, w[0].value) == (0, "SECTION") && (w[1].code, w[1].value) == (2, "ENTITIES"));
    let Some(begin) = begin else {
        return Err(Error::input("this file has no ENTITIES section, so nothing is drawn in it")
            .help("export the drawing as DXF, with its model space"));
    };
    let mut entities: Vec<Entity<'a>> = Vec::new();
    for pair in &pairs[begin + 2..] {
        match (pair.code, pair.value) {
            (0, "ENDSEC" | "EOF") => break,
            (0, kind) => entities.push(Entity { kind, line: pair.line, pairs: Vec::new() }),
            _ => {
                if let Some(entity) = entities.last_mut() {
                    entity.pairs.push(*pair);
                }
            }
        }
    }
    Ok(entities)
}

fn shapes<'a>(
    entities: &[Entity<'a>],
    said: &dyn Fn(&str) -> bool,
    chord: f64,
    left: &mut BTreeMap<&'a str, usize>,
) -> Result<Vec<Shape>, Error> {
    let mut shapes = Vec::new();
    let mut rest = entities.iter().peekable();
    while let Some(entity) = rest.next() {
        // Things on a sheet of paper are no place.
        if entity.flag(67)? == 1 {
            continue;
        }
        let (points, closed) = match entity.kind {
            "LINE" => (vec![entity.point((10, 20))?, entity.point((11, 21))?], false),
            "LWPOLYLINE" => {
                let closed = entity.flag(70)? & 1 == 1;
                (bulged(&light(entity)?, closed, chord), closed)
            }
            "POLYLINE" => {
                let flags = entity.flag(70)?;
                let closed = flags & 1 == 1;
                let mut corners = Vec::new();
                while let Some(vertex) = rest.next_if(|e| e.kind == "VERTEX") {
                    // Control points of a spline lie beside it.
                    if vertex.flag(70)? & 16 == 0 {
                        corners.push((vertex.point((10, 20))?, vertex.of(42).map_or(Ok(0.0), Pair::number)?));
                    }
                }
                // A mesh.
                if flags & (16 | 64) != 0 {
                    refuse(entity, said)?;
                    continue;
                }
                (bulged(&corners, closed, chord), closed)
            }
            "ARC" => {
                let (from, to) = (entity.number(50, "angle")?.to_radians(), entity.number(51, "angle")?.to_radians());
                let turn = libm::fmod(
                    libm::fmod(to - from, std::f64::consts::TAU) + std::f64::consts::TAU,
                    std::f64::consts::TAU,
                );
                (arc(entity.point((10, 20))?, entity.number(40, "radius")?, (from, turn), chord), false)
            }
            "CIRCLE" => {
                let turn = (0.0, std::f64::consts::TAU);
                let mut points = arc(entity.point((10, 20))?, entity.number(40, "radius")?, turn, chord);
                points.pop();
                (points, true)
            }
            "SEQEND" | "VERTEX" => continue,
            kind if WORDS.contains(&kind) => {
                *left.entry(kind).or_default() += 1;
                continue;
            }
            kind => {
                refuse(entity, said)?;
                *left.entry(kind).or_default() += 1;
                continue;
            }
        };
        if entity.of(230).is_some_and(|z| z.number().is_ok_and(|z| z < 0.0)) && said(&entity.layer()) {
            return Err(Error::input(format!("this {} is drawn from below, so its x runs to the left", entity.kind))
                .line(entity.line)
                .help("mirror it in the drawing, or set its extrusion to (0, 0, 1)"));
        }
        shapes.push(Shape { layer: entity.layer(), line: Some(entity.line), points, closed, holes: Vec::new() });
    }
    Ok(shapes)
}

/// What cannot be read is an error on a layer that is wanted.
fn refuse(entity: &Entity<'_>, said: &dyn Fn(&str) -> bool) -> Result<(), Error> {
    let layer = entity.layer();
    if !said(&layer) {
        return Ok(());
    }
    let help = match entity.kind {
        "INSERT" => "explode the block in the drawing (EXPLODE), or move it to a layer that is not named",
        "SPLINE" | "ELLIPSE" => "turn it into a polyline in the drawing (FLATTEN, or PEDIT)",
        _ => "draw it as lines or polylines, or move it to a layer that is not named",
    };
    Err(Error::input(format!(
        "`{}` on layer `{}` is no line that can be read",
        super::draft::comment(entity.kind),
        super::draft::comment(&layer)
    ))
    .line(entity.line)
    .allowed("LINE, LWPOLYLINE, POLYLINE, ARC, CIRCLE")
    .help(help))
}

/// Corners of a light polyline with the bulge behind each.
fn light(entity: &Entity<'_>) -> Result<Vec<(Vec2, f64)>, Error> {
    let mut corners: Vec<(Vec2, f64)> = Vec::new();
    for pair in &entity.pairs {
        match (pair.code, corners.last_mut()) {
            (10, _) => corners.push((vec2(pair.number()?, 0.0), 0.0)),
            (20, Some(corner)) => corner.0.y = pair.number()?,
            (42, Some(corner)) => corner.1 = pair.number()?,
            _ => {}
        }
    }
    Ok(corners)
}

/// Corners with arcs between them as chords. A bulge is the tangent of a quarter of the angle of its arc, positive to the left.
fn bulged(corners: &[(Vec2, f64)], closed: bool, chord: f64) -> Vec<Vec2> {
    let mut points = Vec::new();
    for (k, &(a, bulge)) in corners.iter().enumerate() {
        points.push(a);
        let Some(&(b, _)) = corners.get(k + 1).or(corners.first().filter(|_| closed)) else { break };
        let length = (b - a).length();
        if bulge == 0.0 || length == 0.0 {
            continue;
        }
        let angle = 4.0 * libm::atan(bulge);
        let radius = length * (1.0 + bulge * bulge) / (4.0 * bulge.abs());
        // From the middle of the chord to the center, on the left for arcs to the left of less than half a turn.
        let center = (a + b) * 0.5 + (b - a).left() * ((1.0 - bulge * bulge) / (4.0 * bulge));
        let from = libm::atan2(a.y - center.y, a.x - center.x);
        let all = arc(center, radius, (from, angle), chord);
        points.extend_from_slice(&all[1..all.len() - 1]);
    }
    points
}

/// Points of an arc, both ends included; `turn` is negative for clockwise.
fn arc(center: Vec2, radius: f64, (from, turn): (f64, f64), chord: f64) -> Vec<Vec2> {
    let flat = libm::acos((1.0 - chord / radius.abs()).max(-1.0)) * 2.0;
    let pieces = (turn.abs() / flat).ceil().clamp(3.0, CHORDS);
    (0..=pieces as usize)
        .map(|k| {
            let angle = from + turn * (k as f64 / pieces);
            center + vec2(libm::cos(angle), libm::sin(angle)) * radius
        })
        .collect()
}

#[cfg(test)]
#[path = "dxf_tests.rs"]
mod tests;
