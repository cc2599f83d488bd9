//! IMO test 4 and NIST test 5.2: a door lets through no more people than measured flows allow.

use super::chart::Mark;
use super::cures::{CROWDING, Compared, HARD_BODIES, compared};
use super::ground::rows;
use super::lab::{Plan, Ran, between, exact};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, PEDESTRIANS, Tolerance};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "imo_4",
    doc: "100 people leave a room of 8 x 5 m through a door of 1 m: at most 1.33 per second over the whole time.",
    source: "IMO MSC.1/Circ.1238, test 4, and NIST TN 1822, test 5.2: a limiter as simplified tools have it; doors of seven \
             experiments, flow per meter of widths up to 2.5 m, 10 to 90 %",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: true, run: experiment },
};

fn text() -> String {
    format!(
        "title = \"Flow through a door\"\n\
         people = {{ desired_speed_m_per_s = {{ uniform = [0.97, 1.62] }}, radius_m = {{ uniform = [0.18, 0.22] }} }}\n\
         measure.flow = {{ metric = \"flow_per_s\", at = \"room.door\", window = {{ ranks = [0.0, 1.0] }} }}\n\
         [scenario.room]\nwalkable = \"POLYGON ((0 0, 8 0, 8 5, 0 5, 0 0))\"\nlimit_s = 300.0\ngive_up_s = 60.0\n\
         lines.door = [[8, 2], [8, 3]]\n\
         group.all = {{ count = 100, from = {{ points = {} }}, to = {{ line = [[8, 2], [8, 3]] }} }}\n",
        rows((0.2, 0.25), (7.8, 4.75), 100)
    )
}

fn compare(ran: &Ran) -> Vec<Line> {
    let flow = ran.figure(0, "flow");
    let doors = Tolerance::Within(1.76, 2.55);
    vec![
        Line::new("flow over the whole time", &ran.model, "1/s", flow, Tolerance::AtMost(1.33)).paper(exact(1.33)),
        Line::new("the same, against doors in experiments", &ran.model, "1/s", flow, doors)
            .paper(between(2.10, 1.76, 2.55)),
    ]
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart = Chart::new(ENTRY.name, "Flow through a door of 1 m", "", "flow (1/s)")
        .below("100 people; bars: 95 % of the mean of 10 runs")
        .words(ENTRY.make.models.iter().copied())
        .with("at most", Mark::Paper, (0..ENTRY.make.models.len()).map(|i| (i as f64, exact(1.33))).collect())
        .with(
            "80 % of experiments",
            Mark::Reference,
            (0..ENTRY.make.models.len()).map(|i| (i as f64, between(2.10, 1.76, 2.55))).collect(),
        );
    for (i, &model) in ENTRY.make.models.iter().enumerate() {
        let plan = Plan { model, seeds: 10, record_every_s: None };
        let Compared { ran, lines: found, .. } = compared(lab, &text(), plan, &[&CROWDING, &HARD_BODIES], &compare)?;
        lines.extend(found);
        let flow = ran.figure(0, "flow");
        chart = chart.with(model, Mark::Ours, vec![(i as f64, flow)]);
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
