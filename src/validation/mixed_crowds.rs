//! What the last pictures of continuum crowds show, and the like of them: crowds of two models, and a chase over hills.

use super::chart::Mark;
use super::ground::{walls, ways_of};
use super::lab::{Plan, Ran, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "mixed_crowds",
    doc: "A continuum meets agents of the five forces, cars by velocity obstacles meet people by the social force, a stream follows a \
          guide, and some escape over hills from an army.",
    source: "Treuille, Cooper, Popovic, Continuum Crowds, SIGGRAPH 2006 (pictures of a crowd that meets Reynolds' agents, of cars, and of \
             an army that chases another over mountains); places and numbers are chosen here: nobody deeper in anybody \
             than 5 cm, all arrive, a stream follows as near and as much in one direction as the behavior `follow` asks, and who \
             runs the fastest way escapes more often than who runs the shortest",
    params: &[],
    make: MakeExperiment { models: &["continuum", "social_force"], quick: false, run: experiment },
};

const PEOPLE: &str = r#"
people = { radius_m = 0.25, desired_speed_m_per_s = { normal = [1.34, 0.2], clip = [0.8, 2.0] } }
simulation = { sample_every_s = 0.1, record_every_s = 0.2 }
measure.left = { metric = "people_left" }
measure.overlap = { metric = "overlap_max_m" }
"#;

const AGENTS: &str = r#"
[scenario.street]
walkable = "POLYGON ((0 0, 36 0, 36 10, 0 10, 0 0))"
limit_s = 120.0
group.crowd = { count = 80, from = { area = [[1, 0.5], [13, 9.5]] }, to = { line = [[36, 0], [36, 10]] } }
group.agents = { model = "five_force", count = 8, from = { area = [[30, 3], [34, 7]] }, to = { line = [[0, 0], [0, 10]] } }
"#;

const CARS: &str = r#"
[scenario.street]
walkable = "POLYGON ((0 0, 50 0, 50 12, 0 12, 0 0))"
limit_s = 120.0
group.north = { count = 15, from = { area = [[18, 0.5], [32, 2.5]] }, to = { area = [[16, 11.2], [34, 12]] } }
group.south = { count = 15, from = { area = [[18, 9.5], [32, 11.5]] }, to = { area = [[16, 0], [34, 0.8]] } }
[scenario.street.group.cars]
model = "rvo"
count = 5
inflow_per_s = 0.25
from = { area = [[2, 4], [5, 8]] }
to = { line = [[50, 3], [50, 9]] }
people = { radius_m = 1.0, mass_kg = 500.0, desired_speed_m_per_s = 3.0, max_speed_m_per_s = 4.0 }
gives_way = { north = 0.7, south = 0.7 }
"#;

const GUIDE: &str = r#"
[parameters.five_force]
attraction_weight = 1.0
separation_weight = 0.0
alignment_weight = 0.0
cohesion_weight = 0.0
[scenario.hall]
walkable = "POLYGON ((0 0, 30 0, 30 16, 0 16, 0 0))"
obstacles = "MULTIPOLYGON (((8 5, 12 5, 12 11, 8 11, 8 5)), ((18 5, 22 5, 22 11, 18 11, 18 5)))"
limit_s = 60.0
group.stream = { count = 24, from = { area = [[0.5, 0.5], [5.5, 15.5]] }, to = { group = "guide" } }
[scenario.hall.group.guide]
model = "five_force"
count = 1
from = { points = [[6, 2.5]] }
to = [{ point = [15, 2.5], radius_m = 0.5 }, { point = [15, 13.5], radius_m = 0.5 }, { point = [25, 13.5], radius_m = 0.5 }, { point = [25, 2.5], radius_m = 0.5 }, { point = [5, 2.5], radius_m = 0.5 }]
people = { desired_speed_m_per_s = 1.0 }
[measure.distance]
metric = "leader_distance_m"
group = "stream"
window = { time_s = [10.0, 60.0] }
[measure.polarization]
metric = "polarization"
group = "stream"
window = { time_s = [10.0, 60.0] }
"#;

const CHASE: &str = r#"
people.radius_m = 0.25
parameters.cell_m = 2.0
simulation = { sample_every_s = 1.0 }
[scenario.valley]
walkable = "POLYGON ((0 0, 120 0, 120 120, 0 120, 0 0))"
limit_s = 120.0
ground = { hills = [{ at = [66, 24], height_m = 11.0, width_m = [15, 11] }, { at = [72, 99], height_m = 10.0, width_m = [18, 11] }, { at = [90, 60], height_m = 5.0, width_m = [6, 12] }] }
[scenario.valley.group.army]
count = 300
from = { area = [[3, 42], [27, 78]] }
to = { group = "small" }
catches = { group = "small", distance_m = 0.5, time_s = 0.5 }
people.desired_speed_m_per_s = 1.8
[scenario.valley.group.small]
count = 60
from = { area = [[45, 54], [53, 66]] }
to = { line = [[120, 51], [120, 69]] }
away_from = { group = "army", within_m = 6.0 }
people.desired_speed_m_per_s = 1.4
parameters.length_weight = { each = [0.0, 5.0] }
[measure.escaped]
metric = "people_out"
[measure.caught]
metric = "caught_share"
"#;

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let plan = |model: &'static str| Plan { model, seeds: 10, record_every_s: Some(0.5) };
    let line = |ran: &Ran, label: &str, unit: &'static str, column: &str, tolerance: Tolerance| {
        Line::new(label, &ran.model, unit, ran.figure(0, column), tolerance)
    };
    let agents = run(lab, &format!("{PEOPLE}{AGENTS}"), plan("continuum"))?;
    let cars = run(lab, &format!("{PEOPLE}{CARS}"), plan("social_force"))?;
    for (ran, who) in [(&agents, "agents in a continuum"), (&cars, "cars among people")] {
        let mut found = vec![
            line(ran, &format!("{who}: deepest overlap"), "m", "overlap", Tolerance::AtMost(0.05)),
            line(ran, &format!("{who}: people who do not arrive"), "people", "left", Tolerance::AtMost(0.0)),
        ];
        ran.judge(&mut found);
        lines.extend(found);
    }
    let guide = run(lab, &format!("{PEOPLE}{GUIDE}"), plan("continuum"))?;
    let mut found = vec![
        line(&guide, "guide: distance of the stream from the guide", "m", "distance", Tolerance::Within(1.0, 4.0)),
        line(&guide, "guide: how much the stream walks in one direction", "", "polarization", Tolerance::AtLeast(0.65)),
        line(&guide, "guide: deepest overlap", "m", "overlap", Tolerance::AtMost(0.05)),
    ];
    guide.judge(&mut found);
    lines.extend(found);
    let chase = run(lab, CHASE, Plan { record_every_s: None, ..plan("continuum") })?;
    let escaped = |alpha: usize| chase.values(alpha, "escaped");
    let label = "chase: who escape by the fastest way less those by the shortest";
    // Both run on the same seeds.
    let more: Vec<f64> = escaped(0).iter().zip(&escaped(1)).map(|(fastest, shortest)| fastest - shortest).collect();
    let mut found = vec![Line::new(label, &chase.model, "people", Figure::mean(&more), Tolerance::AtLeast(1.0))];
    chase.judge(&mut found);
    lines.extend(found);
    Ok(Outcome { lines, charts: vec![map(&agents, "agents", 0), map(&cars, "cars", 0), map(&guide, "guide", 0)] })
}

/// The ways of one run: those of one group of the scenario, and of everybody else.
fn map(ran: &Ran, who: &str, group: u16) -> Chart {
    let mut map = Chart::map(&format!("mixed_crowds_{who}"), &format!("Ways of a mixed crowd: {who} and people"));
    if let Some(track) = ran.tracks(0).next() {
        map = map.with("people", Mark::Way, ways_of(track, |of| of != group));
        map = map.with(who, Mark::Way, ways_of(track, |of| of == group));
    }
    let plan = &ran.experiment.cases[0].scenario.world.plan;
    let outline: Vec<Vec<(f64, f64)>> = plan.walls.iter().map(|w| vec![(w.a.x, w.a.y), (w.b.x, w.b.y)]).collect();
    let outline: Vec<&[(f64, f64)]> = outline.iter().map(Vec::as_slice).collect();
    map.with("", Mark::Wall, walls(&outline))
}
