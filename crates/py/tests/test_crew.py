"""A crew without a cluster: workers that die, hang, answer twice or nonsense, and the bytes of the log all the same."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import crowdtune as ct
from crowdtune.crew import Answered, Crew, respond


class Unreliable(Crew):
    """Answers in this process, in any order; a share of the chunks is lost, held back for ever, or answered with nonsense."""

    def __init__(self, experiment: ct.Experiment, seed: int, lost: float = 0.0, timeout_s: float | None = None) -> None:
        super().__init__(experiment, timeout_s)
        self.random = random.Random(seed)
        self.lost = lost
        self.waiting: dict[int, list[bytes]] = {}
        self.number = 0
        self.sizes: list[int] = []
        self.losses: Counter[bytes] = Counter()

    @property
    def count(self) -> int:
        return self.random.randint(1, 6)

    def submit(self, lines: list[bytes]) -> Any:
        self.number += 1
        self.waiting[self.number] = lines
        self.sizes.append(len(lines))
        return self.number

    def ready(self, timeout_s: float) -> list[Any]:
        return self.random.sample(sorted(self.waiting), min(len(self.waiting), 2))

    def result(self, handle: Any) -> Answered | None:
        lines = self.waiting.pop(handle)
        # Fewer times than a search gives up after, unless everything is lost.
        often = max(self.losses[line] for line in lines) >= 3 and self.lost < 1.0
        chance = 1.0 if often else self.random.random()
        if chance < 1.5 * self.lost:
            self.losses.update(lines)
        if chance < self.lost:
            return None
        answered = respond(self.digest, self.bundle, lines)
        if chance < 1.5 * self.lost:
            return Answered(answered.node, answered.busy_s, [b"nonsense"] * len(lines))
        return answered

    def drop(self, handles: list[Any]) -> None:
        for handle in handles:
            self.waiting.pop(handle, None)


@pytest.fixture(scope="module")
def alone(tiny: ct.Experiment, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("alone") / "run"
    ct.evolve(tiny, folder, progress=False)
    return (folder / "trials.jsonl").read_bytes()


@pytest.mark.parametrize("seed", range(5))
def test_the_bytes_do_not_depend_on_who_answers(tiny: ct.Experiment, alone: bytes, tmp_path: Path, seed: int) -> None:
    crew = Unreliable(tiny, seed, lost=0.15)
    run = ct.evolve(tiny, tmp_path / "run", progress=False, crew=crew)
    assert (run.path / "trials.jsonl").read_bytes() == alone
    assert max(crew.sizes) > 1
    assert not crew.sent and not crew.open and crew.left == 0


def test_a_crew_that_never_answers_ends_the_search(tiny: ct.Experiment, tmp_path: Path) -> None:
    with pytest.raises(ct.MachineError, match="sent 5 times"):
        ct.evolve(tiny, tmp_path / "run", progress=False, crew=Unreliable(tiny, 1, lost=1.0))
    ct.evolve(tiny, tmp_path / "run", resume=True, progress=False)


def test_what_is_away_for_too_long_is_sent_again(tiny: ct.Experiment, alone: bytes, tmp_path: Path) -> None:
    class Forgetful(Unreliable):
        """Forgets the first chunk."""

        def ready(self, timeout_s: float) -> list[Any]:
            return [one for one in super().ready(timeout_s) if one != 1]

    crew = Forgetful(tiny, 1, timeout_s=0.05)
    run = ct.evolve(tiny, tmp_path / "run", progress=False, crew=crew)
    assert (run.path / "trials.jsonl").read_bytes() == alone


def test_an_error_of_a_crew_is_raised(tiny: ct.Experiment, tmp_path: Path) -> None:
    class Broken(Unreliable):
        def result(self, handle: Any) -> Answered | None:
            raise ConnectionError("nobody there")

    with pytest.raises(ConnectionError, match="nobody there"):
        ct.evolve(tiny, tmp_path / "run", progress=False, crew=Broken(tiny, 1))


def test_nodes_are_named(tiny: ct.Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROWDTUNE_NODE", "node-7")
    run = ct.evolve(tiny, tmp_path / "run", progress=False, crew=Unreliable(tiny, 1))
    assert '"node":"node-7"' in (run.path / "timing.jsonl").read_text()
