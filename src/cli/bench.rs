//! `crowdtune bench`: speed of one thread on a fixed workload, as one JSON line.

use super::options::whole;
use super::output;
use crate::bench::{self, Done, Sizes, Work};
use crate::limits;
use crate::registry::Registry;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_core::math::lanes;
use crowdtune_core::registry::List;
use crowdtune_sim::models::MODELS;

/// Measure the speed of one thread on a benchmark workload; prints one JSON line
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// W1 (room, 200 people), W2 (open field, 1000 or 5000), W3a (circle, 250) or W3b (disc, 1000 or 10000, both ORCA), W4 or
    /// W4b (flock on a torus, 1000 or 10000), W5 (continuum, 3000 people on 40 x 40 cells), W5-groups (the same with group
    /// dynamics), W6-open or W6-obst (eikonal, 80 x 80 cells)
    workload: String,
    /// Number of people instead of the workload's own
    #[arg(long, value_name = "N", value_parser = whole::<u64>(&limits::AGENTS))]
    agents: Option<u64>,
    /// Number of steps instead of the workload's own
    #[arg(long, value_name = "N", value_parser = whole::<u64>(&limits::STEPS))]
    steps: Option<u64>,
    /// How far people look at each other in W1 and W2 instead of where the force is negligible, m
    #[arg(long, value_name = "M")]
    reach_m: Option<f64>,
    /// Cells along a side of W5 (40 or 80) and W6 (80, 512 or 1000)
    #[arg(long, value_name = "CELLS", value_parser = clap::value_parser!(u32).range(1..=4000))]
    side: Option<u32>,
    /// Model that steers the people of W2, with its published constants and its own step, instead of social_force
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Runs; the median is printed
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole::<u64>(&limits::ROUNDS))]
    repeat: u64,
}

/// Runs the command.
///
/// # Errors
/// If there is no such workload, or a size makes no sense for it.
pub fn run(args: &Args, _: &Registry) -> Result<(), Error> {
    let model = args.model.as_ref().map(|name| List::new("model", MODELS).get(name).map_err(|e| e.key("--model")));
    let sizes = Sizes {
        model: model.transpose()?,
        agents: args.agents.map(|n| n as usize),
        steps: args.steps,
        side: args.side.map(|n| n as usize),
        reach_m: args.reach_m,
    };
    let work = bench::named(&args.workload, &sizes)?;
    let done = median(args.repeat, work.as_ref())?;
    let mut line = serde_json::json!({
        "program": "crowdtune",
        "steps": done.steps,
        "seconds": done.seconds,
        "agent_steps_per_s": done.agent_steps as f64 / done.seconds,
        "agent_steps": done.agent_steps,
        "instructions": format!("{:?}", lanes::chosen()).to_lowercase(),
        "check": done.check,
    });
    let own = work.line(&done);
    for (key, value) in own.as_object().into_iter().flatten() {
        line[key] = value.clone();
    }
    output::line(line)
}

/// The run with the median time.
fn median(repeat: u64, work: &dyn Work) -> Result<Done, Error> {
    let start = cpu_time::ProcessTime::now();
    let clock = || start.elapsed().as_secs_f64();
    let mut runs = (0..repeat).map(|_| work.run(&clock)).collect::<Result<Vec<_>, _>>()?;
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Ok(runs[runs.len() / 2])
}
