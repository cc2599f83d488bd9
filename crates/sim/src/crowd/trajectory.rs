//! Recorded positions, thinned.

use super::Crowd;
use super::simulation::Exit;
use crowdtune_core::math::Vec2;

/// One recorded moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Time, s.
    pub time_s: f64,
    /// Who was there, by id.
    pub id: Vec<u32>,
    /// Where, in the same order.
    pub pos: Vec<Vec2>,
}

/// A recorded run: frames at a fixed interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Interval of the frames, s.
    pub every_s: f64,
    /// The frames, in time order; an empty room at the end is recorded too.
    pub frames: Vec<Frame>,
    /// Radius of person `id`, m.
    pub radius: Vec<f64>,
    /// Group of person `id`.
    pub group: Vec<u16>,
    /// When person `id` left, s; `None` who never did.
    pub left_s: Vec<Option<f64>>,
}

impl Trajectory {
    /// An empty recording with frames every so many seconds.
    pub fn every(every_s: f64) -> Self {
        Self { every_s, ..Self::default() }
    }

    /// Takes radii and groups of everybody at the start; ids are 0.. without gaps.
    pub fn begin(&mut self, crowd: &Crowd) {
        self.radius.clone_from(&crowd.radius);
        self.group.clone_from(&crowd.group);
        self.left_s = vec![None; crowd.len()];
    }

    /// Takes somebody who comes in during the run; ids are given in this order.
    pub fn enter(&mut self, radius: f64, group: u16) {
        self.radius.push(radius);
        self.group.push(group);
        self.left_s.push(None);
    }

    /// Takes a frame.
    pub fn frame(&mut self, time_s: f64, crowd: &Crowd) {
        self.frames.push(Frame { time_s, id: crowd.id.clone(), pos: crowd.pos.clone() });
    }

    /// Takes who has left.
    pub fn end(&mut self, exits: &[Exit]) {
        for exit in exits {
            self.left_s[exit.id as usize] = Some(exit.time_s);
        }
    }

    /// The frames as text that PedPy reads: comments with frame rate and unit, then `id frame x y z`, metres, z = 0.
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
