//! The run folder: `experiment.toml`, `inputs/`, `trials.jsonl`, `timing.jsonl`, `summary.json`, `best.json`, `presets/`.

use crate::evolve::evaluate::Spent;
use crate::evolve::experiment::Experiment;
use crate::evolve::log::{self, Header, Journal};
use crate::evolve::preset::Preset;
use crate::evolve::reading;
use crate::evolve::run::check_budget;
use crate::evolve::summary::Summary;
use crate::files::{self, file_in_the_way};
use crowdtune_core::Error;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Component, Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// One run folder, held by this process alone as long as the value lives.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    log: File,
    /// Bytes of the whole lines of the log.
    len: u64,
    timing: File,
    since: Instant,
    /// Sum of the seconds in the timing log.
    elapsed_s: f64,
}

impl RunFolder {
    /// Makes the folder, or with `resume` opens the one that is there. A folder that cannot be written is known at once, before
    /// any work is done; so is one whose log `engine` cannot continue. With `resume` a folder that does not exist yet is made: a run that was stopped in its first moment
    /// continues too.
    ///
    /// # Errors
    /// If a file is in the way, or the folder exists and `resume` is not set, is not a run folder, belongs to another experiment or
    /// another engine, is in use by another process, or cannot be written.
    pub fn open(path: &Path, experiment: &Experiment, engine: &str, resume: bool) -> Result<Self, Error> {
        let failed = |what, e| refused(what, path, &e);
        if let Some(file) = file_in_the_way(path) {
            return Err(Error::input(format!("a file is in the way of the run folder: {}", file.display()))
                .file(path.display().to_string())
                .help("choose another folder with --out"));
        }
        fs::create_dir_all(path).map_err(|e| failed("make the run folder", e))?;
        let log_path = path.join(log::FILE);
        let empty = fs::read_dir(path).map_err(|e| failed("read the run folder", e))?.next().is_none();
        if !empty && !resume {
            return Err(Error::input("the run folder exists already")
                .file(path.display().to_string())
                .help("continue it with --resume, or choose another one with --out"));
        }
        if !empty && !log_path.is_file() {
            return Err(Error::input(format!("not a run folder: it has files but no {}", log::FILE))
                .file(path.display().to_string())
                .help("choose another one with --out"));
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&log_path);
        let log = file.map_err(|e| refused("open the log", &log_path, &e))?;
        lock(&log, path)?;
        let timing_path = path.join("timing.jsonl");
        let timing = OpenOptions::new().append(true).create(true).open(&timing_path);
        let timing = timing.map_err(|e| refused("open the timing log", &timing_path, &e))?;
        let elapsed_s = spent(&fs::read(&timing_path).unwrap_or_default());
        let mut folder = Self { path: path.to_path_buf(), log, len: 0, timing, since: Instant::now(), elapsed_s };

        let bytes = folder.read()?;
        if let Some(old) = log::parse_started(&bytes, &folder.name())? {
            old.header.check(&Header::new(experiment, engine), &folder.name())?;
            reading::check_rows(experiment, &old, &folder.name())?;
            check_budget(experiment, &old.trials, &folder.name())?;
        }
        for (name, bytes) in &experiment.inputs {
            folder.put(&input(name), bytes, files::save)?;
        }
        folder.put("experiment.toml", experiment.resolved.as_bytes(), files::save)?;
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that the log is still where it was: one that was removed is still written to, and nobody would ever read it.
    ///
    /// # Errors
    /// If it is not, or somebody else changed its length.
    pub fn is_there(&self) -> Result<(), Error> {
        let there = fs::metadata(self.path.join(log::FILE)).map(|about| about.len());
        if there.ok() == Some(self.len) {
            return Ok(());
        }
        Err(self.changed())
    }

    fn changed(&self) -> Error {
        Error::environment("the log was removed or changed while the run was writing it")
            .file(self.name())
            .help("leave the folder alone while a run writes into it; start again with another --out")
    }

    /// Writes `summary.json`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_summary(&self, summary: &Summary) -> Result<(), Error> {
        self.put("summary.json", &pretty(summary), files::save)
    }

    /// Writes `best.json`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_preset(&self, preset: &Preset) -> Result<(), Error> {
        self.put("best.json", &pretty(preset), files::save)
    }

    /// Writes the presets of a front or an atlas into `presets/`, each with the name of its file without ending, and takes away
    /// those of an earlier one: after an extension a point may be dominated, a cell empty.
    ///
    /// # Errors
    /// If one cannot be written or taken away.
    pub fn write_presets(&self, presets: &[(String, Preset)]) -> Result<(), Error> {
        // What is called otherwise was put there by the user.
        let own = |stem: &str| stem.starts_with("front-") || stem.contains('=');
        self.keep("presets", |name| {
            let stem = name.strip_suffix(".json").filter(|stem| own(stem));
            stem.is_none_or(|stem| presets.iter().any(|(kept, _)| kept == stem))
        })?;
        for (name, preset) in presets {
            self.write(&format!("presets/{name}.json"), &pretty(preset))?;
        }
        Ok(())
    }

    /// Removes the files of a folder inside the run folder whose names are not `wanted`.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub(super) fn keep(&self, folder: &str, wanted: impl Fn(&str) -> bool) -> Result<(), Error> {
        for file in fs::read_dir(self.path.join(folder)).into_iter().flatten().flatten() {
            if !wanted(&file.file_name().to_string_lossy()) {
                fs::remove_file(file.path()).map_err(|e| refused("remove", &file.path(), &e))?;
            }
        }
        Ok(())
    }

    /// Writes a file of the folder as a whole: a reader sees the old one or the new one, never half of it.
    ///
    /// # Errors
    /// If it cannot be written; the old file stays.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.put(name, bytes, files::replace)
    }

    /// The same by one of the two ways of writing.
    fn put(&self, name: &str, bytes: &[u8], way: fn(&Path, &[u8]) -> io::Result<()>) -> Result<(), Error> {
        let path = self.path.join(name);
        if fs::read(&path).is_ok_and(|old| old == bytes) {
            return Ok(());
        }
        // A folder that was removed is not made again.
        self.is_there()?;
        way(&path, bytes).map_err(|e| refused("write", &path, &e))
    }
}

impl Journal for RunFolder {
    fn name(&self) -> String {
        self.path.join(log::FILE).display().to_string()
    }

    fn read(&mut self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let read = self.log.seek(SeekFrom::Start(0)).and_then(|_| self.log.read_to_end(&mut bytes));
        self.len = read.map_err(|e| refused("read the log", &self.path, &e))? as u64;
        Ok(bytes)
    }

    fn cut(&mut self, bytes: u64) -> Result<(), Error> {
        let cut = self.log.set_len(bytes).and_then(|()| self.log.seek(SeekFrom::Start(bytes)));
        self.len = cut.map_err(|e| refused("shorten the log", &self.path, &e))?;
        Ok(())
    }

    fn append(&mut self, line: &[u8]) -> Result<(), Error> {
        // Into a log that was cut short the line would go behind a hole of zeros, and the length would be right again.
        if self.log.seek(SeekFrom::End(0)).ok() != Some(self.len) {
            return Err(self.changed());
        }
        if let Err(e) = self.log.write_all(line).and_then(|()| self.log.flush()) {
            // Half a line would be dropped on resume anyhow; without it the log is whole for every reader.
            let _ = self.log.set_len(self.len);
            return Err(Error::environment(format!("cannot append to the log: {e}"))
                .file(self.name())
                .help("every finished evaluation before this one is kept: make room, then continue with --resume"));
        }
        self.len += line.len() as u64;
        Ok(())
    }

    fn elapsed_s(&self) -> f64 {
        self.elapsed_s
    }

    fn batch(&mut self, rows: u64, spent: &[Spent]) -> Result<(), Error> {
        self.is_there()?;
        self.log.sync_data().map_err(|e| refused("save the log", &self.path, &e))?;
        let now = Instant::now();
        let seconds = now.duration_since(self.since).as_secs_f64();
        self.since = now;
        self.elapsed_s += seconds;
        // Wall times are for people; a run does not end because they cannot be kept.
        let mut line = serde_json::to_vec(&Batch { rows, seconds, nodes: spent.to_vec() }).expect("names and numbers");
        line.push(b'\n');
        let _ = self.timing.write_all(&line);
        Ok(())
    }
}

/// A line of the timing log.
#[derive(Serialize, Deserialize)]
struct Batch {
    rows: u64,
    seconds: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Spent>,
}

/// The sum of the seconds of a timing log, in its order; lines that cannot be read took no time.
fn spent(lines: &[u8]) -> f64 {
    let read = |line: &[u8]| serde_json::from_slice::<Batch>(line).ok();
    lines.split(|&b| b == b'\n').filter_map(read).map(|b| b.seconds).sum()
}

/// How often and how long apart a lock is asked for, before somebody else has the folder.
const LOCK_TRIES: usize = 25;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

fn lock(file: &File, path: &Path) -> Result<(), Error> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            // A search that was killed while it started a worker leaves the lock to it, until that one has become another program.
            Err(TryLockError::WouldBlock) => sleep(LOCK_PAUSE),
            // Some network file systems know no locks; a run there is only less protected.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
    Err(Error::input("another crowdtune is writing into this run folder")
        .file(path.display().to_string())
        .help("wait for it, stop it, or choose another folder with --out"))
}

/// Where a run folder keeps a file that the experiment names: under `inputs/`, whatever the name says. `..` becomes `%up` and a
/// leading `/` becomes `%root`, so that two files never share a place; a `%` of the name is doubled.
pub fn input(name: &str) -> String {
    let mut path = PathBuf::from("inputs");
    for component in Path::new(name).components() {
        match component {
            Component::Normal(part) => path.push(part.to_string_lossy().replace('%', "%%")),
            Component::ParentDir => path.push("%up"),
            Component::RootDir => path.push("%root"),
            Component::Prefix(drive) => {
                path.push(format!("%{}", drive.as_os_str().to_string_lossy().replace([':', '\\', '/'], "-")));
            }
            Component::CurDir => {}
        }
    }
    path.display().to_string()
}

/// As JSON for people, with a line end.
pub(super) fn pretty<T: Serialize>(value: &T) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).expect("summaries and presets have string keys only");
    bytes.push(b'\n');
    bytes
}

fn refused(what: &str, path: &Path, error: &std::io::Error) -> Error {
    Error::environment(format!("cannot {what}: {error}"))
        .file(path.display().to_string())
        .help("check that the disk has room and that the folder can be written, or choose another one with --out")
}

#[cfg(test)]
#[path = "run_folder_tests.rs"]
mod tests;
