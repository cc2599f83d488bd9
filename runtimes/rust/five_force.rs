//! Wang, Simulating Crowd Motion with Evolutionary Computation, NCCU 2005: five weighted forces, then one person after the other steps
//! where nobody and nothing is.

use super::crowd::{Cells, Person, parting};
use super::place::{Place, Vec2, vec2};
use std::collections::VecDeque;

/// Constants of a group, with the keys of the preset.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    pub attraction_weight: f64,
    pub separation_weight: f64,
    pub alignment_weight: f64,
    pub cohesion_weight: f64,
    pub repulsion_weight: f64,
    pub gain_m_per_s2: f64,
    pub field_of_view_deg: f64,
    pub range_diameters: f64,
    pub turn_limit_deg: f64,
    pub unit_time_s: f64,
    pub look_ahead_s: f64,
    pub clearance_m: f64,
    /// `group` or `all`.
    pub perceives_all: bool,
    pub collision_strategies: bool,
    pub strategies_respect_turn_limit: bool,
    /// `four_forward`, `four_diagonal` or `seven`: 0, 1, 2.
    pub pedestrian_directions: usize,
    pub wall_directions: usize,
}

const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The sets of directions, left before right.
const TURNS: [&[Vec2]; 3] = [
    &[vec2(HALF, HALF), vec2(HALF, -HALF), vec2(0.0, 1.0), vec2(0.0, -1.0)],
    &[vec2(HALF, HALF), vec2(HALF, -HALF), vec2(-HALF, HALF), vec2(-HALF, -HALF)],
    &[
        vec2(HALF, HALF),
        vec2(HALF, -HALF),
        vec2(0.0, 1.0),
        vec2(0.0, -1.0),
        vec2(-HALF, HALF),
        vec2(-HALF, -HALF),
        vec2(-1.0, 0.0),
    ],
];

/// Nearer people are at the same place, m.
const SAME_PLACE: f64 = 1e-4;
/// Nearer to a wall touches it, m.
const TOUCH: f64 = 1e-3;
/// Sine of the angle to a wall below which a way slides along it.
const GRAZES: f64 = 1e-3;
/// Most moves on the way to a wall, and how far each looks, m.
const MOVES: usize = 24;
const LOOK: f64 = 2.0;
/// Overlap that is rounding, m.
const SLACK: f64 = 1e-10;
/// Share of the speed below which the neighbors' velocity is no step.
const LEAST_SHARE: f64 = 0.1;
/// Most points of a trace.
const POINTS: usize = 200;

/// Where the first member of a group has walked.
#[derive(Clone, Debug, Default)]
struct Trace {
    points: VecDeque<Vec2>,
    leader: Option<usize>,
}

/// Somebody in the way: where, and how near a step may come, m.
#[derive(Clone, Copy, Debug)]
struct Close {
    at: Vec2,
    least: f64,
}

/// What a step leads into.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hit {
    Nothing,
    Person,
    Wall,
}

/// The model.
pub struct FiveForce {
    groups: Vec<Constants>,
    traces: Vec<Trace>,
    /// By row: heading and velocity after the forces, mean velocity of those in sight.
    facing: Vec<Vec2>,
    wanted: Vec<Vec2>,
    mean: Vec<Vec2>,
    close: Vec<Close>,
}

impl FiveForce {
    /// Constants by group.
    pub fn new(groups: Vec<Constants>) -> Self {
        let traces = vec![Trace::default(); groups.len()];
        Self { groups, traces, facing: Vec::new(), wanted: Vec::new(), mean: Vec::new(), close: Vec::new() }
    }

    /// How far people see, m; at least as far as bodies can meet in a step.
    pub fn reach(&self, people: &[Person]) -> f64 {
        let widest = people.iter().fold(0.0, |r: f64, person| r.max(person.radius));
        2.0 * widest * self.groups.iter().map(|c| c.range_diameters).fold(1.0, f64::max)
    }

    /// Velocities of the next step.
    pub fn steer(&mut self, place: &Place, people: &mut [Person], cells: &Cells, dt: f64, next: &mut [Vec2]) {
        for person in people.iter_mut() {
            if person.heading == Vec2::ZERO && person.walks && person.top_speed(1.0) > 0.0 {
                person.heading = first_heading(person);
            }
        }
        for list in [&mut self.facing, &mut self.wanted, &mut self.mean] {
            list.clear();
            list.resize(people.len(), Vec2::ZERO);
        }
        for i in 0..people.len() {
            self.drive(place, people, cells, dt, i);
        }
        if self.groups[0].collision_strategies {
            self.walk(place, people, dt, next);
        } else {
            for (i, person) in people.iter_mut().enumerate() {
                (person.heading, next[i]) = (self.facing[i], self.wanted[i]);
            }
        }
    }

    /// The five forces on one person, the highest speed and the turn limit.
    fn drive(&mut self, place: &Place, people: &[Person], cells: &Cells, dt: f64, i: usize) {
        let me = &people[i];
        let (c, cap) = (self.groups[me.group], me.top_speed(1.0));
        self.mean[i] = me.vel;
        (self.facing[i], self.wanted[i]) = (me.heading, Vec2::ZERO);
        if !me.walks || cap <= 0.0 {
            return;
        }
        let range = c.range_diameters * 2.0 * me.radius;
        let view = if c.field_of_view_deg < 360.0 { (0.5 * c.field_of_view_deg).to_radians().cos() } else { -2.0 };
        let (mut count, mut apart, mut vel, mut to) = (0.0, Vec2::ZERO, Vec2::ZERO, Vec2::ZERO);
        cells.around(me.pos, &mut |j| {
            let other = &people[j];
            if j == i || !(self.groups[0].perceives_all || other.group == me.group) {
                return;
            }
            let way = place.apart(me.pos, other.pos);
            let d = way.length();
            if d > range {
                return;
            }
            if d <= SAME_PLACE {
                count += 1.0;
                apart += parting(me.id, other.id);
                vel += other.vel;
            } else if me.heading.dot(way) >= view * d {
                count += 1.0;
                // 1/d, relative to its value in contact.
                apart -= way * (2.0 * me.radius / (d * d).max(2.0 * me.radius * d));
                vel += other.vel;
                to += way;
            }
        });
        let sum =
            c.attraction_weight + c.separation_weight + c.alignment_weight + c.cohesion_weight + c.repulsion_weight;
        let share = if sum > 0.0 { c.gain_m_per_s2 / sum } else { 0.0 };
        let mut acceleration = Vec2::ZERO;
        if me.way != Vec2::ZERO || me.distance > 0.0 {
            let wanted = me.way * (me.speed.min(cap) * (me.distance / range).min(1.0));
            acceleration += ((wanted - me.vel) * (0.5 / cap)).limited(1.0) * (share * c.attraction_weight);
        }
        if count > 0.0 {
            self.mean[i] = vel * (1.0 / count);
            acceleration += apart * (1.0 / count) * (share * c.separation_weight);
            acceleration += ((self.mean[i] - me.vel) * (0.5 / cap)).limited(1.0) * (share * c.alignment_weight);
            acceleration += (to * (1.0 / (count * range))).limited(1.0) * (share * c.cohesion_weight);
        }
        let way = me.vel.unit();
        if c.repulsion_weight > 0.0 && way != Vec2::ZERO {
            let speed = me.vel.length();
            if let Some(free) = free_way(place, me.pos, way, me.radius, speed * c.look_ahead_s) {
                // A brake: it can stop people but not push them back.
                let push = way * (-me.radius / free.max(me.radius) * share * c.repulsion_weight);
                acceleration += push.limited(speed / dt);
            }
        }
        let wanted = (me.vel + acceleration * dt).limited(cap);
        (self.facing[i], self.wanted[i]) = turned(me.heading, wanted, self.most(me, dt));
    }

    /// The largest turn of a step, radians.
    fn most(&self, person: &Person, dt: f64) -> f64 {
        let c = &self.groups[person.group];
        c.turn_limit_deg.to_radians() / c.unit_time_s * dt
    }

    /// Moves everybody one after the other: each sees the new places of those before.
    fn walk(&mut self, place: &Place, people: &mut [Person], dt: f64, next: &mut [Vec2]) {
        self.record(place, people);
        let (mut fastest, mut widest) = (0.0_f64, 0.0_f64);
        for (i, person) in people.iter().enumerate() {
            fastest = fastest.max(self.wanted[i].length());
            widest = widest.max(person.radius);
        }
        let start: Vec<Vec2> = people.iter().map(|person| person.pos).collect();
        let mut at = start.clone();
        for i in 0..people.len() {
            let wanted = self.wanted[i];
            if wanted == Vec2::ZERO {
                people[i].heading = self.facing[i];
                next[i] = wanted;
                continue;
            }
            self.find_close(place, people, (&start, &at), (fastest, widest), dt, i);
            let vel = match self.hit(place, &people[i], wanted, dt) {
                Hit::Nothing => wanted,
                Hit::Person => {
                    let turns = TURNS[self.groups[0].pedestrian_directions];
                    self.aligned(place, &people[i], i, dt)
                        .or_else(|| self.best(place, &people[i], i, dt, turns))
                        .unwrap_or(Vec2::ZERO)
                }
                Hit::Wall => {
                    let turns = TURNS[self.groups[0].wall_directions];
                    self.traced(place, &people[i], i, dt)
                        .or_else(|| self.best(place, &people[i], i, dt, turns))
                        .unwrap_or(Vec2::ZERO)
                }
            };
            at[i] = place.wrap(start[i] + vel * dt);
            next[i] = vel;
            // A sidestep turns the body no faster than the forces would; who is stopped keeps turning.
            let as_wanted = vel == wanted || vel == Vec2::ZERO;
            let most = self.most(&people[i], dt);
            people[i].heading = if as_wanted { self.facing[i] } else { turned(people[i].heading, vel, most).0 };
        }
    }

    /// Adds a point to the trace of each group for every body width that its first member has walked.
    fn record(&mut self, place: &Place, people: &[Person]) {
        for person in people {
            let trace = &mut self.traces[person.group];
            if !person.walks || *trace.leader.get_or_insert(person.id) != person.id {
                continue;
            }
            if trace.points.back().is_none_or(|&last| place.apart(last, person.pos).length() >= 2.0 * person.radius) {
                if trace.points.len() == POINTS {
                    trace.points.pop_front();
                }
                trace.points.push_back(person.pos);
            }
        }
    }

    /// Lists who can be in the way of a step.
    fn find_close(
        &mut self,
        place: &Place,
        people: &[Person],
        (start, at): (&[Vec2], &[Vec2]),
        (fastest, widest): (f64, f64),
        dt: f64,
        i: usize,
    ) {
        let me = &people[i];
        let clearance = self.groups[me.group].clearance_m;
        let reach = me.radius + widest + clearance + (self.wanted[i].length() + fastest) * dt;
        self.close.clear();
        for (j, other) in people.iter().enumerate() {
            let far = place.apart(me.pos, start[j]);
            if j == i || far.length2() > reach * reach {
                continue;
            }
            let way = place.apart(me.pos, at[j]);
            // The gap is kept to people ahead; of two people one is.
            let along = way.dot(me.way + other.way);
            let ahead = along > 0.0 || (along == 0.0 && j < i);
            let gap = if ahead { clearance } else { 0.0 };
            self.close
                .push(Close { at: me.pos + way, least: (me.radius + other.radius + gap - SLACK).min(way.length()) });
        }
    }

    /// What a step leads into, walls first.
    fn hit(&self, place: &Place, me: &Person, vel: Vec2, dt: f64) -> Hit {
        let (p, r, way) = (me.pos, me.radius, vel * dt);
        let to = p + way;
        if place.crosses(p, to) || gap(place, to, r) < gap(place, p, r).min(r - SLACK) {
            return Hit::Wall;
        }
        let jumps = way.length() > r;
        for close in &self.close {
            if (close.at - to).length() < close.least {
                return Hit::Person;
            }
            if jumps {
                let apart = close.at - p;
                let along = (apart.dot(way) / way.length2()).max(0.0).min(1.0);
                if (apart - way * along).length() < close.least {
                    return Hit::Person;
                }
            }
        }
        Hit::Nothing
    }

    /// True if a step is free and turns no farther than it may.
    fn is_free(&self, place: &Place, me: &Person, vel: Vec2, dt: f64) -> bool {
        let slow = !self.groups[0].strategies_respect_turn_limit
            || (vel.unit() != Vec2::ZERO && me.heading.dot(vel.unit()) >= self.most(me, dt).cos());
        slow && self.hit(place, me, vel, dt) == Hit::Nothing
    }

    /// The neighbors' mean velocity, no faster than wanted, if it leads on.
    fn aligned(&self, place: &Place, me: &Person, i: usize, dt: f64) -> Option<Vec2> {
        let wanted = self.wanted[i];
        let speed = wanted.length();
        let vel = self.mean[i].limited(speed);
        (vel.dot(wanted) >= LEAST_SHARE * speed * speed && self.is_free(place, me, vel, dt)).then_some(vel)
    }

    /// The free one of some turns that leads farthest along the way; the first of equal ones.
    fn best(&self, place: &Place, me: &Person, i: usize, dt: f64, turns: &[Vec2]) -> Option<Vec2> {
        let mut best: Option<(f64, Vec2)> = None;
        for &turn in turns {
            let vel = rotated(self.wanted[i], turn);
            let gain = vel.dot(me.way);
            if best.is_none_or(|(most, _)| gain > most) && self.is_free(place, me, vel, dt) {
                best = Some((gain, vel));
            }
        }
        best.map(|(_, vel)| vel)
    }

    /// Towards the newest point of the group's trace that is in sight and ahead.
    fn traced(&self, place: &Place, me: &Person, i: usize, dt: f64) -> Option<Vec2> {
        let trace = &self.traces[me.group];
        if trace.leader == Some(me.id) {
            return None;
        }
        let ahead = if me.way == Vec2::ZERO { me.heading } else { me.way };
        let (range, width) = (self.groups[me.group].range_diameters * 2.0 * me.radius, 2.0 * me.radius);
        for &point in trace.points.iter().rev() {
            let way = place.apart(me.pos, point);
            let d = way.length();
            if d <= range && d >= width && way.dot(ahead) > 0.0 && !place.crosses(me.pos, me.pos + way) {
                let vel = way * (self.wanted[i].length() / d);
                return self.is_free(place, me, vel, dt).then_some(vel);
            }
        }
        None
    }
}

/// Along the velocity, else to the goal, else one direction for each id.
fn first_heading(person: &Person) -> Vec2 {
    if person.vel.unit() != Vec2::ZERO {
        person.vel.unit()
    } else if person.way != Vec2::ZERO {
        person.way
    } else {
        parting(person.id, person.id + 1)
    }
}

/// Heading and velocity of who faces `heading` and wants a velocity, but turns no farther than `most` radians. The part of the velocity
/// beyond is lost; a turn right round goes left.
fn turned(heading: Vec2, wanted: Vec2, most: f64) -> (Vec2, Vec2) {
    let to = wanted.unit();
    if to == Vec2::ZERO {
        return (heading, Vec2::ZERO);
    }
    let (cos, sin) = (most.cos(), most.sin());
    if most >= std::f64::consts::PI || heading.dot(to) >= cos {
        return (to, wanted);
    }
    let side = if heading.cross(to) < 0.0 { -1.0 } else { 1.0 };
    let facing = rotated(heading, vec2(cos, side * sin)).unit();
    (facing, facing * wanted.dot(facing).max(0.0))
}

/// `v` turned left by the angle of a unit vector.
fn rotated(v: Vec2, by: Vec2) -> Vec2 {
    vec2(v.x * by.x - v.y * by.y, v.x * by.y + v.y * by.x)
}

/// How far a body can move in a direction before it meets a wall, m; `None` if it can go the whole length.
fn free_way(place: &Place, p: Vec2, way: Vec2, radius: f64, length: f64) -> Option<f64> {
    let mut gone = 0.0;
    for _ in 0..MOVES {
        let look = (length - gone).min(LOOK - radius).max(TOUCH);
        // A move brings no wall nearer than its own length.
        let mut gap = look;
        place.contacts(p + way * gone, radius + look, &mut |wall| {
            if way.dot(wall.normal) < -GRAZES {
                gap = gap.min(wall.distance - radius);
            }
        });
        if gap <= TOUCH && gap < look {
            return Some(gone);
        }
        gone += gap;
        if gone >= length {
            return None;
        }
    }
    Some(gone)
}

/// Distance to the nearest wall, or the radius where that is less.
fn gap(place: &Place, p: Vec2, radius: f64) -> f64 {
    let mut gap = radius;
    place.contacts(p, radius, &mut |wall| gap = gap.min(wall.distance));
    gap
}
