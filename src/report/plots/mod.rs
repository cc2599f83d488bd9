//! Plots as SVG text; one file per plot, one line in [`all`] to add one.

pub mod atlas;
pub mod axis;
pub mod bands;
pub mod canvas;
pub mod convergence;
pub mod curve;
pub mod effects;
pub mod exits;
pub mod finalists;
pub mod front;
pub mod importance;
pub mod loss;
pub mod parallel;
pub mod paths;
pub mod picture;
pub mod scene;
pub mod style;
pub mod tables;
pub mod targets;
pub mod validation;
pub mod valley;

use super::run::Run;

/// One plot of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// File name without its ending.
    pub name: String,
    /// What it shows, for the report.
    pub caption: String,
    /// The picture.
    pub svg: String,
}

/// How a plot is made: none where the run has nothing to show in it.
type Make = fn(&Run<'_>) -> Vec<Plot>;

/// All plots, in the order of the report.
static PLOTS: &[Make] = &[
    atlas::plots,
    front::plots,
    targets::plots,
    curve::plots,
    exits::plots,
    tables::plots,
    paths::plots,
    finalists::plots,
    importance::plots,
    valley::plots,
    loss::plots,
    convergence::plots,
    parallel::plots,
];

/// The plots of a run; what it has no data for is left out.
pub fn all(run: &Run<'_>) -> Vec<Plot> {
    PLOTS.iter().flat_map(|make| make(run)).collect()
}

/// A name as part of a file name: letters, digits and `_` stay, everything else becomes `-`, but not at the end (a
/// name of nothing else keeps it).
pub fn file_stem(name: &str) -> String {
    let stem: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    match stem.trim_end_matches('-') {
        "" => stem,
        trimmed => trimmed.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::summary::Figure;
    use crate::report::fixture;

    #[test]
    fn file_names_do_not_end_in_a_dash() {
        assert_eq!(["neck[width_m=0.8]", "a b", "[]"].map(file_stem), ["neck-width_m-0-8", "a-b", "--"]);
    }

    #[test]
    fn every_plot_is_well_formed_and_says_what_it_shows() {
        let (summary, trials, replays) = (fixture::summary(), fixture::trials(), [fixture::replay()]);
        let plots = all(&fixture::run(&summary, &trials, &replays));
        let names: Vec<&str> = plots.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "targets",
                "curve_flow",
                "exits",
                "paths",
                "finalists",
                "importance",
                "valley",
                "loss",
                "convergence",
                "parallel"
            ]
        );
        for plot in &plots {
            let doc = roxmltree::Document::parse(&plot.svg).unwrap_or_else(|e| panic!("{}: {e}", plot.name));
            assert!(!doc.root_element().attribute("aria-label").unwrap().is_empty());
            assert!(!plot.caption.is_empty() && !plot.svg.contains("NaN"), "{}", plot.name);
        }
    }

    #[test]
    fn a_front_has_a_panel_for_each_pair_of_objectives() {
        for (objectives, pairs) in [(2, 1), (3, 3), (5, 10)] {
            let (mut summary, trials) = fixture::front(objectives);
            let titles = |plots: &[Plot]| plots[0].svg.matches("is good").count();
            let plots = all(&fixture::run(&summary, &trials, &[]));
            let names: Vec<&str> = plots.iter().map(|p| p.name.as_str()).collect();
            assert_eq!(names, ["front", "targets", "curve_flow", "importance", "loss", "convergence", "parallel"]);
            for plot in &plots {
                roxmltree::Document::parse(&plot.svg).unwrap_or_else(|e| panic!("{}: {e}", plot.name));
                assert!(!plot.svg.contains("NaN") && !plot.svg.contains("best so far") || plot.name == "loss");
            }
            assert_eq!(titles(&plots), 2 * pairs, "a title for each axis of a panel");
            assert!(plots[0].svg.contains("13 recommended (knee)") && plots[0].svg.contains("fell behind"));
            let parallel = plots.iter().find(|p| p.name == "parallel").unwrap();
            assert!(parallel.svg.contains("Parameters along the front"));
            // Nothing is known but what the search saw.
            let front = summary.front.as_mut().unwrap();
            for point in &mut front.points {
                (point.standing, point.fresh) = (crate::evolve::summary::Standing::Unchecked, Vec::new());
            }
            let svg = &all(&fixture::run(&summary, &trials, &[]))[0].svg;
            assert!(svg.contains("not checked") && !svg.contains("NaN"));
        }
    }

    #[test]
    fn a_run_that_never_got_anywhere_gives_no_plots_and_no_panic() {
        let (mut summary, mut trials) = (fixture::summary(), fixture::trials());
        trials.truncate(0);
        summary.genes.clear();
        summary.targets.clear();
        summary.cases.clear();
        summary.race.clear();
        summary.importance.clear();
        summary.identified = None;
        assert_eq!(all(&fixture::run(&summary, &trials, &[])), []);
    }

    #[test]
    fn failed_trials_missing_figures_and_hostile_names_are_drawn_all_the_same() {
        let (mut summary, mut trials, mut replays) = (fixture::summary(), fixture::trials(), [fixture::replay()]);
        for trial in &mut trials {
            trial.objectives.clear();
            trial.outcome = crowdtune_search::Outcome::Failed("<&\u{1}>".into());
        }
        for target in &mut summary.targets {
            target.name = "<&\u{0}\"".into();
            target.default = Figure::default();
            target.tuned = Figure { value: Some(f64::MAX), low: None, high: None };
        }
        for case in &mut summary.cases {
            case.target = "<&\u{0}\"".into();
            case.tuned = Figure::default();
        }
        summary.genes[0].key = "</svg>".into();
        replays[0].crowds[1].people.clear();
        for plot in all(&fixture::run(&summary, &trials, &replays)) {
            roxmltree::Document::parse(&plot.svg).unwrap_or_else(|e| panic!("{}: {e}", plot.name));
        }
    }
}
