//! The terminal table of `crowdtune sensitivity`.

use super::{done, failures, largest, morris_word, order, sizes, sobol_word, whole};
use crate::evolve::sensitivity::{Effects, Method, OutputEffects, Sensitivity};
use crate::evolve::verdict::draft;
use crate::format;
use crate::report::plain_text::neutral;
use crate::report::table::{self, Terminal};

/// Number of pairs named per output, the strongest ones. Chosen here: the matrix of the report shows them all.
const PAIRS: usize = 3;

/// A table for each objective, and one of all outputs side by side where there are more; `report` is the page.
pub fn text(s: &Sensitivity, report: &str, terminal: Terminal) -> String {
    let mut out = table::wrapped(&format!("{}.", done(s)), "", terminal);
    if let Some(draft) = draft(s.draft_step_s) {
        out += &table::wrapped(&format!("{draft}."), "", terminal);
    }
    let objectives = s.outputs.iter().filter(|o| o.kind == "objective").count();
    let full = if objectives > 0 { objectives } else { s.outputs.len().min(1) };
    for o in &s.outputs[..full] {
        out += &format!("\n{}\n{}\n", format::name_with_unit(&o.name, &o.unit), one(o, terminal));
        if let Some(whole) = whole(o) {
            out += &table::wrapped(&format!("{whole}."), "", terminal);
        }
        for line in pairs(o) {
            out += &table::wrapped(&line, "", terminal);
        }
    }
    if s.outputs.len() > full {
        let what = match s.design.method {
            Method::Morris => "mu*, the mean size of the effect over the whole range",
            Method::Sobol => "total share of the variance",
        };
        out += &format!("\nAll outputs: {what}\n{}\n", side_by_side(s, full, terminal));
    }
    if let Some(failures) = failures(s) {
        out += &table::wrapped(&format!("\n{failures}."), "", terminal);
    }
    if !report.is_empty() {
        out += &format!("Report: {}\n", neutral(report));
    }
    out
}

fn one(o: &OutputEffects, terminal: Terminal) -> String {
    let narrow = table::narrow(terminal);
    let places = order(&sizes(&o.effects));
    let (head, rows): (&[&str], Vec<Vec<String>>) = match &o.effects {
        Effects::Morris(all) => {
            let row = |&i: &usize| {
                let e = &all[i];
                let (size, mu, sigma) =
                    (e.mu_star.to_string(), format::option(e.mu.value), format::option(e.sigma.value));
                vec![format::key(&e.key).to_string(), size, mu, sigma, morris_word(e, largest(all)).to_string()]
            };
            (&["parameter", "mu* [95 %]", "mu", "sigma", "effect"], places.iter().map(row).collect())
        }
        Effects::Sobol { genes, .. } => {
            let row = |&i: &usize| {
                let e = &genes[i];
                let key = format::key(&e.key).to_string();
                vec![key, e.first.to_string(), e.total.to_string(), sobol_word(e).to_string()]
            };
            let head: &[&str] = if narrow {
                &["parameter", "alone", "total", "acts"]
            } else {
                &["parameter", "alone (S1) [95 %]", "total (ST) [95 %]", "acts"]
            };
            (head, places.iter().map(row).collect())
        }
    };
    let head: Vec<String> = head.iter().map(|h| (*h).to_string()).collect();
    table::plain(&head, &rows, terminal)
}

/// The pairs whose interval lies above 0, the strongest first.
fn pairs(o: &OutputEffects) -> Vec<String> {
    let Effects::Sobol { pairs, .. } = &o.effects else { return Vec::new() };
    let mut sure: Vec<_> = pairs.iter().filter(|p| p.second.low.is_some_and(|low| low > 0.0)).collect();
    sure.sort_by(|a, b| b.second.value.unwrap_or(0.0).total_cmp(&a.second.value.unwrap_or(0.0)));
    let line = |p: &&crate::evolve::sensitivity::PairEffect| {
        format!("Together {} and {}: {}.", format::key(&p.keys.0), format::key(&p.keys.1), p.second)
    };
    sure.iter().take(PAIRS).map(line).collect()
}

fn side_by_side(s: &Sensitivity, full: usize, terminal: Terminal) -> String {
    let shown = || s.outputs.iter().skip(full);
    let mut head = vec!["parameter".to_string()];
    head.extend(shown().map(|o| format::name_with_unit(&o.name, &o.unit)));
    let all: Vec<Vec<Option<f64>>> = shown().map(|o| sizes(&o.effects)).collect();
    // In the order of the first table, so that the eye finds a parameter in both.
    let row = |i: usize| {
        let mut row = vec![format::key(&s.genes[i].key).to_string()];
        row.extend(all.iter().map(|column| format::option(column[i])));
        row
    };
    let rows: Vec<_> = order(&sizes(&s.outputs[0].effects)).into_iter().map(row).collect();
    table::plain(&head, &rows, terminal)
}
