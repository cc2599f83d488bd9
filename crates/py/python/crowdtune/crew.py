"""Workers elsewhere: questions in chunks, answers in any order, and a second try where somebody died.

What goes out are the lines of docs/answer.md; what comes back are rows of the log. Workers keep nothing, so that any of them can answer
any line, and twice. The bytes of the log do not depend on who answered what, or when.
"""

from __future__ import annotations

import json
import os
import pickle
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ._native import MachineError
from .experiment import Experiment

CHUNK_S = 0.1
"""Least work of a chunk, s: sending one takes a millisecond or two. A line that takes longer is a chunk of its own."""

AHEAD = 1
"""Chunks that wait behind each worker's present one, so that it does not wait for the driver. More would lie with one worker at
the end of a batch while others have nothing."""

TRIES = 5
"""How often a chunk is sent before the search gives up: by then it was not the machine."""


@dataclass
class Chunk:
    """Lines that go out together."""

    lines: list[int]
    since: float = field(default_factory=time.monotonic)


@dataclass
class Answered:
    """What came back for a chunk."""

    node: str
    busy_s: float
    answers: list[bytes]


_known: dict[str, Experiment] = {}


def respond(digest: str, bundle: bytes, lines: Sequence[bytes]) -> Answered:
    """Answers lines in a worker. The experiment is read once in each process."""
    experiment = _known.get(digest)
    if experiment is None:
        experiment = pickle.loads(bundle)
        _known[digest] = experiment
    began = time.perf_counter()
    answers = [experiment.answer(line) for line in lines]
    return Answered(node_name(), time.perf_counter() - began, answers)


def node_name() -> str:
    """What `timing.jsonl` calls this machine; CROWDTUNE_NODE replaces the name of the host."""
    return os.environ.get("CROWDTUNE_NODE") or socket.gethostname()


class Crew(ABC):
    """Asks workers; the native loop calls `begin`, `next`, `again`, `end` and `spent`."""

    def __init__(self, experiment: Experiment, answer_timeout_s: float | None = None) -> None:
        self.digest = experiment.digest
        self.bundle = pickle.dumps(experiment)
        self.answer_timeout_s = answer_timeout_s
        self.lines: list[bytes] = []
        self.replicas: list[int] = []
        self.open: list[int] = []
        self.left = 0
        self._workers = (float("-inf"), 1)
        self.sent: dict[Any, Chunk] = {}
        self.answered: set[int] = set()
        self.tries: dict[int, int] = {}
        self.pace_s: float | None = None
        self.nodes: dict[str, tuple[int, float]] = {}

    @property
    @abstractmethod
    def count(self) -> int:
        """Workers that are there now; they may join and leave. Asking the cluster may take milliseconds."""

    @abstractmethod
    def submit(self, lines: list[bytes]) -> Any:
        """Sends lines; gives a handle that can be a key."""

    @abstractmethod
    def ready(self, timeout_s: float) -> list[Any]:
        """Handles that have come back; waits so long for the first one."""

    @abstractmethod
    def result(self, handle: Any) -> Answered | None:
        """What came back, once; None if its worker died. An error of the worker itself is raised."""

    @abstractmethod
    def drop(self, handles: list[Any]) -> None:
        """Nobody waits for these any more."""

    def begin(self, lines: list[bytes]) -> None:
        """A batch."""
        self.lines = lines
        self.replicas = [_replicas(line) for line in lines]
        self.open = list(reversed(range(len(lines))))
        self.left = sum(self.replicas)
        self.sent, self.answered, self.tries = {}, set(), {}
        self._send()

    def next(self, timeout_s: float) -> list[tuple[int, bytes]]:
        """Answers that have come since, as pairs of the index of a line and a row."""
        came: list[tuple[int, bytes]] = []
        for handle in self.ready(timeout_s):
            chunk = self.sent.pop(handle, None)
            if chunk is None:
                continue
            answered = self.result(handle)
            if answered is None or len(answered.answers) != len(chunk.lines):
                self._once_more(chunk.lines, "its worker died")
                continue
            self._note(answered, sum(self.replicas[line] for line in chunk.lines))
            fresh = [(line, row) for line, row in zip(chunk.lines, answered.answers, strict=True) if line not in self.answered]
            self.answered.update(line for line, _ in fresh)
            came.extend(fresh)
        self._overdue()
        self._send()
        return came

    def again(self, index: int, why: str) -> None:
        """A row was no answer."""
        self.answered.discard(index)
        self._once_more([index], why)

    def end(self) -> None:
        """The batch is over, or nobody needs the rest."""
        self.drop(list(self.sent))
        self.sent, self.open, self.left = {}, [], 0

    def spent(self) -> list[tuple[str, int, float]]:
        """What each node did since this was asked last."""
        spent = [(node, answers, busy_s) for node, (answers, busy_s) in sorted(self.nodes.items())]
        self.nodes = {}
        return spent

    def _note(self, answered: Answered, replicas: int) -> None:
        answers, busy_s = self.nodes.get(answered.node, (0, 0.0))
        self.nodes[answered.node] = (answers + len(answered.answers), busy_s + answered.busy_s)
        each = answered.busy_s / max(replicas, 1)
        self.pace_s = each if self.pace_s is None else 0.8 * self.pace_s + 0.2 * each

    def _take(self) -> list[int]:
        """The lines of the next chunk: half of each worker's share of what is left, so that chunks are large first and small when
        workers would wait for each other; `CHUNK_S` of work at least, but for the end of a batch."""
        workers = self._count()
        share = self.left / (2 * workers)
        if self.pace_s is None:
            share = 0.0
        elif self.left * self.pace_s > 2 * CHUNK_S * workers:
            share = max(share, CHUNK_S / self.pace_s)
        taken: list[int] = []
        size = 0
        while self.open and (not taken or size + self.replicas[self.open[-1]] <= share):
            taken.append(self.open.pop())
            size += self.replicas[taken[-1]]
        self.left -= size
        return [line for line in taken if line not in self.answered]

    def _count(self) -> int:
        """Workers, as the cluster said within the last second."""
        now = time.monotonic()
        if now - self._workers[0] > 1.0:
            self._workers = (now, max(self.count, 1))
        return self._workers[1]

    def _send(self) -> None:
        most = (1 + AHEAD) * self._count()
        while self.open and len(self.sent) < most:
            taken = self._take()
            if taken:
                handle = self.submit([self.lines[line] for line in taken])
                self.sent[handle] = Chunk(taken)

    def _once_more(self, lines: list[int], why: str) -> None:
        for line in lines:
            self.tries[line] = self.tries.get(line, 0) + 1
            if self.tries[line] >= TRIES:
                raise MachineError(
                    f"a question was sent {TRIES} times, and never answered: {why}\n"
                    "  help:    what is in the log is kept, and resume=True continues; look at the workers"
                )
            self.open.append(line)
            self.left += self.replicas[line]

    def _overdue(self) -> None:
        """Sends again what has been away for too long; whoever answers first counts."""
        if self.answer_timeout_s is None:
            return
        now = time.monotonic()
        for chunk in self.sent.values():
            if now - chunk.since > self.answer_timeout_s:
                chunk.since = now
                self._once_more([line for line in chunk.lines if line not in self.answered], "no answer in time")


def _replicas(line: bytes) -> int:
    """How many replicas a question has: what a line costs is about proportional to it."""
    first, end = json.loads(line)["replicas"]
    return int(end) - int(first)
