//! A13: docs/models.md had two paragraphs "Cut-off" that contradicted each other (1e-3 and 0.81 m, 1e-4 and 0.99 m).

use std::path::Path;

#[test]
fn the_page_has_one_cut_off_and_its_distance_is_that_of_its_formula() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/models.md");
    let page = std::fs::read_to_string(page).unwrap();
    assert_eq!(page.matches("**Cut-off.**").count(), 1);
    let (strength_n, range_m, mass_kg, negligible_m_per_s2) = (2000.0_f64, 0.08, 80.0, 1e-4);
    let gap_m = range_m * (strength_n / (mass_kg * negligible_m_per_s2)).ln();
    assert!(page.contains(&format!("B ln(A / (m a)): {gap_m:.2} m")), "{gap_m}");
}
