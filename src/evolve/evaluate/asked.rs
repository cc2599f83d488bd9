//! A question on its way to another process: with all that tells whether that one would answer the same question.

use crate::evolve::experiment::Experiment;
use crate::evolve::log::{NATIVE, RESULTS, simulated_by};
use crate::limits;
use crowdtune_core::Error;
use crowdtune_search::Question;
use serde::{Deserialize, Serialize};

/// One line to a worker. The answer is the row of the log with this id, without its checksum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The id of the trial.
    pub id: u64,
    /// The question, or some of its replicas.
    #[serde(flatten)]
    pub question: Question,
    /// Seed of the experiment: a worker reads its file with this one.
    pub seed: u64,
    /// Digest of the experiment, seed included.
    pub digest: String,
    /// What the answers are expected from: [`NATIVE`], or the engine of the experiment.
    pub engine: String,
    /// [`RESULTS`] of the program that asks.
    pub results: u32,
    /// Version of the program that asks.
    pub crowdtune: String,
}

impl Asked {
    /// From this program, about this experiment.
    pub fn new(experiment: &Experiment, id: u64, question: Question) -> Self {
        Self {
            id,
            question,
            seed: experiment.search.seed,
            digest: experiment.digest.clone(),
            engine: simulated_by(experiment).to_string(),
            results: RESULTS,
            crowdtune: env!("CARGO_PKG_VERSION").to_string(),
        }
    }

    /// Checks that this program, with this experiment, gives the answer that is expected.
    ///
    /// # Errors
    /// Says in what they differ, and what to do.
    pub fn check(&self, experiment: &Experiment) -> Result<(), Error> {
        let here = Self::new(experiment, self.id, self.question.clone());
        if self.results != here.results {
            return Err(Error::input(format!(
                "the question comes from crowdtune {} with results version {}; this is crowdtune {} with results version {}",
                self.crowdtune, self.results, here.crowdtune, here.results
            ))
            .key("results")
            .help("install the same version everywhere"));
        }
        if self.engine != here.engine {
            return Err(Error::input(format!("the question is for the engine `{}`", self.engine))
                .key("engine")
                .allowed(match experiment.engine {
                    None => format!("`{NATIVE}`, crowdtune's own simulator"),
                    Some(_) => format!("`{}`, which runs here", here.engine),
                }));
        }
        if self.digest != here.digest {
            return Err(Error::input(format!(
                "the question is about another experiment: its digest is {}, that of the file here is {}",
                self.digest, here.digest
            ))
            .key("digest")
            .help("give `answer` the same file, with the same files beside it and the same --set and --draft, as `evolve`"));
        }
        let Question { genome, replicas, .. } = &self.question;
        let genes = experiment.space.genes.len();
        if genome.len() != genes {
            return Err(Error::input(format!("`genome` has {} coordinates", genome.len()))
                .key("genome")
                .allowed(format!("{genes}, one for each gene")));
        }
        let shown = format!("`replicas` is [{}, {}]", replicas.start, replicas.end);
        if replicas.is_empty() {
            return Err(Error::input(shown).key("replicas").allowed("[first, end], the end above the first"));
        }
        limits::REPLICAS.check(replicas.len() as u64, &shown).map_err(|e| e.key("replicas"))
    }
}
