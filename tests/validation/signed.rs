//! Twenty-four lines held while bodies walked through each other, some criteria could not fail, and some were turned round
//! or centered on our own program.

use crowdtune::validation::{EXPERIMENTS, Lab, Line, Run, Tried, Verdict};
use crowdtune_core::Error;
use crowdtune_core::registry::find;
use crowdtune_sim::crowd::Health;

/// Every run measures what this says of its number, with bodies that overlap by this share.
struct Made(fn(usize) -> f64, f64);

impl Lab for Made {
    fn runs(&self, count: usize, _: &(dyn Fn(usize) -> Tried + Sync)) -> Result<Vec<Tried>, Error> {
        let health = Health { max_overlap_share: self.1, ..Health::default() };
        Ok((0..count).map(|at| Ok(Run { values: vec![Some((self.0)(at)); 64], health, track: None })).collect())
    }

    fn seconds(&self, _: &mut dyn FnMut()) -> Option<f64> {
        Some(1e-6)
    }
}

/// The lines of an experiment whose label begins like this.
fn lines(name: &str, lab: &Made, label: &str) -> Vec<Line> {
    let outcome = (find(EXPERIMENTS, name).unwrap().make.run)(lab).unwrap();
    let found: Vec<Line> = outcome.lines.into_iter().filter(|line| line.label.starts_with(label)).collect();
    assert!(!found.is_empty() && found.iter().all(|line| line.result.value.is_some()), "{name}: {label}");
    found
}

fn verdicts(name: &str, lab: &Made, label: &str) -> Vec<Verdict> {
    lines(name, lab, label).iter().map(Line::verdict).collect()
}

#[test]
fn no_line_holds_and_none_is_excused_where_bodies_overlap() {
    for e in EXPERIMENTS {
        for value in [|_| 0.0, |_| 1.0] as [fn(usize) -> f64; 2] {
            let outcome = (e.make.run)(&Made(value, 1.8)).unwrap();
            for line in &outcome.lines {
                assert_eq!(line.verdict(), Verdict::FallsShort, "{}: {}", e.name, line.label);
                let words = line.remarks();
                // A line about the overlap itself has it as its result.
                let itself = line.label.contains("deepest overlap over") && line.result.value == Some(1.8);
                assert!(
                    itself || words.contains("bodies overlap in ") && words.contains("by up to 180 %"),
                    "{}: {words}",
                    e.name
                );
            }
        }
    }
}

#[test]
fn herding_that_only_harms_does_not_hold() {
    // Cases come in the order of p: the more they herd, the fewer get out.
    let harm = Made(|at| 1000.0 - at as f64, 0.0);
    assert_eq!(verdicts("herding", &harm, "share of herding p that brings most out"), [Verdict::FallsShort; 4]);
    let [over_none, over_most] = verdicts("herding", &harm, "people out at p = 0.4 minus at p = 0")[..] else {
        panic!()
    };
    assert_eq!((over_none, over_most), (Verdict::FallsShort, Verdict::Holds));
}

#[test]
fn a_speed_that_stays_is_no_fall_of_speed() {
    for verdict in verdicts("rimea_4", &Made(|_| 0.5, 0.0), "least fall of speed from one density") {
        assert_eq!(verdict, Verdict::FallsShort);
    }
}

#[test]
fn what_the_experiment_itself_has_holds() {
    let standing = Made(|_| 0.03, 0.0);
    for verdict in verdicts("single_file", &standing, "share of time below 0.04 m/s, 62 people") {
        assert_eq!(verdict, Verdict::Holds);
    }
    for verdict in verdicts("single_file", &standing, "share of time below 0.04 m/s, 70 people") {
        assert_eq!(verdict, Verdict::FallsShort);
    }
}

#[test]
fn what_only_our_program_gives_is_no_agreement_with_the_paper() {
    for (seconds, verdict) in [(135.0, Verdict::Holds), (218.0, Verdict::AgreesWithReference)] {
        let lab = Made(if seconds > 200.0 { |_| 218.0 } else { |_| 135.0 }, 0.0);
        assert_eq!(verdicts("faster_is_slower", &lab, "time to leave at 1 m/s"), [verdict]);
    }
}

#[test]
fn an_excuse_needs_a_line_that_shows_it() {
    // At 0.5 of 1.34 m/s people slow down, at 1 m/s they keep most of their speed.
    for line in lines("rimea_4", &Made(|_| 0.5, 0.0), "IMO 12") {
        assert_eq!(line.verdict(), Verdict::FallsShort);
        assert!(line.remarks().contains("no excuse: \u{201c}cause: "), "{}", line.remarks());
    }
    for verdict in verdicts("rimea_4", &Made(|_| 1.0, 0.0), "IMO 12") {
        assert_eq!(verdict, Verdict::ExpectedDeviation);
    }
}
