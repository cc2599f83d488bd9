//! Tables for the terminal.

use super::sweep::{AxisValue, SweepTable};
use super::verdict::{self, Tone};
use super::{format, format::NONE, learned};
use crate::evolve::summary::{AtlasSummary, Figure, FinalistSummary, Summary, TargetSummary};
use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement, LineStyle, Table, presets};

/// What the terminal can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Columns; `None` where there is no terminal, then nothing is wrapped.
    pub width: Option<u16>,
    /// True to write color codes.
    pub color: bool,
}

/// Terminals with fewer columns get intervals on a line of their own, and not the value that the search saw. Chosen
/// here: seven columns of usual names and numbers.
const WIDE: u16 = 110;

/// True where there is little room.
pub fn narrow(terminal: Terminal) -> bool {
    terminal.width.is_some_and(|w| w < WIDE)
}

/// Words in lines that a terminal can show, all but the first indented; each line ends.
pub fn wrapped(text: &str, indent: &str, terminal: Terminal) -> String {
    let width = terminal.width.map_or(usize::MAX, |w| usize::from(w.max(40)));
    let (mut out, mut used) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            out += "\n";
            out += indent;
            used = indent.len();
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out += word;
        used += length;
    }
    out + "\n"
}

/// A table with a head, the first column to the left, the others to the right where they are numbers.
pub fn plain(head: &[String], rows: &[Vec<String>], terminal: Terminal) -> String {
    let cells = rows.iter().map(|row| row.iter().map(|text| cell(text)).collect()).collect();
    build(head, cells, terminal)
}

pub(super) fn cell(text: &str) -> Cell {
    let numeric = text == NONE || text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    Cell::new(text).set_alignment(if numeric { CellAlignment::Right } else { CellAlignment::Left })
}

/// A figure; where there is little room its interval stands below.
pub(super) fn figure(f: &Figure, narrow: bool) -> Cell {
    let text = format::figure(f);
    cell(&if narrow { text.replacen(" [", "\n[", 1) } else { text })
}

pub(super) fn build(head: &[String], rows: Vec<Vec<Cell>>, terminal: Terminal) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none())).force_no_tty();
    if terminal.color {
        table.enforce_styling();
    }
    match terminal.width {
        Some(width) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.max(40)),
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    table.set_header(head.iter().map(|h| Cell::new(h).add_attribute(Attribute::Bold)));
    table.add_rows(rows);
    table.trim_fmt()
}

/// The result of `evolve`: every target with its band, the defaults, the tuned set and what became of it; then the
/// objective, the verdict, bounds that were hit, failures, and where the report is.
pub fn result(s: &Summary, report: &str, terminal: Terminal) -> String {
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
        // The unit is said with what is wanted.
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
        let sentence = wrapped(&format!("{}.", super::front::sentence(s, front)), "", terminal);
        out += &format!("{}\n\n{sentence}", super::front::table(s, front, terminal));
        out += &format!("Recommended: {}.\n\n", super::front::picked(front));
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
        out += &format!("Report: {report}\n");
    }
    out
}

/// The finalists, best first: what the search saw of them beside what fresh seeds say; "" before a selection.
fn finalists(s: &Summary, terminal: Terminal) -> String {
    if s.race.is_empty() {
        return String::new();
    }
    let narrow = narrow(terminal);
    let mut head = vec!["finalist", "search saw", "selection [95 %]", "replicas", "report [95 %]", "race"];
    let row = |f: &FinalistSummary| {
        vec![
            Cell::new(verdict::finalist(f)),
            cell(&format::option(f.search)),
            figure(&f.selection, narrow),
            cell(&f.selection_replicas.to_string()),
            figure(&f.fresh, narrow),
            Cell::new(verdict::fate(f)),
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

/// How full an atlas is, and its best cell.
fn atlas_lines(atlas: &AtlasSummary, terminal: Terminal) -> String {
    let mut out = wrapped(&format!("Atlas: {}", super::html::atlas::sentence(atlas)), "  ", terminal);
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
        let mut row = vec![Cell::new(if narrow { cell.name.replace(',', ",\n") } else { cell.name.clone() })];
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
    let (word, tone) = verdict::standing(t);
    let word = Cell::new(if t.must && t.met == Some(false) { "MISSED (must)" } else { word });
    let standing = match tone {
        Tone::Good => word.fg(Color::Green),
        Tone::Bad => word.fg(Color::Red),
        Tone::Mixed => word,
    };
    let wanted = match (measured_only, t.must) {
        (true, _) if narrow && !t.unit.is_empty() => format!("(measured, {})", t.unit),
        (true, _) => "(measured)".to_string(),
        (_, true) => format!("{} (must)", t.wanted),
        _ => t.wanted.clone(),
    };
    let unit = if t.unit.is_empty() { NONE } else { &t.unit };
    vec![
        Cell::new(&t.name),
        Cell::new(wanted),
        Cell::new(unit),
        figure(&t.default, narrow),
        figure(&t.tuned, narrow),
        standing,
        cell(&format::option(t.search)),
    ]
}

/// The result of `sweep`: a line per point of the grid; where that is wider than the terminal, a line per point and
/// column.
pub fn sweep(table: &SweepTable, terminal: Terminal) -> String {
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
            let here = [column.name.clone(), column.unit.clone(), format::figure(figure)];
            // A point is named once, before its first column.
            rows.push(point.iter_mut().map(std::mem::take).chain(here).collect());
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
    head.extend(
        table.columns.iter().map(
            |c| {
                if c.unit.is_empty() { c.name.clone() } else { format!("{} ({})", c.name, c.unit) }
            },
        ),
    );
    if failed {
        head.push("failed".into());
    }
    let rows = table.rows.iter().map(|row| {
        let mut cells: Vec<String> = if scenarios { vec![row.scenario.clone()] } else { Vec::new() };
        cells.extend(row.axes.iter().map(AxisValue::text));
        cells.extend(row.cells.iter().map(format::figure));
        if failed {
            cells.push(if row.failed > 0 { format!("{} of {}", row.failed, row.replicas) } else { "0".into() });
        }
        cells
    });
    plain(&head, &rows.collect::<Vec<_>>(), terminal) + "\n"
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
    fn words_are_wrapped_at_the_width_and_not_without_one() {
        let text = "a ".repeat(30);
        let at = |width| Terminal { width, color: false };
        assert_eq!(wrapped(&text, "", at(None)), format!("{}\n", text.trim()));
        let lines = wrapped(&text, "  ", at(Some(40)));
        // 20 of them and 19 spaces, then two of the indent and 10 more.
        assert_eq!(lines.lines().map(str::len).collect::<Vec<_>>(), [39, 21]);
        assert!(narrow(at(Some(80))) && !narrow(at(Some(120))) && !narrow(at(None)));
    }

    #[test]
    fn the_result_says_bands_bounds_failures_and_where_the_report_is() {
        let text = result(&fixture::summary(), "results/evacuation-1/report.html", Terminal::default());
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
        let text = result(&fixture::summary(), "", narrow);
        assert!(text.contains('\u{1b}'));
        let quiet = result(&fixture::summary(), "", Terminal { color: false, ..narrow });
        let table = quiet.split("\n\n").next().unwrap();
        assert!(table.lines().all(|l| l.chars().count() <= 72), "{table}");
    }

    #[test]
    fn a_sweep_has_a_line_per_point_and_names_failures_only_if_there_are_any() {
        let mut table = fixture::sweep();
        let text = sweep(&table, Terminal::default());
        assert!(text.contains("people.desired_speed_m_per_s") && !text.contains("failed"));
        table.rows[0].failed = 2;
        assert!(sweep(&table, Terminal::default()).contains("2 of 5"));
        // Too wide for a terminal: a line per point and column, and the failures.
        let text = sweep(&table, Terminal { width: Some(70), color: false });
        assert!(text.lines().all(|l| l.chars().count() <= 70), "{text}");
        let cells = table.rows.len() * table.columns.len() + 1;
        assert_eq!(text.trim_end().lines().count(), cells + 4, "{text}");
        assert!(text.contains("mean [95 %]") && text.contains("2 of 5"), "{text}");
    }
}
