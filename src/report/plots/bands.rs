//! Best loss so far over evaluations: median and quartiles over searches, a band for each group.

use super::Plot;
use super::axis::{Axis, Panel, Scale};
use super::canvas::{Canvas, Hold, cut, svg, text_width};
use super::loss::scale_for;
use super::style::{INK, LABEL, series};
use crate::evolve::compare::{Comparison, band};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 84.0;

/// One plot; none where no search has a feasible candidate.
pub fn plots(comparison: &Comparison) -> Vec<Plot> {
    let bands: Vec<_> = comparison.groups.iter().map(|g| band(&g.searches)).collect();
    let points = || bands.iter().flatten();
    if points().next().is_none() {
        return Vec::new();
    }
    let values = || points().flat_map(|p| [p.1, p.2, p.3]).filter(|v| v.abs() < 1e300);
    let scale = scale_for(values());
    let y = Axis::around(values(), scale);
    let x = Axis { low: 0.0, high: points().map(|p| p.0).fold(1.0, f64::max), scale: Scale::Linear };
    let title = "Best so far, over searches";
    let picture = svg(WIDTH, 420.0, title, |c| {
        c.title(title, "median and quartiles of the best value that each search saw");
        let names: Vec<&str> = comparison.groups.iter().map(|g| g.name.as_str()).collect();
        let rows = legend(c, &names);
        let p = Panel { left: LEFT, top: 70.0 + 18.0 * rows, right: WIDTH - 24.0, bottom: 366.0, x, y };
        let spacing = if scale == Scale::Linear { "" } else { " (logarithmic)" };
        p.frame(c, "evaluation", &format!("{}{spacing}", comparison.objective));
        for (i, band) in bands.iter().enumerate() {
            let upper = band.iter().map(|q| p.place(q.0, q.3));
            let lower = band.iter().rev().map(|q| p.place(q.0, q.1));
            let around: Vec<_> = upper.chain(lower).collect();
            if around.len() > 2 {
                c.polygon(&around, series(i), 0.18);
            }
        }
        for (i, band) in bands.iter().enumerate() {
            c.line(&band.iter().map(|q| p.place(q.0, q.2)).collect::<Vec<_>>(), series(i), 2.2, 1.0);
        }
    });
    let caption = "Median (line) and quartiles (band) over searches of the best loss so far, as the searches saw it on their own \
                   seeds; what it is worth on fresh seeds stands in the table."
        .into();
    vec![Plot { name: "compare".into(), caption, svg: picture }]
}

/// The legend; gives the number of further rows that it took.
fn legend(c: &mut Canvas<'_>, names: &[&str]) -> f64 {
    let (mut x, mut row) = (LEFT, 0.0);
    for (i, name) in names.iter().enumerate() {
        let text = cut(name, LABEL, 300.0);
        let width = 46.0 + text_width(&text, LABEL);
        if x > LEFT && x + width > WIDTH - 8.0 {
            (x, row) = (LEFT, row + 1.0);
        }
        let y = 58.0 + 18.0 * row;
        c.rect(x, y - 5.0, x + 20.0, y + 5.0, series(i), 0.18);
        c.line(&[(x, y), (x + 20.0, y)], series(i), 2.2, 1.0);
        c.text(x + 26.0, y, &text, LABEL, INK, Hold::Start);
        x += width;
    }
    row
}
