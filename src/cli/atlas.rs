//! `crowdtune atlas`: the cells of a run's atlas, and the preset of the one nearest to a wanted behavior.

use super::{input, output};
use crate::evolve::run::Finished;
use crate::evolve::summary::{AtlasCell, AtlasSummary, GeneSummary};
use crate::evolve::{near, nearest, summarize};
use crate::folder::read_preset;
use crate::format;
use crate::registry::Registry;
use crate::report::{result, table};
use clap::{Args as ClapArgs, Subcommand};
use crowdtune_core::Error;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Look into the atlas of behaviors that a run found
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The preset of the filled cell whose behavior is nearest to a wanted one
    Pick(Pick),
    /// The filled cells as a table
    Show(Show),
}

#[derive(Debug, ClapArgs)]
struct Pick {
    /// The run folder
    run: PathBuf,
    /// The wanted behavior, for example "polarization=0.8,density=1"; axes that are not named are free
    #[arg(long, value_name = "AXIS=VALUE,...")]
    near: String,
    /// Copy the preset to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, ClapArgs)]
struct Show {
    /// The run folder
    run: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// If the folder is no run with an atlas, an axis is unknown, nothing is filled, or a file cannot be read or written.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    match &args.what {
        What::Pick(args) => pick(args, registry),
        What::Show(args) => show(args, registry),
    }
}

/// The atlas of a run folder, and the parameters that were searched.
fn atlas(folder: &Path, registry: &Registry) -> Result<(AtlasSummary, Vec<GeneSummary>), Error> {
    let (experiment, log) = input::run(registry, folder)?;
    if experiment.atlas.is_empty() {
        return Err(Error::input("the run has no atlas: its experiment has no axes")
            .file(folder.join("experiment.toml").display().to_string())
            .help(
                "add one to three tables such as `[atlas.speed]` with `metric`, `range` and `cells`, and run it again",
            ));
    }
    let summary = summarize(&experiment, &Finished::of(&experiment, log));
    Ok((summary.atlas.expect("the experiment has axes"), summary.genes))
}

fn pick(args: &Pick, registry: &Registry) -> Result<(), Error> {
    let (atlas, _) = atlas(&args.run, registry)?;
    let wanted = near(&args.near, &atlas)?;
    let folder = || args.run.display().to_string();
    let unfinished = |what: &str| {
        Error::input(format!("the atlas is not finished: {what}"))
            .file(folder())
            .help("finish the run with `crowdtune evolve EXPERIMENT --resume`")
    };
    if !atlas.fresh {
        return Err(unfinished("its cells were not checked on fresh seeds"));
    }
    let Some((cell, distance)) = nearest(&atlas, &wanted) else {
        return Err(Error::nothing("no cell of the atlas is filled")
            .file(folder())
            .help("give the search more evaluations"));
    };
    let preset = args.run.join(cell.preset());
    if !preset.is_file() {
        return Err(unfinished("its presets were not written"));
    }
    // Read as a preset, so that a damaged file is found here and not by the program that takes it.
    read_preset(registry, &preset)?;
    if let Some(out) = &args.out {
        input::write(out, &input::bytes(&preset)?)?;
    }
    let place = args.out.as_ref().unwrap_or(&preset).display().to_string();
    if args.json {
        let wanted: serde_json::Map<String, serde_json::Value> =
            atlas.axes.iter().zip(&wanted).filter_map(|(axis, w)| Some((axis.name.clone(), json!((*w)?)))).collect();
        let text = json!({ "preset": place, "near": wanted, "distance_cells": distance, "cell": cell });
        return output::line(serde_json::to_string_pretty(&text).expect("cells have string keys only"));
    }
    output::line(place)?;
    output::colored(&words(&atlas, cell, &wanted, distance))
}

/// What the cell measured beside what was wanted, and how far that is.
fn words(atlas: &AtlasSummary, cell: &AtlasCell, wanted: &[Option<f64>], distance: f64) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for ((axis, wanted), measured) in atlas.axes.iter().zip(wanted).zip(&cell.measures) {
        let off = wanted.zip(measured.value).map(|(w, m)| (m - w) / axis.width());
        rows.push(vec![
            format::name_with_unit(&axis.name, &axis.unit),
            wanted.map_or_else(|| "any".into(), format::plain),
            measured.to_string(),
            off.map_or_else(|| format::NONE.into(), |off| format::fixed(off, 2)),
        ]);
    }
    if atlas.graded {
        rows.push(vec!["loss".into(), format::NONE.into(), cell.loss.to_string(), format::NONE.into()]);
    }
    let head = ["", "wanted", "on fresh seeds [95 %]", "off, in cells"].map(String::from);
    let mut out = table::plain(&head, &rows, output::terminal()) + "\n\n";
    out += &format!("{} from what was wanted.\n", cells(distance));
    for (axis, wanted) in atlas.axes.iter().zip(wanted) {
        if wanted.is_some_and(|w| w < axis.low || w > axis.high) {
            let (low, high) = (format::plain(axis.low), format::plain(axis.high));
            out +=
                &format!("The atlas covers {} from {low} to {high}.\n", format::name_with_unit(&axis.name, &axis.unit));
        }
    }
    if distance > 1.0 {
        out += "No filled cell is nearer: more evaluations may fill one, or this model does not behave so.\n";
    }
    out
}

fn cells(distance: f64) -> String {
    format!("{} cells", format::fixed(distance, 2))
}

fn show(args: &Show, registry: &Registry) -> Result<(), Error> {
    let (atlas, genes) = atlas(&args.run, registry)?;
    if args.json {
        return output::line(serde_json::to_string_pretty(&atlas).expect("cells have string keys only"));
    }
    output::colored(&result::atlas(&atlas, &genes, output::terminal()))
}
