//! `crowdtune new NAME --engine KIND`: a worker for a foreign simulator, and an experiment that asks it.

use clap::ValueEnum;

/// What the worker is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Python, kept running
    Python,
    /// Node, kept running
    Node,
    /// Python, started anew for each run: for programs that cannot be kept running
    Command,
}

impl Kind {
    /// The words that start it, and the text of the worker.
    fn worker(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Python => ("python3", "py", include_str!("worker.py")),
            Self::Node => ("node", "mjs", include_str!("worker.mjs")),
            Self::Command => ("python3", "py", include_str!("command.py")),
        }
    }
}

/// The experiment, and name and text of the worker beside it; `stem` is the name of the experiment without ending and folder.
pub fn files(kind: Kind, stem: &str) -> (String, String, &'static str) {
    let (program, ending, text) = kind.worker();
    let worker = format!("{stem}_worker.{ending}");
    let (how, more) = match kind {
        Kind::Python | Kind::Node => {
            ("# Started once for each worker and kept running; lines of JSON go both ways.", "")
        }
        Kind::Command => (
            "# Started for each run: the question is in one file, the answer goes into the other.",
            ", \"{question}\", \"{answer}\"",
        ),
    };
    let connection = if kind == Kind::Command { "connection = \"files\"\n" } else { "" };
    let experiment = format!(
        "# Tunes a foreign simulator: {worker} answers, one run at a time.
#
#   crowdtune engine check {stem}.toml
#   crowdtune evolve {stem}.toml
format = 1
title  = \"People leave a hall by a door\"

{how}
[engine]
name      = \"toy_hall\"
command   = [{program:?}, {worker:?}{more}]
{connection}timeout_s = 60.0                              # longer without an answer: the run has failed

# Everything that the simulator gets. `default` is what it has today: results are compared with it.
[parameters]
time_at_door_s = {{ range = [0.2, 2.0], default = 1.0, unit = \"s\", doc = \"Time that each person takes at the door.\" }}
hurry          = {{ range = [0.0, 1.0], default = 0.1, doc = \"Share of people who hurry.\" }}

# A place that only the simulator knows; `engine` is handed to it as `settings`. With one of crowdtune's own places
# (`crowdtune list scenarios`) it gets walls and goals too, and the people at the start if it asks for them.
[scenario.hall]
kind   = \"engine\"
engine = {{ people = 40 }}

# `value` is a number of the answer. Instead of it `metric` measures the trajectory that an answer names.
[target.time]
value     = \"time_s\"
unit      = \"s\"
equals    = 30.0
tolerance = 1.0

[measure.waiting]
value = \"waiting_s\"
unit  = \"s\"

[search]
evaluations = 60
"
    );
    (experiment, worker, text)
}
