//! What the built scenarios share: walls, doors, and rows of params.

use crate::math::{Vec2, vec2};
use crate::registry::{Kind, Param};
use crate::world::scenario::{Goal, Segment};

/// A straight wall or line.
pub(super) fn wall(a: (f64, f64), b: (f64, f64)) -> Segment {
    Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) }
}

/// A door on a line.
pub(super) fn door(line: Segment, outward: Vec2) -> Goal {
    Goal::Door { line, outward }
}

/// The number of people; `kind` is filled by [`count_of`].
pub(super) const COUNT: Param = Param {
    key: "count",
    symbol: "N",
    unit: "",
    doc: "number of people",
    source: "as the scenario's source",
    kind: count_of(1),
    same_as: None,
    per_group: false,
};

/// A number of people with its default.
pub(super) const fn count_of(default: i64) -> Kind {
    Kind::Integer { default, hard: (1, 100_000), search: (10, 500) }
}

/// A length that must be positive, from the scenario's source.
pub(super) const fn metres(
    key: &'static str,
    doc: &'static str,
    default: f64,
    hard: (f64, f64),
    search: (f64, f64),
) -> Param {
    let kind = Kind::Real { default, hard, search, log: false };
    Param { key, symbol: "", unit: "m", doc, source: "as the scenario's source", kind, same_as: None, per_group: false }
}

/// A length that may be 0.
pub(super) const fn metres_or_zero(
    key: &'static str,
    doc: &'static str,
    source: &'static str,
    default: f64,
    search: (f64, f64),
) -> Param {
    let kind = Kind::Real { default, hard: (0.0, 1000.0), search, log: false };
    Param { key, symbol: "", unit: "m", doc, source, kind, same_as: None, per_group: false }
}

/// One of some words.
pub(super) const fn choice(
    key: &'static str,
    doc: &'static str,
    default: &'static str,
    options: &'static [&'static str],
) -> Param {
    let kind = Kind::Choice { default, options };
    let source = "chosen here: the source does not say";
    Param { key, symbol: "", unit: "", doc, source, kind, same_as: None, per_group: false }
}
