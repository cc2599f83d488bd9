//! Where the constants of an atlas lie: what each candidate measured against each of its parameters, and a map of the two that
//! tell most.

use crate::evolve::summary::{AtlasSummary, AxisSummary, Checked, Figure, GeneSummary, SideOf, Split};
use crate::evolve::verdict::gene_value;
use crate::format;
use crate::report::chart::style::{DEFAULT, INK, POINT, SOFT, TUNED, WANTED, ramp};
use crate::report::chart::{Axis, Canvas, Graph, Key, Legend, Panel, Scale, Sheet, Stroke, Symbol, Ticks};
use crate::report::plots::plot::Plot;

/// Width of the picture, px, as of the heat map.
const WIDTH: f64 = 900.0;
/// Panels side by side.
const COLUMNS: usize = 3;
/// Height of a panel, px.
const HEIGHT: f64 = 130.0;
/// Room to the left of a panel after the first, px: the last tick of its neighbor.
const GAP: f64 = 34.0;
const RIGHT: f64 = 22.0;

const ABOVE: Symbol = Symbol::dot(WANTED, 3.4).alpha(0.85);
const BELOW: Symbol = Symbol::dot(POINT, 2.8).alpha(0.75);
const UNCLEAR: Symbol = Symbol::ring(SOFT, 2.8);
const ALL: Symbol = Symbol::dot(TUNED, 3.2).alpha(0.8);
const DEFAULTS: Symbol = Symbol::cross(DEFAULT, 5.5);
const LINE: Stroke = Stroke::dashed(INK, 1.4);

/// A plot for each axis, and a map for each that is split; none before the check on fresh seeds or without parameters.
pub(super) fn plots(atlas: &AtlasSummary, genes: &[GeneSummary]) -> Vec<Plot> {
    if atlas.checked.is_empty() || genes.is_empty() {
        return Vec::new();
    }
    let of = |at: usize| {
        let split = atlas.splits.iter().find(|s| s.axis == at);
        let view = View { atlas, genes, at, axis: &atlas.axes[at], split };
        std::iter::once(view.strips()).chain(view.map())
    };
    (0..atlas.axes.len()).flat_map(of).collect()
}

/// One axis of the atlas.
struct View<'a> {
    atlas: &'a AtlasSummary,
    genes: &'a [GeneSummary],
    /// Index of the axis.
    at: usize,
    axis: &'a AxisSummary,
    split: Option<&'a Split>,
}

impl View<'_> {
    fn name(&self) -> String {
        format::name_with_unit(&self.axis.name, &self.axis.unit)
    }

    fn measured(&self, c: &Checked) -> Figure {
        c.measures.get(self.at).copied().unwrap_or_default()
    }

    fn symbol(&self, c: &Checked) -> Symbol {
        match self.split.map(|s| SideOf::of(&self.measured(c), s.value)) {
            None => ALL,
            Some(SideOf::Above) => ABOVE,
            Some(SideOf::Below) => BELOW,
            Some(SideOf::Unclear) => UNCLEAR,
        }
    }

    /// Genes in the order of the picture: those that tell most first.
    fn order(&self) -> Vec<usize> {
        let all = || (0..self.genes.len()).collect();
        self.split.map_or_else(all, |s| {
            s.genes.iter().filter_map(|g| self.genes.iter().position(|known| known.key == g.key)).collect()
        })
    }

    fn legend(&self) -> Legend {
        let value = self.split.map_or_else(String::new, |s| format::setting(s.value));
        let split = self.split.is_some();
        Legend::new()
            .with_if(split, Key::Mark(ABOVE), format!("at least {value}, the whole interval"))
            .with_if(split, Key::Mark(BELOW), "below")
            .with_if(split, Key::Mark(UNCLEAR), "the interval holds it")
            .with_if(!split, Key::Mark(ALL), "candidate")
            .with_if(self.atlas.defaults.is_some(), Key::Mark(DEFAULTS), "defaults")
    }

    /// A panel for each parameter.
    fn strips(&self) -> Plot {
        let order = self.order();
        let values = self.atlas.checked.iter().filter_map(|c| self.measured(c).value);
        let defaults = self.atlas.defaults.as_ref().and_then(|d| d.get(self.at)).copied();
        let y = Axis::around(values.chain(self.split.map(|s| s.value)).chain(defaults), Scale::Linear);
        let sheet = Sheet::new(format!("Constants and {}", self.axis.name))
            .below(format!("{} on fresh seeds", format::count(self.atlas.checked.len() as u64, "candidate")))
            .width(WIDTH)
            .legend(self.legend());
        let rows = order.len().div_ceil(COLUMNS);
        let row = HEIGHT + Panel::FOOT;
        let columns = COLUMNS.min(order.len());
        let width = (WIDTH - Panel::LEFT - RIGHT - GAP * (COLUMNS - 1) as f64) / COLUMNS as f64;
        let svg = sheet.draw(row * rows as f64, |c, top| {
            for (k, &gene) in order.iter().enumerate() {
                let (column, at) = ((k % columns) as f64, (k / columns) as f64);
                let (left, top) = (Panel::LEFT + column * (width + GAP), top + at * row);
                let x = along(&self.genes[gene]);
                let p = Panel { left, top, right: left + width, bottom: top + HEIGHT, x, y };
                self.strip(c, &p, gene, k % columns == 0);
            }
        });
        let caption = format!(
            "What each candidate that was checked on fresh seeds measured, against each of its constants{}. The search chose these \
             candidates to fill the atlas: they are no random sample of the constants, and the other constants differ from dot to dot.",
            if self.split.is_some() { ", those that tell the two sides apart most first" } else { "" }
        );
        Plot { name: format!("constants_{}", format::file_stem(&self.axis.name)), caption, svg }
    }

    fn strip(&self, c: &mut Canvas<'_>, p: &Panel, gene: usize, first: bool) {
        let g = &self.genes[gene];
        let plain = |ticks: Ticks| ticks.into_iter().map(|(v, _)| (v, String::new())).collect::<Ticks>();
        let y_ticks = if first { p.y_ticks() } else { plain(p.y_ticks()) };
        let title = if first { self.name() } else { String::new() };
        p.frame_with(c, (&named(g), &ticks(p, g)), (&title, &y_ticks));
        if let Some(s) = self.split {
            p.level(c, s.value, LINE);
        }
        for row in &self.atlas.checked {
            if let Some((x, y)) = row.genes.get(gene).copied().zip(self.measured(row).value) {
                c.mark(p.at(x, y), self.symbol(row));
            }
        }
        if let Some(&y) = self.atlas.defaults.as_ref().and_then(|d| d.get(self.at)) {
            c.mark(p.at(g.default, y), DEFAULTS);
        }
    }

    /// The two parameters that tell most, against each other; nothing where fewer than two do.
    fn map(&self) -> Option<Plot> {
        let split = self.split?;
        let told = split.genes.iter().filter(|g| split.differs(g));
        let mut told = told.filter_map(|g| self.genes.iter().position(|known| known.key == g.key));
        let (a, b) = (told.next()?, told.next()?);
        let known: Vec<(f64, f64, f64, bool)> = {
            let row = |c: &Checked| {
                let m = self.measured(c);
                Some((*c.genes.get(a)?, *c.genes.get(b)?, m.value?, SideOf::of(&m, split.value) == SideOf::Above))
            };
            self.atlas.checked.iter().filter_map(row).collect()
        };
        let ends = known.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), k| (l.min(k.2), h.max(k.2)));
        let share = |v: f64| if ends.1 > ends.0 { (v - ends.0) / (ends.1 - ends.0) } else { 0.0 };
        let value = format::setting(split.value);
        let legend = Legend::new()
            .with(Key::Ramp(format::number(ends.0), format::number(ends.1), 1.0), self.name())
            .with(Key::Mark(Symbol::ringed(ramp(1.0), 3.2)), format!("at least {value}, the whole interval"))
            .with(Key::Mark(DEFAULTS), "defaults");
        let sheet = Sheet::new(format!("Map of the constants: {}", self.axis.name))
            .below("The two constants that tell the two sides apart most")
            .legend(legend);
        let [x, y] = [a, b].map(|k| (along(&self.genes[k]), named(&self.genes[k])));
        let graph = Graph { height: 344.0, ..Graph::new(sheet, x, y) };
        let svg = graph.draw(|c, p| {
            // Those above last, so that none is hidden.
            for above in [false, true] {
                for &(x, y, m, _) in known.iter().filter(|k| k.3 == above) {
                    let color = ramp(share(m));
                    c.mark(p.at(x, y), if above { Symbol::ringed(color, 3.2) } else { Symbol::dot(color, 3.6) });
                }
            }
            c.mark(p.at(self.genes[a].default, self.genes[b].default), DEFAULTS);
        });
        let caption = "Each candidate that was checked on fresh seeds, by its two constants; the color is what it measured. The other \
                       constants differ from dot to dot."
            .into();
        Some(Plot { name: format!("map_{}", format::file_stem(&self.axis.name)), caption, svg })
    }
}

/// Name and unit of a parameter.
fn named(g: &GeneSummary) -> String {
    format::name_with_unit(format::key(&g.key), &g.unit)
}

/// The searched range as an axis.
fn along(g: &GeneSummary) -> Axis {
    let scale = if g.log && g.low > 0.0 { Scale::Log } else { Scale::Linear };
    match g.choices.len() {
        0 if g.low < g.high => Axis { low: g.low, high: g.high, scale },
        0 => Axis::around([g.low], scale),
        words => Axis::words(words),
    }
}

fn ticks(p: &Panel, g: &GeneSummary) -> Ticks {
    if g.choices.is_empty() {
        p.x_ticks()
    } else {
        p.word_ticks(&(0..g.choices.len()).map(|k| gene_value(g, k as f64)).collect::<Vec<_>>())
    }
}
