//! What parameters do to an output: screening, shares of the variance, interactions.

mod matrix;
mod screening;
pub(super) mod shares;

use super::plot::Plot;
use crate::evolve::sensitivity::{Effects, OutputEffects, Sensitivity};
use crate::format::{self, file_stem};

/// The plots of each output, in their order; none where nothing can be said.
pub fn plots(s: &Sensitivity) -> Vec<Vec<Plot>> {
    s.outputs.iter().map(|o| of(s, o)).collect()
}

fn of(s: &Sensitivity, o: &OutputEffects) -> Vec<Plot> {
    let stem = |what: &str| format!("{what}_{}", file_stem(&format!("{}_{}", o.kind, o.name)));
    let name = format::name_with_unit(&o.name, &o.unit);
    let plot = |what: &str, caption: &str, svg: String| Plot { name: stem(what), caption: caption.into(), svg };
    let mut out = Vec::new();
    match &o.effects {
        Effects::Morris(all) if all.iter().any(|e| e.mu_star.value.is_some_and(|v| v > 0.0)) => {
            let caption = "Each dot is a parameter: the further to the right, the more it matters; the further up, the more its \
                           effect depends on the other parameters or on its own value. Below the lowest line effects are almost \
                           linear, above the steepest one they change direction. Lines through the dots are 95 % intervals.";
            out.push(plot("screening", caption, screening::draw(s, &name, all)));
        }
        Effects::Sobol { genes, pairs } if genes.iter().any(|e| e.total.value.is_some()) => {
            let caption = "Share of the variance that each parameter explains alone (S1) and in total, with its interactions (ST); \
                           bars have 95 % intervals. The difference between the two bars is interaction.";
            out.push(plot("shares", caption, shares::draw(s, &name, genes)));
            if genes.len() > 1 {
                let caption = "Share of the variance that a pair explains beyond what each explains alone; the diagonal \
                               shows each parameter alone. Framed: the 95 % interval lies above 0.";
                out.push(plot("interactions", caption, matrix::draw(s, &name, genes, pairs)));
            }
        }
        _ => {}
    }
    out
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
