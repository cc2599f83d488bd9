//! The result of a run on the terminal.

use super::format::{self, NONE};
use super::plain_text::neutral;
use super::table::{Terminal, build, cell, figure, narrow, word, wrapped};
use super::verdict::{self, Tone};
use super::{front, learned};
use crate::evolve::summary::AtlasSummary;
use crate::evolve::summary::{FinalistSummary, Summary, TargetSummary};
use comfy_table::{Attribute, Cell, CellAlignment, Color};

/// The result of `evolve`: each target with its band, the defaults and the tuned set; then the objective, the verdict,
/// parameters at the end of their range, failures, and where the report is.
pub fn text(s: &Summary, report: &str, terminal: Terminal) -> String {
    let narrow = narrow(terminal);
    let mut head = vec!["target", "wanted", "unit", "defaults [95 %]", "tuned [95 %]", "result", "search saw"];
    let mut rows: Vec<Vec<Cell>> = s.targets.iter().map(|t| target_row(t, narrow)).collect();
    for o in &s.objectives {
        rows.push(vec![
            cell(&o.name).add_attribute(Attribute::Bold),
            cell("objective, low is good"),
            cell(NONE).set_alignment(CellAlignment::Left),
            figure(&o.default, narrow),
            figure(&o.tuned, narrow),
            cell(""),
            cell(&format::option(o.search)),
        ]);
    }
    if narrow {
        // The unit stands with what is wanted.
        head = vec!["target", "wanted", "defaults\n[95 %]", "tuned\n[95 %]", "result"];
        for row in &mut rows {
            row.truncate(6);
            row.remove(2);
        }
    }
    let head: Vec<String> = head.into_iter().map(String::from).collect();
    let (tone, sentence) = verdict::verdict(s);
    let mut out = String::new();
    if let Some(front) = &s.front {
        let sentence = wrapped(&format!("{}.", front::sentence(s, front)), "", terminal);
        out += &format!("{}\n\n{sentence}", front::table(s, front, terminal));
        out += &format!("Recommended: {}.\n\n", front::picked(front));
    }
    out += &(build(&head, rows, terminal) + "\n\n");
    if let Some(draft) = verdict::draft(s.draft_step_s) {
        out += &paint(&format!("{draft}."), Tone::Bad, terminal.color);
        out += "\n";
    }
    let how = format!("({} fresh seeds; {}, {})", s.replicas.1, verdict::stopped(s), s.optimizer);
    let said = wrapped(&format!("{sentence}. {how}"), "", terminal);
    // Breaking lines moves no character.
    let end = said.char_indices().nth(sentence.chars().count() + 1).map_or(said.len(), |(at, _)| at);
    out += &(paint(&said[..end], tone, terminal.color) + &said[end..]);
    for g in s.genes.iter().filter(|g| verdict::at_bound(g)) {
        let (value, low, high) = (g.tuned, g.low, g.high);
        let [value, low, high] = [value, low, high].map(|v| verdict::gene_value(g, v));
        let text =
            format!("At the end of its range: {} = {value} (searched from {low} to {high}).", format::key(&g.key));
        out += &wrapped(&text, "", terminal);
    }
    for i in &s.importance {
        out += &wrapped(&format!("{}.", learned::importance(i, s.importance.len() > 1)), "", terminal);
    }
    for warning in learned::valleys(s) {
        out += &wrapped(&format!("{warning}."), "", terminal);
    }
    if let Some(unlike) = verdict::unlike(s).filter(|_| !narrow) {
        out += &wrapped(&format!("{unlike}."), "", terminal);
    }
    if let Some(failures) = verdict::failures(s) {
        out += &wrapped(&format!("{failures}."), "", terminal);
    }
    out += &finalists(s, terminal);
    if let Some(atlas) = &s.atlas {
        out += &atlas_lines(atlas, terminal);
    }
    if let Some(promised) = verdict::promised(s) {
        out += &wrapped(&format!("{promised}."), "", terminal);
    }
    if !report.is_empty() {
        out += &format!("Report: {}\n", neutral(report));
    }
    out
}

/// The finalists, best first: what the search saw of each, and what fresh seeds say; "" before a selection.
fn finalists(s: &Summary, terminal: Terminal) -> String {
    if s.race.is_empty() {
        return String::new();
    }
    let narrow = narrow(terminal);
    let mut head = vec!["finalist", "search saw", "selection [95 %]", "replicas", "report [95 %]", "race"];
    let row = |f: &FinalistSummary| {
        vec![
            word(&verdict::finalist(f)),
            cell(&format::option(f.search)),
            figure(&f.selection, narrow),
            cell(&f.selection_replicas.to_string()),
            figure(&f.fresh, narrow),
            word(&verdict::fate(f)),
        ]
    };
    let mut rows: Vec<Vec<Cell>> = s.race.iter().map(row).collect();
    if narrow {
        head = vec!["finalist", "search\nsaw", "selection\n[95 %]", "report\n[95 %]", "race"];
        rows.iter_mut().for_each(|row| _ = row.remove(3));
    }
    let head: Vec<String> = head.into_iter().map(String::from).collect();
    format!("\n{}\n\n", build(&head, rows, terminal))
}

/// How many cells of an atlas are filled, and its best cell.
fn atlas_lines(atlas: &AtlasSummary, terminal: Terminal) -> String {
    let mut out = wrapped(&format!("Atlas: {}", verdict::atlas(atlas)), "  ", terminal);
    if let Some(best) = atlas.best().filter(|_| atlas.graded) {
        out += &wrapped(&format!("Best cell: {}, loss {}.", best.name, format::figure(&best.loss)), "  ", terminal);
    }
    out
}

/// The filled cells of an atlas, a line each.
pub fn atlas(atlas: &AtlasSummary, terminal: Terminal) -> String {
    let mut head: Vec<String> = vec!["cell".into()];
    let narrow = narrow(terminal);
    head.extend(atlas.axes.iter().map(|axis| format::name_with_unit(&axis.name, &axis.unit)));
    head.extend(if atlas.graded { vec!["loss".to_string()] } else { vec![] });
    head.push("moved".into());
    let rows = atlas.cells.iter().map(|cell| {
        let mut row = vec![word(&if narrow { cell.name.replace(',', ",\n") } else { cell.name.clone() })];
        row.extend(cell.measures.iter().map(|m| figure(m, narrow)));
        row.extend(atlas.graded.then(|| figure(&cell.loss, narrow)));
        row.push(Cell::new(if cell.came_from.is_some() { "yes" } else { "" }));
        row
    });
    let rows = rows.collect();
    build(&head, rows, terminal) + "\n\n" + &atlas_lines(atlas, terminal)
}

fn target_row(t: &TargetSummary, narrow: bool) -> Vec<Cell> {
    let measured_only = t.wanted.is_empty();
    let (standing, tone) = verdict::standing(t);
    let shown = word(if t.must && t.met == Some(false) { "MISSED (must)" } else { standing });
    let standing = match tone {
        Tone::Good => shown.fg(Color::Green),
        Tone::Bad => shown.fg(Color::Red),
        Tone::Mixed => shown,
    };
    let wanted = match (measured_only, t.must) {
        (true, _) if narrow && !t.unit.is_empty() => format!("(measured, {})", t.unit),
        (true, _) => "(measured)".to_string(),
        (_, true) => format!("{} (must)", t.wanted),
        _ => t.wanted.clone(),
    };
    let unit = if t.unit.is_empty() { NONE } else { &t.unit };
    vec![
        word(&t.name),
        word(&wanted),
        word(unit),
        figure(&t.default, narrow),
        figure(&t.tuned, narrow),
        standing,
        cell(&format::option(t.search)),
    ]
}

fn paint(text: &str, tone: Tone, color: bool) -> String {
    let code = match tone {
        Tone::Good => 32,
        Tone::Mixed => 33,
        Tone::Bad => 31,
    };
    if color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn the_result_says_bands_bounds_failures_and_where_the_report_is() {
        let text = super::text(&fixture::summary(), "results/evacuation-1/report.html", Terminal::default());
        for part in [
            "at most 0.05 (must)",
            "136 [131, 141]",
            "At the end of its range: relaxation_time_s = 0.1 s (searched from 0.1 s to 2 s).",
            "5 of 60 evaluations failed",
            "Report: results/evacuation-1/report.html",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn color_codes_come_only_when_asked_for_and_the_width_is_kept() {
        let narrow = Terminal { width: Some(72), color: true };
        let text = super::text(&fixture::summary(), "", narrow);
        assert!(text.contains('\u{1b}'));
        let quiet = super::text(&fixture::summary(), "", Terminal { color: false, ..narrow });
        let table = quiet.split("\n\n").next().unwrap();
        assert!(table.lines().all(|l| l.chars().count() <= 72), "{table}");
    }
}
