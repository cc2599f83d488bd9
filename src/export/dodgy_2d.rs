//! A cargo project that runs places with the preset in dodgy_2d.

use super::MakeExporter;
use super::orca::rust::{Tool, export};
use super::place;
use crowdtune_core::registry::Entry;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "dodgy_2d",
    doc: "A cargo project that runs the scenarios with the preset in dodgy_2d, a Rust crate with ORCA, and crowdtune's run of the same \
          people to compare it with.",
    source: "dodgy_2d 0.5.5",
    params: &[],
    make: MakeExporter {
        export: |input| export(input, &TOOL),
        writes: "a cargo project, and place_crowdtune.txt, one for each scenario",
        needs_place: true,
        needs_runs: false,
    },
};

const TOOL: Tool = Tool {
    name: "dodgy_2d",
    dependencies: "dodgy_2d = \"=0.5.5\"",
    steer: include_str!("orca/rust/project/dodgy.rs"),
    lost: |input, placed, _| {
        let mut lost = place::left_out(input, placed, place::STRAIGHT, place::straight)?;
        lost.extend(place::time_gap(input, placed)?);
        lost.extend(
            [
                "dodgy_2d computes in single precision, and nothing but its own lines keeps people off walls.",
                "It gives the whole of the avoidance to somebody who is not about to collide; `AS_PUBLISHED` in src/steer.rs undoes that.",
            ]
            .map(String::from),
        );
        Ok(lost)
    },
};
