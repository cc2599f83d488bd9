//! Errors of crowdtune as Python exceptions, with the names that things have in Python.

use crowdtune::Error;
use crowdtune::core::Class;
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError, PyRuntimeError, PyValueError};

create_exception!(crowdtune, InputError, PyValueError, "Something that the user gave has to change.");
create_exception!(crowdtune, MachineError, PyOSError, "The machine, a disk or another program refused.");
create_exception!(crowdtune, NothingFoundError, PyRuntimeError, "Nothing valid came out of a search or a run.");

/// Options of the command line, as they are called in Python.
const NAMES: [(&str, &str); 17] = [
    ("--answer-timeout", "answer_timeout_s="),
    ("--columns", "columns="),
    ("--every", "every_s="),
    ("--force", "force=True"),
    ("--fps", "fps="),
    ("--frames", "frames="),
    ("--geometry", "geometry="),
    ("--metric", "metric"),
    ("--out", "out="),
    ("--pick", "pick="),
    ("--radius", "radius_m="),
    ("--resume", "resume=True"),
    ("--seed", "seed="),
    ("--set", "overrides="),
    ("--threads", "threads="),
    ("--unit", "unit="),
    ("--window", "window="),
];

/// The exception for an error.
pub fn raise(error: Error) -> PyErr {
    let text = NAMES.iter().fold(error.to_string(), |text, (option, name)| text.replace(option, name));
    match error.class() {
        Class::Environment => MachineError::new_err(text),
        Class::Nothing => NothingFoundError::new_err(text),
        Class::Interrupted => PyKeyboardInterrupt::new_err(text),
        _ => InputError::new_err(text),
    }
}

/// An input error in words.
pub fn wrong(what: impl Into<String>) -> PyErr {
    InputError::new_err(what.into())
}
