//! Herding: in smoke, following others a little helps to find an exit, only following them does not.

use super::chart::{self, Mark};
use super::ground::number;
use super::lab::{Plan, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::math::stats;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "herding",
    doc: "90 people look for two exits in smoke; the share of herding that brings most of them out lies between none and \
          all, and the more they herd, the more unevenly the exits are used.",
    source: "Helbing, Farkas, Vicsek, Nature 407, 487 (2000), fig. 3b and 3d, read off the printed figure by others",
    params: &[],
    make: MakeExperiment { models: &["social_force"], quick: false, run: experiment },
};

const TEXT: &str = r#"
title = "Herding"
parameters.panic = { each = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0] }
parameters.herding_radius_m = 5.0
people.desired_speed_m_per_s = 5.0
scenario.smoke = { kind = "two_exits", count = 90, sight_m = 2.0, limit_s = 30.0 }
measure.out = { metric = "people_out" }
measure.imbalance = { metric = "exit_imbalance" }
"#;

/// Fig. 3b: people out after 30 s over p = 0, 0.1, ...
const OUT: [f64; 9] = [70.0, 70.5, 71.5, 72.5, 73.5, 70.5, 66.0, 62.0, 58.0];
/// Fig. 3d: |N1 - N2|.
const IMBALANCE: [f64; 9] = [9.5, 10.5, 12.0, 16.0, 18.0, 18.5, 20.5, 27.5, 32.0];
const MODEL: &str = "social_force";
const EASY: &str = "the source does not print where the exits are and how walls turn people who see none; here more of them \
                    find out than in its figure, most of all at a larger p";

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let ran = run(lab, TEXT, Plan { model: MODEL, seeds: 40, record_every_s: None })?;
    let over = |column: &str| -> Vec<(f64, Figure)> { ran.points().map(|(c, p)| (p, ran.figure(c, column))).collect() };
    let (out, imbalance) = (over("out"), over("imbalance"));
    let best = out.iter().filter_map(|(p, f)| Some((*p, f.value?))).max_by(|a, b| a.1.total_cmp(&b.1));
    let means: Vec<(f64, f64)> = imbalance.iter().filter_map(|(p, f)| Some((*p, f.value?))).collect();
    let (p, n): (Vec<f64>, Vec<f64>) = means.into_iter().unzip();
    let rank = stats::spearman(&p, &n);
    let loss = best.and_then(|b| Some(b.1 - out[10].1.value?));
    let gain = best.and_then(|b| Some(b.1 - out[0].1.value?));
    let lines = vec![
        Line::new(
            "share of herding p that brings most out, as in the figure",
            MODEL,
            "",
            number(best.map(|b| b.0)),
            Tolerance::Within(0.05, 0.75),
        )
        .paper(exact(0.4))
        .deviates(MODEL, EASY)
        .note(ran.failures()),
        Line::new(
            "the same, neither none nor all",
            MODEL,
            "",
            number(best.map(|b| b.0)),
            Tolerance::Within(0.05, 0.95),
        )
        .paper(exact(0.4)),
        Line::new("people out at the best p minus at p = 0", MODEL, "people", number(gain), Tolerance::AtLeast(0.0))
            .paper(exact(3.5)),
        Line::new("people out at the best p minus at p = 1", MODEL, "people", number(loss), Tolerance::AtLeast(0.0)),
        Line::new("rank correlation of |N1 - N2| with p", MODEL, "", number(rank), Tolerance::AtLeast(0.8))
            .paper(exact(1.0)),
    ];
    let paper =
        |values: &[f64; 9]| chart::plain(&(0..9).map(|i| (0.1 * f64::from(i), values[i as usize])).collect::<Vec<_>>());
    let chart = |name: &str, title: &str, y: &str, known: &[f64; 9], points| {
        Chart::new(name, title, "share of herding p", y)
            .below("90 people, room 15 x 15 m, two exits of 1.5 m seen from 2 m; bars: 95 % of the mean of 40 runs")
            .with("fig. 3 of the paper", Mark::Paper, paper(known))
            .with(MODEL, Mark::Ours, points)
    };
    let charts = vec![
        chart("herding", "People out after 30 s", "people", &OUT, out),
        chart("herding_exits", "Difference of the exits", "|N1 - N2|", &IMBALANCE, imbalance),
    ];
    Ok(Outcome { lines, charts })
}
