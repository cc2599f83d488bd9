"""Models and metrics written in Python: slow, for trying."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import _native
from .arrays import Floats

View = dict[str, Any]
Steer = Callable[[View], Floats]


@dataclass(frozen=True)
class Parameter:
    """A constant of a model: its default, the range that is accepted, and the one that a search covers."""

    key: str
    default: float
    accepted: tuple[float, float]
    searched: tuple[float, float] | None = None
    unit: str = ""
    log: bool = False
    doc: str = ""


class Registry:
    """What an experiment can name: everything that comes with crowdtune, and what is added here.

    >>> import numpy as np
    >>> from crowdtune import Parameter, Registry
    >>> registry = Registry()
    >>> @registry.model("straight", parameters=[Parameter("pace", 1.0, (0.1, 3.0))])
    ... def straight(constants):
    ...     return lambda view: view["desired"] * view["desired_speed"][:, None] * constants["pace"]
    >>> @registry.metric("crowd_x_m", unit="m")
    ... def crowd_x(sample):
    ...     return sample["position"][:, 0].mean() if len(sample["id"]) else None
    """

    def __init__(self) -> None:
        self._native = _native.Registry()

    def model(
        self,
        name: str,
        *,
        parameters: Iterable[Parameter] = (),
        time_step_s: float = 0.05,
        reach_m: float = 5.0,
        doc: str = "",
    ) -> Callable[[Callable[[Mapping[str, float]], Steer]], Callable[[Mapping[str, float]], Steer]]:
        """Adds what it decorates: for each run it gets the constants and gives a function of a view.

        A view has time_s, dt_s, and for each person id, group, position, velocity, desired (the direction to the goal), radius,
        desired_speed; walls are `[n, 2, 2]`. The function returns velocities, `[people, 2]`.
        """
        constants = [
            (one.key, one.unit, one.default, one.accepted, one.searched or one.accepted, one.log, one.doc)
            for one in parameters
        ]

        def add(make: Callable[[Mapping[str, float]], Steer]) -> Callable[[Mapping[str, float]], Steer]:
            self._native.add_model(name, doc or (make.__doc__ or name), constants, time_step_s, reach_m, make)
            return make

        return add

    def metric(
        self, name: str, *, unit: str = "", needs: Iterable[str] = (), doc: str = ""
    ) -> Callable[[Callable[[View], float | None]], Callable[[View], float | None]]:
        """Adds what it decorates: a number for each sample, or None; the value of a run is their mean.

        A sample has time_s, id, group and position; `needs` may add radius, velocity, pressure and desired.
        """

        def add(measure: Callable[[View], float | None]) -> Callable[[View], float | None]:
            self._native.add_metric(name, doc or (measure.__doc__ or name), unit, list(needs), measure)
            return measure

        return add
