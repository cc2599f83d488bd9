"""SciPy and scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays import Floats
from ..evaluations import Evaluations
from ..experiment import Experiment

FAILED = 1e6
"""Loss of a failed candidate."""


def bounds(experiment: Experiment) -> list[tuple[float, float]]:
    """The unit cube: genomes are what SciPy searches, so that logarithmic and whole numbers are as even as others."""
    return [(0.0, 1.0)] * experiment.dimension


def loss(experiment: Experiment, **options: Any) -> Callable[[Any], Any]:
    """A function of one genome `[gene]`, or, with `vectorized=True` of `differential_evolution`, of `[gene, n]`.

    A missed must adds its violation, and a failed candidate is 1e6.
    """

    def evaluate(x: Any) -> Any:
        genomes = np.clip(np.atleast_2d(np.asarray(x, dtype=np.float64).T), 0.0, 1.0)
        answers = experiment.evaluate(genomes, **options)
        worth = np.where(answers.ok, answers.loss + answers.violation, FAILED)
        return worth if np.ndim(x) == 2 else float(worth[0])

    return evaluate


def table(answers: Evaluations, objective: int = 0) -> tuple[Floats, Floats]:
    """Genomes and losses of the candidates that did not fail: `X` and `y` for a model of scikit-learn."""
    return answers.genomes[answers.ok], answers.objectives[answers.ok, objective]
