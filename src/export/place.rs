//! What scripts for other simulators share: who starts where, what a place asks for, text for comments.

pub use crate::format::one_line as comment;

use super::{Export, ExportInput, Placed};
pub use crate::evolve::features::What;
use crate::evolve::features::{FEATURES, Feature};
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::Settings;
use crowdtune_sim::crowd::{RunSetup, Sim, Start};
use crowdtune_sim::models::ModelSetup;

/// All that a place has and other tools may lack, each once for each group that has it, as the end of "that"; what the place itself
/// has comes first.
pub fn beyond(place: &Placed<'_>) -> Vec<(What, String)> {
    let (of_place, of_groups): (Vec<&Feature>, Vec<_>) = FEATURES.iter().partition(|feature| feature.is_of_place());
    let all = of_place.into_iter().chain(of_groups);
    all.flat_map(|feature| feature.to_say(place.scenario).into_iter().map(|words| (feature.what, words))).collect()
}

/// Where what no script can say can go.
pub const OTHERS: &str = "the exporters `json` and `csv` take every scenario";

/// The constant of the gap ahead, of models that have none in their papers.
pub const TIME_GAP: &str = "time_gap_s";

/// The error of a script that cannot say something.
pub fn refused(place: &Placed<'_>, what: &str, allowed: &str, help: &str) -> Error {
    Error::input(format!("the script cannot say that {what}"))
        .key(format!("scenario.{}", place.scenario.name))
        .allowed(allowed)
        .help(help.to_owned())
}

/// What a tool makes of something that a place has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// It comes over.
    Kept,
    /// It can be left out; the words say what happens instead.
    Instead(&'static str),
    /// Without it the run would be another one.
    Never,
}

/// For exports whose own code finds the way to goals: what is allowed instead of what can never be said, and of what can be left out.
pub const STRAIGHT: (&str, &str) = (
    "an open place on flat ground, people who are there at the start",
    "straight ways to goals that are seen from everywhere",
);

/// What such exports say of a place.
pub fn straight(what: What) -> Says {
    match what {
        What::Field => {
            Says::Instead("they walk straight to their goals, and in crowdtune's run beside it around the walls")
        }
        What::Sight => Says::Instead("they see all goals"),
        What::Rounds | What::Heading | What::Gathering | What::GivingWay => Says::Kept,
        _ => Says::Never,
    }
}

/// What a tool cannot say of a place, as sentences: an error, unless it may be left out and listed.
///
/// # Errors
/// If something may not be left out, or nothing may.
pub fn left_out(
    input: &ExportInput<'_>,
    place: &Placed<'_>,
    allowed: (&str, &str),
    says: impl Fn(What) -> Says,
) -> Result<Vec<String>, Error> {
    let mut lost = Vec::new();
    for (what, words) in beyond(place) {
        match says(what) {
            Says::Kept => {}
            Says::Instead(instead) => lost.push(lose(input, place, &words, instead, allowed.1)?),
            Says::Never => return Err(refused(place, &words, allowed.0, OTHERS)),
        }
    }
    Ok(lost)
}

/// One thing that a tool cannot say, as a sentence; an error, unless it may be left out.
///
/// # Errors
/// If it may not.
pub fn lose(
    input: &ExportInput<'_>,
    place: &Placed<'_>,
    words: &str,
    instead: &str,
    allowed: &str,
) -> Result<String, Error> {
    if !input.force {
        return Err(refused(place, words, allowed, &format!("add --force: {instead}")));
    }
    Ok(format!("Left out: {words}; {instead}."))
}

/// That people keep a time gap to the body ahead, if they do, for a tool in which nobody does.
///
/// # Errors
/// If that may not be left out.
pub fn time_gap(input: &ExportInput<'_>, place: &Placed<'_>) -> Result<Option<String>, Error> {
    let params = input.models[0].params;
    let gaps = params.iter().position(|param| param.key == TIME_GAP);
    let keeps = gaps.is_some_and(|at| place.constants.iter().any(|values| values[at] > 0.0));
    let words = format!("nobody wishes to be faster than the gap ahead over `{TIME_GAP}`");
    let allowed = format!("`{TIME_GAP}` = 0");
    keeps.then(|| lose(input, place, &words, "they are, however near the others", &allowed)).transpose()
}

/// The people of an exported place, as every export of this preset draws them.
///
/// # Errors
/// If they find no room.
pub fn start(input: &ExportInput<'_>, place: &Placed<'_>) -> Result<Start, Error> {
    Start::new(RunSetup {
        traits: place.traits.clone(),
        seed: Seed(input.seed).child("export", 0),
        ..RunSetup::new(place.scenario.clone(), input.preset.time_step_s)
    })
}

/// crowdtune's own run of the people of a place, as PedPy reads it, so that anybody can see how far a tool is from it.
///
/// `off` are constants of the model that the tool does not have, at 0 in this run.
///
/// # Errors
/// If the run fails.
pub fn ours(input: &ExportInput<'_>, place: &Placed<'_>, start: Start, off: &[&str]) -> Result<String, Error> {
    let model = input.models[0];
    let is_off = |at: usize| off.contains(&model.params[at].key);
    let mut constants = place.constants.clone();
    for values in &mut constants {
        values.iter_mut().enumerate().filter(|(at, _)| is_off(*at)).for_each(|(_, value)| *value = 0.0);
    }
    let settings: Vec<Settings<'_>> = constants.iter().map(|values| Settings::new(model.params, values)).collect();
    let steering = (model.make.make)(&ModelSetup::new(&start), &settings);
    let every_s = start.setup().time_step_s;
    let mut sim = Sim::new(start, steering);
    sim.record(every_s);
    sim.run(&mut |_, _, _| {})?;
    Ok(sim.take_recording().map_or_else(String::new, |track| track.pedpy()))
}

/// What `one` makes of each place, given the name of its files; each warning once.
///
/// # Errors
/// If there is no place, or `one` fails.
pub fn each(
    input: &ExportInput<'_>,
    tool: &str,
    one: impl Fn(&Placed<'_>, &str) -> Result<Export, Error>,
) -> Result<Export, Error> {
    if input.places.is_empty() {
        return Err(Error::input("the script needs a scenario, and there is only a preset")
            .help("export from the run folder, or keep experiment.toml and trials.jsonl beside the preset"));
    }
    let mut out = Export { files: Vec::new(), warnings: Vec::new() };
    for place in &input.places {
        let made = one(place, &stem(input, place, tool))?;
        out.files.extend(made.files);
        for warning in made.warnings {
            if !out.warnings.contains(&warning) {
                out.warnings.push(warning);
            }
        }
    }
    Ok(out)
}

/// Name of the files of a place: that of the tool, and of the place where there are several.
fn stem(input: &ExportInput<'_>, place: &Placed<'_>, tool: &str) -> String {
    if input.places.len() == 1 { tool.into() } else { format!("{tool}_{}", slug(place.name)) }
}

/// A name that is a file name everywhere.
pub fn slug(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' };
    name.chars().map(plain).collect::<String>().trim_matches('_').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cases_become_file_names() {
        assert_eq!(slug("neck[width_m=0.8]"), "neck_width_m_0.8");
        assert_eq!(slug("../etc/pass wd"), ".._etc_pass_wd");
    }
}
