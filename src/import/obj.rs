//! Floor plans from Wavefront OBJ: objects of a model, cut at a height or seen from above.

use super::plan::{self, Plan, Shape};
use super::{ImportInput, Imported, MakeImporter, Role, Up, text};
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::Entry;
use std::collections::BTreeMap;

/// The importer's entry.
pub static ENTRY: Entry<MakeImporter> = Entry {
    name: "obj",
    doc: "A floor plan from a 3D model: walls and doors are where their objects are cut at a height, areas are objects seen from above.",
    source: "Wavefront OBJ, Object Files (1990): v, f, l, o and g",
    params: &[],
    make: MakeImporter {
        import,
        reads: "a .obj file; each of its objects or groups is a layer",
        takes: &["--unit", "--up", "--height", "--layer", "--door", "--start", "--origin", "--people", "--model"],
    },
};

/// Height of the section above the lowest point, m. Chosen here: above sills, below lintels.
const HEIGHT_M: f64 = 1.0;
/// Steeper faces are no ground: height over length.
const FLAT: f64 = 0.1;

/// A corner: its place seen from above, and its height.
type Corner = (Vec2, f64);

fn import(input: &ImportInput<'_>) -> Result<Imported, Error> {
    let unit = plan::unit(input, false)?;
    let up = input.said.up.ok_or_else(|| {
        Error::input("either y or z may point up in this file").key("--up").allowed("y, z").help(
            "say which one, for example `--up z`: most modeling programs write y up unless told otherwise, CAD writes z",
        )
    })?;
    let text = text(input)?;
    let (corners, objects) = objects(text)?;
    let meters = unit.meters().unwrap_or(1.0);
    let corners: Vec<Corner> = corners
        .iter()
        .map(|&[x, y, z]| match up {
            Up::Z => (vec2(x, y), z),
            // Seen from above with x to the right, z comes towards the reader.
            Up::Y => (vec2(x, -z), y),
        })
        .collect();
    let lowest = corners.iter().fold(f64::INFINITY, |low, corner| low.min(corner.1));
    let above = input.said.height_m.unwrap_or(HEIGHT_M);
    let cut = lowest + above / meters;
    let mut shapes = Vec::new();
    for object in &objects {
        take(object, &corners, cut, input.said.role(object.name), &mut shapes);
    }
    let notes = vec![format!(
        "Walls and doors are the section {above} m above the lowest point of the model, areas its flat faces seen from above."
    )];
    Plan { shapes, role: |_| None, notes, unit, input, tool: "OBJ" }.imported()
}

/// An object or group: its faces and edges, by the numbers of their corners.
#[derive(Debug)]
struct Object<'a> {
    name: &'a str,
    faces: Vec<Vec<usize>>,
}

/// The corners of a file, x y z, and its objects.
fn objects(text: &str) -> Result<(Vec<[f64; 3]>, Vec<Object<'_>>), Error> {
    let (mut corners, mut objects) = (Vec::new(), vec![Object { name: "0", faces: Vec::new() }]);
    for (at, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let wrong = |what: String| Error::input(what).line(at + 1).help("export the model again as OBJ");
        match word {
            "v" => corners.push(corner(rest).ok_or_else(|| wrong("a corner is not three numbers".into()))?),
            "f" | "l" => {
                let number = |word: &str| {
                    index(word, corners.len()).ok_or_else(|| {
                        wrong(format!(
                            "`{}` is none of the {} corners before",
                            super::draft::comment(word),
                            corners.len()
                        ))
                    })
                };
                let all = rest.split_whitespace().map(number).collect::<Result<Vec<_>, _>>()?;
                if all.len() < if word == "f" { 3 } else { 2 } {
                    return Err(wrong("a face has three corners or more, an edge two".into()));
                }
                let faces = &mut objects.last_mut().expect("there is a first one").faces;
                if word == "f" { faces.push(all) } else { faces.extend(all.windows(2).map(<[usize]>::to_vec)) }
            }
            "o" | "g" => objects.push(Object { name: rest.trim(), faces: Vec::new() }),
            _ => {}
        }
    }
    objects.retain(|object| !object.faces.is_empty());
    Ok((corners, objects))
}

fn corner(text: &str) -> Option<[f64; 3]> {
    let mut numbers = text.split_whitespace().map(|word| word.parse::<f64>().ok().filter(|x| x.is_finite()));
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// The place of a corner in the list: numbers begin at 1, negative ones count back from the last.
fn index(word: &str, count: usize) -> Option<usize> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let at = if number < 0 { i64::try_from(count).ok()?.checked_add(number)? } else { number.checked_sub(1)? };
    usize::try_from(at).ok().filter(|&at| at < count)
}

/// The shapes of an object: what its role asks for, or, for the list of layers, its outline from above.
fn take(object: &Object<'_>, corners: &[Corner], cut: f64, role: Option<Role>, shapes: &mut Vec<Shape>) {
    let faces: Vec<Vec<Corner>> =
        object.faces.iter().map(|face| face.iter().map(|&at| corners[at]).collect()).collect();
    let mut push = |points, closed| {
        shapes.push(Shape { layer: object.name.to_owned(), line: None, points, closed, holes: Vec::new() });
    };
    match role {
        Some(role @ (Role::Wall | Role::Door)) => {
            let mut cuts: Vec<(Vec2, Vec2)> = faces.iter().filter_map(|face| section(face, cut)).collect();
            if role == Role::Door {
                // The leaf of a door is a box: its longest side is the way across.
                cuts.sort_by(|one, other| (other.1 - other.0).length2().total_cmp(&(one.1 - one.0).length2()));
                cuts.truncate(1);
            }
            if cuts.is_empty() {
                // The object is there, but not at this height.
                push(Vec::new(), false);
            }
            cuts.into_iter().for_each(|(a, b)| push(vec![a, b], false));
        }
        Some(Role::Walkable | Role::Obstacle | Role::Start) => {
            for face in seen_from_above(&faces) {
                push(face, true);
            }
        }
        None => push(faces.iter().flatten().take(3).map(|corner| corner.0).collect(), true),
    }
}

/// Where a face, or an edge, meets a height.
fn section(face: &[Corner], cut: f64) -> Option<(Vec2, Vec2)> {
    if let &[(a, _), (b, _)] = face {
        return Some((a, b));
    }
    let mut ends = Vec::new();
    for (k, &(a, low)) in face.iter().enumerate() {
        let (b, high) = face[(k + 1) % face.len()];
        if (low >= cut) != (high >= cut) {
            ends.push(a + (b - a) * ((cut - low) / (high - low)));
        }
    }
    // A face that is not convex may be cut twice: the outermost ends.
    match &ends[..] {
        [] | [_] => None,
        [a, .., b] => Some((*a, *b)),
    }
}

/// The flat faces of an object, each a counterclockwise outline; of a slab only one side.
fn seen_from_above(faces: &[Vec<Corner>]) -> Vec<Vec<Vec2>> {
    let mut seen: BTreeMap<Vec<[u64; 2]>, Vec<Vec2>> = BTreeMap::new();
    for face in faces.iter().filter(|face| face.len() > 2) {
        let area: f64 = (0..face.len()).map(|k| face[k].0.cross(face[(k + 1) % face.len()].0)).sum();
        let (low, high) = face
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), corner| (low.min(corner.1), high.max(corner.1)));
        if area == 0.0 || high - low > FLAT * area.abs().sqrt() {
            continue;
        }
        let mut outline: Vec<Vec2> = face.iter().map(|corner| corner.0).collect();
        if area < 0.0 {
            outline.reverse();
        }
        let mut key: Vec<[u64; 2]> = outline.iter().map(|p| [p.x.to_bits(), p.y.to_bits()]).collect();
        key.sort_unstable();
        seen.entry(key).or_insert(outline);
    }
    seen.into_values().collect()
}

#[cfg(test)]
#[path = "obj_tests.rs"]
mod tests;
