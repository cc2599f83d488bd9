"""A whole search: the loop, the log, the check on fresh seeds, the report."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from . import _native
from .experiment import Experiment
from .progress import Callback, Watcher, bar
from .run import Run

Simulator = Callable[[str, dict[str, Any], int], Mapping[str, "float | None"]]


def folder_of(experiment: Experiment, out: str | os.PathLike[str] | None) -> Path:
    """The run folder that is meant: `results/NAME-SEED` unless one is named."""
    return Path("results") / f"{experiment.name}-{experiment.seed}" if out is None else Path(out)


def evolve(
    experiment: Experiment | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    resume: bool = False,
    threads: int = 0,
    progress: bool | None = None,
    callback: Callback | None = None,
    simulator: Simulator | None = None,
    simulator_name: str = "python",
    crew: Any = None,
) -> Run:
    """Searches, checks the best on fresh seeds, and writes a run folder, as `crowdtune evolve` does: the same bytes.

    `out` is `results/NAME-SEED` unless it is given; with `resume` a run that was stopped goes on, or a finished one is extended.
    `callback` gets every trial. Ctrl-C ends after the simulations that are running; what is in the log is kept. `simulator` takes
    the place of the simulator: it gets the name of the scenario, parameters by name and a seed, and gives a number for each column.
    """
    experiment = Experiment.of(experiment)
    folder = folder_of(experiment, out)
    shown = bar(progress)
    watcher = Watcher(shown, callback, experiment._native.adaptive)
    own = None if simulator is None else (simulator_name, simulator)
    try:
        _native.evolve(experiment._native, folder, resume, threads, watcher, crew, own)
    finally:
        shown.end()
    return Run(folder, experiment._registry)
