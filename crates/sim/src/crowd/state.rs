//! The people, one column per field.

use crowdtune_core::math::Vec2;

/// What somebody is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Wants to stand until the start time; others can push.
    Waiting,
    /// Walks.
    Walking,
    /// Injured: an obstacle that does not move.
    Injured,
}

/// The people who are present. Row `i` of every column is one person; rows stay in id order when people leave.
///
/// State is f64: a creeping step of 1e-6 m must not vanish.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    /// Number given at the start, 0.. in group order; never reused.
    pub id: Vec<u32>,
    /// Centre, m.
    pub pos: Vec<Vec2>,
    /// Velocity, m/s.
    pub vel: Vec<Vec2>,
    /// Body radius, m.
    pub radius: Vec<f64>,
    /// Mass, kg.
    pub mass: Vec<f64>,
    /// Desired speed, m/s.
    pub desired_speed: Vec<f64>,
    /// Highest speed, m/s (infinite where the model has none).
    pub max_speed: Vec<f64>,
    /// Time at which the person starts to walk, s.
    pub start_s: Vec<f64>,
    /// Index of the group.
    pub group: Vec<u16>,
    /// Number of stages of the journey that are behind the person.
    pub stage: Vec<u16>,
    /// What the person is doing.
    pub status: Vec<Status>,
    /// Summed radial contact force over the circumference, felt in the last step, N/m.
    pub pressure: Vec<f64>,
}

/// Which rows stayed when people left: `new[i]` is the old row of the new row `i`.
#[derive(Clone, Debug, Default)]
pub struct RowMap {
    /// Old row of each new row, rising.
    pub old: Vec<usize>,
}

impl RowMap {
    /// Compacts a column in place, in order and without allocating.
    pub fn apply<T: Copy>(&self, column: &mut Vec<T>) {
        for (new, &old) in self.old.iter().enumerate() {
            column[new] = column[old];
        }
        column.truncate(self.old.len());
    }
}

impl Crowd {
    /// People at these places who may walk: ids from 0, at rest, radius 0.3 m, 80 kg, desired speed 1.34 m/s without a
    /// highest one, all of the first group.
    pub fn at(pos: Vec<Vec2>) -> Self {
        let n = pos.len();
        Self {
            id: (0..n as u32).collect(),
            pos,
            vel: vec![Vec2::ZERO; n],
            radius: vec![0.3; n],
            mass: vec![80.0; n],
            desired_speed: vec![1.34; n],
            max_speed: vec![f64::INFINITY; n],
            start_s: vec![0.0; n],
            group: vec![0; n],
            stage: vec![0; n],
            status: vec![Status::Walking; n],
            pressure: vec![0.0; n],
        }
    }

    /// Highest speed of somebody in a model that caps speeds, m/s: the own one where there is one, else so many times the
    /// desired speed.
    #[inline]
    pub fn top_speed(&self, row: usize, factor: f64) -> f64 {
        let own = self.max_speed[row];
        if own.is_finite() { own } else { factor * self.desired_speed[row] }
    }

    /// Number of people present.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// True if nobody is present.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Sends everybody away; the columns keep their memory.
    pub fn clear(&mut self) {
        self.compact(&RowMap::default());
    }

    /// Where the rows end that follow on `from` with the same group and stage: people who want the same stand in a row.
    pub fn alike(&self, from: usize) -> usize {
        let same = |i: &usize| self.group[*i] == self.group[from] && self.stage[*i] == self.stage[from];
        (from..self.len()).find(|i| !same(i)).unwrap_or(self.len())
    }

    /// Keeps the rows of `map`, in order.
    pub fn compact(&mut self, map: &RowMap) {
        map.apply(&mut self.id);
        map.apply(&mut self.pos);
        map.apply(&mut self.vel);
        map.apply(&mut self.radius);
        map.apply(&mut self.mass);
        map.apply(&mut self.desired_speed);
        map.apply(&mut self.max_speed);
        map.apply(&mut self.start_s);
        map.apply(&mut self.group);
        map.apply(&mut self.stage);
        map.apply(&mut self.status);
        map.apply(&mut self.pressure);
    }
}
