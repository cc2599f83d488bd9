//! What is wanted, in words.

use super::{Distance, Wanted};

/// A number with at most four significant digits, without trailing zeros.
fn short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let digits = libm::floor(libm::log10(x.abs())) as i32;
    if !(-4..=6).contains(&digits) {
        return format!("{x:.3e}");
    }
    let text = format!("{x:.*}", (3 - digits).max(0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// How a target says that it is no band.
const SQUARES: &str = " (squares)";

impl Wanted {
    /// What is wanted, in words, with the unit of the metric: "at most 0.05 m".
    pub fn words(&self, unit: &str) -> String {
        let with = |text: String| if unit.is_empty() { text } else { format!("{text} {unit}") };
        match self {
            Self::Minimize { good, bad } => {
                with(format!("as small as possible, good {}, bad {}", short(*good), short(*bad)))
            }
            Self::Maximize { good, bad } => {
                with(format!("as large as possible, good {}, bad {}", short(*good), short(*bad)))
            }
            Self::Equals { value, tolerance, squares } => {
                with(format!("{} \u{b1} {}", short(*value), short(*tolerance))) + if *squares { SQUARES } else { "" }
            }
            Self::Between { low, high } => with(format!("{} to {}", short(*low), short(*high))),
            Self::AtMost { limit, .. } => with(format!("at most {}", short(*limit))),
            Self::AtLeast { limit, .. } => with(format!("at least {}", short(*limit))),
            Self::Points { over, points, squares } => {
                let squares = if *squares { SQUARES } else { "" };
                match points.len() {
                    1 => format!("1 point over {over}{squares}"),
                    n => format!(
                        "{n} points over {over}{squares}, each by itself; here the means over those of the search"
                    ),
                }
            }
            Self::Like { reference, by: Distance::Wasserstein, tolerance } => {
                let within = with(short(*tolerance));
                format!("like {} measured values, distance within {within} (Wasserstein)", reference.len())
            }
            Self::Like { reference, by: Distance::Ks, tolerance } => {
                let within = short(*tolerance);
                format!("like {} measured values, distance within {within} (Kolmogorov-Smirnov)", reference.len())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 0.05, 0.1 + 0.2, 1234.56, 100.0, -2.5, 2e-7, 3.25e9].map(short);
        assert_eq!(texts, ["0", "0.05", "0.3", "1235", "100", "-2.5", "2.000e-7", "3.250e9"]);
    }

    #[test]
    fn targets_read_as_sentences() {
        assert_eq!(Wanted::AtMost { limit: 0.05, scale: 0.05 }.words("m"), "at most 0.05 m");
        assert_eq!(Wanted::AtLeast { limit: 0.6, scale: 0.6 }.words(""), "at least 0.6");
        assert_eq!(Wanted::Equals { value: 1.29, tolerance: 0.129, squares: false }.words("1/s"), "1.29 ± 0.129 1/s");
        let squares = Wanted::Equals { value: 1.29, tolerance: 0.129, squares: true };
        assert_eq!(squares.words("1/s"), "1.29 ± 0.129 1/s (squares)");
        assert_eq!(Wanted::Between { low: 1.0, high: 3.0 }.words("s"), "1 to 3 s");
        let wanted = Wanted::Minimize { good: 40.0, bad: 120.0 };
        assert_eq!(wanted.words("s"), "as small as possible, good 40, bad 120 s");
        let wanted = Wanted::Like { reference: vec![1.0, 2.0], by: Distance::Wasserstein, tolerance: 0.1 };
        assert_eq!(wanted.words("s"), "like 2 measured values, distance within 0.1 s (Wasserstein)");
        let wanted =
            Wanted::Points { over: "width_m".into(), points: vec![(0.8, 1.0, 0.1), (1.0, 2.0, 0.2)], squares: false };
        let words = "2 points over width_m, each by itself; here the means over those of the search";
        assert_eq!(wanted.words("1/s"), words);
    }
}
