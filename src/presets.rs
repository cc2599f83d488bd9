//! The tuned presets that come with crowdtune, `configs/presets/`: `--preset walkers` finds that of the experiment's model.

use crate::preset::Preset;
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_core::suggest::among;

/// A preset in the program.
#[derive(Debug)]
pub struct MakePreset {
    /// The model that it is for.
    pub model: &'static str,
    /// The file, as JSON.
    pub text: &'static str,
}

/// The preset `MODEL-walkers`.
macro_rules! walkers {
    ($model:literal) => {
        Entry {
            name: concat!($model, "-walkers"),
            doc: "Single file, corridors one way and both ways, bottlenecks of 0.8 to 1.2 m and wide ones, with one set of constants.",
            source: concat!("configs/walkers_", $model, ".toml; docs/calibration.md judges it on what the search did not see"),
            params: &[],
            make: MakePreset {
                model: $model,
                text: include_str!(concat!("../configs/presets/", $model, "-walkers.json")),
            },
        }
    };
}

/// All presets.
pub static PRESETS: &[&Entry<MakePreset>] = &[
    &walkers!("collision_free_speed"),
    &walkers!("anticipation_velocity"),
    &walkers!("social_force"),
    &walkers!("orca"),
    &walkers!("rvo"),
    &walkers!("hybrid"),
    &walkers!("continuum"),
    &walkers!("group_dynamics"),
];

/// What the names of the walkers end with.
pub const WALKERS: &str = "walkers";

/// The preset of a whole name, `social_force-walkers`, or of its end, `walkers`, for a model.
///
/// # Errors
/// If there is none; the message names those that there are.
pub fn named(registry: &Registry, name: &str, model: &str) -> Result<Preset, Error> {
    let Some(entry) = find(name, model) else {
        let names: Vec<&str> = PRESETS.iter().map(|entry| entry.name).collect();
        let what = format!("there is no file and no built-in preset `{name}` for the model `{model}`");
        let error = Error::input(what).allowed(format!("a file such as best.json, or {}", names.join(", ")));
        return Err(among(error.help("`crowdtune list presets` shows them"), name, &names));
    };
    Preset::parse(entry.make.text.as_bytes(), entry.name, &registry.models)
}

/// The entry of such a name.
pub fn find(name: &str, model: &str) -> Option<&'static Entry<MakePreset>> {
    let of_model = format!("{model}-{name}");
    PRESETS.iter().copied().find(|entry| entry.name == name || entry.name == of_model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_can_be_read_and_is_of_its_model() {
        let registry = Registry::builtin();
        for entry in PRESETS {
            let preset = named(&registry, entry.name, "five_force").unwrap();
            assert_eq!(preset.model, entry.make.model);
            assert_eq!(preset.name, entry.name);
            assert!(!preset.tags.contains(&"draft".to_string()), "{}", entry.name);
            assert_eq!(named(&registry, WALKERS, entry.make.model).unwrap(), preset);
        }
    }

    #[test]
    fn a_name_that_nobody_has_lists_those_that_there_are() {
        let error = named(&Registry::builtin(), "wlkers", "orca").unwrap_err().to_string();
        for word in ["wlkers", "orca-walkers", "best.json", "crowdtune list presets"] {
            assert!(error.contains(word), "{word}: {error}");
        }
        assert!(named(&Registry::builtin(), WALKERS, "five_force").is_err());
    }
}
