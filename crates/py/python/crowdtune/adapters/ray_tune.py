"""Ray Tune."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ray import tune

from ..experiment import Experiment


def space(experiment: Experiment) -> dict[str, Any]:
    """The space as Ray Tune has it, by name."""
    said: dict[str, Any] = {}
    for gene in experiment.space:
        if gene.kind == "choice":
            said[gene.key] = tune.choice(list(gene.choices))
        elif gene.kind == "integer":
            said[gene.key] = tune.randint(int(gene.low), int(gene.high) + 1)
        else:
            said[gene.key] = tune.loguniform(gene.low, gene.high) if gene.log else tune.uniform(gene.low, gene.high)
    return said


def trainable(experiment: Experiment, **options: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A function for `tune.Tuner`: the objectives by name, `violation`, and `failed` (with an infinite loss) where there is one."""

    def train(config: dict[str, Any]) -> dict[str, Any]:
        answers = experiment.evaluate(config, threads=1, **options)
        said: dict[str, Any] = {"violation": float(answers.violation[0]), "failed": answers.failed[0]}
        for name, value in zip(experiment.objectives, answers.objectives[0].tolist(), strict=True):
            said[name] = value if answers.failed[0] is None else float("inf")
        return said

    return train
