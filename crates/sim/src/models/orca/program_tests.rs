//! Against looking at many velocities, and against the same in double precision.

use super::super::reference;
use super::super::walls::Line;
use super::*;
use crowdtune_core::math::lanes::{self, Kernel, Path};
use crowdtune_core::math::{Vec2, vec2};
use proptest::prelude::*;

struct Solve<'a> {
    lines: &'a [Line],
    hard: usize,
    most: f64,
    wish: Vec2,
}

impl Kernel for Solve<'_> {
    type Out = Vec2;

    fn run<L: Lanes>(self) -> Vec2 {
        let (mut lines, mut scratch) = (Lines::default(), Lines::default());
        lines.reserve(self.lines.len() + WIDTH);
        for (at, line) in self.lines.iter().enumerate() {
            lines.set(at, line.in_lanes());
        }
        let wish = (self.wish.x as f32, self.wish.y as f32);
        let len = (self.lines.len(), self.hard);
        let (x, y) = solve::<L>((&mut lines, &mut scratch), len, self.most as f32, wish);
        vec2(f64::from(x), f64::from(y))
    }
}

/// On every path of the processor; all have to agree.
fn solved(lines: &[Line], hard: usize, most: f64, wish: Vec2) -> Vec2 {
    let on = |path| lanes::choose(path).then(|| lanes::run(Solve { lines, hard, most, wish }));
    let all = [Path::Baseline, Path::Avx2, Path::Avx512].map(on);
    let first = all[0].unwrap();
    assert!(all.iter().flatten().all(|&v| v == first), "{all:?}");
    first
}

fn line(angle: f64, offset: f64) -> Line {
    let along = vec2(libm::cos(angle), libm::sin(angle));
    Line { point: along.left() * offset, along }
}

/// Largest distance on the wrong side of the lines.
fn wrong(lines: &[Line], v: Vec2) -> f64 {
    lines.iter().fold(f64::NEG_INFINITY, |most, line| most.max(line.beyond(v)))
}

#[test]
fn without_lines_the_wish_is_shortened_to_the_highest_speed() {
    assert_eq!(solved(&[], 0, 2.0, vec2(1.0, 0.5)), vec2(1.0, 0.5));
    assert!((solved(&[], 0, 1.0, vec2(3.0, 4.0)) - vec2(0.6, 0.8)).length() < 1e-6);
}

#[test]
fn one_line_moves_the_wish_to_its_foot() {
    // Allowed is y >= 0.5.
    let v = solved(&[line(0.0, 0.5)], 0, 2.0, vec2(1.0, 0.0));
    assert!((v - vec2(1.0, 0.5)).length() < 1e-6);
    // So far up that the disc bounds x.
    let v = solved(&[line(0.0, 0.8)], 0, 1.0, vec2(1.0, 0.0));
    assert!((v - vec2(0.6, 0.8)).length() < 1e-6);
}

#[test]
fn opposite_lines_share_what_is_wrong_and_a_hard_one_gives_nothing() {
    // y >= 0.6 and y <= -0.2: half way between. With the second one hard, on it.
    let lines = [line(0.0, 0.6), line(std::f64::consts::PI, 0.2)];
    assert!((solved(&lines, 0, 2.0, vec2(1.0, 0.0)).y - 0.2).abs() < 1e-6);
    let lines = [lines[1], lines[0]];
    assert!((solved(&lines, 1, 2.0, vec2(1.0, 0.0)).y + 0.2).abs() < 1e-6);
}

#[test]
fn nearly_parallel_lines_make_nobody_faster() {
    // Both ask for more than there is; where they meet is far out of the disc, on one side or the other.
    for k in -40..=40 {
        let angle = f64::from(k) * 1e-6;
        let lines = [line(0.0, 1.2), line(angle, 1.25), line(std::f64::consts::PI + 2.0 * angle, -0.3)];
        for hard in 0..=1 {
            let lines = &lines[hard..];
            let v = solved(lines, 0, 1.0, vec2(1.0, 0.0));
            assert!(v.length() <= 1.0 + 1e-5, "{k}: {v:?}");
        }
    }
}

prop_compose! {
    /// Hard lines that allow to stand, as those of walls do, and soft ones anywhere; highest speed and wish.
    fn problem()(
        hard in prop::collection::vec((0.0..std::f64::consts::TAU, -1.0..-0.02f64), 0..9),
        soft in prop::collection::vec((0.0..std::f64::consts::TAU, -1.0..0.6f64), 0..13),
        most in 0.5..2.0f64,
        (x, y) in (-1.5..1.5f64, -1.5..1.5f64),
    ) -> (Vec<Line>, usize, f64, Vec2) {
        let lines = hard.iter().chain(&soft).map(|&(angle, offset)| line(angle, offset)).collect();
        (lines, hard.len(), most, vec2(x, y))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_other_velocity_is_better((lines, hard, most, wish) in problem()) {
        let v = solved(&lines, hard, most, wish);
        prop_assert!(v.length() <= most + 1e-5);
        prop_assert!(wrong(&lines[..hard], v) <= 1e-4, "{v:?} breaks a hard line");
        let (here, near) = (wrong(&lines[hard..], v), (v - wish).length());
        for i in 0..10_000 {
            // A spiral fills the disc evenly.
            let (r, angle) = (most * (f64::from(i) / 1e4).sqrt(), f64::from(i) * 2.399_963_229_728_653);
            let other = vec2(r * libm::cos(angle), r * libm::sin(angle));
            if wrong(&lines[..hard], other) > 0.0 {
                continue;
            }
            let there = wrong(&lines[hard..], other);
            if here <= 1e-4 {
                prop_assert!(there > 0.0 || (other - wish).length() >= near - 1e-4, "{other:?} is nearer than {v:?}");
            } else {
                prop_assert!(there >= here - 1e-4, "{other:?} is less wrong than {v:?}");
            }
        }
    }

    #[test]
    fn lanes_find_what_double_precision_finds((lines, hard, most, wish) in problem()) {
        let v = solved(&lines, hard, most, wish);
        let exact = reference::solve(&lines, hard, most, wish, &mut Vec::new());
        let (here, there) = (wrong(&lines[hard..], v).max(0.0), wrong(&lines[hard..], exact).max(0.0));
        prop_assert!((here - there).abs() < 1e-4, "{v:?} is wrong by {here}, {exact:?} by {there}");
        if there < 1e-6 {
            prop_assert!(((v - wish).length() - (exact - wish).length()).abs() < 1e-3, "{v:?} is not {exact:?}");
        }
    }
}
