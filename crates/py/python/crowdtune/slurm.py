"""A search on a Slurm cluster, over a shared folder: the log has the same bytes as that of `crowdtune evolve`.

The driver writes questions as files; the tasks of a job array take them, one each by renaming it, and write answers. A task shows that
it lives by touching a file; what a dead one had taken is asked again. Any other queue can start the workers too:
`python3 -m crowdtune.slurm work QUEUE`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import socket
import subprocess
import sys
import threading
import time
import traceback
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import evolve as local
from ._native import InputError, MachineError
from .crew import Answered, Crew, respond
from .evolve import folder_of
from .experiment import Experiment
from .progress import Callback
from .run import Run

BEAT_S = 5.0
"""How often workers and driver show that they live."""

DEAD_S = 60.0
"""Without a sign of life for so long a worker is dead. Shared folders may show a file half a minute late."""

LEFT_S = 600.0
"""Workers go when the driver has shown no sign of life for so long."""

POLL_S = (0.01, 0.5)
"""How often a folder is looked into: at first, and at most after nothing came for a while."""

ARRAYS = 5
"""How many job arrays are submitted before the search gives up, where each ends with work left."""


class Queue:
    """The shared folder."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.questions = self.path / "questions"
        self.taken = self.path / "taken"
        self.answers = self.path / "answers"
        self.workers = self.path / "workers"
        self.experiments = self.path / "experiments"
        self.logs = self.path / "logs"
        self.driver = self.path / "driver"
        self.stop = self.path / "stop"

    def make(self) -> None:
        """Makes the folders, and takes away what an earlier driver left."""
        for folder in (self.questions, self.taken, self.answers, self.workers, self.experiments, self.logs):
            folder.mkdir(parents=True, exist_ok=True)
        for folder in (self.questions, self.taken, self.answers):
            for path in folder.iterdir():
                path.unlink(missing_ok=True)
        self.stop.unlink(missing_ok=True)
        self.driver.touch()


def write(path: Path, content: bytes) -> None:
    """Writes a file as a whole: nobody sees half of it."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    half.write_bytes(content)
    os.replace(half, path)


class Beat(threading.Thread):
    """Touches a file as long as the process lives."""

    def __init__(self, path: Path) -> None:
        super().__init__(daemon=True)
        self.path = path
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(BEAT_S):
            try:
                self.path.touch()
            except OSError:
                # The folder may come back; if it does not, the others take this worker for dead.
                continue


def age_s(path: Path, now: Path) -> float:
    """Seconds since a file was touched, by the clock of the one that serves the folder."""
    try:
        return now.stat().st_mtime - path.stat().st_mtime
    except OSError:
        return float("inf")


class SlurmCrew(Crew):
    """Workers are whoever looks into the folder."""

    def __init__(
        self,
        experiment: Experiment,
        queue: Queue,
        tasks: int,
        array: Array | None,
        answer_timeout_s: float | None = None,
    ) -> None:
        super().__init__(experiment, answer_timeout_s)
        self._queue, self._tasks, self._array = queue, tasks, array
        queue.make()
        write(queue.experiments / self.digest, self.bundle)
        self._name = uuid.uuid4().hex[:8]
        self._number = 0
        self._looked = 0.0
        self._beat = Beat(queue.driver)
        self._beat.start()
        if array is not None:
            array.submit()

    @property
    def count(self) -> int:
        """As many as were asked for: those who come late find work."""
        return self._tasks

    def submit(self, lines: list[bytes]) -> Any:
        """A file of lines."""
        self._number += 1
        name = f"{self._name}-{self._number:08}"
        write(self._queue.questions / name, json.dumps({"digest": self.digest}).encode() + b"\n" + b"\n".join(lines))
        return name

    def ready(self, timeout_s: float) -> list[Any]:
        """Files that were answered, or whose worker died."""
        until = time.monotonic() + timeout_s
        pause = POLL_S[0]
        while True:
            names = [path.name for path in self._queue.answers.iterdir() if not path.name.startswith(".")]
            here = [name for name in names if name in self.sent]
            for late in set(names) - set(here):
                # Somebody else has answered meanwhile.
                (self._queue.answers / late).unlink(missing_ok=True)
            here += self._dead()
            if here or time.monotonic() > until:
                return here
            time.sleep(pause)
            pause = min(2 * pause, POLL_S[1])

    def result(self, handle: Any) -> Answered | None:
        """The answers in a file; none if the worker died."""
        path = self._queue.answers / handle
        try:
            head, *rows = path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return None
        path.unlink(missing_ok=True)
        said = json.loads(head)
        if "error" in said:
            raise InputError(f"a worker on {said['node']} cannot answer: {said['error']}")
        return Answered(said["node"], said["busy_s"], rows)

    def drop(self, handles: list[Any]) -> None:
        """Takes back what nobody has begun."""
        for handle in handles:
            (self._queue.questions / handle).unlink(missing_ok=True)

    def close(self) -> None:
        """Workers go."""
        self._beat.over.set()
        self._queue.stop.touch()
        if self._array is not None:
            self._array.cancel()

    def _dead(self) -> list[Any]:
        """Files that a worker took who shows no sign of life, and a new array if all have gone."""
        now = time.monotonic()
        if now - self._looked < BEAT_S:
            return []
        self._looked = now
        self._queue.driver.touch()
        dead = []
        for path in self._queue.taken.iterdir():
            name, _, worker = path.name.partition(".")
            if name in self.sent and age_s(self._queue.workers / worker, self._queue.driver) > DEAD_S:
                path.unlink(missing_ok=True)
                dead.append(name)
        if self._array is not None:
            self._array.look()
        return dead


class Array:
    """A job array of workers."""

    def __init__(self, script: Path) -> None:
        self.script = script
        self.job: str | None = None
        self.submitted = 0

    def submit(self) -> None:
        """Submits it."""
        done = subprocess.run(["sbatch", "--parsable", str(self.script)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise MachineError(f"sbatch {self.script} failed: {done.stderr.strip()}")
        self.job = done.stdout.strip().split(";")[0]
        self.submitted += 1

    def look(self) -> None:
        """Submits another one if this one has ended, by its time limit for instance."""
        done = subprocess.run(
            ["squeue", "--noheader", "--jobs", str(self.job), "--format=%t"], capture_output=True, text=True, check=False
        )
        # A job that has gone is an error of squeue; a scheduler that is busy is one too, and says so in other words.
        gone = "Invalid job id" in done.stderr or (done.returncode == 0 and not done.stdout.strip())
        if not gone:
            return
        if self.submitted >= ARRAYS:
            raise MachineError(
                f"{ARRAYS} job arrays have ended with work left\n  help:    see the logs of their tasks beside {self.script}"
            )
        self.submit()

    def cancel(self) -> None:
        """Ends its tasks."""
        subprocess.run(["scancel", str(self.job)], capture_output=True, check=False)


def script(queue: str | os.PathLike[str], tasks: int, options: Iterable[str] = (), python: str = sys.executable) -> str:
    """The text of a batch script: a job array of so many workers, one core each. `options` are further options of sbatch."""
    folder = Path(queue).absolute()
    lines = [
        "#!/bin/sh",
        "#SBATCH --job-name=crowdtune",
        f"#SBATCH --array=1-{tasks}",
        "#SBATCH --ntasks=1",
        "#SBATCH --cpus-per-task=1",
        f"#SBATCH --output={folder}/logs/%A_%a.log",
        *(f"#SBATCH {option}" for option in options),
        "",
        f"exec {shlex.quote(python)} -m crowdtune.slurm work {shlex.quote(str(folder))}",
    ]
    return "\n".join(lines) + "\n"


def evolve(
    experiment: Experiment | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    tasks: int,
    queue: str | os.PathLike[str] | None = None,
    options: Iterable[str] = (),
    submit: bool = True,
    resume: bool = False,
    progress: bool | None = None,
    callback: Callback | None = None,
    answer_timeout_s: float | None = None,
) -> Run:
    """As `crowdtune.evolve`, with the tasks of a Slurm job array as workers.

    `queue` is a folder that all nodes see, `OUT.queue` unless it is given. The script is written there; with `submit=False` nothing is
    submitted, and workers are started by somebody else.
    """
    experiment = Experiment.of(experiment)
    folder = folder_of(experiment, out)
    crew = open_crew(experiment, queue or folder.with_name(folder.name + ".queue"), tasks, options, submit, answer_timeout_s)
    try:
        return local(experiment, folder, resume=resume, progress=progress, callback=callback, crew=crew)
    finally:
        crew.close()


def open_crew(
    experiment: Experiment,
    queue: str | os.PathLike[str],
    tasks: int,
    options: Iterable[str] = (),
    submit: bool = True,
    answer_timeout_s: float | None = None,
) -> SlurmCrew:
    """Writes folder and script, and submits the array."""
    shared = Queue(queue)
    shared.path.mkdir(parents=True, exist_ok=True)
    path = shared.path / "workers.sbatch"
    path.write_text(script(shared.path, tasks, options), encoding="utf-8")
    return SlurmCrew(experiment, shared, tasks, Array(path) if submit else None, answer_timeout_s)


def work(path: str | os.PathLike[str]) -> None:
    """Answers questions of a folder until the driver says stop, or is gone."""
    queue = Queue(path)
    name = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:6]}"
    sign = queue.workers / name
    sign.touch()
    beat = Beat(sign)
    beat.start()
    pause = POLL_S[0]
    try:
        while not queue.stop.exists() and age_s(queue.driver, sign) < LEFT_S:
            taken = take(queue, name)
            if taken is None:
                time.sleep(pause)
                pause = min(2 * pause, POLL_S[1])
                continue
            pause = POLL_S[0]
            reply(queue, taken)
    finally:
        beat.over.set()
        sign.unlink(missing_ok=True)


def take(queue: Queue, worker: str) -> Path | None:
    """Takes a file, any of the first few, so that workers seldom want the same."""
    names = sorted(path.name for path in queue.questions.iterdir() if not path.name.startswith("."))
    few = names[:32]
    random.shuffle(few)
    for name in few:
        own = queue.taken / f"{name}.{worker}"
        try:
            os.rename(queue.questions / name, own)
        except FileNotFoundError:
            continue
        return own
    return None


def reply(queue: Queue, taken: Path) -> None:
    """Answers a file."""
    try:
        head, *lines = taken.read_bytes().split(b"\n")
    except FileNotFoundError:
        # The driver thought that this worker was dead, and has asked somebody else.
        return
    digest = json.loads(head)["digest"]
    try:
        answered = respond(digest, (queue.experiments / digest).read_bytes(), lines)
        said = {"node": answered.node, "busy_s": answered.busy_s}
        rows = answered.answers
    except Exception as error:
        traceback.print_exc()
        said, rows = {"node": socket.gethostname(), "error": f"{type(error).__name__}: {error}"}, []
    write(queue.answers / taken.name.partition(".")[0], b"\n".join([json.dumps(said).encode(), *rows]))
    taken.unlink(missing_ok=True)


def main(arguments: list[str] | None = None) -> None:
    """`python3 -m crowdtune.slurm`."""
    parser = argparse.ArgumentParser(prog="python3 -m crowdtune.slurm", description="Workers over a shared folder")
    commands = parser.add_subparsers(dest="command", required=True)
    worker = commands.add_parser("work", help="answer the questions in a folder until its driver is done")
    shown = commands.add_parser("script", help="print the batch script of a job array of workers")
    for command in (worker, shown):
        command.add_argument("queue", type=Path, help="the folder that the driver and all workers see")
    shown.add_argument("--tasks", type=int, required=True, help="tasks of the array, one worker each")
    given = parser.parse_args(arguments)
    if given.command == "work":
        work(given.queue)
    else:
        sys.stdout.write(script(given.queue, given.tasks))


if __name__ == "__main__":
    main()
