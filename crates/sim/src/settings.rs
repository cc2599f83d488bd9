//! Values for the params of a registered thing, from a program.

use crowdtune_core::Error;
use crowdtune_core::registry::{Kind, Param, defaults};

/// The published values, except for those in `set`: numbers as they are, switches as 1 and 0, choices as their index.
///
/// # Errors
/// A key that is not in the list, or a value that it does not accept.
pub(crate) fn values(params: &'static [Param], set: &[(&str, f64)]) -> Result<Vec<f64>, Error> {
    let mut values = defaults(params);
    for &(key, value) in set {
        let Some(at) = params.iter().position(|p| p.key == key) else {
            let keys: Vec<_> = params.iter().map(|p| p.key).collect();
            return Err(Error::input(format!("there is no param `{key}`")).key(key).allowed(keys.join(", ")));
        };
        let (low, high) = match params[at].kind {
            Kind::Real { hard, .. } => hard,
            Kind::Integer { hard, .. } => (hard.0 as f64, hard.1 as f64),
            Kind::Choice { options, .. } => (0.0, options.len() as f64 - 1.0),
            Kind::Switch { .. } => (0.0, 1.0),
        };
        let whole = !matches!(params[at].kind, Kind::Real { .. });
        if !(value >= low && value <= high) || (whole && value.fract() != 0.0) {
            let range = if whole { "whole numbers from" } else { "numbers from" };
            return Err(Error::input(format!("{key} is {value}")).key(key).allowed(format!("{range} {low} to {high}")));
        }
        values[at] = value;
        // Params that follow this one do so unless they are given too.
        for (other, param) in params.iter().enumerate() {
            if param.same_as == Some(key) && set.iter().all(|&(given, _)| given != param.key) {
                values[other] = value;
            }
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    static PARAMS: &[Param] = &[
        Param::real("push_n", "N", 1.0).range(0.0, 9.0).search(0.0, 1.0),
        Param::real("wall_push_n", "N", 1.0).range(0.0, 9.0).search(0.0, 1.0).like("push_n"),
        Param::switch("on", false),
    ];

    #[test]
    fn what_follows_another_key_does_so_unless_it_is_given() {
        assert_eq!(values(PARAMS, &[("push_n", 3.0)]).unwrap(), [3.0, 3.0, 0.0]);
        assert_eq!(values(PARAMS, &[("wall_push_n", 2.0), ("push_n", 3.0), ("on", 1.0)]).unwrap(), [3.0, 2.0, 1.0]);
    }

    #[test]
    fn unknown_keys_and_values_out_of_range_are_refused() {
        assert!(values(PARAMS, &[("pull", 1.0)]).unwrap_err().to_string().contains("push_n, wall_push_n, on"));
        assert!(values(PARAMS, &[("push_n", f64::NAN)]).unwrap_err().to_string().contains("0 to 9"));
        assert!(values(PARAMS, &[("on", 0.5)]).is_err());
    }
}
