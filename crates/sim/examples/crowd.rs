//! A crowd in 20 lines: 60 people leave a room through a door of 1.2 m. No file, thread or clock is involved.

use crowdtune_sim::{Error, Model, RunSetup, Scenario, Sim, Start};

fn main() -> Result<(), Error> {
    let room = Scenario::of_kind("room", &[("count", &60), ("door_width_m", &1.2)])?;
    let model = Model::named("social_force", &[("relaxation_time_s", &0.4)])?;
    let start = Start::new(RunSetup::new(room, model.time_step_s()))?;
    let steering = model.make(&start)?;
    let mut sim = Sim::new(start, steering);
    while !sim.is_over() {
        sim.step()?;
    }
    let health = sim.health();
    println!("{} people left in {:.1} s, {} stayed", sim.exits().len(), sim.time_s(), health.people_left);
    println!("nobody was faster than {:.2} m/s", health.top_speed_m_per_s);
    Ok(())
}
