//! Where people run who run away from a group: the seeds of their potential.

use super::ground::Ground;
use crate::crowd::View;
use crate::world::{BOLDNESS, LEAST_SPEED_M_PER_S, Watch};
use crowdtune_core::math::eikonal::Eikonal;

/// The lead that people have over their chasers, by cell. The chasers' times are those of free speeds: nobody knows how crowds will
/// hold them up.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    /// The group that runs away.
    group: u16,
    /// The chasers.
    from: u16,
    watch: Watch,
    /// Their times, s, at 1 m/s on flat ground.
    front: Eikonal,
    first: Vec<(usize, f64)>,
}

impl Flight {
    /// For a group that runs away from another one. `slopes` is the share of the free speed, by direction and cell; empty on flat ground.
    pub fn new(ground: &Ground, slopes: &[Vec<f64>; 4], group: u16, from: u16) -> Self {
        let mut front = Eikonal::default();
        front.resize(ground.columns, ground.rows);
        front.set_costs(|i, j| {
            let c = j * ground.columns + i;
            // Chasers come out of the neighbor, against the direction of the face; the speed into a cell counts.
            let cost = |face: usize, length: f64| match ground.beside(c, face) {
                Some(_) if ground.joined[c] & (1 << face) != 0 => {
                    length / slopes[(face + 2) % 4].get(c).copied().unwrap_or(1.0)
                }
                _ => f64::INFINITY,
            };
            [0, 1, 2, 3].map(|face| cost(face, if face % 2 == 0 { ground.size.x } else { ground.size.y }))
        });
        Self { group, from, watch: Watch::default(), front, first: Vec::new() }
    }

    /// Fills the seeds of the potential, if somebody whom the model steers is afraid and one of the chasers has moved by a cell: every
    /// cell that they can reach, minus their time to there times the own speed over theirs times [`BOLDNESS`], as the length of a way, m.
    pub fn look(&mut self, view: &View<'_>, ground: &Ground, seeds: &mut Vec<(usize, f64)>) {
        let Self { group, from, watch, front, first } = self;
        let (crowd, world) = (view.crowd, view.world);
        let of = |group: u16| (0..crowd.len()).filter(move |&i| crowd.group[i] == group);
        if !of(*group).any(|row| view.is_afraid(row) && view.steers(row)) {
            return;
        }
        if !watch.look(of(*from).map(|i| (crowd.id[i], crowd.pos[i])), ground.size.x.max(ground.size.y)) {
            return;
        }
        first.clear();
        for &p in &watch.now {
            ground.seen(world, p, |c, way| first.push((c, way)));
        }
        front.solve(first);
        let mean = |group: u16| crowd.mean_desired_speed(group);
        let worth = BOLDNESS * mean(*group) / mean(*from).max(LEAST_SPEED_M_PER_S);
        seeds.clear();
        for j in 0..ground.rows {
            for i in 0..ground.columns {
                let time = front.time(i, j);
                if time < f64::INFINITY {
                    seeds.push((j * ground.columns + i, -worth * time));
                }
            }
        }
    }
}
