//! A still picture of crowds, one panel each, all on one scale: where people are at the end, and how they got there.

use super::paths::{HIGHEST, LONG};
use super::scene::{Map, groups, heading, names, person, pieces, place, ruler};
use crate::format;
use crate::replay::{Crowd, ReplayFile};
use crate::report::chart::style::{INK, SOFT, group};
use crate::report::chart::{Anchor, Canvas, Font, Point, SIDE, Sheet, Stroke, WIDTH};

/// Length of the trail behind a person, s. Chosen here: longer trails of a crowd run into each other.
const TRAIL_S: f64 = 15.0;
/// Most panels of one picture. Chosen here: with more, each is too small to look at.
pub const MOST_PANELS: usize = 24;
/// Width of a picture with more than two panels in a row, px.
const WIDE: f64 = 1020.0;
/// Room for the name above a panel, px.
const NAME: f64 = 26.0;
/// Room for the time at the right of a name, px.
const TIME: f64 = 50.0;
/// Between panels beside and below each other, px.
const GAP: (f64, f64) = (20.0, 14.0);
/// Room for the ruler, px.
const FOOT: f64 = 34.0;

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
    let w = sizes.iter().map(|(low, high)| high.x - low.x).fold(0.5, f64::max);
    let h = sizes.iter().map(|(low, high)| high.y - low.y).fold(0.5, f64::max);
    let n = panels.len().max(1);
    let columns = match n {
        _ if w > LONG * h => 1,
        1..=3 => n,
        4 => 2,
        5..=9 => 3,
        _ => 4,
    };
    let width = if columns > 2 { WIDE } else { WIDTH };
    let cell = (width - 2.0 * SIDE - GAP.0 * (columns - 1) as f64) / columns as f64;
    let scale = (cell / w).min(HIGHEST / h);
    let row = NAME + h * scale + GAP.1;
    // Where the panels have different groups, each names its own.
    let same = panels.windows(2).all(|p| p[0].file.groups == p[1].file.groups);
    let common = panels.first().filter(|_| same).map(|p| groups(&p.file)).unwrap_or_default();
    let height = n.div_ceil(columns) as f64 * row + FOOT;
    Sheet::new(title).width(width).legend(common).draw(height, |c, top| {
        for (i, (panel, (low, high))) in panels.iter().zip(&sizes).enumerate() {
            let left = SIDE + (i % columns) as f64 * (cell + GAP.0);
            let upper = top + (i / columns) as f64 * row;
            let middle = left + (cell - (high.x - low.x) * scale) / 2.0;
            let map = Map { low: *low, high: *high, left: middle, bottom: upper + NAME + h * scale, scale };
            one(c, panel, &map, (left, upper + 13.0), cell, !same);
        }
        let files: Vec<_> = panels.iter().map(|p| &p.file).collect();
        ruler(c, &files, top + height - 14.0, scale);
    })
}

/// A panel with its name and time at `(left, y)` in a width, and its own groups where they are `named`.
fn one(c: &mut Canvas<'_>, panel: &Panel, map: &Map, (left, y): Point, width: f64, named: bool) {
    let file = &panel.file;
    place(c, file, map);
    names(c, file, map);
    let title = Font::HEADING.cut(&panel.title, width - TIME);
    c.text((left, y), &title, Font::HEADING, INK, Anchor::Start);
    if named {
        let start = 24.0 + Font::HEADING.width(&title);
        let room = width - TIME - start;
        groups(file).first_row(room).draw(c, (left + start, y - 9.0), room);
    }
    let Some(crowd) = file.crowds.first() else { return };
    let frame = moment(crowd);
    let time = format!("{} s", format::fixed(frame as f64 * crowd.every_s, 0));
    c.text((left + width, y), &time, Font::TICK, SOFT, Anchor::End);
    let torus = file.rings.torus();
    let trail = (TRAIL_S / crowd.every_s.max(1e-3)).round() as usize;
    let here = || crowd.people.iter().filter_map(|p| Some((p, frame.checked_sub(p.start).filter(|&k| k < p.x.len())?)));
    for (p, at) in here() {
        let way = p.positions().skip(at.saturating_sub(trail)).take(at.min(trail) + 1);
        for piece in pieces(&torus, way) {
            let points: Vec<_> = piece.iter().map(|&q| map.at(q)).collect();
            c.line(&points, Stroke::new(group(p.group.into()), 0.9).alpha(0.3));
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
    (0..last).rev().find(|&k| 2 * there(k) >= crowd.count()).unwrap_or(last)
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
