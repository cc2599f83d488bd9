//! Ctrl-C: exit code 130 in every command. What keeps a log ends after the running evaluations, all else at once.

use super::output;
use crate::worker;
use crowdtune_core::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The flag of a command that ends by itself once it is set.
static GENTLE: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From now on Ctrl-C is exit code 130.
///
/// # Errors
/// If the system refuses a handler.
pub(super) fn listen() -> Result<(), Error> {
    let set = ctrlc::set_handler(|| match GENTLE.get() {
        Some(flag) if !flag.swap(true, Ordering::Relaxed) => {
            output::say("\nstopping after the running evaluations; press Ctrl-C again to stop at once");
        }
        Some(_) => end(),
        None => {
            output::say("\ninterrupted");
            end();
        }
    });
    match set {
        // A program that calls this one twice has the handler already.
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(e) => Err(Error::environment(format!("cannot listen for Ctrl-C: {e}"))
            .help("run it outside of the sandbox that forbids signal handlers")),
    }
}

/// Ends the program, and all that it started.
fn end() -> ! {
    worker::end_all();
    std::process::exit(130)
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
pub(super) fn flag() -> Arc<AtomicBool> {
    GENTLE.get_or_init(Arc::default).clone()
}
