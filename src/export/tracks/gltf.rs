//! Tracks as glTF 2.0 in one binary file: a node with an animation for each person, and the walls. Meters, y up, so the place lies in x and -z.
//!
//! glTF cannot hide a node for a while: who has not come yet or has left is scaled to nothing.

use super::body::HEIGHT_M;
use crate::preset::Walked;
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_sim::world::scenario::Scenario;
use gltf_json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use gltf_json::animation::{Animation, Channel, Interpolation, Property, Sampler, Target};
use gltf_json::material::{Material, PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use gltf_json::mesh::{Mesh, Mode, Primitive, Semantic};
use gltf_json::validation::{Checked, USize64};
use gltf_json::{Index, Node, Root, Scene, Value, buffer, serialize};
use std::collections::BTreeMap;

/// Height and width of walls, m. Chosen here: to look over, and to be seen.
const WALL_M: (f32, f32) = (1.0, 0.05);
/// Sides of a body. Chosen here: round from a few meters away.
const SIDES: u32 = 16;
/// Colors of groups that people with any color vision can tell apart, in linear light (Okabe and Ito, 2008).
const COLORS: [[f32; 3]; 6] = [
    [0.0, 0.168, 0.445],
    [0.665, 0.112, 0.0],
    [0.0, 0.342, 0.171],
    [0.604, 0.191, 0.386],
    [0.791, 0.347, 0.0],
    [0.093, 0.456, 0.815],
];
const GREY: [f32; 3] = [0.4, 0.4, 0.42];

/// The document and its numbers.
struct Writer {
    root: Root,
    numbers: Vec<u8>,
}

/// The file.
///
/// # Errors
/// If it would be larger than the format allows.
pub fn file(walked: &Walked, scenario: &Scenario, about: &[String]) -> Result<Vec<u8>, Error> {
    let mut writer = Writer { root: Root::default(), numbers: Vec::new() };
    writer.root.asset.generator = Some(format!("crowdtune {}", env!("CARGO_PKG_VERSION")));
    writer.root.asset.copyright = Some(about.join(" "));
    writer.root.asset.version = "2.0".into();
    let mut nodes = writer.people(walked, scenario);
    nodes.extend(writer.walls(scenario));
    let scene =
        writer.root.push(Scene { name: Some("crowd".into()), nodes, extensions: None, extras: Default::default() });
    writer.root.scene = Some(scene);
    writer.packed()
}

impl Writer {
    /// A node for each person, in the order of ids.
    fn people(&mut self, walked: &Walked, scenario: &Scenario) -> Vec<Index<Node>> {
        let track = &walked.track;
        let mut seen: Vec<(Vec<u32>, Vec<[f32; 3]>)> = vec![Default::default(); track.radius.len()];
        for (number, frame) in track.frames.iter().enumerate() {
            for (&id, &p) in frame.id.iter().zip(&frame.pos) {
                let (frames, places) = &mut seen[id as usize];
                frames.push(number as u32);
                places.push(at(p));
            }
        }
        let times: Vec<f32> = track.frames.iter().map(|frame| frame.time_s as f32).collect();
        let bodies: Vec<Index<Mesh>> = (0..scenario.groups.len().max(1))
            .map(|group| {
                let name = scenario.groups.get(group).map_or("people", |group| group.name.as_str());
                self.body(name, COLORS[group % COLORS.len()])
            })
            .collect();
        let mut animation = Animation {
            name: Some("walk".into()),
            channels: Vec::new(),
            samplers: Vec::new(),
            extensions: None,
            extras: Default::default(),
        };
        // Most people are there in the same frames.
        let mut inputs: BTreeMap<Vec<u32>, Index<Accessor>> = BTreeMap::new();
        let mut nodes = Vec::new();
        for (id, (frames, places)) in seen.iter().enumerate() {
            let (Some(&first), Some(&last)) = (frames.first(), frames.last()) else { continue };
            let group = track.group.get(id).map_or(0, |&group| usize::from(group));
            let radius = track.radius[id] as f32;
            let node = self.root.push(Node {
                name: Some(format!("person_{id}")),
                mesh: bodies.get(group).or(bodies.first()).copied(),
                translation: Some(places[0]),
                scale: Some([radius, 1.0, radius]),
                ..Node::default()
            });
            nodes.push(node);
            let at_frames = |frames: &[u32]| frames.iter().map(|&frame| times[frame as usize]).collect::<Vec<_>>();
            let input = *inputs.entry(frames.clone()).or_insert_with(|| self.scalars(&at_frames(frames)));
            let output = self.vectors(places, false);
            channel(&mut animation, node, Property::Translation, (input, output), Interpolation::Linear);
            let (mut when, mut sizes) = (Vec::new(), Vec::new());
            if first > 0 {
                when.push(0);
                sizes.push([0.0; 3]);
            }
            when.push(first);
            sizes.push([radius, 1.0, radius]);
            if (last as usize) + 1 < times.len() {
                when.push(last + 1);
                sizes.push([0.0; 3]);
            }
            if when.len() > 1 {
                let ends = (self.scalars(&at_frames(&when)), self.vectors(&sizes, false));
                channel(&mut animation, node, Property::Scale, ends, Interpolation::Step);
            }
        }
        // An animation without channels is none.
        if !animation.channels.is_empty() {
            self.root.push(animation);
        }
        nodes
    }

    fn body(&mut self, name: &str, color: [f32; 3]) -> Index<Mesh> {
        let height = HEIGHT_M as f32;
        let (mut points, mut normals, mut faces) = (Vec::new(), Vec::new(), Vec::new());
        for side in 0..=SIDES {
            let angle = std::f64::consts::TAU * f64::from(side % SIDES) / f64::from(SIDES);
            let (x, z) = (libm::cos(angle) as f32, -libm::sin(angle) as f32);
            for (y, normal) in [(0.0, [x, 0.0, z]), (height, [x, 0.0, z]), (height, [0.0, 1.0, 0.0])] {
                points.push([x, y, z]);
                normals.push(normal);
            }
        }
        points.push([0.0, height, 0.0]);
        normals.push([0.0, 1.0, 0.0]);
        for side in 0..SIDES {
            let (a, b, top) = (3 * side, 3 * side + 3, 3 * (SIDES + 1));
            faces.extend([a, b, b + 1, a, b + 1, a + 1, a + 2, b + 2, top]);
        }
        self.mesh(name, color, (&points, &normals, &faces))
    }

    /// A box on every wall.
    fn walls(&mut self, scenario: &Scenario) -> Option<Index<Node>> {
        let (mut points, mut normals, mut faces) = (Vec::new(), Vec::new(), Vec::new());
        for wall in &scenario.world.plan.walls {
            let Some(along) = (wall.b - wall.a).unit() else { continue };
            let aside = along.left() * (0.5 * f64::from(WALL_M.1));
            let corners = [wall.a - aside, wall.b - aside, wall.b + aside, wall.a + aside];
            for side in 0..4 {
                let (a, b) = (corners[side], corners[(side + 1) % 4]);
                let out = [along.left() * -1.0, along, along.left(), along * -1.0][side];
                let [x, _, z] = at(out);
                quad(&mut faces, points.len());
                for (p, y) in [(a, 0.0), (b, 0.0), (b, WALL_M.0), (a, WALL_M.0)] {
                    let [px, _, pz] = at(p);
                    points.push([px, y, pz]);
                    normals.push([x, 0.0, z]);
                }
            }
            quad(&mut faces, points.len());
            for p in corners {
                let [px, _, pz] = at(p);
                points.push([px, WALL_M.0, pz]);
                normals.push([0.0, 1.0, 0.0]);
            }
        }
        if points.is_empty() {
            return None;
        }
        let mesh = self.mesh("walls", GREY, (&points, &normals, &faces));
        Some(self.root.push(Node { name: Some("walls".into()), mesh: Some(mesh), ..Node::default() }))
    }

    fn mesh(
        &mut self,
        name: &str,
        color: [f32; 3],
        (points, normals, faces): (&[[f32; 3]], &[[f32; 3]], &[u32]),
    ) -> Index<Mesh> {
        let [r, g, b] = color;
        let material = self.root.push(Material {
            name: Some(name.into()),
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: PbrBaseColorFactor([r, g, b, 1.0]),
                metallic_factor: StrengthFactor(0.0),
                roughness_factor: StrengthFactor(0.9),
                ..PbrMetallicRoughness::default()
            },
            ..Material::default()
        });
        let attributes = [
            (Checked::Valid(Semantic::Positions), self.vectors(points, true)),
            (Checked::Valid(Semantic::Normals), self.vectors(normals, true)),
        ];
        let indices = self.indices(faces);
        let primitive = Primitive {
            attributes: attributes.into(),
            indices: Some(indices),
            material: Some(material),
            mode: Checked::Valid(Mode::Triangles),
            targets: None,
            extensions: None,
            extras: Default::default(),
        };
        self.root.push(Mesh {
            name: Some(name.into()),
            primitives: vec![primitive],
            weights: None,
            extensions: None,
            extras: Default::default(),
        })
    }

    /// Numbers of a kind, as the next view of the buffer.
    fn view(&mut self, bytes: &[u8], target: Option<buffer::Target>) -> Index<buffer::View> {
        let byte_offset = self.numbers.len();
        self.numbers.extend_from_slice(bytes);
        self.root.push(buffer::View {
            buffer: Index::new(0),
            byte_length: USize64::from(bytes.len()),
            byte_offset: Some(USize64::from(byte_offset)),
            byte_stride: None,
            name: None,
            target: target.map(Checked::Valid),
            extensions: None,
            extras: Default::default(),
        })
    }

    fn accessor(
        &mut self,
        view: Index<buffer::View>,
        count: usize,
        kind: (ComponentType, Type),
        ends: Option<(Value, Value)>,
    ) -> Index<Accessor> {
        let (min, max) = ends.unzip();
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: Some(USize64(0)),
            count: USize64::from(count),
            component_type: Checked::Valid(GenericComponentType(kind.0)),
            type_: Checked::Valid(kind.1),
            min,
            max,
            name: None,
            normalized: false,
            sparse: None,
            extensions: None,
            extras: Default::default(),
        })
    }

    fn scalars(&mut self, values: &[f32]) -> Index<Accessor> {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes, None);
        // Times ascend.
        let end = |x: Option<&f32>| Value::from(x.map_or(vec![], |&x| vec![x]));
        self.accessor(
            view,
            values.len(),
            (ComponentType::F32, Type::Scalar),
            Some((end(values.first()), end(values.last()))),
        )
    }

    fn vectors(&mut self, values: &[[f32; 3]], is_mesh: bool) -> Index<Accessor> {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes, is_mesh.then_some(buffer::Target::ArrayBuffer));
        let ends = |f: fn(f32, f32) -> f32| {
            let mut all = values[0];
            values.iter().for_each(|v| (0..3).for_each(|k| all[k] = f(all[k], v[k])));
            Value::from(all.to_vec())
        };
        self.accessor(
            view,
            values.len(),
            (ComponentType::F32, Type::Vec3),
            is_mesh.then(|| (ends(f32::min), ends(f32::max))),
        )
    }

    fn indices(&mut self, values: &[u32]) -> Index<Accessor> {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(buffer::Target::ElementArrayBuffer));
        self.accessor(view, values.len(), (ComponentType::U32, Type::Scalar), None)
    }

    /// The header, the document and the numbers, each a multiple of four bytes.
    fn packed(mut self) -> Result<Vec<u8>, Error> {
        self.root.push(buffer::Buffer {
            byte_length: USize64::from(self.numbers.len()),
            name: None,
            uri: None,
            extensions: None,
            extras: Default::default(),
        });
        let mut document =
            serialize::to_vec(&self.root).map_err(|e| Error::input(format!("the tracks as glTF: {e}")))?;
        document.resize(document.len().next_multiple_of(4), b' ');
        let all = 12 + 8 + document.len() + 8 + self.numbers.len();
        let size = |n: usize| {
            u32::try_from(n).map(u32::to_le_bytes).map_err(|_| {
                Error::input("the tracks are more than glTF can hold, 4 GB")
                    .help("export fewer people or a shorter run")
            })
        };
        Ok([
            &b"glTF"[..],
            &2_u32.to_le_bytes(),
            &size(all)?,
            &size(document.len())?,
            b"JSON",
            &document,
            &size(self.numbers.len())?,
            b"BIN\0",
            &self.numbers,
        ]
        .concat())
    }
}

fn channel(
    animation: &mut Animation,
    node: Index<Node>,
    path: Property,
    (input, output): (Index<Accessor>, Index<Accessor>),
    interpolation: Interpolation,
) {
    let sampler = Index::push(
        &mut animation.samplers,
        Sampler {
            input,
            output,
            interpolation: Checked::Valid(interpolation),
            extensions: None,
            extras: Default::default(),
        },
    );
    let target = Target { node, path: Checked::Valid(path), extensions: None, extras: Default::default() };
    animation.channels.push(Channel { sampler, target, extensions: None, extras: Default::default() });
}

/// Two triangles on the next four points.
fn quad(faces: &mut Vec<u32>, first: usize) {
    let a = first as u32;
    faces.extend([a, a + 1, a + 2, a, a + 2, a + 3]);
}

/// A point of the ground; y of the place is away from whoever looks along -z. Without a negative zero.
fn at(p: Vec2) -> [f32; 3] {
    [p.x as f32, 0.0, -p.y as f32 + 0.0]
}
