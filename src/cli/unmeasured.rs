//! Why a metric has no value on recorded tracks.

use crate::format;
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_sim::crowd::recording::Recording;
use crowdtune_sim::metrics::Place;
use crowdtune_sim::metrics::recorded::{Request, Staging, measure};
use crowdtune_sim::world::scenario::{Bounds, FloorPlan, Polygon};

/// The reason in words: nobody at the place, or too little for the metric.
///
/// # Errors
/// If the recording cannot be measured at all.
pub fn reason(
    recording: &Recording,
    plan: &FloorPlan,
    request: &Request,
    registry: &Registry,
) -> Result<String, Error> {
    let some = match &request.at {
        Some(Place::Line(_)) => "crossing the line at any time",
        Some(Place::Area(_)) => "in the area at any time",
        None => "in the recording",
    };
    Ok(match there(recording, plan, request, registry)? {
        0 => nobody(recording, request),
        n => {
            let count = if n == 1 { "1 person".to_owned() } else { format!("{n} people") };
            format!("{count} {some}, which is too few, too short a time or outside its window")
        }
    })
}

/// The same of a value of 0, which is no less a sign of a wrong place: `None` if people are there.
///
/// # Errors
/// If the recording cannot be measured at all.
pub fn nothing_there(
    recording: &Recording,
    plan: &FloorPlan,
    request: &Request,
    registry: &Registry,
) -> Result<Option<String>, Error> {
    Ok((there(recording, plan, request, registry)? == 0).then(|| nobody(recording, request)))
}

fn nobody(recording: &Recording, request: &Request) -> String {
    let none = match &request.at {
        Some(Place::Line(_)) => "nobody crosses this line",
        Some(Place::Area(_)) => "nobody comes into this area",
        None => "there is nobody",
    };
    format!("{none}; {}", extent(recording))
}

/// People at the place of a metric.
fn there(recording: &Recording, plan: &FloorPlan, request: &Request, registry: &Registry) -> Result<usize, Error> {
    Ok(match &request.at {
        Some(Place::Line(_)) => {
            let all = [Request::plain(registry.metrics.get("crossings")?, request.at.clone())];
            let counted = measure(recording, Staging::plain(plan.clone()), &all, &mut |_, _| ())?;
            counted[0].value().unwrap_or(0.0) as usize
        }
        Some(Place::Area(area)) => visitors(recording, plan, area),
        None => recording.people(),
    })
}

fn visitors(recording: &Recording, plan: &FloorPlan, area: &Polygon) -> usize {
    let mut inside = vec![false; recording.people()];
    for moment in &recording.moments {
        for (&id, &pos) in moment.ids.iter().zip(&moment.positions) {
            inside[id as usize] |= area.contains(plan.periodic.wrap(pos));
        }
    }
    inside.iter().filter(|inside| **inside).count()
}

/// Where the people are, which shows a wrong place or unit.
fn extent(recording: &Recording) -> String {
    let positions = recording.moments.iter().flat_map(|moment| moment.positions.iter().copied());
    Bounds::of(positions).map_or_else(String::new, |Bounds { min, max }| {
        let [left, right, low, high] = [min.x, max.x, min.y, max.y].map(|x| format::fixed(x, 2));
        format!("people are at x from {left} to {right} m and y from {low} to {high} m")
    })
}
