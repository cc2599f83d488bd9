//! A model of one's own: people slow down for whoever is close in front of them.

use crowdtune_sim::{Error, RunSetup, Scenario, Sim, Start, Steering, Update, View};

struct Careful;

impl Steering for Careful {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        for (row, &p) in view.crowd.pos.iter().enumerate() {
            let way = view.desired[row];
            let others = view.near.around(p).into_iter().flatten();
            let ahead = others.map(|slot| view.near.apart(p, view.near.pos[slot])).filter(|d| d.dot(way) > 0.0);
            let gap_m = ahead.fold(self.reach_m(), |gap, d| gap.min(d.length()));
            next.vel[row] = way * (view.crowd.desired_speed[row] * ((gap_m - 0.6) / 1.4).clamp(0.0, 1.0));
        }
    }
    fn reach_m(&self) -> f64 {
        2.0
    }
}

fn main() -> Result<(), Error> {
    let corridor = Scenario::of_kind("corridor", &[("directions", &"one"), ("count", &20)])?;
    let start = Start::new(RunSetup { max_overlap_share: 2.0, ..RunSetup::new(corridor, 0.1) })?;
    let mut sim = Sim::new(start, Box::new(Careful));
    (0..300).try_for_each(|_| sim.step())?;
    let speed = sim.crowd().vel.iter().map(|v| v.length()).sum::<f64>() / sim.crowd().len() as f64;
    println!("after {:.0} s they walk at {speed:.2} m/s", sim.time_s());
    Ok(())
}
