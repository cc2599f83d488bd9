//! Flow, density and speed of two recordings by the definitions of a published calibration, against what it prints.
//!
//! PedestrianDynamics/jupedsim-dakota-calibration (2026): flow, density and speed between 10 % and 90 % of all crossings. Jülich data archive,
//! DOI 10.34735/ped.2018.1 (run 040_c_56_h-) and 10.34735/ped.2009.6 (AO_300). The recordings are read from `CROWDTUNE_DATA`, or from
//! `../shared/data` beside the checkout; without them the tests say so and pass.

use crowdtune_core::math::vec2;
use crowdtune_core::registry::find;
use crowdtune_sim::crowd::recording::{Known, Recording, Unit};
use crowdtune_sim::metrics::recorded::{self, Request, Staging};
use crowdtune_sim::metrics::{METRICS, Place, Window};
use crowdtune_sim::world::scenario::{FloorPlan, Polygon, Segment};
use crowdtune_testing::recorded::data;

/// Flow over a line, and density and speed in a box in front of it.
fn measured(file: &str, fps: f64, line: [(f64, f64); 2], low: (f64, f64), high: (f64, f64)) -> Option<[f64; 3]> {
    let known = Known { fps: Some(fps), unit: Some(Unit::M), columns: None };
    let recording = Recording::parse(&data(file)?, file, &known).unwrap();
    let [a, b] = line.map(|p| vec2(p.0, p.1));
    let area = Place::Area(Polygon::rectangle(vec2(low.0, low.1), vec2(high.0, high.1)));
    let window = Window::Crossings { shares: (0.1, 0.9), of: Some(line) };
    let ask = |name, at, window| Request { window, ..Request::plain(find(METRICS, name).unwrap(), Some(at)) };
    let asked = [
        ask("flow_per_s", Place::Line(Segment { a, b }), Window::Crossings { shares: (0.1, 0.9), of: None }),
        ask("density_per_m2", area.clone(), window),
        ask("speed_area_m_per_s", area, window),
    ];
    let staging = Staging::plain(FloorPlan::default());
    let metrics = recorded::measure(&recording, staging, &asked, &mut |_, _| ()).unwrap();
    Some([0, 1, 2].map(|k| metrics[k].value().unwrap()))
}

/// The study prints four digits.
fn same(ours: [f64; 3], printed: [f64; 3], density_off: f64) {
    eprintln!("{ours:.4?}");
    let off = [0, 1, 2].map(|k| (ours[k] - printed[k]).abs());
    assert!(off[0] < 6e-5 && off[1] < density_off && off[2] < 6e-5, "{ours:?} is not {printed:?}");
}

#[test]
fn the_narrow_gate_has_the_numbers_of_the_study() {
    let file = "juelich_bottleneck_w050/040_c_56_h-.txt";
    let Some(ours) = measured(file, 25.0, [(-0.25, -0.6), (0.25, -0.6)], (-2.75, 0.5), (2.75, 2.5)) else { return };
    same(ours, [1.1610, 2.3436, 0.1184], 6e-5);
}

#[test]
fn the_opening_of_three_meters_has_the_numbers_of_the_study() {
    // In this copy people walk towards larger y, so the box lies on the other side of the line. It rounds places to 0.1 mm, and
    // five people are seen exactly on the outline: with them inside the density is 5.0690, without them 5.0675.
    let file = "juelich_reference_bottleneck/traj.txt";
    let Some(ours) = measured(file, 16.0, [(-0.6, 0.0), (2.4, 0.0)], (-0.5, -2.6), (2.3, -0.6)) else { return };
    same(ours, [7.1653, 5.0681, 0.3698], 1e-3);
}
