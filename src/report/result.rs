//! The result of a run on the terminal.

use super::plain_text::neutral;
use super::table::{Terminal, build, cell, figure, narrow, word, wrapped};
use super::{front, learned, verdict};
use crate::evolve::summary::{
    AtlasSummary, CaseSummary, FinalistSummary, GeneSplit, GeneSummary, Split, Summary, TargetSummary, Tone,
};
use crate::format::{self, NONE};
use comfy_table::{Attribute, Cell, CellAlignment, Color};

/// The result of `evolve`: the verdict; each target with its band, the defaults and the tuned set; the objective, what the log says
/// about the parameters, the finalists, and where the report is.
pub fn text(s: &Summary, report: &str, terminal: Terminal) -> String {
    let narrow = narrow(terminal);
    let mut head = vec!["target", "wanted", "unit", "defaults [95 %]", "tuned [95 %]", "result", "search saw"];
    let of = |t| std::iter::once(target_row(t, narrow)).chain(points(s, t, narrow));
    let mut rows: Vec<Vec<Cell>> = s.targets.iter().flat_map(of).collect();
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
        for split in &atlas.splits {
            out += &wrapped(&verdict::split(atlas, split), "  ", terminal);
        }
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

/// The filled cells of an atlas, a line each, and what tells the candidates on both sides of a split apart.
pub fn atlas(atlas: &AtlasSummary, genes: &[GeneSummary], terminal: Terminal) -> String {
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
    let mut out = build(&head, rows, terminal) + "\n\n" + &atlas_lines(atlas, terminal);
    for split in &atlas.splits {
        out += &format!("\n{}", wrapped(&verdict::split(atlas, split), "  ", terminal));
        out += &format!("\n{}\n\n{}", told(split, genes, terminal), wrapped(verdict::SPLIT_NOTE, "  ", terminal));
    }
    out
}

/// The constants on both sides of a split, those that differ most first.
fn told(split: &Split, genes: &[GeneSummary], terminal: Terminal) -> String {
    let head = ["constant", "searched", "at or above", "in each fifth", "difference"].map(String::from);
    let row = |g: &GeneSplit| {
        let gene = genes.iter().find(|known| known.key == g.key)?;
        let name = word(format::key(&g.key));
        Some(vec![
            if split.differs(g) { name.add_attribute(Attribute::Bold) } else { name },
            cell(&verdict::searched(gene)),
            cell(&verdict::split_range(gene, g)),
            cell(&verdict::split_parts(g).join(" ")),
            cell(&format::option(g.distance)),
        ])
    };
    build(&head, split.genes.iter().filter_map(row).collect(), terminal).to_string()
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

/// The points of a curve, a row each below its target.
fn points(s: &Summary, t: &TargetSummary, narrow: bool) -> Vec<Vec<Cell>> {
    let row = |c: &&CaseSummary| {
        let result = match c.met() {
            Some(true) => word("met").fg(Color::Green),
            Some(false) => word("missed").fg(Color::Red),
            None => word(NONE),
        };
        let [wanted, tolerance] = [c.wanted, c.tolerance].map(|x| x.map_or_else(|| NONE.into(), format::setting));
        let held_out = if c.held_out { ", held out" } else { "" };
        vec![
            word(&format!("  {}", c.place())),
            word(&format!("{wanted} \u{b1} {tolerance}{held_out}")),
            cell(""),
            figure(&c.default, narrow),
            figure(&c.tuned, narrow),
            result,
            cell(""),
        ]
    };
    s.points(&t.name).iter().map(row).collect()
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
    fn a_curve_has_a_row_for_each_point_and_its_misses_are_named() {
        let mut s = fixture::summary();
        s.targets.truncate(1);
        s.targets[0].name = "flow".into();
        let case = |width: f64, is: f64, held_out: bool| CaseSummary {
            case: format!("neck[width_m={width}]"),
            table: "neck".into(),
            axes: vec![("width_m".into(), width)],
            held_out,
            target: "flow".into(),
            wanted: Some(2.0 * width),
            tolerance: Some(0.1),
            default: fixture::figure(3.0, 0.1),
            tuned: fixture::figure(is, 0.1),
            loss: (Some(9.0), Some(if (is - 2.0 * width).abs() <= 0.1 { 0.0 } else { 2.0 })),
        };
        s.cases = vec![case(0.8, 1.6, false), case(1.0, 2.5, false), case(1.2, 2.4, true)];
        let text = super::text(&s, "", Terminal::default());
        let row =
            |start: &str| text.lines().find(|l| l.trim_start().starts_with(start)).unwrap_or_else(|| panic!("{text}"));
        assert!(row("width_m 0.8").contains("1.6 \u{b1} 0.1") && row("width_m 0.8").contains("met"));
        assert!(row("width_m 1 ").contains("missed") && row("width_m 1.2").contains("held out"));
        // A band that is the same everywhere is no curve.
        s.cases.iter_mut().for_each(|c| c.wanted = Some(2.0));
        assert!(!super::text(&s, "", Terminal::default()).contains("width_m 0.8"));
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
