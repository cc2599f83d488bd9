"""Runs what `crowdtune export` writes in the tools it is for, beside crowdtune's own run, and prints a table.

    cargo build --release
    .ci/exports                         # makes the environments of the Python tools, under target/exports
    python3 benches/exports.py [--seeds 10] [--only TOOL ...]

Two places, 50 people in each; a run of its own for each seed, so every seed has other people, the same on all sides but jupedsim_scenarios,
which draws its own. All sides are measured by the same lines of this file: until when the last one is out, the mean speed over all steps of all
people, and the least distance of two centers.
Values are means with 95 % intervals (Student's t).
"""

import argparse
import math
import shutil
import sqlite3
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from threading import Lock
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CROWDTUNE = ROOT / "target/release/crowdtune"
ENVIRONMENTS = ROOT / "target/exports"
PLACE = ROOT / "target/exports-table"
PEOPLE = 50
LIMIT_S = 300
# A run has this many frames a second; those of the tools are thinned to it.
FPS = 10

# Quantiles of Student's t at 97.5 %, by degrees of freedom (any table of them, for example NIST's handbook, section 1.3.6.7.2).
T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093]

PLACES = {
    "corridor": 'kind = "corridor"\nends = "open"\nlength_m = 30.0\nwidth_m = 10.0',
    "room": 'kind = "room"\nwidth_m = 10.0\ndepth_m = 10.0\ndoor_width_m = 1.0',
}
# A constant of each model that is searched by a hair: the published ones are what is exported.
MODELS = {
    "orca": "time_horizon_s = { range = [1.999, 2.001] }\npush_m_per_s = 0.0",
    "social_force": "relaxation_time_s = { range = [0.4999, 0.5001] }",
}


def python(name):
    return installed(name, "python")


def installed(name, program):
    return str(ENVIRONMENTS / name / "bin" / program)


SCENARIOS = installed("jupedsim_scenarios", "jps-scenarios")


def cargo(folder):
    # One target folder for all: only the place is compiled anew. To cargo two folders with one package are the same, and what was
    # exported before the last build is old.
    build = f"touch src/main.rs && exec cargo run --release --quiet --target-dir '{PLACE}/target-{folder}' --"
    return ["sh", "-c", f'{build} "$@"', "cargo"]


class Tool(NamedTuple):
    """A tool that runs an export."""

    models: list[str]
    needs: str  # the program that must be there
    commands: list[list[str]]  # in the folder of the export
    tracks: str = "tracks.txt"  # what they write
    export: tuple[str, ...] = ()  # further words for `crowdtune export`


RUNS = {
    "pyrvo": Tool(["orca"], python("pyrvo"), [[python("pyrvo"), "run_pyrvo.py", "--out", "tracks.txt"]]),
    "dodgy_2d": Tool(["orca"], "cargo", [[*cargo("dodgy_2d"), "place", "--out", "tracks.txt"]]),
    "landmass": Tool(["orca"], "cargo", [[*cargo("landmass"), "place", "--out", "tracks.txt"]]),
    "jupedsim": Tool(["social_force"], python("jupedsim"), [[python("jupedsim"), "run_jupedsim.py"]], "run_jupedsim.sqlite"),
    "jupedsim_scenarios": Tool(
        ["social_force"],
        SCENARIOS,
        # It draws people itself, and calls it an error if somebody stays.
        [["sh", "-c", f"'{SCENARIOS}' sweep scenario.zip --seed-start SEED --seed-end SEED --out sweep; test -s sweep/trial_00000.sqlite"]],
        "sweep/trial_00000.sqlite",
    ),
    # Its law is another one.
    "pysocialforce": Tool(["social_force"], python("pysocialforce"), [[python("pysocialforce"), "run_pysocialforce.py"]], "run_pysocialforce.txt", ("--force",)),
    "js": Tool(list(MODELS), "node", [["node", "walk.js", "place.json", str(LIMIT_S)]]),
    "unity": Tool(
        list(MODELS),
        "mono",
        [["sh", "-c", "mcs -out:walk.exe $(pkg-config --libs newtonsoft-json) Walk.cs Crowdtune/*.cs"], ["mono", "walk.exe", "place.json", str(LIMIT_S)]],
    ),
    "unreal": Tool(list(MODELS), "g++", [["g++", "-O2", "-std=c++17", "-I.", "walk.cpp", "-o", "walk"], ["./walk", "place.json", str(LIMIT_S)]]),
    "godot": Tool(list(MODELS), "godot3-server", [["godot3-server", "--path", "godot3", f"--walk={LIMIT_S}"]], "godot3/tracks.txt"),
    "rust": Tool(list(MODELS), "cargo", [[*cargo("rust"), "place.json", str(LIMIT_S)]]),
}


# Two builds in one target folder would run each other's program.
CARGO = Lock()


def run(command, folder):
    with CARGO if "cargo" in command else nullcontext():
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if ran.returncode:
        sys.exit(f"{' '.join(map(str, command))} in {folder} failed:\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def frames(path):
    """Positions by frame and id, and frames a second."""
    rows, fps = [], None
    if path.suffix == ".sqlite":
        with sqlite3.connect(path) as file:
            fps = float(file.execute("SELECT value FROM metadata WHERE key = 'fps'").fetchone()[0])
            rows = [(f, i, x, y) for f, i, x, y in file.execute("SELECT frame, id, pos_x, pos_y FROM trajectory_data")]
    else:
        for line in path.read_text().splitlines():
            if line.startswith("# framerate:"):
                fps = float(line.split()[2])
            elif not line.startswith("#") and line.strip():
                i, f, x, y = line.split()[:4]
                rows.append((int(f), int(i), float(x), float(y)))
    every = max(1, round(fps / FPS))
    by_frame = {}
    for f, i, x, y in rows:
        if f % every == 0:
            by_frame.setdefault(f // every, {})[i] = (x, y)
    return by_frame, fps / every


def measured(path):
    """Last one out (s, or None if somebody is still there), how many are left, mean speed (m/s), least distance of centers (m)."""
    by_frame, fps = frames(path)
    last = max(by_frame)
    if last / fps > LIMIT_S - 1:
        inside = len(by_frame[last])
    else:
        inside = 0
    walked, steps, least = 0.0, 0, math.inf
    for number, people in by_frame.items():
        places = sorted(people.values())
        for k, (x, y) in enumerate(places):
            for u, v in places[k + 1 :]:
                if u - x >= least:
                    break
                least = min(least, math.hypot(u - x, v - y))
        for i, (x, y) in by_frame.get(number + 1, {}).items():
            if i in people:
                walked += math.hypot(x - people[i][0], y - people[i][1]) * fps
                steps += 1
    return (last / fps if not inside else None), inside, walked / steps, least


def one(place, model, seed, tools):
    """Values of crowdtune and of each tool."""
    folder = PLACE / f"{place}-{model}-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "run.toml").write_text(
        f'model = "{model}"\n[parameters]\n{MODELS[model]}\n[scenario.{place}]\n{PLACES[place]}\ncount = {PEOPLE}\nlimit_s = {LIMIT_S}.0\n'
        'give_up_s = 120.0\n[target.time]\nmetric = "evacuation_time_95_s"\nminimize = { good = 20.0, bad = 60.0 }\n'
        f'[search]\noptimizer = "random"\nevaluations = 1\nfinalists = 1\nreport_replicas = 20\nprofile_share = 0\nseed = {seed}\n'
    )
    run([CROWDTUNE, "evolve", "run.toml", "--quiet", "--out", "run"], folder)
    # The exporters of runtimes write crowdtune's run of the people whom all exporters draw.
    run([CROWDTUNE, "export", "run", "--to", "js", "--out", "own"], folder)
    values = {"crowdtune": measured(folder / "own/place_crowdtune.txt")}
    for name in tools:
        tool = RUNS[name]
        if model in tool.models:
            run([CROWDTUNE, "export", "run", "--to", name, "--out", name, *tool.export], folder)
            for command in tool.commands:
                run([word.replace("SEED", str(seed)) for word in command], folder / name)
            values[name] = measured(folder / name / tool.tracks)
    return values


def interval(values, digits):
    if len(values) < 2:
        return f"{values[0]:.{digits}f}" if values else "-"
    half = T[len(values) - 2] * statistics.stdev(values) / math.sqrt(len(values))
    return f"{statistics.mean(values):.{digits}f} ± {half:.{digits}f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10, choices=range(1, 21), metavar="N")
    parser.add_argument("--only", nargs="+", default=list(RUNS), choices=list(RUNS), metavar="TOOL")
    args = parser.parse_args()
    if not CROWDTUNE.exists():
        sys.exit("there is no target/release/crowdtune: cargo build --release")
    tools = []
    for tool in args.only:
        if shutil.which(RUNS[tool].needs):
            tools.append(tool)
        else:
            print(f"skipped: {tool}: no {RUNS[tool].needs}", file=sys.stderr)
    print("| place, model | | last one out, s | mean speed, m/s | least distance of centers, m |\n|---|---|---|---|---|")
    for place in PLACES:
        for model in MODELS:
            with ThreadPoolExecutor(2) as pool:
                runs = list(pool.map(lambda seed: one(place, model, seed, tools), range(1, args.seeds + 1)))
            for side in ["crowdtune", *[tool for tool in tools if model in RUNS[tool].models]]:
                values = [values[side] for values in runs]
                out = interval([v[0] for v in values if v[0] is not None], 1)
                inside = [v[1] for v in values if v[1]]
                if inside:
                    out += f" ({len(inside)} of {len(values)} runs: {min(inside)} to {max(inside)} people stay)"
                print(f"| {place}, `{model}` | {side} | {out} | {interval([v[2] for v in values], 3)} | {interval([v[3] for v in values], 3)} |", flush=True)


if __name__ == "__main__":
    main()
