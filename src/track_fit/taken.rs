//! What a recording says of its people and its times, before any model walks.

use super::aims::MACROSCOPIC;
use super::lines::{Measured, given, propose};
use super::macroscopic::Macroscopic;
use crate::wkt::Shapes;
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::crowd::recording::Recording;
use crowdtune_sim::metrics::Place;
use crowdtune_sim::world::scenario::{Polygon, Segment};
use crowdtune_sim::world::{Track, Tracks, Walked, World};
use std::fmt::Write as _;

/// Nobody is thinner, m: the least radius that people may have.
const LEAST_RADIUS_M: f64 = 0.05;

/// What the user asks of a fit, whatever the model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    /// Everybody is put back onto the tracks this often, s.
    pub restart_every_s: f64,
    /// True if each person walks among the others as they were recorded.
    pub among_recorded: bool,
    /// Body radius unless people come closer, m.
    pub radius_m: f64,
    /// Of so many people one is held out.
    pub held_out_one_in: u32,
    /// Share of the time at the end that is held out.
    pub held_out_time: f64,
    /// Where everybody wants to go, of several to that which is nearest to the end of the own track; empty: to that end itself.
    pub to: Vec<Place>,
    /// Axes that are closed to a ring.
    pub periodic: Option<String>,
    /// What is tuned, of [`super::aims::AIMS`].
    pub tune: Vec<String>,
    /// Where flows are measured, and densities and speeds; otherwise a line and an area are proposed.
    pub line: Option<Segment>,
    pub area: Option<Polygon>,
}

impl Asked {
    /// True if this is tuned.
    pub(crate) fn tunes(&self, aim: &str) -> bool {
        self.names(aim) || self.names("macroscopic") && MACROSCOPIC.iter().any(|one| one.name == aim)
    }

    /// True if this is named, and not only one of all.
    fn names(&self, aim: &str) -> bool {
        self.tune.iter().any(|tuned| tuned == aim)
    }

    /// True if something is tuned that the whole crowd does.
    fn tunes_the_whole(&self) -> bool {
        MACROSCOPIC.iter().any(|aim| self.tunes(aim.name))
    }
}

/// A recording, its place, and what is estimated of its people.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    /// The recording.
    pub recording: Recording,
    /// Where people can be.
    pub shapes: Shapes,
    /// True if nobody gave the place, and it is that around the tracks.
    pub around: bool,
    /// What was asked.
    pub asked: Asked,
    /// Index of the place where each person wants to go, in the order of the recording; 0 without any.
    pub bound_for: Vec<usize>,
    /// Desired speeds.
    pub walked: Walked,
    /// People who have a wall between where they come in and where their track ends.
    pub behind_walls: usize,
    /// People whose place to go to is on the side of the line from which they come.
    pub goal_before_line: usize,
    /// Body radius, m.
    pub radius_m: f64,
    /// Where the radius was lowered, the distance that one in a hundred is nearer to the next person, m.
    pub closest_m: Option<f64>,
    /// When the held-out time begins, s from the first frame; a multiple of the restart interval.
    pub held_out_from_s: f64,
    /// When the recording ends, s.
    pub last_s: f64,
    /// Where the whole crowd is measured.
    pub measured: Option<Measured>,
    /// What it does, if that is tuned.
    pub macroscopic: Option<Macroscopic>,
}

impl Taken {
    /// Takes a recording in its place.
    ///
    /// # Errors
    /// If it is too short, or has too few people, for something to be held out.
    pub(crate) fn new(
        recording: Recording,
        (shapes, around): (Shapes, bool),
        world: &World,
        asked: Asked,
    ) -> Result<Self, Error> {
        let torus = &world.plan.periodic;
        let people = recording.people();
        if people < asked.held_out_one_in as usize {
            return Err(Error::input(format!("the recording has {people} people, so none of them would be held out"))
                .key("--held-out-one-in")
                .allowed(format!("2 to {people}"))
                .help("take a smaller number, or a recording with more people"));
        }
        let rows = recording.rows()?;
        let bound_for = rows.iter().map(|rows| nearest(&asked.to, rows[rows.len() - 1].1)).collect::<Vec<_>>();
        if let Some(empty) = (0..asked.to.len()).find(|place| !bound_for.contains(place)) {
            return Err(Error::input(format!(
                "no track ends near to {}",
                crate::evolve::config::asked::show(&asked.to[empty])
            ))
            .key("--to")
            .help("leave this place out, or check the unit of the coordinates"));
        }
        // The edge of a place around the tracks is no wall.
        let none = Shapes::default();
        let walls = if around { &none } else { &shapes };
        if !torus.is_open() && (asked.tunes_the_whole() || asked.line.is_some() || asked.area.is_some()) {
            return Err(Error::input("the place is closed to a ring, on which nobody walks from one end to the other")
                .key("--tune")
                .allowed("tracks, entropy")
                .help("flows and densities of a ring are measured in an experiment of your own"));
        }
        let mut measured = match asked.line {
            Some(line) => Some(given(&rows, walls, line)),
            None => propose(&rows, walls).filter(|_| torus.is_open()),
        };
        if let (Some(measured), Some(area)) = (&mut measured, &asked.area) {
            measured.area = Some(area.clone());
        }
        let goal_before_line = measured.as_ref().map_or(0, |measured| {
            let people = rows.iter().zip(&bound_for).filter_map(|(rows, &place)| Some((rows, asked.to.get(place)?)));
            people.filter(|(rows, to)| before(rows, to, measured.line)).count()
        });
        let tracks = Tracks::new(1.0 / recording.fps, None, rows, &[people]);
        let last_s = tracks.last_s();
        let restart_s = asked.restart_every_s;
        // 1e-9: three quarters of 8 s are three intervals of 2 s whatever the rounding.
        let held_out_from_s = ((1.0 - asked.held_out_time) * last_s / restart_s + 1e-9).floor() * restart_s;
        if held_out_from_s < restart_s || last_s - held_out_from_s < restart_s {
            return Err(Error::input(format!(
                "the recording lasts {last_s:.1} s: that is too short to hold out a share of {} of it, with everybody put back \
                 onto the tracks every {restart_s} s",
                asked.held_out_time
            ))
            .key("--restart-every")
            .help("take a shorter interval: one at least is tuned on, and one is held out"));
        }
        let closest_m = tracks.closest(torus).map(|closest| closest.p1_m).filter(|p1| 0.5 * p1 < asked.radius_m);
        let radius_m = closest_m.map_or(asked.radius_m, |p1| {
            // Whole millimeters, downwards.
            ((500.0 * p1).floor() / 1000.0).max(LEAST_RADIUS_M.min(asked.radius_m))
        });
        // What is wanted where no track says it: the published speed of `people`.
        let walked = tracks.walked(torus, TRAITS[0].default_value());
        let behind = |track: &&Track| world.walls.crosses(track.rows[0].1, track.last_place());
        let behind_walls = tracks.people.iter().filter(behind).count();
        let macroscopic = match &measured {
            _ if !asked.tunes_the_whole() => None,
            None => {
                return Err(Error::input("nobody gets anywhere in this recording, so there is no line to measure at")
                    .key("--line")
                    .help("give one that people cross: --line \"[[x, y], [x, y]]\""));
            }
            Some(at) => Some(Macroscopic::of(&recording, &world.plan, at, held_out_from_s)?),
        };
        if let Some(macroscopic) = &macroscopic
            && let Some(aim) = MACROSCOPIC
                .iter()
                .find(|aim| !macroscopic.has(aim, false) && (asked.names(aim.name) || macroscopic.wanted.is_empty()))
        {
            return Err(Error::input(format!("the recording has no `{}` to tune until {held_out_from_s} s", aim.name))
                .key("--tune")
                .help(
                    "leave it out, or give a line that people cross with --line, and an area before it with --area",
                ));
        }
        Ok(Self {
            recording,
            shapes,
            around,
            asked,
            bound_for,
            walked,
            behind_walls,
            goal_before_line,
            radius_m,
            closest_m,
            held_out_from_s,
            last_s,
            measured,
            macroscopic,
        })
    }

    /// Number of people.
    pub(crate) fn people(&self) -> usize {
        self.recording.people()
    }

    /// How many of them are held out.
    pub(crate) fn held_out_people(&self) -> usize {
        self.people() / self.asked.held_out_one_in as usize
    }

    /// How many people want to go to each place.
    pub(crate) fn bound(&self) -> Vec<usize> {
        (0..self.asked.to.len()).map(|place| self.bound_for.iter().filter(|of| **of == place).count()).collect()
    }

    /// The recording as text in m, rows of `id frame x y`, with the frames that it has. Ids are its own too, unless people want to go to
    /// several places: then those of the first come first, because an experiment has people by groups.
    pub(crate) fn text(&self) -> String {
        let mut order: Vec<usize> = (0..self.people()).collect();
        order.sort_by_key(|&person| self.bound_for[person]);
        let mut names = self.recording.names.clone();
        if self.asked.to.len() > 1 {
            (1..).zip(order).for_each(|(name, person)| names[person] = name);
        }
        let mut out = format!("# framerate: {} fps\n# x/y in m\n# id frame x y\n", self.recording.fps);
        for moment in &self.recording.moments {
            for (&id, p) in moment.ids.iter().zip(&moment.positions) {
                let name = names[id as usize];
                let _ = writeln!(out, "{name} {} {} {}", moment.frame, p.x, p.y);
            }
        }
        out
    }

    /// What was estimated, a sentence each.
    pub(crate) fn estimated(&self) -> Vec<String> {
        let Walked { free, others_m_per_s, .. } = &self.walked;
        let speed = match (*free, self.people() - free) {
            (_, 0) => "of everybody".to_string(),
            (free, _) if *others_m_per_s == TRAITS[0].default_value() => {
                format!("of {free} people who walked freely; the others have the published {others_m_per_s} m/s")
            }
            (free, _) => {
                format!("of {free} people who walked freely; the others have their median, {others_m_per_s:.2} m/s")
            }
        };
        let radius = match self.closest_m {
            Some(p1) => format!(
                "{} m, half of the distance that 1 % of nearest neighbors fall below ({p1:.3} m)",
                self.radius_m
            ),
            None => format!("{} m", self.radius_m),
        };
        let mut said = vec![
            format!(
                "desired speed: 90th percentile of the own speed over 0.4 s with nobody within 1.5 m ahead, {speed}"
            ),
            format!("body radius: {radius}"),
            format!(
                "held out: {} of {} people (one in {} by id), and the time from {:.1} s to {:.1} s",
                self.held_out_people(),
                self.people(),
                self.asked.held_out_one_in,
                self.held_out_from_s,
                self.last_s
            ),
        ];
        if let Some(Measured { line, people, area }) = &self.measured {
            let show = |place: Place| crate::evolve::config::asked::show(&place);
            let own = match self.asked.line {
                Some(_) => "given",
                None => {
                    "proposed: nearly all cross it, and of such lines between two walls, if there are any, it is the shortest"
                }
            };
            let before = match area {
                Some(area) => format!("; area for densities: {}", show(Place::Area(area.clone()))),
                None => String::new(),
            };
            said.push(format!(
                "line for flows: {} ({own}), crossed by {people} of {} people{before}",
                show(Place::Line(*line)),
                self.people()
            ));
        }
        let missing = |macroscopic: &Macroscopic| {
            let missing = MACROSCOPIC.iter().filter(|aim| self.asked.tunes(aim.name) && !macroscopic.has(aim, false));
            missing.map(|aim| aim.name).collect::<Vec<_>>().join(", ")
        };
        if let Some(missing) = self.macroscopic.as_ref().map(missing).filter(|missing| !missing.is_empty()) {
            said.push(format!(
                "not tuned: {missing}, of which the recording has nothing until {:.1} s",
                self.held_out_from_s
            ));
        }
        if self.goal_before_line > 0 && self.macroscopic.is_some() {
            said.push(format!(
                "warning: {} of {} people reach the place of --to before they cross the line, so that no flow is measured of them: \
                 give a place beyond it",
                self.goal_before_line,
                self.people()
            ));
        }
        if self.behind_walls > 0 && self.asked.to.is_empty() {
            said.push(format!(
                "goals: {} of {} people have a wall between where they come in and where their track ends, and walk straight towards \
                 it; --to gives all of them a line or an area to go to",
                self.behind_walls,
                self.people()
            ));
        }
        if self.around {
            said.push(format!(
                "place: nobody gave one, so it is the convex hull of the tracks, widened by a body radius and {} m; walls inside it \
                 are unknown, --geometry gives them",
                super::place::MARGIN_M
            ));
        }
        said
    }
}

/// True if somebody who crosses a line comes from the side of it where all of a place is.
fn before(rows: &[(u32, Vec2)], to: &Place, line: Segment) -> bool {
    let side = |p: Vec2| (line.b - line.a).cross(p - line.a);
    let corners = match to {
        Place::Line(Segment { a, b }) => vec![*a, *b],
        Place::Area(area) => area.points.clone(),
    };
    let (first, last) = (side(rows[0].1), side(rows[rows.len() - 1].1));
    first * last < 0.0 && corners.iter().all(|&corner| side(corner) * first > 0.0)
}

/// The place that is nearest to a point, of equally near ones the first.
fn nearest(places: &[Place], p: Vec2) -> usize {
    let away = |place: &Place| match place {
        Place::Line(line) => line.distance(p),
        Place::Area(area) if area.contains(p) => 0.0,
        Place::Area(area) => (p - area.closest_on_outline(p)).length(),
    };
    let all = places.iter().map(away).enumerate();
    all.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;

    #[test]
    fn a_goal_before_the_line_is_seen() {
        let line = Segment { a: vec2(0.0, -1.0), b: vec2(0.0, 1.0) };
        let to = |x: f64| Place::Line(Segment { a: vec2(x, -1.0), b: vec2(x, 1.0) });
        let (east, west) = ([(0, vec2(-2.0, 0.0)), (1, vec2(2.0, 0.0))], [(0, vec2(2.0, 0.0)), (1, vec2(-2.0, 0.0))]);
        assert!(before(&east, &to(-1.0), line) && before(&west, &to(1.0), line));
        assert!(!before(&east, &to(1.0), line) && !before(&west, &to(-1.0), line));
        // Who does not cross it, and a goal on both sides.
        assert!(!before(&[(0, vec2(-2.0, 0.0)), (1, vec2(-1.0, 0.0))], &to(-1.0), line));
        assert!(!before(&east, &Place::Line(Segment { a: vec2(-1.0, 0.0), b: vec2(1.0, 0.0) }), line));
    }
}
