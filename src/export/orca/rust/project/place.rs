//! What `places/` holds: the place, the people and the constants of each group. Meters, seconds.

#![allow(dead_code, reason = "a place need not have every kind of goal, nor a crate a use for every constant")]

pub type Point = [f64; 2];

pub struct Place {
    pub name: &'static str,
    pub time_step_s: f64,
    pub limit_s: f64,
    pub groups: &'static [Group],
    /// Walls as closed chains of corners, counterclockwise around what is solid; a thin wall is walked there and back.
    pub obstacles: &'static [&'static [Point]],
    /// The same as lines, for who sees which door.
    pub walls: &'static [[Point; 2]],
    pub goals: &'static [Goal],
    pub people: &'static [Person],
}

pub struct Group {
    pub time_horizon_s: f64,
    pub obstacle_time_horizon_s: f64,
    pub neighbor_distance_m: f64,
    pub max_neighbors: usize,
    /// Gap kept to other bodies and to walls.
    pub margin_m: f64,
    /// Largest random change of each coordinate of the preferred velocity, m/s.
    pub push_m_per_s: f64,
    /// Share of the avoidance towards the people of each group.
    pub shares: &'static [f64],
    /// Goals in order, one of each list.
    pub stages: &'static [&'static [usize]],
    /// Each person has one goal of a stage instead of the nearest.
    pub own_goals: bool,
    /// They begin again instead of leaving.
    pub rounds: bool,
    /// Where a group without goals walks.
    pub heading: Option<Point>,
    /// Where a group without goals gathers, and how near.
    pub stay: Option<(Point, f64)>,
}

pub enum Goal {
    /// A line, and the direction out of it.
    Door([Point; 2], Point),
    Area(&'static [Point]),
    /// A point, and how near counts as reached.
    Point(Point, f64),
}

pub struct Person {
    pub at: Point,
    pub radius_m: f64,
    pub desired_speed: f64,
    pub top_speed: f64,
    pub start_s: f64,
    pub group: usize,
}

/// Every place of the preset.
pub static PLACES: &[Place] = &include!("places/all.rs");
