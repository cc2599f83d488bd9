"""Recorded people: of a simulation or of an experiment, and the metrics of both."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from . import _native
from ._native import InputError
from .arrays import Floats, Ints, floats, frame, integers, text


@dataclass(frozen=True)
class Tracks:
    """Where everybody was: one row for each person and frame, meters. Frame `f` is at `f / fps` seconds.

    `area` is where people can be, as WKT, if that is known.
    """

    id: Ints
    frame: Ints
    x: Floats
    y: Floats
    fps: float
    area: str | None = None

    def __len__(self) -> int:
        return len(self.id)

    @property
    def time_s(self) -> Floats:
        """Time of each row, s."""
        time: Floats = self.frame / self.fps
        return time

    def columns(self) -> dict[str, Any]:
        """The columns that PedPy has: id, frame, x, y."""
        return {"id": self.id, "frame": self.frame, "x": self.x, "y": self.y}

    def to_pandas(self) -> Any:
        """A DataFrame of pandas."""
        return frame(self.columns(), "pandas")

    def to_polars(self) -> Any:
        """A DataFrame of polars."""
        return frame(self.columns(), "polars")

    def to_arrow(self) -> Any:
        """A table of Arrow, on the memory of the arrays."""
        return frame(self.columns(), "arrow")

    def to_pedpy(self) -> Any:
        """PedPy's TrajectoryData."""
        import pedpy

        return pedpy.TrajectoryData(data=self.to_pandas(), frame_rate=self.fps)

    def to_pedpy_area(self) -> Any:
        """PedPy's WalkableArea."""
        import pedpy

        if self.area is None:
            raise InputError("where people can be is not known: walls and doors enclose no area")
        return pedpy.WalkableArea(self.area)

    def measure(self, metric: str, **options: Any) -> Measurement:
        """As `measure`."""
        return measure(self, metric, **options)


@dataclass(frozen=True)
class Recording(Tracks):
    """A simulated run. `values` are those of the experiment's columns; `radius`, `group` and `left_s` are by person id; `walls` are
    pieces, `[n, end, x and y]`."""

    scenario: str = ""
    radius: Floats = field(default_factory=lambda: np.empty(0))
    group: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    groups: tuple[str, ...] = ()
    left_s: Floats = field(default_factory=lambda: np.empty(0))
    frames: int = 0
    end_s: float = 0.0
    people_left: int = 0
    agent_steps: int = 0
    top_speed_m_per_s: float = 0.0
    walls: Floats = field(default_factory=lambda: np.empty((0, 2, 2)))
    values: Mapping[str, float] = field(default_factory=dict)
    tables: Mapping[str, tuple[list[str], Floats]] = field(default_factory=dict)

    @classmethod
    def _from_native(cls, said: dict[str, Any], columns: list[str], scenario: str) -> Recording:
        keep = {
            key: said[key]
            for key in (
                "id",
                "frame",
                "x",
                "y",
                "radius",
                "group",
                "left_s",
                "frames",
                "end_s",
                "people_left",
                "agent_steps",
                "top_speed_m_per_s",
                "tables",
                "walls",
            )
        }
        values = dict(zip(columns, said["values"].tolist(), strict=True))
        # 0.1 s are ten frames a second, not 10.000000000000002.
        fps = round(1.0 / said["every_s"], 9)
        groups = tuple(said["groups"])
        return cls(fps=fps, area=said.get("area"), scenario=scenario, values=values, groups=groups, **keep)

    def table(self, column: str) -> Any:
        """The numbers behind a column, as a DataFrame."""
        if column not in self.tables:
            have = ", ".join(self.tables) or "none has one"
            raise InputError(f"`{column}` has no table; columns that have: {have}")
        names, rows = self.tables[column]
        return frame({name: rows[:, at] for at, name in enumerate(names)})

    def plot(self, ax: Any = None) -> Any:
        """Draws the ways of everybody with matplotlib."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.subplots(figsize=(7, 5))[1]
        for wall in self.walls:
            ax.plot(wall[:, 0], wall[:, 1], color="#333333", linewidth=1.5, solid_capstyle="round")
        order = np.lexsort((self.frame, self.id))
        people, first = np.unique(self.id[order], return_index=True)
        palette = plt.get_cmap("tab10")
        for person, rows in zip(people, np.split(order, first[1:]), strict=True):
            color = palette(int(self.group[person]) % 10)
            ax.plot(self.x[rows], self.y[rows], color=color, linewidth=0.6, alpha=0.7)
        ax.set_aspect("equal")
        ax.set_xlabel("x [m]")
        ax.set_ylabel("y [m]")
        ax.set_title(f"{self.scenario}: {len(people)} people, {self.end_s:.1f} s")
        return ax


@dataclass(frozen=True)
class Measurement:
    """What a metric gives: its value (None where there is none), the samples behind it, and its table."""

    metric: str
    value: float | None
    unit: str
    samples: Floats
    columns: list[str]
    rows: Floats | None
    warnings: list[str]

    def table(self) -> Any:
        """The numbers behind the value, as a DataFrame."""
        if self.rows is None:
            raise InputError(f"`{self.metric}` has no table")
        return frame({name: self.rows[:, at] for at, name in enumerate(self.columns)})


def measure(
    tracks: Any,
    metric: str,
    *,
    at: Any = None,
    fps: float | None = None,
    geometry: Any = None,
    radius_m: float | None = None,
    every_s: float | None = None,
    window: str | None = None,
    periodic: str | None = None,
    **settings: Any,
) -> Measurement:
    """Measures tracks with a metric of crowdtune (`crowdtune.metrics()` has all).

    `tracks` is a `Tracks`, a `TrajectoryData` of PedPy, a DataFrame or a dict with id, frame, x and y, or an array with these four
    columns; then `fps` is needed. `at` is two points (a line) or more (an area), `geometry` a polygon as WKT or as a WalkableArea.
    """
    seen = _tracks(tracks, fps)
    where = None if at is None else (at if isinstance(at, str) else text(np.asarray(at, dtype=float)))
    area = geometry if geometry is not None else seen.area
    if area is not None and not isinstance(area, str):
        area = getattr(area, "polygon", area).wkt
    pairs = [(key, text(value)) for key, value in settings.items()]
    columns = (seen.id, seen.frame, seen.x, seen.y)
    said, warnings = _native.measure(
        *columns, seen.fps, metric, where, area, radius_m, every_s, window, pairs, periodic
    )
    value, unit, samples, names, rows = said
    return Measurement(metric, value, unit, samples, names, rows, warnings)


def _tracks(given: Any, fps: float | None) -> Tracks:
    if isinstance(given, Tracks):
        return given
    if hasattr(given, "frame_rate") and hasattr(given, "data"):
        fps = float(given.frame_rate)
        given = given.data
    if fps is None:
        raise InputError("how many frames there are in a second is not known; give fps=")
    if isinstance(given, np.ndarray):
        if given.ndim != 2 or given.shape[1] < 4:
            raise InputError(f"tracks of shape {given.shape}; allowed: columns of id, frame, x, y")
        given = {"id": given[:, 0], "frame": given[:, 1], "x": given[:, 2], "y": given[:, 3]}
    try:
        columns = [given[key] for key in ("id", "frame", "x", "y")]
    except (KeyError, TypeError, IndexError) as error:
        raise InputError("tracks need the columns id, frame, x and y") from error
    names = ("id", "frame", "x", "y")
    whole = [integers(column, name) for column, name in zip(columns[:2], names[:2], strict=True)]
    real = [floats(column, 1, name) for column, name in zip(columns[2:], names[2:], strict=True)]
    return Tracks(whole[0], whole[1], real[0], real[1], float(fps))


def read_tracks(
    path: str | os.PathLike[str],
    *,
    fps: float | None = None,
    unit: str | None = None,
    columns: list[str] | None = None,
) -> Tracks:
    """Reads tracks: rows of `id frame x y` as PedPy has them, or a database of JuPedSim."""
    (person, frames, x, y), rate, area = _native.read_tracks(Path(path), fps, unit, columns)
    return Tracks(person, frames, x, y, rate, area)
