//! The page of `crowdtune sweep`: the curves, and the numbers behind them.

use super::html::{kept, shell};
use super::plots::Plot;
use super::sweep::{AxisValue, SweepTable};
use crate::format;
use maud::{Markup, PreEscaped, html};

/// The page; `experiment` is the file with every default written out.
pub fn page(table: &SweepTable, plots: &[Plot], experiment: &str) -> String {
    let title = if table.title.is_empty() { "Sweep" } else { &table.title };
    shell(
        title,
        &html! {
            h1 { (title) }
            p.lead { (lead(table)) }
            p.note {
                "Dots are means over runs that differ in their random seeds, bars 95 % intervals of the mean."
                @for remark in table.remarks() { " " (remark) }
            }
            @for plot in plots {
                figure { (PreEscaped(&plot.svg)) figcaption { (plot.caption) } }
            }
            h2 { "The numbers" }
            (numbers(table))
            @if !experiment.is_empty() {
                details { summary { "The experiment file with every default written out" } pre { (experiment) } }
            }
        },
    )
}

/// What was run, in a sentence.
fn lead(table: &SweepTable) -> String {
    let axes: Vec<String> = table.axes.iter().map(|key| format::words(key)).collect();
    let over = if axes.is_empty() { String::new() } else { format!(" over {}", axes.join(" and ")) };
    let runs: u64 = table.rows.iter().map(|row| u64::from(row.replicas)).sum();
    let failed: u64 = table.rows.iter().map(|row| u64::from(row.failed)).sum();
    let lost = if failed == 0 { String::new() } else { format!("; {failed} of them failed and count for nothing") };
    format!("{}{over}, {}{lost}.", format::count(table.rows.len() as u64, "point"), format::count(runs, "run"))
}

fn numbers(table: &SweepTable) -> Markup {
    let scenarios = table.many_scenarios();
    let failed = table.rows.iter().any(|row| row.failed > 0);
    html! {
        div.card { table {
            thead { tr {
                @if scenarios { th { "scenario" } }
                @for key in &table.axes { th.n { (format::words(key)) } }
                @for column in &table.columns {
                    th.n { (format::name_with_unit(&column.name, &column.unit)) }
                    @if !column.reference.is_empty() { th.n { (column.name) " wanted" } }
                }
                @if failed { th.n { "failed" } }
            } }
            tbody { @for row in &table.rows { tr {
                @if scenarios { td { (row.scenario) } }
                @for value in &row.axes { td.n { (AxisValue::text(value)) } }
                @for (column, figure) in table.columns.iter().zip(&row.cells) {
                    td.n { (kept(figure)) }
                    @if !column.reference.is_empty() { td.n { (column.wanted(row.axes.first())) } }
                }
                @if failed { td.n { (row.failed) " of " (row.replicas) } }
            } } }
        } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn the_page_has_every_plot_and_number_and_fetches_nothing() {
        let mut table = fixture::sweep();
        table.rows[0].failed = 2;
        table.title = "<b>".into();
        let plots = crate::report::plots::curve::sweep(&table);
        let page = page(&table, &plots, "model = 1");
        assert_eq!(page.matches("<figcaption").count(), plots.len());
        for part in ["&lt;b&gt;", "2 of 5", "model = 1", "2 of them failed", "desired speed (m/s)"] {
            assert!(page.contains(part), "{part}");
        }
        assert!(!page.contains("<b>") && !page.contains("src=") && !page.contains("https:"));
    }
}
