"""The space that is searched: one gene per dimension."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._native import InputError


@dataclass(frozen=True)
class Gene:
    """One searched parameter.

    `kind` is `real`, `integer` or `choice`. `log` spaces a real number by orders of magnitude.
    """

    key: str
    kind: str
    low: float = 0.0
    high: float = 0.0
    log: bool = False
    choices: tuple[Any, ...] = ()
    unit: str = ""
    default: Any = None
    start: Any = None

    @classmethod
    def real(cls, key: str, low: float, high: float, *, log: bool = False, unit: str = "") -> Gene:
        """A real number from `low` to `high`, both reached."""
        return cls(key, "real", float(low), float(high), log, unit=unit)

    @classmethod
    def integer(cls, key: str, low: int, high: int) -> Gene:
        """A whole number, both ends included."""
        return cls(key, "integer", float(low), float(high))

    @classmethod
    def choice(cls, key: str, choices: Iterable[Any]) -> Gene:
        """One of some values; `Optimizer` asks for the index of a word, and for the number of a number."""
        return cls(key, "choice", choices=tuple(choices))

    @property
    def stored(self) -> list[float]:
        """The numbers that stand for the choices: themselves, or their places."""
        numbers = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in self.choices)
        if numbers:
            return [float(one) for one in self.choices]
        return [float(at) for at in range(len(self.choices))]

    def native(self) -> tuple[str, str, float, float, list[float]]:
        """As the native module takes it."""
        kind = "log" if self.kind == "real" and self.log else self.kind
        return (self.key, kind, self.low, self.high, self.stored)

    @classmethod
    def described(cls, said: Mapping[str, Any]) -> Gene:
        """From the description of an experiment."""
        return cls(
            key=said["key"],
            kind=said["type"],
            low=float(said.get("low", 0.0)),
            high=float(said.get("high", 0.0)),
            log=bool(said.get("log", False)),
            choices=tuple(said.get("choices", ())),
            unit=said.get("unit", ""),
            default=said.get("default"),
            start=said.get("start"),
        )


@dataclass(frozen=True)
class Space(Sequence[Gene]):
    """Genes in order; a point is a list of values, a genome a list of coordinates from 0 to 1."""

    genes: tuple[Gene, ...] = field(default=())

    @classmethod
    def of(cls, genes: Space | Iterable[Gene]) -> Space:
        """From genes, or the space itself."""
        if isinstance(genes, Space):
            return genes
        made = tuple(genes)
        for one in made:
            if not isinstance(one, Gene):
                raise InputError(f"{one!r} is no gene; Gene.real, Gene.integer and Gene.choice make one")
        return cls(made)

    @property
    def keys(self) -> list[str]:
        """Names of the genes."""
        return [gene.key for gene in self.genes]

    def __len__(self) -> int:
        return len(self.genes)

    def __iter__(self) -> Iterator[Gene]:
        return iter(self.genes)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, str):
            for gene in self.genes:
                if gene.key == at:
                    return gene
            raise InputError(f"`{at}` is not a gene; allowed: {', '.join(self.keys)}")
        return self.genes[at]

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{gene.key}</td><td>{_range(gene)}</td><td>{gene.unit}</td><td>{gene.default}</td></tr>"
            for gene in self.genes
        )
        return f"<table><tr><th>gene</th><th>range</th><th>unit</th><th>default</th></tr>{rows}</table>"


def _range(gene: Gene) -> str:
    if gene.kind == "choice":
        return ", ".join(str(one) for one in gene.choices)
    return f"{gene.low:g} to {gene.high:g}{', log' if gene.log else ''}"
