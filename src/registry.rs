//! What an experiment can name: everything that comes with crowdtune, and what a program adds.

use crate::importer::MakeImporter;
use crate::preset::{MakeExporter, MakeFitted};
use crate::target::behaviors::MakeBehavior;
use crowdtune_core::registry::List;
use crowdtune_search::MakeOptimizer;
use crowdtune_sim::metrics::MakeMetric;
use crowdtune_sim::models::MakeModel;
use crowdtune_sim::world::MakeScenario;

/// What experiment files, command lines and reports can name.
///
/// A program that adds a model or a metric of its own passes the registry to [`crate::Experiment::load`], or to
/// `crowdtune::cli::run` to become the whole command line with that model in `list`, `schema` and the report:
///
/// ```
/// use crowdtune::Registry;
/// use crowdtune::core::registry::Entry;
/// use crowdtune::export::{Export, MakeExporter};
///
/// static NAMES: Entry<MakeExporter> = Entry {
///     name: "names",
///     doc: "The names of the constants, one a line.",
///     source: "chosen here: an example",
///     params: &[],
///     make: MakeExporter {
///         export: |input| {
///             let names: Vec<&str> = input.preset.parameters.keys().map(String::as_str).collect();
///             Ok(Export { files: vec![("names.txt".into(), names.join("\n").into_bytes())], warnings: Vec::new() })
///         },
///         writes: "names.txt",
///         needs_place: false,
///         needs_runs: false,
///     },
/// };
///
/// let mut registry = Registry::builtin();
/// registry.exporters.add(&NAMES)?;
/// assert_eq!(registry.exporters.get("names")?.make.writes, "names.txt");
/// assert!(registry.exporters.add(&NAMES).is_err(), "the name is taken");
/// # Ok::<(), crowdtune::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Registry {
    /// Crowd models: `model = "..."`.
    pub models: List<MakeModel>,
    /// What can be measured: `metric = "..."`.
    pub metrics: List<MakeMetric>,
    /// Scenarios with a name: `kind = "..."`.
    pub scenarios: List<MakeScenario>,
    /// Named bundles of targets: `behaviors = [...]`.
    pub behaviors: List<MakeBehavior>,
    /// Search algorithms: `search.optimizer = "..."`.
    pub optimizers: List<MakeOptimizer>,
    /// Tools that presets are written for: `crowdtune export --to ...`.
    pub exporters: List<MakeExporter>,
    /// Tools that are fitted to presets: `crowdtune export --to ... --fit`.
    pub fitted: List<MakeFitted>,
    /// Files of other tools: `crowdtune import --from ...`.
    pub importers: List<MakeImporter>,
}
