//! The crowd as data: where everybody was, in the files that other tools read, and the place beside it.

mod body;
mod gltf;
mod place;
mod sqlite;
mod text;
mod usd;

pub use place::{area, wkt};

use super::place::slug;
use super::{Export, ExportInput, MakeExporter, Walked, origin};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "tracks",
    doc: "The crowd as data, with the defaults and tuned: for tables, PedPy, JuPedSim, Vadere's viewer, and by USD and glTF for Houdini, Blender, \
          Unreal, Omniverse and engines; the place as WKT and GeoJSON.",
    source: "PedPy 1.5, JuPedSim sqlite version 2, Vadere postvis.traj, USD, glTF 2.0, RFC 7946",
    params: &[],
    make: MakeExporter {
        export,
        writes: "CASE_tuned_1.csv, .txt, .sqlite, .traj, .usda, .glb, the same of the defaults, and CASE.wkt, CASE.geojson",
        needs_place: true,
        needs_runs: true,
    },
};

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    if !input.runs.is_empty() && input.runs.iter().all(|walked| walked.track.frames.is_empty()) {
        return Err(Error::input("the runs have no tracks: their engine answers with numbers only")
            .help("let the engine write a `trajectory`, as docs/engines.md says"));
    }
    let mut files = Vec::new();
    for placed in &input.places {
        let name = slug(placed.name);
        files.push((format!("{name}.wkt"), place::wkt(placed.scenario).into_bytes()));
        files.push((format!("{name}.geojson"), place::geojson(placed, &origin::json(input)).into_bytes()));
    }
    for walked in &input.runs {
        let placed = &input.places[walked.place];
        let stem = format!("{}_{}_{}", slug(placed.name), walked.label, walked.replica + 1);
        let about = about(input, walked);
        files.push((format!("{stem}.csv"), text::csv(walked, placed.scenario).into_bytes()));
        files.push((format!("{stem}.txt"), text::pedpy(walked, &about).into_bytes()));
        files.push((format!("{stem}.traj"), text::vadere(walked).into_bytes()));
        files.push((format!("{stem}.usda"), usd::stage(walked, placed.scenario, &about).into_bytes()));
        files.push((format!("{stem}.glb"), gltf::file(walked, placed.scenario, &about)?));
        files.push((format!("{stem}.sqlite"), sqlite::database(walked, placed.scenario, &about)?));
    }
    Ok(Export { files, warnings: Vec::new() })
}

/// Which run a file has, and where its constants come from; a line each.
fn about(input: &ExportInput<'_>, walked: &Walked) -> Vec<String> {
    let which = format!("The run of the {} constants on fresh seed {}.", walked.label, walked.replica + 1);
    [which].into_iter().chain(origin::lines(input)).collect()
}

#[cfg(test)]
mod tests;
