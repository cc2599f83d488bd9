//! `validation.html`: every experiment of `crowdtune validate` with its lines and plots, on one page.

use super::shell;
use crate::format;
use crate::report::validation::{HEAD, Row, Validated, Validation};
use crate::validation::Verdict;
use maud::{Markup, PreEscaped, html};

/// The page; `plots` are the pictures by their name.
pub fn page(all: &Validation, plots: &[(String, String)]) -> String {
    let tone = if all.fall_short == 0 { "verdict good" } else { "verdict mixed" };
    let content = html! {
        h1 { "Validation" }
        p.lead { "Published experiments and standard tests, repeated." }
        p class=(tone) { strong { (all.sentence()) } span { (WORDS) } }
        h2 { "Experiments" }
        div.card { table {
            thead { tr { th { "experiment" } th { "what" } @for verdict in VERDICTS { th.n { (verdict.text()) } } } }
            tbody { @for e in &all.experiments { (in_short(e)) } }
        } }
        @for e in &all.experiments { (section(e, plots)) }
    };
    shell("Validation", &content)
}

const WORDS: &str = "A line falls short if its result is outside what the paper or the standard asks for, or if a run behind it \
                     cannot be trusted: bodies overlap too deep, people walk backwards most of the time, or the run fails. A \
                     deviation is expected only where a line named \u{201c}cause\u{201d} shows the limit of the published model.";

const VERDICTS: [Verdict; 4] =
    [Verdict::Holds, Verdict::AgreesWithReference, Verdict::ExpectedDeviation, Verdict::FallsShort];

fn in_short(e: &Validated) -> Markup {
    let count = |verdict| e.lines.iter().filter(|row| row.verdict == verdict).count();
    html! {
        tr {
            td.keep { a href=(format!("#{}", e.name)) { (e.name) } }
            td { (e.doc) }
            @for verdict in VERDICTS { td.n { @let n = count(verdict); @if n > 0 { (n) } } }
        }
    }
}

fn section(e: &Validated, plots: &[(String, String)]) -> Markup {
    let drawn = |name: &str| plots.iter().find(|p| p.0 == name).map(|p| p.1.as_str()).unwrap_or_default();
    html! {
        h2 id=(e.name) { (e.name) }
        p { (e.doc) }
        p.note { "Source: " (e.source) "." }
        div.card { table.stack {
            // Remarks stand below the table, each once.
            thead { tr { @for head in &HEAD[..HEAD.len() - 1] { @if *head != "unit" { th { (head) } } } } }
            tbody { @for line in &e.lines { (row(line)) } }
        } }
        @if e.lines.iter().any(|row| !row.remarks.is_empty()) {
            ul.note { @for (models, remark) in e.remarks() { li { b { (models.join(", ")) } ": " (remark) } } }
        }
        @for name in &e.plots { figure { (PreEscaped(drawn(name))) } }
    }
}

fn row(line: &Row) -> Markup {
    let class = match line.verdict {
        Verdict::Holds => "yes",
        Verdict::FallsShort => "no",
        Verdict::AgreesWithReference | Verdict::ExpectedDeviation => "sub",
    };
    html! {
        tr {
            td { (line.label) @if !line.unit.is_empty() { " (" (format::unit(&line.unit)) ")" } }
            td.keep { (line.model) }
            @for figure in [&line.paper, &line.reference, &line.result] { td { (figure.to_string()) } }
            td { (line.tolerance) }
            td class=(class) { (line.verdict.text()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::{Chart, Line, Outcome, Tolerance, exact};

    #[test]
    fn the_page_shows_each_line_with_its_verdict_and_each_plot() {
        let line = |v| Line::new("time < all", "orca", "s", exact(v), Tolerance::AtMost(5.0));
        let lines = vec![line(4.0).runs(""), line(4.0).runs("bodies overlap in 1 of 1 runs")];
        let charts = vec![Chart::new("room", "Room", "x", "y")];
        let mut all = Validation::default();
        all.add("room", "A room.", "a paper", &Outcome { lines, charts });
        let page = page(&all, &[("room".into(), "<svg>the plot</svg>".into())]);
        for part in
            ["id=\"room\"", "time &lt; all", ">holds<", ">falls short<", "bodies overlap in 1 of 1", "<svg>the plot"]
        {
            assert!(page.contains(part), "{part} is not in\n{page}");
        }
        assert!(!page.contains("<script") && !page.contains("http"));
    }
}
