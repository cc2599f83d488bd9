//! The crowd as data: where everybody was, in the files that other tools read, and the place beside it.

mod place;
mod sqlite;
mod text;
mod usd;

use super::place::slug;
use super::{Export, ExportInput, MakeExporter, Walked};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "tracks",
    doc: "The crowd as data, with the defaults and tuned: for tables, PedPy, JuPedSim, Vadere's viewer, and by USD for Houdini, Blender, \
          Unreal and Omniverse; the place as WKT and GeoJSON.",
    source: "PedPy 1.5, JuPedSim sqlite version 2, Vadere postvis.traj, USD, RFC 7946",
    params: &[],
    make: MakeExporter {
        export,
        writes: "CASE_tuned_1.csv, .txt, .sqlite, .traj, .usda, the same of the defaults, and CASE.wkt, CASE.geojson",
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
        files.push((format!("{name}.geojson"), place::geojson(placed).into_bytes()));
    }
    for walked in &input.runs {
        let placed = &input.places[walked.place];
        let stem = format!("{}_{}_{}", slug(placed.name), walked.label, walked.replica + 1);
        let about = about(input, walked);
        files.push((format!("{stem}.csv"), text::csv(walked, placed.scenario).into_bytes()));
        files.push((format!("{stem}.txt"), text::pedpy(walked, &about).into_bytes()));
        files.push((format!("{stem}.traj"), text::vadere(walked).into_bytes()));
        files.push((format!("{stem}.usda"), usd::stage(walked, placed.scenario, &about).into_bytes()));
        files.push((format!("{stem}.sqlite"), sqlite::database(walked, placed.scenario, &about)?));
    }
    Ok(Export { files, warnings: Vec::new() })
}

/// Where a track comes from, in a line.
fn about(input: &ExportInput<'_>, walked: &Walked) -> String {
    let preset = input.preset;
    let digest: String = preset.provenance.digest.chars().take(12).collect();
    format!(
        "crowdtune {}, preset {} ({}), fresh seed {}, experiment {digest}",
        env!("CARGO_PKG_VERSION"),
        super::place::comment(&preset.name),
        walked.label,
        walked.replica + 1,
    )
}

#[cfg(test)]
mod tests;
