//! What groups have in common.

use crate::evolve::experiment::GroupBinding;
use serde_json::Value;
use std::collections::BTreeMap;

/// One constant or trait in all groups.
#[derive(Debug, PartialEq)]
pub(super) struct Shared<'a> {
    /// The value for everybody whom `own` does not name.
    pub all: Option<Value>,
    /// Values of the groups that differ from it.
    pub own: BTreeMap<&'a str, Value>,
    /// True if there is no value for all although each group has one.
    pub left_out: bool,
}

impl<'a> Shared<'a> {
    /// From the groups of all scenarios with their names; `of` gives the value of one, `None` where a file cannot hold
    /// it, and whether it was searched.
    pub fn of(groups: &[(&'a str, &GroupBinding)], of: impl Fn(&GroupBinding) -> (Option<Value>, bool)) -> Self {
        let groups: Vec<_> = groups.iter().map(|(name, group)| (*name, of(group))).collect();
        Self::among(&groups)
    }

    fn among(groups: &[(&'a str, (Option<Value>, bool))]) -> Self {
        if let Some(all) = common(groups.iter().map(|(_, (value, _))| value)) {
            return Self { all: all.clone(), own: BTreeMap::new(), left_out: false };
        }
        let mut own = BTreeMap::new();
        for (name, (value, _)) in groups {
            match value {
                // The same group differs between scenarios, or no file can hold what it has.
                Some(value) if own.entry(*name).or_insert_with(|| value.clone()) == value => {}
                _ => return Self { all: None, own: BTreeMap::new(), left_out: true },
            }
        }
        let searched = groups.iter().filter(|(_, (_, searched))| *searched);
        let all = common(searched.map(|(_, (value, _))| value)).cloned().flatten();
        own.retain(|_, value| all.as_ref() != Some(value));
        let left_out = all.is_none();
        Self { all, own, left_out }
    }
}

/// The value that all have, if they agree.
fn common<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|v| v == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    type Group = (&'static str, Option<f64>, bool);

    /// The value for all, those of groups, and whether it is left out.
    fn shared(groups: &[Group]) -> (Option<f64>, Vec<(&'static str, f64)>, bool) {
        let groups: Vec<_> =
            groups.iter().map(|&(name, value, gene)| (name, (value.map(|v| json!(v)), gene))).collect();
        let Shared { all, own, left_out } = Shared::among(&groups);
        let own = own.into_iter().map(|(name, value)| (name, value.as_f64().unwrap()));
        (all.and_then(|v| v.as_f64()), own.collect(), left_out)
    }

    #[test]
    fn the_searched_value_is_for_all_but_those_who_have_their_own() {
        let groups = [("followers", Some(0.3), true), ("leader", Some(1.0), false), ("followers", Some(0.3), true)];
        assert_eq!(shared(&groups), (Some(0.3), vec![("leader", 1.0)], false));
        // A leader who has the searched value by chance is like everybody.
        assert_eq!(shared(&[("followers", Some(1.0), true), ("leader", Some(1.0), false)]), (Some(1.0), vec![], false));
    }

    #[test]
    fn without_one_searched_value_every_group_has_its_own() {
        let own = vec![("east", 0.2), ("west", 0.4)];
        for searched in [true, false] {
            let groups = [("east", Some(0.2), searched), ("west", Some(0.4), searched)];
            assert_eq!(shared(&groups), (None, own.clone(), true));
        }
    }

    #[test]
    fn a_group_that_differs_between_scenarios_or_is_infinite_is_left_out() {
        assert_eq!(shared(&[("people", Some(1.0), false), ("people", Some(2.0), false)]), (None, vec![], true));
        assert_eq!(shared(&[("a", Some(1.0), true), ("b", None, false)]), (None, vec![], true));
        assert_eq!(shared(&[("a", None, false), ("b", None, false)]), (None, vec![], false));
    }
}
