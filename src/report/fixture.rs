//! Synthetic but plausible data for the tests of this room.

use super::replay_file::ReplayFile;
use super::run::Run;
use super::run_table::{About, RunTable};
use super::sweep::{AxisValue, SweepColumn, SweepRow, SweepTable};
use crate::evolve::front::{FrontAxis, FrontPoint, FrontSummary, Standing};
use crate::evolve::sensitivity::{
    Effects, Method, MorrisEffect, OutputEffects, PairEffect, Plan as Design, Sensitivity, SobolEffect,
};
use crate::evolve::summary::{
    CaseSummary, Confounded, Figure, FinalistSummary, GeneSummary, Identified, Importance, ObjectiveSummary, Share,
    Summary, TargetSummary, Width,
};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_search::{Outcome, Purpose, Question, Trial};
use crowdtune_sim::crowd::trajectory::{Frame, Trajectory};
use crowdtune_sim::metrics::{Plot, Table};
use crowdtune_sim::world::scenario::{Goal, Plan, Polygon, Segment, named};

/// A number in 0..1 that depends on `i` alone (golden-ratio sequence with a twist).
fn noise(i: usize) -> f64 {
    (i as f64 * 0.618_033_988_75 + (i * i % 17) as f64 * 0.137).fract()
}

fn figure(value: f64, half: f64) -> Figure {
    Figure { value: Some(value), low: Some(value - half), high: Some(value + half) }
}

/// A room of 15 m with a door of 1 m and a measuring line.
pub fn plan() -> Plan {
    let corner =
        [(0.0, 0.0), (15.0, 0.0), (15.0, 7.0), (18.0, 7.0), (18.0, 8.0), (15.0, 8.0), (15.0, 15.0), (0.0, 15.0)];
    let at = |i: usize| vec2(corner[i % 8].0, corner[i % 8].1);
    let door = Segment { a: vec2(18.0, 7.0), b: vec2(18.0, 8.0) };
    let column = |x: f64, y: f64| Segment { a: vec2(x, y), b: vec2(x + 0.5, y) };
    let edges = (0..8).filter(|&i| i != 3).map(|i| Segment { a: at(i), b: at(i + 1) });
    Plan {
        walls: edges.chain([column(12.0, 5.0), column(12.0, 10.0)]).collect(),
        walkable: Vec::new(),
        goals: vec![named("exit", Goal::Door { line: door, outward: vec2(1.0, 0.0) })],
        lines: vec![named("entrance", Segment { a: vec2(15.0, 7.0), b: vec2(15.0, 8.0) })],
        areas: vec![named(
            "front",
            Polygon { points: vec![vec2(12.6, 6.0), vec2(14.6, 6.0), vec2(14.6, 9.0), vec2(12.6, 9.0)] },
        )],
        ..Plan::default()
    }
}

/// People who walk to the door one after the other; a larger `pace` empties the room earlier.
pub fn trajectory(people: usize, end_s: f64, pace: f64) -> Trajectory {
    let every_s = 0.1;
    let home = |i: usize| vec2(0.5 + 10.5 * noise(i), 0.5 + 14.0 * noise(i * 3 + 1));
    let leave = |i: usize| (12.0 + 0.45 * i as f64 * 100.0 / people.max(1) as f64) / pace;
    let place = |i: usize, t: f64| -> Option<Vec2> {
        let done = t / leave(i);
        let (from, door, out) = (home(i), vec2(15.0, 7.5), vec2(18.3, 7.5));
        let bend = vec2(0.0, 1.5 * (noise(i + 7) - 0.5)) * (done * (1.0 - done) * 4.0);
        match done {
            d if d >= 1.0 => None,
            d if d < 0.85 => Some(from + (door - from) * (d / 0.85) + bend * (1.0 - d / 0.85)),
            d => Some(door + (out - door) * ((d - 0.85) / 0.15)),
        }
    };
    let frame = |k: usize| {
        let time_s = k as f64 * every_s;
        let here = (0..people).filter_map(|i| place(i, time_s).map(|p| (i as u32, p)));
        let (id, pos) = here.unzip();
        Frame { time_s, id, pos }
    };
    Trajectory {
        every_s,
        frames: (0..=(end_s / every_s).round() as usize).map(frame).collect(),
        radius: (0..people).map(|i| 0.25 + 0.1 * noise(i + 3)).collect(),
        group: (0..people).map(|i| (i % 2) as u16).collect(),
        left_s: (0..people).map(|i| Some(leave(i)).filter(|&t| t <= end_s)).collect(),
    }
}

/// Defaults beside tuned in the room.
pub fn replay() -> ReplayFile {
    let (slow, fast) = (trajectory(80, 75.0, 0.8), trajectory(80, 75.0, 1.25));
    ReplayFile::new("Room", &plan(), &["east".into(), "west".into()], &[("defaults", &slow), ("tuned", &fast)])
}

/// A table of this column in one case.
pub fn about(column: &str, label: &str) -> About {
    About { column: column.into(), metric: "some_metric".into(), case: "room[width_m=1]".into(), label: label.into() }
}

/// N(t), a fundamental diagram with a band, and a profile, of defaults and tuned.
pub fn tables() -> Vec<RunTable> {
    let count = |pace: f64| Table {
        plot: Plot::Curves,
        columns: &["time_s", "people"],
        rows: (0..60).map(|k| vec![k as f64 * 0.5, (k as f64 * 0.4 * pace).floor()]).collect(),
    };
    let speed = |density: f64| 1.34 * (1.0 - (-1.9 * (1.0 / density - 1.0 / 5.4)).exp());
    let diagram = |share: f64| Table {
        plot: Plot::Dots { x: 0, y: 1, band: Some((2, 3)) },
        columns: &["density_per_m2", "speed_m_per_s", "low_m_per_s", "high_m_per_s"],
        rows: (0..400)
            .map(|k| {
                let density = 0.2 + 3.8 * noise(k);
                let here = speed(density);
                vec![density, here * share + 0.3 * (noise(k + 9) - 0.5), here * 0.8, here * 1.2]
            })
            .collect(),
    };
    let profile = |pace: f64| Table {
        plot: Plot::Maps,
        columns: &["x_m", "y_m", "density_per_m2", "speed_m_per_s"],
        rows: (0..20 * 14)
            .map(|k| {
                let (x, y) = (0.25 + 0.5 * (k % 20) as f64, 0.25 + 0.5 * (k / 20) as f64);
                let near = 1.0 / (1.0 + (x - 10.0) * (x - 10.0) / 9.0 + (y - 3.5) * (y - 3.5));
                vec![x, y, 5.0 * near / pace, pace * (1.3 - near)]
            })
            .collect(),
    };
    let both = |column: &str, make: &dyn Fn(f64) -> Table| {
        [("defaults", 0.7), ("tuned", 1.0)].map(|(label, pace)| RunTable::new(about(column, label), &make(pace)))
    };
    [both("count", &count), both("diagram", &diagram), both("profile", &profile)].concat()
}

fn gene(key: &str, symbol: &str, unit: &str, range: (f64, f64), log: bool, values: (f64, f64)) -> GeneSummary {
    let (default, tuned) = values;
    GeneSummary {
        key: key.into(),
        symbol: symbol.into(),
        unit: unit.into(),
        low: range.0,
        high: range.1,
        log,
        choices: Vec::new(),
        default,
        tuned,
        at_bound: tuned <= range.0 || tuned >= range.1,
    }
}

fn target(name: &str, metric: &str, unit: &str, wanted: &str, band: (Option<f64>, Option<f64>)) -> TargetSummary {
    TargetSummary {
        name: name.into(),
        metric: metric.into(),
        unit: unit.into(),
        combine: "mean".into(),
        wanted: wanted.into(),
        band,
        must: false,
        weight: 1.0,
        default: figure(0.0, 0.0),
        tuned: figure(0.0, 0.0),
        search: None,
        loss: (Some(1.0), Some(0.0)),
        met: Some(true).filter(|_| !wanted.is_empty()),
    }
}

/// Four targets and a measure.
fn targets() -> Vec<TargetSummary> {
    vec![
        TargetSummary {
            default: figure(1.52, 0.11),
            tuned: figure(1.93, 0.06),
            search: Some(1.95),
            ..target("flow", "flow_per_s", "1/s", "a curve over width_m", (None, None))
        },
        TargetSummary {
            default: figure(148.2, 6.4),
            tuned: figure(136.0, 4.8),
            search: Some(131.7),
            met: Some(false),
            loss: (Some(0.35), Some(0.13)),
            ..target("leave", "evacuation_time_95_s", "s", "at most 120", (None, Some(120.0)))
        },
        TargetSummary {
            default: figure(0.12, 0.02),
            tuned: figure(0.031, 0.006),
            search: Some(0.03),
            must: true,
            ..target("squeeze", "overlap_max_m", "m", "at most 0.05", (None, Some(0.05)))
        },
        TargetSummary {
            default: figure(0.91, 0.03),
            tuned: figure(1.18, 0.04),
            search: Some(1.17),
            ..target("speed", "speed_mean_m_per_s", "m/s", "between 1.1 and 1.3", (Some(1.1), Some(1.3)))
        },
        TargetSummary {
            default: figure(3.0, 1.0),
            tuned: figure(0.0, 0.0),
            search: Some(0.0),
            ..target("stay", "people_left", "", "", (None, None))
        },
    ]
}

fn cases() -> Vec<CaseSummary> {
    let widths = [(0.8, 1.29), (0.9, 1.67), (1.0, 1.90), (1.1, 2.12), (1.2, 2.36)];
    let one = |(i, &(width, wanted)): (usize, &(f64, f64))| CaseSummary {
        case: format!("neck[width_m={width}]"),
        table: "neck".into(),
        axes: vec![("width_m".into(), width)],
        held_out: i % 2 == 1,
        target: "flow".into(),
        wanted: Some(wanted),
        tolerance: Some(wanted * 0.1),
        default: figure(wanted * 0.8, 0.08),
        tuned: figure(wanted * 1.02 + 0.04 * noise(i), 0.06),
    };
    widths.iter().enumerate().map(one).collect()
}

/// A race of four: the search saw too much in its best, the third was proposed, the defaults were beaten.
fn race() -> Vec<FinalistSummary> {
    let one = |trial, search, selection, replicas, out| FinalistSummary {
        trial,
        search,
        search_replicas: if search.is_some() { 3 } else { 0 },
        selection,
        selection_replicas: replicas,
        out,
        ..FinalistSummary::default()
    };
    vec![
        FinalistSummary {
            recommended: true,
            fresh: figure(0.13, 0.04),
            ..one(Some(57), Some(0.07), figure(0.12, 0.03), 35, None)
        },
        one(Some(52), Some(0.09), figure(0.14, 0.03), 35, None),
        one(None, None, figure(0.31, 0.09), 10, Some(2)),
        FinalistSummary { defaults: true, fresh: figure(1.42, 0.13), ..one(None, None, figure(1.38, 0.2), 5, Some(1)) },
    ]
}

/// A finished run with three genes.
pub fn summary() -> Summary {
    Summary {
        format: 1,
        crowdtune: "0.1.0".into(),
        name: "evacuation".into(),
        title: "Leave the room sooner without squeezing".into(),
        model: "social_force".into(),
        optimizer: "ga".into(),
        digest: "3f1c9a".repeat(10),
        seed: 1,
        draft_step_s: None,
        evaluations: 60,
        trials: 60,
        simulations: 900,
        budget: 60,
        stopped: "budget".into(),
        stop: crate::evolve::stop::StopRules::default(),
        failures: [("speed over 5 m/s".to_string(), 3), ("a center outside the walls".to_string(), 2)].into(),
        replicas: (20, 20),
        genes: vec![
            gene("relaxation_time_s", "tau", "s", (0.1, 2.0), false, (0.5, 0.1)),
            gene("repulsion_range_m", "B", "m", (0.02, 1.0), true, (0.08, 0.213)),
            gene("repulsion_strength_n", "A", "N", (50.0, 5000.0), true, (2000.0, 812.4)),
        ],
        objectives: vec![ObjectiveSummary {
            name: "loss".into(),
            default: figure(1.42, 0.16),
            tuned: figure(0.131, 0.031),
            difference: figure(-1.29, 0.14),
            search: Some(0.098),
        }],
        violation: 0.0,
        missed_musts: Vec::new(),
        targets: targets(),
        cases: cases(),
        recommended: Some(57),
        proposed: false,
        finalists: vec![57, 52, 48],
        front: None,
        race: race(),
        atlas: None,
        importance: vec![importance()],
        identified: Some(identified()),
    }
}

/// The first parameter matters most.
fn importance() -> Importance {
    let share = |key: &str, first: f64, total: f64| Share { key: key.into(), first, total };
    let shares = vec![
        share("relaxation_time_s", 0.55, 0.62),
        share("repulsion_range_m", 0.24, 0.31),
        share("repulsion_strength_n", 0.1, 0.12),
    ];
    Importance { objective: "loss".into(), trials: 60, explained: Some(0.81), shares }
}

/// A valley in which range and strength make up for each other.
fn identified() -> Identified {
    let width = |key: &str, center: f64, share: f64| Width {
        key: key.into(),
        center,
        free: (0.6 * center, 1.7 * center),
        alone: (0.9 * center, 1.1 * center),
        share,
        open: (false, false),
    };
    let turn = |k: usize| std::f64::consts::TAU * k as f64 / 36.0;
    let outline = |k: usize| {
        let (along, across) = (libm::cos(turn(k)), 0.1 * libm::sin(turn(k)));
        (0.2 * libm::exp(0.4 * along + across), 800.0 * libm::exp(across - 1.4 * along))
    };
    Identified {
        rows: 40,
        needed: None,
        denied: None,
        explained: Some(0.9),
        noise: Some(0.0255),
        noise_from: "replicas".into(),
        threshold: Some(0.05),
        widths: vec![
            width("relaxation_time_s", 0.3, 0.2),
            width("repulsion_range_m", 0.2, 0.3),
            width("repulsion_strength_n", 800.0, 0.4),
        ],
        curvature: vec![0.1, 3.0, 20.0],
        directions: vec![vec![0.0, 0.5, -0.87], vec![1.0, 0.0, 0.0], vec![0.0, 0.87, 0.5]],
        pairs: vec![Confounded {
            keys: ("repulsion_range_m".into(), "repulsion_strength_n".into()),
            tied: -0.96,
            confounded: true,
            from: (0.2, 800.0),
            to: (0.3, 200.0),
            outline: (0..36).map(outline).collect(),
        }],
    }
}

/// The run of [`summary`] with so many objectives, each lowest elsewhere: compromises that hold, one that fell behind, one infeasible
/// and one failed; the second objective shows a metric of which more is better.
pub fn front(objectives: usize) -> (Summary, Vec<Trial>) {
    let (mut s, mut all) = (summary(), trials());
    // Points of a front do not race, and valleys are those of one loss.
    s.race.clear();
    s.identified = None;
    for (i, trial) in all.iter_mut().enumerate().filter(|(_, t)| t.is_done()) {
        let share = trial.objectives[0];
        trial.objectives = (0..objectives).map(|o| share * 0.2 + noise(i * 5 + o)).collect();
    }
    let name = |o: usize| ["comfort", "flow", "noise", "turns"].get(o).map_or("other", |n| n).to_string();
    let axis = |o: usize| FrontAxis {
        objective: name(o),
        metric: if o == 1 { "flow_per_s".into() } else { String::new() },
        unit: if o == 1 { "1/s".into() } else { String::new() },
        ends: if o == 1 { (3.0, 1.0) } else { (0.0, 1.0) },
    };
    let standings =
        [Standing::Front; 6].into_iter().chain([Standing::Dominated, Standing::Infeasible, Standing::Failed]);
    let point = |(i, standing): (usize, Standing)| {
        let share = i as f64 / 8.0;
        let loss =
            |o: usize| if o.is_multiple_of(2) { 0.1 + share * share } else { 0.1 + (1.0 - share) * (1.0 - share) };
        let fresh = |o| if standing == Standing::Failed { Figure::default() } else { figure(loss(o), 0.03) };
        FrontPoint {
            id: 10 + i as u64,
            genes: s.genes.iter().map(|g| g.low + (g.high - g.low) * (0.1 + 0.8 * share)).collect(),
            rounds: 3,
            search: (0..objectives).map(|o| loss(o) - 0.02).collect(),
            fresh: (0..objectives).map(fresh).collect(),
            violation: if standing == Standing::Infeasible { 0.3 } else { 0.0 },
            standing,
            knee: i == 3,
            recommended: i == 3,
            defaults: false,
        }
    };
    let points: Vec<FrontPoint> = standings.enumerate().map(point).collect();
    s.objectives = (0..objectives)
        .map(|o| ObjectiveSummary { name: name(o), default: figure(0.7, 0.05), ..ObjectiveSummary::default() })
        .collect();
    let axes = (0..objectives).map(axis).collect();
    s.front = Some(FrontSummary { axes, preference: [].into(), size: 31, points });
    (s, all)
}

/// Sixty search trials that get better, five failed, then one of each later purpose.
pub fn trials() -> Vec<Trial> {
    let aim = [0.0, 0.6, 0.6];
    let search = |i: usize| {
        let spread = 1.0 / (1.0 + i as f64 / 12.0);
        let genome: Vec<f64> =
            (0..3).map(|g| (aim[g] + (noise(i * 3 + g + 1) - 0.5) * 1.6 * spread).clamp(0.0, 1.0)).collect();
        let failed = [7, 15, 16, 31, 44].contains(&i);
        let off: f64 = genome.iter().zip(aim).map(|(x, a)| (x - a) * (x - a)).sum();
        Trial {
            id: i as u64,
            question: Question { genome, replicas: 0..3, purpose: Purpose::Search },
            values: Vec::new(),
            objectives: if failed { Vec::new() } else { vec![0.098 + 2.5 * off + 0.02 * noise(i)] },
            violation: if i % 9 == 2 { 0.4 } else { 0.0 },
            measures: Vec::new(),
            outcome: if failed { Outcome::Failed("speed over 5 m/s".into()) } else { Outcome::Done },
        }
    };
    let mut all: Vec<Trial> = (0..60).map(search).collect();
    for (id, purpose) in (60..).zip([Purpose::Select, Purpose::Report, Purpose::Baseline]) {
        let mut trial = search(57);
        (trial.id, trial.question.purpose) = (id, purpose);
        all.push(trial);
    }
    all
}

/// The run that goes with [`summary`]; genomes are decoded by hand.
pub fn run<'a>(summary: &'a Summary, trials: &'a [Trial], replays: &'a [ReplayFile]) -> Run<'a> {
    let decode = |t: &Trial| {
        let value = |(g, &x): (&GeneSummary, &f64)| {
            if g.log { g.low * (g.high / g.low).powf(x) } else { g.low + (g.high - g.low) * x }
        };
        summary.genes.iter().zip(&t.question.genome).map(value).collect()
    };
    Run {
        summary,
        trials,
        genes: trials.iter().map(decode).collect(),
        replays,
        tables: &[],
        crowds: None,
        model: None,
        metrics: Vec::new(),
    }
}

/// Faster is slower: five speeds, two columns.
pub fn sweep() -> SweepTable {
    let column = |name: &str, metric: &str, unit: &str, reference: Vec<(f64, f64, f64)>| SweepColumn {
        name: name.into(),
        metric: metric.into(),
        unit: unit.into(),
        reference,
    };
    let times = [(0.8, 204.0), (1.0, 171.0), (1.5, 128.0), (3.0, 146.0), (5.0, 183.0)];
    let row = |&(speed, time): &(f64, f64)| SweepRow {
        scenario: "room".into(),
        axes: vec![AxisValue::Number(speed)],
        held_out: false,
        replicas: 5,
        failed: 0,
        cells: vec![figure(time, 7.0), figure(0.4 * speed, 0.1)],
    };
    SweepTable {
        title: "Faster is slower".into(),
        axes: vec!["people.desired_speed_m_per_s".into()],
        columns: vec![
            column("leave", "evacuation_time_100_s", "s", vec![(1.0, 175.0, 15.0), (3.0, 150.0, 15.0)]),
            column("pressure", "body_pressure_p95_n_per_m", "N/m", Vec::new()),
        ],
        rows: times.iter().map(row).collect(),
    }
}

fn design(method: Method, effects: [Effects; 2]) -> Sensitivity {
    let s = summary();
    let output = |name: &str, kind: &str, effects: Effects| OutputEffects {
        name: name.into(),
        kind: kind.into(),
        metric: String::new(),
        unit: if kind == "target" { "s".into() } else { String::new() },
        mean: Some(1.4),
        sd: Some(0.6),
        missing: 2,
        effects,
    };
    let [loss, time] = effects;
    Sensitivity {
        format: 1,
        crowdtune: s.crowdtune,
        name: s.name,
        title: s.title,
        model: s.model,
        digest: s.digest,
        seed: 1,
        draft_step_s: None,
        plan: Design { method, samples: 64 },
        evaluations: 512,
        failures: [("a speed of # m/s".to_string(), 2)].into(),
        genes: s.genes,
        outputs: vec![output("loss", "objective", loss), output("time", "target", time)],
    }
}

/// A screening of three parameters: a line, a curve, and one that does next to nothing.
pub fn screening() -> Sensitivity {
    let effect = |key: &str, size: f64, sigma: f64| MorrisEffect {
        key: key.into(),
        mu_star: figure(size, 0.08 * size),
        mu: figure(-0.5 * size, 0.2 * size),
        sigma: figure(sigma, 0.2 * sigma),
        effects: 62,
    };
    let all = |scale: f64| {
        Effects::Morris(vec![
            effect("relaxation_time_s", 2.0 * scale, 0.1 * scale),
            effect("repulsion_range_m", 1.2 * scale, 1.5 * scale),
            effect("repulsion_strength_n", 0.05 * scale, 0.06 * scale),
        ])
    };
    design(Method::Morris, [all(1.0), all(12.0)])
}

/// Shares of three parameters as those of Ishigami's function.
pub fn shares() -> Sensitivity {
    let keys = ["relaxation_time_s", "repulsion_range_m", "repulsion_strength_n"];
    let effect = |at: usize, first: f64, total: f64| SobolEffect {
        key: keys[at].into(),
        first: figure(first, 0.04),
        total: figure(total, 0.05),
    };
    let pair = |a: usize, b: usize, second: Figure| PairEffect { keys: (keys[a].into(), keys[b].into()), second };
    let all = || Effects::Sobol {
        genes: vec![effect(0, 0.314, 0.558), effect(1, 0.442, 0.442), effect(2, 0.0, 0.244)],
        pairs: vec![
            pair(0, 1, figure(0.01, 0.04)),
            pair(0, 2, Figure { value: Some(0.244), low: Some(0.2), high: Some(0.29) }),
            pair(1, 2, figure(-0.01, 0.04)),
        ],
    };
    design(Method::Sobol, [all(), all()])
}
