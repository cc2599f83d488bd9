//! What recorded tracks say of their people: how fast each one wants to walk, and how near people come to each other.

use super::torus::Torus;
use super::tracks::{Track, Tracks};
use crowdtune_core::math::{Vec2, stats};
use std::collections::BTreeMap;

/// Speeds are taken over at least this long, s: one step of the recordings of pedestrian streets (UCY, ETH), and long enough for the
/// sway of heads from foot to foot to matter little.
const SPEED_OVER_S: f64 = 0.4;
/// Slower people stand or wait, and say nothing of the speed they want, m/s. Chosen here: a third of a slow walk.
const STANDS_M_PER_S: f64 = 0.2;
/// Whoever has nobody ahead within this walks freely, m. Chosen here: in a corridor 1.8 m wide people walk at their free speed up to
/// 0.5 people per m2 (run uo-050-180-180 of the Hermes experiments), where each has 1.4 m by 1.4 m.
const FREE_M: f64 = 1.5;
/// Cosine of half of the angle that is ahead: 60 degrees to either side. Chosen here: whoever walks beside does not slow anybody down.
const AHEAD_COS: f64 = 0.5;
/// People who walked freely for less in all give no speed, s. Chosen here: one or two steps.
const FREE_S: f64 = 1.0;
/// The share of the free speeds that is below the desired one. Chosen here: people fall behind what they want more often than
/// they overtake it.
const SHARE: f64 = 0.9;
/// With fewer people who walked freely nothing is known of the others. Chosen here: the median of four is anybody's.
const ENOUGH: usize = 5;

/// Desired speeds of the people of tracks.
#[derive(Clone, Debug, PartialEq)]
pub struct Walked {
    /// By id, as the tracks are ordered, m/s.
    pub desired_m_per_s: Vec<f64>,
    /// How many people walked freely, so that their own tracks say it.
    pub free: usize,
    /// What the others have, m/s: the median of those who did, or what was given where these are too few.
    pub others_m_per_s: f64,
}

/// How near recorded people come to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// One in a hundred is nearer to the nearest other person, m.
    pub p1_m: f64,
}

impl Tracks {
    /// The desired speed of everybody: the 90th percentile of the own speeds over 0.4 s while nobody was within 1.5 m ahead. Who
    /// walked freely for less than a second has the median of those who did; if these are fewer than five, `unknown`, m/s.
    pub fn walked(&self, torus: &Torus, unknown: f64) -> Walked {
        let frames = self.frames();
        let row_s = f64::from(self.stride) * self.every_s;
        let own = |(id, track): (u32, &Track)| {
            let free = self.free_speeds(id, track, &frames, torus);
            (free.len() as f64 * row_s >= FREE_S).then(|| stats::quantile(&free, SHARE))
        };
        let own: Vec<Option<f64>> = (0..).zip(&self.people).map(own).collect();
        let known: Vec<f64> = own.iter().copied().flatten().collect();
        let others_m_per_s = if known.len() < ENOUGH { unknown } else { stats::median(&known) };
        let desired_m_per_s = own.into_iter().map(|speed| speed.unwrap_or(others_m_per_s)).collect();
        Walked { desired_m_per_s, free: known.len(), others_m_per_s }
    }

    /// Speeds of a person while walking freely, m/s, one for each row from which it is known.
    fn free_speeds(&self, id: u32, track: &Track, frames: &Frames, torus: &Torus) -> Vec<f64> {
        // A longer time between two rows is a gap.
        let longest_s = (2.0 * SPEED_OVER_S).max(f64::from(self.stride) * self.every_s) + 1e-6;
        let mut free = Vec::new();
        for (at, &(frame, from)) in track.rows.iter().enumerate() {
            let seconds = |later: u32| f64::from(later - frame) * self.every_s;
            let mut later = track.rows[at + 1..].iter();
            let Some(&(end, to)) = later.find(|row| seconds(row.0) >= SPEED_OVER_S - 1e-6) else { break };
            let way = torus.apart(from, to);
            let speed = way.length() / seconds(end);
            let Some(ahead) = way.unit().filter(|_| speed >= STANDS_M_PER_S && seconds(end) <= longest_s) else {
                continue;
            };
            let behind_somebody = frames[&frame].iter().filter(|(other, _)| *other != id).any(|&(_, place)| {
                let apart = torus.apart(from, place);
                apart.length() < FREE_M && apart.dot(ahead) >= AHEAD_COS * apart.length()
            });
            if !behind_somebody {
                free.push(speed);
            }
        }
        free
    }

    /// How near people come to each other; `None` if nobody is ever seen with somebody else.
    pub fn closest(&self, torus: &Torus) -> Option<Closest> {
        let mut nearest = Vec::new();
        for people in self.frames().values() {
            for &(id, place) in people {
                let others = people.iter().filter(|(other, _)| *other != id);
                nearest.extend(others.map(|&(_, other)| torus.apart(place, other).length()).min_by(f64::total_cmp));
            }
        }
        (!nearest.is_empty()).then(|| Closest { p1_m: stats::quantile(&nearest, 0.01) })
    }

    /// Who is where in each frame.
    fn frames(&self) -> Frames {
        let mut frames = Frames::new();
        for (id, track) in (0..).zip(&self.people) {
            for &(frame, place) in &track.rows {
                frames.entry(frame).or_default().push((id, place));
            }
        }
        frames
    }
}

/// Ids and places by frame.
type Frames = BTreeMap<u32, Vec<(u32, Vec2)>>;

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;

    const OPEN: Torus = Torus { x: None, y: None };

    /// People on lines 10 m apart, 10 frames a second for 3 s, with these speeds.
    fn apart(speeds: &[f64]) -> Tracks {
        let rows = |(line, speed): (usize, &f64)| {
            (0..30).map(|k| (k, vec2(0.1 * speed * f64::from(k), 10.0 * line as f64))).collect()
        };
        let recorded: Vec<Vec<(u32, Vec2)>> = speeds.iter().enumerate().map(rows).collect();
        Tracks::new(0.1, None, recorded, &[speeds.len()])
    }

    fn near(a: &[f64], b: &[f64]) {
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?} is not {b:?}");
    }

    #[test]
    fn who_is_alone_has_the_own_speed_and_who_stands_the_median() {
        let walked = apart(&[1.0, 1.2, 0.1, 1.4, 1.1, 1.3]).walked(&OPEN, 1.34);
        near(&walked.desired_m_per_s, &[1.0, 1.2, 1.2, 1.4, 1.1, 1.3]);
        assert_eq!(walked.free, 5);
        // Four are too few to say what the others want.
        let few = apart(&[1.0, 1.2, 0.1, 1.4, 1.1]).walked(&OPEN, 1.34);
        near(&few.desired_m_per_s, &[1.0, 1.2, 1.34, 1.4, 1.1]);
    }

    #[test]
    fn who_follows_closely_does_not_walk_freely() {
        let mut tracks = apart(&[1.0, 1.2, 1.4, 1.1, 1.3]);
        // 1 m behind the first person, at the same speed.
        let follower = tracks.people[0].rows.iter().map(|&(frame, place)| (frame, place - vec2(1.0, 0.0))).collect();
        let mut recorded: Vec<Vec<(u32, Vec2)>> = tracks.people.drain(..).map(|track| track.rows).collect();
        recorded.push(follower);
        let walked = Tracks::new(0.1, None, recorded, &[6]).walked(&OPEN, 1.34);
        near(&walked.desired_m_per_s, &[1.0, 1.2, 1.4, 1.1, 1.3, 1.2]);
        assert_eq!(walked.free, 5);
    }

    #[test]
    fn nine_of_ten_free_speeds_are_below() {
        // 1 m/s, at the end 2 m/s: of 26 speeds over 0.4 s two thirds are 1 m/s.
        let rows = (0..30_u32).map(|k| (k, vec2(0.1 * f64::from(k) + 0.1 * f64::from(k.saturating_sub(20)), 0.0)));
        let tracks = Tracks::new(0.1, None, vec![rows.collect()], &[1]);
        near(&tracks.walked(&OPEN, 1.34).desired_m_per_s, &[2.0]);
    }

    #[test]
    fn the_closest_are_those_of_one_in_a_hundred() {
        // Three in a row, 0.5 and 0.8 m apart, on a ring where the ends are 0.3 m apart.
        let rows = |x: f64| vec![(0, vec2(x, 0.0)), (1, vec2(x, 0.0))];
        let tracks = Tracks::new(0.1, None, vec![rows(0.1), rows(0.6), rows(1.4)], &[3]);
        near(&[tracks.closest(&OPEN).unwrap().p1_m], &[0.5]);
        let ring = Torus { x: Some((0.0, 1.6)), y: None };
        near(&[tracks.closest(&ring).unwrap().p1_m], &[0.3]);
        assert_eq!(Tracks::new(0.1, None, vec![rows(0.1)], &[1]).closest(&OPEN), None);
    }
}
