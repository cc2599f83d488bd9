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
    /// It is within what our own reference program gives, and not within what the paper asks for, or the paper prints
    /// no number.
    AgreesWithReference,
    /// It is within neither, and another line of the experiment shows the limit of the published model that is to blame.
    ExpectedDeviation,
    /// It is not, or the runs cannot be trusted.
    FallsShort,
}

impl Verdict {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::AgreesWithReference => "agrees with the reference, not with the paper",
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

/// Why a published model misses a tolerance, and the line that shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// The reason.
    pub reason: &'static str,
    /// What the other line compares.
    pub shown_by: String,
    /// True if the other line holds; else the reason excuses nothing.
    pub shown: bool,
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
    /// What it must be by the paper or the standard; `None` where they say nothing.
    pub tolerance: Option<Tolerance>,
    /// What our own reference program allows; `None` where there is none.
    pub near_reference: Option<Tolerance>,
    /// Why a result outside the tolerance is a limit of the published model; `None`: it would be a mistake.
    pub deviation: Option<Cause>,
    /// Why the runs behind the result cannot be trusted, "" if they can; `None` until somebody looked, and then the line
    /// does not hold.
    pub runs: Option<String>,
    /// A remark.
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
            tolerance: Some(tolerance),
            near_reference: None,
            deviation: None,
            runs: None,
            note: String::new(),
        }
    }

    /// With what the paper or standard says.
    #[must_use]
    pub fn paper(self, paper: Figure) -> Self {
        Self { paper, ..self }
    }

    /// With what another program says.
    #[must_use]
    pub fn reference(self, reference: Figure) -> Self {
        Self { reference, ..self }
    }

    /// With what our own reference program says, and allows: a result that only meets this agrees with the reference.
    #[must_use]
    pub fn ours(self, reference: Figure, near: Tolerance) -> Self {
        Self { reference, near_reference: Some(near), ..self }
    }

    /// Without a tolerance of the paper: the line can agree with our reference at most.
    #[must_use]
    pub fn no_paper(self) -> Self {
        Self { tolerance: None, ..self }
    }

    /// With the reason why this model deviates and the line that shows it; other models must not deviate.
    #[must_use]
    pub fn deviates(mut self, model: &str, reason: &'static str, shown_by: &Self) -> Self {
        if self.model == model {
            let shown = shown_by.verdict() == Verdict::Holds;
            self.deviation = Some(Cause { reason, shown_by: shown_by.label.clone(), shown });
        }
        self
    }

    /// With a remark.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// With why its runs cannot be trusted, "" if they can.
    #[must_use]
    pub fn runs(self, trouble: impl Into<String>) -> Self {
        Self { runs: Some(trouble.into()), ..self }
    }

    /// The verdict: a line without a result, or with runs that cannot be trusted, falls short whatever its number is.
    pub fn verdict(&self) -> Verdict {
        let trusted = self.runs.as_deref() == Some("");
        let Some(value) = self.result.value.filter(|_| trusted) else { return Verdict::FallsShort };
        let takes = |tolerance: Option<Tolerance>| tolerance.is_some_and(|t| t.takes(value));
        match &self.deviation {
            _ if takes(self.tolerance) => Verdict::Holds,
            _ if takes(self.near_reference) => Verdict::AgreesWithReference,
            Some(cause) if cause.shown => Verdict::ExpectedDeviation,
            _ => Verdict::FallsShort,
        }
    }

    /// The words beside the verdict: what is wrong with the runs, the reason for a deviation, and the remark.
    pub fn remarks(&self) -> String {
        let runs = self.runs.as_deref().unwrap_or("nobody looked at the runs behind this line");
        let cause = match (self.verdict(), &self.deviation) {
            (Verdict::ExpectedDeviation, Some(c)) => format!("{} (shown by \u{201c}{}\u{201d})", c.reason, c.shown_by),
            (Verdict::Holds, Some(_)) => "holds although a deviation was declared".into(),
            (Verdict::FallsShort, Some(c)) if !c.shown && runs.is_empty() => {
                format!("no excuse: \u{201c}{}\u{201d} does not hold", c.shown_by)
            }
            _ => String::new(),
        };
        let silent = if self.tolerance.is_none() { "the paper prints no number" } else { "" };
        [runs, &cause, silent, &self.note].into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: f64) -> Figure {
        Figure { value: Some(value), ..Figure::default() }
    }

    #[test]
    fn a_verdict_follows_from_result_and_tolerance() {
        let line = |value| Line::new("t", "social_force", "s", of(value), Tolerance::Within(26.0, 34.0)).runs("");
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
    fn runs_that_cannot_be_trusted_never_hold_and_excuse_nothing() {
        let shown = Line::new("cause", "a", "", of(1.0), Tolerance::AtMost(1.0)).runs("");
        let line =
            |value| Line::new("t", "a", "", of(value), Tolerance::AtMost(1.0)).deviates("a", "no brakes", &shown);
        assert_eq!(line(1.0).verdict(), Verdict::FallsShort);
        for value in [1.0, 2.0] {
            let sick = line(value).runs("bodies overlap");
            assert_eq!((sick.verdict(), sick.remarks().as_str()), (Verdict::FallsShort, "bodies overlap"));
        }
    }

    #[test]
    fn a_deviation_is_expected_only_where_another_line_shows_its_cause() {
        let cause = |value| Line::new("cause", "a", "", of(value), Tolerance::AtLeast(0.8)).runs("");
        let line = |value, cause: &Line| {
            Line::new("t", "a", "", of(value), Tolerance::AtMost(1.0)).deviates("a", "no brakes", cause).runs("")
        };
        assert_eq!(line(2.0, &cause(0.9)).verdict(), Verdict::ExpectedDeviation);
        assert_eq!(line(2.0, &cause(0.9)).remarks(), "no brakes (shown by \u{201c}cause\u{201d})");
        assert_eq!(line(2.0, &cause(0.7)).verdict(), Verdict::FallsShort);
        assert_eq!(line(2.0, &cause(0.7)).remarks(), "no excuse: \u{201c}cause\u{201d} does not hold");
        assert_eq!(line(1.0, &cause(0.9)).note("x").remarks(), "holds although a deviation was declared; x");
        let other = Line::new("t", "b", "", of(2.0), Tolerance::AtMost(1.0)).deviates("a", "no brakes", &cause(0.9));
        assert_eq!(other.runs("").verdict(), Verdict::FallsShort);
    }

    #[test]
    fn what_only_our_program_gives_agrees_with_the_reference_and_does_not_hold() {
        let near = Tolerance::Within(190.0, 250.0);
        let line = |value| Line::new("t", "a", "s", of(value), Tolerance::Within(115.0, 155.0)).ours(of(222.0), near);
        assert_eq!(line(140.0).runs("").verdict(), Verdict::Holds);
        assert_eq!(line(218.0).runs("").verdict(), Verdict::AgreesWithReference);
        assert_eq!(line(170.0).runs("").verdict(), Verdict::FallsShort);
        assert_eq!(line(140.0).no_paper().runs("").verdict(), Verdict::FallsShort);
        assert_eq!(line(218.0).no_paper().runs("").remarks(), "the paper prints no number");
    }
}
