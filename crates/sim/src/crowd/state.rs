//! The people, one column per field.

use crowdtune_core::math::Vec2;
use std::ops::Range;

/// What a person is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Stands until the start time; can be pushed.
    Waiting,
    /// Walks.
    Walking,
    /// Injured: a fixed obstacle.
    Injured,
}

/// A person who enters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    /// Center, m.
    pub pos: Vec2,
    /// Velocity, m/s.
    pub vel: Vec2,
    /// Body radius, m.
    pub radius: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Desired speed, m/s.
    pub desired_speed: f64,
    /// Highest speed, m/s; infinite for none.
    pub max_speed: f64,
    /// Time at which the person starts to walk, s.
    pub start_s: f64,
    /// Index of the group.
    pub group: u16,
}

impl Person {
    /// A person at this position: at rest, radius 0.3 m, mass 80 kg, desired speed 1.34 m/s, no highest speed, first
    /// group, starting at once.
    pub fn at(pos: Vec2) -> Self {
        Self {
            pos,
            vel: Vec2::ZERO,
            radius: 0.3,
            mass: 80.0,
            desired_speed: 1.34,
            max_speed: f64::INFINITY,
            start_s: 0.0,
            group: 0,
        }
    }
}

/// A person who has left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exit {
    /// Id of the person.
    pub id: u32,
    /// Group of the person.
    pub group: u16,
    /// The goal through which they left (index into the world's goals); `None` in recordings, which do not say, and for people
    /// who were caught.
    pub goal: Option<usize>,
    /// True for somebody who was caught.
    pub caught: bool,
    /// Time, s.
    pub time_s: f64,
    /// Position of the center at that time, m.
    pub pos: Vec2,
}

/// The people who are present. Row `i` of every column is one person; rows stay in id order when people leave.
///
/// The state is f64, because a creeping step of 1e-6 m must not vanish.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    /// Ids, from 0 in the order of entry (group order at the start); never reused.
    pub id: Vec<u32>,
    /// Center, m.
    pub pos: Vec<Vec2>,
    /// Velocity, m/s.
    pub vel: Vec<Vec2>,
    /// Body radius, m.
    pub radius: Vec<f64>,
    /// Mass, kg.
    pub mass: Vec<f64>,
    /// Desired speed, m/s.
    pub desired_speed: Vec<f64>,
    /// Highest speed, m/s; infinite for none.
    pub max_speed: Vec<f64>,
    /// Time at which the person starts to walk, s.
    pub start_s: Vec<f64>,
    /// Index of the group.
    pub group: Vec<u16>,
    /// Number of completed stages of the journey.
    pub stage: Vec<u16>,
    /// What the person is doing.
    pub status: Vec<Status>,
    /// Summed radial contact force over the circumference, felt in the last step, N/m.
    pub pressure: Vec<f64>,
    /// Direction in which the person wanted to go in the last step: a unit vector, zero for somebody who waits or wants to
    /// go nowhere.
    pub desired: Vec<Vec2>,
}

/// The rows that remain after people left: `old[i]` is the old row of the new row `i`.
#[derive(Clone, Debug, Default)]
pub struct RowMap {
    /// Old row of each new row, ascending.
    pub old: Vec<usize>,
}

impl RowMap {
    /// Compacts a column in place, in order and without allocating. A column may be shorter than the crowd was, without
    /// rows for people who entered after it was filled.
    pub fn apply<T: Copy>(&self, column: &mut Vec<T>) {
        let kept = self.old.partition_point(|&old| old < column.len());
        for (new, &old) in self.old[..kept].iter().enumerate() {
            column[new] = column[old];
        }
        column.truncate(kept);
    }
}

/// Does the same to every column. This is the only list of all columns; it does not compile if one is missing.
macro_rules! each_column {
    ($crowd:expr, $column:ident => $action:expr) => {
        each_column!($crowd, $column => $action; id pos vel radius mass desired_speed max_speed start_s group stage status pressure desired)
    };
    ($crowd:expr, $column:ident => $action:expr; $($name:ident)*) => {{
        let Crowd { $($name),* } = $crowd;
        $({ let $column = $name; $action; })*
    }};
}

impl Crowd {
    /// People at these positions, each as [`Person::at`] but already walking; ids from 0.
    pub fn at(pos: Vec<Vec2>) -> Self {
        let mut crowd = Self::default();
        for (id, pos) in (0..).zip(pos) {
            crowd.push(id, Person::at(pos));
        }
        crowd.status.fill(Status::Walking);
        crowd
    }

    /// Appends a person, who waits until their start time.
    pub(crate) fn push(&mut self, id: u32, person: Person) {
        let Person { pos, vel, radius, mass, desired_speed, max_speed, start_s, group } = person;
        self.id.push(id);
        self.pos.push(pos);
        self.vel.push(vel);
        self.radius.push(radius);
        self.mass.push(mass);
        self.desired_speed.push(desired_speed);
        self.max_speed.push(max_speed);
        self.start_s.push(start_s);
        self.group.push(group);
        self.stage.push(0);
        self.status.push(Status::Waiting);
        self.pressure.push(0.0);
        self.desired.push(Vec2::ZERO);
    }

    /// Lets people walk whose time has come.
    pub(crate) fn set_off(&mut self, time_s: f64) {
        // Mostly nobody waits, which is seen many at a time.
        if self.status.iter().fold(true, |none, &status| none & (status != Status::Waiting)) {
            return;
        }
        for (i, status) in self.status.iter_mut().enumerate() {
            if *status == Status::Waiting && self.start_s[i] <= time_s {
                *status = Status::Walking;
            }
        }
    }

    /// Becomes the same as another, without allocating in the steady state.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        // Names every column, so that a new one cannot be forgotten.
        let Self {
            id,
            pos,
            vel,
            radius,
            mass,
            desired_speed,
            max_speed,
            start_s,
            group,
            stage,
            status,
            pressure,
            desired,
        } = other;
        self.id.clone_from(id);
        self.pos.clone_from(pos);
        self.vel.clone_from(vel);
        self.radius.clone_from(radius);
        self.mass.clone_from(mass);
        self.desired_speed.clone_from(desired_speed);
        self.max_speed.clone_from(max_speed);
        self.start_s.clone_from(start_s);
        self.group.clone_from(group);
        self.stage.clone_from(stage);
        self.status.clone_from(status);
        self.pressure.clone_from(pressure);
        self.desired.clone_from(desired);
    }

    /// True if every column has this many rows.
    pub(crate) fn has_rows(&self, rows: usize) -> bool {
        let mut all = true;
        each_column!(self, column => all &= column.len() == rows);
        all
    }

    /// Highest speed of a person in a model that caps speeds, m/s: their own if it is finite, else `factor` times the
    /// desired speed.
    #[inline]
    pub fn top_speed(&self, row: usize, factor: f64) -> f64 {
        let own = self.max_speed[row];
        if own.is_finite() { own } else { factor * self.desired_speed[row] }
    }

    /// Mean desired speed of the people of a group, m/s; not a number without any.
    pub(crate) fn mean_desired_speed(&self, group: u16) -> f64 {
        let own = self.group.iter().zip(&self.desired_speed).filter(|(of, _)| **of == group);
        let (sum, count) = own.fold((0.0, 0.0), |(sum, count), (_, speed)| (sum + speed, count + 1.0));
        sum / count
    }

    /// Number of people present.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// True if nobody is present.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// The first of these rows, with those that follow in the same group and at the same stage, and so with the same goals.
    pub fn alike(&self, rows: &Range<usize>) -> Range<usize> {
        let end = rows.start + same(&self.group[rows.clone()]);
        rows.start..rows.start + same(&self.stage[rows.start..end])
    }

    /// Keeps the rows of `map`, in order.
    pub fn compact(&mut self, map: &RowMap) {
        each_column!(self, column => map.apply(column));
    }
}

/// How many numbers from the first on are equal. They are compared sixteen at a time.
fn same<T: Copy + PartialEq>(column: &[T]) -> usize {
    let first = column[0];
    let (blocks, _) = column.as_chunks::<16>();
    let is_same = |block: &&[T; 16]| block.iter().fold(true, |all, &one| all & (one == first));
    let end = 16 * blocks.iter().take_while(is_same).count();
    end + column[end..].iter().take_while(|&&one| one == first).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::Person;
    use crowdtune_core::math::vec2;

    #[test]
    fn runs_end_where_group_or_stage_changes() {
        let mut crowd = Crowd::default();
        let runs = [(0, 0, 1), (0, 1, 16), (1, 1, 17), (0, 1, 40), (0, 0, 2), (2, 0, 1)];
        for &(group, stage, count) in &runs {
            for _ in 0..count {
                let id = crowd.len() as u32;
                crowd.push(id, Person { group, ..Person::at(vec2(f64::from(id), 0.0)) });
                *crowd.stage.last_mut().unwrap() = stage;
            }
        }
        let (mut from, mut lengths) = (0, Vec::new());
        while from < crowd.len() {
            let rows = crowd.alike(&(from..crowd.len()));
            assert_eq!(rows.start, from);
            lengths.push(rows.len());
            from = rows.end;
        }
        assert_eq!(lengths, runs.map(|(_, _, count)| count));
        assert_eq!(crowd.alike(&(40..45)), 40..45);
    }
}
