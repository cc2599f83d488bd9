//! What one core of this machine can do at most, for the rooflines of docs/performance.md: one JSON line.
//!
//! `cargo bench --bench peaks`, pinned to one processor. `clock_hz` is three times the rate of a chain of multiplications of whole
//! numbers, of which each waits for the last (three cycles on every x86-64 core of the last ten years); `stream_bytes_per_s` is what a walk
//! through 256 MB reads.

use std::hint::black_box;
use std::time::Instant;

/// Rounds; the fastest counts, as a peak is wanted.
const ROUNDS: usize = 15;
const MULTIPLICATIONS: u32 = 20_000_000;
const BYTES: usize = 256 << 20;

fn main() {
    let memory = vec![1_u64; BYTES / size_of::<u64>()];
    let clock = 3.0 * f64::from(MULTIPLICATIONS) / fastest(|| chain(black_box(0x9E37_79B9_7F4A_7C15)));
    let stream = BYTES as f64 / fastest(|| walk(black_box(&memory)));
    println!("{{\"clock_hz\": {clock:.4e}, \"stream_bytes_per_s\": {stream:.4e}}}");
}

/// Seconds of the fastest round.
fn fastest<T>(work: impl Fn() -> T) -> f64 {
    (0..ROUNDS).fold(f64::INFINITY, |least, _| {
        let since = Instant::now();
        black_box(work());
        least.min(since.elapsed().as_secs_f64())
    })
}

/// Multiplications that wait for each other.
fn chain(factor: u64) -> u64 {
    (0..MULTIPLICATIONS).fold(1, |x: u64, _| x.wrapping_mul(factor))
}

/// A walk through memory.
fn walk(memory: &[u64]) -> u64 {
    memory.iter().fold(0, |sum: u64, x| sum.wrapping_add(*x))
}
