//! What an engine answered: numbers, and the trajectory that it wrote into its folder.

use super::messages::Reply;
use crate::evolve::engine::Answer;
use crate::{limits, tracks};
use crowdtune_core::Error;
use crowdtune_sim::crowd::recording::{Known, Recording};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folder of a worker: its files are read from nowhere else.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Makes the folder of this worker.
    ///
    /// # Errors
    /// If the machine refuses it.
    pub fn new(of_all: &Path, worker: usize) -> Result<Self, Error> {
        let path = of_all.join(format!("worker-{worker}"));
        let made = std::fs::create_dir_all(&path).and_then(|()| path.canonicalize());
        made.map(Self).map_err(|e| Error::environment(format!("{}: {e}", path.display())))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The file of this name, if it lies in the folder: no link leads out of it.
    fn file(&self, name: &str) -> Result<PathBuf, Error> {
        let refused = |why: String| Error::nothing(format!("the trajectory `{}` {why}", name.escape_debug()));
        let path = self.0.join(name).canonicalize().map_err(|e| refused(format!("cannot be read: {e}")))?;
        if !path.starts_with(&self.0) {
            return Err(refused("lies outside the folder of the worker".into()));
        }
        let kind = path.metadata().map_err(|e| refused(format!("cannot be read: {e}")))?;
        if !kind.is_file() {
            return Err(refused("is no file".into()));
        }
        limits::FILE.check(kind.len(), &format!("{} bytes", kind.len())).map_err(|e| refused(e.what().to_owned()))?;
        Ok(path)
    }

    /// Reads the trajectory of this name and removes it.
    fn trajectory(&self, name: &str) -> Result<Recording, Error> {
        let path = self.file(name)?;
        let read = tracks::read(&path, &Known::default());
        // One that cannot be removed is overwritten by the next, or removed with the folder.
        let _ = std::fs::remove_file(&path);
        read.map(|(recording, _)| recording).map_err(|e| {
            Error::nothing(format!("the trajectory `{}` cannot be read: {}", name.escape_debug(), e.what()))
        })
    }
}

/// Reads a reply, and the trajectory that it names.
///
/// # Errors
/// Why the run failed, or what is wrong with the reply.
pub fn read(reply: Reply, folder: &Folder) -> Result<Answer, Error> {
    if let Some(why) = reply.failed {
        return Err(Error::nothing(why));
    }
    let number = |(name, value): (String, Value)| match value {
        Value::Null => Ok((name, None)),
        Value::Number(x) => Ok((name, x.as_f64())),
        other => {
            Err(Error::nothing(format!("the value `{}` of the answer is {other}, not a number", name.escape_debug())))
        }
    };
    let values = reply.values.into_iter().map(number).collect::<Result<_, _>>()?;
    if reply.end_s.is_some_and(|end| end < 0.0) {
        return Err(Error::nothing("the answer ends before its start: `end_s` is below 0"));
    }
    let recording = reply.trajectory.map(|name| folder.trajectory(&name)).transpose()?;
    Ok(Answer { values, trajectory: recording, end_s: reply.end_s, work: reply.work })
}
