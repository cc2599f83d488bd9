//! Feeds a reader of crowdtune; CONTRIBUTING.md says how to run the targets.

use crowdtune::cli::readers::READERS;

/// Reads the bytes, and checks that what was understood is read as the same again.
///
/// # Panics
/// If a reader does, or understands something else the second time.
pub fn feed(name: &str, bytes: &[u8]) {
    let reader = READERS.iter().find(|reader| reader.name == name).expect("a registered reader");
    if let Ok(understood) = (reader.read)(bytes)
        && reader.round
    {
        assert_eq!((reader.read)(&understood), Ok(understood));
    }
}
