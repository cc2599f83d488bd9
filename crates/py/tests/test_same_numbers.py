"""What Python gives is what the program writes, bit for bit."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import crowdtune as ct

CONFIGS = {
    "evacuation": {"search.evaluations": 10},
    "bottleneck": {"search.evaluations": 4, "search.finalists": 1},
    "fast_or_gentle": {"search.evaluations": 8},
    "atlas": {"search.evaluations": 12},
    "circle_orca": {"search.evaluations": 4, "search.finalists": 1},
}


@pytest.mark.parametrize("name", CONFIGS)
def test_every_row_of_a_log_is_what_evaluate_gives(name: str, root: Path, program: str, tmp_path: Path) -> None:
    overrides = CONFIGS[name]
    sets = [word for key, value in overrides.items() for word in ("--set", f"{key}={value}")]
    words = [program, "evolve", str(root / f"configs/{name}.toml"), "--quiet", "--out", str(tmp_path / "run"), *sets]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    experiment = ct.Experiment.load(root / f"configs/{name}.toml", overrides)
    run = ct.Run(tmp_path / "run")
    assert run.experiment.digest == experiment.digest
    head, *rows = (tmp_path / "run/trials.jsonl").read_text().splitlines()
    assert json.loads(head)["digest"] == experiment.digest
    purposes = set()
    for row in map(json.loads, rows):
        purposes.add(row["purpose"])
        got = experiment.evaluate([row["genome"]], replicas=tuple(row["replicas"]), purpose=row["purpose"])
        assert got.failed == [None if row["outcome"] == "done" else row["outcome"]["failed"]]
        if got.failed[0] is None:
            assert got.objectives[0].tolist() == row["objectives"]
            assert got.violation[0] == row["violation"]
        for case, replicas in enumerate(row["values"]):
            want = np.array([[np.nan if x is None else x for x in one] for one in replicas])
            have = got.values[0, case, : len(replicas)]
            assert have.tobytes() == want.reshape(have.shape).tobytes()
            assert np.isnan(got.values[0, case, len(replicas) :]).all()
    assert {"search", "select"} <= purposes


def spaces() -> list[ct.Gene]:
    return [
        ct.Gene.real("x0", -1.0, 2.0),
        ct.Gene.real("x1", 0.0, 1.0),
        ct.Gene.integer("x2", 1, 9),
        ct.Gene.choice("x3", [0, 1, 2]),
    ]


def worth(points: np.ndarray, objectives: int, measures: int) -> tuple[np.ndarray, np.ndarray]:
    """Objectives with a failure now and then, and violations."""
    first = (points[:, 0] - 0.3) ** 2 + 0.1 * abs(points[:, 2] - 4) + 0.05 * points[:, 3]
    second = (points[:, 1] - 0.8) ** 2 + 0.01 * points[:, 2]
    table = np.stack([first, second][:objectives], axis=1)
    table[(points[:, 2] == 7) & (points[:, 1] < 0.5)] = np.nan
    return table, np.maximum(0.0, points[:, 1] - 0.9)


@pytest.mark.parametrize("noisy", [None, True])
@pytest.mark.parametrize("optimizer", sorted(ct.optimizers()))
def test_optimizers_ask_what_ask_tell_asks(optimizer: str, noisy: bool | None, program: str) -> None:
    objectives = 2 if optimizer == "pareto" else 1
    axes = [(-1.0, 2.0, 6), (0.0, 1.0, 5)] if optimizer == "atlas" else []
    start = [[0.1, 0.2, 3, 1]]
    search = ct.Optimizer(
        spaces(), optimizer, seed=11, parallel=6, noisy=noisy, objectives=objectives, measures=axes, start=start
    )
    words = [program, "ask-tell", "--optimizer", optimizer, "--parallel", "6"]
    other = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdin is not None and other.stdout is not None
    hello = {
        "protocol": 1,
        "dimension": 4,
        "lower": [-1.0, 0.0, 1, 0],
        "upper": [2.0, 1.0, 9, 2],
        "types": ["real", "real", "int", {"cat": 3}],
        "seed": 11,
        "objectives": objectives,
        "x0": start[0],
    }
    if noisy is not None:
        hello["noisy"] = noisy
    if axes:
        hello |= {
            "measures": 2,
            "measure_lower": [axis[0] for axis in axes],
            "measure_upper": [axis[1] for axis in axes],
            "cells": [axis[2] for axis in axes],
        }
    other.stdin.write(json.dumps(hello) + "\n")
    for _ in range(25):
        other.stdin.flush()
        asked = json.loads(other.stdout.readline())["ask"]
        points = search.ask()
        assert points.tolist() == asked
        table, violation = worth(points, objectives, len(axes))
        told = []
        for row, broken, point in zip(table.tolist(), violation.tolist(), points.tolist(), strict=True):
            one: dict[str, object] = {"f": row if objectives > 1 else row[0], "violation": broken}
            if axes:
                one["m"] = point[:2]
            told.append(None if np.isnan(row).any() else one)
        search.tell(table, violation=violation, measures=points[:, :2] if axes else None)
        other.stdin.write(json.dumps({"tell": told}) + "\n")
    other.stdin.write('{"stop":true}\n')
    other.stdin.flush()
    assert json.loads(other.stdout.readline())["ask"]
    result = json.loads(other.stdout.readline())["result"]
    recommended = search.recommended().tolist()
    assert recommended == result["X"] if "X" in result else recommended[0] == result["x"]
    assert search.expected(recommended[0]) == result.get("expected")
    other.stdin.close()
    assert other.wait() == 0
    other.stdout.close()
