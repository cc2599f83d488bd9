//! Who gives way to whom where two groups meet.

use super::item::{Item, Table};
use crowdtune_core::{Error, suggest};
use crowdtune_sim::world::scenario::Group;

/// Reads `gives_way = { people = 0.8 }` of the groups of a scenario. Where only one of two groups says its share, the other takes the
/// rest.
///
/// # Errors
/// If a share is none, or another group is not there.
pub fn read(scenario: &Table<'_>, groups: &mut [Group]) -> Result<(), Error> {
    let Some(tables) = scenario.take("group") else { return Ok(()) };
    let names: Vec<String> = groups.iter().map(|group| group.name.clone()).collect();
    let mut said = Vec::new();
    for (name, item) in tables.named()? {
        let (Some(at), Some(shares)) = (names.iter().position(|n| *n == name), item.table()?.take("gives_way")) else {
            continue;
        };
        let what = "{ NAME = 0.8 }: a share from 0 to 1 for a group that it meets";
        for (other, share) in shares.named().map_err(|e| if shares.is_table() { e } else { shares.wrong(what) })? {
            said.push((at, met(&share, &other, &name, &names)?, share.number(0.0, 1.0, "a share from 0 to 1")?));
        }
    }
    for &(at, other, share) in &said {
        groups[at].gives_way.push((other, share));
        if !said.iter().any(|&(by, of, _)| (by, of) == (other, at)) {
            groups[other].gives_way.push((at, 1.0 - share));
        }
    }
    groups.iter_mut().for_each(|group| group.gives_way.sort_by_key(|&(other, _)| other));
    Ok(())
}

/// The index of a group that another one meets.
fn met(share: &Item<'_>, other: &str, own: &str, names: &[String]) -> Result<usize, Error> {
    if other == own {
        return Err(share
            .error(format!("`{own}` meets itself: how its own people share the avoidance is a constant of its model"))
            .help(format!("give `responsibility` in [scenario.NAME.group.{own}.parameters] if its model has it")));
    }
    names.iter().position(|name| name == other).ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(String::as_str).filter(|name| *name != own).collect();
        suggest::among(share.error(format!("there is no group `{other}` here")), other, &names)
    })
}
