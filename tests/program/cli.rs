//! The program as scripts see it: exit codes, stdout and stderr, files, Ctrl-C, a full disk.

use crate::room;
use crowdtune_testing::program::{Place, Ran};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A folder with the experiment in it, in which the program is run.
fn in_room() -> Place {
    Place::new(env!("CARGO_BIN_EXE_crowdtune")).with("room.toml", room::ROOM)
}

/// All files below a folder with their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
    found
}

#[test]
fn results_go_to_stdout_and_plain_progress_to_stderr() {
    let place = in_room();
    let ran = place.run(0, "evolve room.toml");
    assert!(ran.out.contains("time") && ran.out.contains("results/room-5/report.html"), "{}", ran.out);
    assert!(ran.err.contains("search 48/48  best loss "), "{}", ran.err);
    assert!(!(ran.out.clone() + &ran.err).contains(['\r', '\x1b']), "control characters without a terminal");
    for file in ["experiment.toml", "trials.jsonl", "best.json", "summary.json", "report.html", "timing.jsonl"] {
        assert!(!place.text(&format!("results/room-5/{file}")).is_empty(), "{file}");
    }

    let ran = place.run(0, "tune room.toml --json --quiet --out j");
    let summary: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(summary.is_object());
    assert_eq!(ran.err, "");
    let (a, b) = (place.text("results/room-5/trials.jsonl"), place.text("j/trials.jsonl"));
    assert!(a == b, "how it is shown changes the log");

    let ran = place.run(0, "calibrate room.toml --json --quiet --repeats 2 --evaluations 8 --out twice");
    assert_eq!(serde_json::from_str::<Vec<serde_json::Value>>(&ran.out).unwrap().len(), 2);
    assert!(place.text("twice/r1/trials.jsonl") != place.text("twice/r2/trials.jsonl"));

    // The repeats side by side: what the table is made from says the same as the rows.
    let said: serde_json::Value = serde_json::from_str(&place.text("twice/compare.json")).unwrap();
    let searches = said["groups"][0]["searches"].as_array().unwrap();
    assert_eq!(searches.iter().map(|s| s["seed"].as_u64().unwrap()).collect::<Vec<_>>(), [5, 6]);
    for (search, run) in searches.iter().zip(["r1", "r2"]) {
        let log = place.text(&format!("twice/{run}/trials.jsonl"));
        let row = log.lines().rfind(|l| l.contains("\"report\"")).unwrap();
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        assert_eq!(search["fresh"][1], row["objectives"][0]);
    }
    let ran = place.run(0, "compare twice twice/r1 --picture bands.svg");
    for part in ["twice against r1", "of 1 seed", "Wilcoxon"] {
        assert!(ran.out.contains(part), "no {part} in\n{}", ran.out);
    }
    assert!(place.text("bands.svg").contains("Best so far") && place.text("twice/compare.svg").contains("</svg>"));
    place.run(2, "compare nowhere").says(&["no run folder", "nowhere"]);
}

#[test]
fn a_folder_that_exists_needs_resume_and_is_left_alone() {
    let place = in_room();
    place.run(0, "evolve room.toml --quiet --out run");
    let before = files(&place.path("run"));
    place.run(2, "evolve room.toml --out run").says(&["exists already", "--resume", "run"]);
    place.run(2, "evolve room.toml --out run --resume --seed 6").says(&["another experiment", "--out"]);
    place.run(2, "evolve room.toml --out run --resume --evaluations 47").says(&["at least 48"]);
    assert!(files(&place.path("run")) == before);
    place.run(0, "evolve room.toml --quiet --out run --resume");
    assert!(files(&place.path("run")) == before, "resuming what is finished changes nothing");
}

#[test]
fn nothing_valid_is_1() {
    let place = in_room();
    // People who rush to a door touch each other; here that is unhealthy.
    let ran = place.run(1, "evolve room.toml --set simulation.max_overlap_share=0.01 --set people.desired_speed_m_per_s=5 --set parameters.repulsion_strength_n=0 --set parameters.body_stiffness_kg_per_s2=0 --evaluations 4");
    ran.says(&["no search trial was valid", "trials.jsonl"]);
    let log = place.text("results/room-5/trials.jsonl");
    assert_eq!(log.lines().count(), 1 + 4, "what was tried is kept:\n{log}");
    place.run(1, "simulate room.toml --set simulation.max_overlap_share=0.01 --set people.desired_speed_m_per_s=5 --set parameters.repulsion_strength_n=0 --set parameters.body_stiffness_kg_per_s2=0").says(&["cannot be trusted"]);
}

#[test]
fn a_mistake_of_the_user_is_2_and_names_its_place() {
    let place = in_room();
    place.run(2, "evolve room.toml --set scenario.room.count=2000").says(&["scenario.room", "count"]);
    place.run(2, "evolve absent.toml").says(&["absent.toml"]);
    place.run(2, "evolve room.toml --set parameters.repulsion_strength_m=3").says(&["repulsion_strength_n"]);
    place.run(2, "evolve room.toml --set scenario.room.limit_s=-1").says(&["scenario.room.limit_s", "allowed"]);
    place.run(2, "evolve room.toml --set search.optimizer=genetic").says(&["ga", "random"]);
    place.run(2, "evolve room.toml --set model").says(&["KEY=VALUE"]);
    place.run(2, "evolve room.toml --nonsense").says(&["--nonsense"]);
    place.run(2, "simulate room.toml --scenario hall").says(&["hall", "room"]);
    place.run(2, "report .").says(&["not a run folder", "experiment.toml"]);
    fs::write(place.path("bytes.toml"), [0xff, 0xfe]).unwrap();
    place.run(2, "evolve bytes.toml").says(&["bytes.toml", "help:"]);
    fs::write(place.path("half.toml"), "format = 1\nmodel = ").unwrap();
    place.run(2, "evolve half.toml").says(&["half.toml:2"]);
    assert!(!place.path("results").exists(), "a mistake makes no folder");
}

#[test]
fn a_file_in_the_way_is_2_before_any_work() {
    let place = in_room();
    fs::write(place.path("file"), "").unwrap();
    for out in ["file", "file/run"] {
        let ran = place.run(2, &format!("evolve room.toml --out {out}"));
        ran.says(&["a file is in the way", out, "--out"]);
        assert!(!ran.err.contains("search "), "{}", ran.err);
    }
    place.run(2, "simulate room.toml --replay file/page.html").says(&["a file is in the way", "file/page.html"]);
    place.run(2, "simulate room.toml --trajectory .").says(&["a folder is in the way"]);
    place.run(2, "sweep room.toml --replicas 1 --out file/sweep").says(&["a file is in the way", "file/sweep"]);
    fs::write(place.path("kept.txt"), "mine").unwrap();
    place.run(1, "simulate room.toml --set simulation.max_overlap_share=0.01 --set people.desired_speed_m_per_s=5 --set parameters.repulsion_strength_n=0 --set parameters.body_stiffness_kg_per_s2=0 --trajectory kept.txt --replay new.html");
    assert!(place.text("kept.txt") == "mine" && !place.path("new.html").exists(), "a run that fails writes nothing");
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_that_cannot_be_written_is_3_before_any_work() {
    let place = in_room();
    place.run(3, "evolve room.toml --out /proc/none/run").says(&["/proc/none/run", "--out"]);
    place.run(3, "simulate room.toml --replay /proc/none/page.html").says(&["/proc/none/page.html"]);
    place.run(3, "sweep room.toml --replicas 1 --out /proc/none/sweep").says(&["/proc/none/sweep"]);
}

#[test]
fn options_name_themselves_and_their_range() {
    let place = in_room();
    place.run(2, "evolve room.toml --threads 1025").says(&["--threads", "0..=256"]);
    place.run(2, "evolve room.toml --evaluations 0").says(&["--evaluations"]);
    place.run(2, "evolve room.toml --seed 9223372036854775807 --repeats 2").says(&["seed"]);
    place.run(2, "simulate room.toml --model none").says(&["--model", "social_force"]);
    place.run(2, "simulate room.toml --seed 18446744073709551615").says(&["--seed"]);
    place.run(2, "bench W1 --agents 0").says(&["--agents"]);
    place.run(2, "bench W1 --steps 0").says(&["--steps"]);
    place.run(2, "new .toml").says(&["no name"]);
    assert!(!place.path(".toml").exists() && !place.path("results").exists());
}

#[test]
fn what_differs_between_groups_is_named_and_not_in_the_preset() {
    let place = in_room();
    let ran = place.run(
        0,
        "evolve room.toml --quiet --evaluations 4 --out run --set scenario.room.people.desired_speed_m_per_s={each=[1.0,1.5]}",
    );
    assert!(ran.err.contains("warning: best.json leaves out people.desired_speed_m_per_s"), "{}", ran.err);
    for source in ["run", "run/best.json"] {
        let ran = place.run(0, &format!("export {source} --to csv --out out"));
        assert!(ran.err.contains("note: The preset has no `people.desired_speed_m_per_s`"), "{}", ran.err);
    }
}

#[test]
fn a_sweep_runs_the_grid() {
    let place = in_room();
    let words = "sweep room.toml --set people.desired_speed_m_per_s=1,2 --set scenario.room.door_width_m=1,1.5 \
                 --replicas 2 --out s";
    let ran = place.run(0, words);
    assert!(ran.out.contains("people.desired_speed_m_per_s") && ran.out.contains("Page: s/sweep.html"), "{}", ran.out);
    assert_eq!(place.text("s/sweep.csv").lines().count(), 1 + 4);
    assert!(files(&place.path("s")).keys().any(|p| p.extension().is_some_and(|e| e == "svg")));
    let ran = place.run(0, &format!("{words} --json --quiet").replace("--out s", "--out t"));
    assert!(ran.out.parse::<serde_json::Value>().unwrap()["rows"].as_array().unwrap().len() == 4);
}

#[test]
fn a_draft_says_so_everywhere() {
    let place = in_room();
    let longer = "steps of 0.02 s, longer than the model's own";
    let ran = place.run(0, "evolve room.toml --draft --evaluations 8 --out d");
    assert!(ran.out.contains(longer) && ran.err.contains(longer), "{}\n{}", ran.out, ran.err);
    assert!(place.text("d/report.html").contains("DRAFT"));
    assert!(place.text("d/experiment.toml").contains("time_step_s = 0.02"));
    assert!(place.text("d/trials.jsonl").lines().next().unwrap().contains("\"draft\":true"));
    assert!(place.text("d/summary.json").contains("\"draft_step_s\": 0.02"));
    assert!(place.text("d/best.json").contains("\"draft\""));
    // The same as setting the step, and nothing that a run with the step of the file could go on with.
    let before = files(&place.path("d"));
    place.run(2, "evolve room.toml --evaluations 8 --out d --resume").says(&["another experiment", "--draft"]);
    place.run(0, "evolve room.toml --evaluations 8 --out d --resume --set simulation.time_step_s=0.02 --quiet");
    assert!(files(&place.path("d")) == before);
    place.run(0, "evolve room.toml --evaluations 8 --out plain --quiet");
    place.run(2, "evolve room.toml --draft --evaluations 8 --out plain --resume").says(&["another experiment"]);
    assert!(!place.text("plain/summary.json").contains("draft"));
    assert!(!place.text("plain/trials.jsonl").contains("draft"));

    let ran = place.run(0, "simulate room.toml --draft");
    assert!(ran.out.contains("social_force (draft)"), "{}", ran.out);
    let ran = place.run(0, "sweep room.toml --draft --replicas 1 --out s");
    assert!(ran.out.contains(longer), "{}", ran.out);
    assert!(place.text("s/sweep.json").contains("draft, steps of 0.02 s"));
}

#[test]
fn a_draft_that_cannot_be_is_2() {
    let place = in_room();
    place.run(2, "simulate room.toml --draft --set simulation.time_step_s=0.02").says(&["0.04 s", "--draft", "0.02"]);
    place.run(2, "sweep room.toml --draft --set simulation.sample_every_s=0.01").says(&[
        "0.02 s",
        "--draft",
        "sample_every_s",
    ]);
}

#[test]
fn two_presets_run_side_by_side() {
    let place = in_room();
    place.run(0, "evolve room.toml --quiet --evaluations 16 --out a");
    fs::copy(place.path("a/best.json"), place.path("b.json")).unwrap();
    let words = "simulate room.toml --preset a/best.json --preset b.json --replay both.html --trajectory t.txt";
    let ran = place.run(0, words);
    assert!(ran.out.contains("a/best.json") && ran.out.contains("b.json"), "{}", ran.out);
    let page = place.text("both.html");
    assert!(page.contains("a/best.json") && page.contains("b.json"));
    assert!(!page.contains("http://") && !page.contains("https://"), "the page needs the network");
    assert!(page.contains("\"overlaps\":false"), "nobody counts collisions");
    place.run(0, "simulate room.toml --set measure.hits.metric=\"collisions\" --replay hits.html");
    assert!(place.text("hits.html").contains("\"overlaps\":true"));
    let track = place.text("t.txt");
    assert!(track.starts_with("# framerate: 10 fps\n# x/y/z in m\n# id frame x y z\n0 0 "), "{}", &track[..80]);
    assert_eq!(track, place.text("t-2.txt"), "the same preset on the same seed");
    let ran = place.run(0, "simulate room.toml --preset a/best.json --preset b.json --json");
    let runs = ran.out.parse::<serde_json::Value>().unwrap();
    assert_eq!(runs["runs"][0]["values"], runs["runs"][1]["values"]);
    let ran = place.run(0, "simulate room.toml --model social_force --model social_force");
    assert!(ran.out.contains("social_force (2)"), "equal names are told apart: {}", ran.out);
}

#[test]
fn report_makes_the_same_bytes_from_the_folder_alone() {
    let place = in_room();
    place.run(0, "evolve room.toml --quiet --out run");
    let made = files(&place.path("run"));
    fs::remove_dir_all(place.path("run/plots")).unwrap();
    fs::remove_file(place.path("run/report.html")).unwrap();
    fs::remove_file(place.path("room.toml")).unwrap();
    place.run(0, "report run");
    let again = files(&place.path("run"));
    assert_eq!(made.keys().collect::<Vec<_>>(), again.keys().collect::<Vec<_>>());
    for (path, bytes) in &made {
        assert!(*bytes == again[path], "{} differs", path.display());
    }
}

#[test]
fn an_export_lies_in_the_run_folder() {
    let place = in_room();
    place.run(0, "evolve room.toml --quiet --evaluations 8 --out run");
    for (tool, file) in [("json", "preset.json"), ("csv", "parameters.csv"), ("jupedsim", "run_jupedsim.py")] {
        place.run(0, &format!("export run --to {tool}"));
        assert!(place.path(&format!("run/export/{tool}/{file}")).is_file());
    }
}

/// The tiny room with two objectives.
pub fn two_objectives() -> String {
    let own = "[target.time]\nobjective = \"fast\"";
    let gentle =
        "[target.calm]\nmetric = \"speed_mean_m_per_s\"\nminimize = { good = 0, bad = 2 }\nobjective = \"gentle\"";
    let search = "[search]\noptimizer = \"pareto\"\nfinalists = 4\nselect_replicas = 20";
    let text = room::ROOM.replace("[target.time]", own).replace("replicas = 1", "replicas = 2");
    text.replace("[search]", &format!("{gentle}\n{search}"))
}

#[test]
fn a_front_leaves_a_preset_each_and_any_of_them_is_exported() {
    let place = in_room();
    fs::write(place.path("two.toml"), two_objectives()).unwrap();
    let ran = place.run(0, "evolve two.toml --out run");
    assert!(ran.err.contains("search 48/48  lowest losses "), "{}", ran.err);
    for words in
        ["search saw", "recommended (knee)", "the published values", "fast: evacuation time 95 (s)", "run/report.html"]
    {
        assert!(ran.out.contains(words), "no `{words}` in\n{}", ran.out);
    }
    let json = |name: &str| place.text(name).parse::<serde_json::Value>().unwrap();
    let summary = json("run/summary.json");
    let points = summary["front"]["points"].as_array().unwrap().clone();
    let members: Vec<u64> =
        points.iter().filter(|p| p["standing"] == "front").map(|p| p["id"].as_u64().unwrap()).collect();
    let presets: Vec<String> = files(&place.path("run/presets"))
        .into_keys()
        .map(|p| p.file_name().unwrap().to_str().unwrap().to_string())
        .collect();
    let mut wanted: Vec<String> = members.iter().map(|id| format!("front-{id}.json")).collect();
    wanted.sort();
    assert!(presets == wanted && members.len() > 1, "{presets:?} {members:?}");
    let page = place.text("run/report.html");
    assert!(page.contains("The front") && page.contains("data-place=\"front\""));
    assert!(place.path("run/plots/front.svg").is_file());

    // The recommended one is best.json, and its own preset says the same.
    let best = json("run/best.json");
    let picked = points.iter().find(|p| p["recommended"] == true).unwrap()["id"].as_u64().unwrap();
    let own = json(&format!("run/presets/front-{picked}.json"));
    assert_eq!((&own["parameters"], &own["targets"]), (&best["parameters"], &best["targets"]));
    let other = *members.iter().find(|id| **id != picked).unwrap();
    let preset = json(&format!("run/presets/front-{other}.json"));
    assert!(preset["targets"][0]["value"]["value"].is_number() && preset["parameters"] != best["parameters"]);
    place.run(0, &format!("export run --to json --pick {other} --out out"));
    let exported = json("out/preset.json");
    for key in ["name", "parameters", "targets"] {
        assert_eq!(exported[key], preset[key]);
    }
    place.run(0, &format!("simulate two.toml --preset run/presets/front-{other}.json"));
    // Any other evaluation too, without figures that were never made.
    let plain = (0..48).find(|id| !points.iter().any(|p| p["id"] == *id)).unwrap();
    place.run(0, &format!("export run --to json --pick {plain} --out plain"));
    assert_eq!(json("plain/preset.json")["targets"].as_array().map_or(0, Vec::len), 0);
    place.run(2, "export run --to json --pick 100000").says(&["no evaluation 100000", "allowed: 0 to "]);

    // Another preference chooses another one of the same rows; nothing runs again.
    let log = place.text("run/trials.jsonl");
    place.run(0, "evolve two.toml --quiet --out run --resume --set search.preference.gentle=1");
    assert_eq!(place.text("run/trials.jsonl"), log);
    let gentle = json("run/summary.json")["recommended"].as_u64();
    place.run(0, "evolve two.toml --quiet --out run --resume --set search.preference.fast=1");
    assert!(json("run/summary.json")["recommended"].as_u64() != gentle);
    place.run(2, "evolve two.toml --out other --set search.optimizer=ga").says(&["2 objectives", "pareto"]);

    // A longer search has another front; presets of the old one go.
    fs::write(place.path("run/presets/mine.json"), "{}").unwrap();
    fs::write(place.path("run/presets/front-99999.json"), "{}").unwrap();
    place.run(0, "evolve two.toml --quiet --out run --resume --evaluations 56");
    assert!(place.path("run/presets/mine.json").is_file() && !place.path("run/presets/front-99999.json").exists());
    let before = files(&place.path("run"));
    place.run(0, "report run");
    assert!(files(&place.path("run")) == before);
}

#[test]
fn an_unfinished_search_has_a_front_that_nothing_checked() {
    let place = in_room();
    fs::write(place.path("two.toml"), two_objectives()).unwrap();
    place.run(0, "evolve two.toml --quiet --out run");
    let log = place.text("run/trials.jsonl");
    let cut: String = log.lines().take(1 + 30).map(|l| format!("{l}\n")).collect();
    fs::write(place.path("run/trials.jsonl"), cut).unwrap();
    let ran = place.run(0, "report run");
    assert!(ran.out.contains("not checked yet") && ran.out.contains("none of them checked"), "{}", ran.out);
}

#[test]
fn a_larger_budget_extends_the_log() {
    let place = in_room();
    let search = |log: &str| -> Vec<String> {
        let rows = log.lines().filter(|l| l.contains("\"purpose\":\"search\""));
        // Ids and checksums count the rows of a selection too.
        rows.map(|l| l[l.find("\"purpose\"").unwrap()..l.find(",\"check\"").unwrap()].to_string()).collect()
    };
    place.run(0, "evolve room.toml --quiet --evaluations 20 --out run");
    let short = place.text("run/trials.jsonl");
    place.run(0, "evolve room.toml --quiet --evaluations 48 --out run --resume");
    let long = place.text("run/trials.jsonl");
    assert!(long.len() > short.len() && long.starts_with(&short), "an extension appends");
    place.run(0, "evolve room.toml --quiet --out whole");
    let whole = search(&place.text("whole/trials.jsonl"));
    assert_eq!(whole.len(), 48);
    assert!(search(&long) == whole, "the search goes on as if it had never ended");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_everything_and_resume_ends_in_the_same_bytes() {
    let place = in_room();
    let words = "evolve room.toml --evaluations 600 --out";
    place.run(0, &format!("{words} whole --quiet"));
    let whole = place.text("whole/trials.jsonl");

    let mut command = place.words(&format!("{words} run"));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let log = place.path("run/trials.jsonl");
    while fs::read_to_string(&log).map_or(0, |t| t.lines().count()) < 40 {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ran = Ran::new(&child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{}", ran.err);
    ran.says(&["interrupted after ", "search trials", "--resume", "trials.jsonl"]);
    let kept = fs::read_to_string(&log).unwrap();
    assert!(kept.len() < whole.len() && whole.starts_with(&kept) && kept.ends_with('\n'));

    // A report of what is there can be made at any time.
    place.run(0, "report run");
    place.run(0, &format!("{words} run --quiet --resume"));
    assert!(fs::read_to_string(&log).unwrap() == whole);
}

/// A limit on the size of files stands for a full disk: the write fails in the middle of the search.
#[cfg(unix)]
#[test]
fn a_full_disk_is_3_and_loses_nothing() {
    let place = in_room();
    let words = "evolve room.toml --quiet --evaluations 120 --out";
    place.run(0, &format!("{words} whole"));
    let whole = place.text("whole/trials.jsonl");
    let script = format!("trap '' XFSZ; ulimit -f 12; exec \"$0\" {words} run");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_crowdtune")]).current_dir(place.folder());
    let ran = Ran::new(&shell.output().unwrap());
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    ran.says(&["cannot append to the log", "--resume"]);
    let kept = place.text("run/trials.jsonl");
    assert!(kept.lines().count() > 10 && whole.starts_with(&kept) && kept.ends_with('\n'), "whole lines only");
    place.run(0, &format!("{words} run --resume"));
    assert!(place.text("run/trials.jsonl") == whole);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_stdout_or_file_is_3_and_a_closed_one_is_nothing() {
    let place = in_room();
    place.run(3, "simulate room.toml --trajectory /dev/full").says(&["/dev/full", "room"]);
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    for words in ["list models", "simulate room.toml", "schema"] {
        let ran = Ran::new(&place.words(words).stdout(full()).stderr(Stdio::piped()).output().unwrap());
        assert_eq!(ran.code, Some(3), "{words}: {}", ran.err);
        ran.says(&["cannot write to stdout"]);
        let mut child = place.words(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ran = Ran::new(&child.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{words}");
    }
    // A search goes on where nobody can read its progress.
    let ran = Ran::new(&place.words("evolve room.toml").stderr(full()).output().unwrap());
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("report.html"));
}
