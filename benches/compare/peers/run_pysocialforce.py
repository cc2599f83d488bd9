"""W1 and W2 with PySocialForce (Moussaid's law, all pairs, compiled by numba).

The keys of the scene stand at the top of its file: version 1.1.2 does not read them from [scene].
"""
import logging, os, tempfile
import common
import numpy

workload, agents, steps = common.arguments()
logging.disable(logging.CRITICAL)
os.chdir(tempfile.mkdtemp())  # the import opens a log file here
import pysocialforce

with open("scene.toml", "w") as f:
    f.write("step_width = 0.01\ntau = 0.5\nagent_radius = 0.3\nmax_speed_multiplier = 1.3\nresolution = 10\n"
            "[scene]\nenable_group = false\n")
walls = [(x0, x1, y0, y1) for x0, y0, x1, y1 in common.WALLS] if workload == "W1" else None
sim = pysocialforce.Simulator(numpy.array(common.start(workload, agents)), groups=[], obstacles=walls, config_file="scene.toml")
sim.step(1)  # compiles
seconds = common.timed(lambda: sim.step(steps))
common.emit("pysocialforce", workload, agents, steps, seconds, common.centre(sim.peds.pos()))
