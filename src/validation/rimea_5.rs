//! RiMEA test 5 and IMO test 5: everybody starts at their own time.

use super::chart::{self, Mark};
use super::ground::{TEN, number, start_times};
use super::lab::{Plan, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, PEDESTRIANS, Tolerance};
use crowdtune_core::Error;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::registry::Entry;
use std::fmt::Write as _;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "rimea_5",
    doc: "Ten people in a room of 8 x 5 m with start times between 10 and 100 s: each starts at their own.",
    source: "RiMEA guideline 4.1.1 (2025), test 5; IMO MSC.1/Circ.1238, test 5; half a second is chosen here",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: true, run: experiment },
};

/// Anyone this fast has started, m/s. Chosen here: a third of the desired speed; the 5 cm that others use would count
/// people who give way to a neighbor.
const STARTED_M_PER_S: f64 = 0.44;

/// The start times, s, evenly distributed over 10 to 100.
fn starts() -> Vec<f64> {
    let mut rng = Seed(5).child("RiMEA 5", 0).rng();
    (0..10).map(|_| (10.0 + 90.0 * unit(&mut rng)).round()).collect()
}

/// One group for each person, so that each has a known start time.
fn text() -> String {
    let mut text = String::from(
        "title = \"Start times\"\npeople = { desired_speed_m_per_s = 1.33, radius_m = 0.2 }\n\
         measure.left = { metric = \"people_left\" }\n\
         [scenario.room]\nwalkable = \"POLYGON ((0 0, 8 0, 8 5, 0 5, 0 0))\"\nlimit_s = 150.0\n",
    );
    for (k, (start, at)) in starts().into_iter().zip(TEN.split("], ")).enumerate() {
        let at = at.trim_matches(['[', ']']);
        writeln!(
            text,
            "group.p{k} = {{ count = 1, from = {{ points = [[{at}]] }}, to = {{ line = [[8, 2], [8, 3]] }}, \
             people.start_time_s = {start:?} }}"
        )
        .expect("writing into a string cannot fail");
    }
    text
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let wanted = starts();
    let mut lines = Vec::new();
    let mut chart = Chart::new(ENTRY.name, "When people start", "own start time (s)", "time of the start (s)").with(
        "own start time",
        Mark::Paper,
        chart::plain(&wanted.iter().map(|&s| (s, s)).collect::<Vec<_>>()),
    );
    for &model in ENTRY.make.models {
        let ran = run(lab, &text(), Plan { model, seeds: 3, record_every_s: Some(0.1) })?;
        let (mut worst, mut complete, mut points) = (0.0_f64, !ran.runs[0].is_empty(), Vec::new());
        complete &= ran.tracks(0).count() == ran.runs[0].len();
        for track in ran.tracks(0) {
            for (start, moved) in wanted.iter().zip(start_times(track, STARTED_M_PER_S, 1.0)) {
                complete &= moved.is_some();
                worst = worst.max(moved.map_or(0.0, |m| (m - start).abs()));
                points.extend(moved.map(|m| (*start, exact(m))));
            }
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let largest = number(complete.then_some(worst));
        let label = "largest distance of a start from the own time";
        lines.push(Line::new(label, model, "s", largest, Tolerance::AtMost(0.5)).paper(exact(0.0)));
        ran.judge(&mut lines);
        chart = chart.with(model, Mark::Ours, points);
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
