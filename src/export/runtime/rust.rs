//! The runtime in Rust.

use super::{Package, export};
use crate::export::MakeExporter;
use crowdtune_core::registry::Entry;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "rust",
    doc: "The tuned crowd as Rust sources that need nothing but serde_json, for Bevy and for servers, with the preset and the place.",
    source: "runtimes/rust",
    params: &[],
    make: MakeExporter {
        export: |input| export(input, &PACKAGE),
        writes: "preset.json, place.json, Cargo.toml, src/main.rs, src/crowdtune/*.rs, place_crowdtune.txt, README.md",
        needs_place: true,
        needs_runs: false,
    },
};

static PACKAGE: Package = Package {
    data: &[""],
    sources: &[
        ("Cargo.toml", include_str!("../../../runtimes/rust/Cargo.toml.txt")),
        ("src/main.rs", include_str!("../../../runtimes/rust/main.rs")),
        ("src/crowdtune/mod.rs", include_str!("../../../runtimes/rust/mod.rs")),
        ("src/crowdtune/crowd.rs", include_str!("../../../runtimes/rust/crowd.rs")),
        ("src/crowdtune/place.rs", include_str!("../../../runtimes/rust/place.rs")),
        ("src/crowdtune/social_force.rs", include_str!("../../../runtimes/rust/social_force.rs")),
        ("src/crowdtune/five_force.rs", include_str!("../../../runtimes/rust/five_force.rs")),
        ("src/crowdtune/orca.rs", include_str!("../../../runtimes/rust/orca.rs")),
    ],
    readme: include_str!("../../../runtimes/rust/README.md"),
};
