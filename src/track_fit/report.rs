//! What a fit found: `fit.json`, `fit.md`, and the rows of the table in the terminal.

use super::estimate::Estimate;
use super::parts::{Part, TIME_ALONE, parts};
use super::sides::{Figures, Sides};
use super::taken::Taken;
use crate::evolve::summary::{Figure, GeneSummary};
use crate::format;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// `fit.json`. Seconds differ from run to run; everything else is the same for the same command.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Fit {
    /// Format of this file, 1.
    pub format: u32,
    /// Version of crowdtune that made it.
    pub crowdtune: &'static str,
    /// The recording as it was named.
    pub recording: String,
    /// Frames per second.
    pub fps: f64,
    /// People, and how many of them are held out.
    pub people: usize,
    pub held_out_people: usize,
    pub held_out_one_in: u32,
    /// When the recording ends and the held-out time begins, s from the first frame.
    pub last_s: f64,
    pub held_out_from_s: f64,
    /// Everybody is put back onto the tracks this often, s.
    pub restart_every_s: f64,
    /// Body radius, m.
    pub radius_m: f64,
    /// People whose own track says how fast they want to walk.
    pub walked_freely: usize,
    /// What the recording has of the whole crowd, by the name of the measure; empty unless that is tuned.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub recorded: BTreeMap<String, f64>,
    /// The tables.
    #[serde(skip)]
    pub parts: Vec<Part>,
    /// What was estimated, in words.
    pub estimated: Vec<String>,
    /// What is odd about the recording.
    pub warnings: Vec<String>,
    /// The models that were fitted.
    pub models: Vec<Fitted>,
    /// Those that were not, and why.
    pub refused: Vec<Refused>,
}

/// A model that cannot run there, or found nothing valid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Refused {
    pub model: String,
    pub why: String,
}

/// One model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Fitted {
    pub model: String,
    /// Its experiment and its run folder, with best.json and report.html.
    pub experiment: String,
    pub folder: String,
    /// Candidates that were evaluated.
    pub evaluations: u64,
    /// Those of them that failed, by reason.
    pub failures: BTreeMap<String, u64>,
    /// True if nothing better than the published constants was found, so that these are recommended.
    pub published_kept: bool,
    /// Wall time of the search with its checks and reports, s.
    pub seconds: f64,
    /// What was searched.
    pub constants: Vec<GeneSummary>,
    /// The constants with intervals, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// Why there are none although that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_estimated: Option<String>,
    #[serde(flatten)]
    pub sides: Sides,
    /// Whether it predicts held-out people better than constant velocity.
    pub verdict: String,
}

impl Fit {
    /// Before any model.
    pub(crate) fn new(recording: String, taken: &Taken, warnings: Vec<String>) -> Self {
        Self {
            format: 1,
            crowdtune: env!("CARGO_PKG_VERSION"),
            recording,
            fps: taken.recording.fps,
            people: taken.people(),
            held_out_people: taken.held_out_people(),
            held_out_one_in: taken.asked.held_out_one_in,
            last_s: taken.last_s,
            held_out_from_s: taken.held_out_from_s,
            restart_every_s: taken.asked.restart_every_s,
            radius_m: taken.radius_m,
            walked_freely: taken.walked.free,
            recorded: taken.macroscopic.as_ref().map_or_else(BTreeMap::new, |macroscopic| macroscopic.flows.clone()),
            parts: parts(taken),
            estimated: taken.estimated(),
            warnings,
            models: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Head and rows of a table; the first one says what each model cost.
    pub(crate) fn table(&self, at: usize) -> (Vec<String>, Vec<Vec<String>>) {
        let (Part { head, columns, whole }, effort) = (&self.parts[at], at == 0);
        let row = |name: &str, of: &Figures, effort: [String; 2]| {
            let figures = columns.iter().map(|(key, _)| of.get(key).copied().unwrap_or_default());
            let cells = figures.map(|Figure { value, low, high }| format::interval(value, low, high));
            [name.to_string()].into_iter().chain(cells).chain(effort).collect::<Vec<_>>()
        };
        let none = || [String::new(), String::new()];
        let mut rows = Vec::new();
        if *whole {
            let recorded = self
                .recorded
                .iter()
                .map(|(name, &value)| (name.clone(), Figure { value: Some(value), ..Figure::default() }));
            rows.push(row("the recording", &recorded.collect(), none()));
        } else if let Some(first) = self.models.first() {
            rows.push(row("constant velocity", &first.sides.constant_velocity, none()));
            rows.push(row("standing still", &first.sides.standing_still, none()));
        }
        for fitted in &self.models {
            rows.push(row(&format!("{}, published", fitted.model), &fitted.sides.published, none()));
            let effort = [fitted.evaluations.to_string(), format::fixed(fitted.seconds, 0)];
            rows.push(row(&format!("{}, tuned", fitted.model), &fitted.sides.tuned, effort));
        }
        let mut head = vec![head.clone()];
        head.extend(columns.iter().map(|(_, title)| title.clone()));
        head.extend(["evaluations", "seconds"].map(String::from));
        if !effort {
            head.truncate(1 + columns.len());
            rows.iter_mut().for_each(|row| row.truncate(1 + columns.len()));
        }
        (head, rows)
    }

    /// What the whole crowd is, and a sentence or two on each model.
    pub(crate) fn said(&self) -> Vec<String> {
        let fitted = self.models.iter().map(Fitted::said);
        let refused = self.refused.iter();
        let refused = refused.map(|r| format!("{} was not fitted: {}", r.model, format::one_line(&r.why)));
        let whole = self.parts.iter().any(|part| part.whole);
        let alone = whole.then(|| format!("{TIME_ALONE} Nobody is put back there, and it has no intervals."));
        alone.into_iter().chain(fitted).chain(refused).collect()
    }

    /// `fit.md`.
    pub(crate) fn markdown(&self) -> String {
        let mut out = format!("# Models fitted to {}\n\n", format::one_line(&self.recording));
        for said in &self.estimated {
            let _ = writeln!(out, "* {said}");
        }
        for odd in &self.warnings {
            let _ = writeln!(out, "* warning: {odd}");
        }
        let _ = writeln!(
            out,
            "\nEverybody is put back onto the tracks every {} s. Intervals are 95 % over people, drawn with replacement. Who is held out \
             walks among the others and has the goal and the desired speed of the own track; constant velocity knows neither, only the \
             velocity of the last restart.\n",
            self.restart_every_s
        );
        for at in 0..self.parts.len() {
            let (head, rows) = self.table(at);
            let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
            out += &line(&head);
            out += &line(&vec!["---".to_string(); head.len()]);
            rows.iter().for_each(|row| out += &line(row));
            out.push('\n');
        }
        for said in self.said() {
            let _ = writeln!(out, "* {said}");
        }
        for fitted in &self.models {
            let _ = writeln!(
                out,
                "\n## {}\n\n{} and {}\n\n| constant | published | tuned | unit |\n| --- | --- | --- | --- |",
                fitted.model, fitted.experiment, fitted.folder
            );
            for gene in &fitted.constants {
                let at_end = if gene.at_bound { " (at the end of its range)" } else { "" };
                let (default, tuned) = (format::setting(gene.default), format::setting(gene.tuned));
                let _ = writeln!(out, "| {} | {default} | {tuned}{at_end} | {} |", gene.key, gene.unit);
            }
            if let Some(estimate) = &fitted.estimate {
                let (head, rows) = estimate.table(&fitted.model);
                let _ = write!(out, "\n| {} |\n|{}\n", head.join(" | "), " --- |".repeat(head.len()));
                rows.iter().for_each(|row| out += &format!("| {} |\n", row.join(" | ")));
                let _ = writeln!(out, "\n{}", estimate.said());
            }
        }
        out
    }
}

impl Fitted {
    /// The verdict, and what the search had to do with it.
    fn said(&self) -> String {
        let mut said = self.verdict.clone();
        if self.published_kept {
            said += " The search found nothing better than the published constants.";
        }
        if let Some(estimate) = &self.estimate {
            said += &format!(" Estimated constants: {}", estimate.said());
        }
        if let Some(why) = &self.not_estimated {
            said += &format!(" No constants were estimated: {}.", format::one_line(why));
        }
        let failed: u64 = self.failures.values().sum();
        if failed > 0 {
            // Of equally frequent reasons the first by name.
            let most = self.failures.iter().rev().max_by_key(|(_, count)| **count).map_or("", |(why, _)| why);
            said += &format!(" {failed} of {} candidates failed, most because {most}.", self.evaluations);
        }
        said
    }
}

/// Whether a tuned model predicts better than constant velocity, from the paired differences on held-out people and in the held-out
/// time.
pub(crate) fn verdict(model: &str, sides: &Sides) -> String {
    let judged = |key: &str| {
        let of = |figures: &Figures| figures.get(key).copied().unwrap_or_default();
        let Figure { value, low, high } = of(&sides.difference);
        let word = match (low, high) {
            (_, Some(high)) if high < 0.0 => "better than constant velocity",
            (Some(low), _) if low > 0.0 => "worse than constant velocity",
            (Some(_), Some(_)) => "so that it cannot be told apart from constant velocity",
            _ => "for too few people to be compared with constant velocity",
        };
        let (tuned, straight) =
            (format::option(of(&sides.tuned).value), format::option(of(&sides.constant_velocity).value));
        let difference = format::interval(value, low, high);
        format!("{word} ({tuned} against {straight} m2, paired difference {difference})")
    };
    format!(
        "{model}, tuned, predicts held-out people {}, and the held-out time {}.",
        judged("held_out_people"),
        judged("held_out_time")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(low: f64, high: f64) -> Sides {
        let one = |value: f64, low: Option<f64>, high: Option<f64>| -> Figures {
            [("held_out_people".to_string(), Figure { value: Some(value), low, high })].into_iter().collect()
        };
        Sides {
            constant_velocity: one(0.5, None, None),
            standing_still: one(2.0, None, None),
            published: one(0.7, None, None),
            tuned: one(0.4, None, None),
            difference: one(0.5 * (low + high), Some(low), Some(high)),
            published_difference: Figures::new(),
        }
    }

    #[test]
    fn the_verdict_is_that_of_the_paired_difference() {
        let of = |low: f64, high: f64| verdict("orca", &sides(low, high));
        assert!(
            of(-0.2, -0.1).contains("held-out people better than constant velocity (0.400 against 0.500 m2, paired")
        );
        assert!(of(0.1, 0.2).contains("held-out people worse than constant velocity"));
        assert!(of(-0.1, 0.2).contains("held-out people so that it cannot be told apart"));
        // Nobody was there in the held-out time.
        assert!(of(-0.2, -0.1).contains("held-out time for too few people to be compared"));
    }
}
