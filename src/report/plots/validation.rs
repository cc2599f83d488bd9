//! Plots of `crowdtune validate`.

use crate::evolve::summary::Figure;
use crate::report::chart::style::{INK, RGBColor, SOFT, series};
use crate::report::chart::{Axis, Canvas, Fill, Graph, Key, Legend, Panel, Point, Scale, Sheet, Stroke, Symbol, WIDTH};
use crate::validation::{Chart, Mark, Series};

/// Height of a panel that is no map, px.
const HEIGHT: f64 = 300.0;
/// Least and most height of a map, px. Chosen here: what a page can show.
const MAP: (f64, f64) = (90.0, 640.0);
/// Marks at one word stand this far apart, px, and all of them within this share of its room.
const APART: f64 = 14.0;
const SHARE: f64 = 0.6;

/// How a series looks: its color, and which mark and line it has among those of this program that share the color.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Look {
    color: RGBColor,
    round: usize,
}

impl Look {
    fn symbol(self) -> Symbol {
        match self.round {
            0 => Symbol::dot(self.color, 4.2),
            1 => Symbol::cross(self.color, 4.2),
            2 => Symbol::ring(self.color, 4.2),
            _ => Symbol::diamond(self.color, 5.0),
        }
    }

    fn joint(self) -> Stroke {
        let stroke = if self.round == 0 { Stroke::new(self.color, 1.6) } else { Stroke::dashed(self.color, 1.6) };
        stroke.alpha(0.6)
    }
}

/// The picture.
pub fn draw(chart: &Chart) -> String {
    let points = || chart.series.iter().flat_map(|s| &s.points);
    let xs = points().filter(|p| p.1.value.is_some()).map(|p| p.0);
    let ys = points().flat_map(|p| [p.1.value, p.1.low, p.1.high]).flatten();
    let numbers = chart.x_words.is_empty();
    let x = if numbers { Axis::around(xs, Scale::Linear) } else { Axis::words(chart.x_words.len()) };
    let y = Axis::around(ys, Scale::Linear);
    let looks = looks(chart);
    let legend =
        named(chart).fold(Legend::new(), |legend, (at, s)| legend.with(key(s.mark, looks[at]), s.label.as_str()));
    let sheet = Sheet::new(&chart.title).below(&chart.below).legend(legend);
    let mut graph = Graph::new(sheet, (x, &chart.x_title), (y, &chart.y_title));
    graph.words.clone_from(&chart.x_words);
    graph.height = HEIGHT;
    if chart.map {
        // A map keeps its shape, within bounds.
        let width = WIDTH - Panel::LEFT - graph.right;
        let shape = (y.high - y.low) / (x.high - x.low);
        graph.height = (width * shape).clamp(MAP.0, MAP.1);
        graph.right += (width - graph.height / shape).max(0.0);
    }
    graph.draw(|c, p| {
        let slot = p.width() / chart.x_words.len().max(1) as f64;
        // What was measured lies on top: many series would hide it.
        let all = chart.series.iter().zip(&looks).enumerate();
        let (measured, others): (Vec<_>, Vec<_>) = all.partition(|(_, (s, _))| s.mark == Mark::Paper);
        for (at, (s, &look)) in others.into_iter().chain(measured) {
            one(c, p, s, look, &|x| beside(chart, at, x, slot), numbers);
        }
    })
}

/// What a mark looks like in the legend.
fn key(mark: Mark, look: Look) -> Key {
    let color = look.color;
    match mark {
        Mark::Band => Key::Area(band(color)),
        Mark::Way | Mark::Wall => Key::Line(Stroke::new(color, 1.6).alpha(0.8)),
        Mark::Paper => Key::Mark(Symbol::diamond(color, 6.0)),
        Mark::Reference => Key::Marked(Stroke::dashed(color, 1.2), Symbol::ring(color, 4.0)),
        Mark::Ours => Key::Marked(look.joint(), look.symbol()),
    }
}

fn band(color: RGBColor) -> Fill {
    Fill::new(color).alpha(0.18)
}

/// How far a mark stands beside its x, px: where x are words, marks of several series at one word stand side by side.
fn beside(chart: &Chart, at: usize, x: f64, slot: f64) -> f64 {
    let stands = |s: &Series| matches!(s.mark, Mark::Ours | Mark::Paper | Mark::Reference);
    if chart.x_words.is_empty() || !stands(&chart.series[at]) {
        return 0.0;
    }
    let here = |s: &&Series| stands(s) && s.points.iter().any(|p| p.0 == x);
    let count = |series: &[Series]| series.iter().filter(here).count();
    let (before, all) = (count(&chart.series[..at]), count(&chart.series));
    (before as f64 - 0.5 * (all as f64 - 1.0)) * APART.min(SHARE * slot / all.max(1) as f64)
}

/// Draws one series; `shift` says how far a mark stands beside its x, px.
fn one(c: &mut Canvas<'_>, p: &Panel, s: &Series, look: Look, shift: &dyn Fn(f64) -> f64, joined: bool) {
    let color = look.color;
    let at = |x: f64, y: f64| (p.at(x, y).0 + shift(x), p.at(x, y).1);
    let shown: Vec<(f64, Figure, f64)> = s.points.iter().filter_map(|&(x, f)| Some((x, f, f.value?))).collect();
    let way: Vec<Point> = shown.iter().map(|&(x, _, y)| at(x, y)).collect();
    let marks = |c: &mut Canvas<'_>, half: f64, symbol: Symbol| {
        for &(x, f, _) in &shown {
            if let (Some(low), Some(high)) = (f.low, f.high) {
                c.interval(at(x, low), at(x, high), half, Stroke::new(color, 1.5));
            }
        }
        way.iter().for_each(|&here| c.mark(here, symbol));
    };
    match s.mark {
        Mark::Band => {
            let rows: Vec<_> = shown.iter().filter_map(|&(x, f, _)| Some((x, f.low?, f.high?))).collect();
            p.band(c, &rows, band(color));
        }
        Mark::Way | Mark::Wall => {
            let wall = s.mark == Mark::Wall;
            let stroke = if wall { Stroke::new(color, 2.0) } else { Stroke::new(color, 1.0).alpha(0.55) };
            for part in s.points.split(|q| q.1.value.is_none()) {
                let part: Vec<_> = part.iter().map(|q| at(q.0, q.1.value.unwrap_or(0.0))).collect();
                c.line(&part, stroke);
            }
        }
        Mark::Paper => marks(c, 6.0, Symbol::diamond(color, 6.0)),
        Mark::Reference => {
            if joined {
                c.line(&way, Stroke::dashed(color, 1.2));
            }
            marks(c, 3.0, Symbol::ring(color, 4.0));
        }
        Mark::Ours => {
            if joined {
                c.line(&way, look.joint());
            }
            marks(c, 4.0, look.symbol());
        }
    }
}

/// A look for each series. Those of this program are told apart by name, in the order of appearance; what is called as another one and more words (a
/// model with a preset) has its color.
fn looks(chart: &Chart) -> Vec<Look> {
    let family = |label: &str| -> String {
        let others = chart.series.iter().map(|s| &s.label[..]).filter(|other| !other.is_empty());
        let mut others = others.filter(|other| label.strip_prefix(other).is_some_and(|rest| rest.starts_with(' ')));
        others.next().unwrap_or(label).to_string()
    };
    let (mut families, mut known): (Vec<String>, Vec<(&str, Look)>) = (Vec::new(), Vec::new());
    let mut looks = Vec::new();
    for s in &chart.series {
        let plain = |color| Look { color, round: 0 };
        looks.push(match s.mark {
            Mark::Paper | Mark::Wall => plain(INK),
            Mark::Reference | Mark::Band => plain(SOFT),
            // A known curve beside results of this program, none of which has its name.
            Mark::Way if ours(chart).next().is_some() && ours(chart).all(|o| o.label != s.label) => plain(SOFT),
            Mark::Ours | Mark::Way => {
                let old = known.iter().find(|(label, _)| *label == s.label).map(|(_, look)| *look);
                old.unwrap_or_else(|| {
                    let family = family(&s.label);
                    let at = families.iter().position(|known| *known == family).unwrap_or(families.len());
                    if at == families.len() {
                        families.push(family);
                    }
                    let color = series(at);
                    let look = Look { color, round: known.iter().filter(|(_, look)| look.color == color).count() };
                    known.push((&s.label, look));
                    look
                })
            }
        });
    }
    looks
}

fn ours(chart: &Chart) -> impl Iterator<Item = &Series> {
    chart.series.iter().filter(|s| s.mark == Mark::Ours)
}

/// Series with an entry of their own in the legend: each name once, no walls, and no curves in the color of dots.
fn named(chart: &Chart) -> impl Iterator<Item = (usize, &Series)> {
    let first = |at: usize, s: &Series| {
        let curve = s.mark == Mark::Way && ours(chart).any(|t| t.label == s.label);
        !curve && chart.series[..at].iter().all(|t| t.label != s.label || t.mark != s.mark)
    };
    chart.series.iter().enumerate().filter(move |&(at, s)| s.mark != Mark::Wall && !s.label.is_empty() && first(at, s))
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
    fn no_two_series_of_many_look_alike() {
        let names: Vec<String> = (0..14).map(|k| format!("model {k}")).collect();
        let chart =
            names.iter().fold(Chart::new("c", "", "", ""), |c, name| c.with(name, Mark::Ours, plain(&[(0.0, 1.0)])));
        let looks = looks(&chart);
        assert!(looks.iter().enumerate().all(|(at, look)| !looks[..at].contains(look)), "{looks:?}");
    }

    #[test]
    fn a_preset_has_the_color_of_its_model_and_a_mark_of_its_own() {
        let names = ["rvo", "rvo walkers preset", "orca", "a", "b", "c", "d", "e", "f", "f walkers preset", "rvo"];
        let chart =
            names.iter().fold(Chart::new("c", "", "", ""), |c, name| c.with(*name, Mark::Ours, plain(&[(0.0, 1.0)])));
        let looks = looks(&chart);
        assert!(looks[0].color == looks[1].color && looks[0].round != looks[1].round && looks[0] == looks[10]);
        // The eighth family has the color of the first again.
        assert!(looks[8].color == looks[0].color && looks[9].color == looks[0].color);
        assert!(looks[..10].iter().enumerate().all(|(at, look)| !looks[..at].contains(look)), "{looks:?}");
    }

    #[test]
    fn a_plot_of_nothing_is_a_plot() {
        roxmltree::Document::parse(&draw(&Chart::new("c", "", "", ""))).unwrap();
    }
}
