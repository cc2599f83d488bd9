//! The terminal table of `crowdtune advise`.

use super::with_unit;
use crate::evolve::posterior::{Advice, Suggestion};
use crate::format;
use crate::report::table::{self, Terminal};

/// Suggestions that are shown. Chosen here: `advice.json` has all.
const SHOWN: usize = 12;
/// A suggestion that leaves more than this of the widest direction says little. Chosen here: chance alone gives a few percent.
const LITTLE: f64 = 0.95;

/// What to measure next, in a sentence and a table.
pub fn advice(a: &Advice, terminal: Terminal) -> String {
    let mut out = table::wrapped(&format!("{}.", said(a)), "", terminal);
    let mut head: Vec<String> = ["measure", "in", "error", "widest left"].map(str::to_string).to_vec();
    head.extend(a.widest.iter().map(|(key, _)| format::key(key).to_string()));
    let percent = |share: f64| format!("{} %", format::fixed(100.0 * share, 0));
    let row = |s: &Suggestion| {
        let mut row =
            vec![format::name_with_unit(&s.what, &s.unit), s.case.clone(), format::number(s.error), percent(s.left)];
        row.extend(s.genes.iter().map(|&left| percent(left)));
        row
    };
    let rows: Vec<Vec<String>> = a.suggestions.iter().take(SHOWN).map(row).collect();
    out += &format!("\n{}\n", table::plain(&head, &rows, terminal));
    if a.suggestions.len() > SHOWN {
        out += &format!("advice.json has all {} of them.\n", a.suggestions.len());
    }
    out
}

fn said(a: &Advice) -> String {
    let mut parts: Vec<&(String, f64)> = a.widest.iter().filter(|(_, part)| part.abs() > 0.3).collect();
    parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let names: Vec<String> = parts.iter().map(|(key, _)| format::parameter(key)).collect();
    let open = names.join(" and ");
    match a.suggestions.first() {
        Some(first) if first.left < LITTLE => format!(
            "Least is known of {open}. To measure {} in {} with an error of {} would leave {} % of that, more than any other: {} draws of the \
             posterior give {} with a standard deviation of {}",
            first.what,
            first.case,
            with_unit(first.error, &first.unit),
            format::fixed(100.0 * first.left, 0),
            a.draws,
            with_unit(first.expected.0, &first.unit),
            format::number(first.expected.1)
        ),
        _ => format!(
            "Least is known of {open}, and nothing that the file measures would tell much of it: add [measure.NAME] tables and scenarios with \
             held_out = true"
        ),
    }
}
