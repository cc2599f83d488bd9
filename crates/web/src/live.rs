//! A crowd that steps while somebody watches.

use crowdtune::core::math::rng::Seed;
use crowdtune::evolve::evaluate::{Watched, run_seed};
use crowdtune::evolve::{exchange, scene};
use crowdtune::search::Purpose;
use crowdtune::sim::crowd::Crowd;
use crowdtune::{Error, Experiment};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Numbers of a person in [`Live::people`].
const COLUMNS: usize = 8;

/// Which crowd.
#[derive(Clone, Debug, Deserialize)]
pub struct Place {
    /// Index of the scenario.
    pub case: usize,
    /// A candidate, as in `crowdtune evaluate`: values in the order of the genes, or an object; the published defaults without one.
    #[serde(default)]
    pub candidate: Option<Value>,
    /// A fresh seed of the report, from 0.
    #[serde(default)]
    pub replica: u32,
    /// A seed of one's own instead.
    #[serde(default)]
    pub seed: Option<u64>,
    /// True if the digest counts every step, as the golden ones do.
    #[serde(default)]
    pub every_step: bool,
}

/// Simulated time from one moment that the digest counts to the next, s. Chosen here: a crowd that is another one at a moment stays another one, and
/// hashing a thousand people takes nearly as long as a step of them.
const DIGEST_EVERY_S: f64 = 0.1;

/// A crowd, and what is measured of it.
pub struct Live {
    watched: Watched,
    people: Vec<f32>,
    /// Of ids, positions and velocities after every so many steps.
    digest: Sha256,
    every: u64,
    /// Why it cannot go on.
    failed: Option<String>,
}

impl Live {
    /// The crowd at its start, and what a page needs to know of it.
    pub fn start(experiment: &Experiment, place: &Place) -> Result<(Self, Value), Error> {
        let case = experiment.cases.get(place.case).ok_or_else(|| {
            Error::input(format!("there is no scenario {}", place.case))
                .allowed(format!("0 to {}", experiment.cases.len() - 1))
        })?;
        let genome = exchange::genome(place.candidate.clone().unwrap_or_else(|| json!({})), experiment, false)?;
        let seed = run_seed(experiment.search.seed, Purpose::Report, &case.table, place.replica);
        let seed = place.seed.map_or(seed, Seed);
        let watched = Watched::new(experiment, place.case, &experiment.space.decode(&genome), seed)?;
        let some = (DIGEST_EVERY_S / experiment.timing.time_step_s).round().max(1.0) as u64;
        let every = if place.every_step { 1 } else { some };
        let mut live = Self { watched, people: Vec::new(), digest: Sha256::new(), every, failed: None };
        live.show();
        let said = json!({
            "people": live.watched.sim().crowd().len(),
            "place": scene::place(experiment, case, &[]),
        });
        Ok((live, said))
    }

    /// See [`crate::Page::people`].
    pub fn people(&self) -> &[f32] {
        &self.people
    }

    /// Steps so often, or until it is over.
    pub fn step(&mut self, experiment: &Experiment, steps: u64) -> Value {
        for _ in 0..steps {
            if self.failed.is_some() || self.watched.is_over() {
                break;
            }
            match self.watched.step(experiment) {
                Ok(()) => {
                    let sim = self.watched.sim();
                    if sim.health().steps.is_multiple_of(self.every) {
                        hash(&mut self.digest, sim.crowd());
                    }
                }
                Err(e) => self.failed = Some(e.what().to_string()),
            }
        }
        self.show();
        let sim = self.watched.sim();
        let left: Vec<f64> = sim.exits().iter().map(|exit| exit.time_s).collect();
        json!({
            "time_s": sim.time_s(),
            "over": self.failed.is_some() || self.watched.is_over(),
            "failed": self.failed,
            "out": left.len(),
        })
    }

    /// What is known of the run by now.
    pub fn measure(&self, experiment: &Experiment) -> Value {
        json!({
            "values": self.watched.so_far(experiment),
            "losses": self.watched.losses(experiment),
            "digest": hex(&self.digest),
        })
    }

    fn show(&mut self) {
        let crowd = self.watched.sim().crowd();
        self.people.clear();
        self.people.reserve(COLUMNS * crowd.len());
        for i in 0..crowd.len() {
            let (pos, vel) = (crowd.pos[i], crowd.vel[i]);
            let (group, pressure) = (f32::from(crowd.group[i]), crowd.pressure[i]);
            let row = [pos.x, pos.y, vel.x, vel.y, crowd.radius[i]].map(|x| x as f32);
            self.people.push(crowd.id[i] as f32);
            self.people.extend(row);
            self.people.extend([group, pressure as f32]);
        }
    }
}

fn hash(digest: &mut Sha256, crowd: &Crowd) {
    for i in 0..crowd.len() {
        digest.update(crowd.id[i].to_le_bytes());
        for x in [crowd.pos[i].x, crowd.pos[i].y, crowd.vel[i].x, crowd.vel[i].y] {
            digest.update(x.to_bits().to_le_bytes());
        }
    }
}

fn hex(digest: &Sha256) -> String {
    digest.clone().finalize().iter().map(|b| format!("{b:02x}")).collect()
}
