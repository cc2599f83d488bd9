//! Best loss so far over evaluations: median and quartiles over searches, a band for each group.

use super::plot::Plot;
use crate::evolve::compare::{Comparison, band};
use crate::report::chart::style::series;
use crate::report::chart::{Axis, Fill, Graph, Key, Legend, Sheet, Stroke, scale_for};

const TITLE: &str = "Best so far, over searches";
const CAPTION: &str = "Median (line) and quartiles (band) over searches of the best loss so far, as the searches saw it on \
                       their own seeds; the table says what it is worth on fresh seeds.";

/// One plot; none where no search has a feasible candidate.
pub fn plots(comparison: &Comparison) -> Vec<Plot> {
    let bands: Vec<_> = comparison.groups.iter().map(|g| band(&g.searches)).collect();
    let points = || bands.iter().flatten();
    if points().next().is_none() {
        return Vec::new();
    }
    let (fill, median) = (|i| Fill::new(series(i)).alpha(0.18), |i| Stroke::new(series(i), 2.2));
    let legend = comparison
        .groups
        .iter()
        .enumerate()
        .fold(Legend::new(), |legend, (i, g)| legend.with(Key::Band(fill(i), median(i)), g.name.as_str()));
    let values = || points().flat_map(|p| [p.1, p.2, p.3]);
    let scale = scale_for(values());
    let x = Axis::linear(0.0, points().map(|p| p.0).fold(1.0, f64::max));
    let sheet = Sheet::new(TITLE).below("median and quartiles of the best value that each search saw").legend(legend);
    let y = (Axis::around(values(), scale), format!("{}{}", comparison.objective, scale.note()));
    let svg = Graph::new(sheet, (x, "evaluation"), y).draw(|c, p| {
        for (i, band) in bands.iter().enumerate() {
            p.band(c, &band.iter().map(|q| (q.0, q.1, q.3)).collect::<Vec<_>>(), fill(i));
        }
        for (i, band) in bands.iter().enumerate() {
            c.line(&band.iter().map(|q| p.at(q.0, q.2)).collect::<Vec<_>>(), median(i));
        }
    });
    vec![Plot { name: "compare".into(), caption: CAPTION.into(), svg }]
}
