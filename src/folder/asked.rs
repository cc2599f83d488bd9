//! How the rows of a run folder were asked, where no search did.

use crate::evolve::{posterior, sensitivity};
use crate::files;
use crowdtune_core::Error;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The design of a run folder; `None` if it holds a search.
///
/// # Errors
/// If the file cannot be read.
pub fn design_of(folder: &Path) -> Result<Option<sensitivity::Design>, Error> {
    asked(folder, sensitivity::FILE, "a design", "{\"method\": \"morris\" or \"sobol\", \"samples\": N}")
}

/// How the posterior of a run folder was asked; `None` if it holds something else.
///
/// # Errors
/// If the file cannot be read.
pub fn inference_of(folder: &Path) -> Result<Option<posterior::Design>, Error> {
    asked(folder, posterior::FILE, "how a posterior was asked", "{\"evaluations\": N, \"effective\": N}")
}

/// What a file of a run folder says of it; `None` if there is none. Errors say what the file is and what it holds.
///
/// # Errors
/// If it cannot be read.
fn asked<T: DeserializeOwned>(folder: &Path, file: &str, what: &str, holds: &str) -> Result<Option<T>, Error> {
    let path = folder.join(file);
    if !path.is_file() {
        return Ok(None);
    }
    let said = serde_json::from_slice(&files::read(&path)?).map_err(|e| {
        Error::input(format!("not {what}: {e}"))
            .file(path.display().to_string())
            .help(format!("it holds {holds}; resume the run to write it again"))
    })?;
    Ok(Some(said))
}
