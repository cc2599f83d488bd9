use super::super::batch::Assembly;
use super::super::evaluator::{Job, Runs, Simulator};
use super::*;
use crate::evolve::experiment::no_files;
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::math::rng::unit;
use crowdtune_search::Purpose;
use proptest::prelude::*;

const TEXT: &str = r#"
    model = "social_force"
    parameters.relaxation_time_s = { range = [0.1, 2.0] }
    scenario.one = { kind = "room", replicas = 3 }
    scenario.two = { kind = "corridor", replicas = 2 }
    scenario.unseen = { kind = "corridor", replicas = 5, held_out = true }
    target.speed = { metric = "speed_mean_m_per_s", equals = 1.0, tolerance = 0.1 }
"#;

fn experiment() -> Experiment {
    Experiment::load(&Registry::builtin(), TEXT, "fake.toml", &[], &mut no_files).unwrap()
}

/// A number of the seed, or none; large genes fail now and then.
fn fake(job: &Job<'_>) -> Result<Vec<Option<f64>>, Error> {
    let x = unit(&mut job.seed.child("fake", job.case as u64).rng()) * job.genes[0];
    if x > 1.0 { Err(Error::nothing(format!("{x} is too much"))) } else { Ok(vec![(x > 0.1).then_some(x / 3.0)]) }
}

/// What a single process makes of these questions, and what a worker that has nothing but a line makes of it.
fn trials(experiment: &Experiment, questions: &[Question], first_id: u64) -> Vec<Trial> {
    let (plan, simulator) = (Plan::new(experiment, questions), Simulator::new("fake", fake));
    let (runs, mut assembly) = (Runs::new(&plan, &simulator), Assembly::new(&plan, first_id));
    (0..plan.len()).for_each(|run| assembly.put(run, runs.run(run)));
    std::iter::from_fn(|| assembly.next()).collect()
}

fn answer(experiment: &Experiment, line: &str) -> String {
    let asked: Asked = serde_json::from_str(line).unwrap();
    asked.check(experiment).unwrap();
    serde_json::to_string(&trials(experiment, &[asked.question], asked.id)[0]).unwrap()
}

proptest! {
    #[test]
    fn parts_in_any_order_make_the_trials_of_one_process(
        genomes in prop::collection::vec(0.0..1.0_f64, 1..6),
        replicas in 1..8_u32,
        purpose in prop::sample::select(vec![Purpose::Search, Purpose::Select, Purpose::Report]),
        workers in 1..9_usize,
        keys in prop::collection::vec(any::<u32>(), 50),
    ) {
        let experiment = experiment();
        let ask = |gene| Question { genome: vec![gene], replicas: 0..replicas, purpose };
        let questions: Vec<_> = genomes.into_iter().map(ask).collect();
        let plan = Plan::new(&experiment, &questions);
        let parts = Parts::new(&plan, 3, workers);
        prop_assert!(parts.count() >= questions.len());
        let mut order: Vec<usize> = (0..parts.count()).collect();
        order.sort_by_key(|&index| keys[index % keys.len()]);
        let mut assembly = Assembly::new(&plan, 3);
        let mut joined = Vec::new();
        for index in order {
            let line = answer(&experiment, &parts.line(index));
            let (found, Answer(runs)) = parts.answer(line.as_bytes()).unwrap();
            prop_assert_eq!(found, index);
            runs.into_iter().for_each(|(run, ran)| assembly.put(run, ran));
            joined.extend(std::iter::from_fn(|| assembly.next()));
        }
        prop_assert_eq!(joined, trials(&experiment, &questions, 3));
    }
}

#[test]
fn a_question_is_split_where_workers_would_wait() {
    let question = Question { genome: vec![0.5], replicas: 2..12, purpose: Purpose::Select };
    let ranges = |pieces| split(&question, pieces).map(|part| part.replicas).collect::<Vec<_>>();
    assert_eq!((ranges(1).len(), ranges(1)[0].clone()), (1, 2..12));
    assert_eq!(ranges(3), [2..5, 5..8, 8..12]);
    assert_eq!(ranges(100).len(), 10);
    let experiment = experiment();
    let questions = vec![question; 16];
    let plan = Plan::new(&experiment, &questions);
    // The last four for each worker are single replicas.
    assert_eq!(Parts::new(&plan, 0, 2).count(), 8 + 8 * 10);
    assert_eq!(Parts::new(&plan, 0, 3).count(), 4 + 12 * 10);
}

#[test]
fn an_answer_that_comes_twice_counts_once() {
    let experiment = experiment();
    let questions = [Question { genome: vec![0.1], replicas: 0..2, purpose: Purpose::Search }];
    let plan = Plan::new(&experiment, &questions);
    let parts = Parts::new(&plan, 7, 1);
    let mut unanswered = Unanswered::new(&parts);
    assert_eq!((parts.count(), unanswered.left()), (2, 2));
    let line = answer(&experiment, &parts.line(1));
    assert!(unanswered.take(line.as_bytes()).unwrap().is_some());
    assert!(unanswered.take(line.as_bytes()).unwrap().is_none());
    assert!(unanswered.take(b"{}").is_err());
    assert_eq!(unanswered.left(), 1);
    assert!(unanswered.take(answer(&experiment, &parts.line(0)).as_bytes()).unwrap().is_some());
    assert_eq!(unanswered.left(), 0);
}

#[test]
fn what_is_no_answer_is_refused() {
    let experiment = experiment();
    let questions = [Question { genome: vec![0.1], replicas: 0..3, purpose: Purpose::Search }];
    let plan = Plan::new(&experiment, &questions);
    let parts = Parts::new(&plan, 7, 1);
    let line = answer(&experiment, &parts.line(0));
    assert!(parts.answer(line.as_bytes()).is_ok(), "{line}");
    let refused = |from: &str, to: &str, why: &str| {
        assert!(line.contains(from), "{from} in {line}");
        let error = parts.answer(line.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert!(error.contains(why), "{error}");
    };
    refused("{", "", "not a trial");
    refused("\"id\":7", "\"id\":8", "nobody asked for id 8");
    refused("0.1", "0.2", "another question");
    refused("\"values\":[[[", "\"values\":[[[NaN,", "not a trial");
    refused("\"values\":[[[", "\"values\":[[[1e999,", "not a trial");
    refused("\"values\":[[[", "\"values\":[[[1.0,", "do not fit");
    refused("\"values\":[[", "\"values\":[[[],", "do not fit");
    refused("\"values\":[", "\"values\":[[],", "do not fit");
}

#[test]
fn a_worker_refuses_what_it_would_answer_in_another_way() {
    let experiment = experiment();
    let question = Question { genome: vec![0.1], replicas: 0..3, purpose: Purpose::Search };
    let right = Asked::new(&experiment, 7, question);
    assert_eq!(right.check(&experiment), Ok(()));
    let refused = |wrong: Asked, key: &str| {
        let error = wrong.check(&experiment).unwrap_err();
        assert_eq!((error.exit_code(), error.named_key()), (2, Some(key)), "{error}");
    };
    refused(Asked { digest: "d".into(), ..right.clone() }, "digest");
    refused(Asked { results: right.results + 1, ..right.clone() }, "results");
    refused(Asked { engine: "another".into(), ..right.clone() }, "engine");
    let with =
        |genome, replicas| Asked { question: Question { genome, replicas, ..right.question.clone() }, ..right.clone() };
    refused(with(vec![0.1, 0.2], 0..3), "genome");
    refused(with(vec![0.1], 3..3), "replicas");
    refused(with(vec![0.1], 0..u32::MAX), "replicas");
}
