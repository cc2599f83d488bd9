//! What several commands check alike: `--threads`, whole numbers, the ending of a file.

use crate::limits::{self, Limit};
use clap::Args as ClapArgs;
use clap::builder::RangedU64ValueParser;
use crowdtune_core::Error;
use std::path::Path;

/// How many threads work.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(super) struct Threads {
    /// Threads; results do not depend on them [default: one per core]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = RangedU64ValueParser::<u32>::new().range(0..=limits::THREADS.most))]
    threads: u32,
}

impl Threads {
    /// How many to start.
    pub(super) fn count(self) -> usize {
        limits::threads(self.threads)
    }
}

/// Whole numbers from 1 to a limit.
pub(super) fn whole<T: TryFrom<u64> + Clone + Send + Sync + 'static>(limit: &Limit) -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(1..=limit.most)
}

/// Refuses a file whose ending promises another format than the one that is written.
pub(super) fn ending(option: &str, path: &Path, written: &str, what: &str) -> Result<(), Error> {
    match path.extension() {
        Some(other) if !other.eq_ignore_ascii_case(written) => {
            Err(Error::input(format!("{option} writes {what}, not {}", other.display()))
                .file(path.display().to_string())
                .key(option)
                .help(format!("name it {}", path.with_extension(written).display())))
        }
        _ => Ok(()),
    }
}
