//! A registered model with its constants, for programs that have no experiment file.

use super::{MODELS, MakeModel, ModelSetup, Part, fit_together, together};
use crate::crowd::{Start, Steering};
use crate::settings::{self, SettingValue};
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, List, Settings};

/// A registered model with its constants, the same for all groups.
#[derive(Clone, Debug)]
pub struct Model {
    entry: &'static Entry<MakeModel>,
    values: Vec<f64>,
}

impl Model {
    /// The built-in model of this name, such as `social_force`, with its published constants except for those in `set`.
    ///
    /// # Errors
    /// A name or key that is not registered, a value that its param does not accept; the message lists what is allowed.
    pub fn named(name: &str, set: &[(&str, &dyn SettingValue)]) -> Result<Self, Error> {
        Self::of(List::new("model", MODELS).get(name).map_err(|e| e.key("model"))?, set)
    }

    /// The model of an entry, which may be a program's own, with its defaults except for those in `set`.
    ///
    /// # Errors
    /// A key that the entry does not have, a value that its param does not accept; the message lists what is allowed.
    pub fn of(entry: &'static Entry<MakeModel>, set: &[(&str, &dyn SettingValue)]) -> Result<Self, Error> {
        Ok(Self { entry, values: settings::values(entry.params, set)? })
    }

    /// The model's default step, s.
    pub fn time_step_s(&self) -> f64 {
        self.entry.make.time_step_s
    }

    /// Makes the model of one run.
    ///
    /// # Errors
    /// What in the scenario the model cannot handle.
    pub fn make(&self, start: &Start) -> Result<Box<dyn Steering>, Error> {
        super::fits(self.entry, start.scenario())?;
        let groups = vec![Settings::new(self.entry.params, &self.values); start.scenario().groups.len()];
        Ok((self.entry.make.make)(&ModelSetup::new(start), &groups))
    }

    /// Makes the models of one run, one for each group of the scenario. Groups with one entry are steered together.
    ///
    /// # Errors
    /// What in the scenario a model cannot handle, or which two cannot meet.
    ///
    /// # Panics
    /// If there is not one model for each group: a program error.
    pub fn make_together(start: &Start, of_group: &[&Self]) -> Result<Box<dyn Steering>, Error> {
        assert_eq!(of_group.len(), start.scenario().groups.len(), "one model for each group");
        let mut entries: Vec<&'static Entry<MakeModel>> = Vec::new();
        let mut steered_by = Vec::new();
        for model in of_group {
            let known = entries.iter().position(|entry| entry.name == model.entry.name);
            steered_by.push(known.unwrap_or(entries.len()));
            if known.is_none() {
                entries.push(model.entry);
            }
        }
        fit_together(&entries, &steered_by, start.scenario())?;
        let part = |(at, &entry): (usize, &&'static Entry<MakeModel>)| {
            let first = steered_by.iter().position(|&by| by == at).unwrap_or(0);
            let own = |group: usize| {
                let of = of_group[if steered_by[group] == at { group } else { first }];
                Settings::new(entry.params, &of.values)
            };
            Part { model: entry, settings: (0..of_group.len()).map(own).collect() }
        };
        let parts: Vec<Part<'_>> = entries.iter().enumerate().map(part).collect();
        Ok(together(&ModelSetup::new(start), &parts, &steered_by))
    }
}
