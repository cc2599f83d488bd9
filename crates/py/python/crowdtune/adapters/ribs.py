"""pyribs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..arrays import Floats
from ..experiment import Experiment

FAILED = -1e6
"""Objective of a failed candidate: no cell keeps it where anything else is."""


def evaluate(experiment: Experiment, solutions: Any, columns: Sequence[str] = (), **options: Any) -> tuple[Floats, Floats]:
    """What genomes are worth, for `tell`: objectives, larger is better, and measures `[n, axis]`.

    Measures are the axes of the experiment's atlas, or means of `columns`. Solutions outside of 0 to 1 are moved inside, as emitters without
    bounds need it. A failed candidate has the worst objective, and the measures 0.
    """
    answers = experiment.evaluate(np.clip(solutions, 0.0, 1.0), **options)
    measures = np.stack([answers.mean(name) for name in columns], axis=1) if columns else answers.measures
    return np.where(answers.ok, -answers.loss, FAILED), np.where(answers.ok[:, None], np.nan_to_num(measures), 0.0)
