//! Steers people by dodgy_2d's `Agent::compute_avoiding_velocity`.
//!
//! The crate's own `Simulator::step` looks at every pair and leaves out the near ones, so the nearest neighbors are found here.

use crate::goals::{Walker, Wish, along, distance, dot, nearest, sub};
use crate::place::{Place, Point};
use dodgy_2d::{Agent, AvoidanceOptions, Obstacle, Vec2};
use std::borrow::Cow;

/// In the ORCA paper everybody takes a share of every change of velocity. dodgy_2d 0.5.5 gives the whole of it to somebody who is not about
/// to collide, so that two who do this at once may collide. `true` undoes that by the velocity that a neighbor is said to have; `false` is
/// dodgy_2d as it comes.
const AS_PUBLISHED: bool = true;

pub struct Steer {
    place: &'static Place,
    /// State of the random changes of the preferred velocity; `None` without.
    chance: Option<u64>,
}

impl Steer {
    pub fn new(place: &'static Place, push: bool) -> Self {
        Self { place, chance: push.then_some(1) }
    }

    /// Everybody's new velocity.
    pub fn step(&mut self, walkers: &[Walker], wishes: &[Wish]) -> Vec<Point> {
        let mut velocities = Vec::with_capacity(walkers.len());
        for (own, wish) in walkers.iter().zip(wishes) {
            velocities.push(if own.present { self.velocity(own, wish, walkers) } else { [0.0; 2] });
        }
        velocities
    }

    fn velocity(&mut self, own: &Walker, wish: &Wish, walkers: &[Walker]) -> Point {
        let (group, dt) = (own.group, self.place.time_step_s);
        let mut near: Vec<(f64, &Walker)> = walkers
            .iter()
            .filter(|other| other.present && !std::ptr::eq(*other, own))
            .map(|other| (distance(other.at, own.at), other))
            .filter(|(far, _)| *far < group.neighbor_distance_m)
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        near.truncate(group.max_neighbors);
        // Positions are seen from the person: single precision then loses nothing where it counts.
        let radius = own.who.radius_m + group.margin_m;
        let agent = Agent {
            position: Vec2::ZERO,
            velocity: vec2(own.velocity),
            radius: radius as f32,
            avoidance_responsibility: 1.0,
        };
        let neighbors: Vec<Cow<'_, Agent>> = near
            .into_iter()
            .map(|(_, other)| (other, group.shares[other.who.group]))
            .filter(|(_, share)| *share > 0.0)
            .map(|(other, share)| {
                let (apart, approach) = (sub(other.at, own.at), sub(own.velocity, other.velocity));
                let room = free(apart, approach, radius + other.who.radius_m, group.time_horizon_s.max(dt));
                let less = if AS_PUBLISHED { share - 1.0 } else { 0.0 };
                Cow::Owned(Agent {
                    position: vec2(apart),
                    velocity: vec2(along(other.velocity, room, less)),
                    radius: other.who.radius_m as f32,
                    // The pair shares by the ratio of the two.
                    avoidance_responsibility: ((1.0 - share) / share) as f32,
                })
            })
            .collect();
        let horizon = group.obstacle_time_horizon_s.max(dt);
        let reach = radius + own.who.top_speed * horizon;
        let in_reach = |chain: &&&[Point]| {
            let next = |at: usize| chain[(at + 1) % chain.len()];
            (0..chain.len()).any(|at| distance(nearest(chain[at], next(at), own.at), own.at) < reach)
        };
        let corners = |chain: &&[Point]| chain.iter().map(|&p| vec2(sub(p, own.at))).collect();
        let obstacles: Vec<Cow<'_, Obstacle>> = self
            .place
            .obstacles
            .iter()
            .filter(in_reach)
            .map(|chain| Cow::Owned(Obstacle::Closed { vertices: corners(chain) }))
            .collect();
        let options = AvoidanceOptions {
            obstacle_margin: radius as f32,
            time_horizon: group.time_horizon_s.max(dt) as f32,
            obstacle_time_horizon: horizon as f32,
        };
        let wanted = along(self.push(group.push_m_per_s), wish.way, wish.speed);
        let most = own.who.top_speed as f32;
        let v = agent.compute_avoiding_velocity(&neighbors, &obstacles, vec2(wanted), most, dt as f32, &options);
        [f64::from(v.x), f64::from(v.y)]
    }

    /// The random change of a preferred velocity.
    fn push(&mut self, most: f64) -> Point {
        let Some(state) = &mut self.chance else { return [0.0; 2] };
        // Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
        let mut draw = || {
            *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = *state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            most * ((z ^ (z >> 31)) as i64 as f64 / 9_223_372_036_854_775_808.0)
        };
        [draw(), draw()]
    }
}

/// The change of a relative velocity that would just lead to a collision within the horizon with somebody at p; zero if it leads to one
/// already, or the two touch.
fn free(p: Point, v: Point, touch: f64, horizon: f64) -> Point {
    let cross = |a: Point, b: Point| a[0] * b[1] - a[1] * b[0];
    let d2 = dot(p, p);
    if d2 <= touch * touch {
        return [0.0; 2];
    }
    let w = along(v, p, -1.0 / horizon);
    let (length, ahead) = (dot(w, w).sqrt(), dot(w, p));
    if ahead < 0.0 && ahead * ahead > touch * touch * length * length {
        return along([0.0; 2], w, (touch / horizon / length - 1.0).min(0.0));
    }
    let leg = (d2 - touch * touch).sqrt() * if cross(p, w) > 0.0 { 1.0 } else { -1.0 };
    let way = [(p[0] * leg - p[1] * touch) / d2, (p[1] * leg + p[0] * touch) / d2];
    if cross(way, v) > 0.0 { sub(along([0.0; 2], way, dot(v, way)), v) } else { [0.0; 2] }
}

fn vec2(p: Point) -> Vec2 {
    Vec2::new(p[0] as f32, p[1] as f32)
}
