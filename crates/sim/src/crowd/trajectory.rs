//! Recorded positions at a fixed interval.

use super::Crowd;
use crowdtune_core::math::Vec2;

/// The positions at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Time, s.
    pub time_s: f64,
    /// Ids of the people present.
    pub id: Vec<u32>,
    /// Their positions in the same order, m.
    pub pos: Vec<Vec2>,
}

/// A recorded run: frames at a fixed interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Interval between frames, s.
    pub every_s: f64,
    /// The frames, in time order; an empty room at the end counts too.
    pub frames: Vec<Frame>,
    /// Radius of person `id`, m.
    pub radius: Vec<f64>,
    /// Group of person `id`.
    pub group: Vec<u16>,
    /// When person `id` left, s; `None` for those who never did, and for those who were caught.
    pub left_s: Vec<Option<f64>>,
    /// Who was caught, in order of time: id, when, s, and the group that they joined; `None` for those who are gone.
    pub caught: Vec<(u32, f64, Option<u16>)>,
}

impl Trajectory {
    /// An empty recording with a frame every `every_s` seconds.
    pub fn every(every_s: f64) -> Self {
        Self { every_s, ..Self::default() }
    }

    /// Notes radius and group of everybody not seen yet. People who came and left unseen get radius and group 0.
    pub fn enter(&mut self, crowd: &Crowd) {
        let known = self.radius.len();
        for row in crowd.id.partition_point(|&id| (id as usize) < known)..crowd.len() {
            let id = crowd.id[row] as usize;
            self.radius.resize(id, 0.0);
            self.group.resize(id, 0);
            self.radius.push(crowd.radius[row]);
            self.group.push(crowd.group[row]);
            self.left_s.resize(id + 1, None);
        }
    }

    /// Adds a frame.
    pub fn frame(&mut self, time_s: f64, crowd: &Crowd) {
        self.frames.push(Frame { time_s, id: crowd.id.clone(), pos: crowd.pos.clone() });
    }

    /// Notes when a person left, s.
    pub fn leave(&mut self, id: u32, time_s: f64) {
        self.left_s[id as usize] = Some(time_s);
    }

    /// Notes when a person was caught, s, and the group that they joined.
    pub fn catch(&mut self, id: u32, time_s: f64, joined: Option<u16>) {
        self.caught.push((id, time_s, joined));
    }

    /// The frames as text that PedPy reads: comments with frame rate and unit, then `id frame x y z`, meters, z = 0.
    pub fn pedpy(&self) -> String {
        use std::fmt::Write as _;
        let mut out = format!("# framerate: {} fps\n# x/y/z in m\n# id frame x y z\n", 1.0 / self.every_s);
        for (k, frame) in self.frames.iter().enumerate() {
            for (id, p) in frame.id.iter().zip(&frame.pos) {
                writeln!(out, "{id} {k} {:.4} {:.4} 0.0", p.x, p.y).expect("writing into a string cannot fail");
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;

    #[test]
    fn pedpy_text_names_rate_and_unit_and_counts_frames() {
        let mut track = Trajectory::every(0.1);
        let crowd = Crowd { id: vec![0, 3], pos: vec![vec2(1.0, 2.0), vec2(0.12345, -1.0)], ..Crowd::default() };
        track.frame(0.0, &crowd);
        track.frame(0.1, &crowd);
        assert_eq!(
            track.pedpy(),
            "# framerate: 10 fps\n# x/y/z in m\n# id frame x y z\n0 0 1.0000 2.0000 0.0\n3 0 0.1235 -1.0000 0.0\n\
             0 1 1.0000 2.0000 0.0\n3 1 0.1235 -1.0000 0.0\n"
        );
    }
}
