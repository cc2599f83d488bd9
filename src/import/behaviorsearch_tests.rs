//! A search in the format of BehaviorSearch 1.10, and files with mistakes.

use super::super::Said;
use super::super::testing::{import, loaded};
use super::{ENTRY, Item, items};

const FLOCKING: &str = include_str!("../../fuzz/corpus/behaviorsearch/flocking.bsearch");

fn said(map: &[(&str, &str)]) -> Said {
    let map = map.iter().map(|(theirs, ours)| ((*theirs).to_owned(), (*ours).to_owned())).collect();
    Said { model: Some("five_force".into()), map, ..Said::default() }
}

const MAP: [(&str, &str); 5] = [
    ("vision", "range_diameters"),
    ("turn", "turn_limit_deg"),
    ("strategies?", "collision_strategies"),
    ("seen", "-"),
    ("weight", "separation_weight"),
];

#[test]
fn ranges_choices_and_the_budget_come_over() {
    let text = import(&ENTRY, FLOCKING.as_bytes(), &said(&MAP)).unwrap().text;
    for line in [
        "range_diameters = { range = [1.0, 10.0] }",
        "turn_limit_deg = { range = [5.0, 180.0] }",
        "collision_strategies = { choices = [true, false] }",
        "separation_weight = { range = [0.1, 0.4] }",
        "optimizer = \"ga\"",
        // 500 runs, 5 of each candidate.
        "evaluations = 100",
        "replicas = 5",
    ] {
        assert!(text.contains(&format!("\n{line}")), "{line} in {text}");
    }
    assert!(text.contains("as small as possible: mean [ distance one-of turtles ] of turtles"), "{text}");
    assert_eq!(loaded(&ENTRY, FLOCKING.as_bytes(), &said(&MAP)).space.len(), 4);
}

#[test]
fn a_parameter_that_varies_is_tied_or_left_out_on_purpose() {
    let error = import(&ENTRY, FLOCKING.as_bytes(), &said(&MAP[1..])).unwrap_err().to_string();
    assert!(error.contains("`vision`") && error.contains("line 21\n") && error.contains("range_diameters"), "{error}");
    let other = import(&ENTRY, FLOCKING.as_bytes(), &said(&[("sight", "range_diameters")])).unwrap_err().to_string();
    assert!(other.contains("no parameter `sight`") && other.contains("count, vision"), "{other}");
    let mut near = MAP;
    near[0].1 = "range_diameter";
    assert!(import(&ENTRY, FLOCKING.as_bytes(), &said(&near)).unwrap_err().to_string().contains("range_diameters"));
}

#[test]
fn netlogo_values_are_read() {
    let read = items(r#"["a b" [0 -1.5 2e1] true "C"]"#).unwrap();
    let range = Item::List(vec![Item::Number(0.0), Item::Number(-1.5), Item::Number(20.0)]);
    assert_eq!(read, [Item::List(vec![Item::Text("a b".into()), range, Item::Switch(true), Item::Text("C".into())])]);
    for wrong in ["[", "]", "[[[1]]]", "\"a", "inf", "x"] {
        assert_eq!(items(wrong), None, "{wrong}");
    }
}

#[test]
fn every_mistake_names_its_line() {
    let says = |text: &str| import(&ENTRY, text.as_bytes(), &said(&MAP)).unwrap_err().to_string();
    assert!(says(&FLOCKING.replace("[1 0.5 10]", "[10 0.5 1]")).contains("line 21\n"));
    assert!(says(&FLOCKING.replace("</fitnessInfo>", "")).contains("no XML"));
    assert!(says(&FLOCKING.replace(">500<", ">many<")).contains("<evaluationLimit> is `many`"));
    // Entities that unfold to a billion words.
    let bomb = "<!DOCTYPE search [<!ENTITY a \"lol\">".to_owned()
        + &(1..10)
            .map(|k| {
                format!("<!ENTITY {} \"{}\">", (b'a' + k) as char, format!("&{};", (b'a' + k - 1) as char).repeat(10))
            })
            .collect::<String>()
        + "]><search><modelFile>&j;</modelFile></search>";
    assert!(says(&bomb).contains("no XML"), "{}", says(&bomb));
}
