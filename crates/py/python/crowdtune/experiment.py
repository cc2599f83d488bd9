"""An experiment: what is simulated, what is wanted, what is searched."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

import numpy as np

from . import _native
from ._native import InputError
from .arrays import Floats, floats, pairs
from .evaluations import Evaluations
from .own import Registry
from .space import Gene, Space
from .tracks import Recording

Candidates = Union[Floats, Sequence[Any], Mapping[str, Any]]


@dataclass(frozen=True)
class Column:
    """A target or a measure: a number for each run."""

    name: str
    metric: str
    unit: str
    wanted: str | None
    weight: float
    must: bool


@dataclass(frozen=True)
class Scenario:
    """A place with its people; `held_out` ones are never searched, only reported."""

    name: str
    replicas: int
    held_out: bool


class Experiment:
    """A checked experiment file.

    It can be pickled: another process gets the resolved text and the files that it names, so that a worker needs no file at all.
    """

    def __init__(self, native: _native.Experiment, registry: Registry | None = None) -> None:
        self._native = native
        self._registry = registry
        said = json.loads(native.describe())
        self.space = Space(tuple(Gene.described(gene) for gene in said["genes"]))
        self.objectives: list[str] = list(said["objectives"])
        self.model: str = said["model"]
        fields = ("name", "metric", "unit", "wanted", "weight", "must")
        self.columns = [Column(**{key: column.get(key) for key in fields}) for column in said["columns"]]
        self.scenarios = [
            Scenario(one["name"], int(one["replicas"]), bool(one["held_out"])) for one in said["scenarios"]
        ]

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        overrides: Mapping[str, Any] | None = None,
        *,
        registry: Registry | None = None,
    ) -> Experiment:
        """Reads an experiment file (TOML or JSON), or the experiment.toml of a run folder. `overrides` are dotted keys."""
        return cls(_native.Experiment.load(Path(path), pairs(overrides), _own(registry)), registry)

    @classmethod
    def of(cls, given: Experiment | str | os.PathLike[str]) -> Experiment:
        """An experiment, or the file of one."""
        return given if isinstance(given, Experiment) else cls.load(given)

    @classmethod
    def from_toml(
        cls,
        text: str,
        overrides: Mapping[str, Any] | None = None,
        *,
        name: str = "experiment",
        folder: str | os.PathLike[str] | None = None,
        registry: Registry | None = None,
    ) -> Experiment:
        """Reads a text; files that it names are looked for in `folder`."""
        where = None if folder is None else Path(folder)
        return cls(_native.Experiment.from_text(text, f"{name}.toml", pairs(overrides), where, [], _own(registry)), registry)

    @classmethod
    def from_dict(
        cls,
        tables: Mapping[str, Any],
        overrides: Mapping[str, Any] | None = None,
        *,
        name: str = "experiment",
        folder: str | os.PathLike[str] | None = None,
        registry: Registry | None = None,
    ) -> Experiment:
        """Reads nested dicts, with the keys that a file has."""
        text = json.dumps(tables, default=_plain)
        where = None if folder is None else Path(folder)
        return cls(_native.Experiment.from_text(text, f"{name}.json", pairs(overrides), where, [], _own(registry)), registry)

    def with_overrides(self, overrides: Mapping[str, Any]) -> Experiment:
        """The same with other values."""
        return Experiment(self._native.with_sets(pairs(overrides), _own(self._registry)), self._registry)

    @classmethod
    def _from_bundle(
        cls,
        name: str,
        text: str,
        files: list[tuple[str, bytes]],
        path: tuple[str, list[tuple[str, str]]] | None,
    ) -> Experiment:
        if path is not None:
            return cls(_native.Experiment.load(Path(path[0]), path[1], None))
        return cls(_native.Experiment.from_text(text, f"{name}.toml", [], None, files, None))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Experiment._from_bundle, self._native.bundle())

    @property
    def name(self) -> str:
        """Name of the experiment."""
        return self._native.name

    @property
    def title(self) -> str:
        """Title in the file."""
        return self._native.title

    @property
    def seed(self) -> int:
        """Seed of everything."""
        return self._native.seed

    @property
    def digest(self) -> str:
        """SHA-256 of what the results depend on."""
        return self._native.digest

    @property
    def dimension(self) -> int:
        """Number of genes."""
        return self._native.dimension

    @property
    def evaluations(self) -> int:
        """Number of search trials."""
        return self._native.evaluations

    @property
    def parallel(self) -> int:
        """Width of a batch."""
        return self._native.parallel

    @property
    def optimizer(self) -> str:
        """Name of its optimizer."""
        return self._native.optimizer

    @property
    def warnings(self) -> list[str]:
        """What to know, although nothing has to change."""
        return self._native.warnings

    @property
    def defaults(self) -> Floats:
        """The published defaults as a genome."""
        return self._native.defaults()

    @property
    def start(self) -> Floats:
        """The start values as a genome."""
        return self._native.start()

    def to_toml(self) -> str:
        """The file with every default written out."""
        return self._native.resolved

    def case(self, scenario: str | int) -> int:
        """Index of a scenario by its name, or by the name of its table."""
        if isinstance(scenario, (int, np.integer)):
            if not 0 <= scenario < len(self.scenarios):
                raise InputError(f"scenario {scenario}; allowed: 0 to {len(self.scenarios) - 1}")
            return int(scenario)
        names = [one.name for one in self.scenarios]
        for at, name in enumerate(names):
            if scenario in (name, name.split("[")[0]):
                return at
        raise InputError(f"there is no scenario `{scenario}`; allowed: {', '.join(names)}")

    def column(self, name: str) -> int:
        """Index of a column."""
        names = [one.name for one in self.columns]
        if name not in names:
            raise InputError(f"there is no column `{name}`; allowed: {', '.join(names)}")
        return names.index(name)

    def genomes(self, candidates: Candidates, *, cube: bool = True) -> Floats:
        """Candidates as genomes `[n, gene]`.

        Rows of numbers are coordinates from 0 to 1, or with `cube=False` values in the units of the space. A dict has values by name;
        what it does not name keeps its default.
        """
        if isinstance(candidates, Mapping):
            candidates = [candidates]
        if not isinstance(candidates, np.ndarray):
            given = list(candidates)
            if not given:
                return np.empty((0, self.dimension))
            if any(isinstance(one, Mapping) for one in given):
                return np.concatenate([self._genome(one, cube) for one in given])
            candidates = [given] if not any(np.ndim(one) for one in given) else given
        elif candidates.ndim == 1:
            candidates = candidates.reshape(-1, candidates.size or self.dimension)
        array = floats(candidates, 2, "candidates")
        return array if cube else self._native.encode(array)

    def _genome(self, candidate: Any, cube: bool) -> Floats:
        if isinstance(candidate, Mapping):
            try:
                said = json.dumps([candidate], default=_plain, allow_nan=False)
            except ValueError as error:
                raise InputError(f"{dict(candidate)} is no candidate: {error}") from error
            return self._native.genomes(said)
        row = floats(candidate, 1, "candidates").reshape(1, -1)
        return row if cube else self._native.encode(row)

    def decode(self, genomes: Any) -> Floats:
        """Coordinates to values in the units of the space; a word of a choice is its index."""
        return self._native.decode(floats(genomes, 2, "genomes"))

    def encode(self, values: Any) -> Floats:
        """Values to coordinates; moved inside where they lie outside."""
        return self._native.encode(floats(values, 2, "values"))

    def named(self, genomes: Any) -> list[dict[str, Any]]:
        """Values by name, with words for choices."""
        named: list[dict[str, Any]] = json.loads(self._native.named(floats(genomes, 2, "genomes")))
        return named

    def evaluate(
        self,
        candidates: Candidates,
        *,
        replicas: int | tuple[int, int] | None = None,
        purpose: str = "search",
        seed: int | None = None,
        threads: int = 0,
        cube: bool = True,
    ) -> Evaluations:
        """Simulates candidates on their replicas.

        `replicas` is a number for every scenario, or `(first, end)` as rows of trials.jsonl have it. Other purposes than `search` have
        seeds of their own (`select`, `report`, `profile`); `report` runs held-out scenarios too. Other threads of Python go on
        meanwhile. A candidate outside the space or with NaN is not simulated, and `failed` says why.
        """
        genomes = self.genomes(candidates, cube=cube)
        ends = replicas if isinstance(replicas, tuple) else None
        count = None if replicas is None or isinstance(replicas, tuple) else int(replicas)
        if count is not None and count < 1:
            raise InputError(f"replicas={count}; allowed: 1 or more")
        said = _native.evaluate(self._native, genomes, purpose, ends, count, seed, threads)
        return Evaluations(self, genomes, *said)

    def simulate(
        self,
        candidate: Candidates | None = None,
        scenario: str | int = 0,
        *,
        replica: int = 0,
        purpose: str = "report",
        seed: int | None = None,
        cube: bool = True,
    ) -> Recording:
        """One run, recorded: where everybody was, what was measured. Without a candidate the start values."""
        genomes = self.start.reshape(1, -1) if candidate is None else self.genomes(candidate, cube=cube)
        if len(genomes) != 1:
            raise InputError(f"{len(genomes)} candidates; allowed: 1")
        case = self.case(scenario)
        said = _native.simulate(self._native, genomes, case, purpose, replica, seed)
        names = [column.name for column in self.columns]
        return Recording._from_native(said, names, self.scenarios[case].name)

    def answer(self, line: bytes) -> bytes:
        """Answers a question of a search elsewhere, as `crowdtune answer` does; docs/answer.md has the lines."""
        return self._native.answer(line)

    def __repr__(self) -> str:
        return f"<Experiment {self.name}: {self.model}, {self.dimension} genes, {len(self.scenarios)} scenarios>"

    def _repr_html_(self) -> str:
        wanted = "".join(
            f"<tr><td>{column.name}</td><td>{column.metric}</td><td>{column.wanted or ''}</td></tr>"
            for column in self.columns
        )
        targets = f"<table><tr><th>column</th><th>metric</th><th>wanted</th></tr>{wanted}</table>"
        return f"<b>{self.title or self.name}</b>: {self.model}{self.space._repr_html_()}{targets}"


def _own(registry: Registry | None) -> _native.Registry | None:
    return None if registry is None else registry._native


def _plain(value: Any) -> Any:
    """What json cannot write by itself."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, (set, frozenset)) or (isinstance(value, Iterable) and not isinstance(value, (str, bytes))):
        return list(value)
    raise InputError(f"{value!r} is nothing that an experiment can hold")
