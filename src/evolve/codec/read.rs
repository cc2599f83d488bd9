//! From the tree of a file to what it says of one constant or trait of people: a number, a distribution, a search, or that it
//! follows another one.

use super::prior::prior;
use super::write::{published_trait, value};
use crate::evolve::config::item::{Item, Table};
use crate::evolve::config::resolved::show;
use crate::evolve::config::tree::{Entries, has_each};
use crowdtune_core::registry::{Kind, Param};
use crowdtune_core::{Error, suggest};
use crowdtune_search::{Axis, Prior};
use crowdtune_sim::crowd::people::{Distribution, Family};

/// What a file says of a constant or trait.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// One stored value.
    Fixed(f64),
    /// Drawn per person; traits only.
    Drawn(Distribution),
    /// Searched.
    Searched(Search),
    /// The value of the constant it follows.
    Same(&'static str),
    /// One scenario for each of some values; known only when those are expanded.
    Each,
}

/// How a constant or trait is searched.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// Its values.
    pub axis: Axis,
    /// Where the search starts, if the file says so.
    pub start: Option<f64>,
    /// What is known of it before anything was measured.
    pub prior: Prior,
}

/// Reads the value of a constant or trait.
///
/// # Errors
/// If the value is of the wrong type or out of range.
pub fn said(item: &Item<'_>, param: &'static Param) -> Result<Said, Error> {
    let Some(entries) = item.node.entries() else { return stored(item, param).map(Said::Fixed) };
    let is_drawn = is_drawn(entries);
    if is_drawn && published_trait(param).is_some() {
        // Numbers inside a distribution may have an `each` too.
        let open = entries.iter().any(|(key, node)| key != "each" && has_each(node));
        return if open { Ok(Said::Each) } else { distribution(item, param).map(Said::Drawn) };
    }
    let table = item.table()?;
    if table.take("each").or(table.take("held_out")).is_some() {
        let search = table.take("range").or(table.take("integers")).or(table.take("choices"));
        return search.map_or(Ok(Said::Each), |search| Err(both(&search)));
    }
    if let Some(other) = table.take("same_as") {
        table.finish()?;
        return match param.same_as {
            Some(key) if other.text()? == key => Ok(Said::Same(key)),
            Some(key) => Err(other.wrong(format!("\"{key}\""))),
            None => Err(other.error(format!("`{}` follows no other constant", param.key)).help("give it a value")),
        };
    }
    if is_drawn {
        return Err(item
            .error(format!("`{}` is a constant, one number for everybody, not drawn per person", param.key))
            .allowed(param.allowed())
            .help("only traits in [people] are drawn; give a number, or `range` to search it"));
    }
    searched(&table, param)
}

/// Reads one value as it is stored.
///
/// # Errors
/// If it is of the wrong type or out of range.
pub fn stored(item: &Item<'_>, param: &Param) -> Result<f64, Error> {
    let accepted = match param.kind {
        Kind::Real { hard: (low, high), .. } => item.node.number().filter(|x| (low..=high).contains(x)),
        Kind::Integer { hard: (low, high), .. } => {
            item.node.whole().filter(|n| (low..=high).contains(n)).map(|n| n as f64)
        }
        Kind::Switch { .. } => item.node.switch().map(|on| f64::from(u8::from(on))),
        Kind::Choice { options, .. } => {
            item.node.text().and_then(|word| options.iter().position(|o| *o == word)).map(|at| at as f64)
        }
    };
    accepted.ok_or_else(|| match (param.kind, item.node.text()) {
        (Kind::Choice { options, .. }, Some(word)) => suggest::near(item.wrong(param.allowed()), word, options),
        (Kind::Real { .. } | Kind::Integer { .. }, _) => item.no_number(&param.allowed()),
        _ => item.wrong(param.allowed()),
    })
}

/// Reads a trait of people: a number, or a table that [`is_drawn`].
///
/// # Errors
/// If a number, an end or a clip range is out of range, or there are several distributions.
pub fn distribution(item: &Item<'_>, param: &Param) -> Result<Distribution, Error> {
    if !item.is_table() {
        return stored(item, param).map(Distribution::Fixed);
    }
    let table = item.table()?;
    let (uniform, normal, clip) = (table.take("uniform"), table.take("normal"), table.take("clip"));
    let skewed: Vec<_> =
        Family::ALL.into_iter().filter_map(|family| Some((family, table.take(family.key())?))).collect();
    let searched = ["range", "integers", "choices", "each"].into_iter().find_map(|k| table.take(k));
    if let Some(other) = searched {
        return Err(other.error("a trait is drawn or searched, not both").help("keep one of the two"));
    }
    table.finish()?;
    let (low, high) = param.ends();
    let within = |item: &Item<'_>, high: f64| {
        let ends = item.node.interval().filter(|(a, b)| *a >= low && *b <= high);
        ends.ok_or_else(|| item.no_interval(&format!("[low, high] within {}", param.bounds())))
    };
    if let Some((family, numbers)) = skewed.first() {
        if skewed.len() > 1 || uniform.is_some() || normal.is_some() {
            return Err(numbers.error("a trait has one distribution").help("keep one of them"));
        }
        let pair = numbers.numbers(2, family.numbers())?;
        let clip = clip.map_or(Ok((low, high)), |clip| within(&clip, high))?;
        if !family.takes((pair[0], pair[1])) {
            return Err(numbers.wrong(format!("{}, above 0", family.numbers())));
        }
        return Ok(Distribution::Skewed { family: *family, numbers: (pair[0], pair[1]), clip });
    }
    match (uniform, normal, clip) {
        (Some(ends), None, None) => {
            let (low, high) = within(&ends, high.min(f64::MAX))?;
            Ok(Distribution::Uniform { low, high })
        }
        (None, Some(normal), clip) => {
            let pair = normal.numbers(2, "[mean, standard deviation]")?;
            let (mean, sd) = (pair[0], pair[1]);
            if sd <= 0.0 {
                return Err(normal
                    .wrong("[mean, standard deviation], the deviation above 0")
                    .help("for no spread give one number"));
            }
            let clip = match clip {
                Some(clip) => {
                    let range = within(&clip, high.min(f64::MAX))?;
                    if range.0 > mean + 4.0 * sd || range.1 < mean - 4.0 * sd {
                        return Err(
                            clip.wrong(format!("a range that people can fall into: mean {mean}, deviation {sd}"))
                        );
                    }
                    range
                }
                None => usual_clip(mean, sd, param).ok_or_else(|| normal.wrong(param.allowed()))?,
            };
            Ok(Distribution::Normal { mean, sd, clip })
        }
        (Some(_), Some(normal), _) => {
            Err(normal.error("a trait has one distribution").help("keep `uniform` or `normal`"))
        }
        (_, _, Some(clip)) => {
            Err(clip.error("`clip` goes with `normal` and the skewed families only").help("remove it"))
        }
        (None, None, None) => Err(item.wrong(param.allowed())),
    }
}

/// True for a table that names a distribution.
pub fn is_drawn(entries: &Entries) -> bool {
    let named = ["uniform", "normal", "clip"].into_iter().chain(Family::ALL.map(Family::key));
    named.into_iter().any(|key| entries.contains_key(key))
}

/// Three deviations to both sides, inside what is accepted; `None` where nothing of it is.
///
/// Chosen here: three deviations keep 99.7 % of a normal distribution and no absurd people.
fn usual_clip(mean: f64, sd: f64, param: &Param) -> Option<(f64, f64)> {
    let (low, high) = param.ends();
    let clip = ((mean - 3.0 * sd).max(low), (mean + 3.0 * sd).min(high));
    (clip.0 < clip.1).then_some(clip)
}

fn both(item: &Item<'_>) -> Error {
    item.error("a key cannot be both fixed and searched")
        .help("keep `each` (one scenario per value) or the search (`range`, `integers`, `choices`), not both")
}

/// Reads `{ range | integers | choices, log, start, prior }`.
fn searched(table: &Table<'_>, param: &'static Param) -> Result<Said, Error> {
    let ways = ["range", "integers", "choices"].map(|key| table.take(key));
    let (log, start, known) = (table.take("log"), table.take("start"), table.take("prior"));
    if let Some(value) = table.take("value").or(table.take("fixed")) {
        return Err(both(&value));
    }
    table.finish()?;
    let mut given = ways.iter().flatten();
    let Some(way) = given.next() else {
        return Err(table
            .item
            .wrong(format!("{}, or {{ range = [low, high] }}", param.allowed()))
            .help("name what is searched with `range`, `integers` or `choices`"));
    };
    if let Some(second) = given.next() {
        return Err(second
            .error("a key is searched in one way only")
            .help("keep one of `range`, `integers`, `choices`"));
    }
    let axis = match &ways {
        [Some(range), ..] => real(range, log.as_ref(), param)?,
        [_, Some(integers), _] => integer(integers, param)?,
        _ => choice(way, param)?,
    };
    if let (Some(log), false) = (&log, matches!(axis, Axis::Real { .. })) {
        return Err(log.error("`log` goes with `range` only").help("remove it"));
    }
    let prior = known.map_or(Ok(Prior::Uniform), |known| prior(&known, &axis))?;
    let Some(start) = start else { return Ok(Said::Searched(Search { axis, start: None, prior })) };
    let value = stored(&start, param)?;
    if moved(&axis, value, param) != value {
        return Err(start.wrong(format!("a value that is searched: {}", words(&axis, param))));
    }
    Ok(Said::Searched(Search { axis, start: Some(value), prior }))
}

fn real(range: &Item<'_>, log: Option<&Item<'_>>, param: &Param) -> Result<Axis, Error> {
    let Kind::Real { hard, log: usual, .. } = param.kind else {
        let way = if matches!(param.kind, Kind::Integer { .. }) { "integers" } else { "choices" };
        return Err(range
            .error(format!("`{}` has no range", param.key))
            .allowed(param.allowed())
            .help(format!("use `{way}`")));
    };
    let ends = range.node.interval().filter(|(low, high)| hard.0 <= *low && *high <= hard.1 && high.is_finite());
    let (low, high) = ends.ok_or_else(|| range.no_interval(&format!("[low, high] within {}", param.bounds())))?;
    let log = match log {
        Some(item) => {
            let on = item.switch()?;
            if on && low <= 0.0 {
                return Err(range
                    .wrong("a lower end above 0, because `log` is true")
                    .help("raise it, or set `log = false`"));
            }
            on
        }
        None => usual && low > 0.0,
    };
    Ok(Axis::Real { low, high, log })
}

fn integer(item: &Item<'_>, param: &Param) -> Result<Axis, Error> {
    let hard = match param.kind {
        Kind::Integer { hard, .. } => hard,
        // The whole numbers that a real key accepts.
        Kind::Real { hard: (low, high), .. } => (libm::ceil(low) as i64, libm::floor(high) as i64),
        Kind::Choice { .. } | Kind::Switch { .. } => {
            return Err(item
                .error(format!("`{}` is not a number", param.key))
                .allowed(param.allowed())
                .help("use `choices`"));
        }
    };
    let ends = item.node.interval().filter(|(low, high)| *low == low.trunc() && *high == high.trunc());
    let ends =
        ends.map(|(low, high)| (low as i64, high as i64)).filter(|(low, high)| hard.0 <= *low && *high <= hard.1);
    let what = || format!("[low, high] of whole numbers within {}", param.bounds());
    ends.map(|(low, high)| Axis::Integer { low, high }).ok_or_else(|| item.no_interval(&what()))
}

fn choice(item: &Item<'_>, param: &'static Param) -> Result<Axis, Error> {
    let what = || item.wrong(format!("at least two different values, each {}", param.allowed()));
    let list = item.list().map_err(|_| what())?;
    let values = list.iter().map(|v| stored(v, param)).collect::<Result<Vec<_>, _>>()?;
    let twice = values.iter().enumerate().any(|(i, v)| values[..i].contains(v));
    if values.len() < 2 || twice {
        return Err(what());
    }
    Ok(Axis::Choice(values))
}

/// The stored value moved to the nearest one of the axis; the first word where there is no nearest.
pub fn moved(axis: &Axis, value: f64, param: &Param) -> f64 {
    match axis {
        Axis::Real { low, high, .. } => value.clamp(*low, *high),
        Axis::Integer { low, high } => libm::round(value).clamp(*low as f64, *high as f64),
        Axis::Choice(values) if values.contains(&value) => value,
        Axis::Choice(values) => match param.kind {
            Kind::Choice { .. } | Kind::Switch { .. } => values[0],
            _ => {
                let far = |v: &f64| (v - value).abs();
                values.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(value)
            }
        },
    }
}

fn words(axis: &Axis, param: &Param) -> String {
    match axis {
        Axis::Real { low, high, .. } => format!("{low} to {high}"),
        Axis::Integer { low, high } => format!("{low} to {high}"),
        Axis::Choice(values) => values.iter().map(|v| show(&value(param, *v))).collect::<Vec<_>>().join(", "),
    }
}
