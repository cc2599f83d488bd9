//! Everybody's position at the last sample, and the straight steps from there.

use super::Seen;
use crate::crowd::Status;
use crowdtune_core::math::Vec2;

/// The straight step of one person from the last sample to this one, or to where the person left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Row in the crowd; `None` for somebody who has left.
    pub row: Option<usize>,
    /// Who.
    pub id: usize,
    /// Start.
    pub from: Vec2,
    /// Time at the start, s.
    pub from_s: f64,
    /// End; in a periodic place not wrapped, so that `to - from` is the way walked.
    pub to: Vec2,
    /// The end as a position, wrapped in a periodic place: use this to ask where the person is.
    pub at: Vec2,
    /// Time at the end, s.
    pub to_s: f64,
}

impl Step {
    /// Duration, s.
    pub fn duration_s(&self) -> f64 {
        self.to_s - self.from_s
    }

    /// The way walked, m.
    pub fn way(&self) -> Vec2 {
        self.to - self.from
    }

    /// Length, m.
    pub fn length_m(&self) -> f64 {
        self.way().length()
    }

    /// Start and end as seen from the end: a step over the seam of a periodic place begins beyond it.
    pub fn arriving(&self) -> (Vec2, Vec2) {
        // Not `at - way` where nothing is wrapped: its last bit may differ.
        if self.at == self.to { (self.from, self.to) } else { (self.at - self.way(), self.at) }
    }

    /// The person's group; `None` for somebody who has left, and where a recording has no groups.
    pub fn group(&self, seen: &Seen<'_>) -> Option<u16> {
        self.row.and_then(|row| seen.groups().get(row).copied())
    }

    /// True unless the person stands on purpose at this sample.
    pub fn walks(&self, seen: &Seen<'_>, injured_too: bool) -> bool {
        match self.row.map(|row| seen.status(row)) {
            Some(Status::Waiting) => false,
            Some(Status::Injured) => injured_too,
            Some(Status::Walking) | None => true,
        }
    }
}

/// Last position of everybody, by id.
#[derive(Clone, Debug)]
pub(super) struct Tracks {
    last: Vec<Option<(Vec2, f64)>>,
    group: Option<u16>,
}

impl Tracks {
    /// Room for people with ids below `people`; higher ids make it grow.
    pub fn new(people: usize) -> Self {
        Self { last: vec![None; people], group: None }
    }

    /// The same, of one group only.
    pub fn of(people: usize, group: Option<u16>) -> Self {
        Self { group, ..Self::new(people) }
    }

    /// Calls `each` for the steps of a new sample: first of the people who left or were caught, in that order, then of those
    /// present, in row order. A person seen for the first time has no step yet; steps back in time and undefined
    /// positions are left out. A step over the seam of a periodic place ends beyond it.
    pub fn steps(&mut self, seen: &Seen<'_>, mut each: impl FnMut(Step)) {
        let torus = &seen.world.plan.periodic;
        let mut put = |row: Option<usize>, id: u32, place: Vec2, to_s: f64| {
            if !place.is_finite() {
                return;
            }
            let id = id as usize;
            if id >= self.last.len() {
                self.last.resize(id + 1, None);
            }
            if let Some((from, from_s)) = self.last[id]
                && to_s >= from_s
            {
                // Not `from + (place - from)` in an open place: its last bit may differ.
                let to = if torus.is_open() { place } else { from + torus.apart(from, place) };
                each(Step { row, id, from, from_s, to, at: torus.wrap(place), to_s });
            }
            self.last[id] = row.map(|_| (place, to_s));
        };
        let counts = |group: u16| self.group.is_none_or(|only| only == group);
        for exit in seen.gone().iter().filter(|exit| counts(exit.group)) {
            put(None, exit.id, exit.pos, exit.time_s);
        }
        let groups = seen.groups();
        for (row, (&id, &pos)) in seen.ids().iter().zip(seen.positions()).enumerate() {
            if self.group.is_none_or(|group| groups.get(row) == Some(&group)) {
                put(Some(row), id, pos, seen.time_s);
            }
        }
    }

    /// Forgets everybody.
    pub fn reset(&mut self) {
        self.last.fill(None);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, exit};
    use super::*;
    use crowdtune_core::math::vec2;

    #[test]
    fn a_step_over_the_seam_is_short() {
        let film = Film::ring(1, 10.0);
        let mut tracks = Tracks::new(1);
        let mut steps = Vec::new();
        for (k, x) in [9.0, 9.5, 0.5, 9.75].into_iter().enumerate() {
            film.look(0.1 * k as f64, &[(0, (x, 1.0))], &[], |seen| tracks.steps(seen, |s| steps.push((s.from, s.to))));
        }
        film.look(0.4, &[], &[exit(0, 0, 0.35, (9.0, 1.0))], |seen| tracks.steps(seen, |s| steps.push((s.from, s.to))));
        let x: Vec<_> = steps.iter().map(|s| (s.0.x, s.1.x)).collect();
        assert_eq!(x, [(9.0, 9.5), (9.5, 10.5), (0.5, -0.25), (9.75, 9.0)]);
        assert_eq!(steps[0].1, vec2(9.5, 1.0));
    }

    #[test]
    fn a_group_is_followed_alone() {
        let film = Film::new(2, 10.0);
        let mut tracks = Tracks::of(2, Some(1));
        let mut seen_ids = Vec::new();
        for time_s in [0.0, 1.0] {
            let mut crowd = super::super::testing::crowd(&[(0, (time_s, 0.0)), (1, (0.0, time_s))]);
            crowd.group[1] = 1;
            film.look_at(time_s, &crowd, &[], |seen| tracks.steps(seen, |s| seen_ids.push(s.id)));
        }
        assert_eq!(seen_ids, [1]);
    }
}
