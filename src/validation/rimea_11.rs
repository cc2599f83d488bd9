//! RiMEA test 11: a crowd beside two exits takes the near one first, but not it alone.

use super::chart::Mark;
use super::ground::{few, rows};
use super::lab::{Plan, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, PEDESTRIANS, Tolerance};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "rimea_11",
    doc: "1000 people at one side of a room of 30 x 20 m with two exits of 1 m in one wall: more take the near exit than \
          the far one, and some take the far one.",
    source: "RiMEA guideline 4.1.1 (2025), test 11",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: false, run: experiment },
};

/// The crowd stands at x 2.5 to 15, y 2.5 to 17.5; the exits are in the wall y = 0, at x = 22 and x = 28.
fn text() -> String {
    format!(
        "title = \"Two exits in one wall\"\n\
         people = {{ desired_speed_m_per_s = {{ normal = [1.34, 0.26], clip = [0.6, 2.0] }}, radius_m = {{ uniform = [0.15, 0.2] }} }}\n\
         measure.near = {{ metric = \"crossings\", at = \"room.near\" }}\n\
         measure.far = {{ metric = \"crossings\", at = \"room.far\" }}\n\
         [scenario.room]\nwalkable = \"POLYGON ((0 0, 30 0, 30 20, 0 20, 0 0))\"\nlimit_s = 900.0\ngive_up_s = 60.0\n\
         lines = {{ near = [[21.5, 0], [22.5, 0]], far = [[27.5, 0], [28.5, 0]] }}\n\
         group.all = {{ count = 1000, from = {{ points = {} }}, \
         to = {{ any = [{{ line = [[21.5, 0], [22.5, 0]] }}, {{ line = [[27.5, 0], [28.5, 0]] }}] }} }}\n",
        rows((2.5, 2.5), (15.0, 17.5), 1000)
    )
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart = Chart::new(ENTRY.name, "Who takes which exit", "", "people")
        .below("1000 people at one side of the room; bars: 95 % of the mean of 2 runs (hybrid: 1)")
        .words(["near exit", "far exit"]);
    for &model in ENTRY.make.models {
        let ran = run(lab, &text(), Plan { model, seeds: few(model, 2), record_every_s: None })?;
        let (near, far) = (ran.figure(0, "near"), ran.figure(0, "far"));
        let least = far.value.map_or(f64::INFINITY, |f| f + 1.0);
        lines.push(Line::new(
            "people through the near exit, more than through the far one",
            model,
            "people",
            near,
            Tolerance::AtLeast(least),
        ));
        lines.push(Line::new("people through the far exit", model, "people", far, Tolerance::AtLeast(1.0)));
        ran.judge(&mut lines);
        chart = chart.with(model, Mark::Ours, vec![(0.0, near), (1.0, far)]);
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
