"""The reference of the package as HTML: `python -W error reference.py FOLDER`, where the package, pdoc and what adapters need are installed.

torch and sbi are too large to be installed for their names alone, and stand-ins do for those.
"""

import importlib.util
import sys
from pathlib import Path
from unittest.mock import MagicMock

import pdoc

for names in [["torch"], ["sbi", "sbi.utils"]]:
    if importlib.util.find_spec(names[0]) is None:
        sys.modules.update((name, MagicMock()) for name in names)

MODULES = ["crowdtune", "crowdtune.ray", "crowdtune.dask", "crowdtune.slurm", "crowdtune.adapters"]

pdoc.render.configure(docformat="markdown", show_source=False)
pdoc.pdoc(*MODULES, output_directory=Path(sys.argv[1]))
