"""A run folder, read."""

from __future__ import annotations

import html
import json
import os
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from . import _native
from ._native import InputError
from .arrays import Floats, Ints, frame
from .evaluations import Evaluations
from .experiment import Experiment


class Run:
    """What `evolve`, in Python or on the command line, has left in a folder."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        native, ids, purposes, genomes, replicas, answers = _native.read_run(self.path)
        self.experiment = Experiment(native)
        self.ids: Ints = ids
        self.purposes: list[str] = purposes
        self.genomes: Floats = genomes
        self.replicas: Ints = replicas
        self.evaluations = Evaluations(self.experiment, genomes, *answers)

    def __len__(self) -> int:
        return len(self.ids)

    def _json(self, name: str) -> dict[str, Any]:
        path = self.path / name
        if not path.is_file():
            raise InputError(f"{path}: the run has not come to its end; resume=True continues it")
        said: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return said

    @cached_property
    def summary(self) -> dict[str, Any]:
        """summary.json."""
        return self._json("summary.json")

    @cached_property
    def best(self) -> dict[str, Any]:
        """best.json, the preset."""
        return self._json("best.json")

    @property
    def verdict(self) -> list[str]:
        """What came out, in sentences."""
        said = self.summary.get("verdict", [])
        return [said] if isinstance(said, str) else [str(line) for line in said]

    @property
    def report(self) -> Path:
        """The page to open in a browser."""
        return self.path / "report.html"

    def trials(self, purpose: str | None = None, library: str = "pandas") -> Any:
        """The rows of the log as a table: id, purpose, parameters, objectives, means of the columns."""
        columns = {"id": self.ids, "purpose": self.purposes, **self.evaluations.columns()}
        if purpose is not None:
            keep = np.array([one == purpose for one in self.purposes], dtype=bool)
            columns = {key: [x for x, kept in zip(column, keep, strict=True) if kept] for key, column in columns.items()}
        return frame(columns, library)

    def convergence(self) -> tuple[Ints, Floats]:
        """Number of search trials, and the best feasible objective until then."""
        rows = [at for at, purpose in enumerate(self.purposes) if purpose == "search"]
        loss = np.where(self.evaluations.violation[rows] == 0.0, self.evaluations.objectives[rows, 0], np.nan)
        best = np.fmin.accumulate(loss) if len(loss) else loss
        return np.arange(1, len(rows) + 1), best

    def front(self, library: str = "pandas") -> Any:
        """The points of a front: objectives with intervals, and parameters."""
        return self._points("front", library)

    def atlas(self, library: str = "pandas") -> Any:
        """The cells of an atlas of behaviors."""
        return self._points("atlas", library)

    def intervals(self, library: str = "pandas") -> Any:
        """Targets of the recommendation and of the defaults on fresh seeds, each with its 95 % interval."""
        rows = [_flat(row) for row in self.summary.get("targets", [])]
        return _table(rows, library)

    def posterior(self, library: str = "pandas") -> Any:
        """How far each parameter can go before the result gets worse, where the run has asked for it (`search.profile_share`)."""
        said = self.summary.get("identification") or self.summary.get("profiles") or {}
        rows = said if isinstance(said, list) else said.get("parameters", [])
        if not rows:
            raise InputError("this run has no profiles; search.profile_share above 0 asks for them")
        return _table([_flat(row) for row in rows], library)

    def _points(self, key: str, library: str) -> Any:
        said = self.summary.get(key)
        if not said:
            raise InputError(f"this run has no {key}")
        rows = said if isinstance(said, list) else said.get("points") or said.get("cells") or []
        return _table([_flat(row) for row in rows], library)

    def export(
        self,
        tool: str,
        out: str | os.PathLike[str] | None = None,
        *,
        pick: int | None = None,
        seeds: int = 1,
        force: bool = False,
    ) -> list[Path]:
        """Writes the preset as files for another tool (`crowdtune.exporters()`), and gives their paths."""
        files, notes = _native.export_run(self.path, tool, pick, seeds, force)
        folder = self.path / "export" / tool if out is None else Path(out)
        paths = []
        for name, content in files:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            paths.append(path)
        self.notes = notes
        return paths

    def plot(self, ax: Any = None) -> Any:
        """Draws how the search went with matplotlib."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.subplots(figsize=(6, 4))[1]
        number, best = self.convergence()
        rows = [at for at, purpose in enumerate(self.purposes) if purpose == "search"]
        loss = np.where(self.evaluations.violation[rows] == 0.0, self.evaluations.objectives[rows, 0], np.nan)
        ax.plot(number, loss, ".", color="#9ab3c9", markersize=4, label="candidates")
        ax.plot(number, best, color="#1f4e79", linewidth=2, label="best so far")
        ax.set_xlabel("search trials")
        ax.set_ylabel(self.experiment.objectives[0])
        ax.set_title(self.experiment.title or self.experiment.name)
        ax.legend(frameon=False)
        return ax

    def __repr__(self) -> str:
        return f"<Run {self.path}: {len(self)} trials of {self.experiment.name}>"

    def _repr_html_(self) -> str:
        head = f"<b>{html.escape(self.experiment.title or self.experiment.name)}</b>, {len(self)} trials"
        try:
            said = "".join(f"<p>{html.escape(line)}</p>" for line in self.verdict)
            parameters = self.best.get("parameters", {})
        except InputError as error:
            return f"<p>{head}; {html.escape(str(error))}</p>"
        rows = "".join(f"<tr><td>{html.escape(str(k))}</td><td>{html.escape(str(v))}</td></tr>" for k, v in parameters.items())
        return f"<p>{head}</p>{said}<table><tr><th>parameter</th><th>tuned</th></tr>{rows}</table>"


def _flat(row: Any, prefix: str = "") -> dict[str, Any]:
    """Nested objects as columns with dots."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            flat.update(_flat(value, f"{name}."))
        else:
            flat[name] = value
    return flat


def _table(rows: list[dict[str, Any]], library: str) -> Any:
    keys: dict[str, None] = {}
    for row in rows:
        keys.update(dict.fromkeys(row))
    return frame({key: [row.get(key) for row in rows] for key in keys}, library)
