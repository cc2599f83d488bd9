//! People in a place, and one step of time: everybody picks a way, the model gives velocities, people move and leave.

use super::place::{Place, Vec2};
use super::{five_force, orca, social_force};

/// Time to walk the last meter to a point, s, so that nobody walks past it.
const ARRIVE_S: f64 = 1.0;

/// Somebody.
#[derive(Clone, Debug)]
pub struct Person {
    /// Never used again.
    pub id: usize,
    /// Number of the group.
    pub group: usize,
    /// How many of the group were there before; picks the goal where each has their own.
    pub rank: usize,
    /// Center of the body, m.
    pub pos: Vec2,
    /// m/s.
    pub vel: Vec2,
    /// m.
    pub radius: f64,
    /// kg.
    pub mass: f64,
    /// Speed that the person wants, m/s.
    pub speed: f64,
    /// Highest speed, m/s; infinite for none.
    pub max_speed: f64,
    /// Starts to walk then, s.
    pub start_s: f64,
    /// Stages of the journey that are done.
    pub stage: usize,
    /// False before the start.
    pub walks: bool,
    /// Unit vector to where the person wants to go; zero for nowhere.
    pub way: Vec2,
    /// How far it is to where the person will stop, m; infinite for who will not stop.
    pub distance: f64,
    /// Where the person faces; zero before the first step.
    pub heading: Vec2,
}

impl Person {
    /// Highest speed, m/s: the own one, or so many times the desired one.
    pub fn top_speed(&self, factor: f64) -> f64 {
        if self.max_speed < f64::INFINITY { self.max_speed } else { factor * self.speed }
    }

    /// The speed with nobody in the way, m/s.
    pub fn preferred_speed(&self) -> f64 {
        self.speed.min(self.distance / ARRIVE_S)
    }
}

/// What the people of a group share.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Goals to choose from, stage after stage.
    pub stages: Vec<Vec<usize>>,
    /// True if each person has their own goal of each stage.
    pub own_goals: bool,
    /// True if the journey starts over at its end.
    pub rounds: bool,
    /// Direction of people without stages, a unit vector.
    pub heading: Option<Vec2>,
    /// Point and radius, m, where people without stages stay.
    pub stay: Option<(Vec2, f64)>,
}

/// The model that steers everybody, with its constants by group.
pub enum Model {
    /// Helbing, Farkas, Vicsek 2000.
    SocialForce(social_force::SocialForce),
    /// Wang 2005.
    FiveForce(five_force::FiveForce),
    /// van den Berg, Guy, Lin, Manocha 2011.
    Orca(orca::Orca),
}

/// A crowd that steps.
pub struct Crowd {
    /// Where it is.
    pub place: Place,
    /// What groups want.
    pub groups: Vec<Group>,
    /// Who is there, in the order of ids.
    pub people: Vec<Person>,
    /// Step, s.
    pub dt: f64,
    /// Simulated time, s.
    pub time_s: f64,
    /// What steers everybody.
    pub model: Model,
    /// Ways of your own (a navigation mesh): the unit vector for a person, or `None` for straight to the goal.
    pub find_way: Option<Box<dyn Fn(&Person, &Place) -> Option<Vec2>>>,
    steps: u64,
    cells: Cells,
    next: Vec<Vec2>,
}

impl Crowd {
    /// People ready to walk.
    pub fn new(place: Place, groups: Vec<Group>, people: Vec<Person>, model: Model, dt: f64) -> Self {
        let (cells, next) = (Cells::default(), Vec::new());
        Self { place, groups, people, dt, time_s: 0.0, model, find_way: None, steps: 0, cells, next }
    }

    /// One step.
    pub fn step(&mut self) {
        for i in 0..self.people.len() {
            self.look_ahead(i);
        }
        let (place, people, dt) = (&self.place, &mut self.people, self.dt);
        self.next.clear();
        self.next.resize(people.len(), Vec2::ZERO);
        let reach = match &self.model {
            Model::SocialForce(model) => model.reach(people),
            Model::FiveForce(model) => model.reach(people),
            Model::Orca(model) => model.reach(),
        };
        // Across the seam of a ring anybody may be near: one square for all.
        self.cells.fill(people, if place.is_open() { reach } else { f64::INFINITY });
        match &mut self.model {
            Model::SocialForce(model) => model.steer(place, people, &self.cells, dt, &mut self.next),
            Model::FiveForce(model) => model.steer(place, people, &self.cells, dt, &mut self.next),
            Model::Orca(model) => model.steer(place, people, &self.cells, dt, &mut self.next),
        }
        self.steps += 1;
        self.time_s = self.steps as f64 * dt;
        self.move_all();
    }

    /// Where somebody wants to go now, and how far it is.
    fn look_ahead(&mut self, i: usize) {
        let person = &mut self.people[i];
        let group = &self.groups[person.group];
        person.walks = person.walks || person.start_s <= self.time_s;
        (person.way, person.distance) = (Vec2::ZERO, 0.0);
        if let Some(goal) = chosen(&self.place, group, person) {
            person.way = self.place.toward(goal, person.pos, person.radius);
            let stops = person.stage + 1 == group.stages.len()
                && matches!(self.place.goals[goal], super::place::Goal::Point { .. });
            person.distance = if stops { self.place.distance(goal, person.pos) } else { f64::INFINITY };
        } else if let Some(heading) = group.heading {
            (person.way, person.distance) = (heading, f64::INFINITY);
        } else if let Some((at, radius)) = group.stay {
            let way = self.place.apart(person.pos, at);
            person.distance = way.length();
            if person.distance > radius {
                person.way = way.unit();
            }
        }
        if let Some(find_way) = &self.find_way
            && let Some(way) = find_way(&self.people[i], &self.place)
        {
            self.people[i].way = way;
        }
        if !self.people[i].walks {
            self.people[i].way = Vec2::ZERO;
        }
    }

    /// Moves everybody; who has reached the last goal leaves.
    fn move_all(&mut self) {
        let (place, groups, dt, next) = (&self.place, &self.groups, self.dt, &self.next);
        let mut row = 0;
        self.people.retain_mut(|person| {
            let (from, to) = (person.pos, person.pos + next[row] * dt);
            (person.pos, person.vel) = (place.wrap(to), next[row]);
            row += 1;
            let group = &groups[person.group];
            let choice = choice(group, person);
            if !choice.iter().any(|&goal| place.is_reached(goal, (from, to), person.radius)) {
                return true;
            }
            person.stage += 1;
            if person.stage == group.stages.len() && group.rounds {
                person.stage = 0;
            }
            person.stage < group.stages.len()
        });
    }
}

/// Goals that somebody can choose from now.
fn choice<'a>(group: &'a Group, person: &Person) -> &'a [usize] {
    let Some(stage) = group.stages.get(person.stage) else { return &[] };
    if group.own_goals {
        let own = person.rank % stage.len();
        return &stage[own..=own];
    }
    stage
}

/// The nearest of them.
fn chosen(place: &Place, group: &Group, person: &Person) -> Option<usize> {
    let mut best = None;
    let mut least = f64::INFINITY;
    for &goal in choice(group, person) {
        let distance = place.distance(goal, person.pos);
        if best.is_none() || distance < least {
            (best, least) = (Some(goal), distance);
        }
    }
    best
}

/// Who is in which square, so that neighbors are found without asking everybody.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    size: f64,
    corner: Vec2,
    columns: usize,
    rows: usize,
    /// Where each cell begins in `order`, and where the last one ends.
    begin: Vec<usize>,
    order: Vec<usize>,
}

impl Cells {
    /// Sorts everybody into squares at least `reach` wide.
    fn fill(&mut self, people: &[Person], reach: f64) {
        let (mut low, mut high) = (super::place::vec2(0.0, 0.0), super::place::vec2(0.0, 0.0));
        for (i, person) in people.iter().enumerate() {
            let p = person.pos;
            if i == 0 {
                (low, high) = (p, p);
            }
            low = super::place::vec2(low.x.min(p.x), low.y.min(p.y));
            high = super::place::vec2(high.x.max(p.x), high.y.max(p.y));
        }
        (self.size, self.corner) = (reach.max(0.1), low);
        loop {
            self.columns = ((high.x - low.x) / self.size) as usize + 1;
            self.rows = ((high.y - low.y) / self.size) as usize + 1;
            // A few people in a large place need no million of cells.
            if self.columns * self.rows <= 4 * people.len() + 64 {
                break;
            }
            self.size *= 2.0;
        }
        self.begin.clear();
        self.begin.resize(self.columns * self.rows + 1, 0);
        for person in people {
            let (column, row) = self.cell(person.pos);
            self.begin[row * self.columns + column + 1] += 1;
        }
        for cell in 1..self.begin.len() {
            self.begin[cell] += self.begin[cell - 1];
        }
        let mut free = self.begin.clone();
        self.order.clear();
        self.order.resize(people.len(), 0);
        for (i, person) in people.iter().enumerate() {
            let (column, row) = self.cell(person.pos);
            let cell = row * self.columns + column;
            self.order[free[cell]] = i;
            free[cell] += 1;
        }
    }

    fn cell(&self, p: Vec2) -> (usize, usize) {
        (((p.x - self.corner.x) / self.size) as usize, ((p.y - self.corner.y) / self.size) as usize)
    }

    /// Calls `f` for everybody in the squares around `p`, row by row: all within the reach and some beyond.
    pub fn around(&self, p: Vec2, f: &mut dyn FnMut(usize)) {
        let (column, row) = self.cell(p);
        let (left, right) = (column.saturating_sub(1), (column + 1).min(self.columns - 1));
        for row in row.saturating_sub(1)..=(row + 1).min(self.rows - 1) {
            let (from, to) = (self.begin[row * self.columns + left], self.begin[row * self.columns + right + 1]);
            self.order[from..to].iter().for_each(|&i| f(i));
        }
    }
}

/// Direction in which two people at the same place part; opposite for the two.
pub fn parting(id: usize, other: usize) -> Vec2 {
    // The golden angle spreads pairs over all directions.
    let angle = 2.399_963_229_728_653 * (id + other) as f64;
    let way = super::place::vec2(angle.cos(), angle.sin());
    if id < other { way } else { -way }
}
