//! What a candidate is worth, as a line.

use super::space;
use crate::evolve::experiment::Experiment;
use crate::evolve::scoring;
use crowdtune_search::{Outcome, Trial};
use serde_json::{Map, Value, json};

/// The answer to one candidate: its values, objectives and violation, the loss of every target, what was measured in
/// every scenario; or why it failed.
pub fn answer(experiment: &Experiment, trial: &Trial) -> Value {
    let decoded = experiment.space.decode(&trial.question.genome);
    let genes = experiment.space.genes.iter().zip(&decoded);
    let x: Vec<Value> = genes.map(|(gene, &decoded)| space::value(experiment, gene, decoded)).collect();
    if let Outcome::Failed(reason) = &trial.outcome {
        return json!({ "id": trial.id, "x": x, "objectives": null, "violation": null, "failed": reason });
    }
    let score = scoring::score(experiment, &trial.values);
    let (mut losses, mut values) = (Map::new(), Map::new());
    for (column, (target, cells)) in experiment.columns.iter().zip(&score.cells).enumerate() {
        if let Some(loss) = score.losses[column] {
            losses.insert(target.name.clone(), json!(loss));
        }
        let cases = experiment.cases.iter().zip(cells);
        let known = cases.filter_map(|(case, cell)| Some((case.name.clone(), json!(cell.as_ref()?.value))));
        values.insert(target.name.clone(), Value::Object(known.collect()));
    }
    json!({
        "id": trial.id,
        "x": x,
        "objectives": trial.objectives,
        "violation": trial.violation,
        "losses": losses,
        "values": values,
    })
}
