//! What a step costs: Table 2 of group dynamics.

use super::chart::{self, Mark};
use super::ground::number;
use super::lab::{Plan, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::evolve::evaluate::{run_seed, simulate};
use crate::evolve::experiment::{Experiment, no_files};
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_search::Purpose;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "time_table",
    doc: "Time of a step of group dynamics with 3000 to 8000 people on 80 x 80 and 40 x 40 cells, on one core: at \
          most that of the paper; only these lines depend on the machine.",
    source: "Yang, He, Rao 2017, Table 2, on a processor of 3.4 GHz; the scene, four streams that cross a field of 80 x 80 m \
             and keep the minimum distance, is chosen here",
    params: &[],
    make: MakeExperiment { models: &["group_dynamics"], quick: false, run: experiment },
};

/// People, cells along a side, milliseconds a step.
const PAPER: [(usize, usize, f64); 6] =
    [(3000, 80, 26.3), (3000, 40, 21.7), (5000, 80, 35.7), (5000, 40, 27.0), (8000, 80, 71.4), (8000, 40, 45.4)];
/// Steps that are timed, and steps before them to warm up.
const STEPS: (u32, u32) = (25, 5);
/// Side of the field, m.
const SIDE_M: usize = 80;

fn text(people: usize, cells: usize, steps: u32) -> String {
    let quarter = people / 4;
    let size = SIDE_M as f64 / cells as f64;
    let group = |name: &str, way: &str| {
        format!(
            "group.{name} = {{ count = {quarter}, from = {{ area = [[1, 1], [79, 79]] }}, to = {{ line = {way} }} }}\n"
        )
    };
    format!(
        "title = \"What a step costs\"\npeople = {{ radius_m = 0.2, desired_speed_m_per_s = 1.4 }}\n\
         parameters = {{ cell_m = {size:?}, minimum_distance = true }}\nsimulation = {{ time_step_s = 0.1, sample_every_s = 0.1 }}\n\
         measure.left = {{ metric = \"people_left\" }}\nmodel = \"group_dynamics\"\n\
         [scenario.field]\nwalkable = \"POLYGON ((0 0, 80 0, 80 80, 0 80, 0 0))\"\nlimit_s = {:?}\n{}{}{}{}",
        0.1 * f64::from(steps),
        group("east", "[[80, 0], [80, 80]]"),
        group("north", "[[80, 80], [0, 80]]"),
        group("south", "[[0, 0], [80, 0]]"),
        group("west", "[[0, 80], [0, 0]]"),
    )
}

/// Seconds that a run of this many steps takes, if the lab has a clock.
fn seconds(lab: &dyn Lab, people: usize, cells: usize, steps: u32) -> Result<Option<f64>, Error> {
    let experiment =
        Experiment::load(&Registry::builtin(), &text(people, cells, steps), "validation.toml", &[], &mut no_files)?;
    let seed = run_seed(experiment.search.seed, Purpose::Report, "field", 0);
    let mut healthy = false;
    let time = lab.seconds(&mut || healthy = simulate(&experiment, 0, &experiment.start, seed).is_ok());
    Ok(time.filter(|_| healthy))
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let model = ENTRY.make.models[0];
    let sound = run(lab, &text(3000, 40, STEPS.0), Plan { model, seeds: 1, record_every_s: None })?;
    let mut lines = Vec::new();
    let mut points = [Vec::new(), Vec::new()];
    for (people, cells, paper) in PAPER {
        let [long, short] = [STEPS.0 + STEPS.1, STEPS.1].map(|steps| seconds(lab, people, cells, steps));
        let step = long?.zip(short?).map(|(long, short)| 1000.0 * (long - short) / f64::from(STEPS.0));
        let label = format!("a step of {people} people on {cells} x {cells} cells");
        let line = Line::new(label, model, "ms", number(step), Tolerance::AtMost(paper));
        lines.push(line.paper(exact(paper)));
        points[usize::from(cells == 40)].push((people as f64, number(step)));
    }
    let of = |cells: usize| {
        let rows = PAPER.iter().filter(|p| p.1 == cells);
        chart::plain(&rows.map(|p| (p.0 as f64, p.2)).collect::<Vec<_>>())
    };
    sound.judge(&mut lines);
    let [fine, coarse] = points;
    let chart = Chart::new(ENTRY.name, "Time of a step", "people", "time (ms)")
        .below("four streams that cross a field of 80 x 80 m, one core")
        .with("Table 2, 80 x 80 cells", Mark::Paper, of(80))
        .with("Table 2, 40 x 40 cells", Mark::Reference, of(40))
        .with("here, 80 x 80 cells", Mark::Ours, fine)
        .with("here, 40 x 40 cells", Mark::Ours, coarse);
    Ok(Outcome { lines, charts: vec![chart] })
}
