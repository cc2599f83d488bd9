//! What a target wants: one kind, its numbers and its tolerance.

use super::context::Context;
use super::item::{Item, Table};
use super::sample;
use crate::target::TARGETS;
use crate::target::{Distance, Wanted};
use crowdtune_core::Error;

/// Reads the one kind of target that a table names, with the keys that go with it.
///
/// # Errors
/// If there is none or more than one, or a key is missing or wrong.
pub(super) fn read(table: &Table<'_>, context: &mut Context<'_>) -> Result<Wanted, Error> {
    let given: Vec<_> = TARGETS.iter().filter_map(|kind| Some((kind.name, table.take(kind.name)?))).collect();
    let (kind, item) = match &given[..] {
        [one] => one,
        [] => {
            return Err(table
                .item
                .error(format!("`{}` does not say what is wanted", table.item.path))
                .allowed(TARGETS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", "))
                .help("add one of them, for instance `at_most = 0.05`; what is only recorded goes under [measure.*]"));
        }
        [first, second, ..] => {
            return Err(second
                .1
                .error(format!("`{}` wants two things: `{}` and `{}`", table.item.path, first.0, second.0))
                .help("keep one, and write the other as a target of its own"));
        }
    };
    for (key, kinds) in [
        ("tolerance", &["equals", "points", "like"][..]),
        ("scale", &["at_most", "at_least"]),
        ("over", &["points"]),
        ("by", &["like"]),
        ("loss", &["equals", "points"]),
    ] {
        if !kinds.contains(kind)
            && let Some(extra) = table.take(key)
        {
            return Err(extra
                .error(format!("`{key}` does not go with `{kind}`"))
                .help(format!("it goes with {}", kinds.join(", "))));
        }
    }
    let tolerance =
        || table.need("tolerance", "it is half the width of the band: a number in the metric's unit, or \"10 %\"");
    let squares = || match table.take("loss") {
        Some(item) => item.word(&[("band", false), ("squares", true)]),
        None => Ok(false),
    };
    Ok(match *kind {
        "minimize" | "maximize" => scale(kind, item)?,
        "equals" => {
            let value = item.finite()?;
            Wanted::Equals { value, tolerance: self::tolerance(&tolerance()?, Some(value))?, squares: squares()? }
        }
        "between" => {
            let (low, high) = item.interval("[low, high]")?;
            Wanted::Between { low, high }
        }
        "at_most" | "at_least" => {
            let limit = item.finite()?;
            let help = "the limit is 0, so the loss needs a unit: give `scale`, the excess that counts as a loss of 1";
            let scale = table.need("scale", help)?.positive("a number above 0")?;
            if *kind == "at_most" { Wanted::AtMost { limit, scale } } else { Wanted::AtLeast { limit, scale } }
        }
        "points" => {
            let over = table
                .need("over", "name the `each` key that the points run over, such as `over = \"width_m\"`")?
                .text()?;
            let tolerance = tolerance()?;
            let over = over.strip_prefix("parameters.").unwrap_or(&over).to_owned();
            Wanted::Points { over, points: points(item, &tolerance)?, squares: squares()? }
        }
        _ => {
            let by = table.need("by", "")?.word(&[("wasserstein", Distance::Wasserstein), ("ks", Distance::Ks)])?;
            Wanted::Like {
                reference: sample::read(item, context)?,
                by,
                tolerance: self::tolerance(&tolerance()?, None)?,
            }
        }
    })
}

fn scale(kind: &str, item: &Item<'_>) -> Result<Wanted, Error> {
    let what = format!("{kind} = {{ good = ..., bad = ... }}: the values of loss 0 and 1");
    let table = item.table().map_err(|_| item.wrong(what.clone()))?;
    let (good, bad) = (table.need("good", &what)?.finite()?, table.need("bad", &what)?.finite()?);
    table.finish()?;
    match kind {
        "minimize" if good < bad => Ok(Wanted::Minimize { good, bad }),
        "maximize" if good > bad => Ok(Wanted::Maximize { good, bad }),
        _ => {
            let side = if kind == "minimize" { "below" } else { "above" };
            Err(item
                .wrong(format!("`good` {side} `bad`"))
                .help(format!("to {kind}, the good value lies {side} the bad one")))
        }
    }
}

/// An absolute tolerance; a share in percent is one of `of`.
fn tolerance(item: &Item<'_>, of: Option<f64>) -> Result<f64, Error> {
    let percent = item.text().ok().map(|t| {
        let share = t.strip_suffix('%').and_then(|t| t.trim().parse::<f64>().ok());
        share.filter(|s| *s > 0.0 && s.is_finite())
    });
    match (percent, of) {
        (None, _) => item.positive("a number above 0, or a share such as \"10 %\""),
        (Some(None), _) => Err(item.wrong("a number above 0, or a share such as \"10 %\"")),
        (Some(Some(_)), None) => {
            Err(item.wrong("a number above 0, in the unit of the distance (with `by = \"ks\"` a share from 0 to 1)"))
        }
        (Some(Some(_)), Some(0.0)) => {
            Err(item.wrong("a number above 0").help("any share of 0 is 0; give the tolerance in the metric's unit"))
        }
        (Some(Some(share)), Some(of)) => Ok(share / 100.0 * of.abs()),
    }
}

fn points(item: &Item<'_>, tolerance: &Item<'_>) -> Result<Vec<(f64, f64, f64)>, Error> {
    let what = "a list of [value of the key, wanted value], the first ones all different";
    let mut out: Vec<(f64, f64, f64)> = Vec::new();
    for point in item.list().map_err(|_| item.wrong(what))? {
        let pair = point.numbers(2, "[value of the key, wanted value]")?;
        if out.iter().any(|p| p.0 == pair[0]) {
            return Err(item.error(format!("{} has two points", pair[0])).allowed(what));
        }
        out.push((pair[0], pair[1], self::tolerance(tolerance, Some(pair[1]))?));
    }
    if out.is_empty() {
        return Err(item.wrong(what));
    }
    Ok(out)
}
