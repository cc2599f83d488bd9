//! Takes the simulator of pages into the program, where `CROWDTUNE_WASM` names it: `crates/web/build` makes it.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(simulator)");
    println!("cargo::rerun-if-env-changed=CROWDTUNE_WASM");
    let Some(path) = env::var_os("CROWDTUNE_WASM").map(PathBuf::from) else { return };
    let path = path.canonicalize().unwrap_or_else(|e| panic!("CROWDTUNE_WASM names {}: {e}", path.display()));
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rustc-env=CROWDTUNE_WASM={}", path.display());
    println!("cargo::rustc-cfg=simulator");
}
