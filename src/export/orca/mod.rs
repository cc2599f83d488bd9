//! What exporters for tools with ORCA share: which presets they take, what such a tool cannot say, and crowdtune's own run of the people
//! of a place, so that anybody can see how far the tool is from it.

pub mod rust;

use super::place::{Beyond, Says};
use super::{ExportInput, Placed};
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Settings};
use crowdtune_sim::crowd::{Sim, Start};
use crowdtune_sim::models::{MakeModel, ModelSetup};

/// The only model that such a tool has.
pub const MODEL: &str = "orca";

/// What is allowed instead of what can never be said, and of what can be left out.
pub const ALLOWED: (&str, &str) = (
    "an open place on flat ground, people who are there at the start",
    "straight ways to goals that are seen from everywhere",
);

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

/// What exports whose own code finds the way to goals say of a place.
pub fn says(what: Beyond) -> Says {
    match what {
        Beyond::Rounds | Beyond::Heading | Beyond::Gathering | Beyond::GivingWay => Says::Kept,
        Beyond::Field => Says::Instead("they walk straight to their goals"),
        Beyond::Sight => Says::Instead("they see all goals"),
        Beyond::Ring
        | Beyond::Heights
        | Beyond::Tracks
        | Beyond::Inflow
        | Beyond::Flight
        | Beyond::Catching
        | Beyond::Following => Says::Never,
    }
}

/// crowdtune's run of the people of a place, without the random push, as PedPy reads it.
///
/// # Errors
/// If the run fails.
pub fn ours(place: &Placed<'_>, start: Start, model: &'static Entry<MakeModel>) -> Result<String, Error> {
    let push = model.params.iter().position(|param| param.key == "push_m_per_s");
    let mut constants = place.constants.clone();
    constants.iter_mut().for_each(|values| push.into_iter().for_each(|at| values[at] = 0.0));
    let settings: Vec<Settings<'_>> = constants.iter().map(|values| Settings::new(model.params, values)).collect();
    let steering = (model.make.make)(&ModelSetup::new(&start), &settings);
    let every_s = start.setup().time_step_s;
    let mut sim = Sim::new(start, steering);
    sim.record(every_s);
    sim.run(&mut |_, _, _| {})?;
    Ok(sim.take_recording().map_or_else(String::new, |track| track.pedpy()))
}
