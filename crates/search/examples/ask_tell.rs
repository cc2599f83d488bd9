//! Fits a curve to points with CMA-ES: `cargo run -p crowdtune-search --example ask_tell`.

use crowdtune_core::Error;
use crowdtune_search::{AskTell, Gene, Options, Space};

/// Measured points (t, y).
const MEASURED: [(f64, f64); 6] = [(0.0, 4.1), (1.0, 2.9), (2.0, 2.2), (4.0, 1.4), (7.0, 1.1), (10.0, 1.0)];

/// The function to be minimized: squared gaps between the points and y = a exp(-t / tau) + c.
fn gap(p: &[f64]) -> f64 {
    MEASURED.iter().map(|(t, y)| (p[0] * (-t / p[1]).exp() + p[2] - y).powi(2)).sum()
}

fn main() -> Result<(), Error> {
    // tau may be anything from a tenth to a hundred: searched by orders of magnitude.
    let space = Space::new([Gene::real("a", 0.0, 10.0), Gene::log("tau", 0.1, 100.0), Gene::real("c", -5.0, 5.0)])?;
    let options = Options { optimizer: Some("cma_es".into()), parallel: 8, seed: 1, ..Options::default() };
    let mut search = AskTell::new(space, &options)?;
    while search.told() < 400 {
        let points = search.ask();
        // Evaluate them in any order, on any number of threads; the answers go back in the order of the points.
        let losses: Vec<f64> = points.iter().map(|p| gap(p)).collect();
        search.tell(&losses)?;
    }
    if let Some((p, loss)) = search.best() {
        println!("y = {:.3} exp(-t / {:.3}) + {:.3}, squared gaps {loss:.4}", p[0], p[1], p[2]);
    }
    Ok(())
}
