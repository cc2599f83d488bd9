"""Optuna."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from optuna import TrialPruned
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.study import Study
from optuna.trial import FrozenTrial, Trial, TrialState

from ..experiment import Experiment
from ..optimizer import Optimizer
from ..space import Gene, Space


def distribution(gene: Gene) -> BaseDistribution:
    """What Optuna calls a gene."""
    if gene.kind == "choice":
        return CategoricalDistribution(gene.choices)
    if gene.kind == "integer":
        return IntDistribution(int(gene.low), int(gene.high))
    return FloatDistribution(gene.low, gene.high, log=gene.log)


def distributions(space: Space) -> dict[str, BaseDistribution]:
    """The space as Optuna has it, by name."""
    return {gene.key: distribution(gene) for gene in space}


def suggest(trial: Trial, space: Space) -> dict[str, Any]:
    """A candidate of the trial."""
    said: dict[str, Any] = {}
    for gene in space:
        if gene.kind == "choice":
            said[gene.key] = trial.suggest_categorical(gene.key, gene.choices)
        elif gene.kind == "integer":
            said[gene.key] = trial.suggest_int(gene.key, int(gene.low), int(gene.high))
        else:
            said[gene.key] = trial.suggest_float(gene.key, gene.low, gene.high, log=gene.log)
    return said


def objective(experiment: Experiment, **options: Any) -> Callable[[Trial], float | tuple[float, ...]]:
    """A function for `study.optimize`. `options` go to `Experiment.evaluate`.

    A failed candidate is pruned, and `failed` of its attributes says why; `violation` says by how much a must is missed, and
    `constraints` reads it.
    """

    def evaluate(trial: Trial) -> float | tuple[float, ...]:
        answers = experiment.evaluate(suggest(trial, experiment.space), **options)
        why = answers.failed[0]
        if why is not None:
            trial.set_user_attr("failed", why)
            raise TrialPruned(why)
        trial.set_user_attr("violation", float(answers.violation[0]))
        objectives = answers.objectives[0].tolist()
        return float(objectives[0]) if len(objectives) == 1 else tuple(objectives)

    return evaluate


def constraints(trial: FrozenTrial) -> Sequence[float]:
    """For samplers with `constraints_func`: above 0 where a must is missed."""
    return (float(trial.user_attrs.get("violation", 1.0)),)


class Sampler(BaseSampler):  # type: ignore[misc]
    """An optimizer of crowdtune in a study that minimizes.

    Points are asked in batches of `parallel` and given to trials one by one; when all trials of a batch have ended, they are told. A trial
    that was pruned or failed is told as failed. More trials at once than `parallel` get random points, which are not told.
    """

    def __init__(self, space: Space, optimizer: str | None = None, *, seed: int = 0, parallel: int = 1, **options: Any) -> None:
        self.search = Optimizer(space, optimizer, seed=seed, parallel=parallel, **options)
        self._random = RandomSampler(seed=seed)
        self._waiting: list[int] = []
        self._trials: dict[int, int] = {}
        self._points = np.empty((0, len(space)))
        self._told = np.empty((0, self.search.objectives))
        self._violation = np.empty(0)

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """The whole space, always."""
        return distributions(self.search.space)

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: Mapping[str, BaseDistribution]
    ) -> dict[str, Any]:
        """The next point of the batch."""
        if not self._waiting and not self._trials:
            self._points = self.search.ask()
            self._waiting = list(range(len(self._points)))
            self._told = np.full((len(self._points), self.search.objectives), np.nan)
            self._violation = np.zeros(len(self._points))
        if not self._waiting:
            return {}
        row = self._waiting.pop(0)
        self._trials[trial.number] = row
        return {gene.key: _value(gene, x) for gene, x in zip(self.search.space, self._points[row], strict=True)}

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """At random, beyond a batch."""
        return self._random.sample_independent(study, trial, param_name, param_distribution)

    def after_trial(
        self, study: Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None
    ) -> None:
        """Keeps what a trial is worth, and tells the batch when it is complete."""
        row = self._trials.pop(trial.number, None)
        if row is None:
            return
        if state == TrialState.COMPLETE and values is not None:
            self._told[row] = values
            self._violation[row] = max(0.0, float(trial.user_attrs.get("violation", 0.0)))
        if not self._waiting and not self._trials:
            self.search.tell(self._told, violation=self._violation)


def _value(gene: Gene, x: float) -> Any:
    if gene.kind == "choice":
        return gene.choices[gene.stored.index(x)]
    return int(x) if gene.kind == "integer" else float(x)
