//! What a fit says of itself: the table of residuals for people and as CSV, and the README beside the files.

use super::{MakeFitted, OwnFile};
use crate::evolve::fit::Residual;
use crate::export::place::comment;
use crate::figure::Figure;
use crowdtune_core::registry::Entry;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// The head of the table.
pub fn head(tool: &MakeFitted) -> Vec<String> {
    let title = tool.title;
    let words = [
        "value".into(),
        "unit".into(),
        "scenario".into(),
        "preset in crowdtune".into(),
        format!("{title}, defaults, less preset"),
        format!("{title}, fitted, less preset"),
    ];
    words.to_vec()
}

/// Its rows, those that were fitted first.
pub fn rows(residuals: &[Residual]) -> Vec<Vec<String>> {
    let row = |r: &Residual| {
        let remark = if r.fitted_to { "" } else { " (not fitted)" };
        let cells = [&r.preset, &r.defaults_off, &r.fitted_off].map(Figure::to_string);
        let words = [r.name.clone(), r.unit.clone(), format!("{}{remark}", r.case)];
        words.into_iter().chain(cells).collect()
    };
    let (fitted, others): (Vec<&Residual>, Vec<&Residual>) = residuals.iter().partition(|r| r.fitted_to);
    fitted.into_iter().chain(others).map(row).collect()
}

/// How many of the fitted values came nearer, as a sentence; and in how many the preset lies in the interval.
pub fn verdict(tool: &MakeFitted, residuals: &[Residual]) -> String {
    let of: Vec<&Residual> = residuals.iter().filter(|r| r.fitted_to).collect();
    let nearer = of.iter().filter(|r| r.nearer() == Some(true)).count();
    let within = |off: &Figure| off.low.zip(off.high).is_some_and(|(low, high)| low <= 0.0 && high >= 0.0);
    let count = |side: fn(&Residual) -> &Figure| of.iter().filter(|r| within(side(r))).count();
    let (title, all) = (tool.title, of.len());
    format!(
        "Fitted, {title} is nearer to the preset than with its defaults in {nearer} of {all} values; the interval of the difference holds 0 in {} \
         of {all}, with the defaults in {}.",
        count(|r| &r.fitted_off),
        count(|r| &r.defaults_off),
    )
}

/// The residuals as CSV: a line each, intervals of 95 %.
pub fn csv(residuals: &[Residual]) -> String {
    let mut out = String::from("value,unit,scenario,fitted_to");
    for side in ["preset", "defaults", "fitted", "defaults_less_preset", "fitted_less_preset"] {
        let _ = write!(out, ",{side},{side}_low,{side}_high");
    }
    out.push('\n');
    for r in residuals {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let _ = write!(out, "{},{},{},{}", quoted(&r.name), quoted(&r.unit), quoted(&r.case), r.fitted_to);
        for figure in [&r.preset, &r.defaults, &r.fitted, &r.defaults_off, &r.fitted_off] {
            for number in [figure.value, figure.low, figure.high] {
                let _ = write!(out, ",{}", number.map_or_else(String::new, |x| x.to_string()));
            }
        }
        out.push('\n');
    }
    out
}

/// A file with the lines of where its numbers come from: as comments, in JSON as `origin`.
pub fn signed(name: &str, text: &str, origin: &[String]) -> String {
    let commented = |mark: &str| {
        let lines = origin.iter().fold(String::new(), |out, line| format!("{out}{mark} {}\n", comment(line)));
        format!("{lines}\n{text}")
    };
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("json") => match serde_json::from_str::<Map<String, Value>>(text) {
            Ok(mut tables) => {
                tables.insert("origin".into(), origin.into());
                serde_json::to_string_pretty(&tables).unwrap_or_default() + "\n"
            }
            Err(_) => text.to_owned(),
        },
        Some("ini") => commented(";"),
        _ => commented("#"),
    }
}

/// What the README tells.
#[derive(Clone, Debug)]
pub struct Told<'a> {
    /// The tool.
    pub tool: &'a Entry<MakeFitted>,
    /// Name of the preset.
    pub preset: &'a str,
    /// The lines of where the preset comes from.
    pub origin: &'a [String],
    /// Name and text of the files with the parameters in the tool's own terms.
    pub own: &'a [OwnFile],
    /// Residuals.
    pub residuals: &'a [Residual],
    /// What is not fitted and why, and what failed.
    pub remarks: &'a [String],
    /// Candidates of the search.
    pub evaluations: u64,
}

/// The README of the export.
pub fn readme(told: &Told<'_>) -> String {
    let Told { tool, preset, own, .. } = told;
    let title = tool.make.title;
    let mut out = format!(
        "# {title} fitted to the preset `{}`\n\n{title} moves people by another law than the preset. Of {} candidates these parameters came \
         nearest to what the preset does in crowdtune, in the same places with the same people ({}).\n\n",
        comment(preset),
        told.evaluations,
        tool.source,
    );
    for (file, text) in *own {
        let _ = write!(out, "`{file}`, in {title}'s own terms:\n\n```\n{}\n```\n\n", text.trim_end());
    }
    out += &format!(
        "Differences on 20 fresh seeds, paired by seed, with 95 % intervals. {}\n\n",
        verdict(&tool.make, told.residuals)
    );
    let line = |cells: Vec<String>| {
        format!("| {} |\n", cells.iter().map(|c| c.replace('|', "\\|")).collect::<Vec<_>>().join(" | "))
    };
    out += &line(head(&tool.make));
    out += &format!("|{}\n", "---|".repeat(6));
    rows(told.residuals).into_iter().for_each(|cells| out += &line(cells));
    if !told.remarks.is_empty() {
        out += "\nNot fitted:\n\n";
        told.remarks.iter().for_each(|remark| out += &format!("* {}\n", comment(remark)));
    }
    let install = tool.make.install.replace("{folder}", ".");
    out += &format!(
        "\n## Again\n\n```\n{install}\ncrowdtune evolve experiment.toml\n```\n\n`experiment.toml` is the search, `fit/` its run folder with \
         `report.html`, the worker is what moves people with {title}; `best.json` holds the fitted parameters by the names of the \
         experiment, `residuals.csv` the table above with all digits.\n\n## Where the preset comes from\n\n"
    );
    told.origin.iter().for_each(|line| out += &format!("* {line}\n"));
    out
}
