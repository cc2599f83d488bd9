//! Lists as tables.

use crate::evolve::codec;
use crate::report::table::{Terminal, narrow, wrapped};
use crate::target::behaviors::Want;
use comfy_table::{ColumnConstraint, ContentArrangement, LineStyle, Table, presets};
use crowdtune_core::registry::Param;

/// One listed thing.
pub(super) struct Item {
    pub(super) name: &'static str,
    pub(super) doc: &'static str,
    pub(super) source: &'static str,
    /// Further columns: heading and text.
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) params: &'static [Param],
    pub(super) wants: &'static [Want],
}

fn table(width: Option<u16>) -> Table {
    let mut table = Table::new();
    let style = presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none());
    table.load_style(style).set_content_arrangement(ContentArrangement::Dynamic);
    if let Some(width) = width {
        table.set_width(width);
    }
    table
}

/// A key that is broken in two cannot be copied.
fn keep_whole(table: &mut Table, columns: &[usize]) {
    for &at in columns {
        if let Some(column) = table.column_mut(at) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
}

/// Where tables of seven columns would break words in two: a paragraph for each thing and each of its parameters.
fn paragraphs(items: &[Item], terminal: Terminal) -> String {
    let mut out = String::new();
    let mut say = |indent: &str, text: &str| out += &indented(text, indent, terminal);
    for item in items {
        say("", item.name);
        say("  ", item.doc);
        let facts = item.facts.iter().filter(|(_, fact)| !fact.is_empty());
        facts.for_each(|(name, fact)| say("  ", &format!("{name}: {fact}")));
        if !item.source.is_empty() {
            say("  ", &format!("source: {}", item.source));
        }
        for want in item.wants {
            say("    ", &format!("{}: {}", want.name, want.text));
        }
        for p in item.params {
            let [default, accepted, searched] = codec::numbers(p);
            let symbol = if p.symbol.is_empty() { String::new() } else { format!(" ({})", p.symbol) };
            let unit = if p.unit.is_empty() { String::new() } else { format!(" {}", p.unit) };
            let searched = if searched.is_empty() { searched } else { format!("; searched {searched}") };
            say("    ", &format!("{}{symbol} = {default}{unit}", p.key));
            say("        ", &format!("{}; accepted {accepted}{searched}", p.doc));
        }
        say("", "");
    }
    out.trim_end().to_string()
}

/// A paragraph with the same indent in all its lines.
fn indented(text: &str, indent: &str, terminal: Terminal) -> String {
    let room = terminal.width.map(|width| width - indent.len() as u16);
    let lines = wrapped(text, "", Terminal { width: room, ..terminal });
    lines.lines().map(|line| format!("{indent}{line}").trim_end().to_string() + "\n").collect()
}

/// Things with parameters or targets get a heading and a table each, others share one table.
pub(super) fn show(items: &[Item], width: Option<u16>) -> String {
    let terminal = Terminal { width: width.map(|w| w.max(40)), color: false };
    if narrow(terminal) {
        return paragraphs(items, terminal);
    }
    if items.iter().all(|i| i.params.is_empty() && i.wants.is_empty()) {
        let mut table = table(width);
        let mut head = vec!["name"];
        head.extend(items[0].facts.iter().map(|f| f.0));
        head.push("meaning");
        let sources = items.iter().any(|i| !i.source.is_empty());
        if sources {
            head.push("source");
        }
        table.set_header(head);
        for item in items {
            let mut row = vec![item.name.to_string()];
            row.extend(item.facts.iter().map(|f| f.1.clone()));
            row.push(item.doc.into());
            if sources {
                row.push(item.source.into());
            }
            table.add_row(row);
        }
        keep_whole(&mut table, &[0]);
        return table.to_string();
    }
    let mut blocks = Vec::new();
    for item in items {
        let mut text = format!("{}\n  {}\n  source: {}\n", item.name, item.doc, item.source);
        for (name, fact) in &item.facts {
            text.push_str(&format!("  {name}: {fact}\n"));
        }
        if !item.wants.is_empty() {
            let mut table = table(width);
            table.set_header(["target", "wanted", "source"]);
            for want in item.wants {
                table.add_row([want.name, want.text, want.source]);
            }
            keep_whole(&mut table, &[0]);
            text.push_str(&table.to_string());
        } else if item.params.is_empty() {
            text.push_str("  no parameters");
        } else {
            let mut table = table(width);
            table.set_header(["key", "symbol", "unit", "default", "accepted", "searched", "meaning"]);
            let mut sources = String::new();
            for p in item.params {
                let [default, accepted, searched] = codec::numbers(p);
                table.add_row([p.key, p.symbol, p.unit, &default, &accepted, &searched, p.doc]);
                if p.source != item.source {
                    sources.push_str(&format!("\n  source of {}: {}", p.key, p.source));
                }
            }
            keep_whole(&mut table, &[0, 3]);
            text.push_str(&table.to_string());
            text.push_str(&sources);
        }
        blocks.push(text);
    }
    blocks.join("\n\n")
}
