"""pymoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.problem import Problem as Base

from ..experiment import Experiment

FAILED = 1e6
"""What a failed candidate gets for each objective and for its constraint, because pymoo's sorting needs numbers."""


class Problem(Base):  # type: ignore[misc]
    """An experiment over genomes, `[n, gene]` in 0 to 1: objectives, and the violation of its musts as a constraint."""

    def __init__(self, experiment: Experiment, **options: Any) -> None:
        self.experiment, self.options = experiment, options
        n = experiment.dimension
        super().__init__(n_var=n, n_obj=len(experiment.objectives), n_ieq_constr=1, xl=np.zeros(n), xu=np.ones(n))

    def _evaluate(self, x: Any, out: dict[str, Any], *_: Any, **__: Any) -> None:
        answers = self.experiment.evaluate(x, **self.options)
        out["F"] = np.where(answers.ok[:, None], answers.objectives, FAILED)
        out["G"] = np.where(answers.ok, answers.violation, FAILED)[:, None]
