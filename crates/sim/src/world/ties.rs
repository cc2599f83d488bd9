//! What ties groups of a written place together: who follows, who runs away from whom.

use super::scenario::{Flight, Group, Pull};
use crowdtune_core::Error;

/// What a group has to do with others, besides going to one of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ties {
    /// The group that it runs away from.
    pub away_from: Option<AwayFrom>,
}

/// From whom a group runs away.
#[derive(Clone, Debug, PartialEq)]
pub struct AwayFrom {
    /// Name of the group.
    pub group: String,
    /// How near somebody of it must be, m; infinite: anywhere.
    pub within_m: f64,
}

impl Ties {
    /// Ties a group to others, whose names these are, in order.
    ///
    /// # Errors
    /// Groups that are not there, a group that runs away from itself, or at any distance although it has a goal.
    pub(super) fn tie(&self, group: &mut Group, names: &[String]) -> Result<(), Error> {
        if let Some(AwayFrom { group: other, within_m }) = &self.away_from {
            let from = index(&group.name, other, names, "away_from", "runs away from itself")?;
            let goes = !group.stages.is_empty() || group.pull != Pull::Nothing;
            if goes && *within_m == f64::INFINITY {
                let name = &group.name;
                return Err(Error::input(format!(
                    "the group `{name}` has a goal and runs away from `{other}` at any distance, so it never goes there"
                ))
                .key(format!("group.{name}.away_from"))
                .help(format!(
                    "say how near they let them come, `away_from = {{ group = \"{other}\", within_m = 15 }}`, or leave out `to`"
                )));
            }
            group.flees = Some(Flight { from, within_m: *within_m });
        }
        Ok(())
    }
}

/// Index of another group.
pub(super) fn index(group: &str, other: &str, names: &[String], key: &str, itself: &str) -> Result<usize, Error> {
    let key = format!("group.{group}.{key}");
    match names.iter().position(|n| n == other) {
        Some(at) if names[at] != group => Ok(at),
        Some(_) => {
            let others: Vec<&str> = names.iter().map(String::as_str).filter(|n| *n != group).collect();
            let error = Error::input(format!("the group `{group}` {itself}")).key(key);
            Err(match others.is_empty() {
                true => error.help("write another group for it, `[scenario.NAME.group.NAME]`"),
                false => error.allowed(others.join(", ")).help("name another group"),
            })
        }
        None => Err(Error::input(format!("there is no group `{other}`")).key(key).allowed(names.join(", "))),
    }
}

/// Refuses groups that follow each other in a circle.
///
/// # Errors
/// The names of the circle.
pub(super) fn check_circles(groups: &[Group]) -> Result<(), Error> {
    let follows = |at: usize| match groups[at].pull {
        Pull::Group(other) if groups[at].stages.is_empty() => Some(other),
        _ => None,
    };
    for first in 0..groups.len() {
        let way: Vec<usize> = std::iter::successors(follows(first), |&at| follows(at)).take(groups.len()).collect();
        let Some(round) = way.iter().position(|&at| at == first) else { continue };
        let names: Vec<_> = std::iter::once(first).chain(way[..=round].iter().copied()).collect();
        let names: Vec<_> = names.iter().map(|&at| format!("`{}`", groups[at].name)).collect();
        return Err(Error::input(format!(
            "the groups {} follow each other in a circle: nobody leads, so all would meet and stand there",
            names.join(" -> ")
        ))
        .key(format!("group.{}.to", groups[first].name))
        .help("give one of them another goal; for a meeting, `to = { gather = [x, y] }`"));
    }
    Ok(())
}
