//! The result of a run on the terminal.

use super::plain_text::neutral;
use super::table::{Terminal, build, cell, figure, narrow, word, wrapped};
use super::{front, learned, verdict};
use crate::evolve::summary::{AtlasSummary, FinalistSummary, Summary, TargetSummary, Tone};
use crate::format::{self, NONE};
use comfy_table::{Attribute, Cell, CellAlignment, Color};

/// The result of `evolve`: the verdict; each target with its band, the defaults and the tuned set; the objective, what the log says
/// about the parameters, the finalists, and where the report is.
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
    let mut out = judged(s, terminal) + "\n";
    if let Some(front) = &s.front {
        out += &format!("{}\n\n", front::table(s, front, terminal));
        out += &format!("Recommended: {}.\n\n", front::picked(front));
    }
    out += &(build(&head, rows, terminal) + "\n\n");
    let how = format!("({} fresh seeds; {}, {})", s.replicas.1, verdict::stopped(s), s.optimizer);
    out += &wrapped(&how, "", terminal);
    for i in &s.importance {
        out += &wrapped(&format!("{}.", learned::importance(i, s.importance.len() > 1)), "", terminal);
    }
    for warning in learned::valleys(s) {
        out += &wrapped(&format!("{warning}."), "", terminal);
    }
    if let Some(unlike) = verdict::unlike(s).filter(|_| !narrow) {
        out += &wrapped(&format!("{unlike}."), "", terminal);
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

/// The verdict: the judgment in color, then a line for each sentence.
fn judged(s: &Summary, terminal: Terminal) -> String {
    let line = |(at, text): (usize, &String)| {
        if at == 0 {
            paint(&neutral(text), s.verdict.tone, terminal.color) + "\n"
        } else {
            wrapped(text, "  ", terminal)
        }
    };
    s.verdict.sentences.iter().enumerate().map(line).collect()
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
        out += &wrapped(&format!("Best cell: {}, loss {}.", best.name, best.loss), "  ", terminal);
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
        Tone::Green => shown.fg(Color::Green),
        Tone::Red => shown.fg(Color::Red),
        Tone::Amber => shown,
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
        Tone::Green => 32,
        Tone::Amber => 33,
        Tone::Red => 31,
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
            "Use it with care.",
            "relaxation_time_s = 0.1 s lies at the end of its range (0.1 s to 2 s)",
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
