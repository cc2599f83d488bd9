//! `crowdtune bench`: speed of one thread on a fixed workload, as one JSON line.

use super::output;
use super::workload::Workload;
use crate::Error;
use crate::math::lanes;
use clap::Args as ClapArgs;

/// Measure the speed of one thread on a benchmark workload; prints one JSON line
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// W1 (room, 200 people), W2 (open field, 1000 or 5000), W4 or W4b (flock on a torus, 1000 or 10000)
    workload: String,
    /// Number of people instead of the workload's own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    agents: Option<u32>,
    /// Number of steps instead of the workload's own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    /// How far people look at each other in W1 and W2 instead of where the force is negligible, m
    #[arg(long, value_name = "M")]
    reach_m: Option<f64>,
    /// Runs; the median is printed
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
}

/// Runs the command.
///
/// # Errors
/// If there is no such workload.
pub fn run(args: &Args) -> Result<(), Error> {
    let mut work = Workload::named(&args.workload, args.agents.map(|n| n as usize), args.steps)?;
    if let Some(reach_m) = args.reach_m {
        work = work.reaching(reach_m)?;
    }
    let start = cpu_time::ProcessTime::now();
    let clock = || start.elapsed().as_secs_f64();
    let mut runs = Vec::new();
    for _ in 0..args.repeat {
        runs.push(work.run(&clock)?);
    }
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let done = runs[runs.len() / 2];
    let line = serde_json::json!({
        "program": "crowdtune",
        "workload": work.name,
        "agents": work.agents(),
        "steps": done.steps,
        "seconds": done.seconds,
        "agent_steps_per_s": done.agent_steps as f64 / done.seconds,
        "agent_steps": done.agent_steps,
        "reach_m": work.reach_m(),
        "neighbors": work.neighbors(work.reach_m()),
        "instructions": format!("{:?}", lanes::chosen()).to_lowercase(),
        "check": done.check,
    });
    output::line(line)
}
