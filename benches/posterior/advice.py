#!/usr/bin/env python3
"""Whether `crowdtune advise` is right: 20 planted valleys, each candidate measured in turn.

    cargo build --release
    python3 benches/posterior/advice.py [--cases 20] [--threads 2]

Two constants of social_force, of which the speed at a door of 1 m was measured: a valley. Six more measurements are possible: the time of an
evacuation and the speed at doors of 0.8 and 1.4 m, and how far a single walker comes in 1 s and in 4 s. For each case constants are drawn from the prior, all
measurements are taken from a run with them, with errors of 3 %, `advise` ranks the six, and the posterior is inferred again with each of them. What is left
is the standard deviation along the direction that was widest, in parts of what it was. A case counts as right where the one that was ranked first
leaves less than the median of the six.
"""
import argparse, json, math, os, random, statistics, subprocess, tempfile

from peers import PROGRAM, Simulator

ERROR = 0.03
HEAD = """format = 1
title = "A valley"
model = "social_force"
[parameters]
relaxation_time_s = { range = [0.2, 1.5], log = true }
repulsion_range_m = { range = [0.03, 0.3], log = true }
[people]
desired_speed_m_per_s = { normal = [1.34, 0.2] }
radius_m = 0.2
[simulation]
time_step_s = 0.02
sample_every_s = 0.1
"""
DOOR = '[scenario.{name}]\nkind = "bottleneck"\ncount = 10\nwidth_m = {width}\nlimit_s = 60.0\n'
ALONE = ('[scenario.{name}]\nwalkable = "POLYGON ((0 0, 20 0, 20 3, 0 3, 0 0))"\nlimit_s = {limit}\n'
         'group.people = {{ count = 1, from = {{ area = [[0.5, 1.0], [1.5, 2.0]] }}, to = {{ heading = [1, 0] }} }}\n')
SCENARIOS = {"door": DOOR.format(name="door", width=1.0), "narrow": DOOR.format(name="narrow", width=0.8), "broad": DOOR.format(name="broad", width=1.4),
             "start": ALONE.format(name="start", limit=1.0), "walk": ALONE.format(name="walk", limit=4.0)}
MEASURED = ("speed", "door", "speed_mean_m_per_s")
CANDIDATES = [("time_narrow", "narrow", "evacuation_time_95_s"), ("time_broad", "broad", "evacuation_time_95_s"),
              ("speed_narrow", "narrow", "speed_mean_m_per_s"), ("speed_broad", "broad", "speed_mean_m_per_s"),
              ("speed_start", "start", "speed_mean_m_per_s"), ("speed_walk", "walk", "speed_mean_m_per_s")]


def target(which, value):
    name, scenario, metric = which
    return f'[target.{name}]\nmetric = "{metric}"\nscenario = "{scenario}"\nequals = {value!r}\ntolerance = {ERROR * abs(value)!r}\n'


def measure(which):
    name, scenario, metric = which
    return f'[measure.{name}]\nmetric = "{metric}"\nscenario = "{scenario}"\n'


def held_out(scenario):
    return SCENARIOS[scenario].replace("\n", "\nheld_out = true\n", 1)


def posterior(folder, name, text, seed, args):
    file, out = os.path.join(folder, name + ".toml"), os.path.join(folder, name)
    open(file, "w").write(text)
    command = [PROGRAM, "posterior", file, "--seed", str(seed), "--evaluations", str(args.evaluations), "--out", out, "--threads", str(args.threads), "--quiet"]
    subprocess.run(command, check=True, capture_output=True)
    return out


def spread(out, direction):
    """Standard deviation along a direction, with parameters in the logarithm of their ranges, as a normal share of the prior sees them."""
    rows = [line.split(",") for line in open(os.path.join(out, "samples.csv")).read().splitlines()]
    keys = [key.removeprefix("parameters.") for key in rows[0][2:]]
    ends = {"relaxation_time_s": (0.2, 1.5), "repulsion_range_m": (0.03, 0.3)}
    normal = statistics.NormalDist()

    def place(key, x):
        low, high = map(math.log, ends[key])
        return normal.inv_cdf(min(max((math.log(float(x)) - low) / (high - low), 1e-9), 1 - 1e-9))

    draws = [(float(row[1]), sum(direction[key] * place(key, x) for key, x in zip(keys, row[2:]))) for row in rows[1:]]
    mean = sum(w * x for w, x in draws)
    return math.sqrt(sum(w * (x - mean) ** 2 for w, x in draws))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--evaluations", type=int, default=1600)
    args = parser.parse_args()
    right = 0
    for case in range(1, args.cases + 1):
        draw = random.Random(case)
        truth = {"relaxation_time_s": math.exp(draw.uniform(math.log(0.2), math.log(1.5))),
                 "repulsion_range_m": math.exp(draw.uniform(math.log(0.03), math.log(0.3)))}
        with tempfile.TemporaryDirectory() as folder:
            whole = os.path.join(folder, "whole.toml")
            open(whole, "w").write(HEAD + "".join(SCENARIOS.values()) + measure(MEASURED) + "".join(map(measure, CANDIDATES)))
            simulator = Simulator(whole)
            simulator.seeds = iter([case])
            run = simulator(truth)
            simulator.program.stdin.close()
            if run is None:
                print(f"{case}: the planted run failed", flush=True)
                continue
            value = lambda which: run[f"{which[0]}/{which[1]}"] * (1 + ERROR * draw.gauss(0, 1))
            first_target, values = target(MEASURED, value(MEASURED)), {which: value(which) for which in CANDIDATES}
            others = "".join(held_out(s) for s in SCENARIOS if s != "door")
            base = posterior(folder, "base", HEAD + SCENARIOS["door"] + others + first_target + "".join(map(measure, CANDIDATES)), case, args)
            subprocess.run([PROGRAM, "advise", base, "--error", f"{100 * ERROR}%", "--threads", str(args.threads), "--quiet"], check=True, capture_output=True)
            advice = json.load(open(os.path.join(base, "advice.json")))
            direction = dict(advice["widest"])
            names = [which[0] for which in CANDIDATES]
            ranked = [s["what"] for s in advice["suggestions"] if s["what"] in names]
            before, left = spread(base, direction), {}
            for which in CANDIDATES:
                text = HEAD + SCENARIOS["door"] + SCENARIOS[which[1]] + first_target + target(which, values[which])
                left[which[0]] = spread(posterior(folder, which[0], text, case, args), direction) / before
            good = left[ranked[0]] < statistics.median(left.values())
            right += good
            print(f"{case}: first {ranked[0]} leaves {left[ranked[0]]:.2f}, median {statistics.median(left.values()):.2f}, best {min(left, key=left.get)} "
                  f"{min(left.values()):.2f}, expected {advice['suggestions'][0]['left']:.2f}: {'right' if good else 'wrong'}", flush=True)
    print(f"{right} of {args.cases} right")


if __name__ == "__main__":
    main()
