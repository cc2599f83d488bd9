#!/usr/bin/env python3
"""Runs crowdtune and the peers of the package registries side by side on the same workloads.

    python3 benches/compare/compare.py [W1 W2 W3 W4 W5 W6 room95 evolve ...] [--rounds 5] [--only PEER] [--no-build]

One core, one thread each, programs in turn, CPU time of the stepping loop, medians. Needs a Unix with cargo,
Python 3.11 and a compiler; krabmaga needs the headers of fontconfig. The environments of the Python peers are made
under target/compare/ (torch is large; PIP_EXTRA_INDEX_URL can point pip to a build without CUDA). The table goes to the
terminal, and with every single run to results/compare/.
"""
import argparse, json, os, resource, shutil, statistics, subprocess, sys, tomllib, venv

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAM = os.path.join(ROOT, "target", "release", "crowdtune")
CRATES = PROGRAM + "-peers"
MADE = os.path.join(ROOT, "target", "compare")
OUT = os.path.join(ROOT, "results", "compare")
EVACUATION = os.path.join(ROOT, "configs", "evacuation.toml")
ENVIRONMENTS = {
    "peers": ["jupedsim==1.4.2", "shapely==2.2.0", "pysocialforce==1.1.2", "numba==0.68.1", "pyrvo==0.4.3", "ir-sim==2.12.0",
              "scikit-fmm==2025.6.23", "eikonalfm==0.9.9", "pymoo==0.6.2"],
    "torch": ["socialforce==0.2.3", "torch==2.15.0"],
}
ROOM95 = """format = 1
title = "Until 95 % are out"
model = "social_force"
[people]
desired_speed_m_per_s = 1.5
[scenario.room]
kind = "room"
limit_s = 600.0
[measure.time]
metric = "evacuation_time_95_s"
"""
SINGLE = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
                                 "RAYON_NUM_THREADS", "PYTHONDONTWRITEBYTECODE")}


class Failed(Exception):
    """A program that could not be installed or run, with its reason."""


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith(("error", "panic")) or "Error" in line]
    return (errors or lines or ["no message"])[-1][:200]


def call(command, core=None, timeout=1200):
    """Runs a command on one core; gives (CPU seconds, stdout)."""
    pin = ["taskset", "-c", str(core)] if core is not None and shutil.which("taskset") else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([*pin, *command], cwd=MADE, text=True, capture_output=True, timeout=timeout,
                              env={**os.environ, **SINGLE, "MPLBACKEND": "Agg"})
    except subprocess.TimeoutExpired:
        raise Failed(f"not done after {timeout} s")
    except OSError as problem:
        raise Failed(str(problem))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise Failed(last_line(done.stderr))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def python(environment):
    return os.path.join(MADE, environment, "bin", "python")


def prepare(build, environments):
    """Builds the two programs and makes the environments; gives the reasons of what could not be had."""
    os.makedirs(MADE, exist_ok=True)
    os.makedirs(OUT, exist_ok=True)
    broken = {}
    for package in ("crowdtune", "crowdtune-peers") if build else ():
        command = ["cargo", "build", "--release", "--locked", "--manifest-path", os.path.join(ROOT, "Cargo.toml"), "-p", package]
        print("$ " + " ".join(command[:4]) + " -p " + package, flush=True)
        try:
            call(command, timeout=7200)
        except Failed as reason:
            broken[package] = f"does not build: {reason}"
    for name in environments:
        stamp, wanted = os.path.join(MADE, name + ".txt"), "\n".join(ENVIRONMENTS[name])
        if os.path.exists(stamp) and open(stamp).read() == wanted:
            continue
        print(f"$ pip install {' '.join(ENVIRONMENTS[name])}", flush=True)
        venv.create(os.path.join(MADE, name), with_pip=True)
        install = [python(name), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        try:
            call([*install, *ENVIRONMENTS[name]], timeout=7200)
            with open(stamp, "w") as f:
                f.write(wanted)
        except Failed:
            # One of them cannot be had here: the others one by one.
            for pinned in ENVIRONMENTS[name]:
                try:
                    call([*install, pinned], timeout=7200)
                except Failed as reason:
                    broken[pinned.split("==")[0]] = f"pip install {pinned}: {reason}"
    return broken


def line_of(command):
    """A program that prints one JSON line."""
    return lambda round_, core: json.loads(call(command, core)[1].splitlines()[-1])


def bench(workload, *options):
    return line_of([PROGRAM, "bench", workload, "--repeat", "1", *map(str, options)])


def driver(script, *words, environment="peers"):
    return line_of([python(environment), os.path.join(HERE, "peers", f"run_{script}.py"), *map(str, words)])


def crate(*words):
    return line_of([CRATES, *map(str, words)])


def room95(round_, core):
    """The room until 95 % are out: a first run finds the time, the second, measured, is limited to it."""
    config = os.path.join(MADE, "room95.toml")
    with open(config, "w") as f:
        f.write(ROOM95)
    command = [PROGRAM, "simulate", config, "--json", "--seed", str(round_ + 1)]
    time = json.loads(call(command, core)[1])["runs"][0]["values"]["time"]
    seconds, text = call([*command, "--set", f"scenario.room.limit_s={time}"], core)
    run = json.loads(text)["runs"][0]
    return {"agents": 200, "seconds": seconds, "agent_steps_per_s": run["agent_steps"] / seconds,
            "check": {"time_95_s": time, "people_left": run["people_left"]}}


def evolve(candidates):
    """A search of configs/evacuation.toml on one thread, with the smallest final check."""
    def run(round_, core):
        out = os.path.join(MADE, "evolve")
        shutil.rmtree(out, ignore_errors=True)
        seconds, _ = call([PROGRAM, "evolve", EVACUATION, "--threads", "1", "--quiet", "--evaluations", str(candidates),
                           "--set", "search.select_replicas=20", "--set", "search.report_replicas=20", "--out", out], core)
        with open(os.path.join(out, "trials.jsonl")) as f:
            head, *trials = map(json.loads, f)
        with open(EVACUATION, "rb") as f:
            ranges = tomllib.load(f)["parameters"]
        simulations = person_seconds = failed = 0
        for trial in trials:
            replicas = trial["replicas"][1] - trial["replicas"][0]
            simulations += replicas
            failed += trial["outcome"] != "done"
            # The log holds no lengths: one more run of every candidate tells how long its runs are.
            values = []
            for key, u in zip(head["genes"], trial["genome"]):
                a, b = ranges[key]["range"]
                values += ["--set", f"parameters.{key}={a * (b / a) ** u if ranges[key].get('log') else a + (b - a) * u}"]
            one = json.loads(call([PROGRAM, "simulate", EVACUATION, "--json", "--seed", str(trial["id"]), *values], core)[1])
            person_seconds += replicas * one["runs"][0]["agent_steps"] * 0.01
        return {"agents": 40, "seconds": seconds, "agent_steps_per_s": person_seconds / 0.01 / seconds,
                "simulations_per_s": simulations / seconds,
                "check": {"simulations": simulations, "failed": failed, "person_seconds_per_s": person_seconds / seconds}}
    return run


def cases():
    """(case, what is counted, [(program, package, run, most rounds)]); the ratio is to the first row."""
    ours, no_limit, out = "crowdtune", 99, []

    def case(name, rows, key="agent_steps_per_s"):
        out.append((name, key, [(*row, no_limit)[:4] for row in rows]))

    def own(workload, *options):
        wide = [("crowdtune, 2.5 m", ours, bench(workload, *options, "--reach-m", 2.5))] if workload in ("W1", "W2") else []
        return [(ours, ours, bench(workload, *options))] + wide

    case("W1 room, 200", own("W1") + [
        ("JuPedSim", "jupedsim", driver("jupedsim", "W1", 200, 3000)),
        ("ir-sim", "ir-sim", driver("irsim", "W1", 200, 20)),
        ("socialforce", "socialforce", driver("socialforce", "W1", 200, 100, environment="torch"), 3),
        ("PySocialForce", "pysocialforce", driver("pysocialforce", "W1", 200, 40), 3)])
    for agents, steps, psf, torch, irsim in ((1000, 300, 4, 10, 5), (5000, 60, 1, 1, 1)):
        slow = 2 if agents == 1000 else 1
        case(f"W2 field, {agents}", own("W2", "--agents", agents) + [
            ("JuPedSim", "jupedsim", driver("jupedsim", "W2", agents, steps)),
            ("ir-sim", "ir-sim", driver("irsim", "W2", agents, irsim), slow),
            ("socialforce", "socialforce", driver("socialforce", "W2", agents, torch, environment="torch"), slow),
            ("PySocialForce", "pysocialforce", driver("pysocialforce", "W2", agents, psf), slow)])
    for model in ("collision_free_speed", "anticipation_velocity"):
        for agents, steps in ((1000, 300), (5000, 60)):
            case(f"W2 field, {agents}, {model}", [
                (ours, ours, bench("W2", "--agents", agents, "--model", model)),
                ("JuPedSim", "jupedsim", driver("jupedsim", "W2", agents, steps, model))])
    for name, agents, steps in (("W3a ring", 250, 3133), ("W3b disc", 1000, 1000), ("W3b disc", 10000, 100)):
        workload = name.split()[0]
        case(f"{name}, {agents}", own(workload, "--agents", agents) + [
            ("dodgy_2d", "crowdtune-peers", crate("dodgy_2d", workload, agents)),
            ("pyrvo", "pyrvo", driver("pyrvo", workload, agents, steps), 3)])
    for workload in ("W4", "W4b"):
        for agents in (1000, 10000):
            case(f"{workload} flock, {agents}", own(workload, "--agents", agents) + [
                ("krABMaga", "crowdtune-peers", crate("krabmaga", workload, agents))])
    for workload, agents, side in (("W5", 3000, 40), ("W5", 8000, 80), ("W5-groups", 8000, 40), ("W5-groups", 8000, 80)):
        case(f"{workload} {side} x {side}, {agents}", own(workload, "--agents", agents, "--side", side), "steps_per_s")
    for place in ("open", "obst"):
        for side in (80, 512, 1000):
            case(f"W6 {place}, {side} x {side}", own(f"W6-{place}", "--side", side) + [
                ("eikonal", "crowdtune-peers", crate("eikonal", place, side)),
                ("eikonalfm", "eikonalfm", driver("eikonal", f"W6-{place}", side, "eikonalfm")),
                ("scikit-fmm", "scikit-fmm", driver("eikonal", f"W6-{place}", side, "scikit-fmm"))])
    case("room95, 200", [
        (ours, ours, room95),
        ("explicit reference,", "crowdtune-peers", lambda round_, core: crate("explicit", round_ + 1)(round_, core))],
        "runs_per_s")
    case("evolve evacuation.toml", [
        (ours, ours, evolve(30), 3),
        ("pymoo + JuPedSim", "pymoo", driver("pymoo", EVACUATION, 30), 1)], "simulations_per_s")
    return out


def measure(name, key, rows, rounds, core, broken):
    """Interleaved rounds of one case; a program that fails once is not run again."""
    seen, reasons = {row[0]: [] for row in rows}, {}
    for round_ in range(rounds):
        for program, package, run, most in rows:
            if round_ >= most or program in reasons:
                continue
            try:
                if package in broken:
                    raise Failed(broken[package])
                seen[program].append(run(round_, core))
            except Failed as reason:
                reasons[program] = str(reason)
            except (ValueError, KeyError, IndexError) as problem:
                reasons[program] = f"unexpected output: {problem!r}"
    out = []
    for program, *_ in rows:
        if program in reasons:
            out.append({"case": name, "program": program, "reason": reasons[program]})
            continue
        runs = seen[program]
        for run in runs:
            run["runs_per_s"] = 1.0 / run["seconds"]
            if "steps" in run:
                run["steps_per_s"] = run["steps"] / run["seconds"]
        mid = sorted(runs, key=lambda run: run[key])[len(runs) // 2]
        out.append({"case": name, "program": program, "version": mid.get("version", ""), "unit": key, "rounds": len(runs),
                    "rate": statistics.median(run[key] for run in runs),
                    "rates": [run[key] for run in runs], "seconds": mid["seconds"], "neighbors": mid.get("neighbors"),
                    "reach_m": mid.get("reach_m"), "check": mid["check"]})
    best = out[0].get("rate")
    for row in out:
        row["ratio"] = best / row["rate"] if best and "rate" in row and rows[0][0] == "crowdtune" else None
    return out


def cells(row, version):
    """The row as text: case, program, rate, ratio, check."""
    if "reason" in row:
        return [row["case"], row["program"], "-", "-", row["reason"]]
    rate = row["rate"]
    shown = {"agent_steps_per_s": f"{rate / 1e6:.3g} M/s", "runs_per_s": f"{1.0 / rate:.3g} s a run",
             "steps_per_s": f"{1e3 / rate:.3g} ms a step",
             "simulations_per_s": f"{rate:.3g} runs/s"}[row["unit"]]
    own = row["program"].startswith("crowdtune")
    facts = {**row["check"], **({"neighbors": row["neighbors"]} if row["neighbors"] else {})}
    check = ", ".join(f"{key} {value:.5g}" if isinstance(value, float) else f"{key} {value}" for key, value in facts.items())
    return [row["case"], f"{row['program']} {version if own else row['version']}".strip(), shown,
            f"{row['ratio']:.3g}" if row["ratio"] else "", check]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", help="beginnings of names; all if none is given")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", metavar="PEER", help="crowdtune and this peer alone")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None)
    parser.add_argument("--no-build", action="store_true", help="take the programs as they are")
    args = parser.parse_args()
    chosen = [c for c in cases() if not args.workloads or any(c[0].startswith(word) for word in args.workloads)]
    if args.only:
        wanted = args.only.lower()
        chosen = [(n, k, [r for r in rows if r[1] == "crowdtune" or wanted in (r[0] + " " + r[1]).lower()]) for n, k, rows in chosen]
        chosen = [c for c in chosen if any(row[1] != "crowdtune" for row in c[2])]
    unknown = [word for word in args.workloads if not any(c[0].startswith(word) for c in cases())]
    if unknown or not chosen or args.rounds < 1:
        parser.error(f"nothing to run for {unknown or args}; the cases are: " + "; ".join(name for name, _, _ in cases()))
    packages = {row[1] for _, _, rows in chosen for row in rows}
    installed = {name: {pinned.split("==")[0] for pinned in pins} for name, pins in ENVIRONMENTS.items()}
    broken = prepare(not args.no_build, [name for name in ENVIRONMENTS if packages & installed[name]])
    try:
        version = call([PROGRAM, "--version"])[1].split()[-1]
    except Failed as reason:
        version = ""
        broken.setdefault("crowdtune", str(reason))
    table, rows = [["workload", "program", "speed", "crowdtune is faster by", "check"]], []
    for name, key, programs in chosen:
        for row in measure(name, key, programs, args.rounds, args.core, broken):
            rows.append(row)
            table.append(cells(row, version))
            print("  ".join(table[-1]), flush=True)
    text = "".join("| " + " | ".join(line) + " |\n" + ("|---" * len(line) + "|\n" if k == 0 else "") for k, line in enumerate(table))
    with open(os.path.join(OUT, "table.md"), "w") as f:
        f.write(text)
    with open(os.path.join(OUT, "table.json"), "w") as f:
        json.dump({"crowdtune": version, "rounds": args.rounds, "rows": rows}, f, indent=1)
    print("\n" + text)


if __name__ == "__main__":
    sys.exit(main())
