use super::*;
use crate::report::fixture;
use crate::report::plots::effects;
use crate::report::table::Terminal;

#[test]
fn shapes_and_shares_become_words() {
    let s = fixture::screening();
    let Effects::Morris(all) = &s.outputs[0].effects else { panic!("a screening") };
    let words: Vec<_> = all.iter().map(|e| morris_word(e, largest(all))).collect();
    assert_eq!(words, ["almost linear", "curved, or with others", "negligible"]);
    let s = fixture::shares();
    let Effects::Sobol { genes, .. } = &s.outputs[0].effects else { panic!("shares") };
    let words: Vec<_> = genes.iter().map(sobol_word).collect();
    assert_eq!(words, ["alone and with others", "alone", "mostly with others"]);
}

#[test]
fn text_page_and_csv_say_the_figures_and_what_failed() {
    for s in [fixture::screening(), fixture::shares()] {
        let text = text(&s, "r/report.html", Terminal::default());
        for part in ["3 parameters", "relaxation_time_s", "Report: r/report.html", "2 of 512 trials failed"] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        let narrow = super::text(&s, "", Terminal { width: Some(80), color: false });
        assert!(narrow.lines().all(|l| l.chars().count() <= 80), "{narrow}");
        let page = page(&s, &effects::plots(&s), "a < b");
        assert!(page.contains("a &lt; b") && page.contains("<svg") && !page.contains("NaN"));
        assert_eq!(csv(&s).lines().next().unwrap().split(',').count(), 12);
    }
    let shares = text(&fixture::shares(), "", Terminal::default());
    assert!(shares.contains("explain 76 % of the variance, their interactions 24 %"), "{shares}");
    assert!(shares.contains("Together relaxation_time_s and repulsion_strength_n: 0.24"), "{shares}");
    assert!(csv(&fixture::shares()).contains("loss,relaxation_time_s,repulsion_strength_n,,,,,,,0.244,0.2,0.29"));
}

#[test]
fn what_does_not_vary_or_was_never_measured_is_said() {
    let mut s = fixture::shares();
    s.outputs[0].sd = Some(0.0);
    assert!(text(&s, "", Terminal::default()).contains("the same everywhere"));
    s.outputs[0].mean = None;
    let Effects::Sobol { genes, pairs } = &mut s.outputs[0].effects else { panic!("shares") };
    genes.iter_mut().for_each(|g| (g.first, g.total) = Default::default());
    pairs.clear();
    let text = text(&s, "", Terminal::default());
    assert!(text.contains("No trial gave a value") && text.contains("cannot tell"), "{text}");
    assert!(effects::plots(&s)[0].is_empty());
}
