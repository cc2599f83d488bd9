//! Runs one peer on one workload and prints one JSON line.
//!
//! `crowdtune-peers krabmaga W4|W4b AGENTS`, `dodgy_2d W3a|W3b AGENTS`, `eikonal open|obst SIDE`, `explicit SEED`.

mod explicit;
mod flock;
mod march;
mod orca;

use serde_json::{Value, json};
use std::time::Duration;

/// What a driver measured.
struct Done {
    workload: &'static str,
    agents: usize,
    steps: u64,
    /// Sum over the steps of the agents present.
    agent_steps: u64,
    /// CPU time of the stepping loop.
    spent: Duration,
    check: Value,
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<usize>().map_err(|e| format!("`{word}`: {e}"));
    let (version, done) = match words[..] {
        ["krabmaga", name @ ("W4" | "W4b"), agents] => ("0.6.2", flock::run(name == "W4b", number(agents)?)),
        ["dodgy_2d", name @ ("W3a" | "W3b"), agents] => ("0.5.5", orca::run(name == "W3a", number(agents)?)),
        ["eikonal", place @ ("open" | "obst"), side] => ("0.1.0", march::run(place == "obst", number(side)?)?),
        ["explicit", seed] => ("f64, 1 ms", explicit::run(number(seed)? as u64)),
        _ => return Err("krabmaga W4|W4b N, dodgy_2d W3a|W3b N, eikonal open|obst SIDE, or explicit SEED".into()),
    };
    let seconds = done.spent.as_secs_f64();
    let line = json!({
        "program": words[0],
        "version": version,
        "workload": done.workload,
        "agents": done.agents,
        "steps": done.steps,
        "seconds": seconds,
        "agent_steps_per_s": done.agent_steps as f64 / seconds,
        "check": done.check,
    });
    println!("{line}");
    Ok(())
}
