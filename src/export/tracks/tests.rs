use super::super::testing;
use super::*;
use crate::preset::Walked;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::crowd::{Crowd, Trajectory};
use std::process::Command;

/// Person 0 leaves after the second frame, person 1 comes with it.
fn track() -> Trajectory {
    let mut track = Trajectory::every(0.5);
    let frames: [(&[u32], &[Vec2]); 3] =
        [(&[0], &[vec2(1.0, 2.0)]), (&[0, 1], &[vec2(1.5, 2.0), vec2(4.0, 3.0)]), (&[1], &[vec2(4.0, 3.5)])];
    for (number, (id, pos)) in frames.into_iter().enumerate() {
        let crowd = Crowd { id: id.to_vec(), pos: pos.to_vec(), ..Crowd::default() };
        track.frame(0.5 * number as f64, &crowd);
    }
    (track.radius, track.group) = (vec![0.25, 0.3], vec![0, 0]);
    track
}

fn exported(track: Trajectory) -> Vec<(String, Vec<u8>)> {
    let (preset, room) = (testing::preset(), testing::scenario("room", &[("count", 2.0)]));
    let places = vec![testing::placed("room[width_m=5]", &room, &[])];
    let runs = vec![Walked { place: 0, label: "tuned", replica: 3, track }];
    let models = vec![testing::model()];
    export(&ExportInput { models, preset: &preset, places, runs, history: None, force: false, seed: 1 }).unwrap().files
}

fn text(files: &[(String, Vec<u8>)], name: &str) -> String {
    let file = files.iter().find(|(file, _)| file == name).unwrap_or_else(|| panic!("no {name}"));
    String::from_utf8(file.1.clone()).unwrap()
}

#[test]
fn tables_have_a_row_for_everybody_in_every_frame() {
    let files = exported(track());
    assert_eq!(
        text(&files, "room_width_m_5_tuned_4.csv"),
        "id,time_s,x_m,y_m,radius_m,group\r\n0,0.000,1.0000,2.0000,0.2500,people\r\n0,0.500,1.5000,2.0000,0.2500,people\r\n\
         1,0.500,4.0000,3.0000,0.3000,people\r\n1,1.000,4.0000,3.5000,0.3000,people\r\n"
    );
    assert_eq!(
        text(&files, "room_width_m_5_tuned_4.traj").lines().skip(1).collect::<Vec<_>>(),
        [
            "1 0.000 0.500 1.0000 2.0000 1.5000 2.0000 -1",
            "1 0.500 1.000 1.5000 2.0000 1.5000 2.0000 -1",
            "2 0.500 1.000 4.0000 3.0000 4.0000 3.5000 -1"
        ]
    );
    assert!(
        text(&files, "room_width_m_5_tuned_4.txt")
            .starts_with("# The run of the tuned constants on fresh seed 4.\n# Preset `test`, ")
    );
}

#[test]
fn who_is_not_there_is_invisible_in_usd() {
    let stage = text(&exported(track()), "room_width_m_5_tuned_4.usda");
    for line in [
        "    endTimeCode = 2",
        "    timeCodesPerSecond = 2",
        "        float3[] scales = [(0.2500, 0.2500, 1), (0.3000, 0.3000, 1)]",
        "            0: [(1.0000, 2.0000, 0), (4.0000, 3.0000, 0)],",
        "            2: [(1.5000, 2.0000, 0), (4.0000, 3.5000, 0)],",
        "            0: [1],",
        "            1: [],",
        "            2: [0],",
    ] {
        assert!(stage.lines().any(|l| l == line), "no `{line}` in {stage}");
    }
}

#[test]
fn the_place_is_there_as_wkt_and_geojson() {
    let files = exported(track());
    let walls = text(&files, "room_width_m_5.wkt");
    assert!(walls.starts_with("MULTILINESTRING ((0 0, 15 0), "), "{walls}");
    let place: serde_json::Value = serde_json::from_str(&text(&files, "room_width_m_5.geojson")).unwrap();
    let of = |kind: &str| {
        let features = place["features"].as_array().unwrap();
        features.iter().filter(|feature| feature["properties"]["kind"] == kind).count()
    };
    assert_eq!((of("wall"), of("door")), (5, 1));
}

/// JuPedSim's viewer and PedPy need an area: what walls and the door enclose, and 2 m behind the door.
#[test]
fn the_database_has_the_ground_that_people_walk_on() {
    let (files, folder) = (exported(track()), tempfile::tempdir().unwrap());
    let path = folder.path().join("tracks.sqlite");
    std::fs::write(&path, &files.iter().find(|(name, _)| name.ends_with(".sqlite")).unwrap().1).unwrap();
    let read = |sql: &str| rusqlite::Connection::open(&path).unwrap().query_row(sql, [], |row| row.get::<_, String>(0));
    let area = read("SELECT wkt FROM geometry JOIN frame_data ON geometry_hash = hash LIMIT 1").unwrap();
    assert!(area.starts_with("POLYGON ((") && area.contains("17 7, ") && area.contains("17 8, "), "{area}");
}

#[test]
fn a_run_without_people_is_written_too() {
    let mut empty = Trajectory::every(0.1);
    empty.frame(0.0, &Crowd::default());
    for (name, bytes) in exported(empty) {
        assert!(!bytes.is_empty(), "{name}");
    }
}

#[test]
fn pedpy_and_usd_read_the_same_crowd_from_every_file() {
    let Some(python) = testing::python("pedpy, pxr") else { return };
    let folder = tempfile::tempdir().unwrap();
    // Two people who walk 60 frames in a room, one of them from frame 10 on.
    let mut track = Trajectory::every(0.1);
    for number in 0..60 {
        let (x, late) = (0.1 * f64::from(number), number >= 10);
        let id = if late { vec![0, 1] } else { vec![0] };
        let pos = if late { vec![vec2(1.0 + x, 2.0), vec2(9.0 - x, 7.0)] } else { vec![vec2(1.0 + x, 2.0)] };
        track.frame(x, &Crowd { id, pos, ..Crowd::default() });
    }
    (track.radius, track.group) = (vec![0.25, 0.3], vec![0, 0]);
    for (name, bytes) in exported(track) {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    std::fs::write(folder.path().join("read.py"), include_str!("read.py")).unwrap();
    let args = ["read.py", "room_width_m_5_tuned_4"];
    let out = Command::new(python).args(args).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "{said}\n{}", String::from_utf8_lossy(&out.stderr));
    let numbers = |file: &str| -> Vec<f64> {
        let line = said.lines().find(|line| line.starts_with(file)).unwrap();
        line.split(' ').skip(1).filter_map(|word| word.parse().ok()).collect()
    };
    assert_eq!(numbers("csv"), [110.0]);
    // How many rows, and how far they are from those of the table, m: text is written to a tenth of a millimeter, USD has f32.
    // Vadere has steps in place of frames, so that the last place of each is in none of PedPy's rows.
    for (file, rows, apart) in
        [("txt", 110.0, 1e-9), ("sqlite", 110.0, 6e-5), ("traj", 108.0, 1e-9), ("usda", 110.0, 1e-6)]
    {
        let read = numbers(file);
        assert!(read[0] == rows && read[1] <= apart, "{file}: {read:?}");
    }
    assert_eq!(numbers("usda")[2..], [10.0, 1.0]);
    assert!((numbers("bounds")[5] - 1.75).abs() < 1e-6);
    // 15 m by 15 m, and 2 m behind a door of 1 m.
    assert!((numbers("area")[0] - 227.0).abs() < 1e-9);
}

/// Read back with the crate `gltf`, which is not the one that writes.
#[test]
fn gltf_has_the_places_of_everybody_at_their_times_with_y_up() {
    let files = exported(track());
    let file = files.iter().find(|(name, _)| name.ends_with(".glb")).unwrap();
    let glb = ::gltf::Gltf::from_slice(&file.1).unwrap();
    let numbers = glb.blob.as_deref().unwrap();
    let animation = glb.animations().next().unwrap();
    let mut seen = std::collections::BTreeMap::new();
    for channel in animation.channels() {
        let reader = channel.reader(|_| Some(numbers));
        let times: Vec<f32> = reader.read_inputs().unwrap().collect();
        let values: Vec<[f32; 3]> = match reader.read_outputs().unwrap() {
            ::gltf::animation::util::ReadOutputs::Translations(all) => all.collect(),
            ::gltf::animation::util::ReadOutputs::Scales(all) => all.collect(),
            _ => panic!("nothing else moves"),
        };
        let property = format!("{:?}", channel.target().property());
        seen.insert((channel.target().node().name().unwrap().to_owned(), property), (times, values));
    }
    let of = |name: &str, property: &str| seen[&(name.to_owned(), property.to_owned())].clone();
    assert_eq!(of("person_0", "Translation"), (vec![0.0, 0.5], vec![[1.0, 0.0, -2.0], [1.5, 0.0, -2.0]]));
    assert_eq!(of("person_1", "Translation"), (vec![0.5, 1.0], vec![[4.0, 0.0, -3.0], [4.0, 0.0, -3.5]]));
    // Gone after the second frame, and not there before it.
    assert_eq!(of("person_0", "Scale"), (vec![0.0, 1.0], vec![[0.25, 1.0, 0.25], [0.0; 3]]));
    assert_eq!(of("person_1", "Scale"), (vec![0.0, 0.5], vec![[0.0; 3], [0.3, 1.0, 0.3]]));
    let walls = glb.nodes().find(|node| node.name() == Some("walls")).unwrap();
    let bounds = walls.mesh().unwrap().primitives().next().unwrap().bounding_box();
    // A room of 15 x 15 m, and half of a wall around it.
    assert!((bounds.max[0] - 15.025).abs() < 1e-4 && (bounds.min[2] + 15.025).abs() < 1e-4, "{bounds:?}");
}
