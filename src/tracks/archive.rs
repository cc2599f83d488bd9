//! HDF5 files of the Pedestrian Dynamics Data Archive (Juelich), as PedPy reads them: a table `trajectory` with the columns id, frame,
//! x, y and the attribute `fps`, and the attribute `wkt_geometry` of the file.

use crate::limits;
use crate::wkt::{self, Shapes};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_sim::crowd::recording::{Known, Recording, Row, Unit};
use hdf5_reader::{CompoundField, Datatype, Hdf5File, OpenOptions};

/// The first bytes of every HDF5 file.
pub(super) const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Reads the table; meters unless a unit is given.
///
/// # Errors
/// If it is no such file, or the first mistake in it.
pub fn read(bytes: Vec<u8>, known: &Known) -> Result<(Recording, Option<Shapes>), Error> {
    // What is packed may be larger, but no larger than a text could be.
    let most = usize::try_from(limits::FILE.most).unwrap_or(usize::MAX);
    let options = OpenOptions::default().with_max_read_bytes(most).with_max_chunk_bytes(most);
    let file = Hdf5File::from_vec_with_options(bytes, options).map_err(not_ours)?;
    let table = file.dataset("trajectory").map_err(not_ours)?;
    let fps = match known.fps {
        Some(fps) => fps,
        None => table.attribute("fps").and_then(|fps| fps.read_as_f64()).map_err(|e| not_ours(e).key("fps"))?,
    };
    let Datatype::Compound { size, fields } = table.dtype() else {
        return Err(not_ours("`trajectory` has no columns"));
    };
    let column = |name: &str| {
        let field = fields.iter().find(|field| field.name == name);
        field.map_or_else(|| Err(not_ours(format!("`trajectory` has no column `{name}`"))), Column::new)
    };
    let (id, frame, x, y) = (column("id")?, column("frame")?, column("x")?, column("y")?);
    let scale = known.unit.map_or(1.0, Unit::meters);
    let bytes = table.read_native_bytes().map_err(not_ours)?;
    let rows = bytes.chunks_exact(*size as usize).zip(1..).map(|(row, line)| {
        let (id, frame) = (id.whole(row, line)?, frame.whole(row, line)?);
        Ok(Row { id, frame, pos: vec2(x.number(row), y.number(row)) * scale, line })
    });
    let rows = rows.collect::<Result<Vec<_>, Error>>()?;
    let root = file.root_group().map_err(not_ours)?;
    let geometry = match root.attribute("wkt_geometry") {
        Ok(text) => Some(text.read_string().map_err(|e| not_ours(e).key("wkt_geometry"))?),
        Err(_) => None,
    };
    let shapes = geometry.map(|text| wkt::parse(&text).map_err(|e| e.key("wkt_geometry"))).transpose()?;
    Ok((Recording::of(fps, rows)?, shapes))
}

fn not_ours(why: impl std::fmt::Display) -> Error {
    Error::input(format!("this is not an HDF5 file of the Pedestrian Dynamics Data Archive: {why}"))
        .help("it needs the table `trajectory` with the columns id, frame, x, y, and its attribute `fps`")
}

/// A column of numbers in rows of bytes.
struct Column {
    name: String,
    at: usize,
    kind: Number,
}

/// The numbers that tables have, in the byte order of this machine.
enum Number {
    Whole { size: u8, signed: bool },
    Single,
    Double,
}

impl Column {
    fn new(field: &CompoundField) -> Result<Self, Error> {
        let kind = match field.datatype {
            Datatype::FixedPoint { size: size @ (1 | 2 | 4 | 8), signed, .. } => Number::Whole { size, signed },
            Datatype::FloatingPoint { size: 4, .. } => Number::Single,
            Datatype::FloatingPoint { size: 8, .. } => Number::Double,
            _ => return Err(not_ours(format!("the column `{}` holds no usual numbers", field.name))),
        };
        Ok(Self { name: field.name.clone(), at: field.byte_offset as usize, kind })
    }

    /// Its bytes in a row; a column that reaches beyond is a broken file, and reads as zeros.
    fn bytes<const N: usize>(&self, row: &[u8]) -> [u8; N] {
        row.get(self.at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
    }

    fn number(&self, row: &[u8]) -> f64 {
        match self.kind {
            Number::Single => f64::from(f32::from_ne_bytes(self.bytes(row))),
            Number::Double => f64::from_ne_bytes(self.bytes(row)),
            Number::Whole { .. } => self.integer(row).map_or(f64::NAN, |n| n as f64),
        }
    }

    fn integer(&self, row: &[u8]) -> Option<i64> {
        match self.kind {
            Number::Whole { size: 1, signed: true } => Some(i64::from(i8::from_ne_bytes(self.bytes(row)))),
            Number::Whole { size: 2, signed: true } => Some(i64::from(i16::from_ne_bytes(self.bytes(row)))),
            Number::Whole { size: 4, signed: true } => Some(i64::from(i32::from_ne_bytes(self.bytes(row)))),
            Number::Whole { size: _, signed: true } => Some(i64::from_ne_bytes(self.bytes(row))),
            Number::Whole { size: 1, signed: false } => Some(i64::from(u8::from_ne_bytes(self.bytes(row)))),
            Number::Whole { size: 2, signed: false } => Some(i64::from(u16::from_ne_bytes(self.bytes(row)))),
            Number::Whole { size: 4, signed: false } => Some(i64::from(u32::from_ne_bytes(self.bytes(row)))),
            Number::Whole { size: _, signed: false } => i64::try_from(u64::from_ne_bytes(self.bytes(row))).ok(),
            Number::Single | Number::Double => {
                let number = self.number(row);
                // Beyond 2^53 neighbors are not told apart.
                (number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0).then_some(number as i64)
            }
        }
    }

    fn whole(&self, row: &[u8], line: usize) -> Result<i64, Error> {
        let not_whole = || not_ours(format!("`{}` in row {line} is not a whole number", self.name));
        self.integer(row).ok_or_else(not_whole)
    }
}
