"""The simulator of an experiment as a process, and its genes as every optimizer wants them."""
import json, math, subprocess


class Gene:
    """One searched parameter; `units` are 0 to 1 for a real (logarithmic where the experiment says so), the number
    itself for a whole number, and the place in the list for a choice."""

    def __init__(self, said):
        self.key, self.kind = said["key"], said["type"]
        self.log = said.get("log", False)
        self.choices = said.get("choices")
        self.low, self.high = (0, len(self.choices) - 1) if self.choices else (said["low"], said["high"])
        self.default = said["default"]

    def decode(self, u):
        """A unit as the simulator reads it."""
        if self.kind == "choice":
            return self.choices[int(min(max(round(u), 0), self.high))]
        if self.kind == "integer":
            return int(min(max(round(u), self.low), self.high))
        u = min(max(float(u), 0.0), 1.0)
        if self.log:
            value = self.low * math.exp(u * math.log(self.high / self.low))
        else:
            value = self.low + u * (self.high - self.low)
        return min(max(value, self.low), self.high)

    def encode(self, value):
        """The unit of a value."""
        if self.kind == "choice":
            return self.choices.index(value)
        if self.kind == "integer":
            return value
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def of_cube(self, u):
        """The unit at a coordinate of crowdtune's own, where every value owns a part of [0, 1]."""
        cells = self.high - self.low + 1
        return u if self.kind == "real" else self.low + min(int(u * cells), cells - 1)

    @property
    def ends(self):
        """Lowest and highest unit."""
        return (0.0, 1.0) if self.kind == "real" else (self.low, self.high)


class Answer:
    """What a candidate is worth: failed, violation, loss, and what was measured."""

    def __init__(self, line):
        outcome = line.get("outcome", {})  # of a row of a log
        self.failed = line.get("failed") or (outcome.get("failed") if isinstance(outcome, dict) else None)
        self.violation = line["violation"] or 0.0
        self.loss = None if self.failed else line["objectives"][0]
        self.values = line.get("values")

    @property
    def key(self):
        """Orders answers, the better first: healthy, feasible, then the loss."""
        return (self.failed is not None, self.violation, math.inf if self.loss is None else self.loss)

    @property
    def number(self):
        """One number for optimizers without constraints: every feasible candidate is below every other one."""
        if self.failed:
            return 1e6
        return self.loss if self.violation == 0.0 else 1e3 + self.violation


class Simulator:
    """`crowdtune evaluate` on one thread."""

    def __init__(self, program, experiment, seed):
        self.experiment = experiment
        command = [program, "evaluate", experiment, "--seed", str(seed), "--threads", "1"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.about = self.line()
        self.genes = [Gene(said) for said in self.about["genes"]]
        self.default = [gene.encode(gene.default) for gene in self.genes]
        self.mixed = any(gene.kind != "real" for gene in self.genes)

    def line(self):
        text = self.process.stdout.readline()
        if not text:
            raise SystemExit(f"crowdtune evaluate ended with exit code {self.process.wait()}")
        return json.loads(text)

    def decode(self, units):
        return [gene.decode(u) for gene, u in zip(self.genes, units)]

    def ask(self, candidates, **options):
        """Answers to candidates in units."""
        values = [self.decode(units) for units in candidates]
        self.process.stdin.write(json.dumps({"ask": values, **options}) + "\n")
        self.process.stdin.flush()
        return [Answer(self.line()) for _ in values]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Spent(Exception):
    """The evaluations are used up."""


class Budget:
    """Counts evaluations of a simulator, each of `replicas` runs (None: as the experiment says), and keeps the best."""

    def __init__(self, simulator, evaluations, replicas=None):
        self.simulator, self.left, self.replicas = simulator, evaluations, replicas
        self.best, self.at, self.curve, self.done = None, None, [], 0
        self.worst = 0.0  # of all losses: what a failed candidate gets from those who take nothing but numbers
        self.expected = None  # loss that the optimizer expects of its recommendation, if it says so

    def __call__(self, candidates):
        """Answers to all candidates; raises Spent, with those that the budget allows counted, where it does not reach."""
        answers = self.some(candidates)
        if len(answers) < len(candidates):
            raise Spent
        return answers

    def some(self, candidates):
        """Answers as far as the budget goes."""
        candidates = candidates[: self.left]
        runs = {"replicas": self.replicas} if self.replicas else {}
        answers = self.simulator.ask(candidates, **runs) if candidates else []
        for units, answer in zip(candidates, answers):
            self.note(units, answer)
        return answers

    def note(self, units, answer):
        """Counts one evaluation."""
        self.left, self.done = self.left - 1, self.done + 1
        self.worst = max(self.worst, answer.loss or 0.0)
        if self.best is None or answer.key < self.best.key:
            self.best, self.at = answer, list(units)
            self.curve.append([self.done, answer.violation, answer.loss])

    def one(self, units):
        """One number for one candidate."""
        return self([list(units)])[0].number
