//! The archive: every candidate that no other one dominates, without limit.

use super::dominance::{dominates, in_order};
use crate::Genome;

/// A candidate that gave objectives.
#[derive(Clone, Debug)]
pub(super) struct Point {
    /// The candidate.
    pub genome: Genome,
    /// Means of its losses over the rounds.
    pub losses: Vec<f64>,
    /// Mean violation over the rounds.
    pub violation: f64,
    /// How often it was asked, on other replicas each time.
    pub rounds: u32,
}

impl Point {
    /// Adds one more round to the means.
    pub(super) fn add(&mut self, losses: &[f64], violation: f64) {
        self.rounds += 1;
        let share = 1.0 / f64::from(self.rounds);
        let mean = |old: f64, new: f64| old * (1.0 - share) + new * share;
        self.losses.iter_mut().zip(losses).for_each(|(old, new)| *old = mean(*old, *new));
        self.violation = mean(self.violation, violation);
    }
}

/// Feasible points, as indices into a list of all points, in the order of their losses.
///
/// A member leaves only for a point that dominates it and had as many rounds, and at least `needed`: a lucky newcomer never
/// drives out a point that is known better. Without noise one round is needed, and no member dominates another.
#[derive(Debug)]
pub(super) struct Archive {
    members: Vec<u32>,
    needed: u32,
    /// True while every point has one round.
    plain: bool,
}

impl Archive {
    /// An empty archive; one round is enough.
    pub(super) fn new() -> Self {
        Self { members: Vec::new(), needed: 1, plain: true }
    }

    /// The members, in the order of their losses.
    pub(super) fn members(&self) -> &[u32] {
        &self.members
    }

    /// Rounds that a point needs before it may drive out another or be recommended.
    pub(super) fn needed(&self) -> u32 {
        self.needed
    }

    /// From now on this many rounds are needed; members that may now be driven out leave.
    pub(super) fn need(&mut self, points: &[Point], rounds: u32) {
        self.needed = rounds.max(1);
        self.plain &= self.needed == 1;
        let mut members = std::mem::take(&mut self.members);
        members.sort_by_key(|&i| (std::cmp::Reverse(points[i as usize].rounds), i));
        for index in members {
            self.offer(points, index);
        }
    }

    /// Offers a point; true if it became a member.
    pub(super) fn offer(&mut self, points: &[Point], new: u32) -> bool {
        let point = &points[new as usize];
        let of = |i: u32| &points[i as usize];
        if point.violation > 0.0 {
            return false;
        }
        let place = self.members.partition_point(|&i| in_order(&of(i).losses, &point.losses).is_le());
        // With two objectives and no noise the members are a staircase, so the neighbors decide.
        let stairs = point.losses.len() <= 2 && self.plain;
        let worse = |i: u32| {
            let member = of(i);
            member.rounds >= point.rounds && (dominates(&member.losses, &point.losses) || member.losses == point.losses)
        };
        let reach = if stairs { place.saturating_sub(1) } else { 0 };
        if self.members[reach..place].iter().any(|&i| worse(i)) {
            return false;
        }
        let leaves = |i: u32| {
            let member = of(i);
            point.rounds >= self.needed && point.rounds >= member.rounds && dominates(&point.losses, &member.losses)
        };
        if stairs {
            let count = self.members[place..].iter().take_while(|&&i| leaves(i)).count();
            self.members.splice(place..place + count, [new]);
        } else {
            let mut after = self.members.split_off(place);
            after.retain(|&i| !leaves(i));
            self.members.push(new);
            self.members.append(&mut after);
        }
        true
    }

    /// Removes a point, if it is a member.
    pub(super) fn remove(&mut self, index: u32) {
        self.members.retain(|&i| i != index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point(losses: &[f64], rounds: u32) -> Point {
        Point { genome: Vec::new(), losses: losses.to_vec(), violation: 0.0, rounds }
    }

    #[test]
    fn means_by_hand() {
        let mut p = point(&[1.0, 2.0], 1);
        p.add(&[3.0, 2.0], 1.0);
        p.add(&[5.0, 5.0], 0.5);
        assert_eq!((p.rounds, p.losses[0].round(), p.losses[1].round(), p.violation), (3, 3.0, 3.0, 0.5));
    }

    #[test]
    fn a_lucky_newcomer_drives_nobody_out() {
        let mut points =
            vec![point(&[2.0, 2.0], 3), point(&[1.0, 1.0], 1), point(&[1.5, 1.5], 1), point(&[1.0, 1.0], 1)];
        let mut archive = Archive::new();
        archive.need(&points, 3);
        assert!(archive.offer(&points, 0) && archive.offer(&points, 1));
        assert!(!archive.offer(&points, 2), "dominated by one with as many rounds");
        assert!(!archive.offer(&points, 3), "equal to a member");
        assert_eq!(archive.members(), [1, 0]);
        // Twice more it is as good: then the other goes. It was luck: then it goes itself.
        for (loss, wanted) in [(1.0, vec![1]), (4.0, vec![0])] {
            let mut points = points.clone();
            let mut archive = Archive { members: vec![1, 0], needed: 3, plain: false };
            for _ in 0..2 {
                archive.remove(1);
                points[1].add(&[loss; 2], 0.0);
                archive.offer(&points, 1);
            }
            assert_eq!(archive.members(), wanted);
        }
        // No more rounds are to be had: one is enough, and two count more than one.
        points[2].losses = vec![0.5, 0.5];
        archive.offer(&points, 2);
        archive.need(&points, 1);
        assert_eq!(archive.members(), [2, 0], "three rounds are not driven out by one");
        points[0].rounds = 1;
        archive.need(&points, 1);
        assert_eq!(archive.members(), [2]);
        points[2].violation = 0.1;
        assert!(!Archive::new().offer(&points, 2));
    }

    proptest! {
        #[test]
        fn members_are_those_that_nothing_dominates(
            m in 1_usize..5,
            numbers in prop::collection::vec(prop_oneof![0.0..1.0_f64, (0..4).prop_map(f64::from)], 0..200),
        ) {
            let points: Vec<Point> = numbers.chunks_exact(m).map(|l| point(l, 1)).collect();
            let mut archive = Archive::new();
            for i in 0..points.len() {
                archive.offer(&points, i as u32);
            }
            let mut found: Vec<usize> = archive.members().iter().map(|&i| i as usize).collect();
            found.sort_unstable();
            let stays = |i: usize| {
                let beats = |j: usize| dominates(&points[j].losses, &points[i].losses)
                    || (j < i && points[j].losses == points[i].losses);
                !(0..points.len()).any(beats)
            };
            prop_assert_eq!(found, (0..points.len()).filter(|&i| stays(i)).collect::<Vec<_>>());
        }
    }
}
