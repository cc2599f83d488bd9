//! Heights as text: the ASCII grid of ESRI.

use super::relief::HeightGrid;
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};

/// Most cells. Chosen here: 2000 by 2000, 64 MB.
pub const MOST_CELLS: usize = 4_000_000;

/// Header of a grid; keys in any case, in any order.
#[derive(Default)]
struct Header {
    columns: Option<f64>,
    rows: Option<f64>,
    corner: [Option<f64>; 2],
    center: [Option<f64>; 2],
    cell: Option<f64>,
    hole: Option<f64>,
}

impl Header {
    /// Takes a line in; false if it begins with a number, so that the heights begin there.
    fn take(&mut self, line: &str, number: usize) -> Result<bool, Error> {
        let mut words = line.split_whitespace();
        let Some(key) = words.next() else { return Ok(true) };
        if key.parse::<f64>().is_ok() {
            return Ok(false);
        }
        let place = match key.to_ascii_lowercase().as_str() {
            "ncols" => &mut self.columns,
            "nrows" => &mut self.rows,
            "xllcorner" => &mut self.corner[0],
            "yllcorner" => &mut self.corner[1],
            "xllcenter" => &mut self.center[0],
            "yllcenter" => &mut self.center[1],
            "cellsize" => &mut self.cell,
            "nodata_value" => &mut self.hole,
            _ => return Err(wrong(number, format!("`{key}` is no key of an ASCII grid"))),
        };
        let value = words.next().and_then(|word| word.parse().ok()).filter(|v: &f64| v.is_finite());
        *place = Some(value.ok_or_else(|| wrong(number, format!("`{key}` has no number")))?);
        Ok(true)
    }

    /// Columns, rows, and the center of the cell in the south west.
    fn finish(&self) -> Result<([usize; 2], Vec2, f64), Error> {
        let need = |value: Option<f64>, key: &str| {
            value.ok_or_else(|| Error::input(format!("the heights have no `{key}`")).help(LOOKS))
        };
        let count = |value: Option<f64>, key: &str| {
            let count = need(value, key)?;
            if !(count >= 2.0 && count <= MOST_CELLS as f64 && count.fract() == 0.0) {
                return Err(Error::input(format!("`{key}` is {count}")).allowed("a whole number, at least 2"));
            }
            Ok(count as usize)
        };
        let (columns, rows) = (count(self.columns, "ncols")?, count(self.rows, "nrows")?);
        if columns.saturating_mul(rows) > MOST_CELLS {
            return Err(Error::input(format!("the heights have {columns} x {rows} cells"))
                .allowed(format!("at most {MOST_CELLS}"))
                .help("cut the place out, or take larger cells"));
        }
        let cell = need(self.cell, "cellsize")?;
        if cell <= 0.0 {
            return Err(Error::input(format!("`cellsize` is {cell}")).allowed("a number above 0"));
        }
        let first = |axis: usize, name: &str| match (self.center[axis], self.corner[axis]) {
            (Some(center), _) => Ok(center),
            (None, corner) => Ok(need(corner, name)? + 0.5 * cell),
        };
        Ok(([columns, rows], vec2(first(0, "xllcorner")?, first(1, "yllcorner")?), cell))
    }
}

const LOOKS: &str = "an ASCII grid begins with ncols, nrows, xllcorner, yllcorner, cellsize and NODATA_value, then has rows from north to south";

fn wrong(line: usize, what: String) -> Error {
    Error::input(format!("line {line}: {what}")).help(LOOKS)
}

impl HeightGrid {
    /// Reads an ASCII grid of ESRI. Lengths and heights are in meters after division by `per_meter`, the number of the
    /// file's units in a meter. With an `origin`, m, the south-west corner of the grid lies there, whatever the file says.
    ///
    /// # Errors
    /// No such grid: unknown keys, missing or wrong numbers, too many or too few heights.
    pub fn parse(text: &str, per_meter: f64, origin: Option<Vec2>) -> Result<Self, Error> {
        let mut header = Header::default();
        let mut lines = (1..).zip(text.lines()).peekable();
        while let Some(&(number, line)) = lines.peek() {
            if !header.take(line, number)? {
                break;
            }
            lines.next();
        }
        let ([columns, rows], first, cell) = header.finish()?;
        let wanted = columns * rows;
        let mut from_north = Vec::with_capacity(wanted.min(text.len()));
        for (number, line) in lines {
            for word in line.split_whitespace() {
                let value: f64 = word.parse().map_err(|_| wrong(number, format!("`{word}` is no height")))?;
                // Programs write holes as the value of the header, or as nan.
                let hole = value.is_nan() || header.hole == Some(value);
                if !hole && !value.is_finite() {
                    return Err(wrong(number, format!("`{word}` is no height")));
                }
                from_north.push((!hole).then_some(value / per_meter));
            }
            if from_north.len() > wanted {
                break;
            }
        }
        if from_north.len() != wanted {
            let has = if from_north.len() > wanted { "more than that".into() } else { from_north.len().to_string() };
            return Err(
                Error::input(format!("{columns} x {rows} cells have {wanted} heights, the file has {has}")).help(LOOKS)
            );
        }
        let cell_m = cell / per_meter;
        let first = origin.map_or(first / per_meter, |corner| corner + vec2(cell_m, cell_m) * 0.5);
        let heights = from_north.chunks(columns).rev().flatten().copied().collect();
        Ok(Self { first, cell_m, columns, heights })
    }
}
