"""The package as people use it."""

from __future__ import annotations

import doctest
import importlib
import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import crowdtune as ct

from crowdtune.progress import Trial

from .conftest import TINY


@pytest.mark.parametrize("name", ["crowdtune", "crowdtune.optimizer", "crowdtune.own"])
def test_examples_in_the_documentation_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_import_loads_nothing_but_numpy() -> None:
    code = "import sys, numpy; before = set(sys.modules); import crowdtune; print(*(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    foreign = {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names) - {"crowdtune", "numpy"}
    assert "crowdtune._native" in loaded and foreign == set()


def test_a_text_a_dict_and_a_file_are_the_same_experiment(tmp_path: Path) -> None:
    tables = {
        "model": "social_force",
        "parameters": {"relaxation_time_s": {"range": [0.1, 2.0]}},
        "scenario": {"room": {"kind": "room", "count": np.int64(10)}},
        "target": {"time": {"metric": "evacuation_time_95_s", "minimize": {"good": 5.0, "bad": 20.0}}},
    }
    text = """
        model = "social_force"
        parameters.relaxation_time_s = { range = [0.1, 2.0] }
        scenario.room = { kind = "room", count = 10 }
        target.time = { metric = "evacuation_time_95_s", minimize = { good = 5.0, bad = 20.0 } }
    """
    (tmp_path / "one.toml").write_text(text)
    all_three = [ct.Experiment.from_dict(tables), ct.Experiment.from_toml(text), ct.Experiment.load(tmp_path / "one.toml")]
    assert len({one.digest for one in all_three}) == 1
    changed = all_three[0].with_overrides({"search.evaluations": 7, "scenario.room.count": np.int32(9)})
    assert (changed.evaluations, changed.digest == all_three[0].digest) == (7, False)


def test_the_space_is_that_of_the_program(root: Path, program: str) -> None:
    path = root / "configs/evacuation.toml"
    said = subprocess.run([program, "evaluate", str(path)], input="", capture_output=True, text=True, check=True).stdout
    genes = json.loads(said.splitlines()[0])["genes"]
    space = ct.Experiment.load(path).space
    assert [(g["key"], g["unit"], g["low"], g["high"], g["log"]) for g in genes] == [
        (g.key, g.unit, g.low, g.high, g.log) for g in space
    ]


def test_genomes_and_values_are_two_ways_to_say_the_same(tiny: ct.Experiment) -> None:
    genomes = np.random.default_rng(1).random((20, 3))
    values = tiny.decode(genomes)
    assert (tiny.decode(tiny.encode(values)) == values).all()
    named = tiny.named(genomes)
    at = tiny.space.keys.index("relaxation_time_s")
    assert [one["relaxation_time_s"] for one in named] == values[:, at].tolist()
    assert {one["impatience"] for one in named} == {False, True}
    assert (tiny.decode(tiny.genomes(named)) == values).all()
    by_name = tiny.evaluate(named[:2])
    assert (by_name.values == tiny.evaluate(values[:2], cube=False).values).all()


def test_answers_do_not_depend_on_threads_and_other_threads_go_on(tiny: ct.Experiment) -> None:
    genomes = np.random.default_rng(2).random((24, 3))
    ticks = 0
    over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    first = tiny.evaluate(genomes, replicas=3, threads=1)
    over.set()
    thread.join()
    second = tiny.evaluate(genomes, replicas=3, threads=2)
    assert first.values.shape == (24, 1, 3, 2)
    assert first.values.tobytes() == second.values.tobytes()
    assert ticks > 5
    other = tiny.evaluate(genomes, replicas=3, seed=99)
    assert other.values.tobytes() != first.values.tobytes()
    fresh = tiny.evaluate(genomes[:1], purpose="report")
    assert fresh.values.shape[2] > 2 and fresh.values[0, 0, 0, 0] != first.values[0, 0, 0, 0]


def _loss(bundle: bytes) -> float:
    return float(pickle.loads(bundle).evaluate([[0.5, 0.5, 0.1]]).loss[0])


def test_an_experiment_goes_to_another_process(tiny: ct.Experiment) -> None:
    here = _loss(pickle.dumps(tiny))
    for method in ("spawn", "fork"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            assert pool.apply(_loss, (pickle.dumps(tiny),)) == here


def test_a_search_goes_on_where_it_was_stopped(tiny: ct.Experiment, tmp_path: Path) -> None:
    seen = []
    whole = ct.evolve(tiny, tmp_path / "whole", callback=seen.append, progress=False)
    assert len(seen) == len(whole) and seen[0].purpose == "search"

    def stop(trial: Trial) -> None:
        if trial.id == 5:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        ct.evolve(tiny, tmp_path / "stopped", callback=stop, progress=False)
    with pytest.raises(ct.InputError, match="resume=True"):
        ct.evolve(tiny, tmp_path / "stopped", progress=False)
    ct.evolve(tiny, tmp_path / "stopped", resume=True, progress=False)
    for name in ("trials.jsonl", "best.json", "summary.json", "report.html"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "stopped" / name).read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_keeps_the_log(root: Path, tmp_path: Path) -> None:
    # A process whose parent runs in the background may have been told to ignore it.
    code = f"""
import signal
import crowdtune as ct
signal.signal(signal.SIGINT, signal.default_int_handler)
experiment = ct.Experiment.load({str(root / "configs/evacuation.toml")!r}, {{"search.evaluations": 40, "search.parallel": 4}})
print("ready", flush=True)
ct.evolve(experiment, {str(tmp_path / "run")!r}, resume=True, progress=False)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    log = tmp_path / "run/trials.jsonl"
    while not log.is_file() or log.read_bytes().count(b"\n") < 3:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode != 0 and "KeyboardInterrupt" in said
    assert 3 <= log.read_bytes().count(b"\n") < 40


def test_a_run_folder_is_read(tiny: ct.Experiment, tmp_path: Path, program: str) -> None:
    run = ct.evolve(tiny, tmp_path / "run", progress=False)
    assert run.summary["digest"] == tiny.digest and run.best["model"] == "social_force"
    assert run.verdict == run.summary["verdict"]["sentences"]
    (recommended,) = tiny.named([run.recommended])
    assert recommended == {name: run.best["parameters"][name]["value"] for name in recommended}
    number, best = run.convergence()
    assert number[-1] == 12 and (np.diff(best) <= 0).all()
    with pytest.raises(ct.InputError, match="no front"):
        run.front()
    paths = run.export("csv")
    words = [program, "export", str(tmp_path / "run"), "--to", "csv", "--out", str(tmp_path / "other")]
    subprocess.run(words, check=True, capture_output=True)
    assert paths and all(path.read_bytes() == (tmp_path / "other" / path.name).read_bytes() for path in paths)
    pandas = pytest.importorskip("pandas")
    assert isinstance(run.trials("search"), pandas.DataFrame) and len(run.trials("search")) == 12
    target = run.summary["targets"][0]
    assert run.intervals().loc[0, "tuned"] == target["tuned"]["value"]
    assert "<table>" in run._repr_html_()
    with pytest.raises(ct.InputError, match="not a run folder"):
        ct.Run(tmp_path)


def test_draws_of_a_posterior_are_a_table(root: Path, program: str, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    words = [program, "posterior", str(root / "benches/posterior/bottleneck.toml"), "--likelihood", "emulated", "--evaluations", "40", "--quiet"]
    subprocess.run([*words, "--out", str(tmp_path / "run")], check=True, capture_output=True)
    run = ct.Run(tmp_path / "run")
    draws = run.draws("arrow")
    assert isinstance(draws, pyarrow.Table) and draws.num_rows == 2000
    assert sum(draws["weight"].to_pylist()) == pytest.approx(1.0)
    assert set(draws.column_names) == {"weight", *(f"parameters.{gene.key}" for gene in run.experiment.space.genes)}
    os.remove(tmp_path / "run" / "samples.jsonl")
    with pytest.raises(ct.InputError, match="no posterior"):
        run.draws()


def test_tracks_are_those_of_the_program(root: Path, program: str, tmp_path: Path) -> None:
    path, file = root / "configs/evacuation.toml", tmp_path / "tracks.txt"
    subprocess.run([program, "simulate", str(path), "--trajectory", str(file)], check=True, capture_output=True)
    told, made = ct.read_tracks(file), ct.Experiment.load(path).simulate()
    assert len(told) == len(made) and told.fps == made.fps == 10
    here, there = np.lexsort((made.id, made.frame)), np.lexsort((told.id, told.frame))
    assert abs(made.x[here] - told.x[there]).max() < 1e-4
    words = [program, "measure", str(file), "--metric", "speed_mean_m_per_s,evacuation_time_95_s", "--json"]
    said = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    table = {"id": told.id, "frame": told.frame, "x": told.x, "y": told.y}
    for one in said["measured"]:
        value = told.measure(one["metric"])
        assert value.value == one["value"] and value.unit == one["unit"]
        assert ct.measure(table, one["metric"], fps=10).value == one["value"]
    with pytest.raises(ct.InputError, match="fps="):
        ct.measure(table, "speed_mean_m_per_s")


def test_a_model_and_a_metric_in_python(tmp_path: Path) -> None:
    registry = ct.Registry()

    @registry.model("straight", parameters=[ct.Parameter("pace", 1.0, (0.1, 2.0))])
    def straight(constants):
        return lambda view: view["desired"] * view["desired_speed"][:, None] * constants["pace"]

    @registry.metric("polarization_here", needs=["velocity"])
    def polarization(sample):
        speed = np.linalg.norm(sample["velocity"], axis=1)
        way = sample["velocity"][speed > 0.05] / speed[speed > 0.05, None]
        return float(np.linalg.norm(way.mean(axis=0))) if len(way) else None

    text = """
        model = "straight"
        parameters.pace = { range = [0.5, 1.5] }
        scenario.field = { kind = "corridor", count = 1, limit_s = 10.0 }
        target.here = { metric = "polarization_here", at_least = 0.5 }
        search.evaluations = 4
    """
    experiment = ct.Experiment.from_toml(text, registry=registry)
    answers = experiment.evaluate([[0.1], [0.9]])
    assert answers.failed == [None, None], answers.failed
    run = ct.evolve(experiment, tmp_path / "run", progress=False, threads=2)
    again = ct.evolve(experiment, tmp_path / "again", progress=False, threads=1)
    assert run.experiment.model == "straight" and len(run) == len(again)
    assert (run.path / "trials.jsonl").read_bytes() == (again.path / "trials.jsonl").read_bytes()
    with pytest.raises(ct.InputError, match="written in Python"):
        pickle.dumps(experiment)

    @registry.model("broken")
    def broken(constants):
        def steer(view):
            raise ZeroDivisionError("nobody walks")

        return steer

    worse = ct.Experiment.from_toml(text.replace("straight", "broken").replace("parameters.pace = { range = [0.5, 1.5] }", ""), registry=registry)
    [why] = worse.evaluate(np.empty((1, 0))).failed
    assert why is not None and "ZeroDivisionError: nobody walks" in why


def test_a_simulator_in_python(tmp_path: Path) -> None:
    experiment = ct.Experiment.from_toml(TINY, {"search.evaluations": 8})

    def simulate(scenario: str, parameters: dict, seed: int) -> dict:
        assert scenario == "room" and isinstance(seed, int)
        return {"time": 10.0 * parameters["relaxation_time_s"], "speed": 1.0}

    run = ct.evolve(experiment, tmp_path / "run", simulator=simulate, simulator_name="toy-1", progress=False)
    assert run.summary["engine"] == "toy-1"
    with pytest.raises(ct.InputError, match="toy-1"):
        ct.evolve(experiment, tmp_path / "run", resume=True, progress=False)
