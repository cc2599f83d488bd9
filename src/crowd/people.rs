//! Traits of people: fixed numbers or distributions, drawn per person.

use crate::math::rng::{self, ChaCha8Rng};
use crate::registry::Param;
use serde::{Deserialize, Serialize};

/// How a trait is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Distribution {
    /// The same for everybody.
    Fixed(f64),
    /// Evenly between two ends.
    Uniform {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Normal, redrawn until it falls into the clip range.
    Normal {
        /// Mean of the unclipped distribution.
        mean: f64,
        /// Standard deviation of the unclipped distribution.
        sd: f64,
        /// Accepted range.
        clip: (f64, f64),
    },
}

impl Distribution {
    /// One value. A normal distribution that misses its clip range 1000 times gives the nearer end of it.
    pub fn draw(&self, rng: &mut ChaCha8Rng) -> f64 {
        match *self {
            Self::Fixed(value) => value,
            Self::Uniform { low, high } => low + (high - low) * rng::unit(rng),
            Self::Normal { mean, sd, clip } => {
                for _ in 0..1000 {
                    let x = mean + sd * rng::normal(rng);
                    if x >= clip.0 && x <= clip.1 {
                        return x;
                    }
                }
                mean.clamp(clip.0, clip.1)
            }
        }
    }

    /// The largest value that can come out.
    pub fn max(&self) -> f64 {
        match *self {
            Self::Fixed(value) => value,
            Self::Uniform { high, .. } => high,
            Self::Normal { clip, .. } => clip.1,
        }
    }
}

/// The traits of one group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traits {
    /// Desired speed, m/s.
    pub desired_speed: Distribution,
    /// Highest speed, m/s (infinite: none).
    pub max_speed: Distribution,
    /// Body radius, m.
    pub radius: Distribution,
    /// Mass, kg.
    pub mass: Distribution,
    /// When the person starts to walk, s.
    pub start: Distribution,
}

/// The keys of the traits in `[people]`, in the order of the fields of [`Traits`], with their defaults; hard ranges
/// and sources as for model params.
pub static TRAITS: &[Param] = &[
    Param::real(
        "desired_speed_m_per_s",
        "v0",
        "m/s",
        "speed a person wants to walk with",
        "Weidmann 1993, mean of free speeds",
        1.34,
        (0.0, 20.0),
        (0.5, 2.0),
        false,
    )
    .of_group(),
    Param::real(
        "max_speed_m_per_s",
        "v_max",
        "m/s",
        "speed that an impatient person rises to, and that models with a cap do not exceed",
        "chosen here: infinite, the paper caps nothing",
        f64::INFINITY,
        (0.0, f64::INFINITY),
        (1.0, 5.0),
        false,
    )
    .of_group(),
    Param::real(
        "radius_m",
        "r",
        "m",
        "body radius; default uniform 0.25 to 0.35",
        "Helbing, Farkas, Vicsek 2000",
        0.3,
        (0.05, 1.0),
        (0.15, 0.35),
        false,
    )
    .of_group(),
    Param::real(
        "mass_kg",
        "m",
        "kg",
        "body mass",
        "Helbing, Farkas, Vicsek 2000",
        80.0,
        (1.0, 500.0),
        (50.0, 110.0),
        false,
    )
    .of_group(),
    Param::real(
        "start_time_s",
        "",
        "s",
        "when a person starts to walk; until then the person wants to stand, and can be pushed",
        "chosen here: everybody starts at once",
        0.0,
        (0.0, 1e6),
        (0.0, 60.0),
        false,
    )
    .of_group(),
];

/// The published traits: [`TRAITS`] with the radius uniform between 0.25 and 0.35 m.
pub fn published() -> Traits {
    Traits {
        desired_speed: Distribution::Fixed(1.34),
        max_speed: Distribution::Fixed(f64::INFINITY),
        radius: Distribution::Uniform { low: 0.25, high: 0.35 },
        mass: Distribution::Fixed(80.0),
        start: Distribution::Fixed(0.0),
    }
}
