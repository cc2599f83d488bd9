//! The terminal tables of `crowdtune posterior`.

use super::{done, left, said, value};
use crate::evolve::posterior::Posterior;
use crate::evolve::verdict::draft;
use crate::format;
use crate::report::plain_text::neutral;
use crate::report::table::{self, Terminal};

/// What is known, what was measured beside what runs give, and what can be said of both; `report` is the page.
pub fn text(p: &Posterior, report: &str, terminal: Terminal) -> String {
    let mut out = table::wrapped(&format!("{}.", done(p)), "", terminal);
    if let Some(draft) = draft(p.draft_step_s) {
        out += &table::wrapped(&format!("{draft}."), "", terminal);
    }
    for (_, sentence) in said(p) {
        out += &table::wrapped(&format!("{sentence}."), "", terminal);
    }
    let head = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = p
        .genes
        .iter()
        .map(|m| {
            let before = if m.shares.is_empty() {
                format!("{} to {}", format::number(m.before[0]), format::number(m.before[4]))
            } else {
                m.gene.choices.join(", ")
            };
            vec![format::parameter(&m.gene.key), value(m), before, left(m)]
        })
        .collect();
    out += &format!(
        "\n{}\n",
        table::plain(&head(&["parameter", "median [90 %]", "before, 90 %", "left of it"]), &rows, terminal)
    );
    let rows: Vec<Vec<String>> = p
        .statistics
        .iter()
        .map(|a| {
            let predicted = a.predicted.map_or_else(
                || format::NONE.to_string(),
                |[mean, low, high]| format::interval(Some(mean), Some(low), Some(high)),
            );
            let case = if a.held_out { format!("{}, held out", a.case) } else { a.case.clone() };
            let measured = format!("{} \u{b1} {}", format::number(a.measured), format::number(a.sd));
            vec![format::name_with_unit(&a.target, &a.unit), case, measured, predicted]
        })
        .collect();
    out += &format!(
        "\n{}\n",
        table::plain(&head(&["measured", "in", "value \u{b1} error", "fresh runs [90 %]"]), &rows, terminal)
    );
    if !report.is_empty() {
        out += &format!("Report: {}\n", neutral(report));
    }
    out
}
