//! What every registered thing keeps to. Everything here is derived from the lists, so a new entry is tested at once.

use crowdtune::Registry;
use crowdtune::cli::list::{self, What};
use crowdtune::cli::schema;
use crowdtune::evolve::evaluate::{run_seed, simulate};
use crowdtune::evolve::experiment::{Experiment, no_files};
use crowdtune::evolve::log;
use crowdtune::export::EXPORTERS;
use crowdtune::export::fitted::FITTED;
use crowdtune::folder::{Options, remake_report, run_to_folder};
use crowdtune::import::IMPORTERS;
use crowdtune::target::TARGETS;
use crowdtune::target::behaviors::BEHAVIORS;
use crowdtune_core::registry::{Entry, Kind, Param};
use crowdtune_search::{OPTIMIZERS, Purpose, Trial};
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::metrics::METRICS;
use crowdtune_sim::models::MODELS;
use crowdtune_sim::world::SCENARIOS;
use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::AtomicBool;

/// An entry without its maker.
struct Listed {
    list: &'static str,
    name: &'static str,
    doc: &'static str,
    source: &'static str,
    params: &'static [Param],
}

fn listed<F>(list: &'static str, all: &[&'static Entry<F>]) -> Vec<Listed> {
    all.iter().map(|e| Listed { list, name: e.name, doc: e.doc, source: e.source, params: e.params }).collect()
}

fn all() -> Vec<Listed> {
    let mut all = listed("models", MODELS);
    all.extend(listed("metrics", METRICS));
    all.extend(listed("scenarios", SCENARIOS));
    all.extend(listed("optimizers", OPTIMIZERS));
    all.extend(listed("exporters", EXPORTERS));
    all.extend(listed("fitted", FITTED));
    all.extend(listed("importers", IMPORTERS));
    all.extend(listed("behaviors", BEHAVIORS));
    all
}

/// Every param with the name of its owner.
fn params() -> Vec<(String, &'static Param)> {
    let owned = all().into_iter().flat_map(|e| e.params.iter().map(move |p| (format!("{}: {}", e.name, p.key), p)));
    owned.chain(TRAITS.iter().map(|p| (format!("people: {}", p.key), p))).collect()
}

fn snake_case(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !name.contains("__")
        && !name.ends_with('_')
}

#[test]
fn names_are_snake_case_and_unique_in_their_list() {
    let mut seen = BTreeSet::new();
    for e in all() {
        assert!(snake_case(e.name), "{}", e.name);
        assert!(seen.insert((e.list, e.name)), "{} is there twice", e.name);
        let keys: BTreeSet<_> = e.params.iter().map(|p| p.key).collect();
        assert_eq!(keys.len(), e.params.len(), "{} has a key twice", e.name);
    }
    for (name, p) in params() {
        assert!(snake_case(p.key), "{name}");
    }
}

#[test]
fn an_entry_says_what_it_is_in_one_sentence_and_where_it_comes_from() {
    for e in all() {
        let doc = e.doc;
        assert!(doc.ends_with('.') && !doc.trim_end_matches('.').contains(". "), "{}: {doc}", e.name);
        assert!(!doc.starts_with(|c: char| c.is_lowercase()), "{}: {doc}", e.name);
        assert!(!e.source.trim().is_empty(), "{}", e.name);
    }
    for kind in TARGETS {
        assert!(kind.doc.ends_with('.'), "{}", kind.name);
    }
}

#[test]
fn a_param_says_what_it_means_and_where_its_default_comes_from() {
    for (name, p) in params() {
        assert!(!p.doc.trim().is_empty() && !p.doc.ends_with('.'), "{name}: a phrase, so that it can stand in a table");
        assert!(!p.source.trim().is_empty(), "{name}");
    }
}

#[test]
fn defaults_and_search_ranges_lie_inside_what_is_accepted() {
    for (name, p) in params() {
        match p.kind {
            Kind::Real { default, hard, search, log } => {
                assert!(hard.0 < hard.1 && search.0 < search.1, "{name}");
                assert!((hard.0..=hard.1).contains(&default), "{name}");
                assert!(search.0 >= hard.0 && search.1 <= hard.1, "{name}");
                assert!(!log || search.0 > 0.0, "{name}: a logarithm needs a positive range");
            }
            Kind::Integer { default, hard, search } => {
                assert!(hard.0 < hard.1 && search.0 < search.1, "{name}");
                assert!((hard.0..=hard.1).contains(&default), "{name}");
                assert!(search.0 >= hard.0 && search.1 <= hard.1, "{name}");
            }
            Kind::Choice { default, options } => assert!(options.contains(&default) && options.len() > 1, "{name}"),
            Kind::Switch { .. } => {}
        }
    }
}

#[test]
fn who_follows_another_constant_names_one_with_the_same_unit_and_range() {
    for e in all() {
        for p in e.params {
            let Some(other) = p.same_as else { continue };
            let other = e.params.iter().find(|q| q.key == other);
            let other = other.unwrap_or_else(|| panic!("{}: {} follows nothing", e.name, p.key));
            assert_eq!((p.unit, p.kind), (other.unit, other.kind), "{}: {}", e.name, p.key);
            assert!(other.same_as.is_none(), "{}: {} follows a follower", e.name, p.key);
        }
    }
}

/// The suffix that a unit gives a key: `kg/(m s)` is `_kg_per_m_s`, `1/m2` is `_per_m2`.
fn suffix(unit: &str) -> String {
    let plain = |part: &str| part.replace(['(', ')'], "").replace(' ', "_").to_lowercase();
    match unit.split_once('/') {
        Some(("1", below)) => format!("_per_{}", plain(below)),
        Some((above, below)) => format!("_{}_per_{}", plain(above), plain(below)),
        None => format!("_{}", plain(unit)),
    }
}

#[test]
fn a_unit_becomes_a_suffix() {
    let pairs = [("m", "_m"), ("N", "_n"), ("m/s2", "_m_per_s2"), ("1/s", "_per_s"), ("kg/(m s)", "_kg_per_m_s")];
    for (unit, wanted) in pairs {
        assert_eq!(suffix(unit), wanted);
    }
}

#[test]
fn a_key_with_a_unit_ends_with_it() {
    for (name, p) in params() {
        assert!(p.unit.is_empty() || p.key.ends_with(&suffix(p.unit)), "{name} is in {}", p.unit);
    }
    // People and events are counted, not measured.
    for m in METRICS.iter().filter(|m| !["", "-", "people", "events"].contains(&m.make.unit)) {
        // Pair-seconds are seconds.
        let unit = m.make.unit.strip_prefix("pair ").unwrap_or(m.make.unit);
        assert!(m.name.ends_with(&suffix(unit)), "{} is in {}", m.name, m.make.unit);
    }
}

#[test]
fn a_constant_of_two_people_is_the_same_in_all_groups() {
    for (name, p) in params() {
        assert!(!matches!(p.kind, Kind::Choice { .. } | Kind::Switch { .. }) || !p.per_group, "{name}");
    }
}

#[test]
fn no_constant_is_called_like_a_model() {
    // `parameters.NAME` is the table of a model that groups name.
    for name in MODELS.iter().flat_map(|m| m.params).map(|p| p.key) {
        assert!(MODELS.iter().all(|model| model.name != name), "{name}");
    }
    let lists = MODELS.iter().flat_map(|m| m.params).filter_map(|p| p.listed);
    for list in lists {
        assert!(MODELS.iter().all(|model| model.name != list.key), "{}", list.key);
    }
}

#[test]
fn steps_are_usable() {
    for m in MODELS {
        assert!(m.make.time_step_s > 0.0 && m.make.time_step_s <= m.make.max_time_step_s, "{}", m.name);
    }
}

#[test]
fn the_example_of_every_target_kind_is_read() {
    for kind in TARGETS {
        assert!(kind.example.contains(&format!(" {} = ", kind.name)), "{}", kind.name);
        let text = format!(
            "model = \"social_force\"\n{}\n[scenario.neck]\nkind = \"bottleneck\"\nwidth_m = {{ each = [0.8, 1.0] }}\n",
            kind.example
        );
        let read = Experiment::load(&Registry::builtin(), &text, "x.toml", &[], &mut no_files);
        let experiment = read.unwrap_or_else(|e| panic!("{}: {e}", kind.name));
        assert!(experiment.targets().count() == 1, "{}", kind.name);
    }
}

#[path = "../../examples/own_metric.rs"]
#[allow(dead_code, reason = "an example has a main")]
mod own_metric;
#[path = "../../examples/own_model.rs"]
#[allow(dead_code, reason = "an example has a main")]
mod own_model;

#[test]
fn what_a_program_adds_is_in_lists_schema_experiments_and_run_folders() {
    let mut registry = own_model::registry().unwrap();
    let own = own_metric::registry().unwrap();
    registry.metrics.add(own.metrics.get("top_speed_m_per_s").unwrap()).unwrap();

    for (what, name) in [(What::Models, "keep_gap"), (What::Metrics, "top_speed_m_per_s")] {
        assert!(list::text(&registry, what, false, Some(140)).contains(name), "{name}");
        assert!(list::text(&registry, what, true, None).contains(&format!("\"{name}\"")), "{name}");
        assert!(!list::text(&Registry::builtin(), what, false, Some(140)).contains(&format!("{name} ")), "{name}");
    }
    let schema = schema::schema(&registry).to_string();
    assert!(["keep_gap", "time_gap_s", "top_speed_m_per_s"].iter().all(|name| schema.contains(name)));

    let text = r#"
        model = "keep_gap"
        parameters.time_gap_s = { range = [0.5, 2.0] }
        target.top = { metric = "top_speed_m_per_s", equals = 1.0, tolerance = 0.05 }
        search = { evaluations = 24, finalists = 2 }
        [scenario.ring]
        walkable = "POLYGON ((0 0, 12 0, 12 1, 0 1, 0 0))"
        periodic = "x"
        limit_s = 20.0
        people = { radius_m = 0.2, desired_speed_m_per_s = 1.3 }
        group.all.count = 6
        group.all.from = { points = [[1, 0.5], [3, 0.5], [5, 0.5], [7, 0.5], [9, 0.5], [11, 0.5]] }
        group.all.to = { heading = [1, 0] }
    "#;
    let experiment = Experiment::load(&registry, text, "experiment.toml", &[], &mut no_files).unwrap();
    // People 2 m apart have gaps of 1.6 m: 0.8 m/s at 2 s, the desired speed at 1 s.
    for (time_gap_s, speed) in [(2.0, 0.8), (1.0, 1.3)] {
        let values = simulate(&experiment, 0, &[time_gap_s], run_seed(1, Purpose::Search, "ring", 0)).unwrap();
        assert!((values[0].unwrap() - speed).abs() < 1e-9, "{values:?}");
    }
    let error = Experiment::load(&Registry::builtin(), text, "ring.toml", &[], &mut no_files).unwrap_err();
    assert!(error.to_string().contains("there is no model `keep_gap`"), "{error}");

    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let (mut nobody, never) = (|_: &Trial, _: bool| {}, AtomicBool::new(false));
    let run = run_to_folder(&experiment, &folder, Options::default(), &mut nobody, &never).unwrap();
    // 1.0 m/s, within the tolerance: 1.6 m in 1.52 s to 1.68 s.
    let tuned = run.best.parameters["time_gap_s"].value.as_f64().unwrap();
    assert!((1.52..1.69).contains(&tuned), "{tuned}");
    let text = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    let log = log::parse(text(log::FILE).as_bytes(), log::FILE).unwrap();
    assert_eq!((&log.header.genes[..], &log.header.columns[..]), (&["time_gap_s".into()][..], &["top".into()][..]));
    let first = &log.trials[0];
    let values = simulate(
        &experiment,
        0,
        &experiment.space.decode(&first.question.genome),
        run_seed(1, Purpose::Search, "ring", 0),
    );
    assert_eq!(first.values[0][0], values.unwrap(), "the log has what the metric measured");
    let again = Experiment::load(&registry, &text("experiment.toml"), "experiment.toml", &[], &mut no_files).unwrap();
    assert_eq!(again.digest, experiment.digest, "the resolved experiment is read again with the same registry");
    let page = text("report.html");
    let shown = ["keep_gap", "Time to close the gap ahead", "top_speed_m_per_s", "The highest speed that anybody had."];
    assert!(shown.iter().all(|words| page.contains(words)), "model, constant, metric and their meaning");
    fs::remove_file(folder.join("report.html")).unwrap();
    remake_report(&again, log, &folder).unwrap();
    assert!(text("report.html") == page);
}
