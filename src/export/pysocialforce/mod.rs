//! A Python script and a configuration that run a scenario in PySocialForce.
//!
//! Both have the driving force of Helbing and Molnar; the rest of PySocialForce is another law, so little of a preset comes over.

use super::place::{self, Says, What, comment};
use super::{Export, ExportInput, MakeExporter, Placed, origin, python};
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Settings};
use crowdtune_sim::crowd::{Crowd, Start};
use crowdtune_sim::models::SOCIAL_FORCE;
use std::fmt::Write as _;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "pysocialforce",
    doc: "A configuration and a Python script for each scenario that run its people with their speeds, radius and relaxation time in \
          PySocialForce; repulsion is another law there.",
    source: "PySocialForce 1.1.2",
    params: &[],
    make: MakeExporter {
        export,
        writes: "run_pysocialforce.py and run_pysocialforce.toml, one each for each scenario",
        needs_place: true,
        needs_runs: false,
    },
};

const RUN: &str = include_str!("run.py");

/// The constant that is the same in both laws.
const RELAXATION: &str = "relaxation_time_s";

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    if input.models.len() != 1 || input.preset.model != SOCIAL_FORCE.name {
        return Err(Error::input(format!("PySocialForce has nothing of the model `{}`", input.preset.model))
            .key("model")
            .allowed(SOCIAL_FORCE.name)
            .help("the exporters `json` and `csv` take every model"));
    }
    place::each(input, "run_pysocialforce", |placed, stem| {
        let warnings = lost(input, placed)?;
        let start = place::start(input, placed)?;
        let files = vec![
            (format!("{stem}.py"), script(input, placed, &start, stem, &warnings).into_bytes()),
            (format!("{stem}.toml"), config(input, placed, start.crowd(), &warnings).into_bytes()),
        ];
        Ok(Export { files, warnings })
    })
}

fn relaxation<'a>(placed: &'a Placed<'_>) -> impl Iterator<Item = f64> + 'a {
    placed.constants.iter().map(|values| Settings::new(SOCIAL_FORCE.params, values).get(RELAXATION))
}

/// What PySocialForce cannot say: an error, unless it may be left out and listed.
fn lost(input: &ExportInput<'_>, placed: &Placed<'_>) -> Result<Vec<String>, Error> {
    let mut lost = place::left_out(input, placed, place::STRAIGHT, |what| match what {
        What::Field => Says::Instead("they walk straight to their goals"),
        What::GivingWay => Says::Instead("everybody counts alike"),
        _ => place::straight(what),
    })?;
    let others = SOCIAL_FORCE.params.iter().map(|param| param.key).filter(|key| *key != RELAXATION);
    lost.push(place::lose(
        input,
        placed,
        &format!("`{}` are constants of its law", others.collect::<Vec<_>>().join("`, `")),
        "people and walls repel as PySocialForce does by default, which is another crowd until it is fitted",
        "`relaxation_time_s`, radius and speeds",
    )?);
    let first = relaxation(placed).next().unwrap_or_default();
    if let Some(other) = relaxation(placed).find(|tau| *tau != first) {
        let words = format!("`{RELAXATION}` is {first} for one group and {other} for another");
        lost.push(place::lose(input, placed, &words, &format!("all have {first}"), "the same for all groups")?);
    }
    lost.extend(
        [
            "PySocialForce has one radius, for walls only: it is the mean of all.",
            "Nobody is faster than the own desired speed: PySocialForce drives people at their highest speed.",
        ]
        .map(String::from),
    );
    Ok(lost)
}

fn script(input: &ExportInput<'_>, placed: &Placed<'_>, start: &Start, stem: &str, lost: &[String]) -> String {
    let (name, at) = (comment(&input.preset.name), comment(placed.name));
    let mut text = format!(
        "#!/usr/bin/env python3\n# The preset `{name}` in the scenario `{at}`, exported by crowdtune {} for PySocialForce 1.1.2.\n#\n\
         #     pip install PySocialForce==1.1.2\n#     python {stem}.py [--seconds N] [--out FILE.txt]\n#\n",
        env!("CARGO_PKG_VERSION")
    );
    text += &head(input, lost);
    text += "\nimport argparse\nimport logging\nimport math\nfrom pathlib import Path\n\nimport numpy as np\n\n";
    text += "logging.disable()  # PySocialForce logs every call, and into a `file.log` in the working directory.\n\
             logging.FileHandler = lambda _: logging.NullHandler()\nimport pysocialforce\n\n";
    let _ = writeln!(
        text,
        "OUTPUT = \"{stem}.txt\"\nCONFIG = str(Path(__file__).with_suffix(\".toml\"))\nLIMIT_S = {:?}\nTIME_STEP_S = {:?}\n",
        placed.scenario.limit_s, input.preset.time_step_s
    );
    text += "# Where the people of each group go. `stages` are the goals in order, one of each list.\nGROUPS = [\n";
    for group in &placed.scenario.groups {
        let _ = writeln!(text, "    dict({}),", python::wish(placed, group));
    }
    text += "]\n\n";
    python::place(&mut text, placed, start.crowd(), |_| 1.0);
    text + python::GOALS + RUN
}

fn head(input: &ExportInput<'_>, lost: &[String]) -> String {
    let mut text = String::new();
    origin::lines(input).iter().for_each(|line| text += &format!("# {line}\n"));
    text += "#\n# What PySocialForce does differently:\n";
    lost.iter().for_each(|line| text += &format!("# * {}\n", comment(line)));
    text
}

/// All tables in full, as one of the user's replaces the default table, and the keys of `scene` at the top too, where 1.1.2 reads them.
fn config(input: &ExportInput<'_>, placed: &Placed<'_>, crowd: &Crowd, lost: &[String]) -> String {
    let tau = relaxation(placed).next().unwrap_or_default();
    let radius = crowd.radius.iter().sum::<f64>() / crowd.len().max(1) as f64;
    let scene = format!(
        "step_width = {:?}\ntau = {tau:?}\nagent_radius = {radius:?}\nmax_speed_multiplier = 1.0\nresolution = 10\n",
        input.preset.time_step_s
    );
    format!(
        "# Exported by crowdtune {} for PySocialForce 1.1.2.\n{}\n{scene}\n[scene]\nenable_group = false\n{scene}\n\
         [desired_force]\nfactor = 1.0\nrelaxation_time = {tau:?}\ngoal_threshold = 0.2\n\n\
         # Its defaults from here on.\n[social_force]\nfactor = 5.1\nlambda_importance = 2.0\ngamma = 0.35\nn = 2\nn_prime = 3\n\n\
         [obstacle_force]\nfactor = 10.0\nsigma = 0.2\nthreshold = 3.0\n",
        env!("CARGO_PKG_VERSION"),
        head(input, lost),
    )
}

#[cfg(test)]
mod tests;
