//! The filled cell that is nearest to a wanted behavior.

use crate::evolve::summary::{AtlasCell, AtlasSummary, AxisSummary, Figure};
use crowdtune_core::Error;
use crowdtune_core::suggest;

/// Reads `polarization=0.8,density=1`: a value for each axis that is named, `None` for the others, which are free.
///
/// # Errors
/// If a part is not `NAME=VALUE`, an axis is unknown or named twice, or a value is not a finite number.
pub fn near(text: &str, atlas: &AtlasSummary) -> Result<Vec<Option<f64>>, Error> {
    let mut wanted = vec![None; atlas.axes.len()];
    let names: Vec<&str> = atlas.axes.iter().map(|a| a.name.as_str()).collect();
    let example = || names.iter().map(|name| format!("{name}=1")).collect::<Vec<_>>().join(",");
    let wrong = |what: String| Error::input(what).key("--near");
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let Some((name, value)) = part.split_once('=') else {
            return Err(
                wrong(format!("`{part}` is not NAME=VALUE")).help(format!("write for example \"{}\"", example()))
            );
        };
        let name = name.trim();
        let Some(at) = names.iter().position(|n| *n == name) else {
            return Err(suggest::among(wrong(format!("the atlas has no axis `{name}`")), name, &names));
        };
        let value: f64 = match value.trim().parse() {
            Ok(x) if f64::is_finite(x) => x,
            _ => {
                return Err(wrong(format!("`{}` is not a number", value.trim()))
                    .help(format!("write for example \"{}\"", example())));
            }
        };
        if wanted[at].replace(value).is_some() {
            return Err(wrong(format!("the axis `{name}` is named twice")).help("name it once"));
        }
    }
    if wanted.iter().all(Option::is_none) {
        return Err(wrong("no axis is named".into()).help(format!("write for example \"{}\"", example())));
    }
    Ok(wanted)
}

/// The filled cell whose means are nearest to the wanted values, and how far away they are, in cells; of equally near
/// ones the better. `None` if no cell is filled.
pub fn nearest<'a>(atlas: &'a AtlasSummary, wanted: &[Option<f64>]) -> Option<(&'a AtlasCell, f64)> {
    let distance = |cell: &AtlasCell| -> f64 {
        let one = |((axis, wanted), got): ((&AxisSummary, &Option<f64>), &Figure)| {
            Some((got.value? - (*wanted)?) / axis.width())
        };
        let all = atlas.axes.iter().zip(wanted).zip(&cell.measures).filter_map(one);
        all.map(|d| d * d).sum::<f64>().sqrt()
    };
    let loss = |cell: &AtlasCell| cell.loss.value.unwrap_or(f64::INFINITY);
    let all = atlas.cells.iter().map(|cell| (cell, distance(cell)));
    all.min_by(|(a, x), (b, y)| x.total_cmp(y).then_with(|| loss(a).total_cmp(&loss(b))))
}
