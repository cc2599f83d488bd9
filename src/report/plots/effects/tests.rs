use super::*;
use crate::evolve::summary::Figure;
use crate::report::fixture;

#[test]
fn every_plot_is_well_formed_with_hostile_names_and_missing_figures() {
    for mut s in [fixture::screening(), fixture::shares()] {
        for spoiled in [false, true] {
            if spoiled {
                match &mut s.outputs[0].effects {
                    Effects::Morris(all) => (all[0].key, all[1].sigma) = ("<&\u{1}".into(), Figure::default()),
                    Effects::Sobol { genes, .. } => (genes[0].key, genes[1].total) = ("<&".into(), Figure::default()),
                }
            }
            let plots = plots(&s);
            assert!(!plots[0].is_empty());
            for plot in plots.iter().flatten() {
                roxmltree::Document::parse(&plot.svg).unwrap_or_else(|e| panic!("{}: {e}", plot.name));
                assert!(!plot.svg.contains("NaN") && !plot.caption.is_empty());
            }
        }
    }
}

#[test]
fn outputs_have_plots_of_their_own() {
    let names = |s: &Sensitivity| plots(s).into_iter().flatten().map(|p| p.name).collect::<Vec<_>>();
    assert_eq!(names(&fixture::screening()), ["screening_objective_loss", "screening_target_time"]);
    let shares = names(&fixture::shares());
    assert_eq!(shares[..2], ["shares_objective_loss", "interactions_objective_loss"]);
}
