#!/usr/bin/env python3
"""The published calibration of wide bottlenecks (docs/calibration.md), with the release program and Python's standard library.

    cargo build --release
    python3 benches/calibration.py table [SEEDS]                     the study's own constants, run here, beside its means
    python3 benches/calibration.py challenge CONFIG SEEDS [KEY=VALUE...]   searches, each judged on six fresh seeds; for example
                                                     challenge configs/hermes.toml 1,2,3 scenario.hermes.way=corners
    python3 benches/calibration.py judge CONFIG PRESET [KEY=VALUE...]      one preset on six fresh seeds
    python3 benches/calibration.py lines                             what a law can reach whose figures are linear in the width
    python3 benches/calibration.py joint [PRESET [KEY=VALUE...]]     wide bottlenecks and a narrow gate at once: the study's joint set, and a preset

A residual is (mean of the runs / measured - 1) / tolerance, the norm the root of the sum of their squares. Searches see 2.4, 3.6 and 5.0 m
only; 3.0 and 4.4 m are held out.
"""
import json, math, os, statistics, subprocess, sys, time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get("CROWDTUNE", os.path.join(HERE, "target", "release", "crowdtune"))
OUT = os.path.join(HERE, "results", "calibration")
WIDTHS = (2.4, 3.0, 3.6, 4.4, 5.0)
TUNED = (2.4, 3.6, 5.0)
NAMES = ("flow", "density", "speed")
TOLERANCE = {"flow": 0.06, "density": 0.10, "speed": 0.10}
# Hermes 2009, as the study measures it (PedestrianDynamics/jupedsim-dakota-calibration, September 2026).
MEASURED = {
    "flow": (6.0705, 7.1653, 8.9600, 10.8738, 13.8204),
    "density": (5.5693, 5.0681, 4.8268, 4.0250, 4.0873),
    "speed": (0.3200, 0.3698, 0.4450, 0.5532, 0.6312),
}
# The gate of 0.5 m (CrowdQueue, run 040).
GATE = {"flow": 1.1610, "density": 2.3436, "speed": 0.1184}
KEYS = ("radius_m", "time_gap_s", "repulsion_strength", "repulsion_range_m", "wall_repulsion_strength", "wall_repulsion_range_m")
# Its constants, its means of six runs (a row for each width: flow, density, speed), and its norms of 9 and 15.
STUDY = {
    "A": ((0.12749, 0.81118, 2.0872, 0.24816, 5, 0.02),
          ((6.235, 5.938, 0.301), (7.850, 5.182, 0.388), (9.225, 4.825, 0.433), (11.052, 4.350, 0.486), (12.327, 4.051, 0.522)), (2.74, 3.55)),
    "B": ((0.14763, 0.55329, 9.4434, 0.10243, 5, 0.02),
          ((6.358, 5.601, 0.305), (8.070, 4.939, 0.404), (9.296, 4.514, 0.463), (11.342, 3.971, 0.557), (12.425, 3.694, 0.606)), (2.40, 3.41)),
    "joint": ((0.11488, 1.02421, 4.00617, 0.18967, 2.60460, 0.04505), None, (7.87, 9.63)),
}
# Seeds of `evaluate` that no search here has.
JUDGES = tuple(range(9001, 9007))


class Evaluator:
    """`crowdtune evaluate`, asked for one run of every width at a time."""

    def __init__(self, config, *sets):
        args = [PROGRAM, "evaluate", config, *(word for pair in sets for word in ("--set", pair))]
        self.program = subprocess.Popen(args, cwd=HERE, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.about = json.loads(self.program.stdout.readline())

    def said(self, candidate, seeds):
        """What each run says of every target and scenario; ends with the reason of a run that failed."""
        for seed in seeds:
            self.program.stdin.write(json.dumps({"ask": candidate, "seed": seed, "replicas": 1, "fresh": True}) + "\n")
        self.program.stdin.flush()
        found = []
        for _ in seeds:
            said = json.loads(self.program.stdout.readline())
            if said.get("failed"):
                sys.exit(said["failed"])
            found.append(said["values"])
        return found

    def runs(self, candidate, seeds):
        """For each seed the values of every width, {name: [of each width]}."""
        return wide(self.said(candidate, seeds))


def wide(said, prefix=""):
    """What runs say of every width, {name: [of each width]}; `prefix` is what targets are called besides."""
    return [{name: [run[prefix + name][f"hermes[width_m={w:g}]"] for w in WIDTHS] for name in NAMES} for run in said]


def residuals(means):
    return {(name, w): (means[name][k] / MEASURED[name][k] - 1) / TOLERANCE[name] for name in NAMES for k, w in enumerate(WIDTHS)}


def judged(found):
    """Means, standard errors and residuals of runs."""
    means = {name: [statistics.fmean(run[name][k] for run in found) for k in range(len(WIDTHS))] for name in NAMES}
    errors = {name: [statistics.stdev(run[name][k] for run in found) / math.sqrt(len(found)) for k in range(len(WIDTHS))] for name in NAMES}
    off = residuals(means)
    norm = lambda widths: math.sqrt(sum(r * r for (_, w), r in off.items() if w in widths))
    within = sum(abs(r) <= 1 for r in off.values())
    return means, errors, off, norm(TUNED), norm(WIDTHS), within


def show(title, found):
    means, errors, off, nine, fifteen, within = judged(found)
    print(f"\n{title}: norm of nine {nine:.2f}, of fifteen {fifteen:.2f}, within {within} of 15", flush=True)
    for k, w in enumerate(WIDTHS):
        held = "" if w in TUNED else "  held out"
        print(f"  {w} m  " + "  ".join(f"{name} {means[name][k]:7.3f} ± {errors[name][k]:.3f} ({off[(name, w)]:+.2f})" for name in NAMES) + held)
    return means, errors, (nine, fifteen, within)


def table(count=6):
    # The search's own ranges are narrower than the study's sets lie apart.
    ranges = ("parameters.time_gap_s={ range = [0.1, 1.5] }", "parameters.repulsion_range_m={ range = [0.02, 0.4] }")
    evaluator = Evaluator("configs/hermes.toml", "scenario.hermes.way=corners", *ranges)
    near = of = 0
    for name, (constants, published, norms) in STUDY.items():
        means, errors, (nine, fifteen, _) = show(f"set {name}", evaluator.runs(dict(zip(full(evaluator), constants)), range(1, count + 1)))
        print(f"  the study: {norms[0]} and {norms[1]}; ours {nine / norms[0] - 1:+.1%} and {fifteen / norms[1] - 1:+.1%}")
        for k, w in enumerate(WIDTHS if published else ()):
            for at, what in enumerate(NAMES):
                theirs, ours = published[k][at], means[what][k]
                # The study's mean has an error too, of as many runs: the difference has both.
                error = math.sqrt(2) * errors[what][k]
                holds = abs(ours - theirs) <= max(2 * error, 0.03 * theirs)
                near, of = near + holds, of + 1
                if not holds:
                    print(f"  apart: {what} at {w} m, {ours:.3f} against {theirs} ({ours / theirs - 1:+.1%}, {(ours - theirs) / error:+.1f} standard errors)")
    print(f"\n{near} of {of} published means are within two standard errors or 3 %")


def full(evaluator):
    """Names of the genes in the order of KEYS."""
    known = [gene["key"] for gene in evaluator.about["genes"]]
    return [next(key for key in known if key.rsplit(".", 1)[-1] == wanted) for wanted in KEYS]


def challenge(config="configs/hermes.toml", seeds="1", *more):
    """One search for each seed, and what its recommendation does on six fresh seeds."""
    results = []
    for seed in seeds.split(","):
        name = [os.path.basename(config).removesuffix(".toml"), *(pair.rpartition("=")[2] for pair in more), seed]
        path = os.path.join(OUT, "-".join(name))
        since = time.time()
        # Nobody looks at profiles here; they come after the search and would take a sixth of its time.
        sets = [word for pair in (*more, "search.profile_share=0") for word in ("--set", pair)]
        # `--resume` ends at once where the search was done before.
        resume = ["--resume"] if os.path.isdir(path) else []
        subprocess.run([PROGRAM, "evolve", config, "--seed", seed, "--out", path, "--quiet", *sets, *resume], cwd=HERE, check=True, stdout=subprocess.DEVNULL)
        took = time.time() - since
        evaluator = Evaluator(config, *more)
        genes = values(evaluator, os.path.join(path, "best.json"))
        print("\n" + json.dumps(genes))
        _, _, figures = show(f"search {seed}, {took:.0f} s", evaluator.runs(genes, JUDGES))
        results.append(figures)
    middle = [statistics.median(r[k] for r in results) for k in range(3)]
    print(f"\nmedian of {len(results)} searches: {middle[0]:.2f} of nine, {middle[1]:.2f} of fifteen, {middle[2]:g} within; "
          f"best of fifteen {min(r[1] for r in results):.2f}")


def values(evaluator, preset):
    """The value of every gene in a preset."""
    known = json.load(open(preset))
    of = lambda name: (known["parameters"].get(name) or known["people"][name])["value"]
    return {gene["key"]: of(gene["key"].rsplit(".", 1)[-1]) for gene in evaluator.about["genes"]}


def lines():
    """The best straight line over the width through each of flow, density and speed: least squares of the residuals."""
    for title, used in (("fitted to the nine", TUNED), ("fitted to all fifteen", WIDTHS)):
        off = {}
        for name in NAMES:
            # A residual is linear in the two coefficients: (a + b w) / (m t) - 1 / t.
            rows = [(1 / (m * TOLERANCE[name]), w / (m * TOLERANCE[name])) for w, m in zip(WIDTHS, MEASURED[name])]
            right = 1 / TOLERANCE[name]
            kept = [row for w, row in zip(WIDTHS, rows) if w in used]
            aa, ab, bb = (sum(row[i] * row[j] for row in kept) for i, j in ((0, 0), (0, 1), (1, 1)))
            a0, b0 = (right * sum(row[i] for row in kept) for i in (0, 1))
            a, b = (a0 * bb - b0 * ab) / (aa * bb - ab * ab), (aa * b0 - ab * a0) / (aa * bb - ab * ab)
            off |= {(name, w): a * row[0] + b * row[1] - right for w, row in zip(WIDTHS, rows)}
        norm = lambda widths: math.sqrt(sum(r * r for (_, w), r in off.items() if w in widths))
        print(f"{title}: norm of nine {norm(TUNED):.2f}, of fifteen {norm(WIDTHS):.2f}, within {sum(abs(r) <= 1 for r in off.values())} of 15")
        for name in NAMES:
            print(f"  {name:8}" + "".join(f"{w:8} m {off[(name, w)]:+.2f}" for w in WIDTHS))


def joint(preset=None, *more):
    """The study found no set for both; its best is the third of STUDY, which walks by corners."""
    config = "configs/hermes_and_gate.toml"
    own = Evaluator(config, "scenario.hermes.way=corners", "scenario.narrow.way=corners")
    sets = [("the study's joint set", own, dict(zip(full(own), STUDY["joint"][0])))]
    if preset:
        evaluator = Evaluator(config, *more)
        sets.append((preset, evaluator, values(evaluator, preset)))
    for title, evaluator, candidate in sets:
        said = evaluator.said(candidate, JUDGES)
        _, _, (nine, _, within) = show(title, wide(said, "hermes_"))
        gate = {name: [run[f"narrow_{name}"]["narrow"] for run in said] for name in NAMES}
        off = {name: (statistics.fmean(gate[name]) / GATE[name] - 1) / TOLERANCE[name] for name in NAMES}
        print("  gate   " + "  ".join(f"{name} {statistics.fmean(gate[name]):7.3f} ± {statistics.stdev(gate[name]) / math.sqrt(len(said)):.3f} ({off[name]:+.2f})" for name in NAMES))
        left = [people for run in said for people in run["all_through"].values()]
        print(f"  norm of twelve {math.hypot(nine, *off.values()):.2f}, within {within + sum(abs(r) <= 1 for r in off.values())} of 18, "
              f"{sum(people == 0 for people in left)} of {len(left)} runs complete", flush=True)


def judge(config, preset, *more):
    evaluator = Evaluator(config, *more)
    show(preset, evaluator.runs(values(evaluator, preset), JUDGES))


if __name__ == "__main__":
    commands = {"table": table, "challenge": challenge, "judge": judge, "joint": joint, "lines": lines}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    args = [int(a) if sys.argv[1] == "table" else a for a in sys.argv[2:]]
    commands[sys.argv[1]](*args)
