//! Whether people head the same way, or around something.

use super::averaged::{SECOND_HALF, State, average, real};
use super::members::{Headings, middle};
use super::spacing::Sorted;
use super::{At, MakeMetric, Metric, Place, Seen, Spec, Table, Window};
use crate::world::scenario::Scenario;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// How far people head the same way.
pub static POLARIZATION: Entry<MakeMetric> = Entry {
    name: "polarization",
    doc: "Length of the mean unit heading: 1 if everybody walks the same way, 0 if the headings cancel or everybody \
          stands.",
    source: "Vicsek and others 1995; people who stand add no heading, chosen here: one walker is no flock",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Turning::make(Quantity::Polarization, spec, scenario), "")
        .window(SECOND_HALF)
        .of_group()
        .at(At::Area),
};

/// How far a group turns about its own middle.
pub static MILLING: Entry<MakeMetric> = Entry {
    name: "milling",
    doc: "How strongly a group turns about its own middle, the size of the mean of r x v over |r| |v|: 1 for a \
          turning ring, 0 for a group on its way.",
    source: "Couzin and others 2002, group angular momentum",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Turning::make(Quantity::Milling, spec, scenario), "")
        .window(SECOND_HALF)
        .of_group(),
};

/// How far people turn about the center of a region.
pub static ROTATION: Entry<MakeMetric> = Entry {
    name: "rotation",
    doc: "How strongly people in a region turn about its center, the mean of r x v over |r| |v|: 1 if all go \
          counter-clockwise, -1 if all go clockwise.",
    source: "as milling (Couzin and others 2002), but signed and about a fixed point, chosen here: in a roundabout \
             the direction matters",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Turning::make(Quantity::Rotation, spec, scenario), "")
        .window(Window::Steady)
        .of_group()
        .at(At::Region),
};

/// How far people turn about the center of a region, whichever way.
pub static ROTATION_SIZE: Entry<MakeMetric> = Entry {
    name: "rotation_size",
    doc: "How strongly people in a region turn about its center, whichever way: the size of `rotation` of a run, 0 if \
          both ways balance.",
    source: "as rotation; where chance decides which way people turn, a mean over runs of the signed value is near 0 \
             however strongly they do",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Size(Turning::make(Quantity::Rotation, spec, scenario))), "")
        .window(Window::Steady)
        .of_group()
        .at(At::Region),
};

/// How far neighbors head the same way.
pub static VELOCITY_CORRELATION: Entry<MakeMetric> = Entry {
    name: "velocity_correlation",
    doc: "How well people head the same way as their neighbors, the mean cosine between their headings: 1 aligned, -1 \
          opposite.",
    source: "usual in flocking; the range is chosen here",
    params: CORRELATION_PARAMS,
    make: MakeMetric::new(
        &|spec, scenario| {
            let radius_m = Settings::new(CORRELATION_PARAMS, &spec.settings).get("radius_m");
            let sums = Vec::with_capacity(scenario.people());
            let headings = Headings::new(spec, scenario);
            average(Correlation { headings, radius_m, sorted: Sorted::default(), sums }, spec, scenario)
        },
        "",
    )
    .window(SECOND_HALF)
    .of_group(),
};

const CORRELATION_PARAMS: &[Param] = &[real(
    "radius_m",
    "m",
    "people at most this far apart are neighbors",
    "chosen here: personal distance and an arm's length more, as far as people coordinate their walk",
    2.0,
    (0.1, 100.0),
)];

#[derive(Clone, Copy)]
enum Quantity {
    Polarization,
    Milling,
    Rotation,
}

struct Turning {
    quantity: Quantity,
    headings: Headings,
    /// Middle of the region.
    center: Option<Vec2>,
}

impl Turning {
    fn make(quantity: Quantity, spec: &Spec, scenario: &Scenario) -> Box<dyn Metric> {
        let center = match &spec.at {
            Some(Place::Area(area)) => Some(area.centroid()),
            _ => None,
        };
        average(Turning { quantity, headings: Headings::new(spec, scenario), center }, spec, scenario)
    }
}

impl State for Turning {
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
        let value = match self.quantity {
            Quantity::Polarization | Quantity::Milling if walkers.len() < 2 => return None,
            Quantity::Polarization => walkers.iter().fold(Vec2::ZERO, |sum, w| sum + w.heading).length() / n,
            Quantity::Milling => about(middle(seen.world, walkers.iter().map(|w| w.at))?).abs(),
            Quantity::Rotation if walkers.is_empty() => return None,
            Quantity::Rotation => about(self.center?),
        };
        Some((value, 1.0))
    }

    fn reset(&mut self) {
        self.headings.reset();
    }
}

/// The size of a signed value of a whole run.
struct Size(Box<dyn Metric>);

impl Metric for Size {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.0.observe(seen);
    }

    fn value(&self) -> Option<f64> {
        self.0.value().map(f64::abs)
    }

    fn table(&self) -> Option<Table> {
        self.0.table()
    }

    fn reset(&mut self) {
        self.0.reset();
    }
}

struct Correlation {
    headings: Headings,
    radius_m: f64,
    sorted: Sorted,
    /// Sum of cosines and number of neighbors, for each person.
    sums: Vec<(f64, f64)>,
}

impl State for Correlation {
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
        // People without a neighbor do not count.
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
