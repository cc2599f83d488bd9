//! `tables/<column>-<case>-<label>.csv`: the numbers behind a metric in one recorded run.
//!
//! The first line is a comment that says in JSON what the table is; the second has the names of the columns. A cell
//! without a number is empty.

use crate::format::file_stem;
use crowdtune_sim::metrics::{Plot, Table};
use serde::{Deserialize, Serialize};

/// One table of one recorded run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunTable {
    /// What it is.
    pub about: About,
    /// How the table is drawn; not at all where its file does not say.
    pub plot: Option<Plot>,
    /// Names of the columns, each with its unit suffix.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`; NaN where a row has no such number.
    pub rows: Vec<Vec<f64>>,
}

/// What a table is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The target or measure.
    pub column: String,
    /// Its metric.
    pub metric: String,
    /// The case.
    pub case: String,
    /// Who ran: `defaults` or `tuned`.
    pub label: String,
}

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Head {
    #[serde(flatten)]
    about: About,
    plot: Option<Plot>,
}

impl RunTable {
    /// A table as a metric gives it, its numbers as the file will hold them.
    pub fn new(about: About, table: &Table) -> Self {
        let plot = Some(table.plot);
        let columns = table.columns.iter().map(|c| (*c).to_string()).collect();
        let rows = table.rows.iter().map(|row| row.iter().map(|x| rounded(*x)).collect()).collect();
        Self { about, plot, columns, rows }
    }

    /// Its place in the run folder.
    pub fn file(&self) -> String {
        let About { column, case, label, .. } = &self.about;
        format!("tables/{}-{}-{}.csv", file_stem(column), file_stem(case), file_stem(label))
    }

    /// The file.
    pub fn csv(&self) -> String {
        let head = Head { about: self.about.clone(), plot: self.plot };
        let head = serde_json::to_string(&head).expect("texts and numbers");
        let mut out = format!("# {head}\n{}\n", self.columns.join(","));
        for row in &self.rows {
            let cells: Vec<_> = row.iter().map(|x| cell(*x)).collect();
            out += &cells.join(",");
            out.push('\n');
        }
        out
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        let head = lines.next().and_then(|l| l.strip_prefix("# ")).ok_or("the first line is not a comment")?;
        let Head { about, plot } =
            serde_json::from_str(head).map_err(|e| format!("the first line does not say what the table is: {e}"))?;
        let columns: Vec<String> = lines
            .next()
            .ok_or("the line with the names of the columns is missing")?
            .split(',')
            .map(|name| name.trim().to_string())
            .collect();
        let cell = |c: &str| match c.parse() {
            _ if c.is_empty() => Ok(f64::NAN),
            Ok(x) if f64::is_finite(x) => Ok(x),
            _ => Err(format!("`{c}` is not a number")),
        };
        let mut rows = Vec::new();
        for (at, line) in lines.enumerate() {
            let row: Vec<f64> =
                line.split(',').map(cell).collect::<Result<_, _>>().map_err(|e| format!("line {}: {e}", at + 3))?;
            if row.len() != columns.len() {
                return Err(format!("line {}: {} numbers for {} columns", at + 3, row.len(), columns.len()));
            }
            rows.push(row);
        }
        Ok(Self { about, plot, columns, rows })
    }
}

/// Twelve digits, the tail of binary fractions left out: 6.1 and not 6.1000000000000005; NaN for what is not finite.
fn rounded(x: f64) -> f64 {
    if x.is_finite() { format!("{x:.11e}").parse().unwrap_or(x) } else { f64::NAN }
}

fn cell(x: f64) -> String {
    if x.is_nan() { String::new() } else { x.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn a_file_gives_the_same_table_again() {
        let table = Table {
            plot: Plot::Curves,
            columns: &["time_s", "people"],
            rows: vec![vec![0.1, 3.0], vec![0.333, -7e-9]],
        };
        let wrote = RunTable::new(fixture::about("count \"in\"", "tuned"), &table);
        assert_eq!(RunTable::parse(&wrote.csv()), Ok(wrote.clone()));
        assert_eq!(wrote.file(), "tables/count--in-room-width_m-1-tuned.csv");
        let gaps = RunTable::parse(&wrote.csv().replace("0.1,3", "0.1,")).expect("an empty cell");
        assert!(gaps.rows[0][1].is_nan());
    }

    #[test]
    fn binary_tails_are_not_written() {
        let cells = [0.1 + 0.2, 1.0 / 3.0, 120.0, f64::NAN, f64::INFINITY].map(|x| cell(rounded(x)));
        assert_eq!(cells, ["0.3", "0.333333333333", "120", "", ""]);
    }

    #[test]
    fn other_files_are_refused() {
        let line = "# {\"column\":\"a\",\"metric\":\"b\",\"case\":\"c\",\"label\":\"d\"}\n";
        for (text, wanted) in [
            (String::new(), "not a comment"),
            ("# a\n".into(), "does not say"),
            (format!("{line}x,y\n1\n"), "line 3: 1 numbers for 2 columns"),
            (format!("{line}x\n1\nq\n"), "line 4"),
        ] {
            let error = RunTable::parse(&text).expect_err("is not a table");
            assert!(error.contains(wanted), "{error}");
        }
    }
}
