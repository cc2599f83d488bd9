//! What a file gives, and that what is written out gives the same.

use super::load;
use crate::evolve::evaluate::{run_seed, simulate};
use crate::evolve::experiment::{Binding, Experiment, TraitBinding};
use crate::registry::Registry;
use crate::target::{Combine, Distance, Wanted};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_search::{Axis, Purpose};
use crowdtune_sim::crowd::people::Distribution;
use crowdtune_sim::metrics::{METRICS, Need, Place, Window};
use crowdtune_sim::world::scenario::Navigation;

pub(super) fn nothing(name: &str) -> Result<Vec<u8>, Error> {
    Err(Error::input(format!("no file {name}")))
}

fn read(text: &str) -> Experiment {
    load(&Registry::builtin(), text, "dir/test.toml", &[], &mut nothing).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn reload(experiment: &Experiment) {
    let again = load(&Registry::builtin(), &experiment.resolved, "experiment.toml", &[], &mut nothing)
        .unwrap_or_else(|e| panic!("{e}\n{}", experiment.resolved));
    assert_eq!(again.digest, experiment.digest);
    assert_eq!(again.resolved, experiment.resolved);
    assert_eq!(again.space, experiment.space);
    assert_eq!((again.defaults, again.start), (experiment.defaults.clone(), experiment.start.clone()));
    assert_eq!(again.cases.len(), experiment.cases.len());
}

const ROOM: &str = "model = \"social_force\"\n[scenario.room]\nkind = \"room\"\n";

#[test]
fn the_shipped_files_load_and_what_they_resolve_to_loads_again() {
    for (name, text, cases, genes) in [
        ("evacuation", include_str!("../../../configs/evacuation.toml"), 1, 5),
        ("bottleneck", include_str!("../../../configs/bottleneck.toml"), 14, 7),
        ("faster_is_slower", include_str!("../../../configs/faster_is_slower.toml"), 8, 0),
        ("herding", include_str!("../../../configs/herding.toml"), 11, 0),
    ] {
        let e = load(&Registry::builtin(), text, &format!("configs/{name}.toml"), &[], &mut nothing)
            .unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((e.name.as_str(), e.cases.len(), e.space.genes.len()), (name, cases, genes));
        reload(&e);
    }
}

#[test]
fn what_is_absent_is_the_published_default() {
    let e = read(ROOM);
    assert_eq!((e.name.as_str(), e.title.as_str(), e.model.name), ("test", "", "social_force"));
    assert_eq!(e.objectives, ["loss"]);
    assert_eq!((e.timing.time_step_s, e.timing.sample_every_s), (0.01, 0.1));
    assert_eq!((e.timing.max_overlap_share, e.timing.max_backward_share), (0.9, 0.5));
    assert_eq!((e.search.optimizer.name, e.search.parallel, e.search.seed), ("auto", 16, 1));
    assert_eq!((e.search.finalists, e.search.select_replicas, e.search.report_replicas), (5, 20, 20));
    let case = &e.cases[0];
    assert_eq!((case.name.as_str(), case.replicas, case.held_out), ("room", 3, false));
    assert_eq!(case.groups[0].model[0], Binding::Fixed(2000.0));
    assert_eq!(case.groups[0].people[2], TraitBinding::Drawn(Distribution::Uniform { low: 0.25, high: 0.35 }));
    assert_eq!(case.groups[0].people[1], TraitBinding::Drawn(Distribution::Fixed(f64::INFINITY)));
    reload(&e);
}

#[test]
fn genes_are_in_key_order_and_named_by_their_keys() {
    let e = read(
        "model = \"social_force\"\n[parameters]\n\
         repulsion_range_m = { range = [0.1, 0.5] }\n\
         injury_forces = { choices = [\"all\", \"contact\"], start = \"all\" }\n\
         wall_repulsion = { choices = [true, false] }\n\
         relaxation_time_s = { choices = [0.2, 0.4], start = 0.2 }\n\
         panic = { range = [0, 1], start = 0.5 }\n\
         [people]\nradius_m = { range = [0.2, 0.25] }\n\
         [scenario.room]\nkind = \"room\"\nparameters.panic = 0.25\n\
         [scenario.room.group.people.parameters]\nrepulsion_strength_n = { range = [1, 2], log = false }\n\
         [scenario.two]\nkind = \"two_exits\"\npeople.mass_kg = { range = [60, 70] }\n",
    );
    let keys: Vec<_> = e.space.genes.iter().map(|g| g.key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "injury_forces",
            "panic",
            "people.radius_m",
            "relaxation_time_s",
            "repulsion_range_m",
            "scenario.room.group.people.parameters.repulsion_strength_n",
            "scenario.two.people.mass_kg",
            "wall_repulsion"
        ]
    );
    assert_eq!(e.space.genes[0].axis, Axis::Choice(vec![1.0, 0.0]));
    assert_eq!(e.space.genes[1].axis, Axis::Real { low: 0.0, high: 1.0, log: false });
    assert_eq!(e.space.genes[4].axis, Axis::Real { low: 0.1, high: 0.5, log: true }, "the registry's scale");
    assert_eq!(e.space.genes[5].axis, Axis::Real { low: 1.0, high: 2.0, log: false });
    assert_eq!(e.space.genes[7].axis, Axis::Choice(vec![1.0, 0.0]));
    // Published: contact = 0, panic 0, radius 0.3, tau 0.5, B 0.08, A 2000, 80 kg, on; moved into the ranges.
    assert_eq!(e.defaults, [0.0, 0.0, 0.25, 0.4, 0.1, 2.0, 70.0, 1.0]);
    assert_eq!(e.start, [1.0, 0.5, 0.25, 0.2, 0.1, 2.0, 70.0, 1.0]);
    assert_eq!(e.warnings.len(), 2);
    assert!(e.warnings[0].starts_with("`people.radius_m` is searched"), "{}", e.warnings[0]);

    let at = |key: &str| e.model.params.iter().position(|p| p.key == key).expect("a key of the model");
    let (room, two) = (&e.cases[0].groups[0], &e.cases[1].groups[0]);
    assert_eq!(room.model[at("panic")], Binding::Fixed(0.25));
    assert_eq!(two.model[at("panic")], Binding::Gene(1));
    assert_eq!(room.model[at("repulsion_strength_n")], Binding::Gene(5));
    assert_eq!(room.model[at("wall_repulsion_strength_n")], Binding::Gene(5), "follows the group's own");
    assert_eq!(two.model[at("wall_repulsion_strength_n")], Binding::Fixed(2000.0));
    assert_eq!(two.model[at("wall_repulsion_range_m")], Binding::Gene(4));
    assert_eq!(
        (room.people[2], room.people[3]),
        (TraitBinding::Gene(2), TraitBinding::Drawn(Distribution::Fixed(80.0)))
    );
    assert_eq!(two.people[3], TraitBinding::Gene(6));
    reload(&e);
}

#[test]
fn each_makes_the_product_held_out_last() {
    let e = read(
        "model = \"social_force\"\n[people]\ndesired_speed_m_per_s = { each = [1, 3] }\n\
         [parameters]\npanic = { each = [0.5], held_out = [0.25] }\n\
         [scenario.a]\nkind = \"bottleneck\"\nwidth_m = { each = [1.2, 0.8], held_out = [1.0] }\nparameters.panic = 0\n\
         [scenario.b]\nkind = \"room\"\npeople.desired_speed_m_per_s = 2\n",
    );
    let names: Vec<_> = e.cases.iter().map(|c| (c.name.as_str(), c.held_out)).collect();
    assert_eq!(
        names,
        [
            ("a[people.desired_speed_m_per_s=1,width_m=1.2]", false),
            ("a[people.desired_speed_m_per_s=1,width_m=0.8]", false),
            ("a[people.desired_speed_m_per_s=3,width_m=1.2]", false),
            ("a[people.desired_speed_m_per_s=3,width_m=0.8]", false),
            ("a[people.desired_speed_m_per_s=1,width_m=1]", true),
            ("a[people.desired_speed_m_per_s=3,width_m=1]", true),
            ("b[panic=0.5]", false),
            ("b[panic=0.25]", true),
        ]
    );
    assert_eq!(e.cases[2].axes, [("people.desired_speed_m_per_s".to_owned(), 3.0), ("width_m".to_owned(), 1.2)]);
    assert_eq!(e.cases[2].groups[0].people[0], TraitBinding::Drawn(Distribution::Fixed(3.0)));
    let entrance = e.cases[2].scenario.world.plan.lines[0].what;
    assert!(((entrance.b - entrance.a).length() - 1.2).abs() < 1e-12);
    assert!(e.cases.iter().take(6).all(|c| c.table == "a" && c.scenario.name == "a"));
    reload(&e);
}

#[test]
fn every_kind_of_target_goes_with_every_metric() {
    let mut with_values = 0;
    for metric in METRICS {
        let center = if metric.make.takes_center { "center = \"west\", " } else { "" };
        let kinds = [
            "minimize = { good = 0, bad = 5 }",
            "maximize = { good = 5, bad = 0 }",
            "equals = 1, tolerance = 0.1",
            "between = [0.1, 2]",
            "at_most = 1",
            "at_least = 0.1",
            "over = \"limit_s\", points = [[25, 1]], tolerance = 0.2",
            "like = [0.5, 1, 1.5], tolerance = 0.2",
        ];
        let targets: String = kinds
            .iter()
            .enumerate()
            .map(|(k, kind)| format!("t{k} = {{ metric = \"{}\", {center}{kind} }}\n", metric.name))
            .collect();
        let tracks = if metric.make.needs.contains(&Need::Tracks) { "tracks = { file = \"t.txt\" }\n" } else { "" };
        let place = match metric.make.needs.contains(&Need::Catching) {
            true => {
                "walkable = \"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))\"\ngroup.east = { count = 2, from = { area = [[1, 1], [8, 8]] } }\n\
                 group.west = { count = 2, from = { area = [[1, 1], [8, 8]] }, to = { group = \"east\" }, catches = { group = \"east\", distance_m = 1, time_s = 1 } }\n"
            }
            false => "kind = \"corridor\"\nends = \"open\"\ncount = 10\n",
        };
        let text = format!(
            "model = \"five_force\"\n[scenario.street]\nlimit_s = {{ each = [25.0] }}\n{place}{tracks}[target]\n{targets}"
        );
        let rows = (0..30).map(|k| format!("{} {} {} {}\n", k / 3, k % 3, 2 + k % 3, k / 3));
        let ten = "# framerate: 1 fps\n# x/y in m\n".to_owned() + &rows.collect::<String>();
        let e = load(&Registry::builtin(), &text, "dir/test.toml", &[], &mut |_| Ok(ten.clone().into_bytes()))
            .unwrap_or_else(|e| panic!("{e}\n{text}"));
        let seed = run_seed(1, Purpose::Search, "street", 0);
        let values = simulate(&e, 0, &e.start, seed).unwrap_or_else(|e| panic!("{}: {e}", metric.name));
        let there: Vec<_> = values.iter().map(Option::is_some).collect();
        // A tail is of many gaps; a few can be compared all the same.
        assert!(there[..7] == [there[0]; 7] && (there[7] || !there[0]), "{}: {values:?}", metric.name);
        with_values += usize::from(there[0]);
    }
    assert!(with_values + 3 >= METRICS.len(), "{with_values}");
}

#[test]
fn every_kind_of_target_is_read() {
    let e = read(
        "model = \"social_force\"\n[scenario.neck]\nkind = \"bottleneck\"\nwidth_m = { each = [0.8, 1.0], held_out = [0.9, 1.1] }\n\
         [scenario.room]\nkind = \"room\"\n\
         [target]\n\
         a = { metric = \"people_left\", minimize = { good = 0, bad = 10 } }\n\
         b = { metric = \"flow_per_s\", maximize = { good = 3, bad = 1 }, scenario = \"neck\", window = \"steady\" }\n\
         c = { metric = \"flow_per_s\", equals = -2.0, tolerance = \"25 %\", combine = \"median\", at = \"neck.entrance\" }\n\
         d = { metric = \"collisions\", between = [0, 4], weight = 2.5, combine = \"worst\" }\n\
         e = { metric = \"overlap_max_m\", at_most = 0.05, must = true }\n\
         f = { metric = \"people_left\", at_least = 0, scale = 2 }\n\
         g = { metric = \"flow_per_s\", over = \"width_m\", points = [[0.8, 1.5], [0.9, 2]], tolerance = \"10 %\", window = { time_s = [5, 60] } }\n\
         h = { metric = \"time_gap_mean_s\", like = [2, 1, 3.5], by = \"ks\", tolerance = 0.2, combine = \"p95\" }\n\
         [measure.z]\nmetric = \"flow_per_s\"\nat = { line = [[0, -1], [0, 1]] }\n",
    );
    let wanted: Vec<_> = e.columns.iter().map(|t| t.wanted.clone()).collect();
    assert_eq!(wanted[0], Some(Wanted::Minimize { good: 0.0, bad: 10.0 }));
    assert_eq!(wanted[1], Some(Wanted::Maximize { good: 3.0, bad: 1.0 }));
    assert_eq!(wanted[2], Some(Wanted::Equals { value: -2.0, tolerance: 0.5, squares: false }));
    assert_eq!(wanted[3], Some(Wanted::Between { low: 0.0, high: 4.0 }));
    assert_eq!(wanted[4], Some(Wanted::AtMost { limit: 0.05, scale: 0.05 }));
    assert_eq!(wanted[5], Some(Wanted::AtLeast { limit: 0.0, scale: 2.0 }));
    assert_eq!(
        wanted[6],
        Some(Wanted::Points {
            over: "width_m".into(),
            points: vec![(0.8, 1.5, 0.1 * 1.5), (0.9, 2.0, 0.2)],
            squares: false
        })
    );
    assert_eq!(wanted[7], Some(Wanted::Like { reference: vec![1.0, 2.0, 3.5], by: Distance::Ks, tolerance: 0.2 }));
    assert_eq!(wanted[8], None);
    let combine: Vec<_> = e.columns.iter().map(|t| t.combine).collect();
    assert_eq!(combine[2..5], [Combine::Median, Combine::Worst, Combine::Mean]);
    assert_eq!((e.columns[3].weight, e.columns[4].must, e.columns[0].must), (2.5, true, false));

    let given = |column: usize| e.cases.iter().map(|c| c.columns[column].is_some()).collect::<Vec<_>>();
    // Cases: neck 0.8, 1.0, then held out 0.9, 1.1, then the room.
    assert_eq!(given(0), [true; 5]);
    assert_eq!(given(1), [true, true, true, true, false]);
    assert_eq!(given(6), [true, false, true, false, false], "only widths with a point");
    assert_eq!(e.cases[0].columns[1].as_ref().map(|c| c.window), Some(Window::Steady));
    assert_eq!(e.cases[0].columns[6].as_ref().map(|c| c.window), Some(Window::TimeS(5.0, 60.0)));
    let Some(Some(Place::Line(line))) = e.cases[4].columns[8].as_ref().map(|c| c.at.clone()) else { panic!("a line") };
    assert_eq!((line.a.y, line.b.y), (-1.0, 1.0));
    reload(&e);
}

#[test]
fn toml_and_json_are_the_same() {
    let toml = read(
        "format = 1\nmodel = \"social_force\"\n[parameters]\npanic = { range = [0.0, 1.0] }\n\
         [scenario.room]\nkind = \"room\"\ncount = { each = [20, 40] }\n[search]\nseed = 7\n\
         [target.time]\nmetric = \"evacuation_time_95_s\"\nat_most = 60.0\n",
    );
    let json = load(
        &Registry::builtin(),
        r#"{ "format": 1, "model": "social_force", // comments are fine
            "parameters": { "panic": { "range": [0, 1] } },
            "scenario": { "room": { "kind": "room", "count": { "each": [20, 40] } } },
            "search": { "seed": 7 },
            "target": { "time": { "metric": "evacuation_time_95_s", "at_most": 60 } } }"#,
        "test.json",
        &[],
        &mut nothing,
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(json.digest, toml.digest);
    assert_eq!(json.space, toml.space);
    reload(&json);
}

#[test]
fn set_replaces_and_adds_and_is_part_of_what_is_resolved() {
    let sets = [("search.seed", "9"), ("parameters.panic", "{ range = [0, 0.5] }"), ("title", "no TOML: a text")]
        .map(|(k, v)| (k.to_owned(), v.to_owned()));
    let e = load(&Registry::builtin(), ROOM, "test.toml", &sets, &mut nothing).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((e.search.seed, e.title.as_str()), (9, "no TOML: a text"));
    assert_eq!(e.space.genes[0].axis, Axis::Real { low: 0.0, high: 0.5, log: false });
    reload(&e);
}

#[test]
fn the_digest_is_of_what_results_depend_on() {
    let digest = |sets: &[(&str, &str)]| {
        let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        load(&Registry::builtin(), ROOM, "test.toml", &sets, &mut nothing).unwrap_or_else(|e| panic!("{e}")).digest
    };
    let same = digest(&[]);
    assert_eq!(same.len(), 64);
    for set in [
        ("search.evaluations", "77"),
        ("title", "\"x\""),
        ("name", "\"x\""),
        ("parameters.panic", "0"),
        ("search.seed", "1"),
    ] {
        assert_eq!(digest(&[set]), same, "{set:?}");
    }
    for set in [("search.seed", "2"), ("parameters.panic", "0.1"), ("search.finalists", "4"), ("search.parallel", "8")]
    {
        assert_ne!(digest(&[set]), same, "{set:?}");
    }
}

#[test]
fn files_are_read_once_kept_and_part_of_the_digest() {
    let text = format!(
        "{ROOM}[target]\na = {{ metric = \"time_gap_mean_s\", like = \"gaps.txt\", tolerance = 0.1 }}\n\
         b = {{ metric = \"time_gap_p95_s\", like = {{ file = \"gaps.txt\" }}, tolerance = 0.1 }}\n"
    );
    let load_with = |content: &'static str| {
        let mut reads = 0;
        let e = load(&Registry::builtin(), &text, "test.toml", &[], &mut |name| {
            reads += 1;
            assert_eq!(name, "gaps.txt");
            Ok(content.as_bytes().to_vec())
        });
        assert_eq!(reads, 1);
        e
    };
    let e = load_with("# seconds\n2.0, 1\n3 # last\n").unwrap_or_else(|e| panic!("{e}"));
    let reference = vec![1.0, 2.0, 3.0];
    assert_eq!(e.columns[0].wanted, Some(Wanted::Like { reference, by: Distance::Wasserstein, tolerance: 0.1 }));
    assert_eq!(e.inputs, [("gaps.txt".to_owned(), b"# seconds\n2.0, 1\n3 # last\n".to_vec())]);
    let other = load_with("2.0, 1\n3\n").unwrap_or_else(|e| panic!("{e}"));
    assert_ne!(other.digest, e.digest);
    let error = load_with("1.0\n2.0 x\n").expect_err("x is not a number").to_string();
    assert!(error.contains("`x` is not a number") && error.contains("gaps.txt:2"), "{error}");
}

#[test]
fn the_defaults_of_navigation_are_written_out() {
    let kind = |text: &str| read(&format!("{ROOM}navigation = {{ {text} }}\n"));
    let (field, points) = (kind("kind = \"field\""), kind("kind = \"waypoints\", points = [[3, 7]]"));
    let straight = kind("kind = \"straight\"");
    let corners = kind("kind = \"corners\"");
    assert_eq!(corners.cases[0].scenario.world.plan.navigation, Navigation::Corners { margin_m: 0.2 });
    assert!(corners.resolved.contains("margin_m = 0.2"), "{}", corners.resolved);
    assert!(field.resolved.contains("cell_m = 0.1"), "{}", field.resolved);
    assert!(points.resolved.contains("radius_m = 0.5"), "{}", points.resolved);
    assert!(!straight.resolved.contains("cell_m"), "{}", straight.resolved);
    [field, points, straight, corners].iter().for_each(reload);
}

#[test]
fn the_three_targets_of_a_bottleneck_are_measured_in_one_stretch() {
    let of = |window: &str| {
        format!("window = {{ crossings = [0.1, 0.9]{window} }}, tolerance = \"10 %\", loss = \"squares\"")
    };
    let e = read(&format!(
        "model = \"social_force\"\npeople.radius_m = 0.15\n[scenario.hermes]\nkind = \"wide_bottleneck\"\nwidth_m = {{ each = [2.4, 3.6] }}\n\
         [target]\na = {{ metric = \"flow_per_s\", at = \"hermes.gap\", over = \"width_m\", points = [[2.4, 6], [3.6, 9]], {} }}\n\
         b = {{ metric = \"density_per_m2\", equals = 5.0, {} }}\nc = {{ metric = \"density_per_m2\", equals = 5.0, {} }}\n",
        of(""),
        of(", of = \"hermes.gap\""),
        of(", of = { line = [[0, 1], [2, 1]] }")
    ));
    let window = |of| Window::Crossings { shares: (0.1, 0.9), of };
    let gap = |half: f64| Some([(0.9 - half, 0.0), (0.9 + half, 0.0)]);
    for (case, half) in e.cases.iter().zip([1.2, 1.8]) {
        let windows: Vec<_> = case.columns.iter().map(|c| c.as_ref().map(|c| c.window)).collect();
        let given = Some([(0.0, 1.0), (2.0, 1.0)]);
        assert_eq!(windows, [Some(window(None)), Some(window(gap(half))), Some(window(given))]);
    }
    let points = vec![(2.4, 6.0, 0.1 * 6.0), (3.6, 9.0, 0.1 * 9.0)];
    let points = Wanted::Points { over: "width_m".into(), points, squares: true };
    assert_eq!(e.columns[0].wanted, Some(points));
    assert_eq!(e.columns[1].wanted, Some(Wanted::Equals { value: 5.0, tolerance: 0.5, squares: true }));
    reload(&e);
}

#[test]
fn a_field_that_is_too_fine_names_the_key_of_its_cells() {
    let text = format!("{ROOM}navigation = {{ kind = \"field\", cell_m = 0.0001 }}\n");
    let error =
        load(&Registry::builtin(), &text, "test.toml", &[], &mut nothing).expect_err("far too many cells").to_string();
    assert!(error.contains("scenario.room.navigation.cell_m") && error.contains("test.toml:4"), "{error}");
}

#[test]
fn a_written_place_has_open_doors_and_groups_with_their_own_constants() {
    let text = "model = \"social_force\"\n[people]\nmass_kg = 70\n\
        [scenario.street]\nwalkable = { file = \"street.wkt\" }\nobstacles = \"POLYGON ((14 2, 15 2, 15 3, 14 3, 14 2))\"\n\
        lines = { middle = [[12, 0], [12, 6]] }\nareas = { start = [[0, 0], [8, 6]] }\n\
        navigation = { kind = \"field\", cell_m = 0.25 }\n\
        [scenario.street.group.west]\ncount = { each = [5, 10] }\nfrom = { area = [[22, 0], [30, 6]] }\n\
        to = [{ point = [15, 5], radius_m = 1 }, { line = [[0, 0], [0, 6]], name = \"out\" }]\n\
        parameters.panic = { range = [0, 0.3] }\npeople.mass_kg = { normal = [80, 5] }\n\
        [scenario.street.group.east]\ncount = 4\nfrom = { area = [[0, 0], [8, 6]], spacing_m = 1.5 }\n\
        to = { line = [[30, 0], [30, 6]] }\n\
        [target.flow]\nmetric = \"flow_per_s\"\nat = \"street.middle\"\nat_least = 0.5\n\
        [measure.out]\nmetric = \"flow_per_s\"\nat = \"out\"\n";
    let mut wkt = |name: &str| {
        assert_eq!(name, "street.wkt");
        Ok(b"POLYGON ((0 0, 30 0, 30 6, 0 6, 0 0))".to_vec())
    };
    let e = load(&Registry::builtin(), text, "test.toml", &[], &mut wkt).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<_> = e.cases.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["street[group.west.count=5]", "street[group.west.count=10]"]);
    let case = &e.cases[1];
    let groups: Vec<_> = case.scenario.groups.iter().map(|g| (g.name.as_str(), g.count, g.stages.len())).collect();
    assert_eq!(groups, [("east", 4, 1), ("west", 10, 2)]);
    // Both ends are doors, so of the outline only the long sides remain, and the obstacle has four walls.
    assert_eq!(case.scenario.world.plan.walls.len(), 6);
    assert_eq!(e.space.genes[0].key, "scenario.street.group.west.parameters.panic");
    let panic = e.model.params.iter().position(|p| p.key == "panic").expect("a key of the model");
    assert_eq!((case.groups[0].model[panic], case.groups[1].model[panic]), (Binding::Fixed(0.0), Binding::Gene(0)));
    let drawn = Distribution::Normal { mean: 80.0, sd: 5.0, clip: (65.0, 95.0) };
    assert_eq!(case.groups[0].people[3], TraitBinding::Drawn(Distribution::Fixed(70.0)));
    assert_eq!(case.groups[1].people[3], TraitBinding::Drawn(drawn), "three deviations unless clipped");
    let x = |column: usize| match case.columns[column].as_ref().and_then(|c| c.at.clone()) {
        Some(Place::Line(line)) => line.a.x,
        other => panic!("no line: {other:?}"),
    };
    assert_eq!((x(0), x(1)), (12.0, 0.0));
    let again = load(&Registry::builtin(), &e.resolved, "experiment.toml", &[], &mut wkt)
        .unwrap_or_else(|err| panic!("{err}\n{}", e.resolved));
    assert_eq!(again.digest, e.digest);
}

#[test]
fn impatience_without_a_highest_speed_is_said_to_do_nothing() {
    let warnings = |lines: &str| {
        let text = format!(
            "model = \"social_force\"\n{lines}\n[scenario.room]\nkind = \"room\"\n[measure.a]\nmetric = \"people_left\"\n"
        );
        load(&Registry::builtin(), &text, "a.toml", &[], &mut nothing).unwrap().warnings
    };
    for idle in ["impatience = true", "impatience = { choices = [false, true] }"] {
        let found = warnings(&format!("[parameters]\n{idle}"));
        assert!(found.len() == 1 && found[0].starts_with("`impatience` has no effect"), "{found:?}");
        assert_eq!(warnings(&format!("[parameters]\n{idle}\n[people]\nmax_speed_m_per_s = 3.0")), [""; 0]);
    }
    assert_eq!(warnings(""), [""; 0]);
}

#[test]
fn a_target_that_only_held_out_scenarios_give_is_reported_not_searched() {
    let text = "model = \"social_force\"\n[scenario.seen]\nkind = \"room\"\n\
                [scenario.unseen]\nkind = \"room\"\nheld_out = true\n\
                [target.a]\nmetric = \"people_left\"\nat_most = 1\nscenario = \"seen\"\n\
                [target.b]\nmetric = \"people_left\"\nat_most = 1\nscenario = \"unseen\"\n";
    let e = load(&Registry::builtin(), text, "a.toml", &[], &mut nothing).unwrap();
    assert_eq!(e.cases.iter().map(|c| c.held_out).collect::<Vec<_>>(), [false, true]);
    assert_eq!(e.warnings, ["target `b` is given by held-out scenarios only: it is reported, not searched for"]);
}

#[test]
fn whole_numbers_of_a_real_constant_can_be_searched() {
    let e = read(&format!("{ROOM}[parameters]\nherding_radius_m = {{ integers = [1, 6] }}\n"));
    assert_eq!(e.space.genes[0].axis, Axis::Integer { low: 1, high: 6 });
    assert_eq!(e.defaults, [5.0]);
    // A default that is not a whole number moves to the nearest one.
    let e = read(&format!("{ROOM}[parameters]\nrelaxation_time_s = {{ integers = [1, 6] }}\n"));
    assert_eq!(e.defaults, [1.0]);
    reload(&e);
}

#[test]
fn numbers_inside_a_distribution_may_have_each_values() {
    let e = read(&format!(
        "{ROOM}[people]\ndesired_speed_m_per_s = {{ normal = [{{ each = [1.0, 1.3] }}, 0.2], clip = [0.5, 2] }}\n"
    ));
    let drawn = |case: usize| e.cases[case].groups[0].people[0];
    let normal = |mean| TraitBinding::Drawn(Distribution::Normal { mean, sd: 0.2, clip: (0.5, 2.0) });
    assert_eq!((e.cases.len(), drawn(0), drawn(1)), (2, normal(1.0), normal(1.3)));
    reload(&e);
}

#[test]
fn a_skewed_trait_without_an_upper_end_needs_no_clip_range() {
    let e = read(&format!("{ROOM}[people]\nmax_speed_m_per_s = {{ gamma = [9, 0.2] }}\n"));
    let TraitBinding::Drawn(Distribution::Skewed { clip, .. }) = e.cases[0].groups[0].people[1] else {
        panic!("{:?}", e.cases[0].groups[0])
    };
    assert_eq!(clip.1, f64::INFINITY);
    reload(&e);
}

#[test]
fn weights_are_named_in_either_order_of_the_source() {
    let with = |weights: &str| {
        let text = format!(
            "model = \"five_force\"\n[scenario.room]\nkind = \"room\"\n[parameters]\ngain_m_per_s2 = 5\n{weights}"
        );
        let experiment = load(&Registry::builtin(), &text, "x.toml", &[], &mut nothing).unwrap();
        let at = |key: &str| experiment.model.params.iter().position(|p| p.key == key).unwrap();
        ["attraction", "separation", "alignment", "cohesion", "repulsion"]
            .map(|name| experiment.cases[0].groups[0].model[at(&format!("{name}_weight"))].resolve(&[]))
    };
    let s = "s = [1, 0.5, 0.25, 0, 2]";
    assert_eq!(with(&format!("weights = {{ order = \"eq3.20\", {s} }}")), [1.0, 0.5, 0.25, 0.0, 2.0]);
    assert_eq!(with(&format!("weights = {{ {s} }}")), [1.0, 0.5, 0.25, 0.0, 2.0]);
    assert_eq!(with(&format!("weights = {{ order = \"fig3.9\", {s} }}")), [1.0, 0.5, 0.0, 0.25, 2.0]);
    // Those of a group count before those of its scenario and of the file.
    let nearer =
        format!("weights = {{ {s} }}\n[scenario.room.group.people.parameters]\nweights = {{ s = [0, 0, 0, 1, 0] }}");
    assert_eq!(with(&nearer), [0.0, 0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn heights_are_read_and_what_is_wrong_with_them_is_said() {
    let grid = "ncols 4\nnrows 3\nxllcorner 100\nyllcorner 50\ncellsize 2\nNODATA_value -9999\n0 1 1 0\n0 1 1 0\n0 0.5 0.5 0\n";
    let with = |ground: &str, file: &str| {
        let text = format!(
            "model = \"social_force\"\n[scenario.hall]\nlimit_s = 5.0\nwalkable = \"POLYGON ((0 0, 8 0, 8 6, 0 6, 0 0))\"\n{ground}\n\
             group.all = {{ count = 1, from = {{ points = [[1, 1]] }}, to = {{ line = [[8, 2], [8, 4]] }} }}\n"
        );
        load(&Registry::builtin(), &text, "dir/test.toml", &[], &mut |_| Ok(file.as_bytes().to_vec()))
    };
    let file = "ground = { file = \"h.asc\", origin = [0, 0] }";
    let hall = with(file, grid).unwrap();
    let relief = hall.cases[0].scenario.world.plan.relief.clone().unwrap();
    assert_eq!((relief.height(vec2(3.0, 3.0)), relief.height(vec2(2.0, 3.0))), (1.0, 0.5));
    // The file is kept with the run.
    assert_eq!(hall.inputs[0].0, "h.asc");
    let hole = grid.replace("0 1 1 0\n0 0.5", "0 -9999 1 0\n0 0.5");
    for (ground, file, parts) in [
        (file, hole.as_str(), ["the heights have a hole at (3.00, 3.00)", "gdal_fillnodata"]),
        (
            "ground = { file = \"h.asc\" }",
            grid,
            ["the heights reach from (100.00, 50.00) to (108.00, 56.00)", "origin"],
        ),
        ("ground = { file = \"h.asc\", origin = [0, 0], unit = \"cm\" }", grid, ["(0.08, 0.06)", "check `unit`"]),
        (file, &grid.replace("1 1", "900 900"), ["the ground rises by", "slopes up to 1"]),
        (file, &grid.replace("ncols", "columns"), ["line 1: `columns` is no key of an ASCII grid", "ncols, nrows"]),
        (file, &grid.replace("nrows 3", "nrows 4"), ["16 heights, the file has 12", "h.asc"]),
        ("ground = { unit = \"m\" }", grid, ["there is none", "give `file`"]),
        ("ground = {}", grid, ["ground", "slope = [0.1, 0.0]"]),
        ("ground = { slope = 0.1 }", grid, ["slope", "the rise per meter"]),
        ("ground = { slope = [3.0, 0.0] }", grid, ["rises by 3.00 m per meter", "45 degrees"]),
        ("ground = { hills = [{ at = [1, 1], height_m = 1, width_m = 0 }] }", grid, ["width_m", "above 0 m"]),
        ("ground = { slope = [0, 0.1], speed = \"naismith\" }", grid, ["speed", "tobler"]),
        (
            "ground = { slope = [0, 0.1], speed = { easy_slope = 0.5, steep_slope = 0.2, steep_speed_share = 0.1 } }",
            grid,
            ["steep_slope", "above easy_slope, which is 0.5"],
        ),
        ("ground = { slope = [0, 0.1], hight = 3 }", grid, ["`hight` is not a key", "slope, hills"]),
        (
            "periodic = \"x\"\nground = { hills = [{ at = [4, 3], height_m = 1, width_m = 2 }] }",
            grid,
            ["the seam", "an even `slope`"],
        ),
    ] {
        let refused = with(ground, file).unwrap_err().to_string();
        assert!(parts.iter().all(|part| refused.contains(part)), "{ground}: {refused}");
    }
}

#[test]
fn tracks_are_read_and_put_people_where_they_were() {
    let text = |tracks: &str, count: u32| {
        format!(
            "model = \"five_force\"\n[scenario.street]\nkind = \"corridor\"\nends = \"open\"\nlimit_s = 2.0\ncount = {count}\n\
             tracks = {tracks}\n[target.near]\nmetric = \"track_error_m2\"\nminimize = {{ good = 0, bad = 1 }}\n"
        )
    };
    // Two people who stand: frame 10 is the start.
    let stood = "# framerate: 2 fps\n# x/y in m\n".to_string()
        + &(10..15).map(|f| format!("3 {f} 4 1\n7 {f} 6 2\n")).collect::<String>();
    let with =
        |text: &str| load(&Registry::builtin(), text, "dir/test.toml", &[], &mut |_| Ok(stood.clone().into_bytes()));
    let error = |restart: &str| {
        let e = with(&text(&format!("{{ file = \"t.txt\"{restart} }}"), 2)).unwrap();
        assert_eq!(e.cases[0].scenario.tracks.as_ref().unwrap().people.len(), 2);
        simulate(&e, 0, &e.start, run_seed(1, Purpose::Search, "street", 0)).unwrap()[0].unwrap()
    };
    let (once, often) = (error(""), error(", restart_every_s = 0.5"));
    assert!(often > 0.0 && often < 0.5 * once, "{often} is what half a second adds, {once} what two do");
    // Nobody walks: all that is known of their desired speed is the published one.
    let estimated = with(&text("{ file = \"t.txt\", desired_speed = \"estimated\" }", 2)).unwrap();
    let speeds = |e: &Experiment| -> Vec<_> {
        e.cases[0].scenario.tracks.as_ref().unwrap().people.iter().map(|track| track.desired_speed).collect()
    };
    assert_eq!(speeds(&estimated), [Some(1.34); 2]);
    assert_eq!(speeds(&with(&text("{ file = \"t.txt\" }", 2)).unwrap()), [None; 2]);
    for (tracks, count, part) in [
        ("{ file = \"t.txt\", desired_speed = \"fast\" }", 2, "people, estimated"),
        ("{ file = \"t.txt\", leave = \"never\" }", 2, "as_recorded, at_goal"),
        ("{ file = \"t.txt\", leave = \"at_goal\", restart_every_s = 1 }", 2, "everybody is put back onto the tracks"),
        ("{ file = \"t.txt\", leave = \"at_goal\", walk = \"one_among_recorded\" }", 2, "who leave as recorded"),
        ("{ file = \"t.txt\" }", 1, "the recording has 2 people, the scenario 1"),
        ("{ file = \"t.txt\" }", 3, "the recording has 2 people, the scenario 3"),
        ("\"t.txt\"", 2, "tracks"),
    ] {
        let refused = with(&text(tracks, count)).unwrap_err().to_string();
        assert!(refused.contains(part), "{refused}");
    }
    let without = text("{ file = \"t.txt\" }", 2).replace("tracks = { file = \"t.txt\" }\n", "");
    assert!(with(&without).unwrap_err().to_string().contains("has no `tracks`"));
}
