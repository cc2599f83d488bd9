//! What is shown of a recording beside the values: points of a curve as a table, pictures, and a page that plays it.

use crate::format;
use crate::replay::ReplayFile;
use crate::report::plots;
use crate::report::run_table::{About, RunTable};
use crate::report::table::{self, Terminal};
use crowdtune_core::math::{Vec2, stats};
use crowdtune_sim::crowd::recording::Recording;
use crowdtune_sim::crowd::{Crowd, Trajectory};
use crowdtune_sim::metrics::recorded::Request;
use crowdtune_sim::metrics::{Plot, Table};
use crowdtune_sim::world::scenario::FloorPlan;
use std::path::{Path, PathBuf};

/// Classes of a curve at most. Chosen here: what is read at a glance.
const CLASSES: f64 = 8.0;
/// Frames of a replay at most; it is thinned further to what a page holds.
const FRAMES: i64 = 20_000;

/// The points of a table by classes of what is to the right: how many, their mean, and what is wanted. `None` for a table that is
/// no cloud of points.
pub fn curve(table: &Table, terminal: Terminal) -> Option<String> {
    let Plot::Dots { x, y, band } = table.plot else { return None };
    let rows: Vec<&Vec<f64>> = table.rows.iter().filter(|row| row[x].is_finite() && row[y].is_finite()).collect();
    let (low, high) = rows.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), r| (a.min(r[x]), b.max(r[x])));
    if rows.is_empty() {
        return None;
    }
    // 1, 2 or 5 times a power of ten.
    let widths = (-6..12).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * libm::pow(10.0, f64::from(power))));
    let class = |width: f64, at: f64| (at / width).floor();
    let width = widths.into_iter().find(|&w| class(w, high) - class(w, low) < CLASSES)?;
    let mut head = vec![table.columns[x].to_string(), "samples".into(), format!("mean {}", table.columns[y])];
    if band.is_some() {
        head.push("wanted".into());
    }
    let (first, last) = (class(width, low) as i64, class(width, high) as i64);
    let lines = (first..=last).filter_map(|k| {
        let inside: Vec<&&Vec<f64>> = rows.iter().filter(|row| class(width, row[x]) as i64 == k).collect();
        let mean = |column: usize| stats::mean(&inside.iter().map(|row| row[column]).collect::<Vec<_>>());
        if inside.is_empty() {
            return None;
        }
        let ends = [k, k + 1].map(|k| format::number(k as f64 * width)).join(" to ");
        let mut line = vec![ends, inside.len().to_string(), format::number(mean(y))];
        line.extend(band.map(|(low, high)| [low, high].map(|c| format::number(mean(c))).join(" to ")));
        Some(line)
    });
    Some(table::plain(&head, &lines.collect::<Vec<_>>(), terminal) + "\n")
}

/// The picture of the table behind a metric; `None` where nothing can be drawn.
pub fn picture(request: &Request, table: &Table, at: &str) -> Option<String> {
    let name = request.entry.name.to_string();
    let case = if at.is_empty() { "the whole place".into() } else { at.to_string() };
    let about = About { column: name.clone(), metric: name, case, label: "recorded".into() };
    plots::of_table(&RunTable::new(about, table))
}

/// The name of the picture with this number, from 0: the second one gets `-2` before the ending.
pub fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 0 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let end = path.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    path.with_file_name(format!("{stem}-{}{end}", number + 1))
}

/// The replay of a recording. Where rows are missing inside a track, people are drawn on the straight line.
pub fn replay(
    recording: &Recording,
    plan: &FloorPlan,
    radius_m: Option<f64>,
    title: &str,
    requests: &[Request],
) -> ReplayFile {
    let track = trajectory(recording, plan, radius_m);
    let places: Vec<_> = requests.iter().filter_map(|r| Some((r.entry.name, r.at.as_ref()?))).collect();
    ReplayFile::new(title, plan, &["all".to_string()], &[("recorded", &track)]).measured(&places)
}

fn trajectory(recording: &Recording, plan: &FloorPlan, radius_m: Option<f64>) -> Trajectory {
    let mut rows: Vec<Vec<(i64, Vec2)>> = vec![Vec::new(); recording.people()];
    for moment in &recording.moments {
        for (&id, &pos) in moment.ids.iter().zip(&moment.positions) {
            rows[id as usize].push((moment.frame, pos));
        }
    }
    let ends = [recording.moments.first(), recording.moments.last()].map(|m| m.map_or(0, |m| m.frame));
    let stride = recording.stride();
    let step = stride * ((ends[1] - ends[0]) / (stride * FRAMES) + 1);
    let mut track = Trajectory::every(step as f64 / recording.fps);
    // Chosen here: a body as most models have it.
    track.radius = vec![radius_m.unwrap_or(0.2); rows.len()];
    track.group = vec![0; rows.len()];
    let left = |rows: &Vec<(i64, Vec2)>| rows.last().map(|row| row.0).filter(|&last| last < ends[1]);
    let seconds = |frame: i64| (frame - ends[0]) as f64 / recording.fps;
    track.left_s = rows.iter().map(|rows| left(rows).map(seconds)).collect();
    for frame in (ends[0]..=ends[1]).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
        let mut crowd = Crowd::default();
        for (id, rows) in (0..).zip(&rows) {
            let after = rows.partition_point(|row| row.0 < frame);
            let Some(&(next, to)) = rows.get(after) else { continue };
            if next == frame {
                crowd.id.push(id);
                crowd.pos.push(plan.periodic.wrap(to));
            } else if let Some(&(before, from)) = after.checked_sub(1).and_then(|k| rows.get(k)) {
                let share = (frame - before) as f64 / (next - before) as f64;
                crowd.id.push(id);
                crowd.pos.push(plan.periodic.wrap(from + plan.periodic.apart(from, to) * share));
            }
        }
        track.frame(seconds(frame), &crowd);
    }
    track
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;
    use crowdtune_sim::crowd::recording::Row;

    #[test]
    fn a_replay_fills_gaps_and_knows_who_left() {
        let row = |id, frame, x: f64| Row { id, frame, pos: vec2(x, 0.0), line: 0 };
        let rows = vec![row(1, 5, 0.0), row(1, 6, 1.0), row(1, 8, 3.0), row(2, 5, 9.0), row(2, 6, 9.0), row(2, 9, 9.0)];
        let track = trajectory(&Recording::of(10.0, rows).unwrap(), &FloorPlan::default(), None);
        let ids: Vec<_> = track.frames.iter().map(|f| f.id.clone()).collect();
        assert_eq!(ids, [vec![0, 1], vec![0, 1], vec![0, 1], vec![0, 1], vec![1]]);
        assert_eq!(track.frames[2].pos[0], vec2(2.0, 0.0));
        assert_eq!(track.left_s, [Some(0.3), None]);
    }

    #[test]
    fn points_are_counted_by_round_classes() {
        let rows = (0..40).map(|k| vec![0.1 * f64::from(k) + 0.05, 2.0, 1.0, 3.0]).collect();
        let plot = Plot::Dots { x: 0, y: 1, band: Some((2, 3)) };
        let columns: &[&str] = &["density_per_m2", "speed_m_per_s", "low_m_per_s", "high_m_per_s"];
        let table = Table { plot, columns, rows };
        let text = curve(&table, Terminal::default()).unwrap();
        assert!(
            text.contains("0.500 to 1.00") && text.contains("3.50 to 4.00") && text.contains("1.00 to 3.00"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 4 + 8, "{text}");
    }
}
