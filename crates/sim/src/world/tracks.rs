//! Recorded tracks of a scenario's people: where a run starts (and restarts), and what it is compared with.

use crowdtune_core::math::Vec2;

/// Recorded tracks on evenly spaced frames; person k of the recording is person k of the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tracks {
    /// Interval between frames, s; frame 0 is at the start of the run.
    pub every_s: f64,
    /// `[frame][person]`, m; `None` where the person was not seen.
    pub places: Vec<Vec<Option<Vec2>>>,
    /// Interval at which everybody is put back onto their recorded position, s; `None`: only at the start.
    pub restart_every_s: Option<f64>,
}

impl Tracks {
    /// Number of people.
    pub fn people(&self) -> usize {
        self.places.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The frame at a time; `None` between frames (up to rounding) and after the last one.
    fn frame(&self, time_s: f64) -> Option<usize> {
        let frame = (time_s / self.every_s).round();
        ((frame * self.every_s - time_s).abs() < 1e-6 && frame >= 0.0 && frame < self.places.len() as f64)
            .then_some(frame as usize)
    }

    fn at(&self, frame: usize, person: u32) -> Option<Vec2> {
        self.places.get(frame)?.get(person as usize).copied().flatten()
    }

    /// Position of a person at a time, s; `None` between frames and where the person was not seen.
    pub fn place(&self, time_s: f64, person: u32) -> Option<Vec2> {
        self.at(self.frame(time_s)?, person)
    }

    /// Velocity of a person at a time, m/s, by second-order differences: central if the frames before and after have
    /// the person, else one-sided. With only one other frame it is that step's velocity; `None` without any. `apart`
    /// gives the shortest vector in a periodic place.
    pub fn velocity(&self, time_s: f64, person: u32, apart: impl Fn(Vec2, Vec2) -> Vec2) -> Option<Vec2> {
        let frame = self.frame(time_s)?;
        let here = self.at(frame, person)?;
        let near = |step: i64| {
            let frame = usize::try_from(frame as i64 + step).ok()?;
            Some(apart(here, self.at(frame, person)?))
        };
        let dt = self.every_s;
        Some(match (near(-2), near(-1), near(1), near(2)) {
            (_, Some(before), Some(after), _) => (after - before) / (2.0 * dt),
            (_, _, Some(next), Some(second)) => (next * 4.0 - second) / (2.0 * dt),
            (Some(second), Some(last), _, _) => (second - last * 4.0) / (2.0 * dt),
            (_, _, Some(next), _) => next / dt,
            (_, Some(last), _, _) => last * (-1.0 / dt),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;

    #[test]
    fn places_and_velocities_by_hand() {
        // x = t^2 on frames of half a second; the second person is seen in frames 1 and 2 only.
        let place = |k: usize| Some(vec2(0.25 * (k * k) as f64, 0.0));
        let tracks = Tracks {
            every_s: 0.5,
            places: (0..5).map(|k| vec![place(k), (1..3).contains(&k).then(|| vec2(0.0, k as f64))]).collect(),
            restart_every_s: None,
        };
        assert_eq!((tracks.people(), tracks.place(1.0, 0)), (2, Some(vec2(1.0, 0.0))));
        assert_eq!((tracks.place(0.7, 0), tracks.place(9.0, 0), tracks.place(0.0, 1)), (None, None, None));
        // Exact for a parabola: 2 t at the start, inside and at the end.
        let speed = |t: f64| tracks.velocity(t, 0, |a, b| b - a).unwrap().x;
        assert_eq!([speed(0.0), speed(1.0), speed(2.0)], [0.0, 2.0, 4.0]);
        assert_eq!(tracks.velocity(0.5, 1, |a, b| b - a), Some(vec2(0.0, 2.0)));
        assert_eq!(tracks.velocity(1.0, 1, |a, b| b - a), Some(vec2(0.0, 2.0)));
        assert_eq!(tracks.velocity(0.0, 1, |a, b| b - a), None);
    }
}
