//! `simulate --picture`: one still panel for each crowd and case.

use super::input;
use crate::evolve::evaluate::{run_one, run_seed};
use crate::evolve::experiment::Experiment;
use crate::evolve::scene;
use crate::report::plots::picture::{MOST_PANELS, Panel, draw};
use crowdtune_core::Error;
use crowdtune_search::Purpose;
use crowdtune_sim::crowd::Trajectory;
use std::path::Path;

/// The cases that a picture shows: all of them, those of a table, or one.
fn cases(experiment: &Experiment, scenario: Option<&str>) -> Vec<usize> {
    let pick = |f: &dyn Fn(&str, &str) -> bool| {
        let cases = experiment.cases.iter().enumerate();
        cases.filter(|(_, c)| f(&c.name, &c.table)).map(|(at, _)| at).collect::<Vec<_>>()
    };
    let Some(name) = scenario else { return pick(&|_, _| true) };
    match pick(&|case, _| case == name) {
        exact if !exact.is_empty() => exact,
        _ => pick(&|_, table| table == name),
    }
}

/// Checks that there are no more panels than a picture takes.
///
/// # Errors
/// Too many panels.
pub fn check(crowds: &[(&str, &Experiment)], scenario: Option<&str>) -> Result<(), Error> {
    let panels: usize = crowds.iter().map(|(_, e)| cases(e, scenario).len()).sum();
    if panels > MOST_PANELS {
        return Err(Error::input(format!("the picture would have {panels} panels"))
            .key("--picture")
            .allowed(format!("at most {MOST_PANELS}"))
            .help("choose one scenario with --scenario, or fewer presets"));
    }
    Ok(())
}

/// Simulates every crowd in every case on a fresh seed of the report, counted from 0, and writes the picture.
///
/// # Errors
/// If a run cannot be trusted, or the file cannot be written.
pub fn write(path: &Path, crowds: &[(&str, &Experiment)], scenario: Option<&str>, replica: u32) -> Result<(), Error> {
    let mut panels = Vec::new();
    for (label, experiment) in crowds {
        let shown = cases(experiment, scenario);
        for &at in &shown {
            let case = &experiment.cases[at];
            let seed = run_seed(experiment.search.seed, Purpose::Report, &case.table, replica);
            let mut track = Trajectory::every(experiment.timing.record_every_s);
            run_one(experiment, at, &experiment.start, seed, Some(&mut track)).map_err(|e| {
                Error::nothing(format!("the run of `{label}` in `{}` cannot be trusted: {}", case.name, e.what()))
                    .help("take a smaller simulation.time_step_s, or constants nearer to the published ones")
            })?;
            let title = match (crowds.len(), shown.len()) {
                (1, 1) => String::new(),
                (1, _) => case.name.clone(),
                (_, 1) => short(label),
                _ => format!("{}, {}", short(label), case.name),
            };
            panels.push(Panel { title, file: scene::place(experiment, case, &[(*label, &track)]) });
        }
    }
    let experiment = crowds[0].1;
    let title = if experiment.title.is_empty() { &experiment.name } else { &experiment.title };
    input::write(path, draw(title, &panels).as_bytes())
}

/// The short name of a preset: its file without folder and ending, or its folder if that says nothing (`best.json`).
fn short(label: &str) -> String {
    let path = Path::new(label);
    let name = |p: &Path| p.file_stem().map(|s| s.to_string_lossy().into_owned());
    match (name(path).as_deref(), path.parent().and_then(|p| p.file_name())) {
        (Some("best"), Some(folder)) if label.ends_with(".json") => folder.to_string_lossy().into_owned(),
        (Some(stem), _) if label.ends_with(".json") => stem.to_string(),
        _ => label.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_called_by_what_tells_them_apart() {
        let names = ["results/guard-1/best.json", "presets/alignment.json", "social_force", "best.json"].map(short);
        assert_eq!(names, ["guard-1", "alignment", "social_force", "best"]);
    }
}
