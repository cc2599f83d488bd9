use super::*;
use crate::evolve::summary::{Checked, Figure, SideOf, Split};
use crate::report::fixture::{self, atlas};

#[test]
fn every_cell_lies_inside_the_picture_and_no_two_overlap() {
    for cells in [&[4][..], &[10, 10], &[100, 100], &[6, 5, 4], &[10, 10, 10], &[2, 2, 100]] {
        for aspect in [0.2, 1.0, 6.0] {
            let atlas = AtlasSummary { cells: Vec::new(), ..atlas(cells) };
            let layout = Layout::of(&atlas, aspect);
            let [nx, ny, nz] = layout.counts;
            let mut last: Option<Box4> = None;
            for z in 0..nz {
                for x in 0..nx {
                    for y in 0..ny {
                        let (left, top, w, h) = layout.cell(&[x, y, z]);
                        assert!(left >= 0.0 && top >= 0.0 && w > 0.0 && h > 0.0);
                        assert!(left + w <= layout.width && top + h <= layout.height, "{cells:?} {x} {y} {z}");
                        if let Some((l, t, lw, lh)) = last {
                            let apart = left >= l + lw - 1e-9
                                || l >= left + w - 1e-9
                                || top >= t + lh - 1e-9
                                || t >= top + h - 1e-9;
                            assert!(apart, "{cells:?} {x} {y} {z}");
                        }
                        last = Some((left, top, w, h));
                    }
                }
            }
        }
    }
    // The vertical axis rises.
    let layout = Layout::of(&atlas(&[4, 4]), 1.0);
    assert!(layout.cell(&[0, 3]).1 < layout.cell(&[0, 0]).1);
    assert_eq!(layout.panel(0).1, layout.cell(&[0, 3]).1);
}

#[test]
fn the_map_names_axes_units_and_cells_and_is_well_formed() {
    let mut crowds = fixture::replay();
    crowds.crowds.truncate(1);
    crowds.crowds[0].label = "0,0".into();
    for cells in [&[3][..], &[4, 5], &[3, 3, 4]] {
        let mut atlas = atlas(cells);
        atlas.axes[0].name = "<density&".into();
        let text = picture(&atlas, Some(&crowds));
        let doc = roxmltree::Document::parse(&text).unwrap();
        let texts: Vec<_> = doc.descendants().filter_map(|n| n.text()).map(str::trim).collect();
        assert!(texts.contains(&"<density& (1/m\u{b2})") && texts.contains(&"best cell") && texts.contains(&"empty"));
        let groups = doc.descendants().filter(|n| n.attribute("id").is_some_and(|id| id.starts_with("atlas-"))).count();
        assert_eq!(groups, atlas.cells.len());
        assert!(!text.contains("NaN"));
    }
}

#[test]
fn a_thumbnail_has_all_people_and_their_walls() {
    let file = fixture::replay();
    // Nobody leaves in the first 12 s.
    let crowd = crate::replay::Crowd { frames: 100, ..file.crowds[0].clone() };
    let text = thumb::draw(&file, &crowd);
    let last = crowd.frames - 1;
    let here = crowd.people.iter().filter(|p| p.start <= last && last < p.start + p.x.len()).count();
    assert!(here > 0 && text.matches("h0").count() >= 2 * here, "{here}");
    let (w, h) = size(&file);
    assert!(w.max(h) <= thumb::SIDE + 1e-9 && w.min(h) > 20.0);
    // Numbers only: nothing that a file says can get into the page.
    assert!(!text.contains("entrance"));
}

#[test]
fn an_empty_atlas_is_a_map_too() {
    let empty = AtlasSummary { cells: Vec::new(), defaults: None, ..atlas(&[3, 3]) };
    let text = picture(&empty, None);
    roxmltree::Document::parse(&text).unwrap();
    assert!(!text.contains("inf") && !text.contains("NaN"));
}

#[test]
fn ticks_are_as_many_as_fit_and_lie_on_borders() {
    let axis = &atlas(&[10]).axes[0];
    let texts: Vec<String> = ticks(axis, 440.0, 44.0).into_iter().map(|t| t.1).collect();
    assert_eq!(texts, ["0", "0.2", "0.4", "0.6", "0.8", "1", "1.2", "1.4", "1.6", "1.8", "2"]);
    let few: Vec<f64> = ticks(axis, 150.0, 44.0).into_iter().map(|t| t.0).collect();
    assert_eq!(few, [0.0, 4.0, 8.0]);
}

#[test]
fn constants_have_a_panel_each_and_the_two_that_tell_most_a_map() {
    let mut atlas = atlas(&[4, 4]);
    let genes = fixture::summary().genes;
    let known = |x: f64| Figure { value: Some(x), low: Some(x), high: Some(x) };
    // Twelve on each side of 1, apart in every parameter.
    let side = |k: usize| if k < 12 { (SideOf::Above, 1.5, 0.9) } else { (SideOf::Below, 0.5, 0.1) };
    let values = |k: usize| genes.iter().map(|g| g.low + side(k).2 * (g.high - g.low)).collect::<Vec<f64>>();
    let checked =
        |k: usize| Checked { genes: values(k), measures: vec![known(side(k).1), known(1.0)], loss: known(0.0) };
    atlas.checked = (0..24).map(checked).collect();
    let names = |atlas: &AtlasSummary| -> Vec<String> {
        let plots = constants::plots(atlas, &genes);
        for plot in &plots {
            let doc = roxmltree::Document::parse(&plot.svg).unwrap();
            let texts: Vec<_> = doc.descendants().filter_map(|n| n.text()).map(str::trim).collect();
            let asked = atlas.splits.iter().any(|_| plot.name.ends_with("density"));
            assert_eq!(texts.contains(&"at least 1, the whole interval"), asked, "{}", plot.name);
            assert!(!plot.svg.contains("NaN"));
        }
        plots.into_iter().map(|plot| plot.name).collect()
    };
    assert_eq!(names(&atlas), ["constants_density", "constants_polarization"]);
    let keys: Vec<(String, usize)> = genes.iter().map(|g| (g.key.clone(), 5)).collect();
    let rows: Vec<_> = (0..24).map(|k| (side(k).0, values(k), vec![side(k).2; genes.len()])).collect();
    atlas.splits = vec![Split::new(0, 1.0, &keys, &rows)];
    assert_eq!(names(&atlas), ["constants_density", "map_density", "constants_polarization"]);
    assert!(constants::plots(&AtlasSummary { checked: Vec::new(), ..atlas }, &genes).is_empty());
}
