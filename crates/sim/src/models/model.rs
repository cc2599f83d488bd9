//! A registered model with its constants, for programs that have no experiment file.

use super::{MODELS, MakeModel, ModelSetup};
use crate::crowd::{Start, Steering};
use crate::settings;
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Settings};

/// A registered model with its constants, the same for all groups.
#[derive(Clone, Debug)]
pub struct Model {
    entry: &'static Entry<MakeModel>,
    values: Vec<f64>,
}

impl Model {
    /// The model of this name, such as `social_force`, with its published constants except for those in `set`: numbers as
    /// they are, switches as 1 and 0, choices as their index.
    ///
    /// # Errors
    /// A name or key that is not registered, a value out of its range; the message lists what is allowed.
    pub fn named(name: &str, set: &[(&str, f64)]) -> Result<Self, Error> {
        let Some(entry) = MODELS.iter().find(|entry| entry.name == name) else {
            let names: Vec<_> = MODELS.iter().map(|entry| entry.name).collect();
            return Err(Error::input(format!("there is no model `{name}`")).key("model").allowed(names.join(", ")));
        };
        Ok(Self { entry, values: settings::values(entry.params, set)? })
    }

    /// The step that the model is meant for, s.
    pub fn time_step_s(&self) -> f64 {
        self.entry.make.time_step_s
    }

    /// Makes the model of one run.
    ///
    /// # Errors
    /// What of the scenario the model has no answer to.
    pub fn make(&self, start: &Start) -> Result<Box<dyn Steering>, Error> {
        (self.entry.make.fits)(start.scenario())?;
        let groups = vec![Settings::new(self.entry.params, &self.values); start.scenario().groups.len()];
        Ok((self.entry.make.make)(&ModelSetup::new(start, &groups)))
    }
}
