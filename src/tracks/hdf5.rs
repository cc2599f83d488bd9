//! HDF5 files of the Pedestrian Dynamics Data Archive (Juelich), as PedPy reads them: a table `trajectory` with the columns id, frame,
//! x, y and the attribute `fps`, and the attribute `wkt_geometry` of the file.

use crate::limits;
use crate::wkt::{self, Shapes};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_sim::crowd::recording::{Known, Recording, Row, Unit};
use hdf5_reader::{CompoundField, Datatype, H5Type, Hdf5File, OpenOptions};

/// The first bytes of every HDF5 file.
pub(super) const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Reads the table; meters unless a unit is given.
///
/// # Errors
/// If it is no such file, or the first mistake in it.
pub fn archive(bytes: Vec<u8>, known: &Known) -> Result<(Recording, Option<Shapes>), Error> {
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
    let bytes = table.read_raw_bytes().map_err(not_ours)?;
    let rows = bytes.chunks_exact(*size as usize).zip(1..).map(|(row, line)| {
        let pos = vec2(x.real(row, line)?, y.real(row, line)?) * scale;
        Ok(Row { id: id.whole(row, line)?, frame: frame.whole(row, line)?, pos, line })
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

/// Reads one number of a type in a file; `None` for any other type.
type Read<N> = fn(&[u8], &Datatype) -> Option<N>;

fn whole<T: H5Type + TryInto<i64>>(bytes: &[u8], kind: &Datatype) -> Option<i64> {
    T::from_bytes(bytes, kind).ok()?.try_into().ok()
}

fn real<T: H5Type + Into<f64>>(bytes: &[u8], kind: &Datatype) -> Option<f64> {
    T::from_bytes(bytes, kind).ok().map(Into::into)
}

const WHOLE: [Read<i64>; 8] =
    [whole::<i64>, whole::<i32>, whole::<i16>, whole::<i8>, whole::<u64>, whole::<u32>, whole::<u16>, whole::<u8>];
const REAL: [Read<f64>; 2] = [real::<f64>, real::<f32>];

/// A column of numbers.
struct Column<'f> {
    field: &'f CompoundField,
    numbers: Numbers,
}

enum Numbers {
    Whole(Read<i64>),
    Real(Read<f64>),
}

impl<'f> Column<'f> {
    fn new(field: &'f CompoundField) -> Result<Self, Error> {
        // The one that understands a zero.
        let zero = [0; 8];
        let whole = WHOLE.into_iter().find(|read| read(&zero, &field.datatype).is_some()).map(Numbers::Whole);
        let real = || REAL.into_iter().find(|read| read(&zero, &field.datatype).is_some()).map(Numbers::Real);
        let odd = || not_ours(format!("the column `{}` holds no usual numbers", field.name));
        Ok(Self { field, numbers: whole.or_else(real).ok_or_else(odd)? })
    }

    fn of<N>(&self, read: Read<N>, row: &[u8]) -> Option<N> {
        read(row.get(self.field.byte_offset as usize..)?, &self.field.datatype)
    }

    fn real(&self, row: &[u8], line: usize) -> Result<f64, Error> {
        let number = match self.numbers {
            Numbers::Whole(read) => self.of(read, row).map(|n| n as f64),
            Numbers::Real(read) => self.of(read, row),
        };
        number.ok_or_else(|| not_ours(format!("`{}` in row {line} is not a usual number", self.field.name)))
    }

    fn whole(&self, row: &[u8], line: usize) -> Result<i64, Error> {
        // Beyond 2^53 neighbors are not told apart.
        let is_whole = |n: &f64| n.fract() == 0.0 && n.abs() < 9_007_199_254_740_992.0;
        let number = match self.numbers {
            Numbers::Whole(read) => self.of(read, row),
            Numbers::Real(read) => self.of(read, row).filter(is_whole).map(|n| n as i64),
        };
        number.ok_or_else(|| not_ours(format!("`{}` in row {line} is not a whole number", self.field.name)))
    }
}
