//! D3, D4, D9: an experiment of 100 MB took 5 GB, `measure /dev/urandom` never ended, a dimension of a million asked for 8 TB,
//! 100,000 targets took 27 s, a thousand threads were started.

use crate::program::{Place, ROOM};
use std::io::Write as _;
use std::process::Stdio;

#[test]
fn a_file_that_is_too_large_is_refused_before_it_is_parsed() {
    let place = Place::new();
    let large = format!("{{ \"model\": \"social_force\", \"x\": [{}0] }}", "0,".repeat(2_000_001));
    place.write("large.json", large);
    place.refused(2, "evolve large.json", &["large.json", "at most 4 MB", "docs/limits.md"]);
    place.refused(2, "simulate room.toml --preset large.json", &["large.json", "at most 4 MB"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_not_read() {
    let place = Place::new();
    place.refused(2, "measure /dev/urandom --metric crossings", &["/dev/urandom", "a device"]);
    place.refused(2, "evolve /dev/zero", &["/dev/zero", "a device"]);
}

#[test]
fn a_search_has_at_most_a_thousand_coordinates() {
    let place = Place::new();
    let hello = |n: usize| {
        let ends = |x: &str| vec![x; n].join(",");
        format!("{{\"protocol\":1,\"dimension\":{n},\"lower\":[{}],\"upper\":[{}]}}\n", ends("0"), ends("1"))
    };
    for (n, code) in [(1000, 0), (1001, 2), (1_000_000, 2)] {
        let mut command = place.command(&["ask-tell", "--optimizer", "cma_es"]);
        let mut run = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that refuses the line does not read all of it.
        let _ = run.stdin.take().unwrap().write_all(hello(n).as_bytes());
        let ran = run.wait_with_output().unwrap();
        assert_eq!(ran.status.code(), Some(code), "{}", String::from_utf8_lossy(&ran.stderr));
        assert_eq!(String::from_utf8_lossy(&ran.stderr).contains("at most 1000"), code == 2);
    }
}

#[test]
fn times_targets_and_sizes_of_workloads_have_an_end() {
    let place = Place::new();
    place.refused(2, "simulate room.toml --set scenario.room.limit_s=1e9", &["scenario.room.limit_s", "1000000"]);
    let many: String = (0..1001).map(|k| format!("[measure.m{k}]\nmetric = \"people_left\"\n")).collect();
    place.write("many.toml", format!("{ROOM}{many}"));
    place.refused(2, "simulate many.toml", &["targets or of measures", "1001", "at most 1000"]);
    for words in ["--agents 1000001", "--steps 1000000001", "--repeat 1001"] {
        place.refused(2, &format!("bench W1 {words}"), &[words.split(' ').next().unwrap()]);
    }
    place.refused(2, "evolve room.toml --threads 257", &["--threads", "256"]);
    // Accepted, and no more started than four for each core: a run is not slower for it.
    place.run(0, "evolve room.toml --quiet --threads 256");
}
