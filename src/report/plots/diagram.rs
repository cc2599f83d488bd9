//! A whole diagram over the band that is wanted: the samples of every case, and the middle of each.

use super::table::{all, color, title};
use crate::report::chart::style::{SOFT, WANTED};
use crate::report::chart::{Axis, Fill, Graph, Key, Legend, Scale, Sheet, Stroke, Symbol};
use crate::report::run_table::RunTable;
use crowdtune_core::math::stats;

/// Most samples of a diagram; of more, evenly chosen ones. Chosen here: a page with more is slow to open.
const MOST_SAMPLES: usize = 4000;
/// Radius of the middle of a case, px.
const MIDDLE: f64 = 5.0;
const AREA: Fill = Fill::new(WANTED).alpha(0.2);

/// Columns of a table: what is to the right, what is upwards, and the ends of what is wanted of it.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    pub x: usize,
    pub y: usize,
    pub band: (usize, usize),
}

/// The diagram of these tables, each with whether the search never saw its case.
pub(super) fn draw(tables: &[(&RunTable, bool)], at: Columns) -> String {
    let plain: Vec<&RunTable> = tables.iter().map(|t| t.0).collect();
    let Columns { x, y, band: (low, high) } = at;
    let right = Axis::around(all(&plain, x).chain([0.0]), Scale::Linear);
    let up = Axis::around([y, low, high].into_iter().flat_map(|c| all(&plain, c)).chain([0.0]), Scale::Linear);
    let way = |at: usize| Stroke::new(color(&plain, at), 1.6).alpha(0.6);
    let dot = |at: usize| Symbol::dot(color(&plain, at), MIDDLE);

    // One line for each label, in the order in which they come.
    let mut labels: Vec<(&str, Vec<usize>)> = Vec::new();
    for (at, table) in plain.iter().enumerate() {
        let label = table.about.label.as_str();
        match labels.iter_mut().find(|(known, _)| *known == label) {
            Some((_, of)) => of.push(at),
            None => labels.push((label, vec![at])),
        }
    }
    let legend = labels.iter().fold(Legend::new().with(Key::Area(AREA), "wanted"), |legend, (label, of)| {
        legend.with(Key::Marked(way(of[0]), dot(of[0])), format!("{label}, mean of each case"))
    });
    let held_out = tables.iter().any(|t| t.1);
    let legend = legend.with_if(held_out, Key::Mark(Symbol::ring(SOFT, MIDDLE)), "held out");
    let cases = labels.iter().map(|(_, of)| of.len()).max().unwrap_or(0);
    let about = &plain[0].about;
    let of = if cases > 1 { format!("one run of each of {cases} cases") } else { about.case.clone() };
    let below = format!("{}, {of}", about.metric);
    let sheet = Sheet::new(&about.column).below(&below).legend(legend);
    Graph::new(sheet, (right, &title(plain[0], x)), (up, &title(plain[0], y))).draw(|c, p| {
        let rows = plain.iter().flat_map(|t| &t.rows).map(|r| (r[x], r[low], r[high]));
        let mut rows: Vec<_> = rows.filter(|r| [r.0, r.1, r.2].iter().all(|v| v.is_finite())).collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows.dedup_by(|a, b| a.0 == b.0);
        p.band(c, &rows, AREA);
        let every = plain.iter().map(|t| t.rows.len()).sum::<usize>().div_ceil(MOST_SAMPLES).max(1);
        let known = |r: &&Vec<f64>| r[x].is_finite() && r[y].is_finite();
        for (at, table) in plain.iter().enumerate() {
            for row in table.rows.iter().step_by(every).filter(known) {
                c.mark(p.at(row[x], row[y]), Symbol::dot(color(&plain, at), 1.8).alpha(0.25));
            }
        }
        for (_, of) in &labels {
            let middle = |&at: &usize| {
                let of = |column: usize| plain[at].rows.iter().filter(known).map(|r| r[column]).collect::<Vec<_>>();
                let (xs, ys) = (of(x), of(y));
                (!xs.is_empty()).then(|| (stats::mean(&xs), stats::mean(&ys), at))
            };
            let mut middles: Vec<(f64, f64, usize)> = of.iter().filter_map(middle).collect();
            middles.sort_by(|a, b| a.0.total_cmp(&b.0));
            c.line(&middles.iter().map(|m| p.at(m.0, m.1)).collect::<Vec<_>>(), way(of[0]));
            for &(x, y, at) in &middles {
                c.mark(p.at(x, y), if tables[at].1 { Symbol::ring(color(&plain, at), MIDDLE) } else { dot(at) });
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::run_table::About;

    fn table(case: &str, label: &str, density: f64, speed: f64) -> RunTable {
        let about = About {
            column: "diagram".into(),
            metric: "fundamental_diagram".into(),
            case: case.into(),
            label: label.into(),
        };
        let columns = ["density_per_m2", "speed_m_per_s", "low_m_per_s", "high_m_per_s"].map(String::from).to_vec();
        let rows =
            [-0.1, 0.0, 0.1].map(|off| vec![density + off, speed - off, 1.0 - 0.2 * density, 1.4 - 0.2 * density]);
        RunTable { about, plot: None, columns, rows: rows.to_vec() }
    }

    #[test]
    fn every_case_has_its_middle_and_held_out_ones_are_rings() {
        let columns = Columns { x: 0, y: 1, band: (2, 3) };
        // In no order of density, for the line has to be sorted.
        let cases = [("ring[count=60]", 2.0, 0.5), ("ring[count=15]", 0.5, 1.2), ("ring[count=30]", 1.0, 0.9)];
        let tables: Vec<RunTable> = ["defaults", "tuned"]
            .into_iter()
            .flat_map(|label| cases.map(|(case, density, speed)| table(case, label, density, speed)))
            .collect();
        let seen: Vec<(&RunTable, bool)> = tables.iter().map(|t| (t, false)).collect();
        let held: Vec<(&RunTable, bool)> = tables.iter().map(|t| (t, t.about.case.ends_with("=30]"))).collect();
        let [plain, partly] = [&seen, &held].map(|tables| draw(tables, columns));
        assert!(plain.contains("one run of each of 3 cases") && !plain.contains("held out"), "{plain}");
        assert!(partly.contains("held out"), "{partly}");
        let middles = |svg: &str| svg.matches("r=\"20\"").count();
        // Six cases and the keys of two labels; of a ring the radii are others.
        assert_eq!((middles(&plain), middles(&partly)), (8, 6), "{plain}");
        // Beside the frame one line for each label, from the left to the right.
        let lines: Vec<Vec<f64>> = plain
            .split("<polyline")
            .filter(|part| part.contains("opacity=\"0.6\""))
            .filter_map(|part| part.split("points=\"").nth(1)?.split('"').next())
            .map(|points| points.split_whitespace().filter_map(|p| p.split(',').next()?.parse().ok()).collect())
            .filter(|xs: &Vec<f64>| xs.len() == 3)
            .collect();
        assert!(lines.len() == 2 && lines.iter().all(|xs| xs.is_sorted()), "{lines:?}");
        assert_eq!(draw(&[(&table("one", "tuned", 1.0, 1.0), false)], columns).matches("one run of").count(), 0);
    }
}
