//! One line of a validation: what was found, what is known, and the verdict.

use crate::evolve::summary::Figure;
use serde::{Serialize, Serializer};

/// What a result must be to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// From the first to the second number, both included.
    Within(f64, f64),
    /// At most this.
    AtMost(f64),
    /// At least this.
    AtLeast(f64),
}

impl Tolerance {
    /// True if a value is within it; a missing one is not.
    pub fn takes(self, value: f64) -> bool {
        match self {
            Self::Within(low, high) => value >= low && value <= high,
            Self::AtMost(limit) => value <= limit,
            Self::AtLeast(limit) => value >= limit,
        }
    }
}

/// How a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The result is within the tolerance.
    Holds,
    /// It is not, and the experiment says why that is right.
    ExpectedDeviation,
    /// It is not.
    FallsShort,
}

impl Verdict {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::ExpectedDeviation => "expected deviation",
            Self::FallsShort => "falls short",
        }
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.text())
    }
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What is compared.
    pub label: String,
    /// The model that ran; "" where none did.
    pub model: String,
    /// Unit of all numbers, or "".
    pub unit: &'static str,
    /// What the paper or standard says; empty where it gives no number.
    pub paper: Figure,
    /// What another program gave; empty where there is none.
    pub reference: Figure,
    /// What came out.
    pub result: Figure,
    /// What it must be.
    pub tolerance: Tolerance,
    /// Why a result outside the tolerance is right; `None`: it would be a mistake.
    pub deviation: Option<&'static str>,
    /// A remark, such as why runs failed.
    pub note: String,
}

impl Line {
    /// A line whose result must be within a tolerance.
    pub fn new(
        label: impl Into<String>,
        model: &str,
        unit: &'static str,
        result: Figure,
        tolerance: Tolerance,
    ) -> Self {
        Self {
            label: label.into(),
            model: model.into(),
            unit,
            paper: Figure::default(),
            reference: Figure::default(),
            result,
            tolerance,
            deviation: None,
            note: String::new(),
        }
    }

    /// With what the paper or standard says.
    #[must_use]
    pub fn paper(self, paper: Figure) -> Self {
        Self { paper, ..self }
    }

    /// With what the reference program says.
    #[must_use]
    pub fn reference(self, reference: Figure) -> Self {
        Self { reference, ..self }
    }

    /// With the reason why this model deviates; other models must not.
    #[must_use]
    pub fn deviates(mut self, model: &str, reason: &'static str) -> Self {
        if self.model == model {
            self.deviation = Some(reason);
        }
        self
    }

    /// With a remark.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// The verdict. A declared deviation that does not happen holds; a line without a result does not.
    pub fn verdict(&self) -> Verdict {
        match (self.result.value.is_some_and(|v| self.tolerance.takes(v)), self.deviation) {
            (true, _) => Verdict::Holds,
            (false, Some(_)) => Verdict::ExpectedDeviation,
            (false, None) => Verdict::FallsShort,
        }
    }

    /// The words beside the verdict: the reason for a deviation, or that a declared one did not happen, and the remark.
    pub fn remarks(&self) -> String {
        let reason = match (self.verdict(), self.deviation) {
            (Verdict::ExpectedDeviation, Some(reason)) => reason,
            (Verdict::Holds, Some(_)) => "holds although a deviation was declared",
            _ => "",
        };
        [reason, &self.note].into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::lab::exact;

    #[test]
    fn a_verdict_follows_from_result_and_tolerance_alone() {
        let line = |value| Line::new("t", "social_force", "s", exact(value), Tolerance::Within(26.0, 34.0));
        assert_eq!(line(26.0).verdict(), Verdict::Holds);
        assert_eq!(line(34.0).verdict(), Verdict::Holds);
        assert_eq!(line(34.1).verdict(), Verdict::FallsShort);
        assert_eq!(line(f64::NAN).verdict(), Verdict::FallsShort);
        let none = Line { result: Figure::default(), ..line(0.0) };
        assert_eq!(none.verdict(), Verdict::FallsShort);
        assert!(Tolerance::AtMost(1.0).takes(1.0) && !Tolerance::AtMost(1.0).takes(1.01));
        assert!(Tolerance::AtLeast(1.0).takes(1.0) && !Tolerance::AtLeast(1.0).takes(0.99));
    }

    #[test]
    fn a_declared_deviation_is_no_mistake_and_may_hold_and_is_of_one_model() {
        let line = |value| Line::new("t", "a", "", exact(value), Tolerance::AtMost(1.0)).deviates("a", "no brakes");
        assert_eq!((line(2.0).verdict(), line(2.0).remarks().as_str()), (Verdict::ExpectedDeviation, "no brakes"));
        assert_eq!(line(1.0).verdict(), Verdict::Holds);
        assert_eq!(line(1.0).note("x").remarks(), "holds although a deviation was declared; x");
        let other = Line::new("t", "b", "", exact(2.0), Tolerance::AtMost(1.0)).deviates("a", "no brakes");
        assert_eq!(other.verdict(), Verdict::FallsShort);
    }
}
