//! What an importer is: a file of another tool in, the text of an experiment out.

use crowdtune_core::Error;
use crowdtune_core::registry::List;
use crowdtune_sim::models::MakeModel;

/// How an importer is made: what it does, and what it asks for.
#[derive(Clone, Copy, Debug)]
pub struct MakeImporter {
    /// Reads the file.
    pub import: fn(&ImportInput<'_>) -> Result<Imported, Error>,
    /// The files that it takes, in words.
    pub reads: &'static str,
    /// The options that it takes, as the command line names them.
    pub takes: &'static [&'static str],
}

/// The file and what the user said of it.
#[derive(Clone, Copy, Debug)]
pub struct ImportInput<'a> {
    /// The content of the file.
    pub bytes: &'a [u8],
    /// Its name, without folders.
    pub file: &'a str,
    /// The options.
    pub said: &'a Said,
    /// The models that `--model` can name.
    pub models: &'a List<MakeModel>,
}

/// What an import gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The experiment.
    pub text: String,
    /// What the user should know: what was left out, what was taken for what.
    pub notes: Vec<String>,
}

/// The options of `crowdtune import`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// Unit of the coordinates.
    pub unit: Option<Unit>,
    /// The axis that points up.
    pub up: Option<Up>,
    /// What the layers are, by their names.
    pub layers: Vec<(String, Role)>,
    /// Lines where people leave, m.
    pub doors: Vec<[f64; 4]>,
    /// Two opposite corners of areas where people start, m.
    pub starts: Vec<[f64; 4]>,
    /// Height of the section through a model, m above its lowest point.
    pub height_m: Option<f64>,
    /// The point of the file that becomes (0, 0), in its unit.
    pub origin: Option<[f64; 2]>,
    /// Number of people.
    pub people: Option<u32>,
    /// The model that they follow.
    pub model: Option<String>,
    /// Their names and ours.
    pub map: Vec<(String, String)>,
    /// Go on without what cannot be said here.
    pub force: bool,
}

/// Units of lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Meter.
    M,
    /// Decimeter.
    Dm,
    /// Centimeter.
    Cm,
    /// Millimeter.
    Mm,
    /// Foot of 0.3048 m.
    Ft,
    /// Inch of 0.0254 m.
    In,
    /// Degrees of longitude and latitude.
    Deg,
}

/// What is called `name`.
fn called<T: Copy>(all: &[(&'static str, T)], name: &str) -> Option<T> {
    all.iter().find(|(known, _)| *known == name).map(|&(_, thing)| thing)
}

impl Said {
    /// What a layer is; upper and lower case are one, as in CAD.
    pub fn role(&self, layer: &str) -> Option<Role> {
        self.layers.iter().find(|(name, _)| name.eq_ignore_ascii_case(layer)).map(|&(_, role)| role)
    }
}

impl Unit {
    /// All of them with their names.
    pub const ALL: [(&str, Self); 7] = [
        ("m", Self::M),
        ("dm", Self::Dm),
        ("cm", Self::Cm),
        ("mm", Self::Mm),
        ("ft", Self::Ft),
        ("in", Self::In),
        ("deg", Self::Deg),
    ];

    /// The unit of a name.
    pub fn named(name: &str) -> Option<Self> {
        called(&Self::ALL, name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, unit)| *unit == self).map_or("m", |(name, _)| name)
    }

    /// Its length, m; `None` for degrees, whose length depends on where they are.
    pub fn meters(self) -> Option<f64> {
        match self {
            Self::M => Some(1.0),
            Self::Dm => Some(0.1),
            Self::Cm => Some(0.01),
            Self::Mm => Some(0.001),
            Self::Ft => Some(0.3048),
            Self::In => Some(0.0254),
            Self::Deg => None,
        }
    }
}

/// The axis of a model that points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Up {
    /// y, as in Blender's and most games' exports; the plan is (x, -z).
    Y,
    /// z, as in CAD; the plan is (x, y).
    Z,
}

impl Up {
    /// Both with their names.
    pub const ALL: [(&str, Self); 2] = [("y", Self::Y), ("z", Self::Z)];

    /// The axis of a name.
    pub fn named(name: &str) -> Option<Self> {
        called(&Self::ALL, name)
    }
}

/// What the lines of a layer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// People can be inside the outline.
    Walkable,
    /// Nobody can be inside the outline.
    Obstacle,
    /// Nobody can cross the line.
    Wall,
    /// People leave across the line, or inside the outline.
    Door,
    /// People start inside the outline.
    Start,
}

impl Role {
    /// All of them with their names.
    pub const ALL: [(&str, Self); 5] = [
        ("walkable", Self::Walkable),
        ("obstacle", Self::Obstacle),
        ("wall", Self::Wall),
        ("door", Self::Door),
        ("start", Self::Start),
    ];

    /// The role of a name.
    pub fn named(name: &str) -> Option<Self> {
        called(&Self::ALL, name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, role)| *role == self).map_or("wall", |(name, _)| name)
    }
}
