//! What all plots of tables share: colors, titles, the head of the picture.

use crate::format;
use crate::report::chart::style::{DEFAULT, INK, RGBColor, TUNED, series};
use crate::report::chart::{Key, Legend, Sheet, Stroke};
use crate::report::run_table::RunTable;

/// How the columns begin that hold what the recording has.
const RECORDED: &str = "recorded_";
/// The line of the recording.
pub(super) const OF_RECORDING: Stroke = Stroke::new(INK, 1.4);

/// The color of a table: that of defaults or tuned, else of the next series.
pub(super) fn color(tables: &[&RunTable], at: usize) -> RGBColor {
    match tables[at].about.label.as_str() {
        "defaults" => DEFAULT,
        "tuned" => TUNED,
        _ => series(at),
    }
}

/// What a column of a table holds, with its unit; the one value of a metric goes by the name of the metric.
pub(super) fn title(table: &RunTable, column: usize) -> String {
    let name = &table.columns[column];
    format::words(if name == "value" { &table.about.metric } else { name })
}

/// Title, case and, if the tables are told apart by color, the legend.
pub(super) fn sheet(tables: &[&RunTable], colored: bool) -> Sheet {
    let about = &tables[0].about;
    let legend = tables
        .iter()
        .enumerate()
        .filter(|_| colored)
        .fold(Legend::new(), |legend, (at, t)| legend.with(Key::Line(stroke(tables, at)), t.about.label.as_str()));
    let beside = colored && (0..tables[0].columns.len()).any(|column| recorded(tables[0], column).is_some());
    let legend = if beside { legend.with(Key::Line(OF_RECORDING), "recorded") } else { legend };
    Sheet::new(&about.column).below(format!("{}, {}", about.metric, about.case)).legend(legend)
}

/// The line of a table.
pub(super) fn stroke(tables: &[&RunTable], at: usize) -> Stroke {
    Stroke::new(color(tables, at), 2.0)
}

/// True for what the recording has, beside which a run stands: the same in all tables.
pub(super) fn is_recorded(table: &RunTable, column: usize) -> bool {
    table.columns[column].starts_with(RECORDED)
}

/// The column with what the recording has of another column.
pub(super) fn recorded(table: &RunTable, column: usize) -> Option<usize> {
    let name = format!("{RECORDED}{}", table.columns[column]);
    table.columns.iter().position(|other| *other == name)
}

/// The values of a column in all tables.
pub(super) fn all<'t>(tables: &'t [&RunTable], at: usize) -> impl Iterator<Item = f64> + 't {
    tables.iter().flat_map(move |t| t.rows.iter().map(move |r| r[at]))
}
