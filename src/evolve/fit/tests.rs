use super::*;
use crate::evolve::evaluate::trial;
use crate::evolve::experiment::no_files;
use crate::evolve::fit::Asked;

const RUN: &str = r#"
model = "social_force"
[parameters]
relaxation_time_s = { range = [0.1, 2.0] }
[people]
radius_m = { range = [0.1, 0.3] }
[scenario.neck]
kind = "bottleneck"
count = 4
width_m = { each = [1.0, 2.0], held_out = [1.5] }
replicas = 5
group.people.parameters.panic = 0.1
[scenario.other]
held_out = true
kind = "room"
count = 4
[target.time]
metric = "evacuation_time_95_s"
scenario = "neck"
minimize = { good = 10.0, bad = 60.0 }
weight = 2.0
[target.pressure]
metric = "body_pressure_p95_n_per_m"
at_most = 100.0
[target.later]
metric = "evacuation_time_100_s"
scenario = "other"
at_most = 100.0
[measure.left]
metric = "people_left"
"#;

const ENGINE: &str = r#"
[engine]
command = ["python3", "worker.py"]
[parameters]
gain = { range = [0.0, 1.0], default = 0.9 }
"#;

fn load(text: &str) -> Experiment {
    Experiment::load(&Registry::builtin(), text, "x.toml", &[], &mut no_files).unwrap()
}

fn refused(text: &str) -> String {
    let experiment = load(text);
    let genome = experiment.space.encode(&experiment.defaults);
    Fit::new(&Registry::builtin(), &experiment, &genome).unwrap_err().to_string()
}

fn fit() -> Fit {
    let experiment = load(RUN);
    // 1.05 s and 0.25 m.
    let genome =
        experiment.space.genes.iter().map(|g| if g.key.contains("radius") { 0.75 } else { 0.5 }).collect::<Vec<_>>();
    Fit::new(&Registry::builtin(), &experiment, &genome).unwrap()
}

/// An answer with this time in each case and replica, and nobody left.
fn answer(experiment: &Experiment, question: Question, time: impl Fn(usize, usize) -> f64) -> Trial {
    let runs = question.replicas.len();
    let value = |case, run, name: &str| if name == "time" { time(case, run) } else { 0.0 };
    let row = |case, run| experiment.columns.iter().map(|c| Some(value(case, run, &c.name))).collect();
    let values = (0..experiment.cases.len()).map(|case| (0..runs).map(|run| row(case, run)).collect()).collect();
    trial(experiment, 0, question, values)
}

use crowdtune_search::Trial;

fn made(fit: &Fit) -> (String, Experiment) {
    let [reached, _] = fit.questions();
    // 20, 30 and 40 s, half a second more or less.
    let reached =
        answer(&fit.own, reached, |case, run| 20.0 + 10.0 * case as f64 + if run % 2 == 0 { 0.5 } else { -0.5 });
    let asked = Asked { name: "toy", title: "Toy", engine: ENGINE, program: Some("python9"), evaluations: 7 };
    let text = fit.experiment(&asked, &reached).unwrap();
    let experiment = load(&text);
    (text, experiment)
}

#[test]
fn the_experiment_wants_what_the_preset_reaches_of_the_other_tool() {
    let fit = fit();
    assert_eq!(
        fit.left_out,
        [
            "Target `later`: only held-out scenarios give it.",
            "Target `pressure`: `body_pressure_p95_n_per_m` cannot be measured on tracks: it has no contact forces."
        ]
    );
    let (text, experiment) = made(&fit);
    for line in [
        "command = [\"python9\", \"worker.py\"]",
        "points = [[1.0, 20.0], [2.0, 30.0], [1.5, 40.0]]",
        "radius_m = 0.25",
        "replicas = 2",
        "evaluations = 7",
    ] {
        assert!(text.lines().any(|l| l == line), "no `{line}` in\n{text}");
    }
    for gone in ["social_force", "relaxation_time_s", "panic", "scenario.other", "pressure"] {
        assert!(!text.contains(gone), "{gone} in\n{text}");
    }
    fit.same_cases(&experiment).unwrap();
    let names: Vec<&str> = experiment.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["neck[width_m=1]", "neck[width_m=2]", "neck[width_m=1.5]"]);
    assert!(experiment.cases[2].held_out);
    let time = &experiment.columns[experiment.columns.iter().position(|c| c.name == "time").unwrap()];
    // A hundredth of 50 s is more than the scatter of the mean of 20 runs; a loss of 1 costs 2 for 50 s.
    let crate::target::Wanted::Points { points, .. } = time.wanted.as_ref().unwrap() else { panic!("{text}") };
    assert_eq!(points.iter().map(|p| p.2).collect::<Vec<_>>(), [0.5; 3]);
    assert!((time.weight - 2.0 * 0.5 / 50.0).abs() < 1e-12);
}

#[test]
fn residuals_are_differences_on_the_same_seeds() {
    let fit = fit();
    let (_, experiment) = made(&fit);
    let [_, fresh] = fit.questions();
    // The tool has the scatter of the preset, seed by seed: the difference has none.
    let scatter = |run: usize| run as f64;
    let preset = answer(&fit.own, fresh, |case, run| 20.0 + 10.0 * case as f64 + scatter(run));
    let genome = experiment.space.encode(&experiment.defaults);
    let asked = |purpose| Question { purpose, genome: genome.clone(), replicas: 0..SEEDS };
    let off = |by: f64| move |case: usize, run: usize| 20.0 + 10.0 * case as f64 + by + scatter(run);
    let trials = [
        answer(&experiment, asked(Purpose::Report), off(-1.0)),
        answer(&experiment, asked(Purpose::Baseline), off(5.0)),
    ];
    let (rows, failed) = residuals(&fit, &preset, &experiment, &trials);
    assert!(failed.is_empty());
    let times: Vec<&Residual> = rows.iter().filter(|r| r.name == "time").collect();
    assert_eq!(times.len(), 3);
    assert_eq!(times.iter().map(|r| r.fitted_to).collect::<Vec<_>>(), [true, true, false]);
    for row in times {
        let known = |figure: &crate::figure::Figure, value: f64| {
            [figure.value, figure.low, figure.high].iter().all(|x| (x.unwrap() - value).abs() < 1e-9)
        };
        assert!(known(&row.fitted_off, -1.0) && known(&row.defaults_off, 5.0), "{row:?}");
        assert!(row.preset.high.unwrap() - row.preset.low.unwrap() > 3.0 && row.nearer() == Some(true), "{row:?}");
    }
    let left = rows.iter().find(|r| r.name == "left").unwrap();
    assert!(!left.fitted_to && left.fitted_off.value == Some(0.0));
}

#[test]
fn a_side_that_failed_says_why_and_has_no_values() {
    let fit = fit();
    let (_, experiment) = made(&fit);
    let [_, fresh] = fit.questions();
    let preset = answer(&fit.own, fresh, |_, _| 20.0);
    let genome = experiment.space.encode(&experiment.defaults);
    let mut report =
        answer(&experiment, Question { purpose: Purpose::Report, genome, replicas: 0..SEEDS }, |_, _| 20.0);
    let mut baseline = report.clone();
    baseline.question.purpose = Purpose::Baseline;
    baseline.outcome = crowdtune_search::Outcome::Failed("the navmesh is empty".into());
    baseline.values.clear();
    report.id = 1;
    let (rows, failed) = residuals(&fit, &preset, &experiment, &[report, baseline]);
    assert_eq!(failed, ["with its defaults a run on fresh seeds failed: the navmesh is empty"]);
    assert!(rows.iter().all(|r| r.defaults_off.value.is_none() && r.nearer().is_none()));
}

#[test]
fn what_cannot_be_fitted_is_said_before_any_run() {
    let only =
        |target: &str| format!("model = \"social_force\"\n[scenario.room]\nkind = \"room\"\ncount = 4\n{target}");
    assert!(refused(&only("[measure.left]\nmetric = \"people_left\"\n")).contains("the run wanted nothing"));
    let unseen = refused(&only("[target.p]\nmetric = \"body_pressure_p95_n_per_m\"\nat_most = 1.0\n"));
    assert!(
        unseen.contains("no target of the run can be fitted. Target `p`") && unseen.contains("no contact forces"),
        "{unseen}"
    );
    let engine =
        format!("{ENGINE}[scenario.x]\nkind = \"engine\"\n[target.x]\nvalue = \"y\"\nequals = 1.0\ntolerance = 1.0\n");
    assert!(refused(&engine).contains("the run tuned a foreign simulator, `python3 worker.py`"));
    let two = only(
        "width_m = { each = [4.0, 5.0] }\ndepth_m = { each = [4.0, 5.0] }\n[target.t]\nmetric = \"people_left\"\nat_most = 1.0\nscale = 1.0\n",
    );
    assert!(refused(&two).contains("has `each` for depth_m and width_m"), "{}", refused(&two));
}

#[test]
fn an_each_over_a_constant_of_the_model_is_refused() {
    let text = "model = \"social_force\"\n[parameters]\npanic = { each = [0.0, 0.4] }\n[scenario.room]\nkind = \"room\"\ncount = 4\n\
                [target.t]\nmetric = \"people_left\"\nat_most = 1.0\n";
    let experiment = load(text);
    let fit = Fit::new(&Registry::builtin(), &experiment, &[]).unwrap();
    let [reached, _] = fit.questions();
    let reached = answer(&fit.own, reached, |_, _| 0.0);
    let asked = Asked { name: "toy", title: "Toy", engine: ENGINE, program: None, evaluations: 7 };
    let made = fit.experiment(&asked, &reached);
    let text = made.unwrap();
    let loaded = Experiment::load(&Registry::builtin(), &text, "x.toml", &[], &mut no_files);
    let error = loaded.and_then(|made| fit.same_cases(&made)).unwrap_err().to_string();
    assert!(error.contains("panic"), "{error}");
}
