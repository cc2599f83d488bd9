//! `crowdtune validate`: published experiments and standard tests, with numbers, tolerances and verdicts.

use super::options::Threads;
use super::{input, output};
use crate::registry::Registry;
use crate::report::html;
use crate::report::plots::validation;
use crate::report::validation::Validation;
use crate::validation::{EXPERIMENTS, Lab, MakeExperiment, Tried};
use clap::Args as ClapArgs;
use cpu_time::ThreadTime;
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, find};
use crowdtune_core::suggest::nearest;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// Repeat published experiments and standard tests: paper, our reference, result, tolerance, verdict
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Experiments to repeat; `crowdtune list experiments` shows them [default: all]
    names: Vec<String>,
    /// Only those that take a few seconds: under a minute altogether
    #[arg(long)]
    quick: bool,
    /// Folder for validation.html, validation.md, validation.json and the plots
    #[arg(long, value_name = "DIR", default_value = "results/validation")]
    out: PathBuf,
    #[command(flatten)]
    threads: Threads,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// What the user has to mend; that a line falls short (exit code 1).
pub fn run(args: &Args, _: &Registry) -> Result<(), Error> {
    let chosen = chosen(&args.names, args.quick)?;
    // Before the work, so that a mistake in the name costs none.
    input::writable(&args.out.join("validation.json"))?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.count())
        .build()
        .map_err(|e| Error::environment(format!("cannot start threads: {e}")).help("take fewer with --threads"))?;
    let (mut all, mut plots) = (Validation::default(), Vec::new());
    for (at, entry) in chosen.iter().enumerate() {
        let bar = ProgressBar::new(0);
        let style = "{prefix} {bar:24} {pos}/{len} runs  {elapsed}";
        bar.set_style(ProgressStyle::with_template(style).expect("the template is well-formed").progress_chars("━━╌"));
        bar.set_prefix(format!("{}/{} {:<22}", at + 1, chosen.len(), entry.name));
        let outcome = (entry.make.run)(&OnThreads { pool: &pool, bar: &bar })?;
        bar.finish_and_clear();
        all.add(entry.name, entry.doc, entry.source, &outcome);
        for chart in &outcome.charts {
            let (file, svg) = (args.out.join(format!("{}.svg", chart.name)), validation::draw(chart));
            input::write(&file, svg.as_bytes())?;
            plots.push((chart.name.clone(), svg));
        }
    }
    let json = serde_json::to_string_pretty(&all).expect("a document of numbers and words");
    input::write(&args.out.join("validation.json"), json.as_bytes())?;
    input::write(&args.out.join("validation.md"), all.markdown().as_bytes())?;
    let page = args.out.join("validation.html");
    input::write(&page, html::validation::page(&all, &plots).as_bytes())?;
    if args.json {
        output::line(json)?;
    } else {
        output::colored(&(all.text(output::terminal()) + "\n"))?;
        output::line(format_args!("page with all plots: {}", page.display()))?;
    }
    verdict(&all)
}

/// Exit code 1 if a line falls short.
fn verdict(all: &Validation) -> Result<(), Error> {
    if all.fall_short == 0 {
        return Ok(());
    }
    Err(Error::nothing(all.sentence())
        .help("the lines marked `falls short` say what was wanted and why runs cannot be trusted; the plots show how far away it is"))
}

/// The experiments of these names, in the order of the list; all of them for no name.
fn chosen(names: &[String], quick: bool) -> Result<Vec<&'static Entry<MakeExperiment>>, Error> {
    if let Some(unknown) = names.iter().find(|n| find(EXPERIMENTS, n).is_none()) {
        let error = Error::input(format!("no experiment is called `{unknown}`"));
        let names: Vec<&str> = EXPERIMENTS.iter().map(|e| e.name).collect();
        return Err(match nearest(unknown, &names) {
            Some(name) => error.help(format!("did you mean `{name}`? `crowdtune list experiments` shows all")),
            None => error.allowed(names.join(", ")).help("`crowdtune list experiments` shows what they are"),
        });
    }
    let named = |e: &&&'static Entry<MakeExperiment>| names.is_empty() || names.iter().any(|n| n == e.name);
    let chosen: Vec<_> = EXPERIMENTS.iter().filter(named).filter(|e| !quick || e.make.quick).copied().collect();
    if chosen.is_empty() {
        return Err(Error::input("none of these experiments is quick").help("leave --quick out"));
    }
    Ok(chosen)
}

/// All threads of a pool; what panics is a run that cannot be trusted.
struct OnThreads<'a> {
    pool: &'a rayon::ThreadPool,
    bar: &'a ProgressBar,
}

impl Lab for OnThreads<'_> {
    fn runs(&self, count: usize, job: &(dyn Fn(usize) -> Tried + Sync)) -> Result<Vec<Tried>, Error> {
        self.bar.inc_length(count as u64);
        let one = |at: usize| {
            let ran = catch_unwind(AssertUnwindSafe(|| job(at)));
            self.bar.inc(1);
            ran.unwrap_or_else(|_| Err(Error::nothing("panic")))
        };
        Ok(self.pool.install(|| (0..count).into_par_iter().map(one).collect()))
    }

    fn seconds(&self, work: &mut dyn FnMut()) -> Option<f64> {
        let start = ThreadTime::try_now().ok()?;
        catch_unwind(AssertUnwindSafe(work)).ok()?;
        Some(start.try_elapsed().ok()?.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_falls_short_is_exit_code_1_and_a_deviation_is_not() {
        let all =
            |short: usize| Validation { hold: 3, expected_deviations: 2, fall_short: short, ..Validation::default() };
        assert_eq!(verdict(&all(0)), Ok(()));
        assert_eq!(verdict(&all(1)).unwrap_err().exit_code(), 1);
    }

    #[test]
    fn names_restrict_and_quick_restricts_further() {
        assert_eq!(chosen(&[], false).unwrap().len(), EXPERIMENTS.len());
        let quick = chosen(&[], true).unwrap();
        assert!(!quick.is_empty() && quick.len() < EXPERIMENTS.len() && quick.iter().all(|e| e.make.quick));
        let both = chosen(&["rimea_1".into(), "faster_is_slower".into()], false).unwrap();
        assert_eq!(both.iter().map(|e| e.name).collect::<Vec<_>>(), ["faster_is_slower", "rimea_1"]);
        assert!(chosen(&["faster_is_slower".into()], true).unwrap_err().to_string().contains("--quick"));
        assert!(chosen(&["faster".into()], false).unwrap_err().to_string().contains("faster_is_slower"));
    }
}
