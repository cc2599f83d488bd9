//! E5: a misspelled config path got no suggestion, `--replay x.mp4` wrote a page, and `--metric flow_per_s room.txt` took the
//! tracks for a metric.

use crate::program::Place;

#[test]
fn a_file_that_is_not_there_has_a_neighbor() {
    let place = Place::new();
    place.refused(2, "evolve rom.toml", &["rom.toml", "did you mean `room.toml`?"]);
    place.refused(2, "evolve absent.json", &["check the name"]);
}

#[test]
fn a_name_that_is_misspelled_has_a_neighbor_in_every_command() {
    let place = Place::new();
    for (words, says) in [
        ("validate time_tabl", "did you mean `time_table`?"),
        ("simulate room.toml --scenario rom", "did you mean `room`?"),
        ("simulate room.toml --model orcaa", "did you mean `orca`?"),
        ("measure room.toml --metric path_eficiency", "did you mean `path_efficiency`?"),
        ("new mine --behavior quee", "did you mean `queue`?"),
        ("evolve room.toml --set parameters.relaxation_tim=1", "did you mean `relaxation_time_s`?"),
    ] {
        place.refused(2, words, &[says]);
    }
}

#[test]
fn the_ending_says_what_is_written() {
    let place = Place::new();
    for (words, says) in [
        ("--replay x.mp4", "name it x.html"),
        ("--trajectory x.usd", "name it x.txt"),
        ("--trajectory x.csv", "name it x.txt"),
        ("--picture x.png", "name it x.svg"),
    ] {
        place.refused(2, &format!("simulate room.toml {words}"), &[says, words.split(' ').next().unwrap()]);
    }
    assert!(std::fs::read_dir(place.folder()).unwrap().count() == 1, "nothing was written");
}

#[test]
fn tracks_may_come_last() {
    let place = Place::new();
    place.run(0, "simulate room.toml --trajectory t.txt");
    let (out, _) = place.run(0, "measure --metric path_efficiency,speed_mean_m_per_s t.txt");
    assert!(out.contains("path_efficiency") && out.contains("speed_mean_m_per_s"), "{out}");
}
