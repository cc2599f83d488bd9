//! Reading a preset: every mistake is named with its line, and no bytes can make it panic.

use super::{FORMAT, Preset, Quantities, Quantity};
use crowdtune_core::registry::{Entry, Kind, List, Param};
use crowdtune_core::{Error, suggest};
use crowdtune_sim::crowd::people::{Distribution, Family, TRAITS};
use crowdtune_sim::models::MakeModel;
use serde::Deserialize;
use serde_json::Value;

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
        check_step(model, preset.time_step_s).map_err(|e| place(e, "time_step_s"))?;
        let check = |table: &str, params: &[Param], quantities: &Quantities| {
            quantities.iter().try_for_each(|(key, quantity)| {
                let checked = match table {
                    "people" => {
                        lookup(params, key, quantity).and_then(|p| distribution(p, &quantity.value).map(|_| ()))
                    }
                    _ => lookup(params, key, quantity).and_then(|p| number(p, &quantity.value).map(|_| ())),
                };
                checked.map_err(|e| place(e, &format!("{table}.{key}")))
            })
        };
        check("parameters", model.params, &preset.parameters)?;
        check("people", TRAITS, &preset.people)?;
        for own in preset.groups.values() {
            check("parameters", model.params, &own.parameters)?;
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
}

/// The line on which a key stands first, counted from 1.
fn line_of(bytes: &[u8], key: &str) -> Option<usize> {
    let text = std::str::from_utf8(bytes).ok()?;
    let at = text.find(&format!("\"{key}\""))?;
    Some(text[..at].matches('\n').count() + 1)
}

fn check_step(model: &Entry<MakeModel>, step: f64) -> Result<(), Error> {
    let max = model.make.max_time_step_s;
    if step > 0.0 && step <= max {
        return Ok(());
    }
    Err(Error::input(format!("time_step_s is {step}")).allowed(format!("above 0, up to {max} s for {}", model.name)))
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

fn wrong(param: &Param, value: &Value, allowed: impl Into<String>) -> Error {
    Error::input(format!("{} is {value}", param.key)).allowed(allowed)
}

/// A constant of a model as it is stored.
pub(super) fn number(param: &Param, value: &Value) -> Result<f64, Error> {
    match param.kind {
        Kind::Real { hard, .. } => real(param, value, hard),
        Kind::Integer { hard: (low, high), .. } => match value.as_i64() {
            Some(x) if (low..=high).contains(&x) => Ok(x as f64),
            _ => Err(wrong(param, value, format!("a whole number from {low} to {high}"))),
        },
        Kind::Choice { options, .. } => {
            let at = value.as_str().and_then(|word| options.iter().position(|o| *o == word));
            at.map(|at| at as f64).ok_or_else(|| wrong(param, value, options.join(", ")))
        }
        Kind::Switch { .. } => {
            value.as_bool().map(|on| f64::from(u8::from(on))).ok_or_else(|| wrong(param, value, "true or false"))
        }
    }
}

fn real(param: &Param, value: &Value, hard: (f64, f64)) -> Result<f64, Error> {
    match value.as_f64() {
        Some(x) if x >= hard.0 && x <= hard.1 => Ok(x),
        _ => Err(wrong(param, value, format!("{} to {} {}", hard.0, hard.1, param.unit).trim_end().to_string())),
    }
}

/// A trait of people: a number, `{"uniform": [low, high]}` or `{"normal": [mean, sd], "clip": [low, high]}`; without
/// a clip a normal distribution is clipped to what is accepted at all.
pub(super) fn distribution(param: &Param, value: &Value) -> Result<Distribution, Error> {
    let hard = match param.kind {
        Kind::Real { hard, .. } => hard,
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    };
    let Some(table) = value.as_object() else { return real(param, value, hard).map(Distribution::Fixed) };
    let odd = || {
        let text = "a number, { uniform = [low, high] } or { normal = [mean, sd], clip = [low, high] }";
        wrong(param, value, text)
    };
    let pair = |key: &str| -> Result<Option<(f64, f64)>, Error> {
        match table.get(key) {
            None => Ok(None),
            Some(Value::Array(pair)) => match pair[..] {
                [ref a, ref b] => a.as_f64().zip(b.as_f64()).map(Some).ok_or_else(odd),
                _ => Err(odd()),
            },
            Some(_) => Err(odd()),
        }
    };
    let band = |(low, high): (f64, f64)| {
        if low <= high && low >= hard.0 && high <= hard.1 {
            return Ok((low, high));
        }
        Err(wrong(param, value, format!("rising, within {} to {} {}", hard.0, hard.1, param.unit)))
    };
    for family in Family::ALL {
        if let Some(numbers) = pair(family.key())? {
            let clip = pair("clip")?;
            if !family.takes(numbers) || table.len() != 1 + usize::from(clip.is_some()) {
                return Err(odd());
            }
            let clip = clip.map_or(Ok(hard), band)?;
            return Ok(Distribution::Skewed { family, numbers, clip });
        }
    }
    match (pair("uniform")?, pair("normal")?, pair("clip")?, table.len()) {
        (Some(ends), None, None, 1) => band(ends).map(|(low, high)| Distribution::Uniform { low, high }),
        (None, Some((mean, sd)), None, 1) if sd >= 0.0 => Ok(Distribution::Normal { mean, sd, clip: hard }),
        (None, Some((mean, sd)), Some(clip), 2) if sd >= 0.0 => {
            band(clip).map(|clip| Distribution::Normal { mean, sd, clip })
        }
        _ => Err(odd()),
    }
}
