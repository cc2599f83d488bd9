//! The front as a table and in sentences.

use super::table::{Terminal, build, cell, figure, narrow};
use crate::evolve::summary::{Figure, FrontAxis, FrontPoint, FrontSummary, GeneSummary, Standing, Summary};
use crate::evolve::verdict::front::axis_words;
use crate::evolve::verdict::gene_value;
use crate::format;
use comfy_table::{Attribute, Cell, Color};

/// What is special about a point: `recommended (knee)`, `dominated`, ...; "" for a plain member of the front.
pub fn mark(p: &FrontPoint) -> String {
    let standing = match p.standing {
        Standing::Front => "",
        Standing::Unchecked => "not checked yet",
        Standing::Dominated => "dominated on fresh seeds",
        Standing::Infeasible => "misses a must",
        Standing::Failed => "failed on fresh seeds",
    };
    let role = match (p.recommended, p.knee) {
        (true, true) => "recommended (knee)",
        (true, false) => "recommended",
        (false, true) => "knee",
        (false, false) => "",
    };
    let defaults = if p.defaults { "the defaults" } else { "" };
    let parts: Vec<&str> = [role, defaults, standing].into_iter().filter(|w| !w.is_empty()).collect();
    parts.join(", ")
}

/// What the search saw of a point on an axis.
pub fn search_saw(axis: &FrontAxis, p: &FrontPoint, objective: usize) -> Option<f64> {
    p.search.get(objective).map(|loss| axis.value(*loss))
}

/// The published defaults on the seeds of the report.
pub fn defaults(s: &Summary) -> Vec<Figure> {
    s.objectives.iter().map(|o| o.default).collect()
}

/// How the recommended point was picked.
pub fn picked(front: &FrontSummary) -> String {
    let weights: Vec<String> =
        front.preference.iter().filter(|(_, w)| **w > 0.0).map(|(o, w)| format!("{o} {}", format::plain(*w))).collect();
    if weights.is_empty() {
        "the knee, the most balanced one".to_string()
    } else {
        format!("by preference ({})", weights.join(", "))
    }
}

/// Values of the parameters of a point, as they are printed under heads with units.
pub fn genes(s: &Summary, p: &FrontPoint) -> Vec<String> {
    let one = |(g, v): (&GeneSummary, &f64)| {
        if g.choices.is_empty() { format::setting(*v) } else { gene_value(g, *v) }
    };
    s.genes.iter().zip(&p.genes).map(one).collect()
}

/// The points for a terminal: fresh seeds next to what the search saw, and the published values in the last row unless they are a point themselves.
pub fn table(s: &Summary, front: &FrontSummary, terminal: Terminal) -> String {
    let narrow = narrow(terminal);
    let mut head = vec!["id".to_string()];
    for axis in &front.axes {
        head.push(format!("{}{}", axis_words(axis), if narrow { "" } else { " [95 %]" }));
        head.push("search saw".into());
    }
    head.push(String::new());
    let mut rows: Vec<Vec<Cell>> = front.points.iter().map(|p| row(front, p, narrow)).collect();
    if !front.points.iter().any(|p| p.defaults) {
        let mut last = vec![cell(format::NONE)];
        for (axis, loss) in front.axes.iter().zip(defaults(s)) {
            last.extend([figure(&axis.figure(&loss), narrow), cell("")]);
        }
        last.push(cell(s.compared_with()));
        rows.push(last);
    }
    build(&head, rows, terminal)
}

fn row(front: &FrontSummary, p: &FrontPoint, narrow: bool) -> Vec<Cell> {
    let mut cells = vec![cell(&p.id.to_string())];
    for (at, axis) in front.axes.iter().enumerate() {
        let fresh = p.fresh.get(at).copied().unwrap_or_default();
        cells.extend([figure(&axis.figure(&fresh), narrow), cell(&format::option(search_saw(axis, p, at)))]);
    }
    cells.push(cell(&mark(p)));
    if p.recommended {
        cells = cells.into_iter().map(|c| c.add_attribute(Attribute::Bold)).collect();
    }
    if p.standing > Standing::Unchecked {
        cells = cells.into_iter().map(|c| c.fg(Color::DarkGrey)).collect();
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::verdict::front::sentence;
    use crate::report::fixture;

    #[test]
    fn the_front_is_said_in_a_sentence_and_a_table() {
        let (mut s, _) = fixture::front(2);
        let front = s.front.clone().unwrap();
        // Losses of 0.1 + x^2 and 0.1 + (1 - x)^2 for x = 0, 1/8, ...: both at most 0.7 from 2/8 to 6/8; those up to 5/8 hold.
        assert_eq!(
            sentence(&s, &front),
            "6 compromises of the 9 that were reported: 4 are nowhere worse than the published values and better \
             somewhere, the others trade"
        );
        let text = table(&s, &front, Terminal::default());
        for part in [
            "comfort (loss) [95 %]",
            "flow (1/s) [95 %]",
            "13 ",
            "recommended (knee)",
            "the published values",
            "misses a must",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        // The flow of the first point: 3 - 2 * 1.1; its interval turns over; the search saw 3 - 2 * 1.08.
        assert!(text.contains("0.800 [0.740, 0.860]") && text.contains("0.840"), "{text}");
        let small = Terminal { width: Some(80), color: false };
        assert!(table(&s, &front, small).lines().all(|l| l.chars().count() <= 80));
        let all = crate::report::result::text(&s, "", Terminal::default());
        assert!(all.contains("Recommended: the knee"), "{all}");

        s.objectives.iter_mut().for_each(|o| o.default.value = Some(0.0));
        assert!(
            sentence(&s, &front).ends_with("each trades one objective for another, also against the published values")
        );
        let mut weighted = front.clone();
        weighted.preference = [("comfort".to_string(), 2.0), ("flow".to_string(), 0.0)].into();
        assert_eq!(picked(&weighted), "by preference (comfort 2)");
        weighted.points.iter_mut().for_each(|p| p.standing = Standing::Unchecked);
        assert!(sentence(&s, &weighted).starts_with("31 candidates on the front of the search so far"));
    }
}
