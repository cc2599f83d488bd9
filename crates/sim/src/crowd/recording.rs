//! Recorded tracks of people, read from text in the format of PedPy.

use super::recording_text::{Layout, Separated};
use crate::world::geometry::check_point;
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use std::collections::BTreeMap;

/// The positions in one frame of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// Frame number, as in the file.
    pub frame: i64,
    /// Ids of the people present, from 0 in the order of the file's ids; ascending.
    pub ids: Vec<u32>,
    /// Their positions in the same order, m.
    pub positions: Vec<Vec2>,
}

/// Recorded tracks. Frames that are not in the file were not recorded; a person may be missing in some frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Frames per second: frame `f` is at `f / fps` seconds, even if the file has only every tenth frame.
    pub fps: f64,
    /// The frames, ascending; each with at least one person.
    pub moments: Vec<Moment>,
    /// Ids of the people in the file: `names[id]`, ascending.
    pub names: Vec<i64>,
}

/// One row of a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Id in the file.
    pub id: i64,
    /// Frame.
    pub frame: i64,
    /// Position, m.
    pub pos: Vec2,
    /// Line of the file, from 1.
    pub line: usize,
}

/// The unit of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Meters.
    M,
    /// Centimeters.
    Cm,
}

impl Unit {
    /// Meters in one.
    pub fn meters(self) -> f64 {
        match self {
            Self::M => 1.0,
            Self::Cm => 0.01,
        }
    }
}

/// What the user knows about a text; it overrides what the text says. Errors have these names as keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// Frames per second.
    pub fps: Option<f64>,
    /// Unit of the coordinates.
    pub unit: Option<Unit>,
    /// Names of the columns; columns other than `id`, `frame`, `x` and `y` are skipped.
    pub columns: Option<Vec<String>>,
}

impl Recording {
    /// Reads rows of `id frame x y`; further columns are skipped. Columns are separated by blanks, tabs, commas or
    /// semicolons, and a first line of words names them. Comments start with `#` and may give `framerate: 25 fps` and
    /// the unit (`x/cm`, `in m`).
    ///
    /// # Errors
    /// A row that is too short or has something other than numbers, or a person twice in a frame, with the line; a text
    /// without rows, frame rate or unit.
    pub fn parse(text: &str, file: &str, known: &Known) -> Result<Self, Error> {
        let mut layout = Layout::new(known).map_err(|e| e.file(file))?;
        let mut rows = Vec::new();
        let mut first = true;
        for (line, content) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let content = content.trim();
            if let Some(comment) = content.strip_prefix('#') {
                layout.comment(comment);
            } else if !content.is_empty() {
                let words = Separated::new(content);
                let is_head = std::mem::take(&mut first) && words.first_is_word();
                let read = if is_head { layout.head(&words) } else { layout.row(&words, line).map(|r| rows.push(r)) };
                read.map_err(|e| e.file(file).line(line))?;
            }
        }
        let (fps, unit) = layout.scale().map_err(|e| e.file(file))?;
        for row in &mut rows {
            row.pos = row.pos * unit.meters();
        }
        Self::of(fps, rows).map_err(|e| e.file(file))
    }

    /// Sorts rows, in any order, into frames.
    ///
    /// # Errors
    /// No rows, a frame rate that is not above 0, a person twice in a frame, coordinates that are not finite or
    /// beyond 1000 km.
    pub fn of(fps: f64, mut rows: Vec<Row>) -> Result<Self, Error> {
        if !(fps.is_finite() && fps > 0.0) {
            return Err(Error::input(format!("{fps} frames per second")).key("fps").allowed("a number above 0"));
        }
        if rows.is_empty() {
            return Err(Error::input("the file has no rows").help("rows are `id frame x y`, one person a row"));
        }
        let mut names: Vec<i64> = rows.iter().map(|r| r.id).collect();
        names.sort_unstable();
        names.dedup();
        rows.sort_by_key(|r| (r.frame, r.id, r.line));
        if let Some(pair) = rows.windows(2).find(|p| (p[0].frame, p[0].id) == (p[1].frame, p[1].id)) {
            let what = format!("person {} is twice in frame {}", pair[1].id, pair[1].frame);
            return Err(Error::input(what).line(pair[1].line).help(format!("line {} has it first", pair[0].line)));
        }
        let dense: BTreeMap<i64, u32> = names.iter().copied().zip(0..).collect();
        let mut moments: Vec<Moment> = Vec::new();
        for row in &rows {
            check_point(row.pos).map_err(|e| e.line(row.line))?;
            if moments.last().is_none_or(|m| m.frame != row.frame) {
                moments.push(Moment { frame: row.frame, ..Moment::default() });
            }
            let moment = moments.last_mut().expect("one was just put in");
            moment.ids.push(dense[&row.id]);
            moment.positions.push(row.pos);
        }
        Ok(Self { fps, moments, names })
    }

    /// Time of a frame, s.
    pub fn time_s(&self, frame: i64) -> f64 {
        frame as f64 / self.fps
    }

    /// Number of people.
    pub fn people(&self) -> usize {
        self.names.len()
    }

    /// The rows of each person by id, with frames counted from the first one.
    ///
    /// # Errors
    /// If the frame numbers are further apart than 32 bits can count.
    pub fn rows(&self) -> Result<Vec<Vec<(u32, Vec2)>>, Error> {
        let mut rows = vec![Vec::new(); self.people()];
        let first = self.moments.first().map_or(0, |m| m.frame);
        for moment in &self.moments {
            let since = moment.frame.checked_sub(first).and_then(|frame| u32::try_from(frame).ok());
            let frame = since.ok_or_else(|| {
                Error::input(format!("frames from {first} to {} are more than 4294967295", moment.frame))
            })?;
            for (&id, &pos) in moment.ids.iter().zip(&moment.positions) {
                rows[id as usize].push((frame, pos));
            }
        }
        Ok(rows)
    }

    /// Smallest difference between frame numbers: 10 if the file has every tenth frame; 1 for a single frame.
    pub fn stride(&self) -> i64 {
        self.moments.windows(2).map(|m| m[1].frame - m[0].frame).min().unwrap_or(1)
    }

    /// Keeps the frames from `first` to `last`, both included; ids stay the same.
    pub fn keep(&mut self, first: i64, last: i64) {
        self.moments.retain(|m| (first..=last).contains(&m.frame));
    }

    /// Without people who have no row in the frames that were kept; ids are new where there are such.
    pub fn forget_absent(&mut self) {
        let mut new: Vec<Option<u32>> = vec![None; self.people()];
        for moment in &self.moments {
            moment.ids.iter().for_each(|&id| new[id as usize] = Some(0));
        }
        (0..).zip(new.iter_mut().flatten()).for_each(|(id, new)| *new = id);
        let named = std::mem::take(&mut self.names).into_iter().zip(&new);
        self.names = named.filter(|(_, new)| new.is_some()).map(|(name, _)| name).collect();
        for id in self.moments.iter_mut().flat_map(|moment| &mut moment.ids) {
            *id = new[*id as usize].expect("whoever has a row is there");
        }
    }
}

#[cfg(test)]
#[path = "recording_tests.rs"]
mod tests;
