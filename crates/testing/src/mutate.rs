//! Bytes that were changed at random, the same on every machine: flipped bits, edited digits, hostile numbers, pieces that are
//! cut, repeated, or taken from another file.

use crowdtune_core::math::rng::{ChaCha8Rng, below};

/// What stands for a number or a word in a hostile file.
const HOSTILE: [&str; 28] = [
    "0",
    "-1",
    "-0",
    "1e999",
    "-1e308",
    "1e308",
    "1e-400",
    "4294967296",
    "2147483648",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999",
    "NaN",
    "nan",
    "inf",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    "[[[[[[[[",
    "{\"a\":",
    "\u{0}",
    "\u{e9}",
    "\u{202e}",
    "\n",
];

/// `bytes` after one to four changes; `others` are files of the same kind.
pub fn mutated(bytes: &[u8], others: &[Vec<u8>], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..=below(rng, 4) {
        let at = below(rng, out.len() + 1);
        let end = (at + 1 + below(rng, 64)).min(out.len());
        let piece = out[at.min(end)..end].to_vec();
        match below(rng, 9) {
            0 if at < out.len() => out[at] ^= 1 << below(rng, 8),
            1 | 2 => {
                if let Some(digit) = out[at..].iter_mut().find(|b| b.is_ascii_digit()) {
                    *digit = b'0' + below(rng, 10) as u8;
                }
            }
            3 | 4 => {
                let Some(from) = out[at..].iter().position(u8::is_ascii_digit).map(|k| at + k) else { continue };
                let number = |b: &u8| b.is_ascii_digit() || b"+-.eE".contains(b);
                let to = from + out[from..].iter().take_while(|b| number(b)).count();
                out.splice(from..to, HOSTILE[below(rng, HOSTILE.len())].bytes());
            }
            5 => drop(out.splice(at..at, HOSTILE[below(rng, HOSTILE.len())].bytes())),
            6 => drop(out.drain(at.min(end)..end)),
            7 => drop(out.splice(at..at, piece.repeat(1 + below(rng, 30)))),
            _ => match below(rng, 4) {
                0 => out.truncate(at),
                _ => {
                    let other = &others[below(rng, others.len())];
                    let (from, length) = (below(rng, other.len() + 1), below(rng, 200));
                    out.splice(at..at, other[from..].iter().take(length).copied());
                }
            },
        }
    }
    out
}
