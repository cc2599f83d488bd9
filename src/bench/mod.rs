//! Benchmark workloads: fixed work for one thread, the same for every program, so that speeds are ratios.
//!
//! A workload starts from closed formulas (`pattern`), so that a program in any language builds the same crowd, and it says
//! what state it ended in, so that a fast program that did less work is found out.

mod circles;
mod flock;
mod grid;
mod pattern;
mod social_force;
mod streams;
mod walkers;

use crowdtune_core::Error;
use crowdtune_core::registry::Entry as Registered;
use crowdtune_sim::models::MakeModel;
use serde::Serialize;

/// A registered model.
type ModelEntry = Registered<MakeModel>;

/// A workload by its name.
struct Entry {
    name: &'static str,
    /// True if `--side` sets its number of cells.
    has_cells: bool,
    /// True if `--reach-m` sets how far its people look.
    has_reach: bool,
    /// True if `--model` sets who steers its people.
    has_model: bool,
    make: fn(&Sizes) -> Result<Box<dyn Work>, Error>,
}

/// All workloads.
static WORKLOADS: &[Entry] = &[
    Entry { name: "W1", has_cells: false, has_reach: true, has_model: false, make: social_force::room },
    Entry { name: "W2", has_cells: false, has_reach: true, has_model: true, make: social_force::field },
    Entry { name: "W3a", has_cells: false, has_reach: false, has_model: false, make: circles::ring },
    Entry { name: "W3b", has_cells: false, has_reach: false, has_model: false, make: circles::disc },
    Entry { name: "W4", has_cells: false, has_reach: false, has_model: false, make: flock::sparse },
    Entry { name: "W4b", has_cells: false, has_reach: false, has_model: false, make: flock::dense },
    Entry { name: "W5", has_cells: true, has_reach: false, has_model: false, make: streams::continuum },
    Entry { name: "W5-groups", has_cells: true, has_reach: false, has_model: false, make: streams::groups },
    Entry { name: "W6-open", has_cells: true, has_reach: false, has_model: false, make: grid::open },
    Entry { name: "W6-obst", has_cells: true, has_reach: false, has_model: false, make: grid::obstacles },
];

/// Sizes that replace a workload's own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sizes {
    /// Number of people.
    pub(crate) agents: Option<usize>,
    /// Number of steps, or of solves.
    pub(crate) steps: Option<u64>,
    /// Cells along a side.
    pub(crate) side: Option<usize>,
    /// How far people look at each other, m.
    pub(crate) reach_m: Option<f64>,
    /// Who steers them.
    pub(crate) model: Option<&'static ModelEntry>,
}

impl Sizes {
    /// Cells along a side.
    fn side(&self, own: usize, least: usize) -> Result<usize, Error> {
        let side = self.side.unwrap_or(own);
        if side < least {
            let allowed = format!("at least {least} cells");
            return Err(Error::input("the workload needs a larger grid").key("--side").allowed(allowed));
        }
        Ok(side)
    }
}

/// Work that is timed, and says what it is.
pub(crate) trait Work {
    /// Does it once. `clock` gives seconds of CPU time.
    ///
    /// # Errors
    /// If the run is unhealthy.
    fn run(&self, clock: &dyn Fn() -> f64) -> Result<Done, Error>;

    /// Keys of the JSON line that only this workload has, or that mean something else in it.
    fn line(&self, done: &Done) -> serde_json::Value;
}

/// One run of a workload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Done {
    /// Seconds of CPU time of the stepping loop.
    pub(crate) seconds: f64,
    /// Steps done.
    pub(crate) steps: u64,
    /// Sum over steps of people present; of cells where a grid is solved.
    pub(crate) agent_steps: u64,
    /// The state at the end.
    pub(crate) check: Check,
}

/// What shows that two programs did the same work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Check {
    /// Mean x of those who are left, m.
    mean_x_m: f64,
    /// Mean y of those who are left, m.
    mean_y_m: f64,
    /// People left.
    people_left: usize,
    /// Kinetic energy of those who are left, J.
    kinetic_energy_j: f64,
    /// Mean distance of people to their own goals, m, where they have one to stay at.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_distance_to_goal_m: Option<f64>,
}

/// The workload of that name.
///
/// # Errors
/// If there is none, or a size makes no sense for it.
pub(crate) fn named(name: &str, sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    // W6 without a word is the open grid.
    let found = WORKLOADS.iter().find(|w| w.name == if name == "W6" { "W6-open" } else { name });
    let Some(workload) = found else {
        let names: Vec<&str> = WORKLOADS.iter().map(|w| w.name).collect();
        return Err(Error::input(format!("there is no workload `{name}`")).allowed(names.join(", ")));
    };
    if sizes.side.is_some() && !workload.has_cells {
        return Err(Error::input(format!("{name} has no grid")).key("--side"));
    }
    if sizes.reach_m.is_some() && !workload.has_reach {
        return Err(Error::input(format!("{name} sees as far as its model says")).key("--reach-m"));
    }
    if sizes.model.is_some() && !workload.has_model {
        return Err(Error::input(format!("{name} has a model of its own"))
            .key("--model")
            .allowed("W2 takes every model"));
    }
    (workload.make)(sizes)
}
