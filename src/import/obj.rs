//! Floor plans from Wavefront OBJ: objects of a model, cut at a height or seen from above.

use super::plan::{self, Plan, Shape};
use super::{ImportInput, Imported, MakeImporter, Role, Up, text};
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::Entry;
use std::collections::BTreeMap;
use tobj::{LoadError, LoadOptions, Model};

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
    let models = models(text)?;
    let meters = unit.meters().unwrap_or(1.0);
    let heights = models
        .iter()
        .flat_map(|model| model.mesh.positions.chunks_exact(3).map(move |p| if up == Up::Z { p[2] } else { p[1] }));
    let lowest = heights.fold(f64::INFINITY, f64::min);
    let above = input.said.height_m.unwrap_or(HEIGHT_M);
    let cut = lowest + above / meters;
    let role = |name: &str| input.said.layers.iter().find(|(layer, _)| layer.eq_ignore_ascii_case(name)).map(|l| l.1);
    let mut shapes = Vec::new();
    for model in &models {
        take(model, up, cut, role(&model.name), &mut shapes);
    }
    let notes = vec![format!(
        "Walls and doors are the section {above} m above the lowest point of the model, areas its flat faces seen from above."
    )];
    Plan { shapes, role: |_| None, notes, input, tool: "OBJ" }.imported()
}

/// The objects of a file.
fn models(text: &str) -> Result<Vec<Model>, Error> {
    // The library would take such a line for a face.
    let long = |line: &str| line.split_whitespace().next() == Some("l") && line.split_whitespace().count() > 3;
    if let Some(at) = text.lines().position(long) {
        return Err(Error::input("this line has more than two points")
            .line(at + 1)
            .help("export it as single edges, `l 1 2`"));
    }
    let read = |text: &str| {
        let options = LoadOptions { ignore_points: true, ..LoadOptions::default() };
        tobj::load_obj_buf(&mut text.as_bytes(), &options, |_| Err(LoadError::OpenFileFailed)).map(|(models, _)| models)
    };
    read(text).map_err(|e| {
        // The library does not say where: the first line without which the text before is read.
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).chain([text.len()]).collect();
        let line = ends.partition_point(|&end| read(&text[..end]).is_ok()) + 1;
        Error::input(format!("this is no OBJ: {e}")).line(line).help("export the model again as OBJ")
    })
}

/// The shapes of an object: what its role asks for, or, for the list of layers, its outline from above.
fn take(model: &Model, up: Up, cut: f64, role: Option<Role>, shapes: &mut Vec<Shape>) {
    let mesh = &model.mesh;
    let corner = |&index: &u32| -> Corner {
        let p = &mesh.positions[3 * index as usize..];
        match up {
            Up::Z => (vec2(p[0], p[1]), p[2]),
            // Seen from above with x to the right, z comes towards the reader.
            Up::Y => (vec2(p[0], -p[2]), p[1]),
        }
    };
    let mut faces: Vec<Vec<Corner>> = Vec::new();
    let mut at = 0;
    // Without a list all faces are triangles.
    let arities =
        if mesh.face_arities.is_empty() { vec![3; mesh.indices.len() / 3] } else { mesh.face_arities.clone() };
    for arity in arities {
        let end = at + arity as usize;
        faces.push(mesh.indices[at..end].iter().map(corner).collect());
        at = end;
    }
    let mut push = |points, closed| {
        shapes.push(Shape { layer: model.name.clone(), line: None, points, closed, holes: Vec::new() });
    };
    match role {
        Some(Role::Wall) => {
            for (a, b) in faces.iter().filter_map(|face| section(face, cut)) {
                push(vec![a, b], false);
            }
        }
        Some(Role::Door) => {
            // The leaf of a door is a box: its longest side is the way across.
            let longest = faces.iter().filter_map(|face| section(face, cut));
            let longest =
                longest.max_by(|one, other| (one.1 - one.0).length2().total_cmp(&(other.1 - other.0).length2()));
            if let Some((a, b)) = longest {
                push(vec![a, b], false);
            }
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
