//! Flow and time gaps of real crowds, against numbers that JPSreport and PedPy computed from the same recordings.
//!
//! Jülich data archive, DOI 10.34735/ped.2009.6 (run AO_300) and 10.34735/ped.2018.1 (run 040). The recordings are read
//! from `CROWDTUNE_DATA`, or from `../shared/data` beside the checkout; without them the tests say so and pass.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

#[path = "common/place.rs"]
mod place;

use crowdtune::crowd::Crowd;
use crowdtune::math::{Vec2, vec2};
use crowdtune::metrics::{METRICS, Metric, Place, Seen, Spec, Window};
use crowdtune::registry::{defaults, find};
use crowdtune::world::scenario::{Group, Plan, Segment};
use std::collections::BTreeMap;
use std::path::Path;

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

/// People by frame: columns id, frame, x, y in meters.
fn frames(text: &str) -> BTreeMap<u32, Vec<(u32, Vec2)>> {
    let mut frames = BTreeMap::<u32, Vec<_>>::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let mut number = || words.next().unwrap().parse::<f64>().unwrap();
        let (id, frame) = (number() as u32, number() as u32);
        frames.entry(frame).or_default().push((id, vec2(number(), number())));
    }
    frames
}

/// Measures a recording; `each` sees the frame number and the metric after each frame.
fn measure(
    name: &str,
    text: &str,
    frames_per_s: f64,
    line: (Vec2, Vec2),
    window: Window,
    mut each: impl FnMut(u32, &dyn Metric),
) -> f64 {
    // People who may go where they want: nobody waits, nothing is a jam.
    let scenario = place::scenario(Plan::default(), Group { count: 400, ..Group::default() }, 100.0);
    let at = Some(Place::Line(Segment { a: line.0, b: line.1 }));
    let entry = find(METRICS, name).unwrap();
    let spec = Spec {
        at,
        window,
        sample_every_s: 1.0 / frames_per_s,
        group: None,
        center: None,
        settings: defaults(entry.params),
    };
    let mut metric = (entry.make.make)(&spec, &scenario);
    for (frame, people) in frames(text) {
        let crowd = Crowd {
            id: people.iter().map(|p| p.0).collect(),
            pos: people.iter().map(|p| p.1).collect(),
            group: vec![0; people.len()],
            ..Crowd::default()
        };
        let time_s = f64::from(frame) / frames_per_s;
        metric.observe(&Seen { time_s, crowd: &crowd, exits: &[], world: &scenario.world });
        each(frame, metric.as_ref());
    }
    metric.value().unwrap()
}

#[test]
fn people_who_passed_agree_with_jpsreport_frame_by_frame() {
    let Some(text) = data("juelich_reference_bottleneck/traj.txt") else { return };
    let Some(wanted) = data("juelich_reference_bottleneck/jpsreport/Flow_NT_traj_AO_300.txt_id_4.dat") else { return };
    let wanted: BTreeMap<u32, usize> = wanted
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .map(|words| (words[0].parse().unwrap(), words[2].parse().unwrap()))
        .collect();
    let line = (vec2(-2.25, 0.5), vec2(4.0, 0.5));
    let mut compared = 0;
    measure("time_gap_mean_s", &text, 16.0, line, Window::All, |frame, metric| {
        // The gaps of fewer than two people cannot tell how many passed.
        if let Some(&passed) = wanted.get(&frame).filter(|&&passed| passed >= 2) {
            assert_eq!(metric.samples().len() + 1, passed, "frame {frame}");
            compared += 1;
        }
    });
    assert!(compared > 900, "{compared}");
}

#[test]
fn flow_and_gaps_agree_with_pedpy() {
    // PedPy gives a crossing the time of a frame: 1/16 s or 1/25 s of 50 s and more.
    let near = |value: f64, wanted: f64, tolerance: f64| {
        assert!((value - wanted).abs() < tolerance, "{value} is not {wanted}");
    };
    if let Some(text) = data("juelich_reference_bottleneck/traj.txt") {
        let flow = |window| measure("flow_per_s", &text, 16.0, (vec2(-2.25, 0.0), vec2(4.0, 0.0)), window, |_, _| ());
        near(flow(Window::All), 6.69, 0.02);
        near(flow(Window::Ranks(0.1, 0.9)), 7.17, 0.02);
    }
    if let Some(text) = data("juelich_bottleneck_w050/040_c_56_h-.txt") {
        let line = (vec2(0.25, 0.0), vec2(-0.25, 0.0));
        let of = |name, window| measure(name, &text, 25.0, line, window, |_, _| ());
        near(of("flow_per_s", Window::All), 1.148, 0.002);
        // The reference took the 8th to the 68th of 75 as the middle 80 %; ours would be the 9th to the 67th.
        near(of("specific_flow_per_m_s", Window::Ranks(7.0 / 74.0, 67.0 / 74.0)), 2.32, 0.005);
        near(of("time_gap_mean_s", Window::All), 0.871, 0.001);
        near(of("time_gap_p95_s", Window::All), 1.574, 0.04);
    }
}
