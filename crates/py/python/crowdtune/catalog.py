"""What comes with crowdtune."""

from __future__ import annotations

from dataclasses import dataclass

from . import _native


@dataclass(frozen=True)
class Constant:
    """A constant that can be set, and where its default comes from."""

    key: str
    unit: str
    allowed: str
    doc: str
    source: str


@dataclass(frozen=True)
class Entry:
    """A model, a metric, a scenario, an optimizer or an exporter."""

    name: str
    doc: str
    source: str
    constants: tuple[Constant, ...]


def _entries(kind: str) -> dict[str, Entry]:
    said = _native.catalog(kind) or []
    return {
        name: Entry(name, doc, source, tuple(Constant(*one) for one in constants))
        for name, doc, source, constants in said
    }


def models() -> dict[str, Entry]:
    """The crowd models by name."""
    return _entries("models")


def metrics() -> dict[str, Entry]:
    """What can be measured."""
    return _entries("metrics")


def scenarios() -> dict[str, Entry]:
    """Scenarios with a name."""
    return _entries("scenarios")


def optimizers() -> dict[str, Entry]:
    """Search algorithms."""
    return _entries("optimizers")


def exporters() -> dict[str, Entry]:
    """Tools that presets are written for."""
    return _entries("exporters")
