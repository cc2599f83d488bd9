//! Who is behind a wall.

use super::me::{Block, Me, NOT_SEEN_M, SIGHT_M};
use crate::crowd::View;
use crate::world::scenario::Segment;
use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::lanes::Lanes;

/// Puts those out of sight to whom the straight way touches a wall; not if both lie on one line.
#[inline(always)]
pub(super) fn hide<L: Lanes>(view: &View<'_>, me: &Me, walls: &mut Vec<Segment>, x: &mut [Block], y: &mut [Block]) {
    let obstacles = view.world.obstacles();
    // Lanes work only outside of closures, which are compiled for every processor.
    walls.clear();
    obstacles.seen(me.pos, SIGHT_M, &mut |edge, _| {
        let edge = obstacles.edge(edge);
        walls.push(Segment { a: edge.from, b: edge.to });
    });
    let c = L::Double::splat;
    for wall in walls {
        let (along, to_a, to_b) = (wall.b - wall.a, wall.a - me.pos, wall.b - me.pos);
        let from_side = along.cross(-to_a);
        let (along, to_a, to_b) = ((c(along.x), c(along.y)), (c(to_a.x), c(to_a.y)), (c(to_b.x), c(to_b.y)));
        for (x, y) in x.iter_mut().zip(&mut *y) {
            let way = (L::Double::of(x), L::Double::of(y));
            let to_side = cross(along, (way.0.sub(to_a.0), way.1.sub(to_a.1)));
            let beyond = c(from_side).mul(to_side).at_most(c(0.0));
            // Mostly nobody is beyond the line of the wall.
            if beyond == 0 {
                continue;
            }
            let between = cross(way, to_a).mul(cross(way, to_b)).at_most(c(0.0));
            let side = cross(along, way);
            let on_line = side.at_most(c(0.0)) & c(0.0).at_most(side);
            let hidden = beyond & between & !on_line;
            c(NOT_SEEN_M).or_else(hidden, way.0).put(x);
            c(NOT_SEEN_M).or_else(hidden, way.1).put(y);
        }
    }
}

/// The cross products of two vectors.
#[inline(always)]
fn cross<D: Doubles>((ax, ay): (D, D), (bx, by): (D, D)) -> D {
    ax.mul(by).sub(ay.mul(bx))
}
