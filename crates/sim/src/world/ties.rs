//! What ties groups of a written place together: who follows, runs away from or catches whom.

use super::scenario::{Ahead, Catch, Caught, Flight, Group, Pull};
use crowdtune_core::Error;

/// What a group has to do with others, besides going to one of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ties {
    /// The group that it runs away from.
    pub away_from: Option<AwayFrom>,
    /// The group that it catches.
    pub catches: Option<Catches>,
    /// How much others keep away from its people.
    pub discomfort: Option<Ahead>,
}

/// Whom a group catches, as in [`Catch`].
#[derive(Clone, Debug, PartialEq)]
pub struct Catches {
    /// Name of the group.
    pub group: String,
    /// Gap between two bodies within which somebody is held, m.
    pub distance_m: f64,
    /// How long, s.
    pub time_s: f64,
    /// What becomes of whom they catch.
    pub then: Caught,
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
    /// Groups that are not there, a group that runs away from itself or catches itself, or runs at any distance although it has a goal.
    pub(super) fn tie(&self, group: &mut Group, names: &[String]) -> Result<(), Error> {
        group.discomfort = self.discomfort;
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
        if let Some(Catches { group: other, distance_m, time_s, then }) = &self.catches {
            let prey = index(&group.name, other, names, "catches", "catches its own people")?;
            group.catches = Some(Catch { group: prey, distance_m: *distance_m, time_s: *time_s, then: *then });
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
