//! The lines of a recorded text: comments, column names, rows.

use super::recording::{Known, Row, Unit};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;

/// The fields of one line.
pub(super) struct Separated<'a>(Vec<&'a str>);

impl<'a> Separated<'a> {
    /// Splits at commas, semicolons or blanks. Successive blanks count once; successive commas have an empty field
    /// between them.
    pub fn new(line: &'a str) -> Self {
        match line.find([',', ';']) {
            Some(at) => Self(line.split(char::from(line.as_bytes()[at])).map(str::trim).collect()),
            None => Self(line.split_whitespace().collect()),
        }
    }

    /// True if the line starts with a letter, so that it holds column names.
    pub fn first_is_word(&self) -> bool {
        self.0.first().is_some_and(|w| w.starts_with(|c: char| c.is_alphabetic()) && w.parse::<f64>().is_err())
    }
}

/// The positions of the columns, and what the comments said.
pub(super) struct Layout {
    fps: Option<f64>,
    unit: Option<Unit>,
    /// Indices of id, frame, x, y.
    at: [usize; 4],
    /// True if the user named the columns.
    fixed: bool,
}

const NAMES: [&str; 4] = ["id", "frame", "x", "y"];

impl Layout {
    /// The layout before the first line.
    pub fn new(known: &Known) -> Result<Self, Error> {
        let fixed = known.columns.is_some();
        let at = match &known.columns {
            Some(names) => {
                columns(names.iter().map(String::as_str)).map_err(|e| e.key("--columns").help("give id,frame,x,y"))?
            }
            None => [0, 1, 2, 3],
        };
        Ok(Self { fps: known.fps, unit: known.unit, at, fixed })
    }

    /// Reads a comment; the first one that gives a value counts.
    pub fn comment(&mut self, text: &str) {
        let text = text.to_lowercase();
        if let Some((_, rest)) = text.split_once("framerate:").or_else(|| text.split_once("frame rate:")) {
            let number = rest.trim_start().split(|c: char| c.is_whitespace() || c == 'f').next();
            self.fps = self.fps.or_else(|| number.and_then(|n| n.parse().ok()));
        }
        self.unit = self.unit.or_else(|| unit(&text));
    }

    /// Reads the column names.
    pub fn head(&mut self, words: &Separated<'_>) -> Result<(), Error> {
        if !self.fixed {
            self.at = columns(words.0.iter().copied())
                .map_err(|e| e.help("name the columns with --columns, for example --columns id,frame,x,y"))?;
            self.unit = self.unit.or_else(|| words.0.iter().find_map(|w| unit(&w.to_lowercase())));
        }
        Ok(())
    }

    /// Reads a row, in the unit of the file.
    pub fn row(&self, words: &Separated<'_>, line: usize) -> Result<Row, Error> {
        let number = |k: usize| {
            let Some(word) = words.0.get(self.at[k]) else {
                let has = words.0.len();
                return Err(Error::input(format!("a row with {has} columns has no {}", NAMES[k])).help(ROWS));
            };
            let value = word.parse::<f64>().ok().filter(|x| x.is_finite());
            value.ok_or_else(|| Error::input(format!("`{word}` is not a number for {}", NAMES[k])).help(ROWS))
        };
        let whole = |k: usize| {
            let x = number(k)?;
            // 2^53: above it floats are not exact integers.
            if x.fract() == 0.0 && x.abs() < 9_007_199_254_740_992.0 {
                return Ok(x as i64);
            }
            Err(Error::input(format!("{x} is not a whole number for {}", NAMES[k])).help(ROWS))
        };
        Ok(Row { id: whole(0)?, frame: whole(1)?, pos: vec2(number(2)?, number(3)?), line })
    }

    /// Frame rate and unit, after the last line.
    pub fn scale(&self) -> Result<(f64, Unit), Error> {
        let missing =
            |what: &str, key: &str, help: &str| Error::input(what.to_string()).key(key).help(help.to_string());
        let fps = self.fps.ok_or_else(|| {
            missing("the file does not say how many frames a second has", "--fps", "give it, for example --fps 25")
        })?;
        let unit = self.unit.ok_or_else(|| {
            missing("the file does not say the unit of its coordinates", "--unit", "give --unit m or --unit cm")
        })?;
        Ok((fps, unit))
    }
}

const ROWS: &str = "rows are `id frame x y`, in other orders with --columns; comments start with #";

/// Indices of id, frame, x, y among names such as `ID`, `Frame`, `x/cm`.
fn columns<'a>(names: impl Iterator<Item = &'a str>) -> Result<[usize; 4], Error> {
    let names: Vec<String> = names
        .map(|n| {
            let name = n.to_lowercase();
            name.split(['/', '[', '(']).next().unwrap_or_default().trim().to_owned()
        })
        .collect();
    let mut at = [0; 4];
    for (slot, name) in at.iter_mut().zip(NAMES) {
        let other = if name == "frame" { "fr" } else { name };
        *slot = names
            .iter()
            .position(|n| n == name || n == other)
            .ok_or_else(|| Error::input(format!("no column is called `{name}`")).allowed(names.join(", ")))?;
    }
    Ok(at)
}

/// The unit given by a comment in lower case: `x/cm`, `x[cm]`, `in m`, `in meters`.
fn unit(text: &str) -> Option<Unit> {
    ["x/", "in ", "x[", "x ["].iter().find_map(|lead| {
        text.match_indices(lead).find_map(|(at, _)| {
            let rest = &text[at + lead.len()..];
            let word = rest.split(|c: char| !c.is_alphabetic() && c != '/').next().unwrap_or_default();
            // `x/y/z in m` names the axes first.
            match word.split('/').next().unwrap_or_default() {
                "m" | "meter" | "meters" | "metre" | "metres" => Some(Unit::M),
                "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => Some(Unit::Cm),
                _ => None,
            }
        })
    })
}
