//! `crowdtune validate` as a user runs it: the list and the document.

use std::process::Command;

fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let place = tempfile::tempdir().unwrap();
    let made = Command::new(env!("CARGO_BIN_EXE_crowdtune")).current_dir(place.path()).args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    if args.contains(&"rimea_1") && made.status.success() {
        for file in ["validation.json", "validation.md", "validation.html", "rimea_1.svg"] {
            assert!(place.path().join("results/validation").join(file).is_file(), "{file}");
        }
    }
    (made.status.code(), text(&made.stdout), text(&made.stderr))
}

#[test]
fn one_document_holds_numbers_tolerances_and_verdicts() {
    let (code, out, err) = run(&["validate", "rimea_1", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let one = &json["experiments"][0];
    assert_eq!((one["name"].as_str(), json["fall_short"].as_u64()), (Some("rimea_1"), Some(0)));
    let line = &one["lines"][0];
    for key in ["label", "model", "unit", "tolerance", "verdict", "remarks"] {
        assert!(line[key].is_string(), "{key}");
    }
    for key in ["paper", "reference", "result"] {
        assert!(line[key].as_object().unwrap().contains_key("value"), "{key}");
    }
    assert_eq!(line["verdict"], "holds");
    assert!((39.0..41.0).contains(&line["result"]["value"].as_f64().unwrap()));
}

#[test]
fn an_unknown_experiment_is_a_mistake_of_the_user() {
    let (code, out, err) = run(&["validate", "rimea_99"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(
        err.contains("rimea_99") && err.contains("did you mean `rimea_9`?") && err.contains("list experiments"),
        "{err}"
    );
    let (_, _, err) = run(&["validate", "chess"]);
    assert!(err.contains("rimea_1") && err.contains("list experiments"), "{err}");
}

#[test]
fn the_list_of_experiments_is_that_of_the_program() {
    let (code, out, _) = run(&["list", "experiments"]);
    assert_eq!(code, Some(0));
    for e in crowdtune::validation::EXPERIMENTS {
        assert!(out.lines().any(|line| line.split_whitespace().next() == Some(e.name)), "{}", e.name);
    }
}
