//! Files of the user: read and written with errors that say which file and what to do.

use crowdtune_core::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The bytes of a file that the user named.
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|e| {
        Error::input(format!("cannot read the file: {e}"))
            .file(path.display().to_string())
            .help("check the name, and that the file can be read")
    })
}

/// Writes a result that the user asked for, and the folders above it.
///
/// # Errors
/// If a file or folder is in the way, or the file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    clear(path)?;
    let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, bytes));
    made.map_err(|e| refused(path, &e))
}

/// Checks that a result can be written, before the work for it is done. A file that is there keeps what it holds.
///
/// # Errors
/// As [`write()`].
pub fn writable(path: &Path) -> Result<(), Error> {
    clear(path)?;
    let is_new = !path.exists();
    let open = || fs::OpenOptions::new().append(true).create(true).open(path);
    path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| open()).map_err(|e| refused(path, &e))?;
    if is_new { fs::remove_file(path).map_err(|e| refused(path, &e)) } else { Ok(()) }
}

/// The file that stands where a folder has to be made, if there is one.
pub(super) fn file_in_the_way(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|p| p.exists()).filter(|p| !p.as_os_str().is_empty() && !p.is_dir())
}

/// The files of a folder with this extension, sorted by name; none if there is no folder.
pub(super) fn with_extension(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|f| f.path()).collect();
    names.retain(|p| p.extension().is_some_and(|e| e == extension));
    names.sort();
    names
}

fn clear(path: &Path) -> Result<(), Error> {
    let in_the_way = |what: &str, at: &Path| {
        Err(Error::input(format!("{what} is in the way: {}", at.display()))
            .file(path.display().to_string())
            .help("choose another place for the result"))
    };
    match path.parent().and_then(file_in_the_way) {
        Some(file) => in_the_way("a file", file),
        None if path.is_dir() => in_the_way("a folder", path),
        None => Ok(()),
    }
}

fn refused(path: &Path, error: &std::io::Error) -> Error {
    Error::environment(format!("cannot write the file: {error}"))
        .file(path.display().to_string())
        .help("check that the disk has room and that the folder can be written")
}
