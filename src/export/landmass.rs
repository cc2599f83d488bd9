//! A cargo project that runs places with the preset in landmass.

use super::orca::rust::{Tool, export};
use super::place::{self, Says, What};
use super::{ExportInput, MakeExporter, Placed, orca};
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Settings};
use crowdtune_sim::models::MakeModel;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "landmass",
    doc: "A cargo project that runs the scenarios with the preset in landmass, Bevy's navigation, on a mesh of the place, and crowdtune's \
          run of the same people to compare it with.",
    source: "landmass 0.9.3",
    params: &[],
    make: MakeExporter {
        export: |input| export(input, &TOOL),
        writes: "a cargo project, and place_crowdtune.txt, one for each scenario",
        needs_place: true,
        needs_runs: false,
    },
};

const TOOL: Tool = Tool {
    name: "landmass",
    dependencies: "geo = \"=0.31.0\"\nlandmass = \"=0.9.3\"",
    steer: include_str!("orca/rust/project/landmass.rs"),
    lost,
};

/// What one archipelago has once, for all its agents.
const OF_ALL: [&str; 4] = ["time_horizon_s", "obstacle_time_horizon_s", "neighbor_distance_m", "margin_m"];

fn lost(input: &ExportInput<'_>, placed: &Placed<'_>, model: &Entry<MakeModel>) -> Result<Vec<String>, Error> {
    let mut lost = place::left_out(input, placed, place::STRAIGHT, |what| match what {
        What::Field => Says::Kept,
        What::GivingWay => Says::Instead(orca::HALF),
        // An agent has a target, not a direction.
        What::Heading => Says::Never,
        _ => place::straight(what),
    })?;
    let of_groups = |key| placed.constants.iter().map(move |values| Settings::new(model.params, values).get(key));
    for key in OF_ALL {
        let first = of_groups(key).next().unwrap_or_default();
        if let Some(other) = of_groups(key).find(|value| *value != first) {
            let words = format!("`{key}` is {first} for one group and {other} for another");
            lost.push(place::lose(input, placed, &words, &format!("all have {first}"), "the same for all groups")?);
        }
    }
    lost.extend(orca::unequal(input, placed, model)?);
    lost.extend(place::time_gap(input, placed)?);
    lost.extend(
        [
            "landmass avoids with dodgy_2d, which gives the whole of the avoidance to somebody who is not about to collide: people come \
             nearer to each other.",
            "`max_neighbors` is left out: landmass avoids everybody within `neighbor_distance_m`.",
            "`push_m_per_s` is left out: landmass finds the way itself, and nothing takes a random change of it.",
            "Walls are the border of a navigation mesh for the largest body: smaller ones keep as far from them.",
        ]
        .map(String::from),
    );
    Ok(lost)
}
