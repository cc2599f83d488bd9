//! PySocialForce: the social force of Moussaid and others, in Python.

use super::{Fitted, MakeFitted, OwnFile};
use crowdtune_core::registry::Entry;
use std::fmt::Write as _;

/// The tool's entry.
pub static ENTRY: Entry<MakeFitted> = Entry {
    name: "pysocialforce",
    doc: "The social force of Moussaid and others (2010) in PySocialForce: relaxation time, social and obstacle force.",
    source: "PySocialForce 1.1.2 (PyPI)",
    params: &[],
    make: MakeFitted {
        title: "PySocialForce",
        files: &[
            ("experiment.toml", EXPERIMENT),
            ("worker.py", include_str!("../../../engines/pysocialforce/worker.py")),
            ("requirements.txt", include_str!("../../../engines/pysocialforce/requirements.txt")),
        ],
        install: "python3 -m venv env && env/bin/pip install -r {folder}/requirements.txt, and add --engine-command env/bin/python",
        own,
    },
};

/// Presets have no groups that walk together, so that the forces within groups, which the experiment of `engines/` searches, have no
/// effect. Ranges chosen here: from a tenth to four times the default.
const EXPERIMENT: &str = r#"
[engine]
name      = "pysocialforce"
command   = ["python3", "worker.py"]
timeout_s = 120.0

[parameters]
relaxation_time_s = { range = [0.1, 2.0], default = 0.5, log = true, unit = "s", doc = "Time in which people reach their speed." }
social_factor     = { range = [0.5, 20.0], default = 5.1, log = true, doc = "How much people avoid each other." }
social_gamma      = { range = [0.05, 1.4], default = 0.35, log = true, doc = "How far the social force reaches, by relative velocity." }
obstacle_factor   = { range = [1.0, 40.0], default = 10.0, log = true, doc = "How much people avoid walls." }
"#;

/// As its configuration file has them: `Simulator(state, config_file="pysocialforce.toml")`.
fn own(fitted: &Fitted) -> Vec<OwnFile> {
    let names = [
        ("relaxation_time_s", "desired_force", "relaxation_time"),
        ("social_factor", "social_force", "factor"),
        ("social_gamma", "social_force", "gamma"),
        ("obstacle_factor", "obstacle_force", "factor"),
    ];
    let (mut text, mut last) = (String::new(), "");
    for (ours, table, theirs) in names {
        let Some(value) = fitted.get(ours) else { continue };
        if table != last {
            let _ = writeln!(text, "[{table}]");
        }
        last = table;
        let _ = writeln!(text, "{theirs} = {value:?}");
    }
    vec![("pysocialforce.toml", text)]
}
