//! The runtime in JavaScript, and a page that shows it.

use super::{Files, Package, files};
use crate::export::{Export, ExportInput, MakeExporter};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "js",
    doc: "The tuned crowd as plain JavaScript for browsers and node, with a page that shows it, the preset and the place.",
    source: "runtimes/js",
    params: &[],
    make: MakeExporter {
        export,
        writes: "index.html, preset.json, place.json, data.js, scene.js, walk.js, crowdtune/*.js, place_crowdtune.txt, README.md",
        needs_place: true,
        needs_runs: false,
    },
};

static PACKAGE: Package = Package {
    data: &[""],
    sources: &[
        ("crowdtune/index.js", include_str!("../../../runtimes/js/crowdtune/index.js")),
        ("crowdtune/vector.js", include_str!("../../../runtimes/js/crowdtune/vector.js")),
        ("crowdtune/place.js", include_str!("../../../runtimes/js/crowdtune/place.js")),
        ("crowdtune/crowd.js", include_str!("../../../runtimes/js/crowdtune/crowd.js")),
        ("crowdtune/social_force.js", include_str!("../../../runtimes/js/crowdtune/social_force.js")),
        ("crowdtune/five_force.js", include_str!("../../../runtimes/js/crowdtune/five_force.js")),
        ("crowdtune/orca.js", include_str!("../../../runtimes/js/crowdtune/orca.js")),
        ("crowdtune/load.js", include_str!("../../../runtimes/js/crowdtune/load.js")),
        ("index.html", include_str!("../../../runtimes/js/index.html")),
        ("scene.js", include_str!("../../../runtimes/js/scene.js")),
        ("walk.js", include_str!("../../../runtimes/js/walk.js")),
    ],
    readme: include_str!("../../../runtimes/js/README.md"),
};

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    let files = files(input)?;
    let data = data(&files);
    let mut export = files.packed(input, &PACKAGE);
    export.files.push(("data.js".into(), data));
    Ok(export)
}

/// The JSON files as constants: a page that is opened from disk may read scripts only.
fn data(files: &Files) -> Vec<u8> {
    let places: Vec<&[u8]> = files.places.iter().map(|(_, text)| &text[..]).collect();
    [&b"const PRESET = "[..], &files.preset, b";\nconst PLACES = [\n", &places.join(&b",\n"[..]), b"];\n"].concat()
}
