//! `prior` of a search: what is known of a constant before anything was measured.

use crate::evolve::config::item::Item;
use crowdtune_core::Error;
use crowdtune_search::{Axis, Prior};
use crowdtune_sim::crowd::people::Family;

/// Less of a prior than this between the ends of the range is a slip of the pen. Chosen here.
const LEAST_SHARE: f64 = 1e-3;

const WAYS: &str = "\"uniform\", { normal = [mean, standard deviation] }, { log_normal = [mean of the logarithm, its standard deviation] } or \
                    { beta = [a, b] }";

/// Reads a prior for values of this axis.
///
/// # Errors
/// If it is none, has wrong numbers, does not go with the axis, or hardly reaches into it.
pub fn prior(item: &Item<'_>, axis: &Axis) -> Result<Prior, Error> {
    if !item.is_table() {
        return item.word(&[("uniform", Prior::Uniform)]).map_err(|e| e.allowed(WAYS));
    }
    let table = item.table()?;
    let ways = ["normal", "log_normal", "beta"].map(|key| table.take(key));
    table.finish()?;
    let mut given = ways.iter().flatten();
    let (Some(numbers), None) = (given.next(), given.next()) else { return Err(item.wrong(WAYS)) };
    if !matches!(axis, Axis::Real { .. }) {
        return Err(item.error("a prior other than \"uniform\" goes with `range` only").help("remove it"));
    }
    let known = match &ways {
        [Some(_), ..] => {
            let pair = numbers.numbers(2, "[mean, standard deviation]")?;
            Prior::Normal { mean: pair[0], sd: pair[1] }
        }
        [_, Some(_), _] => {
            let pair = numbers.numbers(2, Family::LogNormal.numbers())?;
            Prior::LogNormal { mean: pair[0], sd: pair[1] }
        }
        _ => {
            let pair = numbers.numbers(2, "[a, b]")?;
            if pair[0] <= 0.0 {
                return Err(numbers.wrong("[a, b], both above 0"));
            }
            Prior::Beta { a: pair[0], b: pair[1] }
        }
    };
    match known {
        Prior::Normal { sd, .. } | Prior::LogNormal { sd, .. } | Prior::Beta { b: sd, .. } if sd <= 0.0 => {
            return Err(numbers.wrong("two numbers, the second above 0"));
        }
        _ => {}
    }
    let share = known.share(axis);
    if share < LEAST_SHARE {
        return Err(numbers
            .error(format!("only {:.1e} of this prior lies within the range", share))
            .help("widen the range, or mend the prior: log_normal takes the logarithm of the constant"));
    }
    Ok(known)
}
