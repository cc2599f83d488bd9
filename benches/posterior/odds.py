#!/usr/bin/env python3
"""Does `crowdtune posterior --models` find the model that was planted?

    cargo build --release
    python3 benches/posterior/odds.py [CASES] [--likelihood emulated] [--models social_force,orca,collision_free_speed]

Case k takes the models in turn, draws the model's constants evenly from their ranges (on a logarithmic axis where there is one), runs it once in
models.toml, adds normal errors with the tolerances as standard deviations, and asks for the odds between the models, were they equal before. Right is
a case whose most probable model is the planted one. Printed: for each case the probabilities, then how many are right and how many should be by these probabilities, the mean probability of the
truth, and how often models were right that got 50 to 80, 80 to 95 and more than 95 %. A truth whose own run fails is drawn again.
"""
import argparse, json, math, os, random, subprocess, tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAM = os.environ.get("CROWDTUNE_PROGRAM", os.path.join(ROOT, "target", "release", "crowdtune"))
MADE = os.path.join(ROOT, "target", "posterior", "odds")
FILE = os.path.join(HERE, "models.toml")
TARGETS = {name: table["tolerance"] for name, table in tomllib.load(open(FILE, "rb"))["target"].items()}


def posterior(models, out, *more):
    subprocess.run(["rm", "-rf", out], check=True)
    command = [PROGRAM, "posterior", FILE, "--models", ",".join(models), "--out", out, "--quiet", "--json", *more]
    return json.loads(subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)


def planted(experiment, random, number):
    """Measured values of a run with constants from the prior, by target; with the tolerances as errors."""
    program = subprocess.Popen([PROGRAM, "evaluate", experiment], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    genes = json.loads(program.stdout.readline())["genes"]
    try:
        for attempt in range(100):
            share = {gene["key"]: random.random() for gene in genes}
            value = lambda g: (math.exp(math.log(g["low"]) + share[g["key"]] * math.log(g["high"] / g["low"])) if g["log"]
                               else g["low"] + share[g["key"]] * (g["high"] - g["low"]))
            ask = {"ask": {g["key"]: value(g) for g in genes}, "seed": 1_000_000 + 100 * number + attempt}
            program.stdin.write(json.dumps(ask) + "\n")
            program.stdin.flush()
            answer = json.loads(program.stdout.readline())
            found = {name: next(iter(answer["values"].get(name, {}).values()), None) for name in TARGETS} if not answer.get("failed") else {}
            if found and None not in found.values():
                return {name: x + random.gauss(0.0, TARGETS[name]) for name, x in found.items()}
    finally:
        program.stdin.close()
        program.wait()
    raise SystemExit(f"{experiment}: a hundred runs failed")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("cases", nargs="?", type=int, default=100)
    words.add_argument("--likelihood", default="emulated")
    words.add_argument("--models", default="social_force,orca,collision_free_speed")
    words.add_argument("--first", type=int, default=0)
    args = words.parse_args()
    models = args.models.split(",")
    # A small run of each, for the ranges of its constants.
    priors = os.path.join(MADE, f"priors-{args.first}")
    posterior(models, priors, "--likelihood", "emulated", "--evaluations", "20")
    # A case costs half a minute so.
    more = ["--evaluations", "240"] if args.likelihood == "emulated" else []
    right, expected, truths, bins = 0, 0.0, [], {(0.5, 0.8): [], (0.8, 0.95): [], (0.95, 1.01): []}
    for case in range(args.first, args.first + args.cases):
        truth = models[case % len(models)]
        measured = planted(os.path.join(priors, truth, "experiment.toml"), random.Random(case), case)
        sets = [word for name, x in measured.items() for word in ("--set", f"target.{name}.equals={x!r}")]
        odds = posterior(models, os.path.join(MADE, f"case-{case}"), "--likelihood", args.likelihood, "--seed", str(case), "--threads", "1", *more, *sets)
        said = {m["model"]: m["probability"] for m in odds["models"]}
        best = max(said, key=said.get)
        right += best == truth
        truths.append(said[truth])
        expected += said[best]
        for (low, high), found in bins.items():
            if low <= said[best] < high:
                found.append(best == truth)
        values = ", ".join(f"{name} {x:.3g}" for name, x in measured.items())
        print(f"{case}: {truth}; {values}: " + ", ".join(f"{m} {100 * p:.0f} %" for m, p in said.items()) + ("" if best == truth else "   WRONG"), flush=True)
    print(f"right: {right} of {args.cases}, by their own probabilities {expected:.0f}; mean probability of the truth {sum(truths) / len(truths):.2f}; "
          + "; ".join(f"{100 * low:.0f} to {min(100, 100 * high):.0f} %: {sum(f)} of {len(f)}" for (low, high), f in bins.items()))


main()
