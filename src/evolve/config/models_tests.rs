//! A model for each group: whose constants stand where, and that a file without is what it was.

use super::load;
use super::tests::nothing;
use crate::evolve::experiment::{Binding, Experiment, GroupBinding};
use crate::evolve::genes;
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_sim::world::scenario::Group;

fn try_read(text: &str) -> Result<Experiment, Error> {
    load(&Registry::builtin(), text, "street.toml", &[], &mut nothing)
}

fn read(text: &str) -> Experiment {
    try_read(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A street with cars and people; more keys of the file, of the scenario, of the cars and of the people.
fn street([file, scenario, cars, people]: [&str; 4]) -> String {
    format!(
        "model = \"social_force\"\n{file}\n[scenario.street]\nwalkable = \"POLYGON ((0 0, 30 0, 30 6, 0 6, 0 0))\"\n{scenario}\n\
         [scenario.street.group.cars]\ncount = 1\nfrom = {{ area = [[1, 1], [4, 5]] }}\nto = {{ line = [[29, 0], [29, 6]] }}\n{cars}\n\
         [scenario.street.group.people]\ncount = 4\nfrom = {{ area = [[20, 1], [29, 5]] }}\nto = {{ line = [[1, 0], [1, 6]] }}\n{people}\n"
    )
}

const CARS: &str = "model = \"rvo\"";

fn group<'e>(e: &'e Experiment, name: &str) -> (&'e Group, &'e GroupBinding) {
    let case = &e.cases[0];
    case.scenario.groups.iter().zip(&case.groups).find(|(group, _)| group.name == name).expect("the group is there")
}

/// What a group has for a constant of its own model.
fn own(e: &Experiment, name: &str, key: &str) -> Binding {
    let binding = group(e, name).1;
    binding.model[binding.steered_by.params.iter().position(|p| p.key == key).expect("a key of the model")]
}

#[test]
fn each_group_has_the_constants_of_its_model_from_the_nearest_table() {
    let e = read(&street([
        "[parameters]\npanic = 0.25\n[parameters.rvo]\ntime_horizon_s = 7.0\nmargin_share = 0.5\nsafety_factor_m = 3.0",
        "parameters.rvo.margin_share = 0.25",
        "model = \"rvo\"\nparameters.safety_factor_m = 4.0",
        "parameters.panic = 0.5",
    ]));
    assert_eq!(e.model.name, "social_force");
    assert_eq!(e.models().iter().map(|m| m.name).collect::<Vec<_>>(), ["social_force", "rvo"]);
    assert_eq!(e.walkers(), "social_force (people), rvo (cars)");
    let (cars, people) = (group(&e, "cars").1, group(&e, "people").1);
    assert_eq!((cars.steered_by.name, people.steered_by.name), ("rvo", "social_force"));
    let of_cars =
        ["time_horizon_s", "margin_share", "safety_factor_m", "responsibility"].map(|key| own(&e, "cars", key));
    assert_eq!(of_cars, [7.0, 0.25, 4.0, 0.5].map(Binding::Fixed));
    assert_eq!(own(&e, "people", "panic"), Binding::Fixed(0.5));
    // Each model sees the people of the other with what the scenario and the file say of it.
    let (rvo, constants) = &people.seen_by[0];
    let at = |key: &str| rvo.params.iter().position(|p| p.key == key).expect("a key of the model");
    assert_eq!((people.seen_by.len(), rvo.name), (1, "rvo"));
    assert_eq!(
        ["time_horizon_s", "margin_share", "safety_factor_m"].map(|key| constants[at(key)]),
        [7.0, 0.25, 3.0].map(Binding::Fixed)
    );
    let (force, constants) = &cars.seen_by[0];
    let panic = force.params.iter().position(|p| p.key == "panic").expect("a key of the model");
    assert_eq!((force.name, constants[panic]), ("social_force", Binding::Fixed(0.25)));
}

#[test]
fn what_is_written_out_has_all_models_and_loads_again() {
    let e = read(&street([
        "[parameters.rvo]\ntime_horizon_s = { range = [2, 10] }\n[parameters]\nrelaxation_time_s = { range = [0.3, 1] }",
        "",
        "model = \"rvo\"\nparameters.margin_share = { range = [0, 0.5] }",
        "",
    ]));
    let keys: Vec<_> = e.space.genes.iter().map(|g| g.key.as_str()).collect();
    assert_eq!(keys, ["relaxation_time_s", "rvo.time_horizon_s", "scenario.street.group.cars.parameters.margin_share"]);
    // `orca` has another `time_horizon_s`, `social_force` none: the meaning comes from the right model.
    let params: Vec<_> = e.space.genes.iter().map(|g| genes::param(&e, g).expect("a registered key")).collect();
    assert_eq!(
        params.iter().map(|p| (p.key, p.unit)).collect::<Vec<_>>(),
        [("relaxation_time_s", "s"), ("time_horizon_s", "s"), ("margin_share", "")]
    );
    assert_eq!(e.defaults, [0.5, 10.0, 0.05]);
    assert!(e.resolved.contains("\n[parameters.rvo]\n"), "{}", e.resolved);
    for param in group(&e, "cars").1.steered_by.params {
        assert!(e.resolved.contains(&format!("\n{} = ", param.key)), "{}\n{}", param.key, e.resolved);
    }
    let again =
        load(&Registry::builtin(), &e.resolved, "experiment.toml", &[], &mut nothing).expect("it was just written");
    assert_eq!((again.digest, again.resolved, again.space), (e.digest, e.resolved, e.space));
}

#[test]
fn a_group_that_names_the_model_of_the_file_changes_nothing() {
    let plain = read(&street(["", "", "", ""]));
    let named = read(&street(["", "", "model = \"social_force\"", "model = \"social_force\""]));
    assert_eq!(plain.digest, named.digest);
    assert!(named.cases[0].groups.iter().all(|group| group.seen_by.is_empty()));
    let room = "model = \"social_force\"\n[scenario.room]\nkind = \"room\"\n";
    let named = format!("{room}group.people.model = \"social_force\"\n");
    assert_eq!(read(room).digest, read(&named).digest);
    assert_ne!(plain.digest, read(&street(["", "", CARS, ""])).digest);
    // A group that is there for its own sake stays what it was.
    let empty = format!("{room}[scenario.room.group.people]\n");
    assert_ne!(read(room).digest, read(&empty).digest);
}

#[test]
fn the_step_is_that_of_the_fastest_model() {
    // 0.01 s of the forces, 0.1 s of rvo alone.
    assert_eq!(read(&street(["", "", CARS, ""])).timing.time_step_s, 0.01);
    let swapped = street(["", "", "model = \"social_force\"", ""]).replacen("social_force", "rvo", 1);
    let e = read(&swapped);
    assert_eq!((e.model.name, e.timing.time_step_s, e.draft_step_s()), ("rvo", 0.01, None));
    let draft = read(&format!("{swapped}[simulation]\ntime_step_s = 0.02\n"));
    assert_eq!(draft.draft_step_s(), Some(0.02), "a draft for the forces");
}

#[test]
fn each_of_another_model_makes_scenarios_where_it_steers() {
    let text = street(["[parameters.rvo]\ntime_horizon_s = { each = [2, 5] }", "", CARS, ""]);
    let room = "[scenario.room]\nkind = \"room\"\n";
    let names = |text: &str| read(text).cases.into_iter().map(|case| case.name).collect::<Vec<_>>();
    assert_eq!(
        names(&format!("{text}{room}")),
        ["room", "street[rvo.time_horizon_s=2]", "street[rvo.time_horizon_s=5]"]
    );
    assert_eq!(names(&text.replace("street]\n", "street]\nparameters.rvo.time_horizon_s = 3\n")), ["street"]);
    let e = read(&text);
    assert_eq!(own(&e, "cars", "time_horizon_s"), Binding::Fixed(2.0));
}

#[test]
fn who_gives_way_is_said_once_or_by_both() {
    let shares = |cars: &str, people: &str| {
        let e = read(&street(["", "", cars, people]));
        ["cars", "people"].map(|name| group(&e, name).0.gives_way.clone())
    };
    // Groups are in name order: the cars are 0, the people 1.
    assert_eq!(shares("gives_way = { people = 0.75 }", ""), [vec![(1, 0.75)], vec![(0, 0.25)]]);
    assert_eq!(shares("", "gives_way.cars = 1"), [vec![(1, 0.0)], vec![(0, 1.0)]]);
    let both = shares("gives_way.people = 0.9", "gives_way.cars = 0.6");
    assert_eq!(both, [vec![(1, 0.9)], vec![(0, 0.6)]]);
    assert_eq!(shares("", ""), [vec![], vec![]]);
}

#[test]
fn mistakes_are_explained() {
    let room = "model = \"social_force\"\n[scenario.room]\nkind = \"room\"\n";
    let mistakes = [
        ("no such model", street(["", "", "model = \"rov\"", ""])),
        ("no name", street(["", "", "model = 3", ""])),
        ("each of models", street(["", "", "model = { each = [\"rvo\", \"orca\"] }", ""])),
        ("a model of a group that is not there", format!("{room}group.peple.model = \"rvo\"\n")),
        ("the file's model steers nobody", street(["", "", CARS, CARS])),
        ("constants of a model that steers nobody", street(["[parameters.rvo]\ntime_horizon_s = 3", "", "", ""])),
        ("the same in a scenario", street(["", "parameters.orca.margin_m = 0.1", CARS, ""])),
        (
            "a model that steers in another scenario",
            format!(
                "{}[scenario.room]\nkind = \"room\"\nparameters.rvo.time_horizon_s = 3",
                street(["", "", CARS, ""])
            ),
        ),
        ("a table for the file's own model", street(["[parameters.social_force]\npanic = 0.1", "", "", ""])),
        (
            "a table for the own model of a group",
            street(["", "", "model = \"rvo\"\nparameters.rvo.time_horizon_s = 3", ""]),
        ),
        ("a table for another model in a group", street(["", "", CARS, "parameters.rvo.time_horizon_s = 3"])),
        ("a model with a typing mistake", street(["[parameters.rov]\ntime_horizon_s = 3", "", CARS, ""])),
        ("a number for a table", street(["[parameters]\nrvo = 3", "", CARS, ""])),
        ("a constant of the other model", street(["[parameters]\ntime_horizon_s = 3", "", CARS, ""])),
        ("a constant of the file's model", street(["", "", "model = \"rvo\"\nparameters.panic = 0.5", ""])),
        ("a constant of a model that steers nobody", street(["[parameters]\nsafety_factor_m = 3", "", "", ""])),
        ("a constant among the traits", street(["[people]\ntime_horizon_s = 3", "", CARS, ""])),
        ("out of range", street(["[parameters.rvo]\nmargin_share = -1", "", CARS, ""])),
        (
            "one for all people",
            street(["", "", "model = \"social_force\"\nparameters.body_stiffness_kg_per_s2 = 1e5", ""]).replacen(
                "social_force",
                "rvo",
                1,
            ),
        ),
        (
            "a search that acts nowhere",
            street([
                "[parameters.rvo]\nsafety_factor_m = { range = [1, 2] }",
                "parameters.rvo.safety_factor_m = 2",
                CARS,
                "",
            ]),
        ),
        ("too long a step", street(["[simulation]\ntime_step_s = 0.2", "", CARS, ""])),
        (
            "a search that only changes how others see people",
            street(["[parameters]\npanic = { range = [0, 1] }", "", CARS, "parameters.panic = 0.5"]),
        ),
        ("gives way to nobody", street(["", "", "gives_way = { peple = 0.8 }", ""])),
        ("gives way to itself", street(["", "", "gives_way = { cars = 0.8 }", ""])),
        ("gives way too much", street(["", "", "gives_way = { people = 1.5 }", ""])),
        ("gives way in words", street(["", "", "gives_way = { people = \"much\" }", ""])),
        ("gives way to all", street(["", "", "gives_way = 0.8", ""])),
        ("a search of who gives way", street(["", "", "gives_way = { people = { range = [0, 1] } }", ""])),
    ];
    let mut all = String::new();
    for (name, text) in mistakes {
        let error = try_read(&text).err().unwrap_or_else(|| panic!("this is no mistake: {name}\n{text}"));
        assert_eq!(error.exit_code(), 2, "{error}");
        all.push_str(&format!("== {name}\n{error}\n"));
    }
    insta::assert_snapshot!("mistakes", all);
}
