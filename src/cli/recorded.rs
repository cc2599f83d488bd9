//! What commands on recorded tracks ask alike: how to read them, and where people can be.

use crate::tracks;
use crate::wkt::Shapes;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_sim::crowd::recording::{Known, Recording, Unit};
use crowdtune_sim::world::scenario::FloorPlan;
use std::path::Path;

/// How recorded tracks are read.
#[derive(Debug, ClapArgs)]
pub(super) struct Reading {
    /// Where people can be: a POLYGON as well-known text, or a file that holds one [default: that of a sqlite or HDF5 file]
    #[arg(long, value_name = "FILE|WKT")]
    geometry: Option<String>,
    /// Frames per second of the frame numbers
    #[arg(long, value_name = "N")]
    fps: Option<f64>,
    /// Unit of the coordinates
    #[arg(long, value_name = "m|cm", value_parser = unit)]
    unit: Option<Unit>,
    /// Names of the columns, for example frame,id,x,_,y
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    /// First and last frame that count; either may be left out (`200:`)
    #[arg(long, value_name = "A:B", value_parser = frames, allow_hyphen_values = true)]
    frames: Option<(i64, i64)>,
    /// Axes that are closed to a ring, over the extent of the geometry
    #[arg(long, value_name = "x|y|xy", value_parser = ["x", "y", "xy"])]
    pub periodic: Option<String>,
}

impl Reading {
    /// Refuses numbers that mean nothing, before anything is read.
    ///
    /// # Errors
    /// With the option.
    pub(super) fn check(&self) -> Result<(), Error> {
        above_zero("--fps", self.fps)
    }

    /// Reads a recording, and the geometry that is given or comes with it.
    ///
    /// # Errors
    /// The first mistake in either.
    pub(super) fn read(&self, path: &Path) -> Result<(Recording, Option<Shapes>), Error> {
        let known = Known { fps: self.fps, unit: self.unit, columns: self.columns.clone() };
        let (mut recording, shapes) = tracks::read(path, &known)?;
        let shapes = match &self.geometry {
            Some(given) => Some(tracks::geometry(given)?),
            None => shapes,
        };
        if let Some((first, last)) = self.frames {
            recording.keep(first, last);
        }
        Ok((recording, shapes))
    }

    /// The place, and what is odd about the tracks in it, which is said on stderr.
    ///
    /// # Errors
    /// If the shapes make no place, or these are no tracks of people.
    pub(super) fn place(
        &self,
        path: &Path,
        recording: &Recording,
        shapes: Shapes,
    ) -> Result<(FloorPlan, Vec<String>), Error> {
        let plan = tracks::plan(recording, shapes, self.periodic.as_deref())?;
        let odd = recording.oddities(|a, b| plan.periodic.apart(a, b)).map_err(|e| tracks::located(e, path))?;
        for what in &odd {
            super::output::say(format_args!("warning: {}: {what}", path.display()));
        }
        Ok((plan, odd))
    }
}

/// Refuses what is no number above 0.
///
/// # Errors
/// With the option.
pub(super) fn above_zero(option: &str, value: Option<f64>) -> Result<(), Error> {
    match value.filter(|x| !(x.is_finite() && *x > 0.0)) {
        Some(x) => Err(Error::input(format!("{x} is not a number above 0")).key(option)),
        None => Ok(()),
    }
}

fn unit(text: &str) -> Result<Unit, String> {
    match text {
        "m" => Ok(Unit::M),
        "cm" => Ok(Unit::Cm),
        _ => Err("expected m or cm".into()),
    }
}

fn frames(text: &str) -> Result<(i64, i64), String> {
    let end = |part: &str, open: i64| if part.trim().is_empty() { Some(open) } else { part.trim().parse().ok() };
    match text.split_once(':').map(|(a, b)| (end(a, i64::MIN), end(b, i64::MAX))) {
        Some((Some(a), Some(b))) if a <= b => Ok((a, b)),
        _ => Err("expected FIRST:LAST, for example 200:800, 200: or :800".into()),
    }
}
