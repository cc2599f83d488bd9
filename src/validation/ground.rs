//! Places and recorded tracks that several experiments share.

use super::lab::exact;
use crate::evolve::summary::Figure;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::crowd::{Frame, Trajectory};
use std::fmt::Write as _;

/// Starting points for `count` people in staggered rows from the lower left to the upper right corner, as an experiment
/// text writes them: denser than random placement can get.
pub fn rows(low: (f64, f64), high: (f64, f64), count: usize) -> String {
    let (width, height) = (high.0 - low.0, high.1 - low.1);
    // Rows of a triangular lattice are sqrt(3) / 2 of a spacing apart.
    let rows = (count as f64 * height / (width * 0.75_f64.sqrt())).sqrt().round().clamp(1.0, count as f64) as usize;
    let mut text = String::from("[");
    // With equal steps the rows stay staggered; the last one may be short.
    let in_row = count.div_ceil(rows);
    for row in 0..rows {
        let y = low.1 + height * (row as f64 + 0.5) / rows as f64;
        let shift = if row % 2 == 0 { 0.25 } else { 0.75 };
        for k in 0..in_row.min(count.saturating_sub(row * in_row)) {
            let x = low.0 + width * (k as f64 + shift) / in_row as f64;
            write!(text, "[{x:.4}, {y:.4}], ").expect("writing into a string cannot fail");
        }
    }
    text + "]"
}

/// Ten starts in a room of 8 x 5 m with a door in the middle of its right wall, far enough apart that nobody is pushed.
pub const TEN: &str =
    "[[1, 1.2], [2.5, 1.2], [4, 1.2], [5.5, 1.2], [6.8, 1.0], [1, 3.8], [2.5, 3.8], [4, 3.8], [5.5, 3.8], [6.8, 4.0]]";

/// When each person is first at a place that `there` accepts, s; `None` for people who never are.
pub fn first_time(track: &Trajectory, there: impl Fn(Vec2) -> bool) -> Vec<Option<f64>> {
    let mut times = vec![None; track.group.len()];
    for (frame, id, p) in places(track) {
        let time = &mut times[id];
        if time.is_none() && there(p) {
            *time = Some(frame.time_s);
        }
    }
    times
}

/// When each person starts to walk, s: the first moment after which they stay faster than `speed_m_per_s` for `lasting_s`;
/// `None` for people who never do. Somebody pushed aside is soon slow again.
pub fn start_times(track: &Trajectory, speed_m_per_s: f64, lasting_s: f64) -> Vec<Option<f64>> {
    let mut last: Vec<Option<(f64, Vec2)>> = vec![None; track.group.len()];
    let mut swift_since: Vec<Option<f64>> = vec![None; track.group.len()];
    let mut times = vec![None; track.group.len()];
    for (frame, id, p) in places(track) {
        let Some((time, from)) = last[id].replace((frame.time_s, p)) else { continue };
        if (p - from).length() <= speed_m_per_s * (frame.time_s - time) {
            swift_since[id] = None;
        } else {
            let since = *swift_since[id].get_or_insert(time);
            // Half a millisecond for the rounding of times.
            if times[id].is_none() && frame.time_s - since >= lasting_s - 5e-4 {
                times[id] = Some(since);
            }
        }
    }
    times
}

/// All recorded places: frame, person and position.
pub fn places(track: &Trajectory) -> impl Iterator<Item = (&Frame, usize, Vec2)> {
    track.frames.iter().flat_map(|f| f.id.iter().zip(&f.pos).map(move |(id, p)| (f, *id as usize, *p)))
}

/// The ways of everybody as points of a [`super::chart::Mark::Way`], one after the other.
pub fn ways(track: &Trajectory) -> Vec<(f64, Figure)> {
    ways_of(track, |_| true)
}

/// The same for people whose group `takes` accepts.
pub fn ways_of(track: &Trajectory, takes: impl Fn(u16) -> bool) -> Vec<(f64, Figure)> {
    let mut all: Vec<Vec<(f64, Figure)>> = vec![Vec::new(); track.group.len()];
    for (_, id, p) in places(track).filter(|(_, id, _)| takes(track.group[*id])) {
        all[id].push((p.x, exact(p.y)));
    }
    all.into_iter()
        .filter(|way| !way.is_empty())
        .flat_map(|way| way.into_iter().chain([(0.0, Figure::default())]))
        .collect()
}

/// Number of runs of a large crowd: a third with the hybrid, whose steps cost many times those of other models.
pub fn few(model: &str, many: u32) -> u32 {
    if model == "hybrid" { many.div_ceil(3) } else { many }
}

/// The outline of a polygon as points of a [`super::chart::Mark::Wall`].
pub fn outline(corners: &[(f64, f64)]) -> Vec<(f64, Figure)> {
    corners.iter().chain(corners.first()).map(|&(x, y)| (x, exact(y))).collect()
}

/// Walls that do not close, as points of a [`super::chart::Mark::Wall`].
pub fn walls(lines: &[&[(f64, f64)]]) -> Vec<(f64, Figure)> {
    let points = |line: &&[(f64, f64)]| line.iter().map(|&(x, y)| (x, exact(y))).collect::<Vec<_>>();
    lines.iter().flat_map(|line| points(line).into_iter().chain([(0.0, Figure::default())])).collect()
}

/// Corners as points.
pub fn corners(of: &[(f64, f64)]) -> Vec<Vec2> {
    of.iter().map(|&(x, y)| vec2(x, y)).collect()
}

/// The smallest step from one mean to the next, at least 0 if they never fall; `None` if one is missing.
pub fn least_step(figures: &[Figure]) -> Figure {
    let values: Option<Vec<f64>> = figures.iter().map(|f| f.value).collect();
    let steps = values.map(|v| v.windows(2).map(|w| w[1] - w[0]).fold(f64::INFINITY, f64::min));
    steps.filter(|s| s.is_finite()).map(exact).unwrap_or_default()
}

/// A number made of two figures; `None` if one is missing.
pub fn of_two(a: Figure, b: Figure, number: impl Fn(f64, f64) -> f64) -> Figure {
    a.value.zip(b.value).map(|(a, b)| exact(number(a, b))).unwrap_or_default()
}

/// The mean of a figure, without its interval.
pub fn number(value: Option<f64>) -> Figure {
    value.filter(|v| v.is_finite()).map(exact).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_everybody_and_nobody_stands_on_another() {
        for (count, spacing) in [(40, 1.2), (160, 0.6), (480, 0.4), (1, 9.0)] {
            let text = rows((0.0, 0.0), (20.0, 4.0), count);
            let at: toml::Table = toml::from_str(&format!("at = {text}")).unwrap();
            let at: Vec<Vec2> = at["at"]
                .as_array()
                .unwrap()
                .iter()
                .map(|p| {
                    let p = p.as_array().unwrap();
                    vec2(p[0].as_float().unwrap(), p[1].as_float().unwrap())
                })
                .collect();
            assert_eq!(at.len(), count);
            for (i, &p) in at.iter().enumerate() {
                assert!(p.x > 0.0 && p.x < 20.0 && p.y > 0.0 && p.y < 4.0);
                let ring = |q: Vec2| (p - q).length().min((p - q + vec2(20.0, 0.0)).length());
                assert!(at[..i].iter().all(|&q| ring(q) > spacing), "{count}: {p:?}");
            }
        }
    }

    #[test]
    fn times_are_those_of_the_first_frame_that_fits() {
        let mut track = Trajectory::every(1.0);
        track.group = vec![0, 0];
        for (k, x) in [0.0, 0.04, 0.2, 1.0].into_iter().enumerate() {
            let pos = vec![vec2(x, 0.0), vec2(3.0, 0.0)];
            track.frames.push(Frame { time_s: k as f64, id: vec![0, 1], pos });
        }
        assert_eq!(start_times(&track, 0.05, 1.0), [Some(1.0), None]);
        assert_eq!(start_times(&track, 0.05, 2.0), [Some(1.0), None]);
        assert_eq!(start_times(&track, 0.5, 1.0), [Some(2.0), None]);
        assert_eq!(start_times(&track, 0.05, 2.5), [None, None]);
        assert_eq!(first_time(&track, |p| p.x >= 1.0), [Some(3.0), Some(0.0)]);
        assert_eq!(ways(&track).iter().filter(|p| p.1.value.is_none()).count(), 2);
        track.group[1] = 1;
        let second: Vec<f64> = ways_of(&track, |group| group == 1).iter().map(|p| p.0).collect();
        assert_eq!(second, [3.0, 3.0, 3.0, 3.0, 0.0]);
    }

    #[test]
    fn the_least_step_tells_rising_from_falling() {
        let all = |v: &[f64]| least_step(&v.iter().map(|&x| exact(x)).collect::<Vec<_>>()).value;
        assert_eq!(all(&[1.0, 3.0, 4.0]), Some(1.0));
        assert_eq!(all(&[1.0, 3.0, 2.5]), Some(-0.5));
        assert_eq!(least_step(&[exact(1.0), Figure::default()]), Figure::default());
    }
}
