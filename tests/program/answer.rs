//! `crowdtune answer`, and `evolve --evaluator`: the same bytes whoever answers, in whatever order, and whoever dies.

use crate::partner::{Partner, refuses};
use crate::{atlas, cli, room};
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_testing::program::Place;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_crowdtune");

/// A search whose end takes less than its beginning.
const SHORT: &str = "[search]\nfinalists = 2\nprofile_share = 0.1";

/// A worker that notes its number, so that a test can kill it.
fn noted() -> String {
    format!("echo $$ >> workers; exec {PROGRAM} answer one.toml")
}

/// Answers what it has been asked so far in the order of a coin, and some of it twice.
const SHUFFLED: &str = r#"
import queue, random, subprocess, sys, threading
random.seed(int(sys.argv[1]))
program = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
asked = queue.Queue()
def read():
    for line in sys.stdin.buffer:
        asked.put(line)
    asked.put(None)
threading.Thread(target=read, daemon=True).start()
while True:
    lines = [asked.get()]
    try:
        while True:
            lines.append(asked.get(timeout=0.002))
    except queue.Empty:
        pass
    random.shuffle(lines)
    for line in lines:
        if line is None:
            sys.exit()
        program.stdin.write(line)
        program.stdin.flush()
        sys.stdout.buffer.write(program.stdout.readline())
        sys.stdout.flush()
"#;

fn with(text: &str) -> Place {
    Place::new(PROGRAM).with("one.toml", text)
}

fn log(place: &Place, out: &str) -> String {
    place.text(&format!("{out}/trials.jsonl"))
}

fn evolve(place: &Place, out: &str, more: &[&str]) -> Command {
    let mut command = place.command(&["evolve", "one.toml", "--quiet", "--out", out]);
    command.args(more);
    command
}

/// Runs a search alone and with each of these numbers of workers, and gives its log.
fn same_with(place: &Place, workers: &[&str], command: &str) -> String {
    assert!(evolve(place, "alone", &[]).output().unwrap().status.success());
    let alone = log(place, "alone");
    for count in workers {
        let ran = evolve(place, count, &["--evaluator", command, "--workers", count]).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        assert!(log(place, count) == alone, "{count} workers change the log");
        for file in ["summary.json", "best.json", "experiment.toml"] {
            assert!(place.text(&format!("{count}/{file}")) == place.text(&format!("alone/{file}")), "{file}");
        }
    }
    alone
}

fn answer() -> String {
    format!("{PROGRAM} answer one.toml")
}

/// Several cases, one of them held out, several replicas, and runs that fail.
fn many_sided() -> String {
    let text = room::ROOM.replace("replicas = 1", "replicas = 3").replace("evaluations = 48", "evaluations = 16");
    let text = text.replace("width_m = 5.0", "width_m = { each = [5.0], held_out = [6.0] }");
    text.replace("[search]", &format!("[simulation]\nmax_overlap_share = 0.07\n{SHORT}\noptimizer = \"ga\""))
}

#[test]
fn workers_make_the_same_log_with_held_out_cases_and_failures() {
    let place = with(&many_sided());
    let alone = same_with(&place, &["1", "2", "4"], &answer());
    assert!(alone.contains("\"failed\"") && alone.contains("\"done\"") && alone.contains("\"report\""));
}

#[test]
fn workers_make_the_same_log_of_every_kind_of_search() {
    for (text, count) in kinds(20).iter().zip(["2", "4", "2", "3"]) {
        let alone = same_with(&with(text), &[count], &answer());
        assert!(!text.contains("adaptive") || alone.contains("\"replicas\":[1,"), "no replicas were added");
    }
}

/// Searches with so many evaluations: `auto`, a front, an atlas, and replicas that adapt.
fn kinds(evaluations: u32) -> [String; 4] {
    let adaptive = room::ROOM.replace("replicas = 1", "replicas = 3");
    let adaptive = adaptive.replace("[search]", "[search]\nreplication = \"adaptive\"");
    [room::ROOM.to_string(), cli::two_objectives().replace("finalists = 4\n", ""), atlas::FIELD.to_string(), adaptive]
        .map(|text| {
            let text = text.replace("evaluations = 48", "evaluations = 60");
            text.replace("evaluations = 60", &format!("evaluations = {evaluations}")).replace("[search]", SHORT)
        })
}

#[test]
#[cfg(target_os = "linux")]
fn a_machine_that_is_down_and_workers_that_give_up_cost_time_only() {
    let place = with(&room::ROOM.replace("evaluations = 48", "evaluations = 16").replace("[search]", SHORT));
    // Cut at the questions: an answer that is lost on its way would leave both sides waiting, as a worker may think for as long as it likes.
    same_with(&place, &["2"], &format!("[ $CROWDTUNE_WORKER = 1 ] && exit 9; sed -u 7q | {}", answer()));
}

#[test]
fn answers_in_any_order_make_the_same_log() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("answers_in_any_order_make_the_same_log: there is no python3 here");
        return;
    }
    let place = with(&many_sided()).with("shuffled.py", SHUFFLED);
    same_with(&place, &["3"], &format!("python3 shuffled.py $CROWDTUNE_WORKER {}", answer()));
}

#[test]
fn seeds_and_repeats_come_with_the_questions() {
    let place = with(&room::ROOM.replace("evaluations = 48", "evaluations = 8").replace("[search]", SHORT));
    let run = |out: &str, more: &[&str]| {
        let more = [&["--seed", "11", "--repeats", "2"], more].concat();
        assert!(evolve(&place, out, &more).output().unwrap().status.success());
        [log(&place, &format!("{out}/r1")), log(&place, &format!("{out}/r2"))]
    };
    assert!(run("alone", &[]) == run("elsewhere", &["--evaluator", &answer()]));
}

/// The lines that ask for the rows of a log, and the rows without their checksums.
fn questions(log: &str) -> Vec<(String, String)> {
    let mut lines = log.lines();
    let header: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    let ask = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let mut asked = json!({});
        for key in ["id", "purpose", "genome", "replicas"] {
            asked[key] = row[key].clone();
        }
        for key in ["seed", "digest", "engine", "results", "crowdtune"] {
            asked[key] = header[key].clone();
        }
        (asked.to_string(), line.split_once(",\"check\":").unwrap().0.to_string() + "}")
    };
    lines.map(ask).collect()
}

#[test]
fn any_row_of_a_log_is_answered_again_to_the_last_byte() {
    let place = with(&many_sided());
    assert!(evolve(&place, "alone", &[]).output().unwrap().status.success());
    let rows = questions(&log(&place, "alone"));
    let file = place.path("one.toml").display().to_string();
    let mut worker = Partner::start(&["answer", &file]);
    for (asked, row) in rows.iter().rev().take(12).chain(&rows[..12]).chain(&rows[..1]) {
        worker.say(asked);
        assert_eq!(worker.hear_text(), *row);
    }
    assert_eq!(worker.end().code, 0);

    let refused = |from: &str, to: &str, says: &[&str]| {
        assert!(rows[0].0.contains(from), "{}", rows[0].0);
        refuses(&["answer", &file], &[&rows[0].0.replacen(from, to, 1)], says);
    };
    refused("\"digest\":\"", "\"digest\":\"0", &["another experiment", "stdin:1", "digest"]);
    refused("\"seed\":5", "\"seed\":6", &["another experiment"]);
    refused("\"results\":", "\"results\":9", &["results version", "the same version everywhere"]);
    refused("\"native\"", "\"other\"", &["engine `other`"]);
    refused("\"genome\":[", "\"genome\":[0.5,", &["3 coordinates"]);
    refused("\"purpose\"", "\"propose\"", &["no question", "purpose"]);
}

#[test]
fn a_command_that_does_not_answer_ends_the_search_in_words() {
    let place = with(room::ROOM);
    let cases: [(&str, &[&str]); 5] = [
        ("no-such-program", &["status: 127", "no-such-program: not found"]),
        ("echo so sorry >&2; exit 4", &["status: 4", "so sorry", "--resume continues"]),
        ("cat", &["not a trial"]),
        ("yes NaN", &["wrote `NaN`, not a trial"]),
        ("printf '{\"id\":'; exec sleep 0.1", &["status: 0"]),
    ];
    for (at, (command, says)) in cases.iter().enumerate() {
        let ran = evolve(&place, &format!("run{at}"), &["--evaluator", command, "--workers", "2"]).output().unwrap();
        let err = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(3), "{command}: {err}");
        for word in ["error: ", "3 times in a row", command].iter().chain(*says) {
            assert!(err.contains(word), "no `{word}` in {err}");
        }
    }
    let other = format!("{} --set scenario.room.count=11", answer());
    let ran = evolve(&place, "other", &["--evaluator", &other]).output().unwrap();
    let err = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.code() == Some(3) && err.contains("about another experiment"), "{err}");
    // The same folder continues with a command that works.
    assert!(evolve(&place, "other", &["--evaluator", &answer(), "--resume"]).output().unwrap().status.success());
}

#[test]
fn a_worker_that_says_nothing_is_given_up() {
    let place = with(room::ROOM);
    let command = format!("if [ $CROWDTUNE_WORKER = 1 ]; then sleep 1000; fi; exec {}", answer());
    assert!(evolve(&place, "alone", &[]).output().unwrap().status.success());
    let more = ["--evaluator", &command, "--workers", "2", "--answer-timeout", "1"];
    assert!(evolve(&place, "silent", &more).output().unwrap().status.success());
    assert!(log(&place, "silent") == log(&place, "alone"));
    let mute = ["--evaluator", "sleep 1000", "--workers", "1", "--answer-timeout", "1"];
    let ran = evolve(&place, "mute", &mute).output().unwrap();
    let err = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.code() == Some(3) && err.contains("it gave no answer within 1 s"), "{err}");
}

/// Numbers of workers that were started, the last ones last.
fn numbers(place: &Place) -> Vec<u32> {
    let text = fs::read_to_string(place.path("workers")).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// True as long as the worker with this number works.
fn works(number: u32) -> bool {
    let command = fs::read(Path::new("/proc").join(number.to_string()).join("cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&command).contains("answer")
}

fn signal(name: &str, number: u32) {
    let _ = Command::new("kill").args([name, &number.to_string()]).stderr(Stdio::null()).status();
}

fn all_are_gone(place: &Place) {
    let until = Instant::now() + Duration::from_secs(5);
    while numbers(place).into_iter().any(works) {
        assert!(Instant::now() < until, "workers are left");
        sleep(Duration::from_millis(5));
    }
}

/// Kills workers at random moments, and after so many of them each time the search itself, which is resumed.
fn killed(text: &str, times: u32, then_search: u32) {
    let place = with(text);
    assert!(evolve(&place, "alone", &[]).output().unwrap().status.success());
    let start = || -> Child {
        let more = ["--resume", "--evaluator", &noted(), "--workers", "3"];
        evolve(&place, "killed", &more).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let (mut search, mut rng, mut died) = (start(), Seed(21).rng(), 0);
    while died < times && search.try_wait().unwrap().is_none() {
        sleep(Duration::from_secs_f64(0.01 + 0.05 * unit(&mut rng)));
        let alive: Vec<u32> = numbers(&place).into_iter().filter(|&number| works(number)).collect();
        let Some(&victim) = alive.get((unit(&mut rng) * alive.len() as f64) as usize) else { continue };
        signal("-KILL", victim);
        died += 1;
        if died % then_search == 0 {
            let _ = search.kill();
            search.wait().unwrap();
            all_are_gone(&place);
            search = start();
        }
    }
    let ran = search.wait_with_output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(log(&place, "killed") == log(&place, "alone"), "{died} deaths change the log");
    println!("{died} workers died");
    assert!(died > times / 2, "only {died} workers died");
    all_are_gone(&place);
}

#[test]
#[cfg(target_os = "linux")]
fn whoever_dies_the_log_is_the_same() {
    killed(&longer(), 20, 4);
}

/// Long enough to be killed many times.
fn longer() -> String {
    let text = room::ROOM.replace("evaluations = 48", "evaluations = 200").replace("replicas = 1", "replicas = 3");
    text.replace("[search]", SHORT)
}

/// Each search is killed as often as a worker.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "slow: .ci/run runs it"]
fn slow_whoever_dies_every_kind_of_search_has_the_same_log() {
    for text in [vec![longer().replace(SHORT, &format!("{SHORT}\noptimizer = \"ga\""))], kinds(400).to_vec()].concat() {
        killed(&text, 20, 1);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_at_once_and_leaves_nobody() {
    for (at, command) in [noted(), "echo $$ >> workers; cat >/dev/null; sleep 60; : answer".into()].iter().enumerate() {
        let place = with(&room::ROOM.replace("evaluations = 48", "evaluations = 100000"));
        let more = ["--evaluator", command, "--workers", "2"];
        let search = evolve(&place, "run", &more).stderr(Stdio::piped()).spawn().unwrap();
        let until = Instant::now() + Duration::from_secs(10);
        while numbers(&place).len() < 2 && Instant::now() < until {
            sleep(Duration::from_millis(5));
        }
        sleep(Duration::from_millis(100));
        assert!(numbers(&place).into_iter().any(works), "{command}");
        let start = Instant::now();
        signal("-INT", search.id());
        let ran = search.wait_with_output().unwrap();
        assert!(start.elapsed() < Duration::from_secs(1), "{at}: {:?}", start.elapsed());
        assert_eq!(ran.status.code(), Some(130), "{}", String::from_utf8_lossy(&ran.stderr));
        all_are_gone(&place);
    }
}
