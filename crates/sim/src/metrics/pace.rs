//! Velocities from positions a few samples before and after, which are known with a delay.

use super::Seen;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::Param;
use std::collections::VecDeque;

/// How many samples before and after give a velocity.
pub(super) const HALF_WINDOW_FRAMES: Param = Param::integer("half_window_frames", 5, (1, 1000), (1, 20))
    .symbol("n")
    .doc("speed is taken from n samples before to n samples after; one-sided where the track ends")
    .source("PedPy frame_step; 5 as in its analysis of corridors at 16 frames a second");

/// The last samples of everybody and, for each sample whose velocities are not known yet, a note.
#[derive(Debug)]
pub(super) struct Pace<T> {
    half: usize,
    /// Number of samples seen.
    count: usize,
    /// Times and places by id of the last 2 n + 1 samples, at the index of the sample modulo their number.
    times: Vec<f64>,
    places: Vec<Vec<Option<Vec2>>>,
    /// Places on a ring are unwrapped.
    notes: VecDeque<T>,
}

impl<T> Pace<T> {
    /// Velocities over `half` samples to both sides.
    pub fn new(half: i64) -> Self {
        let half = half.max(1) as usize;
        let slots = 2 * half + 1;
        Self { half, count: 0, times: vec![0.0; slots], places: vec![Vec::new(); slots], notes: VecDeque::new() }
    }

    /// Adds a sample with its note. Returns the note and number of the sample whose velocities are now known.
    pub fn take(&mut self, seen: &Seen<'_>, note: T) -> Option<(usize, T)> {
        let (now, before) = (self.slot(self.count), self.slot(self.count + 2 * self.half));
        self.times[now] = seen.time_s;
        let mut places = std::mem::take(&mut self.places[now]);
        places.fill(None);
        let last = if self.count > 0 { &self.places[before][..] } else { &[] };
        for (&id, &pos) in seen.ids().iter().zip(seen.positions()).filter(|(_, p)| p.is_finite()) {
            let id = id as usize;
            if id >= places.len() {
                places.resize(id + 1, None);
            }
            let torus = &seen.world.plan.periodic;
            places[id] = Some(match last.get(id).copied().flatten().filter(|_| !torus.is_open()) {
                Some(before) => before + torus.apart(torus.wrap(before), pos),
                None => pos,
            });
        }
        self.places[now] = places;
        self.notes.push_back(note);
        self.count += 1;
        if self.notes.len() <= self.half {
            return None;
        }
        let note = self.notes.pop_front().expect("a note was pushed above");
        Some((self.count - 1 - self.half, note))
    }

    /// Samples whose velocities are still one-sided, with their notes.
    pub fn waiting(&self) -> impl Iterator<Item = (usize, &T)> {
        let first = self.count - self.notes.len();
        self.notes.iter().enumerate().map(move |(k, note)| (first + k, note))
    }

    /// Velocity of a person at one of the last n + 1 samples, m/s. Where the person is not there n samples before
    /// (after), the way begins (ends) at the sample itself; `None` if it takes no time.
    pub fn velocity(&self, sample: usize, id: u32) -> Option<Vec2> {
        let place = |sample: usize| self.places[self.slot(sample)].get(id as usize).copied().flatten();
        let at = |sample: usize| place(sample).map(|p| (p, self.times[self.slot(sample)]));
        let now = at(sample)?;
        let before = sample.checked_sub(self.half).and_then(at).unwrap_or(now);
        let after = Some(sample + self.half).filter(|&s| s < self.count).and_then(at).unwrap_or(now);
        let seconds = after.1 - before.1;
        (seconds > 0.0).then(|| (after.0 - before.0) / seconds)
    }

    fn slot(&self, sample: usize) -> usize {
        sample % self.times.len()
    }

    /// Forgets everything, keeping its memory.
    pub fn reset(&mut self) {
        self.count = 0;
        self.places.iter_mut().for_each(|places| places.fill(None));
        self.notes.clear();
    }
}
