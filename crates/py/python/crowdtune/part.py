"""What a loss is the sum of."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite

from ._native import InputError


@dataclass(frozen=True)
class Part:
    """What one measured value adds to a loss, in the words of experiment files; `weight` times its loss.

    >>> from crowdtune import Part
    >>> Part.equals(1.2, tolerance=0.05).loss(1.3) == Part.minimize(good=0, bad=2, weight=0.5).loss(4) == 1
    True
    """

    kind: str
    low: float
    high: float
    unit: float
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not (isfinite(self.weight) and self.weight > 0):
            raise InputError(f"weight is {self.weight}; allowed: a number above 0")
        if not (isfinite(self.unit) and self.unit > 0):
            raise InputError(f"the unit of the loss is {self.unit}; allowed: a number above 0")

    @classmethod
    def minimize(cls, good: float, bad: float, weight: float = 1.0) -> Part:
        """Loss 0 up to `good`, 1 at `bad`, linear beyond it too."""
        return cls("band", -inf, float(good), float(bad) - float(good), float(weight))

    @classmethod
    def maximize(cls, good: float, bad: float, weight: float = 1.0) -> Part:
        """Loss 0 from `good` on, 1 at `bad`, linear beyond it too."""
        return cls("band", float(good), inf, float(good) - float(bad), float(weight))

    @classmethod
    def equals(cls, value: float, tolerance: float, weight: float = 1.0, *, squares: bool = False) -> Part:
        """This value within a tolerance, which is also the unit of the loss outside; or the square of how many tolerances it is off."""
        value, tolerance = float(value), float(tolerance)
        if squares:
            return cls("squares", value, value, tolerance, float(weight))
        return cls("band", value - tolerance, value + tolerance, tolerance, float(weight))

    @classmethod
    def between(cls, low: float, high: float, weight: float = 1.0) -> Part:
        """A band; half its width is the unit of the loss outside."""
        return cls("band", float(low), float(high), 0.5 * (float(high) - float(low)), float(weight))

    @classmethod
    def at_most(cls, limit: float, scale: float | None = None, weight: float = 1.0) -> Part:
        """An upper limit; its size, or `scale`, is the unit of the loss above."""
        return cls("band", -inf, float(limit), abs(float(limit)) if scale is None else float(scale), float(weight))

    @classmethod
    def at_least(cls, limit: float, scale: float | None = None, weight: float = 1.0) -> Part:
        """A lower limit; its size, or `scale`, is the unit of the loss below."""
        return cls("band", float(limit), inf, abs(float(limit)) if scale is None else float(scale), float(weight))

    def loss(self, value: float) -> float:
        """What a value adds to the loss."""
        off = max(self.low - value, value - self.high, 0.0) / self.unit
        return self.weight * (off * off if self.kind == "squares" else off)

    def native(self) -> tuple[str, float, float, float, float]:
        """As the native module takes it."""
        return (self.kind, self.low, self.high, self.unit, self.weight)
