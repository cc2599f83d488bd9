//! What a log teaches beyond its best trial, in sentences without a full stop: which parameters mattered, and which
//! cannot be told apart.

use crate::evolve::summary::{GeneSummary, Identified, Importance, Interval, Profile, ProfilePoint, Summary};
use crate::evolve::verdict::gene_value;
use crate::format;

/// Number of parameters named with their share; the others are summed up. Chosen here: what fits a line.
const NAMED: usize = 3;
/// A direction is named where two parameters go over this share of their ranges along it. Chosen here: a quarter is seen in a plot.
const FAR: f64 = 0.25;

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
    // What two parameters do together belongs to both.
    let shared = shares.iter().map(|s| s.total).sum::<f64>() > 1.005;
    let why =
        if shared { "; what they do together counts for each, so that they add up to more than 100 %" } else { "" };
    format!(
        "What mattered{of}: {} (a model of the log explains {} of the ranks{why})",
        parts.join(", "),
        percent(explained)
    )
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Warnings of flat valleys: what profiles simulated, or before them what a model of the log makes of it; none where everything is
/// determined or nothing can be said.
pub fn valleys(s: &Summary) -> Vec<String> {
    let Some(found) = &s.identified else { return Vec::new() };
    if found.profiles.is_empty() {
        let tied = found.pairs.iter().filter(|p| p.confounded).take(NAMED);
        let [is, unchecked] = ["may make up for each other", "says a model of the log that no simulation has checked"];
        let one = |keys: &(String, String)| [&keys.0, &keys.1].map(|key| format::key(key)).join(" and ");
        return tied.map(|p| format!("{} {is}, {unchecked}", one(&p.keys))).collect();
    }
    let noise = format::number(found.threshold.unwrap_or(0.0));
    let single = found.profiles.iter().filter(|p| p.keys.len() == 1 && p.within.reached == (true, true));
    let single = single.map(|p| {
        format!(
            "{} is not determined: held at {} over its whole range, the others adjusted, it stays within the noise ({noise}) of \
             the recommendation",
            format::key(&p.keys[0]),
            format::count(p.points.len() as u64, "value")
        )
    });
    let several = found.profiles.iter().filter(|p| p.keys.len() > 1 && named(s, found, p));
    let several = several.map(|p| {
        let keys: Vec<String> = p.keys.iter().map(|key| format::key(key).to_string()).collect();
        let inside = &p.points[p.within.first..=p.within.last];
        let end = |point: Option<&ProfilePoint>| point.map_or_else(String::new, |point| values(s, found, &p.keys, point));
        format!(
            "{} cannot be told apart: at {} from {} to {} the loss is within its noise ({noise}) of the recommendation's",
            listed(&keys),
            format::count(inside.len() as u64, "simulated point"),
            end(inside.first()),
            end(inside.last())
        )
    });
    several.chain(single).collect()
}

/// True if a direction says more than the parameters alone: two of them go far along it, or a model has them tied to each other.
fn named(s: &Summary, found: &Identified, p: &Profile) -> bool {
    let (first, last) = (&p.points[p.within.first], &p.points[p.within.last]);
    let spans = p.keys.iter().filter(|key| {
        let (Some(g), Some(k)) = (s.genes.iter().find(|g| g.key == **key), place(found, key)) else { return false };
        let scale = |x: f64| if g.log { libm::log(x) } else { x };
        (scale(last.at[k]) - scale(first.at[k])).abs() >= FAR * (scale(g.high) - scale(g.low))
    });
    let tied = found.pairs.iter().any(|t| t.confounded && p.keys.contains(&t.keys.0) && p.keys.contains(&t.keys.1));
    let (spans, points) = (spans.count(), p.within.last - p.within.first + 1);
    points > 1 && (spans > 1 || tied && points > 2)
}

/// Where a parameter stands in [`ProfilePoint::at`].
pub fn place(found: &Identified, key: &str) -> Option<usize> {
    found.numbers.iter().position(|number| number == key)
}

/// `A 891 N, B 0.251 m`.
fn values(s: &Summary, found: &Identified, keys: &[String], point: &ProfilePoint) -> String {
    let one = |key: &String| {
        let value = point.at[place(found, key)?];
        let gene = s.genes.iter().find(|g| g.key == *key)?;
        Some(format!("{} {}", format::key(key), number(gene, value)))
    };
    keys.iter().filter_map(one).collect::<Vec<_>>().join(", ")
}

/// `A, B and C`.
fn listed(names: &[String]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => names.join(""),
    }
}

/// A value of a parameter with its unit; three digits are enough for what is uncertain.
pub fn number(g: &GeneSummary, v: f64) -> String {
    let rounded = format::significant(v, 3).parse().unwrap_or(v);
    gene_value(g, rounded)
}

/// An interval of a parameter: `0.06 m to 0.11 m`, `0.06 m to 0.11 m or more`.
pub fn interval(g: &GeneSummary, i: &Interval) -> String {
    let end = |value: f64, open: bool, beyond: &str| number(g, value) + if open { beyond } else { "" };
    format!("{} to {}", end(i.low, i.low_open, " or less"), end(i.high, i.high_open, " or more"))
}

/// The simulated values of a parameter that are within the noise: `0.06 m to 0.11 m (5 values)`.
pub fn within(found: &Identified, g: &GeneSummary, p: &Profile) -> Option<String> {
    let k = place(found, &g.key)?;
    let at = |index: usize| number(g, p.points[index].at[k]);
    let count = format::count((p.within.last - p.within.first + 1) as u64, "value");
    Some(format!("{} to {} ({count})", at(p.within.first), at(p.within.last)))
}

/// How well the parameters are determined, in a sentence.
pub fn determined(found: &Identified) -> String {
    let threshold = format::number(found.threshold.unwrap_or(0.0));
    if found.profiles.is_empty() {
        let model = match (found.needed, found.denied, found.explained) {
            (Some(needed), ..) => {
                let rows = format::count(found.rows, "feasible trial");
                format!(
                    "; a quadratic model cannot say it either: it needs {needed} trials on the same seeds, and there are {rows}"
                )
            }
            (_, Some((all, against)), _) => format!(
                "; a quadratic model cannot say it either: of {} that are as good as its minimum, or that it takes to be, \
                 {against} contradict it",
                format::count(all, "trial")
            ),
            (.., explained) if found.threshold.is_none() => format!(
                "; a quadratic model cannot say it either: it explains only {} of the losses of the best {}",
                percent(explained.unwrap_or(0.0).max(0.0)),
                format::count(found.rows, "trial")
            ),
            _ => String::new(),
        };
        return format!(
            "How far each parameter may go while the others follow was not simulated{model}. To have it simulated, continue with \
             --resume and a larger search.profile_share (0.15 of the simulations of a search if the file does not say), or with \
             more --evaluations"
        );
    }
    let from = match (found.noise, found.noise_from.as_str()) {
        (Some(noise), "scenarios") => {
            format!("Student's t times its standard error between scenarios, {}", format::number(noise))
        }
        (Some(noise), _) => format!("Student's t times its standard error between replicas, {}", format::number(noise)),
        (None, "replicas" | "scenarios") => {
            "1.645 times the standard error of a loss of the search, because replicas do not differ \
                                             in how they compare two points"
                .to_string()
        }
        (None, _) => "1.645 times what a quadratic model of the log leaves open".to_string(),
    };
    let least = found.profiles.iter().flat_map(|p| &p.points).filter_map(|p| p.worse).fold(0.0, f64::min);
    let better = if found.threshold.is_some_and(|threshold| -least > threshold) {
        format!(
            ". One of the points has a loss that is lower than that of the recommendation by {}: a longer search may do better",
            format::number(-least)
        )
    } else {
        String::new()
    };
    // Where replicas do not differ there is nothing to confirm.
    let again = if found.again > 0 {
        format!(
            ", {} of them, at the ends, on as many fresh ones too. Up to the ends that these confirm the loss is within the noise; what \
             lies between two points was not simulated",
            found.again
        )
    } else {
        String::new()
    };
    format!(
        "Each number was held at values on both sides of the recommendation while the others were searched anew: {} of {} on seeds \
         of their own{again}. A difference of two losses up to {threshold} is noise (90 %: {from}){better}",
        format::count(found.points, "simulated point"),
        format::count(u64::from(found.replicas), "replica"),
    )
}

#[cfg(test)]
#[path = "learned_tests.rs"]
mod tests;
