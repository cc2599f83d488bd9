//! The runtime in C++, and an actor for Unreal.

use super::{Package, export};
use crate::export::MakeExporter;
use crowdtune_core::registry::Entry;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "unreal",
    doc: "The tuned crowd as C++ headers with an actor for Unreal and a plain program, with the preset and the place.",
    source: "runtimes/cpp",
    params: &[],
    make: MakeExporter {
        export: |input| export(input, &PACKAGE),
        writes: "preset.json, place.json, crowdtune/*.hpp, walk.cpp, CMakeLists.txt, Unreal/CrowdtuneActor.*, place_crowdtune.txt, README.md",
        needs_place: true,
        needs_runs: false,
    },
};

static PACKAGE: Package = Package {
    data: &[""],
    sources: &[
        ("crowdtune/place.hpp", include_str!("../../../runtimes/cpp/crowdtune/place.hpp")),
        ("crowdtune/people.hpp", include_str!("../../../runtimes/cpp/crowdtune/people.hpp")),
        ("crowdtune/crowd.hpp", include_str!("../../../runtimes/cpp/crowdtune/crowd.hpp")),
        ("crowdtune/social_force.hpp", include_str!("../../../runtimes/cpp/crowdtune/social_force.hpp")),
        ("crowdtune/five_force.hpp", include_str!("../../../runtimes/cpp/crowdtune/five_force.hpp")),
        ("crowdtune/orca.hpp", include_str!("../../../runtimes/cpp/crowdtune/orca.hpp")),
        ("crowdtune/load.hpp", include_str!("../../../runtimes/cpp/crowdtune/load.hpp")),
        ("walk.cpp", include_str!("../../../runtimes/cpp/walk.cpp")),
        ("CMakeLists.txt", include_str!("../../../runtimes/cpp/CMakeLists.txt")),
        ("Unreal/CrowdtuneActor.h", include_str!("../../../runtimes/cpp/Unreal/CrowdtuneActor.h")),
        ("Unreal/CrowdtuneActor.cpp", include_str!("../../../runtimes/cpp/Unreal/CrowdtuneActor.cpp")),
    ],
    readme: include_str!("../../../runtimes/cpp/README.md"),
};
