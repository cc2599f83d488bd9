//! Everything that comes with crowdtune, as a registry. Experiments are read with whatever registry they get, so `evolve` knows none
//! of these lists.

#[cfg(feature = "folder")]
use crate::export::{EXPORTERS, fitted::FITTED};
#[cfg(feature = "folder")]
use crate::import::IMPORTERS;
#[cfg(not(feature = "folder"))]
use crate::importer::MakeImporter;
#[cfg(not(feature = "folder"))]
use crate::preset::{MakeExporter, MakeFitted};
use crate::registry::Registry;
use crate::target::behaviors::BEHAVIORS;
#[cfg(not(feature = "folder"))]
use crowdtune_core::registry::Entry;
use crowdtune_core::registry::List;
use crowdtune_search::OPTIMIZERS;
use crowdtune_sim::metrics::METRICS;
use crowdtune_sim::models::MODELS;
use crowdtune_sim::world::SCENARIOS;

// Without files there is nothing to write for a tool, and nothing of one to read.
#[cfg(not(feature = "folder"))]
static EXPORTERS: &[&Entry<MakeExporter>] = &[];
#[cfg(not(feature = "folder"))]
static FITTED: &[&Entry<MakeFitted>] = &[];
#[cfg(not(feature = "folder"))]
static IMPORTERS: &[&Entry<MakeImporter>] = &[];

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
