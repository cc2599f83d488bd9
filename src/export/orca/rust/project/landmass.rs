//! Steers people by landmass: a navigation mesh of the place, everybody an agent whose target is where the goal is reached.

use crate::goals::{Walker, Wish};
use crate::place::{Place, Point};
use geo::algorithm::buffer::{Buffer, BufferStyle, LineCap, LineJoin};
use geo::{BooleanOps, Coord, LineString, MultiLineString, Rect, TriangulateEarcut};
use landmass::{
    Agent, AgentId, Archipelago, ArchipelagoOptions, FromAgentRadius, Island, NavigationMesh, TargetReachedCondition,
    Transform, Vec3, XYZ,
};
use std::sync::Arc;

/// Ground around everything, m: its border is too far away to matter to anybody.
const AROUND_M: f64 = 100.0;
/// Angle between the corners of the mesh around the end of a wall.
const ROUND: f64 = 0.2;

pub struct Steer {
    place: &'static Place,
    archipelago: Archipelago<XYZ>,
    agents: Vec<AgentId>,
}

impl Steer {
    /// landmass gets a desired speed and finds the way itself, so nothing takes the random change of the preferred velocity.
    pub fn new(place: &'static Place, _push: bool) -> Self {
        // A mesh is for bodies of one size: the largest, with the gap that they keep.
        let bodies = place.people.iter().map(|who| who.radius_m);
        let largest = bodies.fold(0.0, f64::max);
        let group = &place.groups[0];
        let margin = largest + group.margin_m;
        let mut options = ArchipelagoOptions::<XYZ>::from_agent_radius(margin as f32);
        options.point_sample_distance.horizontal_distance = 2.0 * margin as f32;
        // Neighbors are seen at this distance plus their radius.
        options.neighbourhood = (group.neighbor_distance_m - largest) as f32;
        options.avoidance_time_horizon = group.time_horizon_s.max(place.time_step_s) as f32;
        options.obstacle_avoidance_time_horizon = group.obstacle_time_horizon_s.max(place.time_step_s) as f32;
        options.reached_destination_avoidance_responsibility = 1.0;
        let mut archipelago = Archipelago::new(options);
        let ground = mesh(place, margin).validate().expect("triangles of a polygon are a mesh");
        let flat = Transform { translation: Vec3::ZERO, rotation: 0.0 };
        archipelago.add_island(Island::new(flat, Arc::new(ground)));
        let agent = |walker: &Walker| {
            let (who, gap) = (walker.who, 0.5 * walker.group.margin_m);
            let speeds = (who.desired_speed as f32, who.top_speed as f32);
            // Two people keep one gap, half of it from each.
            Agent::create(vec3(who.at), Vec3::ZERO, (who.radius_m + gap) as f32, speeds.0, speeds.1)
        };
        let agents = Walker::all(place).iter().map(|walker| archipelago.add_agent(agent(walker))).collect();
        Self { place, archipelago, agents }
    }

    /// Everybody's new velocity.
    pub fn step(&mut self, walkers: &[Walker], wishes: &[Wish]) -> Vec<Point> {
        for ((walker, wish), &id) in walkers.iter().zip(wishes).zip(&self.agents) {
            let Some(agent) = self.archipelago.get_agent_mut(id) else { continue };
            if !walker.present {
                self.archipelago.remove_agent(id);
                continue;
            }
            (agent.position, agent.velocity) = (vec3(walker.at), vec3(walker.velocity));
            agent.desired_speed = wish.speed as f32;
            agent.current_target = (wish.speed > 0.0).then(|| vec3(wish.to));
            // This program decides who has arrived.
            agent.target_reached_condition = TargetReachedCondition::Distance(Some(0.0));
        }
        self.archipelago.update(self.place.time_step_s as f32);
        let velocity = |id: &AgentId| {
            let moved = self.archipelago.get_agent(*id).map_or(Vec3::ZERO, |agent| *agent.get_desired_velocity());
            [f64::from(moved.x), f64::from(moved.y)]
        };
        self.agents.iter().map(velocity).collect()
    }
}

/// The ground on which centers of bodies of this radius can be, in triangles.
fn mesh(place: &Place, radius: f64) -> NavigationMesh<XYZ> {
    let coord = |[x, y]: Point| Coord { x, y };
    let walls = place.walls.iter().map(|[a, b]| LineString::from(vec![coord(*a), coord(*b)]));
    let walls = MultiLineString::new(walls.collect());
    let all = place.walls.iter().flatten().copied().chain(place.people.iter().map(|who| who.at));
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in all {
        for axis in [0, 1] {
            (low[axis], high[axis]) = (low[axis].min(p[axis] - AROUND_M), high[axis].max(p[axis] + AROUND_M));
        }
    }
    let round = BufferStyle::new(radius).line_join(LineJoin::Round(ROUND)).line_cap(LineCap::Round(ROUND));
    let free = Rect::new(coord(low), coord(high)).to_polygon().difference(&walls.buffer_with_style(round));
    let mut mesh = NavigationMesh {
        vertices: Vec::new(),
        polygons: Vec::new(),
        polygon_type_indices: Vec::new(),
        height_mesh: None,
    };
    for part in &free {
        let cut = part.earcut_triangles_raw();
        let first = mesh.vertices.len();
        let corners: Vec<Point> = cut.vertices.chunks_exact(2).map(|p| [p[0], p[1]]).collect();
        mesh.vertices.extend(corners.iter().map(|&p| vec3(p)));
        for triangle in cut.triangle_indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|at| corners[triangle[at]]);
            let left = (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]);
            let order = if left { [0, 1, 2] } else { [0, 2, 1] };
            mesh.polygons.push(order.map(|at| first + triangle[at]).to_vec());
        }
    }
    mesh.polygon_type_indices = vec![0; mesh.polygons.len()];
    mesh
}

fn vec3(p: Point) -> Vec3 {
    Vec3::new(p[0] as f32, p[1] as f32, 0.0)
}
