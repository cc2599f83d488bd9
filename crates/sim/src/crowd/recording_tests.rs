//! Small files, written out.

use super::*;
use crowdtune_core::math::vec2;

fn known(fps: f64, unit: Unit) -> Known {
    Known { fps: Some(fps), unit: Some(unit), columns: None }
}

fn says(text: &str) -> String {
    Recording::parse(text, "a.txt", &Known::default()).unwrap_err().to_string()
}

#[test]
fn comments_give_rate_and_unit_and_ids_become_dense() {
    let text = "# framerate: 12.5 fps\n# id frame x/cm y/cm z/cm\n\n7 10 100 -50 170\n-3\t0\t1\t2\t170\n7 0 50 0 170\n";
    let r = Recording::parse(text, "a.txt", &Known::default()).unwrap();
    assert_eq!((r.fps, r.people(), r.stride()), (12.5, 2, 10));
    assert_eq!(r.names, [-3, 7]);
    assert_eq!(r.moments.len(), 2);
    assert_eq!(r.moments[0], Moment { frame: 0, ids: vec![0, 1], positions: vec![vec2(0.01, 0.02), vec2(0.5, 0.0)] });
    assert_eq!(r.moments[1], Moment { frame: 10, ids: vec![1], positions: vec![vec2(1.0, -0.5)] });
    assert_eq!(r.time_s(10), 0.8);
}

#[test]
fn units_are_found_in_the_comments_of_known_programs() {
    for (comment, unit) in [
        ("# id frame x/m y/m z/m", Unit::M),
        ("# x/y/z in m", Unit::M),
        ("#X,Y,Z: the agents coordinates (in meters)", Unit::M),
        ("# id frame x/cm y/cm z/cm", Unit::Cm),
        ("# coordinates in centimeters", Unit::Cm),
    ] {
        let text = format!("#framerate: 16\n{comment}\n1 0 2 0\n");
        let r = Recording::parse(&text, "a.txt", &Known::default()).unwrap();
        assert_eq!((r.fps, r.moments[0].positions[0].x), (16.0, 2.0 * unit.meters()), "{comment}");
    }
}

#[test]
fn what_the_user_knows_goes_before_what_the_file_says() {
    let text = "# framerate: 25 fps\n# x/y/z in m\n1 0 2 0\n";
    let r = Recording::parse(text, "a.txt", &known(10.0, Unit::Cm)).unwrap();
    assert_eq!((r.fps, r.moments[0].positions[0].x), (10.0, 0.02));
}

#[test]
fn columns_can_have_names_or_another_order() {
    let text = "Frame,ID,y,x,v_x\n10,1,2.5,1.5,0\n";
    let r = Recording::parse(text, "a.csv", &known(25.0, Unit::M)).unwrap();
    assert_eq!(r.moments[0].positions, [vec2(1.5, 2.5)]);
    assert_eq!(r.moments[0].frame, 10);
    // UCY: frame, id, x, height, y; whole numbers as floats.
    let columns = Some("frame,id,x,-,y".split(',').map(str::to_owned).collect());
    let known = Known { columns, ..known(25.0, Unit::M) };
    let r = Recording::parse("  1.1e+01  3.0e+00  -2.5e+00 0 1.8e+01\n", "a.txt", &known).unwrap();
    assert_eq!((r.moments[0].frame, r.names[0], r.moments[0].positions[0]), (11, 3, vec2(-2.5, 18.0)));
}

#[test]
fn mistakes_name_their_line() {
    let head = "# framerate: 25 fps\n# x/y/z in m\n";
    assert!(says(&format!("{head}1 0 2\n")).contains("a row with 3 columns has no y\n  --> a.txt:3"));
    assert!(says(&format!("{head}1 0 2 a\n")).contains("`a` is not a number for y\n  --> a.txt:3"));
    assert!(says(&format!("{head}1 0.5 2 1\n")).contains("0.5 is not a whole number for frame\n  --> a.txt:3"));
    assert!(says(&format!("{head}1 0 2 nan\n")).contains("`nan` is not a number"));
    assert!(
        says(&format!("{head}1 0 2 1\n2 0 2 1\n1 0 3 1\n")).contains("person 1 is twice in frame 0\n  --> a.txt:5")
    );
    assert!(says(&format!("{head}1 0 1e9 1\n")).contains("cannot be placed"));
    assert!(says(&format!("{head}id frame x\n1 0 2 1\n")).contains("no column is called `y`"));
    assert!(says(head).contains("no rows"));
    assert!(says("# framerate: 25 fps\n1 0 2 1\n").contains("key:     unit"));
    assert!(says("# x/y/z in m\n1 0 2 1\n").contains("key:     fps"));
    assert!(says("# framerate: 0 fps\n# x/y/z in m\n1 0 2 1\n").contains("above 0"));
}

#[test]
fn what_a_simulation_writes_is_read_back() {
    use crate::crowd::{Crowd, trajectory::Trajectory};
    let mut track = Trajectory::every(0.1);
    for k in 0..3 {
        let crowd = Crowd { id: vec![0, 3], pos: vec![vec2(f64::from(k), 2.0), vec2(0.5, -1.0)], ..Crowd::default() };
        track.frame(0.1 * f64::from(k), &crowd);
    }
    let r = Recording::parse(&track.pedpy(), "a.txt", &Known::default()).unwrap();
    assert_eq!((r.fps, r.moments.len(), r.names.clone()), (10.0, 3, vec![0, 3]));
    assert_eq!(r.moments[2].positions, [vec2(2.0, 2.0), vec2(0.5, -1.0)]);
}

#[test]
fn frames_can_be_cut_out() {
    let text = "1 0 0 0\n1 1 0 0\n1 2 0 0\n1 3 0 0\n";
    let mut r = Recording::parse(text, "a.txt", &known(25.0, Unit::M)).unwrap();
    r.keep(1, 2);
    assert_eq!(r.moments.iter().map(|m| m.frame).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn who_has_no_row_left_is_forgotten() {
    let text = "5 0 0 0\n7 1 1 0\n9 1 2 0\n9 2 3 0\n";
    let mut r = Recording::parse(text, "a.txt", &known(25.0, Unit::M)).unwrap();
    r.forget_absent();
    assert_eq!((r.people(), &r.names[..]), (3, &[5, 7, 9][..]));
    r.keep(1, 2);
    r.forget_absent();
    assert_eq!((r.people(), &r.names[..]), (2, &[7, 9][..]));
    let ids: Vec<_> = r.moments.iter().map(|moment| moment.ids.clone()).collect();
    assert_eq!(ids, [vec![0, 1], vec![1]]);
    assert!(r.rows().unwrap().iter().all(|rows| !rows.is_empty()));
}
