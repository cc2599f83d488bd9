//! The people, one column per field.

use crowdtune_core::math::Vec2;

/// What somebody is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Stands until the start time; others can push.
    Waiting,
    /// Walks.
    Walking,
    /// Injured: an obstacle that does not move.
    Injured,
}

/// Somebody who comes in.
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
    /// Highest speed, m/s (infinite where the model has none).
    pub max_speed: f64,
    /// Time at which the person starts to walk, s.
    pub start_s: f64,
    /// Index of the group.
    pub group: u16,
}

impl Person {
    /// Somebody at this place: at rest, radius 0.3 m, 80 kg, desired speed 1.34 m/s without a highest one, of the first
    /// group, who starts at once.
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

/// Somebody who has left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exit {
    /// Who.
    pub id: u32,
    /// Group of the person.
    pub group: u16,
    /// Through which goal (index into the world's goals); `None` in a recording, which does not tell.
    pub goal: Option<usize>,
    /// When, s.
    pub time_s: f64,
    /// Where the center was then.
    pub pos: Vec2,
}

/// The people who are present. Row `i` of every column is one person; rows stay in id order when people leave.
///
/// State is f64: a creeping step of 1e-6 m must not vanish.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    /// Number, from 0 in the order of coming in, at the start in group order; never reused.
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

/// Which rows stayed when people left: `old[i]` is the old row of the new row `i`.
#[derive(Clone, Debug, Default)]
pub struct RowMap {
    /// Old row of each new row, rising.
    pub old: Vec<usize>,
}

impl RowMap {
    /// Compacts a column in place, in order and without allocating. A column may be shorter than the crowd was: it has
    /// no row for people who came in since it was filled.
    pub fn apply<T: Copy>(&self, column: &mut Vec<T>) {
        let kept = self.old.partition_point(|&old| old < column.len());
        for (new, &old) in self.old[..kept].iter().enumerate() {
            column[new] = column[old];
        }
        column.truncate(kept);
    }
}

/// Does the same to every column: the one place that lists them all. A column that is missing here does not compile.
macro_rules! each_column {
    ($crowd:expr, $column:ident => $action:expr) => {
        each_column!($crowd, $column => $action; id pos vel radius mass desired_speed max_speed start_s group stage status pressure)
    };
    ($crowd:expr, $column:ident => $action:expr; $($name:ident)*) => {{
        let Crowd { $($name),* } = $crowd;
        $({ let $column = $name; $action; })*
    }};
}

impl Crowd {
    /// People at these places, each as [`Person::at`], who walk already; ids from 0.
    pub fn at(pos: Vec<Vec2>) -> Self {
        let mut crowd = Self::default();
        for (id, pos) in (0..).zip(pos) {
            crowd.push(id, Person::at(pos));
        }
        crowd.status.fill(Status::Walking);
        crowd
    }

    /// Appends somebody, who waits until their start time.
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
    }

    /// True if every column has this many rows.
    pub(crate) fn has_rows(&self, rows: usize) -> bool {
        let mut all = true;
        each_column!(self, column => all &= column.len() == rows);
        all
    }

    /// Highest speed of somebody in a model that caps speeds, m/s: their own where they have one, else `factor` times the
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

    /// The end of the run of rows from `from` on that share its group and stage, and so want the same.
    pub fn alike(&self, from: usize) -> usize {
        let same = |i: &usize| self.group[*i] == self.group[from] && self.stage[*i] == self.stage[from];
        (from..self.len()).find(|i| !same(i)).unwrap_or(self.len())
    }

    /// Keeps the rows of `map`, in order.
    pub fn compact(&mut self, map: &RowMap) {
        each_column!(self, column => map.apply(column));
    }
}
