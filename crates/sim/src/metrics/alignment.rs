//! Whether people head the same way, or around something.

use super::averaged::{Moment, average, real, state};
use super::members::{Headings, middle};
use super::spacing::Sorted;
use super::{At, MakeMetric, Metric, NO_PARAMS, Place, Seen, Spec, Window};
use crate::world::scenario::Scenario;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// How far people head the same way.
pub static POLARIZATION: Entry<MakeMetric> = Entry {
    name: "polarization",
    doc: "Length of the mean of all unit headings: 1 if everybody walks the same way, 0 if the headings cancel or \
          everybody stands.",
    source: "Vicsek and others 1995; that who stands counts with no heading is chosen here: one walker is no flock",
    params: NO_PARAMS,
    make: MakeMetric { at: At::Area, ..state(|spec, scenario| making(Ask::Polarization, spec, scenario), "") },
};

/// How far a group turns about its own middle.
pub static MILLING: Entry<MakeMetric> = Entry {
    name: "milling",
    doc: "Size of the mean turn about the group's middle, mean of r x v over |r| |v|: 1 for a ring that turns, 0 for a \
          group on its way.",
    source: "Couzin and others 2002, group angular momentum",
    params: NO_PARAMS,
    make: state(|spec, scenario| making(Ask::Milling, spec, scenario), ""),
};

/// How far people turn about the center of a region.
pub static ROTATION: Entry<MakeMetric> = Entry {
    name: "rotation",
    doc: "Mean of r x v over |r| |v| of the people in a region, about its center: 1 if all go round \
          counter-clockwise, -1 if clockwise.",
    source: "as milling (Couzin and others 2002), signed and about a fixed point: chosen here, a roundabout has a side",
    params: NO_PARAMS,
    make: MakeMetric {
        at: At::Region,
        window: Window::Steady,
        ..state(|spec, scenario| making(Ask::Rotation, spec, scenario), "")
    },
};

/// How far neighbors head the same way.
pub static VELOCITY_CORRELATION: Entry<MakeMetric> = Entry {
    name: "velocity_correlation",
    doc: "Mean over people of the mean cosine between their heading and those of their neighbors: 1 aligned, -1 \
          opposite.",
    source: "usual in flocking; the range is chosen here",
    params: CORRELATION_PARAMS,
    make: state(
        |spec, scenario| {
            let radius_m = Settings::new(CORRELATION_PARAMS, &spec.settings).get("radius_m");
            let sums = Vec::with_capacity(super::people(scenario));
            let headings = Headings::new(spec, scenario);
            average(Correlation { headings, radius_m, sorted: Sorted::default(), sums }, spec, scenario)
        },
        "",
    ),
};

const CORRELATION_PARAMS: &[Param] = &[real(
    "radius_m",
    "m",
    "How near a neighbor is, m",
    "chosen here: arm's length beyond the personal distance, as far as people coordinate their walk",
    2.0,
    (0.1, 100.0),
)];

#[derive(Clone, Copy)]
enum Ask {
    Polarization,
    Milling,
    Rotation,
}

struct Turning {
    ask: Ask,
    headings: Headings,
    /// Middle of the region.
    center: Option<Vec2>,
}

fn making(ask: Ask, spec: &Spec, scenario: &Scenario) -> Box<dyn Metric> {
    let center = match &spec.at {
        Some(Place::Area(area)) => Some(area.centroid()),
        _ => None,
    };
    average(Turning { ask, headings: Headings::new(spec, scenario), center }, spec, scenario)
}

impl Moment for Turning {
    fn measure(&mut self, seen: &Seen<'_>) -> Option<(f64, f64)> {
        let walkers = self.headings.of(seen);
        let n = walkers.len() as f64;
        let about = |center: Vec2| {
            let turns = walkers.iter().map(|w| {
                let arm = seen.world.apart(center, w.at);
                arm.unit().map_or(0.0, |arm| arm.cross(w.heading))
            });
            turns.sum::<f64>() / n
        };
        let value = match self.ask {
            Ask::Polarization | Ask::Milling if walkers.len() < 2 => return None,
            Ask::Polarization => walkers.iter().fold(Vec2::ZERO, |sum, w| sum + w.heading).length() / n,
            Ask::Milling => about(middle(seen.world, walkers.iter().map(|w| w.at))?).abs(),
            Ask::Rotation if walkers.is_empty() => return None,
            Ask::Rotation => about(self.center?),
        };
        Some((value, 1.0))
    }

    fn reset(&mut self) {
        self.headings.reset();
    }
}

struct Correlation {
    headings: Headings,
    radius_m: f64,
    sorted: Sorted,
    /// Sum of cosines and number of neighbors, person by person.
    sums: Vec<(f64, f64)>,
}

impl Moment for Correlation {
    fn measure(&mut self, seen: &Seen<'_>) -> Option<(f64, f64)> {
        let Self { headings, radius_m, sorted, sums } = self;
        let walkers = headings.of(seen);
        sums.clear();
        sums.resize(walkers.len(), (0.0, 0.0));
        sorted.sort(seen.world, walkers.iter().map(|w| w.at));
        sorted.pairs(seen.world, *radius_m, |i, j| {
            let cosine = walkers[i].heading.dot(walkers[j].heading);
            for k in [i, j] {
                sums[k] = (sums[k].0 + cosine, sums[k].1 + 1.0);
            }
            true
        });
        // Who has no neighbor has no say.
        let means = sums.iter().filter(|s| s.1 > 0.0).map(|s| s.0 / s.1);
        let (sum, n) = means.fold((0.0, 0.0), |(sum, n), mean| (sum + mean, n + 1.0));
        (n > 0.0).then(|| (sum / n, 1.0))
    }

    fn reset(&mut self) {
        self.headings.reset();
    }
}

#[cfg(test)]
#[path = "alignment_tests.rs"]
mod tests;
