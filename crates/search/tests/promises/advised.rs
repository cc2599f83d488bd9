use crowdtune_core::math::rng::{Seed, normal};
use crowdtune_core::math::stats::median;
use crowdtune_search::{AskTell, Gene, Options, Space};

/// A search of so many evaluations by one of the optimizers that take advice.
fn search(
    space: &Space,
    (optimizer, seed): (&str, u64),
    evaluations: u64,
    mut f: impl FnMut(&[f64]) -> f64,
) -> AskTell {
    let options = Options { optimizer: Some(optimizer.into()), seed, parallel: 4, ..Options::default() };
    let mut search = AskTell::new(space.clone(), &options).unwrap();
    while search.told() < evaluations {
        let points = search.ask();
        search.tell(&points.iter().map(|x| f(x)).collect::<Vec<f64>>()).unwrap();
    }
    search
}

fn bowl(x: &[f64]) -> f64 {
    x.iter().map(|x| (x - 0.3) * (x - 0.3)).sum()
}

#[test]
fn under_noise_the_recommended_one_is_better_than_the_luckiest_and_no_surprise() {
    for optimizer in ["cma_es", "ga", "random"] {
        let (mut own, mut luckiest, mut hoped) = (Vec::new(), Vec::new(), Vec::new());
        for seed in 0..15 {
            let mut rng = Seed(seed).child("noise", 0).rng();
            let done = search(&Space::unit(2), (optimizer, seed), 80, |x| bowl(x) + 0.05 * normal(&mut rng));
            let recommended = done.recommended().swap_remove(0);
            // One twin in ten misses noise, and `cma_es` keeps its best until one has seen it.
            let Some(expected) = done.expected(&recommended).unwrap() else { continue };
            let (best, seen) = done.best().unwrap();
            own.push(bowl(&recommended));
            luckiest.push(bowl(&best));
            hoped.push((expected - bowl(&recommended)) / (bowl(&best) - seen));
        }
        assert!(own.len() >= 12, "{optimizer}: {own:?}");
        assert!(median(&own) < median(&luckiest), "{optimizer}: {own:?} {luckiest:?}");
        // Against the surprise that the luckiest brings.
        assert!(median(&hoped).abs() < 0.5, "{optimizer}: {hoped:?}");
    }
}

#[test]
fn without_noise_the_best_is_recommended_and_nothing_else_is_expected() {
    for optimizer in ["cma_es", "ga", "random"] {
        let done = search(&Space::unit(2), (optimizer, 1), 120, bowl);
        let best = done.best().unwrap().0;
        assert_eq!((done.recommended(), done.expected(&best).unwrap()), (vec![best], None), "{optimizer}");
    }
}

#[test]
fn where_twins_cannot_tell_the_best_comes_first_and_advice_after_it() {
    let space = Space::new([Gene::integer("n", 1, 40), Gene::integer("m", 1, 40)]).unwrap();
    for optimizer in ["ga", "random"] {
        let mut rng = Seed(1).child("noise", 0).rng();
        let done = search(&space, (optimizer, 1), 60, |x| (x[0] - 20.0).abs() + (x[1] - 7.0).abs() + normal(&mut rng));
        let recommended = done.recommended();
        assert!(recommended.len() > 1 && recommended[0] == done.best().unwrap().0, "{optimizer}");
    }
}
