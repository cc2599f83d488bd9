"""The end of `crowdtune evolve --evaluator ray://...` that speaks Python: it gets batches of lines on stdin and asks a cluster.

    {"batch": 2}          from crowdtune, then so many questions, a line each
    {"line": 0, "row": {...}}         to crowdtune, in any order
    {"again": 0, "why": "..."}        from crowdtune, about a row that is no answer
    {"end": true}                     from crowdtune
    {"workers": 16, "spent": [...]}   to crowdtune, at the start and after each batch
"""

from __future__ import annotations

import argparse
import json
import queue
import sys
import threading
from contextlib import ExitStack
from typing import IO, Any
from urllib.parse import parse_qs, urlsplit

from ._native import InputError
from .crew import Crew
from .experiment import Experiment

SLICE_S = 0.05
"""How long answers are waited for before stdin is looked at."""


def crew_of(address: str, experiment: Experiment, at_end: ExitStack) -> Crew:
    """The crew behind an address, which `at_end` leaves again: `ray://auto`, `ray://local`, `ray://HOST:PORT`, `dask://HOST:PORT`,
    `dask://local`, `slurm://FOLDER?tasks=N&option=--time=04:00:00`."""
    parts = urlsplit(address)
    options = parse_qs(parts.query)
    timeout = float(options["timeout"][0]) if "timeout" in options else None
    if parts.scheme == "ray":
        import ray

        from .ray import RayCrew

        ray.init(address=parts.netloc, log_to_driver=False)
        at_end.callback(ray.shutdown)
        return RayCrew(experiment, timeout)
    if parts.scheme == "dask":
        from distributed import Client

        from .dask import DaskCrew

        if parts.netloc == "local":
            client = Client(threads_per_worker=1, dashboard_address=None)
        else:
            client = Client(f"tcp://{parts.netloc}")
        at_end.callback(client.close)
        return DaskCrew(experiment, client, timeout)
    if parts.scheme == "slurm":
        from .slurm import open_crew

        if "tasks" not in options:
            raise InputError(f"{address}: how many tasks? For example slurm:///shared/queue?tasks=64")
        crew = open_crew(
            experiment, parts.netloc + parts.path, int(options["tasks"][0]), options.get("option", ()), True, timeout
        )
        at_end.callback(crew.close)
        return crew
    raise InputError(f"`{address}` is no cluster; allowed: ray://, dask://, slurm://")


def serve(crew: Crew, from_: IO[str], to: IO[str]) -> None:
    """Answers batches until the input ends."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        for line in from_:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()

    def say(said: dict[str, Any]) -> None:
        to.write(json.dumps(said) + "\n")
        to.flush()

    def state() -> None:
        say({"workers": crew.count, "spent": crew.spent()})

    state()
    while (line := lines.get()) is not None:
        told = json.loads(line)
        if "batch" not in told:
            continue
        batch = [lines.get() for _ in range(told["batch"])]
        if None in batch:
            return
        crew.begin([(one or "").strip().encode() for one in batch])
        if not _batch(crew, lines, to):
            crew.end()
            return
        crew.end()
        state()


def _batch(crew: Crew, lines: queue.SimpleQueue[str | None], to: IO[str]) -> bool:
    """Answers a batch; false if the input has ended."""
    while True:
        came = crew.next(SLICE_S)
        for index, row in came:
            to.write(f'{{"line":{index},"row":{row.decode()}}}\n')
        to.flush()
        # With every answer on its way there is nothing to do but to hear what crowdtune says of them.
        idle = not crew.sent and not crew.open
        while idle or not lines.empty():
            line = lines.get()
            idle = False
            if line is None:
                return False
            told = json.loads(line)
            if "again" in told:
                crew.again(told["again"], told["why"])
            elif told.get("end"):
                return True


def main(arguments: list[str] | None = None) -> None:
    """`python3 -m crowdtune.seat ADDRESS EXPERIMENT`."""
    parser = argparse.ArgumentParser(prog="python3 -m crowdtune.seat", description="Ask a cluster for crowdtune evolve")
    parser.add_argument("address")
    parser.add_argument("experiment")
    given = parser.parse_args(arguments)
    experiment = Experiment.load(given.experiment)
    # What libraries print must not come between the lines.
    to, sys.stdout = sys.stdout, sys.stderr
    with ExitStack() as at_end:
        try:
            crew = crew_of(given.address, experiment, at_end)
        except ImportError as error:
            sys.exit(f"{error}: install what {given.address.partition(':')[0]} needs beside crowdtune")
        serve(crew, sys.stdin, to)


if __name__ == "__main__":
    main()
