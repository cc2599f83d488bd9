#!/usr/bin/env python3
"""Fronts with constraints and without: the optimizer `pareto` beside pymoo's NSGA-II on published problems.

    cargo build --release
    python3 benches/fronts.py [PROBLEM ...] [--seeds 1-11] [--only NAME] [--parallel N] [--again]

Everyone has 5000 evaluations. `pareto` is asked and told through `crowdtune ask-tell` as it comes, one point at a time (`--parallel`
for larger batches), and is told the sum of the constraints' positive values as violation. NSGA-II is pymoo's with its defaults and
populations of 40 and 100; it sees every constraint.

Hypervolumes are shares of that of the pooled front: of all feasible points that anyone found in the runs of the table, in units where 0
is its best value of an objective and 1 its worst, up to 1.1. `all` counts every point that a run evaluated, `shown` what it gives for an
answer: at most 100 points of `pareto`, the last population of NSGA-II. With five objectives the volume is measured at 20,000 fixed
points of chance. A median of `pareto` below that of an NSGA-II is marked.

Runs are kept in results/fronts and not made again, but with `--again`. The environment with pymoo is made under target/fronts. The
variable CROWDTUNE names another program.
"""
import argparse, json, math, os, statistics, subprocess

import environment

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get("CROWDTUNE", os.path.join(ROOT, "target", "release", "crowdtune"))
ENVIRONMENT = os.path.join(ROOT, "target", "fronts")
OUT = os.path.join(ROOT, "results", "fronts")
NEEDED = ["pymoo==0.6.2"]
BUDGET = 5000
REFERENCE = 1.1
SAMPLES = 20_000
# pymoo's name and what it is called with; WFG with 2 (m - 1) places and 20 distances, as its authors had it.
PROBLEMS = {
    **{name: (name, {}) for name in ("mw1", "mw3", "mw7", "mw11", "ctp1", "ctp4")},
    **{f"{name}-{m}": (name, {"n_var": 2 * (m - 1) + 20, "n_obj": m}) for name in ("wfg4", "wfg9") for m in (3, 5)},
    "dtlz7": ("dtlz7", {}),
    "c1dtlz1": ("c1dtlz1", {}),
}
NAMES = ("pareto", "nsga2-40", "nsga2-100")


class Counted:
    """A problem that keeps the first 5000 answers."""

    def __init__(self, name):
        from pymoo.problems import get_problem
        called, options = PROBLEMS[name]
        self.problem = get_problem(called, **options)
        self.seen = []

    def __call__(self, X):
        import numpy as np
        F, G = self.problem.evaluate(np.atleast_2d(X), return_values_of=["F", "G"])
        violation = np.maximum(G, 0.0).sum(axis=1) if self.problem.n_ieq_constr else np.zeros(len(F))
        self.seen += [[*f, v] for f, v in zip(F.tolist(), violation.tolist())][: BUDGET - len(self.seen)]
        return F, G, violation


def pareto(problem, seed, parallel):
    """What `crowdtune ask-tell` recommends."""
    command = [PROGRAM, "ask-tell", "--optimizer", "pareto", "--parallel", str(parallel)]
    partner = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(line):
        partner.stdin.write(json.dumps(line) + "\n")
        partner.stdin.flush()

    p = problem.problem
    say({"protocol": 1, "dimension": p.n_var, "lower": p.xl.tolist(), "upper": p.xu.tolist(), "objectives": p.n_obj, "seed": seed})
    while "ask" in (heard := json.loads(partner.stdout.readline())):
        asked = heard["ask"]
        some = asked[: BUDGET - len(problem.seen)]
        F, _, violation = problem(some)
        # A constraint of CTP4 is no number where a sine is 0: such a point has failed.
        tell = [{"f": f, "violation": v} if math.isfinite(v) else None for f, v in zip(F.tolist(), violation.tolist())]
        left = BUDGET - len(problem.seen)
        say({"tell": tell + [None] * (len(asked) - len(some)), "left": left})
        if not left:
            say({"stop": "budget"})
    partner.stdin.close()
    partner.wait()
    return heard["result"]["X"]


def nsga2(problem, seed, population):
    """The last population of pymoo's NSGA-II."""
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.core.problem import Problem
    from pymoo.optimize import minimize
    p = problem.problem

    class Seen(Problem):
        def __init__(self):
            super().__init__(n_var=p.n_var, n_obj=p.n_obj, n_ieq_constr=p.n_ieq_constr, xl=p.xl, xu=p.xu)

        def _evaluate(self, X, out, *_, **__):
            out["F"], G, _ = problem(X)
            if p.n_ieq_constr:
                out["G"] = G

    return minimize(Seen(), NSGA2(pop_size=population), ("n_eval", BUDGET), seed=seed).pop.get("X").tolist()


def run(name, who, seed, parallel, again):
    """All points of a run and the points it shows, each as losses and violation."""
    batch = f"-{parallel}" if who == "pareto" and parallel > 1 else ""
    path = os.path.join(OUT, f"{name}-{who}{batch}-{seed}.json")
    if os.path.exists(path) and not again:
        with open(path) as file:
            return json.load(file)
    problem = Counted(name)
    shown = pareto(problem, seed, parallel) if who == "pareto" else nsga2(problem, seed, int(who.split("-")[1]))
    answer = Counted(name)
    answer(shown)
    with open(path, "w") as file:
        json.dump({"all": problem.seen, "shown": answer.seen}, file)
    return {"all": problem.seen, "shown": answer.seen}


def front(rows):
    """The feasible rows that no other dominates, without their violation."""
    import moocore, numpy as np
    rows = np.asarray(rows, float)
    points = rows[rows[:, -1] <= 0.0, :-1]
    return points[moocore.is_nondominated(points)] if len(points) else points


def judged(runs):
    """The share of the pooled front's hypervolume of every run: {who: [(share of all, share of shown), ...]}."""
    import moocore, numpy as np
    fronts = {who: [[front(one[part]) for part in ("all", "shown")] for one in of] for who, of in runs.items()}
    every = [points for of in fronts.values() for pair in of for points in pair if len(points)]
    if not every:
        return {who: [(0.0, 0.0)] * len(of) for who, of in runs.items()}
    pool = np.vstack(every)
    pool = pool[moocore.is_nondominated(pool)]
    low, high = pool.min(axis=0), pool.max(axis=0)
    m = len(low)
    chance = np.random.default_rng(1).random((SAMPLES, m)) * REFERENCE

    def volume(points):
        unit = (points - low) / np.where(high > low, high - low, 1.0)
        unit = unit[(unit < REFERENCE).all(axis=1)]
        if m <= 4:
            return float(moocore.hypervolume(unit, ref=[REFERENCE] * m)) if len(unit) else 0.0
        left = chance
        for point in unit[np.argsort(unit.sum(axis=1))]:
            left = left[(left < point).any(axis=1)]
        return 1.0 - len(left) / SAMPLES

    whole = volume(pool)
    return {who: [tuple(volume(points) / whole for points in pair) for pair in of] for who, of in fronts.items()}


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("problems", nargs="*", help=" ".join(PROBLEMS))
    words.add_argument("--seeds", default="1-11", help="FIRST-LAST")
    words.add_argument("--only", choices=NAMES, help="makes the runs of one, without a table")
    words.add_argument("--parallel", type=int, default=1, help="width of the batches of `pareto`")
    words.add_argument("--again", action="store_true", help="runs `pareto` again")
    words = words.parse_args()
    environment.enter(ENVIRONMENT, NEEDED)
    first, last = map(int, words.seeds.split("-"))
    os.makedirs(OUT, exist_ok=True)
    heads = [f"{who}, {part}" for part in ("all", "shown") for who in NAMES]
    print("| | " + " | ".join([*heads, "feasible runs"]) + " |\n|" + "---|" * (len(heads) + 2), flush=True)
    for name in words.problems or PROBLEMS:
        runs = {who: [run(name, who, seed, words.parallel, words.again and who == "pareto") for seed in range(first, last + 1)]
                for who in NAMES if words.only in (None, who)}
        if words.only:
            continue
        shares = judged(runs)
        middle = [statistics.median(pair[part] for pair in shares[who]) for part in (0, 1) for who in NAMES]
        cells = [f"{value:.4f}" for value in middle]
        if middle[0] < max(middle[1:3]):
            cells[0] += " !"
        if middle[3] < max(middle[4:6]):
            cells[3] += " !"
        feasible = [sum(any(row[-1] <= 0.0 for row in one["all"]) for one in runs[who]) for who in NAMES]
        print(f"| {name} | " + " | ".join([*cells, " / ".join(map(str, feasible))]) + " |", flush=True)


if __name__ == "__main__":
    main()
