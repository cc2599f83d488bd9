use super::fixture::posterior;
use super::*;

#[test]
fn every_plot_is_well_formed_and_names_what_it_shows() {
    let (p, draws) = posterior();
    let plots = plots(&p, &draws);
    assert_eq!(plots.iter().map(|p| &p.name[..]).collect::<Vec<_>>(), ["posterior", "predicted", "ranks"]);
    for (plot, words) in plots.iter().zip(["repulsion range (m)", "held out", "60 planted truths"]) {
        let doc = roxmltree::Document::parse(&plot.svg).unwrap();
        assert!(doc.descendants().filter_map(|n| n.text()).any(|text| text.contains(words)), "{}: {words}", plot.name);
    }
}
