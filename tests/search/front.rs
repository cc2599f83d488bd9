//! Several objectives end to end: a front on fresh seeds, presets, picks, resume and threads.

use crowdtune::Registry;
use crowdtune::evolve::evaluate::{Evaluate, Job, Pool, Serial};
use crowdtune::evolve::experiment::{Experiment, no_files};
use crowdtune::evolve::log::{self, MemoryLog};
use crowdtune::evolve::run::{Silent, Stopped, evolve, stopped};
use crowdtune::evolve::summary::{FrontSummary, Standing};
use crowdtune::evolve::{Results, summarize};
use crowdtune_core::Error;
use crowdtune_core::math::rng::unit;
use crowdtune_search::{Purpose, Trial};
use crowdtune_testing::fake::{ENGINE, finished};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

const FILE: &str = r#"
    model = "social_force"
    parameters.relaxation_time_s = { range = [0.1, 2.0] }
    parameters.repulsion_range_m = { range = [0.02, 1.0], log = false }
    scenario.one = { kind = "room", replicas = 3 }
    scenario.two = { kind = "corridor", replicas = 2 }
    target.fast = { metric = "speed_mean_m_per_s", maximize = { good = 10, bad = 0 }, objective = "fast" }
    target.gentle = { metric = "overlap_max_m", minimize = { good = 0, bad = 1 }, objective = "gentle" }
    target.limit = { metric = "collisions", at_most = 3, must = true }
    search = { optimizer = "pareto", evaluations = 120, parallel = 8, finalists = 6 }
"#;

fn load(sets: &[(&str, &str)]) -> Experiment {
    let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Experiment::load(&Registry::builtin(), FILE, "fake.toml", &sets, &mut no_files).unwrap()
}

/// Fast costs gentleness; what is off in the other gene costs both; noise of the seed; one corner fails, another one collides.
fn trade(&Job { genes, seed, .. }: &Job<'_>) -> Result<Vec<Option<f64>>, Error> {
    let noise = 0.2 * (unit(&mut seed.child("noise", 0).rng()) - 0.5);
    let (x, off) = (genes[0] / 2.0, 4.0 * (genes[1] - 0.3) * (genes[1] - 0.3));
    if x > 0.97 {
        return Err(Error::nothing("fell over"));
    }
    let collisions = if x < 0.15 { 5.0 } else { 0.0 };
    Ok(vec![Some(10.0 * (x - off + noise).max(0.0)), Some(x * x + off + noise), Some(collisions)])
}

fn run(experiment: &Experiment, evaluator: &dyn Evaluate, journal: &mut MemoryLog) -> Vec<Trial> {
    let finished = evolve(experiment, evaluator, journal, &mut Silent, &AtomicBool::new(false)).unwrap();
    assert_eq!(stopped(experiment, &finished.trials), finished.stopped);
    finished.trials
}

fn bytes(experiment: &Experiment) -> Vec<u8> {
    let cancel = AtomicBool::new(false);
    let mut journal = MemoryLog::default();
    run(experiment, &Serial::new(experiment, &cancel).with(ENGINE, trade), &mut journal);
    journal.0
}

fn front(experiment: &Experiment, trials: &[Trial]) -> FrontSummary {
    summarize(experiment, &finished(trials, Stopped::Budget)).front.unwrap()
}

#[test]
fn the_front_holds_on_fresh_seeds() {
    let experiment = load(&[]);
    let trials = log::parse(&bytes(&experiment), "log").unwrap().trials;
    let count = |purpose| trials.iter().filter(|t| t.question.purpose == purpose).count();
    assert_eq!((count(Purpose::Search), count(Purpose::Baseline)), (120, 1));
    assert!((2..=7).contains(&count(Purpose::Select)) && count(Purpose::Report) <= count(Purpose::Select));

    let found = front(&experiment, &trials);
    assert_eq!(found.points.len(), count(Purpose::Report));
    let members: Vec<_> = found.points.iter().filter(|p| p.standing == Standing::Front).collect();
    assert!(members.len() >= 3, "{found:?}");
    let losses = |p: &crowdtune::evolve::summary::FrontPoint| [0, 1].map(|o| p.fresh[o].value.unwrap());
    for a in &members {
        assert!(a.violation <= 0.0 && a.fresh.iter().all(|f| f.low < f.value && f.value < f.high), "{a:?}");
        let beaten = members.iter().any(|b| losses(b)[0] < losses(a)[0] && losses(b)[1] < losses(a)[1]);
        assert!(!beaten, "{members:?}");
        // Proved in the search: asked on three sets of replicas, and the mean of these is what it saw.
        let rows = trials[a.id as usize].question.genome.clone();
        let rows: Vec<_> =
            trials.iter().filter(|t| t.question.purpose == Purpose::Search && t.question.genome == rows).collect();
        assert_eq!((a.rounds, rows.len()), (3, 3));
        assert_eq!(rows.iter().map(|t| t.question.replicas.clone()).collect::<Vec<_>>(), [0..3, 3..6, 6..9]);
        // The case with two replicas takes part in the first two of each three.
        assert!(rows.iter().all(|t| t.values[0].len() == 3 && t.values[1].len() == 2));
        let mean = rows.iter().map(|t| t.objectives[1]).sum::<f64>() / 3.0;
        assert!((a.search[1] - mean).abs() < 1e-12);
    }
    assert!(found.points.windows(2).all(|p| p[0].fresh[0].value <= p[1].fresh[0].value), "by the first objective");
    // Speeds are shown, not losses, and larger ones are better.
    let axis = &found.axes[0];
    assert_eq!((axis.metric.as_str(), axis.unit.as_str(), axis.high_is_good()), ("speed_mean_m_per_s", "m/s", true));
    assert!((axis.value(0.25) - 7.5).abs() < 1e-12);
    // Lucky candidates: the search saw less than fresh seeds give, on the whole.
    let gain: f64 = members.iter().map(|p| losses(p)[1] - p.search[1]).sum();
    assert!(gain > 0.0, "{gain}");
}

#[test]
fn the_knee_is_recommended_unless_a_preference_picks() {
    let experiment = load(&[]);
    let trials = log::parse(&bytes(&experiment), "log").unwrap().trials;
    let pick = |sets: &[(&str, &str)]| {
        let experiment = load(sets);
        let found = front(&experiment, &trials);
        let picked: Vec<_> = found.points.iter().filter(|p| p.recommended).cloned().collect();
        assert_eq!((picked.len(), found.points.iter().filter(|p| p.knee).count()), (1, 1));
        let finished = finished(&trials, Stopped::Budget);
        let results = Results::new(&experiment, &finished);
        let summary = results.summary();
        assert_eq!(summary.recommended, Some(picked[0].id));
        assert_eq!(*results.recommended(), trials[picked[0].id as usize].question.genome);
        // What the summary says of the recommendation is what the front says of the point.
        assert_eq!(summary.objectives[1].tuned.value, picked[0].fresh[1].value);
        assert_eq!(summary.objectives[1].search, Some(picked[0].search[1]));
        (picked[0].clone(), found)
    };
    let (knee, found) = pick(&[]);
    assert!(knee.knee && knee.standing == Standing::Front);
    let members: Vec<_> = found.points.iter().filter(|p| p.standing == Standing::Front).map(|p| p.id).collect();
    // Only one counts: an end of the front, as the selection saw it.
    let (fast, _) = pick(&[("search.preference.fast", "2")]);
    let (gentle, _) = pick(&[("search.preference.gentle", "2")]);
    assert!(fast.fresh[0].value < knee.fresh[0].value && gentle.fresh[1].value < knee.fresh[1].value);
    assert!(members.contains(&fast.id) && members.contains(&gentle.id));
    // The digest is the same, so a run is resumed with another preference.
    assert_eq!(load(&[("search.preference.fast", "2")]).digest, experiment.digest);

    let finished = finished(&trials, Stopped::Budget);
    let results = Results::new(&experiment, &finished);
    for id in members {
        let (summary, genome) = results.point(id).unwrap();
        let point = found.points.iter().find(|p| p.id == id).unwrap();
        assert_eq!(genome, trials[id as usize].question.genome);
        assert_eq!(summary.objectives[0].tuned, point.fresh[0]);
    }
    assert!(results.point(100_000).is_none());
}

#[test]
fn any_cut_and_any_number_of_threads_give_the_same_bytes() {
    let experiment = load(&[("search.evaluations", "60")]);
    let full = bytes(&experiment);
    let cancel = AtomicBool::new(false);
    let serial = || Serial::new(&experiment, &cancel).with(ENGINE, trade);
    let ends: Vec<usize> = full.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
    for cut in ends.into_iter().step_by(2).flat_map(|at| [at - 1, at]).chain((0..full.len()).step_by(4001)) {
        let mut journal = MemoryLog(full[..cut].to_vec());
        run(&experiment, &serial(), &mut journal);
        assert!(journal.0 == full, "another log after a cut at byte {cut}");
    }
    for threads in [1, 2, 8] {
        let mut journal = MemoryLog::default();
        run(&experiment, &Pool::new(&experiment, threads, &cancel).unwrap().with(ENGINE, trade), &mut journal);
        assert!(journal.0 == full, "another log with {threads} threads");
    }
    // An extension asks what a longer run asks, and ends with a check of its own.
    let long = load(&[("search.evaluations", "100")]);
    let mut journal = MemoryLog(full.clone());
    let trials = run(&long, &Serial::new(&long, &cancel).with(ENGINE, trade), &mut journal);
    assert!(journal.0.starts_with(&full));
    let whole = log::parse(&bytes(&long), "log").unwrap().trials;
    let part = |trials: &[Trial], purpose| -> Vec<_> {
        trials
            .iter()
            .filter(|t| t.question.purpose == purpose)
            .map(|t| (t.question.clone(), t.values.clone()))
            .collect()
    };
    assert_eq!(part(&trials, Purpose::Search), part(&whole, Purpose::Search));
    assert_eq!(part(&trials, Purpose::Baseline).len(), 2);
    let ends = |trials: &[Trial]| -> Vec<_> {
        front(&long, trials).points.iter().map(|p| (p.genes.clone(), p.standing)).collect()
    };
    assert_eq!(ends(&trials), ends(&whole), "the last check counts");
}

#[test]
fn an_unfinished_run_shows_the_front_of_the_search() {
    let experiment = load(&[]);
    let trials = log::parse(&bytes(&experiment), "log").unwrap().trials;
    let found = front(&experiment, &trials[..100]);
    assert!(found.points.len() > 1 && found.points.iter().all(|p| p.standing == Standing::Unchecked));
    assert!(found.points.iter().all(|p| p.fresh.iter().all(|f| f.value.is_none()) && !p.search.is_empty()));
    assert_eq!(found.points.iter().filter(|p| p.recommended && p.knee).count(), 1);
    // Stopped anywhere in the check: what was reported so far counts.
    for end in 100..trials.len() {
        let reported = trials[..end].iter().filter(|t| t.question.purpose == Purpose::Report).count();
        let found = front(&experiment, &trials[..end]);
        let unchecked = found.points.iter().filter(|p| p.standing == Standing::Unchecked).count();
        let wanted = if reported > 0 { (reported, 0) } else { (found.points.len(), found.points.len()) };
        assert_eq!((found.points.len(), unchecked), wanted);
        assert_eq!(found.points.iter().filter(|p| p.recommended && p.knee).count(), 1);
    }
    let nothing = front(&experiment, &[]);
    assert!(nothing.points.is_empty());
    assert_eq!(summarize(&experiment, &finished(&[], Stopped::Interrupted)).recommended, None);
}

#[test]
fn where_nothing_is_feasible_the_nearest_is_reported() {
    let experiment = load(&[("target.limit.at_most", "-1")]);
    let trials = log::parse(&bytes(&experiment), "log").unwrap().trials;
    let found = front(&experiment, &trials);
    assert_eq!(found.points.iter().map(|p| p.standing).collect::<Vec<_>>(), [Standing::Infeasible]);
    assert!(found.points[0].recommended && found.points[0].violation > 0.0);
    let summary = summarize(&experiment, &finished(&trials, Stopped::Budget));
    assert_eq!(summary.missed_musts, ["limit"]);
}

#[test]
fn three_objectives_are_a_front_too() {
    let sets = [("target.limit.must", "false"), ("target.limit.objective", "collisions"), ("search.evaluations", "60")];
    let experiment = load(&sets);
    assert_eq!(experiment.objectives, ["collisions", "fast", "gentle"]);
    let trials = log::parse(&bytes(&experiment), "log").unwrap().trials;
    let found = front(&experiment, &trials);
    assert!(found.points.len() > 1 && found.points.iter().all(|p| p.fresh.len() == 3));
    // A band shows losses.
    assert_eq!((found.axes[0].metric.as_str(), found.axes[0].ends), ("", (0.0, 1.0)));
}

#[test]
fn random_search_has_a_front_and_others_say_why_not() {
    let experiment = load(&[("search.optimizer", "random"), ("search.evaluations", "60")]);
    let trials = log::parse(&bytes(&experiment), "log").unwrap().trials;
    assert!(front(&experiment, &trials).points.iter().all(|p| p.rounds == 1));
    let refused = |sets: &[(&str, &str)]| {
        let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        Experiment::load(&Registry::builtin(), FILE, "fake.toml", &sets, &mut no_files).unwrap_err().to_string()
    };
    for optimizer in ["ga", "cma_es", "auto"] {
        let text = refused(&[("search.optimizer", optimizer)]);
        assert!(text.contains("2 objectives (fast, gentle)") && text.contains("pareto"), "{text}");
    }
    let one = [("target.fast.objective", "gentle")];
    assert!(refused(&one).contains("search.optimizer"), "{}", refused(&one));
    let prefer = |name, weight| refused(&[(name, weight)]);
    assert!(prefer("search.preference.quick", "1").contains("fast, gentle"));
    assert!(prefer("search.preference.fast", "0").contains("above 0"));
    assert!(prefer("search.preference.fast", "-1").contains("a number from 0"));
    assert!(prefer("search.preference", "\"fast\"").contains("{ NAME = 2.0, ... }"));
    let single = [("target.fast.objective", "gentle"), ("search.optimizer", "ga"), ("search.preference.gentle", "1")];
    assert!(refused(&single).contains("nothing to prefer"));
}

#[test]
fn musts_alone_are_limits_and_no_objective() {
    let experiment = load(&[]);
    assert_eq!(experiment.objectives, ["fast", "gentle"]);
    let weights: BTreeMap<_, _> = experiment.targets().map(|(_, t)| (t.name.as_str(), t.weight)).collect();
    assert_eq!(weights, [("fast", 1.0), ("gentle", 1.0), ("limit", 0.0)].into());
    // The resolved file says the same.
    let again =
        Experiment::load(&Registry::builtin(), &experiment.resolved, "experiment.toml", &[], &mut no_files).unwrap();
    assert_eq!((again.objectives, again.digest), (experiment.objectives, experiment.digest));
    assert_eq!(again.search.finalists, 6);
    assert_eq!(load(&[("search.finalists", "20")]).search.finalists, 20);
    let alone = load(&[("scenario.one.replicas", "1"), ("scenario.two.replicas", "1")]);
    assert!(alone.warnings.iter().any(|w| w.contains("with one replica")), "{:?}", alone.warnings);
}
