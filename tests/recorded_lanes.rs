//! Lanes of a real crowd against numbers of the same recording computed elsewhere.
//!
//! Jülich data archive, bidirectional corridor of 4 m, run bi_corr_400_b_03. The recording is read from
//! `CROWDTUNE_DATA`, or from `../shared/data` beside the checkout; without it the test says so and passes.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crowdtune::crowd::Crowd;
use crowdtune::math::{Vec2, vec2};
use crowdtune::metrics::{METRICS, Place, Seen, Spec, Window};
use crowdtune::registry::{Kind, defaults, find};
use crowdtune::world::scenario::{Group, Plan, Polygon, Scenario, Spawn};
use crowdtune::world::{FieldCache, World};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The file, or `None` (with a line on stderr) where there is no data.
///
/// # Panics
/// If `CROWDTUNE_DATA` is set and the file cannot be read.
fn data(name: &str) -> Option<String> {
    let (folder, given) = match std::env::var("CROWDTUNE_DATA") {
        Ok(folder) => (folder, true),
        Err(_) => (concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data").to_string(), false),
    };
    match std::fs::read_to_string(Path::new(&folder).join(name)) {
        Ok(text) => Some(text),
        Err(error) => {
            assert!(!given, "{name}: {error}");
            eprintln!("skipped, needs the file {name}");
            None
        }
    }
}

/// People by frame; the columns are id, frame, x and y in cm.
fn frames(text: &str) -> BTreeMap<u32, Vec<(u32, Vec2)>> {
    let mut frames = BTreeMap::<u32, Vec<_>>::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let mut number = || words.next().unwrap().parse::<f64>().unwrap();
        let (id, frame) = (number() as u32, number() as u32);
        frames.entry(frame).or_default().push((id, vec2(number() / 100.0, number() / 100.0)));
    }
    frames
}

#[test]
fn lanes_of_the_4_m_corridor() {
    let Some(text) = data("juelich_bidir_corridor_b400/bi_corr_400_b_03.txt") else { return };
    let frames = frames(&text);
    let group = Group { name: "all".into(), count: 480, spawn: Spawn::Points(Vec::new()), ..Group::default() };
    let scenario = Scenario {
        name: "recording".into(),
        world: Arc::new(World::new(Plan::default(), &mut FieldCache::default()).unwrap()),
        groups: vec![group],
        limit_s: 140.0,
        give_up_s: None,
    };
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
            let crowd = Crowd {
                id: people.iter().map(|p| p.0).collect(),
                pos: people.iter().map(|p| p.1).collect(),
                group: vec![0; people.len()],
                ..Crowd::default()
            };
            let time_s = f64::from(*frame) / 25.0;
            metric.observe(&Seen { time_s, crowd: &crowd, exits: &[], world: &scenario.world });
        }
        let value = metric.value().unwrap();
        assert!((value - wanted).abs() < 0.005, "{name} is {value}, not {wanted}");
    }
}
