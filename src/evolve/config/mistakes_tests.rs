//! Every mistake names file, line, key, value, what is allowed and what to do; and no text ever panics.

use super::load;
use super::tests::nothing;
use crate::registry::Registry;
use proptest::prelude::*;

/// Lines of a file that is right but for what a mistake adds: a room under [scenario.room], then the mistake.
fn with_room(lines: &str) -> String {
    format!("model = \"social_force\"\n[scenario.room]\nkind = \"room\"\n{lines}\n")
}

/// As [`with_room`], with the five-force model.
fn with_forces(lines: &str) -> String {
    with_room(lines).replace("social_force", "five_force")
}

/// As [`with_room`], with a bottleneck of two searched widths and one held out.
fn with_neck(lines: &str) -> String {
    let width = "width_m = { each = [0.8, 1.0], held_out = [0.9] }";
    format!("model = \"social_force\"\n[scenario.neck]\nkind = \"bottleneck\"\n{width}\n{lines}\n")
}

fn with_street(lines: &str) -> String {
    format!("model = \"social_force\"\n[scenario.street]\n{lines}\n")
}

fn error(text: &str, sets: &[(&str, &str)]) -> String {
    let sets: Vec<_> = sets.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    match load(&Registry::builtin(), text, "bad.toml", &sets, &mut nothing) {
        Ok(_) => panic!("this is no mistake:\n{text}"),
        Err(e) => {
            assert_eq!(e.exit_code(), 2, "{e}");
            e.to_string()
        }
    }
}

#[test]
fn mistakes_are_explained() {
    let street = "walkable = \"POLYGON ((0 0, 30 0, 30 6, 0 6, 0 0))\"\n";
    let group = "[scenario.street.group.east]\ncount = 4\nfrom = { area = [[0, 0], [8, 6]] }\n";
    let points = "[scenario.street.group.east]\ncount = 2\n";
    let west = "[scenario.street.group.west]\ncount = 4\nfrom = { area = [[22, 0], [30, 6]] }\n";
    let mistakes: Vec<(&str, String)> = vec![
        ("no TOML", with_room("x = = 1")),
        ("a text without quotes", with_room("spawn = lattice")),
        ("a key twice", with_room("count = 3\ncount = 4")),
        ("a date", with_room("count = 2020-01-01")),
        ("no model", "[scenario.room]\nkind = \"room\"".into()),
        ("unknown model", "model = \"socialforce\"".into()),
        ("another format", with_room("").replace("model", "format = 2\nmodel")),
        ("unknown behavior", with_room("").replace("model", "behaviors = [\"lane\"]\nmodel")),
        ("behavior twice", with_room("").replace("model", "behaviors = [\"flow\", \"flow\"]\nmodel")),
        ("behaviors at odds", with_room("").replace("model", "behaviors = [\"flock\", \"disperse\"]\nmodel")),
        (
            "behavior that no scenario gives",
            with_street(&format!("{street}{group}")).replace("model", "behaviors = [\"evacuate\"]\nmodel"),
        ),
        (
            "target near another",
            with_room("[target.tme]\nweight = 3").replace("model", "behaviors = [\"evacuate\"]\nmodel"),
        ),
        ("unknown table", with_room("[paramters]\npanic = 1")),
        ("no scenario", "model = \"social_force\"".into()),
        ("empty scenarios", "model = \"social_force\"\n[scenario]".into()),
        ("bad name", with_room("[scenario.\"a b\"]\nkind = \"room\"")),
        ("unknown kind", with_room("").replace("\"room\"", "\"rom\"")),
        ("unknown key in a scenario", with_room("dor_width_m = 1")),
        ("no table", with_room("[search]\noptimizer = \"ga\"\nga = 3")),
        // parameters
        ("symbol", with_room("[parameters]\nA = 2000")),
        ("symbol of a trait", with_room("[people]\nv0 = 1")),
        ("unknown constant", with_room("[parameters]\nrelaxation_tim = 1")),
        ("a trait among the constants", with_room("[parameters]\nradius_m = 0.2")),
        ("a constant among the traits", with_room("[people]\npanic = 0.2")),
        ("out of range", with_room("[parameters]\nrelaxation_time_s = -1")),
        ("not a number", with_room("[parameters]\nrelaxation_time_s = nan")),
        ("a word", with_room("[parameters]\ninjury_forces = \"contakt\"")),
        ("a switch", with_room("[parameters]\ninjuries = 1")),
        ("range reversed", with_room("[parameters]\npanic = { range = [1, 0] }")),
        ("range too wide", with_room("[parameters]\npanic = { range = [0, 2] }")),
        ("log from 0", with_room("[parameters]\npanic = { range = [0, 1], log = true }")),
        ("integers of a switch", with_room("[parameters]\nimpatience = { integers = [0, 1] }")),
        (
            "a window after the end",
            with_room(
                "limit_s = 30\n[target.a]\nmetric = \"people_out\"\nwindow = { time_s = [1000, 2000] }\nat_least = 1",
            ),
        ),
        (
            "a search that sees no target",
            with_room(
                "held_out = true\n[target.a]\nmetric = \"people_left\"\nat_most = 1\n[parameters]\npanic = { range = [0, 1] }",
            ),
        ),
        ("range of a switch", with_room("[parameters]\ninjuries = { range = [0, 1] }")),
        ("one choice", with_room("[parameters]\ninjuries = { choices = [true] }")),
        ("two searches", with_room("[parameters]\npanic = { range = [0, 1], choices = [0, 1] }")),
        ("fixed and searched", with_room("[parameters]\npanic = { value = 0.5, range = [0, 1] }")),
        ("each and searched", with_room("[parameters]\npanic = { each = [0.5], range = [0, 1] }")),
        ("no way of searching", with_room("[parameters]\npanic = { rang = [0, 1] }")),
        ("start outside", with_room("[parameters]\npanic = { range = [0, 0.5], start = 0.7 }")),
        ("constant drawn", with_room("[parameters]\npanic = { uniform = [0, 1] }")),
        ("same as another", with_room("[parameters]\npanic = { same_as = \"anisotropy\" }")),
        ("idle gene", with_room("parameters.panic = 0\n[parameters]\npanic = { range = [0, 1] }")),
        ("group of a shared constant", with_room("group.people.parameters.body_stiffness_kg_per_s2 = 1e5")),
        ("S3 of which order", with_forces("[parameters]\nS3 = 0.4")),
        ("weights of another model", with_room("[parameters]\nweights = { s = [1, 0, 0, 0, 0] }")),
        ("four weights", with_forces("[parameters]\nweights = { s = [1, 0, 0, 0] }")),
        ("a negative weight", with_forces("[parameters]\nweights = { order = \"eq3.20\", s = [1, 0, -1, 0, 0] }")),
        ("weights of no order", with_forces("[parameters]\nweights = { order = \"fig3.8\", s = [1, 0, 0, 0, 0] }")),
        ("weights without numbers", with_forces("[parameters]\nweights = { order = \"fig3.9\" }")),
        (
            "a weight twice",
            with_forces("[scenario.room.parameters]\ncohesion_weight = 1\nweights = { s = [1, 0, 0, 0, 0] }"),
        ),
        ("unknown group", with_room("group.peple.people.mass_kg = 70")),
        // people
        ("normal without spread", with_room("[people]\nmass_kg = { normal = [80, 0] }")),
        ("clip without people", with_room("[people]\nmass_kg = { normal = [80, 1], clip = [10, 20] }")),
        ("two distributions", with_room("[people]\nmass_kg = { normal = [80, 1], uniform = [10, 20] }")),
        ("drawn and searched", with_room("[people]\nmass_kg = { normal = [80, 1], range = [10, 20] }")),
        ("beyond all people", with_room("[people]\nradius_m = { uniform = [0.2, 8] }")),
        // scenarios
        ("scenario searched", with_room("door_width_m = { range = [1, 2] }")),
        ("does not fit", with_room("depth_m = 4\ndoor_width_m = 5")),
        ("replicas", with_room("replicas = 0")),
        ("navigation", with_room("navigation = { kind = \"fild\" }")),
        ("each of nothing", with_room("count = { each = [] }")),
        ("each of words", with_room("count = { each = [\"a\"] }")),
        ("each twice", with_room("count = { each = [3, 4, 3] }")),
        ("held out alone", with_room("count = { held_out = [3] }")),
        ("each in simulation", with_room("[simulation]\ntime_step_s = { each = [0.01] }")),
        // written places
        ("no place", with_street("limit_s = 3")),
        ("periodic", with_street(&format!("periodic = \"x\"\nnavigation = {{ kind = \"field\" }}\n{street}{group}"))),
        ("inflow at points", with_street(&format!("{street}{points}inflow_per_s = 1\nfrom = {{ points = [[2, 2]] }}"))),
        (
            "inflow of a city",
            with_street(&format!("limit_s = 1e6\n{street}[scenario.street.group.a]\ninflow_per_s = 5")),
        ),
        ("follows nobody", with_street(&format!("{street}{group}to = {{ group = \"leader\" }}"))),
        ("follows itself", with_street(&format!("{street}{group}to = {{ group = \"east\" }}"))),
        (
            "follow each other",
            with_street(&format!("{street}{group}to = {{ group = \"west\" }}\n{west}to = {{ group = \"east\" }}")),
        ),
        ("flees from nobody", with_street(&format!("{street}{group}away_from = {{ group = \"army\" }}"))),
        ("flees from itself", with_street(&format!("{street}{group}away_from = {{ group = \"east\" }}\n{west}"))),
        (
            "catches nobody",
            with_street(&format!("{street}{group}catches = {{ group = \"rebels\", distance_m = 0.5, time_s = 1 }}")),
        ),
        (
            "catches itself",
            with_street(&format!(
                "{street}{group}catches = {{ group = \"east\", distance_m = 0.5, time_s = 1 }}\n{west}"
            )),
        ),
        (
            "catches without a group",
            with_street(&format!("{street}{group}catches = {{ distance_m = 0.5, time_s = 1 }}\n{west}")),
        ),
        (
            "catches without a distance",
            with_street(&format!("{street}{group}catches = {{ group = \"west\", time_s = 1 }}\n{west}")),
        ),
        (
            "catches without a time",
            with_street(&format!("{street}{group}catches = {{ group = \"west\", distance_m = 0.5 }}\n{west}")),
        ),
        (
            "catches from afar",
            with_street(&format!(
                "{street}{group}catches = {{ group = \"west\", distance_m = -1, time_s = 1 }}\n{west}"
            )),
        ),
        (
            "catches and what then",
            with_street(&format!(
                "{street}{group}catches = {{ group = \"west\", distance_m = 1, time_s = 1, then = \"die\" }}\n{west}"
            )),
        ),
        ("nobody is caught", with_room("[target.t]\nmetric = \"caught_share\"\nequals = 1\ntolerance = 0.1")),
        (
            "a discomfort that nobody reads",
            with_street(&format!("{street}{group}discomfort = {{ people_per_m2 = 5, radius_m = 2 }}")),
        ),
        ("a discomfort without a radius", with_street(&format!("{street}{group}discomfort = {{ people_per_m2 = 5 }}"))),
        ("a discomfort as a list", with_street(&format!("{street}{group}discomfort = []"))),
        (
            "a discomfort far ahead",
            with_street(&format!("{street}{group}discomfort = {{ people_per_m2 = 5, radius_m = 2, ahead_s = 61 }}")),
        ),
        ("flees without a group", with_street(&format!("{street}{group}away_from = {{ within_m = 3 }}"))),
        ("flees from a word", with_street(&format!("{street}{group}away_from = \"west\"\n{west}"))),
        (
            "a range of 0 m",
            with_street(&format!("{street}{group}away_from = {{ group = \"west\", within_m = 0 }}\n{west}")),
        ),
        (
            "flees anywhere and has a goal",
            with_street(&format!(
                "{street}{group}to = {{ heading = [1, 0] }}\naway_from = {{ group = \"west\" }}\n{west}"
            )),
        ),
        ("no WKT", with_street("walkable = \"POLYGON ((0 0, 30 0\"")),
        ("absent file", with_street("walkable = { file = \"street.wkt\" }")),
        ("no group", with_street(street)),
        ("no way", with_street(&format!("{street}{group}to = {{ lin = [[0, 0], [1, 0]] }}"))),
        ("line of one point", with_street(&format!("{street}{group}to = {{ line = [[30, 0], [30, 0]] }}"))),
        ("goal outside", with_street(&format!("{street}{group}to = {{ area = [[40, 0], [42, 2]] }}"))),
        ("start outside", with_street(&format!("{street}{points}from = {{ points = [[2, 2], [40, 3]] }}"))),
        ("too many for the points", with_street(&format!("{street}{points}from = {{ points = [[2, 2]] }}"))),
        ("start on top", with_street(&format!("{street}{points}from = {{ points = [[2, 2], [2.01, 2]] }}"))),
        ("crowded", with_room("count = 2000")),
        // simulation and search
        ("step too long", with_room("[simulation]\ntime_step_s = 0.5")),
        ("samples between steps", with_room("[simulation]\nsample_every_s = 0.001")),
        ("no multiple of the step", with_room("[simulation]\ntime_step_s = 0.003\nsample_every_s = 0.03")),
        ("unknown optimizer", with_room("[search]\noptimizer = \"gaa\"")),
        ("few report replicas", with_room("[search]\nreport_replicas = 5")),
        ("seed", with_room("[search]\nseed = -1")),
        ("setting of an optimizer", with_room("[search]\noptimizer = \"ga\"\npopulation = 30")),
        ("unknown setting", with_room("[search]\noptimizer = \"ga\"\n[search.ga]\npopulaton = 3")),
        (
            "unknown setting of another optimizer",
            with_room("[search]\noptimizer = \"auto\"\n[search.ga]\npopulaton = 3"),
        ),
        ("setting of another optimizer", with_room("[search.cma_es]\n\n[search.ga]\npopulation = 1001")),
        ("settings of no optimizer", with_room("[search.gaa]\npopulation = 30")),
        // targets
        ("no metric", with_room("[target.a]\nat_most = 1")),
        ("unknown metric", with_room("[target.a]\nmetric = \"evacuation_time_s\"\nat_most = 1")),
        ("nothing wanted", with_room("[target.a]\nmetric = \"people_left\"")),
        ("two things wanted", with_room("[target.a]\nmetric = \"people_left\"\nat_most = 1\nat_least = 0")),
        ("no scale at 0", with_room("[target.a]\nmetric = \"people_left\"\nat_most = 0")),
        ("good above bad", with_room("[target.a]\nmetric = \"people_left\"\nminimize = { good = 9, bad = 1 }")),
        ("no tolerance", with_room("[target.a]\nmetric = \"people_left\"\nequals = 1")),
        ("share of 0", with_room("[target.a]\nmetric = \"people_left\"\nequals = 0\ntolerance = \"5 %\"")),
        ("tolerance of a limit", with_room("[target.a]\nmetric = \"people_left\"\nat_most = 1\ntolerance = 1")),
        (
            "must minimize",
            with_room("[target.a]\nmetric = \"people_left\"\nminimize = { good = 0, bad = 1 }\nmust = true"),
        ),
        (
            "must of squares",
            with_room(
                "[target.a]\nmetric = \"people_left\"\nequals = 1\ntolerance = 1\nloss = \"squares\"\nmust = true",
            ),
        ),
        ("squares of a limit", with_room("[target.a]\nmetric = \"people_left\"\nat_most = 1\nloss = \"squares\"")),
        ("cubes", with_room("[target.a]\nmetric = \"people_left\"\nequals = 1\ntolerance = 1\nloss = \"cubes\"")),
        (
            "crossings of no line",
            with_neck(
                "[target.a]\nmetric = \"density_per_m2\"\nat_most = 1\nwindow = { crossings = [0, 1], of = \"neck.exitt\" }",
            ),
        ),
        (
            "ranks of a line",
            with_neck(
                "[target.a]\nmetric = \"density_per_m2\"\nat_most = 1\nwindow = { ranks = [0, 1], of = \"neck.exit\" }",
            ),
        ),
        ("combine", with_room("[target.a]\nmetric = \"people_left\"\nat_most = 1\ncombine = \"max\"")),
        ("target of no scenario", with_room("[target.a]\nmetric = \"people_left\"\nat_most = 1\nscenario = \"rom\"")),
        ("at without place", with_room("[target.a]\nmetric = \"people_left\"\nat_most = 1\nat = \"room.exit\"")),
        ("window without time", with_room("[target.a]\nmetric = \"people_left\"\nat_most = 1\nwindow = \"all\"")),
        ("window", with_neck("[target.a]\nmetric = \"flow_per_s\"\nat_most = 1\nwindow = { ranks = [10, 90] }")),
        ("unknown line", with_neck("[target.a]\nmetric = \"flow_per_s\"\nat_most = 1\nat = \"neck.entrence\"")),
        (
            "area for a line",
            with_neck("[target.a]\nmetric = \"flow_per_s\"\nat_most = 1\nat = { area = [[0, 0], [1, 1]] }"),
        ),
        ("weight 0", with_room("[target.a]\nmetric = \"people_left\"\nat_most = 1\nweight = 0")),
        (
            "two objectives",
            with_room(
                "[target.a]\nmetric = \"people_left\"\nat_most = 1\nobjective = \"x\"\n\
                 [target.b]\nmetric = \"collisions\"\nat_most = 1\nobjective = \"y\"\n\
                 [search]\noptimizer = \"ga\"",
            ),
        ),
        (
            "stagnation of two objectives",
            with_room(
                "[target.a]\nmetric = \"people_left\"\nat_most = 1\nobjective = \"x\"\n\
                 [target.b]\nmetric = \"collisions\"\nat_most = 1\nobjective = \"y\"\n\
                 [search.stop]\nstagnation = 50",
            ),
        ),
        (
            "stagnation of an atlas",
            with_room(
                "[atlas.speed]\nmetric = \"speed_mean_m_per_s\"\nrange = [0, 2]\n\
                 [search.stop]\nloss = 0.1\nstagnation = 50",
            ),
        ),
        ("measure that wants", with_room("[measure.a]\nmetric = \"people_left\"\nat_most = 1")),
        (
            "target and measure",
            with_room("[measure.a]\nmetric = \"people_left\"\n[target.a]\nmetric = \"people_left\"\nat_most = 1"),
        ),
        (
            "points over nothing",
            with_neck("[target.a]\nmetric = \"flow_per_s\"\nover = \"width\"\npoints = [[0.8, 1]]\ntolerance = 1"),
        ),
        (
            "points that no scenario has",
            with_neck(
                "[target.a]\nmetric = \"flow_per_s\"\nover = \"width_m\"\npoints = [[0.8, 1], [1.5, 2]]\ntolerance = 1",
            ),
        ),
        (
            "a line that is not there",
            with_street(&format!("{street}{group}[target.a]\nmetric = \"flow_per_s\"\nat_most = 1")),
        ),
        ("like nothing", with_room("[target.a]\nmetric = \"evacuation_time_100_s\"\nlike = [1]\ntolerance = 1")),
    ];
    let mut all = String::new();
    for (name, text) in &mistakes {
        all.push_str(&format!("== {name}\n{}\n", error(text, &[])));
    }
    let room = with_room("[target.time]\nmetric = \"evacuation_time_95_s\"\nat_most = 30");
    for (key, value) in [
        ("search.seed", "many"),
        ("parameters.panic", "2"),
        ("scenario.room.kind.x", "1"),
        ("a b", "1"),
        ("scenario.room.cuont", "3"),
        ("target.tme.weight", "3"),
    ] {
        all.push_str(&format!("== --set {key}={value}\n{}\n", error(&room, &[(key, value)])));
    }
    for (name, text) in [
        ("JSON cut off", "{ \"model\": \"social_force\", "),
        ("JSON null", "{\n \"model\": null }"),
        ("JSON twice", "{\n \"model\": \"a\",\n \"model\": \"b\" }"),
        (
            "JSON wrong value",
            "{ \"model\": \"social_force\",\n \"scenario\": { \"room\": {\n  \"kind\": \"room\",\n  \"count\": 0 } } }",
        ),
    ] {
        all.push_str(&format!("== {name}\n{}\n", error(text, &[])));
    }
    insta::assert_snapshot!("mistakes", all);
}

#[test]
fn deep_nesting_is_a_mistake_and_no_crash() {
    for (open, n) in [("[", 100_000), ("{\"a\":", 100_000), ("(", 10_000)] {
        let deep = open.repeat(n);
        error(&format!("{{\"x\": {deep}"), &[]);
        error(&format!("x = {deep}"), &[]);
    }
    error(&format!("{} = 1", vec!["a"; 10_000].join(".")), &[]);
    error(&format!("[{}]", vec!["a"; 10_000].join(".")), &[]);
    error(&with_room(""), &[(&vec!["a"; 10_000].join("."), "1")]);
}

const VALID: [&str; 3] = [
    include_str!("../../../configs/evacuation.toml"),
    include_str!("../../../configs/bottleneck.toml"),
    "model = \"social_force\"\n[scenario.s]\nwalkable = \"POLYGON ((0 0, 30 0, 30 6, 0 6, 0 0))\"\n\
     [scenario.s.group.a]\ncount = 3\nfrom = { area = [[0, 0], [8, 6]] }\nto = { line = [[30, 0], [30, 6]] }\n\
     [target.t]\nmetric = \"flow_per_s\"\nlike = \"x\"\ntolerance = 1\nat = \"s.a\"\n",
];

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), json in any::<bool>()) {
        let text = String::from_utf8_lossy(&bytes);
        let name = if json { "x.json" } else { "x.toml" };
        _ = load(&Registry::builtin(), &text, name, &[], &mut |_| Ok(bytes.clone()));
    }

    #[test]
    fn arbitrary_changes_of_a_right_file_never_panic(
        file in 0..VALID.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, "[-0-9a-z.\"{}\\[\\]=,\n ]{0,6}"), 1..4),
    ) {
        let mut text: Vec<char> = VALID[file].chars().collect();
        for (at, length, new) in cuts {
            let from = at.index(text.len() + 1);
            let to = (from + length).min(text.len());
            text.splice(from..to, new.chars());
        }
        let text: String = text.into_iter().collect();
        _ = load(&Registry::builtin(), &text, "x.toml", &[], &mut |_| Ok(b"1 2 3".to_vec()));
    }

    #[test]
    fn arbitrary_sets_never_panic(
        key in "(parameters|people|search|scenario|target)\\.[a-z_]{1,8}(\\.[a-z_]{1,8})?",
        word in prop::sample::select(vec!["panic", "count", "window", "points", "each"]),
        value in "[-0-9a-z.\"{}\\[\\]=, ]{0,12}",
    ) {
        let sets = [(key, value.clone()), (format!("scenario.room.{word}"), value.clone()), (format!("target.time.{word}"), value)];
        for set in sets {
            _ = load(&Registry::builtin(), VALID[0], "x.toml", &[set], &mut |_| Ok(Vec::new()));
        }
    }
}
