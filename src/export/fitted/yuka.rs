//! yuka, a library for game AI in JavaScript.

use super::{Fitted, MakeFitted, OwnFile, json};
use crowdtune_core::registry::Entry;

/// The tool's entry.
pub static ENTRY: Entry<MakeFitted> = Entry {
    name: "yuka",
    doc: "Vehicles of yuka with separation, alignment and cohesion, in the open.",
    source: "yuka 0.7.8 (npm)",
    params: &[],
    make: MakeFitted {
        title: "yuka",
        files: &[
            ("experiment.toml", include_str!("../../../engines/yuka/experiment.toml")),
            ("worker.mjs", include_str!("../../../engines/yuka/worker.mjs")),
            ("package.json", include_str!("../../../engines/yuka/package.json")),
            ("package-lock.json", include_str!("../../../engines/yuka/package-lock.json")),
        ],
        install: "npm ci --prefix {folder}",
        own,
    },
};

fn own(fitted: &Fitted) -> Vec<OwnFile> {
    let names = [
        ("separation_weight", "SeparationBehavior", "weight"),
        ("alignment_weight", "AlignmentBehavior", "weight"),
        ("cohesion_weight", "CohesionBehavior", "weight"),
        ("neighborhood_radius_m", "Vehicle", "neighborhoodRadius"),
        ("max_force_n", "Vehicle", "maxForce"),
    ];
    vec![("yuka.json", json(fitted, &names))]
}
