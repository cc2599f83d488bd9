"""The native module: thin wrappers of the library, typed."""

from collections.abc import Callable
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]
_Pairs = list[tuple[str, str]]
_Answers = tuple[_Floats, _Floats, _Floats, _Floats, list[str | None]]
_Constant = tuple[str, str, float, tuple[float, float], tuple[float, float], bool, str]

__version__: str

class InputError(ValueError):
    """Something that the user gave has to change."""

class MachineError(OSError):
    """The machine, a disk or another program refused."""

class NothingFoundError(RuntimeError):
    """Nothing valid came out of a search or a run."""

class Registry:
    def __new__(cls) -> Registry: ...
    def add_model(
        self,
        name: str,
        doc: str,
        constants: list[_Constant],
        time_step_s: float,
        reach_m: float,
        make: Callable[..., Any],
    ) -> None: ...
    def add_metric(self, name: str, doc: str, unit: str, needs: list[str], measure: Callable[..., Any]) -> None: ...

class Experiment:
    name: str
    title: str
    digest: str
    seed: int
    evaluations: int
    parallel: int
    optimizer: str
    dimension: int
    resolved: str
    warnings: list[str]
    adaptive: bool
    @staticmethod
    def load(path: PathLike[str], sets: _Pairs, registry: Registry | None = None) -> Experiment: ...
    @staticmethod
    def from_text(
        text: str,
        file: str,
        sets: _Pairs,
        folder: PathLike[str] | None = None,
        files: list[tuple[str, bytes]] = [],
        registry: Registry | None = None,
    ) -> Experiment: ...
    def bundle(self) -> tuple[str, str, list[tuple[str, bytes]], tuple[PathLike[str], _Pairs] | None]: ...
    def with_sets(self, sets: _Pairs, registry: Registry | None) -> Experiment: ...
    def describe(self) -> str: ...
    def defaults(self) -> _Floats: ...
    def start(self) -> _Floats: ...
    def genomes(self, candidates: str) -> _Floats: ...
    def decode(self, genomes: _Floats) -> _Floats: ...
    def encode(self, values: _Floats) -> _Floats: ...
    def named(self, genomes: _Floats) -> str: ...
    def answer(self, line: bytes) -> bytes: ...

class Optimizer:
    told: int
    def __new__(
        cls,
        space: list[tuple[str, str, float, float, list[float]]],
        optimizer: str | None,
        seed: int,
        parallel: int,
        start: list[list[float]],
        noisy: bool | None,
        objectives: int,
        measures: list[tuple[float, float, int]],
        parts: list[tuple[str, float, float, float, float]],
        settings: list[tuple[str, float]],
    ) -> Optimizer: ...
    def ask(self) -> tuple[_Floats, _Floats]: ...
    def tell(
        self,
        objectives: _Floats,
        violation: _Floats | None = None,
        measures: _Floats | None = None,
        values: _Floats | None = None,
    ) -> None: ...
    def best(self) -> tuple[list[float], float] | None: ...
    def recommended(self) -> _Floats: ...
    def expected(self, point: list[float]) -> float | None: ...

def catalog(kind: str) -> list[tuple[str, str, str, list[tuple[str, str, str, str, str]]]] | None: ...
def evaluate(
    experiment: Experiment,
    genomes: _Floats,
    purpose: str,
    replicas: tuple[int, int] | None = None,
    count: int | None = None,
    seed: int | None = None,
    threads: int = 0,
) -> _Answers: ...
def simulate(
    experiment: Experiment, genome: _Floats, case: int, purpose: str, replica: int, seed: int | None = None
) -> dict[str, Any]: ...
def evolve(
    experiment: Experiment,
    out: PathLike[str],
    resume: bool,
    threads: int,
    observer: Any = None,
    crew: Any = None,
    simulator: tuple[str, Callable[..., Any]] | None = None,
) -> None: ...
def read_run(
    path: PathLike[str], registry: Registry | None = None
) -> tuple[Experiment, _Ints, list[str], _Floats, _Ints, _Answers]: ...
def recommended(path: PathLike[str], registry: Registry | None = None) -> _Floats: ...
def export_run(
    source: PathLike[str], tool: str, pick: int | None = None, seeds: int = 1, force: bool = False
) -> tuple[list[tuple[str, bytes]], list[str]]: ...
def measure(
    id: _Ints,
    frame: _Ints,
    x: _Floats,
    y: _Floats,
    fps: float,
    metric: str,
    at: str | None = None,
    geometry: str | None = None,
    radius_m: float | None = None,
    every_s: float | None = None,
    window: str | None = None,
    settings: _Pairs = [],
    periodic: str | None = None,
) -> tuple[tuple[float | None, str, _Floats, list[str], _Floats | None], list[str]]: ...
def read_tracks(
    path: PathLike[str], fps: float | None = None, unit: str | None = None, columns: list[str] | None = None
) -> tuple[tuple[_Ints, _Ints, _Floats, _Floats], float, str | None]: ...
