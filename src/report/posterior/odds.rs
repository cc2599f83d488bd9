//! The terminal table of `crowdtune compare` for posteriors.

use crate::evolve::posterior::{Odds, OfModel};
use crate::format;
use crate::report::table::{self, Terminal};

/// Evidence on so few draws says nothing. Chosen here: its standard error is then a third.
const FEW: f64 = 10.0;
/// Odds above which a model is said to be favored: "strong" of Kass and Raftery, J. Am. Stat. Assoc. 90, 773 (1995), is 20 to 1.
const STRONG: f64 = 20.0;

/// Which model a measurement speaks for, and what that rests on.
pub fn odds(o: &Odds, terminal: Terminal) -> String {
    let mut out = String::new();
    for sentence in said(o) {
        out += &table::wrapped(&format!("{sentence}."), "", terminal);
    }
    let head = ["run", "model", "parameters", "ln evidence", "probability", "draws"].map(str::to_string);
    let row = |m: &OfModel| {
        let evidence = m.log_evidence.map_or_else(
            || format::NONE.to_string(),
            |log| format!("{} \u{b1} {}", format::fixed(log, 2), format::fixed(m.error, 2)),
        );
        let percent = format!("{} %", format::fixed(100.0 * m.probability, 1));
        vec![
            m.run.clone(),
            m.model.clone(),
            m.parameters.to_string(),
            evidence,
            percent,
            format::number(m.draws.round()),
        ]
    };
    let rows: Vec<Vec<String>> = o.models.iter().map(row).collect();
    out + &format!("\n{}\n", table::plain(&head, &rows, terminal))
}

fn said(o: &Odds) -> Vec<String> {
    let mut order: Vec<&OfModel> = o.models.iter().collect();
    order.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let mut all = Vec::new();
    if let [first, second, ..] = order[..] {
        let ratio = first.probability / second.probability;
        let sure = match (first.log_evidence, second.log_evidence) {
            (Some(a), Some(b)) => a - b > 2.0 * libm::hypot(first.error, second.error),
            _ => true,
        };
        all.push(match () {
            () if !sure => format!(
                "The draws do not tell {} and {} apart: the difference of their evidence is within twice its error; run both again \
                 with a larger --effective, in other folders",
                first.run, second.run
            ),
            () if ratio >= STRONG => format!(
                "What was measured speaks for {}: {} times as probable as {}, were they equally probable before",
                first.run,
                format::significant(ratio, 2),
                second.run
            ),
            () => format!(
                "What was measured does not decide: {} is {} times as probable as {}, were they equally probable before",
                first.run,
                format::significant(ratio, 2),
                second.run
            ),
        });
    }
    for m in o.models.iter().filter(|m| m.draws < FEW) {
        all.push(format!(
            "{} has an effective number of {} draws only: its evidence is a guess",
            m.run,
            format::significant(m.draws, 2)
        ));
    }
    let widened: Vec<String> = o
        .errors
        .iter()
        .filter(|(_, sd, more)| *more > *sd)
        .map(|(name, sd, more)| {
            format!("{name} from {} to {}", format::number(*sd), format::number(libm::hypot(*sd, *more)))
        })
        .collect();
    if !widened.is_empty() {
        all.push(format!("Errors are widened for all of them alike: {}", widened.join(", ")));
    }
    if o.models.iter().any(|m| m.emulated) {
        all.push("Where processes stand for runs, their own error is not in the errors of the evidence: far from what was measured they guess".into());
    }
    all.push(
        "It rests on the priors: a wider range of a parameter that matters lowers the evidence of its model".into(),
    );
    all
}
