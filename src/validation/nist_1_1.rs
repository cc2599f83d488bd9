//! NIST test 1.1: start times follow the distribution that was asked for.

use super::chart::Mark;
use super::ground::{TEN, number, start_times};
use super::lab::{Plan, Ran, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, PEDESTRIANS, Tolerance};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::people::Family;
use std::fmt::Write as _;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "nist_1_1",
    doc: "Ten people start at uniform, gamma, log-normal and Weibull times: 60 runs, 6 of costly models, fit each \
          distribution.",
    source: "NIST TN 1822 (2013), test 1.1; Kolmogorov-Smirnov test at 5 %",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: false, run: experiment },
};

/// A scenario for each family, in name order.
const FAMILIES: [(&str, &str); 4] = [
    ("gamma", "{ gamma = [1.291, 103.901] }"),
    ("log_normal", "{ log_normal = [4.586, 0.967] }"),
    ("uniform", "{ uniform = [10.0, 100.0] }"),
    ("weibull", "{ weibull = [1.195, 139.285] }"),
];

fn text() -> String {
    let mut text = String::from(
        "title = \"Start times of four families\"\npeople = { desired_speed_m_per_s = 1.33, radius_m = 0.2 }\n\
         measure.left = { metric = \"people_left\" }\n",
    );
    for (name, start) in FAMILIES {
        write!(
            text,
            "[scenario.{name}]\npeople.start_time_s = {start}\nwalkable = \"POLYGON ((0 0, 8 0, 8 5, 0 5, 0 0))\"\n\
             limit_s = 5000.0\n\
             group.all = {{ count = 10, from = {{ points = {TEN} }}, to = {{ line = [[8, 2], [8, 3]] }} }}\n"
        )
        .expect("writing into a string cannot fail");
    }
    text
}

/// Runs of each family: 600 people. Chosen here: what fits into a minute; a tenth for models that
/// solve fields while everybody waits.
fn seeds(model: &str) -> u32 {
    if ["continuum", "hybrid"].contains(&model) { 6 } else { 60 }
}

/// Anyone this fast between two recorded frames has started, m/s. Chosen here: a third of the desired speed.
const STARTED_M_PER_S: f64 = 0.44;
/// Interval of the recording, s.
const EVERY_S: f64 = 0.25;

/// Share of a distribution below a time.
fn share_below(name: &str, time: f64) -> f64 {
    match name {
        "gamma" => Family::Gamma.share_below((1.291, 103.901), time),
        "log_normal" => Family::LogNormal.share_below((4.586, 0.967), time),
        "weibull" => Family::Weibull.share_below((1.195, 139.285), time),
        _ => ((time - 10.0) / 90.0).clamp(0.0, 1.0),
    }
}

/// Largest distance of the sample's distribution function from the wanted one.
fn distance(name: &str, sorted: &[f64]) -> f64 {
    let n = sorted.len() as f64;
    let gap = |(k, &t): (usize, &f64)| {
        let wanted = share_below(name, t);
        (wanted - k as f64 / n).abs().max(((k + 1) as f64 / n - wanted).abs())
    };
    sorted.iter().enumerate().map(gap).fold(0.0, f64::max)
}

/// Start times of everybody in all runs of a case, s, ascending; `None` if a run failed or somebody never starts.
fn seen(ran: &Ran, case: usize) -> Option<Vec<f64>> {
    let all: Option<Vec<f64>> = ran.tracks(case).flat_map(|t| start_times(t, STARTED_M_PER_S, 1.0)).collect();
    // A start is known to the interval of the recording, a thousandth of the spread of the times.
    let mut all = all.filter(|_| ran.tracks(case).count() == ran.runs[case].len())?;
    all.sort_by(f64::total_cmp);
    (!all.is_empty()).then_some(all)
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let first = ENTRY.make.models[0];
    let mut chart = Chart::new(ENTRY.name, "Start times of 600 people", "time (s)", "share that has started")
        .below(format!("lines: what was asked for; dots: what the runs of {first} show"));
    let what = "Distance of start times from what was asked for";
    let mut all = Chart::new("nist_1_1_models", what, "", "distance over its limit")
        .below("600 people, continuum and hybrid 60; 1: the critical value at 5 %")
        .words(FAMILIES.map(|f| f.0))
        .with("at most", Mark::Paper, (0..FAMILIES.len()).map(|i| (i as f64, exact(1.0))).collect());
    for &model in ENTRY.make.models {
        let ran = run(lab, &text(), Plan { model, seeds: seeds(model), record_every_s: Some(EVERY_S) })?;
        let mut points = Vec::new();
        for (case, (name, _)) in FAMILIES.into_iter().enumerate() {
            let times = seen(&ran, case);
            let largest = number(times.as_ref().map(|t| distance(name, t)));
            // Critical value of the one-sample test at 5 % for large samples: 1.358 / sqrt(n).
            let limit = 1.358 / f64::from(10 * seeds(model)).sqrt();
            let label = format!("{name}: distance of the distributions");
            lines.push(Line::new(label, model, "", largest, Tolerance::AtMost(limit)).paper(exact(0.0)));
            points.push((case as f64, number(largest.value.map(|l| l / limit))));
            if let Some(times) = times.filter(|_| model == first) {
                let n = times.len();
                let at = |k: usize| (times[k], exact((k as f64 + 0.5) / n as f64));
                chart = chart.with(name, Mark::Ours, (0..n).step_by(n / 30).map(at).collect());
                let curve = |k: u32| (f64::from(k) * 8.0, exact(share_below(name, f64::from(k) * 8.0)));
                chart = chart.with(name, Mark::Way, (0..120).map(curve).collect());
            }
        }
        ran.judge(&mut lines);
        all = all.with(model, Mark::Ours, points);
    }
    Ok(Outcome { lines, charts: vec![chart, all] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_of_a_perfect_sample_is_half_a_step_and_of_a_wrong_one_large() {
        let times: Vec<f64> = (0..90).map(|k| 10.5 + f64::from(k)).collect();
        assert!((distance("uniform", &times) - 0.5 / 90.0).abs() < 1e-12);
        assert!(distance("weibull", &times) > 0.2);
        assert!((share_below("weibull", 139.285) - (1.0 - libm::exp(-1.0))).abs() < 1e-12);
    }
}
