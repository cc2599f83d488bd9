//! The experiment that fits a model to a recording, as a commented text.

use super::constants::{Range, searched};
use super::taken::Taken;
use crate::evolve::config::asked;
use crate::{format, wkt};
use crowdtune_core::registry::Entry;
use crowdtune_sim::metrics::Place;
use crowdtune_sim::models::MakeModel;
use std::fmt::Write as _;

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

/// The text: `tracks` is the file of the recording beside it, `straight_on` the error of walking straight on, which is a loss of 1.
pub(crate) fn experiment(
    taken: &Taken,
    model: &Entry<MakeModel>,
    (name, tracks): (&str, &str),
    search: &Search<'_>,
    straight_on: f64,
) -> String {
    let mut out = String::new();
    let name = format::one_line(name);
    let _ = write!(
        out,
        "# The constants of {} fitted to the tracks of {name}, by `crowdtune fit`.\n#\n\
         # Every {} s everybody is put back onto the recorded place and velocity; a candidate is judged by how far people are from\n\
         # their tracks in between. {} (docs/recordings.md).\n{}#\n",
        model.name,
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
         # speeds and goals come from the own track, of those who are held out too: what is tested on them are the constants.\n\
         format = 1\ntitle  = {:?}\nmodel  = {:?}\n\n[parameters]\n",
        format!("{} fitted to {name}", model.name),
        model.name
    );
    for (param, (low, high), log) in searched(model, search.ranges) {
        let log = if log { ", log = true" } else { "" };
        let _ = writeln!(out, "{} = {{ range = [{low:?}, {high:?}]{log} }}    # {}", param.key, param.doc);
    }
    let _ = write!(
        out,
        "\n[people]                          # nothing is drawn: person k is the same person in every run\n\
         radius_m = {:?}\nmass_kg  = 80.0\n\n[scenario.recorded]\n",
        taken.radius_m
    );
    if !taken.shapes.polygons.is_empty() {
        let _ = writeln!(out, "walkable = {:?}", wkt::areas(&taken.shapes.polygons));
    }
    if !taken.shapes.segments.is_empty() {
        let _ = writeln!(out, "walls    = {:?}", wkt::lines(&taken.shapes.segments));
    }
    if let Some(axes) = &taken.asked.periodic {
        let _ = writeln!(out, "periodic = {axes:?}");
    }
    if !taken.asked.to.is_empty() {
        // Straight there unless walls are in between.
        out += "navigation = { kind = \"field\", cell_m = 0.1 }\n";
    }
    let groups = groups(taken);
    let among = if taken.asked.among_recorded { ", walk = \"one_among_recorded\"" } else { "" };
    // Whole seconds; the run ends with the last person.
    let (middle, end) = (taken.held_out_from_s, (taken.last_s + 1.0).ceil());
    // The sample at the time of a restart is still of the way before: half of the interval of samples leaves it out.
    let after = middle + 0.05;
    let one_in = taken.asked.held_out_one_in;
    let _ = write!(
        out,
        "tracks   = {{ file = {tracks:?}, restart_every_s = {:?}, desired_speed = \"estimated\"{among} }}\n\
         limit_s  = {end:?}\n{groups}\n\
         [target.tuned]\nmetric = \"track_error_m2\"\npeople = \"tuned\"\nheld_out_one_in = {one_in}\n\
         window = {{ time_s = [0.0, {middle:?}] }}\n\
         minimize = {{ good = 0.0, bad = {straight_on:?} }}      # a loss of 1 is that of walking straight on\n\n\
         # What nobody tunes.\n\
         [measure.held_out_people]\nmetric = \"track_error_m2\"\npeople = \"held_out\"\nheld_out_one_in = {one_in}\n\
         window = {{ time_s = [0.0, {middle:?}] }}\n\n\
         [measure.held_out_time]\nmetric = \"track_error_m2\"\nwindow = {{ time_s = [{after:?}, {end:?}] }}\n\n\
         [measure.held_out_people_ade]\nmetric = \"ade_m\"\npeople = \"held_out\"\nheld_out_one_in = {one_in}\n\
         window = {{ time_s = [0.0, {middle:?}] }}\n\n\
         [measure.held_out_people_fde]\nmetric = \"fde_m\"\npeople = \"held_out\"\nheld_out_one_in = {one_in}\n\
         window = {{ time_s = [0.0, {middle:?}] }}\n\n\
         [search]\nreplicas = 1                      # nothing is drawn, so all replicas are equal\n\
         finalists = 3                     # of those that fresh seeds do not make fail the best\nevaluations = {}\nseed = {}\n",
        taken.asked.restart_every_s, search.evaluations, search.seed
    );
    out
}

/// A group for each place where people want to go.
fn groups(taken: &Taken) -> String {
    let bound = taken.bound();
    if bound.is_empty() {
        return "[scenario.recorded.group.all]\n".into();
    }
    let mut out = String::new();
    for (at, (to, people)) in taken.asked.to.iter().zip(&bound).enumerate() {
        // In the order of the names as of the places.
        let (name, count) = match bound.len() {
            1 => ("all".to_string(), String::new()),
            _ => (format!("to_{:03}", at + 1), format!("count = {people}\n")),
        };
        let kind = if matches!(to, Place::Line(_)) { "line" } else { "area" };
        let _ = write!(out, "[scenario.recorded.group.{name}]\n{count}to = {{ {kind} = {} }}\n", asked::show(to));
    }
    out
}
