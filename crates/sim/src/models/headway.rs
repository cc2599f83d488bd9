//! The gap ahead of everybody, for models that walk no faster than it allows (`time_gap_s`): once per step, eight people at a time; and how
//! wide the strip is that counts as ahead.

use super::ahead::SIGHT_M;
use crate::crowd::View;
use crate::world::tile::{RADIUS, Tile, X, Y};
use crowdtune_core::math::Vec2;
use crowdtune_core::math::lanes::{self, Kernel, Lanes, WIDTH};
use crowdtune_core::registry::{Param, Settings};

/// The key of the switch, as the models' lists of constants have it; `source` says where the law is from.
pub(super) const fn time_gap(source: &'static str) -> Param {
    Param::real("time_gap_s", "s", 0.0)
        .symbol("T")
        .range(0.0, 10.0)
        .search(0.2, 2.0)
        .doc("time in which a person would close the gap to the body ahead: nobody wishes to be faster than that gap over T; 0: off")
        .source(source)
        .of_group()
}

/// The width of the strip ahead, as the models' lists of constants have it.
pub(super) const fn width() -> Param {
    Param::real("headway_width", "", 1.0)
        .symbol("w_h")
        .range(0.0, 1.0)
        .search(0.2, 1.0)
        .doc(
            "who is in the strip ahead slows a person down; its width is this share of both bodies': the narrower, the more freely people \
             pass who walk beside each other",
        )
        .source(
            "1 is Tordeux, Chraibi, Seyfried (2016); bodies that are narrower across the way than along it: Xu, Chraibi, Tordeux, Zhang, \
             Physica A 535, 122521 (2019), there by ellipses",
        )
        .of_group()
}

/// What people of a group keep to whom is ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keeps {
    /// Time in which they would close the gap, s; 0 where it is off.
    pub time_gap: f64,
    /// Width of the strip ahead, as a share of both bodies'.
    pub width: f64,
}

impl Keeps {
    /// Of a group.
    pub fn new(s: &Settings<'_>) -> Self {
        Self { time_gap: s.get("time_gap_s"), width: s.get("headway_width") }
    }
}

/// Gaps of one step, and what each group keeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Headway {
    /// By group.
    keeps: Vec<Keeps>,
    /// By slot, m; infinite where the way is free.
    gap: Vec<f32>,
    tile: Tile,
}

impl Headway {
    /// Of the groups with these constants.
    pub fn new(settings: &[Settings<'_>]) -> Option<Self> {
        Self::of(settings.iter().map(Keeps::new).collect())
    }

    /// Of what each group keeps; `None` if the time gap is off for all.
    fn of(keeps: Vec<Keeps>) -> Option<Self> {
        keeps.iter().any(|keeps| keeps.time_gap > 0.0).then(|| Self { keeps, ..Self::default() })
    }

    /// How far people see, m: the neighbor search must reach as far.
    pub fn reach_m(&self) -> f64 {
        SIGHT_M
    }

    /// Finds the gaps of everybody, with the desired direction of each row.
    pub fn look(&mut self, view: &View<'_>, direction: &[Vec2]) {
        let Self { keeps, gap, tile } = self;
        lanes::run(Ahead { view, direction, keeps, gap, tile });
    }

    /// The desired speed that the gap ahead leaves of `wish`, m/s, in v = min(v0, max(0, gap / T)).
    #[inline]
    pub fn allowed(&self, (slot, group): (usize, u16), wish: f64) -> f64 {
        let time_gap = self.keeps[usize::from(group)].time_gap;
        if time_gap > 0.0 { wish.min((f64::from(self.gap[slot]) / time_gap).max(0.0)) } else { wish }
    }

    /// A preferred velocity as slow as the gap ahead allows.
    #[inline]
    pub fn slowed(&self, who: (usize, u16), preferred: Vec2) -> Vec2 {
        let wish = preferred.length();
        if wish > 0.0 { preferred * (self.allowed(who, wish) / wish) } else { preferred }
    }
}

/// Finds the gap from each body to the first one in the strip ahead.
struct Ahead<'a> {
    view: &'a View<'a>,
    direction: &'a [Vec2],
    keeps: &'a [Keeps],
    gap: &'a mut Vec<f32>,
    tile: &'a mut Tile,
}

impl Kernel for Ahead<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        if self.view.near.lanes.ring == (0.0, 0.0) { self.all::<L, false>() } else { self.all::<L, true>() }
    }
}

impl Ahead<'_> {
    #[inline(always)]
    fn all<L: Lanes, const RING: bool>(self) {
        let Self { view, direction, keeps, gap, tile } = self;
        let near = view.near;
        gap.clear();
        let mut cells = near.cells();
        while let Some((slots, ranges)) = cells.advance() {
            tile.gather::<L, 3>(&near.lanes, ranges);
            for slot in slots {
                let row = near.row[slot] as usize;
                let e = direction[row];
                let Keeps { time_gap, width } = keeps[usize::from(view.crowd.group[row])];
                let looks = view.steers(row) && time_gap > 0.0 && e != Vec2::ZERO;
                gap.push(if looks { least::<L, RING>(view, tile, slot, (e, width)) } else { f32::INFINITY });
            }
        }
    }
}

/// The gap to the first body in the strip along `e` that is so wide as this share of both bodies.
#[inline(always)]
fn least<L: Lanes, const RING: bool>(view: &View<'_>, tile: &Tile, slot: usize, (e, width): (Vec2, f64)) -> f32 {
    let columns = &view.near.lanes;
    let own = columns.planes.read().row(slot);
    let (px, py, radius) = (L::splat(own[X]), L::splat(own[Y]), L::splat(own[RADIUS]));
    let (ex, ey) = (L::splat(e.x as f32), L::splat(e.y as f32));
    let width = L::splat(width as f32);
    let (none, sight2, free) = (L::splat(0.0), L::splat((SIGHT_M * SIGHT_M) as f32), L::splat(f32::INFINITY));
    let ring = (L::splat(columns.ring.0), L::splat(columns.ring.1));
    let [xs, ys, radii] = tile.planes().blocks(tile.len().div_ceil(WIDTH));
    let mut least = free;
    for ((x, y), other) in xs.iter().zip(ys).zip(radii) {
        let (x, y, other) = (L::of(x), L::of(y), L::of(other));
        let (mut dx, mut dy) = (x.sub(px), y.sub(py));
        if RING {
            (dx, dy) = (dx.shortest(ring.0), dy.shortest(ring.1));
        }
        let (ahead, aside) = (ex.mul(dx).add(ey.mul(dy)), ex.mul(dy).sub(ey.mul(dx)));
        let (d2, bodies) = (dx.mul(dx).add(dy.mul(dy)), radius.add(other));
        let gap = d2.sqrt().sub(bodies);
        // The person's own body is at distance 0; nobody else is, but for a crowd in one point.
        let gap = gap.or_else(none.below(d2), free).or_else(d2.at_most(sight2), free);
        let half = bodies.mul(width);
        let gap = gap.or_else(none.at_most(ahead), free).or_else(aside.mul(aside).at_most(half.mul(half)), free);
        least = gap.min(least);
    }
    least.least()
}

#[cfg(test)]
#[path = "headway_tests.rs"]
mod tests;
