//! Whether people have moved since something was made for their places.

use crowdtune_core::math::Vec2;

/// Some people, where they are, and where they were when something was last made for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    made: Vec<(u32, Vec2)>,
    /// Where they are now, m, in the order of rows.
    pub now: Vec<Vec2>,
}

impl Watch {
    /// Looks where people are now: their ids and places, in the order of rows. True if somebody came, went, or has moved by
    /// `far_m` since this was last true.
    pub fn look(&mut self, people: impl Iterator<Item = (u32, Vec2)>, far_m: f64) -> bool {
        let mut moved = false;
        let mut count = 0;
        self.now.clear();
        for (id, pos) in people {
            self.now.push(pos);
            match self.made.get_mut(count) {
                Some((was, at)) if *was == id => moved |= (pos - *at).length2() >= far_m * far_m,
                Some(other) => {
                    *other = (id, pos);
                    moved = true;
                }
                None => {
                    self.made.push((id, pos));
                    moved = true;
                }
            }
            count += 1;
        }
        moved |= self.made.len() > count;
        self.made.truncate(count);
        if moved {
            for ((_, at), &now) in self.made.iter_mut().zip(&self.now) {
                *at = now;
            }
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;

    #[test]
    fn something_is_made_anew_once_somebody_has_moved_by_a_cell() {
        let mut watch = Watch::default();
        let mut look = |people: &[(u32, f64)]| watch.look(people.iter().map(|&(id, x)| (id, vec2(x, 0.0))), 0.5);
        assert!(!look(&[]));
        assert!(look(&[(3, 0.0), (5, 9.0)]));
        assert!(!look(&[(3, 0.4), (5, 9.0)]));
        // 0.5 m from where it was made, not from the last look; then all count from here.
        assert!(look(&[(3, 0.5), (5, 9.25)]));
        assert!(!look(&[(3, 0.75), (5, 9.5)]));
        // Somebody goes, somebody else comes, both at once.
        assert!(look(&[(5, 9.5)]) && !look(&[(5, 9.5)]));
        assert!(look(&[(5, 9.5), (6, 1.0)]) && !look(&[(5, 9.5), (6, 1.0)]));
        assert!(look(&[(5, 9.5), (7, 1.0)]) && !look(&[(5, 9.5), (7, 1.0)]));
        assert!(look(&[]) && !look(&[]));
    }
}
