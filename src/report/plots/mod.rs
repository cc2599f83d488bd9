//! Plots as SVG text: one file per plot, and one line in [`PLOTS`].

pub mod atlas;
pub mod bands;
mod convergence;
pub mod curve;
mod diagram;
pub mod effects;
mod exits;
mod finalists;
mod front;
mod importance;
mod loss;
mod maps;
mod parallel;
mod paths;
pub mod picture;
mod plot;
pub mod posterior;
mod scene;
mod table;
mod tables;
mod targets;
pub mod validation;
mod valley;

pub use plot::{Plot, Section};
pub use tables::of_table;

use super::run::Run;

/// How a plot is made: none where the run has nothing to show in it.
type Make = fn(&Run<'_>) -> Vec<Plot>;

/// All plots of a run, in the order of the report.
static PLOTS: &[(Section, Make)] = &[
    (Section::Atlas, atlas::plots),
    (Section::Front, front::plots),
    (Section::Results, targets::plots),
    (Section::Results, curve::plots),
    (Section::Results, exits::plots),
    (Section::Results, tables::plots),
    (Section::Results, paths::plots),
    (Section::Finalists, finalists::plots),
    (Section::Importance, importance::plots),
    (Section::Identified, valley::plots),
    (Section::Search, loss::plots),
    (Section::Search, convergence::plots),
    (Section::Search, parallel::plots),
];

/// The plots of a run, each with its section of the report; what it has no data for is left out.
pub fn all(run: &Run<'_>) -> Vec<(Section, Plot)> {
    PLOTS.iter().flat_map(|(section, make)| make(run).into_iter().map(|plot| (*section, plot))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::summary::Figure;
    use crate::report::fixture;

    fn drawn(run: &Run<'_>) -> Vec<Plot> {
        all(run).into_iter().map(|(_, plot)| plot).collect()
    }

    #[test]
    fn every_plot_is_well_formed_and_says_what_it_shows() {
        let (summary, trials, replays) = (fixture::summary(), fixture::trials(), [fixture::replay()]);
        let plots = drawn(&fixture::run(&summary, &trials, &replays));
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
            let plots = drawn(&fixture::run(&summary, &trials, &[]));
            let names: Vec<&str> = plots.iter().map(|p| p.name.as_str()).collect();
            let loss = ["comfort", "flow", "noise", "turns", "other"].map(|o| format!("loss_{o}"));
            let before = ["front", "targets", "curve_flow", "importance"].into_iter();
            let wanted = before.chain(loss[..objectives].iter().map(String::as_str)).chain(["convergence", "parallel"]);
            assert_eq!(names, wanted.collect::<Vec<_>>());
            for plot in &plots {
                roxmltree::Document::parse(&plot.svg).unwrap_or_else(|e| panic!("{}: {e}", plot.name));
                assert!(
                    !plot.svg.contains("NaN") && !plot.svg.contains("best so far") || plot.name.starts_with("loss")
                );
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
            let svg = &drawn(&fixture::run(&summary, &trials, &[]))[0].svg;
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
        assert_eq!(drawn(&fixture::run(&summary, &trials, &[])), []);
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
        for plot in drawn(&fixture::run(&summary, &trials, &replays)) {
            roxmltree::Document::parse(&plot.svg).unwrap_or_else(|e| panic!("{}: {e}", plot.name));
        }
    }

    /// `cargo test --lib pictures -- --ignored` writes every kind of plot of synthetic data into `target/pictures`.
    #[test]
    #[ignore = "for the eye: writes files into target/pictures"]
    fn pictures_to_look_at() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pictures");
        std::fs::create_dir_all(&folder).unwrap();
        let write = |set: &str, plots: Vec<Plot>| {
            for plot in plots {
                std::fs::write(folder.join(format!("{set}-{}.svg", plot.name)), plot.svg).unwrap();
            }
        };
        let (summary, trials, replays, tables) =
            (fixture::summary(), fixture::trials(), [fixture::replay()], fixture::tables());
        write("one", drawn(&fixture::run(&summary, &trials, &replays).with_tables(&tables)));
        for objectives in [2, 3] {
            let (summary, trials) = fixture::front(objectives);
            write(&format!("front{objectives}"), drawn(&fixture::run(&summary, &trials, &[])));
        }
        let mut crowds = fixture::replay();
        crowds.crowds[0].label = "0,0".into();
        for (set, cells) in [("flat", &[8, 6][..]), ("deep", &[5, 4, 3])] {
            let mut summary = fixture::summary();
            summary.atlas = Some(fixture::atlas(cells));
            write(set, drawn(&fixture::run(&summary, &trials, &[]).with_crowds(Some(&crowds))));
        }
        for s in [fixture::screening(), fixture::shares()] {
            write("sensitivity", effects::plots(&s).concat());
        }
        write("sweep", curve::sweep(&fixture::sweep()));
        let panel = |file: &crate::replay::ReplayFile| picture::Panel { title: "crowd".into(), file: file.clone() };
        let still = picture::draw("Crowds", &[panel(&replays[0]), panel(&replays[0])]);
        std::fs::write(folder.join("still.svg"), still).unwrap();
    }
}
