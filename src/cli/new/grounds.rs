//! The scenarios that several behaviors need together, and the own entries that settle what they want differently.

use crate::target::behaviors::{Ground, MakeBehavior, Want};
use crowdtune_core::registry::Entry;

type Behavior = &'static Entry<MakeBehavior>;

/// One scenario of the file.
#[derive(Debug)]
pub(super) struct Place {
    /// Name of its table.
    pub name: String,
    /// What it is.
    pub ground: Ground,
    /// The behaviors that are looked at here.
    pub behaviors: Vec<Behavior>,
}

/// The fewest scenarios that suit all, found one behavior after the other: each goes to the first scenario that suits it,
/// or brings the one that shows it best. Behaviors that can be seen anywhere come last, and are seen everywhere.
pub(super) fn places(behaviors: &[Behavior]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let (anywhere, bound): (Vec<Behavior>, Vec<Behavior>) = behaviors.iter().partition(|b| b.make.anywhere);
    for behavior in bound {
        match places.iter_mut().find(|p| behavior.make.scenarios.contains(&p.ground)) {
            Some(place) => place.behaviors.push(behavior),
            None => places.push(place(behavior)),
        }
    }
    if places.is_empty()
        && let Some(first) = anywhere.first()
    {
        places.push(Place { behaviors: Vec::new(), ..place(first) });
    }
    // A table that is alone is called by its kind; two of one kind need other names.
    let several = places.len() > 1;
    for place in &mut places {
        place.name = if several { place.behaviors[0].name.into() } else { place.ground.kind.into() };
        place.behaviors.extend(&anywhere);
    }
    places
}

fn place(behavior: Behavior) -> Place {
    Place { name: String::new(), ground: behavior.make.scenarios[0], behaviors: vec![behavior] }
}

/// The table `[target]`: what the behaviors want, commented out, and own entries where two of them differ or a target
/// belongs to one of several scenarios.
pub(super) fn targets(behaviors: &[Behavior], places: &[Place]) -> String {
    let mut out = String::from("[target]\n");
    // Who wanted something under a name first.
    let mut first: Vec<(&Want, Behavior)> = Vec::new();
    for behavior in behaviors {
        out += &format!("# {}: {}\n", behavior.name, behavior.doc);
        for want in behavior.make.targets {
            let place = only_place(want, behavior, places);
            let at = place.map_or(String::new(), |p| format!(", scenario = {:?}", p.name));
            let named = |(other, _): &&(&Want, Behavior)| other.name == want.name;
            let same = first.iter().filter(named).any(|(other, _)| other.text == want.text);
            match first.iter().find(named).copied() {
                None => {
                    first.push((want, behavior));
                    let settles = behaviors.iter().any(|b| b.make.targets.iter().any(|o| differs(o, want)));
                    let mark = if settles || place.is_some() { "" } else { "# " };
                    out += &format!("{mark}{} = {{ {}{at} }}\n", want.name, want.text);
                }
                Some(_) if same => {
                    out += &format!("# {}: as above\n", want.name);
                }
                Some((_, by)) => {
                    first.push((want, behavior));
                    match place {
                        Some(place) => {
                            out += &format!("{}_in_{} = {{ {}{at} }}\n", want.name, place.name, want.text);
                        }
                        // In one place both are wished for, and the search finds a compromise.
                        None => {
                            let name = format!("{}_of_{}", want.name, behavior.name);
                            out += &format!("{name} = {{ {} }}    # `{}` wants something else\n", want.text, by.name);
                        }
                    }
                }
            }
        }
    }
    out
}

/// Two behaviors that are seen in one place and want different things under one name, with that name.
pub(super) fn rivals(places: &[Place]) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut found = Vec::new();
    for place in places {
        for (k, one) in place.behaviors.iter().enumerate() {
            for other in &place.behaviors[k + 1..] {
                let wants = |a: &&Want| other.make.targets.iter().any(|b| differs(a, b));
                found.extend(one.make.targets.iter().filter(wants).map(|want| (one.name, other.name, want.name)));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// True for different wishes under one name.
fn differs(a: &Want, b: &Want) -> bool {
    a.name == b.name && a.text != b.text
}

/// The scenario that a target is tied to: that of its behavior, if there are others where nobody wants the same.
fn only_place<'p>(want: &Want, behavior: Behavior, places: &'p [Place]) -> Option<&'p Place> {
    let wanted_in = |place: &&Place| {
        place.behaviors.iter().any(|b| b.make.targets.iter().any(|o| o.name == want.name && o.text == want.text))
    };
    let all: Vec<_> = places.iter().filter(wanted_in).collect();
    (all.len() == 1 && places.len() > 1 && all[0].behaviors.iter().any(|b| std::ptr::eq(*b, behavior))).then(|| all[0])
}
