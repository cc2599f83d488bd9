//! The social force model of Helbing, Farkas and Vicsek (Nature 407, 487, 2000) with body contact, panic and herding.

mod by_row;
mod close;
mod constants;
mod pairs;
pub(super) mod params;
mod reactions;

use super::headway::Headway;
use super::{MakeModel, ModelSetup, Symmetry, everywhere};
use crate::crowd::{Looks, RowMap, Steering, Update, View};
use by_row::ByRow;
use close::Close;
use constants::Constants;
pub use constants::felt_gap;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Settings};
use pairs::{Felt, Pairs};
use params::PAPER;
use reactions::Reactions;

/// The model's entry.
pub static ENTRY: Entry<MakeModel> = Entry {
    name: "social_force",
    doc: "People driven to their desired velocity, repelled by others and walls, with body contact and sliding friction.",
    source: PAPER,
    params: params::PARAMS,
    make: MakeModel {
        make: &|setup, settings| Box::new(SocialForce::new(setup, settings)),
        fits: everywhere,
        time_step_s: 0.01,
        max_time_step_s: 0.02,
        person_step_s: 50e-9,
        integrator: "semi-implicit Euler, drive and contact implicit",
        alone: None,
        mirror: Symmetry::UpToRounding("sums round differently in a mirrored scene, and a crowd at a door is chaotic"),
        renumber: Symmetry::UpToRounding("neighbors are summed in another order, and a crowd at a door is chaotic"),
    },
};

/// One run of the model.
struct SocialForce {
    reach: f64,
    reactions: Reactions,
    felt: Felt,
    close: Close,
    /// Desired direction of the last step and of this one, by row; only used with panic.
    direction: Vec<Vec2>,
    next_direction: Vec<Vec2>,
}

impl SocialForce {
    fn new(setup: &ModelSetup<'_>, settings: &[Settings<'_>]) -> Self {
        let groups: Vec<Constants> = settings.iter().map(|s| Constants::new(s, setup.min_mass_kg)).collect();
        let largest = |f: fn(&Constants) -> f64| groups.iter().map(f).fold(0.0, f64::max);
        let feels = 2.0 * setup.max_radius_m + largest(|c| c.feels);
        let herds = largest(|c| if c.panic > 0.0 { c.herding_radius } else { 0.0 });
        let headway = Headway::new(settings);
        Self {
            reach: feels.max(herds).max(headway.as_ref().map_or(0.0, Headway::reach_m)),
            reactions: Reactions::new(groups, headway, setup, &settings[0]),
            felt: Felt::default(),
            close: Close::default(),
            direction: Vec::new(),
            next_direction: Vec::new(),
        }
    }

    /// True if somebody may herd.
    fn panics(&self) -> bool {
        self.reactions.groups.iter().any(|c| c.panic > 0.0)
    }

    /// Herding: e_i = Norm[(1 - p) e_i + p <e_j>], with the neighbors' desired directions of the last step. People who
    /// see their goal follow nobody, because herding is about not knowing the way.
    fn herd(&mut self, view: &View<'_>) {
        let n = view.crowd.len();
        if self.direction.len() < n {
            // Newcomers follow nobody yet.
            self.direction.extend_from_slice(&view.desired[self.direction.len()..]);
        }
        self.next_direction.resize(n, Vec2::ZERO);
        let near = view.near;
        for slot in 0..near.len() {
            let row = near.row[slot] as usize;
            let own = view.desired[row];
            let c = self.reactions.groups[view.crowd.group[row] as usize];
            let mut e = own;
            if c.panic > 0.0 && !view.sees_goal[row] && view.steers(row) {
                let (mut sum, mut count) = (Vec2::ZERO, 0.0);
                let reach2 = c.herding_radius * c.herding_radius;
                for other in near.around(near.pos[slot]).into_iter().flatten() {
                    if other != slot && near.apart(near.pos[slot], near.pos[other]).length2() <= reach2 {
                        sum += self.direction[near.row[other] as usize];
                        count += 1.0;
                    }
                }
                // Opposite directions have a short mean: a divided crowd is less persuasive.
                let mean = if count > 0.0 { sum / count } else { own };
                e = (own * (1.0 - c.panic) + mean * c.panic).unit().unwrap_or(own);
            }
            self.next_direction[row] = e;
        }
        std::mem::swap(&mut self.direction, &mut self.next_direction);
    }
}

impl Steering for SocialForce {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        let (crowd, near) = (view.crowd, view.near);
        let panics = self.panics();
        if panics {
            self.herd(view);
        }
        let Self { reactions, felt, close, direction, .. } = self;
        let direction = if panics { &direction[..] } else { view.desired };
        reactions.begin(view, direction);
        if reactions.giving.is_some() {
            felt.groups(near, &crowd.group);
        }
        let walled = !view.world.walls.segments().is_empty();
        let (mut cells, mut done) = (near.cells(), 0);
        while done < crowd.len() {
            let pairs = Pairs {
                near,
                cells: &mut cells,
                groups: &reactions.groups,
                group: &crowd.group,
                by_row: ByRow { crowd, direction, next_vel: &*next.vel, walled },
                steered: view.steered,
                giving: reactions.giving.as_ref(),
                sums_pushes: reactions.counts_pushes(),
                felt: &mut *felt,
            };
            let people = pairs.next();
            close.find(view, &reactions.groups, reactions.law(view.dt), (done, felt));
            reactions.react(view, (done, felt, close), direction, next);
            done += people;
        }
        reactions.end(next);
    }

    fn looks(&self) -> Looks {
        // Only herds and gaps ahead are looked for by slot.
        if self.panics() || self.reactions.headway.is_some() { Looks::Around } else { Looks::AtLanes }
    }

    fn reach_m(&self) -> f64 {
        self.reach
    }

    fn remap(&mut self, rows: &RowMap) {
        rows.apply(&mut self.direction);
        rows.apply(&mut self.reactions.past);
    }
}
