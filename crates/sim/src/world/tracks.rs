//! Recorded tracks of a scenario's people: when they are there, where they start, and what a run is compared with.

use super::torus::Torus;
use crowdtune_core::math::Vec2;

/// How near to a frame a time counts as that frame, s.
const AT_FRAME_S: f64 = 1e-6;

/// Recorded tracks, one for each person, in the order in which people come in: track k is that of the person with id k.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tracks {
    /// Interval between frame numbers, s; frame 0 is at the start of the run.
    pub every_s: f64,
    /// Rows of a person that are this many frames apart follow each other; wider apart, rows are missing between them.
    pub stride: u32,
    /// The people.
    pub people: Vec<Track>,
    /// Interval at which everybody is put back onto their recorded position, s; `None`: only where they come in.
    pub restart_every_s: Option<f64>,
    /// Everybody walks among the recorded others: there are so many copies of the crowd, person k walks in copy k modulo their
    /// number, and who does not walk there follows the own track. `None`: people walk among each other.
    pub one_in: Option<u32>,
    /// When people leave.
    pub leave: Leave,
}

/// When the people of recorded tracks leave a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leave {
    /// When they were seen last.
    #[default]
    AsRecorded,
    /// When they reach their goal; without one, when they pass the place where they were seen last.
    AtGoal,
}

/// The track of one person.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Index of the person's group.
    pub group: u16,
    /// Rank of the person in the group, from 0, in the order of the recording.
    pub rank: u32,
    /// Rank among all people of the recording, from 0.
    pub number: u32,
    /// Desired speed estimated from the track, m/s; `None`: that of the group's people.
    pub desired_speed: Option<f64>,
    /// Frames and places, m; frames ascending, at least one.
    pub rows: Vec<(u32, Vec2)>,
}

impl Track {
    fn at(&self, frame: u32) -> Option<Vec2> {
        self.rows.binary_search_by_key(&frame, |row| row.0).ok().map(|at| self.rows[at].1)
    }

    /// True for the last of every `one_in` people of the recording: no search sees their errors.
    pub fn is_held_out(&self, one_in: u32) -> bool {
        (self.number + 1).is_multiple_of(one_in)
    }

    /// Where the person was seen last, m.
    pub fn last_place(&self) -> Vec2 {
        self.rows[self.rows.len() - 1].1
    }
}

/// A time between two frames.
struct Moment {
    frame: u32,
    /// Share of the way to the next row, in [0, 1); 0 at a frame.
    share: f64,
}

impl Tracks {
    /// Tracks in the order of a recording: the first `counts[0]` people are those of the first group, and so on.
    ///
    /// # Panics
    /// If a track has no rows: a program error.
    pub fn new(every_s: f64, restart_every_s: Option<f64>, recorded: Vec<Vec<(u32, Vec2)>>, counts: &[usize]) -> Self {
        let members = counts.iter().zip(0..).flat_map(|(&n, group)| (0..n as u32).map(move |rank| (group, rank)));
        let track = |(number, (rows, (group, rank)))| Track { group, rank, number, desired_speed: None, rows };
        let mut people: Vec<Track> = (0..).zip(recorded.into_iter().zip(members)).map(track).collect();
        // Stable: who come in together keep the order of the recording.
        people.sort_by_key(|track| track.rows[0].0);
        let apart = people.iter().flat_map(|track| track.rows.windows(2)).map(|pair| pair[1].0 - pair[0].0);
        let stride = apart.min().unwrap_or(1);
        Self { every_s, stride, people, restart_every_s, one_in: None, leave: Leave::AsRecorded }
    }

    /// When a person is seen first and last, s; `None` for somebody without a track.
    pub fn span_s(&self, person: u32) -> Option<(f64, f64)> {
        let rows = &self.people.get(person as usize)?.rows;
        Some((f64::from(rows[0].0) * self.every_s, f64::from(rows[rows.len() - 1].0) * self.every_s))
    }

    /// Time between the first and the last look at each person of a group, of all together and in all copies of the crowd, s.
    pub fn person_seconds(&self, group: u16) -> f64 {
        let its = (0..).zip(&self.people).filter(|(_, track)| track.group == group);
        let seen = its.filter_map(|(person, _)| self.span_s(person));
        seen.map(|(first, last)| last - first).sum::<f64>() * f64::from(self.one_in.unwrap_or(1))
    }

    /// When the last person is seen last, s; 0 without anybody.
    pub fn last_s(&self) -> f64 {
        (0..self.people.len() as u32).filter_map(|person| self.span_s(person)).fold(0.0, |last, span| last.max(span.1))
    }

    /// Who is there at a time, with their places; where rows of a person are missing, on the straight line between those around them.
    pub fn present(&self, time_s: f64, torus: &Torus) -> impl Iterator<Item = (u32, Vec2)> {
        let there = move |id: &u32| self.has_come(*id, time_s) && !self.has_gone(*id, time_s);
        (0..self.people.len() as u32)
            .filter(there)
            .filter_map(move |id| Some((id, torus.wrap(self.seen(time_s, id, torus)?.0))))
    }

    /// True from a person's first frame on.
    pub fn has_come(&self, person: u32, time_s: f64) -> bool {
        self.span_s(person).is_some_and(|(first_s, _)| first_s <= time_s + AT_FRAME_S)
    }

    /// True after a person's first frame: where they come in is not the model's doing.
    pub fn has_walked(&self, person: u32, time_s: f64) -> bool {
        self.span_s(person).is_some_and(|(first_s, _)| first_s < time_s - AT_FRAME_S)
    }

    /// True after a person's last frame.
    pub fn has_gone(&self, person: u32, time_s: f64) -> bool {
        self.span_s(person).is_some_and(|(_, last_s)| last_s < time_s - AT_FRAME_S)
    }

    /// The row before a time, or at it, and the share of the way to the next one.
    fn moment(&self, track: &Track, time_s: f64) -> Option<Moment> {
        let nearest = (time_s / self.every_s).round();
        if nearest < 0.0 || nearest > f64::from(u32::MAX) {
            return None;
        }
        let at = track.rows.partition_point(|row| f64::from(row.0) <= nearest);
        let exact = at.checked_sub(1).map(|at| track.rows[at].0).filter(|&frame| f64::from(frame) == nearest);
        if let Some(frame) = exact.filter(|_| (nearest * self.every_s - time_s).abs() < AT_FRAME_S) {
            return Some(Moment { frame, share: 0.0 });
        }
        let after = track.rows.partition_point(|row| f64::from(row.0) * self.every_s <= time_s);
        let (before, next) = (track.rows.get(after.checked_sub(1)?)?.0, track.rows.get(after)?.0);
        let between_s = f64::from(next - before) * self.every_s;
        let share = (time_s - f64::from(before) * self.every_s) / between_s;
        (next - before <= self.stride).then_some(Moment { frame: before, share })
    }

    /// Position of a person at a time, s, on the straight line between two rows; `None` where the person was not seen.
    pub fn place(&self, time_s: f64, person: u32, torus: &Torus) -> Option<Vec2> {
        let track = self.people.get(person as usize)?;
        let Moment { frame, share } = self.moment(track, time_s)?;
        let here = track.at(frame)?;
        if share == 0.0 {
            return Some(here);
        }
        Some(torus.wrap(here + torus.apart(here, track.at(frame + self.stride)?) * share))
    }

    /// Velocity of a person at a time, m/s: that of the rows before and after, weighted by how near they are. At a row it is
    /// that of second-order differences: central if the person was seen before and after it, else one-sided; with only
    /// one other row that step's velocity. `None` without any.
    pub fn velocity(&self, time_s: f64, person: u32, torus: &Torus) -> Option<Vec2> {
        let track = self.people.get(person as usize)?;
        let Moment { frame, share } = self.moment(track, time_s)?;
        let before = self.velocity_at(track, frame, torus)?;
        if share == 0.0 {
            return Some(before);
        }
        let after = self.velocity_at(track, frame + self.stride, torus)?;
        Some(before * (1.0 - share) + after * share)
    }

    /// Position, m, and velocity, m/s, of a person from the first to the last frame, also where rows are missing: there on the
    /// straight line between the rows around them.
    pub fn seen(&self, time_s: f64, person: u32, torus: &Torus) -> Option<(Vec2, Vec2)> {
        if let (Some(place), Some(velocity)) = (self.place(time_s, person, torus), self.velocity(time_s, person, torus))
        {
            return Some((place, velocity));
        }
        let rows = &self.people.get(person as usize)?.rows;
        let frame = time_s / self.every_s;
        let after = rows.partition_point(|row| f64::from(row.0) <= frame).clamp(1, rows.len().max(2) - 1);
        let ((from, here), (to, there)) = (*rows.get(after - 1)?, *rows.get(after)?);
        let (way, frames) = (torus.apart(here, there), f64::from(to - from));
        let share = ((frame - f64::from(from)) / frames).clamp(0.0, 1.0);
        Some((torus.wrap(here + way * share), way / (frames * self.every_s)))
    }

    fn velocity_at(&self, track: &Track, frame: u32, torus: &Torus) -> Option<Vec2> {
        let here = track.at(frame)?;
        let near = |steps: i64| {
            let frame = u32::try_from(i64::from(frame) + steps * i64::from(self.stride)).ok()?;
            Some(torus.apart(here, track.at(frame)?))
        };
        let dt = self.every_s * f64::from(self.stride);
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

    const OPEN: Torus = Torus { x: None, y: None };

    fn of(every_s: f64, recorded: Vec<Vec<(u32, Vec2)>>) -> Tracks {
        let people = recorded.len();
        Tracks::new(every_s, None, recorded, &[people])
    }

    #[test]
    fn places_and_velocities_by_hand() {
        // x = t^2 on frames of half a second; the second person is seen in frames 1 and 2 only.
        let first = (0..5).map(|k| (k, vec2(0.25 * f64::from(k * k), 0.0))).collect();
        let tracks = of(0.5, vec![first, (1..3).map(|k| (k, vec2(0.0, f64::from(k)))).collect()]);
        let place = |t: f64, person: u32| tracks.place(t, person, &OPEN);
        assert_eq!((tracks.stride, tracks.span_s(1), tracks.span_s(2)), (1, Some((0.5, 1.0)), None));
        assert_eq!((tracks.person_seconds(0), tracks.person_seconds(1)), (2.5, 0.0));
        assert_eq!((place(1.0, 0), place(9.0, 0), place(0.0, 1)), (Some(vec2(1.0, 0.0)), None, None));
        // Half way between 1.0 and 2.25.
        assert_eq!(place(1.25, 0), Some(vec2(1.625, 0.0)));
        assert_eq!((place(0.49, 1), place(1.01, 1)), (None, None));
        // Exact for a parabola: 2 t at the start, between frames, inside and at the end.
        let speed = |t: f64| tracks.velocity(t, 0, &OPEN).unwrap().x;
        assert_eq!([speed(0.0), speed(0.75), speed(1.0), speed(2.0)], [0.0, 1.5, 2.0, 4.0]);
        assert_eq!(tracks.velocity(0.5, 1, &OPEN), Some(vec2(0.0, 2.0)));
        assert_eq!(tracks.velocity(1.0, 1, &OPEN), Some(vec2(0.0, 2.0)));
        assert_eq!(tracks.velocity(0.0, 1, &OPEN), None);
        let come = [0.49, 0.5, 1.0, 1.01].map(|t| (tracks.has_come(1, t), tracks.has_gone(1, t)));
        assert_eq!(come, [(false, false), (true, false), (true, false), (true, true)]);
    }

    #[test]
    fn nobody_is_placed_where_rows_are_missing() {
        // Every other frame was recorded, and frame 4 of this person was not.
        let tracks = of(0.1, vec![[0, 2, 6, 8].map(|k| (k, vec2(f64::from(k), 0.0))).to_vec()]);
        assert_eq!(tracks.stride, 2);
        assert!((tracks.place(0.15, 0, &OPEN).unwrap().x - 1.5).abs() < 1e-12);
        assert_eq!((tracks.place(0.3, 0, &OPEN), tracks.place(0.4, 0, &OPEN)), (None, None));
        assert!((tracks.velocity(0.7, 0, &OPEN).unwrap().x - 10.0).abs() < 1e-9);
        // Whom others have to see is on the straight line from 2 m in frame 2 to 6 m in frame 6.
        let (place, velocity) = tracks.seen(0.3, 0, &OPEN).unwrap();
        assert!((place.x - 3.0).abs() < 1e-9 && (velocity.x - 10.0).abs() < 1e-9, "{place:?} {velocity:?}");
        assert_eq!(tracks.seen(0.6, 0, &OPEN).unwrap().0, vec2(6.0, 0.0));
        assert_eq!(tracks.present(0.6, &OPEN).collect::<Vec<_>>(), [(0, vec2(6.0, 0.0))]);
        assert_eq!((tracks.last_s(), tracks.present(0.9, &OPEN).count()), (0.8, 0));
    }

    #[test]
    fn tracks_are_in_the_order_of_coming_and_keep_group_and_rank() {
        let at = |frame: u32| vec![(frame, Vec2::ZERO), (frame + 1, Vec2::ZERO)];
        let tracks = Tracks::new(0.1, None, vec![at(5), at(0), at(3), at(0)], &[2, 2]);
        let who: Vec<_> = tracks.people.iter().map(|t| (t.group, t.rank, t.number)).collect();
        assert_eq!(who, [(0, 1, 1), (1, 1, 3), (1, 0, 2), (0, 0, 0)]);
    }

    #[test]
    fn a_place_between_rows_may_lie_across_the_seam() {
        let ring = Torus { x: Some((0.0, 10.0)), y: None };
        let tracks = of(1.0, vec![vec![(0, vec2(9.8, 1.0)), (1, vec2(0.6, 1.0))]]);
        assert!((tracks.place(0.5, 0, &ring).unwrap() - vec2(0.2, 1.0)).length() < 1e-12);
    }
}
