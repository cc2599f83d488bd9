//! Values that a program gives to the params of a registered thing.

use crowdtune_core::registry::{Kind, Param, defaults};
use crowdtune_core::{Error, suggest};
use std::fmt;

/// A value for a param, as a program writes it: a number for numbers, a word for choices, a bool for switches.
pub trait SettingValue: fmt::Debug {
    /// The value as the param stores it; `None` if the param does not accept it.
    fn stored(&self, param: &Param) -> Option<f64>;
}

impl SettingValue for f64 {
    fn stored(&self, param: &Param) -> Option<f64> {
        let (low, high) = param.ends();
        let fits = match param.kind {
            Kind::Real { .. } => true,
            Kind::Integer { .. } => self.fract() == 0.0,
            Kind::Choice { .. } | Kind::Switch { .. } => false,
        };
        (fits && *self >= low && *self <= high).then_some(*self)
    }
}

impl SettingValue for i32 {
    fn stored(&self, param: &Param) -> Option<f64> {
        f64::from(*self).stored(param)
    }
}

impl SettingValue for usize {
    fn stored(&self, param: &Param) -> Option<f64> {
        (*self as f64).stored(param)
    }
}

impl SettingValue for bool {
    fn stored(&self, param: &Param) -> Option<f64> {
        matches!(param.kind, Kind::Switch { .. }).then(|| f64::from(u8::from(*self)))
    }
}

impl SettingValue for &str {
    fn stored(&self, param: &Param) -> Option<f64> {
        let Kind::Choice { options, .. } = param.kind else { return None };
        options.iter().position(|option| option == self).map(|at| at as f64)
    }
}

/// The published values, except for those in `set`.
///
/// # Errors
/// A key that is not in the list, or a value that its param does not accept.
pub(crate) fn values(params: &'static [Param], set: &[(&str, &dyn SettingValue)]) -> Result<Vec<f64>, Error> {
    let mut values = defaults(params);
    for &(key, value) in set {
        let Some(at) = params.iter().position(|p| p.key == key) else {
            let keys: Vec<_> = params.iter().map(|p| p.key).collect();
            return Err(suggest::among(Error::input(format!("there is no param `{key}`")).key(key), key, &keys));
        };
        let Some(stored) = value.stored(&params[at]) else {
            return Err(Error::input(format!("{key} is {value:?}")).key(key).allowed(params[at].allowed()));
        };
        values[at] = stored;
        // Params that follow this one do so unless they are given too.
        for (other, param) in params.iter().enumerate() {
            if param.same_as == Some(key) && set.iter().all(|&(given, _)| given != param.key) {
                values[other] = stored;
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
        Param::integer("count", 3, (1, 9), (1, 9)),
        Param::choice("ends", "open", &["open", "periodic"]),
        Param::switch("on", false),
    ];

    fn refusal(key: &str, value: &dyn SettingValue) -> String {
        values(PARAMS, &[(key, value)]).unwrap_err().to_string()
    }

    #[test]
    fn what_follows_another_key_does_so_unless_it_is_given() {
        assert_eq!(values(PARAMS, &[("push_n", &3.0)]).unwrap(), [3.0, 3.0, 3.0, 0.0, 0.0]);
        assert_eq!(values(PARAMS, &[("wall_push_n", &2.0), ("push_n", &3.0)]).unwrap(), [3.0, 2.0, 3.0, 0.0, 0.0]);
    }

    #[test]
    fn choices_take_words_switches_bools_and_counts_whole_numbers() {
        let set: &[(&str, &dyn SettingValue)] = &[("ends", &"periodic"), ("on", &true), ("count", &5)];
        assert_eq!(values(PARAMS, set).unwrap(), [1.0, 1.0, 5.0, 1.0, 1.0]);
    }

    #[test]
    fn refusals_say_what_is_accepted() {
        assert!(refusal("pull", &1.0).contains("push_n, wall_push_n, count, ends, on"));
        assert!(refusal("push_n", &f64::NAN).contains("0 to 9"));
        assert!(refusal("count", &2.5).contains("a whole number from 1 to 9"));
        assert!(refusal("ends", &"closed").contains("open, periodic"));
        assert!(refusal("ends", &1.0).contains("open, periodic"));
        assert!(refusal("on", &1.0).contains("true or false"));
    }
}
