#!/usr/bin/env python3
"""How well do optimizers tune crowds? Ten small experiments, every optimizer of crowdtune, and those of Python.

    cargo build --release
    python3 benches/tuning/tuning.py run [EXPERIMENT...] [--evaluations 200] [--seeds 1-10] [--replicas N] [--only NAME]...
                                      [--out FILE]
    python3 benches/tuning/tuning.py report [--out FILE] [--docs]
    python3 benches/tuning/tuning.py costs

All drive the same simulator (`crowdtune evaluate`, one thread) and start from the published defaults; `crowdtune
ask-tell` drives the optimizers of crowdtune. A search of seed s sees the runs of seed s, the same for everyone.
What an optimizer recommends (its own word, else the best it saw) is then run on fresh replicas of seed s, again the
same for everyone: that loss counts. `run` appends a line for each search to FILE, results/tuning/searches.jsonl unless
named, and leaves out what is there; `report` makes the tables, with --docs into docs/decisions.md. All of it, 200
evaluations with ten seeds and 1000 with three, takes some two hours of one idle core (half an hour for the former as
measured, the rest in proportion). scikit-optimize and Optuna's Gaussian process are slow, so they run where --only names
them. Python packages of requirements.txt are put into target/tuning-env; Optuna's needs torch (4 GB), which goes into
target/tuning-env-torch. --replicas sets the runs of every scenario. CROWDTUNE_PROGRAM names another crowdtune.
"""
import argparse, json, os, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAM = os.environ.get("CROWDTUNE_PROGRAM") or os.path.join(ROOT, "target", "release", "crowdtune")
OUT = os.path.join(ROOT, "results", "tuning", "searches.jsonl")
FRESH = 20  # replicas that judge a recommendation
sys.path.append(os.path.dirname(HERE))
import environment  # noqa: E402 (of all benches)


def experiments():
    return sorted(name[:-5] for name in os.listdir(HERE) if name.endswith(".toml"))


def inside_environment(only):
    """Starts this script again with the pinned packages, which are installed first where they are missing."""
    files, made = ["requirements.txt"], os.path.join(ROOT, "target", "tuning-env")
    if "Optuna GP" in only:
        files, made = files + ["requirements-torch.txt"], made + "-torch"
    environment.enter(made, [package for name in files for package in environment.pinned(os.path.join(HERE, name))])


def search(experiment, name, evaluations, seed, replicas, judged):
    """One search and the fresh runs of what it recommends, as a line of the file; `judged` keeps those of the defaults."""
    from peers import ALL
    from space import Budget, Simulator, Spent
    simulator = Simulator(PROGRAM, os.path.join(HERE, experiment + ".toml"), seed)
    budget, own, start = Budget(simulator, evaluations, replicas), None, time.time()
    try:
        own = ALL[name](budget, seed, PROGRAM)
    except Spent:
        pass
    seconds = time.time() - start

    def judge(units):
        answer = simulator.ask([units], fresh=True, replicas=FRESH)[0]
        return {"failed": answer.failed, "violation": answer.violation, "loss": answer.loss}

    chosen = budget.at if own is None else own
    fresh = judge(chosen)
    seen = fresh if simulator.decode(chosen) == simulator.decode(budget.at) else judge(budget.at)
    if (experiment, seed) not in judged:
        judged[experiment, seed] = judge(simulator.default)
    simulator.close()
    return {"experiment": experiment, "digest": simulator.about["digest"], "optimizer": name, "evaluations": evaluations,
            "seed": seed, "replicas": replicas, "done": budget.done, "seconds": round(seconds, 2), "own": own is not None,
            "search": {"violation": budget.best.violation, "loss": budget.best.loss}, "expected": budget.expected,
            "x": simulator.decode(chosen),
            "fresh": fresh, "fresh_of_best_seen": seen, "fresh_of_defaults": judged[experiment, seed],
            "curve": budget.curve}


def read(path):
    if not os.path.exists(path):
        return []
    with open(path) as f:
        return [json.loads(line) for line in f if line.endswith("\n")]


def run(args):
    from peers import ALL, OPTIMIZERS
    unknown = [name for name in args.only if name not in ALL]
    if unknown:
        sys.exit(f"no optimizer {unknown[0]}; there are: {', '.join(ALL)}")
    os.makedirs(os.path.dirname(os.path.abspath(args.out)), exist_ok=True)
    rows = read(args.out)
    done = {(r["experiment"], r["optimizer"], r["evaluations"], r["seed"], r.get("replicas")) for r in rows}
    judged = {(r["experiment"], r["seed"]): r["fresh_of_defaults"] for r in rows}
    with open(args.out, "a") as f:
        for seed in args.seeds:
            for experiment in args.experiment or experiments():
                for name in args.only or OPTIMIZERS:
                    if (experiment, name, args.evaluations, seed, args.replicas) in done:
                        continue
                    row = search(experiment, name, args.evaluations, seed, args.replicas, judged)
                    f.write(json.dumps(row) + "\n")
                    f.flush()
                    seen, fresh = (x["failed"] or f"{x['loss']:.4f}" for x in ({"failed": None, **row["search"]}, row["fresh"]))
                    print(f"{experiment:12} {name:24} seed {seed:2}: search {seen}, fresh {fresh}, {row['seconds']:.1f} s",
                          flush=True)


def costs(_):
    """CPU time of an evaluation, mean over a hundred candidates anywhere in the space."""
    import numpy, resource
    from space import Simulator
    for experiment in experiments():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        simulator, rng = Simulator(PROGRAM, os.path.join(HERE, experiment + ".toml"), 1), numpy.random.default_rng(1)
        answers = simulator.ask([[rng.uniform(*g.ends) for g in simulator.genes] for _ in range(100)])
        simulator.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        milliseconds = 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 100
        runs = sum(s["replicas"] for s in simulator.about["scenarios"])
        print(f"{experiment:12} {len(simulator.genes):2} genes, {runs} runs, {milliseconds:.1f} ms CPU an evaluation, "
              f"{sum(a.failed is not None for a in answers)} % failed, {sum(a.violation > 0 for a in answers)} % infeasible")


def numbers(text):
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "report", "costs"])
    parser.add_argument("experiment", nargs="*")
    parser.add_argument("--evaluations", type=int, default=200)
    parser.add_argument("--seeds", type=numbers, default=numbers("1-10"))
    parser.add_argument("--replicas", type=int, metavar="N")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--out", default=OUT)
    parser.add_argument("--docs", action="store_true")
    args = parser.parse_args()
    if not os.path.exists(PROGRAM):
        sys.exit("cargo build --release comes first")
    if args.what == "report":
        import report
        report.report(read(args.out), os.path.join(ROOT, "docs", "decisions.md") if args.docs else None)
        return
    inside_environment(args.only)
    {"run": run, "costs": costs}[args.what](args)


if __name__ == "__main__":
    main()
