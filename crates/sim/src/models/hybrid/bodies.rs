//! Body contact: bodies push and rub while they overlap, solved implicitly as in the social force model.

use crate::crowd::{Status, Update, View};
use crate::models::contact::{Block, System};
use crate::models::parting;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::Settings;

/// Stiffness and friction of bodies.
#[derive(Debug)]
pub(super) struct Bodies {
    stiffness: f64,
    friction: f64,
    system: System,
}

impl Bodies {
    pub(super) fn new(s: &Settings<'_>) -> Self {
        Self {
            stiffness: s.get("body_stiffness_kg_per_s2"),
            friction: s.get("sliding_friction_kg_per_m_s"),
            system: System::default(),
        }
    }

    /// Applies one step of contact forces to everybody who overlaps a person or a wall, and writes their pressure. All
    /// others keep their velocity, bit for bit.
    pub(super) fn push(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        if self.stiffness == 0.0 && self.friction == 0.0 {
            return;
        }
        let (crowd, near, dt) = (view.crowd, view.near, view.dt);
        self.system.clear();
        for slot in 0..near.len() {
            let row = near.row[slot] as usize;
            let (p, r, v, mass) = (near.pos[slot], near.radius[slot], next.vel[row], crowd.mass[row]);
            let (mut force, mut body, mut diagonal) = (Vec2::ZERO, 0.0, Block::scaled_unit(mass));
            let (stiffness, friction) = (self.stiffness, self.friction);
            let block = |n: Vec2, overlap: f64| Block::of_normal(n, dt * dt * stiffness, dt * friction * overlap);
            for other in near.around(p).into_iter().flatten() {
                let apart = near.apart(near.pos[other], p);
                let touch = r + near.radius[other];
                if other == slot || apart.length2() >= touch * touch {
                    continue;
                }
                let d = apart.length();
                let id = |slot: usize| crowd.id[near.row[slot] as usize];
                let n = if d > 1e-9 { apart / d } else { parting(id(slot), id(other)) };
                let overlap = touch - d;
                force += n * (stiffness * overlap);
                body += stiffness * overlap;
                self.system.link(other, block(n, overlap));
            }
            view.world.walls.contacts(p, r, &mut |wall| {
                let overlap = r - wall.distance;
                force += wall.normal * (stiffness * overlap);
                body += stiffness * overlap;
                diagonal.add(block(wall.normal, overlap));
            });
            if body > 0.0 {
                next.pressure[row] = body / (std::f64::consts::TAU * r);
                self.system.row(diagonal, v * mass + force * dt, v);
            } else {
                self.system.solved(v);
            }
        }
        for (slot, &vel) in self.system.solve().iter().enumerate() {
            let row = near.row[slot] as usize;
            next.vel[row] = if next.status[row] == Status::Injured { Vec2::ZERO } else { vel };
        }
    }
}
