//! JuPedSim's collision free speed model, for presets of models that JuPedSim does not have.

use super::{Fitted, MakeFitted, OwnFile, json};
use crowdtune_core::registry::Entry;

/// The tool's entry.
pub static ENTRY: Entry<MakeFitted> = Entry {
    name: "jupedsim",
    doc: "The collision free speed model of JuPedSim: time gap, repulsion of neighbors and walls.",
    source: "JuPedSim 1.4.2 (PyPI)",
    params: &[],
    make: MakeFitted {
        title: "JuPedSim",
        files: &[
            ("experiment.toml", include_str!("../../../engines/jupedsim/experiment.toml")),
            ("worker.py", include_str!("../../../engines/jupedsim/worker.py")),
            ("requirements.txt", include_str!("../../../engines/jupedsim/requirements.txt")),
        ],
        install: "python3 -m venv env && env/bin/pip install --no-deps -r {folder}/requirements.txt, and add --engine-command env/bin/python",
        own,
    },
};

fn own(fitted: &Fitted) -> Vec<OwnFile> {
    let (model, agent) = ("CollisionFreeSpeedModel", "CollisionFreeSpeedModelAgentParameters");
    let names = [
        ("time_gap_s", agent, "time_gap"),
        ("strength_neighbor_repulsion", model, "strength_neighbor_repulsion"),
        ("range_neighbor_repulsion", model, "range_neighbor_repulsion"),
        ("strength_geometry_repulsion", model, "strength_geometry_repulsion"),
        ("range_geometry_repulsion", model, "range_geometry_repulsion"),
    ];
    vec![("jupedsim.json", json(fitted, &names))]
}
