#!/usr/bin/env python3
"""Measures what the project claims, with the release program of this checkout and Python's standard library.

    cargo build --release
    python3 benches/claims.py first-run | bottleneck | faster | herding | kill | threads
    python3 benches/claims.py calibration          docs/calibration.md: calibration.py, walkers.py, planted.py, recordings.py and the comparison with JuPedSim in turn
                                                   (about two hours, the sum of its parts)
    python3 benches/claims.py panels | overlap | behaviors [CONFIG...] | costs | growth | profile | roofline | steps | accuracy

Every command that is run is printed. Results go to results/claims/, the tables of `growth`, `profile` and `roofline` also to
docs/performance.md and its plots to docs/img/. `growth` draws its plots with matplotlib, which it puts into
target/claims-env; `profile` and `roofline` need valgrind. Speed against other programs is measured by benches/compare/compare.py.
"""
import csv, json, math, os, random, resource, shutil, signal, statistics, subprocess, sys, time

import published

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(HERE, "target", "release", "crowdtune")
OUT = os.path.join(HERE, "results", "claims")


def run(*args, quiet=True):
    """Runs the program; gives (seconds of wall time, CPU seconds, stdout)."""
    print("$ crowdtune " + " ".join(args), flush=True)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    done = subprocess.run([PROGRAM, *args], cwd=HERE, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE if quiet else None)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}\n{done.stderr}")
    return time.time() - start, after.ru_utime - before.ru_utime, done.stdout


def fresh(name):
    path = os.path.join(OUT, name)
    shutil.rmtree(path, ignore_errors=True)
    return path


def summary(path):
    with open(os.path.join(path, "summary.json")) as f:
        return json.load(f)


def mean_interval(x, seed=1):
    """Mean with a percentile bootstrap 95 % interval."""
    rng = random.Random(seed)
    means = sorted(statistics.fmean(rng.choices(x, k=len(x))) for _ in range(10000))
    return statistics.fmean(x), means[249], means[9749]


def show(figure, digits=3):
    return f"{figure['value']:.{digits}f} [{figure['low']:.{digits}f}, {figure['high']:.{digits}f}]"


def first_run():
    path = fresh("first-run")
    wall, cpu, _ = run("evolve", "configs/evacuation.toml", "--out", path)
    s = summary(path)
    o = s["objectives"][0]
    print(f"evolve {wall:.1f} s wall, {cpu:.1f} s CPU; loss defaults {show(o['default'])}, tuned {show(o['tuned'])}, "
          f"difference {show(o['difference'])}; musts missed {s['missed_musts']}")
    pairs = []
    for seed in range(1, 11):
        loss = {}
        for optimizer in ("ga", "random"):
            path = fresh(f"{optimizer}-{seed}")
            run("evolve", "configs/evacuation.toml", "--out", path, "--seed", str(seed), "--quiet",
                "--set", f"search.optimizer={optimizer}")
            loss[optimizer] = summary(path)["objectives"][0]["tuned"]["value"]
        pairs.append(loss["ga"] - loss["random"])
        print(f"seed {seed}: ga {loss['ga']:.4f}, random {loss['random']:.4f}, difference {pairs[-1]:+.4f}", flush=True)
    print("ga - random over ten search seeds, each pair on common fresh seeds: %.4f [%.4f, %.4f]" % mean_interval(pairs))


def bottleneck():
    path = fresh("bottleneck")
    run("evolve", "configs/bottleneck.toml", "--out", path)
    cases = summary(path)["cases"]
    tuned = [(c["axes"][0][1], c["wanted"]) for c in cases if c["target"] == "flow" and not c["held_out"]]
    # Best constant specific flow: least squares of the relative error on the tuned widths.
    constant = sum(b / j for b, j in tuned) / sum((b / j) ** 2 for b, j in tuned)
    print(f"best constant specific flow on the tuned widths: {constant:.3f} 1/(m s)")
    groups = {}
    for c in cases:
        if c["wanted"] is None or c["tuned"]["value"] is None:
            continue
        width = c["axes"][0][1] if c["axes"] else 0.5
        by_constant = constant * width if c["target"] != "gaps_040" else 1.0 / (constant * width)
        ours, theirs = c["tuned"]["value"] / c["wanted"] - 1.0, by_constant / c["wanted"] - 1.0
        kind = ("held out: " if c["held_out"] else "tuned: ") + c["target"]
        if c["target"] in ("flow", "flow_kretz", "gaps_040"):
            groups.setdefault(kind, []).append((ours, theirs))
            print(f"{kind:24} {c['case']:28} measured {c['wanted']:.3f}  ours {show(c['tuned'])} ({ours:+.1%})  "
                  f"constant {by_constant:.3f} ({theirs:+.1%})  defaults {c['default']['value']:.3f}")
    held = [e for kind, errors in groups.items() if kind.startswith("held out") for e in errors]
    groups["held out: all"] = held
    for kind, errors in groups.items():
        mean_abs = [statistics.fmean(abs(e[k]) for e in errors) for k in (0, 1)]
        rms = [math.sqrt(statistics.fmean(e[k] ** 2 for e in errors)) for k in (0, 1)]
        print(f"{kind:24} mean |error| ours {mean_abs[0]:.1%}, constant {mean_abs[1]:.1%}; rms {rms[0]:.1%}, {rms[1]:.1%}")


def runs(path):
    with open(os.path.join(path, "runs.csv")) as f:
        return list(csv.DictReader(f))


def faster():
    reference = {1.0: 222, 1.25: 181, 1.5: 156, 2.0: 148, 3.0: 170, 5.0: 209, 0.8: 270}
    times = {}
    for step in ("0.01", "0.001"):
        path = fresh(f"faster-{step}")
        run("sweep", "configs/faster_is_slower.toml", "--set", f"simulation.time_step_s={step}", "--out", path)
        for row in runs(path):
            if row["everybody"] == "":
                sys.exit(f"a failed run: {row}")
            key = (step, float(row["people.desired_speed_m_per_s"]))
            times.setdefault(key, []).append(float(row["everybody"]))
    speeds = sorted({v for _, v in times})
    for v in speeds:
        coarse, fine = times["0.01", v], times["0.001", v]
        error = [statistics.stdev(x) / math.sqrt(len(x)) for x in (coarse, fine)]
        apart = abs(statistics.fmean(coarse) - statistics.fmean(fine))
        known = reference.get(v)
        off = "" if known is None else f"  reference {known} ({statistics.fmean(coarse) / known - 1:+.0%})"
        print(f"v0 {v}: 10 ms {statistics.fmean(coarse):.1f} s (se {error[0]:.1f}), 1 ms {statistics.fmean(fine):.1f} s "
              f"(se {error[1]:.1f}), apart {apart:.1f} s = {apart / math.hypot(*error):.1f} se of the difference, "
              f"{apart / error[1]:.1f} se of the mean at 1 ms{off}")
    best = min(speeds, key=lambda v: statistics.fmean(times["0.01", v]))
    ratio = statistics.fmean(times["0.01", 5.0]) / statistics.fmean(times["0.01", best])
    print(f"minimum at {best} m/s; T(5)/T_min = {ratio:.2f}")


STEPS_MS = (5, 10, 20)
SPEEDS = (1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 10.0)


def steps(seeds=12):
    """Leaving times of the room of Helbing for several steps against 1 ms, and what a run costs.

    A step passes at a speed if no run is unhealthy, and the mean time until 95 % are out is apart from that of 1 ms by no
    more than the standard deviation over seeds at 1 ms. Runs in which an arch closes the door for good (give_up_s) have
    no such time: they are counted, not averaged.
    """
    times, cost, stuck, failed = {}, {}, {}, {}
    for ms in (1, *STEPS_MS):
        path = fresh(f"steps-{ms}")
        _, cpu, _ = run("sweep", "configs/faster_is_slower.toml", "--out", path, "--replicas", str(seeds), "--threads", "1",
                        "--set", f"simulation.time_step_s={ms / 1000}",
                        "--set", "people.desired_speed_m_per_s=" + ",".join(map(str, SPEEDS)))
        cost[ms] = cpu / (seeds * len(SPEEDS))
        for row in runs(path):
            key = (ms, float(row["people.desired_speed_m_per_s"]))
            if row["most"] == "":
                failed[key] = failed.get(key, 0) + 1
            elif float(row["left"]) > 0:
                stuck[key] = stuck.get(key, 0) + 1
            else:
                times.setdefault(key, []).append(float(row["most"]))
    for v in SPEEDS:
        fine = times[1, v]
        mean, sd = statistics.fmean(fine), statistics.stdev(fine)
        print(f"v0 {v:4}: 1 ms {mean:.1f} s, sd {sd:.1f}, stuck {stuck.get((1, v), 0)} of {seeds}")
        for ms in STEPS_MS:
            coarse = times[ms, v]
            apart = statistics.fmean(coarse) - mean
            error = math.hypot(sd / math.sqrt(len(fine)), statistics.stdev(coarse) / math.sqrt(len(coarse)))
            bad = failed.get((ms, v), 0)
            print(f"     {ms:2} ms {statistics.fmean(coarse):.1f} s, apart {apart:+.1f} s = {apart / sd:+.1f} sd = "
                  f"{apart / error:+.1f} se, stuck {stuck.get((ms, v), 0)}, unhealthy {bad}: "
                  f"{'passes' if abs(apart) <= sd and not bad else 'FAILS'}")
    for ms, seconds in cost.items():
        print(f"{ms:2} ms: {seconds:.2f} s CPU a run")


FIELD = """format = 1
model = "social_force"
[people]
desired_speed_m_per_s = { uniform = [1.0, 1.6] }
radius_m = 0.2
[scenario.field]
walkable = "POLYGON ((0 0, 120 0, 120 40, 0 40, 0 0))"
limit_s = 3.0
[scenario.field.group.block]
count = 1000
from = { area = [[4, 4], [35.6, 35.6]] }
to = { line = [[110, 0], [110, 40]] }
[simulation]
sample_every_s = 1.0
record_every_s = 1.0
"""


# Step in ms and acceleration below which a force is left out, m/s2; the first is the reference.
VARIANTS = ((1, 1e-9), (2, 1e-4), (5, 1e-4), (10, 1e-9), (10, 1e-5), (10, 1e-4), (10, 1e-3), (10, 1e-2), (20, 1e-4), (20, 1e-2))


def accuracy():
    """A block of 1000 people at 1 per square metre who walk: how far positions are from those of 1 ms, and CPU time."""
    file = os.path.join(OUT, "field.toml")
    with open(file, "w") as f:
        f.write(FIELD)
    seen, cost = {}, {v: [] for v in VARIANTS}

    def settings(variant):
        return ("--set", f"simulation.time_step_s={variant[0] / 1000}", "--set", f"parameters.negligible_m_per_s2={variant[1]}")

    for variant in VARIANTS:
        track = os.path.join(OUT, "field.txt")
        run("simulate", file, *settings(variant), "--trajectory", track)
        with open(track) as f:
            rows = [line.split() for line in f if not line.startswith("#")]
        seen[variant] = {(int(i), int(frame)): (float(x), float(y)) for i, frame, x, y, *_ in rows}
    for repeat in range(3):
        for variant in VARIANTS:
            cpu = [run("simulate", file, *settings(variant), "--set", f"scenario.field.limit_s={s}")[1] for s in (3, 13)]
            cost[variant].append((cpu[1] - cpu[0]) / 10 / 1000)
    found = []
    for ms, negligible in VARIANTS:
        row = {"step_ms": ms, "negligible_m_per_s2": negligible, "cpu_s_per_person_s": statistics.median(cost[ms, negligible])}
        for second in (1, 3):
            fine = {i: p for (i, frame), p in seen[VARIANTS[0]].items() if frame == second}
            apart = [math.dist(p, seen[ms, negligible][i, second]) for i, p in fine.items()]
            row[f"mean_{second}_m"], row[f"largest_{second}_m"] = statistics.fmean(apart), max(apart)
        found.append(row)
    text = ["![Error against cost](img/accuracy.svg)", "",
            "| step | left out below | after 1 s, mean (largest) | after 3 s, mean (largest) | CPU per person-second |",
            "|---|---|---|---|---|"]
    for row in found:
        errors = [f"{row[f'mean_{s}_m'] * 1e3:.2f} mm ({row[f'largest_{s}_m'] * 1e3:.1f})" for s in (1, 3)]
        if row is found[0]:
            errors = ["reference", "reference"]
        text.append(f"| {row['step_ms']} ms | {row['negligible_m_per_s2']:.0e} m/s2 | {errors[0]} | {errors[1]} | "
                    f"{row['cpu_s_per_person_s'] * 1e6:.1f} us |")
    publish("accuracy", text)
    with open(os.path.join(OUT, "accuracy.json"), "w") as f:
        json.dump(found, f, indent=1)
    draw(os.path.join(OUT, "accuracy.json"))


def ranks(x):
    order = sorted(x)
    return [statistics.fmean(k for k, y in enumerate(order) if y == v) for v in x]


def herding():
    path = fresh("herding")
    run("sweep", "configs/herding.toml", "--out", path)
    out, imbalance = {}, {}
    for row in runs(path):
        out.setdefault(float(row["panic"]), []).append(float(row["out"]))
        imbalance.setdefault(float(row["panic"]), []).append(float(row["imbalance"]))
    for p in sorted(out):
        print(f"p {p}: out after 30 s {statistics.fmean(out[p]):.2f}, |N1 - N2| {statistics.fmean(imbalance[p]):.1f}")
    best = max((0.3, 0.4, 0.5), key=lambda p: statistics.fmean(out[p]))
    gain = [a - b for a, b in zip(out[best], out[0.0])]
    print(f"best p of 0.3-0.5 is {best}: minus p = 0, paired, %.2f [%.2f, %.2f] people" % mean_interval(gain))
    p = sorted(q for q in imbalance if q <= 0.9)
    r = statistics.correlation(ranks(p), ranks([statistics.fmean(imbalance[q]) for q in p]))
    print(f"Spearman of |N1 - N2| with p: {r:.2f}")


def kill():
    args = ["evolve", "configs/evacuation.toml", "--quiet", "--evaluations", "64"]
    whole, torn = fresh("kill-whole"), fresh("kill-torn")
    wall, _, _ = run(*args, "--out", whole)
    rng, killed = random.Random(), 0
    while killed < 20:
        program = subprocess.Popen([PROGRAM, *args, "--out", torn, "--resume"], cwd=HERE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            program.wait(rng.uniform(0.0, wall / 8))
            break
        except subprocess.TimeoutExpired:
            program.send_signal(signal.SIGKILL)
            program.wait()
            killed += 1
    run(*args, "--out", torn, "--resume")
    logs = [open(os.path.join(p, "trials.jsonl"), "rb").read() for p in (whole, torn)]
    print(f"{killed} SIGKILLs, {len(logs[0])} bytes, equal: {logs[0] == logs[1]}")
    for threads in ("1", "2", "8"):
        path = fresh(f"threads-{threads}")
        run(*args, "--out", path, "--threads", threads)
        same = open(os.path.join(path, "trials.jsonl"), "rb").read() == logs[0]
        print(f"{threads} threads: equal: {same}")


def threads():
    walls = {"1": [], "2": []}
    for repeat in range(3):
        for count in walls:
            wall, _, _ = run("evolve", "configs/evacuation.toml", "--quiet", "--threads", count, "--evaluations", "96",
                             "--out", fresh("t" + count))
            walls[count].append(wall)
    one, two = (statistics.median(walls[count]) for count in ("1", "2"))
    print(f"1 thread {one:.1f} s, 2 threads {two:.1f} s (medians of 3, interleaved): {one / two:.2f} x")


def panels():
    path = fresh("panels")
    run("sweep", "configs/five_forces.toml", "--out", path)
    with open(os.path.join(path, "sweep.csv")) as f:
        for row in csv.DictReader(f):
            print(row)
    run("simulate", "configs/five_forces.toml", "--picture", os.path.join(path, "panels.svg"))


def overlap():
    print("$ cargo test --release --test models five_force -- --ignored --nocapture", flush=True)
    subprocess.run(["cargo", "test", "--release", "--test", "models", "five_force", "--", "--ignored", "--nocapture"], cwd=HERE,
                   check=True)


SEARCHED = ["gather", "follow", "guard", "disperse", "flock", "lanes", "boids_field"]


def behaviors():
    """GA against random search at equal evaluations: ten search seeds, each pair reported on common fresh seeds."""
    seeds = range(1, 1 + int(os.environ.get("CROWDTUNE_SEEDS", "10")))
    verdicts = []
    for config in sys.argv[2:] or SEARCHED:
        rows, walls = [], []
        for seed in seeds:
            loss = {}
            for optimizer in ("ga", "random"):
                path = fresh(f"{config}-{optimizer}-{seed}")
                wall, _, _ = run("evolve", f"configs/{config}.toml", "--out", path, "--seed", str(seed), "--quiet",
                                 "--set", f"search.optimizer={optimizer}")
                walls.append(wall)
                objective = summary(path)["objectives"][0]
                loss[optimizer], loss["defaults"] = objective["tuned"]["value"], objective["default"]["value"]
            rows.append(loss)
            print(f"{config} seed {seed}: " + ", ".join(f"{k} {v:.4f}" for k, v in loss.items()), flush=True)
        for rival in ("random", "defaults"):
            pairs = [r["ga"] - r[rival] for r in rows]
            mid, low, high = mean_interval(pairs)
            verdicts.append(f"{config:12} ga {statistics.fmean(r['ga'] for r in rows):.4f}  {rival:8} "
                            f"{statistics.fmean(r[rival] for r in rows):.4f}  ga - {rival} {mid:+.4f} "
                            f"[{low:+.4f}, {high:+.4f}]  {'excludes 0' if low * high > 0 else 'holds 0'}  "
                            f"search {statistics.median(walls):.0f} s, longest {max(walls):.0f} s")
            print(verdicts[-1], flush=True)
    print("\n".join(verdicts))


def costs():
    """CPU time of the runs of a file with its metrics over that with one cheap metric, interleaved."""
    for config in ("gather", "flock", "lanes"):
        with open(os.path.join(HERE, "configs", config + ".toml")) as f:
            lines, keep = f.read().splitlines(), True
        bare = []
        for line in lines:
            if line.startswith("["):
                keep = not line.startswith(("[target.", "[measure."))
            if keep and not line.startswith("behaviors"):
                bare.append(line)
        bare_file = os.path.join(OUT, config + "_bare.toml")
        with open(bare_file, "w") as f:
            f.write("\n".join(bare) + '\n[measure.people]\nmetric = "speed_mean_m_per_s"\n')
        times = {"full": [], "bare": []}
        for repeat in range(7):
            for name, file in (("full", f"configs/{config}.toml"), ("bare", bare_file)):
                _, cpu, _ = run("sweep", file, "--replicas", "400", "--out", fresh("costs"))
                times[name].append(cpu)
        full, plain = (statistics.median(times[k]) for k in ("full", "bare"))
        print(f"{config}: {full:.2f} s CPU with its metrics, {plain:.2f} s with mean speed only: {full / plain - 1:+.1%}")


# What valgrind knows: no AVX-512.
AVX2 = {"CROWDTUNE_SIMD": "avx2"}


def bench(*args, core="1", env=None):
    """One pinned run of `crowdtune bench`; gives its line and the peak of its memory, bytes."""
    command = ["taskset", "-c", core, PROGRAM, "bench", *map(str, args)]
    program = subprocess.Popen(command, cwd=HERE, text=True, stdout=subprocess.PIPE, env={**os.environ, **(env or {})})
    peak = 0
    while program.poll() is None:
        # Not the child's rusage: its peak begins with that of the process that started it.
        with open(f"/proc/{program.pid}/status") as f:
            peak = next((1024 * int(line.split()[1]) for line in f if line.startswith("VmHWM")), peak)
        time.sleep(0.005)
    if program.returncode != 0:
        sys.exit(f"exit {program.returncode}: {command}")
    return json.loads(program.stdout.read()), peak


def growth():
    """Speed and memory from 100 to 100,000 agents, evaluations from one to all cores: table, JSON, plots."""
    sizes, repeats, steps = (100, 300, 1000, 3000, 10000, 30000, 100000), 5, 100
    found = {w: {n: {"rates": [], "rss": []} for n in sizes} for w in ("W2", "W4b")}
    for repeat in range(repeats):
        for workload, by_size in found.items():
            for n, here in by_size.items():
                line, rss = bench(workload, "--agents", n, "--steps", steps,
                                  "--repeat", max(1, round(4e6 / (n * steps))))
                here["rates"].append(line["agent_steps_per_s"])
                here["rss"].append(rss)
                here["neighbors"] = line["neighbors"]
        print(f"round {repeat + 1} of {repeats}", flush=True)
    table = {}
    for workload, by_size in found.items():
        rows = [{"agents": n, "agent_steps_per_s": statistics.median(r["rates"]), "neighbors": r["neighbors"],
                 "peak_rss_bytes": statistics.median(r["rss"])} for n, r in by_size.items()]
        for row in rows:
            row["bytes_per_agent"] = (row["peak_rss_bytes"] - rows[0]["peak_rss_bytes"]) / max(1, row["agents"] - sizes[0])
        table[workload] = rows

    cores, busy = len(os.sched_getaffinity(0)), 1.0
    rates = {k: [] for k in range(1, cores + 1)}
    for repeat in range(3):
        for count in rates:
            path = fresh("growth-threads")
            wall, cpu, _ = run("evolve", "configs/evacuation.toml", "--quiet", "--threads", str(count), "--evaluations",
                               "96", "--out", path, "--set", "search.select_replicas=20", "--set",
                               "search.report_replicas=20")
            if count == 1:
                busy = min(busy, cpu / wall)
            rows, seconds = 0, 0.0
            with open(os.path.join(path, "timing.jsonl")) as f:
                for batch in map(json.loads, f):
                    if rows < 96:
                        rows, seconds = rows + batch["rows"], seconds + batch["seconds"]
            rates[count].append(rows / seconds)
    threads = [{"threads": k, "evaluations_per_s": statistics.median(r)} for k, r in rates.items()]
    for row in threads:
        row["speedup"] = row["evaluations_per_s"] / threads[0]["evaluations_per_s"]
    if busy < 0.9:
        print(f"one thread got {busy:.0%} of a core: others use the machine, so evaluations/s by threads mean nothing here "
              "and are left out")
        threads = []
    file = os.path.join(OUT, "growth.json")
    with open(file, "w") as f:
        json.dump({"speed": table, "threads": threads}, f, indent=1)
    show_growth(file)


def show_growth(file):
    """Tables and plots of what `growth` measured, printed and put into docs/performance.md."""
    with open(file) as f:
        found = json.load(f)
    text = []
    for workload, rows in found["speed"].items():
        text += [f"| {workload}, agents | neighbors | million agent-steps/s | peak memory, MB | bytes per further agent |",
                 "|---|---|---|---|---|"]
        for row in rows:
            more = f"{row['bytes_per_agent']:.0f}" if row["agents"] >= 3000 else "-"
            text.append(f"| {row['agents']:,} | {row['neighbors']:.1f} | {row['agent_steps_per_s'] / 1e6:.2f} | "
                        f"{row['peak_rss_bytes'] / 1e6:.1f} | {more} |")
        rate = {row["agents"]: row["agent_steps_per_s"] for row in rows}
        text += ["", f"{workload} from 1000 to 100,000 agents: {rate[100000] / rate[1000] - 1:+.0%} agent-steps/s.", ""]
    publish("growth", text)
    if found["threads"]:
        text = ["![Search speed against the number of threads](img/growth_threads.svg)", "",
                "| threads | evaluations/s | times one thread |", "|---|---|---|"]
        text += [f"| {row['threads']} | {row['evaluations_per_s']:.2f} | {row['speedup']:.2f} |" for row in found["threads"]]
        publish("threads", text)
    draw(file)


def publish(name, lines):
    published.publish("performance.md", f"claims: {name}", lines)


def draw(file):
    """Draws the plots of `growth` with matplotlib from its own environment."""
    python = os.path.join(HERE, "target", "claims-env", "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", os.path.dirname(os.path.dirname(python))], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "matplotlib"], check=True)
    script = os.path.join(HERE, "benches", "plots.py")
    subprocess.run([python, script, file, os.path.join(HERE, "docs", "img")], check=True)


# The standard library, crates, and arithmetic.
INLINED = ("/rustc/", "/.cargo/", "crates/core/src/math/vec2.rs", "crates/core/src/math/exp.rs")


def callgrind(file):
    """Instructions of each (function, source file), without those of what it calls. Code that is inlined
    everywhere counts for the file that stands before it."""
    names, cost, skip = {}, {}, False
    function = ours = ""

    def name(kind, text):
        key, _, rest = text.partition(" ")
        if rest:
            names[kind, key] = rest
        return names[kind, key]

    with open(file) as lines:
        for line in lines:
            word, _, value = line.rstrip("\n").partition("=")
            if word in ("fl", "fi", "fe", "cfi", "cfl"):
                source = name("file", value)
                if not word.startswith("c") and not any(mark in source for mark in INLINED):
                    ours = source
            elif word in ("ob", "cob"):
                name("object", value)
            elif word == "fn":
                function = name("function", value)
            elif word == "cfn":
                name("function", value)
            elif word == "calls":
                skip = True
            elif line[:1].isdigit() or line[:1] in "+-*":
                if not skip:
                    key = (function, ours)
                    cost[key] = cost.get(key, 0) + int(line.split()[1])
                skip = False
    return cost


LIBRARY, PAIRS = "calls of floor, ceil, memset, memcpy", "pairs: forces of neighbors"


# What a function or the file that it was inlined from is part of; the first that fits counts.
PARTS = (
    ("ways: where to go", ("crowd/sim/ways.rs", "crowd/sim/straight.rs", "world/goal.rs", "world/navigation.rs")),
    ("close: walls and bodies, eight at a time", ("social_force/close.rs", "social_force::close")),
    (PAIRS, ("math::lanes", "Neighbors::spans", "Neighbors::cells")),
    ("neighbor grid", ("Neighbors::build", "world/grid.rs")),
    ("contact: rows and solution", ("models/contact.rs", "models::contact")),
    ("walls: look-up, forces, crossings", ("world::walls", "world/walls.rs", "world::lists", "world/lists.rs")),
    ("moves: steps, goals reached", ("crowd/sim/moves.rs", "world/torus.rs")),
    ("model: the rest", ("Steering>::steer",)),
    ("step: the rest", ("crowd::sim::", "Crowd::compact")),
    (LIBRARY, ()),
)


def part_of(function, source):
    if function.startswith(("floor", "ceil", "__mem")):
        return LIBRARY
    if "::start::" in function or "crowdtune_" not in function:
        return None
    return next((part for part, marks in PARTS if any(mark in function or mark in source for mark in marks)), None)


def valgrind(tool, options, *args, program=PROGRAM):
    """`crowdtune bench` once in a tool of valgrind, which writes to a file; gives the line of the program and the file."""
    file = fresh(f"{tool}.out")
    args = ["bench", *map(str, args), "--repeat", "1"]
    print(f"$ CROWDTUNE_SIMD=avx2 valgrind --tool={tool} crowdtune " + " ".join(args), flush=True)
    done = subprocess.run(["valgrind", "--quiet", f"--tool={tool}", f"--{tool}-out-file={file}", *options, program, *args], cwd=HERE, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, env={**os.environ, **AVX2})
    return json.loads(done.stdout), file


def profile():
    """Where the instructions of the workloads go, by callgrind."""
    # The same code with the lines that it comes from.
    target = os.path.join(HERE, "target", "profile")
    subprocess.run(["cargo", "build", "--release", "--quiet", "--target-dir", target], cwd=HERE, check=True,
                   env={**os.environ, "CARGO_PROFILE_RELEASE_DEBUG": "line-tables-only"})
    found, sums, per_pair = {}, [], []
    works = (("W2", 20), ("W1", 600))
    for workload, steps in works:
        line, file = valgrind("callgrind", (), workload, "--steps", steps, program=os.path.join(target, "release", "crowdtune"))
        parts, elsewhere = dict.fromkeys((part for part, _ in PARTS), 0.0), 0.0
        for (function, source), cost in callgrind(file).items():
            part = part_of(function, source)
            if part:
                parts[part] += cost / line["agent_steps"]
            elif "crowdtune_sim" in function:
                elsewhere += cost / line["agent_steps"]
        # Names of functions and files change; then PARTS has to.
        if elsewhere > 0.05 * sum(parts.values()):
            sys.exit(f"{workload}: {elsewhere:.0f} instructions of an agent-step belong to no part")
        sums.append(sum(parts.values()))
        per_pair.append(parts[PAIRS] / line["neighbors"])
        for part, cost in parts.items():
            found.setdefault(part, []).append(cost)
    text = ["| part | " + " | ".join(f"{workload}, {steps} steps" for workload, steps in works) + " |", "|---|---|---|"]
    for part, costs in sorted(found.items(), key=lambda item: -item[1][0]):
        text.append(f"| {part} | " + " | ".join(f"{c:.0f} ({c / s:.0%})" for c, s in zip(costs, sums)) + " |")
    text.append("| sum | " + " | ".join(f"{s:.0f}" for s in sums) + " |")
    text.append("| pair kernel, for each pair within reach at the start | " + " | ".join(f"{p:.0f}" for p in per_pair) + " |")
    publish("profile", text)


# Arguments of `bench`, and steps that the crowds have behind them and that are counted.
ROOFS = (
    (("W1",), 300, 100), (("W2",), 20, 20), (("W2", "--agents", "100000"), 2, 2), (("W2", "--model", "collision_free_speed"), 10, 10), (("W3a",), 100, 100),
    (("W3b",), 20, 20), (("W4",), 50, 50), (("W4b",), 50, 50), (("W5",), 10, 10), (("W6-open",), 10, 10), (("W6-obst", "--side", "512"), 2, 2),
)
# Sizes of the caches that are simulated, as the machine of docs/performance.md has them: first and second level. How many operations it dispatches a
# cycle, and what it waits for a wrong guess, in cycles (AMD, Software Optimization Guide for the Zen 4 Microarchitecture: 6, and 13 at best).
CACHES = ("--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,8,64")
DISPATCH, WRONG_GUESS, LINE_BYTES = 6, 13, 64


def roofline():
    """What limits the workloads: instructions, cache lines and wrong guesses by cachegrind, beside what the machine can do."""
    command = ["taskset", "-c", "1", "cargo", "bench", "--bench", "peaks"]
    print("$ " + " ".join(command), flush=True)
    peak = json.loads(subprocess.run(command, cwd=HERE, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.splitlines()[-1])
    print(json.dumps(peak), flush=True)
    text = ["| workload | ns | cycles | instructions | a cycle | cache lines from L2 | from beyond | wrong guesses | share of the cycles: instructions alone | lines from beyond alone | wrong guesses alone |",
            "|---|---|---|---|---|---|---|---|---|---|---|"]
    for args, before, counted in ROOFS:
        less, more = (cachegrind(*args, "--steps", steps) for steps in (before, before + counted))
        seconds = lambda steps: bench(*args, "--steps", steps, "--repeat", 9, env=AVX2)[0]["seconds"]
        took = statistics.median(seconds(before + counted) - seconds(before) for _ in range(5))
        per = {key: (more[key] - less[key]) / (more["units"] - less["units"]) for key in more}
        ns = 1e9 * took / (more["units"] - less["units"])
        cycles = ns * 1e-9 * peak["clock_hz"]
        beyond = max(per["DLmr"] + per["DLmw"], 0.0)  # differences of counts that are next to nothing
        near = per["D1mr"] + per["D1mw"] - beyond
        wrong = per["Bcm"] + per["Bim"]
        by_instructions = per["Ir"] / DISPATCH
        by_memory = beyond * LINE_BYTES / peak["stream_bytes_per_s"] * peak["clock_hz"]
        text.append(f"| `{' '.join(args)}` | {ns:.1f} | {cycles:.0f} | {per['Ir']:.0f} | {per['Ir'] / cycles:.2f} | {near:.2f} | {beyond:.2f} | {wrong:.2f} | "
                    f"{by_instructions / cycles:.0%} | {by_memory / cycles:.0%} | {wrong * WRONG_GUESS / cycles:.0%} |")
        print(text[-1], flush=True)
    text += ["", f"The machine: {peak['clock_hz'] / 1e9:.2f} GHz, {DISPATCH} operations a cycle, {peak['stream_bytes_per_s'] / 1e9:.1f} GB/s from memory."]
    publish("roofline", text)


def cachegrind(*args):
    """What a workload does in all: events by their name in cachegrind, and units of work."""
    line, file = valgrind("cachegrind", ("--cache-sim=yes", "--branch-sim=yes", *CACHES), *args)
    with open(file) as lines:
        words = [line.split() for line in lines]
    names, counts = (next(line[1:] for line in words if line and line[0] == first) for first in ("events:", "summary:"))
    return {**dict(zip(names, map(int, counts))), "units": line["agent_steps"]}


def calibration():
    joint = os.path.join("results", "calibration", "hermes_and_gate-1")
    search = [PROGRAM, "evolve", "configs/hermes_and_gate.toml", "--evaluations", "72", "--out", joint, "--quiet"]
    script = lambda name, *words: [sys.executable, os.path.join("benches", name), *words]
    for words in (
        script("calibration.py", "table"),
        script("calibration.py", "lines"),
        script("calibration.py", "challenge", "configs/hermes.toml", "1,2,3,4,5,6,7,8,9,10"),
        search + (["--resume"] if os.path.isdir(os.path.join(HERE, joint)) else []),
        script("calibration.py", "joint", os.path.join(joint, "best.json")),
        script("walkers.py", "judge"),
        script("walkers.py", "widths", "collision_free_speed", "orca"),
        script("planted.py", "100"),
        script("recordings.py"),
        script("recordings.py", "whole"),
        ["cargo", "test", "--test", "models", "jupedsim"],
        script(os.path.join("compare", "compare.py"), "W2", "--only", "jupedsim", "--rounds", "3", "--no-build"),
    ):
        print("$ " + " ".join(words), flush=True)
        subprocess.run(words, cwd=HERE, check=True)


CLAIMS = {"calibration": calibration, "steps": steps, "accuracy": accuracy, "growth": growth, "profile": profile, "roofline": roofline, "panels": panels, "overlap": overlap, "behaviors": behaviors, "costs": costs, "first-run": first_run, "bottleneck": bottleneck, "faster": faster, "herding": herding, "kill": kill,
          "threads": threads}
if len(sys.argv) < 2 or sys.argv[1] not in CLAIMS or (len(sys.argv) > 2 and sys.argv[1] != "behaviors"):
    sys.exit(__doc__)
os.makedirs(OUT, exist_ok=True)
CLAIMS[sys.argv[1]]()
