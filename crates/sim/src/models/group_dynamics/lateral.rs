//! A sideways push for people who would otherwise be stuck between their way and a group (end of section 3.4.2 of the source).

use crate::crowd::RowMap;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::rng::{Seed, unit};

/// When somebody is pushed aside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Two directions count as opposite below this cosine.
    pub opposite_cos: f64,
    /// A side is kept for one to two times this long, s.
    pub hold_s: f64,
}

/// The side to which a person is pushed, and until when.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Held {
    until_s: f64,
    /// 1 for left of the way, -1 for right, 0 if not drawn yet.
    side: f64,
}

/// The sides, by row.
#[derive(Clone, Debug)]
pub struct Lateral {
    seed: Seed,
    held: Vec<Held>,
}

/// One of two parties that block each other: a group, or a person without one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Party {
    /// Number of members.
    pub members: usize,
    /// Speed of the mean velocity, m/s.
    pub speed_m_per_s: f64,
    /// Lowest id.
    pub first_id: u32,
}

impl Party {
    /// True if this party gives way to the other: it is smaller; of equal size but slower; or also equally fast but
    /// with the lower id.
    fn yields_to(&self, other: &Self) -> bool {
        if self.members != other.members {
            return self.members < other.members;
        }
        let (own, others) = (self.speed_m_per_s, other.speed_m_per_s);
        own < others || (own == others && self.first_id < other.first_id)
    }
}

/// A person between their way and a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// Row of the person.
    pub row: usize,
    /// Where the global field leads, m/s.
    pub global: Vec2,
    /// Where the local field pushes, m/s.
    pub local: Vec2,
    /// The person, or the person's group.
    pub own: Party,
    /// The group with the largest push.
    pub other: Party,
}

impl Lateral {
    /// Nobody is pushed yet.
    pub fn new(seed: Seed) -> Self {
        Self { seed: seed.child("group_dynamics lateral", 0), held: Vec::new() }
    }

    /// Makes room for `people` rows.
    pub fn resize(&mut self, people: usize) {
        self.held.resize(people, Held::default());
    }

    /// A push of `strength` across the way, m/s, for the party that gives way: the smaller one, then the slower one,
    /// then the one with the lower id. The side is drawn from a random stream named by the lowest id of the group and
    /// the time, so that a group stays together, and is kept for a while even if the directions are opposite only now
    /// and then. Zero if they are not opposite.
    pub fn push(&mut self, rule: &Rule, between: &Between, strength: f64, time_s: f64) -> Vec2 {
        let Between { row, global, local, own, other } = *between;
        let (Some(way), Some(back)) = (global.unit(), local.unit()) else { return Vec2::ZERO };
        if way.dot(back) >= rule.opposite_cos || !own.yields_to(&other) {
            return Vec2::ZERO;
        }
        let held = &mut self.held[row];
        if held.side == 0.0 || time_s >= held.until_s {
            let seed = self.seed.child("side", u64::from(own.first_id));
            let mut rng = seed.child("from", (time_s * 1e3).round() as u64).rng();
            held.side = if unit(&mut rng) < 0.5 { 1.0 } else { -1.0 };
            held.until_s = time_s + rule.hold_s * (1.0 + unit(&mut rng));
        }
        way.left() * (held.side * strength)
    }

    /// Rows have moved because people left.
    pub fn remap(&mut self, rows: &RowMap) {
        rows.apply(&mut self.held);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;

    const RULE: Rule = Rule { opposite_cos: -0.9, hold_s: 1.0 };

    fn party((members, speed_m_per_s, first_id): (usize, f64, u32)) -> Party {
        Party { members, speed_m_per_s, first_id }
    }

    /// Speed and lowest id of two groups of three.
    fn push(lateral: &mut Lateral, local: Vec2, own: (f64, u32), other: (f64, u32), time_s: f64) -> Vec2 {
        let (own, other) = (party((3, own.0, own.1)), party((3, other.0, other.1)));
        lateral.push(&RULE, &Between { row: 0, global: vec2(1.0, 0.0), local, own, other }, 0.3, time_s)
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
    fn the_smaller_one_gives_way_however_fast_it_is() {
        let yields = |own, other| party(own).yields_to(&party(other));
        assert!(yields((1, 2.0, 9), (9, 0.5, 0)) && !yields((9, 0.5, 0), (1, 2.0, 9)));
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
        // About half of the 133 draws change sides.
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
