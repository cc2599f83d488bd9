use super::*;
use crowdtune_core::math::lanes::Path;
use proptest::prelude::*;

/// One source by the equations, one number after the other.
fn one_by_one(source: Source, law: Law, part: Vec2) -> Act {
    let Source { away, touch, strength, per_range, is_wall } = source;
    let d = away.length();
    let normal = if d < NOWHERE_M { part } else { away / d };
    let overlap = if is_wall { touch - d } else { (touch - d).max(0.0) };
    let push = strength * exp(overlap * per_range);
    let Law { dt, stiffness, friction } = law;
    let soft = if is_wall { dt * dt * push * per_range } else { 0.0 };
    let (hard, across) =
        if overlap > 0.0 || !is_wall { (dt * dt * stiffness, dt * friction * overlap) } else { (0.0, 0.0) };
    Act { normal, overlap, push, block: contact::Block::of_normal(normal, soft + hard, across) }
}

proptest! {
    #[test]
    fn eight_at_a_time_act_as_one_by_one_do(
        people in prop::collection::vec(
            prop::collection::vec((-1.4..1.4f64, -1.4..1.4f64, 0.2..0.7f64, any::<bool>(), any::<bool>()), 0..5),
            1..30,
        ),
        (strength, range) in (50.0..5000.0f64, 0.02..0.5f64),
    ) {
        let law = Law { dt: 0.01, stiffness: 120_000.0, friction: 240_000.0 };
        let part = vec2(0.6, 0.8);
        for path in [Path::Baseline, Path::Avx2, Path::Avx512] {
            if !lanes::choose(path) {
                continue;
            }
            let (mut close, mut wanted) = (Close::default(), Vec::new());
            for sources in &people {
                close.bounds.push(close.len);
                for &(x, y, touch, is_wall, at_once) in sources {
                    let away = if at_once && y > 1.0 { Vec2::ZERO } else { vec2(x, y) };
                    let source = Source { away, touch, strength, per_range: 1.0 / range, is_wall };
                    close.add(source, || part);
                    wanted.push(one_by_one(source, law, part));
                }
            }
            close.bounds.push(close.len);
            lanes::run(Find(&mut close, law));
            let found: Vec<Act> = close.acts().flatten().collect();
            prop_assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(&wanted) {
                prop_assert_eq!(format!("{found:?}"), format!("{wanted:?}"));
            }
        }
    }
}
