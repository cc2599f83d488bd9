//! What exporters for tools with ORCA share: which presets they take, and what such a tool cannot say.

pub mod rust;

use super::place;
use super::{ExportInput, Placed};
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Settings};
use crowdtune_sim::models::MakeModel;

/// The only model that such a tool has.
pub const MODEL: &str = "orca";

/// The model of a preset that a tool with ORCA can take.
///
/// # Errors
/// If it is another one, or one of several.
pub fn only(input: &ExportInput<'_>, tool: &str) -> Result<&'static Entry<MakeModel>, Error> {
    match input.models[..] {
        [model] if model.name == MODEL => Ok(model),
        _ => {
            let names: Vec<&str> = input.models.iter().map(|model| model.name).collect();
            Err(Error::input(format!("{tool} has no model like `{}`", names.join("` with `")))
                .key("model")
                .allowed(MODEL)
                .help("the exporters `json` and `csv` take every model"))
        }
    }
}

/// The constant of the random push: off in the run that stands beside that of a tool, which draws other numbers.
pub const PUSH: &str = "push_m_per_s";

/// What happens where a tool has no shares of the avoidance.
pub const HALF: &str = "everybody takes half of the avoidance";

/// That groups share the avoidance unequally, if they do, for a tool in which everybody takes half.
///
/// # Errors
/// If that may not be left out.
pub fn unequal(
    input: &ExportInput<'_>,
    placed: &Placed<'_>,
    model: &Entry<MakeModel>,
) -> Result<Option<String>, Error> {
    let of = |values: &Vec<f64>| Settings::new(model.params, values).get("responsibility");
    let shares: Vec<f64> = placed.constants.iter().map(of).collect();
    // A pair shares by the ratio of the two responsibilities.
    let other = shares.iter().find(|share| **share != shares[0] || **share == 0.0);
    let words = other.map(|other| format!("groups share the avoidance as {} to {other}", shares[0]));
    let allowed = "the same `responsibility` above 0 for all groups";
    words.map(|words| place::lose(input, placed, &words, HALF, allowed)).transpose()
}
