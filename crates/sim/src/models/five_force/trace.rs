//! The trail of a group: where its first member has walked, for members who reach a wall later.

use crate::crowd::{Status, View};
use crowdtune_core::math::Vec2;
use std::collections::VecDeque;

/// Most points of a trace; the oldest are dropped. Chosen here: a hundred meters for a person of average width.
const POINTS: usize = 200;

/// Where the first member of a group has walked.
///
/// The first member is the walker with the lowest id. When that person leaves, the trace ends at the goal and nobody
/// adds to it.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    points: VecDeque<Vec2>,
    leader: Option<u32>,
}

impl Trace {
    /// An empty trace.
    pub(super) fn new() -> Self {
        Self { points: VecDeque::with_capacity(POINTS), leader: None }
    }

    /// Adds the positions of the first members, at most one per body diameter walked.
    pub(super) fn record(traces: &mut [Self], view: &View<'_>) {
        let crowd = view.crowd;
        for row in 0..crowd.len() {
            let trace = &mut traces[crowd.group[row] as usize];
            if crowd.status[row] != Status::Walking || *trace.leader.get_or_insert(crowd.id[row]) != crowd.id[row] {
                continue;
            }
            let (p, diameter) = (crowd.pos[row], 2.0 * crowd.radius[row]);
            if trace.points.back().is_none_or(|&last| view.world.apart(last, p).length() >= diameter) {
                if trace.points.len() == POINTS {
                    trace.points.pop_front();
                }
                trace.points.push_back(p);
            }
        }
    }

    /// The vector to the farthest point of the trace that a person can see: within range, ahead, at least a body width
    /// away, and with no wall in between. `None` for the first member, whose trace lies behind.
    pub(super) fn way(&self, view: &View<'_>, row: usize, heading: Vec2, range: f64) -> Option<Vec2> {
        let crowd = view.crowd;
        if self.leader == Some(crowd.id[row]) {
            return None;
        }
        let (p, diameter) = (crowd.pos[row], 2.0 * crowd.radius[row]);
        let ahead = view.desired[row].unit().unwrap_or(heading);
        self.points.iter().rev().map(|&point| view.world.apart(p, point)).find(|&way| {
            let d = way.length();
            d <= range && d >= diameter && way.dot(ahead) > 0.0 && !view.world.walls.crosses(p, p + way)
        })
    }
}
