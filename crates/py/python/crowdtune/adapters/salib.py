"""SALib."""

from __future__ import annotations

from typing import Any

from ..arrays import Floats
from ..experiment import Experiment


def problem(experiment: Experiment) -> dict[str, Any]:
    """What SALib samples: coordinates from 0 to 1, so that logarithmic ranges are sampled evenly in their logarithm."""
    keys = experiment.space.keys
    return {"num_vars": len(keys), "names": keys, "bounds": [[0.0, 1.0]] * len(keys)}


def run(experiment: Experiment, sample: Any, column: str | None = None, **options: Any) -> Floats:
    """The outputs of a sample: the loss, or the mean of a column. NaN where a candidate failed."""
    answers = experiment.evaluate(sample, **options)
    return answers.loss if column is None else answers.mean(column)
