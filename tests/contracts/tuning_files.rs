//! The experiments of benches/tuning: ten, each small, each with its defaults to be beaten.

use crowdtune::Registry;
use crowdtune::evolve::evaluate::{Evaluate as _, Serial};
use crowdtune::evolve::experiment::{Experiment, no_files};
use crowdtune_search::{Purpose, Question, Trial};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

#[test]
fn every_experiment_runs_and_its_defaults_leave_something_to_be_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/tuning");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    assert_eq!(files.len(), 10);
    let (mut models, mut genes) = (BTreeSet::new(), BTreeSet::new());
    for file in files {
        let name = file.display().to_string();
        let experiment =
            Experiment::load(&Registry::builtin(), &fs::read_to_string(&file).unwrap(), &name, &[], &mut no_files)
                .unwrap();
        models.insert(experiment.model.name);
        genes.insert(experiment.space.len());
        let genome = experiment.space.encode(&experiment.defaults);
        let never = AtomicBool::new(false);
        let mut trials: Vec<Trial> = Vec::new();
        let ask = [Question { purpose: Purpose::Search, genome, replicas: 0..1 }];
        Serial::new(&experiment, &never)
            .evaluate(&ask, 0, &mut |trial| {
                trials.push(trial);
                Ok(())
            })
            .unwrap();
        assert!(trials[0].is_done(), "{name}: {:?}", trials[0].outcome);
        assert!(trials[0].objectives[0] > 0.1, "{name}: {:?}", trials[0].objectives);
    }
    assert_eq!(models, BTreeSet::from(["five_force", "hybrid", "orca", "social_force"]));
    assert_eq!((genes.first(), genes.last()), (Some(&2), Some(&12)));
}
