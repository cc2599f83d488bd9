//! Comparisons of searches as tables and sentences for the terminal.

use super::table::{Terminal, plain, wrapped};
use crate::evolve::compare::{Against, Comparison, Count, Group};
use crate::evolve::summary::Figure;
use crate::format::{self, number};

/// Tables of a comparison: each search of a single group, the groups where there are several, then sentences.
pub fn text(c: &Comparison, terminal: Terminal) -> String {
    let mut out = String::new();
    if let [one] = c.groups.as_slice() {
        out += &searches(one, terminal);
    } else {
        out += &groups(c, terminal);
    }
    out += "\n";
    for group in &c.groups {
        out += &wrapped(&format!("{}.", beside_defaults(group)), "  ", terminal);
    }
    for pair in &c.pairs {
        out += &wrapped(&format!("{}.", sentence(pair)), "  ", terminal);
    }
    out
}

fn head(words: &[&str]) -> Vec<String> {
    words.iter().map(|w| (*w).to_string()).collect()
}

fn cost(cost: Option<(f64, f64)>) -> String {
    match cost {
        None => "failed".into(),
        Some((violation, loss)) if violation > 0.0 => format!("{} (misses a must)", number(loss)),
        Some((_, loss)) => number(loss),
    }
}

fn searches(group: &Group, terminal: Terminal) -> String {
    let mut rows: Vec<Vec<String>> = group
        .searches
        .iter()
        .map(|s| {
            let recommended = if s.defaults_won { "defaults" } else { "tuned" };
            vec![
                s.seed.to_string(),
                s.evaluations.to_string(),
                s.stopped.clone(),
                format::option(s.search),
                cost(s.fresh),
                cost(s.default),
                recommended.into(),
            ]
        })
        .collect();
    let mut mean = vec![String::new(); 7];
    mean[0] = "mean [95 %]".into();
    mean[4] = group.fresh.to_string();
    mean[5] = group.default.to_string();
    rows.push(mean);
    let words = ["seed", "evaluations", "ended by", "search saw", "fresh seeds", "defaults, same seeds", "recommended"];
    plain(&head(&words), &rows, terminal) + "\n"
}

fn groups(c: &Comparison, terminal: Terminal) -> String {
    let row = |g: &Group| {
        let wins = g.against_defaults.wins;
        vec![
            g.name.clone(),
            g.searches.len().to_string(),
            g.fresh.to_string(),
            g.default.to_string(),
            format!("{} / {} / {}", wins.better.pairs, wins.equal, wins.worse.pairs),
        ]
    };
    let words = ["searches", "count", "fresh seeds [95 %]", "defaults [95 %]", "better / equal / worse"];
    plain(&head(&words), &c.groups.iter().map(row).collect::<Vec<_>>(), terminal) + "\n"
}

/// What the losses alone do not explain; "" where they do. `loser` is the other side.
fn by_must(won: Count, loser: &str) -> String {
    match won.by_must {
        0 => String::new(),
        count => format!(" ({count} because {loser} misses a must, though its loss is not higher)"),
    }
}

/// How often and by how much the recommendations of a group are better than the defaults.
fn beside_defaults(group: &Group) -> String {
    let wins = group.against_defaults.wins;
    let count = format::count(group.searches.len() as u64, "search");
    let equal = if wins.equal > 0 { format!(", {} the same", wins.equal) } else { String::new() };
    // A set that misses less than the published one is better, and no more allowed.
    let missing = group.searches.iter().filter(|s| s.fresh.is_some_and(|(violation, _)| violation > 0.0)).count();
    let musts = match missing as u64 {
        n if n <= wins.worse.by_must => String::new(),
        1 => "; 1 recommendation misses a must".into(),
        n => format!("; {n} recommendations miss a must"),
    };
    format!(
        "{}: {} of {count} better{} than the defaults on the same fresh seeds, {} worse{}{equal}{musts}; {}",
        group.name,
        wins.better.pairs,
        by_must(wins.better, "the published set"),
        wins.worse.pairs,
        by_must(wins.worse, "the tuned set"),
        chances(&group.against_defaults)
    )
}

/// Two groups in a sentence, without a full stop.
pub fn sentence(pair: &Against) -> String {
    let n = pair.seeds.len() as u64;
    if n == 0 {
        return format!("{} and {} share no seed, so nothing is paired", pair.one, pair.other);
    }
    let Figure { low, high, .. } = pair.difference;
    let verdict = match (low, high) {
        (_, Some(high)) if high < 0.0 => format!("{} is better", pair.one),
        (Some(low), _) if low > 0.0 => format!("{} is better", pair.other),
        _ => "no clear difference".into(),
    };
    format!(
        "{} against {}: better in {}{}, equal in {}, worse in {}{} of {}; {}; {verdict}",
        pair.one,
        pair.other,
        pair.wins.better.pairs,
        by_must(pair.wins.better, &pair.other),
        pair.wins.equal,
        pair.wins.worse.pairs,
        by_must(pair.wins.worse, &pair.one),
        format::count(n, "seed"),
        chances(pair)
    )
}

fn chances(pair: &Against) -> String {
    if pair.seeds.len() == 1 {
        return format!(
            "difference {}; one search shows no scatter, so there is no interval and no test",
            pair.difference
        );
    }
    let p = |x: f64| if x < 0.001 { "p < 0.001".into() } else { format!("p = {x:.3}") };
    format!("mean difference {} (sign test {}, Wilcoxon {})", pair.difference, p(pair.sign_p), p(pair.wilcoxon_p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::compare::{Searched, compare};

    fn some(seed: u64, fresh: f64) -> Searched {
        Searched { seed, fresh: Some((0.0, fresh)), default: Some((0.0, 9.0)), evaluations: 100, ..Searched::default() }
    }

    #[test]
    fn one_group_shows_its_searches_and_several_show_who_won() {
        let a: Vec<Searched> = (1..=6).map(|s| some(s, 1.0 + s as f64 / 10.0)).collect();
        let b: Vec<Searched> = (1..=6).map(|s| some(s, 2.0 + s as f64 / 10.0)).collect();
        let one = text(&compare("loss", vec![("a".into(), a.clone())]), Terminal::default());
        for part in ["fresh seeds", "1.10", "mean [95 %]", "a: 6 of 6 searches better than the defaults", "p = 0.031"] {
            assert!(one.contains(part), "{part}\n{one}");
        }
        let two = text(&compare("loss", vec![("a".into(), a), ("b".into(), b)]), Terminal::default());
        let wanted =
            "a against b: better in 6, equal in 0, worse in 0 of 6 seeds; mean difference -1.00 [-1.00, -1.00]";
        assert!(two.contains(wanted) && two.contains("a is better."), "{two}");
        let must = Searched { fresh: Some((0.3, 1.0)), ..some(1, 1.0) };
        let missed = text(&compare("loss", vec![("a".into(), vec![must])]), Terminal::default());
        let why = "a: 0 of 1 search better than the defaults on the same fresh seeds, 1 worse (1 because the tuned set misses a must, \
                   though its loss is not higher); difference -8.00; one search shows no scatter";
        assert!(missed.split_whitespace().collect::<Vec<_>>().join(" ").contains(why), "{missed}");
        let both = Searched { fresh: Some((0.3, 1.0)), default: Some((0.5, 9.0)), ..some(1, 1.0) };
        let missed = text(&compare("loss", vec![("a".into(), vec![both])]), Terminal::default());
        assert!(missed.contains("0 worse; 1 recommendation misses a must; difference -8.00"), "{missed}");
        let none = compare("loss", vec![("a".into(), vec![some(1, 1.0)]), ("b".into(), vec![some(2, 1.0)])]);
        assert!(text(&none, Terminal::default()).contains("share no seed"));
    }
}
