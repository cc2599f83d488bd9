//! What `crowdtune sweep` gives: a row for each point of the grid.

use super::table::{Terminal, plain};
use crate::evolve::summary::Figure;
use crate::evolve::unfinished::words;
use crate::format;
use serde::{Deserialize, Serialize};

/// The value of one swept key: a number, or the word of a choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AxisValue {
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
}

impl AxisValue {
    /// As it is printed.
    pub fn text(&self) -> String {
        match self {
            Self::Number(x) => format::plain(*x),
            Self::Word(word) => word.clone(),
        }
    }
}

/// What is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepColumn {
    /// Name of the target or measure.
    pub name: String,
    /// Metric.
    pub metric: String,
    /// Unit, or "".
    pub unit: String,
    /// Known points to compare with: (value of the first axis, value, absolute tolerance); empty where there are none.
    pub reference: Vec<(f64, f64, f64)>,
    /// True if intervals are over recorded people, not over seeds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub over_people: bool,
}

/// One point of the grid in one scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepRow {
    /// Scenario table.
    pub scenario: String,
    /// One value per axis.
    pub axes: Vec<AxisValue>,
    /// True if the value is marked `held_out` in the file.
    pub held_out: bool,
    /// Replicas that ran.
    pub replicas: u32,
    /// Replicas that failed.
    pub failed: u32,
    /// One figure per column.
    pub cells: Vec<Figure>,
    /// Runs in which the value of a column is a penalty because people were still inside at the limit, one per column.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<u32>,
}

/// The whole sweep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SweepTable {
    /// Title of the experiment.
    pub title: String,
    /// Swept keys, dotted.
    pub axes: Vec<String>,
    /// What is measured.
    pub columns: Vec<SweepColumn>,
    /// The grid.
    pub rows: Vec<SweepRow>,
}

/// What is said of intervals that are not over seeds.
const OVER_PEOPLE: &str = "Intervals of track errors are over the recorded people (bootstrap, 95 %), not over seeds.";

impl SweepTable {
    /// What has to be said of the numbers, in sentences.
    pub fn remarks(&self) -> Vec<String> {
        let people = self.over_people().then(|| OVER_PEOPLE.to_string());
        let column = |(k, column): (usize, &SweepColumn)| {
            let open = |row: &SweepRow| row.unfinished.get(k).copied().unwrap_or(0);
            let rows = || self.rows.iter().filter(|row| open(row) > 0);
            let of = (rows().map(open).sum(), rows().map(|row| row.replicas - row.failed).sum());
            let place = |row: &SweepRow| {
                let axes = row.axes.iter().map(AxisValue::text).filter(|text| !text.is_empty());
                let scenario = self.many_scenarios().then(|| row.scenario.clone());
                scenario.into_iter().chain(axes).collect::<Vec<_>>().join(" ")
            };
            let places: Vec<String> = rows().map(place).filter(|place| !place.is_empty()).collect();
            let at = if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
            (of.0 > 0).then(|| format!("{}{at}.", words(&column.name, of)))
        };
        people.into_iter().chain(self.columns.iter().enumerate().filter_map(column)).collect()
    }

    /// True if some intervals are over recorded people.
    fn over_people(&self) -> bool {
        self.columns.iter().any(|column| column.over_people)
    }

    /// True if the rows come from more than one scenario table.
    pub fn many_scenarios(&self) -> bool {
        self.rows.windows(2).any(|w| w[0].scenario != w[1].scenario)
    }

    /// Comma-separated text: a line per row, full precision, empty cells where there is no value; three fields
    /// (value, low, high) per column.
    pub fn csv(&self) -> String {
        let mut head = vec!["scenario".to_string()];
        head.extend(self.axes.iter().cloned());
        head.extend(["held_out", "replicas", "failed"].map(String::from));
        for c in &self.columns {
            head.extend([c.name.clone(), format!("{}_low", c.name), format!("{}_high", c.name)]);
        }
        let mut out = line(&head);
        for row in &self.rows {
            let mut cells = vec![row.scenario.clone()];
            cells.extend(row.axes.iter().map(AxisValue::text));
            cells.extend([row.held_out.to_string(), row.replicas.to_string(), row.failed.to_string()]);
            for f in &row.cells {
                cells.extend([f.value, f.low, f.high].map(|v| v.map_or_else(String::new, |v| v.to_string())));
            }
            out += &line(&cells);
        }
        out
    }
}

/// The single runs behind a table as comma-separated text, so that runs can be paired: a line per point and replica.
/// `values[row][replica]` has one value per column; without values the run failed.
pub fn runs_csv(table: &SweepTable, values: &[Vec<Vec<Option<f64>>>]) -> String {
    let mut head = vec!["scenario".to_string()];
    head.extend(table.axes.iter().cloned());
    head.push("replica".into());
    head.extend(table.columns.iter().map(|c| c.name.clone()));
    let mut out = line(&head);
    for (row, runs) in table.rows.iter().zip(values) {
        for (replica, run) in runs.iter().enumerate() {
            let mut cells = vec![row.scenario.clone()];
            cells.extend(row.axes.iter().map(AxisValue::text));
            cells.push(replica.to_string());
            let value = |k: usize| run.get(k).copied().flatten().map_or_else(String::new, |v| v.to_string());
            cells.extend((0..table.columns.len()).map(value));
            out += &line(&cells);
        }
    }
    out
}

/// One line.
fn line(fields: &[String]) -> String {
    fields.iter().map(|f| field(f)).collect::<Vec<_>>().join(",") + "\n"
}

/// A field, quoted where RFC 4180 asks for it.
pub(super) fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

impl SweepColumn {
    /// What is wanted at a value of the first axis, `135 \u{b1} 13.5`; "" where nothing is.
    pub fn wanted(&self, axis: Option<&AxisValue>) -> String {
        let here = |(x, ..): &&(f64, f64, f64)| matches!(axis, Some(AxisValue::Number(at)) if at == x);
        let point = self.reference.iter().find(here);
        point.map_or_else(String::new, |(_, value, off)| {
            format!("{} \u{b1} {}", format::setting(*value), format::setting(*off))
        })
    }
}

/// The table for a terminal: a line per point of the grid, or, where that is too wide, a line per point and column.
pub fn text(table: &SweepTable, terminal: Terminal) -> String {
    let all = wide_sweep(table, Terminal { width: None, ..terminal });
    let widest = all.lines().map(|l| l.chars().count()).max().unwrap_or(0);
    if terminal.width.is_some_and(|w| widest > usize::from(w)) { long_sweep(table, terminal) } else { all }
}

fn long_sweep(table: &SweepTable, terminal: Terminal) -> String {
    let scenarios = table.many_scenarios();
    let mut head: Vec<String> = if scenarios { vec!["scenario".into()] } else { Vec::new() };
    head.extend(table.axes.iter().map(|key| key.rsplit('.').next().unwrap_or(key).to_string()));
    head.extend(["measured", "unit", "mean [95 %]"].map(String::from));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in &table.rows {
        let mut point: Vec<String> = if scenarios { vec![row.scenario.clone()] } else { Vec::new() };
        point.extend(row.axes.iter().map(AxisValue::text));
        for (column, figure) in table.columns.iter().zip(&row.cells) {
            let here = [column.name.clone(), column.unit.clone(), figure.to_string()];
            // A point is named once, before its first column.
            rows.push(point.iter_mut().map(std::mem::take).chain(here).collect());
            let wanted = column.wanted(row.axes.first());
            if !wanted.is_empty() {
                let here = [format!("{} wanted", column.name), column.unit.clone(), wanted];
                rows.push(point.iter_mut().map(std::mem::take).chain(here).collect());
            }
        }
        if row.failed > 0 {
            let here = ["failed".to_string(), "runs".into(), format!("{} of {}", row.failed, row.replicas)];
            rows.push(point.iter_mut().map(std::mem::take).chain(here).collect());
        }
    }
    plain(&head, &rows, terminal) + "\n"
}

fn wide_sweep(table: &SweepTable, terminal: Terminal) -> String {
    let scenarios = table.many_scenarios();
    let failed = table.rows.iter().any(|r| r.failed > 0);
    let mut head: Vec<String> = if scenarios { vec!["scenario".into()] } else { Vec::new() };
    head.extend(table.axes.iter().cloned());
    for c in &table.columns {
        head.push(if c.unit.is_empty() { c.name.clone() } else { format!("{} ({})", c.name, c.unit) });
        if !c.reference.is_empty() {
            head.push(format!("{} wanted", c.name));
        }
    }
    if failed {
        head.push("failed".into());
    }
    let rows = table.rows.iter().map(|row| {
        let mut cells: Vec<String> = if scenarios { vec![row.scenario.clone()] } else { Vec::new() };
        cells.extend(row.axes.iter().map(AxisValue::text));
        for (column, figure) in table.columns.iter().zip(&row.cells) {
            cells.push(figure.to_string());
            if !column.reference.is_empty() {
                cells.push(column.wanted(row.axes.first()));
            }
        }
        if failed {
            cells.push(if row.failed > 0 { format!("{} of {}", row.failed, row.replicas) } else { "0".into() });
        }
        cells
    });
    plain(&head, &rows.collect::<Vec<_>>(), terminal) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn runs_are_listed_by_point_and_replica_and_failed_ones_are_empty() {
        let mut table = fixture::sweep();
        table.rows.truncate(1);
        table.columns.truncate(1);
        table.columns[0].name = "t".into();
        assert_eq!(
            runs_csv(&table, &[vec![vec![Some(1.5)], Vec::new()]]),
            "scenario,people.desired_speed_m_per_s,replica,t\nroom,0.8,0,1.5\nroom,0.8,1,\n"
        );
    }

    #[test]
    fn csv_quotes_names_and_leaves_missing_values_empty() {
        let mut table = fixture::sweep();
        table.rows.truncate(1);
        table.columns.truncate(1);
        table.columns[0].name = "a,\"b\"".into();
        table.rows[0].cells = vec![Figure { value: Some(0.1 + 0.2), low: None, high: Some(1.0) }];
        assert_eq!(
            table.csv(),
            "scenario,people.desired_speed_m_per_s,held_out,replicas,failed,\"a,\"\"b\"\"\",\"a,\"\"b\"\"_low\",\"a,\"\"b\"\"_high\"\n\
             room,0.8,false,5,0,0.30000000000000004,,1\n"
        );
    }

    #[test]
    fn a_sweep_has_a_line_per_point_and_names_failures_only_if_there_are_any() {
        let mut table = fixture::sweep();
        let text = super::text(&table, Terminal::default());
        assert!(text.contains("people.desired_speed_m_per_s") && !text.contains("failed"));
        table.rows[0].failed = 2;
        assert!(super::text(&table, Terminal::default()).contains("2 of 5"));
        // Too wide for a terminal: a line per point and column, and the failures.
        let text = super::text(&table, Terminal { width: Some(70), color: false });
        assert!(text.lines().all(|l| l.chars().count() <= 70), "{text}");
        // Two points have a wanted value, one has failures.
        let cells = table.rows.len() * table.columns.len() + 3;
        assert_eq!(text.trim_end().lines().count(), cells + 4, "{text}");
        assert!(text.contains("mean [95 %]") && text.contains("2 of 5"), "{text}");
    }
}
