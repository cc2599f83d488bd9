//! Group dynamics of Yang, He and Rao (2017): people walk down the potential of a continuum crowd, follow each other
//! inside groups that form by themselves, and keep away from the hulls of other groups.

mod follow;
mod grouping;
mod lateral;
mod leaders;
mod local;
mod params;

use super::continuum::classes;
use super::continuum::fields::{Fields, Layout, SpeedLaw, Weights};
use super::continuum::spacing::Spacing;
use super::continuum::splat;
use super::giving::Giving;
use super::keep_off::keep_off;
use super::{MakeModel, ModelSetup, Symmetry, parting};
use crate::crowd::{RowMap, Status, Steering, Update, View};
use crate::world::scenario::Stage;
use crowdtune_core::math::{Vec2, lanes};
use crowdtune_core::registry::{Entry, Settings};
use follow::{History, Law};
use grouping::{ALONE, Grouping};
use lateral::{Between, Lateral, Party};
use leaders::{NOBODY, Search, Seekers};
use local::{Felt, Field, Member, Shape, Shapes};

/// The model's entry.
pub static ENTRY: Entry<MakeModel> = Entry {
    name: "group_dynamics",
    doc: "People walk down a crowd's potential, form groups by position and velocity, follow each other inside them \
         and keep away from other groups.",
    source: "Yang, He, Rao, Group behavior simulation based on group dynamics, J. Image and Graphics 22 (2017)",
    params: params::PARAMS,
    make: MakeModel {
        make: &|setup, settings| Box::new(GroupDynamics::new(setup, settings)),
        fits: classes::fits,
        time_step_s: 0.1,
        max_time_step_s: 0.25,
        person_step_s: 50e-9,
        integrator: "explicit Euler; velocities follow the fields at once",
        alone: None,
        mirror: Symmetry::Statistically("the grid begins at one corner, and sides are drawn by id"),
        renumber: Symmetry::Statistically("the side to which people are pushed is drawn by id"),
    },
};

/// f = A - B rho (equation 2).
#[derive(Clone, Copy, Debug)]
struct Greenshields {
    free: f64,
    slope: f64,
    /// What one person can add to the density of a neighboring cell, 1/m2; subtracted, so that nobody slows down for
    /// their own body.
    own: f64,
    least: f64,
}

impl SpeedLaw for Greenshields {
    #[inline(always)]
    fn speed(&self, density: f64, _along: f64, _free: f64, ground: f64) -> f64 {
        let others = if density > self.own { density - self.own } else { 0.0 };
        let speed = (self.free - self.slope * others) * ground;
        if speed > self.least { speed } else { self.least }
    }
}

/// Constants of one group.
#[derive(Clone, Copy, Debug)]
struct Constants {
    field: Field,
    lateral_share: f64,
    perception: f64,
}

impl Constants {
    fn new(s: &Settings<'_>) -> Self {
        Self {
            field: Field {
                reach_m: s.get("field_reach_m"),
                scale_m_per_s: s.get("field_scale_m_per_s"),
                least_m: s.get("field_floor_m"),
            },
            lateral_share: s.get("lateral_share"),
            perception: s.get("perception_m"),
        }
    }
}

/// How members of one group follow.
fn law_of(s: &Settings<'_>) -> Law {
    Law {
        weight: s.get("follow_weight"),
        exponent: s.get("follow_exponent"),
        reaction_s: s.get("reaction_s"),
        ahead_cos: libm::cos(s.get("leader_angle_deg").to_radians()),
        within_m: s.get("leader_distance_m"),
    }
}

/// Cells between a person and the farthest leader or group member. Chosen here: with fewer cells each holds too many
/// people, with more there are too many to visit.
const RINGS: f64 = 3.0;

/// One run of the model.
struct GroupDynamics {
    fields: Fields,
    laws: Vec<Greenshields>,
    weights: Vec<Weights>,
    groups: Vec<Constants>,
    giving: Option<Giving>,
    rule: grouping::Rule,
    aside: lateral::Rule,
    look_ahead: f64,
    /// Distance from a group's bodies at which the center of the largest person still feels it, m.
    field_reach: f64,
    journeys: Vec<Vec<Stage>>,
    grouping: Grouping,
    seekers: Seekers,
    /// Row of the leader of each row, or [`NOBODY`].
    leader: Vec<u32>,
    /// How people follow, by group of the scenario.
    follow: Vec<Law>,
    members: Vec<Member>,
    /// Start of each label's members.
    first: Vec<u32>,
    shapes: Shapes,
    lateral: Lateral,
    history: History,
    /// `None` without a minimum distance.
    spacing: Option<Spacing>,
    /// Cell width of the neighbor lookup, m.
    reach: f64,
    max_radius: f64,
}

impl GroupDynamics {
    fn new(setup: &ModelSetup<'_>, settings: &[Settings<'_>]) -> Self {
        let shared = &settings[0];
        let layout = Layout {
            cell_m: shared.get("cell_m"),
            exponent: shared.get("splat_exponent"),
            prediction_s: if shared.on("prediction") { shared.get("prediction_s") } else { 0.0 },
        };
        let fields = Fields::new(setup.scenario, layout);
        let own = splat::at_least(layout.exponent) / fields.ground.area();
        let law = |s: &Settings<'_>| {
            let (free, least) = (s.get("free_speed_m_per_s"), s.get("least_speed_m_per_s"));
            Greenshields { free, slope: s.get("crowding_m3_per_s"), own, least: least.min(free) }
        };
        let spacing = Spacing::of(shared);
        let rule = grouping::Rule {
            distance_m: shared.get("group_distance_m"),
            speed_m_per_s: shared.get("group_speed_m_per_s"),
            hold: shared.get("group_hold"),
            least: shared.whole("group_least").max(1) as usize,
        };
        let groups: Vec<Constants> = settings.iter().map(Constants::new).collect();
        let follow: Vec<Law> = settings.iter().map(law_of).collect();
        let follows = follow.iter().fold(0.0, |most: f64, law| most.max(law.within_m));
        let spaced = spacing.as_ref().map_or(0.0, |spacing| spacing.reach_m(setup.max_radius_m));
        Self {
            reach: ((rule.hold * rule.distance_m).max(follows) / RINGS).max(spaced),
            max_radius: setup.max_radius_m,
            laws: settings.iter().map(law).collect(),
            weights: settings.iter().map(Weights::of).collect(),
            journeys: setup.scenario.groups.iter().map(|g| setup.scenario.world.journey(g)).collect(),
            aside: lateral::Rule { opposite_cos: shared.get("opposite_cos"), hold_s: shared.get("lateral_hold_s") },
            look_ahead: shared.get("look_ahead_s"),
            field_reach: shared.get("field_reach_m") + setup.max_radius_m,
            lateral: Lateral::new(setup.seed),
            fields,
            groups,
            giving: Giving::of(setup.scenario),
            follow,
            rule,
            spacing,
            grouping: Grouping::default(),
            seekers: Seekers::default(),
            leader: Vec::new(),
            members: Vec::new(),
            first: Vec::new(),
            shapes: Shapes::default(),
            history: History::default(),
        }
    }

    /// Finds the groups and their shapes.
    fn group(&mut self, view: &View<'_>) {
        self.grouping.update(view.near, &self.rule);
        self.sort_members(view);
        for group in self.members.chunk_by_mut(|a, b| a.label == b.label) {
            let first = group[0].pos;
            group.iter_mut().for_each(|m| m.pos = first + view.world.apart(first, m.pos));
        }
        self.shapes.make(&self.members, self.look_ahead, self.field_reach);
    }

    /// Sorts members by label, then by row.
    fn sort_members(&mut self, view: &View<'_>) {
        let crowd = view.crowd;
        let labels = self.grouping.labels();
        self.first.clear();
        let most = labels.iter().filter(|&&label| label != ALONE).max().map_or(0, |&label| label as usize + 1);
        self.first.resize(most + 2, 0);
        for &label in labels.iter().filter(|&&label| label != ALONE) {
            self.first[label as usize + 2] += 1;
        }
        for k in 1..self.first.len() {
            self.first[k] += self.first[k - 1];
        }
        let nobody = Member { label: ALONE, id: 0, group: 0, pos: Vec2::ZERO, vel: Vec2::ZERO, radius_m: 0.0 };
        self.members.clear();
        self.members.resize(self.first[self.first.len() - 1] as usize, nobody);
        for (row, &label) in labels.iter().enumerate().filter(|(_, label)| **label != ALONE) {
            let at = &mut self.first[label as usize + 1];
            self.members[*at as usize] = Member {
                label,
                id: crowd.id[row],
                group: crowd.group[row],
                pos: crowd.pos[row],
                vel: crowd.vel[row],
                radius_m: crowd.radius[row],
            };
            *at += 1;
        }
    }

    /// What other groups do to a person; nothing near the goal.
    fn felt(&self, view: &View<'_>, row: usize, c: &Constants) -> Felt {
        let mut felt = Felt::default();
        if self.shapes.all().is_empty() || self.is_near_goal(view, row, c.perception) {
            return felt;
        }
        let (crowd, label) = (view.crowd, self.grouping.labels()[row]);
        let own = (label, self.own(label).map_or(1, |shape| shape.members));
        let (p, r) = (crowd.pos[row], crowd.radius[row]);
        let part = |other: &Shape| parting(crowd.id[row], other.first_id);
        // A group counts as its members do on average.
        let counts = |other: &Shape| {
            let Some(giving) = &self.giving else { return 1.0 };
            let count = |&(group, people): &(u16, u32)| f64::from(people) * giving.weight(crowd.group[row], group);
            other.of.iter().map(count).sum::<f64>() / other.members as f64
        };
        felt.add(&self.shapes, &c.field, (p, r, own), part, counts);
        view.world.plan.periodic.images(|shift| felt.add(&self.shapes, &c.field, (p + shift, r, own), part, counts));
        felt
    }

    /// The shape of a label.
    fn own(&self, label: u32) -> Option<&Shape> {
        let shapes = self.shapes.all();
        shapes.binary_search_by_key(&label, |shape| shape.label).ok().map(|at| &shapes[at])
    }

    fn is_near_goal(&self, view: &View<'_>, row: usize, perception: f64) -> bool {
        if view.distance[row] < perception {
            return true;
        }
        let (crowd, world) = (view.crowd, view.world);
        let stages = &self.journeys[usize::from(crowd.group[row])];
        let Some(stage) = stages.get(usize::from(crowd.stage[row])) else { return false };
        let p = crowd.pos[row];
        stage.iter().any(|&goal| (world.goals()[goal].what.nearest(p) - p).length2() < perception * perception)
    }

    /// Finds everybody's leader.
    fn find_leaders(&mut self, view: &View<'_>) {
        let Self { seekers, leader, fields, grouping, follow, .. } = self;
        let (near, group) = (view.near, &view.crowd.group[..]);
        let labels = grouping.labels();
        seekers.begin(near.row.iter().map(|&row| labels[row as usize]));
        for slot in 0..near.len() {
            let row = near.row[slot] as usize;
            if seekers.label(slot) != ALONE && follow[usize::from(group[row])].weight != 0.0 {
                let heading = near.vel[slot].unit().or_else(|| fields.velocity[row].unit());
                seekers.heading[slot] = heading.unwrap_or(Vec2::ZERO);
            }
        }
        lanes::run(Search { near, seekers, laws: follow, group, max_radius_m: self.max_radius });
        leader.clear();
        leader.resize(near.len(), NOBODY);
        for (&row, &slot) in near.row.iter().zip(&seekers.leader) {
            leader[row as usize] = near.row.get(slot as usize).map_or(NOBODY, |&row| row);
        }
    }

    /// Velocity for following the nearest leader of the group; `v0` without a leader.
    fn followed(&self, view: &View<'_>, row: usize, v0: Vec2) -> Vec2 {
        let crowd = view.crowd;
        let law = &self.follow[usize::from(crowd.group[row])];
        let leader = self.leader[row] as usize;
        if leader == NOBODY as usize {
            return v0;
        }
        let Some(heading) = crowd.vel[row].unit().or_else(|| v0.unit()) else { return v0 };
        let bodies_m = crowd.radius[row] + crowd.radius[leader];
        let along_m = heading.dot(view.near.apart(crowd.pos[row], crowd.pos[leader]));
        let dv = (self.history.delayed(leader) - self.history.delayed(row)).dot(heading);
        law.velocity(v0, heading, law.acceleration(dv, along_m, bodies_m), v0.length())
    }

    /// The velocity of somebody.
    fn lead(&mut self, view: &View<'_>, row: usize) -> Vec2 {
        let crowd = view.crowd;
        let v0 = self.fields.velocity[row];
        let most = v0.length();
        if crowd.status[row] != Status::Walking || most == 0.0 {
            return Vec2::ZERO;
        }
        let c = self.groups[usize::from(crowd.group[row])];
        let felt = self.felt(view, row, &c);
        let mut vel = self.followed(view, row, v0) + felt.push;
        if let Some(other) = felt.by {
            let own = self.own(self.grouping.labels()[row]).map_or_else(
                || Party { members: 1, speed_m_per_s: crowd.vel[row].length(), first_id: crowd.id[row] },
                Shape::party,
            );
            let between = Between { row, global: v0, local: felt.push, own, other };
            vel += self.lateral.push(&self.aside, &between, c.lateral_share * most, view.step as f64 * view.dt);
        }
        let speed = vel.length();
        let vel = if speed > most { vel * (most / speed) } else { vel };
        keep_off(&view.world.walls, (crowd.pos[row], crowd.radius[row]), vel, view.dt)
    }
}

impl Steering for GroupDynamics {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        self.fields.update(view, &self.laws, &self.weights);
        self.history.record(&view.crowd.vel, self.follow[0].reaction_s, view.dt);
        self.lateral.resize(view.crowd.len());
        self.group(view);
        self.find_leaders(view);
        for row in (0..view.crowd.len()).filter(|&row| view.steers(row)) {
            next.vel[row] = self.lead(view, row);
        }
        if let Some(spacing) = &mut self.spacing {
            spacing.spread(view, next);
        }
    }

    fn reach_m(&self) -> f64 {
        self.reach
    }

    fn needs_distance(&self) -> bool {
        true
    }

    fn remap(&mut self, rows: &RowMap) {
        self.grouping.remap(rows);
        self.lateral.remap(rows);
        self.history.remap(rows);
    }
}
