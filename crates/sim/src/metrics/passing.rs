//! Walking through an area: how fast each person does, and at what density.

use super::headings::Headings;
use super::tracks::Tracks;
use super::{At, MakeMetric, Metric, Place, Plot, Seen, Spec, Table};
use crate::world::scenario::{Polygon, Scenario, Segment};
use crowdtune_core::math::{Vec2, stats};
use crowdtune_core::registry::Entry;

/// Mean speed of passing.
pub static PASSING_SPEED_M_PER_S: Entry<MakeMetric> = Entry {
    name: "passing_speed_m_per_s",
    doc: "Speed through an area from one side to the opposite one, their distance over the time inside, averaged over \
          people; negative for who walks through against the heading of the group.",
    source: "method B of JPSreport and the passing speed of PedPy",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Passing::new(Quantity::Speed, spec, scenario)), "m/s")
        .at(At::Region)
        .of_group(),
};

/// Mean density while passing.
pub static PASSING_DENSITY_PER_M2: Entry<MakeMetric> = Entry {
    name: "passing_density_per_m2",
    doc: "Density of an area while somebody walks through it, averaged over those who do.",
    source: "method B of JPSreport and the passing density of PedPy",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Passing::new(Quantity::Density, spec, scenario)), "1/m2")
        .at(At::Region)
        .of_group(),
};

/// Sine of the angle between two sides that still count as parallel. Chosen here: what drawing to a millimeter per meter allows.
const PARALLEL: f64 = 1e-3;
/// Shortest way through an area, m. Chosen here: two sides on one straight line are no way through.
const SHORTEST_M: f64 = 1e-3;

#[derive(Clone, Copy)]
enum Quantity {
    Speed,
    Density,
}

/// Somebody inside.
#[derive(Clone, Copy)]
struct Inside {
    /// First sample inside.
    sample: usize,
    /// Last sample inside.
    last: usize,
    /// Start and end of the step in, as seen from inside.
    step_in: (Vec2, Vec2),
}

/// Somebody who walked through.
#[derive(Clone, Copy)]
struct Through {
    id: usize,
    entered_s: f64,
    left_s: f64,
    speed: f64,
    density: f64,
}

struct Passing {
    quantity: Quantity,
    area: Option<Polygon>,
    tracks: Tracks,
    headings: Headings,
    inside: Vec<Option<Inside>>,
    /// Time of each sample, and the people in the area, all groups.
    times: Vec<f64>,
    counts: Vec<usize>,
    through: Vec<Through>,
    /// The wanted quantity for each person who walked through.
    samples: Vec<f64>,
}

impl Passing {
    fn new(quantity: Quantity, spec: &Spec, scenario: &Scenario) -> Self {
        let area = match &spec.at {
            Some(Place::Area(area)) => Some(area.clone()),
            _ => scenario.world.plan.areas.first().map(|area| area.what.clone()),
        };
        Self {
            quantity,
            area,
            tracks: Tracks::of(scenario.people(), spec.group),
            headings: Headings::new(scenario),
            inside: vec![None; scenario.people()],
            times: Vec::new(),
            counts: Vec::new(),
            through: Vec::new(),
            samples: Vec::new(),
        }
    }
}

/// The distance between the sides through which somebody came in and went out; `None` if they are not opposite.
fn way_through(area: &Polygon, step_in: (Vec2, Vec2), step_out: (Vec2, Vec2)) -> Option<f64> {
    let touched = |step: (Vec2, Vec2)| area.edges().filter(move |edge| touches(*edge, step.0, step.1));
    touched(step_in).find_map(|a| {
        let along = a.direction();
        touched(step_out).find_map(|b| {
            let distance = along.cross(b.a - a.a).abs();
            (along.cross(b.direction()).abs() <= PARALLEL && distance >= SHORTEST_M).then_some(distance)
        })
    })
}

/// True if a step has a point in common with a side; one along it has none.
fn touches(edge: Segment, from: Vec2, to: Vec2) -> bool {
    let (along, step) = (edge.b - edge.a, to - from);
    let (before, after) = (along.cross(from - edge.a), along.cross(to - edge.a));
    let (left, right) = (step.cross(edge.a - from), step.cross(edge.b - from));
    before * after <= 0.0 && left * right <= 0.0 && (before != 0.0 || after != 0.0)
}

impl Metric for Passing {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Some(area) = &self.area else { return };
        let now = self.times.len();
        self.times.push(seen.time_s);
        self.counts.push(seen.positions().iter().filter(|&&p| area.contains_strictly(p)).count());
        let Self { quantity, tracks, headings, inside, times, counts, through, samples, .. } = self;
        tracks.steps(seen, |step| {
            if step.id >= inside.len() {
                inside.resize(step.id + 1, None);
            }
            let state = &mut inside[step.id];
            // Somebody who was not seen for a sample may have been anywhere.
            let known = state.filter(|s| s.last + 1 == now);
            *state = match (known, area.contains_strictly(step.at)) {
                (Some(was), true) => Some(Inside { last: now, ..was }),
                (None, true) if !area.contains_strictly(step.from) => {
                    Some(Inside { sample: now, last: now, step_in: step.arriving() })
                }
                (None, true) => None,
                (Some(was), false) => {
                    let distance = way_through(area, was.step_in, (step.from, step.to));
                    if let Some(distance) = distance {
                        let entered_s = times[was.sample];
                        let out = step.to - step.from;
                        let sign = if headings.along(step.group(seen), out) < 0.0 { -1.0 } else { 1.0 };
                        let people: usize = counts[was.sample..now].iter().sum();
                        let found = Through {
                            id: step.id,
                            entered_s,
                            left_s: seen.time_s,
                            speed: sign * distance / (seen.time_s - entered_s),
                            density: people as f64 / (now - was.sample) as f64 / area.area(),
                        };
                        through.push(found);
                        samples.push(match quantity {
                            Quantity::Speed => found.speed,
                            Quantity::Density => found.density,
                        });
                    }
                    None
                }
                (None, false) => None,
            };
        });
    }

    fn value(&self) -> Option<f64> {
        (!self.samples.is_empty()).then(|| stats::mean(&self.samples))
    }

    fn samples(&self) -> Vec<f64> {
        self.samples.clone()
    }

    fn table(&self) -> Option<Table> {
        let rows = self.through.iter().map(|t| vec![t.id as f64, t.entered_s, t.left_s, t.speed, t.density]).collect();
        Some(Table {
            plot: Plot::Dots { x: 4, y: 3, band: None },
            columns: &["person", "entered_s", "left_s", "speed_m_per_s", "density_per_m2"],
            rows,
        })
    }

    fn reset(&mut self) {
        self.tracks.reset();
        self.inside.fill(None);
        self.times.clear();
        self.counts.clear();
        self.through.clear();
        self.samples.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, make_in};
    use super::*;
    use crate::metrics::Window;
    use crowdtune_core::math::vec2;

    /// The area is x 0..2, y 0..3; samples every second. Columns are samples.
    fn measure(entry: &'static Entry<MakeMetric>, tracks: &[&[Option<(f64, f64)>]]) -> (Vec<f64>, Option<f64>) {
        let film = Film::new(tracks.len(), 100.0);
        let area = Polygon::rectangle(vec2(0.0, 0.0), vec2(2.0, 3.0));
        let mut metric = make_in(entry, &film, Some(Place::Area(area)), Window::All);
        for k in 0..tracks[0].len() {
            let people: Vec<_> = (0u32..).zip(tracks).filter_map(|(id, t)| t[k].map(|p| (id, p))).collect();
            film.show(metric.as_mut(), k as f64, &people, &[]);
        }
        (metric.samples().to_vec(), metric.value())
    }

    /// Through in four samples, along y = 1.
    const THROUGH: [Option<(f64, f64)>; 6] =
        [Some((-0.4, 1.0)), Some((0.1, 1.0)), Some((0.6, 1.0)), Some((1.1, 1.0)), Some((1.6, 1.0)), Some((2.1, 1.0))];

    #[test]
    fn speed_is_the_way_over_the_samples_inside() {
        // First inside at 1 s, first outside at 5 s, 2 m.
        assert_eq!(measure(&PASSING_SPEED_M_PER_S, &[&THROUGH]), (vec![0.5], Some(0.5)));
    }

    #[test]
    fn density_counts_everybody_inside_over_the_same_samples() {
        // Somebody else stands inside during the samples 0 to 2: (2 + 2 + 1 + 1) / 4 people on 6 m2.
        let other = [Some((1.0, 2.0)), Some((1.0, 2.0)), Some((1.0, 2.0)), None, None, None];
        assert_eq!(measure(&PASSING_DENSITY_PER_M2, &[&THROUGH, &other]), (vec![0.25], Some(0.25)));
    }

    #[test]
    fn coming_back_leaving_sideways_and_gaps_do_not_count() {
        let back = [Some((-0.4, 1.0)), Some((0.5, 1.0)), Some((0.6, 1.0)), Some((0.2, 1.0)), Some((-0.1, 1.0)), None];
        let aside = [Some((-0.4, 2.0)), Some((0.5, 2.0)), Some((0.6, 2.8)), Some((0.6, 3.5)), None, None];
        let mut gap = THROUGH;
        gap[3] = None;
        let starts_inside = [Some((0.5, 1.0)), Some((1.0, 1.0)), Some((1.9, 1.0)), Some((2.5, 1.0)), None, None];
        for track in [back, aside, gap, starts_inside] {
            assert_eq!(measure(&PASSING_SPEED_M_PER_S, &[&track]), (vec![], None));
        }
    }

    #[test]
    fn an_area_at_the_seam_is_walked_through_from_either_side() {
        // A ring of 10 m, the area x 0..2 or 8..10; 1 m/s, first inside a second after the seam or the other side.
        for (low, first) in [(0.0, 9.5), (8.0, 7.5)] {
            let film = Film::ring(1, 100.0);
            let area = Polygon::rectangle(vec2(low, 0.0), vec2(low + 2.0, 3.0));
            let mut metric = make_in(&PASSING_SPEED_M_PER_S, &film, Some(Place::Area(area)), Window::All);
            for k in 0..6 {
                let x = (first + f64::from(k)) % 10.0;
                film.show(metric.as_mut(), f64::from(k), &[(0, (x, 1.0))], &[]);
            }
            assert_eq!(metric.samples(), [1.0], "{low}");
        }
    }
}
