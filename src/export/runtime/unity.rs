//! The runtime in C#, and a scene for Unity.

use super::{Package, export};
use crate::export::MakeExporter;
use crowdtune_core::registry::Entry;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "unity",
    doc: "The tuned crowd as C# sources with a scene script for Unity and a program for the console, with the preset and the place.",
    source: "runtimes/csharp",
    params: &[],
    make: MakeExporter {
        export: |input| export(input, &PACKAGE),
        writes: "preset.json, place.json, Crowdtune/*.cs, CrowdtuneScene.cs, Walk.cs, place_crowdtune.txt, README.md",
        needs_place: true,
        needs_runs: false,
    },
};

static PACKAGE: Package = Package {
    data: &[""],
    sources: &[
        ("Crowdtune/Vec2.cs", include_str!("../../../runtimes/csharp/Crowdtune/Vec2.cs")),
        ("Crowdtune/Place.cs", include_str!("../../../runtimes/csharp/Crowdtune/Place.cs")),
        ("Crowdtune/Goals.cs", include_str!("../../../runtimes/csharp/Crowdtune/Goals.cs")),
        ("Crowdtune/Cells.cs", include_str!("../../../runtimes/csharp/Crowdtune/Cells.cs")),
        ("Crowdtune/Crowd.cs", include_str!("../../../runtimes/csharp/Crowdtune/Crowd.cs")),
        ("Crowdtune/SocialForce.cs", include_str!("../../../runtimes/csharp/Crowdtune/SocialForce.cs")),
        ("Crowdtune/FiveForce.cs", include_str!("../../../runtimes/csharp/Crowdtune/FiveForce.cs")),
        ("Crowdtune/Orca.cs", include_str!("../../../runtimes/csharp/Crowdtune/Orca.cs")),
        ("Crowdtune/Load.cs", include_str!("../../../runtimes/csharp/Crowdtune/Load.cs")),
        ("CrowdtuneScene.cs", include_str!("../../../runtimes/csharp/CrowdtuneScene.cs")),
        ("Walk.cs", include_str!("../../../runtimes/csharp/Walk.cs")),
    ],
    readme: include_str!("../../../runtimes/csharp/README.md"),
};
