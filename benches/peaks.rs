//! What one core of this machine can do at most, for the rooflines of docs/performance.md: one JSON line.
//!
//! `cargo bench --bench peaks`, pinned to one processor. `clock_hz` is three times the rate of a chain of multiplications of whole
//! numbers, of which each waits for the last (three cycles on every x86-64 core of the last ten years); `lanes_per_s` is the rate of sums
//! and products of eight numbers in registers, none of which waits for another; `stream_bytes_per_s` is what a walk through 256 MB reads.

use crowdtune_core::math::lanes::{self, Kernel, Lanes, Path, WIDTH};
use std::hint::black_box;
use std::time::Instant;

/// Rounds; the fastest counts, as a peak is wanted.
const ROUNDS: usize = 15;
const MULTIPLICATIONS: u32 = 20_000_000;
const LANE_ROUNDS: u32 = 4_000_000;
/// Sums that do not wait for each other: enough to fill the pipes, few enough for the registers.
const CHAINS: usize = 12;
const BYTES: usize = 256 << 20;

fn main() {
    // As in the counts of cachegrind, which knows no AVX-512.
    lanes::choose(Path::Avx2);
    let memory = vec![1.0_f64; BYTES / size_of::<f64>()];
    let clock = 3.0 * f64::from(MULTIPLICATIONS) / fastest(|| chain(black_box(0x9E37_79B9_7F4A_7C15)));
    let lanes = 2.0 * CHAINS as f64 * f64::from(LANE_ROUNDS) / fastest(|| lanes::run(Sums(black_box(0.999))));
    let stream = BYTES as f64 / fastest(|| lanes::run(Walk(black_box(&memory))));
    let path = format!("{:?}", lanes::chosen()).to_lowercase();
    println!(
        "{{\"instructions\": \"{path}\", \"clock_hz\": {clock:.4e}, \"lanes_per_s\": {lanes:.4e}, \"stream_bytes_per_s\": {stream:.4e}}}"
    );
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

/// Products and sums in registers.
struct Sums(f32);

impl Kernel for Sums {
    type Out = f32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f32 {
        let (factor, more) = (L::splat(self.0), L::splat(1.0 - self.0));
        let mut sums: [L; CHAINS] = std::array::from_fn(|k| L::splat(k as f32));
        for _ in 0..LANE_ROUNDS {
            for sum in &mut sums {
                *sum = sum.mul(factor).add(more);
            }
        }
        sums.into_iter().fold(L::splat(0.0), L::add).total()
    }
}

/// A walk through memory.
struct Walk<'a>(&'a [f64]);

impl Kernel for Walk<'_> {
    type Out = u64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u64 {
        let mut sums = [0_u64; WIDTH];
        for eight in self.0.as_chunks::<WIDTH>().0 {
            for (sum, x) in sums.iter_mut().zip(eight) {
                *sum = sum.wrapping_add(x.to_bits());
            }
        }
        sums.into_iter().fold(0, u64::wrapping_add)
    }
}
