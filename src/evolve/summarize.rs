//! From the results of a run to `summary.json`.

use super::baselines::baselines;
use super::budget::evaluations;
use super::experiment::Experiment;
use super::figures::Resamples;
use super::finalists::finalists;
use super::front::Point;
use super::genes::{gene, shown};
use super::identify::identify;
use super::importance::importance;
use super::log::{NATIVE, failure, failures};
use super::results::{Found, Results, Subject};
use super::run::Finished;
use super::shown::shown as shown_seed;
use super::sides::{OfSelection, Sides};
use super::summary::{Summary, TargetSummary, Verdict};
use super::tracked::over_people;
use super::verdict::judge;
use super::{atlas, front};
use crowdtune_core::math::rng::Seed;
use crowdtune_search::{Genome, Purpose, Trial};

/// What came out of a log: [`Results::summary`].
pub fn summarize(experiment: &Experiment, run: &Finished) -> Summary {
    Results::new(experiment, run).summary()
}

impl Results<'_> {
    /// What came out. Figures on fresh seeds come from the last report in the log; without one (an unfinished run) they are
    /// empty.
    pub fn summary(&self) -> Summary {
        let (experiment, trials) = (self.experiment, &self.run.trials[..]);
        let mut summary = self.describe(&self.subject);
        match &self.found {
            Found::Front(found) => {
                let resamples = Resamples::new(Seed(experiment.search.seed), summary.replicas.1 as usize);
                let shown = |values: &[f64]| shown(experiment, values);
                summary.front = Some(front::summarize(experiment, trials, found, &resamples, shown));
            }
            // Elites of an atlas do not compete.
            Found::Candidates(candidates) if experiment.atlas.is_empty() => {
                let selection = self.check.selection;
                summary.race = finalists(experiment, selection, candidates, &self.subject.genome, &summary.objectives);
                summary.finalists = summary.race.iter().filter_map(|c| c.trial).collect();
            }
            Found::Candidates(_) => summary.atlas = atlas::summarize(experiment, trials, &self.check),
        }
        // Another simulator would have to be asked again.
        if summary.engine.is_none() {
            let space = &experiment.space;
            let defaults = space.decode(&space.encode(&experiment.defaults));
            over_people(experiment, &mut summary, [&defaults, &space.decode(&self.subject.genome)]);
        }
        summary.importance = importance(experiment, trials);
        summary.identified = identify(experiment, trials);
        summary.verdict = judge(&summary);
        summary
    }

    /// The points of a front that are `wanted`, each as if it were recommended: its id, its summary without the front and
    /// without what the log says about the parameters, and its genome. Empty with one objective.
    pub(crate) fn points(&self, wanted: impl Fn(&Point<'_>) -> bool) -> Vec<(u64, Summary, Genome)> {
        let Found::Front(front) = &self.found else { return Vec::new() };
        let points = front.points.iter().enumerate().filter(|(_, point)| wanted(point));
        let of = |(at, point): (usize, &Point<'_>)| {
            let subject = Subject::on_front(self.experiment, front, Some(at));
            let mut summary = self.describe(&subject);
            summary.verdict = judge(&summary);
            (point.id(), summary, subject.genome)
        };
        points.map(of).collect()
    }

    /// The point of a front with this id: its summary and its genome, as if it were recommended.
    pub fn point(&self, id: u64) -> Option<(Summary, Genome)> {
        self.points(|point| point.id() == id).pop().map(|(_, summary, genome)| (summary, genome))
    }

    /// The rows that fill cells of the atlas on fresh seeds, in the order of `atlas.cells`, each with targets and measures in name
    /// order. `None` without axes or before a check.
    pub(crate) fn filled_cells(&self) -> Option<Vec<(&Trial, Vec<TargetSummary>)>> {
        let rows = atlas::filled(self.experiment, &self.check)?;
        let selection = OfSelection::new(self.experiment, self.check.selection);
        Some(rows.into_values().map(|row| (row, selection.targets(row))).collect())
    }

    /// What all summaries have: counts, parameters, targets and objectives of the subject.
    fn describe(&self, subject: &Subject<'_>) -> Summary {
        let Self { experiment, check, .. } = self;
        let trials = &self.run.trials[..];
        let space = &experiment.space;
        let Subject { genome, report, baseline, .. } = subject;
        let (report, default, in_search) = (*report, *baseline, subject.searched.as_ref());
        let tuned = space.decode(genome);
        let defaults = space.decode(&space.encode(&experiment.defaults));
        // A default that went through the unit cube may have lost its last digit; people want to see the published one.
        let shown: Vec<(f64, f64)> = experiment
            .defaults
            .iter()
            .zip(tuned.iter().zip(&defaults))
            .map(|(&published, (&tuned, &default))| (published, if tuned == default { published } else { tuned }))
            .collect();
        let searched = trials.iter().filter(|t| t.question.purpose == Purpose::Search);
        // All start at replica 0; in a race those who come furthest run most.
        let most = check.selection.iter().map(|t| t.question.replicas.end).max().unwrap_or(0);
        let replicas = (most, report.map_or(0, |t| t.question.replicas.len() as u32));
        let resamples = Resamples::new(Seed(experiment.search.seed), replicas.1 as usize);
        let sides = Sides::new(experiment, &resamples, [default, report, in_search]);
        let targets = sides.targets();
        let objectives = sides.objectives();
        let missed = targets.iter().filter(|t| t.must && t.met == Some(false));

        Summary {
            format: 1,
            crowdtune: env!("CARGO_PKG_VERSION").to_string(),
            name: experiment.name.clone(),
            title: experiment.title.clone(),
            model: experiment.walkers(),
            optimizer: experiment.search.optimizer.name.to_string(),
            verdict: Verdict::default(),
            engine: Some(&self.run.engine).filter(|engine| *engine != NATIVE).cloned(),
            repeats: None,
            digest: experiment.digest.clone(),
            seed: experiment.search.seed,
            draft_step_s: experiment.draft_step_s(),
            evaluations: evaluations(experiment, trials),
            trials: searched.clone().count() as u64,
            simulations: searched.clone().flat_map(|t| &t.values).map(|runs| runs.len() as u64).sum(),
            budget: experiment.search.evaluations,
            stopped: self.run.stopped.word().to_string(),
            stop: experiment.search.stop,
            failures: failures(searched),
            replicas,
            fresh_failure: report.and_then(failure).map(str::to_string),
            shown: shown_seed(experiment, report),
            genes: (0..space.genes.len()).map(|i| gene(experiment, i, shown[i], genome[i])).collect(),
            objectives,
            violation: report.or(in_search).map_or(0.0, |t| t.violation),
            missed_musts: missed.map(|t| t.name.clone()).collect(),
            targets,
            cases: sides.cases(),
            baselines: baselines(experiment),
            recommended: in_search.filter(|_| tuned != defaults).map(|t| t.id),
            proposed: report.is_some() && in_search.is_none() && tuned != defaults,
            finalists: subject.reported.clone(),
            race: Vec::new(),
            front: None,
            atlas: None,
            importance: Vec::new(),
            identified: None,
        }
    }
}
