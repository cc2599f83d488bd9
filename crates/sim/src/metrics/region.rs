//! An area to measure in: who is inside, with what part of their cell, and how fast.

use super::cells::Cells;
use super::convex::{Blade, is_convex};
use super::ground::Piece;
use super::headings::Headings;
use super::pace::Pace;
use super::span::Span;
use super::window::pick;
use super::{Place, Seen, Spec};
use crate::world::geometry::Bounds;
use crate::world::overlay;
use crate::world::scenario::{Polygon, Scenario};
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Param, Settings};
use std::ops::Range;

/// Largest cell.
pub(super) const CUT_OFF_M: Param = Param::real("cut_off_m", "m", 0.0)
    .range(0.0, 1000.0)
    .search(0.5, 3.0)
    .doc("cells end at a polygon of 12 corners at this distance from the person; 0 for no limit")
    .source("PedPy Cutoff with three straight edges per quarter; no limit by default, as there");

/// Whether samples with few people count.
pub(super) const BLIND_POINTS: Param = Param::switch("blind_points", true)
    .doc(
        "on: samples with fewer than four people count too; off: they are left out, as in programs without blind \
         points",
    )
    .source("JPSreport and PedPy, whose triangulations once needed four points; on as in PedPy 1.5");

/// The area of a metric, with its images in a periodic place.
#[derive(Clone, Debug)]
pub(super) struct Region {
    parts: Vec<(Polygon, Bounds)>,
    convex: bool,
    /// Its area, m2.
    pub area: f64,
}

impl Region {
    /// The area that a file asks for, else the first of the scenario; `None` if there is none.
    pub fn new(spec: &Spec, scenario: &Scenario) -> Option<Self> {
        let polygon = match &spec.at {
            Some(Place::Area(polygon)) => polygon.clone(),
            _ => scenario.world.plan.areas.first()?.what.clone(),
        };
        let polygon = polygon.counter_clockwise();
        let (convex, area) = (is_convex(&polygon.points), polygon.area());
        let mut parts = vec![(polygon.clone(), polygon.bounds())];
        scenario.world.plan.periodic.images(|by| {
            let image = Polygon { points: polygon.points.iter().map(|&p| p + by).collect() };
            let bounds = image.bounds();
            parts.push((image, bounds));
        });
        (area > 0.0).then_some(Self { parts, convex, area })
    }

    /// True if a point is in the area or in an image of it; the outline itself is outside, as in PedPy.
    pub fn contains(&self, p: Vec2) -> bool {
        self.parts.iter().any(|(polygon, _)| polygon.contains_strictly(p))
    }

    /// Area that a cell and this area have in common, m2.
    pub fn shared(&self, cell: &Piece, blade: &mut Blade) -> f64 {
        let Some(Bounds { min, max }) = cell.bounds() else { return 0.0 };
        let mut sum = 0.0;
        for (polygon, part) in &self.parts {
            if part.max.x < min.x || part.min.x > max.x || part.max.y < min.y || part.min.y > max.y {
                continue;
            }
            sum += if self.convex {
                let mut inside = |ring: &[Vec2]| {
                    blade.set(ring.iter().copied());
                    blade.cut_to(&polygon.points);
                    blade.area()
                };
                inside(&cell.outline) - cell.holes.iter().map(|hole| inside(hole)).sum::<f64>()
            } else if cell.convex {
                blade.set(polygon.points.iter().copied());
                blade.cut_to(&cell.outline);
                blade.area()
            } else {
                overlay::intersection(&[overlay::ring(&polygon.points)], &cell.rings())
                    .iter()
                    .map(overlay::Piece::area)
                    .sum()
            };
        }
        sum
    }
}

/// How people fill an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// A person is in it or not.
    Classic,
    /// By Voronoi cells.
    Voronoi,
}

/// What was measured at one sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// Density, 1/m2.
    pub density: f64,
    /// Speed, m/s, along the heading for groups that have one: mean of the people inside, or the integral over their cells
    /// per area; NaN where nobody has a velocity.
    pub speed: f64,
    /// Variance of the velocities of the people inside, m2/s2; NaN where nobody has a velocity.
    pub variance: f64,
}

/// A person, their group and their weight.
#[derive(Clone, Copy, Debug)]
struct Share {
    id: u32,
    group: Option<u16>,
    weight: f64,
}

/// Density and, where asked for, speed in an area at all samples.
#[derive(Debug)]
pub(super) struct Watch {
    region: Option<Region>,
    headings: Headings,
    method: Method,
    span: Span,
    cells: Cells,
    blind_points: bool,
    blade: Blade,
    /// Velocities; `None` if only the density is wanted. A note says which moment a sample became, and who was there.
    pace: Option<Pace<(Option<usize>, Vec<Share>)>>,
    times: Vec<f64>,
    moments: Vec<Reading>,
    densities: Vec<f64>,
}

impl Watch {
    /// Watches the density.
    pub fn density(spec: &Spec, scenario: &Scenario, method: Method, settings: Settings<'_>) -> Self {
        let voronoi = method == Method::Voronoi;
        Self {
            region: Region::new(spec, scenario),
            headings: Headings::new(scenario),
            method,
            span: Span::new(spec, scenario),
            cells: Cells::new(scenario, if voronoi { settings.get("cut_off_m") } else { 0.0 }),
            blind_points: !voronoi || settings.on("blind_points"),
            blade: Blade::default(),
            pace: None,
            times: Vec::new(),
            moments: Vec::new(),
            densities: Vec::new(),
        }
    }

    /// Watches density and speed.
    pub fn speed(spec: &Spec, scenario: &Scenario, method: Method, settings: Settings<'_>) -> Self {
        let pace = Some(Pace::new(settings.whole("half_window_frames")));
        Self { pace, ..Self::density(spec, scenario, method, settings) }
    }

    /// Takes a sample.
    pub fn observe(&mut self, seen: &Seen<'_>) {
        let Some(region) = &self.region else { return };
        self.span.observe(seen);
        let mut shares = Vec::new();
        let mut people = 0.0;
        let ids = seen.ids();
        let share = |row: usize, weight| Share { id: ids[row], group: seen.groups().get(row).copied(), weight };
        match self.method {
            Method::Classic => {
                let inside = seen.positions().iter().enumerate().filter(|(_, p)| region.contains(**p));
                shares.extend(inside.map(|(row, _)| share(row, 1.0)));
                people = shares.len() as f64;
            }
            Method::Voronoi => {
                let Self { cells, blade, .. } = self;
                cells.each(seen.world, seen.positions(), |row, cell| {
                    let (shared, whole) = (region.shared(cell, blade), cell.area());
                    if shared > 0.0 && whole > 0.0 {
                        people += shared / whole;
                        shares.push(share(row, shared));
                    }
                });
            }
        }
        // Fewer than four: see BLIND_POINTS.
        let counts = self.blind_points || ids.len() >= 4;
        if counts {
            let density = people / region.area;
            self.times.push(seen.time_s);
            self.densities.push(density);
            self.moments.push(Reading { density, speed: f64::NAN, variance: f64::NAN });
        }
        if let Some(pace) = &mut self.pace {
            let moment = counts.then(|| self.moments.len() - 1);
            if let Some((sample, (Some(moment), shares))) = pace.take(seen, (moment, shares)) {
                (self.moments[moment].speed, self.moments[moment].variance) =
                    motion(pace, &self.headings, sample, &shares, self.method, region.area);
            }
        }
    }

    /// Times of the moments of the window, s, and the moments; the last ones with one-sided velocities.
    pub fn moments(&self) -> (&[f64], Vec<Reading>) {
        let mut moments = self.moments.clone();
        if let (Some(pace), Some(region)) = (&self.pace, &self.region) {
            for (sample, (moment, shares)) in pace.waiting() {
                if let Some(moment) = moment.map(|k| &mut moments[k]) {
                    (moment.speed, moment.variance) =
                        motion(pace, &self.headings, sample, shares, self.method, region.area);
                }
            }
        }
        let inside = self.inside();
        (&self.times[inside.clone()], moments[inside].to_vec())
    }

    /// Densities in the window, 1/m2.
    pub fn densities(&self) -> &[f64] {
        &self.densities[self.inside()]
    }

    /// Mean over the moments of the window at which a number is defined; `None` if there are none.
    pub fn mean(&self, number: impl Fn(&Reading) -> f64) -> Option<f64> {
        let all: Vec<f64> = self.moments().1.iter().map(number).filter(|v| v.is_finite()).collect();
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    }

    fn inside(&self) -> Range<usize> {
        pick(self.span.window(), &self.times, 0, self.times.last().copied().unwrap_or(0.0)).events
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.span.reset();
        self.times.clear();
        self.moments.clear();
        self.densities.clear();
        if let Some(pace) = &mut self.pace {
            pace.reset();
        }
    }
}

/// Speed and variance of the velocities of those who are there.
fn motion<T>(
    pace: &Pace<T>,
    headings: &Headings,
    sample: usize,
    shares: &[Share],
    method: Method,
    area: f64,
) -> (f64, f64) {
    let moving = || shares.iter().filter_map(|s| pace.velocity(sample, s.id).map(|v| (v, s)));
    let weights: f64 = moving().map(|(_, s)| s.weight).sum();
    if weights <= 0.0 {
        return (f64::NAN, f64::NAN);
    }
    let speed: f64 = moving().map(|(v, s)| headings.along(s.group, v) * s.weight).sum();
    let mean = moving().fold(Vec2::ZERO, |sum, (v, s)| sum + v * s.weight) / weights;
    let spread: f64 = moving().map(|(v, s)| (v - mean).length2() * s.weight).sum();
    (speed / if method == Method::Classic { weights } else { area }, spread / weights)
}

#[cfg(test)]
#[path = "region_tests.rs"]
pub(super) mod tests;
