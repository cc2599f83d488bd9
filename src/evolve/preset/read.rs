//! Reading a preset: every mistake is named with its line, and no bytes can make it panic.

use crate::evolve::codec;
use crate::evolve::config::item::Item;
use crate::preset::{FORMAT, Preset, Quantities, Quantity};
use crowdtune_core::registry::{Entry, List, Param};
use crowdtune_core::{Error, suggest};
use crowdtune_sim::crowd::people::{Distribution, TRAITS};
use crowdtune_sim::models::{MakeModel, max_time_step_s};
use serde::Deserialize;

impl Preset {
    /// Reads a preset for one of `models`; `file` is only named in errors.
    ///
    /// # Errors
    /// If it is not JSON of this format, names a model, constant or trait that is not registered, or has a value or
    /// unit that the registry does not accept.
    pub fn parse(bytes: &[u8], file: &str, models: &List<MakeModel>) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let broken = |e: serde_json::Error| {
            let text = e.to_string();
            let text = text.split(" at line ").next().unwrap_or_default();
            Error::input(format!("not a preset: {text}"))
                .file(file)
                .line(e.line().max(1))
                .help("a preset is best.json of a run folder")
        };
        let place = |error: Error, key: &str| {
            let error = error.key(key).file(file);
            match line_of(bytes, key.rsplit('.').next().unwrap_or(key)) {
                Some(line) => error.line(line),
                None => error,
            }
        };
        let version: Version = serde_json::from_slice(bytes).map_err(broken)?;
        if version.format != FORMAT {
            let error = Error::input(format!("the preset has format {}", version.format)).allowed(FORMAT.to_string());
            return Err(place(error.help("read it with the version of crowdtune that wrote it"), "format"));
        }
        let preset: Self = serde_json::from_slice(bytes).map_err(broken)?;
        let model = preset.entry(models).map_err(|e| place(e, "model"))?;
        let all = preset.entries(models).map_err(|e| place(e, "models"))?;
        check_step(&all, preset.time_step_s).map_err(|e| place(e, "time_step_s"))?;
        let check = |table: &str, params: &[Param], quantities: &Quantities| {
            quantities.iter().try_for_each(|(key, quantity)| {
                let path = format!("{table}.{key}");
                let read = |param| match table {
                    "people" => quantity.distribution(param, &path).map(|_| ()),
                    _ => quantity.number(param, &path).map(|_| ()),
                };
                lookup(params, key, quantity).and_then(read).map_err(|e| place(e, &path))
            })
        };
        check("parameters", model.params, &preset.parameters)?;
        check("people", TRAITS, &preset.people)?;
        for other in &all[1..] {
            check(&format!("models.{}", other.name), other.params, &preset.models[other.name])?;
        }
        for (name, own) in &preset.groups {
            let steered_by = match &own.model {
                None => model,
                Some(named) => all.iter().find(|m| m.name == named.as_str()).ok_or_else(|| {
                    let key = format!("groups.{name}.model");
                    let error =
                        Error::input(format!("the group `{name}` is steered by `{named}`, which `models` has not"));
                    place(error.help("the preset is not as crowdtune wrote it: write it again"), &key)
                })?,
            };
            check("parameters", steered_by.params, &own.parameters)?;
            check("people", TRAITS, &own.people)?;
        }
        Ok(preset)
    }

    /// Its model, one of `models`.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn entry(&self, models: &List<MakeModel>) -> Result<&'static Entry<MakeModel>, Error> {
        models.get(&self.model)
    }

    /// Its models, each one of `models`: the first steers the groups that name none.
    ///
    /// # Errors
    /// If one is none of them.
    pub fn entries(&self, models: &List<MakeModel>) -> Result<Vec<&'static Entry<MakeModel>>, Error> {
        let others = self.models.keys().filter(|name| **name != self.model);
        [self.entry(models)].into_iter().chain(others.map(|name| models.get(name))).collect()
    }
}

/// The line on which a key stands first, counted from 1.
fn line_of(bytes: &[u8], key: &str) -> Option<usize> {
    let text = std::str::from_utf8(bytes).ok()?;
    let at = text.find(&format!("\"{key}\""))?;
    Some(text[..at].matches('\n').count() + 1)
}

fn check_step(models: &[&'static Entry<MakeModel>], step: f64) -> Result<(), Error> {
    let max = max_time_step_s(models.iter().copied());
    if step > 0.0 && step <= max {
        return Ok(());
    }
    let names: Vec<&str> = models.iter().map(|m| m.name).collect();
    Err(Error::input(format!("time_step_s is {step}"))
        .allowed(format!("above 0, up to {max} s for {}", names.join(" and "))))
}

fn lookup<'a>(params: &'a [Param], key: &str, quantity: &Quantity) -> Result<&'a Param, Error> {
    let Some(param) = params.iter().find(|p| p.key == key) else {
        let keys: Vec<&str> = params.iter().map(|p| p.key).collect();
        let error = suggest::near(Error::input(format!("nothing is called `{key}` here")), key, &keys);
        return Err(error.help("`crowdtune list models` shows all keys"));
    };
    if quantity.unit != param.unit {
        return Err(Error::input(format!("the unit of {key} is `{}`", quantity.unit))
            .allowed(format!("`{}`", param.unit))
            .help("convert the value"));
    }
    Ok(param)
}

impl Quantity {
    /// The value of a constant as it is stored; `path` is its dotted key, for messages.
    ///
    /// # Errors
    /// If it is of the wrong type or out of range.
    pub fn number(&self, param: &Param, path: &str) -> Result<f64, Error> {
        codec::stored(&Item::part("", path.into(), &codec::tree(&self.value)), param)
    }

    /// The value of a trait of people, in the words of an experiment file; `path` is its dotted key, for messages.
    ///
    /// # Errors
    /// If it is not a number or distribution, or out of range.
    pub fn distribution(&self, param: &Param, path: &str) -> Result<Distribution, Error> {
        codec::distribution(&Item::part("", path.into(), &codec::tree(&self.value)), param)
    }
}
