//! D11: EIO was the user's mistake, a dangling link as `--out` a disk without room, and a data file with one value the
//! experiment's fault.
#![cfg(target_os = "linux")]

use crate::program::{Place, ROOM};
use std::os::unix::fs::symlink;

#[test]
fn what_the_machine_cannot_read_is_3() {
    let place = Place::new();
    // Reading one's own memory from its start is an input/output error, as on a broken disk.
    place.refused(3, "evolve /proc/self/mem", &["cannot read the file", "/proc/self/mem", "disk"]);
    place.refused(2, "evolve .", &["cannot read the file"]);
}

#[test]
fn a_link_that_leads_nowhere_is_in_the_way() {
    let place = Place::new();
    symlink("nowhere/at/all", place.path("link")).unwrap();
    place.refused(2, "evolve room.toml --out link", &["in the way", "link"]);
    place.refused(2, "sweep room.toml --replicas 1 --out link", &["a link that leads nowhere is in the way", "link"]);
    place.refused(2, "simulate room.toml --replay link/a.html", &["a link that leads nowhere is in the way"]);
}

#[test]
fn a_data_file_is_named_where_it_is_wrong() {
    let place = Place::new();
    place.write("speeds.txt", "1.2 # one only\n");
    let wanted = "[target.time]\nmetric = \"speed_mean_m_per_s\"\nlike = { file = \"speeds.txt\" }\n[unused]";
    place.write("like.toml", ROOM.replace("[target.time]", wanted).split("[unused]").next().unwrap());
    place.refused(2, "simulate like.toml", &["needs at least 2 values, and the file has 1", "--> speeds.txt"]);
}
