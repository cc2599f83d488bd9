use super::*;
use crate::evolve::experiment::{Experiment, no_files};
use crate::evolve::log::last_check;
use crate::evolve::summary::{AtlasSummary, AxisSummary, Figure};
use crate::registry::Registry;
use crowdtune_search::{Outcome, Question};

/// Two axes: `speed`, 4 cells of 0.5 m/s, and `turn`, 5 cells of 0.2.
fn experiment() -> Experiment {
    let text = r#"
        model = "social_force"
        parameters.relaxation_time_s = { range = [0.1, 2.0] }
        scenario.room = { kind = "room", replicas = 2 }
        target.time = { metric = "people_left", minimize = { good = 0, bad = 1 } }
        atlas.speed = { metric = "speed_mean_m_per_s", range = [0, 2], cells = 4 }
        atlas.turn = { metric = "path_efficiency", range = [0, 1], cells = 5 }
        search.finalists = 3
    "#;
    Experiment::load(&Registry::builtin(), text, "atlas.toml", &[], &mut no_files).unwrap()
}

fn summarize(experiment: &Experiment, rows: &[Trial]) -> Option<AtlasSummary> {
    super::summarize(experiment, rows, &last_check(rows))
}

/// A row: purpose, genome, replicas, loss, place. The columns are speed, time, turn.
fn row(purpose: Purpose, gene: f64, replicas: std::ops::Range<u32>, loss: f64, place: [f64; 2]) -> Trial {
    let run = vec![Some(place[0]), Some(loss), Some(place[1])];
    Trial {
        id: 0,
        values: vec![vec![run; replicas.len()]],
        question: Question { genome: vec![gene], replicas, purpose },
        outcome: Outcome::Done,
        objectives: vec![loss],
        violation: 0.0,
        measures: place.to_vec(),
    }
}

fn numbered(mut rows: Vec<Trial>) -> Vec<Trial> {
    rows.iter_mut().enumerate().for_each(|(id, row)| row.id = id as u64);
    rows
}

fn search(gene: f64, replicas: std::ops::Range<u32>, loss: f64, place: [f64; 2]) -> Trial {
    row(Purpose::Search, gene, replicas, loss, place)
}

#[test]
fn a_candidate_that_was_asked_more_often_goes_before_a_luckier_one() {
    let experiment = experiment();
    let mut infeasible = search(0.9, 0..2, 0.0, [1.9, 0.9]);
    infeasible.violation = 1.0;
    let rows = numbered(vec![
        search(0.1, 0..2, 0.1, [0.1, 0.1]),
        search(0.2, 0..2, 0.4, [0.2, 0.1]),
        search(0.2, 2..4, 0.6, [0.2, 0.1]),
        search(0.3, 0..2, 0.3, [1.1, 0.1]),
        search(0.4, 0..2, 0.2, [1.2, 0.1]),
        // The mean of the two lies in the next cell.
        search(0.5, 0..2, 0.7, [1.4, 0.5]),
        search(0.5, 2..4, 0.7, [1.7, 0.5]),
        search(0.6, 0..2, 0.8, [0.1, 0.9]),
        infeasible,
    ]);
    let found = found(&experiment, &rows);
    let cells: Vec<_> = found.iter().map(|(cell, all)| (*cell, all[0].genome[0], all[0].loss)).collect();
    assert_eq!(cells, [(0, 0.2, 0.5), (4, 0.6, 0.8), (10, 0.4, 0.2), (17, 0.5, 0.7)]);
    // Best first, three finalists.
    assert_eq!(elites(&experiment, &rows, &[]), [vec![0.4], vec![0.2], vec![0.5]]);
}

#[test]
fn where_an_elite_left_its_cell_the_next_best_is_checked() {
    let mut experiment = experiment();
    let rows = numbered(vec![
        search(0.1, 0..2, 0.1, [0.1, 0.1]),
        search(0.2, 0..2, 0.2, [0.2, 0.1]),
        search(0.3, 0..2, 0.3, [1.1, 0.1]),
        search(0.4, 0..2, 0.4, [1.2, 0.1]),
        search(0.5, 0..2, 0.5, [1.7, 0.5]),
    ]);
    let fresh = |gene, place| row(Purpose::Select, gene, 0..20, 0.3, place);
    // The first moves into the cell of the third and leaves its own empty; the second stays, the third fails.
    let mut checked = [fresh(0.1, [1.8, 0.5]), fresh(0.3, [1.1, 0.1]), fresh(0.5, [1.7, 0.5])];
    checked[2].outcome = Outcome::Failed("too fast".into());
    let checked: Vec<&Trial> = checked.iter().collect();
    assert!(elites(&experiment, &rows, &checked).is_empty(), "three finalists were checked");
    experiment.search.finalists = 9;
    assert_eq!(elites(&experiment, &rows, &checked), [vec![0.2]]);
    // Nobody else is known in the cell of the third, were it empty.
    assert_eq!(elites(&experiment, &rows, &checked[1..]), [vec![0.1]]);
}

/// Three finalists and the defaults on fresh seeds: one stays, one moves into the cell of a better one, one moves.
fn finished() -> Vec<Trial> {
    let fresh = |gene, loss, place| row(Purpose::Select, gene, 0..20, loss, place);
    numbered(vec![
        search(0.4, 0..2, 0.2, [1.2, 0.1]),
        search(0.2, 0..2, 0.5, [0.2, 0.1]),
        search(0.5, 0..2, 0.7, [1.7, 0.5]),
        fresh(0.4, 0.3, [1.3, 0.15]),
        fresh(0.2, 0.6, [1.1, 0.05]),
        fresh(0.5, 0.5, [2.5, 0.95]),
        fresh(0.7, 0.9, [0.1, 0.1]),
        row(Purpose::Report, 0.4, 0..20, 0.3, [1.3, 0.15]),
        row(Purpose::Baseline, 0.7, 0..20, 0.9, [0.1, 0.1]),
    ])
}

#[test]
fn elites_go_where_their_fresh_means_lie_and_the_best_keeps_the_cell() {
    let (experiment, rows) = (experiment(), finished());
    let cells = filled(&experiment, &last_check(&rows)).unwrap();
    assert_eq!(cells.iter().map(|(cell, row)| (*cell, row.id)).collect::<Vec<_>>(), [(0, 6), (10, 3), (19, 5)]);
    let atlas = summarize(&experiment, &rows).unwrap();
    assert_eq!((atlas.total, atlas.filled, atlas.found, atlas.moved, atlas.fresh), (20, 3, 3, 1, true));
    let names: Vec<_> = atlas.cells.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["speed=0.25,turn=0.10", "speed=1.25,turn=0.10", "speed=1.75,turn=0.90"]);
    let last = &atlas.cells[2];
    assert_eq!((last.came_from.clone(), last.outside, last.search_loss), (Some(vec![3, 2]), true, Some(0.7)));
    assert_eq!((last.measures[0].value, last.loss.low, last.loss.high), (Some(2.5), Some(0.5), Some(0.5)));
    // 1 / 1.9 + 1 / 1.3 + 1 / 1.5
    assert!((atlas.qd_score - (1.0 / 1.9 + 1.0 / 1.3 + 1.0 / 1.5)).abs() < 1e-12);
    assert_eq!(atlas.best().unwrap().name, names[1]);
    assert_eq!(atlas.defaults, Some(vec![0.1, 0.1]));
    // The defaults were never searched.
    assert_eq!(atlas.cells[0].trial, None);
}

#[test]
fn before_the_check_the_atlas_is_what_the_search_saw() {
    let (experiment, mut rows) = (experiment(), finished());
    rows.truncate(5);
    assert!(filled(&experiment, &last_check(&rows)).is_none());
    let atlas = summarize(&experiment, &rows).unwrap();
    assert_eq!((atlas.filled, atlas.found, atlas.fresh), (3, 3, false));
    assert_eq!(atlas.cells[2].measures[1], Figure { value: Some(0.5), low: None, high: None });
}

#[test]
fn failed_and_infeasible_rows_fill_no_cell() {
    let (experiment, mut rows) = (experiment(), finished());
    rows[3].violation = 0.1;
    rows[5].outcome = Outcome::Failed("too fast".into());
    rows[6].measures.clear();
    let cells = filled(&experiment, &last_check(&rows)).unwrap();
    assert_eq!(cells.into_iter().map(|(cell, row)| (cell, row.id)).collect::<Vec<_>>(), [(10, 4)]);
}

#[test]
fn the_nearest_cell_is_counted_in_cells_and_free_axes_do_not_count() {
    let (experiment, rows) = (experiment(), finished());
    let atlas = summarize(&experiment, &rows).unwrap();
    let pick = |text: &str| {
        let wanted = near(text, &atlas).unwrap();
        let (cell, distance) = nearest(&atlas, &wanted).unwrap();
        (cell.name.clone(), (distance * 1e9).round() / 1e9)
    };
    // (1.3 - 1) / 0.5 and (0.15 - 0.55) / 0.2 cells away.
    let both = (0.6_f64 * 0.6 + 4.0).sqrt();
    assert_eq!(pick("speed=1, turn=0.55"), ("speed=1.25,turn=0.10".into(), (both * 1e9).round() / 1e9));
    assert_eq!(pick("turn = 1"), ("speed=1.75,turn=0.90".into(), 0.25));
    assert_eq!(nearest(&AtlasSummary { cells: Vec::new(), ..atlas.clone() }, &[None, None]), None);
}

#[test]
fn a_wrong_wish_is_explained() {
    let atlas = summarize(&experiment(), &finished()).unwrap();
    let example = "write for example \"speed=1,turn=1\"";
    for (text, parts) in [
        ("sped=1", ["no axis `sped`", "speed, turn", "did you mean `speed`?"]),
        ("speed", ["`speed` is not NAME=VALUE", "--near", example]),
        ("speed=fast", ["`fast` is not a number", "--near", example]),
        ("speed=inf", ["`inf` is not a number", "--near", example]),
        ("speed=1,speed=2", ["named twice", "--near", "name it once"]),
        ("", ["no axis is named", "--near", example]),
    ] {
        let error = near(text, &atlas).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
}

#[test]
fn the_table_has_a_line_for_each_filled_cell() {
    let csv = summarize(&experiment(), &finished()).unwrap().csv();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("speed_from,speed_to,speed,speed_low,speed_high,turn_from"));
    assert!(lines[0].ends_with("loss,loss_low,loss_high,search_loss,trial,moved,preset"));
    assert_eq!(
        lines[3],
        "1.5,2,2.5,2.5,2.5,0.8,1,0.95,0.95,0.95,0.5,0.5,0.5,0.7,2,true,\"presets/speed=1.75,turn=0.90.json\""
    );
}

#[test]
fn cells_have_names_of_their_own() {
    let axis = |low: f64, high: f64, cells| AxisSummary {
        name: "a".into(),
        metric: "m".into(),
        unit: String::new(),
        low,
        high,
        cells,
        split: None,
    };
    for axis in [axis(0.0, 1.0, 12), axis(-3.0, 1.0, 100), axis(0.0, 1e6, 7), axis(1e-6, 2e-6, 3)] {
        let names: std::collections::BTreeSet<String> = (0..axis.cells).map(|at| axis.middle(at)).collect();
        assert_eq!(names.len(), axis.cells as usize, "{names:?}");
        for at in 0..axis.cells {
            let middle: f64 = axis.middle(at).parse().unwrap();
            assert!(middle > axis.border(at) && middle < axis.border(at + 1), "{middle}");
        }
    }
}
