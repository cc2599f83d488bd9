//! Logs that were edited on purpose, with checksums that fit again.

use crowdtune::evolve::log::Chain;

/// The lines of a log, with or without checksums, each with the one that fits.
pub fn sealed(log: impl AsRef<[u8]>) -> Vec<u8> {
    let text = std::str::from_utf8(log.as_ref()).unwrap();
    let mut chain = Chain::default();
    let json =
        |line: &str| line.split_once(",\"check\":").map_or_else(|| line.to_string(), |(row, _)| format!("{row}}}"));
    text.lines().flat_map(|line| chain.seal(json(line).into_bytes())).collect()
}
