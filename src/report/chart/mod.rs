//! A thin chart layer over plotters: what all plots have in common, so that a plot only says what it shows.
//!
//! From the outside in: a [`Sheet`] is a whole picture with title and legend; a [`Graph`] is a sheet with one [`Panel`]; a
//! panel places values on two [`Axis`]es; a [`Strip`] on one. Everything is drawn on a [`Canvas`] as [`Stroke`]s,
//! [`Fill`]s, [`Symbol`]s and texts in a [`Font`]; the same strokes and symbols go into the [`Legend`]. Only
//! `canvas.rs` and `style.rs` know plotters.

mod axis;
mod canvas;
mod labels;
mod legend;
mod marks;
mod panel;
mod sheet;
pub(super) mod style;
mod text;

pub(super) use axis::{Axis, Scale, Ticks, scale_for};
pub(super) use canvas::{Canvas, Point, over};
pub(super) use labels::{Labels, Rect};
pub(super) use legend::{Key, Legend};
pub(super) use marks::{Fill, Stroke, Symbol};
pub(super) use panel::{Panel, Strip, rule, steps};
pub(super) use sheet::{Graph, SIDE, Sheet, WIDTH};
pub(super) use text::{Anchor, Font, escape};
