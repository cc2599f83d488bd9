//! Herding: in smoke, following others a little helps to find an exit, only following them does not.

use super::chart::{self, Mark};
use super::ground::{number, of_two};
use super::lab::{Plan, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::math::stats;
use crowdtune_core::registry::Entry;
use std::fmt::Write as _;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "herding",
    doc: "90 people look for two exits in smoke; the share of herding that brings most of them out lies between none and \
          all, and the more they herd, the more unevenly the exits are used.",
    source: "Helbing, Farkas, Vicsek, Nature 407, 487 (2000), fig. 3b and 3d, read off the printed figure by others; it does not print \
             where the exits are: opposite walls are the usual reading, and three others are tried",
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
/// Where else the two exits might be, as the source does not print it: the middles of the two lines, in the room.
const ELSEWHERE: [(&str, &str); 3] = [
    ("adjacent walls", "{ any = [{ line = [[0, 6.75], [0, 8.25]] }, { line = [[6.75, 0], [8.25, 0]] }] }"),
    ("one wall", "{ any = [{ line = [[0, 3], [0, 4.5]] }, { line = [[0, 10.5], [0, 12]] }] }"),
    ("opposite corners", "{ any = [{ line = [[0, 0.5], [0, 2]] }, { line = [[15, 13], [15, 14.5]] }] }"),
];

/// The room with its exits elsewhere.
fn elsewhere() -> String {
    let mut text = String::from(
        "title = \"Herding, other exits\"\nparameters.panic = { each = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] }\n\
         parameters.herding_radius_m = 5.0\npeople.desired_speed_m_per_s = 5.0\nmeasure.out = { metric = \"people_out\" }\n",
    );
    for (at, (_, to)) in ELSEWHERE.iter().enumerate() {
        write!(
            text,
            "[scenario.s{at}]\nwalkable = \"POLYGON ((0 0, 15 0, 15 15, 0 15, 0 0))\"\nsight_m = 2.0\nlimit_s = 30.0\n\
             group.people = {{ count = 90, from = {{ area = [[0, 0], [15, 15]] }}, to = {to} }}\n"
        )
        .expect("writing into a string cannot fail");
    }
    text
}

/// The share of herding that brings most people out.
fn best(out: &[(f64, Figure)]) -> Figure {
    let known: Option<Vec<(f64, f64)>> = out.iter().map(|(p, f)| Some((*p, f.value?))).collect();
    number(known.and_then(|k| k.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))).map(|b| b.0))
}

/// What the figure says of the best share: more than none, less than 0.8.
const BEST: Tolerance = Tolerance::Within(0.05, 0.75);

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let ran = run(lab, TEXT, Plan { model: MODEL, seeds: 40, record_every_s: None })?;
    let over = |column: &str| -> Vec<(f64, Figure)> { ran.points().map(|(c, p)| (p, ran.figure(c, column))).collect() };
    let (out, imbalance) = (over("out"), over("imbalance"));
    let means: Vec<(f64, f64)> = imbalance.iter().filter_map(|(p, f)| Some((*p, f.value?))).collect();
    let (p, n): (Vec<f64>, Vec<f64>) = means.into_iter().unzip();
    let rank = stats::spearman(&p, &n);
    // At the best share of the figure, 0.4, against a share at index `other`: with the same seeds.
    let more = |other: usize| of_two(out[4].1, out[other].1, |best, other| best - other);
    let known = |other: usize| OUT[4] - OUT[other];
    let mut lines = vec![
        Line::new("share of herding p that brings most out", MODEL, "", best(&out), BEST).paper(exact(0.4)),
        Line::new("people out at p = 0.4 minus at p = 0", MODEL, "people", more(0), Tolerance::AtLeast(0.5 * known(0)))
            .paper(exact(known(0)))
            .note("wanted: half of the figure's"),
        Line::new(
            "people out at p = 0.4 minus at p = 0.8",
            MODEL,
            "people",
            more(8),
            Tolerance::AtLeast(0.5 * known(8)),
        )
        .paper(exact(known(8)))
        .note("wanted: half of the figure's"),
        Line::new("rank correlation of |N1 - N2| with p", MODEL, "", number(rank), Tolerance::AtLeast(0.8))
            .paper(exact(1.0)),
    ];
    ran.judge(&mut lines);
    let other = run(lab, &elsewhere(), Plan { model: MODEL, seeds: 20, record_every_s: None })?;
    let mut places = Vec::new();
    for (at, (name, _)) in ELSEWHERE.iter().enumerate() {
        let here = other.points().filter(|(case, _)| other.experiment.cases[*case].table == format!("s{at}"));
        let out: Vec<(f64, Figure)> = here.map(|(case, p)| (p, other.figure(case, "out"))).collect();
        let label = format!("share of herding p that brings most out, exits in {name}");
        lines.push(Line::new(label, MODEL, "", best(&out), BEST).paper(exact(0.4)));
        places.push((name, out));
    }
    other.judge(&mut lines);
    let paper =
        |values: &[f64; 9]| chart::plain(&(0..9).map(|i| (0.1 * f64::from(i), values[i as usize])).collect::<Vec<_>>());
    let chart = |name: &str, title: &str, y: &str, known: &[f64; 9], points| {
        Chart::new(name, title, "share of herding p", y)
            .below("90 people, room 15 x 15 m, two exits of 1.5 m seen from 2 m; bars: 95 % of the mean of 40 runs")
            .with("fig. 3 of the paper", Mark::Paper, paper(known))
            .with("exits in opposite walls", Mark::Ours, points)
    };
    let mut people = chart("herding", "People out after 30 s", "people", &OUT, out);
    for (name, out) in places {
        people = people.with(format!("exits in {name}, 20 runs"), Mark::Ours, out);
    }
    let charts = vec![people, chart("herding_exits", "Difference of the exits", "|N1 - N2|", &IMBALANCE, imbalance)];
    Ok(Outcome { lines, charts })
}
