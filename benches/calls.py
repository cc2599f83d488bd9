"""What the way from Python into the library and back costs.

    .ci/python                            # makes the environment target/python/tests
    target/python/tests/bin/python benches/calls.py [--rounds 5]

A call is `Experiment.dimension`; the tiniest evaluation is one person for one step; the batch is 64 candidates of configs/evacuation.toml
on their six replicas, on one thread and on two, one after the other in each round; beside it the rate of `crowdtune.evolve` and of the
program on the same number of random candidates. Medians.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import timeit
from pathlib import Path

import numpy as np

import crowdtune as ct

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "target/release/crowdtune"
TINY = """
model = "social_force"
parameters.relaxation_time_s = { range = [0.1, 2.0] }
scenario.room = { kind = "room", count = 1, limit_s = 0.1, replicas = 1 }
target.speed = { metric = "speed_mean_m_per_s", at_least = 0.5 }
simulation.sample_every_s = 0.1
"""


def imports(rounds: int) -> float:
    """Seconds of `import crowdtune` where numpy is there already."""
    code = "import time, numpy; t = time.perf_counter(); import crowdtune; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(rounds)]
    return statistics.median(float(run.stdout) for run in runs)


def searched(line: str) -> tuple[int, float]:
    """Rows and seconds of a batch."""
    import json

    said = json.loads(line)
    return said["rows"], said["seconds"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print(f"import crowdtune beyond numpy: {1e3 * imports(9):.1f} ms")
    tiny = ct.Experiment.from_toml(TINY)
    native = tiny._native
    calls = 1_000_000
    print(f"a call: {1e9 * min(timeit.repeat(lambda: native.dimension, number=calls, repeat=5)) / calls:.0f} ns")
    genome = np.array([[0.5]])
    each = min(timeit.repeat(lambda: tiny.evaluate(genome), number=2000, repeat=5)) / 2000
    print(f"the tiniest evaluation: {1e6 * each:.1f} us")

    overrides = {"search.optimizer": "random", "search.evaluations": 64, "search.parallel": 64}
    experiment = ct.Experiment.load(ROOT / "configs/evacuation.toml", overrides)
    genomes = np.random.default_rng(1).random((64, experiment.dimension))
    times: dict[str, list[float]] = {"1 thread": [], "2 threads": [], "2 threads, the candidates of evolve": [], "evolve": [], "program": []}
    ticks = 0
    over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.wait(0.01):
            ticks += 1

    for _ in range(rounds):
        for name in ("1 thread", "2 threads"):
            began = time.perf_counter()
            experiment.evaluate(genomes, threads=int(name[0]))
            times[name].append(time.perf_counter() - began)
        with tempfile.TemporaryDirectory() as folder:
            run = ct.evolve(experiment, Path(folder) / "python", threads=2, progress=False)
            words = [str(PROGRAM), "evolve", str(ROOT / "configs/evacuation.toml"), "--threads", "2", "--quiet"]
            sets = [word for key, value in overrides.items() for word in ("--set", f"{key}={value}")]
            subprocess.run([*words, *sets, "--out", f"{folder}/program"], check=True, capture_output=True)
            for name, where in (("evolve", "python"), ("program", "program")):
                lines = (Path(folder) / where / "timing.jsonl").read_text().splitlines()
                times[name].append(next(seconds for rows, seconds in map(searched, lines) if rows == 64))
            same = run.genomes[[purpose == "search" for purpose in run.purposes]]
            began = time.perf_counter()
            experiment.evaluate(same, threads=2)
            times["2 threads, the candidates of evolve"].append(time.perf_counter() - began)
    for name, seconds in times.items():
        print(f"64 candidates, {name}: {statistics.median(seconds):.3f} s ({min(seconds):.3f} to {max(seconds):.3f})")
    gain = statistics.median(a / b for a, b in zip(times["1 thread"], times["2 threads"], strict=True))
    print(f"two threads against one: {gain:.2f} x")
    for name in ("evolve", "program"):
        pairs = zip(times["2 threads, the candidates of evolve"], times[name], strict=True)
        print(f"evaluate against {name}: {statistics.median(a / b for a, b in pairs):.3f} of its time")
    thread = threading.Thread(target=tick)
    thread.start()
    experiment.evaluate(genomes, threads=1)
    over.set()
    thread.join()
    print(f"another thread ticked {ticks} times meanwhile, every 10 ms")


if __name__ == "__main__":
    main()
