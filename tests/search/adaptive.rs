//! Replicas that adapt, through the log: budgets in simulations, extension, resume at every byte.

use crowdtune::evolve::experiment::{Experiment, Replication};
use crowdtune::evolve::log::{self, MemoryLog};
use crowdtune::evolve::run::{Silent, Stopped, evaluations, evolve, stopped};
use crowdtune::evolve::summarize;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_search::Question;
use crowdtune_testing::fake::{By, experiment, finished, registered, search_rows};
use std::sync::atomic::AtomicBool;

/// A bowl with noise of the candidate's own.
fn noisy(question: &Question, genes: &[f64], replica: u32) -> Result<f64, String> {
    let own = Seed(genes[0].to_bits() ^ genes[1].to_bits()).child(&format!("{:?}", question.purpose), replica.into());
    let noise = unit(&mut own.rng());
    if noise > 0.995 {
        return Err("too fast".into());
    }
    let (x, y) = (libm::log(genes[0] / 300.0), libm::log(genes[1] / 0.3));
    Ok(x * x + y * y + 2.0 * noise)
}

fn adaptive(optimizer: &str, evaluations: u64) -> Experiment {
    let mut run = experiment(registered(optimizer), evaluations);
    run.search.replication = Replication::Adaptive;
    run.search.parallel = 6;
    run
}

fn go(run: &Experiment, journal: &mut MemoryLog) -> Stopped {
    evolve(run, &By(run, &noisy), journal, &mut Silent, &AtomicBool::new(false)).unwrap().stopped
}

fn bytes(run: &Experiment) -> Vec<u8> {
    let mut journal = MemoryLog::default();
    assert_eq!(go(run, &mut journal), Stopped::Budget);
    journal.0
}

#[test]
fn the_budget_is_counted_in_simulations() {
    for optimizer in ["ga", "cma_es", "random", "auto"] {
        let run = adaptive(optimizer, 60);
        let full = bytes(&run);
        let rows = search_rows(&full);
        // Three and two replicas of the two searched cases: an evaluation is five simulations, a replica two.
        let costs: Vec<u64> = rows.iter().map(|t| 2 * t.question.replicas.len() as u64).collect();
        let total: u64 = costs.iter().sum();
        assert!(total >= 300 && total - costs.last().unwrap() < 300, "{total}");
        assert!(rows.iter().any(|t| t.question.replicas.start > 0), "{optimizer}");
        assert!(rows.iter().any(|t| t.question.replicas.len() > 1), "{optimizer}: the noise is seen");
        let trials = log::parse(&full, "log").unwrap().trials;
        assert_eq!(evaluations(&run, &trials), total / 5);
        assert_eq!(stopped(&run, &trials), Stopped::Budget);
        let summary = summarize(&run, &finished(&trials, Stopped::Budget));
        assert_eq!((summary.trials, summary.evaluations), (rows.len() as u64, total / 5));
        // What the optimizer proposed was not seen in the search.
        let best = summary.race.iter().find(|f| f.trial.is_some() && !f.defaults).unwrap();
        assert!(best.search_replicas > 1 && best.search.is_some(), "{best:?}");
    }
}

#[test]
fn a_log_cut_anywhere_continues_to_the_same_bytes() {
    for optimizer in ["ga", "cma_es"] {
        let run = adaptive(optimizer, 40);
        let full = bytes(&run);
        let ends: Vec<usize> = full.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
        assert!(ends.len() > 60);
        for cut in ends.iter().flat_map(|&end| [end - 1, end, end + 1]).filter(|&cut| cut <= full.len()) {
            let mut journal = MemoryLog(full[..cut].to_vec());
            go(&run, &mut journal);
            assert!(journal.0 == full, "another log after a cut at byte {cut}");
        }
    }
}

#[test]
fn an_extension_asks_what_a_longer_run_asks() {
    for (short, long) in [(17, 60), (33, 34)] {
        let mut journal = MemoryLog(bytes(&adaptive("ga", short)));
        let start = journal.0.len();
        let long = adaptive("ga", long);
        go(&long, &mut journal);
        assert_eq!(search_rows(&journal.0), search_rows(&bytes(&long)));
        // Killed in the extension, resumed.
        let full = journal.0.clone();
        for cut in (start..full.len()).step_by(401) {
            let mut journal = MemoryLog(full[..cut].to_vec());
            go(&long, &mut journal);
            assert!(journal.0 == full);
        }
    }
    let long = MemoryLog(bytes(&adaptive("ga", 60)));
    let short = adaptive("ga", 50);
    let fake = By(&short, &noisy);
    let error = evolve(&short, &fake, &mut long.clone(), &mut Silent, &AtomicBool::new(false)).unwrap_err();
    assert!(error.to_string().contains("at least 6"), "{error}");
}
