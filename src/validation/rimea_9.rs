//! RiMEA test 9 and IMO test 9: half the doors, twice the time.

use super::chart::Mark;
use super::cures::{Compared, HARD_BODIES, compared, depth};
use super::ground::{few, of_two, rows};
use super::lab::{Plan, Ran, between, exact};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, PEDESTRIANS, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "rimea_9",
    doc: "1000 people leave a room of 20 x 20 m through four doors of 1 m, then through two: about twice the time.",
    source: "RiMEA guideline 4.1.1 (2025), test 9; IMO MSC.1/Circ.1238, test 9; 1.6 to 2.4 for `about` is chosen here",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: false, run: experiment },
};

fn text() -> String {
    let place = "walkable = \"POLYGON ((0 0, 20 0, 20 20, 0 20, 0 0))\"\nlimit_s = 1500.0\ngive_up_s = 60.0\n";
    let from = rows((0.3, 0.3), (19.7, 19.7), 1000);
    let south = "{ line = [[2, 0], [3, 0]] }, { line = [[17, 0], [18, 0]] }";
    let north = "{ line = [[2, 20], [3, 20]] }, { line = [[17, 20], [18, 20]] }";
    let group = |doors: &str| {
        format!("group.all = {{ count = 1000, from = {{ points = {from} }}, to = {{ any = [{doors}] }} }}\n")
    };
    format!(
        "title = \"Doors\"\n\
         people = {{ desired_speed_m_per_s = {{ normal = [1.34, 0.26], clip = [0.6, 2.0] }}, radius_m = {{ uniform = [0.18, 0.22] }} }}\n\
         measure.time = {{ metric = \"evacuation_time_100_s\" }}\nmeasure.left = {{ metric = \"people_left\" }}\n\
         [scenario.four]\n{place}{}[scenario.two]\n{place}{}",
        group(&format!("{south}, {north}")),
        group(south)
    )
}

/// Through four doors and through two.
fn times(ran: &Ran) -> [Figure; 2] {
    ["four", "two"].map(|name| ran.figure(ran.case(name), "time"))
}

fn compare(ran: &Ran) -> Vec<Line> {
    let model = &ran.model;
    let [four, two] = times(ran);
    let ratio = of_two(two, four, |two, four| two / four);
    let mut lines = vec![
        Line::new("time through two doors over four", model, "", ratio, Tolerance::Within(1.6, 2.4))
            .paper(between(2.0, 1.6, 2.4)),
    ];
    for name in ["four", "two"] {
        let left = ran.figure(ran.case(name), "left");
        let label = format!("people left behind, {name} doors");
        lines.push(Line::new(label, model, "people", left, Tolerance::AtMost(0.0)).paper(exact(0.0)));
    }
    if HARD_BODIES.is_for(model) {
        lines.push(depth(ran));
    }
    lines
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart = Chart::new(ENTRY.name, "Time for 1000 people to leave", "", "time (s)")
        .below("room 20 x 20 m, doors of 1 m; bars: 95 % of the mean of 3 runs (hybrid: 1)")
        .words(["four doors", "two doors"]);
    for &model in ENTRY.make.models {
        let plan = Plan { model, seeds: few(model, 3), record_every_s: None };
        let Compared { ran, lines: found, .. } = compared(lab, &text(), plan, &[&HARD_BODIES], &compare)?;
        lines.extend(found);
        let [four, two] = times(&ran);
        chart = chart.with(model, Mark::Ours, vec![(0.0, four), (1.0, two)]);
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
