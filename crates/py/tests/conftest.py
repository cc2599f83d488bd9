"""What the tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import crowdtune as ct

ROOT = Path(__file__).resolve().parents[3]

TINY = """
model = "social_force"
parameters.relaxation_time_s = { range = [0.1, 2.0] }
parameters.repulsion_range_m = { range = [0.05, 0.3], log = true }
parameters.impatience = { choices = [false, true] }
scenario.room = { kind = "room", count = 8, width_m = 5.0, depth_m = 5.0, limit_s = 40.0, replicas = 2 }
target.time = { metric = "evacuation_time_95_s", minimize = { good = 5.0, bad = 20.0 } }
measure.speed = { metric = "speed_mean_m_per_s" }
search.evaluations = 12
search.parallel = 4
"""


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def program() -> str:
    """The command line program: CROWDTUNE, or the one that was built here."""
    path = os.environ.get("CROWDTUNE", str(ROOT / "target/release/crowdtune"))
    if not Path(path).is_file():
        pytest.skip("the program is not built: cargo build --release")
    return path


@pytest.fixture(scope="session")
def tiny() -> ct.Experiment:
    """Eight people in a small room, three genes."""
    return ct.Experiment.from_toml(TINY, name="tiny")
