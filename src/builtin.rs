//! Everything that comes with crowdtune, as a registry. Experiments are read with whatever registry they get, so `evolve` knows none
//! of these lists.

use crate::export::EXPORTERS;
use crate::export::fitted::FITTED;
use crate::import::IMPORTERS;
use crate::registry::Registry;
use crate::target::behaviors::BEHAVIORS;
use crowdtune_core::registry::List;
use crowdtune_search::OPTIMIZERS;
use crowdtune_sim::metrics::METRICS;
use crowdtune_sim::models::MODELS;
use crowdtune_sim::world::SCENARIOS;

impl Registry {
    /// Everything that comes with crowdtune.
    pub fn builtin() -> Self {
        Self {
            models: List::new("model", MODELS),
            metrics: List::new("metric", METRICS),
            scenarios: List::new("scenario kind", SCENARIOS),
            behaviors: List::new("behavior", BEHAVIORS),
            optimizers: List::new("optimizer", OPTIMIZERS),
            exporters: List::new("exporter", EXPORTERS),
            fitted: List::new("fitted tool", FITTED),
            importers: List::new("importer", IMPORTERS),
        }
    }
}
