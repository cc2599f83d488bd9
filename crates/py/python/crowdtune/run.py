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
from .own import Registry


class Run:
    """What `evolve`, in Python or on the command line, has left in a folder."""

    def __init__(self, path: str | os.PathLike[str], registry: Registry | None = None) -> None:
        self.path = Path(path)
        self._own = None if registry is None else registry._native
        native, ids, purposes, genomes, replicas, answers = _native.read_run(self.path, self._own)
        self.experiment = Experiment(native, registry)
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

    @cached_property
    def recommended(self) -> Floats:
        """The genome of the preset. It is not always one of `genomes` that the search tried.

        The published constants may have won, or the optimizer proposed a point at the end that no trial of the search had.
        """
        self._json("best.json")
        return _native.recommended(self.path, self._own)

    @property
    def verdict(self) -> list[str]:
        """What came out, in sentences."""
        return list(self.summary["verdict"]["sentences"])

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
        """The points of a front: parameters, and objectives on fresh seeds with their 95 % intervals."""
        front = self._part("front")
        names = [axis["objective"] for axis in front["axes"]]
        rows = []
        for point in front["points"]:
            row = {"id": point["id"], **dict(zip(self.experiment.space.keys, point["genes"], strict=True))}
            for name, figure in zip(names, point["fresh"], strict=False):
                row.update(_figure(name, figure))
            rows.append(row | {key: point[key] for key in ("violation", "standing", "knee", "recommended", "defaults")})
        return _table(rows, library)

    def atlas(self, library: str = "pandas") -> Any:
        """The cells of an atlas of behaviors: where each is, the trial in it, its loss and measures with intervals."""
        atlas = self._part("atlas")
        names = [axis["name"] for axis in atlas["axes"]]
        rows = []
        for cell in atlas["cells"]:
            row = {"cell": cell["name"], "trial": cell["trial"], **_figure("loss", cell["loss"])}
            for name, at, figure in zip(names, cell["at"], cell["measures"], strict=True):
                row |= {f"{name}.cell": at, **_figure(name, figure)}
            rows.append(row)
        return _table(rows, library)

    def intervals(self, library: str = "pandas") -> Any:
        """Targets on fresh seeds, with the defaults and tuned, each with its 95 % interval."""
        rows = []
        for target in self.summary["targets"]:
            row = {key: target[key] for key in ("name", "metric", "unit", "wanted")}
            rows.append(row | _figure("default", target["default"]) | _figure("tuned", target["tuned"]))
        return _table(rows, library)

    def posterior(self, library: str = "pandas") -> Any:
        """How far each parameter can go before the result gets worse, where `search.profile_share` asked for it.

        `low_reached` and `high_reached` say whether the range ends there, or only the simulations did.
        """
        rows = []
        for profile, at in self._profiles():
            within, points = profile["within"], profile["points"]
            ends = [points[within[end]]["at"][at] for end in ("first", "last")]
            rows.append(
                {
                    "parameter": profile["keys"][0],
                    "low": min(ends),
                    "high": max(ends),
                    "low_reached": within["reached"][0],
                    "high_reached": within["reached"][1],
                    "points": len(points),
                }
            )
        return _table(rows, library)

    def draws(self, library: str = "pandas") -> Any:
        """Draws of a posterior with their weights: the folder of `crowdtune posterior`. `library="arrow"` gives a table of Arrow.

        `trial` is the row that a draw comes from; where processes stand for runs there is none.
        """
        path = self.path / "samples.jsonl"
        if not path.is_file():
            raise InputError(f"{self.path}: the folder holds no posterior; `crowdtune posterior` makes one")
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        rows = [{key: line[key] for key in ("trial", "weight") if key in line} | line["values"] for line in lines]
        return _table(rows, library)

    def profile(self, parameter: str, library: str = "pandas") -> Any:
        """The best that was simulated at each value of a parameter: the value, and by how much its loss is worse."""
        for profile, at in self._profiles():
            if profile["keys"][0] == parameter:
                points = profile["points"]
                return frame({parameter: [p["at"][at] for p in points], "worse": [p["worse"] for p in points]}, library)
        raise InputError(f"there is no profile of `{parameter}`")

    def _profiles(self) -> list[tuple[dict[str, Any], int]]:
        """The profiles of single parameters, each with the place of its number in a point."""
        said = self.summary.get("identified") or {}
        numbers = said.get("numbers", [])
        single = [profile for profile in said.get("profiles", []) if len(profile["keys"]) == 1]
        if not single:
            raise InputError("this run has no profiles; search.profile_share above 0 asks for them")
        return [(profile, numbers.index(profile["keys"][0])) for profile in single]

    def _part(self, key: str) -> dict[str, Any]:
        said: dict[str, Any] | None = self.summary.get(key)
        if not said:
            raise InputError(f"this run has no {key}")
        return said

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


def _figure(name: str, figure: dict[str, Any] | None) -> dict[str, Any]:
    """A number with the ends of its interval, as three columns."""
    said = figure or {}
    return {name: said.get("value"), f"{name}.low": said.get("low"), f"{name}.high": said.get("high")}


def _table(rows: list[dict[str, Any]], library: str) -> Any:
    keys: dict[str, None] = {}
    for row in rows:
        keys.update(dict.fromkeys(row))
    return frame({key: [row.get(key) for row in rows] for key in keys}, library)
