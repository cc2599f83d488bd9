//! One constant: fixed, searched, or the same as another one.

use super::item::{Item, Table};
use crate::evolve::codec;
use crowdtune_core::Error;
use crowdtune_core::registry::{Kind, Param};
use crowdtune_search::Axis;

/// What a file says of a constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// One stored value.
    Fixed(f64),
    /// Searched, from a start value.
    Searched(Axis, f64),
    /// The value of the constant it follows.
    Same(&'static str),
    /// One scenario for each of some values; not yet expanded.
    Each,
}

/// Reads the value of a param.
///
/// # Errors
/// If the value is of the wrong type or out of range.
pub fn read(item: &Item<'_>, param: &'static Param) -> Result<Said, Error> {
    if !item.is_table() {
        return codec::stored(item, param).map(Said::Fixed);
    }
    let table = item.table()?;
    if table.take("each").or(table.take("held_out")).is_some() {
        if let Some(search) = table.take("range").or(table.take("integers")).or(table.take("choices")) {
            return Err(both(&search));
        }
        return Ok(Said::Each);
    }
    if let Some(other) = table.take("same_as") {
        table.finish()?;
        return match param.same_as {
            Some(key) if other.text()? == key => Ok(Said::Same(key)),
            Some(key) => Err(other.wrong(format!("\"{key}\""))),
            None => Err(other.error(format!("`{}` follows no other constant", param.key)).help("give it a value")),
        };
    }
    if item.node.entries().is_some_and(codec::is_drawn) {
        return Err(item
            .error(format!("`{}` is a constant, one number for everybody, not drawn per person", param.key))
            .allowed(param.allowed())
            .help("only traits in [people] are drawn; give a number, or `range` to search it"));
    }
    let (axis, start) = searched(&table, param)?;
    Ok(Said::Searched(axis, start))
}

fn both(item: &Item<'_>) -> Error {
    item.error("a key cannot be both fixed and searched")
        .help("keep `each` (one scenario per value) or the search (`range`, `integers`, `choices`), not both")
}

/// Reads `{ range | integers | choices, log, start }`: the axis and the start value.
///
/// # Errors
/// If the ends are in the wrong order or beyond what the param accepts.
pub fn searched(table: &Table<'_>, param: &'static Param) -> Result<(Axis, f64), Error> {
    let ways = ["range", "integers", "choices"].map(|key| table.take(key));
    let (log, start) = (table.take("log"), table.take("start"));
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
    let start = match start {
        Some(item) => {
            let value = codec::stored(&item, param)?;
            if moved(&axis, value, param) != value {
                return Err(item.wrong(format!("a value that is searched: {}", show_axis(&axis, param))));
            }
            value
        }
        None => moved(&axis, param.default_value(), param),
    };
    Ok((axis, start))
}

fn real(range: &Item<'_>, log: Option<&Item<'_>>, param: &Param) -> Result<Axis, Error> {
    let Kind::Real { hard, log: usual, .. } = param.kind else {
        let way = if matches!(param.kind, Kind::Integer { .. }) { "integers" } else { "choices" };
        return Err(range
            .error(format!("`{}` has no range", param.key))
            .allowed(param.allowed())
            .help(format!("use `{way}`")));
    };
    let (low, high) = range.interval(&format!("[low, high] within {}", param.bounds()))?;
    if low < hard.0 || high > hard.1 {
        return Err(range.wrong(format!("[low, high] within {}", param.bounds())));
    }
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
    let what = format!("[low, high] of whole numbers within {}", param.bounds());
    let list = item.list().map_err(|_| item.wrong(what.clone()))?;
    let [low, high] = &list[..] else { return Err(item.wrong(what)) };
    let (low, high) = (low.whole(hard.0, hard.1)?, high.whole(hard.0, hard.1)?);
    if low >= high {
        return Err(item.wrong(what).help("the first number must be below the second"));
    }
    Ok(Axis::Integer { low, high })
}

fn choice(item: &Item<'_>, param: &'static Param) -> Result<Axis, Error> {
    let what = || item.wrong(format!("at least two different values, each {}", param.allowed()));
    let list = item.list().map_err(|_| what())?;
    let values = list.iter().map(|v| codec::stored(v, param)).collect::<Result<Vec<_>, _>>()?;
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

fn show_axis(axis: &Axis, param: &Param) -> String {
    match axis {
        Axis::Real { low, high, .. } => format!("{low} to {high}"),
        Axis::Integer { low, high } => format!("{low} to {high}"),
        Axis::Choice(values) => values.iter().map(|v| codec::value(param, *v).show()).collect::<Vec<_>>().join(", "),
    }
}

/// Values for the params of one entry, in their order, from a table that has them all filled in; nothing of them can
/// be searched.
///
/// # Errors
/// If a value is wrong.
pub fn settings(table: &Table<'_>, list: &'static [Param]) -> Result<Vec<f64>, Error> {
    let mut said = Vec::with_capacity(list.len());
    for param in list {
        let item = table.need(param.key, "")?;
        said.push(match read(&item, param)? {
            Said::Fixed(value) => Ok(value),
            Said::Same(other) => Err(other),
            Said::Each => return Err(item.wrong(param.allowed()).help("`each` goes with numbers in scenarios")),
            Said::Searched(..) => {
                return Err(item
                    .error(format!("`{}` cannot be searched", param.key))
                    .allowed(param.allowed())
                    .help("only [parameters] and [people] can; use `each` for one scenario per value"));
            }
        });
    }
    let follow = |other: &str| {
        let at = list.iter().position(|p| p.key == other).expect("a registered key is followed");
        said[at].unwrap_or(list[at].default_value())
    };
    Ok(said.iter().map(|s| s.unwrap_or_else(follow)).collect())
}
