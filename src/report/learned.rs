//! What a log teaches beyond its best trial, in sentences without a full stop: which parameters mattered, and which
//! cannot be told apart.

use crate::evolve::summary::{Confounded, GeneSummary, Identified, Importance, Summary, Width};
use crate::evolve::verdict::gene_value;
use crate::format;

/// Number of parameters named with their share; the others are summed up. Chosen here: what fits a line.
const NAMED: usize = 3;
/// An interval that covers more of the range than this leaves a parameter open. Chosen here: the ends of a sampled range are
/// never quite reached.
const OPEN: f64 = 0.9;

/// A parameter takes part in a direction if its component is at least this share of the largest. Chosen here: a quarter is
/// seen in a plot.
const TAKES_PART: f64 = 0.25;

/// `What mattered: A 62 %, tau 25 %, 3 others at most 4 % (...)`.
pub fn importance(i: &Importance, several: bool) -> String {
    let of = if several { format!(" for {}", i.objective) } else { String::new() };
    let Some(explained) = i.explained else {
        return format!("What mattered{of}: cannot tell from {}", format::count(i.trials, "trial"));
    };
    if i.shares.is_empty() {
        let rest = "a model of the log explains too little";
        return format!("What mattered{of}: cannot tell, {rest} ({} of the ranks)", percent(explained.max(0.0)));
    }
    let mut shares: Vec<_> = i.shares.iter().collect();
    shares.sort_by(|a, b| b.total.total_cmp(&a.total).then_with(|| a.key.cmp(&b.key)));
    let named = shares.len().min(NAMED);
    let mut parts: Vec<String> =
        shares[..named].iter().map(|s| format!("{} {}", format::key(&s.key), percent(s.total))).collect();
    if let Some(next) = shares.get(named) {
        parts.push(format!(
            "{} at most {}",
            format::count((shares.len() - named) as u64, "other"),
            percent(next.total.max(0.01))
        ));
    }
    format!("What mattered{of}: {} (a model of the log explains {} of the ranks)", parts.join(", "), percent(explained))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Warnings of flat valleys, the most confounded pair first; none where everything is determined or nothing can be said.
pub fn valleys(s: &Summary) -> Vec<String> {
    let Some(found) = &s.identified else { return Vec::new() };
    let noise = || format::number(found.threshold.unwrap_or(0.0));
    let loose = |w: &&Width| w.share >= OPEN;
    let (flat, taking) = together(found).unzip();
    let taking: Vec<&str> = taking.unwrap_or_default();
    let said = |key: &str| taking.contains(&key);
    let mut out: Vec<String> = flat.into_iter().collect();
    let singles = found.widths.iter().filter(loose).filter(|w| !said(&w.key));
    out.extend(singles.map(|w| {
        format!(
            "{} is not determined: every value of its range is within the noise of the best ({})",
            format::key(&w.key),
            noise()
        )
    }));
    // What is open by itself need not be said again as half of a pair.
    let open = |key: &str| found.widths.iter().filter(loose).any(|w| w.key == key);
    let known = |p: &&Confounded| said(&p.keys.0) && said(&p.keys.1);
    let pairs =
        found.pairs.iter().filter(|p| !known(p)).filter(|p| p.confounded && !(open(&p.keys.0) && open(&p.keys.1)));
    out.extend(pairs.take(NAMED).map(|p| {
        let [a, b] = [format::key(&p.keys.0), format::key(&p.keys.1)];
        let (up, down) = trade(s, p);
        format!(
            "{a} and {b} cannot be told apart: {up} while {down} changes the loss by less than its noise ({})",
            noise()
        )
    }));
    out
}

/// A flat direction of three or more parameters, with their keys: what it says of single ones and pairs of them follows.
fn together(found: &Identified) -> Option<(String, Vec<&str>)> {
    let (curvature, way) = (found.curvature.first()?, found.directions.first()?);
    let threshold = found.threshold?;
    let within = 2.0 * threshold / curvature.max(f64::MIN_POSITIVE);
    let longest = way.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let taking: Vec<(&Width, f64)> =
        found.widths.iter().zip(way.iter().copied()).filter(|(_, x)| x.abs() > TAKES_PART * longest).collect();
    // Half the range to either side is all of it.
    let flat = within.sqrt() * longest >= OPEN / 2.0;
    if !flat || taking.len() < 3 {
        return None;
    }
    let sign = if taking[0].1 < 0.0 { -1.0 } else { 1.0 };
    let parts: Vec<String> = taking
        .iter()
        .map(|(w, x)| {
            format!(
                "{} {}{}",
                format::key(&w.key),
                if sign * x < 0.0 { "\u{2212}" } else { "+" },
                percent(x.abs() / longest)
            )
        })
        .collect();
    let keys = taking.iter().map(|(w, _)| w.key.as_str()).collect();
    let text = format!(
        "{} parameters cannot be told apart: changed together over their ranges in the proportions {} they change the loss by \
         less than its noise ({})",
        taking.len(),
        parts.join(", "),
        format::number(threshold)
    );
    Some((text, keys))
}

/// `raising A by 40 % (2000 N to 2800 N)` and `lowering B by 20 % (0.1 m to 0.08 m)`.
fn trade(s: &Summary, p: &Confounded) -> (String, String) {
    let one = |key: &str, from: f64, to: f64| {
        let verb = if to >= from { "raising" } else { "lowering" };
        let gene = s.genes.iter().find(|g| g.key == key);
        let value = |v: f64| gene.map_or_else(|| format::setting(v), |g| number(g, v));
        let share = if from == 0.0 { f64::INFINITY } else { (to / from - 1.0).abs() };
        let by = if share < 10.0 { format!(" by {}", percent(share)) } else { String::new() };
        format!("{verb} {}{by} ({} to {})", format::key(key), value(from), value(to))
    };
    (one(&p.keys.0, p.from.0, p.to.0), one(&p.keys.1, p.from.1, p.to.1))
}

/// A value of a parameter with its unit; three digits are enough for what is uncertain.
pub fn number(g: &GeneSummary, v: f64) -> String {
    let rounded = format::significant(v, 3).parse().unwrap_or(v);
    gene_value(g, rounded)
}

/// An interval of a parameter: `0.06 m to 0.11 m`, an end of the range in words.
pub fn interval(g: &GeneSummary, w: &Width) -> String {
    let (low, high) = (number(g, w.free.0), number(g, w.free.1));
    match w.open {
        (true, true) => "the whole range".into(),
        (true, false) => format!("up to {high}"),
        (false, true) => format!("from {low}"),
        (false, false) => format!("{low} to {high}"),
    }
}

/// How well the parameters are determined, in a sentence.
pub fn determined(found: &Identified) -> String {
    if let Some(needed) = found.needed {
        return format!(
            "How well the parameters are determined cannot be said: {} on the same seeds, and a quadratic model needs {needed}",
            format::count(found.rows, "feasible trial")
        );
    }
    if let Some((all, against)) = found.denied {
        return format!(
            "How well the parameters are determined cannot be said: of {} that are as good as the minimum of a quadratic \
             model, or that it takes to be, {against} contradict it",
            format::count(all, "trial")
        );
    }
    if found.widths.is_empty() {
        let share = percent(found.explained.unwrap_or(0.0).max(0.0));
        return format!(
            "How well the parameters are determined cannot be said: a quadratic model of the best {} explains only {share} of \
             their losses",
            format::count(found.rows, "trial")
        );
    }
    let from = match found.noise_from.as_str() {
        "replicas" => "between replicas",
        "scenarios" => "between scenarios",
        _ => "that a quadratic model leaves open",
    };
    format!(
        "Within these intervals the loss exceeds its minimum by less than {}, which is 1.96 times its standard error {from} ({}), \
         according to a quadratic model of the best {} (it explains {} of losses that it has not seen)",
        format::number(found.threshold.unwrap_or(0.0)),
        format::number(found.noise.unwrap_or(0.0)),
        format::count(found.rows, "trial"),
        percent(found.explained.unwrap_or(0.0))
    )
}

#[cfg(test)]
#[path = "learned_tests.rs"]
mod tests;
