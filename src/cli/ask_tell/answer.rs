//! What the other program says about one point.

use super::hello::Hello;
use crate::evolve::exchange::short;
use crowdtune_core::Error;
use crowdtune_search::Answer;
use serde_json::Value;

/// Reads an answer: a number, a list of objectives, an object with `f` and, where there are, `m`, `violation` and `values`, or null
/// for a point that failed.
///
/// # Errors
/// If it is none of these, or of another length.
pub fn answer(told: &Value, hello: &Hello) -> Result<Option<Answer>, Error> {
    let wrong = || {
        let forms = match (hello.objectives, hello.measures.len()) {
            (1, 0) if !hello.parts.is_empty() => {
                let count = hello.parts.len();
                format!(
                    "a number, {{\"f\": number, \"violation\": number, \"values\": list of {count} numbers}}, or null for a point that failed"
                )
            }
            (1, 0) => "a number, {\"f\": number, \"violation\": number}, or null for a point that failed".to_string(),
            (n, 0) => format!("a list of {n} numbers, {{\"f\": list, \"violation\": number}}, or null"),
            (_, k) => format!("{{\"f\": number, \"m\": list of {k} numbers}}, or null for a point that failed"),
        };
        Error::input(format!("{} is not an answer", short(told))).key("tell").allowed(forms)
    };
    let numbers = |list: &Value| list.as_array()?.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>();
    let mut values = Vec::new();
    let (f, m, violation) = match told {
        Value::Null => return Ok(None),
        Value::Object(map) => {
            let violation = map.get("violation").filter(|v| !v.is_null()).map_or(Some(0.0), Value::as_f64);
            let f = map.get("f").ok_or_else(wrong)?;
            if let Some(list) = map.get("values").filter(|v| !v.is_null()) {
                values = numbers(list).ok_or_else(wrong)?;
            }
            (f, map.get("m"), violation.filter(|v| *v >= 0.0).ok_or_else(wrong)?)
        }
        other => (other, None, 0.0),
    };
    let mut objectives = match f {
        Value::Number(one) => vec![one.as_f64().ok_or_else(wrong)?],
        list => numbers(list).ok_or_else(wrong)?,
    };
    let measures = match m.filter(|m| !m.is_null()) {
        None => Vec::new(),
        Some(list) => numbers(list).ok_or_else(wrong)?,
    };
    if objectives.len() != hello.objectives || measures.len() != hello.measures.len() {
        return Err(wrong());
    }
    if hello.maximize {
        objectives.iter_mut().for_each(|f: &mut f64| *f = -*f);
    }
    Ok(Some(Answer { objectives, violation, measures, values }))
}
