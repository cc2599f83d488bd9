//! "Did you mean ...?": the known name closest to what was typed.

use crate::Error;

/// Adds the closest known name, if there is a close one, and the list of all names, unless it is long and a close one
/// was found.
#[must_use]
pub fn among(error: Error, typed: &str, names: &[&str]) -> Error {
    // Chosen here: six names can be read at a glance.
    match nearest(typed, names) {
        Some(_) if names.len() > 6 => near(error, typed, names),
        _ if names.is_empty() => error,
        _ => near(error.allowed(names.join(", ")), typed, names),
    }
}

/// Adds the closest known name, if there is a close one.
#[must_use]
pub fn near(error: Error, typed: &str, names: &[&str]) -> Error {
    match nearest(typed, names) {
        Some(name) => error.help(format!("did you mean `{name}`?")),
        None => error,
    }
}

/// The name that was probably meant; `None` if no name is close to what was typed.
pub fn nearest<'n>(typed: &str, names: &[&'n str]) -> Option<&'n str> {
    let distance = |name: &str| strsim::damerau_levenshtein(&typed.to_lowercase(), &name.to_lowercase());
    let best = names.iter().map(|n| (distance(n), *n)).min();
    // Chosen here: a third of the letters may be wrong; or what was typed is the beginning or the end of one name.
    if let Some((d, name)) = best
        && d * 3 <= name.chars().count().max(typed.chars().count())
    {
        return Some(name);
    }
    let part: Vec<_> = names.iter().filter(|n| typed.len() >= 3 && (n.contains(typed) || typed.contains(*n))).collect();
    match part[..] {
        [name] => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_mistake_or_a_part_of_one_name_is_near() {
        let names = ["flow_per_s", "crossings", "collisions"];
        assert_eq!(nearest("flow_pers", &names), Some("flow_per_s"));
        assert_eq!(nearest("Crossing", &names), Some("crossings"));
        assert_eq!(nearest("flow", &names), Some("flow_per_s"));
        assert_eq!(nearest("speed", &names), None);
        assert_eq!(nearest("x", &[]), None);
    }

    #[test]
    fn a_short_list_is_shown_a_long_one_only_if_no_name_is_near() {
        let error = |typed: &str, names: &[&str]| among(Error::input("what"), typed, names).to_string();
        assert_eq!(error("flw", &["flow", "gap"]), "what\n  allowed: flow, gap\n  help:    did you mean `flow`?");
        let long = ["a1", "b1", "c1", "d1", "e1", "f1", "flow"];
        assert_eq!(error("flw", &long), "what\n  help:    did you mean `flow`?");
        assert_eq!(error("speed", &long), "what\n  allowed: a1, b1, c1, d1, e1, f1, flow");
        assert_eq!(error("speed", &[]), "what");
    }
}
