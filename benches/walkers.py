#!/usr/bin/env python3
"""The walkers presets against what was measured (docs/calibration.md), with the release program and Python's standard library.

    cargo build --release
    python3 benches/walkers.py search [MODEL...]      the searches again; copies what comes out to configs/presets/
    python3 benches/walkers.py judge [MODEL...]       tables of published and tuned constants, on seeds that no search has
    python3 benches/walkers.py widths [MODEL...]      the same table for published constants and strips ahead of several widths

Published constants have bodies of 0.18 m, as the corridor of `validate`; tuned ones have their own. Models whose time gap is off stand there with the published one of
collision_free_speed too, 1 s, and nothing else changed. An error is the mean over the points of a data set
of how far a run is from the measured mean, for flows and densities relative to it; its 95 % interval is Student's over the seeds. "in" counts the points
whose mean of all seeds is inside the measured band (of flows: within the tolerance).
"""
import json, math, os, statistics, subprocess, sys

from calibration import GATE, MEASURED, WIDTHS

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get("CROWDTUNE", os.path.join(HERE, "target", "release", "crowdtune"))
PRESETS = os.path.join(HERE, "configs", "presets")
MODELS = ("collision_free_speed", "anticipation_velocity", "social_force", "orca", "rvo", "hybrid", "continuum", "group_dynamics")
SEEDS = tuple(range(9001, 9006))
STUDENT = 2.776  # 95 %, four degrees of freedom
BODY_M = 0.18
NO_TIME_GAP, PUBLISHED_TIME_GAP_S = ("social_force", "orca", "rvo", "hybrid"), 1.0

# Measured mean, 10 % and 90 % of speed in m/s by number of people: classes of density, from the sources that configs/walkers_*.toml name.
FILE = {10: (1.13, 0.88, 1.26), 16: (0.93, 0.80, 1.17), 23: (0.86, 0.62, 0.99), 29: (0.54, 0.40, 0.82), 36: (0.35, 0.21, 0.50),
        42: (0.25, 0.18, 0.37), 49: (0.155, 0.10, 0.23), 55: (0.095, 0.05, 0.14), 62: (0.051, 0.00, 0.11), 68: (0.039, 0.00, 0.08)}
ONE = {10: (1.49, 1.31, 1.69), 30: (1.42, 1.29, 1.57), 50: (1.20, 1.11, 1.29), 70: (1.04, 0.84, 1.22), 90: (0.53, 0.36, 0.80),
       110: (0.39, 0.29, 0.52), 130: (0.22, 0.17, 0.32), 150: (0.16, 0.13, 0.18)}
BOTH = {27: (1.32, 1.16, 1.47), 45: (1.05, 0.82, 1.23), 63: (0.78, 0.65, 0.90), 81: (0.58, 0.48, 0.67)}
TUNED = {"file": (23, 36, 49, 62), "one": (30, 70, 110), "both": (27, 63)}
NECK = {0.8: 1.288, 0.9: 1.674, 1.0: 1.900, 1.1: 2.123, 1.2: 2.364}
KRETZ = {0.6: 1.124, 0.7: 1.237, 0.8: 1.420, 0.9: 1.583, 1.0: 1.854, 1.2: 2.144}
WIDE = {f"wide_{name}": dict(zip(WIDTHS, measured)) for name, measured in MEASURED.items()}


def data_sets():
    """Name, tuned or held out, and the points: column, scenario, measured, low and high; the last two count as inside."""
    sets = []
    speed = lambda kind, table, keys: [(f"{kind}_{n}", f"{kind}_{n}", *table[n]) for n in keys]
    for title, kind, table in (("single file, speed", "file", FILE), ("one way, speed", "one", ONE), ("both ways, speed", "both", BOTH)):
        sets.append((title, "tuned", False, speed(kind, table, TUNED[kind])))
        sets.append((title, "held out", False, speed(kind, table, [n for n in table if n not in TUNED[kind]])))
    near = lambda column, scenario, table, keys, share: [
        (column, f"{scenario}[width_m={b:g}]", table[b], (1 - share) * table[b], (1 + share) * table[b]) for b in keys]
    sets.append(("bottleneck 0.8, 1.0, 1.2 m, flow (within 5 %)", "tuned", True, near("neck", "neck", NECK, (0.8, 1.0, 1.2), 0.05)))
    sets.append(("bottleneck 0.9, 1.1 m, flow (5 %)", "held out", True, near("neck", "neck", NECK, (0.9, 1.1), 0.05)))
    sets.append(("Kretz 0.6 to 1.2 m, flow (10 %)", "held out", True, near("kretz", "kretz", KRETZ, KRETZ, 0.10)))
    for column, words, share in (("wide_flow", "flow (6 %)", 0.06), ("wide_density", "density (10 %)", 0.10), ("wide_speed", "speed (10 %)", 0.10)):
        sets.append((f"wide 3.6 m, {words}", "tuned", True, near(column, "wide", WIDE[column], (3.6,), share)))
        sets.append((f"wide 2.4, 3.0, 4.4, 5.0 m, {words}", "held out", True, near(column, "wide", WIDE[column], (2.4, 3.0, 4.4, 5.0), share)))
    sets.append(("gate 0.5 m, flow (15 %)", "held out", True, [("gate_flow", "gate", GATE["flow"], 0.85 * GATE["flow"], 1.15 * GATE["flow"])]))
    return sets


def runs(model, candidates):
    """For each candidate its values on every seed, {column: {scenario: value}}. Runs that cannot be trusted are shown too, and said elsewhere."""
    widths = "{ each = [2.4, 3.6, 5.0], held_out = [3.0, 4.4] }"
    sets = [f"scenario.wide.width_m={widths}", "scenario.wide.count=350", "simulation.max_overlap_share=2.0", "simulation.max_backward_share=1.0"]
    args = [PROGRAM, "evaluate", f"configs/walkers_{model}.toml", *(word for pair in sets for word in ("--set", pair))]
    program = subprocess.Popen(args, cwd=HERE, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    about = json.loads(program.stdout.readline())
    short = {gene["key"].rsplit(".", 1)[-1]: gene["key"] for gene in about["genes"]}
    asked = [{short[key]: value for key, value in candidate.items() if key in short} for candidate in candidates]
    for candidate in asked:
        for seed in SEEDS:
            program.stdin.write(json.dumps({"ask": candidate, "seed": seed, "replicas": 1, "fresh": True}) + "\n")
    program.stdin.close()
    said = [json.loads(line) for line in program.stdout]
    assert len(said) == len(asked) * len(SEEDS), "the program ended early"
    return [said[k * len(SEEDS):(k + 1) * len(SEEDS)] for k in range(len(asked))]


def preset(model):
    known = json.load(open(os.path.join(PRESETS, f"{model}-walkers.json")))
    return {key: quantity["value"] for table in ("parameters", "people") for key, quantity in known[table].items()}


def figure(found, relative, points):
    """Mean error with its interval, and how many points are inside; None where a run failed."""
    if any(run.get("failed") for run in found):
        return None
    # Where nobody came through there is no flow.
    value = lambda run, column, scenario: run["values"].get(column, {}).get(scenario) or 0.0
    off = lambda run: statistics.fmean(abs(value(run, c, s) - m) / (m if relative else 1.0) for c, s, m, _, _ in points)
    errors = [off(run) for run in found]
    middle, half = statistics.fmean(errors), STUDENT * statistics.stdev(errors) / math.sqrt(len(errors))
    inside = sum(low <= statistics.fmean(value(run, c, s) for run in found) <= high for c, s, _, low, high in points)
    return middle, half, inside


def cell(found, relative, points):
    got = figure(found, relative, points)
    if got is None:
        return "–"
    middle, half, inside = got
    words = f"{100 * middle:.0f} % ± {100 * half:.0f}" if relative else f"{middle:.3f} ± {half:.3f}"
    return f"{words}; {inside} of {len(points)}"


def sides(model):
    """What is judged of a model: words and constants."""
    published = [("published", {"radius_m": BODY_M})]
    if model in NO_TIME_GAP:
        published.append(("published, time gap 1 s", {"radius_m": BODY_M, "time_gap_s": PUBLISHED_TIME_GAP_S}))
    return [*published, ("walkers", preset(model))]


def widths(model):
    """Published constants with the published time gap, and strips ahead of several widths."""
    return [(f"width {width:g}", {"radius_m": BODY_M, "time_gap_s": PUBLISHED_TIME_GAP_S, "headway_width": width}) for width in (1.0, 0.8, 0.6, 0.4, 0.2)]


def judge(*models, choose=sides):
    found = {}
    for model in models or MODELS:
        words, constants = zip(*choose(model))
        found.update(zip(((model, word) for word in words), runs(model, constants)))
    print("| data set | | " + " | ".join(f"{model}, {words}" for model, words in found) + " |\n|---|---|" + "---|" * len(found))
    for title, use, relative, points in data_sets():
        cells = [cell(of, relative, points) for of in found.values()]
        print(f"| {title} | {use} | " + " | ".join(cells) + " |")
    held = [set for set in data_sets() if set[1] == "held out" and set[0].startswith(("single", "one way"))]
    inside = lambda runs: [figure(runs, relative, points) for _, _, relative, points in held]
    of = sum(len(points) for *_, points in held)
    share = lambda runs: "–" if None in inside(runs) else f"{sum(f[2] for f in inside(runs))} of {of}"
    print("| held-out densities of single file and one way inside the band | | " + " | ".join(map(share, found.values())) + " |")
    mean = lambda runs, column: statistics.fmean(v or 0.0 for run in runs for v in run["values"].get(column, {None: None}).values())
    for title, column, scale in (("share of time walked backwards at 6 per m2, %", "backward_240", 100), ("lane order at 0.75 per m2", "lanes", 1),
                                 ("people left before the gate, of 75", "inside", 1)):
        cells = ["–" if any(run.get("failed") for run in of) else f"{scale * mean(of, column):.2f}" for of in found.values()]
        print(f"| {title} | | " + " | ".join(cells) + " |")
    print()
    for (model, words), of in found.items():
        print(f"{model}, {words}:")
        for title, use, _, points in data_sets():
            value = lambda c, s: statistics.fmean(run["values"].get(c, {}).get(s) or 0.0 for run in of) if not any(r.get("failed") for r in of) else math.nan
            print(f"  {title} ({use}): " + ", ".join(f"{s.partition('[')[2].strip(']') or s} {value(c, s):.3f} ({m:g})" for c, s, m, _, _ in points))


def search(*models):
    for model in models or MODELS:
        out = os.path.join(HERE, "results", f"walkers_{model}")
        subprocess.run([PROGRAM, "evolve", f"configs/walkers_{model}.toml", "--out", out, "--quiet"], cwd=HERE, check=True)
        take(model, os.path.join(out, "best.json"))


def take(model, best):
    """Copies a preset of a run to the place where the program finds it, under its name."""
    known = json.load(open(best))
    known["name"] = f"{model}-walkers"
    with open(os.path.join(PRESETS, f"{model}-walkers.json"), "w") as file:
        json.dump(known, file, indent=2, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    commands = {"search": search, "judge": judge, "widths": lambda *models: judge(*models, choose=widths), "take": take}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])
