//! What the loss is the sum of, in the words of experiment files.

use crate::cli::pipe::Object;
use crowdtune_core::Error;
use crowdtune_search::Rule;
use serde_json::Value;

/// What a part may say, in words.
const FORMS: &str = "one of `minimize` and `maximize` (each {\"good\": number, \"bad\": number}), `equals` with `tolerance`, `between`, `at_most` and \
                     `at_least` (each with `scale`), and a `weight`";

/// Reads `parts`; absent is none.
///
/// # Errors
/// If one of them is no rule.
pub fn parts(line: &mut Object) -> Result<Vec<(Rule, f64)>, Error> {
    let given: Vec<Value> =
        line.take("parts", "a list, with an entry for each value of an answer")?.unwrap_or_default();
    given
        .into_iter()
        .enumerate()
        .map(|(at, one)| {
            part(one).map_err(|e| e.key_as(|key| format!("parts[{at}].{key}")).key(format!("parts[{at}]")))
        })
        .collect()
}

fn part(given: Value) -> Result<(Rule, f64), Error> {
    let mut object = Object::new(given, "a part")?;
    let number = |object: &mut Object, key: &str| object.take::<f64>(key, "a number");
    let weight = number(&mut object, "weight")?.unwrap_or(1.0);
    let tolerance = number(&mut object, "tolerance")?;
    let scale = number(&mut object, "scale")?;
    let squares = object.take::<String>("loss", "\"squares\"")?.is_some_and(|loss| loss == "squares");
    let limit = |object: &mut Object, key: &str| -> Result<Option<(f64, f64)>, Error> {
        let Some(limit) = object.take::<f64>(key, "a number")? else { return Ok(None) };
        Ok(Some((limit, scale.unwrap_or(limit.abs()))))
    };
    let mut rules = Vec::new();
    for (key, allowed) in [("minimize", "`bad` above `good`"), ("maximize", "`bad` below `good`")] {
        let Some(ends) = object.take::<Value>(key, "{\"good\": number, \"bad\": number}")? else { continue };
        let mut ends = Object::new(ends, key)?;
        let (good, bad): (f64, f64) = (ends.need("good", "a number")?, ends.need("bad", "a number")?);
        if good == bad || (good < bad) != (key == "minimize") {
            return Err(Error::input(format!("`{key}` from {good} to {bad}")).key(key).allowed(allowed));
        }
        rules.push(Rule::Slope { good, bad });
    }
    if let Some(value) = number(&mut object, "equals")? {
        let unit = positive(tolerance, "tolerance")?;
        let band = Rule::Band { low: value - unit, high: value + unit, unit };
        rules.push(if squares { Rule::Squares { value, unit } } else { band });
    }
    if let Some([low, high]) = object.take::<[f64; 2]>("between", "a list of two numbers")? {
        let unit = positive(Some(0.5 * (high - low)), "between")?;
        rules.push(Rule::Band { low, high, unit });
    }
    if let Some((high, unit)) = limit(&mut object, "at_most")? {
        rules.push(Rule::Band { low: f64::NEG_INFINITY, high, unit });
    }
    if let Some((low, unit)) = limit(&mut object, "at_least")? {
        rules.push(Rule::Band { low, high: f64::INFINITY, unit });
    }
    // `evaluate` says where the value of a part is.
    if let Some(key) = object.rest().keys().find(|key| !["target", "scenario"].contains(&key.as_str())) {
        return Err(Error::input(format!("`{key}` is not a key of a part")).allowed(FORMS));
    }
    match rules[..] {
        [rule] if weight > 0.0 => Ok((rule, weight)),
        [_] => Err(Error::input(format!("`weight` is {weight}")).key("weight").allowed("a number above 0")),
        _ => Err(Error::input(format!("{} rules in one part", rules.len())).allowed(FORMS)),
    }
}

fn positive(unit: Option<f64>, key: &str) -> Result<f64, Error> {
    match unit {
        Some(unit) if unit > 0.0 && unit.is_finite() => Ok(unit),
        Some(unit) => {
            Err(Error::input(format!("half of the band, or `tolerance`, is {unit}")).key(key).allowed("above 0"))
        }
        None => Err(Error::input(format!("no `{key}`")).key(key).allowed("a number above 0")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(parts: &Value) -> Result<Vec<(Rule, f64)>, Error> {
        super::parts(&mut Object::new(json!({ "parts": parts }), "a line").unwrap())
    }

    #[test]
    fn every_word_is_a_rule() {
        let read = read(&json!([
            { "minimize": { "good": 8, "bad": 30 }, "weight": 2 },
            { "maximize": { "good": 1, "bad": 0 } },
            { "equals": 1.5, "tolerance": 0.5 },
            { "equals": 1.5, "tolerance": 0.5, "loss": "squares" },
            { "between": [1, 3] },
            { "at_most": 0.5 },
            { "at_least": 4, "scale": 2, "target": "room", "scenario": "hall" },
        ]));
        let band = |low, high, unit| (Rule::Band { low, high, unit }, 1.0);
        let wanted = [
            (Rule::Slope { good: 8.0, bad: 30.0 }, 2.0),
            (Rule::Slope { good: 1.0, bad: 0.0 }, 1.0),
            band(1.0, 2.0, 0.5),
            (Rule::Squares { value: 1.5, unit: 0.5 }, 1.0),
            band(1.0, 3.0, 1.0),
            band(f64::NEG_INFINITY, 0.5, 0.5),
            band(4.0, f64::INFINITY, 2.0),
        ];
        assert_eq!(read.unwrap(), wanted);
    }

    #[test]
    fn mistakes_are_named_with_their_part() {
        let refused = |part: Value| read(&json!([{ "at_most": 1 }, part])).unwrap_err().to_string();
        for (part, says) in [
            (json!({}), "0 rules"),
            (json!({ "at_most": 1, "at_least": 0 }), "2 rules"),
            (json!({ "equals": 1 }), "tolerance"),
            (json!({ "equals": 1, "tolerance": 0 }), "above 0"),
            (json!({ "minimize": { "good": 3, "bad": 1 } }), "`bad` above `good`"),
            (json!({ "maximize": { "good": 3 } }), "bad"),
            (json!({ "between": [2, 1] }), "above 0"),
            (json!({ "at_most": 1, "weight": 0 }), "weight"),
            (json!({ "at_most": 1, "weigth": 2 }), "weigth"),
            (json!(7), "part"),
        ] {
            let said = refused(part.clone());
            assert!(said.contains(says) && said.contains("parts[1]"), "{part}: {said}");
        }
    }
}
