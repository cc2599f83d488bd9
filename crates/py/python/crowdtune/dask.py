"""A search on a Dask cluster: the log has the same bytes as that of `crowdtune evolve`."""

from __future__ import annotations

import os
import queue
from typing import Any

from distributed import Client, Future, get_client
from distributed.scheduler import KilledWorker

from . import evolve as local
from .crew import Answered, Crew, respond
from .experiment import Experiment
from .progress import Callback
from .run import Run


class DaskCrew(Crew):
    """Workers are the threads of a cluster's workers."""

    def __init__(self, experiment: Experiment, client: Client, answer_timeout_s: float | None = None) -> None:
        super().__init__(experiment, answer_timeout_s)
        self._client = client
        # A task, so that Dask makes it again if the worker that has it dies.
        self._bundle = client.submit(bytes, self.bundle, pure=False)
        self._done: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._handles: dict[str, Future] = {}

    @property
    def count(self) -> int:
        """Threads of all workers."""
        threads: int = sum(self._client.nthreads().values())
        return max(1, threads)

    def submit(self, lines: list[bytes]) -> Any:
        """One task."""
        future = self._client.submit(respond, self.digest, self._bundle, lines, pure=False)
        self._handles[future.key] = future
        future.add_done_callback(self._done.put)
        return future.key

    def ready(self, timeout_s: float) -> list[Any]:
        """Tasks that have ended."""
        keys = []
        try:
            keys.append(self._done.get(timeout=timeout_s).key)
            while True:
                keys.append(self._done.get_nowait().key)
        except queue.Empty:
            return keys

    def result(self, handle: Any) -> Answered | None:
        """The answers of a task."""
        future = self._handles.pop(handle)
        if future.status in ("cancelled", "lost"):
            return None
        try:
            answered: Answered = future.result()
        except KilledWorker:
            return None
        return answered

    def drop(self, handles: list[Any]) -> None:
        """Cancels tasks that nobody waits for."""
        futures = [self._handles.pop(handle) for handle in handles if handle in self._handles]
        if futures:
            self._client.cancel(futures)


def evolve(
    experiment: Experiment | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    address: str | Client | None = None,
    *,
    resume: bool = False,
    progress: bool | None = None,
    callback: Callback | None = None,
    answer_timeout_s: float | None = None,
    **options: Any,
) -> Run:
    """As `crowdtune.evolve`, with the workers of a Dask cluster.

    `address` is that of the scheduler, or a `Client`; without one the client of this process, or a cluster on this machine, made with
    `options`. Workers may join and leave.
    """
    experiment = Experiment.of(experiment)
    client, own = _client(address, options)
    try:
        crew = DaskCrew(experiment, client, answer_timeout_s)
        return local(experiment, out, resume=resume, progress=progress, callback=callback, crew=crew)
    finally:
        if own:
            client.close()


def _client(address: str | Client | None, options: dict[str, Any]) -> tuple[Client, bool]:
    if isinstance(address, Client):
        return address, False
    if address is not None:
        return Client(address, **options), True
    try:
        return get_client(), False
    except ValueError:
        settings = {"threads_per_worker": 1, "dashboard_address": None}
        return Client(**(settings | options)), True
