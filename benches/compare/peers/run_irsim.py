"""W1 and W2 with the batch social force of ir-sim (Moussaid's law, all pairs, NumPy)."""
import common
import numpy
from irsim.lib.algorithm.social_force_model import SocialForceModelBatch

workload, agents, steps = common.arguments()
rows = numpy.array(common.start(workload, agents))
radius = [r for _, _, r in common.room(agents)] if workload == "W1" else [0.3] * agents
speed = rows[:, 2].copy()
# x, y, vx, vy, radius, wanted vx, wanted vy, heading
state = numpy.column_stack([rows[:, :4], radius, speed, numpy.zeros(agents), numpy.zeros(agents)])
walls = numpy.array(common.WALLS, float) if workload == "W1" else None
goal = rows[:, 4:6]


def work(count):
    for _ in range(count):
        way = goal - state[:, :2]
        state[:, 5:7] = speed[:, None] * way / numpy.linalg.norm(way, axis=1, keepdims=True)
        model = SocialForceModelBatch(state, line_obs_list=walls, vmax=2.0, step_time=0.01)
        state[:, 2:4] = numpy.asarray(model.cal_vel())[:, :2]
        state[:, :2] += 0.01 * state[:, 2:4]


work(1)
seconds = common.timed(lambda: work(steps))
common.emit("ir-sim", workload, agents, steps, seconds, common.centre(state[:, :2]))
