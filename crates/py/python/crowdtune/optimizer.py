"""Optimizers for functions of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _native
from ._native import InputError
from .arrays import Floats, floats, table
from .part import Part
from .space import Gene, Space


class Optimizer:
    """A search by ask and tell; smaller is better.

    >>> from crowdtune import Gene, Optimizer
    >>> search = Optimizer([Gene.real("x", -5, 5), Gene.integer("n", 1, 9)], seed=1, parallel=4)
    >>> while search.told < 200:
    ...     x = search.ask()
    ...     search.tell((x[:, 0] - 1.5) ** 2 + abs(x[:, 1] - 7))
    >>> search.best[1] < 0.01
    True

    `noisy` says whether other random numbers than the search sees judge what is recommended; without it the search finds out by twins.
    With `objectives` above 1 it looks for a front; with `measures` (`(low, high, cells)` for each axis) it fills a map of behaviors.
    `parts` say what the one objective is the sum of; who tells the measured `values`, too, needs fewer evaluations (docs/optimizers.md).
    The same seed and the same answers give the same points, bit for bit, on every machine.
    """

    def __init__(
        self,
        space: Space | Iterable[Gene],
        optimizer: str | None = None,
        *,
        seed: int = 0,
        parallel: int = 1,
        start: Iterable[Sequence[float]] = (),
        noisy: bool | None = None,
        objectives: int = 1,
        measures: Iterable[tuple[float, float, int]] = (),
        parts: Iterable[Part] = (),
        **settings: float,
    ) -> None:
        self.space = Space.of(space)
        self.objectives = objectives
        self.parts = tuple(parts)
        self.genomes: Floats = np.empty((0, len(self.space)))
        self._native = _native.Optimizer(
            [gene.native() for gene in self.space],
            optimizer,
            seed,
            parallel,
            [[float(x) for x in point] for point in start],
            noisy,
            objectives,
            [(float(low), float(high), int(cells)) for low, high, cells in measures],
            [part.native() for part in self.parts],
            [(key, float(value)) for key, value in settings.items()],
        )

    def ask(self) -> Floats:
        """The next points as values, `[n, gene]`; the same again until they are told. Without rows a finite space is used up.

        `genomes` has the same points as coordinates from 0 to 1, which is what `Experiment.evaluate` takes.
        """
        points, self.genomes = self._native.ask()
        return points

    def tell(self, objectives: Any, *, violation: Any = None, measures: Any = None, values: Any = None) -> None:
        """What the points are worth, in their order: `[n]` or `[n, objective]`. A row with NaN counts as failed.

        `violation` is by how much constraints are broken, 0 where they hold; every feasible point beats every other.
        `values` are what was measured, `[n, part]`: where a point is feasible the losses of its values add up to its objective.
        """
        array = np.asarray(objectives)
        if array.dtype == object:
            array = np.array([np.nan if one is None else one for one in array], dtype=np.float64)
        told = table(array, "objectives")
        broken = None if violation is None else floats(violation, 1, "violation")
        places = None if measures is None else table(measures, "measures")
        measured = None if values is None else table(values, "values")
        self._native.tell(told, broken, places, measured)

    @property
    def told(self) -> int:
        """Number of points that were told."""
        return self._native.told

    @property
    def best(self) -> tuple[Floats, float]:
        """The best point that was told, and its first objective."""
        best = self._native.best()
        if best is None:
            raise InputError("nothing was told yet, or every point failed")
        return np.asarray(best[0]), best[1]

    def recommended(self) -> Floats:
        """What the optimizer recommends, best first; under noise not always the best point that was told."""
        return self._native.recommended()

    def expected(self, point: Any) -> float | None:
        """The loss expected of a point under other random numbers; None without a model that tells noise from the loss."""
        return self._native.expected(floats(point, 1, "point").tolist())
