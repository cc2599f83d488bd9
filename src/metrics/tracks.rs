//! Where everybody was at the last sample, and the straight steps from there.

use super::Seen;
use crate::math::Vec2;

/// The straight step of one person from the last sample to this one, or to where the person left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Row in the crowd; `None` for who has left.
    pub row: Option<usize>,
    /// Who.
    pub id: usize,
    /// Start.
    pub from: Vec2,
    /// Time at the start, s.
    pub from_s: f64,
    /// End.
    pub to: Vec2,
    /// Time at the end, s.
    pub to_s: f64,
}

impl Step {
    /// Duration, s.
    pub fn duration_s(&self) -> f64 {
        self.to_s - self.from_s
    }

    /// Length, m.
    pub fn length_m(&self) -> f64 {
        (self.to - self.from).length()
    }
}

/// Last position of everybody, by id.
#[derive(Clone, Debug)]
pub(super) struct Tracks {
    last: Vec<Option<(Vec2, f64)>>,
}

impl Tracks {
    /// Room for people with ids below `people`; higher ids make it grow.
    pub fn new(people: usize) -> Self {
        Self { last: vec![None; people] }
    }

    /// Calls `each` for the steps of a new sample: who left first, in the order of leaving, then who is there, in row
    /// order. Nobody makes a step at the first sight; steps back in time and undefined positions are left out.
    pub fn steps(&mut self, seen: &Seen<'_>, mut each: impl FnMut(Step)) {
        let mut put = |row: Option<usize>, id: u32, to: Vec2, to_s: f64| {
            if !to.is_finite() {
                return;
            }
            let id = id as usize;
            if id >= self.last.len() {
                self.last.resize(id + 1, None);
            }
            if let Some((from, from_s)) = self.last[id]
                && to_s >= from_s
            {
                each(Step { row, id, from, from_s, to, to_s });
            }
            self.last[id] = row.map(|_| (to, to_s));
        };
        for exit in seen.exits {
            put(None, exit.id, exit.pos, exit.time_s);
        }
        for (row, (&id, &pos)) in seen.crowd.id.iter().zip(&seen.crowd.pos).enumerate() {
            put(Some(row), id, pos, seen.time_s);
        }
    }

    /// Forgets everybody.
    pub fn reset(&mut self) {
        self.last.fill(None);
    }
}
