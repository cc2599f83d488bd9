#!/usr/bin/env python3
"""What an effective draw of a posterior costs: `crowdtune posterior` beside pyABC, which drives the same simulator from outside.

    cargo build --release
    python3 benches/posterior/peers.py [bottleneck five_weights failing] [--evaluations 4000]

pyABC 0.12.16 gets the same priors, the same measured values and the same errors: its noisy ABC (StochasticAcceptor with an
IndependentNormalKernel of the tolerances, and its own Temperature) ends at the very posterior that crowdtune ends at where it widens nothing.
Both get the same number of evaluations, or less where they end by themselves. Printed: evaluations, effective draws, evaluations for one
effective draw, and mean and standard deviation of every parameter. The environment is made under target/posterior/.
"""
import argparse, itertools, json, math, os, subprocess, sys, venv

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAM = os.environ.get("CROWDTUNE_PROGRAM", os.path.join(ROOT, "target", "release", "crowdtune"))
MADE = os.path.join(ROOT, "target", "posterior")
NEEDS = ["pyabc==0.12.16"]


def python():
    """The interpreter of an environment with pyABC, made where it is missing."""
    interpreter = os.path.join(MADE, "environment", "bin", "python")
    if not os.path.exists(interpreter):
        venv.create(os.path.dirname(os.path.dirname(interpreter)), with_pip=True)
        subprocess.run([interpreter, "-m", "pip", "install", "-q", *NEEDS], check=True)
    return interpreter


def ours(file, evaluations):
    out = os.path.join(MADE, os.path.basename(file)[:-5])
    subprocess.run(["rm", "-rf", out], check=True)
    command = [PROGRAM, "posterior", file, "--evaluations", str(evaluations), "--out", out, "--quiet", "--json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    genes = {g["key"]: (g["mean"], g["sd"]) for g in found["genes"]}
    return found["evaluated"], found["draws"], found["widened"], genes


class Simulator:
    """`crowdtune evaluate` at the other end of two pipes; every run has a seed of its own."""

    def __init__(self, file):
        self.program = subprocess.Popen([PROGRAM, "evaluate", file], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.about = json.loads(self.program.stdout.readline())
        self.seeds = itertools.count(1_000_000)

    def __call__(self, candidate):
        self.program.stdin.write(json.dumps({"ask": candidate, "seed": next(self.seeds)}) + "\n")
        self.program.stdin.flush()
        answer = json.loads(self.program.stdout.readline())
        if answer.get("failed"):
            return None
        return {f"{name}/{case}": value for name, cases in answer["values"].items() for case, value in cases.items()}


def theirs(file, evaluations):
    import numpy, pyabc, scipy.stats, tomllib
    experiment = tomllib.load(open(file, "rb"))
    simulator = Simulator(file)
    gene = {g["key"]: g for g in simulator.about["genes"]}

    class Of:
        """A prior of the file as pyABC wants it, in the coordinate that the range has: logarithms where it is logarithmic."""

        def __init__(self, key):
            self.low, self.high, self.log = gene[key]["low"], gene[key]["high"], gene[key]["log"]
            self.said = experiment["parameters"].get(key, {}).get("prior", "uniform")

        def distribution(self):
            warp = math.log if self.log else float
            low, high = warp(self.low), warp(self.high)
            if self.said == "uniform":
                return pyabc.RV("uniform", low, high - low)
            mean, sd = self.said["log_normal"]
            if self.log:
                return pyabc.RV("truncnorm", (low - mean) / sd, (high - mean) / sd, mean, sd)
            raise SystemExit(f"a log_normal prior needs log = true here: {file}")

    of = {key: Of(key) for key in gene}
    prior = pyabc.Distribution(**{key.replace(".", "_"): of[key].distribution() for key in gene})
    back = lambda key, x: float(numpy.clip(math.exp(x) if of[key].log else x, of[key].low, of[key].high))
    measured, errors = {}, {}
    for name, target in experiment["target"].items():
        for scenario in experiment["scenario"]:
            key = f"{name}/{scenario}"
            measured[key], errors[key] = target["equals"], target["tolerance"]

    def model(parameters):
        found = simulator({key: back(key, parameters[key.replace(".", "_")]) for key in gene})
        # A run that failed agrees with nothing.
        return found or {key: 1e6 for key in measured}

    kernel = pyabc.IndependentNormalKernel(var=[errors[key] ** 2 for key in measured], keys=list(measured))
    abc = pyabc.ABCSMC(model, prior, kernel, population_size=200, eps=pyabc.Temperature(), acceptor=pyabc.StochasticAcceptor(),
                       sampler=pyabc.SingleCoreSampler())
    abc.new("sqlite://", measured)
    history = abc.run(max_total_nr_simulations=evaluations, max_nr_populations=30)
    frame, weights = history.get_distribution()
    temperature = history.get_all_populations()["epsilon"].iloc[-1]
    genes = {}
    for key in gene:
        values = numpy.array([back(key, x) for x in frame[key.replace(".", "_")]])
        mean = float((weights * values).sum())
        genes[key] = (mean, float(math.sqrt((weights * (values - mean) ** 2).sum())))
    return history.total_nr_simulations, float(1.0 / (weights ** 2).sum()), float(temperature), genes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["bottleneck", "five_weights", "failing"])
    parser.add_argument("--evaluations", type=int, default=4000)
    parser.add_argument("--theirs", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.theirs:
        print(json.dumps(theirs(args.theirs, args.evaluations)))
        return
    for name in args.names:
        file = os.path.join(HERE, f"{name}.toml")
        own = ours(file, args.evaluations)
        command = [python(), os.path.abspath(__file__), "--theirs", file, "--evaluations", str(args.evaluations)]
        peer = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1])
        for who, (spent, draws, wide, genes) in (("crowdtune", own), ("pyABC", peer)):
            words = f"widened {wide:.2g}" if who == "crowdtune" else f"temperature {wide:.3g}"
            print(f"{name}: {who}: {spent} evaluations, {draws:.0f} effective draws, {spent / draws:.1f} for one, {words}; "
                  + ", ".join(f"{key} {mean:.4g} ± {sd:.2g}" for key, (mean, sd) in genes.items()), flush=True)


if __name__ == "__main__":
    main()
