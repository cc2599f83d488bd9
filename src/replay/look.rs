//! What was measured of a run by some time.

use serde::{Deserialize, Serialize};

/// Values and losses at a time, a column each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Simulated time, s.
    pub time: f64,
    /// The value of each column so far; `None` where there is none yet.
    pub values: Vec<Option<f64>>,
    /// The loss of each target if the run ended now; `None` for measures.
    pub losses: Vec<Option<f64>>,
}

/// As many looks as people can tell apart, the last one always, with numbers to four digits.
pub(super) fn few(looks: &[Look], most: usize) -> Vec<Look> {
    let every = looks.len().div_ceil(most).max(1);
    let last = looks.len().saturating_sub(1);
    let kept = looks.iter().enumerate().filter(|(at, _)| at % every == 0 || *at == last);
    kept.map(|(_, look)| look.rounded()).collect()
}

impl Look {
    fn rounded(&self) -> Self {
        let short = |x: &Option<f64>| x.map(|x| format!("{x:.3e}").parse().unwrap_or(x));
        let time = (self.time * 1e3).round() / 1e3;
        Self { time, values: self.values.iter().map(short).collect(), losses: self.losses.iter().map(short).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_look_is_kept_and_numbers_are_short() {
        let look =
            |k: u32| Look { time: f64::from(k) / 2.0, values: vec![Some(f64::from(k) / 3.0), None], losses: vec![] };
        let looks: Vec<Look> = (0..11).map(look).collect();
        let kept = few(&looks, 4);
        assert_eq!(kept.iter().map(|l| l.time).collect::<Vec<_>>(), [0.0, 1.5, 3.0, 4.5, 5.0]);
        assert_eq!(kept[1].values, [Some(1.0), None]);
        assert_eq!(kept[4].values[0], Some(3.333));
        assert!(few(&[], 4).is_empty());
    }
}
