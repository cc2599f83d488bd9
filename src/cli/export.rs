//! `crowdtune export`: a preset as files for another tool.

use super::{export_fit, input, output};
use crate::evolve::run::Finished;
use crate::folder::{Taken, export_preset, export_run, picked};
use crate::limits;
use crate::registry::Registry;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use std::path::{Path, PathBuf};

/// Write a tuned preset as files for another tool
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// A run folder, or a preset such as its best.json
    source: PathBuf,
    /// The tool (see `crowdtune list exporters`)
    #[arg(long, value_name = "TOOL")]
    to: String,
    /// Id of another evaluation of the run folder than the recommended one
    #[arg(long, value_name = "N")]
    pick: Option<u64>,
    /// Runs of each scenario, where the tool takes runs: so many fresh seeds of the report, with the defaults and tuned
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = super::options::whole::<u32>(&limits::REPLICAS))]
    seeds: u32,
    /// Folder for the files [default: export/TOOL in the run folder or beside the preset]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Leave out what the tool cannot say, and list it; export a preset without its run folder into the scenario `room` as published
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    fit: export_fit::Fitting,
}

/// Runs the command.
///
/// # Errors
/// If the source or the tool is not what it should be, or the files cannot be written.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    if args.fit.fit {
        return fitted(args, registry);
    }
    let tool = registry.exporters.get(&args.to).map_err(|e| export_fit::hint(registry, &args.to, e))?;
    let taken = Taken { pick: args.pick, seeds: args.seeds, force: args.force };
    let (folder, export) = if args.source.is_dir() {
        (args.source.as_path(), export_run(registry, &args.source, tool, taken)?)
    } else if args.pick.is_some() {
        return Err(Error::input("--pick chooses among the evaluations of a run folder, and this is a preset")
            .file(args.source.display().to_string())
            .help("name the run folder"));
    } else {
        (args.source.parent().unwrap_or(Path::new("")), export_preset(registry, &args.source, tool, taken)?)
    };
    let out = args.out.clone().unwrap_or_else(|| folder.join("export").join(tool.name));
    for (name, bytes) in &export.files {
        let path = out.join(name);
        input::write(&path, bytes)?;
        output::line(path.display())?;
    }
    for warning in &export.warnings {
        output::say(format_args!("note: {warning}"));
    }
    Ok(())
}

/// A tool with a law of its own, searched until it does what the preset of a run does.
fn fitted(args: &Args, registry: &Registry) -> Result<(), Error> {
    let tool = export_fit::tool(registry, &args.to)?;
    if !args.source.is_dir() {
        return Err(Error::input("--fit follows what a preset does in its own scenarios, and needs their run folder")
            .file(args.source.display().to_string())
            .help("name the run folder; --pick N takes another evaluation of it"));
    }
    let (experiment, log) = input::run(registry, &args.source)?;
    let run = Finished::of(&experiment, log);
    let (genome, preset, off_front) = picked(registry, (&args.source, args.pick), &experiment, &run)?;
    off_front.into_iter().for_each(|remark| output::say(format_args!("note: {remark}")));
    let out = args.out.clone().unwrap_or_else(|| args.source.join("export").join(tool.name));
    export_fit::run(&args.fit, registry, tool, (&experiment, &genome, &preset), &out)
}
