//! Foreign simulators as users see them: a search, its log, what goes wrong. The engines are Python scripts; without `python3` on the
//! machine these tests say so and end.

use crowdtune_testing::program::{Place, Ran};
use std::process::{Command, Stdio};

const HOSTILE: &str = include_str!("hostile.py");

const EXPERIMENT: &str = r#"
[engine]
command = ["python3", "hostile.py", "FAULT"]
timeout_s = 1.0
[parameters]
gain = { range = [0.0, 1.0], default = 0.9, doc = "How strong." }
[scenario.hall]
kind = "engine"
replicas = 1
[target.loss]
value = "loss"
minimize = { good = 0.0, bad = 1.0 }
[search]
evaluations = 10
parallel = 2
finalists = 1
profile_share = 0
"#;

/// A folder with an engine that has this fault; `None` without Python.
fn place(fault: &str) -> Option<Place> {
    let found = Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        eprintln!("skipped: this machine has no python3");
        return None;
    }
    let place = Place::new(env!("CARGO_BIN_EXE_crowdtune"));
    Some(place.with("hostile.py", HOSTILE).with("e.toml", &EXPERIMENT.replace("FAULT", fault)))
}

fn evolve(place: &Place, code: i32) -> Ran {
    place.run(code, "evolve e.toml --quiet --threads 2 --out run")
}

/// The log, with the reasons of failed trials.
fn failures(place: &Place) -> String {
    place.text("run/trials.jsonl")
}

#[test]
fn a_good_engine_is_tuned_with_the_same_bytes_on_any_number_of_threads_and_after_a_stop() {
    let Some(place) = place("good") else { return };
    evolve(&place, 0);
    let log = place.text("run/trials.jsonl");
    assert!(log.contains("\"engine\":\"hostile 1 (command "), "{log}");
    assert!(place.text("run/report.html").contains("asked for a run again, it gave the same numbers"));
    // It answers numbers only: there is nothing to play, and nothing to take elsewhere.
    assert!(!place.path("run/replays").exists());
    place.run(2, "export run --to tracks").says(&["the runs have no tracks"]);
    place.run(0, "evolve e.toml --quiet --threads 1 --out one");
    assert_eq!(log, place.text("one/trials.jsonl"));
    // The engine behind workers elsewhere.
    let program = env!("CARGO_BIN_EXE_crowdtune");
    let evaluator = format!("{program} answer e.toml");
    let elsewhere = ["evolve", "e.toml", "--quiet", "--out", "two", "--workers", "2", "--evaluator", &evaluator];
    assert!(place.command(&elsewhere).output().unwrap().status.success());
    assert_eq!(log, place.text("two/trials.jsonl"));
    // Cut after five lines, and continued.
    let cut: String = log.split_inclusive('\n').take(5).collect();
    place.write("run/trials.jsonl", cut);
    place.run(0, "evolve e.toml --quiet --out run --resume");
    assert_eq!(log, place.text("run/trials.jsonl"));
    // Another command is another engine, another script another experiment.
    let other = EXPERIMENT.replace("\"FAULT\"", "\"good\", \"again\"");
    place.write("e.toml", other);
    place.run(2, "evolve e.toml --quiet --out run --resume").says(&["the log has the answers of", "hostile 1"]);
    place.write("e.toml", EXPERIMENT.replace("FAULT", "good"));
    place.write("hostile.py", format!("{HOSTILE}# changed\n"));
    place.run(2, "evolve e.toml --quiet --out run --resume").says(&["the log belongs to another experiment"]);
    // The run folder keeps the script.
    for words in [
        "simulate run/experiment.toml --set parameters.gain=0.3",
        "simulate run/experiment.toml --preset run/best.json",
        "report run",
    ] {
        assert!(place.run(0, words).out.contains("loss"), "{words}");
    }
}

#[test]
fn an_engine_that_cannot_be_asked_at_all_ends_the_command_and_leaves_no_folder() {
    for (fault, says) in [
        ("exits_at_start", &["did not answer hello", "exit status: 3", "it said: no license found"][..]),
        ("other_protocol", &["it speaks protocol 7, this crowdtune 1"]),
        ("banner", &["its answer to hello is `welcome!`"]),
    ] {
        let Some(place) = place(fault) else { return };
        evolve(&place, 3).says(says);
        assert!(!place.path("run").exists(), "{fault}");
    }
    let Some(other) = place("other_constants") else { return };
    evolve(&other, 2).says(&["the engine `hostile` has no constant `gain`", "did you mean `gains`?"]);
    let Some(none) = place("good") else { return };
    none.write("e.toml", EXPERIMENT.replace("python3", "pithon3"));
    evolve(&none, 3).says(&["cannot start `pithon3`", "engine.command"]);
}

#[test]
fn what_an_engine_does_wrong_is_the_failure_of_its_run_and_nothing_is_left_running() {
    for (fault, says) in [
        ("garbage", "wrote `Loading map...`, which is no answer"),
        ("half_line", "ended in the middle of a run"),
        ("wrong_id", "answered request"),
        ("nan", "which is no answer"),
        ("text", "the value `loss` of the answer is \\\"0.3\\\", not a number"),
        ("endless", "which is no answer"),
        ("exits", "exit status: 5; it said: Segmentation fault in the physics"),
        ("leaves_children", "ended in the middle of a run"),
        ("outside", "lies outside the folder of the worker"),
        ("absolute", "lies outside the folder of the worker"),
        ("link", "lies outside the folder of the worker"),
        ("device", "lies outside the folder of the worker"),
        ("fails", "2 people outside"),
        ("other_values", "the answer has no value `loss`"),
    ] {
        let Some(place) = place(fault) else { return };
        let ran = place.words("evolve e.toml --quiet --threads 2 --out run --evaluations 2").output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(!said.contains('\u{1b}'), "{fault}: {said:?}");
        let log = place.path("run/trials.jsonl");
        let log = if log.is_file() { failures(&place) } else { String::new() };
        assert!(log.contains(says) || said.contains(&says.replace('\\', "")), "{fault}: {said}\n{log}");
        assert!(matches!(ran.status.code(), Some(1 | 3)), "{fault}: {said}");
        let folder = place.folder().display().to_string();
        let left = Command::new("ps").args(["-eo", "args"]).output().unwrap();
        let left = String::from_utf8_lossy(&left.stdout).into_owned();
        assert!(!left.contains(&format!("hostile.py {fault}")), "{fault} in {folder}: {left}");
        assert!(!left.contains("sleep 98765"), "{fault} in {folder}: {left}");
    }
}

#[test]
fn a_run_without_an_answer_in_time_fails_and_one_without_end_of_line_is_not_read_to_its_end() {
    for (fault, says) in [("sleeps", "no answer within 1 s"), ("gigabyte", "a line of more than 64 MB")] {
        let Some(place) = place(fault) else { return };
        let ran = place.words("evolve e.toml --quiet --threads 2 --out run --evaluations 1").output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(failures(&place).contains(says), "{fault}: {said}");
    }
}

#[test]
fn faults_between_runs_change_no_byte() {
    let Some(place) = place("good") else { return };
    evolve(&place, 0);
    let rows = |text: String| {
        text.lines().skip(1).map(|l| l.split(",\"check\"").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let good = rows(place.text("run/trials.jsonl"));
    for fault in ["twice", "crashes_now_and_then", "stays"] {
        let Some(place) = self::place(fault) else { return };
        evolve(&place, 0);
        assert_eq!(rows(place.text("run/trials.jsonl")), good, "{fault}");
    }
}

#[test]
fn an_engine_behind_a_socket_gives_the_same_rows_and_nobody_else_is_heard() {
    let rows = |text: String| {
        text.lines().skip(1).map(|l| l.split(",\"check\"").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let Some(pipe) = place("good") else { return };
    evolve(&pipe, 0);
    let Some(place) = place("socket") else { return };
    place.write("behind_socket.py", include_str!("behind_socket.py"));
    let text = EXPERIMENT.replace("\"hostile.py\", \"FAULT\"]", "\"behind_socket.py\"]\nconnection = \"tcp\"");
    place.write("e.toml", text);
    place.run(0, "engine check e.toml");
    evolve(&place, 0);
    assert_eq!(rows(place.text("run/trials.jsonl")), rows(pipe.text("run/trials.jsonl")));
}

#[test]
fn an_engine_that_does_not_repeat_is_said_to() {
    let Some(place) = place("no_seed") else { return };
    let said = evolve(&place, 0).out;
    assert!(said.contains("nobody can repeat this search"), "{said}");
    // The report is made again without asking the engine.
    place.run(0, "report run");
    assert!(place.text("run/report.html").contains("asked for a run again, it gave other numbers"));
}

#[test]
fn failure_is_a_normal_answer() {
    let Some(place) = place("fails_above") else { return };
    place.write("e.toml", EXPERIMENT.replace("FAULT", "fails_above").replace("default = 0.9", "default = 0.4"));
    evolve(&place, 0);
    assert!(failures(&place).contains("too strong"));
}

#[test]
fn check_says_in_words_what_is_wrong() {
    for (fault, says) in [
        (
            "exits_at_start",
            "hello: ended in the middle of a run: it ended with exit status: 3; it said: no license found",
        ),
        ("banner", "hello: the first line is `welcome!`"),
        ("other_constants", "hello: the engine `hostile` has no constant `gain`"),
        ("no_goals", "hello: `scenario.hall` has goals, which the engine `hostile` cannot do"),
        ("no_such_word", "hello: the engine `hostile` says that it cannot do `inflows`, which is no word for that"),
        ("garbage", "a run with the defaults: wrote `Loading map...`, which is no answer"),
        ("other_values", "a run with the defaults: `values` has no `loss`, but: los"),
        ("fails", "a run with the defaults: says that the run with the defaults failed"),
        ("twice", "one line for each request: after its answer it wrote"),
        ("no_seed", "the same request again: `loss` was"),
        ("goes_on", "the same request again: gave no answer within 1 s"),
        ("stays", "goodbye: it went on for 2 s after its input had ended"),
    ] {
        let Some(place) = place(fault) else { return };
        let ran = place.words("engine check e.toml").output().unwrap();
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(said.contains(&format!("WRONG  {says}")), "{fault}: {said}");
        assert_eq!(ran.status.code(), Some(1), "{fault}");
    }
    let Some(good) = place("good") else { return };
    assert!(good.run(0, "engine check e.toml").out.ends_with("The engine does all that a search asks of it.\n"));
}

#[test]
fn new_writes_a_worker_that_runs_as_it_is() {
    for kind in ["python", "command"] {
        let Some(place) = place("good") else { return };
        let written = place.run(0, &format!("new toy --engine {kind}"));
        assert!(written.out.contains("crowdtune engine check toy.toml"), "{}", written.out);
        place.run(0, "engine check toy.toml");
        if kind == "python" {
            let tuned = place.run(0, "evolve toy.toml --quiet");
            assert!(tuned.out.contains("The one wish is met."), "{}", tuned.out);
        }
        place.run(2, &format!("new toy --engine {kind}")).says(&["exists already"]);
    }
}

#[test]
fn what_the_file_says_of_the_engine_is_checked() {
    let Some(place) = place("good") else { return };
    for (from, to, says) in [
        ("[engine]", "model = \"orca\"\n[engine]", "a file with an [engine] has no model of this library"),
        ("command = [\"python3\", \"hostile.py\", \"FAULT\"]", "", "`engine` has no `command`"),
        (", default = 0.9", "", "`gain` has no `default`"),
        ("timeout_s", "timeouts", "did you mean `timeout_s`?"),
        ("value = \"loss\"", "metric = \"body_pressure_p95_n_per_m\"", "it has no contact forces"),
        ("value = \"loss\"", "value = \"collisions\"", "the metric `collisions` is registered already"),
        ("gain = {", "Gain = {", "`Gain` cannot name a constant"),
    ] {
        place.write("e.toml", EXPERIMENT.replace(from, to));
        place.run(2, "evolve e.toml --quiet").says(&[says]);
    }
    let hills = EXPERIMENT.replace("kind = \"engine\"", "kind = \"room\"\nground = { slope = [0.1, 0.0] }");
    place.write("e.toml", hills);
    place.run(2, "evolve e.toml --quiet").says(&["`scenario.hall` has heights, and engines are not told of that"]);
    place.write("e.toml", "model = \"orca\"\n[scenario.room]\nkind = \"room\"\nengine = { a = 1 }\n");
    place.run(2, "simulate e.toml").says(&["this experiment has no engine that could read it"]);
}
