use super::*;
use crate::Outcome;
use crate::space::{Axis, Gene, Space};
use crowdtune_core::math::rng::{normal, unit};
use crowdtune_core::registry::{Settings, defaults};
use std::collections::{BTreeMap, BTreeSet};

/// What a question gives: losses and violation for each replica asked, or `None` for a failure.
type Answer<'a> = &'a dyn Fn(&[f64], u32) -> Option<(Vec<f64>, f64)>;

fn space(axes: Vec<Axis>) -> Space {
    Space { genes: axes.into_iter().map(|axis| Gene { key: String::new(), axis }).collect() }
}

fn cube(genes: usize) -> Space {
    space(vec![Axis::Real { low: 0.0, high: 1.0, log: false }; genes])
}

/// A search with two replicas a question.
struct Search {
    optimizer: Box<dyn Optimizer>,
    space: Space,
    trials: Vec<Trial>,
}

impl Search {
    fn new(space: Space, objectives: usize, parallel: usize, set: &[(&str, f64)]) -> Self {
        let mut values = defaults(ENTRY.params);
        for (key, value) in set {
            values[ENTRY.params.iter().position(|p| p.key == *key).unwrap()] = *value;
        }
        let optimizer = make(&Setup {
            seed: Seed(5),
            parallel,
            replicas: 2,
            objectives,
            ..Setup::new(&space, Settings::new(ENTRY.params, &values))
        });
        Self { optimizer, space, trials: Vec::new() }
    }

    /// Asks so many questions; the losses of a trial are the means over its replicas.
    fn run(mut self, evaluations: usize, answer: Answer<'_>) -> Self {
        while self.trials.len() < evaluations && self.optimizer.stop().is_none() {
            let trials: Vec<Trial> = self.optimizer.ask().into_iter().map(|q| self.evaluate(q, answer)).collect();
            assert!(!trials.is_empty());
            self.optimizer.tell(&trials);
            self.trials.extend(trials);
        }
        self
    }

    fn evaluate(&self, question: Question, answer: Answer<'_>) -> Trial {
        let genes = self.space.decode(&question.genome);
        let rows: Option<Vec<_>> = question.replicas.clone().map(|r| answer(&genes, r)).collect();
        let id = self.trials.len() as u64;
        let Some(rows) = rows else {
            let outcome = Outcome::Failed("fell over".to_owned());
            // What fails on later replicas leaves a row behind, what has no such replicas does not.
            let values = vec![vec![Vec::new(); usize::from(genes[0] < 0.5)]];
            return Trial { id, question, outcome, objectives: vec![], violation: 0.0, measures: vec![], values };
        };
        let n = rows.len() as f64;
        let mean = |d: usize| rows.iter().map(|(losses, _)| losses[d]).sum::<f64>() / n;
        let objectives = (0..rows[0].0.len()).map(mean).collect();
        let violation = rows.iter().map(|(_, violation)| violation).sum::<f64>() / n;
        let values = vec![rows.iter().map(|(losses, _)| losses.iter().copied().map(Some).collect()).collect()];
        Trial { id, question, outcome: Outcome::Done, objectives, violation, measures: Vec::new(), values }
    }

    /// How often each candidate was asked.
    fn rounds(&self) -> BTreeMap<Vec<u64>, u32> {
        let mut rounds = BTreeMap::new();
        for trial in &self.trials {
            let count = rounds.entry(bits(&trial.question.genome)).or_insert(0);
            assert_eq!(trial.question.replicas, 2 * *count..2 * *count + 2, "replicas no candidate has seen");
            *count += 1;
        }
        rounds
    }

    fn shown(&self) -> Vec<Vec<f64>> {
        self.optimizer.recommend().iter().map(|g| self.space.decode(g)).collect()
    }
}

fn bits(genome: &[f64]) -> Vec<u64> {
    genome.iter().map(|u| u.to_bits()).collect()
}

/// A front f2 = 1 - sqrt(f1) where all genes but the first are 0.3.
fn bowl(x: &[f64]) -> Vec<f64> {
    let g = 1.0 + x[1..].iter().map(|x| 10.0 * (x - 0.3) * (x - 0.3)).sum::<f64>();
    vec![x[0], g * (1.0 - (x[0] / g).sqrt())]
}

/// The same with noise of this size, its own for each candidate and replica.
fn noisy_bowl(x: &[f64], replica: u32, size: f64) -> Vec<f64> {
    let seed = x.iter().fold(Seed(9), |seed, x| seed.child("x", x.to_bits()));
    let rng = &mut seed.child("replica", u64::from(replica)).rng();
    bowl(x).into_iter().map(|f| f + size * normal(rng)).collect()
}

/// Deb's DTLZ2: the front is the part of the unit sphere where nothing is negative.
fn sphere(x: &[f64], m: usize) -> Vec<f64> {
    let g: f64 = x[m - 1..].iter().map(|x| (x - 0.5) * (x - 0.5)).sum();
    let angle = |i: usize| x[i] * std::f64::consts::FRAC_PI_2;
    let side = |i: usize| {
        let all: f64 = (0..m - 1 - i).map(|j| libm::cos(angle(j))).product();
        (1.0 + g) * all * if i == 0 { 1.0 } else { libm::sin(angle(m - 1 - i)) }
    };
    (0..m).map(side).collect()
}

#[test]
fn a_front_is_found_and_nothing_asked_twice() {
    let search = Search::new(cube(5), 2, 16, &[]).run(1600, &|x, _| Some((bowl(x), 0.0)));
    assert!(search.rounds().values().all(|&rounds| rounds == 1));
    let shown: Vec<Vec<f64>> = search.shown().iter().map(|x| bowl(x)).collect();
    assert!(shown.len() <= 100);
    // The whole front has 0.21 + 2/3.
    let share = hypervolume(&shown, &[1.1, 1.1]) / (0.21 + 2.0 / 3.0);
    assert!(share > 0.98, "{share}");
    // The sum of losses x + 1 - sqrt(x) is smallest at x = 1/4.
    assert!((shown[0][0] - 0.25).abs() < 0.1, "{:?}", shown[0]);
    assert_eq!(knee(&shown), 0);
    // What the log says is the front, the optimizer has in its archive.
    let losses: Vec<Vec<f64>> = front(&search.trials).iter().map(|&i| search.trials[i].objectives.clone()).collect();
    let wanted: Vec<Vec<f64>> = subset(&losses, 100).into_iter().map(|i| losses[i].clone()).collect();
    assert_eq!(hypervolume(&wanted, &[1.1, 1.1]), hypervolume(&shown, &[1.1, 1.1]));
}

#[test]
fn where_replicas_differ_the_recommended_are_proved() {
    let run = |rounds: f64| {
        Search::new(cube(3), 2, 8, &[("rounds", rounds)])
            .run(1600, &|x, replica| Some((noisy_bowl(x, replica, 0.1), 0.0)))
    };
    let proved = run(3.0);
    let rounds = proved.rounds();
    assert!(proved.optimizer.recommend().iter().all(|g| rounds[&bits(g)] == 3));
    // The log says the same: what is shown is the subset of its front.
    let known = candidates(&proved.trials);
    let on: Vec<&Candidate> =
        front(&proved.trials).iter().map(|&i| known.iter().find(|c| c.first == i).unwrap()).collect();
    let losses: Vec<Vec<f64>> = on.iter().map(|c| c.losses.clone()).collect();
    let picked: Vec<Genome> =
        subset(&losses, 100).into_iter().map(|i| proved.trials[on[i].first].question.genome.clone()).collect();
    assert_eq!(picked, proved.optimizer.recommend());
    let again = proved.trials.iter().filter(|t| t.question.replicas.start > 0).count();
    assert!((100..=800).contains(&again), "{again} of 1600");
    // How far a recommendation lies behind the front: g - 1, mean over what is shown.
    let behind = |search: &Search| {
        let shown = search.shown();
        let loss = |x: &Vec<f64>| x[1..].iter().map(|x| 10.0 * (x - 0.3) * (x - 0.3)).sum::<f64>();
        shown.iter().map(loss).sum::<f64>() / shown.len() as f64
    };
    // How much better it looked than it is, first objective.
    let flattered = |search: &Search| {
        let mut sums: BTreeMap<Vec<u64>, (f64, f64)> = BTreeMap::new();
        for t in &search.trials {
            let entry = sums.entry(bits(&t.question.genome)).or_insert((0.0, 0.0));
            *entry = (entry.0 + bowl(&search.space.decode(&t.question.genome))[1] - t.objectives[1], entry.1 + 1.0);
        }
        let shown = search.optimizer.recommend();
        shown.iter().map(|g| sums[&bits(g)]).map(|(sum, n)| sum / n).sum::<f64>() / shown.len() as f64
    };
    let trusting = run(1.0);
    assert!(trusting.rounds().values().all(|&rounds| rounds == 1));
    println!("behind {} {}", behind(&proved), behind(&trusting));
    println!("flattered {} {}", flattered(&proved), flattered(&trusting));
    assert!(flattered(&proved) < 0.6 * flattered(&trusting));
}

#[test]
fn what_fails_on_fresh_replicas_is_dropped() {
    let fails = |x: &[f64], replica: u32| (replica < 2 || x[0] >= 0.5).then(|| (noisy_bowl(x, replica, 0.1), 0.0));
    let search = Search::new(cube(2), 2, 8, &[]).run(400, &|x, replica| fails(x, replica));
    let rounds = search.rounds();
    assert!(search.shown().iter().all(|x| x[0] >= 0.5));
    assert!(search.optimizer.recommend().iter().all(|g| rounds[&bits(g)] == 3));
}

#[test]
fn an_evaluator_without_fresh_replicas_is_left_in_peace() {
    // Genes above 0.5 leave no row when they fail.
    let high = space(vec![Axis::Real { low: 0.6, high: 1.0, log: false }; 2]);
    for rounds in [1, 2] {
        let fails = |x: &[f64], replica: u32| (replica < 2 * rounds).then(|| (noisy_bowl(x, replica, 0.1), 0.0));
        let search = Search::new(high.clone(), 2, 8, &[]).run(800, &|x, replica| fails(x, replica));
        let beyond = search.trials.iter().filter(|t| t.question.replicas.start >= 2 * rounds).count();
        assert!((1..=8).contains(&beyond), "{beyond}");
        // What is shown is the front of the log, asked as often as can be.
        let known = candidates(&search.trials);
        let on = front(&search.trials);
        let shown = search.optimizer.recommend();
        assert!(!shown.is_empty() && shown.len() == on.len().min(100));
        assert!(known.iter().filter(|c| on.contains(&c.first)).all(|c| c.rounds == rounds));
        assert!(shown.iter().all(|g| on.iter().any(|&i| search.trials[i].question.genome == *g)));
    }
}

#[test]
fn only_feasible_candidates_are_shown() {
    // Feasible where the first gene is at least 0.5; one in a hundred at the start for the second.
    let narrow = |x: &[f64]| (0.5 - x[0]).max(0.0) + (x[1] - 0.02).max(0.0);
    let search = Search::new(cube(3), 2, 4, &[]).run(800, &|x, _| Some((bowl(x), narrow(x))));
    let shown = search.shown();
    assert!(shown.len() > 20 && shown.iter().all(|x| narrow(x) == 0.0));
    let never = Search::new(cube(3), 2, 4, &[]).run(400, &|x, _| Some((bowl(x), 1.0 + x[2])));
    let [least] = &never.shown()[..] else { panic!("one candidate") };
    let lowest = never.trials.iter().map(|t| t.violation).fold(f64::INFINITY, f64::min);
    assert_eq!(1.0 + least[2], lowest);
}

#[test]
fn a_front_across_infeasible_ground_is_found() {
    // The front is the line f2 = 1 - f1 where all other genes are 0.7, in the strips of f1 that are feasible. Nothing is at a distance
    // from 0.2 to 0.6: whoever is content with the far side never sees it.
    let losses = |x: &[f64]| {
        let away = x[1..].iter().map(|x| (x - 0.7).abs()).sum::<f64>() / 2.0;
        vec![x[0] + away, 1.0 - x[0] + away]
    };
    let violation = |x: &[f64]| {
        let away = losses(x).iter().sum::<f64>() / 2.0 - 0.5;
        let strip = (libm::cos(6.0 * std::f64::consts::PI * x[0]) - 0.5).max(0.0);
        strip + (0.2 - (away - 0.4).abs()).max(0.0)
    };
    let front: Vec<Vec<f64>> = (0..=3000)
        .map(|i| vec![f64::from(i) / 3000.0, 0.7, 0.7, 0.7, 0.7, 0.7])
        .filter(|x| violation(x) <= 0.0)
        .map(|x| losses(&x))
        .collect();
    let search = Search::new(cube(6), 2, 1, &[]).run(3000, &|x, _| Some((losses(x), violation(x))));
    let shown: Vec<Vec<f64>> = search.shown().iter().map(|x| losses(x)).collect();
    let share = hypervolume(&shown, &[1.1, 1.1]) / hypervolume(&front, &[1.1, 1.1]);
    assert!(share > 0.95, "{share}");
}

#[test]
fn what_is_feasible_in_a_needle_is_found() {
    // Each of 10 genes is worth something only within 0.05 of 0.9, and the violation is what is not.
    let far = |x: &f64| ((x - 0.9).abs() / 0.05).min(1.0);
    let violation = |x: &[f64]| (x[1..].iter().map(far).sum::<f64>() - 1.0).max(0.0);
    let search = Search::new(cube(10), 2, 1, &[]).run(3000, &|x, _| Some((bowl(x), violation(x))));
    assert!(search.trials.iter().any(|t| t.violation <= 0.0));
}

#[test]
fn four_islands_of_a_front_are_found() {
    // DTLZ7 with three objectives and 10 genes: two of the losses are genes, and the front has four islands.
    let losses = |x: &[f64]| {
        let g = 1.0 + 9.0 / 8.0 * x[2..].iter().sum::<f64>();
        let bend = |f: f64| f / (1.0 + g) * (1.0 + libm::sin(3.0 * std::f64::consts::PI * f));
        vec![x[0], x[1], (1.0 + g) * (3.0 - bend(x[0]) - bend(x[1]))]
    };
    let search = Search::new(cube(10), 3, 1, &[]).run(3000, &|x, _| Some((losses(x), 0.0)));
    let shown = search.shown();
    // A gene of the front is below 0.26 or between 0.6 and 0.86.
    let island = |x: &Vec<f64>| (x[0] > 0.45, x[1] > 0.45);
    let found: BTreeSet<_> = shown.iter().filter(|x| x[2..].iter().all(|x| *x < 0.01)).map(island).collect();
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn the_front_of_mixed_genes_is_found() {
    // Losses n and (20 - n) / 20 + word: the front has word 0 for every n.
    let mixed = space(vec![
        Axis::Integer { low: 0, high: 20 },
        Axis::Choice(vec![2.0, 0.0, 1.0, 3.0]),
        Axis::Real { low: -1.0, high: 1.0, log: false },
    ]);
    let losses = |x: &[f64]| vec![x[0], (20.0 - x[0]) / 20.0 + x[1] + x[2].abs().floor()];
    let search = Search::new(mixed, 2, 4, &[]).run(1000, &|x, _| Some((losses(x), 0.0)));
    let mut shown: Vec<(i64, f64)> = search.shown().iter().map(|x| (x[0] as i64, x[1])).collect();
    shown.sort_by_key(|s| s.0);
    assert_eq!(shown, (0..=20).map(|n| (n, 0.0)).collect::<Vec<_>>());
}

#[test]
fn four_and_five_objectives_are_covered() {
    // Mean over the directions of the angle to the nearest shown point in degrees, and mean distance from the sphere.
    for (m, evaluations, angle, off) in [(4, 6000, 9.0, 0.03), (5, 6000, 12.0, 0.08)] {
        let search = Search::new(cube(m + 4), m, 16, &[]).run(evaluations, &|x, _| Some((sphere(x, m), 0.0)));
        let shown: Vec<Vec<f64>> = search.shown().iter().map(|x| sphere(x, m)).collect();
        assert!(shown.len() > 40 && shown.len() <= 100);
        let length = |p: &[f64]| p.iter().map(|x| x * x).sum::<f64>().sqrt();
        let wanted = directions::directions(m, 100);
        let apart = |w: &Vec<f64>| {
            let cosine = |p: &Vec<f64>| p.iter().zip(w).map(|(a, b)| a * b).sum::<f64>() / length(p) / length(w);
            libm::acos(shown.iter().map(cosine).fold(0.0, f64::max).min(1.0)).to_degrees()
        };
        let mean = wanted.iter().map(apart).sum::<f64>() / wanted.len() as f64;
        let away = shown.iter().map(|p| length(p) - 1.0).sum::<f64>() / shown.len() as f64;
        println!("{m}: {mean} degrees, {away} away, {} shown", shown.len());
        assert!(mean < angle && away < off, "{m}: {mean} degrees, {away} away");
    }
}

#[test]
fn failed_equal_and_huge_losses_end_nothing() {
    for m in [1, 2, 3, 4, 6] {
        let answers: [Answer<'_>; 5] = [
            &|_, _| None,
            &|_, _| Some((vec![0.0; m], 0.0)),
            &|x, _| {
                Some(((0..m).map(|d| if x[0] < 0.5 { f64::MAX } else { -f64::MAX * (x[d % 3] - 0.5) }).collect(), 0.0))
            },
            &|x, _| (x[1] < 0.2).then(|| (vec![1e300 * x[0]; m], f64::MAX * x[2])),
            &|x, _| Some((vec![if x[0] < 0.5 { f64::NAN } else { f64::INFINITY }; m], 0.0)),
        ];
        for (case, answer) in answers.into_iter().enumerate() {
            let search = Search::new(cube(3), m, 16, &[]).run(640, answer);
            assert_eq!((search.trials.len(), search.optimizer.stop()), (640, None));
            assert!(search.rounds().values().all(|&rounds| rounds == 1));
            let shown = search.shown();
            assert_eq!(shown.is_empty(), case == 0 || case == 4, "{m} {case}");
            assert!(shown.iter().flatten().all(|x| (0.0..=1.0).contains(x)));
        }
    }
}

/// `cargo test --release pareto::tests::speed -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn speed() {
    let mut rng = Seed(1).rng();
    let clock = |what: &str, count: usize, work: &mut dyn FnMut()| {
        work();
        let begin = std::time::Instant::now();
        (0..20).for_each(|_| work());
        println!("{what}: {:.3} us per evaluation", begin.elapsed().as_secs_f64() / 20.0 / count as f64 * 1e6);
    };
    for m in [2, 3] {
        let losses: Vec<Vec<f64>> = (0..1000).map(|_| (0..m).map(|_| unit(&mut rng)).collect()).collect();
        let points: Vec<&[f64]> = losses.iter().map(Vec::as_slice).collect();
        clock(&format!("layers of 1000, {m} objectives"), 1000, &mut || {
            assert_eq!(dominance::layers(&points).len(), 1000)
        });
        // On a plane, so that all are one layer.
        let line: Vec<Vec<f64>> = losses
            .iter()
            .map(|l| if m == 2 { vec![l[0], 1.0 - l[0]] } else { vec![l[0], l[1], -l[0] - l[1]] })
            .collect();
        let rivals: Vec<Rival<'_>> = line.iter().map(|losses| Rival { losses, violation: 0.0 }).collect();
        clock(&format!("survival of 500 of 1000 of one layer, {m} objectives"), 500, &mut || {
            assert_eq!(survivors(&rivals, 500, &[]).len(), 500)
        });
    }
    for (parallel, population) in [(1, 24.0), (16, 24.0), (1000, 1000.0)] {
        let mut search = Search::new(cube(20), 2, parallel, &[("population", population)]);
        let mut spent = std::time::Duration::ZERO;
        for _ in 0..20_000 / parallel {
            let begin = std::time::Instant::now();
            let questions = search.optimizer.ask();
            spent += begin.elapsed();
            let trials: Vec<Trial> =
                questions.into_iter().map(|q| search.evaluate(q, &|x, _| Some((bowl(x), 0.0)))).collect();
            let begin = std::time::Instant::now();
            search.optimizer.tell(&trials);
            spent += begin.elapsed();
        }
        println!("ask and tell, batches of {parallel}: {:.2} us per evaluation", spent.as_secs_f64() / 20_000.0 * 1e6);
    }
}
