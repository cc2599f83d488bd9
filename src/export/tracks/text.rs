//! Tracks as text.

use crate::preset::Walked;
use crowdtune_core::math::Vec2;
use crowdtune_sim::world::scenario::Scenario;
use std::fmt::Write as _;

/// A table: who, when, where, of which group.
pub fn csv(walked: &Walked, scenario: &Scenario) -> String {
    let track = &walked.track;
    let mut out = String::from("id,time_s,x_m,y_m,radius_m,group\r\n");
    for frame in &track.frames {
        for (&id, p) in frame.id.iter().zip(&frame.pos) {
            let radius = track.radius.get(id as usize).copied().unwrap_or_default();
            let group = track.group.get(id as usize).and_then(|&group| scenario.groups.get(usize::from(group)));
            let group = group.map_or("", |group| group.name.as_str());
            let _ = write!(out, "{id},{:.3},{:.4},{:.4},{radius:.4},{group}\r\n", frame.time_s, p.x, p.y);
        }
    }
    out
}

/// As PedPy reads it.
pub fn pedpy(walked: &Walked, about: &[String]) -> String {
    let head: String = about.iter().map(|line| format!("# {line}\n")).collect();
    head + &walked.track.pedpy()
}

/// Vadere's `postvis.traj`: a row for each step of somebody. The person goes to no target that Vadere knows.
pub fn vadere(walked: &Walked) -> String {
    let mut out = String::from("pedestrianId simTime endTime startX startY endX endY targetId\n");
    for pair in walked.track.frames.windows(2) {
        let [now, next] = pair else { continue };
        // Ids ascend in both.
        let mut then = next.id.iter().zip(&next.pos).peekable();
        for (&id, &from) in now.id.iter().zip(&now.pos) {
            while then.next_if(|(other, _)| **other < id).is_some() {}
            let to: Option<Vec2> = then.next_if(|(other, _)| **other == id).map(|(_, &to)| to);
            // Who leaves is last seen here.
            let to = to.unwrap_or(from);
            // Vadere counts people from 1.
            let _ = writeln!(
                out,
                "{} {:.3} {:.3} {:.4} {:.4} {:.4} {:.4} -1",
                id + 1,
                now.time_s,
                next.time_s,
                from.x,
                from.y,
                to.x,
                to.y
            );
        }
    }
    out
}
