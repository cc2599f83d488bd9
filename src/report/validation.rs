//! What `crowdtune validate` gives: a JSON document, tables for the terminal, a page in Markdown.

use super::table::{Terminal, narrow, plain, wrapped};
use crate::evolve::summary::Figure;
use crate::format;
use crate::validation::{Line, Outcome, Tolerance, Verdict};
use serde::Serialize;

/// One experiment with what came out.
#[derive(Clone, Debug, Serialize)]
pub struct Validated {
    /// Name.
    pub name: String,
    /// What it is.
    pub doc: String,
    /// Where it comes from.
    pub source: String,
    /// The lines.
    pub lines: Vec<Row>,
    /// Names of its plots.
    pub plots: Vec<String>,
}

/// One line, as it is written.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What is looked at.
    pub label: String,
    /// The model that ran.
    pub model: String,
    /// Unit, or "".
    pub unit: String,
    /// Paper or standard.
    pub paper: Figure,
    /// Our reference.
    pub reference: Figure,
    /// Result.
    pub result: Figure,
    /// Tolerance, in words.
    pub tolerance: String,
    /// Verdict.
    pub verdict: Verdict,
    /// Reason of a deviation, remarks.
    pub remarks: String,
}

/// The whole document.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Validation {
    /// The experiments, in the order of the list.
    pub experiments: Vec<Validated>,
    /// Number of lines that hold.
    pub hold: usize,
    /// Number of lines that agree with our reference only.
    pub agree_with_reference: usize,
    /// Number of expected deviations.
    pub expected_deviations: usize,
    /// Number of lines that fall short.
    pub fall_short: usize,
}

impl Validation {
    /// Takes one more experiment.
    pub fn add(&mut self, name: &str, doc: &str, source: &str, outcome: &Outcome) {
        for line in &outcome.lines {
            *match line.verdict() {
                Verdict::Holds => &mut self.hold,
                Verdict::AgreesWithReference => &mut self.agree_with_reference,
                Verdict::ExpectedDeviation => &mut self.expected_deviations,
                Verdict::FallsShort => &mut self.fall_short,
            } += 1;
        }
        self.experiments.push(Validated {
            name: name.into(),
            doc: doc.into(),
            source: source.into(),
            lines: outcome.lines.iter().map(row).collect(),
            plots: outcome.charts.iter().map(|c| c.name.clone()).collect(),
        });
    }

    /// How many lines hold, deviate and fall short, in a sentence.
    pub fn sentence(&self) -> String {
        let all = self.hold + self.agree_with_reference + self.expected_deviations + self.fall_short;
        format!(
            "{} of {all} lines hold, {} agree with our reference only, {} deviate as expected, {} fall short.",
            self.hold, self.agree_with_reference, self.expected_deviations, self.fall_short,
        )
    }

    /// Tables for the terminal, one for each experiment with the remarks below it, and the sentence.
    pub fn text(&self, terminal: Terminal) -> String {
        let mut out = String::new();
        for e in &self.experiments {
            out += &wrapped(&format!("{}: {}", e.name, e.doc), "", terminal);
            out += &format!("{}\n", e.table(terminal));
            for (models, remark) in e.remarks() {
                out += &wrapped(&format!("* {}: {remark}", models.join(", ")), "  ", terminal);
            }
            out += "\n";
        }
        out + &wrapped(&self.sentence(), "", terminal)
    }

    /// The same as a page in Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | ").replace('\n', " "));
        let mut out = format!("{}\n", self.sentence());
        for e in &self.experiments {
            out += &format!("\n### {}\n\n{} Source: {}.\n\n", e.name, e.doc, e.source);
            out += &line(&HEAD.map(String::from));
            out += &format!("|{}\n", "---|".repeat(HEAD.len()));
            for row in &e.lines {
                out += &line(&row.cells().iter().map(|c| c.replace('|', "\\|")).collect::<Vec<_>>());
            }
        }
        out
    }
}

impl Validated {
    /// Columns that are empty, or the same in every line, are left out; in narrow terminals the reference is too.
    fn table(&self, terminal: Terminal) -> String {
        let some = |of: fn(&Row) -> &Figure| self.lines.iter().any(|row| of(row).value.is_some());
        let models = self.lines.iter().any(|row| row.model != self.lines[0].model);
        let (paper, reference) = (some(|r| &r.paper), some(|r| &r.reference) && !narrow(terminal));
        let figure = |f: &Figure| {
            let text = f.to_string();
            if narrow(terminal) { text.replacen(" [", "\n[", 1) } else { text }
        };
        let columns = |of: [String; 7]| -> Vec<String> {
            let shown = [true, models, paper, reference, true, true, true];
            of.into_iter().zip(shown).filter_map(|(text, shown)| shown.then_some(text)).collect()
        };
        let row = |row: &Row| {
            let unit = if row.unit.is_empty() { String::new() } else { format!(" ({})", format::unit(&row.unit)) };
            columns([
                format!("{}{unit}", row.label),
                row.model.clone(),
                figure(&row.paper),
                figure(&row.reference),
                figure(&row.result),
                row.tolerance.clone(),
                row.verdict.text().to_string(),
            ])
        };
        let result = if narrow(terminal) { "result\n[95 %]" } else { "result [95 %]" };
        let head = ["what", "model", "paper", "reference", result, "wanted", "verdict"].map(String::from);
        plain(&columns(head), &self.lines.iter().map(row).collect::<Vec<_>>(), terminal)
    }

    /// Each remark once, with the models it is said of.
    pub(super) fn remarks(&self) -> Vec<(Vec<&str>, &str)> {
        let mut all: Vec<(Vec<&str>, &str)> = Vec::new();
        for row in self.lines.iter().filter(|row| !row.remarks.is_empty()) {
            let at = all.iter().position(|(_, remark)| *remark == row.remarks).unwrap_or_else(|| {
                all.push((Vec::new(), &row.remarks));
                all.len() - 1
            });
            if !all[at].0.contains(&row.model.as_str()) {
                all[at].0.push(&row.model);
            }
        }
        all
    }
}

/// Heads of all columns.
pub(super) const HEAD: [&str; 9] =
    ["what", "model", "unit", "paper", "reference", "result [95 %]", "wanted", "verdict", "remarks"];

impl Row {
    /// One cell for each of [`HEAD`].
    pub(super) fn cells(&self) -> Vec<String> {
        vec![
            self.label.clone(),
            self.model.clone(),
            format::unit(&self.unit),
            self.paper.to_string(),
            self.reference.to_string(),
            self.result.to_string(),
            self.tolerance.clone(),
            self.verdict.text().to_string(),
            self.remarks.clone(),
        ]
    }
}

fn row(line: &Line) -> Row {
    Row {
        label: line.label.clone(),
        model: line.model.clone(),
        unit: line.unit.into(),
        paper: line.paper,
        reference: line.reference,
        result: line.result,
        tolerance: line.tolerance.or(line.near_reference).map(tolerance).unwrap_or_default(),
        verdict: line.verdict(),
        remarks: line.remarks(),
    }
}

fn tolerance(tolerance: Tolerance) -> String {
    match tolerance {
        Tolerance::Within(low, high) => format!("{} to {}", format::setting(low), format::setting(high)),
        Tolerance::AtMost(limit) => format!("at most {}", format::setting(limit)),
        Tolerance::AtLeast(limit) => format!("at least {}", format::setting(limit)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::{between, exact};

    fn validation() -> Validation {
        let line = |v| {
            Line::new("time | all", "social_force", "s", between(v, v - 1.0, v + 1.0), Tolerance::AtMost(5.0)).runs("")
        };
        let shown = Line { label: "cause".into(), ..line(1.0) };
        let near = line(9.0).ours(exact(9.5), Tolerance::Within(9.0, 10.0));
        let lines =
            vec![line(4.0).paper(exact(4.5)), line(6.0), line(7.0).deviates("social_force", "no brakes", &shown), near];
        let mut all = Validation::default();
        all.add("room", "A room.", "a paper", &Outcome { lines, charts: Vec::new() });
        all
    }

    #[test]
    fn the_sentence_counts_and_the_tables_show_every_column() {
        let all = validation();
        assert_eq!((all.hold, all.agree_with_reference, all.expected_deviations, all.fall_short), (1, 1, 1, 1));
        assert_eq!(
            all.sentence(),
            "1 of 4 lines hold, 1 agree with our reference only, 1 deviate as expected, 1 fall short."
        );
        let text = all.text(Terminal::default());
        for part in [
            "room: A room.",
            "4.00 [3.00, 5.00]",
            "4.50",
            "at most 5",
            "falls short",
            "not with the paper",
            "no brakes",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        for width in [80, 120] {
            let text = all.text(Terminal { width: Some(width), color: false });
            assert!(text.lines().all(|line| line.chars().count() <= usize::from(width)), "{text}");
            assert!(text.contains("at most 5") && text.contains("* social_force: no brakes"), "{text}");
        }
        let page = all.markdown();
        assert!(page.contains("### room\n\nA room. Source: a paper.") && page.contains("time \\| all"), "{page}");
    }

    #[test]
    fn the_document_has_numbers_and_words() {
        let json = serde_json::to_value(validation()).unwrap();
        let row = &json["experiments"][0]["lines"][2];
        assert_eq!((row["verdict"].as_str(), row["result"]["value"].as_f64()), (Some("expected deviation"), Some(7.0)));
        assert_eq!(json["fall_short"], 1);
    }
}
