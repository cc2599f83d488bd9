//! Pages with crowds in them: one file each, which asks for nothing else, so that it works from a disk and without a network.
//!
//! A page holds recorded crowds, and where the program has it the simulator, with an experiment to simulate.

mod lab;
mod parts;

pub use lab::{Dial, Lab, Side};

use crate::evolve::experiment::Experiment;
use crate::replay::ReplayFile;
use crate::target::Target;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use parts::{CHARTS, CHARTS_STYLE, LAB, LAB_STYLE, PAGE_STYLE, PLAYER, PLAYER_STYLE, SCRIPTS, STYLE, WORKER};
use serde::Serialize;
use serde_json::Value;

/// What is wanted of a column, for the table below the crowd.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wish {
    /// Name in the file.
    pub name: String,
    /// Unit of the metric, or "".
    pub unit: String,
    /// In words; `None` for a measure.
    pub wanted: Option<String>,
}

impl Wish {
    /// Those of all columns of an experiment.
    pub fn all(experiment: &Experiment) -> Vec<Self> {
        let wish = |column: &Target| Self {
            name: column.name.clone(),
            unit: column.unit().to_string(),
            wanted: column.wanted.as_ref().map(|wanted| wanted.words(column.metric.make.unit)),
        };
        experiment.columns.iter().map(wish).collect()
    }
}

/// What a page shows.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Crowds<'a> {
    /// Recorded crowds, each file with its place.
    pub replays: Vec<&'a ReplayFile>,
    /// The columns of the recorded measurements.
    pub columns: Vec<Wish>,
    /// What can be simulated in the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lab: Option<Lab>,
    /// What the charts of the page draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charts: Option<Value>,
    /// A curve over the slider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Value>,
    /// A run whose best candidate the right crowd follows, as events of the page's own server tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follow: Option<String>,
}

/// A page that plays a recording.
pub fn replay(file: &ReplayFile) -> String {
    let title = if file.title.is_empty() { "Replay" } else { &file.title };
    play(title, &Crowds { replays: vec![file], ..Crowds::default() }, None, (&html! {}, &html! {}))
}

/// A page about its crowds: `before` stands above them, `about` below.
pub fn play(title: &str, crowds: &Crowds<'_>, simulator: Option<&[u8]>, (before, about): (&Markup, &Markup)) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(title))
            body {
                header { h1 { (title) } }
                main #report { (before) (crowd(crowds)) (about) }
                (scripts(crowds, simulator))
            }
        }
    }
    .into_string()
}

fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) }
            style { (PreEscaped(STYLE)) (PreEscaped(PAGE_STYLE)) (style()) }
        }
    }
}

/// Colors, which the style of a page may have otherwise.
pub(in crate::report) fn colors() -> Markup {
    html! { (PreEscaped(STYLE)) }
}

/// The style of crowds and charts, after that of the page around them.
pub(in crate::report) fn style() -> Markup {
    html! { (PreEscaped(PLAYER_STYLE)) (PreEscaped(LAB_STYLE)) (PreEscaped(CHARTS_STYLE)) }
}

/// The crowds, their clock and what can be changed.
pub(in crate::report) fn crowd(crowds: &Crowds<'_>) -> Markup {
    html! {
        @if crowds.replays.len() > 1 { p #recorded hidden { label { "Scenario " select {} } } }
        @if crowds.lab.is_some() || !crowds.replays.is_empty() { (PreEscaped(PLAYER)) }
        @if crowds.lab.is_some() { (PreEscaped(LAB)) }
        noscript { p { "The crowds on this page need JavaScript." } }
    }
}

/// What makes them move; the last thing of the page.
pub(in crate::report) fn scripts(crowds: &Crowds<'_>, simulator: Option<&[u8]>) -> Markup {
    let data = serde_json::to_string(crowds).expect("crowds have string keys only");
    html! {
        script #data type="application/json" { (PreEscaped(inert(&data))) }
        @if crowds.lab.is_some() {
            @if let Some(bytes) = simulator { script #wasm type="text/plain" { (base64(bytes)) } }
            script #worker type="text/plain" { (PreEscaped(WORKER)) }
        }
        @if crowds.charts.is_some() || crowds.curve.is_some() { script { (PreEscaped(CHARTS)) } }
        script { (PreEscaped(SCRIPTS)) }
    }
}

/// JSON that can stand inside a script element: no `<` survives.
pub(in crate::report) fn inert(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests;
