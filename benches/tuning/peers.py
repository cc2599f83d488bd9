"""Every optimizer behind one call: `OPTIMIZERS[name](budget, seed, program)` spends a budget and gives what it would
recommend, in units, or nothing where that is the best candidate it saw.

Everyone starts from the published defaults. Whoever knows constraints, whole numbers or choices is told of them in
its own way; for the others a whole number or a choice is rounded, and infeasible candidates are worse than all others.
"""
import json, math, os, subprocess, tempfile
from space import Answer

SIGMA = 0.25  # of every range: what pycma's documentation advises, a quarter to a half of where the optimum may lie


def crowdtune(optimizer, parallel, other_seed=0):
    def search(budget, seed, program):
        simulator = budget.simulator
        command = [program, "ask-tell", "--optimizer", optimizer, "--parallel", str(parallel)]
        partner = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def say(line):
            partner.stdin.write(json.dumps(line) + "\n")
            partner.stdin.flush()
            return partner.stdout.readline()

        parts = simulator.about["parts"]

        def told(answer):
            if answer.failed:
                return None
            values = [answer.values[part["target"]][part["scenario"]] for part in parts]
            return {"f": answer.loss, "violation": answer.violation, "values": values}

        kinds = {"real": "real", "integer": "int"}
        types = [kinds.get(g.kind) or {"cat": len(g.choices)} for g in simulator.genes]
        low, high = zip(*(g.ends for g in simulator.genes))
        line = say({"protocol": 1, "dimension": len(types), "lower": low, "upper": high, "types": types,
                    "seed": seed + other_seed, "noisy": True, "names": [g.key for g in simulator.genes], "parts": parts, "x0": simulator.default})
        while True:
            said = json.loads(line)
            if "result" in said:
                partner.stdin.close()
                partner.wait()
                budget.expected = said["result"].get("expected")
                return said["result"]["x"]
            answers = budget.some(said["ask"])
            tell = [told(answer) for answer in answers]
            beyond = [None] * (len(said["ask"]) - len(answers))
            line = say({"tell": tell + beyond, "left": budget.left}) if budget.left else None
            if line is None:
                partner.stdin.write(json.dumps({"tell": tell + beyond, "left": 0}) + "\n")
                line = say({"stop": "budget"})
    return search


FINALISTS, CHECKS = 5, 20  # defaults of `[search]`


def evolve(optimizer):
    """The whole of `crowdtune evolve`: the simulations of its check of finalists and defaults on fresh seeds are taken
    off the search, so that all together are as many as everybody else's."""
    def search(budget, seed, program):
        simulator = budget.simulator
        cases = [budget.replicas or s["replicas"] for s in simulator.about["scenarios"] if not s["held_out"]]
        check = math.ceil((FINALISTS + 1) * CHECKS * len(cases) / sum(cases))
        evaluations = max(1, budget.left - check)
        with tempfile.TemporaryDirectory() as place:
            folder = os.path.join(place, "run")
            changes = [f"search.optimizer={optimizer}"]
            if budget.replicas:
                changes += [f"scenario.{s['name']}.replicas={budget.replicas}" for s in simulator.about["scenarios"]]
            subprocess.run([program, "evolve", simulator.experiment, "--out", folder, "--seed", str(seed), "--threads", "1",
                            "--evaluations", str(evaluations), "--quiet", *(x for c in changes for x in ("--set", c))],
                           check=True, stdout=subprocess.DEVNULL)
            with open(os.path.join(folder, "trials.jsonl")) as f:
                rows = [json.loads(line) for line in f][1:]

        def units(row):
            return [gene.of_cube(u) for gene, u in zip(simulator.genes, row["genome"])]

        for row in rows:
            if row["purpose"] == "search":
                budget.note(units(row), Answer({**row, "objectives": row["objectives"] or [None]}))
        return next(units(row) for row in rows if row["purpose"] == "report")
    return search


def random(budget, seed, _):
    import numpy
    rng = numpy.random.default_rng(seed)
    budget([budget.simulator.default])
    while True:
        budget([[rng.uniform() if g.kind == "real" else int(rng.integers(g.low, g.high + 1)) for g in budget.simulator.genes]])


def pymoo_ga(population):
    def search(budget, seed, _):
        import numpy
        from pymoo.algorithms.soo.nonconvex.ga import GA
        from pymoo.core.evaluator import Evaluator
        from pymoo.core.problem import Problem
        from pymoo.operators.sampling.rnd import FloatRandomSampling
        from pymoo.problems.static import StaticProblem

        simulator = budget.simulator
        low, high = map(numpy.array, zip(*(cell_ends(g) for g in simulator.genes)))
        problem = Problem(n_var=len(low), n_obj=1, n_ieq_constr=1, xl=low, xu=high)
        settings = {} if population is None else {"pop_size": population}
        size = population or 100
        first = FloatRandomSampling().do(problem, size, random_state=numpy.random.default_rng(seed)).get("X")
        first[0] = simulator.default
        algorithm = GA(sampling=first, **settings)
        algorithm.setup(problem, termination=("n_gen", 10**9), seed=seed, verbose=False)
        while True:
            people = algorithm.ask()
            answers = budget([list(x) for x in people.get("X")])
            values = numpy.array([[1e6 if a.failed else a.loss] for a in answers])
            missed = numpy.array([[1e6 if a.failed else a.violation] for a in answers])
            Evaluator().eval(StaticProblem(problem, F=values, G=missed), people)
            algorithm.tell(infills=people)
    return search


def cell_ends(gene):
    """Ends of a real coordinate that is rounded to the unit, so that every value owns a cell of the same width."""
    low, high = gene.ends
    return (low, high) if gene.kind == "real" else (low - 0.499, high + 0.499)


def cma_options(simulator, seed):
    """Bounds, whole numbers and widths as pycma takes them."""
    low, high = zip(*(cell_ends(g) for g in simulator.genes))
    whole = [i for i, g in enumerate(simulator.genes) if g.kind != "real"]
    options = {"bounds": [list(low), list(high)], "seed": seed, "verbose": -9, "maxfevals": 10**9,
               "CMA_stds": [b - a for a, b in zip(low, high)]}
    return {**options, **({"integer_variables": whole} if whole else {})}


def pycma(budget, seed, _):
    import cma
    restart = 0
    while True:
        options = cma_options(budget.simulator, 1000 * seed + restart)
        es = cma.CMAEvolutionStrategy(budget.simulator.default, SIGMA, {**options, "popsize_factor": 2**restart})
        while not es.stop():
            asked = es.ask()
            es.tell(asked, [a.number for a in budget([list(x) for x in asked])])
        restart += 1


def pycma_lq(budget, seed, _):
    import cma
    restart = 0
    while True:
        options = cma_options(budget.simulator, 1000 * seed + restart)
        cma.fmin_lq_surr2(budget.one, budget.simulator.default, SIGMA, options)
        restart += 1


def with_optuna(sampler):
    """`sampler` makes one from the module of samplers and a seed."""
    def search(budget, seed, _):
        import optuna, warnings
        optuna.logging.set_verbosity(optuna.logging.CRITICAL)
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        genes = budget.simulator.genes
        study = optuna.create_study(sampler=sampler(optuna.samplers, seed))

        def start(gene):
            return gene.default if gene.kind != "choice" else gene.choices.index(gene.default)

        study.enqueue_trial({g.key: start(g) for g in genes})
        while True:
            trial = study.ask()
            units = []
            for g in genes:
                if g.kind == "real":
                    value = trial.suggest_float(g.key, g.low, g.high, log=g.log)
                    units.append(g.encode(value))
                elif g.kind == "integer":
                    units.append(trial.suggest_int(g.key, g.low, g.high))
                else:
                    units.append(trial.suggest_categorical(g.key, list(range(len(g.choices)))))
            answer = budget([units])[0]
            trial.set_constraint("must", 1e6 if answer.failed else answer.violation)
            # A failed candidate gets the worst loss so far: one of a million would be all that a Gaussian process sees.
            study.tell(trial, budget.worst if answer.failed else answer.loss)
    return search


def scikit_optimize(budget, seed, _):
    import warnings
    import skopt
    warnings.simplefilter("ignore")
    genes = budget.simulator.genes

    def axis(gene):
        if gene.kind == "real":
            return skopt.space.Real(*gene.ends)
        if gene.kind == "integer":
            return skopt.space.Integer(int(gene.low), int(gene.high))
        return skopt.space.Categorical(list(range(len(gene.choices))))

    optimizer = skopt.Optimizer([axis(g) for g in genes], "GP", random_state=seed)
    asked = [x if g.kind == "real" else int(round(x)) for g, x in zip(genes, budget.simulator.default)]
    while True:
        answer = budget([asked])[0]
        # It takes numbers only: a failed candidate gets the worst loss so far, an infeasible one what it misses on top.
        optimizer.tell(asked, budget.worst if answer.failed else answer.loss + answer.violation)
        asked = optimizer.ask()


OPTIMIZERS = {
    "auto": crowdtune("auto", 1),
    "auto, other numbers": crowdtune("auto", 1, other_seed=1000),
    "cma_es": crowdtune("cma_es", 1),
    "ga": crowdtune("ga", 1),
    "gp": crowdtune("gp", 1),
    "auto, batches of 16": crowdtune("auto", 16),
    "evolve, auto": evolve("auto"),
    "evolve, cma_es": evolve("cma_es"),
    "random": random,
    "pymoo GA": pymoo_ga(None),
    "pymoo GA, population 20": pymoo_ga(20),
    "pycma": pycma,
    "pycma, lq": pycma_lq,
    "Optuna TPE": with_optuna(lambda samplers, seed: samplers.TPESampler(seed=seed)),
}

# A minute a search at 100 evaluations: run where they are named.
SLOW = {
    "scikit-optimize": scikit_optimize,
    "Optuna GP": with_optuna(lambda samplers, seed: samplers.GPSampler(seed=seed)),
}
ALL = {**OPTIMIZERS, **SLOW}
