//! A still picture of crowds, one panel each, all on one scale: where people are at the end, and how they got there.

use super::canvas::{Canvas, Hold, cut, svg, text_width};
use super::scene::{Map, heading, legend, names, person, pieces, place, ruler};
use super::style::{INK, LABEL, SOFT, TICK, group};
use crate::report::format;
use crate::report::replay_file::{Crowd, ReplayFile};

/// So much of the way behind a person is drawn, s. Chosen here: longer trails of a crowd run into each other.
const TRAIL_S: f64 = 15.0;
/// Panels of one picture at most. Chosen here: more are too small to be looked at.
pub const MOST_PANELS: usize = 24;

/// One panel: its title, and a place with one crowd.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// The first crowd of this file is drawn.
    pub file: ReplayFile,
}

/// The picture of these panels in reading order; long places lie below each other, others form rows of up to four.
pub fn draw(title: &str, panels: &[Panel]) -> String {
    let sizes: Vec<_> = panels.iter().map(|p| p.file.bounds()).collect();
    let size = |pick: fn(f64, f64) -> f64, w: bool| {
        let one = sizes.iter().map(|(low, high)| if w { high.x - low.x } else { high.y - low.y });
        one.fold(0.5, pick)
    };
    let (w, h) = (size(f64::max, true), size(f64::max, false));
    let n = panels.len().max(1);
    let columns = match n {
        _ if w > 2.2 * h => 1,
        1..=3 => n,
        4 => 2,
        5..=9 => 3,
        _ => 4,
    };
    let rows = n.div_ceil(columns);
    let (width, gap, side) = (if columns > 2 { 1020.0 } else { 760.0 }, 20.0, 16.0);
    let cell = (width - 2.0 * side - gap * (columns - 1) as f64) / columns as f64;
    let scale = (cell / w).min(520.0 / h);
    let (foot, label, between) = (34.0, 26.0, 14.0);
    // Where the panels have other groups, each names its own.
    let same = panels.windows(2).all(|p| p[0].file.groups == p[1].file.groups);
    let common = panels.first().filter(|p| same && p.file.groups.len() > 1);
    let head = 34.0 + if common.is_some() { 24.0 } else { 0.0 };
    let height = head + rows as f64 * (label + h * scale + between) + foot;
    svg(width, height, title, |c| {
        c.title(title, "");
        if let Some(panel) = common {
            legend(c, &panel.file, 48.0, (20.0, width - 20.0));
        }
        for (i, (panel, (low, high))) in panels.iter().zip(&sizes).enumerate() {
            let left = side + (i % columns) as f64 * (cell + gap);
            let top = head + (i / columns) as f64 * (label + h * scale + between);
            let middle = left + (cell - (high.x - low.x) * scale) / 2.0;
            let map = Map { low: *low, high: *high, left: middle, bottom: top + label + h * scale, scale };
            one(c, panel, &map, (left, top + 13.0, cell));
            if !same && panel.file.groups.len() > 1 {
                let start = left + 24.0 + 1.06 * text_width(&panel.title, LABEL);
                legend(c, &panel.file, top + 13.0, (start, left + cell - 50.0));
            }
        }
        let files: Vec<_> = panels.iter().map(|p| &p.file).collect();
        ruler(c, &files, side, height - 14.0, scale);
    })
}

fn one(c: &mut Canvas<'_>, panel: &Panel, map: &Map, (left, y, width): (f64, f64, f64)) {
    let file = &panel.file;
    place(c, file, map);
    names(c, file, map);
    let Some(crowd) = file.crowds.first() else { return };
    let frame = moment(crowd);
    let time = format!("{} s", format::fixed(frame as f64 * crowd.every_s, 0));
    c.bold(left, y, &cut(&panel.title, LABEL * 1.06, width - 50.0), LABEL, INK, Hold::Start);
    c.text(left + width, y, &time, TICK, SOFT, Hold::End);
    let torus = file.rings.torus();
    let trail = (TRAIL_S / crowd.every_s.max(1e-3)).round() as usize;
    let here = || crowd.people.iter().filter_map(|p| Some((p, frame.checked_sub(p.start).filter(|&k| k < p.x.len())?)));
    for (p, at) in here() {
        let way = p.positions().skip(at.saturating_sub(trail)).take(at.min(trail) + 1);
        for piece in pieces(&torus, way) {
            let points: Vec<_> = piece.iter().map(|&q| map.at(q)).collect();
            c.line(&points, group(p.group.into()), 0.9, 0.3);
        }
    }
    for (p, at) in here() {
        let Some(pos) = p.positions().nth(at) else { continue };
        let radius = p.radius / 100.0 * map.scale;
        let marked = file.marked.contains(&p.group);
        person(c, map.at(pos), radius, heading(&torus, p, at), p.group.into(), marked);
    }
}

/// The frame to show: the last one; where nobody is left in it, the last one that still holds half of the people.
fn moment(crowd: &Crowd) -> usize {
    let there = |k: usize| crowd.people.iter().filter(|p| p.start <= k && k < p.start + p.x.len()).count();
    let last = crowd.frames.saturating_sub(1);
    if there(last) > 0 {
        return last;
    }
    (0..last).rev().find(|&k| 2 * there(k) >= crowd.people.len()).unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn an_emptied_place_is_shown_while_half_of_the_people_are_there() {
        let file = fixture::replay();
        let crowd = &file.crowds[1];
        let at = moment(crowd);
        let there = |k: usize| crowd.people.iter().filter(|p| p.start <= k && k < p.start + p.x.len()).count();
        assert_eq!(there(crowd.frames - 1), 0);
        assert!(there(at) >= 40 && there(at + 1) < 40);
    }

    #[test]
    fn every_panel_has_its_title_and_all_people_their_disc() {
        let mut file = fixture::replay();
        file.crowds.truncate(1);
        file.marked = vec![1];
        let panel = |title: &str| Panel { title: title.into(), file: file.clone() };
        let text = draw("Four", &[panel("attraction"), panel("<b>"), panel("c"), panel("d")]);
        let doc = roxmltree::Document::parse(&text).unwrap();
        let titles: Vec<_> = doc.descendants().filter_map(|n| n.text()).map(str::trim).collect();
        for wanted in ["Four", "attraction", "<b>", "east", "west", "measured here", "entrance", "front"] {
            assert!(titles.contains(&wanted), "{wanted}");
        }
        let people = file.crowds[0].people.iter().filter(|p| p.start + p.x.len() > moment(&file.crowds[0])).count();
        let discs = doc.descendants().filter(|n| n.has_tag_name("circle")).count();
        assert!(discs >= 4 * 2 * people, "{discs} circles for {people} people");
        assert!(!text.contains("NaN"));
    }

    #[test]
    fn groups_are_named_once_or_where_they_are() {
        let panel = |groups: &[&str]| {
            let mut file = fixture::replay();
            file.groups = groups.iter().map(|g| (*g).to_string()).collect();
            Panel { title: "a".into(), file }
        };
        let count = |panels: &[Panel], name: &str| draw("", panels).matches(&format!(">\n{name}\n<")).count();
        let both = [panel(&["east", "west"]), panel(&["east", "west"])];
        assert_eq!((count(&both, "east"), count(&both, "west")), (1, 1));
        let mixed = [panel(&["people"]), panel(&["east", "west"])];
        assert_eq!((count(&mixed, "east"), count(&mixed, "west"), count(&mixed, "people")), (1, 1, 0));
    }

    #[test]
    fn no_panels_and_no_people_are_a_picture_too() {
        let empty = ReplayFile::new("", &fixture::plan(), &[], &[]);
        for panels in [vec![], vec![Panel { title: String::new(), file: empty }]] {
            roxmltree::Document::parse(&draw("", &panels)).unwrap();
        }
    }
}
