"""Whatever comes through the boundary gives a result, an exception or a failure with a reason: never a panic, never a crash."""

from __future__ import annotations

import concurrent.futures
import json
import os
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import crowdtune as ct
from crowdtune import _native

REFUSED = (ct.InputError, TypeError, OverflowError)
GENOME = np.array([[0.25, 0.5, 0.75]])


@pytest.mark.parametrize(
    "given",
    [
        GENOME.astype(np.float32),
        GENOME.astype(">f8"),
        np.asfortranarray(np.repeat(GENOME, 3, axis=0)),
        np.repeat(GENOME, 6, axis=0)[::2],
        np.repeat(GENOME, 3, axis=0)[::-1],
        np.ascontiguousarray(GENOME[:, ::-1])[:, ::-1],
        np.frombuffer(b"x" + GENOME.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(1, 3),
        GENOME.tolist(),
        tuple(GENOME[0]),
        np.ma.masked_array(GENOME),
    ],
    ids=["float32", "big-endian", "fortran", "strided", "backwards", "columns", "misaligned", "list", "tuple", "masked"],
)
def test_every_layout_of_numbers_is_taken(given: Any, tiny: ct.Experiment) -> None:
    assert (tiny.evaluate(given).values[0] == tiny.evaluate(GENOME).values[0]).all()


def test_whole_numbers_are_numbers(tiny: ct.Experiment) -> None:
    assert tiny.evaluate(np.array([[0, 1, 1]])).values.tobytes() == tiny.evaluate([[0.0, 1.0, 1.0]]).values.tobytes()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (np.zeros((1, 2)), "width 2 for 3 genes"),
        (np.zeros((2, 3, 1)), "dimensions"),
        (np.array([["a", "b", "c"]]), "allowed: numbers"),
        (np.array([[1j, 0, 0]]), "allowed: numbers"),
        (np.array([[None, 0, 0]], dtype=object), "allowed: numbers"),
        (np.array([[True, False, True]]), "allowed: numbers"),
        ([[0.1, 0.2, 0.3], [0.1]], "different lengths"),
        ({"relaxation_time_s": 99.0}, "0.1 to 2"),
        ({"relaxation_time": 1.0}, "relaxation_time_s"),
        ({"relaxation_time_s": float("nan")}, "no candidate"),
        ({"impatience": "maybe"}, "false, true"),
    ],
)
def test_what_is_no_candidate_is_refused_in_words(given: Any, words: str, tiny: ct.Experiment) -> None:
    with pytest.raises(ct.InputError, match=words):
        tiny.evaluate(given)


def test_candidates_outside_fail_alone(tiny: ct.Experiment) -> None:
    rows = np.repeat(GENOME, 4, axis=0)
    rows[1, 0], rows[2, 1], rows[3, 2] = np.nan, 1.0000001, -np.inf
    answers = tiny.evaluate(rows)
    assert answers.failed[0] is None and np.isfinite(answers.loss[0])
    for why, value in zip(answers.failed[1:], ("NaN", "1.0000001", "-inf"), strict=True):
        assert why is not None and value in why
    assert np.isnan(answers.objectives[1:]).all() and np.isnan(answers.values[1:]).all()


def test_nothing_gives_nothing(tiny: ct.Experiment) -> None:
    answers = tiny.evaluate(np.empty((0, 3)))
    assert (len(answers), answers.values.shape[0], answers.objectives.shape) == (0, 0, (0, 1))


@pytest.mark.parametrize(
    "options",
    [
        {"replicas": 0},
        {"replicas": -1},
        {"replicas": 2**40},
        {"replicas": (3, 3)},
        {"replicas": (0, 2**31)},
        {"purpose": "fun"},
        {"seed": -1},
        {"seed": 2**70},
        {"threads": -1},
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any], tiny: ct.Experiment) -> None:
    with pytest.raises(REFUSED):
        tiny.evaluate(GENOME, **options)


def test_the_native_module_checks_by_itself(tiny: ct.Experiment) -> None:
    bad = [GENOME.astype(np.float32), GENOME[0], None, np.zeros((1, 2)), np.asfortranarray(np.zeros((3, 3))), "text"]
    misaligned = np.frombuffer(b"x" + GENOME.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(1, 3)
    for one in [*bad, misaligned]:
        with pytest.raises(REFUSED):
            _native.evaluate(tiny._native, one, "search")
    for one in bad:
        with pytest.raises(REFUSED):
            tiny._native.decode(one)


def test_an_optimizer_refuses_what_fits_no_question() -> None:
    genes = [ct.Gene.real("x", 0, 1), ct.Gene.integer("n", 1, 3)]
    for wrong in (
        {"parallel": 0},
        {"parallel": 10**7},
        {"objectives": 0},
        {"optimizer": "simplex"},
        {"start": [[1.0]]},
        {"measures": [(1.0, 0.0, 3)]},
        {"measures": [(0.0, 1.0, 0)]},
        {"sigma_of_nobody": 1.0},
        {"seed": -1},
    ):
        with pytest.raises(REFUSED):
            ct.Optimizer(genes, **wrong)  # type: ignore[arg-type]
    for wrong_genes in (
        [ct.Gene.real("x", 1, 0)],
        [ct.Gene.real("x", 0, float("inf"))],
        [ct.Gene.real("x", -1, 1, log=True)],
        [ct.Gene.choice("x", [])],
        [ct.Gene.integer("x", 0, 2**60)],
        ["x"],
        [],
    ):
        with pytest.raises(REFUSED):
            ct.Optimizer(wrong_genes)  # type: ignore[arg-type]
    search = ct.Optimizer(genes, parallel=4)
    with pytest.raises(ct.InputError, match="0 points"):
        search.tell([1.0])
    points = search.ask()
    for wrong_answer in ([1.0], np.zeros((4, 2)), [["a"] * 4], np.zeros(4) * 1j):
        with pytest.raises(REFUSED):
            search.tell(wrong_answer)
    with pytest.raises(ct.InputError, match="violation"):
        search.tell(np.zeros(4), violation=np.full(4, -1.0))
    assert (search.ask() == points).all() and search.told == 0
    search.tell([None, np.nan, np.inf, 2.0])
    assert search.best[1] == 2.0


def test_tracks_of_any_kind(tiny: ct.Experiment) -> None:
    row = {"id": [0, 0], "frame": [0, 1], "x": [0.0, 1.0], "y": [0.0, 0.0]}
    assert ct.measure(row, "speed_mean_m_per_s", fps=1).value == pytest.approx(1.0)
    for change in ({"x": [0.0]}, {"id": [0.5, 1]}, {"x": [np.nan, 0.0]}, {"frame": [0, 0]}, {"y": ["a", "b"]}):
        with pytest.raises(REFUSED):
            ct.measure(row | change, "speed_mean_m_per_s", fps=1)
    for options in ({"fps": 0}, {"fps": np.nan}, {"geometry": "POLYGON"}, {"at": [[0, 0]]}, {"radius_m": -1}, {"nobody": 1}):
        with pytest.raises(REFUSED):
            ct.measure(row, "speed_mean_m_per_s", **({"fps": 1} | options))
    with pytest.raises(ct.InputError, match="speed_mean_m_per_s"):
        ct.measure(row, "speed_meen_m_per_s", fps=1)


def question(experiment: ct.Experiment, **changes: Any) -> bytes:
    line = {
        "id": 0,
        "purpose": "search",
        "genome": [0.1, 0.2, 0.3],
        "replicas": [0, 2],
        "seed": experiment.seed,
        "digest": experiment.digest,
        "engine": "native",
        "results": 6,
        "crowdtune": ct.__version__,
    }
    return json.dumps(line | changes).encode()


def test_a_worker_refuses_another_experiment_or_version(tiny: ct.Experiment) -> None:
    row = json.loads(tiny.answer(question(tiny)))
    assert row["outcome"] == "done" and row["genome"] == [0.1, 0.2, 0.3]
    for changes, words in (
        ({"digest": "0" * 64}, "another experiment"),
        ({"results": 5}, "same version"),
        ({"engine": "jupedsim"}, "engine"),
        ({"genome": [0.1]}, "1 coordinates"),
        ({"replicas": [2, 2]}, "replicas"),
        ({"seed": tiny.seed + 1}, "another experiment"),
    ):
        with pytest.raises(ct.InputError, match=words):
            tiny.answer(question(tiny, **changes))
    for line in (b"", b"no json", b"[]", b"\xff", b'{"id":0}'):
        with pytest.raises(ct.InputError):
            tiny.answer(line)


def test_a_worker_without_the_files_gets_them(root: Path) -> None:
    import pickle

    experiment = ct.Experiment.load(root / "configs/planted_social_force.toml")
    code = (
        "import pickle, sys; e = pickle.loads(sys.stdin.buffer.read()); "
        "print(e.digest, e.evaluate(e.start.reshape(1, -1), replicas=1).loss[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(experiment), cwd="/", capture_output=True, check=True
    )
    digest, loss = done.stdout.decode().split()
    assert digest == experiment.digest
    assert float(loss) == experiment.evaluate(experiment.start.reshape(1, -1), replicas=1).loss[0]


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_disk_that_is_full_ends_the_search_and_not_python(tmp_path: Path, tiny: ct.Experiment) -> None:
    code = f"""
import resource, signal
import crowdtune as ct
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, {resource.RLIM_INFINITY}))
experiment = ct.Experiment.from_toml({tiny.to_toml()!r}, {{"search.evaluations": 60}})
try:
    ct.evolve(experiment, {str(tmp_path / "run")!r}, progress=False)
except ct.MachineError as error:
    print("refused:", error)
resource.setrlimit(resource.RLIMIT_FSIZE, ({resource.RLIM_INFINITY}, {resource.RLIM_INFINITY}))
print(len(ct.evolve(experiment, {str(tmp_path / "run")!r}, resume=True, progress=False)) > 60)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "refused:" in done.stdout and "trials.jsonl" in done.stdout and done.stdout.endswith("True\n")


def test_many_threads_at_once(tiny: ct.Experiment) -> None:
    want = tiny.evaluate(GENOME).values.tobytes()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda _: tiny.evaluate(GENOME, threads=2).values.tobytes(), range(40)))
    assert set(got) == {want}


def anything(rng: np.random.Generator, depth: int = 0) -> Any:
    """Any value that Python code can hand over."""
    kinds: list[Any] = [
        lambda: None,
        lambda: bool(rng.integers(2)),
        lambda: int(rng.integers(-5, 5)),
        lambda: int(rng.integers(2**62)) * 8,
        lambda: float(rng.normal()),
        lambda: float(rng.choice([np.nan, np.inf, -np.inf, 0.0, 1e308])),
        lambda: str(rng.choice(["", "search", "room", "relaxation_time_s", "speed_mean_m_per_s", "ga", "\0", "POLYGON"])),
        lambda: bytes(rng.integers(0, 256, 5, dtype=np.uint8)),
        lambda: array(rng),
        lambda: array(rng),
        lambda: array(rng),
    ]
    if depth < 2:
        kinds += [
            lambda: [anything(rng, depth + 1) for _ in range(rng.integers(4))],
            lambda: tuple(anything(rng, depth + 1) for _ in range(rng.integers(4))),
            lambda: {str(rng.choice(["relaxation_time_s", "impatience", "x", "id"])): anything(rng, depth + 1)},
        ]
    return kinds[rng.integers(len(kinds))]()


def array(rng: np.random.Generator) -> Any:
    """An array of any type, shape and layout; often one of the right width."""
    kind = rng.choice(["f8", "f8", "f8", "f4", ">f8", "i8", "u1", "?", "c16", "O", "U3"])
    shape = [(3,), (1, 3), (2, 3), (4, 3), (0, 3), (3, 1), (), (2, 2, 2)][rng.integers(8)]
    made = np.asarray(rng.random(shape)).astype(kind)
    if made.ndim and rng.random() < 0.3:
        made = made[::-1]
    if made.ndim == 2 and rng.random() < 0.3:
        made = np.asfortranarray(made)
    if kind == "f8" and made.size and rng.random() < 0.2:
        flat = made.copy().reshape(-1)
        flat[rng.integers(made.size)] = rng.choice([np.nan, 2.0, -1.0, np.inf])
        made = flat.reshape(made.shape)
    if kind == "f8" and rng.random() < 0.2:
        made = np.frombuffer(b"x" + made.tobytes(), np.uint8)[1:].view("f8").reshape(made.shape)
    return made


def test_random_calls(tiny: ct.Experiment) -> None:
    """CROWDTUNE_CALLS calls with random arguments; 1,000,000 by hand, fewer here."""
    rng = np.random.default_rng(int(os.environ.get("CROWDTUNE_SEED", "1")))
    calls = int(os.environ.get("CROWDTUNE_CALLS", "30000"))
    search = ct.Optimizer(tiny.space, "ga", parallel=3)
    native = tiny._native
    small = tiny.with_overrides({"scenario.room.count": 1, "scenario.room.limit_s": 1.0})
    targets: list[tuple[str, Any, int]] = [
        ("decode", tiny.decode, 1),
        ("encode", tiny.encode, 1),
        ("named", tiny.named, 1),
        ("genomes", tiny.genomes, 1),
        ("tell", search.tell, 1),
        ("ask", search.ask, 0),
        ("recommended", search.recommended, 0),
        ("Optimizer", ct.Optimizer, 2),
        ("answer", tiny.answer, 1),
        ("case", tiny.case, 1),
        ("column", tiny.column, 1),
        ("with_overrides", tiny.with_overrides, 1),
        ("from_dict", ct.Experiment.from_dict, 1),
        ("from_toml", ct.Experiment.from_toml, 1),
        ("native.decode", native.decode, 1),
        ("native.encode", native.encode, 1),
        ("native.genomes", native.genomes, 1),
        ("native.answer", native.answer, 1),
        ("native.Optimizer", _native.Optimizer, 8),
        ("native.tell", search._native.tell, 3),
        ("native.measure", _native.measure, 7),
        ("native.catalog", _native.catalog, 1),
        ("measure", lambda tracks, fps: ct.measure(tracks, "speed_mean_m_per_s", fps=fps), 2),
    ]
    rare: list[tuple[str, Any, int]] = [
        ("evaluate", small.evaluate, 1),
        ("native.evaluate", lambda *a: _native.evaluate(small._native, *a), 4),
        ("simulate", small.simulate, 2),
    ]
    told: Counter[str] = Counter()
    for number in range(calls):
        name, call, count = rare[rng.integers(len(rare))] if number % 50 == 0 else targets[rng.integers(len(targets))]
        arguments = [anything(rng) for _ in range(count)]
        try:
            call(*arguments)
            told[f"{name}: answered"] += 1
        except (*REFUSED, ct.NothingFoundError, AttributeError, KeyError, IndexError, UnicodeError, ValueError) as error:
            told[f"{name}: {type(error).__name__}"] += 1
        except BaseException as error:
            pytest.fail(f"{name}{arguments!r}: {type(error).__name__}: {error}")
    assert sum(told.values()) == calls
    assert told["decode: answered"] > 0 and told["decode: InputError"] > 0 and told["evaluate: answered"] > 0
    print("\n".join(f"{count:8} {what}" for what, count in sorted(told.items())))
