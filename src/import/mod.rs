//! Files of other tools as experiments; one file each. Nothing here reads or writes a file: an importer gets bytes and returns text.

mod behaviorsearch;
mod draft;
mod dxf;
mod geojson;
mod jupedsim;
mod jupedsim_scenarios;
mod obj;
mod plan;
#[cfg(test)]
mod testing;

pub use crate::importer::{ImportInput, Imported, MakeImporter, Role, Said, Unit, Up};

use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// All importers.
pub static IMPORTERS: &[&Entry<MakeImporter>] =
    &[&behaviorsearch::ENTRY, &dxf::ENTRY, &geojson::ENTRY, &jupedsim::ENTRY, &jupedsim_scenarios::ENTRY, &obj::ENTRY];

/// The content of a text file.
fn text<'a>(input: &ImportInput<'a>) -> Result<&'a str, Error> {
    // A mark in front, as some editors of Windows write it, is no text.
    let bytes = input.bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(input.bytes);
    std::str::from_utf8(bytes).map_err(|e| {
        let line = 1 + bytes[..e.valid_up_to()].iter().filter(|&&b| b == b'\n').count();
        Error::input("this is not text in UTF-8")
            .line(line)
            .help("save it as text, or give the format by --from that it has")
    })
}
