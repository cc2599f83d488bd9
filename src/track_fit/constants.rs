//! Which constants of a model are searched.

use crowdtune_core::registry::{Entry, Kind, Param};
use crowdtune_core::{Error, suggest};
use crowdtune_sim::models::MakeModel;

/// Constants that are searched only in a range that the user gives, with the reason: most of them no track can tell. Whatever else of a model
/// is a real number with a range is searched.
const UNASKED: [(&[&str], &str); 6] = [
    (
        &["body_stiffness_kg_per_s2", "sliding_friction_kg_per_m_s", "distance_share"],
        "bodies that press each other are seen in forces, not in tracks of heads",
    ),
    (&["panic", "herding_radius_m"], "recorded people are not in panic"),
    (&["injury_threshold_n_per_m", "injury_duration_s"], "nobody of a recording is injured"),
    (&["noise_m_per_s2"], "noise brings no run nearer to a track, on the average"),
    (
        &["negligible_m_per_s2", "cell_m", "splat_exponent", "push_m_per_s", "field_every_s", "prediction_s"],
        "they belong to the arithmetic, or to what is switched off",
    ),
    (&["headway_width"], "published strips are as wide as both bodies; a range of its own lets it vary"),
];

/// A range that the user gives: `KEY=LOW..HIGH`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Range {
    key: String,
    low: f64,
    high: f64,
}

impl Range {
    /// Reads `KEY=LOW..HIGH`.
    ///
    /// # Errors
    /// What is expected.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').and_then(|(key, range)| Some((key.trim(), range.split_once("..")?)));
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        match parts.and_then(|(key, (low, high))| Some((key, number(low)?, number(high)?))) {
            Some((key, low, high)) if !key.is_empty() && low < high => Ok(Self { key: key.into(), low, high }),
            _ => Err("expected KEY=LOW..HIGH with LOW below HIGH, for example relaxation_time_s=0.2..1".into()),
        }
    }
}

/// Refuses a range for what no model of a search has.
///
/// # Errors
/// With the nearest key that there is.
pub(crate) fn all_known(given: &[Range], models: &[&'static Entry<MakeModel>]) -> Result<(), Error> {
    let keys: Vec<&str> = models.iter().flat_map(|model| model.params).filter(|p| real(p)).map(|p| p.key).collect();
    let Some(unknown) = given.iter().find(|range| !keys.contains(&range.key.as_str())) else { return Ok(()) };
    let names: Vec<&str> = models.iter().map(|model| model.name).collect();
    let error =
        Error::input(format!("`{}` is no real number among the constants of {}", unknown.key, names.join(", ")));
    Err(suggest::among(error.key("--search"), &unknown.key, &keys))
}

/// The constants of a model that are searched, with their range: those that tracks can tell, with the range of the list, and those
/// that the user gives.
pub(crate) fn searched(model: &Entry<MakeModel>, given: &[Range]) -> Vec<(&'static Param, (f64, f64), bool)> {
    let one = |param: &'static Param| {
        let Kind::Real { default, search, log, .. } = param.kind else { return None };
        if let Some(range) = given.iter().rfind(|range| range.key == param.key) {
            return Some((param, (range.low, range.high), log && range.low > 0.0));
        }
        let usual = !UNASKED.iter().any(|(keys, _)| keys.contains(&param.key));
        // A default outside of the range switches something off.
        let on = search.0 < search.1 && (search.0..=search.1).contains(&default);
        (usual && on && param.same_as.is_none()).then_some((param, search, log))
    };
    model.params.iter().filter_map(one).collect()
}

fn real(param: &Param) -> bool {
    matches!(param.kind, Kind::Real { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::registry::find;
    use crowdtune_sim::models::MODELS;

    fn keys(name: &str, given: &[Range]) -> Vec<(&'static str, f64, f64)> {
        let model = find(MODELS, name).unwrap();
        searched(model, given).into_iter().map(|(param, (low, high), _)| (param.key, low, high)).collect()
    }

    #[test]
    fn of_the_social_force_what_steers_is_searched() {
        let usual = keys("social_force", &[]);
        let names: Vec<_> = usual.iter().map(|key| key.0).collect();
        assert_eq!(names, ["repulsion_strength_n", "repulsion_range_m", "relaxation_time_s", "anisotropy"]);
        let given = [Range::parse("relaxation_time_s=0.2..1").unwrap(), Range::parse("panic = 0..0.5").unwrap()];
        let own = keys("social_force", &given);
        assert!(own.contains(&("relaxation_time_s", 0.2, 1.0)) && own.contains(&("panic", 0.0, 0.5)) && own.len() == 5);
    }

    #[test]
    fn every_model_has_something_to_search_and_every_reason_a_constant() {
        for model in MODELS {
            assert!(!searched(model, &[]).is_empty(), "{}", model.name);
        }
        for key in UNASKED.iter().flat_map(|(keys, _)| *keys) {
            assert!(MODELS.iter().flat_map(|model| model.params).any(|param| param.key == *key), "{key}");
        }
    }

    #[test]
    fn ranges_are_two_numbers_in_order() {
        for wrong in ["tau", "tau=1", "tau=1..", "tau=2..1", "=1..2", "tau=0..inf"] {
            assert!(Range::parse(wrong).is_err(), "{wrong}");
        }
        let unknown = [Range::parse("relaxation_time=0.2..1").unwrap()];
        let refused = all_known(&unknown, &[find(MODELS, "social_force").unwrap()]).unwrap_err().to_string();
        assert!(refused.contains("relaxation_time_s"), "{refused}");
    }
}
