//! SUMO, the traffic simulator, whose pedestrians walk in stripes along a street.

use super::{Fitted, MakeFitted, OwnFile, json};
use crowdtune_core::registry::Entry;

/// The tool's entry.
pub static ENTRY: Entry<MakeFitted> = Entry {
    name: "sumo",
    doc: "Pedestrians of SUMO (model `striping`) on one street: a place with two straight sides and doors over its whole width.",
    source: "SUMO 1.28.0 (eclipse-sumo, PyPI)",
    params: &[],
    make: MakeFitted {
        title: "SUMO",
        files: &[
            ("experiment.toml", EXPERIMENT),
            ("worker.py", include_str!("../../../engines/sumo/street.py")),
            ("requirements.txt", include_str!("../../../engines/sumo/requirements.txt")),
        ],
        install: "python3 -m venv env && env/bin/pip install -r {folder}/requirements.txt, and add --engine-command env/bin/python",
        own,
    },
};

/// Defaults are those of SUMO 1.28. Ranges chosen here: around them.
const EXPERIMENT: &str = r#"
[engine]
name    = "sumo"
command = ["python3", "worker.py"]

[parameters]
stripe_width_m   = { range = [0.3, 1.2], default = 0.64, unit = "m", doc = "Width of the stripes that people walk in." }
dawdling         = { range = [0.0, 0.8], default = 0.2, doc = "How much people slow down at random, as a share of their speed." }
min_gap_m        = { range = [0.05, 1.0], default = 0.25, unit = "m", doc = "Gap that people keep to whoever walks ahead." }
speed_factor     = { range = [0.8, 1.25], default = 1.0, log = true, doc = "Highest speed as a multiple of the desired speed." }
reserve_oncoming = { range = [0.0, 0.5], default = 0.0, doc = "Share of the width that is kept free for people who come." }
"#;

/// Options of its command line, and attributes of its pedestrians.
fn own(fitted: &Fitted) -> Vec<OwnFile> {
    let (options, people) = ("options", "vType");
    let names = [
        ("stripe_width_m", options, "pedestrian.striping.stripe-width"),
        ("dawdling", options, "pedestrian.striping.dawdling"),
        ("reserve_oncoming", options, "pedestrian.striping.reserve-oncoming"),
        ("min_gap_m", people, "minGap"),
        ("speed_factor", people, "speedFactor"),
    ];
    vec![("sumo.json", json(fitted, &names))]
}
