//! How far the other tool is from the preset, on seeds that neither of them was tuned on.

use super::{Fit, SEEDS};
use crate::evolve::experiment::Experiment;
use crate::evolve::figures::Resamples;
use crate::evolve::log::{failure, last_check};
use crate::evolve::scoring::Rescore;
use crate::figure::Figure;
use crowdtune_core::math::rng::Seed;
use crowdtune_search::Trial;

/// A target or measure in a case: the preset in this library, and the other tool with its defaults and fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Residual {
    /// Target or measure.
    pub name: String,
    /// Unit, or "".
    pub unit: String,
    /// Case.
    pub case: String,
    /// True if it was fitted; measures and held-out cases are only looked at.
    pub fitted_to: bool,
    /// The preset in this library.
    pub preset: Figure,
    /// The tool with its defaults.
    pub defaults: Figure,
    /// The tool with the fitted parameters.
    pub fitted: Figure,
    /// The tool with its defaults less the preset, paired by seed.
    pub defaults_off: Figure,
    /// The fitted tool less the preset, paired by seed.
    pub fitted_off: Figure,
}

impl Residual {
    /// Whether the fitted tool is nearer to the preset than with its defaults; `None` where one of them has no value.
    pub fn nearer(&self) -> Option<bool> {
        let off = |figure: &Figure| figure.value.map(f64::abs);
        Some(off(&self.fitted_off)? < off(&self.defaults_off)?)
    }
}

/// Every target and measure of the fit in every case, and why a side has no values where it has none. `preset` is the answer to the second
/// question of the fit, `trials` are the rows of the search with the other tool.
pub fn residuals(fit: &Fit, preset: &Trial, made: &Experiment, trials: &[Trial]) -> (Vec<Residual>, Vec<String>) {
    let check = last_check(trials);
    let sides = [check.baseline, check.reports.last().copied()];
    let failed = ["with its defaults", "fitted"].into_iter().zip(sides).filter_map(|(words, side)| {
        let why = failure(side?)?;
        Some(format!("{words} a run on fresh seeds failed: {why}"))
    });
    let (own, other) = (Rescore::new(&fit.own), Rescore::new(made));
    let resamples = Resamples::new(Seed(made.search.seed), SEEDS as usize);
    let mut rows = Vec::new();
    for (column, target) in made.columns.iter().enumerate() {
        let wish = fit.wishes.iter().find(|wish| wish.name == target.name);
        let name = wish.map_or(&target.name, |wish| &wish.column);
        let Some(own_column) = fit.own.columns.iter().position(|column| column.name == *name) else { continue };
        for (case, about) in made.cases.iter().enumerate().filter(|(_, case)| case.columns[column].is_some()) {
            let Some(own_case) = fit.own.cases.iter().position(|own| own.name == about.name) else { continue };
            let there = |side: Option<&Trial>, rows: &[usize]| other.case_value(side?, column, case, rows);
            // One pass, so that all are taken on the same draw of seeds.
            let figures = resamples.figures(5, |rows| {
                let here = own.case_value(preset, own_column, own_case, rows);
                let [defaults, fitted] = sides.map(|side| there(side, rows));
                let off = |there: Option<f64>| there.zip(here).map(|(there, here)| there - here);
                vec![here, defaults, fitted, off(defaults), off(fitted)]
            });
            rows.push(Residual {
                name: target.name.clone(),
                unit: target.unit().to_owned(),
                case: about.name.clone(),
                fitted_to: wish.is_some() && !about.held_out,
                preset: figures[0],
                defaults: figures[1],
                fitted: figures[2],
                defaults_off: figures[3],
                fitted_off: figures[4],
            });
        }
    }
    (rows, failed.collect())
}
