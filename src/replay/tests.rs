use super::*;
use crate::report::fixture;
use crowdtune_sim::crowd::Frame;
use crowdtune_sim::metrics::Place;
use crowdtune_sim::world::scenario::{Group, Pull, Segment};

#[test]
fn tracks_are_differences_in_centimeters() {
    let frame = |time_s, id: &[u32], x: &[f64]| Frame {
        time_s,
        id: id.to_vec(),
        pos: x.iter().map(|&x| vec2(x, -1.0)).collect(),
    };
    let recorded = Trajectory {
        every_s: 0.1,
        frames: vec![frame(0.0, &[0, 1], &[1.004, 2.0]), frame(0.1, &[0, 1], &[1.136, 2.0]), frame(0.2, &[1], &[2.5])],
        radius: vec![0.25, 0.3333],
        group: vec![0, 1],
        left_s: vec![Some(0.1234), None],
        caught: Vec::new(),
    };
    let crowd = Crowd::new("tuned", &recorded, 1);
    assert_eq!(crowd.people[0].x, [100, 14]);
    assert_eq!(crowd.people[0].y, [-100, 0]);
    assert_eq!(crowd.people[1].x, [200, 0, 50]);
    assert_eq!((crowd.people[1].radius, crowd.people[1].group), (33.3, 1));
    assert_eq!(crowd.left_s, [0.12]);
    assert_eq!(crowd.people[0].positions().collect::<Vec<_>>(), [vec2(1.0, -1.0), vec2(1.14, -1.0)]);
    assert_eq!(Crowd::new("tuned", &recorded, 2).people[1].x, [200, 50]);
}

#[test]
fn who_joins_others_has_a_second_track_in_their_group() {
    let frame = |k: usize| Frame { time_s: 0.1 * k as f64, id: vec![0, 1], pos: vec![vec2(k as f64, 0.0), Vec2::ZERO] };
    let recorded = Trajectory {
        every_s: 0.1,
        frames: (0..5).map(frame).collect(),
        radius: vec![0.25; 2],
        group: vec![0, 1],
        left_s: vec![None; 2],
        caught: vec![(0, 0.2, Some(1)), (9, 0.35, None)],
    };
    let crowd = Crowd::new("tuned", &recorded, 1);
    let tracks: Vec<_> = crowd.people.iter().map(|p| (p.id, p.group, p.start, p.x.clone())).collect();
    assert_eq!(tracks, [(0, 0, 0, vec![0, 100]), (0, 1, 2, vec![200, 100, 100]), (1, 1, 0, vec![0; 5])]);
    assert_eq!((crowd.count(), &crowd.caught_s[..]), (2, &[0.2, 0.35][..]));
}

#[test]
fn two_hundred_people_for_a_minute_fit_into_300_kb() {
    let recorded = fixture::trajectory(200, 60.0, 1.0);
    let file = ReplayFile::new("room", &fixture::plan(), &["all".into()], &[("tuned", &recorded)]);
    let text = serde_json::to_string(&file).unwrap();
    assert!(text.len() < 300_000, "{} bytes", text.len());
    assert_eq!(serde_json::from_str::<ReplayFile>(&text).unwrap(), file);
    assert_eq!(file.bounds(), (vec2(0.0, 0.0), vec2(18.0, 15.0)));
}

#[test]
fn places_that_columns_measure_at_are_drawn_once_under_their_names() {
    let entrance = Place::Line(Segment { a: vec2(15.0, 7.0), b: vec2(15.0, 8.0) });
    let door = Place::Line(Segment { a: vec2(18.0, 7.0), b: vec2(18.0, 8.0) });
    let box_ = Place::Area(Polygon::rectangle(vec2(1.0, 1.0), vec2(3.0, 2.0)));
    let front = Place::Area(fixture::plan().areas[0].what.clone());
    let asked = [("flow", &entrance), ("out", &door), ("density", &box_), ("speed", &box_), ("rank", &front)];
    let drawn = |asked: &[(&str, &Place)]| {
        let file = ReplayFile::new("room", &fixture::plan(), &[], &[]).measured(asked);
        let lines: Vec<String> = file.lines.into_iter().map(|l| l.name).collect();
        (lines, file.areas.into_iter().map(|a| (a.name, a.points[2])).collect::<Vec<_>>())
    };
    let (lines, areas) = drawn(&asked);
    assert_eq!(lines, ["entrance"]);
    assert_eq!(areas.iter().map(|a| a.0.as_str()).collect::<Vec<_>>(), ["front", "density, speed"]);
    assert_eq!(areas[1].1, [300, 200]);
    assert_eq!(drawn(&asked[1..4]).0, [""; 0]);
    assert_eq!(drawn(&asked[..1]).1, []);
}

#[test]
fn leaders_and_single_people_stand_out() {
    let group = |count, pull| Group { count, pull, ..Group::default() };
    let groups = [group(1, Pull::Nothing), group(9, Pull::Group(2)), group(4, Pull::Heading(vec2(1.0, 0.0)))];
    let mark = |groups: &[Group]| ReplayFile::new("", &fixture::plan(), &[], &[]).marking(groups).marked;
    assert_eq!(mark(&groups), [0, 2]);
    assert!(mark(&groups[..1]).is_empty());
    // Rings around hundreds would hide them.
    assert!(mark(&[group(2000, Pull::Group(1)), group(200, Pull::Nothing)]).is_empty());
}

#[test]
fn places_that_draw_people_are_goals() {
    let pull = |x| Pull::Point { at: vec2(x, 2.0), radius_m: 0.5 };
    let group = |name: &str, x| Group { name: name.into(), pull: pull(x), ..Group::default() };
    let goals = |groups: &[Group]| {
        let file = ReplayFile::new("", &FloorPlan::default(), &[], &[]).marking(groups);
        file.goal_points.into_iter().map(|g| (g.name, g.at, g.radius)).collect::<Vec<_>>()
    };
    assert_eq!(goals(&[group("people", 1.0)]), [("goal".into(), [100, 200], 50)]);
    let some = [group("a", 1.0), group("b", 1.0), group("c", 3.0), Group::default()];
    assert_eq!(goals(&some), [("a, b".into(), [100, 200], 50), ("c".into(), [300, 200], 50)]);
}

#[test]
fn files_from_before_the_rings_are_read() {
    let mut old = serde_json::to_value(fixture::replay()).unwrap();
    let fields = old.as_object_mut().unwrap();
    assert!(fields.remove("rings").is_some() && fields.remove("marked").is_some());
    assert_eq!(serde_json::from_value::<ReplayFile>(old).unwrap(), fixture::replay());
}

#[test]
fn an_empty_recording_gives_an_empty_crowd() {
    let file = ReplayFile::new("", &fixture::plan(), &[], &[("tuned", &Trajectory::default())]);
    assert_eq!((file.crowds[0].frames, file.crowds[0].people.len(), file.crowds[0].end_s()), (0, 0, 0.0));
}
