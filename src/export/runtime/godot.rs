//! The runtime in GDScript, and a project for Godot 4 and one for Godot 3.

use super::{Package, export};
use crate::export::MakeExporter;
use crowdtune_core::registry::Entry;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "godot",
    doc: "The tuned crowd as GDScript with a project for Godot 4 and one for Godot 3, with the preset and the place.",
    source: "runtimes/gdscript",
    params: &[],
    make: MakeExporter {
        export: |input| export(input, &PACKAGE),
        writes: "godot4/ and godot3/ with project.godot, main.tscn, scene.gd, view.gd, preset.json, place.json, crowdtune/*.gd; place_crowdtune.txt, README.md",
        needs_place: true,
        needs_runs: false,
    },
};

static PACKAGE: Package = Package {
    data: &["godot4/", "godot3/"],
    sources: &[
        ("godot4/project.godot", include_str!("../../../runtimes/gdscript/godot4/project.godot")),
        ("godot4/main.tscn", include_str!("../../../runtimes/gdscript/godot4/main.tscn")),
        ("godot4/scene.gd", include_str!("../../../runtimes/gdscript/godot4/scene.gd")),
        ("godot4/view.gd", include_str!("../../../runtimes/gdscript/view.gd")),
        ("godot4/crowdtune/place.gd", include_str!("../../../runtimes/gdscript/crowdtune/place.gd")),
        ("godot4/crowdtune/crowd.gd", include_str!("../../../runtimes/gdscript/crowdtune/crowd.gd")),
        ("godot4/crowdtune/social_force.gd", include_str!("../../../runtimes/gdscript/crowdtune/social_force.gd")),
        ("godot4/crowdtune/five_force.gd", include_str!("../../../runtimes/gdscript/crowdtune/five_force.gd")),
        ("godot4/crowdtune/orca.gd", include_str!("../../../runtimes/gdscript/crowdtune/orca.gd")),
        ("godot4/crowdtune/loader.gd", include_str!("../../../runtimes/gdscript/crowdtune/loader.gd")),
        ("godot3/project.godot", include_str!("../../../runtimes/gdscript/godot3/project.godot")),
        ("godot3/main.tscn", include_str!("../../../runtimes/gdscript/godot3/main.tscn")),
        ("godot3/scene.gd", include_str!("../../../runtimes/gdscript/godot3/scene.gd")),
        ("godot3/view.gd", include_str!("../../../runtimes/gdscript/view.gd")),
        ("godot3/crowdtune/place.gd", include_str!("../../../runtimes/gdscript/crowdtune/place.gd")),
        ("godot3/crowdtune/crowd.gd", include_str!("../../../runtimes/gdscript/crowdtune/crowd.gd")),
        ("godot3/crowdtune/social_force.gd", include_str!("../../../runtimes/gdscript/crowdtune/social_force.gd")),
        ("godot3/crowdtune/five_force.gd", include_str!("../../../runtimes/gdscript/crowdtune/five_force.gd")),
        ("godot3/crowdtune/orca.gd", include_str!("../../../runtimes/gdscript/crowdtune/orca.gd")),
        ("godot3/crowdtune/loader.gd", include_str!("../../../runtimes/gdscript/crowdtune/loader.gd")),
    ],
    readme: include_str!("../../../runtimes/gdscript/README.md"),
};
