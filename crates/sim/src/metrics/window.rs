//! Which events a window holds.

use super::Window;
use std::ops::Range;

/// Events of a window.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picked {
    /// Indices of the events.
    pub events: Range<usize>,
    /// Time until which the next event was awaited, s, where the window reaches past the last event.
    pub awaited_s: Option<f64>,
}

/// Picks from ascending times of events. `missing` events were still to come when the run ended at `end_s`.
///
/// Ranks: event `k` of `n` (from 0, missing ones included) is inside if `first (n - 1) <= k <= last (n - 1)`. Ranks and
/// the steady part that hold fewer than two events take all. A window that ought to hold a missing event takes all
/// events of the run (a time window those inside) and says until when the next one was awaited.
///
/// Crossings: the events are crossings at the times of samples. The window begins with the last one that the sample saw by
/// which the first share of all, missing ones included, had happened, and ends with the last one of the sample of the other
/// share, so that the number of gaps is the difference of N(t) between the two samples.
pub(super) fn pick(window: Window, times: &[f64], missing: usize, end_s: f64) -> Picked {
    let n = times.len();
    let all = Picked { events: 0..n, awaited_s: (missing > 0).then_some(end_s) };
    let between = |from: f64, to: f64| {
        let first = times.partition_point(|&t| t < from);
        first..times.partition_point(|&t| t <= to).max(first)
    };
    let enough = |events: Range<usize>| {
        if events.len() < 2 { all.clone() } else { Picked { events, awaited_s: None } }
    };
    let last = times.last().copied();
    match window {
        Window::All => all,
        Window::TimeS(from, to) => {
            let waits = missing > 0 && last.is_none_or(|last| to > last);
            Picked { events: between(from, to), awaited_s: waits.then_some(end_s.min(to)) }
        }
        Window::Ranks(first, last) => {
            // 1e-9: chosen here, 0.1 x 30 must be 3 whatever the rounding.
            let top = (n + missing).saturating_sub(1) as f64;
            let first = (first * top - 1e-9).ceil().max(0.0) as usize;
            let last = (last * top + 1e-9).floor().max(0.0) as usize;
            if last >= n { all } else { enough(first.min(last)..last + 1) }
        }
        Window::Crossings { shares, .. } => {
            let [first, last] = nth(shares, n + missing);
            let by = |k: usize| times.partition_point(|&t| t <= times[k - 1]);
            if last > n { all } else { enough(by(first) - 1..by(last)) }
        }
        Window::Steady => {
            let (Some(&first), Some(last)) = (times.first(), last) else { return all };
            let end = if missing > 0 { end_s } else { last };
            let from = first + 0.2 * (end - first);
            let to = first + 0.8 * (end - first);
            if missing > 0 && to > last { all } else { enough(between(from, to)) }
        }
    }
}

/// Which of `all` crossings, counted from 1, complete the two shares; the first one completes a share of nothing.
fn nth(shares: (f64, f64), all: usize) -> [usize; 2] {
    // 1e-9: chosen here, 0.1 x 30 must be 3 whatever the rounding.
    [shares.0, shares.1].map(|share| (share * all as f64 - 1e-9).ceil().max(1.0) as usize)
}

/// The window of time from one share of all crossings to another, for what is measured at samples. `times` are those of the
/// samples that saw a crossing. A share that the missing ones of the run would have completed begins with the run or
/// ends with it; without anybody to cross the window is empty.
pub(super) fn timed(shares: (f64, f64), times: &[f64], missing: usize) -> Window {
    if times.is_empty() && missing == 0 {
        return Window::TimeS(f64::INFINITY, f64::NEG_INFINITY);
    }
    let [first, last] = nth(shares, times.len() + missing).map(|k| times.get(k - 1).copied());
    Window::TimeS(first.unwrap_or(f64::NEG_INFINITY), last.unwrap_or(f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: [f64; 11] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0];

    fn events(window: Window, missing: usize) -> (Range<usize>, Option<f64>) {
        let picked = pick(window, &TIMES, missing, 40.0);
        (picked.events, picked.awaited_s)
    }

    #[test]
    fn ranks_hold_both_ends() {
        assert_eq!(events(Window::Ranks(0.1, 0.9), 0), (1..10, None));
        assert_eq!(events(Window::Ranks(0.0, 1.0), 0), (0..11, None));
        assert_eq!(events(Window::Ranks(0.15, 0.85), 0), (2..9, None));
        assert_eq!(events(Window::Ranks(0.5, 0.55), 0), (0..11, None));
    }

    #[test]
    fn ranks_count_those_who_never_passed() {
        // 13 people: 0.1 x 12 = 1.2 and 0.8 x 12 = 9.6, both among the 11 who passed.
        assert_eq!(events(Window::Ranks(0.1, 0.8), 2), (2..10, None));
        // 0.95 x 12 = 11.4: person 11 never passed.
        assert_eq!(events(Window::Ranks(0.1, 0.95), 2), (0..11, Some(40.0)));
    }

    #[test]
    fn times_hold_both_ends() {
        assert_eq!(events(Window::TimeS(2.0, 4.0), 5), (2..5, None));
        assert_eq!(events(Window::TimeS(2.5, 30.0), 5), (3..11, Some(30.0)));
        assert_eq!(events(Window::TimeS(2.5, 50.0), 5), (3..11, Some(40.0)));
        assert_eq!(events(Window::TimeS(2.5, 50.0), 0), (3..11, None));
        assert_eq!(events(Window::TimeS(20.0, 15.0), 0).0.len(), 0);
    }

    #[test]
    fn crossings_hold_everybody_whom_the_two_samples_saw() {
        let tenths = Window::Crossings { shares: (0.1, 0.9), of: None };
        // 11 crossings: 1.1 and 9.9 make the second and the tenth.
        assert_eq!(events(tenths, 0), (1..10, None));
        // Nobody is counted before the first one.
        assert_eq!(events(Window::Crossings { shares: (0.0, 1.0), of: None }, 0), (0..11, None));
        // 13 people: 1.3 and 11.7 make the second, and the twelfth, who never crossed.
        assert_eq!(events(tenths, 2), (0..11, Some(40.0)));
        // Ten people, 1 and 9: three were seen at 2 s, the ninth and the tenth at 6 s.
        let seen_s = [2.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0, 5.0, 6.0, 6.0];
        assert_eq!(pick(tenths, &seen_s, 0, 9.0).events, 2..10);
        assert_eq!(timed((0.1, 0.9), &seen_s, 0), Window::TimeS(2.0, 6.0));
        // 20 people, 2 and 18: the second was seen at 2 s, the eighteenth never.
        assert_eq!(timed((0.1, 0.9), &seen_s, 10), Window::TimeS(2.0, f64::INFINITY));
        assert_eq!(timed((0.6, 0.9), &seen_s, 10), Window::TimeS(f64::NEG_INFINITY, f64::INFINITY));
        assert!(pick(timed((0.1, 0.9), &[], 0), &TIMES, 0, 10.0).events.is_empty());
        assert_eq!(pick(tenths, &[], 0, 9.0).events, 0..0);
    }

    #[test]
    fn steady_is_the_middle_of_the_time() {
        assert_eq!(events(Window::Steady, 0), (2..9, None));
        // 0.8 x 40 s lies after the last event.
        assert_eq!(events(Window::Steady, 3), (0..11, Some(40.0)));
        assert_eq!(pick(Window::Steady, &[], 3, 40.0), Picked { events: 0..0, awaited_s: Some(40.0) });
    }
}
