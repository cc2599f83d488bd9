//! Tables for spreadsheets and statistics: the preset, and every evaluation of the run.

use super::{Export, ExportInput, History, MakeExporter, distribution};
use crate::evolve::codec;
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Param};
use crowdtune_search::{Outcome, Purpose};
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::models::MakeModel;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "csv",
    doc: "The preset as a table, and a second table with every evaluation of the run.",
    source: "RFC 4180: comma, double quotes, CRLF",
    params: &[],
    make: MakeExporter {
        export,
        writes: "parameters.csv, and trials.csv from a run folder",
        needs_place: false,
        needs_runs: false,
    },
};

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    let mut files = vec![("parameters.csv".to_string(), parameters(input)?.into_bytes())];
    let mut warnings = Vec::new();
    match &input.history {
        Some(history) => files.push(("trials.csv".to_string(), trials(history, input).into_bytes())),
        None => warnings.push("no trials.csv: the evaluations are in the run folder, not in a preset".to_string()),
    }
    Ok(Export { files, warnings })
}

/// A row for each constant and trait; where there are several models, the constants of the others with their names in front, and a row
/// for each group that one of them steers.
fn parameters(input: &ExportInput<'_>) -> Result<String, Error> {
    let mut out = String::new();
    line(&mut out, ["name", "symbol", "value", "unit", "default", "source"].map(String::from));
    let preset = input.preset;
    let of_model = |model: &&'static Entry<MakeModel>| {
        let before = if model.name == preset.model { String::new() } else { format!("{}.", model.name) };
        preset.constants(model.name).map(|constants| (before, constants, model.params))
    };
    let tables = input.models.iter().filter_map(of_model).chain([(String::new(), &preset.people, TRAITS)]);
    for (before, quantities, list) in tables {
        for param in list {
            let Some(quantity) = quantities.get(param.key) else { continue };
            let value = match distribution(param.key, quantity) {
                Some(drawn) => codec::words_clipped(drawn),
                None => param.written(quantity.number(param, param.key)?).to_string(),
            };
            let key = format!("{before}{}", param.key);
            line(
                &mut out,
                [&key, param.symbol, &value, &quantity.unit, &default(param), param.source].map(String::from),
            );
        }
    }
    for (name, group) in &preset.groups {
        let model = input.models.iter().find(|model| group.model.as_deref() == Some(model.name));
        if let Some(model) = model {
            let key = format!("group.{name}.model");
            line(&mut out, [&key, "", model.name, "", &preset.model, model.source].map(String::from));
        }
    }
    Ok(out)
}

fn default(param: &Param) -> String {
    match codec::published_trait(param) {
        Some(drawn) => codec::words_clipped(drawn),
        None => param.written(param.default_value()).to_string(),
    }
}

/// One row per evaluation; genes and objectives are named in the header, `violation` is 0 where no `must` is missed.
fn trials(history: &History<'_>, input: &ExportInput<'_>) -> String {
    let genes = &history.space.genes;
    let mut out = String::new();
    let head = ["id", "purpose", "replicas"].map(String::from).into_iter();
    let head = head.chain(genes.iter().map(|g| g.key.clone())).chain(history.objectives.iter().cloned());
    line(&mut out, head.chain(["violation", "outcome", "reason"].map(String::from)));
    for trial in history.trials {
        let purpose = match trial.question.purpose {
            Purpose::Search => "search",
            Purpose::Select => "select",
            Purpose::Report => "report",
            Purpose::Baseline => "baseline",
            Purpose::Profile => "profile",
        };
        let (outcome, reason) = match &trial.outcome {
            Outcome::Done => ("done", ""),
            Outcome::Failed(reason) => ("failed", reason.as_str()),
        };
        let values = history.space.decode(&trial.question.genome);
        let decoded = genes
            .iter()
            .zip(&values)
            .map(|(g, &v)| param(&g.key, input).map_or_else(|| v.to_string(), |p| p.written(v).to_string()));
        let objectives =
            (0..history.objectives.len()).map(|i| trial.objectives.get(i).map_or_else(String::new, f64::to_string));
        let head = [trial.id.to_string(), purpose.to_string(), trial.question.replicas.len().to_string()];
        let tail = [trial.violation.to_string(), outcome.to_string(), reason.to_string()];
        line(&mut out, head.into_iter().chain(decoded).chain(objectives).chain(tail));
    }
    out
}

/// The constant of a dotted key: of the model in front of it, that of the group, or the first.
fn param(key: &str, input: &ExportInput<'_>) -> Option<&'static Param> {
    let path: Vec<&str> = key.split('.').collect();
    let model = match path[..] {
        ["scenario", _, "group", name, "parameters", _] => {
            input.preset.groups.get(name).and_then(|group| group.model.as_deref())
        }
        [.., name, _] => Some(name),
        _ => None,
    };
    let model = input.models.iter().find(|m| Some(m.name) == model).or(input.models.first())?;
    model.params.iter().find(|p| path.last() == Some(&p.key))
}

fn line(out: &mut String, cells: impl IntoIterator<Item = String>) {
    for (i, cell) in cells.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        if cell.contains(['"', ',', '\n', '\r']) {
            out.push('"');
            out.push_str(&cell.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(&cell);
        }
    }
    out.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crowdtune_search::{Axis, Gene, Space};
    use crowdtune_search::{Question, Trial};

    fn texts(history: Option<History<'_>>) -> Vec<String> {
        let preset = testing::preset();
        let input = ExportInput {
            models: vec![testing::model()],
            preset: &preset,
            places: Vec::new(),
            history,
            runs: Vec::new(),
            force: false,
            seed: 1,
        };
        export(&input).unwrap().files.into_iter().map(|(_, b)| String::from_utf8(b).unwrap()).collect()
    }

    #[test]
    fn a_row_per_constant_and_trait() {
        let text = &texts(None)[0];
        let rows: Vec<&str> = text.split("\r\n").collect();
        assert_eq!(rows[0], "name,symbol,value,unit,default,source");
        assert_eq!(rows[1], "repulsion_strength_n,A,1500,N,2000,\"Helbing, Farkas, Vicsek, Nature 407, 487 (2000)\"");
        assert!(text.contains("\r\nwall_repulsion,,true,,true,"));
        assert!(text.contains("\r\nradius_m,r,uniform 0.2 to 0.3,m,uniform 0.25 to 0.35,"));
        assert!(text.contains("\r\ninjury_forces,,contact,,contact,"));
    }

    #[test]
    fn trials_are_decoded_and_quoted() {
        let gene = |key: &str, axis| Gene { key: key.into(), axis };
        let space = Space {
            genes: vec![
                gene("parameters.injury_forces", Axis::Choice(vec![0.0, 1.0])),
                gene("parameters.relaxation_time_s", Axis::Real { low: 0.0, high: 2.0, log: false }),
            ],
        };
        let trial = |id, genome: [f64; 2], outcome, objectives| Trial {
            id,
            question: Question { genome: genome.to_vec(), replicas: 0..3, purpose: Purpose::Search },
            values: Vec::new(),
            objectives,
            violation: 0.0,
            measures: Vec::new(),
            outcome,
        };
        let trials = [
            trial(0, [1.0, 0.25], Outcome::Done, vec![1.5]),
            trial(1, [0.0, 1.0], Outcome::Failed("person 3, \"fast\"".into()), Vec::new()),
        ];
        let objectives = ["loss".to_string()];
        let text = &texts(Some(History { space: &space, objectives: &objectives, trials: &trials }))[1];
        let rows: Vec<&str> = text.split("\r\n").collect();
        assert_eq!(
            rows[0],
            "id,purpose,replicas,parameters.injury_forces,parameters.relaxation_time_s,loss,violation,outcome,reason"
        );
        assert_eq!(rows[1], "0,search,3,all,0.5,1.5,0,done,");
        assert_eq!(rows[2], "1,search,3,contact,2,,0,failed,\"person 3, \"\"fast\"\"\"");
    }
}
