//! Hostile inputs with little memory: always a message and an exit code of the list, never an abort. And large pages for large crowds.

use crate::room;
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Megabytes.
const M: usize = 1_000_000;

/// Runs a line of the shell with so much address space, in kilobytes, and at most some seconds.
fn run(place: &Path, gigabytes: f64, seconds: u32, words: &str) -> String {
    let kilobytes = (gigabytes * 1e6) as u64;
    let program = env!("CARGO_BIN_EXE_crowdtune");
    let line = match words.split_once('|') {
        Some((before, after)) => format!("{before} | timeout {seconds} {program} {after}"),
        None => format!("timeout {seconds} {program} {words}"),
    };
    let shell = format!("ulimit -c 0; ulimit -v {kilobytes}; {line}");
    let mut command = Command::new("sh");
    let ran =
        command.current_dir(place).args(["-c", &shell]).stdin(Stdio::null()).stdout(Stdio::null()).output().unwrap();
    let (code, err) = (ran.status.code(), String::from_utf8_lossy(&ran.stderr));
    let said = err.lines().find(|line| line.starts_with("error: "));
    println!(
        "{gigabytes} GB  {words}: {}  {}",
        code.map_or("killed".into(), |c| c.to_string()),
        said.unwrap_or_default()
    );
    assert_eq!(ran.status.signal(), None, "{words} with {gigabytes} GB: {err}");
    // 124: it was still at work.
    assert!([0, 1, 2, 3, 124].contains(&code.unwrap()), "{words} with {gigabytes} GB: {code:?} {err}");
    assert!([Some(0), Some(124)].contains(&code) || said.is_some(), "{words} with {gigabytes} GB: {err}");
    err.into_owned()
}

/// A file of this text again and again.
fn repeated(place: &Path, name: &str, head: &str, text: &str, bytes: usize, tail: &str) {
    let mut file = File::create(place.join(name)).unwrap();
    let piece = text.repeat((M / 10 / text.len()).max(1));
    file.write_all(head.as_bytes()).unwrap();
    (0..bytes / piece.len()).for_each(|_| file.write_all(piece.as_bytes()).unwrap());
    file.write_all(tail.as_bytes()).unwrap();
}

/// Makes hostile files, and gives the commands that read them.
fn hostile(place: &Path) -> Vec<String> {
    let write = |name: &str, text: &str| fs::write(place.join(name), text).unwrap();
    let mut all = Vec::new();
    for (name, text) in
        [("zeros", "\u{0}"), ("lines", "\n"), ("rows", "1 1 1 1\n"), ("commas", ",,,,,,,"), ("open", "[")]
    {
        repeated(place, name, "", text, 150 * M, "");
        write(
            &format!("{name}.toml"),
            &room::ROOM.replace("minimize = { good = 5.0, bad = 20.0 }", &format!("like = \"{name}\"\ntolerance = 1")),
        );
        all.push(format!("measure {name} --metric speed_mean_m_per_s --fps 10 --unit m"));
        all.push(format!("evolve {name}.toml --quiet --out {name}-run"));
        all.push(format!("simulate {name}"));
        all.push(format!("cat {name} | ask-tell"));
    }
    repeated(place, "deep.json", "{\"format\":", "[", 3 * M, "");
    repeated(place, "tables.json", "{\"format\":1", ",\"a\":{\"b\":[1,2,{}]}", 3 * M, "}");
    repeated(place, "list.toml", "format = [", "1,", 3 * M, "1]\n");
    repeated(place, "keys.toml", "", "[[a.b]]\nc = 1\n", 3 * M, "");
    repeated(place, "dots.toml", "a", ".a", 3 * M, " = 1\n");
    repeated(place, "points.wkt", "LINESTRING (0 0", ",1e3 2", 3 * M, ")");
    repeated(place, "parens.wkt", "", "GEOMETRYCOLLECTION (", 3 * M, "");
    for file in ["deep.json", "tables.json", "list.toml", "keys.toml", "dots.toml"] {
        all.push(format!("simulate {file}"));
        all.push(format!("export {file} --to json"));
    }
    for file in ["points.wkt", "parens.wkt"] {
        all.push(format!("measure rows --metric speed_mean_m_per_s --fps 10 --unit m --geometry {file}"));
    }
    write("room.toml", room::ROOM);
    for (k, sets) in [
        "search.parallel=100000",
        "search.optimizer=cma_es --set search.parallel=100000",
        "scenario.room.replicas=100000",
        "scenario.room.count=100000",
        "search.evaluations=9000000000000000000",
        "search.finalists=100000",
        "scenario.room.width_m=1000000",
        "simulation.sample_every_s=0.01 --set scenario.room.limit_s=1000000",
    ]
    .iter()
    .enumerate()
    {
        all.push(format!("evolve room.toml --quiet --out set{k} --set {sets}"));
    }
    all.push("evolve room.toml --quiet --threads 256 --out threads".into());
    all.push("bench W2 --agents 1000000 --steps 2".into());
    let bounds = |n: usize| (vec!["0"; n].join(","), vec!["1"; n].join(","));
    for (name, dimension, more) in [
        ("wide", 1000, ""),
        ("crowd", 10, ",\"population\":100000"),
        ("many", 3, ",\"objectives\":1000000000"),
        ("too", 100_000, ""),
    ] {
        let (lower, upper) = bounds(dimension);
        write(
            name,
            &format!("{{\"protocol\":1,\"dimension\":{dimension},\"lower\":[{lower}],\"upper\":[{upper}]{more}}}\n"),
        );
        for optimizer in ["auto", "cma_es", "pareto"] {
            all.push(format!("cat {name} | ask-tell --parallel 100000 --optimizer {optimizer}"));
        }
    }
    all
}

#[test]
fn a_small_memory_is_told_of() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    repeated(place, "rows", "", "1 1 1 1\n", 24 * M, "");
    let err = run(place, 0.1, 20, "measure rows --metric speed_mean_m_per_s --fps 10 --unit m");
    assert!(err.contains("there is not enough memory for this"), "{err}");
}

/// Whether the system may back some memory of a process with large pages; `None` if the process has ended.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn may_have_large_pages(process: u32) -> Option<bool> {
    let maps = fs::read_to_string(format!("/proc/{process}/smaps")).ok().filter(|maps| !maps.is_empty())?;
    Some(maps.lines().any(|line| line.starts_with("VmFlags:") && line.split(' ').any(|flag| flag == "hg")))
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn large_crowds_ask_for_large_pages() {
    let says = fs::read_to_string("/proc/self/smaps").is_ok_and(|maps| maps.contains("VmFlags:"));
    if !says || !Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
        println!("skipped: this system has no large pages to give, or does not say which memory may have them");
        return;
    }
    for (agents, expected) in [(1000, false), (50_000, true)] {
        // More steps than are waited for.
        let mut ran = Command::new(env!("CARGO_BIN_EXE_crowdtune"))
            .args(["bench", "W2", "--steps", "100000000", "--agents", &agents.to_string()])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let found = (0..if expected { 600 } else { 20 }).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            may_have_large_pages(ran.id()).expect("still at work")
        });
        ran.kill().unwrap();
        ran.wait().unwrap();
        assert_eq!(found, expected, "{agents} people");
    }
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn slow_hostile_inputs_with_little_memory_end_in_a_message() {
    let place = tempfile::tempdir().unwrap();
    let all = hostile(place.path());
    assert!(all.len() >= 50);
    let seconds = std::env::var("CROWDTUNE_SECONDS").map_or(5, |n| n.parse().unwrap());
    for words in &all {
        for gigabytes in [1.0, 2.0, 4.0] {
            run(place.path(), gigabytes, seconds, words);
            for folder in fs::read_dir(place.path()).unwrap().flatten().filter(|f| f.path().is_dir()) {
                fs::remove_dir_all(folder.path()).unwrap();
            }
        }
    }
    println!("{} inputs, each with 1, 2 and 4 GB", all.len());
}
