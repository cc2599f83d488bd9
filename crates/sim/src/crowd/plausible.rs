//! Whether recorded tracks can be those of walking people: their speeds, and rows that are missing.

use super::recording::Recording;
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, stats};
use std::collections::BTreeMap;

/// Nobody is faster, m/s: 20 m in 1.61 s in the fastest sprint over 100 m, Berlin 2009 (Graubner and Nixdorf, New Studies in
/// Athletics 26, 19, 2011).
const SPRINT_M_PER_S: f64 = 12.42;
/// A crowd whose median is above it does not walk, m/s: people who have to be somewhere in time mostly walk at a mean of 1.9 m/s and mostly run
/// at 3.0 m/s (Baker, Long, Srinivasan, arXiv 2501.00720).
const WALK_M_PER_S: f64 = 3.0;
/// Heads of people who stand sway faster, m/s. Chosen here: a centimeter in a fifth of a second.
const SWAY_M_PER_S: f64 = 0.05;

/// A step between two successive rows of a person.
struct Step {
    id: u32,
    frames: (i64, i64),
    m_per_s: f64,
}

impl Recording {
    /// What is odd about the tracks, a sentence each: a crowd that runs or creeps, steps faster than a sprint, rows that
    /// are missing inside a track. `apart` gives the shortest vector in a periodic place.
    ///
    /// # Errors
    /// If more than half of the steps are faster than a sprint; the key is `unit`.
    pub fn oddities(&self, apart: impl Fn(Vec2, Vec2) -> Vec2) -> Result<Vec<String>, Error> {
        let steps = self.steps(apart);
        let speeds: Vec<f64> = steps.iter().map(|step| step.m_per_s).collect();
        if speeds.is_empty() {
            return Ok(Vec::new());
        }
        let median = stats::median(&speeds);
        if median > SPRINT_M_PER_S {
            return Err(Error::input(format!(
                "these are no tracks of people: their median speed is {median:.1} m/s, and the fastest sprint {SPRINT_M_PER_S} m/s"
            ))
            .key("unit")
            .help(ask(median)));
        }
        let mut odd = Vec::new();
        if median > WALK_M_PER_S {
            odd.push(format!("the median speed is {median:.2} m/s, and people walk at 1 to 2 m/s: {}", ask(median)));
        }
        let p95 = stats::p95(&speeds);
        // People who do not move at all are drawn, not recorded.
        if p95 > 0.0 && p95 < SWAY_M_PER_S {
            odd.push(format!(
                "nobody walks: 95 % of the steps are slower than {p95:.1e} m/s; check the unit (m or cm) and the frame rate"
            ));
        }
        odd.extend(self.too_fast(&steps));
        odd.extend(self.missing(&steps));
        Ok(odd)
    }

    /// In the order of frames, and of ids in a frame.
    fn steps(&self, apart: impl Fn(Vec2, Vec2) -> Vec2) -> Vec<Step> {
        let mut last: Vec<Option<(i64, Vec2)>> = vec![None; self.people()];
        let mut steps = Vec::new();
        for moment in &self.moments {
            for (&id, &pos) in moment.ids.iter().zip(&moment.positions) {
                if let Some((frame, from)) = last[id as usize].replace((moment.frame, pos)) {
                    let seconds = (moment.frame - frame) as f64 / self.fps;
                    let m_per_s = apart(from, pos).length() / seconds;
                    steps.push(Step { id, frames: (frame, moment.frame), m_per_s });
                }
            }
        }
        steps
    }

    fn too_fast(&self, steps: &[Step]) -> Option<String> {
        let mut fast = steps.iter().filter(|step| step.m_per_s > SPRINT_M_PER_S);
        let first = fast.next()?;
        Some(format!(
            "{} of {} steps are faster than the fastest sprint, {SPRINT_M_PER_S} m/s; the first is that of person {} from frame {} \
             to {}, {:.1} m/s: has somebody else the same id, or did the tracker jump?",
            fast.count() + 1,
            steps.len(),
            self.names[first.id as usize],
            first.frames.0,
            first.frames.1,
            first.m_per_s
        ))
    }

    /// Rows that are missing between the first and the last one of a person, at the interval that most rows have.
    fn missing(&self, steps: &[Step]) -> Option<String> {
        let apart = |step: &Step| step.frames.1 - step.frames.0;
        let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
        for step in steps {
            *counts.entry(apart(step)).or_default() += 1;
        }
        // Of equally frequent intervals the smallest.
        let usual = counts.iter().rev().max_by_key(|(_, count)| **count).map(|(interval, _)| *interval)?;
        let lost = |step: &Step| (apart(step) as f64 / usual as f64).round() as u64 - 1;
        let gaps: Vec<&Step> = steps.iter().filter(|step| apart(step) > usual && lost(step) > 0).collect();
        let first = gaps.first()?;
        let longest = gaps.iter().rev().max_by_key(|step| apart(step))?;
        let rows: u64 = gaps.iter().map(|step| lost(step)).sum();
        let mut people: Vec<u32> = gaps.iter().map(|step| step.id).collect();
        people.sort_unstable();
        people.dedup();
        let place = |step: &Step| {
            format!("person {} between frames {} and {}", self.names[step.id as usize], step.frames.0, step.frames.1)
        };
        let share = 100.0 * rows as f64 / (rows as f64 + (steps.len() + self.people()) as f64);
        let longest =
            if apart(longest) > apart(first) { format!(", the longest gap {}", place(longest)) } else { String::new() };
        Some(format!(
            "rows are missing inside the tracks of {} of {} people: {rows}, {share:.1} % of all, the first of {}{longest}; \
             people are taken to walk straight there",
            people.len(),
            self.people(),
            place(first)
        ))
    }
}

/// The question whether the unit is right, with what the other one would give.
fn ask(median: f64) -> String {
    format!(
        "is the unit cm (the median would be {:.2} m/s)? If not, check the frame rate and the columns",
        0.01 * median
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::recording::Row;
    use crowdtune_core::math::vec2;

    /// Two people walk east with this speed at 10 frames a second; `keep` gets the number of the row.
    fn walk(speed: f64, keep: impl Fn(usize) -> bool) -> Recording {
        let rows = (0..100).map(|line| {
            let (id, frame) = (1 + (line / 50) as i64, (line % 50) as i64);
            Row { id, frame, pos: vec2(0.1 * speed * frame as f64, id as f64), line }
        });
        Recording::of(10.0, rows.filter(|row| keep(row.line)).collect()).unwrap()
    }

    fn odd(recording: &Recording) -> Vec<String> {
        recording.oddities(|a, b| b - a).unwrap()
    }

    #[test]
    fn people_who_walk_or_stand_are_not_odd() {
        for speed in [0.0, 0.1, 1.3, 2.9] {
            assert_eq!(odd(&walk(speed, |_| true)), [""; 0], "{speed}");
        }
        // Every other frame of both is a file of every other frame.
        assert_eq!(odd(&walk(1.3, |k| k % 2 == 0)), [""; 0]);
        // One row each: no step.
        assert_eq!(odd(&walk(1.3, |k| k % 50 == 0)), [""; 0]);
    }

    #[test]
    fn a_wrong_unit_is_asked_about_and_nonsense_refused() {
        let refused = walk(130.0, |_| true).oddities(|a, b| b - a).unwrap_err().to_string();
        assert!(refused.contains("130.0 m/s") && refused.contains("is the unit cm (the median would be 1.30 m/s)?"));
        assert!(odd(&walk(6.3, |_| true))[0].contains("the median speed is 6.30 m/s"));
        assert!(odd(&walk(0.013, |_| true))[0].contains("nobody walks"));
        // A ring of 1 m: 13 m in a step are no way at all.
        let ring = |a: Vec2, b: Vec2| vec2((b.x - a.x) - (b.x - a.x).round(), b.y - a.y);
        assert!(walk(130.0, |_| true).oddities(ring).is_ok());
    }

    #[test]
    fn rows_that_are_missing_are_counted() {
        let seventh = odd(&walk(1.3, |k| k % 7 != 3));
        // Rows 3, 10, 17, ... 94 of 100: 14, none at the end of a track.
        assert!(
            seventh[0].starts_with(
                "rows are missing inside the tracks of 2 of 2 people: 14, 14.0 % of all, the first of person 2 between frames 1 and 3; "
            ),
            "{seventh:?}"
        );
        let hole = odd(&walk(1.3, |k| k != 10 && !(60..70).contains(&k)));
        assert!(
            hole[0].contains("11, 11.0 % of all")
                && hole[0].contains("the longest gap person 2 between frames 9 and 20")
        );
    }

    #[test]
    fn one_jump_is_named() {
        let mut recording = walk(1.3, |_| true);
        recording.moments[20].positions[1].x += 3.0;
        let jump = odd(&recording);
        assert!(jump[0].starts_with("2 of 98 steps are faster than the fastest sprint"), "{jump:?}");
        assert!(jump[0].contains("person 2 from frame 19 to 20, 31.3 m/s"), "{jump:?}");
    }
}
