//! Labels that keep clear of each other.

use super::canvas::Point;

/// A rectangle, px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub left: f64,
    /// Upper edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Lower edge.
    pub bottom: f64,
}

impl Rect {
    /// The square around a point.
    pub fn around((x, y): Point, half: f64) -> Self {
        Self { left: x - half, top: y - half, right: x + half, bottom: y + half }
    }

    /// The box of a line of text that starts at `x` and has its middle at `y`.
    pub fn of_text(x: f64, y: f64, width: f64, size: f64) -> Self {
        Self { left: x, top: y - 0.55 * size, right: x + width, bottom: y + 0.55 * size }
    }

    /// Where a text in this box starts.
    pub fn start(&self) -> Point {
        (self.left, f64::midpoint(self.top, self.bottom))
    }

    fn inside(&self, other: &Self) -> bool {
        self.left > other.left && self.right < other.right && self.top > other.top && self.bottom < other.bottom
    }

    fn touches(&self, other: &Self) -> bool {
        self.left < other.right && self.right > other.left && self.top < other.bottom && self.bottom > other.top
    }
}

/// The places that are taken.
#[derive(Clone, Debug)]
pub struct Labels {
    room: Rect,
    taken: Vec<Rect>,
}

impl Labels {
    /// Nothing is written yet; labels must lie inside `room` and off the points.
    pub fn new(room: Rect, points: impl IntoIterator<Item = Point>, half: f64) -> Self {
        Self { room, taken: points.into_iter().map(|p| Rect::around(p, half)).collect() }
    }

    /// Takes the first free one of these places, if there is one.
    pub fn free(&mut self, places: &[Rect]) -> Option<Rect> {
        let free = |r: &&Rect| r.inside(&self.room) && !self.taken.iter().any(|t| r.touches(t));
        let found = places.iter().find(free).copied();
        self.taken.extend(found);
        found
    }

    /// As [`Labels::free`]; where none is free, takes the first one all the same.
    pub fn must(&mut self, places: &[Rect]) -> Option<Rect> {
        self.free(places).or_else(|| {
            self.taken.extend(places.first());
            places.first().copied()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_clear_of_points_of_each_other_and_of_the_edge() {
        let room = Rect { left: 0.0, top: 0.0, right: 100.0, bottom: 100.0 };
        let mut labels = Labels::new(room, [(50.0, 50.0)], 5.0);
        let at = |x: f64, y: f64| Rect::of_text(x, y, 20.0, 10.0);
        assert_eq!(labels.free(&[at(40.0, 50.0), at(90.0, 50.0)]), None, "on the point, over the edge");
        assert_eq!(labels.free(&[at(10.0, 50.0)]), Some(at(10.0, 50.0)));
        assert_eq!(labels.free(&[at(12.0, 52.0)]), None);
        assert_eq!(labels.must(&[at(12.0, 52.0)]), Some(at(12.0, 52.0)));
        assert_eq!(at(12.0, 52.0).start(), (12.0, 52.0));
    }
}
