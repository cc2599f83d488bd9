//! RiMEA test 6 and IMO test 6: round a corner without entering the walls.

use super::chart::Mark;
use super::ground::{corners, number, outline, places, ways};
use super::lab::{Plan, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::world::scenario::Polygon;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "rimea_6",
    doc: "20 people go round a corner to the left: all arrive, and nobody's center ever leaves the corridor.",
    source: "RiMEA guideline 4.1.1 (2025), test 6; IMO MSC.1/Circ.1238, test 6; NIST TN 1822, test 2.3",
    params: &[],
    make: MakeExperiment {
        models: &["social_force", "five_force", "rvo", "orca", "continuum", "hybrid"],
        quick: true,
        run: experiment,
    },
};

/// Published constants, except for the five weights, which have none: the first one leads to the goal.
fn text(model: &str) -> String {
    let weights = "parameters = { attraction_weight = 1.0, separation_weight = 0.1, alignment_weight = 0.0, \
                   cohesion_weight = 0.0, repulsion_weight = 0.5 }\n";
    format!("{}{TEXT}", if model == "five_force" { weights } else { "" })
}

const TEXT: &str = r#"
title = "Round a corner"
people = { desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }, radius_m = 0.2 }
scenario.corner = { kind = "corner", limit_s = 90.0 }
measure.left = { metric = "people_left" }
"#;

const OUTLINE: [(f64, f64); 6] = [(0.0, 0.0), (12.0, 0.0), (12.0, 12.0), (10.0, 12.0), (10.0, 2.0), (0.0, 2.0)];
/// How far outside a center still counts as inside, m, as the ports of the standard have it.
const SLACK_M: f64 = 1e-3;
/// People walk on for one radius after they cross the exit line.
const EXIT_Y: f64 = 12.0;

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let shape = Polygon { points: corners(&OUTLINE) };
    let mut lines = Vec::new();
    let mut charts = Vec::new();
    for &model in ENTRY.make.models {
        let ran = run(lab, &text(model), Plan { model, seeds: 5, record_every_s: Some(0.1) })?;
        let healthy = ran.tracks(0).count() == ran.runs[0].len();
        lines.push(
            Line::new("people who do not arrive", model, "people", ran.figure(0, "left"), Tolerance::AtMost(0.0))
                .paper(exact(0.0)),
        );
        let outside = |p| !shape.contains(p) && p.y < EXIT_Y && (p - shape.closest_on_outline(p)).length() > SLACK_M;
        let out = ran.tracks(0).flat_map(places).filter(|&(_, _, p)| outside(p)).count();
        let out = number(healthy.then_some(out as f64));
        lines.push(Line::new("recorded centers outside", model, "", out, Tolerance::AtMost(0.0)).paper(exact(0.0)));
        ran.judge(&mut lines);
        let mut map = Chart::map(&format!("rimea_6_{model}"), "Ways round a corner, one run").below(model);
        if let Some(track) = ran.tracks(0).next() {
            map = map.with("", Mark::Way, ways(track));
        }
        charts.push(map.with("", Mark::Wall, outline(&OUTLINE)));
    }
    Ok(Outcome { lines, charts })
}
