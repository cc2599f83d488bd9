//! `--threads`, the same in every command.

use crate::limits;
use clap::Args as ClapArgs;
use clap::builder::RangedU64ValueParser;

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
