//! Plots of `crowdtune validate`.

use super::axis::{Axis, Panel, Scale};
use super::canvas::{Canvas, Hold, cut, svg, text_width};
use super::style::{INK, LABEL, SOFT, TICK, series};
use crate::evolve::summary::Figure;
use crate::validation::{Chart, Mark, Series};
use plotters::style::RGBColor;

/// Width of a plot, px.
const WIDTH: f64 = 760.0;

/// The picture.
pub fn draw(chart: &Chart) -> String {
    let finite = |v: &f64| v.is_finite() && v.abs() < 1e300;
    let points = || chart.series.iter().flat_map(|s| &s.points);
    let xs = points().filter(|p| p.1.value.is_some()).map(|p| p.0).filter(finite);
    let ys = points().flat_map(|p| [p.1.value, p.1.low, p.1.high]).flatten().filter(finite);
    let (x, y) = if chart.x_words.is_empty() {
        (Axis::around(xs, Scale::Linear), Axis::around(ys, Scale::Linear))
    } else {
        let high = chart.x_words.len() as f64 - 0.5;
        (Axis { low: -0.5, high, scale: Scale::Linear }, Axis::around(ys, Scale::Linear))
    };
    let colors = colors(chart);
    let rows = legend_rows(chart);
    let top = if chart.below.is_empty() { 58.0 } else { 74.0 } + 18.0 * rows;
    let (left, right) = (84.0, WIDTH - 24.0);
    // A map keeps its shape, within bounds that a page can show.
    let shape = (y.high - y.low) / (x.high - x.low);
    let height = if chart.map { ((right - left) * shape).clamp(90.0, 640.0) } else { 300.0 };
    let right = if chart.map { right.min(left + height / shape) } else { right };
    svg(WIDTH, top + height + 54.0, &chart.title, |c| {
        c.title(&chart.title, &chart.below);
        legend(c, chart, &colors, if chart.below.is_empty() { 42.0 } else { 58.0 });
        let p = Panel { left, top, right, bottom: top + height, x, y };
        let slot = (p.right - p.left) / chart.x_words.len().max(1) as f64;
        let named = chart.x_words.iter().enumerate().map(|(i, w)| (i as f64, cut(w, TICK, slot)));
        let ticks = if chart.x_words.is_empty() { p.x.ticks(8) } else { named.collect() };
        p.frame_with(c, &chart.x_title, &chart.y_title, &ticks, &p.y_ticks());
        for (at, (s, &color)) in chart.series.iter().zip(&colors).enumerate() {
            one(c, &p, s, color, &|x| beside(chart, at, x, slot), chart.x_words.is_empty());
        }
    })
}

/// How far a mark is drawn beside its place, px: where x are words, marks of several series at one word stand side by side.
fn beside(chart: &Chart, at: usize, x: f64, slot: f64) -> f64 {
    let stands = |s: &Series| matches!(s.mark, Mark::Ours | Mark::Paper | Mark::Reference);
    if chart.x_words.is_empty() || !stands(&chart.series[at]) {
        return 0.0;
    }
    let here = |s: &&Series| stands(s) && s.points.iter().any(|p| p.0 == x);
    let count = |series: &[Series]| series.iter().filter(here).count();
    let (before, all) = (count(&chart.series[..at]), count(&chart.series));
    (before as f64 - 0.5 * (all as f64 - 1.0)) * 14.0f64.min(0.6 * slot / all.max(1) as f64)
}

/// Draws one series, with marks so far beside their x, px.
fn one(c: &mut Canvas<'_>, p: &Panel, s: &Series, color: RGBColor, shift: &dyn Fn(f64) -> f64, joined: bool) {
    let at = |x: f64, y: f64| (p.place(x, y).0 + shift(x), p.place(x, y).1);
    let shown: Vec<(f64, Figure, f64)> = s.points.iter().filter_map(|&(x, f)| Some((x, f, f.value?))).collect();
    let way: Vec<(f64, f64)> = shown.iter().map(|&(x, _, y)| at(x, y)).collect();
    let bars = |c: &mut Canvas<'_>, half: f64| {
        for &(x, f, _) in &shown {
            if let (Some(low), Some(high)) = (f.low, f.high) {
                let ((px, from), (_, to)) = (at(x, low), at(x, high));
                c.line(&[(px, from), (px, to)], color, 1.5, 1.0);
                [from, to].iter().for_each(|&y| c.line(&[(px - half, y), (px + half, y)], color, 1.5, 1.0));
            }
        }
    };
    match s.mark {
        Mark::Band => {
            let end = |of: fn(&Figure) -> Option<f64>| shown.iter().filter_map(move |(x, f, _)| Some((*x, of(f)?)));
            let lower = end(|f| f.low).map(|(x, y)| at(x, y));
            let mut outline: Vec<(f64, f64)> = end(|f| f.high).map(|(x, y)| at(x, y)).collect();
            outline.extend(lower.collect::<Vec<_>>().into_iter().rev());
            c.polygon(&outline, color, 0.18);
        }
        Mark::Way | Mark::Wall => {
            let (width, alpha) = if s.mark == Mark::Wall { (2.0, 1.0) } else { (1.0, 0.55) };
            for part in s.points.split(|q| q.1.value.is_none()) {
                let part: Vec<_> = part.iter().map(|q| at(q.0, q.1.value.unwrap_or(0.0))).collect();
                c.line(&part, color, width, alpha);
            }
        }
        Mark::Paper => {
            bars(c, 6.0);
            for (x, y) in way {
                c.polygon(&[(x - 6.0, y), (x, y - 6.0), (x + 6.0, y), (x, y + 6.0)], color, 1.0);
            }
        }
        Mark::Reference => {
            bars(c, 3.0);
            if joined {
                way.windows(2).for_each(|w| c.dashes(w[0], w[1], color, 1.2));
            }
            way.iter().for_each(|&(x, y)| c.ring(x, y, 4.0, color));
        }
        Mark::Ours => {
            if joined {
                c.line(&way, color, 1.6, 0.6);
            }
            bars(c, 4.0);
            way.iter().for_each(|&(x, y)| c.dot(x, y, 4.2, color, 1.0));
        }
    }
}

/// A color for each series; what this program gave is colored by name, in the order of appearance.
fn colors(chart: &Chart) -> Vec<RGBColor> {
    let mut names: Vec<&str> = Vec::new();
    let mut colors = Vec::new();
    for s in &chart.series {
        colors.push(match s.mark {
            Mark::Paper | Mark::Wall => INK,
            Mark::Reference | Mark::Band => SOFT,
            // A known curve beside results of this program, none of which has its name.
            Mark::Way if ours(chart).next().is_some() && ours(chart).all(|o| o.label != s.label) => SOFT,
            Mark::Ours | Mark::Way => {
                if !names.contains(&s.label.as_str()) {
                    names.push(&s.label);
                }
                series(names.iter().position(|n| *n == s.label).unwrap_or(0))
            }
        });
    }
    colors
}

fn ours(chart: &Chart) -> impl Iterator<Item = &Series> {
    chart.series.iter().filter(|s| s.mark == Mark::Ours)
}

/// Series with an entry of their own in the legend: a name is said once, walls need none, nor curves in the color of dots.
fn named(chart: &Chart) -> impl Iterator<Item = (usize, &Series)> {
    let first = |at: usize, s: &Series| {
        let curve = s.mark == Mark::Way && ours(chart).any(|t| t.label == s.label);
        !curve && chart.series[..at].iter().all(|t| t.label != s.label || t.mark != s.mark)
    };
    chart.series.iter().enumerate().filter(move |&(at, s)| s.mark != Mark::Wall && !s.label.is_empty() && first(at, s))
}

/// Places of the entries of the legend: x, row, text.
fn places(chart: &Chart) -> Vec<(usize, f64, f64, String)> {
    let (mut x, mut row) = (84.0, 0.0);
    let place = |(at, s): (usize, &Series)| {
        let text = cut(&s.label, LABEL, 380.0);
        let width = 46.0 + text_width(&text, LABEL);
        if x > 84.0 && x + width > WIDTH - 8.0 {
            (x, row) = (84.0, row + 1.0);
        }
        x += width;
        (at, x - width, row, text)
    };
    named(chart).map(place).collect()
}

fn legend_rows(chart: &Chart) -> f64 {
    places(chart).last().map_or(0.0, |p| p.2)
}

fn legend(c: &mut Canvas<'_>, chart: &Chart, colors: &[RGBColor], top: f64) {
    for (at, x, row, text) in places(chart) {
        let (x, y, color) = (x + 10.0, top + 18.0 * row, colors[at]);
        match chart.series[at].mark {
            Mark::Band => c.rect(x - 10.0, y - 5.0, x + 10.0, y + 5.0, color, 0.25),
            Mark::Way | Mark::Wall => c.line(&[(x - 10.0, y), (x + 10.0, y)], color, 1.6, 0.8),
            Mark::Paper => c.polygon(&[(x - 6.0, y), (x, y - 6.0), (x + 6.0, y), (x, y + 6.0)], color, 1.0),
            Mark::Reference => {
                c.dashes((x - 10.0, y), (x + 10.0, y), color, 1.2);
                c.ring(x, y, 4.0, color);
            }
            Mark::Ours => {
                c.line(&[(x - 10.0, y), (x + 10.0, y)], color, 1.6, 0.6);
                c.dot(x, y, 4.2, color, 1.0);
            }
        }
        c.text(x + 16.0, y, &text, LABEL, INK, Hold::Start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::{band, between, plain};

    #[test]
    fn every_mark_is_drawn_and_named_once() {
        let chart = Chart::new("c", "Title", "x", "y")
            .with("band", Mark::Band, band(&[(0.0, 1.0, 2.0), (1.0, 1.5, 2.5)]))
            .with("paper", Mark::Paper, vec![(0.5, between(1.5, 1.0, 2.0))])
            .with("other", Mark::Reference, plain(&[(0.0, 1.0), (1.0, 2.0)]))
            .with(
                "ways",
                Mark::Way,
                vec![(0.0, between(1.0, 1.0, 1.0)), (0.5, Figure::default()), (1.0, between(2.0, 2.0, 2.0))],
            )
            .with("ways", Mark::Way, plain(&[(0.0, 2.0), (1.0, 1.0)]))
            .with("", Mark::Wall, plain(&[(0.0, 0.0), (1.0, 0.0)]))
            .with("ours", Mark::Ours, plain(&[(0.0, f64::NAN), (1.0, 2.0)]));
        for chart in [chart.clone(), Chart { map: true, ..chart.clone() }, chart.words(["a", "b"])] {
            let text = draw(&chart);
            let doc = roxmltree::Document::parse(&text).unwrap();
            assert!(!text.contains("NaN"));
            for word in ["band", "paper", "other", "ways", "ours"] {
                let said = doc.descendants().filter(|n| n.is_text() && n.text().is_some_and(|t| t.trim() == word));
                assert_eq!(said.count(), 1, "{word}");
            }
        }
    }

    #[test]
    fn marks_at_one_word_stand_side_by_side() {
        let chart = Chart::new("c", "", "", "")
            .words(["a", "b"])
            .with("limit", Mark::Paper, plain(&[(0.0, 1.0), (1.0, 1.0)]))
            .with("one", Mark::Ours, plain(&[(0.0, 2.0), (1.0, 3.0)]))
            .with("two", Mark::Ours, plain(&[(0.0, 2.0)]));
        let all = [(0, 0.0), (1, 0.0), (2, 0.0), (1, 1.0)].map(|(at, x)| beside(&chart, at, x, 100.0));
        assert_eq!(all, [-14.0, 0.0, 14.0, 7.0]);
    }

    #[test]
    fn a_plot_of_nothing_is_a_plot() {
        roxmltree::Document::parse(&draw(&Chart::new("c", "", "", ""))).unwrap();
    }
}
