//! The simulator that pages carry: crowdtune itself as WebAssembly, packed with gzip.

use crate::files;
use crowdtune_core::Error;
use std::borrow::Cow;
use std::path::Path;

/// Names the file, over what was taken in when the program was built; "none" leaves it out of pages.
pub const VARIABLE: &str = "CROWDTUNE_WASM";

/// The first bytes of every gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

#[cfg(simulator)]
static BUILT_IN: Option<&[u8]> = Some(include_bytes!(env!("CROWDTUNE_WASM")));
#[cfg(not(simulator))]
static BUILT_IN: Option<&[u8]> = None;

/// The simulator, if there is one: pages without it show what was recorded.
///
/// # Errors
/// If the variable names a file that cannot be read, or is no gzip file.
pub fn simulator() -> Result<Option<Cow<'static, [u8]>>, Error> {
    let Some(named) = std::env::var_os(VARIABLE) else { return Ok(BUILT_IN.map(Cow::Borrowed)) };
    if named == "none" {
        return Ok(None);
    }
    let bytes = files::read(Path::new(&named))?;
    if !bytes.starts_with(&GZIP) {
        return Err(Error::input(format!("{VARIABLE} names a file that is not packed with gzip"))
            .file(named.display().to_string())
            .help("`crates/web/build` makes target/web/crowdtune.wasm.gz"));
    }
    Ok(Some(Cow::Owned(bytes)))
}
