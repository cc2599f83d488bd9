//! Bodies in the physics of Godot 3, steered by the script of `engines/godot`.

use super::{Fitted, MakeFitted, OwnFile, json};
use crowdtune_core::registry::Entry;

/// The tool's entry.
pub static ENTRY: Entry<MakeFitted> = Entry {
    name: "godot",
    doc: "Kinematic bodies in Godot 3 that walk to their goal, push away from neighbors and slide along each other.",
    source: "Godot 3.2.3 (Debian, godot3-server)",
    params: &[],
    make: MakeFitted {
        title: "Godot",
        files: &[
            ("experiment.toml", include_str!("../../../engines/godot/experiment.toml")),
            ("worker.gd", include_str!("../../../engines/godot/worker.gd")),
            ("project.godot", include_str!("../../../engines/godot/project.godot")),
        ],
        install: "apt-get install godot3-server",
        own,
    },
};

fn own(fitted: &Fitted) -> Vec<OwnFile> {
    let names = ["separation_weight", "neighbor_distance_m", "relaxation_time_s", "body_scale", "noise_m_per_s2"];
    vec![("godot.json", json(fitted, &names.map(|name| (name, "worker.gd", name))))]
}
