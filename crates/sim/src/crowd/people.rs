//! Traits of people: fixed numbers or distributions, drawn per person.

use crowdtune_core::math::rng::{self, ChaCha8Rng};
use crowdtune_core::registry::Param;

/// The distribution of a trait.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
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
    /// Normal, redrawn until the value falls into the clip range.
    Normal {
        /// Mean of the unclipped distribution.
        mean: f64,
        /// Standard deviation of the unclipped distribution.
        sd: f64,
        /// Accepted range.
        clip: (f64, f64),
    },
    /// A skewed family, redrawn until the value falls into the clip range.
    Skewed {
        /// Which.
        family: Family,
        /// Its two numbers, as the family says.
        numbers: (f64, f64),
        /// Accepted range.
        clip: (f64, f64),
    },
}

/// Families of long-tailed distributions of positive numbers; NIST TN 1822, test 1.1, asks for them as start times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Family {
    /// Shape and scale; the mean is their product.
    Gamma,
    /// Mean and standard deviation of the logarithm.
    LogNormal,
    /// Shape and scale.
    Weibull,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Gamma, Self::LogNormal, Self::Weibull];

    /// The key that files use.
    pub fn key(self) -> &'static str {
        match self {
            Self::Gamma => "gamma",
            Self::LogNormal => "log_normal",
            Self::Weibull => "weibull",
        }
    }

    /// What its two numbers are.
    pub fn numbers(self) -> &'static str {
        match self {
            Self::Gamma | Self::Weibull => "[shape, scale]",
            Self::LogNormal => "[mean of the logarithm, its standard deviation]",
        }
    }

    /// True if these are valid: both positive, except that the mean of a logarithm can be any number.
    pub fn takes(self, (a, b): (f64, f64)) -> bool {
        a.is_finite() && b.is_finite() && b > 0.0 && (a > 0.0 || self == Self::LogNormal)
    }

    /// The mean.
    pub fn mean(self, (a, b): (f64, f64)) -> f64 {
        match self {
            Self::Gamma => a * b,
            Self::LogNormal => libm::exp(a + 0.5 * b * b),
            Self::Weibull => b * libm::tgamma(1.0 + 1.0 / a),
        }
    }

    /// Share of the distribution below `x`, in [0, 1].
    pub fn share_below(self, (a, b): (f64, f64), x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        match self {
            Self::Gamma => lower_gamma(a, x / b),
            Self::LogNormal => 0.5 * libm::erfc(-(libm::log(x) - a) / (b * std::f64::consts::SQRT_2)),
            Self::Weibull => 1.0 - libm::exp(-libm::pow(x / b, a)),
        }
    }

    fn draw(self, (a, b): (f64, f64), rng: &mut ChaCha8Rng) -> f64 {
        match self {
            Self::Gamma => b * gamma(a, rng),
            Self::LogNormal => libm::exp(a + b * rng::normal(rng)),
            // Inverse of 1 - exp(-(x / scale)^shape); 1 - u is above 0.
            Self::Weibull => b * libm::pow(-libm::log(1.0 - rng::unit(rng)), 1.0 / a),
        }
    }
}

/// The regularized lower incomplete gamma function P(a, x) by its power series; Abramowitz and Stegun, eq. 6.5.29. The
/// series converges everywhere; terms grow until n is about x, which start times over their scale never make large.
fn lower_gamma(a: f64, x: f64) -> f64 {
    let first = libm::exp(a * libm::log(x) - x - libm::lgamma(a + 1.0));
    let (mut term, mut sum, mut n) = (1.0, 1.0, 0.0);
    while term > 1e-16 * sum && n < 10_000.0 {
        n += 1.0;
        term *= x / (a + n);
        sum += term;
    }
    (first * sum).min(1.0)
}

/// A gamma deviate of scale 1: Marsaglia and Tsang, ACM Trans. Math. Softw. 26, 363 (2000); for shapes below 1 with
/// their remark that gamma(a) = gamma(a + 1) u^(1/a).
fn gamma(shape: f64, rng: &mut ChaCha8Rng) -> f64 {
    if shape < 1.0 {
        let power = libm::pow(1.0 - rng::unit(rng), 1.0 / shape);
        return power * gamma(shape + 1.0, rng);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = rng::normal(rng);
        let v = 1.0 + c * x;
        if v <= 0.0 {
            continue;
        }
        let v = v * v * v;
        let u = 1.0 - rng::unit(rng);
        if libm::log(u) < 0.5 * x * x + d * (1.0 - v + libm::log(v)) {
            return d * v;
        }
    }
}

impl Distribution {
    /// Draws one value. A distribution that misses its clip range 1000 times gives the end of the range nearer to its
    /// mean.
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
            Self::Skewed { family, numbers, clip } => {
                for _ in 0..1000 {
                    let x = family.draw(numbers, rng);
                    if x >= clip.0 && x <= clip.1 {
                        return x;
                    }
                }
                family.mean(numbers).clamp(clip.0, clip.1)
            }
        }
    }

    /// The largest value that can come out.
    pub fn max(&self) -> f64 {
        match *self {
            Self::Fixed(value) => value,
            Self::Uniform { high, .. } => high,
            Self::Normal { clip, .. } | Self::Skewed { clip, .. } => clip.1,
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
    Param::real("desired_speed_m_per_s", "m/s", 1.34)
        .symbol("v0")
        .range(0.0, 20.0)
        .search(0.5, 2.0)
        .doc("speed at which a person wants to walk")
        .source("Weidmann 1993, mean of free speeds")
        .of_group(),
    Param::real("max_speed_m_per_s", "m/s", f64::INFINITY)
        .symbol("v_max")
        .range(0.0, f64::INFINITY)
        .search(1.0, 5.0)
        .doc("highest speed: impatient people rise to it, and models with a speed cap keep below it")
        .source("chosen here: infinite, as in the paper")
        .of_group(),
    Param::real("radius_m", "m", 0.3)
        .symbol("r")
        .range(0.05, 5.0)
        .search(0.15, 0.35)
        .doc("body radius; by default uniform between 0.25 and 0.35")
        .source("Helbing, Farkas, Vicsek 2000")
        .of_group(),
    Param::real("mass_kg", "kg", 80.0)
        .symbol("m")
        .range(1.0, 500.0)
        .search(50.0, 110.0)
        .doc("body mass")
        .source("Helbing, Farkas, Vicsek 2000")
        .of_group(),
    Param::real("start_time_s", "s", 0.0)
        .range(0.0, 1e6)
        .search(0.0, 60.0)
        .doc("when a person starts to walk; until then they want to stand still but can be pushed")
        .source("chosen here: everybody starts at once")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::rng::Seed;
    use crowdtune_core::math::stats;

    fn sample(family: Family, numbers: (f64, f64)) -> Vec<f64> {
        let mut rng = Seed(3).rng();
        let all = Distribution::Skewed { family, numbers, clip: (0.0, 1e9) };
        (0..20_000).map(|_| all.draw(&mut rng)).collect()
    }

    #[test]
    fn skewed_families_have_the_moments_of_their_formulas() {
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 0.03, "{a} is not about {b}");
        // Mean a b, variance a b^2, also below a shape of 1.
        for (a, b) in [(1.291, 103.901), (0.4, 2.0)] {
            let x = sample(Family::Gamma, (a, b));
            near(stats::mean(&x), a * b);
            near(stats::sd(&x), b * a.sqrt());
            near(Family::Gamma.share_below((a, b), stats::median(&x)), 0.5);
        }
        let x = sample(Family::LogNormal, (4.586, 0.967));
        near(stats::median(&x), libm::exp(4.586));
        near(stats::quantile(&x, 0.841_344_7), libm::exp(4.586 + 0.967));
        // Median scale ln(2)^(1 / shape); 63.2 % below the scale.
        let x = sample(Family::Weibull, (1.195, 139.285));
        near(stats::median(&x), 139.285 * libm::pow(std::f64::consts::LN_2, 1.0 / 1.195));
        near(stats::quantile(&x, 0.632_120_6), 139.285);
        near(stats::mean(&x), Family::Weibull.mean((1.195, 139.285)));
        // An exponential distribution is a member of both families.
        for family in [Family::Gamma, Family::Weibull] {
            near(family.share_below((1.0, 2.0), 3.0), 1.0 - libm::exp(-1.5));
            assert_eq!(family.mean((1.0, 2.0)), 2.0);
        }
        assert_eq!(Family::LogNormal.share_below((0.0, 1.0), 1.0), 0.5);
    }

    #[test]
    fn a_clip_that_is_never_met_gives_its_end_nearer_to_the_mean() {
        let far = |clip| Distribution::Skewed { family: Family::Weibull, numbers: (5.0, 1.0), clip };
        assert_eq!(far((1e6, 2e6)).draw(&mut Seed(1).rng()), 1e6);
        assert_eq!(far((0.0, 1e-12)).draw(&mut Seed(1).rng()), 1e-12);
        assert_eq!(far((0.0, 7.0)).max(), 7.0);
    }
}
