//! `crowdtune sweep`: every `each` of the file, the full grid, as curves with intervals.

use super::entrants::{Sets, values, with_model};
use super::options::Threads;
use super::progress::Counter;
use super::{input, output};
use crate::evolve::baselines::{Without, compares, errors, over_people};
use crate::evolve::evaluate::Ran;
use crate::evolve::experiment::Experiment;
use crate::evolve::grid::{RunValues, run_cases};
use crate::evolve::people;
use crate::evolve::summary::Figure;
use crate::evolve::unfinished::unfinished;
use crate::evolve::verdict::draft;
use crate::limits;
use crate::registry::Registry;
use crate::report::plots::curve;
use crate::report::sweep::{AxisValue, SweepColumn, SweepRow, SweepTable, runs_csv};
use crate::report::{sweep, sweep_page};
use crate::target::Wanted;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use std::path::{Path, PathBuf};

/// Measure every combination of the `each` values of an experiment and draw the curves
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The experiment file; searched parameters take their start value
    experiment: PathBuf,
    /// Replace a value of the file; several values, A,B,C, are swept (model=A,B too)
    #[arg(long = "set", value_name = "KEY=A,B,C", value_parser = input::pair)]
    sets: Vec<(String, String)>,
    /// Replicas per point [default: the scenario's]
    #[arg(long, value_name = "N", value_parser = super::options::whole::<u32>(&limits::REPLICAS))]
    replicas: Option<u32>,
    #[command(flatten)]
    threads: Threads,
    /// Folder for sweep.html, its tables and curves; one that holds files is refused [default: results/NAME-sweep, then
    /// NAME-sweep-2, ...]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Twice the time step: half the work; the results are marked as a draft
    #[arg(long)]
    draft: bool,
    /// No progress
    #[arg(long)]
    quiet: bool,
    /// Print the table as one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// What the user has to mend; that no run was healthy.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let experiments = experiments(args, registry)?;
    let first = &experiments[0].1;
    input::announce(first);
    let folder = folder(args, first)?;
    // Before the work, so that a mistake in the name costs none.
    input::writable(&folder.join("sweep.csv"))?;
    let cases = || experiments.iter().flat_map(|(_, e)| &e.cases);
    let replicas = args.replicas.unwrap_or_else(|| cases().map(|c| c.replicas).max().unwrap_or(1));
    let progress = Counter::new("sweep", cases().count() as u64 * u64::from(replicas), args.quiet);
    let (mut table, mut runs) = (SweepTable::default(), Vec::new());
    let mut refused = None;
    let beside_tracks = without_model(first).next().is_some();
    for (model, experiment) in &experiments {
        let values = run_cases(experiment, replicas, args.threads.count(), &|| progress.step())?;
        refused = refused.or_else(|| values.iter().flatten().find_map(|v| v.as_ref().err().cloned()));
        let mut part = tabulate(experiment, &values);
        if experiments.len() > 1 || beside_tracks {
            name_rows(&mut part, model);
        }
        runs.extend(
            values.into_iter().map(|runs| runs.into_iter().map(|r| r.unwrap_or_default().values).collect::<Vec<_>>()),
        );
        let rows = std::mem::take(&mut table.rows);
        table = SweepTable { rows: rows.into_iter().chain(part.rows).collect(), ..part };
    }
    progress.finish();
    if table.rows.iter().all(|row| row.failed == row.replicas) {
        let reason = refused.as_ref().map_or("none is known", Error::what);
        return Err(Error::nothing(format!("no run was healthy; the first failure: {reason}"))
            .help("take a smaller simulation.time_step_s, or constants nearer to the published ones"));
    }
    table.rows.extend(without_model(first).flat_map(|part| part.rows));
    write(&table, &runs_csv(&table, &runs), &first.resolved, &folder)?;
    if args.json {
        return output::line(serde_json::to_string_pretty(&table).expect("a table of numbers and words"));
    }
    output::colored(&(sweep::text(&table, output::terminal()) + "\n"))?;
    for remark in table.remarks() {
        output::line(remark)?;
    }
    if let Some(draft) = draft(first.draft_step_s()) {
        output::line(format_args!("{draft}."))?;
    }
    output::line(format_args!("Page: {}", folder.join("sweep.html").display()))
}

/// The experiment with every list of values as an `each`; for `--set model=A,B` one for each model, with its name.
fn experiments(args: &Args, registry: &Registry) -> Result<Vec<(String, Experiment)>, Error> {
    let models = args.sets.iter().rfind(|(key, _)| key == "model").map(|(_, list)| values(list)).unwrap_or_default();
    let sets: Sets = args.sets.iter().filter(|(key, _)| key != "model").map(|(k, v)| (k.clone(), swept(v))).collect();
    let load = |sets: &Sets| input::experiment_or_draft(registry, &args.experiment, sets, args.draft);
    if models.is_empty() {
        let experiment = load(&sets)?;
        return Ok(vec![(experiment.walkers(), experiment)]);
    }
    let one = |name: &&str| {
        let sets = with_model(registry, &args.experiment, &sets, name).map_err(|e| e.key("--set model"))?;
        Ok((name.trim_matches('"').to_string(), load(&sets)?))
    };
    models.iter().map(one).collect()
}

/// Puts the name of what walks before every row.
fn name_rows(table: &mut SweepTable, name: &str) {
    table.axes.insert(0, "model".into());
    table.rows.iter_mut().for_each(|row| row.axes.insert(0, AxisValue::Word(name.to_string())));
}

/// Where something is compared with tracks: the same table for people who walk straight on, and for those who stand still.
fn without_model(experiment: &Experiment) -> impl Iterator<Item = SweepTable> {
    let compared = (0..experiment.columns.len()).any(|column| compares(experiment, column));
    let part = |way: Without| {
        let values: Vec<Vec<RunValues>> =
            experiment.cases.iter().map(|case| vec![Ok(errors(experiment, case, way))]).collect();
        let mut part = tabulate(experiment, &values);
        name_rows(&mut part, way.name());
        // Nothing was simulated, and other columns say nothing.
        part.rows.iter_mut().for_each(|row| row.replicas = 0);
        part.rows.retain(|row| row.cells.iter().any(|cell| cell.value.is_some()));
        part
    };
    Without::ALL.into_iter().filter(move |_| compared).map(part)
}

/// Where the sweep is written: a folder that is empty or not there. Without `--out` a number makes the name a new one.
fn folder(args: &Args, experiment: &Experiment) -> Result<PathBuf, Error> {
    let taken = |path: &Path| std::fs::read_dir(path).is_ok_and(|mut files| files.next().is_some());
    if let Some(out) = &args.out {
        return match taken(out) {
            true => Err(Error::input("the folder holds files already, and they are left as they are")
                .file(out.display().to_string())
                .help("choose another one with --out, or leave it out: then each sweep gets a folder of its own")),
            false => Ok(out.clone()),
        };
    }
    let name = format!("{}-sweep", experiment.name);
    let mut path = Path::new("results").join(&name);
    let mut number = 2;
    while taken(&path) {
        path = Path::new("results").join(format!("{name}-{number}"));
        number += 1;
    }
    Ok(path)
}

/// `A,B,C` on the right of `--set` is an `each`.
fn swept(value: &str) -> String {
    if values(value).len() == 1 { value.to_string() } else { format!("{{ each = [{value}] }}") }
}

fn tabulate(experiment: &Experiment, values: &[Vec<RunValues>]) -> SweepTable {
    // Cases of different tables may have different axes: the table has all of them, in the order of appearance.
    let mut axes: Vec<String> = Vec::new();
    for (name, _) in experiment.cases.iter().flat_map(|c| &c.axes) {
        if !axes.contains(name) {
            axes.push(name.clone());
        }
    }
    let columns = experiment
        .columns
        .iter()
        .enumerate()
        .map(|(k, c)| SweepColumn {
            over_people: over_people(experiment, k),
            name: c.name.clone(),
            metric: c.metric.name.to_string(),
            unit: c.unit().to_string(),
            reference: match &c.wanted {
                Some(Wanted::Points { points, over, .. }) if axes.first() == Some(over) => points.clone(),
                _ => Vec::new(),
            },
        })
        .collect();
    let rows = experiment
        .cases
        .iter()
        .zip(values)
        .enumerate()
        .map(|(at, (case, runs))| {
            let healthy: Vec<&Ran> = runs.iter().flatten().collect();
            let late = |ran: &Ran, k: usize| ran.values[k].is_some_and(|value| unfinished(experiment, k, at, value));
            let open: Vec<u32> = (0..experiment.columns.len())
                .map(|k| healthy.iter().filter(|ran| late(ran, k)).count() as u32)
                .collect();
            let cells = (0..experiment.columns.len()).map(|k| match over_people(experiment, k) {
                true => people::figure(&[&people::together(healthy.iter().map(|ran| &ran.people[k]))], Seed(0)),
                false => Figure::mean(&healthy.iter().filter_map(|ran| ran.values[k]).collect::<Vec<f64>>()),
            });
            let axes = axes.iter().map(|name| match case.axes.iter().find(|(n, _)| n == name) {
                Some(&(_, x)) => AxisValue::Number(x),
                None => AxisValue::Word(String::new()),
            });
            SweepRow {
                scenario: case.table.clone(),
                axes: axes.collect(),
                held_out: case.held_out,
                replicas: runs.len() as u32,
                failed: runs.iter().filter(|r| r.is_err()).count() as u32,
                cells: cells.collect(),
                unfinished: if open.iter().all(|n| *n == 0) { Vec::new() } else { open },
            }
        })
        .collect();
    let mark = |step| format!("{} (draft, steps of {step} s)", experiment.title);
    let title = experiment.draft_step_s().map_or_else(|| experiment.title.clone(), mark);
    SweepTable { title, axes, columns, rows }
}

/// Writes tables, curves and the page.
fn write(table: &SweepTable, runs: &str, experiment: &str, folder: &Path) -> Result<(), Error> {
    input::write(&folder.join("sweep.csv"), table.csv().as_bytes())?;
    input::write(&folder.join("runs.csv"), runs.as_bytes())?;
    let json = serde_json::to_vec_pretty(table).expect("a table of numbers and words");
    input::write(&folder.join("sweep.json"), &json)?;
    let plots = curve::sweep(table);
    for plot in &plots {
        input::write(&folder.join(format!("{}.svg", plot.name)), plot.svg.as_bytes())?;
    }
    input::write(&folder.join("sweep.html"), sweep_page::page(table, &plots, experiment).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::swept;

    #[test]
    fn several_values_are_an_each() {
        assert_eq!(swept("1,2.5,3"), "{ each = [1,2.5,3] }");
        assert_eq!(swept("0.5"), "0.5");
        assert_eq!(swept("{ uniform = [0.5, 2] }"), "{ uniform = [0.5, 2] }");
        assert_eq!(swept("\"a,b\""), "\"a,b\"");
    }
}
