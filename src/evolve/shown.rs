//! Which fresh seed stands for a result.

use super::experiment::Experiment;
use super::scoring::Rescore;
use super::summary::ShownSeed;
use crowdtune_core::math::stats;
use crowdtune_search::Trial;

/// The seed of this report with the median loss; `None` without a report, or where no seed alone has a loss.
pub(super) fn shown(experiment: &Experiment, report: Option<&Trial>) -> Option<ShownSeed> {
    let report = report.filter(|t| t.is_done())?;
    let rescore = Rescore::new(experiment);
    let of = report.question.replicas.len();
    let loss = |replica: usize| -> Option<(f64, usize)> {
        let objectives: Option<Vec<f64>> = rescore.objectives(Some(report), &[replica]).into_iter().collect();
        objectives.filter(|o| !o.is_empty()).map(|o| (stats::mean(&o), replica))
    };
    let mut losses: Vec<(f64, usize)> = (0..of).filter_map(loss).collect();
    losses.sort_by(|a, b| a.0.total_cmp(&b.0));
    let &(middle, _) = losses.get(losses.len().checked_sub(1)? / 2)?;
    // Sorting keeps the order of equal ones.
    let &(loss, replica) = losses.iter().find(|(loss, _)| *loss == middle)?;
    Some(ShownSeed { seed: replica as u32 + 1, of: of as u32, loss })
}
