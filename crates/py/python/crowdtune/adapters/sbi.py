"""sbi."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from sbi.utils import BoxUniform

from ..experiment import Experiment


def prior(experiment: Experiment) -> Any:
    """Every genome is as likely as any other: uniform in each parameter, or in its logarithm."""
    n = experiment.dimension
    return BoxUniform(low=torch.zeros(n), high=torch.ones(n))


def simulator(experiment: Experiment, columns: Sequence[str] = (), **options: Any) -> Callable[[Any], Any]:
    """A function of genomes `[n, gene]` that gives means of columns `[n, column]`, all of them unless some are named; NaN where a
    candidate failed. One replica unless `options` say more: the noise belongs to what is inferred."""
    names = list(columns) or [column.name for column in experiment.columns]
    options = {"replicas": 1} | options

    def simulate(genomes: Any) -> Any:
        rows = np.atleast_2d(genomes.detach().cpu().numpy()).astype(np.float64)
        # float32 has a largest number below 1 that rounds to one above it.
        answers = experiment.evaluate(np.clip(rows, 0.0, 1.0), **options)
        return torch.as_tensor(np.stack([answers.mean(name) for name in names], axis=1), dtype=torch.float32)

    return simulate
