"""A search on a Ray cluster: the log has the same bytes as that of `crowdtune evolve`.

Tasks get the experiment from Ray's object store, so that nodes need this package and no file. docs/cluster.md says what to set.
"""

from __future__ import annotations

import os
from typing import Any

import ray
from ray.exceptions import (
    NodeDiedError,
    ObjectLostError,
    RaySystemError,
    RayTaskError,
    TaskCancelledError,
    TaskUnschedulableError,
    WorkerCrashedError,
)

from . import evolve as local
from ._native import InputError
from .crew import Answered, Crew, respond
from .experiment import Experiment
from .progress import Callback
from .run import Run

DIED = (NodeDiedError, ObjectLostError, RaySystemError, TaskCancelledError, WorkerCrashedError)
"""What a dead worker or node looks like; everything else is an error of the worker's own."""


class RayCrew(Crew):
    """Workers are tasks of one CPU each."""

    def __init__(self, experiment: Experiment, answer_timeout_s: float | None = None) -> None:
        super().__init__(experiment, answer_timeout_s)
        self._reference = ray.put(self.bundle)
        # A node that dies takes no answer with it: whatever was lost is asked again here.
        self._task = ray.remote(num_cpus=1, max_retries=0)(_respond)

    @property
    def count(self) -> int:
        """CPUs of the cluster."""
        return max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(self, lines: list[bytes]) -> Any:
        """One task. In a list the reference is passed on as it is, and only a process that needs it gets the object."""
        return self._task.remote(self.digest, [self._reference], lines)

    def ready(self, timeout_s: float) -> list[Any]:
        """Tasks that have ended."""
        waiting = list(self.sent)
        if not waiting:
            return []
        done, rest = ray.wait(waiting, num_returns=1, timeout=timeout_s)
        if done and rest:
            more, _ = ray.wait(rest, num_returns=len(rest), timeout=0)
            done += more
        return list(done)

    def result(self, handle: Any) -> Answered | None:
        """The answers of a task."""
        try:
            answered: Answered = ray.get(handle)
        except DIED:
            return None
        except TaskUnschedulableError as error:
            raise InputError(f"Ray cannot place a task of one CPU: {error}") from error
        except RayTaskError as error:
            raise error.as_instanceof_cause() from error
        return answered

    def drop(self, handles: list[Any]) -> None:
        """Cancels tasks that nobody waits for."""
        for handle in handles:
            ray.cancel(handle, force=False)


def _respond(digest: str, reference: list[Any], lines: list[bytes]) -> Answered:
    from . import crew

    bundle = b"" if digest in crew._known else ray.get(reference[0])
    return respond(digest, bundle, lines)


def evolve(
    experiment: Experiment | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    address: str | None = None,
    *,
    resume: bool = False,
    progress: bool | None = None,
    callback: Callback | None = None,
    answer_timeout_s: float | None = None,
    **init: Any,
) -> Run:
    """As `crowdtune.evolve`, with the workers of a Ray cluster.

    `address` is that of the cluster, or `auto`; without one Ray is started on this machine unless it runs already. Nodes may join and
    leave. `init` goes to `ray.init`.
    """
    experiment = Experiment.of(experiment)
    started = not ray.is_initialized()
    if started:
        settings = {"log_to_driver": False, "include_dashboard": False} if address is None else {"log_to_driver": False}
        ray.init(address=address, **(settings | init))
    try:
        crew = RayCrew(experiment, answer_timeout_s)
        return local(experiment, out, resume=resume, progress=progress, callback=callback, crew=crew)
    finally:
        if started:
            ray.shutdown()
