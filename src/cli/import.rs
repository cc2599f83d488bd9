//! `crowdtune import`: a file of another tool as an experiment that runs.

use super::{input, output};
use crate::evolve::experiment::{Experiment, no_files};
use crate::importer::{ImportInput, Imported, MakeImporter, Role, Said, Unit, Up};
use crate::registry::Registry;
use clap::{Args as ClapArgs, Parser};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use std::path::PathBuf;

/// Write an experiment from a file of another tool: a floor plan, a preset, a search
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The file
    file: PathBuf,
    /// What wrote it (see `crowdtune list importers`)
    #[arg(long, value_name = "TOOL")]
    from: String,
    /// The experiment to write [default: the name of the file with .toml, in this folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Leave out what has no words here, and list it
    #[arg(long)]
    force: bool,
    /// Unit of the coordinates: m, dm, cm, mm, ft, in, deg (longitude and latitude)
    #[arg(long, value_name = "UNIT", value_parser = unit)]
    unit: Option<Unit>,
    /// The axis that points up: y or z
    #[arg(long, value_name = "AXIS", value_parser = up)]
    up: Option<Up>,
    /// Height of the section through a model, in m above its lowest point [default: 1]
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = number)]
    height: Option<f64>,
    /// What a layer is: walkable, obstacle, wall, door or start; once for each layer
    #[arg(long, value_name = "NAME=ROLE", value_parser = layer)]
    layer: Vec<(String, Role)>,
    /// A line where people leave, in m; can be repeated
    #[arg(long, value_name = "X1,Y1,X2,Y2", allow_hyphen_values = true, value_parser = numbers::<4>)]
    door: Vec<[f64; 4]>,
    /// An area where people start, by two opposite corners, in m; can be repeated
    #[arg(long, value_name = "X1,Y1,X2,Y2", allow_hyphen_values = true, value_parser = numbers::<4>)]
    start: Vec<[f64; 4]>,
    /// The point of the file that becomes (0, 0), in its own unit
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = numbers::<2>)]
    origin: Option<[f64; 2]>,
    /// Number of people [default: 40, or what fits]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    people: Option<u32>,
    /// The model that they follow (see `crowdtune list models`)
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Which constant a parameter of the file is, or `-` to leave it out; can be repeated
    #[arg(long, value_name = "THEIRS=OURS", value_parser = input::pair)]
    map: Vec<(String, String)>,
}

/// One of the things that have a name; `all` are known.
fn one_of<T, const N: usize>(found: Option<T>, all: &[(&str, T); N], text: &str) -> Result<T, String> {
    found.ok_or_else(|| format!("`{text}` is none of {}", all.each_ref().map(|(name, _)| *name).join(", ")))
}

fn unit(text: &str) -> Result<Unit, String> {
    one_of(Unit::named(text), &Unit::ALL, text)
}

fn up(text: &str) -> Result<Up, String> {
    one_of(Up::named(text), &Up::ALL, text)
}

fn layer(text: &str) -> Result<(String, Role), String> {
    let (name, role) = input::pair(text).map_err(|_| "expected NAME=ROLE, for example A-WALL=wall".to_owned())?;
    one_of(Role::named(&role), &Role::ALL, &role).map(|role| (name, role))
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| format!("`{text}` is no number"))
}

fn numbers<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let numbers = text.split(',').map(number).collect::<Result<Vec<_>, _>>()?;
    numbers
        .try_into()
        .map_err(|all: Vec<f64>| format!("{} numbers, and {N} are needed, with commas between them", all.len()))
}

impl Args {
    fn said(&self) -> Said {
        Said {
            unit: self.unit,
            up: self.up,
            layers: self.layer.clone(),
            doors: self.door.clone(),
            starts: self.start.clone(),
            height_m: self.height,
            origin: self.origin,
            people: self.people,
            model: self.model.clone(),
            map: self.map.clone(),
            force: self.force,
        }
    }

    /// Options that were given and only some importers take.
    fn given(&self) -> Vec<&'static str> {
        let given = [
            ("--unit", self.unit.is_some()),
            ("--up", self.up.is_some()),
            ("--height", self.height.is_some()),
            ("--layer", !self.layer.is_empty()),
            ("--door", !self.door.is_empty()),
            ("--start", !self.start.is_empty()),
            ("--origin", self.origin.is_some()),
            ("--people", self.people.is_some()),
            ("--model", self.model.is_some()),
            ("--map", !self.map.is_empty()),
            ("--force", self.force),
        ];
        given.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect()
    }
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read, is not what it should be, or gives no experiment that runs; if the experiment is there already.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let tool = registry
        .importers
        .get(&args.from)
        .map_err(|e| e.help("`crowdtune list importers` shows what each one reads"))?;
    if let Some(other) = args.given().into_iter().find(|option| !tool.make.takes.contains(option)) {
        return Err(Error::input(format!("the importer `{}` does not take {other}", tool.name))
            .allowed(tool.make.takes.join(", "))
            .help("leave it out"));
    }
    let stem = args.file.file_stem().unwrap_or(args.file.as_os_str());
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.toml", stem.display())));
    let file = args.file.display().to_string();
    let name = args.file.file_name().map_or_else(|| file.clone(), |name| name.to_string_lossy().into_owned());
    let bytes = input::bytes(&args.file)?;
    let (imported, experiment) = imported(args, registry, tool, &name, &bytes).map_err(|e| e.file(&file))?;
    input::write_new(&out, imported.text.as_bytes())?;
    for note in &imported.notes {
        output::say(format_args!("note: {note}"));
    }
    let out = out.display();
    let tune = if experiment.space.is_empty() { String::new() } else { format!("\n    crowdtune evolve {out}") };
    output::line(format_args!(
        "{out} is written; look at it with\n\n    crowdtune simulate {out} --replay replay.html{tune}"
    ))
}

/// What an importer makes of bytes; what cannot run is an error.
fn imported(
    args: &Args,
    registry: &Registry,
    tool: &Entry<MakeImporter>,
    file: &str,
    bytes: &[u8],
) -> Result<(Imported, Experiment), Error> {
    let said = args.said();
    let imported = (tool.make.import)(&ImportInput { bytes, file, said: &said, models: &registry.models })?;
    let experiment = Experiment::load(registry, &imported.text, "import.toml", &[], &mut no_files).map_err(|e| {
        let what = Error::input(format!("what the file says cannot be simulated: {}", e.what()));
        let what = e.named_key().map_or(what.clone(), |key| what.key(key));
        what.help("mend the file, or say other things of it; docs/imports.md has what may be said")
    })?;
    Ok((imported, experiment))
}

/// What [`run`] would write for these bytes and options: for the tests of hostile files.
///
/// # Errors
/// As [`run`].
pub fn read(from: &str, options: &[&str], bytes: &[u8]) -> Result<Vec<u8>, Error> {
    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }
    let registry = Registry::builtin();
    let words = [&["import", "file", "--from", from], options].concat();
    let args = Command::try_parse_from(words).map_err(|e| Error::input(e.to_string()))?.args;
    let (imported, _) = imported(&args, &registry, registry.importers.get(from)?, "file", bytes)?;
    Ok(imported.text.into_bytes())
}
