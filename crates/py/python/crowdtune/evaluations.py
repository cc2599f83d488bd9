"""What candidates are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Floats, frame

if TYPE_CHECKING:
    from .experiment import Experiment


@dataclass(frozen=True)
class Evaluations:
    """Answers for `n` candidates; NaN where there is no value.

    `values` has the shape `[n, scenario, replica, column]`, `objectives` `[n, objective]`, `measures` `[n, axis]` (empty without an
    atlas); `violation` is 0 where all constraints hold. `failed` says for each candidate why it has no objectives, or None.
    """

    experiment: Experiment
    genomes: Floats
    values: Floats
    objectives: Floats
    violation: Floats
    measures: Floats
    failed: list[str | None]

    def __len__(self) -> int:
        return len(self.failed)

    @property
    def loss(self) -> Floats:
        """The first objective."""
        first: Floats = self.objectives[:, 0]
        return first

    @property
    def ok(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """True for candidates that gave objectives."""
        return np.array([why is None for why in self.failed], dtype=bool)

    def mean(self, column: str, scenario: str | int = 0) -> Floats:
        """The mean over replicas of a column in a scenario, one number per candidate."""
        case, at = self.experiment.case(scenario), self.experiment.column(column)
        replicas = self.values[:, case, :, at]
        known = ~np.isnan(replicas)
        count = known.sum(axis=1)
        total: Floats = np.where(known, replicas, 0.0).sum(axis=1)
        mean: Floats = np.divide(total, count, out=np.full(len(self), np.nan), where=count > 0)
        return mean

    def columns(self) -> dict[str, Any]:
        """One row per candidate: parameters, objectives, violation, and the mean of each column in each scenario."""
        named = self.experiment.named(self.genomes)
        said: dict[str, Any] = {key: [one[key] for one in named] for key in self.experiment.space.keys}
        for at, name in enumerate(self.experiment.objectives):
            said[name] = self.objectives[:, at]
        said["violation"] = self.violation
        several = len(self.experiment.scenarios) > 1
        for scenario in self.experiment.scenarios:
            for column in self.experiment.columns:
                name = f"{column.name}[{scenario.name}]" if several else column.name
                said.setdefault(name, self.mean(column.name, scenario.name))
        said["failed"] = self.failed
        return said

    def to_pandas(self) -> Any:
        """One row per candidate."""
        return frame(self.columns(), "pandas")

    def to_polars(self) -> Any:
        """One row per candidate."""
        return frame(self.columns(), "polars")

    def _repr_html_(self) -> str:
        try:
            return str(self.to_pandas().to_html(max_rows=20))
        except ImportError:
            return f"<pre>{len(self)} evaluations of {self.experiment.name}</pre>"
