//! From what is wanted to how the value of a case is judged.

use super::Wanted;
use crowdtune_search::Rule;

impl Wanted {
    /// How values of a case with these `each` keys are judged; `None` for a curve that has no point there.
    ///
    /// A point belongs to a case if their values of the key differ by less than 1e-9, relative above 1.
    pub fn rule(&self, axes: &[(String, f64)]) -> Option<Rule> {
        Some(match *self {
            Self::Minimize { good, bad } | Self::Maximize { good, bad } => Rule::Slope { good, bad },
            Self::Equals { value, tolerance, squares } => around(value, tolerance, squares),
            Self::Between { low, high } => Rule::Band { low, high, unit: (high - low) / 2.0 },
            Self::AtMost { limit, scale } => Rule::Band { low: f64::NEG_INFINITY, high: limit, unit: scale },
            Self::AtLeast { limit, scale } => Rule::Band { low: limit, high: f64::INFINITY, unit: scale },
            Self::Like { tolerance, .. } => Rule::Band { low: f64::NEG_INFINITY, high: tolerance, unit: tolerance },
            Self::Points { ref over, ref points, squares } => {
                let &(_, x) = axes.iter().find(|(key, _)| key == over)?;
                // Chosen here: wider than the rounding of decimals, narrower than any step a file would take.
                let here = |at: f64| (at - x).abs() < 1e-9 * x.abs().max(1.0);
                let &(_, value, tolerance) = points.iter().find(|&&(at, _, _)| here(at))?;
                around(value, tolerance, squares)
            }
        })
    }

    /// Loss of the value of a case; `None` for a curve that has no point there.
    pub fn loss(&self, axes: &[(String, f64)], value: f64) -> Option<f64> {
        self.rule(axes).map(|rule| rule.loss(value))
    }

    /// [`Rule::line`] of the value of a case; `None` for a curve that has no point there.
    pub fn line(&self, axes: &[(String, f64)], value: f64) -> Option<f64> {
        self.rule(axes).map(|rule| rule.line(value))
    }

    /// What is wanted of a case, lower and upper end, infinite where there is none; `None` for `minimize`, `maximize`
    /// and a curve that has no point there.
    pub fn band(&self, axes: &[(String, f64)]) -> Option<(f64, f64)> {
        self.rule(axes).and_then(Rule::band)
    }
}

fn around(value: f64, tolerance: f64, squares: bool) -> Rule {
    if squares {
        return Rule::Squares { value, unit: tolerance };
    }
    Rule::Band { low: value - tolerance, high: value + tolerance, unit: tolerance }
}

#[cfg(test)]
mod tests {
    use super::super::Distance;
    use super::*;

    fn loss(wanted: &Wanted, value: f64) -> f64 {
        wanted.loss(&[], value).unwrap()
    }

    #[test]
    fn minimize_and_maximize_cost_nothing_from_good_on() {
        let small = Wanted::Minimize { good: 40.0, bad: 120.0 };
        assert_eq!([20.0, 40.0, 80.0, 120.0, 200.0].map(|v| loss(&small, v)), [0.0, 0.0, 0.5, 1.0, 2.0]);
        let large = Wanted::Maximize { good: 3.0, bad: 1.0 };
        assert_eq!([4.0, 3.0, 2.0, 1.0, -1.0].map(|v| loss(&large, v)), [0.0, 0.0, 0.5, 1.0, 2.0]);
        assert!(loss(&large, 3.0).is_sign_positive() && loss(&large, f64::NAN).is_nan());
        assert_eq!([small.line(&[], 20.0), large.line(&[], 4.0)], [Some(-0.25), Some(-0.5)]);
        assert_eq!(small.band(&[]), None);
    }

    #[test]
    fn bands_cost_nothing_inside_and_a_unit_per_tolerance_outside() {
        let equals = Wanted::Equals { value: 2.0, tolerance: 0.5, squares: false };
        assert_eq!([0.5, 1.5, 2.0, 2.5, 3.5].map(|v| loss(&equals, v)), [2.0, 0.0, 0.0, 0.0, 2.0]);
        // Half the band is 1.
        let between = Wanted::Between { low: 1.0, high: 3.0 };
        assert_eq!([-2.0, 1.0, 2.5, 3.0, 3.5].map(|v| loss(&between, v)), [3.0, 0.0, 0.0, 0.0, 0.5]);
        let at_most = Wanted::AtMost { limit: 0.5, scale: 0.5 };
        assert_eq!([-9.0, 0.5, 0.75, 1.5].map(|v| loss(&at_most, v)), [0.0, 0.0, 0.5, 2.0]);
        let at_least = Wanted::AtLeast { limit: 0.0, scale: 2.0 };
        assert_eq!([-4.0, 0.0, 9.0].map(|v| loss(&at_least, v)), [2.0, 0.0, 0.0]);
        let like = Wanted::Like { reference: vec![1.0], by: Distance::Ks, tolerance: 0.25 };
        assert_eq!([0.0, 0.25, 0.5].map(|v| loss(&like, v)), [0.0, 0.0, 1.0]);
        assert_eq!(at_most.band(&[]), Some((f64::NEG_INFINITY, 0.5)));
        assert!(loss(&equals, f64::NAN).is_nan());
    }

    #[test]
    fn squares_count_tolerances_without_a_band() {
        let equals = Wanted::Equals { value: 2.0, tolerance: 0.5, squares: true };
        assert_eq!([0.5, 1.5, 2.0, 2.25, 3.5].map(|v| loss(&equals, v)), [9.0, 1.0, 0.0, 0.25, 9.0]);
        assert_eq!(equals.band(&[]), Some((1.5, 2.5)));
        assert!(loss(&equals, f64::NAN).is_nan());
        let points = vec![(2.4, 6.0, 0.5), (5.0, 14.0, 1.0)];
        let curve = Wanted::Points { over: "width_m".into(), points, squares: true };
        assert_eq!(curve.loss(&[("width_m".into(), 5.0)], 12.0), Some(4.0));
        assert_eq!(curve.rule(&[("width_m".into(), 2.4)]).map(Rule::met_at), Some(1.0));
        assert_eq!(Rule::Band { low: 0.0, high: 1.0, unit: 1.0 }.met_at(), 0.0);
    }

    #[test]
    fn a_curve_is_judged_at_the_point_of_the_case() {
        let points = vec![(0.8, 1.0, 0.25), (1.0, 2.0, 0.5)];
        let curve = Wanted::Points { over: "width_m".into(), points, squares: false };
        let at = |x: f64| [("count".to_string(), 0.8), ("width_m".to_string(), x)];
        assert_eq!(curve.loss(&at(0.8), 1.5), Some(1.0));
        assert_eq!(curve.loss(&at(0.1 + 0.7), 1.5), Some(1.0));
        assert_eq!(curve.loss(&at(1.0), 1.5), Some(0.0));
        assert_eq!(curve.loss(&at(0.9), 1.5), None);
        assert_eq!(curve.loss(&[], 1.5), None);
        assert_eq!(curve.band(&at(1.0)), Some((1.5, 2.5)));
    }

    #[test]
    fn distances_of_samples() {
        assert_eq!(super::super::distance(Distance::Wasserstein, &[1.0, 3.0], &[2.0, 4.0]), Some(1.0));
        assert_eq!(super::super::distance(Distance::Ks, &[1.0, 3.0], &[2.0, 4.0]), Some(0.5));
        assert_eq!(super::super::distance(Distance::Ks, &[], &[2.0]), None);
    }
}
