use super::super::Wanted;
use super::*;
use crowdtune_sim::metrics::METRICS;

fn target(name: &str, wanted: Option<Wanted>) -> Target {
    Target {
        settings: Vec::new(),
        name: name.into(),
        metric: METRICS[0],
        wanted,
        scenario: None,
        combine: Combine::Mean,
        weight: 1.0,
        must: false,
        objective: 0,
    }
}

/// Cases of one table with these widths; the last `held_out` of them are held out. They give every column.
fn cases(axes: &[Vec<(String, f64)>], held_out: usize, columns: usize) -> Vec<CaseView<'_>> {
    let view = |(at, axes)| CaseView {
        name: ["a", "b", "c"][at],
        table: "neck",
        axes,
        held_out: at + held_out >= 3,
        gives: vec![true; columns],
    };
    axes.iter().map(Vec::as_slice).enumerate().map(view).collect()
}

fn widths(of: &[f64]) -> Vec<Vec<(String, f64)>> {
    of.iter().map(|&x| vec![("width_m".to_string(), x)]).collect()
}

/// Values of one column: a row per case.
fn values(of: &[&[f64]]) -> Values {
    of.iter().map(|case| case.iter().map(|&v| vec![Some(v)]).collect()).collect()
}

fn at_most(limit: f64) -> Option<Wanted> {
    Some(Wanted::AtMost { limit, scale: 1.0 })
}

#[test]
fn replicas_are_combined_as_asked() {
    let mut t = target("t", Some(Wanted::Equals { value: 10.0, tolerance: 1.0, squares: false }));
    let mut combined = |combine, values: &[f64]| {
        t.combine = combine;
        t.combine(&[], values)
    };
    let values = [4.0, 9.0, 11.0, 14.0, 10.0];
    assert_eq!(combined(Combine::Mean, &values), Some(9.6));
    assert_eq!(combined(Combine::Median, &values), Some(10.0));
    assert_eq!(combined(Combine::Worst, &values), Some(4.0));
    // Rank 0.95 x 4 = 3.8 between 11 and 14.
    assert!((combined(Combine::P95, &values).unwrap() - 13.4).abs() < 1e-12);
    assert_eq!(combined(Combine::Mean, &[]), None);
}

#[test]
fn losses_are_averaged_over_cases_and_a_must_takes_the_worst() {
    let axes = widths(&[0.8, 1.0, 1.2]);
    let mut columns = [target("t", at_most(1.0))];
    // Means 2, 4 and 100; losses 1, 3 and 99, the last one held out.
    let values = values(&[&[1.0, 3.0], &[4.0, 4.0], &[100.0, 100.0]]);
    let score = super::score(&columns, &cases(&axes, 1, 1), &values);
    assert_eq!((score.objectives, score.violation, score.losses), (vec![2.0], 0.0, vec![Some(2.0)]));
    assert_eq!(score.cells[0][2], Some(Cell { value: 100.0, loss: Some(99.0) }));
    columns[0].must = true;
    let score = super::score(&columns, &cases(&axes, 1, 1), &values);
    assert_eq!((score.objectives, score.violation), (vec![3.0], 3.0));
}

#[test]
fn an_objective_is_a_weighted_mean_and_violations_add_up() {
    let axes = vec![Vec::new()];
    let mut columns =
        [target("a", at_most(1.0)), target("b", at_most(1.0)), target("c", None), target("d", at_most(9.0))];
    columns[0].weight = 3.0;
    columns[0].must = true;
    columns[1].must = true;
    columns[3].objective = 1;
    // Losses 2, 6, none, 0.
    let values = vec![vec![vec![Some(3.0), Some(7.0), None, Some(1.0)]]];
    let score = super::score(&columns, &cases(&axes, 0, 4), &values);
    assert_eq!(score.failure, None);
    assert_eq!(score.objectives, [3.0, 0.0]);
    assert_eq!(score.violation, 8.0);
    assert_eq!(score.losses, [Some(2.0), Some(6.0), None, Some(0.0)]);
}

#[test]
fn each_case_gives_its_point_of_a_curve() {
    let axes = widths(&[0.8, 0.9, 1.2]);
    let points = vec![(0.8, 1.0, 0.5), (1.2, 2.0, 0.5)];
    let columns = [target("flow", Some(Wanted::Points { over: "width_m".into(), points, squares: false }))];
    // Losses 0 and 2; 0.9 is not a point.
    let score = super::score(&columns, &cases(&axes, 0, 1), &values(&[&[1.25], &[99.0], &[0.5]]));
    assert_eq!(score.objectives, [1.0]);
    assert_eq!(score.cells[0][1], None);
}

#[test]
fn a_target_of_a_table_leaves_the_others_alone() {
    let axes = widths(&[0.8, 1.0, 1.2]);
    let mut columns = [target("t", at_most(1.0))];
    columns[0].scenario = Some("neck".into());
    let mut cases = cases(&axes, 0, 1);
    cases[0].table = "room";
    cases[1].gives = vec![false];
    let score = super::score(&columns, &cases, &values(&[&[50.0], &[60.0], &[3.0]]));
    assert_eq!(score.objectives, [2.0]);
    columns[0].scenario = Some("street".into());
    let score = super::score(&columns, &cases, &values(&[&[50.0], &[60.0], &[3.0]]));
    assert!(score.failure.unwrap().contains("no scenario"));
}

#[test]
fn one_missing_replica_fails_the_trial_and_says_which() {
    let axes = widths(&[0.8, 1.0, 1.2]);
    let columns = [target("flow", at_most(1.0)), target("seen", None)];
    let cases = cases(&axes, 1, 2);
    let full = |v: f64| vec![Some(v), Some(v)];
    let mut values = vec![vec![full(1.0), full(2.0)], vec![full(1.0), vec![None, None]], vec![vec![None, None]]];
    let score = super::score(&columns, &cases, &values);
    assert_eq!(score.failure.as_deref(), Some("target `flow` (evacuation_time_95_s) in `b`: replica 1 gave no value"));
    assert!(score.objectives.is_empty());
    // A measure and a held-out case may lack a value.
    values[1][1] = vec![Some(1.0), None];
    assert_eq!(super::score(&columns, &cases, &values).failure, None);
    values[0][0] = full(f64::INFINITY);
    assert!(super::score(&columns, &cases, &values).failure.unwrap().contains("`a`: replica 0 gave inf"));
    // Finite values whose losses add up to infinity.
    values[0] = vec![full(f64::MAX), full(f64::MAX)];
    assert!(super::score(&columns, &cases, &values).failure.is_some());
}

#[test]
fn a_resample_counts_what_it_names() {
    let axes = widths(&[0.8, 1.0]);
    let columns = [target("t", at_most(0.0))];
    let values = values(&[&[1.0, 2.0, 6.0], &[4.0]]);
    let cases = cases(&axes, 0, 1);
    let of = |indices: &[usize]| score_replicas(&columns, &cases, &values, indices).objectives;
    assert_eq!(of(&[0, 1, 2]), score(&columns, &cases, &values).objectives);
    // Means 4 and 4.
    assert_eq!(of(&[2, 2, 2, 1, 1, 2, 1, 1]), [4.0]);
    assert_eq!(of(&[0]), [2.5]);
    // Nothing chosen, nothing scored.
    assert!(score_replicas(&columns, &cases, &values, &[]).failure.is_some());
}

#[test]
fn a_target_of_held_out_cases_alone_has_a_loss_that_counts_nowhere() {
    let axes = vec![Vec::new(), Vec::new(), Vec::new()];
    let mut cases = cases(&axes, 1, 2);
    (cases[0].gives, cases[1].gives, cases[2].gives) = (vec![true, false], vec![true, false], vec![false, true]);
    let columns = [target("a", at_most(1.0)), target("b", at_most(1.0))];
    let run = |a: Option<f64>, b: Option<f64>| vec![vec![a, b]];
    let values = vec![run(Some(2.0), None), run(Some(2.0), None), run(None, Some(9.0))];
    let score = score(&columns, &cases, &values);
    assert_eq!((score.objectives, score.losses), (vec![1.0], vec![Some(1.0), Some(8.0)]));
    let searched = vec![run(Some(2.0), None), run(Some(2.0), None), Vec::new()];
    let score = super::score(&columns, &cases, &searched);
    assert_eq!((score.objectives, score.losses, score.failure), (vec![1.0], vec![Some(1.0), None], None));
}

#[test]
fn what_is_better_than_good_pays_for_nothing_else() {
    let axes = widths(&[0.8, 1.0]);
    let minimize = |good, bad| Some(Wanted::Minimize { good, bad });
    let mut columns = [target("far", minimize(10.0, 20.0)), target("short", minimize(10.0, 20.0))];
    // Lines -1 and 1, in both cases.
    let values = vec![vec![vec![Some(0.0), Some(20.0)]], vec![vec![Some(0.0), Some(20.0)]]];
    let scored = super::score(&columns, &cases(&axes, 0, 2), &values);
    assert_eq!((scored.losses, scored.objectives), (vec![Some(0.0), Some(1.0)], vec![0.5]));
    // Nor does one case for another.
    let one = vec![vec![vec![Some(0.0), Some(10.0)]], vec![vec![Some(20.0), Some(10.0)]]];
    assert_eq!(super::score(&columns, &cases(&axes, 0, 2), &one).losses, [Some(0.5), Some(0.0)]);

    // Objectives of a front go on beyond `good`, losses do not.
    columns[1].objective = 1;
    let front = super::score(&columns, &cases(&axes, 0, 2), &values);
    assert_eq!((front.losses, front.objectives), (vec![Some(0.0), Some(1.0)], vec![-1.0, 1.0]));
    assert_eq!(lines(&columns), [true, true]);
    // Where several targets share an objective it is a mean of losses, also beside others.
    let both = [columns[0].clone(), columns[0].clone(), columns[1].clone()];
    assert_eq!(lines(&both), [false, false, true]);
    let values: Values = values.iter().map(|case| vec![vec![case[0][0], case[0][1], case[0][1]]]).collect();
    assert_eq!(super::score(&both, &cases(&axes, 0, 3), &values).objectives, [0.5, 1.0]);
}

#[test]
fn the_worst_of_several_that_are_all_good_enough_is_still_the_worst() {
    let mut t = target("t", Some(Wanted::Minimize { good: 10.0, bad: 20.0 }));
    t.combine = Combine::Worst;
    assert_eq!(t.combine(&[], &[1.0, 7.0, 3.0]), Some(7.0));
    // A limit that all keep: the report says how near the nearest came, not what the first seed had.
    t.wanted = Some(Wanted::AtMost { limit: 10.0, scale: 10.0 });
    assert_eq!(t.combine(&[], &[1.0, 7.0, 3.0]), Some(7.0));
    t.wanted = Some(Wanted::Between { low: 0.0, high: 10.0 });
    assert_eq!(t.combine(&[], &[1.0, 7.0, 3.0]), Some(1.0));
    assert_eq!(t.combine(&[], &[2.0, 9.5, 3.0]), Some(9.5));
}

#[test]
fn the_parts_add_up_to_the_objective() {
    let axes = widths(&[0.8, 1.0, 1.2]);
    let points = vec![(0.8, 1.0, 0.5), (1.0, 2.0, 0.25), (1.2, 3.0, 0.1)];
    let curve = Wanted::Points { over: "width_m".into(), points, squares: true };
    let slope = Some(Wanted::Minimize { good: 1.0, bad: 3.0 });
    let mut columns = [target("curve", Some(curve)), target("limit", at_most(9.0)), target("speed", slope)];
    columns[0].weight = 3.0;
    columns[1].must = true;
    // Three columns in two runs of each case; the last case is held out, and the limit is kept.
    let of =
        |shift: f64| vec![vec![Some(1.5 + shift), Some(1.0), Some(5.0)], vec![Some(2.5), Some(2.0), Some(6.0 + shift)]];
    let values: Values = vec![of(0.0), of(0.5), of(9.0)];
    let cases = cases(&axes, 1, 3);
    let score = super::score(&columns, &cases, &values);
    let all = parts(&columns, &cases);
    assert_eq!((score.violation, all.len()), (0.0, 4));
    let mean = |part: &Part| values[part.case].iter().filter_map(|run| run[part.column]).sum::<f64>() / 2.0;
    let sum: f64 = all.iter().map(|part| part.weight * part.rule.loss(mean(part))).sum();
    assert!((sum - score.objectives[0]).abs() < 1e-12, "{sum} {:?}", score.objectives);
    columns[2].combine = Combine::Median;
    assert_eq!(parts(&columns, &cases), []);
    (columns[2].combine, columns[2].objective) = (Combine::Mean, 1);
    assert_eq!(parts(&columns, &cases), []);
}
