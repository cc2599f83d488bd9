//! The experiment that fits a model to a recording, as a commented text.

use super::aims::MACROSCOPIC;
use super::constants::{Range, searched};
use super::lines::Measured;
use super::macroscopic::Macroscopic;
use super::parts::TIME_ALONE;
use super::taken::Taken;
use crate::evolve::config::asked;
use crate::{format, wkt};
use crowdtune_core::registry::Entry;
use crowdtune_sim::metrics::Place;
use crowdtune_sim::models::MakeModel;
use std::fmt::Write as _;

/// How much longer than the recording people have to get to their goal. Chosen here: a crowd that needs half as long again is wrong
/// whatever its end.
const LONGER: f64 = 1.5;
/// Errors that are a quarter in both directions have so much less entropy, bits: log2(4^2).
const QUARTER_BITS: f64 = 4.0;

/// Errors of people who walk straight on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StraightOn {
    /// Mean squared distance of tuned people, m2.
    pub track_error_m2: f64,
    /// Their entropy, bits.
    pub entropy_bits: f64,
}

/// What the search of an experiment is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Search<'s> {
    /// Candidates.
    pub evaluations: u64,
    /// Seed.
    pub seed: u64,
    /// Ranges of the user.
    pub ranges: &'s [Range],
}

/// The text: `tracks` is the file of the recording beside it, `straight_on` the errors of walking straight on, which set the scale of a
/// loss.
pub(crate) fn experiment(
    taken: &Taken,
    model: &Entry<MakeModel>,
    (name, tracks): (&str, &str),
    search: &Search<'_>,
    straight_on: &StraightOn,
) -> String {
    let mut out = head(taken, model, &format::one_line(name));
    for (param, (low, high), log) in searched(model, search.ranges) {
        let log = if log { ", log = true" } else { "" };
        let _ = writeln!(out, "{} = {{ range = [{low:?}, {high:?}]{log} }}    # {}", param.key, param.doc);
    }
    let _ = write!(
        out,
        "\n[people]                          # nothing is drawn: person k is the same person in every run\n\
         radius_m = {:?}\nmass_kg  = 80.0\n\n",
        taken.radius_m
    );
    let among = if taken.asked.among_recorded { ", walk = \"one_among_recorded\"" } else { "" };
    // Whole seconds; the run ends with the last person.
    let end = (taken.last_s + 1.0).ceil();
    out += &scenario(
        taken,
        "recorded",
        &format!(
            "{{ file = {tracks:?}, restart_every_s = {:?}, desired_speed = \"estimated\"{among} }}",
            taken.asked.restart_every_s
        ),
        end,
    );
    if let Some(macroscopic) = &taken.macroscopic {
        out += "# Nobody is put back here: people come in as recorded and walk to their goal.\n";
        out += &scenario(
            taken,
            "whole",
            &format!("{{ file = {tracks:?}, desired_speed = \"estimated\", leave = \"at_goal\" }}"),
            (LONGER * end).ceil(),
        );
        out += &of_the_whole(taken, macroscopic, (LONGER * end).ceil());
    }
    out += &of_tracks(taken, straight_on, end);
    let _ = write!(
        out,
        "[search]\nreplicas = 1                      # nothing is drawn, so all replicas are equal\n\
         finalists = 3                     # of those that fresh seeds do not make fail the best\nevaluations = {}\nseed = {}\n",
        search.evaluations, search.seed
    );
    out
}

/// What it is, and what is estimated.
fn head(taken: &Taken, model: &Entry<MakeModel>, name: &str) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "# The constants of {} fitted to the tracks of {name}, by `crowdtune fit`.\n#\n\
         # Tuned: {}. Every {} s everybody is put back onto the recorded place and velocity; how far people are from their tracks\n\
         # in between is the error of tracks. {} (docs/recordings.md).\n{}#\n",
        model.name,
        taken.asked.tune.join(", "),
        taken.asked.restart_every_s,
        match taken.asked.to.len() {
            0 => "Goals are where the own tracks end",
            1 => "All have the goal that was given",
            _ => "Of the goals that were given all have the one nearest to where their track ends",
        },
        if taken.asked.among_recorded { "# Each person walks among the others as they were recorded.\n" } else { "" },
    );
    for said in taken.estimated() {
        let _ = writeln!(out, "# {said}");
    }
    let _ = write!(
        out,
        "#\n# Who is held out walks among the others, because nobody can be taken out of a crowd, but no error of theirs counts. Desired\n\
         # speeds and goals come from the own track, of those who are held out too: what is tested on them are the constants.\n{}\
         format = 1\ntitle  = {:?}\nmodel  = {:?}\n\n[parameters]\n",
        if taken.macroscopic.is_some() { format!("# {TIME_ALONE}\n") } else { String::new() },
        format!("{} fitted to {name}", model.name),
        model.name
    );
    out
}

/// The place with the recorded people.
fn scenario(taken: &Taken, name: &str, tracks: &str, limit_s: f64) -> String {
    let mut out = format!("[scenario.{name}]\n");
    if !taken.shapes.polygons.is_empty() {
        let _ = writeln!(out, "walkable = {:?}", wkt::areas(&taken.shapes.polygons));
    }
    if !taken.shapes.segments.is_empty() {
        let _ = writeln!(out, "walls    = {:?}", wkt::lines(&taken.shapes.segments));
    }
    if let Some(axes) = &taken.asked.periodic {
        let _ = writeln!(out, "periodic = {axes:?}");
    }
    if let Some(Measured { line, area, .. }) = &taken.measured {
        let _ = writeln!(out, "lines    = {{ across = {} }}", asked::show(&Place::Line(*line)));
        if let Some(area) = area {
            let _ = writeln!(out, "areas    = {{ before = {} }}", asked::show(&Place::Area(area.clone())));
        }
    }
    if !taken.asked.to.is_empty() {
        // Straight there unless walls are in between.
        out += "navigation = { kind = \"field\", cell_m = 0.1 }\n";
    }
    let _ = write!(out, "tracks   = {tracks}\nlimit_s  = {limit_s:?}\n{}\n", groups(taken, name));
    out
}

/// The distances from the tracks between restarts, and the entropy of their ends.
fn of_tracks(taken: &Taken, straight_on: &StraightOn, end: f64) -> String {
    let middle = taken.held_out_from_s;
    // The sample at the time of a restart is still of the way before: half of the interval of samples leaves it out.
    let after = middle + 0.05;
    let one_in = taken.asked.held_out_one_in;
    let until = format!("window = {{ time_s = [0.0, {middle:?}] }}\n");
    let of = |who: &str| format!("people = \"{who}\"\nheld_out_one_in = {one_in}\n{until}");
    let tuned = |name: &str, loss: String| match taken.asked.tunes(name) {
        true => ("target", loss),
        false => ("measure", String::new()),
    };
    let mut out = String::new();
    // Where nobody is put back there is nothing to compare.
    let here = if taken.macroscopic.is_some() { "scenario = \"recorded\"\n" } else { "" };
    let mut add = |kind: &str, name: &str, metric: &str, rest: &str| {
        let _ = write!(out, "[{kind}.{name}]\nmetric = \"{metric}\"\n{here}{rest}\n");
    };
    let scale = straight_on.track_error_m2;
    let (kind, loss) = tuned(
        "tracks",
        format!("minimize = {{ good = 0.0, bad = {scale:?} }}      # a loss of 1 is that of walking straight on\n"),
    );
    add(kind, "tuned", "track_error_m2", &format!("{}{loss}", of("tuned")));
    if taken.asked.tunes("entropy") {
        let bits = straight_on.entropy_bits;
        let loss = format!(
            "minimize = {{ good = {}, bad = {} }}      # from walking straight on to a quarter of its error\n",
            format::number(bits - QUARTER_BITS),
            format::number(bits)
        );
        add("target", "entropy", "entropy_metric_bits", &format!("{}{loss}", of("tuned")));
        add("measure", "held_out_people_entropy", "entropy_metric_bits", &of("held_out"));
    }
    add("measure", "held_out_people", "track_error_m2", &of("held_out"));
    add("measure", "held_out_time", "track_error_m2", &format!("window = {{ time_s = [{after:?}, {end:?}] }}\n"));
    add("measure", "held_out_people_ade", "ade_m", &of("held_out"));
    add("measure", "held_out_people_fde", "fde_m", &of("held_out"));
    out
}

/// What the whole crowd does, beside the recording.
fn of_the_whole(taken: &Taken, macroscopic: &Macroscopic, end: f64) -> String {
    let middle = taken.held_out_from_s;
    let mut out = String::new();
    for aim in &MACROSCOPIC {
        let at = aim.at.map_or_else(String::new, |at| format!("at = \"whole.{at}\"\n"));
        let mut add = |kind: &str, name: &str, (from, to): (f64, f64), loss: &str| {
            let _ = write!(
                out,
                "[{kind}.{name}]\nmetric = \"{}\"\nscenario = \"whole\"\n{at}window = {{ time_s = [{from:?}, {to:?}] }}\n{loss}\n",
                aim.metric
            );
        };
        match macroscopic.wanted.get(aim.name) {
            Some(wanted) if taken.asked.tunes(aim.name) => add("target", aim.name, (0.0, middle), &wanted.text()),
            Some(_) => add("measure", aim.name, (0.0, middle), ""),
            None => {}
        }
        if macroscopic.has(aim, true) {
            add("measure", &format!("held_out_{}", aim.name), (middle, end), "");
        }
    }
    out
}

/// A group for each place where people want to go.
fn groups(taken: &Taken, scenario: &str) -> String {
    let bound = taken.bound();
    if bound.is_empty() {
        return format!("[scenario.{scenario}.group.all]\n");
    }
    let mut out = String::new();
    for (at, (to, people)) in taken.asked.to.iter().zip(&bound).enumerate() {
        // In the order of the names as of the places.
        let (name, count) = match bound.len() {
            1 => ("all".to_string(), String::new()),
            _ => (format!("to_{:03}", at + 1), format!("count = {people}\n")),
        };
        let kind = if matches!(to, Place::Line(_)) { "line" } else { "area" };
        let _ = write!(out, "[scenario.{scenario}.group.{name}]\n{count}to = {{ {kind} = {} }}\n", asked::show(to));
    }
    out
}
