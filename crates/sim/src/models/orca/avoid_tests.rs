//! The kernel against looking at everybody in double precision.

use super::super::{ENTRY, reference};
use super::*;
use crate::world::Torus;
use crowdtune_core::math::lanes::{self, Path};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Settings, defaults};
use proptest::prelude::*;

const DT: f64 = 0.1;
const SEEN: usize = 5;
const DISTANCE_M: f64 = 6.0;

fn group(responsibility: f64) -> Constants {
    let mut values = defaults(ENTRY.params);
    for (key, value) in
        [("responsibility", responsibility), ("max_neighbors", SEEN as f64), ("neighbor_distance_m", DISTANCE_M)]
    {
        values[ENTRY.params.iter().position(|p| p.key == key).unwrap()] = value;
    }
    Constants::new(&Settings::new(ENTRY.params, &values))
}

/// People with places, velocities and wishes; every other one of the second group.
struct Scene {
    crowd: Crowd,
    wish: Vec<Vec2>,
    torus: Torus,
    groups: Vec<Constants>,
}

impl Scene {
    fn new(people: &[(Vec2, Vec2, Vec2)], torus: Torus) -> Self {
        let mut crowd = Crowd::at(people.iter().map(|p| p.0).collect());
        crowd.vel = people.iter().map(|p| p.1).collect();
        for (row, group) in crowd.group.iter_mut().enumerate() {
            *group = row as u16 % 2;
        }
        Self { crowd, wish: people.iter().map(|p| p.2).collect(), torus, groups: vec![group(0.5), group(0.25)] }
    }

    /// Velocities by row; `farthest2` is what the last step left.
    fn avoid(&self, farthest2: &mut [f32]) -> Vec<Vec2> {
        let crowd = &self.crowd;
        let mut near = Neighbors::default();
        near.build(DISTANCE_M, self.torus, &crowd.pos, &crowd.vel, &crowd.radius);
        let walker = |&row: &u32| Walker {
            wish: (self.wish[row as usize].x as f32, self.wish[row as usize].y as f32),
            exact: self.wish[row as usize],
            most: 1.5,
            radius: 0.3,
            per_horizon: 0.5,
            group: crowd.group[row as usize],
            hard: 0,
        };
        let walkers: Vec<Walker> = near.row.iter().map(walker).collect();
        let mut vel = Vec::new();
        lanes::run(Avoid {
            near: &near,
            crowd,
            groups: &self.groups,
            giving: None,
            walkers: &walkers,
            hard: &[],
            dt: DT as f32,
            scratch: &mut AvoidScratch::default(),
            farthest2,
            vel: &mut vel,
        });
        let mut by_row = vec![Vec2::ZERO; crowd.len()];
        for (&row, &(x, y)) in near.row.iter().zip(&vel) {
            by_row[row as usize] = vec2(f64::from(x), f64::from(y));
        }
        by_row
    }

    /// The lines of one person, by looking at everybody.
    fn lines(&self, row: usize) -> Vec<crate::models::orca::walls::Line> {
        let crowd = &self.crowd;
        let way = |other: usize| self.torus.apart(crowd.pos[row], crowd.pos[other]);
        let mut others: Vec<usize> = (0..crowd.len()).filter(|&o| o != row && way(o).length() < DISTANCE_M).collect();
        others.sort_by(|&a, &b| way(a).length2().total_cmp(&way(b).length2()));
        others.truncate(SEEN);
        let alpha = |row: usize| self.groups[crowd.group[row] as usize].responsibility;
        let share = |other: usize| alpha(row) / (alpha(row) + alpha(other));
        others
            .iter()
            .map(|&o| reference::bound(way(o), crowd.vel[row], crowd.vel[o], (0.6, 2.0, share(o)), DT))
            .collect()
    }

    /// Distances that decide who is seen, apart by less than this.
    fn is_close_call(&self) -> bool {
        let n = self.crowd.len();
        (0..n).any(|row| {
            let way = |o: usize| self.torus.apart(self.crowd.pos[row], self.crowd.pos[o]).length();
            let mut all: Vec<f64> = (0..n).filter(|&o| o != row).map(way).chain([DISTANCE_M]).collect();
            all.sort_by(f64::total_cmp);
            all[0] < 1e-2 || all.windows(2).any(|pair| pair[1] - pair[0] < 1e-4)
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn everybody_keeps_the_bounds_of_the_nearest(
        people in prop::collection::vec(
            ((0.0..25.0f64, 0.0..18.0f64), (-1.5..1.5f64, -1.5..1.5f64), (-1.5..1.5f64, -1.5..1.5f64)), 2..70),
        ring in any::<bool>(),
        last in 0.1..100.0f32,
    ) {
        let torus = Torus { x: ring.then_some((0.0, 25.0)), y: None };
        let of = |(x, y): (f64, f64)| vec2(x, y);
        let people: Vec<_> = people.iter().map(|&(p, v, w)| (of(p), of(v), of(w))).collect();
        let scene = Scene::new(&people, torus);
        prop_assume!(!scene.is_close_call());
        let mut first = None;
        for path in [Path::Baseline, Path::Avx2, Path::Avx512] {
            if !lanes::choose(path) {
                continue;
            }
            let fresh = scene.avoid(&mut vec![f32::INFINITY; people.len()]);
            // What the last step saw is a guess and no more.
            prop_assert_eq!(&fresh, &scene.avoid(&mut vec![last; people.len()]));
            prop_assert_eq!(first.get_or_insert(fresh.clone()), &fresh, "{:?}", path);
            for (row, v) in fresh.iter().enumerate() {
                let lines = scene.lines(row);
                let exact = reference::solve(&lines, 0, 1.5, scene.wish[row], &mut Vec::new());
                let wrong = |v| lines.iter().fold(0.0f64, |most, line| most.max(line.beyond(v)));
                prop_assert!((wrong(*v) - wrong(exact)).abs() < 1e-3, "row {row}: {v:?} is not {exact:?}");
                if wrong(exact) < 1e-6 {
                    let (here, there) = ((*v - scene.wish[row]).length(), (exact - scene.wish[row]).length());
                    prop_assert!((here - there).abs() < 1e-2, "row {row}: {v:?} is not {exact:?}");
                }
            }
        }
    }
}

#[test]
fn two_at_the_same_place_part() {
    for vel in [Vec2::ZERO, vec2(1.0, 0.0)] {
        let scene = Scene::new(&[(vec2(3.0, 4.0), vel, vel), (vec2(3.0, 4.0), vel, vel)], Torus::default());
        let v = scene.avoid(&mut [f32::INFINITY; 2]);
        // As fast as they can, in opposite directions seen from the common velocity.
        assert!(v.iter().all(|v| v.is_finite()), "{v:?}");
        assert!((v[0] - v[1]).length() > 1.0, "{v:?}");
    }
}

#[test]
fn who_has_no_share_goes_straight_on_and_the_other_gives_way() {
    let apart = |alpha: f64, other: f64| {
        let people =
            [(vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 0.0)), (vec2(2.0, 0.1), vec2(-1.0, 0.0), vec2(-1.0, 0.0))];
        let mut scene = Scene::new(&people, Torus::default());
        scene.groups = vec![group(alpha), group(other)];
        let v = scene.avoid(&mut [f32::INFINITY; 2]);
        ((v[0] - vec2(1.0, 0.0)).length(), (v[1] - vec2(-1.0, 0.0)).length())
    };
    assert_eq!(apart(0.0, 1.0).0, 0.0);
    let (all, half, quarter) = (apart(0.0, 1.0).1, apart(0.5, 0.5), apart(0.25, 0.75));
    assert!(all > 0.1);
    assert!((half.0 - 0.5 * all).abs() < 1e-5 && (half.1 - 0.5 * all).abs() < 1e-5, "{half:?} of {all}");
    assert!((quarter.0 - 0.25 * all).abs() < 1e-5 && (quarter.1 - 0.75 * all).abs() < 1e-5, "{quarter:?} of {all}");
    // Two without any responsibility share it.
    assert_eq!(apart(0.0, 0.0), half);
}
