#!/usr/bin/env bash
# Builds the fuzz targets with the stable compiler, as `cargo fuzz build` does with a nightly one.
set -euo pipefail
cd "$(dirname "$0")"
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Cdebug-assertions"
cargo build --release --target "$(rustc -vV | sed -n 's/^host: //p')" --bins
