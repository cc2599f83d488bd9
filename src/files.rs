//! Files of the user: read and written with errors that say which file and what to do.

use crate::limits::{self, Limit};
use crowdtune_core::{Error, suggest};
use std::fs;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The bytes of a file that the user named.
///
/// # Errors
/// If it cannot be read, or is larger than a file can be.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    read_at_most(path, &limits::FILE)
}

/// The same for an experiment, a preset or a geometry, which are much smaller.
///
/// # Errors
/// As [`read`].
pub fn read_document(path: &Path) -> Result<Vec<u8>, Error> {
    read_at_most(path, &limits::DOCUMENT)
}

fn read_at_most(path: &Path, limit: &Limit) -> Result<Vec<u8>, Error> {
    let named = |e: Error| e.file(path.display().to_string());
    let file = fs::File::open(path).map_err(|e| named(unread(path, &e)))?;
    let about = file.metadata().map_err(|e| named(unread(path, &e)))?;
    if is_endless(about.file_type()) {
        return Err(named(Error::input("this is a device, not a file").help("name a file, or a pipe that ends")));
    }
    // A regular file says how large it is; a pipe is read to see.
    if about.is_file() {
        limit.check(about.len(), &format!("{} bytes", about.len())).map_err(named)?;
    }
    let mut bytes = Vec::new();
    file.take(limit.most + 1).read_to_end(&mut bytes).map_err(|e| named(unread(path, &e)))?;
    limit.check(bytes.len() as u64, &format!("it goes on after {}", limit.words())).map_err(named)?;
    Ok(bytes)
}

/// True for what can be read forever, such as /dev/zero.
#[cfg(unix)]
fn is_endless(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_endless(_: fs::FileType) -> bool {
    false
}

/// Why a file could not be read: the user's name for it is wrong, or the machine failed.
fn unread(path: &Path, error: &std::io::Error) -> Error {
    let what = format!("cannot read the file: {error}");
    match error.kind() {
        ErrorKind::NotFound => {
            let error = Error::input(what);
            match beside(path) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("check the name, and that the file can be read"),
            }
        }
        ErrorKind::PermissionDenied
        | ErrorKind::IsADirectory
        | ErrorKind::NotADirectory
        | ErrorKind::InvalidInput
        | ErrorKind::InvalidFilename => Error::input(what).help("check the name, and that the file can be read"),
        _ => Error::environment(what).help("the machine could not read it: check the disk or the network it is on"),
    }
}

/// The file whose name is nearest to that of a file that is not there, with its path.
fn beside(path: &Path) -> Option<String> {
    let typed = path.file_name()?.to_str()?;
    let folder = path.parent()?;
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut names: Vec<String> =
        fs::read_dir(place).ok()?.flatten().filter_map(|f| f.file_name().into_string().ok()).collect();
    names.sort();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    suggest::nearest(typed, &names).map(|near| folder.join(near).display().to_string())
}

/// Writes a result that the user asked for, and the folders above it. A file that is there is replaced as a whole; a link, a pipe
/// or a device is written to.
///
/// # Errors
/// If a file or folder is in the way, or the file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    clear(path)?;
    let is_file = path.symlink_metadata().map_or(true, |about| about.is_file());
    let written = if is_file { replace(path, bytes) } else { fs::write(path, bytes) };
    written.map_err(|e| refused(path, &e))
}

/// Writes a file that is not there yet.
///
/// # Errors
/// If it is there, or cannot be written.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let file = path.display().to_string();
    let written = fs::OpenOptions::new().write(true).create_new(true).open(path).and_then(|mut f| f.write_all(bytes));
    written.map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => Error::input("the file exists already and is left as it is")
            .file(&file)
            .help("choose another name, or delete it first"),
        _ => Error::environment(format!("cannot write the file: {e}"))
            .file(&file)
            .help("choose a folder that is there and can be written"),
    })
}

/// Writes a file and the folders above it: a reader sees the old file or the new one, never half of it.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    swap(path, bytes, false)
}

/// The same; after a power failure too there is the old file or the new one.
pub(super) fn save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    swap(path, bytes, true)?;
    sync_folder(path)
}

fn swap(path: &Path, bytes: &[u8], sync: bool) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    let mut part = path.to_path_buf().into_os_string();
    part.push(".part");
    let written = fs::File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        if sync { file.sync_data() } else { Ok(()) }
    });
    written.and_then(|()| fs::rename(&part, path)).inspect_err(|_| {
        // The reason that is told is the first one.
        let _ = fs::remove_file(&part);
    })
}

/// Makes the new name of a file survive a power failure.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match fs::File::open(folder)?.sync_all() {
        // Some network file systems do not know it for folders.
        Err(e) if matches!(e.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        synced => synced,
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
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
    // A link that leads nowhere does not exist for `exists`, but a folder cannot be made in its place.
    folder.ancestors().find(|p| p.symlink_metadata().is_ok()).filter(|p| !p.as_os_str().is_empty() && !p.is_dir())
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
        Some(link) if link.is_symlink() => in_the_way("a link that leads nowhere", link),
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
