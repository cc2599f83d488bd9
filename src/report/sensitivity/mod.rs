//! What `crowdtune sensitivity` gives: terminal table, CSV, report page. The plots are in [`super::plots::effects`].

mod page;
mod text;

pub use page::page;
pub use text::text;

use crate::evolve::sensitivity::{Effects, Method, MorrisEffect, OutputEffects, Sensitivity, SobolEffect};
use crate::evolve::summary::Figure;
use crate::evolve::verdict::reasons;
use crate::format;

/// A parameter whose total share is surely below this can be fixed without harm. Saltelli et al., Global Sensitivity Analysis: The
/// Primer (2008), section 1.2.14, take total indices near 0 as reason to fix; chosen here: 5 %.
const LITTLE: f64 = 0.05;

/// An index with a wider interval than this says nothing. Chosen here: half of all variance.
const VAGUE: f64 = 0.5;

/// What sigma / mu* says of the shape of an effect: Garcia Sanchez, Lacarriere, Musy, Bourges, Energy Build. 68, 741 (2014).
fn shape(e: &MorrisEffect) -> &'static str {
    match (e.mu_star.value, e.sigma.value) {
        (Some(size), Some(sigma)) if size > 0.0 => match sigma / size {
            r if r < 0.1 => "almost linear",
            r if r < 0.5 => "in one direction",
            r if r < 1.0 => "mostly in one direction",
            _ => "curved, or with others",
        },
        _ => "",
    }
}

/// True if an effect is surely small beside the largest one of the same output.
fn negligible(e: &MorrisEffect, largest: f64) -> bool {
    e.mu_star.high.is_some_and(|high| high < LITTLE * largest)
}

fn largest(effects: &[MorrisEffect]) -> f64 {
    effects.iter().filter_map(|e| e.mu_star.value).fold(0.0, f64::max)
}

/// What a screening says of a parameter.
fn morris_word(e: &MorrisEffect, largest: f64) -> &'static str {
    match e.mu_star.value {
        None => "cannot tell",
        Some(0.0) => "no effect",
        Some(_) if negligible(e, largest) => "negligible",
        Some(_) => shape(e),
    }
}

/// What the shares say of a parameter.
fn sobol_word(e: &SobolEffect) -> &'static str {
    let (Some(first), Some(total)) = (e.first.value, e.total.value) else { return "cannot tell" };
    let apart = e.total.low.zip(e.first.high).is_some_and(|(low, high)| low > high);
    match () {
        () if vague(e) => "too few samples",
        () if e.total.high.is_some_and(|high| high < LITTLE) => "negligible",
        () if apart && first < total / 2.0 => "mostly with others",
        () if apart => "alone and with others",
        () if first < LITTLE && total < LITTLE => "little",
        () if e.first.low.is_some_and(|low| low <= 0.0) => "too few samples",
        () => "alone",
    }
}

/// True if the shares of a parameter are hardly known.
fn vague(e: &SobolEffect) -> bool {
    let width = |f: &Figure| f.high.unwrap_or(f64::INFINITY) - f.low.unwrap_or(f64::NEG_INFINITY);
    width(&e.first).max(width(&e.total)) > VAGUE
}

/// Positions of the effects, the largest first; unknown ones come last.
fn order(sizes: &[Option<f64>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    let size = |i: usize| sizes[i].unwrap_or(f64::NEG_INFINITY);
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    order
}

fn sizes(effects: &Effects) -> Vec<Option<f64>> {
    match effects {
        Effects::Morris(all) => all.iter().map(|e| e.mu_star.value).collect(),
        Effects::Sobol { genes, .. } => genes.iter().map(|e| e.total.value).collect(),
    }
}

/// What was done, in a sentence without a full stop: `Sobol indices of 3 parameters, 1024 trials`.
fn done(s: &Sensitivity) -> String {
    let genes = format::count(s.genes.len() as u64, "parameter");
    let trials = format::count(s.evaluations, "trial");
    let n = u64::from(s.design.samples);
    match s.design.method {
        Method::Morris => format!("Morris screening of {genes}: {}, {trials}", format::count(n, "trajectory")),
        Method::Sobol => format!("Sobol indices of {genes}: {}, {trials}", format::count(n, "base point")),
    }
}

/// Failed trials in a sentence without a full stop, or `None`.
fn failures(s: &Sensitivity) -> Option<String> {
    let total: u64 = s.failures.values().sum();
    (total > 0).then(|| {
        format!(
            "{total} of {} failed ({}): whatever depends on them is left out, so the figures describe only the part of the \
             space where runs succeed",
            format::count(s.evaluations, "trial"),
            reasons(&s.failures)
        )
    })
}

/// What can be said of an output as a whole, in a sentence without a full stop, or `None`.
fn whole(o: &OutputEffects) -> Option<String> {
    match &o.effects {
        _ if o.mean.is_none() => Some("No trial gave a value".into()),
        _ if o.sd == Some(0.0) => Some("It is the same everywhere in the space, so no parameter stands out".into()),
        Effects::Sobol { genes, .. } if genes.iter().any(vague) => Some(
            "There are too few samples to say how much each parameter explains alone: continue with --resume and more --samples"
                .into(),
        ),
        Effects::Sobol { genes, .. } => {
            let alone = genes.iter().map(|e| e.first.value).sum::<Option<f64>>()?;
            let alone = alone.clamp(0.0, 1.0);
            Some(format!(
                "Alone, the parameters explain {:.0} % of the variance, their interactions {:.0} %",
                100.0 * alone,
                100.0 * (1.0 - alone)
            ))
        }
        Effects::Morris(_) => None,
    }
}

/// Comma-separated text: a line per output and parameter, then per output and pair; full precision, empty cells where there is
/// no value.
pub fn csv(s: &Sensitivity) -> String {
    let head = match s.design.method {
        Method::Morris => ["mu_star", "mu", "sigma"].as_slice(),
        Method::Sobol => &["first", "total", "second"],
    };
    let mut out = String::from("output,parameter,with");
    for name in head {
        out += &format!(",{name},{name}_low,{name}_high");
    }
    out.push('\n');
    let mut line = |output: &str, key: &str, with: &str, figures: [&Figure; 3]| {
        let cells = figures.iter().flat_map(|f| [f.value, f.low, f.high]);
        let cells: Vec<String> = cells.map(|x| x.map_or_else(String::new, |x| x.to_string())).collect();
        let names = [output, key, with].map(super::sweep::field);
        out += &format!("{},{}\n", names.join(","), cells.join(","));
    };
    let none = Figure::default();
    for o in &s.outputs {
        match &o.effects {
            Effects::Morris(all) => {
                all.iter().for_each(|e| line(&o.name, &e.key, "", [&e.mu_star, &e.mu, &e.sigma]));
            }
            Effects::Sobol { genes, pairs } => {
                genes.iter().for_each(|e| line(&o.name, &e.key, "", [&e.first, &e.total, &none]));
                pairs.iter().for_each(|p| line(&o.name, &p.keys.0, &p.keys.1, [&none, &none, &p.second]));
            }
        }
    }
    out
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
