//! `crowdtune ask-tell` as a partner sees it: protocol 1 of docs/ask-tell.md, its end, and every mistake.

use crate::partner::{Partner, refuses};
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_search::{Goal, OPTIMIZERS};
use serde_json::{Value, json};

/// Two coordinates in [0, 10].
const TWO: &str = r#"{"protocol":1,"dimension":2,"lower":[0,0],"upper":[10,10],"seed":3}"#;

fn points(line: &Value) -> Vec<Vec<f64>> {
    let points = line["ask"].as_array().unwrap_or_else(|| panic!("no ask in {line}"));
    points.iter().map(|p| p.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()).collect()
}

/// Plays a search of `budget` evaluations to its end; gives all points and the result.
fn play(words: &[&str], hello: &str, budget: usize, f: impl Fn(usize, &[f64]) -> Value) -> (Vec<Vec<f64>>, Value) {
    let mut partner = Partner::start(&[&["ask-tell"], words].concat());
    let mut line = partner.ask(hello);
    let mut all: Vec<Vec<f64>> = Vec::new();
    while line.get("result").is_none() {
        let mut tell = Vec::new();
        for point in points(&line) {
            tell.push(if all.len() < budget { f(all.len(), &point) } else { Value::Null });
            all.push(point);
        }
        let left = budget.saturating_sub(all.len());
        partner.say(&json!({ "tell": tell, "left": left }).to_string());
        if left == 0 {
            partner.say(r#"{"stop":"budget"}"#);
        }
        line = partner.hear();
    }
    let ended = partner.end();
    assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (0, "", ""));
    (all, line["result"].clone())
}

fn bowl(x: &[f64]) -> f64 {
    (x[0] - 7.0).powi(2) + (x[1] - 2.0).powi(2)
}

fn one(result: &Value) -> Vec<f64> {
    result["x"].as_array().unwrap_or_else(|| panic!("{result}")).iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn one_objective_is_minimized_by_every_optimizer() {
    for name in OPTIMIZERS.iter().filter(|o| o.make.goal == Goal::Best).map(|o| o.name) {
        let (all, result) = play(&["--optimizer", name], TWO, 120, |_, x| json!(bowl(x)));
        assert!(all.iter().flatten().all(|x| (0.0..=10.0).contains(x)), "{name} asks outside");
        let best = one(&result);
        // The best of 120 points at random is 0.9 or nearer in nine of ten searches.
        assert!(bowl(&best) < 0.9, "{name}: {best:?}");
        let (again, same) = play(&["--optimizer", name], TWO, 120, |_, x| json!(bowl(x)));
        assert!(again == all && same == result, "{name}: another search from the same seed");
    }
}

#[test]
fn a_larger_objective_is_better_where_the_partner_says_so() {
    for word in ["maximise", "maximize"] {
        let hello = TWO.replace("\"seed\"", &format!("\"{word}\":true,\"seed\""));
        let (_, result) = play(&["--optimizer", "ga"], &hello, 150, |_, x| json!(-bowl(x)));
        assert!(bowl(&one(&result)) < 0.5, "{result}");
    }
}

#[test]
fn batches_are_as_wide_as_wanted_and_the_last_one_may_be_cut() {
    let mut partner = Partner::start(&["ask-tell", "--optimizer", "random", "--parallel", "8"]);
    let line = partner.ask(TWO);
    assert_eq!(points(&line).len(), 8);
    partner.say(r#"{"tell":[5,4,3,null,null,null,null,null],"left":0}"#);
    let line2 = partner.ask(r#"{"stop":"budget"}"#);
    assert_eq!(one(&line2["result"]), points(&line)[2]);
    assert_eq!(partner.end().code, 0);
}

#[test]
fn start_points_come_first_and_types_and_names_are_kept() {
    let hello = r#"{"protocol":1,"dimension":3,"lower":[0,-3,0],"upper":[10,3,1],"types":["real","int",{"cat":3}],
        "names":["width","count","word"],"x0":[2.5,-1,2],"budget":50,"noisy":false,"name":"mixed","what_is_this":[1]}"#
        .replace('\n', " ");
    for name in OPTIMIZERS.iter().filter(|o| o.make.goal == Goal::Best).map(|o| o.name) {
        let (all, result) = play(&["--optimizer", name], &hello, 40, |_, x| {
            json!((x[0] - 4.0).powi(2) + (x[1] - 2.0).abs() + if x[2] == 1.0 { 0.0 } else { 5.0 })
        });
        assert_eq!(all[0], [2.5, -1.0, 2.0], "{name}");
        assert!(all.iter().all(|x| x[1].fract() == 0.0 && [0.0, 1.0, 2.0].contains(&x[2])), "{name}");
        assert!(one(&result)[2] == 1.0 || name == "random", "{name}: {result}");
    }
    let several = TWO.replace("\"seed\"", r#""x0":[[1,2],[3,4]],"seed""#);
    let (all, _) = play(&["--optimizer", "ga"], &several, 5, |_, x| json!(bowl(x)));
    assert_eq!(all[..2], [[1.0, 2.0], [3.0, 4.0]]);
}

#[test]
fn two_objectives_give_a_front() {
    let hello = TWO.replace("\"seed\"", "\"objectives\":2,\"seed\"");
    let both = |x: &[f64]| [x[0] + x[1], (10.0 - x[0]).powi(2) + x[1]];
    let (_, result) = play(&[], &hello, 300, |_, x| json!(both(x)));
    let front: Vec<Vec<f64>> = serde_json::from_value(result["X"].clone()).unwrap();
    assert!((5..=100).contains(&front.len()), "{} points", front.len());
    // The front has x[1] = 0, and all of it lies between x[0] of 0 and 10.
    assert!(front.iter().filter(|x| x[1] < 0.3).count() * 2 > front.len(), "{front:?}");
    for (i, a) in front.iter().enumerate() {
        for b in &front[i + 1..] {
            let (a, b) = (both(a), both(b));
            assert!((a[0] < b[0]) != (a[1] < b[1]), "{a:?} and {b:?}: one dominates");
        }
    }
}

#[test]
fn noise_is_borne() {
    let noise = |k: usize| unit(&mut Seed(9).child("noise", k as u64).rng()) - 0.5;
    for name in ["ga", "cma_es", "random"] {
        let (_, result) = play(&["--optimizer", name], TWO, 200, |k, x| json!(bowl(x) + 2.0 * noise(k)));
        assert!(bowl(&one(&result)) < 3.0, "{name}: {result}");
    }
}

#[test]
fn a_map_of_behaviors_is_filled() {
    let hello = TWO.replace(
        "\"seed\"",
        r#""measures":2,"measure_lower":[0,0],"measure_upper":[10,10],"cells":[5,5],"maximise":true,"seed""#,
    );
    let (_, result) = play(&[], &hello, 300, |_, x| json!({ "f": -bowl(x), "m": [x[0], x[1]] }));
    let elites: Vec<Vec<f64>> = serde_json::from_value(result["X"].clone()).unwrap();
    let cell = |x: &Vec<f64>| ((x[0] / 2.0) as u32).min(4) * 5 + ((x[1] / 2.0) as u32).min(4);
    let cells: std::collections::BTreeSet<u32> = elites.iter().map(cell).collect();
    assert!(cells.len() >= 23, "{} of 25 cells are filled", cells.len());
}

#[test]
fn failures_and_constraints_are_told() {
    // Only x0 + x1 >= 12 is feasible, and x0 > 9 fails; the best is at the edge, near (8.5, 3.5).
    let f = |x: &[f64]| {
        let missed = (12.0 - x[0] - x[1]).max(0.0);
        if x[0] > 9.0 { Value::Null } else { json!({ "f": bowl(x), "violation": missed }) }
    };
    for name in ["ga", "cma_es"] {
        let (_, result) = play(&["--optimizer", name], TWO, 200, |_, x| f(x));
        let x = one(&result);
        assert!(x[0] + x[1] >= 12.0 && x[0] <= 9.0 && bowl(&x) < 7.0, "{name}: {x:?}");
    }
    // Nothing ever works.
    let (_, result) = play(&["--optimizer", "ga"], TWO, 60, |_, _| Value::Null);
    assert_eq!(result["x"], Value::Null);
}

#[test]
fn a_finite_space_ends_by_itself() {
    let hello = r#"{"protocol":1,"dimension":2,"lower":[0,0],"upper":[2,1],"types":["int","int"]}"#;
    let (all, result) = play(&["--optimizer", "ga"], hello, 1000, |_, x| json!(x[0] - x[1]));
    assert_eq!((all.len(), one(&result)), (6, vec![0.0, 1.0]));
}

#[test]
fn the_end_of_the_input_is_a_stop() {
    let mut partner = Partner::start(&["ask-tell", "--optimizer", "ga"]);
    let first = points(&partner.ask(TWO));
    partner.ask(r#"{"tell":[1.5],"left":10}"#);
    partner.hang_up();
    let ended = partner.end();
    let last: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    assert_eq!(one(&last["result"]), first[0]);

    // Before the first answer there is nothing to recommend, before the first line nothing to say.
    let mut partner = Partner::start(&["ask-tell", "--optimizer", "cma_es"]);
    partner.ask(TWO);
    let ended = partner.end();
    assert_eq!((ended.code, ended.out.trim()), (0, r#"{"result":{"x":null}}"#));
    let ended = Partner::start(&["ask-tell"]).end();
    assert_eq!((ended.code, ended.out.as_str()), (0, ""));
}

#[test]
fn who_does_not_listen_any_more_ends_it() {
    let mut partner = Partner::start(&["ask-tell", "--optimizer", "ga"]);
    partner.ask(TWO);
    partner.stop_listening();
    for _ in 0..3 {
        partner.say(r#"{"tell":[1.5]}"#);
    }
    let ended = partner.end();
    assert_eq!(ended.code, 3, "{}", ended.err);
    assert!(ended.err.contains("stopped listening") && !ended.err.contains("panicked"), "{}", ended.err);

    // A partner that dies altogether is no mistake.
    let mut partner = Partner::start(&["ask-tell", "--optimizer", "ga"]);
    partner.ask(TWO);
    partner.stop_listening();
    let ended = partner.end();
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
}

#[test]
fn a_line_that_ends_in_the_middle_is_a_mistake() {
    let mut partner = Partner::start(&["ask-tell", "--optimizer", "ga"]);
    partner.ask(TWO);
    partner.say_part(br#"{"tell":[1."#);
    let ended = partner.end();
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("ends in the middle") && ended.err.contains("stdin:2"), "{}", ended.err);
}

#[test]
fn a_wrong_first_line_names_its_key() {
    let with = |from: &str, to: &str| TWO.replace(from, to);
    for (line, says) in [
        ("hello".to_string(), &["not JSON", "stdin:1", "docs/ask-tell.md"][..]),
        ("[1, 2]".into(), &["[1,2] where the problem belongs", "{...}"]),
        (r#"{"tell":[1.0],"left":5}"#.into(), &["first line has to describe the problem", "dimension"]),
        (with("\"protocol\":1", "\"protocol\":2"), &["protocol 2 is unknown", "allowed: 1"]),
        (with("\"protocol\":1,", ""), &["`protocol` is missing"]),
        (with("\"protocol\":1", "\"protocol\":\"one\""), &["`protocol` is \"one\""]),
        (with("\"dimension\":2,", ""), &["`dimension` is missing"]),
        (with("\"dimension\":2", "\"dimension\":0"), &["nothing to search"]),
        (with("\"dimension\":2", "\"dimension\":-2"), &["`dimension` is -2", "1 or more"]),
        (with("\"lower\"", "\"lowr\""), &["`lower` is missing", "did you mean `lower` instead of `lowr`?"]),
        (with("\"lower\":[0,0]", "\"lower\":[0]"), &["`lower` has 1 numbers", "2 numbers"]),
        (with("\"upper\":[10,10]", "\"upper\":[10,10,10]"), &["`upper` has 3 numbers", "2 numbers"]),
        (with("\"upper\":[10,10]", "\"upper\":[10,\"ten\"]"), &["`upper` is [10,\"ten\"]", "2 numbers"]),
        (with("\"upper\":[10,10]", "\"upper\":[10,NaN]"), &["no NaN"]),
        (with("\"upper\":[10,10]", "\"upper\":[10,1e999]"), &["not JSON: number out of range"]),
        (with("\"lower\":[0,0]", "\"lower\":[0,20]"), &["coordinate 1 goes from 20 to 10", "below `upper`"]),
        (with("\"lower\":[0,0]", "\"lower\":[0,10]"), &["coordinate 1 goes from 10 to 10"]),
        (with("\"seed\":3", "\"seed\":-3"), &["`seed` is -3"]),
        (with("\"seed\":3", "\"objectives\":0"), &["`objectives` is 0", "1 to 1000"]),
        (with("\"seed\":3", "\"objectives\":100000000"), &["`objectives` is 100000000", "1 to 1000"]),
        (TWO.replace("[0,0]", "[0,-1e308]").replace("[10,10]", "[10,1e308]"), &["coordinate 1", "too far"]),
        (with("\"seed\":3", "\"objectives\":1.5"), &["`objectives` is 1.5"]),
        (with("\"seed\":3", "\"types\":[\"real\"]"), &["`types` has 1 entries", "2 entries, or none"]),
        (with("\"seed\":3", "\"types\":[\"real\",\"float\"]"), &["coordinate 1 is \"float\"", "\"int\""]),
        (with("\"seed\":3", "\"types\":[\"real\",{\"cat\":0}]"), &["coordinate 1 is {\"cat\":0}"]),
        (
            with("\"lower\":[0,0]", "\"lower\":[0,9.5],\"types\":[\"real\",\"int\"]").replace("10,10", "10,9.9"),
            &["no whole number"],
        ),
        (with("\"seed\":3", "\"names\":[\"a\",\"b\",\"c\"]"), &["`names` has 3 entries"]),
        (with("\"seed\":3", "\"x0\":[1]"), &["`x0` has a point of 1 numbers", "2 numbers"]),
        (with("\"seed\":3", "\"x0\":[[1,2],[\"a\",2]]"), &["`x0` is not a point"]),
        (with("\"seed\":3", "\"population\":0"), &["population", "1 to 100000"]),
        (with("\"seed\":3", "\"measures\":1"), &["`measure_lower` is missing", "1 numbers"]),
        (
            with("\"seed\":3", "\"measures\":1,\"measure_lower\":[0],\"measure_upper\":[0],\"cells\":[4]"),
            &["measure 0 goes from 0 to 0"],
        ),
        (
            with("\"seed\":3", "\"measures\":1,\"measure_lower\":[0],\"measure_upper\":[1],\"cells\":[0]"),
            &["`cells` is [0]"],
        ),
        (
            with(
                "\"seed\":3",
                "\"measures\":2,\"measure_lower\":[0,0],\"measure_upper\":[1,1],\"cells\":[4000000000,4000000000]",
            ),
            &["`cells` is [4000000000, 4000000000]", "2^53"],
        ),
        (
            with(
                "\"seed\":3",
                "\"objectives\":2,\"measures\":1,\"measure_lower\":[0],\"measure_upper\":[1],\"cells\":[4]",
            ),
            &["2 objectives together with measures"],
        ),
    ] {
        refuses(&["ask-tell"], &[&line], &[says, &["stdin:1"]].concat());
    }
}

#[test]
fn a_wrong_answer_names_its_line_and_what_was_meant() {
    let two = TWO.replace("\"seed\"", "\"objectives\":2,\"seed\"");
    let map = TWO.replace("\"seed\"", r#""measures":1,"measure_lower":[0],"measure_upper":[1],"cells":[4],"seed""#);
    let sum = TWO.replace("\"seed\"", r#""parts":[{"at_most":1},{"equals":2,"tolerance":0.5}],"seed""#);
    for (hello, line, says) in [
        (TWO, "nonsense", &["not JSON", "stdin:2"][..]),
        (TWO, "{}", &["neither `tell` nor `stop`"]),
        (TWO, "[1.0]", &["[1.0] where `tell` or `stop` belongs"]),
        (TWO, r#"{"tell":[1,2],"left":3}"#, &["2 answers to 1 points", "key:     tell"]),
        (TWO, r#"{"tell":[],"left":3}"#, &["0 answers to 1 points"]),
        (TWO, r#"{"tell":1.5}"#, &["`tell` is 1.5", "a list of 1"]),
        (TWO, r#"{"tell":["1.5"]}"#, &["\"1.5\" is not an answer", "a number"]),
        (TWO, r#"{"tell":[NaN]}"#, &["no NaN", "null"]),
        (TWO, r#"{"tell":[-Infinity]}"#, &["no NaN and no Infinity"]),
        (TWO, r#"{"tell":[true]}"#, &["true is not an answer"]),
        (TWO, r#"{"tell":[[1,2]]}"#, &["[1,2] is not an answer"]),
        (TWO, r#"{"tell":[{"g":1}]}"#, &["{\"g\":1} is not an answer"]),
        (TWO, r#"{"tell":[{"f":1,"violation":-1}]}"#, &["is not an answer"]),
        (TWO, r#"{"tell":[1],"left":-1}"#, &["`left` is -1"]),
        (&two, r#"{"tell":[1.5]}"#, &["1.5 is not an answer", "a list of 2 numbers"]),
        (&two, r#"{"tell":[[1,2,3]]}"#, &["[1,2,3] is not an answer"]),
        (&map, r#"{"tell":[1.5]}"#, &["1.5 is not an answer", "\"m\": list of 1 numbers"]),
        (&map, r#"{"tell":[{"f":1,"m":[1,2]}]}"#, &["is not an answer"]),
        (&sum, r#"{"tell":[{"f":1,"values":[1,true]}]}"#, &["is not an answer", "\"values\": list of 2 numbers"]),
        (&sum, r#"{"tell":[{"f":1,"values":[1]}]}"#, &["1 values", "one for each of the 2 parts"]),
        (
            &sum,
            r#"{"tell":[{"f":1,"values":[3,3.5]}]}"#,
            &["the objective is 1, and the parts of its values add up to 4"],
        ),
    ] {
        refuses(&["ask-tell"], &[hello, line], &[says, &["stdin:2"]].concat());
    }
}

#[test]
fn an_optimizer_that_does_not_fit_is_named_with_one_that_does() {
    let two = TWO.replace("\"seed\"", "\"objectives\":2,\"seed\"");
    let map = TWO.replace("\"seed\"", r#""measures":1,"measure_lower":[0],"measure_upper":[1],"cells":[4],"seed""#);
    for (words, hello, says) in [
        (["--optimizer", "cmaes"], TWO, &["no optimizer `cmaes`", "did you mean `cma_es`?"][..]),
        (["--optimizer", "simplex"], TWO, &["no optimizer `simplex`", "allowed:", "pareto"]),
        (["--optimizer", "ga"], &two, &["`ga` minimizes one objective, not 2", "pareto"]),
        (["--optimizer", "ga"], &map, &["keeps no map", "atlas"]),
        (["--optimizer", "atlas"], TWO, &["there is no measure", "measure_lower"]),
        (["--set", "sigma"], TWO, &["no `=` in it"]),
        (["--set", "sigmund=3"], TWO, &["`auto` has no such constant", "leave --set out"]),
        (["--optimizer=ga", "--set=populaton=9"], TWO, &["`ga` has no such constant", "did you mean `population`?"]),
        (["--optimizer=ga", "--set=population=5.5"], TWO, &["out of range", "a whole number from 0 to 1000"]),
        (["--optimizer=ga", "--set=population=x"], TWO, &["not a number"]),
        (["--optimizer=ga", "--set=population=1001"], TWO, &["out of range", "0 to 1000"]),
    ] {
        refuses(&["ask-tell", words[0], words[1]], &[hello], says);
    }
    let large = TWO.replace("\"seed\"", "\"population\":1001,\"seed\"");
    refuses(&["ask-tell", "--optimizer", "ga"], &[&large], &["`population` is 1001", "0 to 1000", "stdin:1"]);
}
