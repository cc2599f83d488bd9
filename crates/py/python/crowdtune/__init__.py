"""Tune crowd models: experiments, optimizers, runs and tracks as arrays.

>>> import crowdtune as ct
>>> experiment = ct.Experiment.from_toml('''
... model = "social_force"
... parameters.relaxation_time_s = { range = [0.1, 2.0] }
... scenario.room = { kind = "room", count = 10, width_m = 5.0, depth_m = 5.0 }
... target.time = { metric = "evacuation_time_95_s", minimize = { good = 5.0, bad = 20.0 } }
... ''')
>>> answers = experiment.evaluate([[0.25], {"relaxation_time_s": 0.5}], replicas=2)
>>> answers.values.shape
(2, 1, 2, 1)

The manual is docs/python.md; `crowdtune.ray`, `crowdtune.dask` and `crowdtune.slurm` are in docs/cluster.md, and
`crowdtune.adapters` has Optuna, pymoo, pyribs, SciPy, scikit-learn, SALib, sbi and Ray Tune.
"""

from ._native import InputError, MachineError, NothingFoundError, __version__
from .catalog import Constant, Entry, exporters, metrics, models, optimizers, scenarios
from .evaluations import Evaluations
from .evolve import evolve
from .experiment import Column, Experiment, Scenario
from .optimizer import Optimizer
from .own import Parameter, Registry
from .part import Part
from .run import Run
from .space import Gene, Space
from .tracks import Measurement, Recording, Tracks, measure, read_tracks

__all__ = [
    "Column",
    "Constant",
    "Entry",
    "Evaluations",
    "Experiment",
    "Gene",
    "InputError",
    "MachineError",
    "Measurement",
    "NothingFoundError",
    "Optimizer",
    "Parameter",
    "Part",
    "Recording",
    "Registry",
    "Run",
    "Scenario",
    "Space",
    "Tracks",
    "__version__",
    "evolve",
    "exporters",
    "measure",
    "metrics",
    "models",
    "optimizers",
    "read_tracks",
    "scenarios",
]
