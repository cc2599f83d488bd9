//! `crowdtune sweep`: every `each` of the file, the full grid, as curves with intervals.

use super::{input, output};
use crate::evolve::experiment::Experiment;
use crate::evolve::grid::{RunValues, run_cases};
use crate::evolve::summary::Figure;
use crate::registry::Registry;
use crate::report::plots::curve;
use crate::report::sweep::{AxisValue, SweepColumn, SweepRow, SweepTable, runs_csv};
use crate::report::{sweep, verdict};
use crate::target::Wanted;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::stats;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};

/// Measure every combination of the `each` values of an experiment and draw the curves
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The experiment file; searched parameters take their start value
    experiment: PathBuf,
    /// Replace a value of the file; several values, A,B,C, are swept
    #[arg(long = "set", value_name = "KEY=A,B,C", value_parser = input::pair)]
    sets: Vec<(String, String)>,
    /// Replicas per point [default: the scenario's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    replicas: Option<u32>,
    /// Threads; results do not depend on them [default: one per core]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
    /// Folder for sweep.csv, runs.csv, sweep.json and the curves [default: results/NAME-sweep]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Twice the time step: half the work; the results are marked as a draft
    #[arg(long)]
    draft: bool,
    /// Print the table as one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// What the user has to mend; that no run was healthy.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let sets: Vec<(String, String)> = args.sets.iter().map(|(k, v)| (k.clone(), swept(v))).collect();
    let experiment = input::experiment_or_draft(registry, &args.experiment, &sets, args.draft)?;
    input::announce(&experiment);
    let folder = args.out.clone().unwrap_or_else(|| Path::new("results").join(format!("{}-sweep", experiment.name)));
    // Before the work, so that a mistake in the name costs none.
    input::writable(&folder.join("sweep.csv"))?;
    let replicas = args.replicas.unwrap_or_else(|| experiment.cases.iter().map(|c| c.replicas).max().unwrap_or(1));
    let bar = ProgressBar::new(experiment.cases.len() as u64 * u64::from(replicas));
    bar.set_style(
        ProgressStyle::with_template("{prefix:>9} {bar:32} {pos}/{len} runs  {eta} left")
            .expect("the template is well-formed")
            .progress_chars("━━╌"),
    );
    bar.set_prefix("sweep");
    let values = run_cases(&experiment, replicas, args.threads as usize, &|| bar.inc(1))?;
    bar.finish_and_clear();
    if values.iter().flatten().all(Result::is_err) {
        let reason = values.iter().flatten().find_map(|v| v.as_ref().err()).map_or("none is known", Error::what);
        return Err(Error::nothing(format!("no run was healthy; the first failure: {reason}"))
            .help("take a smaller simulation.time_step_s, or constants nearer to the published ones"));
    }
    let table = tabulate(&experiment, &values);
    let runs: Vec<Vec<_>> =
        values.iter().map(|runs| runs.iter().map(|r| r.clone().unwrap_or_default()).collect()).collect();
    let curves = write(&table, &runs_csv(&table, &runs), &folder)?;
    if args.json {
        output::line(serde_json::to_string_pretty(&table).expect("a table of numbers and words"))
    } else {
        output::line(sweep::text(&table, output::terminal()))?;
        if let Some(draft) = verdict::draft(experiment.draft_step_s()) {
            output::line(format_args!("{draft}."))?;
        }
        output::line(format_args!("{}: {}", if curves > 0 { "tables and curves" } else { "tables" }, folder.display()))
    }
}

/// `A,B,C` on the right of `--set` is an `each`; commas inside brackets, braces and quotes do not split.
fn swept(value: &str) -> String {
    let (mut depth, mut quoted, mut parts) = (0, false, 1);
    for c in value.chars() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' | '(' if !quoted => depth += 1,
            ']' | '}' | ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => parts += 1,
            _ => {}
        }
    }
    if parts == 1 { value.to_string() } else { format!("{{ each = [{value}] }}") }
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
        .map(|c| SweepColumn {
            name: c.name.clone(),
            metric: c.metric.name.to_string(),
            unit: c.unit().to_string(),
            reference: match &c.wanted {
                Some(Wanted::Points { points, over }) if axes.first() == Some(over) => points.clone(),
                _ => Vec::new(),
            },
        })
        .collect();
    let rows = experiment
        .cases
        .iter()
        .zip(values)
        .map(|(case, runs)| {
            let healthy: Vec<&Vec<Option<f64>>> = runs.iter().flatten().collect();
            let cells = (0..experiment.columns.len())
                .map(|k| figure(&healthy.iter().filter_map(|v| v[k]).collect::<Vec<f64>>()))
                .collect();
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
                cells,
            }
        })
        .collect();
    let mark = |step| format!("{} (draft, steps of {step} s)", experiment.title);
    let title = experiment.draft_step_s().map_or_else(|| experiment.title.clone(), mark);
    SweepTable { title, axes, columns, rows }
}

/// Mean with a bootstrap interval; the resampling has a fixed seed, so equal values give equal intervals.
fn figure(values: &[f64]) -> Figure {
    let Some((low, high)) = stats::bootstrap(values, stats::mean, Seed(0)) else { return Figure::default() };
    Figure { value: Some(stats::mean(values)), low: Some(low), high: Some(high) }
}

/// Writes tables and curves; returns the number of curves.
fn write(table: &SweepTable, runs: &str, folder: &Path) -> Result<usize, Error> {
    input::write(&folder.join("sweep.csv"), table.csv().as_bytes())?;
    input::write(&folder.join("runs.csv"), runs.as_bytes())?;
    let json = serde_json::to_vec_pretty(table).expect("a table of numbers and words");
    input::write(&folder.join("sweep.json"), &json)?;
    let plots = curve::sweep(table);
    for plot in &plots {
        input::write(&folder.join(format!("{}.svg", plot.name)), plot.svg.as_bytes())?;
    }
    Ok(plots.len())
}

#[cfg(test)]
mod tests {
    use super::swept;

    #[test]
    fn commas_split_at_top_level_only() {
        assert_eq!(swept("1,2.5,3"), "{ each = [1,2.5,3] }");
        assert_eq!(swept("0.5"), "0.5");
        assert_eq!(swept("{ uniform = [0.5, 2] }"), "{ uniform = [0.5, 2] }");
        assert_eq!(swept("\"a,b\""), "\"a,b\"");
    }
}
