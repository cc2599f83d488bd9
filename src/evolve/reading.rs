//! Whether a log fits the experiment that it is read with, and its rows their own values.

use super::experiment::Experiment;
use super::log::{self, DAMAGED_ROW, Header, Log, NATIVE, RESULTS};
use super::scoring::Rescore;
use crowdtune_core::Error;

/// Checks that figures can be made of a log with the experiment of its folder; it may be of an older version, and of any engine.
///
/// # Errors
/// If the experiment is not the one that was run, or as [`check_rows`].
pub fn check(experiment: &Experiment, log: &Log, file: &str) -> Result<(), Error> {
    log.header.describes(&Header::new(experiment, &log.header.engine), file)?;
    check_rows(experiment, log, file)
}

/// Checks that the values of each row give its objectives, to the last bit.
///
/// Only of rows that this version's own simulator wrote: another evaluator may have losses of its own.
///
/// # Errors
/// Names the first row that does not.
pub fn check_rows(experiment: &Experiment, log: &Log, file: &str) -> Result<(), Error> {
    if log.header.engine != NATIVE || log.header.results != RESULTS {
        return Ok(());
    }
    let scores = Rescore::new(experiment);
    match log.trials.iter().position(|trial| log::failure(trial).is_none() && !scores.confirms(trial)) {
        None => Ok(()),
        Some(row) => Err(Error::input("the values of this row do not give its objectives")
            .file(file)
            .line(row + 2)
            .help(DAMAGED_ROW)),
    }
}
