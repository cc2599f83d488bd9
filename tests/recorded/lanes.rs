//! Lanes of a real crowd against numbers of the same recording computed elsewhere.
//!
//! Jülich data archive, bidirectional corridor of 4 m, run bi_corr_400_b_03. The recording is read from
//! `CROWDTUNE_DATA`, or from `../shared/data` beside the checkout; without it the test says so and passes.

use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Kind, defaults, find};
use crowdtune_sim::metrics::{METRICS, Place, Sample, Spec, Window};
use crowdtune_sim::world::scenario::{FloorPlan, Group, Polygon, Spawn};
use crowdtune_testing::place;
use crowdtune_testing::recorded::{crowd, data, frames};

#[test]
fn lanes_of_the_4_m_corridor() {
    let Some(text) = data("juelich_bidir_corridor_b400/bi_corr_400_b_03.txt") else { return };
    let frames = frames(&text, 0.01);
    let group = Group { name: "all".into(), count: 480, spawn: Spawn::Points(Vec::new()), ..Group::default() };
    let scenario = place::scenario(FloorPlan::default(), group, 140.0);
    // The walls are at 0 and 4.1 m. Some heads lean over them; bands from -0.8 m have an edge at the wall.
    let area = Polygon::rectangle(vec2(-4.0, -0.8), vec2(4.0, 5.0));
    for (name, wanted) in [("lane_order", 0.742), ("lane_order_reduced", 0.70), ("band_index", 0.868)] {
        let entry = find(METRICS, name).unwrap();
        let mut settings = defaults(entry.params);
        for (param, value) in entry.params.iter().zip(&mut settings) {
            match param.kind {
                // The reference: at least eight in each direction.
                Kind::Integer { .. } => *value = 8.0,
                Kind::Real { default, .. } => assert_eq!(default, 0.4, "{name}"),
                _ => {}
            }
        }
        let at = Some(Place::Area(area.clone()));
        let spec = Spec { at, window: Window::All, sample_every_s: 0.2, group: None, center: None, settings };
        let mut metric = (entry.make.make)(&spec, &scenario);
        for (frame, people) in frames.iter().filter(|(frame, _)| *frame % 5 == 0) {
            let crowd = crowd(people);
            let time_s = f64::from(*frame) / 25.0;
            metric
                .observe(&Sample { time_s, crowd: &crowd, exits: &[], world: &scenario.world }.seen(entry.make.needs));
        }
        let value = metric.value().unwrap();
        assert!((value - wanted).abs() < 0.005, "{name} is {value}, not {wanted}");
    }
}
