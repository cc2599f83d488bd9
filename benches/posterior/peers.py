#!/usr/bin/env python3
"""What a posterior costs: `crowdtune posterior` beside pyABC and sbi, which drive the same simulator from outside.

    cargo build --release
    python3 benches/posterior/peers.py [bottleneck five_weights failing] [--only crowdtune --only pyabc --only sbi] [--reference 40000]

All get the same priors, the same measured values and the same errors. pyABC 0.12.16: its noisy ABC (StochasticAcceptor with an IndependentNormalKernel of
the tolerances, and its own Temperature), which ends at the very posterior that crowdtune ends at where it widens nothing. sbi 0.27: neural posterior
estimation (NPE, one round, its default flow), whose runs get errors of measurement; runs that fail have no value, and sbi leaves them out. Draws of a
network or of processes cost no run, so effective draws say nothing of them. What can be compared of all: how far mean and spread of each parameter are
from those of a long posterior by runs alone (`--reference` evaluations, with an effective number of a twentieth of it), in its standard deviations, the means over the parameters.
Environments are made under target/posterior/.
"""
import argparse, itertools, json, math, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAM = os.environ.get("CROWDTUNE_PROGRAM", os.path.join(ROOT, "target", "release", "crowdtune"))
MADE = os.path.join(ROOT, "target", "posterior")
sys.path.append(os.path.dirname(HERE))
import environment  # noqa: E402 (of all benches)

NEEDS = {"pyabc": ["pyabc==0.12.16"], "sbi": ["sbi==0.27.0"]}


def ours(file, evaluations, *more):
    out = os.path.join(MADE, "-".join([os.path.basename(file)[:-5], str(evaluations), *(word.strip("-") for word in more)]))
    subprocess.run(["rm", "-rf", out], check=True)
    command = [PROGRAM, "posterior", file, "--evaluations", str(evaluations), "--out", out, "--quiet", "--json", *more]
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


class Of:
    """A prior of the file as others want it, in the coordinate that the range has: logarithms where it is logarithmic."""

    def __init__(self, gene, said):
        self.low, self.high, self.log = gene["low"], gene["high"], gene["log"]
        warp = math.log if self.log else float
        self.ends, self.normal = (warp(self.low), warp(self.high)), None
        if said != "uniform":
            if not self.log or "log_normal" not in said:
                raise SystemExit(f"only a log_normal prior on a logarithmic axis is written here: {said}")
            self.normal = said["log_normal"]

    def cut(self):
        (low, high), (mean, sd) = self.ends, self.normal
        return (low - mean) / sd, (high - mean) / sd, mean, sd

    def value(self, x):
        return min(max(math.exp(x) if self.log else x, self.low), self.high)


def measured(experiment):
    """Values and errors, by target and scenario."""
    keys = [(f"{name}/{scenario}", target) for name, target in experiment["target"].items() for scenario in experiment["scenario"]]
    return {key: target["equals"] for key, target in keys}, {key: target["tolerance"] for key, target in keys}


def by_sbi(file, evaluations):
    """Neural posterior estimation on shares of the prior, each between 0 and 1."""
    import numpy, scipy.stats, sbi.inference, sbi.utils, tomllib, torch
    torch.manual_seed(1)
    torch.set_num_threads(1)
    random = numpy.random.default_rng(1)
    experiment, simulator = tomllib.load(open(file, "rb")), Simulator(file)
    gene = {g["key"]: g for g in simulator.about["genes"]}
    of = {key: Of(gene[key], experiment["parameters"].get(key, {}).get("prior", "uniform")) for key in gene}
    values, errors = measured(experiment)

    def candidate(shares):
        place = lambda o, u: scipy.stats.truncnorm.ppf(u, *o.cut()) if o.normal else o.ends[0] + u * (o.ends[1] - o.ends[0])
        return {key: float(of[key].value(place(of[key], u))) for key, u in zip(of, shares)}

    prior = sbi.utils.BoxUniform(torch.zeros(len(of)), torch.ones(len(of)))
    shares = prior.sample((evaluations,))
    rows = []
    for row in shares.numpy():
        found = simulator(candidate(row))
        rows.append([found[key] + errors[key] * random.standard_normal() if found else math.nan for key in values])
    inference = sbi.inference.NPE(prior=prior, show_progress_bars=False)
    inference.append_simulations(shares, torch.tensor(rows, dtype=torch.float32)).train()
    draws = inference.build_posterior().sample((4000,), x=torch.tensor([list(values.values())]), show_progress_bars=False)
    found = [candidate(row) for row in draws.numpy()]
    genes = {key: (float(numpy.mean([f[key] for f in found])), float(numpy.std([f[key] for f in found]))) for key in of}
    return evaluations, 4000.0, 0.0, genes


def by_pyabc(file, evaluations):
    import numpy, pyabc, tomllib
    experiment = tomllib.load(open(file, "rb"))
    simulator = Simulator(file)
    gene = {g["key"]: g for g in simulator.about["genes"]}

    def distribution(of):
        (low, high) = of.ends
        return pyabc.RV("truncnorm", *of.cut()) if of.normal else pyabc.RV("uniform", low, high - low)

    of = {key: Of(gene[key], experiment["parameters"].get(key, {}).get("prior", "uniform")) for key in gene}
    prior = pyabc.Distribution(**{key.replace(".", "_"): distribution(of[key]) for key in gene})
    back = lambda key, x: of[key].value(float(x))
    values, errors = measured(experiment)

    def model(parameters):
        found = simulator({key: back(key, parameters[key.replace(".", "_")]) for key in gene})
        # A run that failed agrees with nothing.
        return found or {key: 1e6 for key in values}

    kernel = pyabc.IndependentNormalKernel(var=[errors[key] ** 2 for key in values], keys=list(values))
    abc = pyabc.ABCSMC(model, prior, kernel, population_size=200, eps=pyabc.Temperature(), acceptor=pyabc.StochasticAcceptor(),
                       sampler=pyabc.SingleCoreSampler())
    abc.new("sqlite://", values)
    history = abc.run(max_total_nr_simulations=evaluations, max_nr_populations=30)
    frame, weights = history.get_distribution()
    temperature = history.get_all_populations()["epsilon"].iloc[-1]
    genes = {}
    for key in gene:
        found = numpy.array([back(key, x) for x in frame[key.replace(".", "_")]])
        mean = float((weights * found).sum())
        genes[key] = (mean, float(math.sqrt((weights * (found - mean) ** 2).sum())))
    return history.total_nr_simulations, float(1.0 / (weights ** 2).sum()), float(temperature), genes


def apart(genes, reference):
    """How far means and spreads are from a reference, in its standard deviations, the mean over the parameters."""
    of = [(abs(mean - reference[key][0]) / reference[key][1], abs(sd / reference[key][1] - 1.0)) for key, (mean, sd) in genes.items()]
    return [sum(pair[k] for pair in of) / len(of) for k in range(2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["bottleneck", "five_weights", "failing"])
    parser.add_argument("--only", action="append", choices=["crowdtune", "pyabc", "sbi"])
    parser.add_argument("--reference", type=int, default=40_000)
    parser.add_argument("--theirs", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.theirs:
        peer, file, evaluations = args.theirs
        # sbi ends its lines before the next one.
        print("\n" + json.dumps({"pyabc": by_pyabc, "sbi": by_sbi}[peer](file, int(evaluations))))
        return
    os.makedirs(MADE, exist_ok=True)
    for name in args.names:
        file = os.path.join(HERE, f"{name}.toml")
        # Never narrow enough to end: a generation after the other counts.
        *_, reference = ours(file, args.reference, "--effective", str(args.reference // 20))
        print(f"{name}: reference: " + ", ".join(f"{key} {mean:.4g} ± {sd:.2g}" for key, (mean, sd) in reference.items()), flush=True)

        def say(who, found):
            spent, draws, wide, genes = found
            means, spreads = apart(genes, reference)
            print(f"{name}: {who}: {spent} evaluations, {draws:.0f} effective draws, widened or temperature {wide:.3g}; off by {means:.2f} (means) and "
                  f"{spreads:.2f} (spreads) standard deviations", flush=True)

        def peer(who, evaluations):
            command = [environment.python(os.path.join(MADE, who), NEEDS[who]), os.path.abspath(__file__), "--theirs", who, file, str(evaluations)]
            say(f"{who}, {evaluations}", json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1]))

        if not args.only or "crowdtune" in args.only:
            say("crowdtune, emulated", ours(file, 400, "--likelihood", "emulated"))
            say("crowdtune, simulated", ours(file, 4000))
        for evaluations in (1000, 4000):
            if not args.only or "pyabc" in args.only:
                peer("pyabc", evaluations)
        for evaluations in (250, 1000, 4000):
            if not args.only or "sbi" in args.only:
                peer("sbi", evaluations)


if __name__ == "__main__":
    main()
