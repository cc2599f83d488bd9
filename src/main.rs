//! The program: what comes with crowdtune, on the command line.

mod memory;

use crowdtune::{Registry, cli};
use std::process::ExitCode;

#[global_allocator]
static MEMORY: memory::Said = memory::Said;

fn main() -> ExitCode {
    memory::pages::prepare();
    cli::main(&Registry::builtin())
}
