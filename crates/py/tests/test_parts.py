"""Losses that are the sum of what measured values are worth."""

from __future__ import annotations

import numpy as np
import pytest

import crowdtune as ct

PARTS = [
    ct.Part.equals(0.9, tolerance=0.01, weight=0.5),
    ct.Part.minimize(good=0.2, bad=1.0, weight=0.25),
    ct.Part.equals(0.5, tolerance=0.2, squares=True),
]
GENES = [ct.Gene.real("x", 0, 1), ct.Gene.real("y", 0, 1)]


def measured(x: np.ndarray) -> np.ndarray:
    return np.stack([2 * x[:, 0], x[:, 1], x.mean(axis=1)], axis=1)


def losses(values: np.ndarray) -> np.ndarray:
    return np.array([sum(part.loss(value) for part, value in zip(PARTS, row, strict=True)) for row in values])


@pytest.mark.parametrize(
    ("part", "known"),
    [
        (ct.Part.minimize(8, 30, weight=2), {8: 0, 19: 1, 41: 3}),
        (ct.Part.maximize(1, 0), {2: 0, 0.5: 0.5, -1: 2}),
        (ct.Part.equals(1.5, 0.5), {1: 0, 2: 0, 3: 2}),
        (ct.Part.equals(1.5, 0.5, squares=True), {1: 1, 1.5: 0, 3: 9}),
        (ct.Part.between(1, 3), {1: 0, 5: 2}),
        (ct.Part.at_most(0.5), {0.5: 0, 1: 1}),
        (ct.Part.at_least(4, scale=2), {4: 0, 0: 2}),
    ],
)
def test_losses_are_those_of_experiment_files(part: ct.Part, known: dict[float, float]) -> None:
    assert {value: part.loss(value) for value in known} == known


def found(tell_values: bool) -> float:
    search = ct.Optimizer(GENES, "gp", seed=5, noisy=False, parts=PARTS)
    while search.told < 25:
        values = measured(search.ask())
        search.tell(losses(values), values=values if tell_values else None)
    best = search.best
    assert best is not None
    return best[1]


def test_who_tells_values_needs_fewer_evaluations() -> None:
    # Nothing is lost at x = 0.45 and y = 0.2 but the square of the mean: (0.175 / 0.2)^2.
    with_values, without = found(True), found(False)
    assert with_values < without and with_values < 0.75, (with_values, without)


def test_values_that_make_another_loss_are_refused() -> None:
    search = ct.Optimizer(GENES, parallel=2, parts=PARTS)
    values = measured(search.ask())
    with pytest.raises(ct.InputError, match="add up to"):
        search.tell(losses(values) + 0.1, values=values)
    with pytest.raises(ct.InputError, match="rows of 3"):
        search.tell(losses(values), values=values[:, :2])
    search.tell(losses(values), values=values)
    assert search.told == 2


def test_parts_that_are_no_rules_are_refused() -> None:
    for make in (
        lambda: ct.Part.equals(1, 0),
        lambda: ct.Part.minimize(3, 1),
        lambda: ct.Part.between(2, 1),
        lambda: ct.Part.at_most(0),
        lambda: ct.Part.at_most(1, weight=0),
    ):
        with pytest.raises(ct.InputError):
            make()
    with pytest.raises(ct.InputError, match="several objectives"):
        ct.Optimizer(GENES, objectives=2, parts=PARTS)
