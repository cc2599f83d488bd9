//! Traits of people: a number, a distribution, or searched.

use super::fill::has_each;
use super::item::Item;
use super::params;
use crowdtune_core::Error;
use crowdtune_core::registry::{Kind, Param};
use crowdtune_search::Axis;
use crowdtune_sim::crowd::people::{Distribution, Family};

/// What a file says of a trait.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// Drawn per person, or the same for everybody.
    Drawn(Distribution),
    /// Searched, from a start value.
    Searched(Axis, f64),
    /// One scenario for each of some values; not yet expanded.
    Each,
}

/// Reads the value of a trait.
///
/// # Errors
/// If a number, an end or a clip range is out of range.
pub fn read(item: &Item<'_>, param: &'static Param) -> Result<Said, Error> {
    if let (true, Some(entries)) = (item.is_table(), item.node.entries())
        && (["uniform", "normal", "clip"].iter().any(|key| entries.contains_key(*key))
            || Family::ALL.iter().any(|family| entries.contains_key(family.key())))
    {
        // Numbers inside a distribution may have an `each` too; the expanded copies are read again.
        if entries.iter().any(|(key, node)| key != "each" && has_each(node)) {
            return Ok(Said::Each);
        }
        return distribution(item, param).map(Said::Drawn);
    }
    Ok(match params::read(item, param)? {
        params::Said::Fixed(value) => Said::Drawn(Distribution::Fixed(value)),
        params::Said::Searched(axis, start) => Said::Searched(axis, start),
        params::Said::Each => Said::Each,
        params::Said::Same(_) => unreachable!("no trait follows another"),
    })
}

fn distribution(item: &Item<'_>, param: &Param) -> Result<Distribution, Error> {
    let table = item.table()?;
    let (uniform, normal, clip) = (table.take("uniform"), table.take("normal"), table.take("clip"));
    let skewed: Vec<_> =
        Family::ALL.into_iter().filter_map(|family| Some((family, table.take(family.key())?))).collect();
    let searched = ["range", "integers", "choices", "each"].into_iter().find_map(|k| table.take(k));
    if let Some(other) = searched {
        return Err(other.error("a trait is drawn or searched, not both").help("keep one of the two"));
    }
    table.finish()?;
    let (low, high) = hard(param);
    let within = |item: &Item<'_>, (a, b): (f64, f64)| {
        if a >= low && b <= high {
            Ok((a, b))
        } else {
            Err(item.wrong(format!("[low, high] within {}", params::bounds(param))))
        }
    };
    if let Some((family, numbers)) = skewed.first() {
        if skewed.len() > 1 || uniform.is_some() || normal.is_some() {
            return Err(numbers.error("a trait has one distribution").help("keep one of them"));
        }
        let pair = numbers.numbers(2, family.numbers())?;
        let clip = clip.map_or(Ok((low, high)), |clip| within(&clip, clip.interval("[low, high]")?))?;
        if !family.takes((pair[0], pair[1])) {
            return Err(numbers.wrong(format!("{}, above 0", family.numbers())));
        }
        return Ok(Distribution::Skewed { family: *family, numbers: (pair[0], pair[1]), clip });
    }
    match (uniform, normal, clip) {
        (Some(ends), None, None) => {
            let (low, high) = within(&ends, ends.interval("[low, high]")?)?;
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
                    let range = within(&clip, clip.interval("[low, high]")?)?;
                    if range.0 > mean + 4.0 * sd || range.1 < mean - 4.0 * sd {
                        return Err(
                            clip.wrong(format!("a range that people can fall into: mean {mean}, deviation {sd}"))
                        );
                    }
                    range
                }
                None => usual_clip(mean, sd, param).ok_or_else(|| normal.wrong(params::allowed(param)))?,
            };
            Ok(Distribution::Normal { mean, sd, clip })
        }
        (Some(_), Some(normal), _) => {
            Err(normal.error("a trait has one distribution").help("keep `uniform` or `normal`"))
        }
        (_, _, Some(clip)) => {
            Err(clip.error("`clip` goes with `normal` and the skewed families only").help("remove it"))
        }
        (None, None, None) => Err(item.wrong(params::allowed(param))),
    }
}

fn hard(param: &Param) -> (f64, f64) {
    match param.kind {
        Kind::Real { hard, .. } => hard,
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

/// Three deviations to both sides, inside what is accepted; `None` where nothing of it is.
///
/// Chosen here: three deviations keep 99.7 % of a normal distribution and no absurd people.
pub fn usual_clip(mean: f64, sd: f64, param: &Param) -> Option<(f64, f64)> {
    let (low, high) = hard(param);
    let clip = ((mean - 3.0 * sd).max(low), (mean + 3.0 * sd).min(high));
    (clip.0 < clip.1).then_some(clip)
}
