//! A sideways push for who would stand between the way and a group for ever (end of section 3.4.2 of the source).

use crate::crowd::RowMap;
use crate::math::Vec2;
use crate::math::rng::{Seed, unit};

/// When somebody is pushed aside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Below this cosine two pulls count as opposite.
    pub opposite_cos: f64,
    /// A side is held for a time between this and twice as much, s.
    pub hold_s: f64,
}

/// Who is pushed to which side until when.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Held {
    until_s: f64,
    /// 1 to the left of the way, -1 to its right, 0 not yet drawn.
    side: f64,
}

/// Sides held by row.
#[derive(Clone, Debug)]
pub struct Lateral {
    seed: Seed,
    held: Vec<Held>,
}

/// Somebody between the way and a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// Row and id of the person.
    pub who: (usize, u32),
    /// Where the global field leads, m/s.
    pub global: Vec2,
    /// Where the local field pushes, m/s.
    pub local: Vec2,
    /// Speed and lowest id of the person or the own group, m/s.
    pub own: (f64, u32),
    /// Speed and lowest id of the group that pushes most, m/s.
    pub other: (f64, u32),
}

impl Lateral {
    /// Nobody is pushed yet.
    pub fn new(seed: Seed) -> Self {
        Self { seed: seed.child("group_dynamics lateral", 0), held: Vec::new() }
    }

    /// Makes room for so many people.
    pub fn resize(&mut self, people: usize) {
        self.held.resize(people, Held::default());
    }

    /// A push across the way of `strength`, m/s, for the slower of two that hold up each other; of equally fast ones the one
    /// with the lower id gives way. The side is drawn from a stream found by person and time, and held for a while, also
    /// when the pulls are opposite only now and then. Null where the pulls are not opposite.
    pub fn push(&mut self, rule: &Rule, between: &Between, strength: f64, time_s: f64) -> Vec2 {
        let Between { who: (row, id), global, local, own, other } = *between;
        let (Some(way), Some(back)) = (global.unit(), local.unit()) else { return Vec2::ZERO };
        let yields = own.0 < other.0 || (own.0 == other.0 && own.1 < other.1);
        if way.dot(back) >= rule.opposite_cos || !yields {
            return Vec2::ZERO;
        }
        let held = &mut self.held[row];
        if held.side == 0.0 || time_s >= held.until_s {
            let mut rng = self.seed.child("side", u64::from(id)).child("from", (time_s * 1e3).round() as u64).rng();
            held.side = if unit(&mut rng) < 0.5 { 1.0 } else { -1.0 };
            held.until_s = time_s + rule.hold_s * (1.0 + unit(&mut rng));
        }
        way.left() * (held.side * strength)
    }

    /// Rows have moved because people left.
    pub fn remap(&mut self, rows: &RowMap) {
        rows.apply(&mut self.held);
    }

    /// Takes over the memory of another run.
    pub fn inherit(&mut self, old: Self) {
        self.held = old.held;
        self.held.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec2;

    const RULE: Rule = Rule { opposite_cos: -0.9, hold_s: 1.0 };

    fn between(global: Vec2, local: Vec2, own: (f64, u32), other: (f64, u32)) -> Between {
        Between { who: (0, 7), global, local, own, other }
    }

    fn push(lateral: &mut Lateral, local: Vec2, own: (f64, u32), other: (f64, u32), time_s: f64) -> Vec2 {
        lateral.push(&RULE, &between(vec2(1.0, 0.0), local, own, other), 0.3, time_s)
    }

    fn lateral() -> Lateral {
        let mut lateral = Lateral::new(Seed(1));
        lateral.resize(1);
        lateral
    }

    #[test]
    fn only_opposite_pulls_push_aside() {
        // 155 and 150 degrees: cosines -0.906 and -0.866.
        let at = |cos: f64| vec2(cos, (1.0 - cos * cos).sqrt()) * 2.0;
        let mut lateral = lateral();
        let aside = push(&mut lateral, at(-0.906), (0.5, 1), (1.0, 2), 0.0);
        assert!(aside.x == 0.0 && (aside.y.abs() - 0.3).abs() < 1e-12, "{aside:?}");
        assert_eq!(push(&mut lateral, at(-0.866), (0.5, 1), (1.0, 2), 0.0), Vec2::ZERO);
        assert_eq!(push(&mut lateral, Vec2::ZERO, (0.5, 1), (1.0, 2), 0.0), Vec2::ZERO);
    }

    #[test]
    fn the_slower_one_gives_way_and_of_equals_the_lower_id() {
        let goes = |own, other| push(&mut lateral(), vec2(-1.0, 0.0), own, other, 0.0) != Vec2::ZERO;
        assert!(goes((0.5, 9), (1.0, 2)) && !goes((1.0, 2), (0.5, 9)));
        assert!(goes((1.0, 2), (1.0, 9)) && !goes((1.0, 9), (1.0, 2)));
    }

    #[test]
    fn a_side_is_held_for_one_to_two_seconds() {
        let mut lateral = lateral();
        let side = |lateral: &mut Lateral, step: u32| {
            push(lateral, vec2(-1.0, 0.0), (0.5, 1), (1.0, 2), 0.1 * f64::from(step)).y
        };
        let sides: Vec<f64> = (0..2000).map(|step| side(&mut lateral, step)).collect();
        let runs: Vec<usize> = sides.chunk_by(|a, b| a == b).map(<[f64]>::len).collect();
        assert!(runs[..runs.len() - 1].iter().all(|&steps| steps >= 10), "{runs:?}");
        // About half of 133 draws change the side.
        assert!((40..100).contains(&runs.len()), "{}", runs.len());
        let left = sides.iter().filter(|&&side| side > 0.0).count();
        assert!((700..1300).contains(&left), "{left}");
    }

    #[test]
    fn who_leaves_takes_the_side_along() {
        let mut lateral = Lateral::new(Seed(1));
        lateral.resize(2);
        lateral.held[1] = Held { until_s: 5.0, side: -1.0 };
        lateral.remap(&RowMap { old: vec![1] });
        assert_eq!(push(&mut lateral, vec2(-1.0, 0.0), (0.5, 1), (1.0, 2), 1.0), vec2(0.0, -0.3));
    }
}
