"""What is shown while a search runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

WORDS = {
    "search": "search",
    "select": "check finalists on fresh seeds",
    "report": "report on fresh seeds",
    "profile": "how far parameters can go",
}


@dataclass(frozen=True)
class Trial:
    """An answered question, as a callback gets it."""

    id: int
    purpose: str
    genome: list[float]
    replicas: tuple[int, int]
    objectives: list[float]
    violation: float
    failed: str | None
    replayed: bool


Callback = Callable[[Trial], Any]


class Watcher:
    """Hears of every trial: shows progress and calls the user's function."""

    def __init__(self, bar: Bar, callback: Callback | None, adaptive: bool) -> None:
        self.bar = bar
        self.callback = callback
        self.adaptive = adaptive
        self.best: float | None = None
        self.counts_replicas = False

    def phase(self, name: str, trials: int) -> None:
        """A phase begins."""
        self.bar.begin(WORDS[name], trials)
        self.counts_replicas = self.adaptive and name == "search"

    def trial(self, **told: Any) -> None:
        """A trial is in the log."""
        trial = Trial(**told)
        step = trial.replicas[1] - trial.replicas[0] if self.counts_replicas else 1
        feasible = trial.failed is None and trial.violation == 0.0 and trial.objectives
        if feasible and trial.purpose == "search" and (self.best is None or trial.objectives[0] < self.best):
            self.best = trial.objectives[0]
        self.bar.step(step, self.best)
        if self.callback is not None:
            self.callback(trial)


class Bar:
    """Shows nothing."""

    def begin(self, what: str, total: int) -> None:
        """A phase of so many steps begins."""

    def step(self, count: int, best: float | None) -> None:
        """So many are done."""

    def end(self) -> None:
        """The search has ended."""


class Tqdm(Bar):
    """A bar of tqdm: a widget in a notebook, a line in a terminal."""

    def __init__(self, make: Any) -> None:
        self.make = make
        self.bar: Any = None

    def begin(self, what: str, total: int) -> None:
        self.end()
        self.bar = self.make(total=total, desc=what, leave=True)

    def step(self, count: int, best: float | None) -> None:
        if best is not None:
            self.bar.set_postfix_str(f"best {best:.4g}", refresh=False)
        self.bar.update(count)

    def end(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


class Line(Bar):
    """A line on stderr, twice a second."""

    def __init__(self) -> None:
        self.open = False

    def begin(self, what: str, total: int) -> None:
        self.end()
        self.what, self.total, self.done, self.shown = what, total, 0, 0.0
        self.open = True

    def step(self, count: int, best: float | None) -> None:
        self.done += count
        now = time.monotonic()
        if now - self.shown > 0.5 or self.done >= self.total:
            self.shown = now
            best_words = "" if best is None else f"  best {best:.4g}"
            sys.stderr.write(f"\r{self.what}: {self.done}/{self.total}{best_words}   ")
            sys.stderr.flush()

    def end(self) -> None:
        if self.open:
            sys.stderr.write("\n")
            self.open = False


def bar(wanted: bool | None) -> Bar:
    """The bar for where Python runs; None: one where a person looks on."""
    if wanted is False or (wanted is None and not _is_watched()):
        return Bar()
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return Line()
    return Tqdm(tqdm)


def _is_watched() -> bool:
    shell = sys.modules.get("IPython")
    in_notebook = shell is not None and shell.get_ipython() is not None
    return in_notebook or sys.stderr.isatty()
