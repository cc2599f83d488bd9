//! A floor plan: lines and outlines of layers become a place where people walk.

use super::draft::{self, Draft, LEAVING};
use super::{ImportInput, Imported, Role, Unit};
use crate::limits;
use crate::wkt;
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::world::custom::unite;
use crowdtune_sim::world::scenario::{Polygon, Segment};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// People where nobody says how many. Chosen here: as many as `crowdtune new` takes.
const PEOPLE: f64 = 40.0;
/// People per m2 at the start where nobody says how many, at most. Chosen here: they stand without touching.
const DENSITY: f64 = 2.0;
/// Coordinates are rounded to this part of a meter, so that 3000 mm are 3 m.
const PER_M: f64 = 1e6;
/// Points nearer than this are one, m. Chosen here: what rounding keeps.
const SAME_M: f64 = 1e-6;

/// Mean radius of the earth, m (IUGG 1980: (2 a + b) / 3).
const EARTH_M: f64 = 6_371_008.8;

/// A line or an outline of a file, in its unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Where it belongs.
    pub layer: String,
    /// Where it begins in the file, if lines of the file mean something.
    pub line: Option<usize>,
    /// Corners of the line, or of the outline; of an outline not the first one again.
    pub points: Vec<Vec2>,
    /// True for an outline.
    pub closed: bool,
    /// Outlines of holes.
    pub holes: Vec<Vec<Vec2>>,
}

/// A file with its shapes, and how it calls things.
#[derive(Debug)]
pub struct Plan<'a> {
    /// What was read.
    pub shapes: Vec<Shape>,
    /// What a layer is where the user does not say.
    pub role: fn(&str) -> Option<Role>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// Its unit.
    pub unit: Unit,
    /// The file and the options.
    pub input: &'a ImportInput<'a>,
    /// The tool, for the head of the file.
    pub tool: &'static str,
}

/// Lines, outlines and their roles, in meters.
#[derive(Debug, Default)]
struct Parts {
    walkable: Vec<(Polygon, Vec<Polygon>)>,
    obstacles: Vec<Polygon>,
    walls: Vec<Segment>,
    doors: Vec<Door>,
    starts: Vec<Polygon>,
}

#[derive(Debug)]
enum Door {
    Line(Segment),
    Area(Polygon),
}

/// The unit that the user gave.
///
/// # Errors
/// If none was given, or degrees where there are none.
pub fn unit(input: &ImportInput<'_>, degrees: bool) -> Result<Unit, Error> {
    let known: Vec<&str> =
        Unit::ALL.iter().filter(|(_, u)| degrees || *u != Unit::Deg).map(|(name, _)| *name).collect();
    match input.said.unit {
        Some(Unit::Deg) if !degrees => Err(Error::input("this file has no degrees").key("--unit").allowed(known.join(", "))),
        Some(unit) => Ok(unit),
        None => Err(Error::input("a length in this file may be of any unit")
            .key("--unit")
            .allowed(known.join(", "))
            .help("say which one it is, for example `--unit mm`: a plan that is a thousand times too large looks the same")),
    }
}

impl Plan<'_> {
    /// The experiment with this place.
    ///
    /// # Errors
    /// If a layer is unknown, an outline is open, nobody can start or leave, or there is too much.
    pub fn imported(mut self) -> Result<Imported, Error> {
        let roles = self.roles()?;
        let used = self.shapes.iter().zip(&roles).filter(|(_, role)| role.is_some());
        let points: usize = used.map(|(s, _)| s.points.len() + s.holes.iter().map(Vec::len).sum::<usize>()).sum();
        limits::PLAN.check(points as u64, &points.to_string())?;
        self.scale(&roles)?;
        let mut parts = self.parts(&roles)?;
        for &[ax, ay, bx, by] in &self.input.said.doors {
            parts.doors.push(Door::Line(Segment { a: vec2(ax, ay), b: vec2(bx, by) }));
        }
        for &[ax, ay, bx, by] in &self.input.said.starts {
            parts.starts.push(Polygon { points: vec![vec2(ax, ay), vec2(bx, ay), vec2(bx, by), vec2(ax, by)] });
        }
        parts.walkable = unite(std::mem::take(&mut parts.walkable));
        if parts.walkable.is_empty() && parts.walls.is_empty() {
            return Err(
                self.asked("nothing here is walkable, and nothing is a wall", "NAME=walkable` or `--layer NAME=wall")
            );
        }
        if parts.doors.is_empty() {
            return Err(
                self.asked("nothing here is a door, so nobody could leave", "NAME=door` or `--door X1,Y1,X2,Y2` (m)")
            );
        }
        if parts.starts.is_empty() {
            let largest = parts.walkable.iter().max_by(|a, b| a.0.area().total_cmp(&b.0.area()));
            let (shell, _) = largest.ok_or_else(|| {
                self.asked("nothing here says where people start", "NAME=start` or `--start X1,Y1,X2,Y2` (m)")
            })?;
            parts.starts.push(shell.clone());
        }
        self.written(&parts)
    }

    fn asked(&self, what: &str, option: &str) -> Error {
        Error::input(what).allowed(self.layers()).help(format!("say `--layer {option}"))
    }

    /// The layers with what is on them, in words.
    fn layers(&self) -> String {
        let mut layers: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for shape in &self.shapes {
            layers.entry(&shape.layer).or_default()[usize::from(shape.closed)] += 1;
        }
        const SHOWN: usize = 30;
        let count = |n: usize, what: &str| match n {
            0 => None,
            1 => Some(format!("1 {what}")),
            _ => Some(format!("{n} {what}s")),
        };
        let mut words: Vec<String> = layers
            .iter()
            .take(SHOWN)
            .map(|(name, &[lines, outlines])| {
                let what: Vec<String> =
                    [count(lines, "line"), count(outlines, "outline")].into_iter().flatten().collect();
                format!("`{}` ({})", draft::comment(name), what.join(", "))
            })
            .collect();
        if layers.len() > SHOWN {
            words.push(format!("{} more", layers.len() - SHOWN));
        }
        if words.is_empty() { "the file has no lines".into() } else { format!("the layers are {}", words.join(", ")) }
    }

    /// What every shape is; a layer without a role is left out, and listed.
    fn roles(&mut self) -> Result<Vec<Option<Role>>, Error> {
        for (name, _) in &self.input.said.layers {
            if !self.shapes.iter().any(|shape| shape.layer.eq_ignore_ascii_case(name)) {
                return Err(Error::input(format!("there is no layer `{name}`")).key("--layer").allowed(self.layers()));
            }
        }
        let role = |shape: &Shape| self.input.said.role(&shape.layer).or_else(|| (self.role)(&shape.layer));
        let roles: Vec<Option<Role>> = self.shapes.iter().map(role).collect();
        if roles.iter().all(Option::is_none) {
            return Err(Error::input("nobody said what the layers of this file are")
                .key("--layer")
                .allowed(self.layers())
                .help(
                    "for example `--layer A-WALL=wall --layer A-DOOR=door`: walkable, obstacle, wall, door or start",
                ));
        }
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for (shape, _) in self.shapes.iter().zip(&roles).filter(|(_, role)| role.is_none()) {
            *left.entry(&shape.layer).or_default() += 1;
        }
        let left: Vec<String> = left.iter().map(|(name, n)| format!("`{}` ({n})", draft::comment(name))).collect();
        if !left.is_empty() {
            self.notes.push(format!("Left out, as no --layer names them: {}.", left.join(", ")));
        }
        Ok(roles)
    }

    /// From the unit and the origin of the file to meters.
    fn scale(&mut self, roles: &[Option<Role>]) -> Result<(), Error> {
        let used =
            || self.shapes.iter().zip(roles).filter(|(_, role)| role.is_some()).flat_map(|(shape, _)| &shape.points);
        let scale: [f64; 2];
        let mut origin = self.input.said.origin.map_or(Vec2::ZERO, |[x, y]| vec2(x, y));
        if let Some(meters) = self.unit.meters() {
            scale = [meters; 2];
        } else {
            let far = used().find(|p| p.x.abs() > 180.0 || p.y.abs() > 90.0);
            if let Some(p) = far {
                return Err(Error::input(format!("({}, {}) is no longitude and latitude", p.x, p.y))
                    .key("--unit")
                    .help("give the unit that the coordinates have, for example `--unit m`"));
            }
            let (low, high) = used().fold((vec2(180.0, 90.0), vec2(-180.0, -90.0)), |(low, high), p| {
                (vec2(low.x.min(p.x), low.y.min(p.y)), vec2(high.x.max(p.x), high.y.max(p.y)))
            });
            if self.input.said.origin.is_none() {
                origin = (low + high) * 0.5;
            }
            let degree = EARTH_M.to_radians();
            scale = [degree * libm::cos(origin.y.to_radians()), degree];
            self.notes.push(format!(
                "(0, 0) is {:.6} degrees east, {:.6} north; a degree is {:.1} m to the east and {:.1} m to the north.",
                origin.x, origin.y, scale[0], scale[1]
            ));
        }
        let place = |p: &mut Vec2| {
            // Without a negative zero.
            let round = |x: f64| (x * PER_M).round() / PER_M + 0.0;
            *p = vec2(round((p.x - origin.x) * scale[0]), round((p.y - origin.y) * scale[1]));
        };
        for shape in &mut self.shapes {
            shape.points.iter_mut().chain(shape.holes.iter_mut().flatten()).for_each(place);
            for ring in std::iter::once(&mut shape.points).chain(&mut shape.holes) {
                ring.dedup_by(|a, b| (*a - *b).length() < SAME_M);
                while shape.closed && ring.len() > 1 && (ring[0] - ring[ring.len() - 1]).length() < SAME_M {
                    ring.pop();
                }
            }
        }
        Ok(())
    }

    fn parts(&self, roles: &[Option<Role>]) -> Result<Parts, Error> {
        let mut parts = Parts::default();
        for (shape, role) in self.shapes.iter().zip(roles) {
            let Some(role) = *role else { continue };
            let here = |e: Error| match shape.line {
                Some(line) => e.line(line),
                None => e.key(format!("layer {}", draft::comment(&shape.layer))),
            };
            for p in shape.points.iter().chain(shape.holes.iter().flatten()) {
                crowdtune_sim::world::check_point(*p).map_err(|e| {
                    here(
                        Error::input(e.what())
                            .help("`--origin X,Y` makes a point of the file, in its unit, the new (0, 0)"),
                    )
                })?;
            }
            // What rounding has made a point is no line.
            if shape.points.len() < 2 {
                continue;
            }
            let outline = |points: &Vec<Vec2>| Polygon::checked(points.clone()).map_err(here);
            match (role, shape.closed) {
                (Role::Wall, closed) => {
                    parts.walls.extend(edges(&shape.points, closed));
                    parts.walls.extend(shape.holes.iter().flat_map(|hole| edges(hole, true)));
                }
                (Role::Door, false) => {
                    let (a, b) = (shape.points[0], shape.points[shape.points.len() - 1]);
                    if (b - a).length() >= SAME_M {
                        parts.doors.push(Door::Line(Segment { a, b }));
                    }
                }
                (_, false) => {
                    let (layer, role) = (draft::comment(&shape.layer), role.name());
                    let what = format!("this line on layer `{layer}` is open, and the role `{role}` takes outlines");
                    let help = "close it in the drawing (join its lines), or give its layer the role `wall`";
                    return Err(here(Error::input(what).help(help)));
                }
                (Role::Walkable, true) => {
                    let holes = shape.holes.iter().map(outline).collect::<Result<_, _>>()?;
                    parts.walkable.push((outline(&shape.points)?, holes));
                }
                (Role::Obstacle, true) => parts.obstacles.push(outline(&shape.points)?),
                (Role::Door, true) => parts.doors.push(Door::Area(outline(&shape.points)?)),
                (Role::Start, true) => parts.starts.push(outline(&shape.points)?),
            }
        }
        Ok(parts)
    }

    fn written(self, parts: &Parts) -> Result<Imported, Error> {
        let Self { input, notes, tool, .. } = self;
        let model = draft::model(input.models, input.said.model.as_deref(), "social_force")?;
        let mut place = String::from("[scenario.plan]\n");
        if !parts.walkable.is_empty() {
            let _ = writeln!(place, "walkable = \"{}\"", wkt::areas(&parts.walkable));
        }
        if !parts.obstacles.is_empty() {
            let obstacles: Vec<(Polygon, Vec<Polygon>)> =
                parts.obstacles.iter().map(|o| (o.clone(), Vec::new())).collect();
            let _ = writeln!(place, "obstacles = \"{}\"", wkt::areas(&obstacles));
        }
        if !parts.walls.is_empty() {
            let _ = writeln!(place, "walls = \"{}\"", wkt::lines(&parts.walls));
        }
        let doors: Vec<String> = parts.doors.iter().map(Door::toml).collect();
        let doors = format!("{{ any = [{}] }}", doors.join(", "));
        let room: f64 = parts.starts.iter().map(Polygon::area).sum();
        let people = input.said.people.map_or((DENSITY * room).floor().clamp(1.0, PEOPLE), f64::from);
        let shares = shares(people as usize, &parts.starts);
        for (k, (start, count)) in parts.starts.iter().zip(shares).enumerate().filter(|(_, (_, count))| *count > 0) {
            let name = if k == 0 { "people".to_owned() } else { format!("people_{}", k + 1) };
            let corners: Vec<String> = start.points.iter().map(|&p| at(p)).collect();
            let _ = write!(
                place,
                "\n[scenario.plan.group.{name}]\ncount = {count}\nfrom = {{ area = [{}] }}\nto = {doors}\n",
                corners.join(", ")
            );
        }
        let draft = Draft {
            file: input.file,
            kind: tool,
            head: vec!["Coordinates are meters, x to the right and y up as in the plan.".into()],
            notes,
            model,
            constants: Vec::new(),
            free: true,
            people: Vec::new(),
            place,
            targets: LEAVING.into(),
            search: Vec::new(),
        };
        Ok(draft.imported())
    }
}

impl Door {
    fn toml(&self) -> String {
        match self {
            Self::Line(Segment { a, b }) => format!("{{ line = [{}, {}] }}", at(*a), at(*b)),
            Self::Area(area) => {
                let corners: Vec<String> = area.points.iter().map(|&p| at(p)).collect();
                format!("{{ area = [{}] }}", corners.join(", "))
            }
        }
    }
}

fn at(p: Vec2) -> String {
    format!("[{}, {}]", p.x, p.y)
}

fn edges(points: &[Vec2], closed: bool) -> Vec<Segment> {
    let mut edges: Vec<Segment> = points.windows(2).map(|w| Segment { a: w[0], b: w[1] }).collect();
    if closed && points.len() > 2 {
        edges.push(Segment { a: points[points.len() - 1], b: points[0] });
    }
    edges
}

/// So many people in areas, by their sizes; what is left over goes to the first ones.
fn shares(people: usize, areas: &[Polygon]) -> Vec<usize> {
    let all: f64 = areas.iter().map(Polygon::area).sum();
    let mut shares: Vec<usize> = areas.iter().map(|area| (people as f64 * area.area() / all) as usize).collect();
    let left = people.saturating_sub(shares.iter().sum());
    shares.iter_mut().take(left).for_each(|share| *share += 1);
    shares
}
