#!/usr/bin/env python3
"""Constants of the social force planted in tracks of a small scene, and what `crowdtune fit` makes of them.

    cargo build --release
    python3 benches/planted.py [CASES] [FIRST]        for example 100; FIRST is the number of the first case, 1

Files stay in results/planted. Case k draws strength, range, anisotropy, relaxation time and a desired speed for everybody with seed k, walks, writes 10 rows a second, adds
1 cm of noise to each coordinate, drops 5 % of the rows, and gives the rows to one command. Everything is the same for the same numbers.
"""
import json, math, os, random, resource, shutil, statistics, subprocess, sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(HERE, "target", "release", "crowdtune")
OUT = os.path.join(HERE, "results", "planted")
NOISE_M, DROPPED, WITHIN = 0.01, 0.05, 0.10
JUDGED = ("repulsion_strength_n", "repulsion_range_m", "anisotropy")
# What is drawn, evenly on a logarithmic scale.
RANGES = {"repulsion_strength_n": (200.0, 1000.0), "repulsion_range_m": (0.1, 0.3), "anisotropy": (0.2, 0.8), "relaxation_time_s": (0.3, 0.8)}
PLACE = "POLYGON ((-3 -3, 13 -3, 13 13, -3 13, -3 -3))"
# Two streams that cross: an area to come in, a line to leave by.
STREAMS = {
    "east": ([[0, 3], [0.5, 7]], [[10, -2], [10, 12]]),
    "north": ([[3, 0], [7, 0.5]], [[-2, 10], [12, 10]]),
}
PEOPLE, PER_S, SECONDS = 80, 1.0, 90.0
OPTIONS = ("--restart-every", "1", "--held-out-one-in", "10", "--held-out-time", "0.1", "--evaluations", "60", "--estimate", "--threads", "1")


def truth(planted):
    lines = ['model = "social_force"', "[parameters]", *(f"{key} = {value!r}" for key, value in planted.items())]
    lines += ["[people]", "desired_speed_m_per_s = { normal = [1.3, 0.2], clip = [0.8, 1.8] }", "radius_m = 0.2", "mass_kg = 80.0"]
    lines += ["[scenario.crossing]", f'walkable = "{PLACE}"', f"limit_s = {SECONDS}", 'navigation = { kind = "field", cell_m = 0.1 }']
    for name, (area, line) in STREAMS.items():
        lines += [f"[scenario.crossing.group.{name}]", f"inflow_per_s = {PER_S}", f"count = {PEOPLE}", f"from = {{ area = {area} }}", f"to = {{ line = {line} }}"]
    return "\n".join(lines + ["[measure.speed]", 'metric = "speed_mean_m_per_s"', ""])


def run(folder, *words):
    ran = subprocess.run([PROGRAM, *words], cwd=folder, text=True, capture_output=True)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(words)}: {ran.stderr.strip()}")
    return ran.stdout


def worsen(path, out, draw):
    """Noise on each coordinate, and rows that are missing."""
    with open(path) as rows, open(out, "w") as text:
        for row in rows:
            if row.startswith("#"):
                text.write(row)
            elif row.strip() and draw.random() >= DROPPED:
                person, frame, x, y, *_ = row.split()
                noisy = (float(c) + draw.gauss(0.0, NOISE_M) for c in (x, y))
                text.write(" ".join([person, frame, *(f"{c:.4f}" for c in noisy)]) + "\n")


def case(number):
    draw = random.Random(number)
    planted = {key: math.exp(draw.uniform(math.log(low), math.log(high))) for key, (low, high) in RANGES.items()}
    folder = os.path.join(OUT, str(number))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(os.path.join(folder, "truth.toml"), "w") as file:
        file.write(truth(planted))
    run(folder, "simulate", "truth.toml", "--seed", str(number), "--trajectory", "exact.txt")
    worsen(os.path.join(folder, "exact.txt"), os.path.join(folder, "rows.txt"), draw)
    to = [word for _, line in STREAMS.values() for word in ("--to", json.dumps(line))]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    fit = json.loads(run(folder, "fit", "rows.txt", "--geometry", PLACE, *to, *OPTIONS, "--quiet", "--json", "--out", "fit"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    estimate = fit["models"][0].get("estimate")
    if not estimate:
        raise RuntimeError(fit["models"][0]["not_estimated"])
    found = {constant["key"].rsplit(".", 1)[-1]: constant for constant in estimate["constants"]}
    return planted, found, estimate, after.ru_utime - before.ru_utime


def main(cases=10, first=1):
    near, held, both = ({key: 0 for key in RANGES} for _ in range(3))
    at_once, seconds, failed, speeds = [], [], [], []
    for number in range(first, first + cases):
        try:
            planted, found, estimate, took = case(number)
        except RuntimeError as why:
            failed.append(number)
            print(f"case {number}: {why}", flush=True)
            continue
        seconds.append(took)
        speeds += filter(None, [estimate["desired_speed"]])
        words, close, covered, apart = [], True, True, True
        for key, value in planted.items():
            constant = found[key]
            off, inside = constant["value"] / value - 1, constant["low"] <= value <= constant["high"]
            near[key] += abs(off) <= WITHIN
            held[key] += inside
            both[key] += abs(off) <= WITHIN and inside
            if key in JUDGED:
                close &= abs(off) <= WITHIN
                covered &= constant["all_low"] <= value <= constant["all_high"]
                apart &= inside
            words.append(f"{value:.4g} {off:+.1%} [{constant['low']:.4g}, {constant['high']:.4g}]{'' if inside else '!'}")
        at_once.append((close, covered, close and covered, close and apart))
        print(f"case {number}: {'good' if close and covered else 'MISSED'}  {'  '.join(words)}  left {1000 * estimate['left_m']:.2f} mm, {estimate['runs']} runs, {took:.1f} s", flush=True)
    print(f"\nof {cases} cases ({len(failed)} failed), within {WITHIN:.0%}, inside the 90 % interval, both:")
    for key in RANGES:
        print(f"  {key}: {near[key]} within, {held[key]} inside, {both[key]} both")
    all_near, all_held, together, each = map(sum, zip(*at_once))
    print(f"  {', '.join(JUDGED)} at once: {all_near} within, {all_held} inside the 90 % intervals for all at once, {together} both")
    print(f"  the same with the intervals of one constant each: {each} both")
    for key, planted in (("mean_m_per_s", 1.3), ("sd_m_per_s", 0.2)):
        found = [of[key] for of in speeds]
        print(f"  desired speed, {key}: {planted} planted, found {statistics.fmean(found):.3f} on the average, {min(found):.3f} to {max(found):.3f}")
    print(f"user time of a fit: median {statistics.median(seconds):.1f} s, most {max(seconds):.1f} s")


if __name__ == "__main__":
    if any(not word.isdigit() for word in sys.argv[1:]):
        sys.exit(__doc__)
    main(*map(int, sys.argv[1:]))
